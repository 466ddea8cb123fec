"""`oanquan match`."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise
from typing import Annotated, Any

from cyclopts import Parameter

import oanquan
from oanquan import MatchInterrupted, MatchResult, Sprt
from oanquan.cli.arguments import Json, PositionText, RulesText, Whole, WholeOrNone, WholeOrOff, read_position
from oanquan.cli.progress import progress_bar
from oanquan.cli.status import DONE, INTERRUPTED, UsageError
from oanquan.cli.tables import console, table

_NUMBER = r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,6})?"


def match(
    *agents: str,
    rules: RulesText = "mancala-world",
    position: PositionText = "start",
    pairs: Annotated[Whole, Parameter(name=["--pairs", "-n"])] = 500,
    opening_plies: Whole = 4,
    sprt: str | None = None,
    seed: Whole = 0,
    threads: WholeOrNone = None,
    max_plies: WholeOrOff = 1000,
    repetition: WholeOrOff = 3,
    as_json: Json = False,
) -> int:
    """Play agents against each other, in pairs of games that begin alike with swapped seats.

    Of more than two agents, each plays the next one: a ladder. Ctrl-C prints what was played until then.

    Parameters
    ----------
    agents
        Two or more: random, greedy, cautious, search:depth=N, search:nodes=N, mcts:simulations=N, table:FILE.
    pairs
        How many pairs of games, at most.
    opening_plies
        With how many random moves each pair begins.
    sprt
        Two numbers joined by a comma: stop a match once it is settled whether the first agent is stronger by the
        second number of Elo rather than by the first, each with an error of 5 %.
    seed
        Of openings and agents; the same seed gives the same games, whatever the number of threads.
    threads
        All cores if left out.
    max_plies
        Count a game after so many plies; `off` for no limit.
    repetition
        Count a game when a position stands for the n-th time; `off` for no limit.
    """
    if len(agents) < 2:
        raise UsageError(f"agents: expected two or more, got {len(agents)}")
    test = None if sprt is None else _test(sprt)
    start = read_position(position, rules)
    settings: dict[str, Any] = {
        "pairs": pairs,
        "opening_plies": opening_plies,
        "sprt": test,
        "seed": seed,
        "threads": threads,
        "max_plies": max_plies,
        "repetition": repetition,
    }
    results: list[MatchResult] = []
    interrupted = False
    try:
        for both in pairwise(agents):
            with progress_bar() as progress:
                results.append(oanquan.play_match(both, position=start, progress=progress, **settings))
    except MatchInterrupted as interrupt:
        results.append(interrupt.result)
        interrupted = True
    if as_json:
        described = {"rules": str(start.rules), "position": str(start), "opening_plies": opening_plies, "seed": seed}
        matches = [result.to_dict() for result in results]
        report = {"version": oanquan.__version__, **described, "interrupted": interrupted, "matches": matches}
        print(json.dumps(report, indent=2))
    else:
        _print(results, interrupted=interrupted)
    return INTERRUPTED if interrupted else DONE


def _test(text: str) -> Sprt:
    if not re.fullmatch(f"{_NUMBER},{_NUMBER}", text, flags=re.ASCII):
        raise UsageError(f'--sprt: expected two numbers joined by a comma, got "{text}"')
    elo0, elo1 = text.split(",")
    return Sprt(float(elo0), float(elo1))


def _print(results: list[MatchResult], *, interrupted: bool) -> None:
    tested = any(result.sprt is not None for result in results)
    titles = ["agent", "against", "pairs", "+/=/-", "Elo", "95 %", *(["verdict"] if tested else [])]
    rows = table(*titles, numbers=True)
    for column in rows.columns[2:]:
        column.no_wrap = True  # the names give way
    for result in results:
        low, high = (_elo(elo) for elo in result.elo_interval)
        verdict = [result.verdict or "open"] if tested else []
        games = f"{result.wins}/{result.draws}/{result.losses}"
        rows.add_row(*result.agents, f"{result.pairs}", games, _elo(result.elo), f"{low} to {high}", *verdict)
    console().print(rows)
    if interrupted:
        print("interrupted")


def _elo(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else "-∞" if elo < 0 else "∞"
