"""`oanquan serve`."""

from __future__ import annotations

import importlib.util
import sys
from typing import Annotated

from cyclopts import Parameter

from oanquan.cli.arguments import Whole
from oanquan.cli.status import DONE, UsageError


def serve(
    *,
    host: Annotated[str, Parameter(help="The address to listen at; any but this machine's own lets others play.")] = (
        "127.0.0.1"
    ),
    port: Annotated[Whole, Parameter(help="0 takes a free one.")] = 8000,
    lang: Annotated[str | None, Parameter(help="en or vi; without it the browser's language.")] = None,
    open_: Annotated[bool, Parameter(name="--open", help="Open the page in a browser.")] = False,
) -> int:
    """Serve the board to a browser, until Ctrl-C.

    Needs what `pip install 'oanquan[web]'` brings.
    """
    if any(importlib.util.find_spec(name) is None for name in ("starlette", "uvicorn")):
        raise UsageError("expected starlette and uvicorn: pip install 'oanquan[web]'")
    from oanquan import web  # noqa: PLC0415 (needs the extra)

    web.serve(host, port, lang=lang, browser=open_, ready=_reached)
    return DONE


def _reached(address: str) -> None:
    print(address, flush=True)
    if sys.stderr.isatty():
        print("Ctrl-C ends it.", file=sys.stderr)
