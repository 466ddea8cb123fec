"""Who may ask: the middleware that lets in only this page's own requests, and the headers of every answer.

A server on one's own machine can be reached by every page that the browser shows. So the name in `Host` must be one of
the server's (a foreign name may have been pointed at 127.0.0.1), a request that changes something must come from a page
of this server (`Origin`), and no other page may show this one in a frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from oanquan.web.errors import WebError

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("127.0.0.1", "localhost", "::1")
"""The names of one's own machine."""

_SAFE = ("GET", "HEAD", "OPTIONS")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Refuses requests for other hosts and from other origins, and sets the headers of every answer.

    `hosts`: the names by which the server may be asked, without ports; `"*"` among them allows all.

    >>> Guard(None, ["127.0.0.1"]).hosts
    frozenset({'127.0.0.1'})
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self.app = app
        self.hosts = frozenset(host.lower().strip("[]") for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:  # nothing here speaks WebSocket
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            self._check(scope["method"], Headers(scope=scope))
        except WebError as error:
            refusal = JSONResponse(error.to_dict(), error.status, {"Connection": "close"})
            await refusal(scope, receive, headed)
            return
        await self.app(scope, receive, headed)

    def _check(self, method: str, headers: Headers) -> None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._serves(hosts[0]):
            raise WebError(421, "host", "this server does not answer to that name")
        # Sent by browsers only; what another site causes is refused, but following a link to the page is not.
        site = headers.get("sec-fetch-site", "none")
        link = method in _SAFE and headers.get("sec-fetch-mode") == "navigate"
        if site not in ("same-origin", "none") and not link:
            raise WebError(403, "origin", "requests of other sites are refused")
        origins = headers.getlist("origin")
        if method not in _SAFE and (len(origins) > 1 or (origins and _authority(origins[0]) != hosts[0].lower())):
            raise WebError(403, "origin", "requests of other origins are refused")

    def _serves(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        if not name or set(host) & set("/@?#\\ "):
            return False
        return "*" in self.hosts or name in self.hosts


def _authority(origin: str) -> str | None:
    """Host and port of an origin; `None` for `null` and for what is none."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") and parts.netloc else None
