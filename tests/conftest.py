"""One fixture for both implementations, the two profiles, and the figures that a run prints."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

from support.engines import BOTH, Engine

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the tests interrupt themselves

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
settings.register_profile(
    "ci", max_examples=800, derandomize=True, deadline=None, database=None, suppress_health_check=QUIET
)
settings.register_profile("slow", deadline=None, max_examples=5000, suppress_health_check=QUIET)
PROFILE = os.environ.get("OANQUAN_PROFILE", "ci")
settings.load_profile("slow" if PROFILE == "slow" else "ci")


@pytest.fixture(params=BOTH, ids=lambda engine: engine.name)
def engine(request: pytest.FixtureRequest) -> Engine:
    """The core, then the reference."""
    chosen: Engine = request.param
    return chosen


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Have one line printed after the results, whatever is captured and whichever worker runs the test."""
    return lambda line: record_property("figure", line)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked `slow` or `learners` run in the profile of that name only."""
    other = {"slow", "learners"} - {PROFILE}
    left_out = [item for item in items if any(item.get_closest_marker(marker) for marker in other)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures, after the results."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    lines = [line for report in reports for name, line in report.user_properties if name == "figure"]
    if lines:
        terminalreporter.section("figures")
        for line in lines:
            terminalreporter.write_line(str(line))
