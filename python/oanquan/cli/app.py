"""The list of commands, and what all of them share: errors of one line, exit codes."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError

import oanquan
from oanquan import OanquanError
from oanquan.cli.status import BAD_ARGUMENTS, DONE, NOT_WRITTEN, UsageError, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = {
    "simulate": "Play many games on all cores and print the statistics.",
    "convert": "Write the games of a run as game records or CSV.",
    "perft": "Count the lines of play of a given length.",
    "rules": "List the presets, show one, or compare two.",
    "show": "Draw a position, as text or as a picture.",
    "trace": "Play one move, step by step, in words or as a picture.",
    "play": "Play in the terminal, against an agent or another person.",
    "match": "Play agents against each other and say who is stronger.",
    "search": "Find the best moves of a position.",
    "analyse": "Judge every move of recorded games.",
    "solve": "Prove the value of a position.",
    "verify": "Replay the proof of a solved position.",
    "serve": "Serve the board to a browser.",
    "ugi": "Be an engine that speaks the Universal Game Interface.",
    "gtp": "Be an engine that speaks the Go Text Protocol.",
    "bench": "Measure moves and nodes per second.",
}


def _app() -> App:
    app = App(
        name="oanquan",
        help="The Vietnamese mancala Ô ăn quan. Rules are a preset (see `oanquan rules`) or key=value,... "
        "pairs; a POSITION is `start` or a position text, quoted.",
        help_format="plaintext",
        version=oanquan.__version__,
        default_parameter=Parameter(negative=()),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
    )
    for name, summary in _COMMANDS.items():
        app.command(f"oanquan.cli.{name}:{name}", name=name, help=summary)
    app.command("oanquan.cli.endgame_tables:tables", name="tables", help="Build, verify and probe endgame tables.")
    app.command("oanquan.cli.records:records", name="records", help="Look through files of game records.")
    return app


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; only Ctrl-C is left to the caller."""
    if sys.stdout is None:
        return NOT_WRITTEN  # started with a closed standard output
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # where the terminal cannot show "Ô ăn quan"
    try:
        status = _app()(_readable(sys.argv[1:] if arguments is None else arguments))
        print(end="", flush=True)
    except (CycloptsError, OanquanError, UsageError) as error:
        print(f"oanquan: {printable(_message(error))}", file=sys.stderr)
        return BAD_ARGUMENTS
    except OSError as error:
        # Python flushes standard output once more at exit: let it flush into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"oanquan: cannot write the output: {error.strerror}", file=sys.stderr)
        return NOT_WRITTEN
    return status if isinstance(status, int) else DONE


def _readable(arguments: Sequence[str]) -> list[str]:
    """The arguments, if all of them are text: bytes that are not UTF-8 arrive as lone surrogates."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise UsageError(f"expected UTF-8 text, got {argument!r}") from None
    return list(arguments)


def _message(error: Exception) -> str:
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return f'unexpected argument "{error.unused_tokens[0]}"'
    return str(error)
