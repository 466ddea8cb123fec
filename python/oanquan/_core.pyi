"""
The compiled part of oanquan: positions, moves and games, and what must be fast.

Everything meant for users is exported by `oanquan` itself.
"""

from _typeshed import SupportsGetItem, SupportsLenAndGetItem
from collections.abc import Callable, Iterable
from oanquan.rules import Rules
from os import PathLike
from pathlib import Path
from typing import Any, Final, SupportsFloat, SupportsIndex, final

__all__ = ["__version__", "Batch", "Column", "Columns", "Debt", "Forest", "Game", "MatchPairs", "Move", "Outcome", "Player", "Position", "RecordReader", "ShardReader", "Step", "Store", "Summary", "Table", "Telling", "agent_name", "agents", "bench_batch", "bench_calibration", "bench_mcts", "bench_path", "bench_paths", "bench_search", "build_position", "check_rules", "check_shard", "divide", "knob_summaries", "knobs", "match_opening", "mcts", "mcts_defaults", "parse_rules", "pentanomial", "perft", "play_match", "presets", "protocol_options", "read_setup", "rules_text", "search", "serve_gtp", "serve_ugi", "shard_info", "simulate", "simulate_with", "solve", "sprt", "text_header", "verify_certificate", "write_records", "write_shard", "write_text"]

__version__: Final[str]
"""
The version of the package.
"""

@final
class Batch:
    """
    Many games stepped together: what `oanquan.Batch` is made of.

    Outputs are given as a list of buffers, or of `None` for what is not wanted, in the order of `outputs`; `None`
    instead of a list means the memory of the batch.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> batch = _core.Batch(oaq.Position.start(), 2, 7, 1000, 3, "points", "next_step")
    >>> batch.step_random(None)
    >>> batch.own("points").tolist()
    [[6, 0], [6, 0]]
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, position: Position, games: SupportsIndex, seed: SupportsIndex, max_plies: SupportsIndex | None, repetition: SupportsIndex | None, reward: str, autoreset: str, /) -> Batch: ...
    def agent_actions(self, agent: str, mask: Any | None, threads: SupportsIndex, out: Any | None, /) -> Any:
        """
        Write the actions that the agent of that text chooses, where `mask` is true, into the memory of the batch, or into
        `out`.
        """
    def games(self, /) -> list[tuple[int, int]]:
        """
        The number and the plies of every game.
        """
    def observe(self, out: SupportsGetItem[int, Any | None] | None, /) -> None:
        """
        Write how every game stands.
        """
    @staticmethod
    def outputs() -> tuple[str, ...]:
        """
        The names of the outputs, in order.

        >>> from oanquan import _core
        >>> _core.Batch.outputs()[:3]
        ('observations', 'legal_masks', 'rewards')
        """
    def own(self, /, name: str) -> Any | None:
        """
        The memory of the batch for an output or for `"actions"`, as a memoryview of its own; `None` if it has none.
        """
    def positions(self, games: SupportsGetItem[int, SupportsIndex], /) -> tuple[Position, ...]:
        """
        The positions of these games.
        """
    def reset(self, seed: SupportsIndex | None, mask: Any | None, out: SupportsGetItem[int, Any | None] | None, /) -> None:
        """
        Begin new games, everywhere or where `mask` is true, and write how every game stands.
        """
    def reset_each(self, seeds: SupportsGetItem[int, SupportsIndex], mask: Any | None, out: SupportsGetItem[int, Any | None] | None, /) -> None:
        """
        Begin new games with a seed for each place, everywhere or where `mask` is true, and write how every game stands.
        """
    def sample_actions(self, out: Any | None, /) -> Any:
        """
        Write the actions of random play into the memory of the batch, or into `out`.
        """
    def set_positions(self, games: SupportsGetItem[int, SupportsIndex], positions: SupportsGetItem[int, Position], out: SupportsGetItem[int, Any | None] | None, /) -> None:
        """
        Begin games from these positions at these places, and write how every game stands.
        """
    def step(self, actions: Any, mask: Any | None, out: SupportsGetItem[int, Any | None] | None, /) -> None:
        """
        Make one move in every game, or where `mask` is true.
        """
    def step_random(self, out: SupportsGetItem[int, Any | None] | None, /) -> None:
        """
        Make one random move in every game.
        """

@final
class Column:
    """
    The numbers of a column, read-only and without a copy by the buffer protocol: for `memoryview`, `numpy.asarray` and
    whatever else reads buffers. It keeps the numbers alive.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> _, columns, _ = _core.simulate(oaq.Position.start(), 5, ["random"], 7, 1, 1000, 3, True, False, False, None)
    >>> view = memoryview(columns.column("plies"))
    >>> view.format, view.itemsize, view.shape, view.readonly
    ('I', 4, (5,), True)
    """
    def __len__(self, /) -> int: ...

@final
class Columns:
    """
    Games as columns, one row a game, in the order of their numbers: what `oanquan.Columns` is made of.

    >>> from oanquan import _core
    >>> import oanquan as oaq
    >>> _, columns, _ = _core.simulate(oaq.Position.start(), 5, ["random"], 7, 1, 1000, 3, True, False, False, None)
    >>> len(columns), columns.names[:4]
    (5, ('game', 'points_a', 'points_b', 'plies'))
    """
    def __arrow_c_schema__(self, /) -> Any:
        """
        The names and types of the columns as an Arrow C schema: a capsule named `arrow_schema`.
        """
    def __arrow_c_stream__(self, /, requested_schema: Any | None = None) -> Any:
        """
        The columns as an Arrow C stream, which shares them: a capsule named `arrow_array_stream`.

        Arrow's protocol lets a producer ignore `requested_schema`, and so it is.
        """
    def __len__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, tuple[bytes]]:
        """
        Pickled as bytes in Arrow's IPC form.
        """
    def column(self, name: str, /) -> Column:
        """
        The numbers of a column, or the codes of a column of words. Raises `OanquanError` for other names.
        """
    @staticmethod
    def from_bytes(pickled: bytes, /) -> Columns:
        """
        The columns that were pickled as those bytes. Raises `OanquanError` if they are no columns of games.
        """
    def moves(self, row: SupportsIndex, /) -> bytes:
        """
        The action numbers of the moves of a row, a byte each; none past the end or if moves are not kept.
        """
    @property
    def names(self, /) -> tuple[str, ...]:
        """
        The names of the columns.
        """
    def positions(self, row: SupportsIndex, /) -> tuple[str, ...]:
        """
        The texts of the positions of a row; none past the end or if positions are not kept.
        """
    def words(self, name: str, /) -> tuple[str, ...]:
        """
        The words of a column, in the order of their codes; none if it has none.
        """

@final
class Debt:
    """
    Pebbles that one side owes another, to be repaid at the count. Immutable.

    Numbers beyond 64 bits become the nearest that fit. Raises `OanquanError` for an unknown side.

    >>> import oanquan as oaq
    >>> position = oaq.Position.parse("0.1.0.0.0.0q1/0.0.0.0.1.0q1 3/62 a>b:2 a 9")
    >>> position.debts
    (Debt(debtor='a', creditor='b', pebbles=2),)
    """
    __match_args__: Final[tuple[str, str, str]]
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, debtor: str, creditor: str, pebbles: SupportsIndex) -> Debt: ...
    def __reduce__(self, /) -> tuple[type, tuple[str, str, int]]: ...
    def __repr__(self, /) -> str: ...
    @property
    def creditor(self, /) -> str:
        """
        The side that is owed.

        >>> import oanquan as oaq
        >>> oaq.Debt("a", "b", 2).creditor
        'b'
        """
    @property
    def debtor(self, /) -> str:
        """
        The side that owes.

        >>> import oanquan as oaq
        >>> oaq.Debt("a", "b", 2).debtor
        'a'
        """
    @property
    def pebbles(self, /) -> int:
        """
        How many pebbles.

        >>> import oanquan as oaq
        >>> oaq.Debt("a", "b", 2).pebbles
        2
        """

@final
class Forest:
    """
    Many trees whose leaves are valued from outside: what `oanquan.Mcts` is made of.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> forest = _core.Forest([oaq.Position.start()], 1.5, "points", None, 0)
    >>> forest.leaves()
    1
    >>> forest.update([0.0], [[1.0] * 10])
    >>> forest.own("visits").tolist()
    [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, positions: SupportsGetItem[int, Position], exploration: SupportsFloat | SupportsIndex, value: str, noise: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] | None, seed: SupportsIndex, /) -> Forest: ...
    def advance(self, actions: Any, /) -> None:
        """
        Play an action in every tree; a tree with a negative number stays.
        """
    def leaf_positions(self, trees: SupportsGetItem[int, SupportsIndex], /) -> tuple[Position | None, ...]:
        """
        The leaves of these trees, `None` for one without a leaf that waits.
        """
    def leaves(self, /) -> int:
        """
        Walk down every tree, write the leaves that wait, and return how many do.
        """
    @staticmethod
    def outputs() -> tuple[str, ...]:
        """
        The names of the outputs, in order.

        >>> from oanquan import _core
        >>> _core.Forest.outputs()[:3]
        ('observations', 'legal_masks', 'waiting')
        """
    def own(self, /, name: str) -> Any | None:
        """
        The memory of an output, as a memoryview of its own; `None` if there is no such output.
        """
    def positions(self, trees: SupportsGetItem[int, SupportsIndex], /) -> tuple[Position, ...]:
        """
        The positions at the roots of these trees.
        """
    def set_positions(self, trees: SupportsGetItem[int, SupportsIndex], positions: SupportsGetItem[int, Position], /) -> None:
        """
        Plant new trees at these places.
        """
    def update(self, values: Any, priors: Any, /) -> None:
        """
        Value the leaves that wait.
        """

