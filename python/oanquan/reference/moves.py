"""Which moves are legal, why another is not, and a whole turn (rules 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.errors import IllegalMoveError
from oanquan.reference.ending import count, mandarins_are_over
from oanquan.reference.notation import Move, board_text, move_text, read_move
from oanquan.reference.reseeding import reseed, sides_to_reseed
from oanquan.reference.sowing import sow
from oanquan.rules import SIDES

if TYPE_CHECKING:
    from oanquan.reference.board import Board, Ending, Step

DIRECTIONS = {"both": (1, -1), "counterclockwise": (1,), "clockwise": (-1,)}
"""The directions that each value of the knob `directions` allows."""


def legal_moves(board: Board) -> list[Move]:
    """Return the legal moves in the order of their action numbers."""
    if board.ending is not None:
        return []
    moves = [
        Move(board.turn, number, direction)
        for number, square in enumerate(board.row(board.turn), 1)  # rules 3.1: one's own row
        if board.pebbles[square]  # rules 3.1: that holds pebbles
        for direction in DIRECTIONS[board.rules.directions]  # rules 3.1
    ]
    if not board.ban_in_force():
        return moves
    return [move for move in moves if not _takes_mandarin(board, move)] or moves  # rules 3: unless all would


def find_move(board: Board, given: str | int, ending: str | None) -> Move:
    """Return the move that a text or an action number names; raise `IllegalMoveError` if it is not legal.

    `ending` is the reason if the game is over, which for a game with limits is more than the board can tell.
    """
    move = _named(board, given)
    legal = legal_moves(board) if ending is None else []
    if move is not None and move in legal:
        return move
    name = str(given) if move is None else move_text(move)
    why = _objection(board, move) if ending is None else f"the game is over ({ending})"
    choice = " ".join(map(move_text, legal)) or "none"
    position = board_text(board)
    message = f"illegal move {name}: {why} (position {position}; legal moves: {choice})"
    raise IllegalMoveError(message, name, position)


def play(board: Board, move: Move) -> list[Step]:
    """Play a legal move on the board, up to the next decision or the end, and return its steps."""
    steps: list[Step] = []
    sow(board, board.row(move.side)[move.number - 1], move.direction, steps)  # rules 3.2 to 3.4
    over = mandarins_are_over(board)  # rules 3.5: once, when the move has ended
    board.turn = (board.turn + 1) % board.rules.sides  # rules 3.6; rule book, decision 4: also when over
    board.ply += 1
    board.ending = "mandarins" if over else _reseed_rows(board, steps)  # rules 3.5, 3.6
    if board.ending is not None:
        steps += [*count(board)[1], ("end", board.ending)]  # rules 5
    return steps


def _reseed_rows(board: Board, steps: list[Step]) -> Ending | None:
    """Re-seed every row that must be; return the ending if one cannot be."""
    for side in sides_to_reseed(board):
        ending = reseed(board, side, steps)
        if ending is not None:
            return ending  # rule book, decision 3: earlier re-seedings stand
    return None


def _takes_mandarin(board: Board, move: Move) -> bool:
    """Tell whether a move captures a mandarin."""
    trial = board.copy()
    play(trial, move)
    return trial.store_mandarins != board.store_mandarins


def _named(board: Board, given: str | int) -> Move | None:
    """Return the move that a text or an action number names; None for a number that names none."""
    if isinstance(given, str):
        return read_move(given, board.turn)
    if given not in range(board.rules.action_count):
        return None
    square, sign = divmod(given, 2)
    return Move(board.turn, square + 1, -1 if sign else 1)  # rules 9: move as a number


def _objection(board: Board, move: Move | None) -> str:
    """Return why a move, or None for a number that names none, is not legal though the game is not over."""
    rules = board.rules
    if move is None:
        return f"action numbers go from 0 to {rules.action_count - 1}"
    if move.side != board.turn:
        return f"it is side {SIDES[board.turn]}'s turn"
    if move.number > rules.squares:
        return f"side {SIDES[move.side]} has squares 1 to {rules.squares}"
    square = board.row(move.side)[move.number - 1]
    if board.pebbles[square] == 0:
        return f"square {board.name(square)} is empty"
    if move.direction not in DIRECTIONS[rules.directions]:
        return f"only {rules.directions} moves are allowed"
    return f"it takes a mandarin in the first {rules.mandarin_ban} plies"
