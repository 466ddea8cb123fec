"""A client of the web board without a network: it may send anything, well-formed or not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.applications import Starlette

Result = TypeVar("Result")
HOST = "127.0.0.1:8000"
JSON = {"content-type": "application/json"}


@dataclass
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    chunks: list[bytes] = field(default_factory=list)

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The word that says what was refused."""
        error = self.json()["error"]
        assert error.keys() == {"code", "message", "faults"}
        assert isinstance(error["message"], str)
        assert isinstance(error["faults"], list)
        return str(error["code"])


class Client:
    """Asks an application, in an event loop of its own. A request that fails inside raises here."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self._runner = asyncio.Runner()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._runner.run(work)

    def close(self) -> None:
        self.app.state.board.stop()
        self._runner.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.run(self.ask("GET", path, headers={name.replace("_", "-"): text for name, text in headers.items()}))

    def post(self, path: str, body: Any = None) -> Answer:
        return self.run(self.ask("POST", path, headers=JSON, body=json.dumps({} if body is None else body).encode()))

    async def ask(
        self,
        method: str,
        path: str,
        *,
        headers: dict[str, str] | Iterable[tuple[bytes, bytes]] = (),
        body: bytes | list[bytes] = b"",
        gone: asyncio.Event | None = None,
        heard: Callable[[bytes], None] = lambda _: None,
        stalled: bool = False,
    ) -> Answer:
        """`body`: in one piece or several; `gone`: set when the client goes away; `heard`: called with each chunk.

        `stalled`: the last piece of the body never comes.
        """
        pieces = [body] if isinstance(body, bytes) else [*body]
        given = [(k.encode(), v.encode()) for k, v in headers.items()] if isinstance(headers, dict) else [*headers]
        if not any(name == b"host" for name, _ in given):
            given.append((b"host", HOST.encode()))
        answer = Answer()

        async def receive() -> dict[str, Any]:
            if pieces and not (stalled and len(pieces) == 1):
                piece = pieces.pop(0)
                return {"type": "http.request", "body": piece, "more_body": bool(pieces)}
            await (gone or asyncio.Event()).wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in message["headers"]}
            elif message["type"] == "http.response.body":
                answer.chunks.append(message.get("body", b""))
                heard(answer.chunks[-1])

        raw, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": raw,
            "raw_path": raw.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": given,
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 8000),
        }
        await self.app(scope, receive, send)
        answer.body = b"".join(answer.chunks)
        return answer