@final
class Game:
    """
    A game: the moves made from a position on, and the limits that no rule text has.

    It begins at `position`, or at the start of `rules`, or at the start of the default rules. It is over when its
    position is; or, by the count, when the same position stands for the `repetition`-th time, the first position
    counted, or after `max_plies` moves of this game. `None` switches a limit off. `len(game)` is the number of moves.

    Threads may share a game: each call is made as a whole. Two games are equal if they are the same object; compare
    `record()` for more. Copies and pickles are games of their own.

    Raises `TypeError` if both rules and a position are given, and `OanquanError` for a limit out of range: `max_plies`
    is 0 to 4294967295, `repetition` 1 to 4294967295.

    >>> import oanquan as oaq
    >>> game = oaq.Game(oaq.Rules.preset("wikipedia-vi"))
    >>> game.push("a1+")
    >>> game.push("b5-")
    >>> len(game), game.moves
    (2, (Move('a1+'), Move('b5-')))
    >>> game.pop()
    Move('b5-')
    """
    def __copy__(self, /) -> Game: ...
    def __deepcopy__(self, memo: Any, /) -> Game: ...
    def __len__(self, /) -> int: ...
    def __new__(cls, /, rules: Rules | None = None, *, position: Position | None = None, max_plies: SupportsIndex | None = ..., repetition: SupportsIndex | None = ...) -> Game: ...
    def __reduce__(self, /) -> tuple[Any, tuple[Position, int | None, int | None, tuple[Move, ...], dict[str, str], dict[int, str]]]: ...
    def __repr__(self, /) -> str: ...
    def _repr_html_(self, /) -> str:
        """
        Return the picture of the game as it stands and its moves in HTML, which notebooks show.

        >>> import oanquan as oaq
        >>> "a3+" in oaq.Game.parse("1. a3+ *")._repr_html_()
        True
        """
    def _repr_svg_(self, /) -> str:
        """
        Return the picture of the game as it stands, with its last move, which notebooks show: `oanquan.svg.board`.

        >>> import oanquan as oaq
        >>> oaq.Game()._repr_svg_().startswith("<svg")
        True
        """
    @classmethod
    def _restore(cls, start: Position, max_plies: SupportsIndex | None, repetition: SupportsIndex | None, moves: SupportsGetItem[int, Move], headers: dict[str, str], comments: dict[int, str], /) -> Game:
        """
        Make the game that was pickled.
        """
    @property
    def comments(self, /) -> dict[int, str]:
        """
        Comments of the record, by the number of moves made before them: a dict, free to change.

        >>> import oanquan as oaq
        >>> oaq.Game.parse("1. a1+ {first} b2- *").comments
        {1: 'first'}
        """
    @property
    def ending(self, /) -> str | None:
        """
        Why the game is over: what a position's `ending` can be, `"repetition"` or `"max_plies"`; `None` while it goes
        on.

        >>> import oanquan as oaq
        >>> oaq.Game(max_plies=0).ending
        'max_plies'
        """
    @property
    def headers(self, /) -> dict[str, str]:
        """
        Headers of the record that do not follow from the game, such as `Players`: a dict of strings, free to change.

        >>> import oanquan as oaq
        >>> game = oaq.Game()
        >>> game.headers["Players"] = "An / Binh"
        >>> game.headers
        {'Players': 'An / Binh'}
        """
    @property
    def is_over(self, /) -> bool:
        """
        Whether the game is over.

        >>> import oanquan as oaq
        >>> oaq.Game().is_over, oaq.Game(max_plies=0).is_over
        (False, True)
        """
    @property
    def max_plies(self, /) -> int | None:
        """
        Moves after which the game is counted, or `None`.

        >>> import oanquan as oaq
        >>> oaq.Game().max_plies, oaq.Game(max_plies=None).max_plies
        (1000, None)
        """
    @property
    def moves(self, /) -> tuple[Move, ...]:
        """
        The moves made.

        >>> import oanquan as oaq
        >>> oaq.Game.parse("1. a1+ b2- *").moves
        (Move('a1+'), Move('b2-'))
        """
    @property
    def outcome(self, /) -> Outcome | None:
        """
        How the game came out; `None` while it goes on.

        >>> import oanquan as oaq
        >>> oaq.Game(max_plies=0).outcome
        Outcome(winner=None, ending='max_plies', points=(25, 25))
        """
    @classmethod
    def parse(cls, text: str, /) -> Game:
        """
        Read the record of one game, as `record` writes it.

        Raises `NotationError` for a text that is no record of one game: it is not of the form, a move is not legal, or
        a header contradicts the moves. Its message has line and column; its `column` counts from the text's beginning.

        >>> import oanquan as oaq
        >>> game = oaq.Game.parse('[Rules "quan-non"]\\n\\n1. a1+ {first} b2- *')
        >>> game.moves, game.comments
        ((Move('a1+'), Move('b2-')), {1: 'first'})
        """
    @classmethod
    def parse_all(cls, text: str, /) -> list[Game]:
        """
        Read the records of any number of games, one after the other.

        Raises what `parse` does.

        >>> import oanquan as oaq
        >>> [len(game) for game in oaq.Game.parse_all("1. a1+ *  1. a1+ b2- 2. a3+ *")]
        [1, 3]
        """
    def pop(self, /) -> Move | None:
        """
        Take the last move back and return it; `None` if there is none.

        >>> import oanquan as oaq
        >>> game = oaq.Game.parse("1. a1+ *")
        >>> game.pop(), game.pop()
        (Move('a1+'), None)
        """
    @property
    def position(self, /) -> Position:
        """
        The position now.

        >>> import oanquan as oaq
        >>> game = oaq.Game()
        >>> game.push("a3+")
        >>> print(game.position)
        6.6.0.0.6.1q1/6.6.0.6.6.1q1 6/0 - b 1
        """
    def push(self, move: Move | str | SupportsIndex, /) -> None:
        """
        Make a move.

        Takes and raises what `Position.play` does; also `IllegalMoveError` when the game is over by one of its limits.
        What raises changes nothing.

        >>> import oanquan as oaq
        >>> game = oaq.Game(max_plies=1)
        >>> game.push("a3+")
        >>> game.outcome
        Outcome(winner=None, ending='max_plies', points=(24, 24))
        >>> game.push("b1+")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        oanquan.errors.IllegalMoveError: illegal move b1+: the game is over (max_plies) (position ...; legal moves: none)
        """
    def record(self, /) -> str:
        """
        Return the record of the game: headers, then numbered moves with comments in braces, then the result.

        `headers` and `comments` are what the dicts of those names hold. Comments on moves that are not made (any more)
        are left out, and `Result` once the game has one of its own. Raises `OanquanError` for a header that would not
        be read back: `Rules`, `Points` and others follow from the game.

        >>> import oanquan as oaq
        >>> game = oaq.Game()
        >>> game.headers["Players"] = "An / Binh"
        >>> game.push("a3+")
        >>> game.comments[1] = "a try"
        >>> print(game.record(), end="")
        [Rules "mancala-world"]
        [Players "An / Binh"]
        [Result "*"]
        <BLANKLINE>
        1. a3+ {a try} *
        """
    @property
    def repetition(self, /) -> int | None:
        """
        How often a position may stand before the game is counted, or `None`.

        >>> import oanquan as oaq
        >>> oaq.Game().repetition, oaq.Game(repetition=None).repetition
        (3, None)
        """
    @property
    def start(self, /) -> Position:
        """
        The position that the game began with.

        >>> import oanquan as oaq
        >>> game = oaq.Game()
        >>> game.push("a3+")
        >>> game.start == oaq.Position.start()
        True
        """

