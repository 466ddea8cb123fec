"""What simulated games came to: `Results` and `Spread`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oanquan import _core


@dataclass(frozen=True)
class Spread:
    """How a number that each of `count` games has is spread, from exact whole sums.

    With `n` games and their numbers `x`:

    - `mean` = Σx / n
    - `sd` = √((n·Σx² - (Σx)²) / (n·(n - 1))), the standard deviation of a sample (over n - 1, not n)

    The fractions are of whole numbers, rounded once. Where they are undefined (`mean` of no game, `sd` of
    fewer than two) they are NaN; `min` and `max` of no game are `None`.

    >>> spread = Spread(count=3, sum=6, sum_of_squares=14, min=1, max=3)
    >>> spread.mean, spread.sd
    (2.0, 1.0)
    """

    count: int
    """n, the number of games."""

    sum: int
    """Σx, the sum of the numbers."""

    sum_of_squares: int
    """Σx², the sum of their squares."""

    min: int | None
    """The least number."""

    max: int | None
    """The greatest number."""

    @property
    def mean(self) -> float:
        """The mean, Σx / n.

        >>> Spread(count=3, sum=6, sum_of_squares=14, min=1, max=3).mean
        2.0
        """
        return self.sum / self.count if self.count else math.nan

    @property
    def sd(self) -> float:
        """The sample standard deviation, √((n·Σx² - (Σx)²) / (n·(n - 1))).

        >>> Spread(count=3, sum=6, sum_of_squares=14, min=1, max=3).sd
        1.0
        """
        n = self.count
        return math.sqrt((n * self.sum_of_squares - self.sum**2) / (n * (n - 1))) if n > 1 else math.nan

    def to_dict(self) -> dict[str, float | None]:
        """Return mean, sd, min and max; what is undefined is `None`.

        >>> Spread(count=1, sum=5, sum_of_squares=25, min=5, max=5).to_dict()
        {'mean': 5.0, 'sd': None, 'min': 5, 'max': 5}
        """
        mean, sd = (None if math.isnan(value) else value for value in (self.mean, self.sd))
        return {"mean": mean, "sd": sd, "min": self.min, "max": self.max}


@dataclass(frozen=True)
class Results:
    """What simulated games came to. The same seed gives equal results, whatever the number of threads.

    Everything but `seconds`, which equality ignores, is a count of games or of events in them, or a `Spread`.

    >>> from oanquan import simulate

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

        >>> from oanquan import simulate

        >>> results = simulate(100, seed=7)
        >>> results.moves == results.plies.sum
        True
        """
        return self.plies.sum

    @property
    def stopped(self) -> int:
        """Games that a limit ended: `endings["repetition"] + endings["max_plies"]`.

        >>> from oanquan import simulate

        >>> simulate(100, seed=7, max_plies=1).stopped
        100
        """
        return self.endings["repetition"] + self.endings["max_plies"]

    @property
    def moves_per_second(self) -> float:
        """`moves / seconds`.

        >>> from oanquan import simulate

        >>> simulate(100, seed=7).moves_per_second > 0
        True
        """
        return self.moves / self.seconds if self.seconds else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dicts, numbers and `None`, ready for JSON.

        >>> import json
        >>> from oanquan import simulate
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

    >>> from oanquan import simulate
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


def _spread(sums: tuple[int, int, int, int, int]) -> Spread:
    count, total, squares, least, greatest = sums
    return Spread(count, total, squares, least if count else None, greatest if count else None)


def results_of(summary: _core.Summary, seconds: float) -> Results:
    """Return the sums of the engine as `Results`."""
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
