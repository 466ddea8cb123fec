"""What notebooks show of positions and games: their pictures, and in HTML the moves so far as well."""

from __future__ import annotations

from oanquan._core import Game, Position
from oanquan.language import preferred, say
from oanquan.svg import board
from oanquan.svg.elements import element, words

_SIZE = 560


def svg_of(thing: Position | Game) -> str:
    """Return the picture of a position, or of a game as it stands with its last move.

    >>> svg_of(Position.start())[:4]
    '<svg'
    """
    return str(board(thing, size=_SIZE, lang=preferred()))


def html_of(thing: Position | Game) -> str:
    """Return the picture in HTML; of a game with its moves and how it came out.

    >>> html_of(Position.start())[:5]
    '<div>'
    """
    parts = [svg_of(thing)]
    if isinstance(thing, Game) and thing.moves:
        lang = preferred()
        moves = " ".join(f"{ply}.\u00a0{move}" for ply, move in enumerate(thing.moves, start=1))
        summary = say("board.moves", lang, count=len(thing.moves))
        parts.append(
            element("details", element("summary", words(summary)), element("p", words(moves)), lang=lang),
        )
    return element("div", *parts)