@final
class MatchPairs:
    """
    The pairs of games of a match. What is in them becomes objects of Python when it is asked for: a match may have millions
    of games, and whoever stops it would wait for all of them.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start = oaq.Position.start()
    >>> pairs, *_ = _core.play_match(start, ["greedy", "random"], 10, 4, 0, 1, 1000, 3, None, None)
    >>> opening, (moves, outcome), _ = pairs.pair(9)
    >>> len(pairs), opening, len(moves) > 4, sum(pairs.results())
    (10, 4, True, 20)
    """
    def __eq__(self, value: object, /) -> bool: ...
    def __len__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def endings(self, /) -> dict[str, int]:
        """
        How many games ended for which reason, by name; reasons for which none did are left out.
        """
    def half_points(self, /) -> bytes:
        """
        The half points that each pair brought the first agent: a byte of 0 to 4 for each.
        """
    def pair(self, number: SupportsIndex, /) -> tuple[int, tuple[tuple[Move, ...], Outcome], tuple[tuple[Move, ...], Outcome]]:
        """
        A pair by its number: how many of the moves are the opening's, and the two games, each with its moves and its
        outcome, the first with the first agent as side a. Raises `IndexError` past the end.
        """
    def results(self, /) -> tuple[int, int, int]:
        """
        How many games the first agent won, drew and lost.
        """

@final
class Move:
    """
    A move: whose it is, from which of the own squares, in which direction. Immutable; equal by value.

    `Move(text)` reads `a3+` (counter-clockwise) or `b2-` (clockwise), in lower or upper case, and raises
    `NotationError` for anything else. A move knows no board: whether it is legal, a position says.

    >>> import oanquan as oaq
    >>> move = oaq.Move("b2-")
    >>> move.side, move.square, move.direction, move.action
    ('b', 2, 'clockwise', 3)
    >>> print(move)
    b2-
    """
    __match_args__: Final[tuple[str, str, str]]
    def __copy__(self, /) -> Move: ...
    def __deepcopy__(self, memo: Any, /) -> Move: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, text: str, /) -> Move: ...
    def __reduce__(self, /) -> tuple[type, tuple[str]]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    @property
    def action(self, /) -> int:
        """
        The action number, relative to the side: 0 to 13, on the standard board 0 to 9.

        >>> import oanquan as oaq
        >>> oaq.Move("b2-").action
        3
        """
    @property
    def direction(self, /) -> str:
        """
        `"counterclockwise"` or `"clockwise"`, as seen from above.

        >>> import oanquan as oaq
        >>> oaq.Move("b2-").direction
        'clockwise'
        """
    @staticmethod
    def from_action(action: SupportsIndex, side: str = ...) -> Move:
        """
        Return the move of a side with an action number, 0 to 13: `2 * (square - 1)`, plus 1 for clockwise.

        Raises `OanquanError` for another number or an unknown side.

        >>> import oanquan as oaq
        >>> oaq.Move.from_action(5, "b")
        Move('b3-')
        """
    @property
    def side(self, /) -> str:
        """
        The side that moves: `"a"` to `"d"`.

        >>> import oanquan as oaq
        >>> oaq.Move("b2-").side
        'b'
        """
    @property
    def square(self, /) -> int:
        """
        The number of the square that is lifted from: 1 to 7, counted along the side's own row.

        >>> import oanquan as oaq
        >>> oaq.Move("b2-").square
        2
        """

@final
class Outcome:
    """
    How a game came out. Immutable.

    Made by positions and games that are over; `Outcome(winner, ending, points)` makes one by hand and raises
    `OanquanError` for an unknown side or ending.

    >>> import oanquan as oaq
    >>> over = oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins")
    >>> over.outcome
    Outcome(winner='a', ending='mandarins', points=(43, 27))
    >>> print(over.outcome)
    a wins 43/27 (mandarins)
    """
    __match_args__: Final[tuple[str, str, str]]
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, winner: str | None, ending: str, points: SupportsGetItem[int, SupportsIndex]) -> Outcome: ...
    def __reduce__(self, /) -> tuple[type, tuple[str | None, str, tuple[int, ...]]]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    @property
    def ending(self, /) -> str:
        """
        Why the game is over.

        `"mandarins"`: the mandarin squares are empty, or the mandarins taken, as the rules have it. `"short"`: a side
        could not re-seed its row. `"loses"`: the same, and that side has lost. `"repetition"`, `"max_plies"`: a limit
        of the game.

        >>> import oanquan as oaq
        >>> oaq.Game(max_plies=0).outcome.ending
        'max_plies'
        """
    @property
    def points(self, /) -> tuple[int, ...]:
        """
        The points of the count, one number a side.

        >>> import oanquan as oaq
        >>> oaq.Outcome("a", "mandarins", (43, 27)).points
        (43, 27)
        """
    @property
    def winner(self, /) -> str | None:
        """
        The side that won, or `None` for a draw.

        >>> import oanquan as oaq
        >>> oaq.Outcome("a", "mandarins", (43, 27)).winner
        'a'
        """

@final
class Player:
    """
    An agent, asked for one move at a time: for games that are played outside of the core.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start = oaq.Position.start()
    >>> pairs, *_ = _core.play_match(start, ["random", "random"], 1, 0, 7, 1, 1000, 3, None, None)
    >>> player = _core.Player("random")
    >>> player.choose(start, 7, 0, 0) == pairs.pair(0)[1][0][0]
    True
    """
    def __new__(cls, text: str, /) -> Player:
        """
        The agent of a text. Raises `OanquanError` for what is none.
        """
    def choose(self, position: Position, seed: SupportsIndex, game: SupportsIndex, ply: SupportsIndex, /) -> Move | None:
        """
        The move that it chooses in a position so many plies after the start of the game of that number, drawing from the
        stream of it; `None` where there is no move, and soon after `stop`. Other threads run meanwhile.
        """
    def stop(self, /) -> None:
        """
        Give up what it is thinking about, and all that it is asked later.
        """

