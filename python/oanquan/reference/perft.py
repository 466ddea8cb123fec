"""Perft: the number of move sequences of a length, the usual check of a move generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from oanquan.reference.position import Position


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` moves; a game that is over earlier adds nothing.

    >>> from oanquan.reference import Position
    >>> [perft(Position.start(), depth) for depth in range(4)]
    [1, 10, 80, 664]
    """
    if depth < 0:
        raise OanquanError(f"depth: expected 0 or more, got {depth}")
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves)


def divide(position: Position, depth: int) -> dict[str, int]:
    """Return the perft of depth `depth - 1` after each legal move, for a depth from 1 on.

    >>> from oanquan.reference import Position
    >>> sum(divide(Position.start(), 2).values())
    80
    """
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves}
