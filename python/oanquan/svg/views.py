"""What a picture is made of: one value for positions, games and frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from oanquan._core import Game, Move, Position
from oanquan.errors import OanquanError
from oanquan.frames import Frame, frame_of

if TYPE_CHECKING:
    from oanquan._core import Outcome

Shown: TypeAlias = Position | Game | Frame
"""What can be drawn."""


@dataclass(frozen=True)
class View(Frame):
    """A board with everything that is drawn of it: a frame, and what only a position or a game knows."""

    outcome: Outcome | None = None
    legal: frozenset[str] = frozenset()
    """The squares that the side to move may move from."""

    last_move: Move | None = None


def view_of(shown: Shown, last_move: Move | str | None = None) -> View:
    """Return the view of a position, a game or a frame.

    >>> sorted(view_of(Position.start()).legal)
    ['a1', 'a2', 'a3', 'a4', 'a5']
    >>> view_of(Position.start(), "c1+")
    Traceback (most recent call last):
    oanquan.errors.OanquanError: last_move: expected a move of a side on this board, got c1+
    """
    move = None if last_move is None else move_of("last_move", last_move, shown)
    if isinstance(shown, Game):
        if move is None and shown.moves:
            move = shown.moves[-1]
        outcome = shown.outcome
        view = view_of(shown.position, move)
        return view if outcome is None else replace(view, outcome=outcome, points=outcome.points, legal=frozenset())
    if isinstance(shown, Frame):
        return View(**vars(shown), last_move=move)
    if not isinstance(shown, Position):
        raise TypeError(f"position: expected a Position, Game or Frame, got {type(shown).__name__}")
    legal = frozenset(f"{move.side}{move.square}" for move in shown.legal_moves)
    return View(**vars(frame_of(shown)), outcome=shown.outcome, legal=legal, last_move=move)


def move_of(name: str, move: Move | str, shown: Shown) -> Move:
    """Return a move of a side on the board of what is shown, whether it is legal there or not.

    >>> move_of("arrows", "A3+", Position.start())
    Move('a3+')
    """
    if not isinstance(move, Move | str):
        raise TypeError(f"{name}: expected a move, got {type(move).__name__}")
    made = move if isinstance(move, Move) else Move(move)
    rules = shown.position.rules if isinstance(shown, Game) else shown.rules
    if made.side not in "abcd"[: rules.sides] or made.square > rules.squares:
        raise OanquanError(f"{name}: expected a move of a side on this board, got {made}")
    return made
