"""What keeps a board from being a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.reference.ending import mandarins_are_over
from oanquan.reference.reseeding import MOST_PEBBLES, reseed, sides_to_reseed
from oanquan.rules import SIDES

if TYPE_CHECKING:
    from oanquan.reference.board import Board, Ending

MOST_STORED = 100_000_000
"""Pebbles in a store, or owed."""

MOST_PLIES = 1_000_000_000
"""Plies that a position may have behind it."""


def position_faults(board: Board) -> tuple[str, ...]:
    """Return every fault of a board, as `PositionError` reports them; none for a position."""
    faults = [*_square_faults(board), *_store_faults(board), *_debt_faults(board)]
    if board.turn not in range(board.rules.sides):
        choice = ", ".join(SIDES[: board.rules.sides])
        faults.append(f'turn: expected one of {choice}, got "{SIDES[board.turn]}"')
    if board.ply not in range(MOST_PLIES + 1):
        faults.append(f"ply: expected 0 to {MOST_PLIES}, got {board.ply}")
    return tuple(faults or _ending_faults(board))


def _square_faults(board: Board) -> list[str]:
    stone = int(board.rules.mandarin == "stone")
    faults = []
    for square, (pebbles, mandarins) in enumerate(zip(board.pebbles, board.mandarins, strict=True)):
        name = board.name(square)
        if pebbles not in range(MOST_PEBBLES + 1):
            faults.append(f"square {name}: expected 0 to {MOST_PEBBLES} pebbles, got {pebbles}")
        if board.is_mandarin_square(square):
            if mandarins not in range(stone + 1):
                faults.append(f"square {name}: expected 0 to {stone} mandarins, got {mandarins}")
        elif mandarins:
            faults.append(f"square {name}: only a mandarin square can hold a mandarin, got {mandarins}")
    total = sum(board.pebbles)
    if total > MOST_PEBBLES:
        faults.append(f"board: expected at most {MOST_PEBBLES} pebbles in all, got {total}")
    return faults


def _store_faults(board: Board) -> list[str]:
    rules = board.rules
    stones = rules.sides if rules.mandarin == "stone" else 0
    faults = []
    for side, (pebbles, mandarins) in enumerate(zip(board.store_pebbles, board.store_mandarins, strict=True)):
        least = 0
        if rules.shortfall == "owe":
            least = -MOST_STORED  # rules 4: owe, the store goes below zero
        elif rules.reseed_from == "points":
            least = -rules.mandarin_value * mandarins  # rules 4: points, a mandarin counts as pebbles
        if pebbles not in range(least, MOST_STORED + 1):
            faults.append(f"store of {SIDES[side]}: expected {least} to {MOST_STORED} pebbles, got {pebbles}")
        if mandarins not in range(stones + 1):
            faults.append(f"store of {SIDES[side]}: expected 0 to {stones} mandarins, got {mandarins}")
    total = sum(board.mandarins) + sum(board.store_mandarins)
    if total > stones:
        faults.append(f"mandarins: expected at most {stones} in all, got {total}")
    return faults


def _debt_faults(board: Board) -> list[str]:
    if board.debts and board.rules.shortfall != "borrow":
        return ["debts: expected none unless shortfall is borrow"]
    faults = []
    for (debtor, creditor), owed in sorted(board.debts.items()):
        debt = f"debt {SIDES[debtor]}>{SIDES[creditor]}"
        if debtor == creditor:
            faults.append(f"{debt}: a side cannot owe itself")
        elif owed not in range(1, MOST_STORED + 1):
            faults.append(f"{debt}: expected 1 to {MOST_STORED} pebbles, got {owed}")
    return faults


def _ending_faults(board: Board) -> list[str]:
    """Return the faults of an ending that does not follow from the board."""
    ending = _natural_ending(board)
    if board.ending != ending:
        return [f"ending: expected {ending or 'none'}, got {board.ending or 'none'}"]
    if ending is not None:
        return []
    return [
        f"row of {SIDES[side]}: expected a pebble (re-seeding belongs to the change of turn)"
        for side in sides_to_reseed(board)
    ]


def _natural_ending(board: Board) -> Ending | None:
    """Return the ending that the board itself calls for."""
    if mandarins_are_over(board):
        return "mandarins"  # rules 3.5
    empty = sides_to_reseed(board)
    return reseed(board.copy(), empty[0], []) if empty else None  # rules 4
