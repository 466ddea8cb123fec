"""Positions solved with proofs: `solve`, `verify_certificate`."""

from __future__ import annotations

import errno
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan.checks import MOST_THREADS, start_of, within, within_or_off
from oanquan.endgames import Value, table_for
from oanquan.errors import OanquanError
from oanquan.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from oanquan._core import Move, Position
    from oanquan.certificates import Claim
    from oanquan.endgames import Tables

_MOST_NODES = 2**64 - 1
_MOST_MEBIBYTES = 2**20
_MOST_SECONDS = 10.0**9


@dataclass(frozen=True)
class Stage:
    """How a `solve` is getting on.

    >>> Stage(Value(-10, None), 5_000_000, (14, 12), 0).value.lower
    -10
    """

    value: Value
    """What is proved of the position so far."""
    nodes: int
    """The positions looked at, told every few thousand."""
    plies: tuple[int, int]
    """The plies of the longest line that was looked at for the lower and for the upper bound."""
    decisions: int
    """The decisions of the certificate that are written down."""


@dataclass(frozen=True)
class Certified:
    """A certificate that was written, once it was verified.

    >>> Certified(41, 286, 640).decisions
    41
    """

    decisions: int
    """Positions for which it has a move."""
    moves: int
    """Moves played to verify it."""
    size: int
    """The bytes of the file."""


@dataclass(frozen=True)
class Solution:
    """What was proved of a position.

    Bounds are of the final margin: the points of the side to move minus those of the other when the game has been
    counted. The lower one is what the side to move can force with the game over, the upper one what the other side can
    hold it to, with the game over too: endless play is counted for neither. Where they do not meet it may be proved
    that both are the best there are; then what the position is worth depends on how endless play is counted.

    >>> import oanquan as oaq
    >>> solution = oaq.solve(oaq.Rules(squares=2, pebbles=2))
    >>> print(solution.value, *solution.best_moves)
    10 a1- a2+
    >>> for move, value in solution.move_values.items():
    ...     print(move, value)
    a1+ -8
    a1- 10
    a2+ 10
    a2- -8
    """

    position: Position
    """What was solved."""
    value: Value
    """What is proved of it."""
    move_values: dict[Move, Value]
    """What is proved of it when that move is played, for each move."""
    nodes: int
    """The positions that were looked at."""
    seconds: float
    """The time it took, the certificate included."""
    plies: tuple[int, int]
    """The plies of the longest line that was looked at for the lower and for the upper bound."""
    table_use: float
    """How much of the tables was in use, 0 to 1."""
    certificate: Certified | None
    """The certificate, if one was written."""

    @property
    def lower(self) -> int | None:
        """What the side to move can force at least.

        >>> import oanquan as oaq
        >>> oaq.solve(oaq.Rules(squares=2, pebbles=2)).lower
        10
        """
        return self.value.lower

    @property
    def upper(self) -> int | None:
        """What the other side can hold it to at most.

        >>> import oanquan as oaq
        >>> oaq.solve(oaq.Rules(squares=2, pebbles=2), nodes=1).upper is None
        True
        """
        return self.value.upper

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The moves that are proved to be worth what the position is; none if that is not settled.

        Where that is not exact, those whose bounds are the same and the best there are: whatever endless play counts,
        they are worth as much. Whether there are others is settled if every value of `move_values` is, or is below it.

        >>> import oanquan as oaq
        >>> oaq.solve(oaq.Rules(squares=2, pebbles=2)).best_moves
        (Move('a1-'), Move('a2+'))
        """
        if self.value.exact is None:
            # Equal values have equal flags too.
            return tuple(move for move, value in self.move_values.items() if value.settled and value == self.value)
        return tuple(move for move, value in self.move_values.items() if value.lower == self.value.lower)


class SolvingInterrupted(KeyboardInterrupt):
    """Ctrl-C during `solve`: a `KeyboardInterrupt` that has what was proved until then.

    >>> import oanquan as oaq
    >>> try:
    ...     raise SolvingInterrupted(oaq.solve(oaq.Rules(squares=2, pebbles=2)))
    ... except KeyboardInterrupt as interrupt:
    ...     print(interrupt, interrupt.solution.lower)
    solving interrupted with a value of 10 10
    """

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution)
        self.solution = solution

    def __str__(self) -> str:
        return f"solving interrupted with a value of {self.solution.value}"


def solve(  # noqa: PLR0913 (all but the first by keyword)
    position: Position | Rules | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    table_size: int = 256,
    tables: Tables | None = None,
    threads: int = 1,
    moves: bool = True,
    progress: Callable[[Stage], object] | None = None,
    certificate: str | os.PathLike[str] | None = None,
) -> Solution:
    """Prove bounds of the value of a position, with best play by both sides, until nothing is left to find out.

    The search goes where the least seems to be left to prove; what is found is a proof whatever else was not looked at.
    Where the bounds do not meet because the game goes round for ever, it looks for the proof of that, and ends
    when it has it: then `value.settled`. It also ends, unsettled, when every line it can follow goes round and it
    finds no such proof; where loops change the margin, as under some odd rules, it may not end without a limit. With
    the same arguments, one thread and no `seconds` the outcome is always the same.

    Args:
        position: A position in play, or rules whose start is solved; the start of the default rules if left out. Two
            sides.
        nodes: Look at so many positions at most, 1 to 2**64 - 1; `None` for no limit.
        seconds: Search no longer than that; `None` for no limit. The certificate takes its time after that.
        table_size: The memory for what is remembered, 0 to 2**20 MiB. More makes hard positions faster.
        tables: An endgame table that serves the rules (`Tables.serves`).
        threads: 1, or 2 for both bounds at once. More than two are of use for verifying the certificate only.
        moves: Settle each move of the position too, once the position is settled.
        progress: Called as `progress(stage)` from the calling thread, about every 50 ms and at the end. An exception
            it raises stops the search and comes out of `solve`.
        certificate: Write the proofs of the bounds to this file, once they have been verified by replaying them.
            Nothing is written when nothing was proved, or anything is wrong.

    Raises:
        CertificateError: The certificate did not hold. It would be an error of this package.
        MemoryError: No room for the tables.
        OSError: The certificate cannot be written.
        OanquanError: The position is over or of more than two sides, an argument is out of range, the table is for
            other rules, or a proof was lost for want of room before the certificate was complete.
        SolvingInterrupted: Ctrl-C.
        TypeError: An argument of another type.

    >>> import oanquan as oaq
    >>> solution = oaq.solve(oaq.Rules.preset("short-game", squares=3, pebbles=3))
    >>> solution.value.exact, [str(move) for move in solution.best_moves]
    (4, ['a2+', 'a2-'])

    """
    start = start_of(position, None) if isinstance(position, Rules) else start_of(None, position)
    if seconds is not None and not isinstance(seconds, int | float):
        raise TypeError(f"seconds: expected a number, got {type(seconds).__name__}")
    if seconds is not None and not 0 <= seconds <= _MOST_SECONDS:
        raise OanquanError(f"seconds: expected 0 to {_MOST_SECONDS:.0f}, got {seconds}")
    if certificate is not None:
        _expect_writable(Path(certificate))
    telling = _core.Telling()

    def tell(*_: int) -> None:
        if progress is not None:
            value = Value(telling.lower, telling.upper)
            progress(Stage(value, telling.nodes, telling.plies, telling.decisions))

    begin = time.perf_counter()
    solved, error = _core.solve(
        start,
        within_or_off("nodes", nodes, 1, _MOST_NODES),
        seconds,
        within("table_size", table_size, 0, _MOST_MEBIBYTES) << 20,
        within("threads", threads, 1, MOST_THREADS),
        moves,
        table_for(start.rules, tables),
        None if certificate is None else os.fspath(certificate),
        telling,
        None if progress is None else tell,
    )
    value, values, looked_at, plies, table_use, certified = solved
    solution = Solution(
        position=start,
        value=_value(value),
        move_values={move: _value(bounds) for move, bounds in values},
        nodes=looked_at,
        seconds=time.perf_counter() - begin,
        plies=plies,
        table_use=table_use,
        certificate=None if certified is None else Certified(*certified),
    )
    if isinstance(error, KeyboardInterrupt):
        raise SolvingInterrupted(solution) from error
    if error is not None:
        raise error
    return solution


def _value(told: tuple[int | None, int | None, bool, bool]) -> Value:
    lower, upper, lower_is_best, upper_is_best = told
    return Value(lower, upper, lower_is_best=lower_is_best, upper_is_best=upper_is_best)


def _expect_writable(path: Path) -> None:
    """Object to a place for a certificate before hours are spent on it, not after."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


