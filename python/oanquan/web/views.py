"""What a page is told of a game: its picture, its words and its numbers, ready for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oanquan import svg
from oanquan.explaining import explain, explain_outcome
from oanquan.frames import frames
from oanquan.language import LANGUAGES, say
from oanquan.play import LEVELS
from oanquan.rules import SIDES
from oanquan.web.fields import flag, one_of

if TYPE_CHECKING:
    from oanquan._core import Move, Position
    from oanquan.analysis import Analysis
    from oanquan.frames import Frame
    from oanquan.web.games import Held

LOOK = {"lang": one_of(LANGUAGES), "theme": one_of(("wood", "dark")), "bottom": one_of(SIDES), "numbers": flag}
"""How a page wants to see things: fields that every request may have."""

MOST_FRAMES = 48


def picture(position: Position | Frame, look: dict[str, Any], last_move: Move | None = None) -> str:
    """Return the board as SVG.

    >>> from oanquan import Position
    >>> picture(Position.start(), {"lang": "vi"}).startswith("<svg")
    True
    """
    sides = SIDES[: position.rules.sides]
    bottom = look.get("bottom", "a")
    return svg.board(
        position,
        last_move=last_move,
        numbers=look.get("numbers", True),
        orientation=bottom if bottom in sides else "a",
        theme=look.get("theme", "wood"),
        lang=look.get("lang", "en"),
    )


def game_view(held: Held, look: dict[str, Any]) -> dict[str, Any]:
    """Return how a game stands.

    >>> from oanquan.play import Session
    >>> from oanquan.web.games import Games
    >>> view = game_view(Games().hold(Session()), {"lang": "vi"})
    >>> view["turn"], view["legal"][:2], view["status"], view["over"]
    ('a', ['a1+', 'a1-'], 'Đến lượt bên a.', False)
    """
    session, lang = held.session, look.get("lang", "en")
    position, outcome = session.position, session.outcome
    rules = position.rules
    status = say("play.turn", lang, side=position.turn) if outcome is None else explain_outcome(outcome, lang)
    last = session.last_move
    told = [] if last is None else sentences(session.positions[session.ply - 1], last, lang)
    return {
        "game": held.name,
        "version": held.version,
        "rules": str(rules),
        "board": {"sides": rules.sides, "squares": rules.squares, "names": rules.square_names},
        "position": str(position),
        "turn": position.turn,
        "over": session.is_over,
        "winner": None if outcome is None else outcome.winner,
        "status": status,
        "points": list(position.points if outcome is None else outcome.points),
        "seats": list(session.seats),
        "human": session.turn_is_human,
        "moves": [str(move) for move in session.moves],
        "ply": session.ply,
        "first": session.positions[0].turn,
        "last": None if last is None else {"move": str(last), "before": str(session.positions[session.ply - 1])},
        "told": told,
        "legal": [] if session.is_over else [str(move) for move in position.legal_moves],
        "undo": session.can_undo,
        "redo": session.can_redo,
        "record": session.record(),
        "picture": picture(position, look, last),
    }


def sentences(position: Position, move: Move | str, lang: str) -> list[dict[str, Any]]:
    """Return a move in sentences, each with the steps that it tells, and whether it says why the move stopped.

    >>> from oanquan import Position
    >>> [told["stop"] for told in sentences(Position.start(), "a3+", "en")]
    [False, False, False, True]
    """
    kinds = [step.kind for step in position.trace(move)]
    return [
        {"text": told.text, "first": told.first, "last": told.last, "stop": "stop" in kinds[told.first : told.last + 1]}
        for told in explain(position, move, lang)
    ]


def steps_view(position: Position, move: Move, look: dict[str, Any], first: int, count: int) -> dict[str, Any]:
    """Return so many boards of a move from the one after `first` steps on, and the sentences of the move.

    >>> from oanquan import Move, Position
    >>> view = steps_view(Position.start(), Move("a3+"), {}, 0, 2)
    >>> view["steps"], len(view["frames"]), view["frames"][1]["square"]
    (14, 2, 'a3')
    """
    made = frames(position, move)
    chosen = made[first : first + count]
    return {
        "steps": len(made) - 1,
        "first": first,
        "sentences": sentences(position, move, look.get("lang", "en")),
        "frames": [
            {
                "kind": None if frame.step is None else frame.step.kind,
                "square": None if frame.step is None else frame.step.square,
                "hand": frame.hand,
                "points": list(frame.points),
                "picture": picture(frame, look, move),
            }
            for frame in chosen
        ],
    }


def analysis_view(found: Analysis, done: float) -> dict[str, Any]:
    """Return what a search found; `lead` is that of side a where two sides play, else that of the side to move.

    >>> import oanquan as oaq
    >>> view = analysis_view(oaq.search(oaq.Position.start(), depth=3, lines=2), 1.0)
    >>> view["depth"], len(view["lines"]), view["side"]
    (3, 2, 'a')
    """
    position = found.position
    two = position.rules.sides == 2
    sign = -1 if two and position.turn == "b" else 1
    return {
        "position": str(position),
        "side": "a" if two else position.turn,
        "lead": sign * found.score,
        "most": position.rules.total_points,
        "proven": found.settled,
        "depth": found.depth,
        "nodes": found.nodes,
        "done": done,
        "lines": [
            {"moves": [str(move) for move in line.moves[:12]], "lead": sign * line.score, "proven": line.settled}
            for line in found.lines
        ],
    }


def levels_view(lang: str) -> list[dict[str, str]]:
    """Return the strengths by name, each with what it is called.

    >>> levels_view("vi")[-1]
    {'name': 'master', 'title': 'kiện tướng'}
    """
    return [{"name": name, "title": level.title(lang)} for name, level in LEVELS.items()]
