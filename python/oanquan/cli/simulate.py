"""`oanquan simulate`."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.console import Console

import oanquan
from oanquan import SimulationInterrupted
from oanquan.cli.arguments import Json, PositionText, RulesText, Whole, WholeOrOff, read_position, whole
from oanquan.cli.report import print_results, save_plot
from oanquan.cli.status import DONE, INTERRUPTED

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
    plot: str | None = None,
    as_json: Json = False,
) -> int:
    """Play many games and print the statistics; Ctrl-C prints those of the games done so far.

    Parameters
    ----------
    games
        How many games.
    agents
        Who plays, joined by commas: side a the first, side b the second, and round again.
        random: uniform among the legal moves. greedy: most points at once. cautious: most points at
        once minus the most that the next side can take in reply.
    seed
        The same seed gives the same numbers, whatever the number of threads.
    threads
        All cores if left out.
    max_plies
        Count a game after so many plies; `off` for no limit.
    repetition
        Count a game when a position stands for the n-th time; `off` for no limit.
    plot
        Also write a picture of the statistics to this file: .svg, .png or .pdf.
    """
    if plot is not None:
        oanquan.plots.check(plot)
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
        print_results(results, described, interrupted=interrupted)
    if plot is not None:
        save_plot(results, described, plot)
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
