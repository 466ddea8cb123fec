"""`oanquan simulate`."""

from __future__ import annotations

import json
from typing import Annotated, Any

from cyclopts import Parameter

import oanquan
from oanquan import Position, SimulationInterrupted
from oanquan.cli.arguments import Json, PositionText, RulesText, Whole, WholeOrNone, WholeOrOff, read_position
from oanquan.cli.big_runs import play_into, verify_run
from oanquan.cli.progress import progress_bar
from oanquan.cli.report import print_results, save_plot
from oanquan.cli.status import DONE, INTERRUPTED, UsageError

_GAMES = 100_000
_RULES = "mancala-world"
_MAX_PLIES = 1000
_REPETITION = 3


def simulate(
    *,
    games: Annotated[Whole, Parameter(name=["--games", "-n"])] = _GAMES,
    rules: RulesText = _RULES,
    position: PositionText = "start",
    agents: str = "random",
    seed: Whole = 0,
    threads: WholeOrNone = None,
    max_plies: WholeOrOff = _MAX_PLIES,
    repetition: WholeOrOff = _REPETITION,
    plot: str | None = None,
    out: Annotated[str | None, Parameter(name=["--out", "-o"])] = None,
    resume: bool = False,
    shard_games: WholeOrNone = None,
    moves: bool = False,
    positions: bool = False,
    executor: str | None = None,
    workers: WholeOrNone = None,
    verify: str | None = None,
    as_json: Json = False,
) -> int:
    """Play many games and print the statistics; Ctrl-C prints those of the games done so far.

    With --out the games are written to Parquet files in a directory instead, for runs of any size: kill it at any
    moment and go on with --resume.

    Parameters
    ----------
    games
        How many games.
    agents
        Who plays, joined by commas: side a the first, side b the second, and round again.
        random: uniform among the legal moves. greedy: most points at once. cautious: most points at
        once minus the most that the next side can take in reply. search:depth=6, search:nodes=10000: by
        search. mcts:simulations=1000: by Monte Carlo tree search. table:FILE: by a search of 10000 positions that
        asks that endgame table.
    seed
        The same seed gives the same numbers, whatever the number of threads.
    threads
        All cores if left out.
    max_plies
        Count a game after so many plies; `off` for no limit.
    repetition
        Count a game when a position stands for the n-th time; `off` for no limit.
    plot
        Also write a picture of the statistics to this file: .svg, .png or .pdf. Not with --out.
    out
        Write the games to files in this directory.
    resume
        With --out: go on with the run of the directory, playing what is missing or damaged.
    shard_games
        With --out: how many games a file has; 1000000 if left out.
    moves
        With --out: keep the moves of every game.
    positions
        With --out: keep the positions of every game.
    executor
        With --out: where to play: threads (if left out), processes, ray or dask.
    workers
        With --out: how many files are written at once; one for each core, here or of the cluster, if left out.
    verify
        Check every file of the run in this directory, and play a sample of its games again.
    """
    only_with_out = {
        "resume": resume or None,
        "shard_games": shard_games,
        "moves": moves or None,
        "positions": positions or None,
        "executor": executor,
        "workers": workers,
    }
    chosen = {name: value for name, value in only_with_out.items() if value is not None}
    if out is None:
        _refuse(chosen, "needs --out")
    else:
        _refuse({"verify": verify, "threads": threads, "plot": plot}, "is not for --out")
    if verify is not None:
        others = {
            "games": None if games == _GAMES else games,
            "rules": None if rules == _RULES else rules,
            "position": None if position == "start" else position,
            "agents": None if agents == "random" else agents,
            "seed": seed or None,
            "threads": threads,
            "max_plies": None if max_plies == _MAX_PLIES else max_plies or "off",
            "repetition": None if repetition == _REPETITION else repetition or "off",
            "plot": plot,
        }
        _refuse(others, "is not for --verify")
        return verify_run(verify, as_json=as_json)
    start = read_position(position, rules)
    settings = {"agents": agents.split(","), "seed": seed, "max_plies": max_plies, "repetition": repetition}
    if out is not None:
        return play_into(out, games, position=start, as_json=as_json, **settings, **chosen)
    return _simulate(games, start, threads, settings, as_json=as_json, plot=plot)


def _refuse(options: dict[str, Any], reason: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise UsageError(f"--{name.replace('_', '-')}: {reason}")


def _simulate(
    games: int, start: Position, threads: int | None, settings: dict[str, Any], *, as_json: bool, plot: str | None
) -> int:
    """Play games, keep their sums only, print those, and draw them if that is wanted."""
    if plot is not None:
        oanquan.plots.check(plot)
    interrupted = False
    try:
        with progress_bar() as progress:
            results = oanquan.simulate(
                games, position=start, threads=threads, columns=False, progress=progress, **settings
            )
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
