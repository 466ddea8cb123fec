"""`oanquan simulate`."""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.console import Console

import oanquan
from oanquan import Results, SimulationInterrupted, Spread
from oanquan.cli.arguments import Json, PositionText, RulesText, Whole, WholeOrOff, read_position, whole
from oanquan.cli.status import DONE, INTERRUPTED
from oanquan.cli.tables import console, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def simulate(
    *,
    games: Annotated[Whole, Parameter(name=["--games", "-n"])] = 100_000,
    rules: RulesText = "mancala-world",
    position: PositionText = "start",
    agents: str = "random",
    seed: Whole = 0,
    threads: Annotated[int | None, Parameter(converter=whole)] = None,
    max_plies: WholeOrOff = 1000,
    repetition: WholeOrOff = 3,
    as_json: Json = False,
) -> int:
    """Play many games and print the statistics; Ctrl-C prints those of the games done so far.

    Parameters
    ----------
    games
        How many games.
    agents
        Who plays, joined by commas: side a the first, side b the second, and round again.
        random: uniform among the legal moves. greedy: most points at once.
    seed
        The same seed gives the same numbers, whatever the number of threads.
    threads
        All cores if left out.
    max_plies
        Count a game after so many plies; `off` for no limit.
    repetition
        Count a game when a position stands for the n-th time; `off` for no limit.
    """
    start = read_position(position, rules)
    settings: dict[str, Any] = {
        "agents": agents.split(","),
        "seed": seed,
        "max_plies": max_plies,
        "repetition": repetition,
    }
    interrupted = False
    try:
        with _progress() as progress:
            results = oanquan.simulate(games, position=start, threads=threads, progress=progress, **settings)
    except SimulationInterrupted as interrupt:
        results, interrupted = interrupt.results, True
    described = {"rules": str(start.rules), "position": str(start), "games_asked_for": games, **settings}
    if as_json:
        report = {
            "version": oanquan.__version__,
            **described,
            "interrupted": interrupted,
            **results.to_dict(),
        }
        print(json.dumps(report, indent=2))
    else:
        _print(results, described, interrupted=interrupted)
    return INTERRUPTED if interrupted else DONE


@contextmanager
def _progress() -> Iterator[Callable[[int, int], object] | None]:
    """A progress bar on standard error, if that is a terminal."""
    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415

    columns = (BarColumn(bar_width=None), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal, transient=True, expand=True) as bar:
        task = bar.add_task("games")
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _print(results: Results, described: dict[str, Any], *, interrupted: bool) -> None:
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
