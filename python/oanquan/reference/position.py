"""`Position`: a board at a decision, or over; a value that never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.errors import PositionError
from oanquan.reference.board import Board, Debt, Ending, Step, Store
from oanquan.reference.ending import Outcome, count, outcome, points
from oanquan.reference.faults import position_faults
from oanquan.reference.key import key
from oanquan.reference.moves import find_move, legal_moves, play
from oanquan.reference.notation import board_text, move_text, read_board
from oanquan.rules import SIDES, Rules, Side

if TYPE_CHECKING:
    from typing import Self


class Position:
    """What stands on the board and in the stores, who owes whom, whose turn it is.

    Made by `start`, `parse` and `from_board`, which check it, and by `play`.

    >>> position = Position.start(Rules.preset("tonkin"))
    >>> position.legal_moves
    ('a1+', 'a2+', 'a3+', 'a4+', 'a5+')
    >>> print(position.play("a3+"))
    6.6.0.0.6.11/6.6.0.6.6.11 6/0 - b 1
    """

    def __init__(self, board: Board) -> None:
        self._board = board

    @classmethod
    def start(cls, rules: Rules | None = None, first: Side = "a") -> Self:
        """Return the position at the start (rules 2).

        >>> print(Position.start(Rules(squares=3), first="b"))
        5.5.5.0q1/5.5.5.0q1 0/0 - b 0
        """
        return cls.from_board(Board.start(rules or Rules(), SIDES.index(first)))

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Self:
        """Read a position (rules 9).

        Raises `NotationError` for a text that cannot be read, `PositionError` for a board that cannot be.

        >>> Position.parse("0.0.0.0.0.0/0.0.0.0.0.0 30/40 - a 20 mandarins").outcome
        Outcome(winner='b', ending='mandarins', points=(30, 40))
        """
        return cls.from_board(read_board(text, rules or Rules()))

    @classmethod
    def from_board(cls, board: Board) -> Self:
        """Return the position that a board shows, or raise `PositionError`, naming every fault.

        >>> board = Position.start().board
        >>> board.pebbles[0] = 250
        >>> Position.from_board(board)
        Traceback (most recent call last):
        ...
        oanquan.errors.PositionError: board: expected at most 255 pebbles in all, got 295
        """
        faults = position_faults(board)
        if faults:
            raise PositionError("; ".join(faults), faults)
        return cls(board.copy())

    @property
    def board(self) -> Board:
        """A copy of the board, free to change."""
        return self._board.copy()

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self._board.rules

    @property
    def pebbles(self) -> tuple[int, ...]:
        """The pebbles in each square, in the order of the ring."""
        return tuple(self._board.pebbles)

    @property
    def mandarins(self) -> tuple[int, ...]:
        """The mandarins in each square, in the order of the ring."""
        return tuple(self._board.mandarins)

    @property
    def stores(self) -> tuple[Store, ...]:
        """What each side has captured."""
        return tuple(map(Store, self._board.store_pebbles, self._board.store_mandarins))

    @property
    def debts(self) -> tuple[Debt, ...]:
        """Who owes whom how much, in order."""
        return tuple(Debt(SIDES[i], SIDES[j], owed) for (i, j), owed in sorted(self._board.debts.items()))

    @property
    def turn(self) -> Side:
        """The side to move; in a finished position the side that would be next."""
        return SIDES[self._board.turn]

    @property
    def ply(self) -> int:
        """Moves played since the start."""
        return self._board.ply

    @property
    def ending(self) -> Ending | None:
        """Why the position is over; None if it is not."""
        return self._board.ending

    @property
    def is_over(self) -> bool:
        """Whether the game has ended here."""
        return self._board.ending is not None

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each side: stores and debts; of a finished position those of the count.

        >>> Position.parse("0.4.2.1.0.0q1/0.0.0.5.1.2q1 20/17 b>a:2 a 9").points
        (22, 15)
        """
        return self.counted if self.is_over else points(self._board)  # rule book, decision 7

    @property
    def counted(self) -> tuple[int, ...]:
        """The points of each side if the game were counted here (rules 5).

        >>> Position.parse("0.4.2.1.0.0q1/0.0.0.5.1.2q1 20/17 b>a:2 a 9").counted
        (29, 21)
        """
        return count(self._board)[0]

    @property
    def outcome(self) -> Outcome | None:
        """Winner, ending and points; None if the position is not over."""
        return None if self._board.ending is None else outcome(self._board, self._board.ending)

    @property
    def key(self) -> int:
        """A 64-bit key: equal for equal positions."""
        return key(self._board)

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves in the order of their action numbers; none if the position is over."""
        return tuple(map(move_text, legal_moves(self._board)))

    def play(self, move: str | int) -> Position:
        """Return the position after a move, given as text or as an action number.

        >>> Position.start().play("a1+").play("b2-").points
        (6, 11)
        >>> Position.start().play("b2-")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        oanquan.errors.IllegalMoveError: illegal move b2-: it is side a's turn (position ...
        """
        board = self.board
        play(board, find_move(board, move, board.ending))
        return Position(board)

    def trace(self, move: str | int) -> list[Step]:
        """Return the steps of a move in the order in which they happen.

        >>> Position.parse("0.0.0.1.0.0/3.0.2.0.0.0q1 0/44q1 - a 0").trace("a4+")
        [('lift', 'a4', 1), ('drop', 'a5'), ('stop', 'empty_mandarin_square')]
        """
        board = self.board
        return play(board, find_move(board, move, board.ending))

    def __eq__(self, other: object) -> bool:
        return self._matters() == other._matters() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._matters())

    def __str__(self) -> str:
        return board_text(self._board)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r}, {self.rules!r})"

    def _matters(self) -> tuple[object, ...]:
        """Return all that decides the future (rules 9): the ply only while `mandarin_ban` is in force."""
        ply = self.ply if self._board.ban_in_force() else None
        return self.rules, self.pebbles, self.mandarins, self.stores, self.debts, self.turn, self.ending, ply
