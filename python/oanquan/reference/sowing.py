"""Laps and captures: what one move does before the turn passes on (rules 3.2 to 3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.reference.ending import mandarins_are_over

if TYPE_CHECKING:
    from oanquan.reference.board import Board, Step

MAX_LAPS = 1000
"""Laps in one turn; where `mandarin_next` is not `stop` a turn might otherwise go round for ever."""


def sow(board: Board, square: int, direction: int, steps: list[Step]) -> None:
    """Play laps from a square and the captures after them, up to the stop of the move."""
    steps.append(("stop", _laps(board, square, direction, steps)))


def _laps(board: Board, square: int, direction: int, steps: list[Step]) -> str:
    """Play laps, and the captures after the last; return why the move stops."""
    hand = board.pebbles[square]  # rules 3.2: all its pebbles
    for _ in range(MAX_LAPS):
        last = _lap(board, square, hand, direction, steps)
        square = board.following(last, direction)  # rules 3.3: look at the next square
        hand = _hand_from(board, square)
        if hand == 0:
            return _after_laps(board, square, direction, steps)
    return "lap_limit"  # rule book, decision 8


def _lap(board: Board, square: int, hand: int, direction: int, steps: list[Step]) -> int:
    """Lift a hand of pebbles and drop them one by one; return the square of the last drop."""
    board.pebbles[square] -= hand  # rules 3.2: lift
    steps.append(("lift", board.name(square), hand))
    for _ in range(hand):
        square = board.following(square, direction)  # rules 3.2: no square is skipped
        board.pebbles[square] += 1  # rules 3.2: drop one
        steps.append(("drop", board.name(square)))
    return square


def _hand_from(board: Board, square: int) -> int:
    """Return how many pebbles are lifted for the next lap from the square after the last one; 0 is no lap."""
    pebbles = board.pebbles[square]
    if not board.is_mandarin_square(square):
        return pebbles  # rules 3.3: relay
    if board.rules.mandarin_next == "lift_one":
        return min(1, pebbles)  # rules 3.3: one of them; a lone mandarin ends the move
    if board.rules.mandarin_next == "relay_when_bare" and not board.mandarins[square]:
        return pebbles  # rules 3.3: relay without a mandarin
    return 0  # rules 3.3: stop


def _after_laps(board: Board, square: int, direction: int, steps: list[Step]) -> str:
    """Capture if the square after the last lap is a gap; return why the move stops."""
    if not board.is_empty(square):
        return "mandarin_square"  # rules 3.3: a mandarin square, not empty
    if board.is_mandarin_square(square) and board.rules.empty_mandarin_after_sowing == "stop":
        return "empty_mandarin_square"  # rules 3.3
    return _captures(board, square, direction, steps)  # rules 3.3: a gap


def _captures(board: Board, gap: int, direction: int, steps: list[Step]) -> str:
    """Capture over the gap and over the gaps after it; return why the move stops."""
    rules = board.rules
    while True:
        square = board.following(gap, direction)  # rules 3.4: the square after the gap
        if board.is_empty(square):
            return "two_empty_squares"  # rules 3.4
        if board.mandarins[square] and board.pebbles[square] < rules.immature_below:
            return "immature_mandarin"  # rules 3.4
        _capture(board, square, steps)
        if rules.end_check == "at_once" and mandarins_are_over(board):
            return "game_over"  # rules 3.5
        if not rules.capture_chain:
            return "capture_chain_off"  # rules 3.4
        gap = board.following(square, direction)  # rules 3.4: the square after the captured one
        if not board.is_empty(gap):
            return "no_gap"  # rules 3.4: anything else ends the move
        if board.is_mandarin_square(gap) and rules.empty_mandarin_in_chain == "stop":
            return "empty_mandarin_square"  # rules 3.4


def _capture(board: Board, square: int, steps: list[Step]) -> None:
    """Take all that stands in a square into the store of the side to move."""
    pebbles, mandarins = board.pebbles[square], board.mandarins[square]
    board.store_pebbles[board.turn] += pebbles  # rules 3.4: take all of it
    board.store_mandarins[board.turn] += mandarins  # rules 3.4: take all of it
    board.pebbles[square] = board.mandarins[square] = 0
    steps.append(("capture", board.name(square), pebbles, mandarins))