@final
class Position:
    """
    A position of a game: always one in which the side to move has a move, or the game is over. Immutable.

    Positions come from `Position.start`, `Position.parse`, `Setup.position` and `play`; what is set up is checked, so
    that a position is always one that can be played. Re-seeding and loans happen inside the move before.

    Two positions are equal, and have equal keys and hashes, when nothing that can still matter differs: their rules,
    boards, stores, debts, side to move and ending; the ply only while `mandarin_ban` is in force.

    >>> import oanquan as oaq
    >>> position = oaq.Position.start()
    >>> len(position.legal_moves)
    10
    >>> position = position.play("a3+")
    >>> print(position)
    6.6.0.0.6.1q1/6.6.0.6.6.1q1 6/0 - b 1
    """
    def __copy__(self, /) -> Position: ...
    def __deepcopy__(self, memo: Any, /) -> Position: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __format__(self, spec: str, /) -> str:
        """
        Return the position in a form: `""` as `str()` does, `"board"` or `"ascii"` as a board to read, either in another
        language, as in `"board:vi"`. See `oanquan.board_text`; raises `OanquanError` for other forms.

        >>> import oanquan as oaq
        >>> position = oaq.Position.start()
        >>> f"{position:board}" == oaq.board_text(position)
        True
        """
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, tuple[str, Rules]]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def _repr_html_(self, /) -> str:
        """
        Return the picture of the position in HTML, which notebooks show.

        >>> import oanquan as oaq
        >>> "<svg" in oaq.Position.start()._repr_html_()
        True
        """
    def _repr_svg_(self, /) -> str:
        """
        Return the picture of the position, which notebooks show: `oanquan.svg.board`.

        >>> import oanquan as oaq
        >>> oaq.Position.start()._repr_svg_().startswith("<svg")
        True
        """
    @property
    def counted(self, /) -> tuple[int, ...]:
        """
        The points of each side if the game were counted as the position stands.

        >>> import oanquan as oaq
        >>> oaq.Position.start().play("a3+").counted
        (24, 24)
        """
    @property
    def debts(self, /) -> tuple[Debt, ...]:
        """
        What the sides owe each other, by debtor and then creditor; debts of nothing are left out.

        >>> import oanquan as oaq
        >>> oaq.Position.parse("0.1.0.0.0.0q1/0.0.0.0.1.0q1 3/62 a>b:2 a 9").debts
        (Debt(debtor='a', creditor='b', pebbles=2),)
        """
    @property
    def ending(self, /) -> str | None:
        """
        Why the game is over: `"mandarins"`, `"short"` or `"loses"`; `None` while it goes on.

        >>> import oanquan as oaq
        >>> oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins").ending
        'mandarins'
        """
    def is_legal(self, move: Move | str | SupportsIndex, /) -> bool:
        """
        Return whether a move is legal.

        Takes what `play` does; raises `NotationError` for a text that is no move, and `TypeError`.

        >>> import oanquan as oaq
        >>> start = oaq.Position.start()
        >>> start.is_legal("a3+"), start.is_legal("b3+"), start.is_legal(99)
        (True, False, False)
        """
    @property
    def is_over(self, /) -> bool:
        """
        Whether the game is over.

        >>> import oanquan as oaq
        >>> oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins").is_over
        True
        """
    @property
    def key(self, /) -> int:
        """
        A 64-bit number that is the same for equal positions, on every machine and in every version of this package.

        >>> import oanquan as oaq
        >>> start = oaq.Position.start()
        >>> start.key == oaq.Position.parse(str(start)).key, start.key == start.play("a3+").key
        (True, False)
        """
    @property
    def legal_mask(self, /) -> int:
        """
        The legal moves as bits: bit n is set when the move with action number n is legal.

        >>> import oanquan as oaq
        >>> bin(oaq.Position.parse("0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12").legal_mask)
        '0b1100'
        """
    @property
    def legal_moves(self, /) -> tuple[Move, ...]:
        """
        The legal moves, in the order of their action numbers; none when the game is over.

        Moves and tuples are shared objects: asking again costs next to nothing.

        >>> import oanquan as oaq
        >>> oaq.Position.parse("3.0.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12").legal_moves
        (Move('a1+'), Move('a1-'))
        """
    @property
    def mandarins(self, /) -> tuple[int, ...]:
        """
        The mandarins in every square, 0 or 1, in the order of the ring.

        >>> import oanquan as oaq
        >>> oaq.Position.start().mandarins
        (0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1)
        """
    def observation(self, /, side: str | None = None, out: Any | None = None) -> tuple[int, ...] | None:
        """
        Return what a side sees of the position, the side to move if none is named: the numbers of `Batch.observations`,
        whose names are `rules.observation_names`.

        With `out`, a writable C-contiguous buffer of so many int16, they are written there and `None` is returned.
        Raises `OanquanError` if the rules have no such side or the buffer is not as it should be.

        >>> import oanquan as oaq
        >>> position = oaq.Position.start(oaq.Rules(squares=2, pebbles=3)).play("a2-")
        >>> print(position)
        5.1.1q1/0.4.1q1 0/0 - b 1
        >>> position.observation()
        (0, 4, 1, 5, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
        >>> position.observation("a")
        (5, 1, 1, 0, 4, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
        """
    @property
    def outcome(self, /) -> Outcome | None:
        """
        How the game came out; `None` while it goes on.

        >>> import oanquan as oaq
        >>> oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins").outcome
        Outcome(winner='a', ending='mandarins', points=(43, 27))
        """
    @classmethod
    def parse(cls, /, text: str, rules: Rules | None = None) -> Position:
        """
        Read the text of a position, played by `rules`, the default ones if none are given.

        Five fields with single spaces between them: rows, stores, debts, side to move, ply; a finished position has
        its ending as a sixth. `str(position)` writes it. Raises `NotationError` for a text that is not of the form,
        and `PositionError`, with every fault, for one that says what no position can be.

        >>> import oanquan as oaq
        >>> text = "6.6.0.0.6.1q1/6.6.0.6.6.1q1 6/0 - b 1"
        >>> str(oaq.Position.parse(text)) == text
        True
        >>> oaq.Position.parse("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a x")
        Traceback (most recent call last):
        oanquan.errors.NotationError: expected a number at column 37, got "x" in "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a x"
        """
    @property
    def pebbles(self, /) -> tuple[int, ...]:
        """
        The pebbles in every square, in the order of the ring: a1, a2, ..., am, b1, ... (`rules.square_names`).

        >>> import oanquan as oaq
        >>> oaq.Position.start().play("a3+").pebbles
        (6, 6, 0, 0, 6, 1, 6, 6, 0, 6, 6, 1)
        """
    def play(self, move: Move | str | SupportsIndex, /) -> Position:
        """
        Return the position after a move.

        `move` is a `Move`, a text such as `"a3+"` or, for the side to move, `"3+"`, or an action number. Raises
        `IllegalMoveError` for a move that is not legal here, `NotationError` for a text that is no move, and
        `TypeError` for anything else.

        >>> import oanquan as oaq
        >>> start = oaq.Position.start()
        >>> start.play("a3+") == start.play("3+") == start.play(4) == start.play(oaq.Move("a3+"))
        True
        >>> start.play("b1+")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        oanquan.errors.IllegalMoveError: illegal move b1+: it is side a's turn (position ...; legal moves: a1+ a1- ...)
        """
    @property
    def ply(self, /) -> int:
        """
        Plies since the start of the game.

        >>> import oanquan as oaq
        >>> oaq.Position.start().play("a3+").ply
        1
        """
    @property
    def points(self, /) -> tuple[int, ...]:
        """
        The points of each side: of a finished position those of the count, of one in play what the store is worth with
        debts repaid.

        >>> import oanquan as oaq
        >>> oaq.Position.start().play("a3+").points
        (6, 0)
        """
    @property
    def rules(self, /) -> Rules:
        """
        The rules it is played by.

        >>> import oanquan as oaq
        >>> oaq.Position.start(oaq.Rules(squares=3)).rules
        Rules(squares=3)
        """
    @staticmethod
    def start(rules: Rules | None = None, first: str = ...) -> Position:
        """
        Return the start of a game by `rules`, the default ones if none are given; side `first` moves first.

        Raises `OanquanError` if the rules have no such side.

        >>> import oanquan as oaq
        >>> print(oaq.Position.start(oaq.Rules(squares=2, pebbles=3), first="b"))
        3.3.0q1/3.3.0q1 0/0 - b 0
        """
    @property
    def stores(self, /) -> tuple[Store, ...]:
        """
        What each side has captured.

        >>> import oanquan as oaq
        >>> oaq.Position.start().play("a3+").stores
        (Store(pebbles=6, mandarins=0), Store(pebbles=0, mandarins=0))
        """
    def trace(self, move: Move | str | SupportsIndex, /) -> list[Step]:
        """
        Return every step of a move, in order, those of the count too if it ends the game.

        Takes and raises what `play` does.

        >>> import oanquan as oaq
        >>> for step in oaq.Position.start(oaq.Rules(squares=2, pebbles=1)).trace("a2-"):
        ...     print(step)
        lift 1 pebble from a2
        drop one in a1
        stop: the next square is a mandarin square that is not empty
        """
    @property
    def turn(self, /) -> str:
        """
        The side to move; in a finished position the one that would be next.

        >>> import oanquan as oaq
        >>> oaq.Position.start().play("a3+").turn
        'b'
        """

@final
class RecordReader:
    """
    The records of a file, one after the other, and what is no record between them.

    >>> import io
    >>> from oanquan import _core
    >>> reader = _core.RecordReader(io.BytesIO(b"1. a1+ * 1. a2+ *"), 1, 1, 0)
    >>> number, line, offset, game = reader.record()
    >>> game.moves, reader.headers(), reader.record()
    ((Move('a1+'),), (2, 1, 9, {}), None)
    """
    def __new__(cls, file: Any, number: SupportsIndex, line: SupportsIndex, offset: SupportsIndex, /) -> RecordReader:
        """
        Read a file, which has the record of that number at that line and byte.
        """
    def headers(self, /) -> tuple[int, int, int, dict[str, str]] | None:
        """
        Return number, line, byte and headers of the next record, whose moves are not looked at; `None` if there is none.
        Raises what `record` does.
        """
    def pass_over(self, /) -> tuple[int, BaseException | None]:
        """
        Pass over records, whose headers and moves are not looked at, up to the end or to what is no record. Return how many
        there were and, unless it is the end, the `RecordError`. Raises what the file raises.
        """
    def record(self, /) -> tuple[int, int, int, Game] | None:
        """
        Return number, line, byte and game of the next record; `None` if there is none. Raises `RecordError` for what is no
        record, and what the file raises; either way the next call goes on behind it.
        """

@final
class ShardReader:
    """
    The games of a shard, row group by row group: an iterator of `_core.Columns`.

    Opening it reads the footer. Raises `OSError` if the file cannot be read, and `OanquanError` if it is no complete
    shard; so may each step.

    >>> import os, tempfile
    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "games.parquet")
    ...     _core.write_shard(path, oaq.Position.start(), 0, 100, ["random"], 7, 1, 1000, 3, True, False, [], None)
    ...     [len(columns) for columns in _core.ShardReader(path)]
    100
    [100]
    """
    def __iter__(self, /) -> ShardReader: ...
    def __new__(cls, path: str | PathLike[str], /) -> ShardReader: ...
    def __next__(self, /) -> Columns: ...

