"""The 64-bit key of a position: equal positions have equal keys, on every machine and in every version."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oanquan.reference.board import Board
    from oanquan.rules import Rules

WORD = 2**64
ENDINGS = {"mandarins": 1, "short": 2, "loses": 3}


def key(board: Board) -> int:
    """Return the key of a board: a mixed sum with one term for everything that can still matter.

    >>> from oanquan import Rules
    >>> from oanquan.reference import Board
    >>> key(Board.start(Rules())) == key(Board.start(Rules(), turn=1))
    False
    """
    sides = range(board.rules.sides)
    total = sum(pebbles * _constant(1, square) for square, pebbles in enumerate(board.pebbles))
    total += sum(_constant(2, side) for side in sides if board.mandarins[board.mandarin_square(side)])
    total += sum(board.store_pebbles[side] * _constant(3, side) for side in sides)
    total += sum(board.store_mandarins[side] * _constant(4, side) for side in sides)
    total += sum(owed * _constant(5, 4 * i + j) for (i, j), owed in board.debts.items())
    total += _constant(6, board.turn)
    if board.ending is not None:
        total += _constant(7, ENDINGS[board.ending])
    if board.ban_in_force():
        total += _constant(8, board.ply)  # rules 9: the ply only while mandarin_ban is in force
    return mix(total + _rules_sum(board.rules))


def mix(word: int) -> int:
    """Return a word scrambled by the finaliser of SplitMix64.

    >>> hex(mix(0))
    '0xe220a8397b1dcdaf'
    """
    word = (word + 0x9E3779B97F4A7C15) % WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


def fnv1a64(text: str) -> int:
    """Return the FNV-1a hash of a text.

    >>> hex(fnv1a64("a"))
    '0xaf63dc4c8601ec8c'
    """
    word = 0xCBF29CE484222325
    for byte in text.encode():
        word = (word ^ byte) * 0x100000001B3 % WORD
    return word


def _constant(kind: int, index: int) -> int:
    return mix(kind * 2**32 + index) | 1


def _rules_sum(rules: Rules) -> int:
    """Return the term of the rules: one part for each knob that differs from the default."""
    texts = dict(rules.pairs())
    return sum(mix(fnv1a64(f"{name}={texts[name]}")) for name in rules.differences())
