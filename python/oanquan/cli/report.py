"""Results of simulated games, printed for people."""

from __future__ import annotations

import math
from typing import Any

from oanquan import Results, Spread
from oanquan.cli.tables import console, table


def print_results(results: Results, described: dict[str, Any], *, interrupted: bool) -> None:
    """Print the statistics of games for people; `described` says what was asked for."""
    to = console()
    agents = ",".join(described["agents"])
    to.print(f"{results.games:,} games of {described['rules']}, agents {agents}, seed {described['seed']}")
    if interrupted:
        to.print(f"interrupted: {described['games_asked_for']:,} games were asked for")
    to.print(_outcomes(results), _numbers(results), sep="\n")
    to.print(f"{results.reseedings:,} re-seedings, {results.loans:,} loans of {results.pebbles_lent:,} pebbles")
    to.print(f"{results.stopped:,} games stopped by a limit")
    rate = _number(results.moves_per_second, ",.0f")
    to.print(f"{results.moves:,} moves in {results.seconds:.2f} seconds: {rate} moves a second")


def _outcomes(results: Results) -> Any:
    """How many games each side won, and how they ended."""
    outcomes = table("", "games", "share", numbers=True)

    def row(label: str, count: int) -> None:
        share = 100 * count / results.games if results.games else math.nan
        outcomes.add_row(label, f"{count:,}", _number(share, ".2f", " %"))

    for side, wins in results.wins.items():
        row(f"won by side {side}", wins)
    row("drawn", results.draws)
    outcomes.add_section()
    for ending, count in results.endings.items():
        row(_ENDINGS.get(ending, ending), count)
    return outcomes


_ENDINGS = {
    "mandarins": "ended by mandarins",
    "short": "ended by a shortfall (short)",
    "loses": "lost by a shortfall (loses)",
    "repetition": "stopped by repetition",
    "max_plies": "stopped by max_plies",
}


def _numbers(results: Results) -> Any:
    """The numbers that each game has: points, their difference, length."""
    numbers = table("in each game", "mean", "spread (sd)", "least", "most", numbers=True)

    def row(label: str, spread: Spread) -> None:
        least, most = ("-" if value is None else f"{value:,}" for value in (spread.min, spread.max))
        numbers.add_row(label, _number(spread.mean, ",.3f"), _number(spread.sd, ",.3f"), least, most)

    for side, spread in results.points.items():
        row(f"points of side {side}", spread)
    if results.difference is not None:
        row("difference, a minus b", results.difference)
    row("length in plies", results.plies)
    return numbers


def _number(value: float, form: str, unit: str = "") -> str:
    return "-" if math.isnan(value) else f"{value:{form}}{unit}"