@final
class Step:
    """
    One step of a move, as `Position.trace` tells it. Immutable; `str()` says it in words.

    | `kind` | happens | `astuple()` |
    |---|---|---|
    | `lift` | pebbles are lifted from a square | `("lift", square, pebbles)` |
    | `drop` | one pebble is dropped in a square | `("drop", square)` |
    | `capture` | a square is captured | `("capture", square, pebbles, mandarins)` |
    | `stop` | sowing and capturing end | `("stop", reason)` |
    | `borrow` | pebbles are lent for a re-seeding | `("borrow", side, other, pebbles)` |
    | `reseed` | a row is re-seeded | `("reseed", side, pebbles)` |
    | `sweep` | at the count: pebbles from the rows | `("sweep", side, pebbles)` |
    | `share` | at the count: points of the mandarin squares | `("share", side, pebbles)` |
    | `repay` | at the count: a debt is repaid | `("repay", side, other, pebbles)` |
    | `end` | the game is over | `("end", reason)` |

    What a step does not have is `None`. `Step(*step.astuple()) == step`.

    >>> import oanquan as oaq
    >>> lift = oaq.Position.start().trace("a1+")[0]
    >>> lift.kind, lift.square, lift.pebbles, lift.side
    ('lift', 'a1', 5, None)
    >>> print(lift)
    lift 5 pebbles from a1
    """
    __match_args__: Final[tuple[str]]
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, kind: str, /, *args: "str | int") -> Step: ...
    def __reduce__(self, /) -> tuple[type, tuple[str | int, ...]]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def astuple(self, /) -> tuple[str | int, ...]:
        """
        Return the step as a tuple: its kind, then what the table above says.

        >>> import oanquan as oaq
        >>> [step.astuple() for step in oaq.Position.start().trace("a1+")][-2:]
        [('capture', 'a2', 6, 0), ('stop', 'no_gap')]
        """
    @property
    def kind(self, /) -> str:
        """
        What happens: one of the words of the table above.

        >>> import oanquan as oaq
        >>> oaq.Position.start().trace("a1+")[0].kind
        'lift'
        """
    @property
    def mandarins(self, /) -> int | None:
        """
        How many mandarins are captured: 0 or 1.

        >>> import oanquan as oaq
        >>> oaq.Step("capture", "am", 3, 1).mandarins
        1
        """
    @property
    def other(self, /) -> str | None:
        """
        Who lends, or is repaid.

        >>> import oanquan as oaq
        >>> oaq.Step("borrow", "a", "b", 2).other
        'b'
        """
    @property
    def pebbles(self, /) -> int | None:
        """
        How many pebbles; of a share, points.

        >>> import oanquan as oaq
        >>> oaq.Position.start().trace("a1+")[0].pebbles
        5
        """
    @property
    def reason(self, /) -> str | None:
        """
        Why the move stops, or the game ends: a word such as `"no_gap"` or `"mandarins"`.

        >>> import oanquan as oaq
        >>> oaq.Position.start().trace("a1+")[-1].reason
        'no_gap'
        """
    @property
    def side(self, /) -> str | None:
        """
        Who borrows, re-seeds, sweeps, shares or repays.

        >>> import oanquan as oaq
        >>> oaq.Step("reseed", "a", 5).side
        'a'
        """
    @property
    def square(self, /) -> str | None:
        """
        Where: `"a3"`, or `"am"` for the mandarin square after side a's row.

        >>> import oanquan as oaq
        >>> oaq.Position.start().trace("a1+")[0].square
        'a1'
        """

@final
class Store:
    """
    What a side has captured: pebbles, and mandarins (each worth `mandarin_value` pebbles at the count). Immutable.

    The pebbles are below zero only where the rules let a side owe. Numbers beyond 64 bits become the nearest that fit.

    >>> import oanquan as oaq
    >>> oaq.Position.start().play("a1+").stores
    (Store(pebbles=6, mandarins=0), Store(pebbles=0, mandarins=0))
    """
    __match_args__: Final[tuple[str, str]]
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, pebbles: SupportsIndex, mandarins: SupportsIndex = ...) -> Store: ...
    def __reduce__(self, /) -> tuple[type, tuple[int, int]]: ...
    def __repr__(self, /) -> str: ...
    @property
    def mandarins(self, /) -> int:
        """
        Captured mandarins.

        >>> import oanquan as oaq
        >>> oaq.Store(30, 1).mandarins
        1
        """
    @property
    def pebbles(self, /) -> int:
        """
        Captured pebbles, less those put back or lent.

        >>> import oanquan as oaq
        >>> oaq.Position.start().play("a1+").stores[0].pebbles
        6
        """

@final
class Summary:
    """
    What many games came to, in whole numbers. A number of each game is summed up as
    `(count, sum, sum of squares, least, greatest)`, and its histogram is the numbers that occur, ascending, each with how
    many games have it.
    """
    @property
    def difference(self, /) -> tuple[int, int, int, int, int] | None:
        """
        The sums of side a's points minus side b's; `None` unless two sides play.
        """
    @property
    def difference_histogram(self, /) -> list[tuple[int, int]]:
        """
        The histogram of side a's points minus side b's; empty unless two sides play.
        """
    @property
    def draws(self, /) -> int:
        """
        How many games nobody won.
        """
    @property
    def endings(self, /) -> list[tuple[str, int]]:
        """
        How many games ended for each reason.
        """
    @property
    def games(self, /) -> int:
        """
        How many games were finished.
        """
    @property
    def loans(self, /) -> int:
        """
        How many loans were made, one for each lender.
        """
    @property
    def openings(self, /) -> list[tuple[Move, list[tuple[str, int]], int, tuple[int, int, int, int, int]]]:
        """
        The first moves that occur, by action number; of the games of each: how many each side won, how many nobody won,
        and the sums of the margin of the side that moved first over the best of the others.
        """
    @property
    def pebbles_lent(self, /) -> int:
        """
        How many pebbles were lent.
        """
    @property
    def plies(self, /) -> tuple[int, int, int, int, int]:
        """
        The sums of the plies; the sum of plies is the number of moves made.
        """
    @property
    def plies_histogram(self, /) -> list[tuple[int, int]]:
        """
        The histogram of the plies.
        """
    @property
    def points(self, /) -> list[tuple[str, tuple[int, int, int, int, int]]]:
        """
        The sums of each side's points.
        """
    @property
    def points_histogram(self, /) -> list[tuple[str, list[tuple[int, int]]]]:
        """
        The histogram of each side's points.
        """
    @property
    def reseedings(self, /) -> int:
        """
        How many rows were re-seeded.
        """
    @property
    def wins(self, /) -> list[tuple[str, int]]:
        """
        How many games each side won, in the order of the sides.
        """

@final
class Table:
    """
    An endgame table in a file: what `oanquan.Tables` is made of.

    >>> import os, tempfile
    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = _core.Table.build(os.path.join(folder, "a.table"), oaq.Rules.preset("short-game"), 3, 1, None)
    >>> table.rules_text, table.pebbles, table.positions
    ('short-game', 3, 1005)
    """
    @staticmethod
    def build(path: str | PathLike[str], rules: Rules, pebbles: SupportsIndex, threads: SupportsIndex, progress: Callable[[int, int], object] | None, /) -> Table:
        """
        Build a table into a file, or open the one that is there; `threads` 0 means all cores. `progress` is called from this
        thread with the positions settled and all positions, about every 50 ms and at the end.

        Raises `OSError`, `MemoryError`, `OanquanError` if there is no such table or another file in the way, and what
        `progress` or a signal handler raises.

        >>> import oanquan as oaq
        >>> from oanquan import _core
        >>> _core.Table.build("a.table", oaq.Rules(shortfall="count"), 3, 1, None)
        Traceback (most recent call last):
        oanquan.errors.OanquanError: rules: expected two sides and shortfall=borrow, owe or loses, got shortfall=count
        """
    @staticmethod
    def open(path: str | PathLike[str], /) -> Table:
        """
        Open the file of a table.

        Raises `OSError` if it cannot be read, `OanquanError` if it is no table.

        >>> from oanquan import _core
        >>> _core.Table.open("nothing")
        Traceback (most recent call last):
        FileNotFoundError: [Errno 2] No such file or directory: 'nothing'
        """
    @property
    def path(self, /) -> Path:
        """
        The file.

        >>> from oanquan import _core
        >>> type(_core.Table.path).__name__
        'getset_descriptor'
        """
    @property
    def pebbles(self, /) -> int:
        """
        The most pebbles on a board of the table.

        >>> from oanquan import _core
        >>> type(_core.Table.pebbles).__name__
        'getset_descriptor'
        """
    @property
    def positions(self, /) -> int:
        """
        How many positions the table has.

        >>> from oanquan import _core
        >>> type(_core.Table.positions).__name__
        'getset_descriptor'
        """
    def probe(self, position: Position, /) -> tuple[int | None, int | None]:
        """
        Return the lower and the upper bound of the further difference of a position; `None` for one that is not known.

        Raises `OanquanError` if the table does not serve the rules of the position, or its part of the file was changed.

        >>> import os, tempfile
        >>> import oanquan as oaq
        >>> from oanquan import _core
        >>> rules = oaq.Rules.preset("short-game")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = _core.Table.build(os.path.join(folder, "a.table"), rules, 3, 1, None)
        >>> table.probe(oaq.Position.parse("0.0.1.0.0.0q1/0.0.0.0.1.0 25/23q1 - a 60", rules))
        (10, 10)
        """
    @property
    def rules_text(self, /) -> str:
        """
        The text of the rules.

        >>> from oanquan import _core
        >>> type(_core.Table.rules_text).__name__
        'getset_descriptor'
        """
    def serves(self, rules: Rules, /) -> bool:
        """
        Return whether positions by these rules are worth what the table says.

        >>> import os, tempfile
        >>> import oanquan as oaq
        >>> from oanquan import _core
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = _core.Table.build(os.path.join(folder, "a.table"), oaq.Rules(), 3, 1, None)
        >>> table.serves(oaq.Rules.preset("ten-pebbles")), table.serves(oaq.Rules.preset("quan-five"))
        (True, False)
        """
    def verify(self, threads: SupportsIndex, progress: Callable[[int, int], object] | None, /) -> tuple[tuple[str, ...], int]:
        """
        Hold the file against its checksums and its bounds against the rules; return what is wrong, the first ten faults, and
        how many positions are settled. `threads` and `progress` are as in `build`.

        >>> import os, tempfile
        >>> import oanquan as oaq
        >>> from oanquan import _core
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = _core.Table.build(os.path.join(folder, "a.table"), oaq.Rules.preset("short-game"), 3, 1, None)
        >>> table.verify(1, None)
        ((), 243)
        """

