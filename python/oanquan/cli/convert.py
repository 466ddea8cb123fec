"""`oanquan convert`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from oanquan import runs
from oanquan.cli.progress import progress_bar
from oanquan.cli.status import DONE, NOT_WRITTEN
from oanquan.runs.converting import is_stream


def convert(
    directory: Annotated[str, Parameter(help="Where `oanquan simulate --out` wrote the games.")],
    /,
    *,
    to: str,
    out: Annotated[str, Parameter(name=["--out", "-o"])],
) -> int:
    """Write all games of a finished run to one file of text.

    Parameters
    ----------
    to
        records: game records, for people and for `Game.parse_all`. csv: a line for each game.
    out
        The file to write; one that is there is replaced when all games are written. A pipe or /dev/stdout gets
        the games as they come.
    """
    try:
        with progress_bar() as progress:
            games = runs.convert(directory, out, to, progress=progress)
    except OSError as error:
        # An unfinished file stands beside the one that is asked for: every other name but that one's is read.
        name = str(error.filename or out)
        reading = Path(name).absolute().is_relative_to(Path(directory).absolute())
        what = f"read {name}" if reading else f"write {out}"
        print(f"oanquan: cannot {what}: {error.strerror}", file=sys.stderr)
        return NOT_WRITTEN
    if is_stream(Path(out)):
        return DONE  # that may be where this would be printed
    print(f"{games:,} games in {out}, {Path(out).stat().st_size:,} bytes")
    return DONE
