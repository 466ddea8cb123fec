"""`oanquan ugi`."""

from __future__ import annotations

from oanquan.cli.arguments import OptionTexts, read_options
from oanquan.cli.protocols import serve


def ugi(*, option: OptionTexts = ()) -> int:
    """Be an engine: speak the Universal Game Interface on standard input and output.

    `quit` or the end of the input ends it; `help` lists the commands and the options.
    """
    return serve("ugi", read_options(option))
