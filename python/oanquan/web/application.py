"""The application: which request goes where."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from oanquan.errors import OanquanError
from oanquan.language import LANGUAGES, language
from oanquan.web import asking, playing
from oanquan.web.errors import WebError
from oanquan.web.files import page_files
from oanquan.web.games import MOST_GAMES, MOST_SECONDS, Games
from oanquan.web.guard import LOCAL, Guard
from oanquan.web.requests import MOST_BYTES, MOST_BYTES_OF_RECORDS, as_web_error, fields_of, in_words, refusal
from oanquan.web.thinking import MOST_AT_ONCE, Thinkers
from oanquan.web.words import asked_language, words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping

    from starlette.requests import Request
    from starlette.types import Receive

    from oanquan.web.fields import Reader
    from oanquan.web.games import Held

# What needs no game: by name what it is and its fields, those that must be there and those that may.
_ASKING: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], Mapping[str, Reader], Mapping[str, Reader]]] = {
    "rules": (asking.rules, asking.RULES, {}),
    "records": (asking.records, asking.RECORDS, {}),
    "steps": (asking.steps, asking.STEPS, asking.STEPS_TOO),
    "setup": (asking.setup, asking.SETUP, asking.SETUP_TOO),
    "compare": (asking.compare, asking.COMPARE, {}),
}
# What is done with a game at once.
_PLAYING: dict[str, tuple[Callable[[Held, dict[str, Any]], dict[str, Any]], Mapping[str, Reader]]] = {
    "look": (playing.look, {}),
    "play": (playing.play, playing.PLAY),
    "undo": (playing.undo, {}),
    "redo": (playing.redo, {}),
    "goto": (playing.goto, playing.GOTO),
    "seats": (playing.seats, playing.SEATS),
    "stop": (playing.stop, {}),
}
_THINKING = {"think": playing.think, "hint": playing.hint}


class Board:
    """What the application answers with: its games, its threads and its files.

    >>> board = Board(Games(), Thinkers(), "vi")
    >>> {route.path for route in board.routes()} >= {"/", "/api/games", "/api/games/{game}/play"}
    True
    """

    def __init__(self, games: Games, thinkers: Thinkers, lang: str | None) -> None:
        self.games, self.thinkers = games, thinkers
        self.lang = None if lang is None else language(lang)
        self.files = page_files()

    def routes(self) -> list[Route]:
        """Return where everything is found."""
        made = [
            Route("/", self._page),
            Route("/favicon.ico", partial(self._file, name="icon.svg")),
            Route("/static/{name}", self._file),
            Route("/api/words/{lang}", self._words),
            Route("/api/games", self._new, methods=["POST"]),
            Route("/api/games/{game}/analyse", self._analyse, methods=["POST"]),
        ]
        made += [Route(f"/api/{name}", partial(self._ask, *asked), methods=["POST"]) for name, asked in _ASKING.items()]
        of_a_game = {name: partial(self._play, *done) for name, done in _PLAYING.items()}
        of_a_game |= {name: partial(self._think, think) for name, think in _THINKING.items()}
        made += [Route(f"/api/games/{{game}}/{name}", answer, methods=["POST"]) for name, answer in of_a_game.items()]
        return made

    def stop(self) -> None:
        """End what is being thought about, for good.

        >>> Board(Games(), Thinkers(), None).stop()
        """
        self.thinkers.close()
        self.games.stop()

    async def _page(self, request: Request) -> Response:
        lang = self.lang or asked_language(request.headers.get("accept-language", ""))
        return self.files["index.html"].answer(None, lang=lang)

    async def _file(self, request: Request, name: str | None = None) -> Response:
        file = self.files.get(name or request.path_params["name"])
        if file is None or file.kind.startswith("text/html"):
            raise WebError(404, "unknown_path", "there is nothing here")
        return file.answer(request.headers.get("if-none-match"))

    async def _words(self, request: Request) -> Response:
        lang = request.path_params["lang"]
        if lang not in LANGUAGES:
            raise WebError(404, "unknown_path", "there is nothing here")
        return JSONResponse(await run_in_threadpool(words, lang))

    async def _ask(
        self,
        work: Callable[[dict[str, Any]], dict[str, Any]],
        needed: Mapping[str, Reader],
        optional: Mapping[str, Reader],
        request: Request,
    ) -> Response:
        most = MOST_BYTES_OF_RECORDS if needed is asking.RECORDS else MOST_BYTES
        asked = await fields_of(request, needed, optional, most)
        return JSONResponse(await run_in_threadpool(work, asked))

    async def _new(self, request: Request) -> Response:
        asked = await fields_of(request, {}, playing.NEW, MOST_BYTES_OF_RECORDS)
        return JSONResponse(await run_in_threadpool(playing.new, self.games, asked), 201)

    async def _play(
        self,
        change: Callable[[Held, dict[str, Any]], dict[str, Any]],
        needed: Mapping[str, Reader],
        request: Request,
    ) -> Response:
        asked = await fields_of(request, needed, playing.PLAY_TOO if change is playing.play else {})
        held = self.games.find(request.path_params["game"])

        def work() -> dict[str, Any]:
            with held.lock:
                return change(held, asked)

        return JSONResponse(await run_in_threadpool(work))

    async def _think(
        self,
        think: Callable[[Thinkers, Held, dict[str, Any], Receive], Awaitable[dict[str, Any]]],
        request: Request,
    ) -> Response:
        asked = await fields_of(request, {}, {})
        held = self.games.find(request.path_params["game"])
        return JSONResponse(await think(self.thinkers, held, asked, request.receive))

    async def _analyse(self, request: Request) -> Response:
        await fields_of(request, {}, {})
        held = self.games.find(request.path_params["game"])
        if held.session.is_over:
            raise WebError(409, "over", "the game is over")
        lines = playing.analyse(self.thinkers, held, request.receive)
        return StreamingResponse(lines, media_type="application/x-ndjson")


def app(
    *,
    hosts: Collection[str] = LOCAL,
    lang: str | None = None,
    most_games: int = MOST_GAMES,
    most_seconds: float = MOST_SECONDS,
    at_once: int = MOST_AT_ONCE,
) -> Starlette:
    """Return the application, for any server that speaks ASGI. `oanquan.web.serve` runs it with uvicorn.

    Args:
        hosts: The names by which it is reached, without ports; requests for other names are refused. `"*"` allows all.
        lang: `"en"` or `"vi"`: the language of the page for those who have not chosen one; `None`: the browser's.
        most_games: How many games are held; beyond that the one that was not used for longest is dropped. Pages keep
            the record of their game and bring it back.
        most_seconds: How long a game is held that nobody uses.
        at_once: How many threads think.

    >>> from oanquan.web import app
    >>> type(app(lang="vi")).__name__
    'Starlette'
    """
    board = Board(Games(most_games, most_seconds), Thinkers(at_once), lang)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        board.stop()

    made = Starlette(
        routes=board.routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(Guard, hosts=tuple(hosts)),
            Middleware(GZipMiddleware, exclude_content_types=("application/x-ndjson",), compresslevel=5),
        ],
        exception_handlers={
            WebError: _refused,
            OanquanError: _not_taken,
            HTTPException: _not_served,
            Exception: _failed,
        },
    )
    made.state.board = board
    return made


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, WebError)
    return refusal(in_words(error, _lang(request)))


async def _not_taken(request: Request, error: Exception) -> Response:
    assert isinstance(error, OanquanError)
    return refusal(as_web_error(error, _lang(request)))


def _lang(request: Request) -> str:
    """The language that the request wants to be answered in, once that has been read."""
    return getattr(request.state, "lang", "en")


async def _not_served(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "unknown_path", 405: "method"}.get(error.status_code, "refused")
    answer = refusal(WebError(error.status_code, code, error.detail))
    answer.headers.update(error.headers or {})
    return answer


async def _failed(_: Request, __: Exception) -> Response:
    """What went wrong is for the server's log."""
    return refusal(WebError(500, "internal", "something went wrong here"))
