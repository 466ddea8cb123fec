"""What is done with a game of the server: made, looked at, played, taken back, thought about."""

from __future__ import annotations

import json
import secrets
from functools import partial
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool

from oanquan import records
from oanquan._core import Position
from oanquan.errors import IllegalMoveError, OanquanError
from oanquan.explaining import explain_illegal
from oanquan.play import HUMAN, LEVELS, Session
from oanquan.rules import Rules
from oanquan.web.asking import MOST_RECORDS, MOVE_TEXT, POSITION_TEXT, RECORDS_TEXT, RULES_TEXT
from oanquan.web.errors import WebError
from oanquan.web.fields import one_of, several, whole
from oanquan.web.views import analysis_view, game_view

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.types import Receive

    from oanquan.play import Stop
    from oanquan.web.fields import Reader
    from oanquan.web.games import Games, Held
    from oanquan.web.thinking import Thinkers

MOST_PLIES = 4000
HINT_SECONDS = 0.8
SLICES = (0.15, 0.35, 0.9, 1.6)
"""Seconds of the searches of an analysis, each from anew: a good guess is there soon, a better one a little later."""

_SEATS = several(one_of((HUMAN, *LEVELS)), 4)

NEW: dict[str, Reader] = {
    "rules": RULES_TEXT,
    "position": POSITION_TEXT,
    "record": RECORDS_TEXT,
    "number": whole(1, MOST_RECORDS),
    "seats": _SEATS,
    "seed": whole(0, 2**53 - 1),
}
PLAY: dict[str, Reader] = {"move": MOVE_TEXT}
PLAY_TOO: dict[str, Reader] = {"ply": whole(0, MOST_PLIES)}
"""After how many moves the page stands that chose the move: another one may have gone on meanwhile."""

GOTO: dict[str, Reader] = {"ply": whole(0, MOST_PLIES)}
SEATS: dict[str, Reader] = {"seats": _SEATS}


def new(games: Games, asked: dict[str, Any]) -> dict[str, Any]:
    """Hold a new game: of a record, of a position or from the start.

    >>> from oanquan.web.games import Games
    >>> new(Games(), {"rules": "quan-non", "seats": ["human", "easy"]})["seats"]
    ['human', 'easy']
    """
    seats = asked.get("seats")
    if "record" in asked:
        session = _recorded(asked["record"], asked.get("number"), seats)
    else:
        rules = Rules.parse(asked.get("rules", "mancala-world"))
        position = Position.parse(asked["position"], rules) if "position" in asked else Position.start(rules)
        seed = asked.get("seed", secrets.randbits(32))
        session = Session(position=position, seats=seats or (HUMAN,), seed=seed)
    return game_view(games.hold(session), asked)


def _recorded(record: str, number: int | None, seats: list[str] | None) -> Session:
    """The session of a record, or of one of several."""
    there = records.count(BytesIO(record.encode()))
    if (number or 1) > there:
        raise WebError(422, "no_record", f"expected the record of a game, got {there} of them")
    if number is None and there > 1:
        raise WebError(422, "several_records", f"expected one record, got {there}")
    # One after the other: a text may have very many games.
    game = next(islice(records.read(BytesIO(record.encode())), (number or 1) - 1, None))
    if len(game) > MOST_PLIES or len(game.record()) > 256 * 1024:
        raise WebError(422, "too_long", f"expected a record of at most {MOST_PLIES} moves")
    return Session.of(game, seats=seats)


def look(held: Held, asked: dict[str, Any]) -> dict[str, Any]:
    """Look at a game.

    >>> from oanquan.web.games import Games
    >>> look(Games().hold(Session()), {})["ply"]
    0
    """
    return game_view(held, asked)


def play(held: Held, asked: dict[str, Any]) -> dict[str, Any]:
    """Make a move, which must be a person's.

    >>> from oanquan.web.games import Games
    >>> play(Games().hold(Session()), {"move": "a3+"})["turn"]
    'b'
    """
    session = held.session
    if asked.get("ply", session.ply) != session.ply:
        raise WebError(409, "gone_on", "the game has gone on meanwhile")
    if session.ply >= MOST_PLIES:
        raise WebError(409, "too_long", f"a game here has at most {MOST_PLIES} moves")
    if not session.is_over and not session.turn_is_human:
        raise WebError(409, "not_your_turn", "it is the turn of an agent")
    try:
        session.play(asked["move"])
    except IllegalMoveError as error:
        reason = explain_illegal(session.position, asked["move"], asked.get("lang", "en"))
        raise WebError(422, "illegal_move", reason or error.args[0]) from None
    held.changed()
    return game_view(held, asked)


