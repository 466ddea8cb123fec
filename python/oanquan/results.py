"""What simulated games came to: `Results`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from oanquan.columns import Columns, Tabular
from oanquan.errors import OanquanError
from oanquan.spread import Rate, Spread
from oanquan.tables import results_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oanquan import _core
    from oanquan._core import Move


@dataclass(frozen=True)
class Opening:
    """What the games that began with one move came to.

    >>> from oanquan import simulate
    >>> opening = simulate(1000, seed=7).openings[0]
    >>> opening.move, opening.games, opening.win_rate.count == opening.wins["a"]
    (Move('a1+'), 93, True)
    """

    move: Move
    """The first move; `move.side` is the side that moved first."""

    wins: dict[str, int]
    """Games won, by side."""

    draws: int
    """Games that nobody won."""

    margin: Spread
    """The points of the side that moved first minus the most that another side had: of two sides, the difference.

    Its `histogram` is not kept."""

    @property
    def games(self) -> int:
        """Games that began with the move.

        >>> from oanquan import simulate
        >>> sum(opening.games for opening in simulate(1000, seed=7).openings)
        1000
        """
        return self.margin.count

    @property
    def win_rate(self) -> Rate:
        """How often the side that moved first won.

        >>> from oanquan import simulate
        >>> round(simulate(1000, seed=7).openings[0].win_rate.value, 3)
        0.538
        """
        return Rate(self.wins[self.move.side], self.games)

    @property
    def draw_rate(self) -> Rate:
        """How often nobody won.

        >>> from oanquan import simulate
        >>> simulate(1000, seed=7).openings[0].draw_rate
        Rate(count=2, games=93)
        """
        return Rate(self.draws, self.games)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dicts, lists, numbers, texts and `None`, ready for JSON.

        >>> from oanquan import simulate
        >>> simulate(1000, seed=7).openings[0].to_dict()["wins"]
        {'a': 50, 'b': 41}
        """
        return {
            "move": str(self.move),
            "games": self.games,
            "wins": dict(self.wins),
            "draws": self.draws,
            "win_rate": self.win_rate.to_dict(),
            "draw_rate": self.draw_rate.to_dict(),
            "margin": self.margin.to_dict(),
        }


@dataclass(frozen=True)
class Results(Tabular):
    """What simulated games came to. The same seed gives equal results, whatever the number of threads.

    Everything but `seconds` and `columns`, which equality ignores, is a count of games or of events in them, or a
    `Spread`. Where columns are kept, `to_numpy`, `to_arrow`, `to_polars`, `to_pandas` and `to_duckdb` lead on
    from them.

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

    openings: tuple[Opening, ...] = field(repr=False)
    """The games by their first move, in the order of the action numbers; those without a move are in none."""

    seconds: float = field(compare=False)
    """Wall-clock time."""

    _columns: Columns | None = field(default=None, compare=False, repr=False)

    @property
    def columns(self) -> Columns:
        """The games one by one, as columns. Raises `OanquanError` if they are not kept.

        >>> from oanquan import simulate

        >>> len(simulate(100, seed=7).columns)
        100
        >>> simulate(100, seed=7, columns=False).columns
        Traceback (most recent call last):
        oanquan.errors.OanquanError: columns are not kept: simulate with columns=True
        """
        if self._columns is None:
            raise OanquanError("columns are not kept: simulate with columns=True")
        return self._columns

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
    def win_rates(self) -> dict[str, Rate]:
        """How often each side won.

        >>> from oanquan import simulate
        >>> rate = simulate(1000, seed=7).win_rates["a"]
        >>> rate.value, [round(end, 3) for end in rate.interval()]
        (0.579, [0.548, 0.609])
        """
        return {side: Rate(wins, self.games) for side, wins in self.wins.items()}

    @property
    def draw_rate(self) -> Rate:
        """How often nobody won.

        >>> from oanquan import simulate
        >>> simulate(1000, seed=7).draw_rate.count == simulate(1000, seed=7).draws
        True
        """
        return Rate(self.draws, self.games)

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
        """Return everything as dicts, lists, numbers, texts and `None`, ready for JSON; intervals are those of 95 %.

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
            "win_rates": {side: rate.to_dict() for side, rate in self.win_rates.items()},
            "draw_rate": self.draw_rate.to_dict(),
            "endings": dict(self.endings),
            "stopped": self.stopped,
            "points": {side: spread.to_dict() for side, spread in self.points.items()},
            "difference": None if self.difference is None else self.difference.to_dict(),
            "plies": self.plies.to_dict(),
            "reseedings": self.reseedings,
            "loans": self.loans,
            "pebbles_lent": self.pebbles_lent,
            "openings": [opening.to_dict() for opening in self.openings],
            "histograms": {
                "points": {side: _histogram(spread) for side, spread in self.points.items()},
                "difference": None if self.difference is None else _histogram(self.difference),
                "plies": _histogram(self.plies),
            },
            "seconds": self.seconds,
            "moves_per_second": None if math.isnan(rate) else rate,
        }

    def table(self, level: float = 0.95) -> str:
        """Return tables for people to read: outcomes, numbers and openings, with intervals of that level.

        Won and margin of an opening are those of the side that made the first move.

        `str(results)` is the same with 95 % intervals. Raises `OanquanError` unless `level` lies between 0 and 1.

        >>> from oanquan import simulate
        >>> print(simulate(1000, seed=7).table(0.99).splitlines()[3])
        | won by side a                |   579 | 57.90 % | 53.84 to 61.86 % |
        """
        return results_text(self, level)

    def __str__(self) -> str:
        return self.table()


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


def _histogram(spread: Spread) -> dict[str, int]:
    """The counts by their numbers, which are texts in JSON."""
    return {str(value): games for value, games in spread.histogram}


def _spread(sums: tuple[int, int, int, int, int], histogram: Sequence[tuple[int, int]] = ()) -> Spread:
    count, total, squares, least, greatest = sums
    least_known, greatest_known = (least, greatest) if count else (None, None)
    return Spread(count, total, squares, least_known, greatest_known, tuple(histogram))


def results_of(summary: _core.Summary, seconds: float, columns: _core.Columns | None = None) -> Results:
    """Return the sums of the engine, and the columns if they are kept, as `Results`."""
    points = zip(summary.points, summary.points_histogram, strict=True)
    difference = summary.difference
    return Results(
        games=summary.games,
        wins=dict(summary.wins),
        draws=summary.draws,
        endings=dict(summary.endings),
        points={side: _spread(sums, histogram) for (side, sums), (_, histogram) in points},
        difference=None if difference is None else _spread(difference, summary.difference_histogram),
        plies=_spread(summary.plies, summary.plies_histogram),
        reseedings=summary.reseedings,
        loans=summary.loans,
        pebbles_lent=summary.pebbles_lent,
        openings=tuple(
            Opening(move, dict(wins), draws, _spread(margin)) for move, wins, draws, margin in summary.openings
        ),
        seconds=seconds,
        _columns=None if columns is None else Columns(columns),
    )
