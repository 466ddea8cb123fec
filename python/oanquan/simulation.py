"""Games by the million: `simulate` and what it returns."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any

from oanquan import _core
from oanquan._core import Position
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oanquan.rules import Rules

_MOST_THREADS = 1024


@dataclass(frozen=True)
class Spread:
    """How a number that each of `count` games has is spread, from exact whole sums.

    With `n` games and their numbers `x`:

    - `mean` = Σx / n
    - `sd` = √((n·Σx² - (Σx)²) / (n·(n - 1))), the standard deviation of a sample (over n - 1, not n)

    The fractions are of whole numbers, rounded once. Where they are undefined (`mean` of no game, `sd` of
    fewer than two) they are NaN; `min` and `max` of no game are `None`.

    >>> spread = Spread(count=3, sum=6, squares=14, min=1, max=3)
    >>> spread.mean, spread.sd
    (2.0, 1.0)
    """

    count: int
    """n, the number of games."""

    sum: int
    """Σx, the sum of the numbers."""

    squares: int
    """Σx², the sum of their squares."""

    min: int | None
    """The least number."""

    max: int | None
    """The greatest number."""

    @property
    def mean(self) -> float:
        """The mean, Σx / n.

        >>> Spread(count=3, sum=6, squares=14, min=1, max=3).mean
        2.0
        """
        return self.sum / self.count if self.count else math.nan

    @property
    def sd(self) -> float:
        """The sample standard deviation, √((n·Σx² - (Σx)²) / (n·(n - 1))).

        >>> Spread(count=3, sum=6, squares=14, min=1, max=3).sd
        1.0
        """
        n = self.count
        return math.sqrt((n * self.squares - self.sum**2) / (n * (n - 1))) if n > 1 else math.nan

    def to_dict(self) -> dict[str, float | None]:
        """Return mean, sd, min and max; what is undefined is `None`.

        >>> Spread(count=1, sum=5, squares=25, min=5, max=5).to_dict()
        {'mean': 5.0, 'sd': None, 'min': 5, 'max': 5}
        """
        mean, sd = (None if math.isnan(value) else value for value in (self.mean, self.sd))
        return {"mean": mean, "sd": sd, "min": self.min, "max": self.max}


@dataclass(frozen=True)
class Results:
    """What simulated games came to. The same seed gives equal results, whatever the number of threads.

    Everything but `seconds`, which equality ignores, is a count of games or of events in them, or a `Spread`.

    >>> results = simulate(100, seed=7, agents=("greedy", "random"))
    >>> results.games, sum(results.wins.values()) + results.draws
    (100, 100)
    >>> results.plies.count, sorted(results.points)
    (100, ['a', 'b'])
    """

    games: int
    """Games finished."""

    wins: dict[str, int]
    """Games won, by side."""

    draws: int
    """Games that nobody won."""

    endings: dict[str, int]
    """Games by the reason of their end: every reason is there, those that did not occur with 0."""

    points: dict[str, Spread]
    """The points of the count, by side."""

    difference: Spread | None
    """The points of side a minus those of side b; `None` unless two sides play."""

    plies: Spread
    """The length of the games in plies (moves of one side)."""

    reseedings: int
    """Rows re-seeded."""

    loans: int
    """Loans taken for re-seeding, one for each lender."""

    pebbles_lent: int
    """Pebbles lent in all of them."""

    seconds: float = field(compare=False)
    """Wall-clock time."""

    @property
    def moves(self) -> int:
        """Moves made: the sum of the plies of the games that were finished.

        >>> results = simulate(100, seed=7)
        >>> results.moves == results.plies.sum
        True
        """
        return self.plies.sum

    @property
    def stopped(self) -> int:
        """Games that a limit ended: `endings["repetition"] + endings["max_plies"]`.

        >>> simulate(100, seed=7, max_plies=1).stopped
        100
        """
        return self.endings["repetition"] + self.endings["max_plies"]

    @property
    def moves_per_second(self) -> float:
        """`moves / seconds`.

        >>> simulate(100, seed=7).moves_per_second > 0
        True
        """
        return self.moves / self.seconds if self.seconds else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dicts, numbers and `None`, ready for JSON.

        >>> import json
        >>> results = simulate(100, seed=7)
        >>> json.loads(json.dumps(results.to_dict()))["games"]
        100
        """
        rate = self.moves_per_second
        return {
            "games": self.games,
            "moves": self.moves,
            "wins": dict(self.wins),
            "draws": self.draws,
            "endings": dict(self.endings),
            "stopped": self.stopped,
            "points": {side: spread.to_dict() for side, spread in self.points.items()},
            "difference": None if self.difference is None else self.difference.to_dict(),
            "plies": self.plies.to_dict(),
            "reseedings": self.reseedings,
            "loans": self.loans,
            "pebbles_lent": self.pebbles_lent,
            "seconds": self.seconds,
            "moves_per_second": None if math.isnan(rate) else rate,
        }


class SimulationInterrupted(KeyboardInterrupt):
    """Ctrl-C during `simulate`: a `KeyboardInterrupt` that has the results of the games finished until then.

    >>> try:
    ...     raise SimulationInterrupted(simulate(10))
    ... except KeyboardInterrupt as interrupt:
    ...     print(interrupt, interrupt.results.games)
    simulation interrupted after 10 games 10
    """

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.results = results

    def __str__(self) -> str:
        return f"simulation interrupted after {self.results.games} games"


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
    summary, error = _core.simulate(
        start,
        games,
        list(agents),
        _within("seed", seed, 0, 2**64 - 1),
        0 if threads is None else _within("threads", threads, 1, _MOST_THREADS),
        None if max_plies is None else _within("max_plies", max_plies, 0, 2**32 - 1),
        None if repetition is None else _within("repetition", repetition, 1, 2**32 - 1),
        progress,
    )
    results = _results(summary, time.perf_counter() - begin)
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


def _spread(sums: tuple[int, int, int, int, int]) -> Spread:
    count, total, squares, least, greatest = sums
    return Spread(count, total, squares, least if count else None, greatest if count else None)


def _results(summary: _core.Summary, seconds: float) -> Results:
    return Results(
        games=summary.games,
        wins=dict(summary.wins),
        draws=summary.draws,
        endings=dict(summary.endings),
        points={side: _spread(sums) for side, sums in summary.points},
        difference=None if summary.difference is None else _spread(summary.difference),
        plies=_spread(summary.plies),
        reseedings=summary.reseedings,
        loans=summary.loans,
        pebbles_lent=summary.pebbles_lent,
        seconds=seconds,
    )
