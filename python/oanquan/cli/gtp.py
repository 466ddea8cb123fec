"""`oanquan gtp`."""

from __future__ import annotations

from oanquan.cli.arguments import OptionTexts, read_options
from oanquan.cli.protocols import serve


def gtp(*, option: OptionTexts = ()) -> int:
    """Be an engine: speak the Go Text Protocol, version 2, on standard input and output.

    `quit` or the end of the input ends it; `list_commands` lists the commands, `oanquan ugi` has the same options.
    """
    return serve("gtp", read_options(option))
