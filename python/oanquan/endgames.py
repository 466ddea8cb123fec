"""Endgame tables: proven bounds of every position with few pebbles."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan.checks import MOST_THREADS, within
from oanquan.errors import OanquanError
from oanquan.rules import Rules

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import TypeAlias

    from oanquan._core import Move, Position

    _Progress: TypeAlias = Callable[[int, int], object]

MOST_PEBBLES = 40
"""The most pebbles that a table can go up to."""


@dataclass(frozen=True, slots=True)
class Value:
    """What is proved of a difference of points: that it is at least `lower` and at most `upper`.

    `None` is a bound that is not known. Both hold however endless play is counted.

    >>> print(Value(2, 6), "/", Value(4, 4), "/", Value(None, 0), "/", Value(None, None))
    2 to 6 / 4 / at most 0 / unknown
    >>> print(Value(2, 6, lower_is_best=True, upper_is_best=True))
    2 to 6 as endless play is counted
    """

    lower: int | None
    upper: int | None
    lower_is_best: bool = field(default=False, repr=False, kw_only=True)
    """Whether it is proved that the side to move cannot force more than `lower`: the other side can go on for ever."""
    upper_is_best: bool = field(default=False, repr=False, kw_only=True)
    """Whether it is proved that the other side cannot force less than `upper`: the side to move can go on for ever."""

    @property
    def exact(self) -> int | None:
        """The value, if it is settled.

        >>> Value(4, 4).exact, Value(2, 6).exact, Value(None, None).exact
        (4, None, None)
        """
        return self.lower if self.lower == self.upper else None

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to find out: it is exact, or both bounds are the best there are.

        Then what the position is worth depends on what is agreed about endless play, and can be anything between them.

        >>> Value(4, 4).settled, Value(2, 6).settled, Value(2, 6, lower_is_best=True, upper_is_best=True).settled
        (True, False, True)
        """
        return self.exact is not None or (self.lower_is_best and self.upper_is_best)

    def __neg__(self) -> Value:
        """The value for the other side.

        >>> -Value(None, 6)
        Value(lower=-6, upper=None)
        """
        lower, upper = (None if bound is None else -bound for bound in (self.upper, self.lower))
        return Value(lower, upper, lower_is_best=self.upper_is_best, upper_is_best=self.lower_is_best)

    def __add__(self, points: int) -> Value:
        """The value with so many points more.

        >>> Value(2, None) + 10
        Value(lower=12, upper=None)
        """
        lower, upper = (None if bound is None else bound + points for bound in (self.lower, self.upper))
        return replace(self, lower=lower, upper=upper)

    def __str__(self) -> str:
        """Say it in words."""
        if self.lower is None:
            return "unknown" if self.upper is None else f"at most {self.upper}"
        if self.upper is None:
            return f"at least {self.lower}"
        if self.lower == self.upper:
            return str(self.lower)
        return f"{self.lower} to {self.upper}" + (" as endless play is counted" if self.settled else "")


def table_for(rules: Rules, tables: Tables | None) -> _core.Table | None:
    """Return what the core asks of tables, which must serve those rules; `None` without any."""
    if tables is None:
        return None
    if not isinstance(tables, Tables):
        raise TypeError(f"tables: expected Tables, got {type(tables).__name__}")
    if not tables.serves(rules):
        raise OanquanError(f"tables: expected a table that serves {rules}, got one by {tables.rules}")
    return tables._table  # noqa: SLF001 (of this module)


