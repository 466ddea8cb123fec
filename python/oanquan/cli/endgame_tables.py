"""`oanquan tables`: build, verify and probe endgame tables."""

from __future__ import annotations

import json
import sys
import time
from typing import Annotated

from cyclopts import App, Parameter

from oanquan import Position, Rules, Tables, Value
from oanquan.cli.arguments import Json, PositionText, RulesText, Whole, cannot_read, open_tables, within
from oanquan.cli.progress import progress_bar
from oanquan.cli.status import DONE, FAULTY, NOT_WRITTEN

_MOST_PEBBLES = 40
_MOST_THREADS = 1024

tables = App(name="tables", help="Build, verify and probe endgame tables.")

TableFile = Annotated[str, Parameter(help="The file of a table.")]
ProbedRules = Annotated[str | None, Parameter(help="Those of the position; those of the table if left out.")]
Threads = Annotated[Whole | None, Parameter(help="All cores if left out.")]


@tables.command
def build(
    *,
    rules: RulesText = "mancala-world",
    pebbles: Whole,
    out: Annotated[str, Parameter(name=["--out", "-o"])],
    threads: Threads = None,
) -> int:
    """Build the table of all positions with at most so many pebbles on the board.

    A build that was stopped goes on from the checkpoint beside the file when the same command is given again.

    Parameters
    ----------
    pebbles
        The most pebbles on a board, 0 to 40. On the standard board 12 take 16 MB, 16 take 183 MB, 20 take 1.4 GB; four
        times as much where a shortfall loses.
    out
        The file to write; nothing that is there is replaced.
    """
    parsed, pebbles = Rules.parse(rules), within("pebbles", pebbles, 0, _MOST_PEBBLES)
    begun = time.perf_counter()
    try:
        with progress_bar() as progress:
            built = Tables.build(out, parsed, pebbles=pebbles, threads=_threads(threads), progress=progress)
    except OSError as error:
        return _not_written(f"write {error.filename or out}", error)
    except MemoryError as error:
        return _not_written(f"build {out}", error)
    print(f"{built.positions:,} positions in {out} ({time.perf_counter() - begun:.1f} seconds)")
    return DONE


@tables.command
def verify(file: TableFile, /, *, threads: Threads = None) -> int:
    """Hold a table against its checksums, and its bounds against the rules.

    Each bound must be proved by others in finitely many steps that end with the end of a game, and none may be
    looser than those of the next positions make it.
    """
    try:
        with progress_bar() as progress:
            faults = Tables.verify(file, threads=_threads(threads), progress=progress)
    except OSError as error:
        raise cannot_read(file, error) from None
    except MemoryError as error:
        return _not_written(f"verify {file}", error)
    for fault in faults:
        print(f"{file}: {fault}")
    if faults:
        return FAULTY
    print(f"{file}: no faults")
    return DONE


@tables.command
def probe(
    file: TableFile,
    position: PositionText,
    /,
    *,
    rules: ProbedRules = None,
    as_json: Json = False,
) -> int:
    """Print what a table proves of a position and of each move.

    Told is the further difference, by how much the points of the side to move, minus those of the other, still
    change until the game is counted; and the final margin, which is that difference in the end.
    """
    opened = open_tables(file)
    by = opened.rules if rules is None else Rules.parse(rules)
    start = Position.start(by) if position == "start" else Position.parse(position, by)
    value, moves = opened.probe(start), opened.moves(start)
    points = dict(zip("ab", start.points, strict=True))
    mine = points.pop(start.turn)
    margin = mine - sum(points.values())
    if as_json:
        further = {"position": _bounds(value), "moves": {str(move): _bounds(value) for move, value in moves.items()}}
        final = {
            "position": _bounds(value + margin),
            "moves": {str(move): _bounds(value + margin) for move, value in moves.items()},
        }
        print(json.dumps({**further, "margin": margin, "final": final}))
        return DONE
    print(f"margin of side {start.turn}: {margin}")
    print(f"position: {_both(value, margin)}")
    for move, after in moves.items():
        print(f"{move}: {_both(after, margin)}")
    return DONE


def _both(further: Value, margin: int) -> str:
    """The further difference, and what the margin comes to by it."""
    return str(further) if further == Value(None, None) else f"{further}, final margin {further + margin}"


def _bounds(value: Value) -> dict[str, int | None]:
    return {"lower": value.lower, "upper": value.upper}


def _threads(threads: int | None) -> int | None:
    return None if threads is None else within("threads", threads, 1, _MOST_THREADS)


def _not_written(what: str, error: OSError | MemoryError) -> int:
    reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
    print(f"oanquan: cannot {what}: {reason}", file=sys.stderr)
    return NOT_WRITTEN
