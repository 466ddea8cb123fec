"""Monte Carlo tree search: `mcts`, and `Mcts` for trees whose leaves a network values."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, Literal

from oanquan import _core
from oanquan._core import Position
from oanquan.checks import MOST_SEED, within
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from oanquan._core import Move

_MOST_SIMULATIONS = 100_000_000
_MOST_EXPLORATION = 100.0
_MOST_TREES = 2**20
_EXPLORATION, _EXPLORATION_OF_FORESTS = _core.mcts_defaults()


@dataclass(frozen=True)
class MctsResult:
    """What a search by Monte Carlo came to. Equal arguments give equal results; `seconds` is not compared.

    >>> from oanquan import Position, mcts
    >>> result = mcts(Position.start(), simulations=500)
    >>> sum(result.visits), len(result.moves), result.best in result.moves
    (500, 10, True)
    """

    best: Move | None
    """The move to play; `None` if the game is over."""

    moves: tuple[Move, ...]
    """The legal moves."""

    visits: tuple[int, ...]
    """How many simulations went through each of them."""

    values: tuple[float, ...]
    """What each is worth to the side to move, -1 to 1: the mean of its simulations, or exactly; 0 without a visit."""

    exact: tuple[bool, ...]
    """Which of these values are exact."""

    line: tuple[Move, ...]
    """The moves to play from here on, as far as the tree reaches."""

    value: float
    """What the position is worth to the side to move, -1 to 1."""

    solved: bool
    """Whether that is exact."""

    simulations: int
    """The simulations made: fewer than asked for if the position was solved, none if it is over."""

    nodes: int
    """The positions of the tree."""

    seconds: float = field(compare=False)
    """How long it took."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dicts, lists, numbers, texts and `None`, ready for JSON.

        >>> from oanquan import Position, mcts
        >>> mcts(Position.start(), simulations=100).to_dict()["moves"][0]["move"]
        'a1+'
        """
        rows = zip(self.moves, self.visits, self.values, self.exact, strict=True)
        return {
            "best": None if self.best is None else str(self.best),
            "moves": [
                {"move": str(move), "visits": visits, "value": value, "exact": exact}
                for move, visits, value, exact in rows
            ],
            "line": [str(move) for move in self.line],
            "value": self.value,
            "solved": self.solved,
            "simulations": self.simulations,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }


def mcts(
    position: Position,
    *,
    simulations: int = 1000,
    exploration: float = _EXPLORATION,
    selection: Literal["uct", "puct"] = "uct",
    playout: Literal["random", "greedy"] = "random",
    value: Literal["points", "result"] = "result",
    seed: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> MctsResult:
    """Search a position by Monte Carlo: play on from it many times, more often where it went well.

    Any number of sides: each is taken to choose what is best for itself. Values lie between -1 and 1, each seen from
    the side that chooses. The same arguments give the same result on every machine. Other Python threads run meanwhile.

    Args:
        position: Where to search. Of its game nothing else is known: no repetition, no limit of plies. One that is over
            is solved: it is worth what the count says.
        simulations: How many games to play on, 1 to 100,000,000; memory is about 110 bytes for each.
        exploration: How much it weighs that a move was tried seldom, 0 to 100. The default of 0.7 is meant for `"uct"`.
            By `"puct"` with its equal priors the weight is shared among the moves, so that 0.7 hardly looks beyond the
            first good one. Raise it with the number of moves: for ten, 3 is about as wide as 0.7 by `"uct"`, and with
            300 simulations of `wikipedia-vi` it is 114 Elo stronger than 0.7 (69 to 165).
        selection: How the moves to try are chosen: `"uct"` by the upper confidence bound (Kocsis and Szepesvári, 2006),
            `"puct"` by the bound with equal priors (Silver et al., 2017).
        playout: How games are played on beyond the tree: `"random"`, or `"greedy"`: the move with which the lead in
            points grows most. Those are better games, and fewer of them a second.
        value: What a game is worth at its end: `"result"`: 1, 0 or -1; `"points"`: the points less the mean of the
            others', over all points of the game, cut off at 1. Of two sides one that loses by `shortfall="loses"` has
            lost all: -1 to it and 1 to the other, whatever their points; of three and four the points are counted as
            they stand.
        seed: 0 to 2**64 - 1.
        progress: Called as `progress(done, simulations)` from the calling thread, about every 50 ms and once at the
            end. An exception it raises stops the search and comes out of `mcts`, as Ctrl-C does.

    Raises:
        OanquanError: An argument is out of range.
        TypeError: An argument of another type.

    >>> from oanquan import Position, Rules
    >>> rules = Rules.preset("wikipedia-vi")
    >>> result = mcts(Position.parse("0.0.0.1.0.0/3.0.2.0.0.0q1 0/44q1 - a 0", rules), simulations=200)
    >>> print(result.best)
    a4+
    """
    if not isinstance(position, Position):
        raise TypeError(f"position: expected a Position, got {type(position).__name__}")
    simulations = within("simulations", simulations, 1, _MOST_SIMULATIONS)
    seed = within("seed", seed, 0, MOST_SEED)
    begin = time.perf_counter()
    rows, best, line, worth, solved, made, nodes, error = _core.mcts(
        position, simulations, seed, _weight(exploration), selection, playout, value, progress
    )
    if error is not None:
        raise error
    return MctsResult(
        best=None if best is None else rows[best][0],
        moves=tuple(row[0] for row in rows),
        visits=tuple(row[1] for row in rows),
        values=tuple(row[2] for row in rows),
        exact=tuple(row[3] for row in rows),
        line=line,
        value=worth,
        solved=solved,
        simulations=made,
        nodes=nodes,
        seconds=time.perf_counter() - begin,
    )


def _weight(exploration: float) -> float:
    if not 0 <= exploration <= _MOST_EXPLORATION:
        raise OanquanError(f"exploration: expected 0 to {_MOST_EXPLORATION:.0f}, got {exploration}")
    return float(exploration)


class Mcts:
    """Trees from many positions by the same rules, whose leaves somebody else values: a network, all at once.

    Each tree is walked by `value + c p √N / (1 + n)` (Silver et al., 2017) and has one leaf at a time:

    1. `leaves()` walks down every tree to a position that nobody has valued, and shows these positions as a learner
       sees them;
    2. `update(values, priors)` says what they are worth and which moves look good there.

    The first leaf of a tree is its root, of which only the priors are used. Where a walk ends the game, it is worth
    what the count says, and the tree is walked again; with two sides such values are exact, and so is a node all of
    whose moves are exact. A tree whose root is exact, or over, has no leaf any more.

    Ctrl-C ends a call in the midst: what `leaves` or `update` did until then stays, and the same call again does the
    rest; `advance` changes nothing then.

    After so many rounds as one likes, `visits`, `values` and `best` say what to play, and `advance(actions)` plays it
    and keeps what is known below. Every array is memory of the forest, which the calls write again.

    | array | dtype, shape | what |
    |---|---|---|
    | `observations` | int16, (n, size) | the leaves, as `Batch.observations` shows positions; zeros where none waits |
    | `legal_masks` | int8, (n, actions) | 1 for a legal action of a leaf; zeros where none waits |
    | `waiting` | bool, (n,) | which trees have a leaf that waits |
    | `visits` | int32, (n, actions) | how often the trees went through each action of their roots |
    | `values` | float32, (n, actions) | what these are worth to the side to move, -1 to 1; 0 without a visit |
    | `best` | int64, (n,) | the actions to play; -1 where the game is over |

    >>> import numpy as np
    >>> from oanquan import Position
    >>> trees = Mcts([Position.start()] * 64)
    >>> for _ in range(20):
    ...     waiting = trees.leaves()
    ...     ahead = trees.observations[:, 14] - trees.observations[:, 15]  # pebbles in store
    ...     trees.update(np.tanh(ahead / 20), np.ones((64, 10)))
    >>> bool((trees.visits.sum(axis=1) >= 19).all())
    True
    >>> trees.advance(trees.best)
    >>> print(trees[0].turn, trees[0].ply)
    b 1
    """

    def __init__(
        self,
        positions: Sequence[Position],
        *,
        exploration: float = _EXPLORATION_OF_FORESTS,
        value: Literal["points", "result"] = "points",
        noise: tuple[float, float] | None = None,
        seed: int = 0,
    ) -> None:
        """Plant a tree at each position.

        Args:
            positions: One to 2**20, all by the same rules.
            exploration: How much the priors weigh, `c`, 0 to 100.
            value: What the end of a game is worth, as in `mcts`: `"points"` or `"result"`. A network should be taught
                the same.
            noise: `(alpha, fraction)`: that fraction of the priors of each root is replaced by noise of the Dirichlet
                distribution with parameter alpha, for learners that play against themselves.
            seed: Of the noise, 0 to 2**64 - 1. Its last bits may differ between machines.

        Raises:
            OanquanError: An argument is out of range, or positions are by different rules.
            TypeError: An argument of another type.
        """
        within("positions", len(positions), 1, _MOST_TREES)
        seed = within("seed", seed, 0, MOST_SEED)
        self._core = _core.Forest(list(positions), _weight(exploration), value, noise, seed)
        self._arrays: dict[str, NDArray[Any]] = {}

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<Mcts of {len(self)} trees>"

    # ---- what is known ---------------------------------------------------------------------------------------------

    @property
    def buffers(self) -> dict[str, memoryview]:
        """The memory of the arrays by name, as memoryviews: the same that the arrays show, without NumPy.

        >>> from oanquan import Position
        >>> Mcts([Position.start()]).buffers["best"].tolist()
        [0]
        """
        pairs = ((name, self._core.own(name)) for name in _core.Forest.outputs())
        return {name: memory for name, memory in pairs if memory is not None}

    def _array(self, name: str) -> NDArray[Any]:
        array = self._arrays.get(name)
        if array is None:
            try:
                import numpy  # noqa: PLC0415, ICN001
            except ImportError as error:
                message = "arrays need NumPy: pip install 'oanquan[numpy]'; Mcts.buffers shows the same memory"
                raise ImportError(message) from error
            array = self._arrays[name] = numpy.asarray(self._core.own(name))
        return array

    @property
    def observations(self) -> NDArray[np.int16]:
        """The leaves as the sides to move see them, int16 of shape (n, size); zeros where none waits.

        >>> from oanquan import Position
        >>> trees = Mcts([Position.start()])
        >>> trees.leaves()
        1
        >>> trees.observations.tolist()
        [[5, 5, 5, 5, 5, 0, 5, 5, 5, 5, 5, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]]
        """
        return self._array("observations")

    @property
    def legal_masks(self) -> NDArray[np.int8]:
        """1 for each legal action of the leaves, 0 for the others, int8 of shape (n, actions).

        >>> from oanquan import Position
        >>> trees = Mcts([Position.start().play("a3+")])
        >>> trees.leaves()
        1
        >>> trees.legal_masks.tolist()
        [[1, 1, 1, 1, 0, 0, 1, 1, 1, 1]]
        """
        return self._array("legal_masks")

    @property
    def waiting(self) -> NDArray[np.bool_]:
        """Which trees have a leaf that waits to be valued, bool of shape (n,).

        >>> from oanquan import Position
        >>> trees = Mcts([Position.start()])
        >>> trees.leaves()
        1
        >>> trees.waiting.tolist()
        [True]
        """
        return self._array("waiting")

    @property
    def visits(self) -> NDArray[np.int32]:
        """How often each action of the roots was walked through, int32 of shape (n, actions).

        >>> from oanquan import Position
        >>> Mcts([Position.start()]).visits.tolist()
        [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]
        """
        return self._array("visits")

    @property
    def values(self) -> NDArray[np.float32]:
        """What each action of the roots is worth to the side to move, float32 of shape (n, actions); 0 without a visit.

        >>> from oanquan import Position
        >>> Mcts([Position.start()]).values.shape
        (1, 10)
        """
        return self._array("values")

    @property
    def best(self) -> NDArray[np.int64]:
        """The actions to play at the roots, int64 of shape (n,); -1 where the game is over.

        The most visited one, or one that is exactly worth as much.

        >>> from oanquan import Position
        >>> Mcts([Position.start()]).best.tolist()
        [0]
        """
        return self._array("best")

    # ---- search ----------------------------------------------------------------------------------------------------

    def leaves(self) -> int:
        """Walk down every tree to a leaf, write `observations`, `legal_masks` and `waiting`, and return how many wait.

        Leaves that wait already stay. A tree that walks into the end of the game 64 times on end sits the call out, so
        that 0 does not say that all is known.

        >>> from oanquan import Position
        >>> Mcts([Position.start()] * 3).leaves()
        3
        """
        return self._core.leaves()

    def update(self, values: Any, priors: Any) -> None:
        """Value the leaves that wait.

        Args:
            values: What each leaf is worth to the side to move there, -1 to 1: float32 or float64 of shape (n,); where
                three or four sides play of shape (n, sides), the side to move first, then the others in turn order.
            priors: How good each action looks, 0 or more: float32 or float64 of shape (n, actions). They need not sum
                to 1. Those of illegal actions and rows of trees without a leaf do not matter.

        Raises:
            OanquanError: A number is out of range, a shape is another, or nobody asked for leaves. Nothing is changed.

        >>> from oanquan import Position
        >>> trees = Mcts([Position.start()])
        >>> trees.leaves()
        1
        >>> trees.update([0.0], [[1.0] * 10])
        >>> trees.update([0.0], [[1.0] * 10])
        Traceback (most recent call last):
        oanquan.errors.OanquanError: update: expected leaves to be asked for before, got no leaves
        """
        self._core.update(values, priors)

    def advance(self, actions: Any) -> None:
        """Play an action in every tree, and keep what is known below it.

        Args:
            actions: A number for each tree, as a buffer of integers or a sequence; a tree with -1 stays as it is.

        Raises:
            IllegalMoveError: An action is not legal; the message names the tree. Nothing is changed.

        >>> from oanquan import Position
        >>> trees = Mcts([Position.start()] * 2)
        >>> trees.advance([4, -1])
        >>> trees[0] == Position.start().play("a3+"), trees[1] == Position.start()
        (True, True)
        """
        self._core.advance(actions)

    # ---- positions -------------------------------------------------------------------------------------------------

    def __getitem__(self, tree: int) -> Position:
        """The position at the root of a tree; places from the end are counted from -1."""
        place = index(tree)
        if not -len(self) <= place < len(self):
            raise IndexError(f"tree: expected {-len(self)} to {len(self) - 1}, got {place}")
        return self._core.positions([place % len(self)])[0]

    def positions(self, trees: Sequence[int] | None = None) -> tuple[Position, ...]:
        """Return the positions at the roots of these trees, or of all.

        >>> from oanquan import Position
        >>> Mcts([Position.start()] * 2).positions([1])[0] == Position.start()
        True
        """
        return self._core.positions(list(range(len(self)) if trees is None else trees))

    def leaf_positions(self, trees: Sequence[int] | None = None) -> tuple[Position | None, ...]:
        """Return the leaves of these trees, or of all; `None` for a tree without one that waits.

        >>> from oanquan import Position
        >>> trees = Mcts([Position.start()])
        >>> trees.leaf_positions(), trees.leaves(), trees.leaf_positions() == trees.positions()
        ((None,), 1, True)
        """
        return self._core.leaf_positions(list(range(len(self)) if trees is None else trees))

    def set_positions(self, trees: Sequence[int], positions: Sequence[Position]) -> None:
        """Plant new trees at these positions in these places.

        Raises:
            OanquanError: There is no such tree, or a position is by other rules. Nothing is changed.

        >>> from oanquan import Position
        >>> trees = Mcts([Position.start()] * 2)
        >>> trees.set_positions([1], [Position.start(first="b")])
        >>> trees[0].turn, trees[1].turn
        ('a', 'b')
        """
        self._core.set_positions(list(trees), list(positions))
