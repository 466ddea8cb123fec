"""`oanquan convert`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from oanquan import runs
from oanquan.cli.progress import progress_bar
from oanquan.cli.status import DONE, NOT_WRITTEN


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
        The file to write; one that is there is replaced when all games are written.
    """
    try:
        with progress_bar() as progress:
            games = runs.convert(directory, out, to, progress=progress)
    except OSError as error:
        print(f"oanquan: {error.filename or out}: {error.strerror}", file=sys.stderr)
        return NOT_WRITTEN
    print(f"{games:,} games in {out}, {Path(out).stat().st_size:,} bytes")
    return DONE
