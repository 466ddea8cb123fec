"""Many games stepped together, for learners: `Batch`."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, Literal, cast

from oanquan import _core
from oanquan._core import Position  # noqa: TC001 (the examples use it)
from oanquan.checks import MOST_LIMIT, MOST_SEED, MOST_THREADS, start_of, within, within_or_off
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from oanquan.rules import Rules

_MOST_GAMES = 2**20


class Batch:
    """Many games from one position, each stepped by one move in one call.

    Every call writes its outputs into memory of the batch, which the attributes of the same names show as NumPy
    arrays without a copy, or into buffers that the caller owns, given as `out`:

    | output | dtype, shape | what |
    |---|---|---|
    | `observations` | int16, (n, size) | the position as the side to move sees it, see below |
    | `legal_masks` | int8, (n, actions) | 1 for a legal action, else 0; no legal action in a game that is over |
    | `rewards` | float32, (n,) | for the side that moved, see below |
    | `terminated` | bool, (n,) | the rules ended the game in this step |
    | `truncated` | bool, (n,) | a limit, `max_plies` or `repetition`, ended it |
    | `points` | int32, (n, sides) | after the move; of a game that it ended, those of the count; side a first |
    | `turns` | uint8, (n,) | the side to move, 0 for a |
    | `final_observations` | int16, (n, size) | with `"same_step"` only: of the last game that ended in each place |

    **Actions** are numbers relative to the side to move: `2 * (square - 1)`, and one more for clockwise.

    **Observations** are counts as they stand on the board, without any scale: pebbles, mandarins, plies; beyond 16
    bits they are clipped. `observation_names` names each. Seats go round from the side to move: own, next, third,
    fourth. Of two positions by the same rules, what may happen from here on looks the same just if the observations
    are equal. The limits of a game are no part of them.

    **Rewards** of kind `"points"`: by how many points the move changed the mover's lead, which is its points less the
    mean of the others' (so with two sides a zero-sum difference: the other side's reward is the negative). The last
    move includes the count, so that over a game of two sides the rewards of a less those of b are its final difference.
    Of kind `"result"`: 1 for a move that ends the game and wins it, -1 if it ends it and another side wins, else 0.

    **A game that is over** gives way to the next one by `autoreset`, with the meaning of Gymnasium's `AutoresetMode`:

    - `"next_step"`: the next step begins the new game there, whatever the action: reward 0, nothing ended;
    - `"same_step"`: at once: `observations`, `legal_masks` and `turns` are already those of the new game, the other
      outputs those of the end, and `final_observations` has the last observation of the game that is over;
    - `"disabled"`: only `reset(mask=...)` does it; a step before is an error.

    **Games have numbers**: the one in place i has number i, and each that follows there n more: i, i + n, i + 2n and
    so on. Random actions are drawn from the stream of seed and number, so that random play makes of a number the
    game that `simulate` plays under that number and seed.

    Other Python threads run during a step. Two that step one batch take turns. On the standard board a batch takes
    about 0.8 KB a game, 0.3 KB without `repetition`; long games that stay in few positions take more.

    >>> batch = Batch(4096, seed=7)
    >>> for _ in range(10):
    ...     batch.step_random()
    >>> batch.observations.shape, batch.legal_masks.shape
    ((4096, 21), (4096, 10))
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> batch.step((rng.random((4096, 10)) * batch.legal_masks).argmax(axis=1))
    >>> bool(batch.terminated.any())
    True
    """

    def __init__(
        self,
        n: int,
        rules: Rules | None = None,
        *,
        seed: int = 0,
        position: Position | None = None,
        max_plies: int | None = 1000,
        repetition: int | None = 3,
        reward: Literal["points", "result"] = "points",
        autoreset: Literal["next_step", "same_step", "disabled"] = "next_step",
    ) -> None:
        """Begin `n` games and write how they stand.

        Args:
            n: How many, 1 to 2**20.
            rules: Play from the start of these rules; of the default ones if there is no position either.
            seed: Of the random actions, 0 to 2**64 - 1.
            position: Play from this position instead, which is not over.
            max_plies: Count a game after so many plies, 1 to 2**32 - 1; `None` for no limit.
            repetition: Count a game when a position stands for the n-th time, 2 to 2**32 - 1; `None`: no limit.
            reward: `"points"` or `"result"`.
            autoreset: `"next_step"`, `"same_step"` or `"disabled"`.

        Raises:
            OanquanError: An argument is out of range.
            TypeError: Both rules and a position, or an argument of another type.
        """
        self._start = start_of(rules, position)
        self._reward, self._autoreset = reward, autoreset
        self._core = _core.Batch(
            self._start,
            within("n", n, 1, _MOST_GAMES),
            within("seed", seed, 0, MOST_SEED),
            within_or_off("max_plies", max_plies, 1, MOST_LIMIT),
            within_or_off("repetition", repetition, 2, MOST_LIMIT),
            reward,
            autoreset,
        )
        self._arrays: dict[str, NDArray[Any]] = {}

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"Batch({len(self)}, position={self._start!r}, reward={self._reward!r}, autoreset={self._autoreset!r})"

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def start(self) -> Position:
        """The position that every game begins from.

        >>> Batch(2).start == Position.start()
        True
        """
        return self._start

    @property
    def autoreset(self) -> str:
        """When the next game begins: `"next_step"`, `"same_step"` or `"disabled"`.

        >>> Batch(2).autoreset
        'next_step'
        """
        return self._autoreset

    @property
    def reward(self) -> str:
        """What the rewards are: `"points"` or `"result"`.

        >>> Batch(2).reward
        'points'
        """
        return self._reward

    @property
    def actions(self) -> int:
        """How many actions there are, legal or not: two for each square of a row.

        >>> Batch(2).actions
        10
        """
        return 2 * self._start.rules.squares

    @property
    def observation_names(self) -> tuple[str, ...]:
        """What each number of an observation counts.

        >>> import oanquan as oaq
        >>> for name in Batch(2, oaq.Rules(squares=1)).observation_names:
        ...     print(name)
        own square 1, pebbles
        own mandarin square, pebbles
        next square 1, pebbles
        next mandarin square, pebbles
        own mandarin square, mandarins
        next mandarin square, mandarins
        own store, pebbles
        next store, pebbles
        own store, mandarins
        next store, mandarins
        own debt to next, pebbles
        next debt to own, pebbles
        mandarin_ban, plies left
        """
        return self._start.rules.observation_names

    # ---- outputs ---------------------------------------------------------------------------------------------------

    @property
    def buffers(self) -> dict[str, memoryview]:
        """The memory of the outputs by name, as memoryviews: the same that the arrays show, without NumPy.

        They are made anew each time, and may be released.

        >>> batch = Batch(2)
        >>> batch.step([0, 4])
        >>> batch.buffers["points"].tolist()
        [[6, 0], [6, 0]]
        """
        pairs = ((name, self._core.own(name)) for name in _core.Batch.outputs())
        return {name: memory for name, memory in pairs if memory is not None}

    def _array(self, name: str) -> NDArray[Any]:
        array = self._arrays.get(name)
        if array is None:
            memory = self._core.own(name)
            if memory is None:
                raise OanquanError(f'{name}: expected autoreset="same_step", got {self._autoreset!r}')
            try:
                import numpy  # noqa: PLC0415, ICN001
            except ImportError as error:
                message = "arrays need NumPy: pip install 'oanquan[numpy]'; Batch.buffers shows the same memory"
                raise ImportError(message) from error
            array = self._arrays[name] = numpy.asarray(memory)
        return array

    @property
    def observations(self) -> NDArray[np.int16]:
        """The positions as the sides to move see them, int16 of shape (n, size).

        >>> Batch(1).observations.tolist()
        [[5, 5, 5, 5, 5, 0, 5, 5, 5, 5, 5, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]]
        """
        return self._array("observations")

    @property
    def legal_masks(self) -> NDArray[np.int8]:
        """1 for each legal action, 0 for the others, int8 of shape (n, actions).

        >>> batch = Batch(1)
        >>> batch.step([4])
        >>> batch.legal_masks.tolist()
        [[1, 1, 1, 1, 0, 0, 1, 1, 1, 1]]
        """
        return self._array("legal_masks")

    @property
    def rewards(self) -> NDArray[np.float32]:
        """The rewards of the sides that moved, float32 of shape (n,).

        >>> batch = Batch(1)
        >>> batch.step([4])
        >>> batch.rewards.tolist()
        [6.0]
        """
        return self._array("rewards")

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Whether the rules ended the games in this step, bool of shape (n,).

        >>> Batch(1).terminated.tolist()
        [False]
        """
        return self._array("terminated")

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether a limit ended the games in this step, bool of shape (n,).

        >>> batch = Batch(1, max_plies=1)
        >>> batch.step_random()
        >>> batch.truncated.tolist()
        [True]
        """
        return self._array("truncated")

    @property
    def points(self) -> NDArray[np.int32]:
        """The points of every side, int32 of shape (n, sides).

        >>> batch = Batch(1)
        >>> batch.step([4])
        >>> batch.points.tolist()
        [[6, 0]]
        """
        return self._array("points")

    @property
    def turns(self) -> NDArray[np.uint8]:
        """The side to move, 0 for a, uint8 of shape (n,); of a game that is over, the one that would be next.

        >>> batch = Batch(1)
        >>> batch.step([4])
        >>> batch.turns.tolist()
        [1]
        """
        return self._array("turns")

    @property
    def final_observations(self) -> NDArray[np.int16]:
        """Of each place, the last observation of the last game that ended there, int16 of shape (n, size).

        Zeros where none has. With `autoreset="same_step"` only: otherwise it is in `observations`.

        >>> batch = Batch(1, autoreset="same_step", max_plies=1)
        >>> batch.step([4])
        >>> batch.final_observations.tolist()
        [[6, 6, 0, 6, 6, 1, 6, 6, 0, 0, 6, 1, 1, 1, 0, 6, 0, 0, 0, 0, 0]]
        """
        return self._array("final_observations")

    # ---- moves -----------------------------------------------------------------------------------------------------

    def step(self, actions: Any, out: Mapping[str, Any] | None = None, *, mask: Any = None) -> None:
        """Make one move in every game and write every output.

        Args:
            actions: A number for each game, as a buffer of integers (a NumPy array) or a sequence; bools are refused.
                That of a game that is over, or that `mask` leaves out, is not looked at.
            mask: Where to move: a buffer or sequence of n bools, or of n numbers 0 and 1; everywhere if it is left out.
                The other games stand as they are, and are written as `observe` writes them.
            out: Write into these buffers instead, by the names of outputs; what is not named is not written. Each must
                have the dtype and shape of the table above, and be writable, aligned and C-contiguous. Buffers whose
                format names a byte order, such as those of ctypes, are refused: `numpy.frombuffer` shows them without.

        Raises:
            IllegalMoveError: An action is not legal; the message names the game. No game is changed.
            OanquanError: A buffer is not as it should be, or a game is over and `autoreset` is `"disabled"`. No game
                is changed.
            TypeError: An object is no buffer.

        >>> batch = Batch(2)
        >>> batch.step([0, 9])
        >>> import numpy as np
        >>> mine = {"rewards": np.zeros(2, np.float32)}
        >>> batch.step(batch.legal_masks.argmax(axis=1), out=mine)
        >>> mine["rewards"].tolist()
        [0.0, 8.0]
        >>> batch = Batch(2)
        >>> batch.step([4, 10])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        oanquan.errors.IllegalMoveError: game 1: illegal move 10: action numbers go from 0 to 9 (position ...)
        >>> batch.step([4, -1], mask=[True, False])
        >>> batch.plies
        (1, 0)
        """
        self._core.step(actions, mask, _listed(out))

    def step_random(self, out: Mapping[str, Any] | None = None) -> None:
        """Make one random move in every game: `step(sample_actions())` in one call.

        Args:
            out: As in `step`.

        Raises:
            OanquanError: As in `step`.

        >>> batch, other = Batch(8, seed=7), Batch(8, seed=7)
        >>> batch.step_random()
        >>> other.step(other.sample_actions())
        >>> batch.positions() == other.positions()
        True
        """
        self._core.step_random(_listed(out))

    def sample_actions(self, out: Any = None) -> Any:
        """Return the action that random play chooses in each game; -1 in a game that is over.

        It is drawn from the stream of the game, so that asking again gives the same. The result is a memoryview of
        memory of the batch, int64 of shape (n,), which the next call writes again; or `out`, a buffer like it.

        >>> Batch(4, seed=7).sample_actions().tolist()
        [6, 9, 3, 8]
        """
        return self._core.sample_actions(out)

    def agent_actions(self, agent: str, *, mask: Any = None, threads: int | None = 1, out: Any = None) -> Any:
        """Return the action that an agent chooses in each game; -1 where it is not asked and in a game that is over.

        What it draws comes from the stream of the game: an agent that chooses every action of a game makes of its
        number the game that `simulate` makes of it.

        Args:
            agent: The text of an agent, as in `simulate`.
            mask: Where to ask it: a buffer or sequence of n bools, or of n numbers 0 and 1; everywhere if it is left
                out.
            threads: How many threads think, 1 to 1024; `None` for all cores.
            out: Where to write the actions, int64 of shape (n,). Left out, they are a memoryview of memory of the
                batch, which the next call and `sample_actions` write again.

        Raises:
            OanquanError: No agent has that text, or an argument is not as it should be.

        >>> batch = Batch(4, seed=7)
        >>> batch.step_random()
        >>> actions = batch.agent_actions("greedy", mask=batch.turns == 1)
        >>> bool(batch.legal_masks[range(4), actions].all())
        True
        """
        threads = 0 if threads is None else within("threads", threads, 1, MOST_THREADS)
        return self._core.agent_actions(agent, mask, threads, out)

    def reset(
        self, seed: int | Sequence[int] | None = None, mask: Any = None, out: Mapping[str, Any] | None = None
    ) -> None:
        """Begin new games and write how every game stands; rewards are 0.

        Args:
            seed: Without one, each new game has the next number of its place. With one, it has the first number again
                and the streams of this seed from now on. Of n seeds each is that of its place, which from now on has
                the games 0, 1, 2 and so on of that seed, as `Batch(1, seed=...)` has them.
            mask: Where to begin a new game: a buffer or sequence of n bools, or of n numbers 0 and 1; everywhere if it
                is left out.
            out: As in `step`.

        Raises:
            OanquanError: A seed is out of range, there are not as many as games, or a mask or a buffer is not as it
                should be.
            TypeError: A seed is no whole number, or a mask is no buffer or sequence of numbers.

        >>> batch = Batch(3, autoreset="disabled", max_plies=1)
        >>> batch.step_random()
        >>> batch.reset(mask=[True, False, True])
        >>> batch.truncated.tolist()
        [False, True, False]
        >>> batch.reset(seed=[7, 8, 7])
        >>> batch.sample_actions().tolist()
        [6, 7, 6]
        """
        if seed is None or not hasattr(seed, "__len__"):
            first = None if seed is None else within("seed", seed, 0, MOST_SEED)
            self._core.reset(first, mask, _listed(out))
        else:
            seeds = [within("seed", each, 0, MOST_SEED) for each in cast("Sequence[int]", seed)]
            self._core.reset_each(seeds, mask, _listed(out))

    def observe(self, out: Mapping[str, Any] | None = None) -> None:
        """Write how every game stands; rewards are 0.

        >>> import numpy as np
        >>> turns = np.zeros(2, np.uint8)
        >>> Batch(2, position=Position.start(first="b")).observe({"turns": turns})
        >>> turns.tolist()
        [1, 1]
        """
        self._core.observe(_listed(out))

    # ---- positions -------------------------------------------------------------------------------------------------

    def __getitem__(self, game: int) -> Position:
        """The position of one game; places from the end are counted from -1."""
        place = index(game)
        if not -len(self) <= place < len(self):
            raise IndexError(f"game: expected {-len(self)} to {len(self) - 1}, got {place}")
        return self._core.positions([place % len(self)])[0]

    def positions(self, games: Sequence[int] | None = None) -> tuple[Position, ...]:
        """Return the positions of these games, or of all.

        Raises:
            OanquanError: There is no such game.

        >>> batch = Batch(3)
        >>> batch.step([4, 4, 5])
        >>> first, second = batch.positions([0, 1])
        >>> first == second == batch[0] == Position.start().play("a3+")
        True
        """
        return self._core.positions(list(range(len(self)) if games is None else games))

    def set_positions(
        self, games: Sequence[int], positions: Sequence[Position], out: Mapping[str, Any] | None = None
    ) -> None:
        """Begin games from these positions in these places and write how every game stands; rewards are 0.

        They keep their numbers; plies and repetition are counted from here. The games after them begin at `start`.

        Args:
            games: The places.
            positions: As many positions, by the rules of the batch and not over.
            out: As in `step`.

        Raises:
            OanquanError: There is no such game, or a position is not as it should be. No game is changed.

        >>> batch = Batch(3)
        >>> batch.set_positions([1], [Position.parse("0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12")])
        >>> print(batch[1], batch.legal_masks[1].tolist())
        0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12 [0, 0, 1, 1, 0, 0, 0, 0, 0, 0]
        """
        self._core.set_positions(list(games), list(positions), _listed(out))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of the game in each place.

        >>> batch = Batch(3)
        >>> batch.reset(mask=[False, True, False])
        >>> batch.numbers
        (0, 4, 2)
        """
        return tuple(number for number, _ in self._core.games())

    @property
    def plies(self) -> tuple[int, ...]:
        """The moves that the game in each place has made.

        >>> batch = Batch(3)
        >>> batch.step_random()
        >>> batch.plies
        (1, 1, 1)
        """
        return tuple(plies for _, plies in self._core.games())


def _listed(out: Mapping[str, Any] | None) -> list[Any] | None:
    """The buffers in the order of the outputs."""
    if out is None:
        return None
    names = _core.Batch.outputs()
    for name in out:
        if name not in names:
            raise OanquanError(f"out: expected names among {', '.join(names)}, got {name!r}")
    return [out.get(name) for name in names]
