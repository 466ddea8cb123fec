"""What is thought about a position while other threads run, and how it is ended."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from oanquan._core import Player
from oanquan.language import say

if TYPE_CHECKING:
    from oanquan._core import Move, Position
    from oanquan.analysis import Analysis


class Stop:
    """A word by which one thread ends what another is thinking about, or is going to: it holds for good.

    >>> from oanquan.play import Session, Stop
    >>> stop = Stop()
    >>> stop.now()
    >>> stop.is_said, Session(seats=("master", "human")).think(stop)
    (True, None)
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._said = False
        self._players: list[Player] = []

    @property
    def is_said(self) -> bool:
        """Whether it was said.

        >>> Stop().is_said
        False
        """
        return self._said

    def now(self) -> None:
        """End what is being thought about; from any thread.

        >>> stop = Stop()
        >>> stop.now()
        >>> stop.is_said
        True
        """
        with self._lock:
            self._said = True
            players = [*self._players]
        for player in players:
            player.stop()

    def choice(self, agent: str, position: Position, seed: int, ply: int) -> Move | None:
        """Return the move of an agent; `None` when it was stopped.

        >>> from oanquan import Position
        >>> Stop().choice("greedy", Position.start(), 7, 0) in Position.start().legal_moves
        True
        """
        player = Player(agent)
        with self._lock:
            if self._said:
                return None
            self._players.append(player)
        try:
            return player.choose(position, seed, 0, ply)
        finally:
            with self._lock:
                self._players.remove(player)


@dataclass(frozen=True)
class Hint:
    """A good move, what it is worth and how it goes on.

    >>> from oanquan.play import Session
    >>> hint = Session().hint(seconds=0.1)
    >>> hint.move == hint.moves[0], hint.lead == hint.analysis.score
    (True, True)
    """

    analysis: Analysis
    """What was found."""

    @property
    def move(self) -> Move:
        """The move.

        >>> from oanquan.play import Session
        >>> session = Session()
        >>> session.hint(seconds=0.1).move in session.position.legal_moves
        True
        """
        return self.analysis.best

    @property
    def moves(self) -> tuple[Move, ...]:
        """The line that it begins.

        >>> from oanquan.play import Session
        >>> len(Session().hint(seconds=0.1).moves) > 1
        True
        """
        return self.analysis.line

    @property
    def lead(self) -> float:
        """By how many points the side to move comes out ahead, below zero: behind, with best play.

        >>> from oanquan.play import Session
        >>> Session().hint(seconds=0.1).lead > 0
        True
        """
        return self.analysis.score

    def words(self, lang: str = "en", *, most: int = 6) -> str:
        """Return the hint as a sentence, with so many moves of its line at most.

        >>> from oanquan import Position, Rules
        >>> from oanquan.play import Session
        >>> end = Position.parse("1.0.0.0.0.0/0.0.1.0.0.0q1 30/38q1 - a 40", Rules.preset("short-game"))
        >>> print(Session(position=end).hint().words())
        a1+: side a loses by 30, proven. a1+ b3+
        >>> print(Session(position=end).hint().words("vi"))
        a1+: bên a chắc chắn thua 30 điểm. a1+ b3+
        """
        lead, side = self.lead, self.analysis.position.turn
        if self.analysis.settled:
            points, key = f"{abs(lead):.0f}", "surely"
        else:
            points, key = f"{abs(lead):.1f}", "probably"
        way = "level" if float(points) == 0 else "ahead" if lead > 0 else "behind"
        line = " ".join(map(str, self.moves[:most]))
        return say(f"play.hint_{way}_{key}", lang, side=side, move=self.move, points=points, line=line)
