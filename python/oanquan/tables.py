"""Results as tables of plain characters, for people to read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from oanquan.spread import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oanquan.results import Results
    from oanquan.spread import Spread

_ENDINGS = {
    "mandarins": "ended by mandarins",
    "short": "ended by a shortfall (short)",
    "loses": "lost by a shortfall (loses)",
    "repetition": "stopped by repetition",
    "max_plies": "stopped by max_plies",
}


def results_text(results: Results, level: float) -> str:
    """Return the outcomes, the numbers and the openings of games, with confidence intervals of that level."""
    parts = [_outcomes(results, level), _numbers(results, level)]
    if results.openings:
        parts.append(_openings(results, level))
    lent = f"{results.loans:,} loans of {results.pebbles_lent:,} pebbles"
    return "\n".join([*parts, f"{results.reseedings:,} re-seedings, {lent}"])


def _table(titles: Sequence[str], *sections: Iterable[Sequence[str]]) -> str:
    """A table with a line between its sections; all columns but the first are right-aligned."""
    parts = [[titles], *map(list, sections)]
    rows = [row for part in parts for row in part]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = "+" + "".join("-" * (width + 2) + "+" for width in widths)

    def line(row: Sequence[str]) -> str:
        first, *others = row
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        return "| " + " | ".join(cells) + " |"

    return "\n".join([rule, *(text for part in parts for text in [*map(line, part), rule])])


def _outcomes(results: Results, level: float) -> str:
    """How many games each side won, and how they ended."""
    won = [(f"won by side {side}", rate) for side, rate in results.win_rates.items()]

    def row(label: str, rate: Rate) -> list[str]:
        return [label, f"{rate.count:,}", _percent(rate), _percents(rate, level)]

    ended = [(_ENDINGS.get(name, name), Rate(n, results.games)) for name, n in results.endings.items()]
    return _table(
        ["", "games", "share", _interval_title(level)],
        [row(label, rate) for label, rate in [*won, ("drawn", results.draw_rate)]],
        [row(label, rate) for label, rate in ended],
    )


def _numbers(results: Results, level: float) -> str:
    """The numbers that each game has: points, their difference, length."""
    spreads = [(f"points of side {side}", spread) for side, spread in results.points.items()]
    if results.difference is not None:
        spreads.append(("difference, a minus b", results.difference))
    spreads.append(("length in plies", results.plies))

    def row(label: str, spread: Spread) -> list[str]:
        least, most = ("-" if value is None else f"{value:,}" for value in (spread.min, spread.max))
        return [label, _number(spread.mean), _half(spread, level), _number(spread.sd), least, most]

    titles = ["in each game", "mean", _interval_title(level), "spread (sd)", "least", "most"]
    return _table(titles, [row(label, spread) for label, spread in spreads])


def _openings(results: Results, level: float) -> str:
    """How many games began with each first move, and how they came out for the side that made it."""
    rows = [
        [
            str(opening.move),
            f"{opening.games:,}",
            _percent(opening.win_rate),
            _percents(opening.win_rate, level),
            _percent(opening.draw_rate),
            _number(opening.margin.mean),
        ]
        for opening in results.openings
    ]
    return _table(["first move", "games", "won", _interval_title(level), "drawn", "margin"], rows)


def _interval_title(level: float) -> str:
    return f"{100 * level:.6g} % interval"


def _percent(rate: Rate) -> str:
    return "-" if math.isnan(rate.value) else f"{100 * rate.value:.2f} %"


def _percents(rate: Rate, level: float) -> str:
    low, high = rate.interval(level)
    return f"{100 * low:.2f} to {100 * high:.2f} %"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:,.3f}"


def _half(spread: Spread, level: float) -> str:
    low, high = spread.interval(level)
    return "-" if math.isnan(low) else f"± {(high - low) / 2:,.3f}"
