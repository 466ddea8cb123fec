"""From a request to what it asks for, and back: bodies bounded, fields read, answers in JSON."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

from oanquan.errors import IllegalMoveError, NotationError, OanquanError, PositionError, RecordError, RulesError
from oanquan.language import say, sentences
from oanquan.web.errors import WebError
from oanquan.web.faults import fault_in_words
from oanquan.web.fields import parse, read
from oanquan.web.views import LOOK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from oanquan.web.fields import Reader

MOST_BYTES = 64 * 1024
MOST_BYTES_OF_RECORDS = 1024 * 1024 + 64 * 1024  # a text of a mebibyte, and what stands around it
MOST_SECONDS_OF_BODIES = 20.0


async def body_of(request: Request, most: int) -> bytes:
    """Return the body of a request, which may have so many bytes."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise WebError(415, "content_type", "expected a body of the type application/json")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise WebError(415, "content_encoding", "expected a body that is not compressed")
    too_long = WebError(413, "too_long", f"expected a body of at most {most} bytes")
    length = request.headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit() or len(length) > 12 or int(length) > most:
        raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(MOST_SECONDS_OF_BODIES):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise too_long
    except TimeoutError:
        raise WebError(408, "slow", f"expected the body within {MOST_SECONDS_OF_BODIES:g} seconds") from None
    except ClientDisconnect:
        raise WebError(400, "gone", "the client went away") from None
    return bytes(body)


async def fields_of(
    request: Request, needed: Mapping[str, Reader], optional: Mapping[str, Reader], most: int = MOST_BYTES
) -> dict[str, Any]:
    """Return the fields of a request, with those that every request may have."""
    found = read(parse(await body_of(request, most)), needed, {**LOOK, **optional})
    request.state.lang = found.get("lang", "en")  # for what is refused later
    return found


def as_web_error(error: OanquanError, lang: str = "en") -> WebError:
    """Return what the package refuses as what is answered.

    >>> import oanquan as oaq
    >>> try:
    ...     oaq.Rules.parse("squares=9,pebbles=99")
    ... except oaq.OanquanError as error:
    ...     as_web_error(error).code, len(as_web_error(error).faults)
    ('rules', 2)
    """
    kinds = (
        (IllegalMoveError, "illegal_move"),
        (PositionError, "position"),
        (RulesError, "rules"),
        (RecordError, "record"),
        (NotationError, "notation"),
    )
    code = next((code for kind, code in kinds if isinstance(error, kind)), "refused")
    message, faults = str(error), tuple[str, ...]()
    if isinstance(error, PositionError | RulesError):
        faults = tuple(fault_in_words(fault, lang) for fault in error.faults[:64])
        message = "; ".join(faults) or message
    elif isinstance(error, RecordError):
        message = say("web.refused_record", lang, line=error.line, column=error.column)
        if lang == "en":
            message = f"{message[:-1]}: {error.args[0]}"
    elif isinstance(error, NotationError) and lang != "en":
        message = say("web.refused_notation", lang, column=error.column)
    elif code == "refused" and lang != "en":
        message = say("web.refused_refused", lang)
    return WebError(422, code, _short(message), map(_short, faults))


def in_words(error: WebError, lang: str) -> WebError:
    """Return the same refusal in the words of the page, where it has some: in English it is told as it is.

    >>> str(in_words(WebError(409, "over", "the game is over"), "vi"))
    'Ván đã kết thúc.'
    """
    key = f"refused_{error.code}"
    if lang == "en" or key not in sentences("web"):
        return error
    return WebError(error.status, error.code, say(f"web.{key}", lang), error.faults)


def _short(message: str) -> str:
    """A message that may quote what a client sent."""
    return message if len(message) <= 600 else f"{message[:600]}…"


def refusal(error: WebError) -> JSONResponse:
    """Return the answer to what is refused.

    >>> refusal(WebError(404, "unknown_game", "there is no such game")).status_code
    404
    """
    return JSONResponse(error.to_dict(), error.status)
