"""`oanquan solve`."""

from __future__ import annotations

import dataclasses
import json
import time
from typing import Annotated, Any

from cyclopts import Parameter

import oanquan
from oanquan import Solution, SolvingInterrupted, Stage
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
from oanquan.cli.status import DONE, INTERRUPTED, UsageError
from oanquan.cli.watching import watching


def solve(
    position: PositionText = "start",
    /,
    *,
    rules: RulesText = "mancala-world",
    nodes: WholeOrNone = None,
    seconds: Seconds = None,
    table_size: Whole = 256,
    tables: TablesFile = None,
    threads: Whole = 1,
    no_moves: bool = False,
    certificate: Annotated[str | None, Parameter(name=["--certificate", "-o"])] = None,
    as_json: Json = False,
) -> int:
    """Prove bounds of the value of a position until nothing is left to find out; Ctrl-C prints what is proved so far.

    The value is the difference of points for the side to move with best play by both, endless play counted for neither.
    Where the bounds do not meet because the game can go round for ever, that is proved too.

    Parameters
    ----------
    nodes
        Look at so many positions at most. Without this and --seconds it goes on until the value is settled, which may
        be never, or until every line that is left goes round.
    seconds
        Search no longer than that.
    table_size
        The memory for what is remembered, in MiB; more makes hard positions faster.
    threads
        1, or 2 for both bounds at once; more than two only verify the certificate.
    no_moves
        Do not settle each move too, once the position is settled; nothing is printed of them then.
    certificate
        Write the proofs to this file, once they are verified; `oanquan verify` reads it.
    """
    start = read_position(position, rules)
    if threads > 2 and certificate is None:
        raise UsageError(f"--threads: expected 1 or 2 without --certificate, got {threads}: there are two searches")
    interrupted = False
    try:
        with watching(_stage) as progress:
            solution = oanquan.solve(
                start,
                nodes=nodes,
                seconds=seconds,
                table_size=table_size,
                tables=read_tables(tables),
                threads=threads,
                moves=not no_moves,
                progress=progress,
                certificate=certificate,
            )
    except SolvingInterrupted as interrupt:
        solution, interrupted = interrupt.solution, True
    if as_json:
        print(json.dumps({**_report(solution, moves=not no_moves), "interrupted": interrupted}, indent=2))
    else:
        _print(solution, certificate, moves=not no_moves, interrupted=interrupted)
    return INTERRUPTED if interrupted else DONE


def _stage(stage: Stage, begun: float) -> str:
    if stage.decisions:
        return f"value {stage.value}, certificate: {stage.decisions:,} decisions"
    seconds = max(time.perf_counter() - begun, 1e-9)
    return (
        f"value {stage.value}, lines of {max(stage.plies)} plies, {stage.nodes:,} positions, "
        f"{stage.nodes / seconds / 1e6:.1f} M/s"
    )


def _report(solution: Solution, *, moves: bool) -> dict[str, Any]:
    of_moves = {
        "best_moves": [str(move) for move in solution.best_moves],
        "moves": {
            str(move): {"lower": value.lower, "upper": value.upper, "settled": value.settled}
            for move, value in solution.move_values.items()
        },
    }
    return {
        "version": oanquan.__version__,
        "rules": str(solution.position.rules),
        "position": str(solution.position),
        "lower": solution.lower,
        "upper": solution.upper,
        "settled": solution.value.settled,
        **(of_moves if moves else {}),
        "nodes": solution.nodes,
        "seconds": solution.seconds,
        "plies": solution.plies,
        "table_use": solution.table_use,
        "certificate": None if solution.certificate is None else dataclasses.asdict(solution.certificate),
    }


def _print(solution: Solution, path: str | None, *, moves: bool, interrupted: bool) -> None:
    position = solution.position
    print(f"{position.rules}: {position}")
    if interrupted:
        print("interrupted")
    print(f"value for {position.turn}: {solution.value}")
    if moves and solution.best_moves:
        print(f"best moves: {' '.join(map(str, solution.best_moves))}")
    for move, value in solution.move_values.items() if moves else ():
        print(f"  {move}: {value}")
    print(
        f"{solution.nodes:,} positions in {solution.seconds:.1f} seconds, lines of {max(solution.plies)} plies, "
        f"tables {solution.table_use:.0%} full"
    )
    if solution.certificate is not None:
        made = solution.certificate
        print(f"certificate: {path}, {made.decisions:,} decisions, {made.size:,} bytes; verified, {made.moves:,} moves")
    elif path is not None:
        print("certificate: not written")