class Tables:
    """An endgame table: for some rules, what is proved of every position with at most `pebbles` pebbles on the board.

    Told is the *further difference*: by how much the points of the side to move, minus those of the other, still
    change until the game is counted. The file is mapped into memory; any number of threads and processes can use
    it. It must not be changed while it is open, and not cut short: whoever then looks at what is gone is ended by
    the system (`SIGBUS`), as with any mapped file. Nothing here does so; replace a table by renaming another one.

    One table serves all rules by which its positions are worth the same (`serves`): games with other `pebbles` or
    another `mandarin_ban` can share it.

    Args:
        path: The file of a table that `Tables.build` has made.

    Raises:
        OSError: The file cannot be read.
        OanquanError: It is no finished table.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from oanquan import Position, Rules
    >>> rules = Rules.preset("short-game")
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = Path(directory, "short-game-4.table")
    ...     tables = Tables.build(path, rules, pebbles=4)
    ...     Tables.verify(path)
    ()
    >>> position = Position.parse("0.0.1.0.0.0q1/0.0.0.0.1.0 25/23q1 - a 60", rules)
    >>> tables.probe(position)
    Value(lower=10, upper=10)

    """

    __slots__ = ("_rules", "_table")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._table = _core.Table.open(path)
        self._rules = Rules.parse(self._table.rules_text)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Tables:
        """Open the file of a table; the same as `Tables(path)`.

        >>> Tables.open("nothing")
        Traceback (most recent call last):
        FileNotFoundError: [Errno 2] No such file or directory: 'nothing'
        """
        return cls(path)

    @classmethod
    def build(
        cls,
        path: str | os.PathLike[str],
        rules: Rules | None = None,
        *,
        pebbles: int,
        threads: int | None = None,
        progress: _Progress | None = None,
    ) -> Tables:
        """Build a table into a file and open it; one that is there already is opened as it is.

        About every minute what there is so far is saved as `PATH.checkpoint`. A build that was killed, or stopped
        by Ctrl-C, goes on from there when it is called again. It needs two bytes of memory for each slot: 16 MB
        up to 12 pebbles on the standard board, 183 MB up to 16, 1.4 GB up to 20; and four times as much where a
        shortfall loses.

        Args:
            path: The file. Nothing that is there is ever replaced.
            rules: For two sides, with `shortfall` `"borrow"`, `"owe"` or `"loses"`; the default ones if left out.
            pebbles: The most pebbles on a board, 0 to 40.
            threads: 1 to 1024; `None` for all cores. The table does not depend on it.
            progress: Called as `progress(settled, positions)` with how many positions are settled and how many
                there are, from the calling thread, about every 50 ms and once at the end; some positions may
                stay unsettled. An exception it raises stops the build.

        Raises:
            KeyboardInterrupt: Ctrl-C.
            MemoryError: There is not enough memory.
            OSError: The file or its checkpoint cannot be written or read.
            OanquanError: An argument is out of range, there is no table by these rules, or another file, or a link
                that leads nowhere, is in the way.

        >>> from oanquan import Rules
        >>> Tables.build("a.table", Rules(shortfall="count"), pebbles=4)
        Traceback (most recent call last):
        oanquan.errors.OanquanError: rules: expected two sides and shortfall=borrow, owe or loses, got shortfall=count

        """
        pebbles = within("pebbles", pebbles, 0, MOST_PEBBLES)
        chosen = Rules() if rules is None else rules
        _core.Table.build(path, chosen, pebbles, _threads(threads), progress)
        return cls(path)

    @staticmethod
    def verify(
        path: str | os.PathLike[str], *, threads: int | None = None, progress: _Progress | None = None
    ) -> tuple[str, ...]:
        """Hold a table against its checksums, and its bounds against the rules; return the first ten faults.

        Without faults, each bound is proved by others in finitely many steps, and none could be tighter: the table
        is, byte for byte, what a build makes. That takes about as long as a build.

        Args:
            path: The file.
            threads: 1 to 1024; `None` for all cores.
            progress: Called as `progress(done, positions)`, as that of `build`.

        Raises:
            KeyboardInterrupt: Ctrl-C.
            MemoryError: There is not enough memory: as much as a build needs.
            OSError: The file cannot be read.
            OanquanError: It is no finished table.

        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = Path(directory, "a.table")
        ...     _ = Tables.build(path, pebbles=3)
        ...     damaged = bytearray(path.read_bytes())
        ...     damaged[-1] ^= 1
        ...     _ = path.write_bytes(damaged)
        ...     Tables.verify(path)
        ('expected the right checksum of each block, got another of block 0',)

        """
        faults, _ = _core.Table.open(path).verify(_threads(threads), progress)
        return faults

    @property
    def rules(self) -> Rules:
        """The rules that it was built for; it may serve others too (`serves`).

        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     Tables.build(Path(directory, "a.table"), pebbles=3).rules
        Rules()
        """
        return self._rules

    @property
    def pebbles(self) -> int:
        """The most pebbles on a board that it has.

        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     Tables.build(Path(directory, "a.table"), pebbles=3).pebbles
        3
        """
        return self._table.pebbles

    @property
    def positions(self) -> int:
        """How many positions it has.

        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     Tables.build(Path(directory, "a.table"), pebbles=3).positions
        1110
        """
        return self._table.positions

    def serves(self, rules: Rules) -> bool:
        """Whether positions by these rules are worth what the table says, so that it can be asked about them.

        A table serves its own rules, and others if no position that it has can tell the difference: `pebbles`,
        `mandarin_ban` and `reseed_from` do not matter; nor, where games end when the mandarin squares are empty,
        does `mandarin_leftovers`; and `mandarin="pebbles"` is the same as stones that are all taken.
        The engine's page on tables decides about every knob.

        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     tables = Tables.build(Path(directory, "a.table"), Rules.preset("wikipedia-vi"), pebbles=3)
        >>> tables.serves(Rules.preset("no-first-mandarin")), tables.serves(Rules.preset("short-game"))
        (True, False)
        """
        return self._table.serves(rules)

    def probe(self, position: Position) -> Value:
        """Return what is proved of the further difference of a position, for the side to move.

        Nothing is known of a position that is over, has more pebbles on the board, is one in which `mandarin_ban` is
        in force, or, if `shortfall` is `"borrow"`, one whose board and stores have fewer pebbles in all than `pebbles`
        (captured mandarins count where re-seedings can be paid with them). If it is `"loses"`, the bounds are those of
        the position with its stores and points: who can pay for more re-seedings is sure of more.

        Raises:
            OanquanError: The position is one by rules that it does not serve, or the file was changed.
            TypeError: It is no position.

        >>> import tempfile
        >>> from pathlib import Path
        >>> from oanquan import Position
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     tables = Tables.build(Path(directory, "a.table"), pebbles=3)
        >>> print(tables.probe(Position.start()))
        unknown

        """
        if not isinstance(position, _core.Position):
            raise TypeError(f"position: expected a Position, got {type(position).__name__}")
        return Value(*self._table.probe(position))

    def moves(self, position: Position) -> dict[Move, Value]:
        """Return what is proved of the further difference after each legal move, for the side that makes it.

        Raises what `probe` does.

        >>> import tempfile
        >>> from pathlib import Path
        >>> from oanquan import Position, Rules
        >>> rules = Rules.preset("short-game")
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     tables = Tables.build(Path(directory, "a.table"), rules, pebbles=4)
        >>> position = Position.parse("0.0.1.0.0.0q1/0.0.0.0.1.0 25/23q1 - a 60", rules)
        >>> {str(move): str(value) for move, value in tables.moves(position).items()}
        {'a3+': '10', 'a3-': 'at most 10'}

        """
        self.probe(position)  # objects to what is no position that it serves
        before = _margin(position, position.turn)
        values = {}
        for move in position.legal_moves:
            after = position.play(move)
            further = Value(0, 0) if after.is_over else -self.probe(after)
            values[move] = further + (_margin(after, position.turn) - before)
        return values

    def __repr__(self) -> str:
        """Say which table it is."""
        return f"<oanquan.Tables by {self.rules} up to {self.pebbles} pebbles>"


def _threads(threads: int | None) -> int:
    return 0 if threads is None else within("threads", threads, 1, MOST_THREADS)


def _margin(position: Position, side: str) -> int:
    first, second = position.points
    return first - second if side == "a" else second - first
