"""The command `oanquan`: one module for each command, loaded when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (those of the process by default) and return its exit code."""
    try:
        # Loading takes a moment, in which Ctrl-C must be as quiet as later.
        from oanquan.cli.app import run  # noqa: PLC0415

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
