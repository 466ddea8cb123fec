"""The command `oanquan`: one module for each command, loaded when it is called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from oanquan.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (those of the process by default) and return its exit code."""
    protocol = _protocol(sys.argv[1:] if arguments is None else arguments)
    try:
        if protocol is not None:
            from oanquan.cli.protocols import serve  # noqa: PLC0415

            return serve(protocol)
        # Loading takes a moment, in which Ctrl-C must be as quiet as later.
        from oanquan.cli.app import run  # noqa: PLC0415

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


def _protocol(arguments: Sequence[str]) -> str | None:
    """The protocol of an engine that is started without options: clients wait for it, so the rest is not loaded."""
    return arguments[0] if len(arguments) == 1 and arguments[0] in ("ugi", "gtp") else None
