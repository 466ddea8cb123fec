"""`oanquan analyse`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

import oanquan
from oanquan import RecordError
from oanquan.cli.arguments import Json, Seconds, TablesFile, Whole, WholeOrNone, read_tables
from oanquan.cli.progress import progress_bar
from oanquan.cli.records import each, tell
from oanquan.cli.status import DONE, FAULTY, UsageError
from oanquan.records import RecordReader

if TYPE_CHECKING:
    from oanquan import Game, Judgement


def analyse(
    record: Annotated[
        str,
        Parameter(
            help="A file of game records, compressed by gzip or not, or - for standard input.",
            allow_leading_hyphen=True,
        ),
    ],
    /,
    *,
    depth: Annotated[WholeOrNone, Parameter(name=["--depth", "-d"])] = None,
    nodes: WholeOrNone = None,
    seconds: Seconds = None,
    threads: Whole = 1,
    table_size: Whole = 64,
    tables: TablesFile = None,
    as_json: Json = False,
) -> int:
    """Judge every move of recorded games: what it is worth, what it lost, and the best line instead.

    What is no record is told on standard error and passed over; the exit code is 1 then.

    Parameters
    ----------
    depth
        Search every position so deep, 1 to 100 plies.
    nodes
        Stop after so many positions a move; 2000000 if there is no limit at all.
    seconds
        Stop after so long a move.
    threads
        How many threads search.
    table_size
        The most memory to keep what was found out in, in MiB.
    """
    if record.startswith("-") and record != "-":
        raise UsageError(f'Unknown option: "{record}"')
    limits: dict[str, Any] = {"depth": depth, "nodes": nodes, "seconds": seconds}
    options: dict[str, Any] = {"threads": threads, "table_size": table_size, "tables": read_tables(tables)}
    reports, is_faulty = [], False
    for number, game in enumerate(each(record, RecordReader), start=1):
        if isinstance(game, RecordError):
            tell(game)
            is_faulty = True
            continue
        with progress_bar() as progress:
            judgements = oanquan.analyse(game, **limits, **options, progress=progress)
        if as_json:
            reports.append([_as_json(judgement) for judgement in judgements])
        else:
            _print(number, game, judgements)
    if as_json:
        print(json.dumps({"version": oanquan.__version__, "games": reports}, indent=2))
    return FAULTY if is_faulty else DONE


def _as_json(judgement: Judgement) -> dict[str, Any]:
    return {
        "ply": judgement.ply,
        "move": str(judgement.move),
        "score": judgement.line.score,
        "loss": judgement.loss,
        "settled": judgement.settled,
        "best": judgement.analysis.to_dict(),
    }


def _print(number: int, game: Game, judgements: tuple[Judgement, ...]) -> None:
    print(f"game {number}: {game.position.rules}, {len(judgements)} moves")
    for judgement in judgements:
        score, loss = judgement.line.score, judgement.loss
        proven = " proven" if judgement.settled else ""
        print(f"{judgement.ply + 1:>4}  {judgement.move}  {score:>+7.2f}  loses {loss:.2f}{proven}")
        if loss > 0:
            print(f"      better {' '.join(map(str, judgement.analysis.line[:16]))}")
            for sentence in judgement.in_words().split("; ")[:3]:
                print(f"        {sentence}")
    lost = dict.fromkeys("abcd"[: game.position.rules.sides], 0.0)
    for judgement in judgements:
        lost[judgement.move.side] += judgement.loss
    print("lost in all: " + ", ".join(f"side {side} {points:.2f}" for side, points in lost.items()))
