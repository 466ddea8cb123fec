"""Games by the million: `simulate`."""

from __future__ import annotations

import time
from operator import index
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan._core import Position
from oanquan.errors import OanquanError
from oanquan.results import SimulationInterrupted, results_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oanquan.results import Results
    from oanquan.rules import Rules

_MOST_THREADS = 1024


def simulate(  # noqa: PLR0913 (all but the first two by keyword)
    games: int,
    rules: Rules | None = None,
    *,
    position: Position | None = None,
    agents: Sequence[str] = ("random", "random"),
    seed: int = 0,
    threads: int | None = None,
    max_plies: int | None = 1000,
    repetition: int | None = 3,
    progress: Callable[[int, int], object] | None = None,
) -> Results:
    """Play many games and sum them up; memory does not grow with their number.

    Other Python threads run meanwhile. Ctrl-C raises `SimulationInterrupted`, which has the results of the
    games finished until then.

    Args:
        games: How many, 1 to 2**63 - 1.
        rules: Play from the start of these rules; of the default ones if there is no position either.
        position: Play from this position instead.
        agents: Who plays, by name: side a the first, side b the second, and round again if there are more
            sides than agents. `"random"`: uniform among the legal moves; `"greedy"`: most points captured at
            once, among equals at random.
        seed: 0 to 2**64 - 1. Game i of a seed is always the same game.
        threads: 1 to 1024; `None` for all cores. The results do not depend on it.
        max_plies: Count a game after so many plies, 0 to 2**32 - 1; `None` for no limit.
        repetition: Count a game when a position stands for the n-th time, 1 to 2**32 - 1; `None`: no limit.
        progress: Called as `progress(done, games)` from the calling thread, about every 50 ms and once at the
            end. An exception it raises stops the run and comes out of `simulate`.

    Raises:
        OanquanError: An argument is out of range, or no agent has that name.
        SimulationInterrupted: Ctrl-C.
        TypeError: Both rules and a position, or an argument of another type.

    >>> results = simulate(1000, seed=7)
    >>> sum(results.wins.values()) + results.draws
    1000
    >>> results == simulate(1000, seed=7, threads=2)
    True

    """
    if rules is not None and position is not None:
        raise TypeError("expected rules or a position, got both")
    start = Position.start(rules) if position is None else position
    if not isinstance(start, Position):
        raise TypeError(f"position: expected a Position, got {type(start).__name__}")
    if isinstance(agents, str):
        raise TypeError("agents: expected a sequence of names, got str")
    if not 1 <= len(agents) <= start.rules.sides:
        raise OanquanError(f"agents: expected 1 to {start.rules.sides}, got {len(agents)}")
    games = _within("games", games, 1, 2**63 - 1)
    begin = time.perf_counter()
    summary, _, error = _core.simulate(
        start,
        games,
        list(agents),
        _within("seed", seed, 0, 2**64 - 1),
        0 if threads is None else _within("threads", threads, 1, _MOST_THREADS),
        None if max_plies is None else _within("max_plies", max_plies, 0, 2**32 - 1),
        None if repetition is None else _within("repetition", repetition, 1, 2**32 - 1),
        False,
        False,
        False,
        progress,
    )
    results = results_of(summary, time.perf_counter() - begin)
    if isinstance(error, KeyboardInterrupt):
        raise SimulationInterrupted(results) from error
    if error is not None:
        raise error
    return results


def _within(name: str, value: int, least: int, most: int) -> int:
    number = index(value)
    if not least <= number <= most:
        shown = str(number) if number.bit_length() <= 128 else f"a number of {number.bit_length()} bits"
        raise OanquanError(f"{name}: expected {least} to {most}, got {shown}")
    return number
