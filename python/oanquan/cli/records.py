"""`oanquan records`: look through files of game records."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from oanquan import RecordError
from oanquan.cli.arguments import Json, cannot_read
from oanquan.cli.status import DONE, FAULTY, UsageError
from oanquan.records import HeadersReader, RecordReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

records = App(name="records", help="Look through files of game records.")

Files = Annotated[str, Parameter(help="Files of game records, compressed by gzip or not, or - for standard input.")]


def each(
    name: str, reader: Callable[[Any, Callable[[RecordError], object]], RecordReader | HeadersReader], faults: list[Any]
) -> Iterator[Any]:
    """What a reader finds in a file, or for `-` in standard input; what is no record is put to the faults."""
    try:
        with reader(sys.stdin.buffer if name == "-" else name, faults.append) as found:
            yield from found
    except OSError as error:  # of reading: what is done with what is found does not come here
        raise cannot_read(name, error) from None


@records.command
def check(*names: Annotated[Files, Parameter(allow_leading_hyphen=True)], as_json: Json = False) -> int:
    """Play every game through, and say where a file is no record of games.

    The exit code is 1 if anything is wrong.
    """
    if not names:
        raise UsageError("files: expected one or more, got none")
    faults: list[RecordError] = []
    counts = {}
    for name in names:
        lengths = [len(game) for game in each(name, RecordReader, faults)]
        counts[name] = {"games": len(lengths), "moves": sum(lengths)}
    if as_json:
        shown = [{**vars(fault), "message": fault.args[0]} for fault in faults]
        print(json.dumps({"files": counts, "faults": shown}, ensure_ascii=False, indent=2))
        return FAULTY if faults else DONE
    for fault in faults:
        print(fault)
    for name, count in counts.items():
        print(f"{name}: {count['games']:,} games, {count['moves']:,} moves")
    return FAULTY if faults else DONE


@records.command
def headers(name: Annotated[Files, Parameter(allow_leading_hyphen=True)], /, *, as_json: Json = False) -> int:
    """Print number, line and headers of every record, without looking at the moves.

    With `--json` there is one object a line, which also has the byte at which the record begins.
    """
    faults: list[RecordError] = []
    for found in each(name, HeadersReader, faults):
        if as_json:
            print(json.dumps(found._asdict(), ensure_ascii=False))
        else:
            said = ", ".join(f"{key} {value}" for key, value in found.headers.items())
            print(f"{found.game}  line {found.line}  {said}")
    for fault in faults:
        print(f"oanquan: {fault}", file=sys.stderr)
    return FAULTY if faults else DONE