@final
class Telling:
    """
    How a call of `solve` is getting on: what its `progress` looks at.

    >>> from oanquan import _core
    >>> telling = _core.Telling()
    >>> telling.nodes, telling.lower, telling.upper, telling.plies, telling.decisions
    (0, None, None, (0, 0), 0)
    """
    def __new__(cls, /) -> Telling: ...
    @property
    def decisions(self, /) -> int:
        """
        The decisions of the certificate that are written down or verified.
        """
    @property
    def lower(self, /) -> int | None:
        """
        What the side to move can get at least, so far.
        """
    @property
    def nodes(self, /) -> int:
        """
        The positions looked at.
        """
    @property
    def plies(self, /) -> tuple[int, int]:
        """
        The plies of the longest line that was looked at for the lower and for the upper bound.
        """
    @property
    def upper(self, /) -> int | None:
        """
        What the other side can hold it to, so far.
        """

def agent_name(text: str, /) -> str:
    """
    The one form of the text of an agent. Raises `OanquanError` for what is none.

    >>> from oanquan import _core
    >>> _core.agent_name("mcts:simulations=0050")
    'mcts:simulations=50'
    """

def agents() -> tuple[tuple[str, str], ...]:
    """
    The texts of the agents that can play, each with what it does.

    >>> from oanquan import _core
    >>> [text for text, _ in _core.agents()][:3]
    ['random', 'greedy', 'cautious']
    """

def bench_batch(n: SupportsIndex, steps: SupportsIndex, seed: SupportsIndex) -> tuple[int, float]:
    """
    Step `n` uniform random games of `mancala-world` together `steps` times on one core, without Python: every output
    is written, and games that are over give their places to the next ones.

    Returns the number of game-steps, `n * steps`, and the seconds they took.

    >>> from oanquan import _core
    >>> game_steps, seconds = _core.bench_batch(64, 10, 7)
    >>> game_steps, seconds > 0
    (640, True)
    """

def bench_calibration() -> tuple[int, float]:
    """
    Run the calibration loop, a chain of 64-bit multiplications each of which waits for the one before, for about half
    a second.

    Returns the number of steps and the seconds they took: the speed of one core, to set other figures against.

    >>> from oanquan import _core
    >>> steps, seconds = _core.bench_calibration()
    >>> steps > 0, seconds > 0
    (True, True)
    """

def bench_mcts(simulations: SupportsIndex, trees: SupportsIndex, seed: SupportsIndex) -> tuple[int, float]:
    """
    Search the start of `wikipedia-vi` by Monte Carlo on one core, with random playouts, in trees of `simulations`
    simulations each, `trees` of them one after the other.

    Returns the number of simulations and the seconds they took.

    >>> from oanquan import _core
    >>> simulations, seconds = _core.bench_mcts(500, 2, 7)
    >>> simulations, seconds > 0
    (1000, True)
    """

def bench_path(path: str, games: SupportsIndex, seed: SupportsIndex) -> tuple[int, float]:
    """
    Play `games` uniform random games from the start of `mancala-world` on one core, on a path of `bench_paths`.

    Returns the number of moves made and the seconds they took.

    >>> from oanquan import _core
    >>> moves, seconds = _core.bench_path("core", 100, 7)
    >>> moves == _core.bench_path("scalar", 100, 7)[0]
    True
    """

def bench_paths() -> tuple[str, ...]:
    """
    How random games can be played on this processor, the slowest way first: `"plain"` is the loop that one writes first,
    pebble by pebble; the others are the paths of `oanquan_engine::lanes`.

    >>> from oanquan import _core
    >>> _core.bench_paths()[:3]
    ('plain', 'core', 'scalar')
    """

def bench_search(method: str, depth: SupportsIndex) -> tuple[int, float]:
    """
    Search the start of `wikipedia-vi` to a depth on one core: `"plain"` is alpha-beta without a table and without an order
    of moves, `"search"` what `oanquan.search` does, with a table of 16 MiB.

    Returns the number of nodes (positions reached by playing a move) and the seconds they took.

    >>> from oanquan import _core
    >>> nodes, seconds = _core.bench_search("plain", 5)
    >>> nodes > _core.bench_search("search", 5)[0] > 0
    True
    """

def build_position(rules: Rules, pebbles: SupportsGetItem[int, tuple[str, SupportsIndex]], mandarins: SupportsGetItem[int, tuple[str, SupportsIndex]], stores: SupportsGetItem[int, tuple[str, SupportsIndex, SupportsIndex]], debts: SupportsGetItem[int, tuple[str, str, SupportsIndex]], turn: str, ply: SupportsIndex, ending: str | None, /) -> Position:
    """
    Make the position that a set-up describes. What is not named is 0.

    Raises `PositionError` with every fault. Numbers beyond 64 bits count as the nearest that fit.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> position = _core.build_position(
    ...     oaq.Rules(), [("a1", 3), ("b2", 1)], [("am", 1), ("bm", 1)], [("b", 66, 0)], [], "a", 12, None)
    >>> print(position)
    3.0.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12
    """

def check_rules(pairs: SupportsGetItem[int, tuple[str, str]], /) -> None:
    """
    Check rules given as names and texts of knobs; those left out have their defaults.

    Raises `RulesError` with every fault.

    >>> from oanquan import _core
    >>> _core.check_rules([("sides", "3")])
    >>> _core.check_rules([("sides", "5"), ("squares", "0")])
    Traceback (most recent call last):
    oanquan.errors.RulesError: sides: expected 2 to 4, got "5"; squares: expected 1 to 7, got "0"
    """

def check_shard(path: str | PathLike[str], position: Position, first_game: SupportsIndex, games: SupportsIndex, agents: SupportsGetItem[int, str], seed: SupportsIndex, max_plies: SupportsIndex | None, repetition: SupportsIndex | None, moves: bool, positions: bool, sample: SupportsGetItem[int, SupportsIndex], progress: Callable[[int, int], object] | None, /) -> list[int]:
    """
    Read a shard through and play those of its games again that `sample` has, numbers in rising order.

    The other arguments are those of `_core.write_shard`. Returns the numbers of the games that are not what the shard
    says. Raises `OSError` if the file cannot be read, `OanquanError` if it cannot be read through or has other games,
    and what was raised by `progress` or a signal handler.

    >>> import os, tempfile
    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start, sample = oaq.Position.start(), [500, 599]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "games.parquet")
    ...     _core.write_shard(path, start, 500, 100, ["random"], 7, 1, 1000, 3, False, False, [], None)
    ...     _core.check_shard(path, start, 500, 100, ["random"], 7, 1000, 3, False, False, sample, None)
    ...     _core.check_shard(path, start, 500, 100, ["random"], 8, 1000, 3, False, False, sample, None)
    100
    []
    [500, 599]
    """

def divide(position: Position, depth: SupportsIndex) -> dict[Move, int]:
    """
    Return the perft of depth `depth - 1` after each legal move, in the order of their action numbers.

    From depth 1 on the counts add up to `perft(position, depth)`; at depth 0 there is nothing to divide, and the dict is
    empty. Takes and raises what `perft` does.

    >>> import oanquan as oaq
    >>> counts = oaq.divide(oaq.Position.start(), 3)
    >>> counts[oaq.Move("a1+")], sum(counts.values())
    (70, 664)
    """

def knob_summaries() -> list[tuple[str, str]]:
    """
    What every knob decides, in one sentence each, by its name.

    >>> from oanquan import _core
    >>> dict(_core.knob_summaries())["sides"]
    'How many sides play.'
    """

def knobs() -> list[tuple[str, str, str]]:
    """
    Every knob, in the order of the rule book's table, as its name, the text of its default and its values in words.

    >>> from oanquan import _core
    >>> _core.knobs()[0]
    ('sides', '2', '2 to 4')
    """

