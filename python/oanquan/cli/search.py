"""`oanquan search`."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

import oanquan
from oanquan import SearchInterrupted
from oanquan.analysis import in_words
from oanquan.cli.arguments import (
    Json,
    PositionText,
    RulesText,
    Seconds,
    TablesFile,
    Whole,
    WholeOrNone,
    read_position,
    read_tables,
)
from oanquan.cli.status import DONE, INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oanquan import Analysis


def search(
    position: PositionText = "start",
    /,
    *,
    rules: RulesText = "mancala-world",
    depth: Annotated[WholeOrNone, Parameter(name=["--depth", "-d"])] = None,
    nodes: WholeOrNone = None,
    seconds: Seconds = None,
    lines: Whole = 3,
    threads: Whole = 1,
    table_size: Whole = 64,
    tables: TablesFile = None,
    as_json: Json = False,
) -> int:
    """Search for the best moves and print them with their scores; Ctrl-C prints what was found so far.

    A score is by how many points the side to move is ahead at the end, best play by both. With three and four
    sides it is ahead of the best of the others.

    Parameters
    ----------
    depth
        Stop after this depth, 1 to 100 plies.
    nodes
        Stop after so many positions; 2000000 if there is no limit at all.
    seconds
        Stop after so long.
    lines
        How many of the best moves, 1 to 14.
    threads
        How many threads search.
    table_size
        The most memory to keep what was found out in, in MiB.
    """
    start = read_position(position, rules)
    interrupted = False
    limits: dict[str, Any] = {"depth": depth, "nodes": nodes, "seconds": seconds}
    options: dict[str, Any] = {"lines": lines, "threads": threads, "table_size": table_size}
    options["tables"] = read_tables(tables)
    try:
        analysis = oanquan.search(start, **limits, **options, progress=None if as_json else _report)
    except SearchInterrupted as interrupt:
        analysis, interrupted = interrupt.analysis, True
    if as_json:
        print(json.dumps({"version": oanquan.__version__, "interrupted": interrupted, **analysis.to_dict()}, indent=2))
    else:
        _print(analysis)
    return INTERRUPTED if interrupted else DONE


def _report(found: Analysis) -> None:
    """Print what was found at a depth, under a heading."""
    if found.depth == 1:
        print(f"{'depth':>5}  {'score':>7}  {'nodes':>13}  {'nodes/s':>11}  table  line")
    rate = found.nodes_per_second
    shown = "-" if math.isnan(rate) else f"{rate:,.0f}"
    room = f"{found.depth:>5}  {found.score:>+7.2f}  {found.nodes:>13,}  {shown:>11}  {found.table_used:>5.0%}  "
    print(room + _fitting(found.line, 80 - len(room)), flush=True)


def _fitting(moves: Sequence[oanquan.Move], width: int) -> str:
    """As many of the moves as there is room for."""
    texts = [str(move) for move in moves]
    while len(" ".join(texts)) > width:
        texts.pop()
    return " ".join(texts)


def _print(analysis: Analysis) -> None:
    print()
    print(f"best move {analysis.best} after {analysis.nodes:,} positions, {analysis.method}, depth {analysis.depth}")
    if analysis.settled:
        print(f"proven: the side to move ends up {analysis.lower:+} points")
    elif analysis.lower is not None or analysis.upper is not None:
        low, high = ("?" if bound is None else f"{bound:+}" for bound in (analysis.lower, analysis.upper))
        print(f"proven: the side to move ends up between {low} and {high} points")
    for line in analysis.lines:
        print(f"{line.score:>+8.2f}{' proven' if line.settled else ''}  {_fitting(line.moves, 62)}")
    print("the best line in words:")
    for sentence in in_words(analysis.position, analysis.line).split("; "):
        print(f"  {sentence}")
