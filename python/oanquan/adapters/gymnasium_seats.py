"""A learner's seat at a game: which side it is, who sits opposite, what it sees and is told.

What `OanquanEnv` and `OanquanVectorEnv` share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias, get_args

import numpy as np
from gymnasium.spaces import Box, Discrete

from oanquan._core import Game, Move, Position, agent_name
from oanquan.adapters.shared import observation_space, one_of, shown_text, start_position
from oanquan.batch import Batch
from oanquan.checks import MOST_LIMIT, within_or_off
from oanquan.errors import OanquanError
from oanquan.rules import SEATS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oanquan._core import Outcome
    from oanquan.rules import Rules

Opponent: TypeAlias = str | Callable[[tuple[Position, ...]], Iterable[Move | str | SupportsIndex]]
Reward: TypeAlias = Literal["points", "result"]
Illegal: TypeAlias = Literal["forfeit", "error"]

# So many games in a row may be over before the learner's first turn.
MOST_SKIPPED = 100

_STEP = 0x9E3779B97F4A7C15
# The draw of a game that says which side the learner is: that of a ply that no move draws at.
_TO_PLY_OF_SIDE = np.uint64((2**32 - 1) * _STEP % 2**64)


@dataclass(frozen=True)
class Seat:
    """How the games of a learner are played. `seat_of` checks what it is made of.

    >>> seat = seat_of(None, None, side="b")
    >>> seat.start == Position.start(), seat.side, seat.reward
    (True, 'b', 'points')
    """

    start: Position
    side: str
    reward: Reward
    illegal: Illegal
    max_plies: int | None
    repetition: int | None

    @property
    def sides(self) -> int:
        """How many sides play.

        >>> seat_of("three-players", None).sides
        3
        """
        return self.start.rules.sides

    @cached_property
    def all_points(self) -> int:
        """The points that there are on the board and in the stores.

        >>> seat_of(None, None).all_points
        70
        """
        board = sum(self.start.pebbles) + self.start.rules.mandarin_value * sum(self.start.mandarins)
        return board + sum(self.start.points)

    @cached_property
    def views(self) -> NDArray[np.intp]:
        """Where the learner's numbers are in the view of the side to move, by how many seats that comes after it.

        >>> seat_of("squares=1", None).views[1].tolist()
        [2, 3, 0, 1, 5, 4, 7, 6, 9, 8, 11, 10, 12]
        """
        names = self.start.rules.observation_names
        places = {name: place for place, name in enumerate(names)}

        def seen(name: str, distance: int) -> str:
            def moved(found: re.Match[str]) -> str:
                return SEATS[(SEATS.index(found[0]) - distance) % self.sides]

            return re.sub(rf"\b({'|'.join(SEATS)})\b", moved, name)

        return np.array([[places[seen(name, distance)] for name in names] for distance in range(self.sides)])

    def batch(self, n: int) -> Batch:
        """Return so many games.

        >>> len(seat_of(None, None).batch(3))
        3
        """
        return Batch(
            n,
            position=self.start,
            reward="result",
            autoreset="disabled",
            max_plies=self.max_plies,
            repetition=self.repetition,
        )

    @property
    def spaces(self) -> tuple[Box, Discrete]:
        """The space of observations and that of actions.

        >>> observations, actions = seat_of(None, None).spaces
        >>> observations.shape, actions
        ((21,), Discrete(10))
        """
        return observation_space(self.start.rules), Discrete(2 * self.start.rules.squares)

    def sides_of(self, seeds: NDArray[np.uint64], numbers: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Return which side the learner is in the games of these seeds and numbers.

        >>> numbers = np.arange(4, dtype=np.uint64)
        >>> seat_of(None, None, side="alternate").sides_of(numbers, numbers).tolist()
        [0, 1, 0, 1]
        """
        if self.side == "alternate":
            return (numbers % np.uint64(self.sides)).astype(np.uint8)
        if self.side == "random":
            draws = _mix(_mix(_mix(seeds) + numbers) + _TO_PLY_OF_SIDE)
            return ((draws >> np.uint64(32)) * np.uint64(self.sides) >> np.uint64(32)).astype(np.uint8)
        return np.full(len(numbers), "abcd".index(self.side), np.uint8)

    def leads(self, points: NDArray[np.int32], sides: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return by how many points these sides are ahead of each other side, summed.

        >>> seat_of(None, None).leads(np.array([[6, 0]], np.int32), np.array([1], np.uint8)).tolist()
        [-6]
        """
        own = points[np.arange(len(points)), sides].astype(np.int64)
        leads: NDArray[np.int64] = self.sides * own - points.sum(axis=1, dtype=np.int64)
        return leads

    @staticmethod
    def result(position: Position, side: int) -> float:
        """Return 1 if that side has won the game that ended so, by the rules or a limit, -1 if another has, else 0.

        >>> Seat.result(Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins"), 0)
        1.0
        """
        outcome = position.outcome or Game(position=position, max_plies=0).outcome
        winner = None if outcome is None else outcome.winner
        return 0.0 if winner is None else 1.0 if winner == "abcd"[side] else -1.0

    def frames(self, batch: Batch, render_mode: str | None) -> tuple[Any, ...] | None:
        """Return each game as that mode shows it, with how it came out; `None` where nothing is returned.

        Where both limits end a game in one move the limit of plies is named.

        >>> seat = seat_of(None, None)
        >>> print(seat.frames(seat.batch(2), "ansi")[1].splitlines()[-2])
        turn    side a, ply 0
        """
        if render_mode == "ansi":
            show: Callable[..., Any] = shown_text
        elif render_mode == "rgb_array":
            from oanquan.adapters.picture import rgb_array as show  # noqa: PLC0415 (needs Pillow)
        else:
            return None
        games = zip(batch.positions(), batch.plies, batch.truncated.tolist(), strict=True)
        return tuple(
            show(position, outcome=self._outcome(position, plies) if limited else None)
            for position, plies, limited in games
        )

    def _outcome(self, position: Position, plies: int) -> Outcome | None:
        """How a game came out that a limit ended after so many plies."""
        long = plies == self.max_plies
        return Game(position=position, max_plies=0 if long else None, repetition=None if long else 1).outcome


def seat_of(
    rules: Rules | str | None,
    position: Position | str | None,
    *,
    side: str = "a",
    reward: str = "points",
    illegal: str = "forfeit",
    max_plies: int | None = 1000,
    repetition: int | None = 3,
) -> Seat:
    """Return the seat that these arguments of an environment describe.

    >>> seat_of("quan-non", None).start.rules.immature_below
    5
    >>> seat_of(None, None, side="c")
    Traceback (most recent call last):
    oanquan.errors.OanquanError: side: expected 'a', 'b', 'alternate' or 'random', got 'c'
    """
    start = start_position(rules, position)
    return Seat(
        start,
        one_of("side", side, (*"abcd"[: start.rules.sides], "alternate", "random")),
        one_of("reward", reward, get_args(Reward)),
        one_of("illegal", illegal, get_args(Illegal)),
        within_or_off("max_plies", max_plies, 1, MOST_LIMIT),
        within_or_off("repetition", repetition, 2, MOST_LIMIT),
    )


def opponent_of(opponent: Any) -> Opponent:
    """Return an opponent: the text of an agent in its one form, or a callable.

    >>> opponent_of("mcts:simulations=0050")
    'mcts:simulations=50'
    """
    if isinstance(opponent, str):
        return agent_name(opponent)
    if not callable(opponent):
        raise TypeError(f"opponent: expected the text of an agent or a callable, got {type(opponent).__name__}")
    return opponent  # type: ignore[no-any-return]


def answers(opponent: Opponent, batch: Batch, waiting: NDArray[np.bool_], threads: int | None = 1) -> Any:
    """Return the actions of the opponent in the games that wait for it, as a buffer of whole numbers.

    >>> answers(lambda positions: ["3+"] * len(positions), Batch(2), np.array([False, True])).tolist()
    [-1, 4]
    """
    if isinstance(opponent, str):
        return batch.agent_actions(opponent, mask=waiting, threads=threads)
    places = np.flatnonzero(waiting)
    positions = batch.positions(places.tolist())
    given = opponent(positions)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"opponent: expected an iterable of moves, got {type(given).__name__}")
    moves = [*given]
    if len(moves) != len(positions):
        raise OanquanError(f"opponent: expected {len(positions)} moves, one for each position, got {len(moves)}")
    actions = np.full(len(batch), -1, np.int64)
    actions[places] = [_action(position, move) for position, move in zip(positions, moves, strict=True)]
    return actions


def mode_of(render_mode: str | None, modes: tuple[str, ...]) -> str | None:
    """Return a render mode, which must be one of these or `None`.

    >>> mode_of("ansi", ("human", "ansi"))
    'ansi'
    """
    return None if render_mode is None else one_of("render_mode", render_mode, modes)


def no_options(options: dict[str, Any] | None) -> None:
    """Refuse options of a reset: there are none.

    >>> no_options({})
    """
    if options:
        raise OanquanError(f"options: expected none, got {', '.join(map(repr, options))}")


def no_turn() -> OanquanError:
    """Return what is said when no game comes to the learner's turn.

    >>> print(no_turn())
    expected games in which the learner has a turn, got 100 in a row that were over before
    """
    wanted = "expected games in which the learner has a turn"
    return OanquanError(f"{wanted}, got {MOST_SKIPPED} in a row that were over before")


def _action(position: Position, move: Move | str | SupportsIndex) -> int:
    if not position.is_legal(move):
        position.play(move)  # says why
    if isinstance(move, str):
        move = Move(move if move[:1].isalpha() else position.turn + move)
    return move.action if isinstance(move, Move) else index(move)


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The output function of SplitMix64 after one step, as in the stream that the package promises."""
    mixed = numbers + np.uint64(_STEP)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
