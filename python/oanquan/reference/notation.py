"""Positions and moves as text (rules 9)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar, get_args

from oanquan.errors import NotationError
from oanquan.reference.board import Board, Ending
from oanquan.rules import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oanquan.rules import Rules

# rules 9; rule book, decision 13: at most ten digits, no leading zero.
NATURAL = re.compile(r"(0|[1-9][0-9]{0,9})(?![0-9])")
POSITIVE = re.compile(r"([1-9][0-9]{0,9})(?![0-9])")
INTEGER = re.compile(r"(0|-?[1-9][0-9]{0,9})(?![0-9])")

MOST_SHOWN = 500
"""Characters of a text that an error message shows: more than any position needs."""

Token = TypeVar("Token", bound=str)


class Move(NamedTuple):
    """A move: the side, the number of its square from 1 on, +1 for counter-clockwise or -1 for clockwise."""

    side: int
    number: int
    direction: int


def move_text(move: Move) -> str:
    """Return a move as text, such as a3+."""
    return f"{SIDES[move.side]}{move.number}{'+' if move.direction > 0 else '-'}"  # rules 9: move


def read_move(text: str, turn: int) -> Move:
    """Read a move; without a letter it is one of the side `turn`."""
    reader = _Reader(text)
    letters = "".join(SIDES)
    letter = reader.skip(letters + letters.upper())  # rules 9: upper case too
    number = reader.one_of("1234567", "a square from 1 to 7" if letter else "a square")
    sign = reader.one_of("+-", '"+" or "-"')
    reader.end()
    side = letters.index(letter.lower()) if letter else turn  # rules 9: side implied
    return Move(side, int(number), 1 if sign == "+" else -1)


def board_text(board: Board) -> str:
    """Return the text of a board: rows, stores, debts, side to move, ply and, if it is over, the ending."""
    counts = list(map(_count_text, board.pebbles, board.mandarins))
    length = board.rules.squares + 1
    rows = [counts[first : first + length] for first in range(0, board.rules.ring, length)]
    debts = [f"{SIDES[i]}>{SIDES[j]}:{owed}" for (i, j), owed in sorted(board.debts.items())]
    fields = [
        "/".join(".".join(row) for row in rows),
        "/".join(map(_count_text, board.store_pebbles, board.store_mandarins)),
        ",".join(debts) or "-",
        SIDES[board.turn],
        str(board.ply),
    ]  # rules 9: five fields
    if board.ending is not None:
        fields.append(board.ending)  # rules 9: the reason after the ply
    return " ".join(fields)


def read_board(text: str, rules: Rules) -> Board:
    """Read the text of a board. What it holds may still be no position: that is for `position_faults`."""
    reader = _Reader(text)
    counts = [count for side in range(rules.sides) for count in _read_row(reader, side, rules)]
    reader.one_of(" ")
    stores = []
    for side in range(rules.sides):
        if side:
            reader.one_of("/")
        stores.append(_read_count(reader, INTEGER))
    reader.one_of(" ")
    debts = _read_debts(reader, rules)
    reader.one_of(" ")
    turn = _read_side(reader, rules)
    reader.one_of(" ")
    ply = reader.number(NATURAL)
    ending: Ending | None = None
    if reader.skip(" "):
        ending = reader.one_of(get_args(Ending), "mandarins, short or loses")
    reader.end()
    pebbles, mandarins = map(list, zip(*counts, strict=True))
    store_pebbles, store_mandarins = map(list, zip(*stores, strict=True))
    return Board(rules, pebbles, mandarins, store_pebbles, store_mandarins, debts, turn, ply, ending)


def _count_text(pebbles: int, mandarins: int) -> str:
    return f"{pebbles}q{mandarins}" if mandarins else str(pebbles)  # rules 9: a count


def _read_count(reader: _Reader, kind: re.Pattern[str]) -> tuple[int, int]:
    """Read pebbles and, after a q, mandarins."""
    pebbles = reader.number(kind)
    return pebbles, reader.number(POSITIVE) if reader.skip("q") else 0  # rules 9: a count


def _read_row(reader: _Reader, side: int, rules: Rules) -> list[tuple[int, int]]:
    """Read the citizen squares of a side and its mandarin square."""
    if side:
        reader.one_of("/")
    counts = [_read_count(reader, NATURAL)]
    for _ in range(rules.squares):
        reader.one_of(".")
        counts.append(_read_count(reader, NATURAL))
    return counts


def _read_side(reader: _Reader, rules: Rules, but: int | None = None) -> int:
    """Read the letter of a side, other than the side `but`."""
    letters = [letter for side, letter in enumerate(SIDES[: rules.sides]) if side != but]
    return SIDES.index(reader.one_of(letters, f"side {' or '.join(letters)}"))


def _read_debts(reader: _Reader, rules: Rules) -> dict[tuple[int, int], int]:
    """Read who owes whom how much."""
    debts: dict[tuple[int, int], int] = {}
    if reader.skip("-"):
        return debts
    while True:
        start = reader.at
        debtor = _read_side(reader, rules)
        reader.one_of(">")
        creditor = _read_side(reader, rules, but=debtor)
        if debts and (debtor, creditor) <= max(debts):
            raise reader.error("a debt that comes after the one before it", start)  # rules 9: in that order
        reader.one_of(":")
        debts[debtor, creditor] = reader.number(POSITIVE)
        if not reader.skip(","):
            return debts


class _Reader:
    """A text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def error(self, what: str, at: int) -> NotationError:
        """Return the error that `what` was expected there."""
        got = json.dumps(self.text[at], ensure_ascii=False) if at < len(self.text) else "the end"
        column, skipped = at + 1, 0
        if len(self.text) > MOST_SHOWN:
            skipped = max(0, column - MOST_SHOWN // 2)  # a long text is shown around the column
        shown = json.dumps(self.text[skipped : skipped + MOST_SHOWN], ensure_ascii=False)
        before = "..." if skipped else ""
        after = "..." if len(self.text) > skipped + MOST_SHOWN else ""
        message = f"expected {what} at column {column}, got {got} in {before}{shown}{after}"
        return NotationError(message, column, self.text)

    def skip(self, tokens: Iterable[Token]) -> Token | None:
        """Read and return the one of the tokens that comes next; None if it is none of them."""
        for token in tokens:
            if self.text.startswith(token, self.at):
                self.at += len(token)
                return token
        return None

    def one_of(self, tokens: Iterable[Token], what: str = "") -> Token:
        """Read and return one of the tokens; a single one needs no description."""
        token = self.skip(tokens)
        if token is None:
            raise self.error(what or f'"{tokens}"', self.at)
        return token

    def number(self, kind: re.Pattern[str]) -> int:
        """Read a number of a kind."""
        match = kind.match(self.text, self.at)
        if match is None:
            raise self.error("a number above 0" if kind is POSITIVE else "a number", self.at)
        self.at = match.end()
        return int(match[0])

    def end(self) -> None:
        """Make sure that nothing is left."""
        if self.at < len(self.text):
            raise self.error("the end", self.at)
