"""Games move by move, between players of which one at least is no agent of the core."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan._core import Game
from oanquan.tournaments.games import TIME_FORFEIT, Played, PlayedPair
from oanquan.tournaments.seats import Forfeit, Turn

if TYPE_CHECKING:
    from typing import SupportsIndex

    from oanquan._core import Move, Position
    from oanquan.engine import Limit
    from oanquan.tournaments.seats import Seat


@dataclass(frozen=True)
class Conditions:
    """What is the same for all games of a tournament."""

    start: Position
    opening_plies: int
    seed: int
    limits: tuple[int | None, int | None]
    limit: Limit | None
    margin: float
    timeout: float

    def opening(self, pair: int) -> tuple[Move, ...]:
        """The drawn moves of a pair.

        >>> from oanquan import Position
        >>> len(Conditions(Position.start(), 4, 0, (1000, 3), None, 0.1, 10).opening(3))
        4
        """
        return _core.match_opening(self.start, self.opening_plies, self.seed, pair)


@dataclass(frozen=True)
class Refereed:
    """A pair that was played, and for each player whether its program failed in the last game that it began, or not."""

    pair: PlayedPair
    failed: tuple[list[str | None], list[str | None]]


def play_pair(conditions: Conditions, seats: tuple[Seat, Seat], pair: int) -> Refereed:
    """Play the two games of a pair.

    >>> from oanquan import Position
    >>> from oanquan.tournaments.seats import AgentSeat
    >>> conditions = Conditions(Position.start(), 4, 0, (1000, 3), None, 0.1, 10)
    >>> played = play_pair(conditions, (AgentSeat("greedy", 0), AgentSeat("random", 0)), 3)
    >>> pairs, *_ = _core.play_match(Position.start(), ["greedy", "random"], 4, 4, 0, 1, 1000, 3, None, None)
    >>> tuple(game.moves for game in played.pair.games) == tuple(" ".join(map(str, m)) for m, _ in pairs.pair(3)[1:])
    True
    """
    opening = conditions.opening(pair)
    failed: tuple[list[str | None], list[str | None]] = ([], [])
    one, first = _Board(conditions, seats, 2 * pair).play(opening)
    other, second = _Board(conditions, seats[::-1], 2 * pair + 1).play(opening)
    for place in range(2):
        failed[place].extend((first[place], second[1 - place]))
    plies = min(len(opening), len(one.moves.split()))  # a limit of plies may have ended both within the opening
    return Refereed(PlayedPair(plies, (one, other)), failed)


class _Board:
    """One game."""

    def __init__(self, conditions: Conditions, seats: tuple[Seat, Seat], number: int) -> None:
        max_plies, repetition = conditions.limits
        self._game = Game(position=conditions.start, max_plies=max_plies, repetition=repetition)
        self._margin = conditions.margin
        self._seats = seats
        self._number = number
        both = [seat.limit for seat in seats]
        self._clocks = [
            None if limit is None or limit.clocks is None else limit.clocks[k] for k, limit in enumerate(both)
        ]

    def play(self, opening: tuple[Move, ...]) -> tuple[Played, list[str | None]]:
        """The game, and what failed of the program of side a and that of side b."""
        game = self._game
        for move in opening:
            if not game.is_over:
                game.push(move)
        failed: list[str | None] = [None, None]
        side = 0
        try:
            for side, seat in enumerate(self._seats):  # noqa: B007 (the loser, should it fail)
                seat.begin()
            while not game.is_over:
                side = "ab".index(game.position.turn)
                game.push(self._choose(side))
        except Forfeit as forfeit:
            if forfeit.failed:
                failed[side] = forfeit.fault
            return Played.forfeited(game, "ab"[side], forfeit.ending, forfeit.fault), failed
        disputes = tuple(dispute for seat in self._seats for dispute in seat.disputes(game))
        return Played.finished(game, disputes), failed

    def _choose(self, side: int) -> Move | str | SupportsIndex:
        """Ask a side, with its clock running."""
        seat, left = self._seats[side], self._clocks[side]
        if left is None:
            return seat.choose(Turn(self._game, self._number, None))
        other = self._clocks[1 - side]
        shown = (left, left if other is None else other)
        begun = perf_counter()
        move = seat.choose(Turn(self._game, self._number, shown if side == 0 else shown[::-1]))
        left -= perf_counter() - begun
        if left < -self._margin:
            raise Forfeit(TIME_FORFEIT, f"its clock ran out {-left:.3f} s before it moved")
        increments = None if seat.limit is None else seat.limit.increments
        self._clocks[side] = max(left, 0.001) + (0.0 if increments is None else increments[side])
        return move
