"""`oanquan ugi` and `oanquan gtp`: the engine for clients that speak with it over a pipe."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan.cli.status import DONE, NOT_WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterable

SERVERS = {"ugi": _core.serve_ugi, "gtp": _core.serve_gtp}


def serve(protocol: str, options: Iterable[tuple[str, str]] = ()) -> int:
    """Speak the protocol on standard input and output until the client ends it, and return the exit code."""
    # The core waits for the client: Ctrl-C must end the process without Python's help.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        SERVERS[protocol](list(options))
    except BrokenPipeError:
        return NOT_WRITTEN
    return DONE
