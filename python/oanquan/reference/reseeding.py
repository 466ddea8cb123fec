"""Re-seeding an empty row, and where the pebbles for it come from (rules 3.6 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.rules import SIDES

if TYPE_CHECKING:
    from oanquan.reference.board import Board, Ending, Step

MOST_PEBBLES = 255
"""Pebbles that may stand on the board."""


def sides_to_reseed(board: Board) -> list[int]:
    """Return the sides that must re-seed now, in order, once the turn has passed to the side to move."""
    when_empty = board.rules.reseed_when == "when_empty"
    asked = board.turn_order(board.turn) if when_empty else [board.turn]  # rules 3.6; rule book, decision 3
    return [side for side in asked if board.row_is_empty(side)]  # rules 3.6: all its citizen squares


def reseed(board: Board, side: int, steps: list[Step]) -> Ending | None:
    """Put one pebble in each square of an empty row; return the ending if that cannot be done."""
    wanted, owned = board.rules.squares, _owned(board, side)
    shortfall = board.rules.shortfall
    placed = min(wanted, owned) if shortfall == "partial" else wanted  # rules 4: partial
    if sum(board.pebbles) + placed > MOST_PEBBLES:
        return "short"  # rule book, decision 3
    if owned < wanted:
        if shortfall == "loses":
            return "loses"  # rules 4: loses
        if shortfall == "count" or placed == 0:
            return "short"  # rules 4: count; partial with none at all
        if shortfall == "borrow" and not _borrow(board, side, wanted - owned, steps):
            return "short"  # rules 4: borrow, all of them together have too few
    board.store_pebbles[side] -= placed  # rules 4: under owe and points it may go below zero
    for square in board.row(side)[:placed]:  # rules 4: from its first square on
        board.pebbles[square] = 1  # rules 3.6: one pebble in each
    steps.append(("reseed", SIDES[side], placed))
    return None


def _owned(board: Board, side: int) -> int:
    """Return the pebbles that a side can put down or lend."""
    owned = board.store_pebbles[side]  # rules 4: its store of pebbles
    if board.rules.reseed_from == "points":
        owned += board.rules.mandarin_value * board.store_mandarins[side]  # rules 4: its points
    return max(0, owned)  # rule book, decision 2


def _borrow(board: Board, side: int, missing: int, steps: list[Step]) -> bool:
    """Take the missing pebbles from the others on loan; do nothing if all of them have too few."""
    lenders = board.turn_order(side)[1:]  # rules 4: next side round the ring first
    if sum(_owned(board, lender) for lender in lenders) < missing:
        return False  # rules 4; rule book, decision 3: no loan stands
    for lender in lenders:
        loan = min(_owned(board, lender), missing)  # rules 4: each as many as it has
        if loan == 0:
            continue
        missing -= loan
        board.store_pebbles[lender] -= loan
        board.store_pebbles[side] += loan
        board.debts[side, lender] = board.debts.get((side, lender), 0) + loan  # rules 4: written down
        steps.append(("borrow", SIDES[side], SIDES[lender], loan))
    return True