def match_opening(position: Position, opening_plies: SupportsIndex, seed: SupportsIndex, pair: SupportsIndex, /) -> tuple[Move, ...]:
    """
    The random moves that a pair of a match begins with, by its number.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start = oaq.Position.start()
    >>> pairs, *_ = _core.play_match(start, ["greedy", "random"], 1, 4, 7, 1, 1000, 3, None, None)
    >>> _core.match_opening(start, 4, 7, 0) == pairs.pair(0)[1][0][:4]
    True
    """

def mcts(position: Position, simulations: SupportsIndex, seed: SupportsIndex, exploration: SupportsFloat | SupportsIndex, selection: str, playout: str, value: str, progress: Callable[[int, int], object] | None, /) -> tuple[list[tuple[Move, int, float, bool]], int | None, tuple[Move, ...], float, bool, int, int, BaseException | None]:
    """
    Search a position by Monte Carlo: what `oanquan.mcts` is made of.

    Returns the legal moves, each with its visits, what it is worth and whether that is exact; the place of the best one
    among them, `None` if the game is over; the line of best moves; what the position is worth and whether that is exact;
    the simulations made and the nodes of the tree; and what was raised by `progress` or a signal handler and stopped the
    search, if anything was.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start = oaq.Position.start()
    >>> rows, best, line, value, exact, simulations, nodes, error = _core.mcts(
    ...     start, 500, 7, 0.7, "uct", "random", "result", None
    ... )
    >>> sum(visits for _, visits, _, _ in rows), rows[best][0] == line[0], exact, simulations, error
    (500, True, False, 500, None)
    """

def mcts_defaults() -> tuple[float, float]:
    """
    The usual exploration of `mcts` and of a `Forest`.

    >>> from oanquan import _core
    >>> exploration, exploration_of_forests = _core.mcts_defaults()
    >>> exploration > 0, exploration_of_forests > 0
    (True, True)
    """

def parse_rules(text: str, /) -> list[tuple[str, str]]:
    """
    Read the text of rules: a preset's name, or `key=value` pairs joined by `,`, or the first followed by the second.

    Returns every knob as its name and its text. Raises `RulesError` with every fault.

    >>> from oanquan import _core
    >>> _core.parse_rules("quan-five,sides=3")[4]
    ('mandarin_value', '5')
    """

def pentanomial(counts: SupportsLenAndGetItem[SupportsIndex], /) -> tuple[float, tuple[float, float], float, tuple[float, float]]:
    """
    What the pairs of a match say: the score, its 95 % interval, the Elo and its 95 % interval.

    >>> from oanquan import _core
    >>> score, interval, elo, elo_interval = _core.pentanomial([0, 2, 10, 2, 0])
    >>> score, elo, interval[0] < score < interval[1], elo_interval[0] < elo < elo_interval[1]
    (0.5, 0.0, True, True)
    """

def perft(position: Position, depth: SupportsIndex) -> int:
    """
    Return the number of sequences of `depth` moves from a position; a game that is over earlier adds nothing.

    The classic test of a move generator. `depth` is 0 to 1000; another raises `OanquanError`. Other threads run
    meanwhile, and Ctrl-C ends it.

    >>> import oanquan as oaq
    >>> [oaq.perft(oaq.Position.start(), depth) for depth in range(5)]
    [1, 10, 80, 664, 5132]
    """

def play_match(position: Position, agents: SupportsLenAndGetItem[str | Callable[[tuple[Position, ...]], Iterable[Move | str | SupportsIndex]]], pairs: SupportsIndex, opening_plies: SupportsIndex, seed: SupportsIndex, threads: SupportsIndex, max_plies: SupportsIndex | None, repetition: SupportsIndex | None, sprt: tuple[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex] | None, progress: Callable[[int, int], object] | None, first_pair: SupportsIndex = 0, /) -> tuple[MatchPairs, list[int], str | None, BaseException | None]:
    """
    Play a match between two agents: what `oanquan.play_match` is made of.

    `sprt` are `elo0`, `elo1`, `alpha` and `beta` of the test that ends the match, if there is one. A callable among the
    agents is given a tuple of one position and returns one move; it must be safe to be called from other threads, one at a
    time. `progress` is called with the pairs done and the pairs in all. The pairs are numbered from `first_pair` on.

    Returns the pairs; how often a pair came to 0, 1, 2, 3 and 4 half points of the first agent; what the test came to; and
    what was raised by an agent, `progress` or a signal handler and stopped the match, if anything was.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start = oaq.Position.start()
    >>> pairs, counts, verdict, error = _core.play_match(start, ["greedy", "random"], 10, 4, 0, 1, 1000, 3, None, None)
    >>> len(pairs), sum(counts), verdict, error
    (10, 10, None, None)
    """

def presets() -> list[tuple[str, str, str, list[tuple[str, str]]]]:
    """
    Every preset as its name, its title, its source and all its knobs as names and texts.

    >>> from oanquan import _core
    >>> name, title, source, pairs = _core.presets()[0]
    >>> name, pairs[:2]
    ('mancala-world', [('sides', '2'), ('squares', '5')])
    """

def protocol_options() -> tuple[tuple[str, str, int | None, int | None, str], ...]:
    """
    Return the options of both protocols: for each its name, the text of its default, the least and the most if it is a
    number, and what it does.

    >>> from oanquan import _core
    >>> [option[:4] for option in _core.protocol_options()][4]
    ('Hash', '16', 1, 65536)
    """

def read_setup(text: str, rules: Rules, /) -> tuple[list[tuple[str, int]], list[tuple[str, int]], list[tuple[str, int, int]], list[tuple[str, str, int]], str, int, str | None]:
    """
    Read the text of a position without asking whether there can be one like it: the arguments of `build_position`
    from `pebbles` on.

    Raises `NotationError`.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> _core.read_setup("9.0q1/0.5q1 0/999 a>b:2 a 7", oaq.Rules(squares=1))[0]
    [('a1', 9), ('am', 0), ('b1', 0), ('bm', 5)]
    """

def rules_text(pairs: SupportsGetItem[int, tuple[str, str]], /) -> str:
    """
    Write rules given as names and texts of knobs: the name of a preset if there is one for them, otherwise what
    differs from the default.

    Raises `RulesError` with every fault.

    >>> from oanquan import _core
    >>> _core.rules_text([("empty_mandarin_after_sowing", "gap")])
    'wikipedia-vi'
    """

def search(game: Game, moves: SupportsGetItem[int, Move | str | SupportsIndex], depth: SupportsIndex | None, nodes: SupportsIndex | None, seconds: SupportsFloat | SupportsIndex | None, lines: SupportsIndex, threads: SupportsIndex, table_bytes: SupportsIndex, tables: Table | None, progress: Any | None, stop: Any | None, /) -> tuple[tuple[str, int, tuple[tuple[tuple[Move, ...], int, int | None, int | None], ...], int | None, int | None, int, float, float], BaseException | None]:
    """
    Search the position that a game has come to: what `oanquan.search` is made of.

    `moves`: the first moves to look at, all if there are none. `tables`: an endgame table that serves the rules. `progress`
    is called from this thread with what is found at each depth, and `stop` many times a second: once it returns what is true
    the search ends. Returns what was found, and what was raised by them or a signal handler and stopped the search, if
    anything was. Raises `OanquanError` if the game is over or a store holds too much, `IllegalMoveError` for a first move
    that is not legal, `MemoryError` if there is no room for the table.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> (method, depth, lines, *_), error = _core.search(oaq.Game(), [], 3, None, None, 1, 1, 1 << 20, None, None, None)
    >>> method, depth, len(lines[0][0]), error
    ('alpha-beta', 3, 3, None)
    """

def serve_gtp(options: SupportsGetItem[int, tuple[str, str]], /) -> None:
    """
    Speak GTP on standard input and output: what `oanquan gtp` does. All else is as with `serve_ugi`.

    >>> import subprocess, sys
    >>> code = "from oanquan import _core; _core.serve_gtp([])"
    >>> subprocess.run([sys.executable, "-c", code], input="1 name\\n", capture_output=True, text=True).stdout
    '=1 oanquan\\n\\n'
    """

def serve_ugi(options: SupportsGetItem[int, tuple[str, str]], /) -> None:
    """
    Speak UGI on standard input and output until `quit` or the end of the input: what `oanquan ugi` does.

    `options` are set before the first command, each a name and a value. Raises `OanquanError` for one that cannot be set,
    before anything is read or written; `OSError` if standard input cannot be read or standard output not be written.
    Python's own buffers of both are passed by, and no signal handler written in Python runs meanwhile.

    >>> import subprocess, sys
    >>> code = "from oanquan import _core; _core.serve_ugi([('Rules', 'wikipedia-vi')])"
    >>> commands = "position startpos moves a1+\\nquery p1turn\\nquit\\n"
    >>> subprocess.run([sys.executable, "-c", code], input=commands, capture_output=True, text=True).stdout
    'response false\\n'
    """

