"""The environments in plain Python that ours is compared with: the same game, and how much slower they are."""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oanquan.adapters.pettingzoo import raw_env

EXAMPLES = Path(__file__).parent.parent / "python" / "examples"


@pytest.fixture
def speed(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module("pettingzoo_speed")


@pytest.mark.parametrize(("maker", "games"), [("lean_env", 400), ("reference_env", 20)])
def test_it_is_the_same_game(speed: Any, maker: str, games: int) -> None:
    plain, own = getattr(speed, maker)(), raw_env()
    for seed in range(games):
        rng = random.Random(seed)
        plain.reset()
        own.reset()
        while own.agents:
            for agent in own.possible_agents:
                one, other = plain.observe(agent), own.observe(agent)
                assert all(np.array_equal(one[key], other[key]) for key in other)
            assert plain.last(observe=False)[1:4] == own.last(observe=False)[1:4]
            assert (plain.agents, plain.agent_selection) == (own.agents, own.agent_selection)
            _, _, termination, truncation, info = own.last()
            over = termination or truncation
            action = None if over else rng.choice(np.flatnonzero(info["action_mask"]).tolist())
            plain.step(action)
            own.step(action)
            assert plain.rewards == own.rewards


def test_ours_is_five_times_as_fast(speed: Any, figure: Callable[[str], None]) -> None:
    """In time of the processor, so that other work does not matter."""
    own, plain = speed.turns_per_second(raw_env(), 20_000), speed.turns_per_second(speed.reference_env(), 2000)
    figure(f"PettingZoo: {own:,.0f} turns/s, {own / plain:.0f} times those of an environment on the reference")
    assert own > 5 * plain


def test_it_runs_as_a_command() -> None:
    command = [sys.executable, str(EXAMPLES / "pettingzoo_speed.py"), "--turns", "500"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    assert [line.split("  ")[0] for line in run.stdout.splitlines()] == [
        "environment",
        "raw_env",
        "lean board in Python",
        "oanquan.reference",
    ]