@dataclass(frozen=True)
class Verified:
    """A certificate that holds.

    >>> from oanquan.certificates import Claim
    >>> verified = Verified(Rules(), (Claim("lower", 14, "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0"),), 3, 20)
    >>> verified.decisions
    3
    """

    rules: Rules
    """The rules that were played."""
    claims: tuple[Claim, ...]
    """What is proved."""
    decisions: int
    """The positions for which it has a move, each of which was replayed."""
    moves: int | None
    """The moves played to replay them; unknown of the reference implementation."""


def verify_certificate(
    path: str | os.PathLike[str],
    *,
    reference: bool = False,
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> Verified:
    """Replay a certificate: return what it proves, or raise.

    Every decision is played on a position, without any code of the search, and every reply to it must be answered by
    the end of the game or by a decision of a smaller rank. Where the stores do not matter, both ways to fill them are
    tried.

    Args:
        path: The file.
        reference: Replay it with the reference implementation, in Python, some thousand times slower: it shares no code
            with the core.
        threads: Threads, or processes for the reference.
        progress: Called with the decisions replayed and all of them, from the calling thread.

    Raises:
        CertificateError: It proves nothing, and why.
        OSError: It cannot be read.
        OanquanError: An argument is out of range.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "small.certificate")
    ...     solution = solve(Rules(squares=2, pebbles=2), certificate=path)
    ...     verified = verify_certificate(path)
    ...     verify_certificate(path, reference=True).claims == verified.claims
    True
    >>> [f"{claim.bound} {claim.value}" for claim in verified.claims[:2]]
    ['lower 10', 'upper 10']

    """
    from oanquan import certificates  # noqa: PLC0415 (it loads the reference)

    threads = within("threads", threads, 1, MOST_THREADS)
    if reference:
        certificate = certificates.replay_file(path, threads, progress)
        return Verified(certificate.rules, tuple(certificate.claims), certificate.decisions, None)
    rules, claims, decisions, moves = _core.verify_certificate(os.fspath(path), threads, progress)
    return Verified(Rules.parse(rules), tuple(certificates.Claim(*claim) for claim in claims), decisions, moves)
