"""`Game`: the moves played from a position on, and the limits that end play which goes round (rules 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.reference.ending import Outcome, outcome
from oanquan.reference.moves import find_move
from oanquan.reference.notation import move_text
from oanquan.reference.position import Position

if TYPE_CHECKING:
    from oanquan.rules import Rules


class Game:
    """A game from the start of some rules, or from a position.

    It ends with its position, when the same position stands for the `repetition`-th time, the start counted,
    or after `max_plies` moves of this game; None switches a limit off.

    >>> game = Game(max_plies=2)
    >>> game.push("a1+")
    >>> game.push("2-")
    >>> game.moves, game.outcome
    (('a1+', 'b2-'), Outcome(winner='b', ending='max_plies', points=(28, 30)))
    """

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        position: Position | None = None,
        max_plies: int | None = 1000,
        repetition: int | None = 3,
    ) -> None:
        if rules is not None and position is not None:
            raise TypeError("expected rules or a position, got both")
        self.max_plies = max_plies
        self.repetition = repetition
        self._positions = [position or Position.start(rules)]
        self._moves: list[str] = []

    @property
    def start(self) -> Position:
        """The position that the game began with."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves played."""
        return tuple(self._moves)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._ending() is not None

    @property
    def outcome(self) -> Outcome | None:
        """Winner, ending and points; None if the game is not over. A limit ends it by the count (rules 6)."""
        ending = self._ending()
        return None if ending is None else outcome(self.position.board, ending)

    def push(self, move: str | int) -> None:
        """Play a move; if it is illegal or the game over, raise `IllegalMoveError` and change nothing."""
        found = find_move(self.position.board, move, self._ending())
        self._positions.append(self.position.play(move))
        self._moves.append(move_text(found))

    def pop(self) -> str | None:
        """Take back the last move and return it; None if there is none."""
        if not self._moves:
            return None
        self._positions.pop()
        return self._moves.pop()

    def __len__(self) -> int:
        return len(self._moves)

    def _ending(self) -> str | None:
        """Return why the game is over; the position's own reason comes first (rule book, decision 11)."""
        if self.position.ending is not None:
            return self.position.ending
        if self.repetition is not None and self._positions.count(self.position) >= self.repetition:
            return "repetition"  # rules 6: the same position, stores and debts included
        if self.max_plies is not None and len(self._moves) >= self.max_plies:
            return "max_plies"  # rules 6
        return None
