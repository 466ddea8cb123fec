"""The server of one's own machine: the application run with uvicorn."""

from __future__ import annotations

import socket
import webbrowser
from threading import Thread
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from oanquan.errors import OanquanError
from oanquan.web.application import app
from oanquan.web.guard import LOCAL

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

SECONDS_TO_ASK = 30.0
"""How long a connection may take until the head of a request has come."""


class Connection(H11Protocol):
    """A connection that is closed when it asks nothing for long; there are only so many.

    >>> issubclass(Connection, H11Protocol)
    True
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._answered: object = None
        self.loop.call_later(SECONDS_TO_ASK, self._look)

    def _look(self) -> None:
        """Close where no request has come since the last look, and none is being answered."""
        if self.transport.is_closing():
            return
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is self._answered and (cycle is None or cycle.response_complete):
            self.transport.close()
            return
        self._answered = cycle
        self.loop.call_later(SECONDS_TO_ASK, self._look)


class _Server(uvicorn.Server):
    """A server that ends soon, whatever is being thought about, and tells when it is reached."""

    def __init__(self, config: uvicorn.Config, stop: Callable[[], None], ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._stop, self._ready = stop, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stop()
        await super().shutdown(sockets)


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    lang: str | None = None,
    browser: bool = False,
    ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve the board until Ctrl-C.

    Args:
        host: The address to listen at. Anything but this machine's own lets others in your network play, who need no
            password.
        port: The port; 0 takes a free one.
        lang: The language of the page for those who have not chosen one; `None`: the browser's.
        browser: Whether to open the page in a browser.
        ready: Called with the address of the page, once it can be opened.

    Raises:
        OanquanError: The address cannot be used.

    >>> serve("127.0.0.1", 99999)
    Traceback (most recent call last):
    oanquan.errors.OanquanError: port: expected 0 to 65535, got 99999
    """
    if not 0 <= port <= 65535:
        raise OanquanError(f"port: expected 0 to 65535, got {port}")
    listening = _listening(host, port)
    with listening:
        address = f"http://{_named(host)}:{listening.getsockname()[1]}/"
        everywhere = host in ("0.0.0.0", "::")
        made = app(hosts=["*"] if everywhere else [*LOCAL, host], lang=lang)

        def reached() -> None:
            ready(address)
            if browser:
                # Some browsers are programs of the terminal, which return when they end.
                Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        config = uvicorn.Config(
            made,
            http=Connection,  # also where httptools is installed, which takes heads of any length
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=1,
            timeout_keep_alive=15,
            limit_concurrency=200,
            h11_max_incomplete_event_size=32 * 1024,
        )
        _Server(config, made.state.board.stop, reached).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except (OSError, UnicodeError) as error:
        raise OanquanError(f"cannot listen at {host}, port {port}: {error}") from None
    return made


def _named(host: str) -> str:
    """The host as it stands in an address that a browser of this machine can open."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{name}]" if ":" in name else name
