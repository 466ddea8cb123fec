"""`oanquan records`: look through files of game records."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from oanquan import RecordError
from oanquan.cli.arguments import Json, cannot_read
from oanquan.cli.status import DONE, FAULTY, UsageError, printable
from oanquan.records import HeadersReader, RecordReader

if TYPE_CHECKING:
    from collections.abc import Iterator

records = App(name="records", help="Look through files of game records.")

Files = Annotated[str, Parameter(help="Files of game records, compressed by gzip or not, or - for standard input.")]


def each(name: str, reader: type[RecordReader | HeadersReader]) -> Iterator[Any]:
    """What a reader finds in a file, or for `-` in standard input, and the error of what is no record."""
    try:
        with reader(sys.stdin.buffer if name == "-" else name) as found:
            while True:
                try:
                    item: Any = next(found)
                except StopIteration:
                    return
                except RecordError as fault:
                    item = fault
                yield item
    except OSError as error:  # of reading: what is done with what is found does not come here
        raise cannot_read(name, error) from None


def tell(fault: RecordError) -> None:
    """Tell on standard error of what is no record."""
    print(f"oanquan: {fault}", file=sys.stderr)


@records.command
def check(*names: Annotated[Files, Parameter(allow_leading_hyphen=True)], as_json: Json = False) -> int:
    """Play every game through, and say where a file is no record of games.

    The exit code is 1 if anything is wrong.
    """
    if not names:
        raise UsageError("files: expected one or more, got none")
    counts, faults, is_faulty = {}, [], False
    for name in names:
        games = moves = 0
        for found in each(name, RecordReader):
            if not isinstance(found, RecordError):
                games, moves = games + 1, moves + len(found)
                continue
            is_faulty = True
            if as_json:
                faults.append({**vars(found), "message": found.args[0]})
            else:
                print(found)
        counts[name] = {"games": games, "moves": moves}
        if not as_json:
            print(f"{name}: {games:,} games, {moves:,} moves")
    if as_json:
        print(json.dumps({"files": counts, "faults": faults}, ensure_ascii=False, indent=2))
    return FAULTY if is_faulty else DONE


@records.command
def headers(name: Annotated[Files, Parameter(allow_leading_hyphen=True)], /, *, as_json: Json = False) -> int:
    """Print number, line and headers of every record, without looking at the moves.

    With `--json` there is one object a line, which also has the byte at which the record begins.
    """
    is_faulty = False
    for found in each(name, HeadersReader):
        if isinstance(found, RecordError):
            tell(found)
            is_faulty = True
        elif as_json:
            print(json.dumps(found._asdict(), ensure_ascii=False))
        else:
            said = ", ".join(f"{key} {value}" for key, value in found.headers.items())
            print(f"{found.game}  line {found.line}  {printable(said)}")
    return FAULTY if is_faulty else DONE
