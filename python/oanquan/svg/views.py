"""What a picture is made of: one value for positions, games and frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from oanquan._core import Game, Move, Position
from oanquan.errors import OanquanError
from oanquan.frames import Frame

if TYPE_CHECKING:
    from oanquan._core import Debt, Outcome, Step, Store
    from oanquan.rules import Rules

Shown: TypeAlias = Position | Game | Frame
"""What can be drawn."""


@dataclass(frozen=True)
class View:
    """A board with everything that is drawn of it."""

    rules: Rules
    pebbles: tuple[int, ...]
    mandarins: tuple[int, ...]
    stores: tuple[Store, ...]
    debts: tuple[Debt, ...]
    points: tuple[int, ...]
    turn: str
    ply: int
    hand: int = 0
    step: Step | None = None
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
    legal: frozenset[str] = frozenset()
    outcome = None
    hand, step = 0, None
    if isinstance(shown, Position):
        legal = frozenset(f"{move.side}{move.square}" for move in shown.legal_moves)
        outcome = shown.outcome
    elif isinstance(shown, Frame):
        hand, step = shown.hand, shown.step
    else:
        raise TypeError(f"position: expected a Position, Game or Frame, got {type(shown).__name__}")
    return View(
        shown.rules,
        shown.pebbles,
        shown.mandarins,
        shown.stores,
        shown.debts,
        shown.points,
        shown.turn,
        shown.ply,
        hand,
        step,
        outcome,
        legal,
        move,
    )


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
