"""The end test, the count and the outcome (rules 3.5, 4 and 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oanquan.rules import SIDES, Side

if TYPE_CHECKING:
    from oanquan.reference.board import Board, Step


class Outcome(NamedTuple):
    """How it ended: the winner (None is a draw), why, and the points of the sides in order."""

    winner: Side | None
    ending: str
    points: tuple[int, ...]


def mandarins_are_over(board: Board) -> bool:
    """Tell whether the mandarins, by `ends_when`, end the game."""
    if board.rules.ends_when == "stones_taken":
        return not any(board.mandarins)  # rules 3.5: no mandarin stands on the board
    squares = map(board.mandarin_square, range(board.rules.sides))
    return all(board.is_empty(square) for square in squares)  # rules 3.5: every mandarin square is empty


def points(board: Board) -> tuple[int, ...]:
    """Return the points as they stand before any count: stores, less what is owed, plus what is due."""
    value = board.rules.mandarin_value
    stores = zip(board.store_pebbles, board.store_mandarins, strict=True)
    result = [pebbles + value * mandarins for pebbles, mandarins in stores]  # rule book, decision 7
    for (debtor, creditor), owed in board.debts.items():
        result[debtor] -= owed  # rules 5: debts are repaid
        result[creditor] += owed  # rules 5: debts are repaid
    return tuple(result)


def count(board: Board) -> tuple[tuple[int, ...], list[Step]]:
    """Return the points of the count and its steps; the board stays as it is (rules 5)."""
    swept, shared = _sweep(board), _share(board)
    counted = tuple(map(sum, zip(points(board), swept, shared, strict=True)))  # rules 5
    steps: list[Step] = [("sweep", SIDES[side], taken) for side, taken in enumerate(swept) if taken]
    steps += [("share", SIDES[side], taken) for side, taken in enumerate(shared) if taken]
    steps += [("repay", SIDES[i], SIDES[j], owed) for (i, j), owed in sorted(board.debts.items())]
    return counted, steps


def outcome(board: Board, ending: str) -> Outcome:
    """Return the outcome if the game ends on this board for the reason given."""
    counted, _ = count(board)
    rivals = list(range(board.rules.sides))
    if ending == "loses":
        empty = (side for side in board.turn_order(board.turn) if board.row_is_empty(side))
        rivals.remove(next(empty))  # rules 4: that side has lost; rule book, decision 5
    most = max(counted[side] for side in rivals)
    winners = [SIDES[side] for side in rivals if counted[side] == most]  # rules 5: most points wins
    winner = winners[0] if len(winners) == 1 else None  # rules 5: equal most points is a draw
    return Outcome(winner, ending, counted)


def _sweep(board: Board) -> list[int]:
    """Return what each side gets from the rows."""
    rows = [sum(board.pebbles[square] for square in board.row(side)) for side in range(board.rules.sides)]
    if board.rules.row_leftovers == "split":
        return _split(board, sum(rows))  # rules 5: all rows together
    return rows  # rules 5: each side its own row


def _share(board: Board) -> list[int]:
    """Return what each side gets from the mandarin squares, in points."""
    squares = map(board.mandarin_square, range(board.rules.sides))
    value = board.rules.mandarin_value
    left = [board.pebbles[square] + value * board.mandarins[square] for square in squares]  # rules 5
    if board.rules.mandarin_leftovers == "split":
        return _split(board, sum(left))  # rules 5: evenly
    if board.rules.mandarin_leftovers == "adjacent":
        return left  # rules 5: square am to a
    return [0] * board.rules.sides  # rules 5: to nobody


def _split(board: Board, total: int) -> list[int]:
    """Split points evenly, the remainder one each in turn order from the side after the last mover."""
    each, remainder = divmod(total, board.rules.sides)  # rules 5
    favoured = board.turn_order(board.turn)[:remainder]  # rules 5; rule book, decision 6
    return [each + (1 if side in favoured else 0) for side in range(board.rules.sides)]