def undo(held: Held, asked: dict[str, Any]) -> dict[str, Any]:
    """Go back to the last decision of a person.

    >>> from oanquan.web.games import Games
    >>> undo(Games().hold(Session()), {})
    Traceback (most recent call last):
    oanquan.web.errors.WebError: expected a decision to go back to, got the first one
    """
    return _moved(held, asked, held.session.undo)


def redo(held: Held, asked: dict[str, Any]) -> dict[str, Any]:
    """Bring back what was taken back.

    >>> from oanquan.web.games import Games
    >>> redo(Games().hold(Session()), {})
    Traceback (most recent call last):
    oanquan.web.errors.WebError: expected moves that were taken back, got none
    """
    return _moved(held, asked, held.session.redo)


def goto(held: Held, asked: dict[str, Any]) -> dict[str, Any]:
    """Look at the board after so many moves.

    >>> from oanquan.web.games import Games
    >>> goto(Games().hold(Session()), {"ply": 0})["ply"]
    0
    """
    return _moved(held, asked, partial(held.session.goto, asked["ply"]))


def seats(held: Held, asked: dict[str, Any]) -> dict[str, Any]:
    """Let others sit down.

    >>> from oanquan.web.games import Games
    >>> seats(Games().hold(Session()), {"seats": ["human", "master"]})["seats"]
    ['human', 'master']
    """
    held.session.seats = tuple(asked["seats"])
    held.changed()
    return game_view(held, asked)


def stop(held: Held, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001 (called as the others are)
    """End what is being thought about.

    >>> from oanquan.web.games import Games
    >>> stop(Games().hold(Session()), {})
    {}
    """
    held.stop()
    return {}


def _moved(held: Held, asked: dict[str, Any], move: Callable[[], None]) -> dict[str, Any]:
    try:
        move()
    except OanquanError as error:
        raise WebError(409, "nothing_there", str(error)) from None
    held.changed()
    return game_view(held, asked)


# ---- what takes long -------------------------------------------------------------------------------------------------


async def think(thinkers: Thinkers, held: Held, asked: dict[str, Any], receive: Receive) -> dict[str, Any]:
    """Let the agent at the turn choose its move, and make it unless the game was changed meanwhile."""
    version, word = _begin(held)
    if held.session.ply >= MOST_PLIES:
        raise WebError(409, "too_long", f"a game here has at most {MOST_PLIES} moves")
    move = await thinkers.think(receive, word, partial(held.session.think, word))

    def made() -> dict[str, Any]:
        with held.lock:
            if move is None or held.version != version:
                raise WebError(409, "stopped", "the game went another way meanwhile")
            held.session.play(move)
            held.changed()
            return game_view(held, asked)

    return await run_in_threadpool(made)


async def hint(thinkers: Thinkers, held: Held, asked: dict[str, Any], receive: Receive) -> dict[str, Any]:
    """Return a good move and what it is worth, in words."""
    _, word = _begin(held)
    found = await thinkers.think(receive, word, partial(held.session.hint, HINT_SECONDS, word))
    if found is None:
        raise WebError(409, "stopped", "the game went another way meanwhile")
    return {
        "position": str(found.analysis.position),
        "move": str(found.move),
        "moves": [str(move) for move in found.moves[:12]],
        "text": found.words(asked.get("lang", "en")),
    }


def _begin(held: Held) -> tuple[int, Stop]:
    """The version that is thought about, and the word that ends it."""
    with held.lock:
        if held.session.is_over:
            raise WebError(409, "over", "the game is over")
        return held.version, held.begin_thinking()


async def analyse(thinkers: Thinkers, held: Held, receive: Receive) -> AsyncIterator[bytes]:
    """Look deeper and deeper into the position: a line of JSON each time that more is known."""
    word = held.begin_thinking()
    for number, seconds in enumerate(SLICES, 1):
        work = partial(held.session.analysis, seconds, lines=5, stop=word)
        try:
            found = await thinkers.think(receive, word, work)
        except WebError as error:
            yield json.dumps(error.to_dict()).encode() + b"\n"
            return
        if found is None or word.is_said:
            return
        yield json.dumps(analysis_view(found, number / len(SLICES))).encode() + b"\n"
        if found.settled:
            return