def shard_info(path: str | PathLike[str], /) -> tuple[int, int, int, list[tuple[str, str]]]:
    """
    Read the footer of a shard: its number of games, the least number of a game, the one after the greatest, and the
    texts that were given to `write_shard`.

    Raises `OSError` if the file cannot be read, and `OanquanError` if it is no complete shard.

    >>> from oanquan import _core
    >>> _core.shard_info("no/such/file")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'no/such/file'
    """

def simulate(position: Position, games: SupportsIndex, agents: SupportsGetItem[int, str], seed: SupportsIndex, threads: SupportsIndex, max_plies: SupportsIndex | None, repetition: SupportsIndex | None, columns: bool, moves: bool, positions: bool, progress: Callable[[int, int], object] | None, /) -> tuple[Summary, Columns | None, BaseException | None]:
    """
    Play `games` games from `position`, sum them up and keep their columns: what `oanquan.simulate` is made of.

    Side k is played by the k-th of `agents`, round and round; `threads` 0 means all cores. The columns are kept if
    `columns` is true, with moves and positions if these are. `progress` is called from this thread with the games done
    and the games in all, about every 50 ms and at the end. Returns the sums, the columns if there are any, and what was
    raised by `progress` or a signal handler and stopped the run, if anything was. Raises `MemoryError` if there is no
    room for the columns.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start = oaq.Position.start()
    >>> summary, columns, error = _core.simulate(start, 100, ["random"], 7, 1, 1000, 3, False, False, False, None)
    >>> summary.games, columns, error
    (100, None, None)
    """

def simulate_with(position: Position, games: SupportsIndex, agents: SupportsGetItem[int, str | Callable[[tuple[Position, ...]], Iterable[Move | str | SupportsIndex]]], seed: SupportsIndex, max_plies: SupportsIndex | None, repetition: SupportsIndex | None, columns: bool, moves: bool, positions: bool, progress: Callable[[int, int], object] | None, /) -> tuple[Summary, Columns | None, BaseException | None]:
    """
    [`simulate`](crate::simulate::simulate()) with agents of which some are callables.

    Each is called with a tuple of positions, those of all games that wait for it, 4096 at most, and returns as many
    moves. Callables are called from this thread; agents of the engine that take long think on another, so that it stays in
    touch with signals and `progress`. Returns what `simulate` returns.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> def first(positions):
    ...     return [position.legal_moves[0] for position in positions]
    >>> start = oaq.Position.start()
    >>> summary, columns, error = _core.simulate_with(
    ...     start, 100, ["random", first], 7, 1000, 3, False, False, False, None
    ... )
    >>> summary.games, columns, error
    (100, None, None)
    """

def solve(position: Position, nodes: SupportsIndex | None, seconds: SupportsFloat | SupportsIndex | None, table_size: SupportsIndex, threads: SupportsIndex, moves: bool, tables: Table | None, certificate: str | PathLike[str] | None, telling: Telling, progress: Callable[[int, int], object] | None, /) -> tuple[tuple[tuple[int | None, int | None, bool, bool], list[tuple[Move, tuple[int | None, int | None, bool, bool]]], int, tuple[int, int], float, tuple[int, int, int] | None], BaseException | None]:
    """
    Prove bounds of a position and of its moves: what `oanquan.solve` is made of.

    `nodes` and `seconds` limit the search; `table_size` is the bytes of its tables. With `moves` each move is settled too.
    What `telling` has is kept up to date, and `progress` is called from this thread with its nodes and decisions, about every
    50 ms and at the end. With `certificate` the proofs are written to that path, once they are verified.

    Returns the bounds, the moves with their bounds, the nodes, the depths, the use of the tables, and of the
    certificate the decisions, the moves played to verify it and the bytes; then what was raised by `progress` or a signal
    handler, if that ended the search: then there is no certificate.

    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start = oaq.Position.start(oaq.Rules(squares=2, pebbles=2))
    >>> solved, error = _core.solve(start, None, None, 1 << 20, 1, False, None, None, _core.Telling(), None)
    >>> solved[0], error
    ((10, 10, False, False), None)
    """

def sprt(counts: SupportsLenAndGetItem[SupportsIndex], elo0: SupportsFloat | SupportsIndex, elo1: SupportsFloat | SupportsIndex, alpha: SupportsFloat | SupportsIndex, beta: SupportsFloat | SupportsIndex, /) -> tuple[float, tuple[float, float], str | None]:
    """
    What a sequential test says of the pairs of a match: the logarithm of the likelihood ratio, between which two numbers
    it goes on, and what it came to, if it settled. Raises `OanquanError` for what is no test.

    >>> from oanquan import _core
    >>> llr, bounds, verdict = _core.sprt([0, 0, 10, 40, 50], 0.0, 100.0, 0.05, 0.05)
    >>> llr > bounds[1], verdict
    (True, 'stronger')
    """

def text_header(form: str, sides: SupportsIndex, moves: bool, positions: bool, /) -> str:
    """
    The line that stands before games as text, if there is one; arguments as in `_core.write_text`.

    >>> from oanquan import _core
    >>> _core.text_header("csv", 2, True, False)[:26], _core.text_header("records", 2, True, False)
    ('game,points_a,points_b,pli', '')
    """

def verify_certificate(path: str | PathLike[str], threads: SupportsIndex, progress: Callable[[int, int], object] | None, /) -> tuple[str, tuple[tuple[str, int, str], ...], int, int]:
    """
    Replay a certificate with the core's checked moves: what `oanquan.verify_certificate` is made of.

    Returns the text of its rules, the claims as (bound, value, position), its decisions and the moves played.
    `progress` is called with the decisions replayed and all of them. Raises `OSError` if the file cannot be read,
    `CertificateError` if it proves nothing, and what `progress` or a signal handler raises.

    >>> from oanquan import _core
    >>> _core.verify_certificate("nothing", 1, None)
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'nothing'
    """

def write_records(file: Any, games: Any, /) -> int:
    """
    Write the records of games to a file, an empty line after each; return how many.

    Raises `OanquanError` for a header that would not be read back, `TypeError` for what is no game, and what the file and
    the iterable raise. What was written before stands.

    >>> import io
    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> file = io.BytesIO()
    >>> _core.write_records(file, [oaq.Game.parse("1. a1+ *")])
    1
    >>> file.getvalue()
    b'[Rules "mancala-world"]\\n[Result "*"]\\n\\n1. a1+ *\\n\\n'
    """

def write_shard(path: str | PathLike[str], position: Position, first_game: SupportsIndex, games: SupportsIndex, agents: SupportsGetItem[int, str], seed: SupportsIndex, threads: SupportsIndex, max_plies: SupportsIndex | None, repetition: SupportsIndex | None, moves: bool, positions: bool, key_values: SupportsGetItem[int, tuple[str, str]], progress: Callable[[int, int], object] | None, /) -> int:
    """
    Play the games from number `first_game` on and write them to a new Parquet file at `path`.

    The file has the columns of `_core.Columns`, compressed with zstd, and the texts `key_values` in its footer. It is
    written row group by row group: memory does not grow with the number of games. `path` is written to as it is, and
    not synced to the disk; after an error what is there is no shard, and the caller removes it. The other arguments are
    those of `_core.simulate`.

    Returns the number of games. Raises `OSError`, with its `errno`, if the file cannot be written, `OanquanError` if
    the last number is not below 2**64 - 1, and what was raised by `progress` or a signal handler.

    >>> import os, tempfile
    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start, texts = oaq.Position.start(), [("made by", "an example")]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "games.parquet")
    ...     _core.write_shard(path, start, 500, 100, ["random"], 7, 1, 1000, 3, False, False, texts, None)
    ...     _core.shard_info(path)
    100
    (100, 500, 600, [('made by', 'an example')])
    """

def write_text(path: str | PathLike[str], out: str | PathLike[str], form: str, position: Position, first_game: SupportsIndex, games: SupportsIndex, agents: SupportsGetItem[int, str], seed: SupportsIndex, threads: SupportsIndex, max_plies: SupportsIndex | None, repetition: SupportsIndex | None, moves: bool, positions: bool, progress: Callable[[int, int], object] | None, /) -> None:
    """
    Add the games of a shard to the end of a file, in their order, as `form` `"csv"` or `"records"`.

    The games are read from `path` and written to `out`; the other arguments are those of `_core.write_shard`. Raises
    what `check_shard` does, and `OSError` if the file cannot be written.

    >>> import os, tempfile
    >>> import oanquan as oaq
    >>> from oanquan import _core
    >>> start = oaq.Position.start()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, out = (os.path.join(folder, name) for name in ("games.parquet", "games.txt"))
    ...     _core.write_shard(path, start, 500, 100, ["random"], 7, 1, 1000, 3, False, False, [], None)
    ...     _core.write_text(path, out, "records", start, 500, 100, ["random"], 7, 1, 1000, 3, False, False, None)
    ...     with open(out) as text:
    ...         len(oaq.Game.parse_all(text.read()))
    100
    100
    """
