"""The board: a ring of squares, the stores and the debts. Nothing here moves a pebble."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from oanquan.rules import SIDES, Side

if TYPE_CHECKING:
    from oanquan.rules import Rules

Ending: TypeAlias = Literal["mandarins", "short", "loses"]
"""Why a position is over: by its mandarins, or for want of pebbles to re-seed, to be counted or lost."""

Step: TypeAlias = tuple[str | int, ...]
"""One step of a move: its kind, then what belongs to it, such as `("drop", "a4")`."""


class Store(NamedTuple):
    """What a side has captured."""

    pebbles: int
    mandarins: int


class Debt(NamedTuple):
    """Pebbles that one side owes another."""

    debtor: Side
    creditor: Side
    pebbles: int


@dataclass
class Board:
    """Everything on the table, free to change: a set-up, or a position while a move is played on it.

    Squares are counted round the ring (a1 is 0), sides from 0. `debts` maps (debtor, creditor) to pebbles.

    >>> from oanquan import Rules
    >>> board = Board.start(Rules(squares=3))
    >>> board.pebbles, board.mandarins
    ([5, 5, 5, 0, 5, 5, 5, 0], [0, 0, 0, 1, 0, 0, 0, 1])
    >>> board.name(4)
    'b1'
    """

    rules: Rules
    pebbles: list[int]
    mandarins: list[int]
    store_pebbles: list[int]
    store_mandarins: list[int]
    debts: dict[tuple[int, int], int]
    turn: int = 0
    ply: int = 0
    ending: Ending | None = None

    @classmethod
    def start(cls, rules: Rules, turn: int = 0) -> Board:
        """Return the board at the start (rules 2)."""
        stone = rules.mandarin == "stone"
        row = [rules.pebbles] * rules.squares + [0 if stone else rules.mandarin_value]  # rules 2
        return cls(
            rules=rules,
            pebbles=row * rules.sides,
            mandarins=([0] * rules.squares + [1 if stone else 0]) * rules.sides,  # rules 2
            store_pebbles=[0] * rules.sides,
            store_mandarins=[0] * rules.sides,
            debts={},
            turn=turn,
        )

    def copy(self) -> Board:
        """Return a board of its own that holds the same."""
        return replace(
            self,
            pebbles=list(self.pebbles),
            mandarins=list(self.mandarins),
            store_pebbles=list(self.store_pebbles),
            store_mandarins=list(self.store_mandarins),
            debts=dict(self.debts),
        )

    def row(self, side: int) -> range:
        """Return the citizen squares of a side."""
        first = side * (self.rules.squares + 1)  # rule book, decision 1
        return range(first, first + self.rules.squares)

    def mandarin_square(self, side: int) -> int:
        """Return the mandarin square that follows the row of a side."""
        return self.row(side).stop  # rules 2

    def is_mandarin_square(self, square: int) -> bool:
        """Tell a mandarin square from a citizen square."""
        return square % (self.rules.squares + 1) == self.rules.squares  # rule book, decision 1

    def name(self, square: int) -> str:
        """Return a square as text, such as a3 or am."""
        side, offset = divmod(square, self.rules.squares + 1)
        return SIDES[side] + ("m" if self.is_mandarin_square(square) else str(offset + 1))

    def following(self, square: int, direction: int) -> int:
        """Return the next square, counter-clockwise (+1) or clockwise (-1)."""
        return (square + direction) % self.rules.ring  # rules 2: up the ring is counter-clockwise

    def is_empty(self, square: int) -> bool:
        """Tell whether a square holds neither pebble nor mandarin."""
        return not (self.pebbles[square] or self.mandarins[square])  # rules 2: a lone mandarin is not empty

    def row_is_empty(self, side: int) -> bool:
        """Tell whether all citizen squares of a side are empty."""
        return all(self.is_empty(square) for square in self.row(side))

    def turn_order(self, first: int) -> list[int]:
        """Return all sides in the order of their turns, beginning with `first`."""
        return [(first + step) % self.rules.sides for step in range(self.rules.sides)]  # rules 3.6

    def ban_in_force(self) -> bool:
        """Tell whether `mandarin_ban` forbids moves that take a mandarin, now."""
        return self.ending is None and self.ply < self.rules.mandarin_ban  # rule book, decision 9
