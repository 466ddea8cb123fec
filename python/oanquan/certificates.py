"""Certificates of solved positions, read and replayed with the reference implementation and nothing else.

A certificate is a file with *claims*, bounds of the final margin of positions (points of the side to move minus those
of the other), and the *decisions* that prove them. A decision of a rank from 1 on is *forced* and says: the side to
move on this board can make the game end with the margin changed by at least `value` from here on, and begins with this
move. It is kept if the move ends the game so, or if after every reply the game has ended so or there is a forced
decision of a smaller rank that promises what is still wanted. Ranks fall along every line, so that all of it rests on
ended games. A decision of rank 0 is *held* and says: if the game ends, it ends with such a margin. It may rest on any
decision, in a circle too, since a game that goes round for ever breaks no such promise.

The replay here shares no code with the one in Rust, nor with the search: it is a second opinion. Its format is in the
chapter "Solving" of the documentation of the engine.

>>> import tempfile
>>> from pathlib import Path
>>> import oanquan as oaq
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder, "small.certificate")
...     solution = oaq.solve(oaq.Rules(squares=2, pebbles=2), certificate=path)
...     certificate = Certificate.read(path)
>>> print(certificate.claims[0])
lower 10 2.2.0q1/2.2.0q1 0/0 - a 0
>>> certificate.replay() == certificate.decisions
True
"""

from __future__ import annotations

import errno
import re
import struct
import zlib
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from oanquan.errors import CertificateError, OanquanError
from oanquan.reference import Board, Position
from oanquan.rules import Rules

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

MAGIC = b"oaqc\r\n\x1a\n"
VERSION = 1
_FIXED = struct.Struct("<8sIIQI")  # magic, version, bytes of the header, bytes that are packed, checksum of the rest
_MOST_DECISIONS = 2**32
# How many times their packed bytes decisions may be, beyond the first so many bytes. Sorted ones without doubles come
# to about 7 times; zlib would allow 1000, by which a small file could fill the memory.
_MOST_TIMES = 64
_ALWAYS_UNPACKED = 2**24
_CHUNK = 2000  # decisions that a process takes at a time
# What promises rest on, by rank: 0 is held, without an end to be sure of.
_ALL_RANKS = range(2**16)
_FORCED_RANKS = range(1, 2**16)
# What each bound is proved by: a decision for the position itself or decisions after each of its moves, of these ranks.
_BOUNDS = {
    "lower": (True, _FORCED_RANKS),
    "upper": (False, _FORCED_RANKS),
    "lower-at-most": (False, _ALL_RANKS),
    "upper-at-least": (True, _ALL_RANKS),
}


class Claim(NamedTuple):
    """A bound of the final margin of a position.

    `bound` is `lower` (the side to move can force at least `value` with the game over), `upper` (the other side can
    force that it is at most that), `lower-at-most` (the side to move cannot force more, since the other side holds it
    to that) or `upper-at-least` (the other side cannot force that it is less).

    >>> print(Claim("lower", 10, "2.2.0q1/2.2.0q1 0/0 - a 0"))
    lower 10 2.2.0q1/2.2.0q1 0/0 - a 0
    """

    bound: str
    value: int
    position: str

    def __str__(self) -> str:
        return f"{self.bound} {self.value} {self.position}"


class _Spot(NamedTuple):
    """What of a position the rest of the game depends on, from the side to move."""

    pebbles: tuple[int, ...]
    mandarins: tuple[int, int]
    ban: int
    funds: int
    margin: int


@dataclass(frozen=True)
class _Ground:
    """What is the same in every position of a game."""

    rules: Rules
    pebbles: int
    mandarins: int

    @classmethod
    def of(cls, position: Position) -> _Ground:
        stores = position.stores
        pebbles = sum(position.pebbles) + sum(store.pebbles for store in stores)
        mandarins = sum(position.mandarins) + sum(store.mandarins for store in stores)
        return cls(position.rules, pebbles, mandarins)

    @property
    def half(self) -> int:
        return self.rules.squares + 1

    @property
    def carries_funds(self) -> bool:
        return self.rules.shortfall not in ("borrow", "owe")

    @property
    def carries_margin(self) -> bool:
        return self.rules.shortfall == "loses"

    @property
    def by_points(self) -> int:
        """What a mandarin counts for in re-seeding."""
        return self.rules.mandarin_value if self.rules.reseed_from == "points" else 0

    @property
    def mirrors(self) -> bool:
        """Whether left and right are the same."""
        rules = self.rules
        return rules.directions == "both" and rules.shortfall != "partial" and rules.mandarin_leftovers != "adjacent"

    def mirror(self, spot: _Spot) -> _Spot:
        half = self.half
        rows = (spot.pebbles[: half - 1], spot.pebbles[half:-1])
        ends = (spot.pebbles[half - 1], spot.pebbles[-1])
        pebbles = (*reversed(rows[0]), ends[1], *reversed(rows[1]), ends[0])
        return spot._replace(pebbles=pebbles, mandarins=spot.mandarins[::-1])

    def spot(self, position: Position) -> _Spot:
        """The smaller of the spot of a position and its mirror."""
        turn = 0 if position.turn == "a" else 1
        half, pebbles, mandarins = self.half, position.pebbles, position.mandarins
        first = turn * half
        store = position.stores[turn]
        spot = _Spot(
            pebbles=pebbles[first:] + pebbles[:first],
            mandarins=(mandarins[first + half - 1], mandarins[2 * half - 1 - first]),
            ban=max(0, self.rules.mandarin_ban - position.ply),
            funds=store.pebbles + self.by_points * store.mandarins if self.carries_funds else 0,
            margin=_margin(position, turn) if self.carries_margin else 0,
        )
        return self.least(spot)

    def least(self, spot: _Spot) -> _Spot:
        """The one of a spot and its mirror that stands in certificates."""
        return min(spot, self.mirror(spot), key=_order) if self.mirrors else spot

    def position(self, spot: _Spot, *, to_mover: bool) -> Position:
        """A position with that spot, side a to move; what nothing is known of is in one store."""
        rules, half = self.rules, self.half
        mandarins = [0] * rules.ring
        mandarins[half - 1], mandarins[-1] = spot.mandarins
        stored, taken = self.pebbles - sum(spot.pebbles), self.mandarins - sum(spot.mandarins)
        mine = taken if self.carries_funds or to_mover else 0
        if self.carries_margin and not self.by_points:
            # The margin is that of the pebbles and that of the mandarins.
            mine = (taken + (spot.margin - 2 * spot.funds + stored) // rules.mandarin_value) // 2
        pebbles = spot.funds - self.by_points * mine if self.carries_funds else stored * to_mover
        return Position.from_board(
            Board(
                rules=rules,
                pebbles=list(spot.pebbles),
                mandarins=mandarins,
                store_pebbles=[pebbles, stored - pebbles],
                store_mandarins=[mine, taken - mine],
                debts={},
                ply=rules.mandarin_ban - spot.ban,
            )
        )

    def final_margin(self, position: Position, side: int) -> int:
        """The margin by the count; a game that `loses` is worth at least all points of the game."""
        counted = _margin(position, side)
        outcome = position.outcome
        if outcome is None or outcome.ending != "loses":
            return counted
        every = self.rules.total_points
        return max(counted, every) if outcome.winner == "ab"[side] else min(counted, -every)


def _order(spot: _Spot) -> tuple[tuple[int, ...], int]:
    return spot.pebbles, spot.mandarins[0] + 2 * spot.mandarins[1]


def _margin(position: Position, side: int) -> int:
    points = position.points
    return points[side] - points[1 - side]


class _Promise(NamedTuple):
    """What is to be kept: by whom, the margin it began with, how much more, by decisions of which ranks."""

    place: str
    side: int
    margin: int
    value: int
    ranks: range


class Certificate:
    """A certificate that has been read; `replay` says whether it proves its claims.

    >>> Certificate(b"not one")
    Traceback (most recent call last):
    oanquan.errors.CertificateError: expected a certificate, got a file that begins otherwise
    """

    def __init__(self, data: bytes) -> None:
        header, packed = _envelope(data)
        self.rules, self.decisions, self.claims = _read_header(header)
        self._ground = self._grounds()
        ground = self._ground
        carried = 4 * ground.carries_funds + 4 * ground.carries_margin
        self._key = self.rules.ring + 1 + carried
        self._width = self._key + 2 + 2 + 1
        self._rows = self._unpack(packed)
        self._index: dict[bytes, list[int]] = {}
        for number in range(self.decisions):
            first = number * self._width
            self._index.setdefault(self._rows[first : first + self._key], []).append(number)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Certificate:
        """Read a file.

        Raises `OSError` if it cannot be read, `CertificateError` if it is no certificate.

        >>> Certificate.read("nothing")
        Traceback (most recent call last):
        FileNotFoundError: [Errno 2] No such file or directory: 'nothing'
        """
        file = Path(path)
        if file.exists() and not (
            file.is_file() or file.is_dir()
        ):  # a pipe would be waited for, a device may have no end
            raise OSError(errno.EINVAL, "expected a regular file", str(file))
        return cls(file.read_bytes())

    def replay(self, progress: Callable[[int, int], object] | None = None) -> int:
        """Play every decision with the reference implementation and return how many there are.

        Raises `CertificateError` at the first thing that does not hold. `progress` is called with the decisions
        replayed and all of them.

        >>> import inspect
        >>> list(inspect.signature(Certificate.replay).parameters)
        ['self', 'progress']
        """
        for first in range(0, self.decisions, _CHUNK):
            last = min(first + _CHUNK, self.decisions)
            self.replay_decisions(first, last)
            if progress is not None:
                progress(last, self.decisions)
        self.replay_claims()
        return self.decisions

    def replay_decisions(self, first: int, last: int) -> None:
        """Play the decisions from number `first` up to, but without, `last`.

        Raises `CertificateError` at the first that does not hold.

        >>> Certificate.replay_decisions.__doc__.startswith("Play")
        True
        """
        before = self._order(first - 1) if first else None
        for number in range(first, last):
            here = self._order(number)
            if before is not None and before >= here:
                raise CertificateError(f"decision {number}: expected a greater one than the one before")
            before = here
            self._replay_decision(number)

    def replay_claims(self) -> None:
        """See whether the claims follow from the decisions.

        Raises `CertificateError` at the first that does not.

        >>> Certificate.replay_claims.__doc__.startswith("See")
        True
        """
        for number, claim in enumerate(self.claims):
            self._replay_claim(number, claim)

    def _grounds(self) -> _Ground:
        """The game of all claims."""
        grounds = [_Ground.of(Position.parse(claim.position, self.rules)) for claim in self.claims]
        for number, ground in enumerate(grounds):
            if ground != grounds[0]:
                raise CertificateError(f"claim {number}: expected as many pebbles and mandarins in all as in claim 0")
        return grounds[0]

    def _unpack(self, packed: bytes) -> bytes:
        """The decisions one after the other."""
        expected = self._width * self.decisions
        most = max(_ALWAYS_UNPACKED, _MOST_TIMES * len(packed))
        if expected > most:
            raise CertificateError(
                f"the decisions do not unpack: expected at most {most} bytes in {len(packed)} packed ones, "
                f"got {self.decisions} decisions of {self._width}"
            )
        stream = zlib.decompressobj()
        try:
            columns = stream.decompress(packed, expected + 1)
        except zlib.error as error:
            raise CertificateError(f"the decisions do not unpack: {error}") from None
        if len(columns) != expected:
            got = "more" if len(columns) > expected else len(columns)
            raise CertificateError(f"the decisions do not unpack: expected {expected} bytes, got {got}")
        if not stream.eof or stream.unused_data:
            raise CertificateError("the decisions do not unpack: expected the end of the stream at the end of the file")
        rows = bytearray(expected)
        for place in range(self._width):
            rows[place :: self._width] = columns[place * self.decisions : (place + 1) * self.decisions]
        return bytes(rows)

    def _decision(self, number: int) -> tuple[_Spot, int, int, int]:
        """Spot, value, rank and action of a decision."""
        row = self._rows[number * self._width : (number + 1) * self._width]
        ring = self.rules.ring
        state = row[ring]
        carried = [int.from_bytes(row[at : at + 4], "little", signed=True) for at in range(ring + 1, self._key, 4)]
        funds, margin = (*carried, 0, 0)[:2]
        spot = _Spot(tuple(row[:ring]), (state & 1, state >> 1 & 1), state >> 2, funds, margin)
        value, rank, action = struct.unpack("<hHB", row[self._key :])
        return spot, value, rank, action

    def _order(self, number: int) -> tuple[object, ...]:
        """What decisions are sorted by: the board, then value, rank and action."""
        spot, *rest = self._decision(number)
        return (*_order(spot), spot.ban, spot.funds, spot.margin, *rest)

    def _find(self, spot: _Spot, wanted: int, ranks: range) -> bool:
        """Whether there is a decision of these ranks that promises so much there."""
        key = bytes((*spot.pebbles, spot.mandarins[0] | spot.mandarins[1] << 1 | spot.ban << 2))
        if self._ground.carries_funds:
            key += spot.funds.to_bytes(4, "little", signed=True)
        if self._ground.carries_margin:
            key += spot.margin.to_bytes(4, "little", signed=True)
        found = (self._decision(number)[1:3] for number in self._index.get(key, ()))
        return any(value >= wanted and rank in ranks for value, rank in found)

    def _replay_decision(self, number: int) -> None:
        place = f"decision {number}"
        spot, value, rank, action = self._decision(number)
        if self._ground.least(spot) != spot:
            raise CertificateError(f"{place}: expected the smaller of the board and its mirror")
        try:
            # Where the stores do not matter, every other decision has them the other way round.
            position = self._ground.position(spot, to_mover=number % 2 == 0)
            after = position.play(action)
        except OanquanError as error:
            raise CertificateError(f"{place}: {error}") from None
        promise = _Promise(place, 0, _margin(position, 0), value, range(1, rank) if rank else _ALL_RANKS)
        self._replies(promise, after, f"action {action}")

    def _replies(self, promise: _Promise, position: Position, line: str) -> None:
        """See to it that a promise is kept after every move in a position."""
        if position.is_over:
            self._ended(promise, position, line)
            return
        for reply in position.legal_moves:
            after = position.play(reply)
            if after.is_over:
                self._ended(promise, after, f"{line}, {reply}")
                continue
            wanted = promise.margin + promise.value - _margin(after, promise.side)
            if not self._find(self._ground.spot(after), wanted, promise.ranks):
                raise CertificateError(
                    f"{promise.place}: after {line}, {reply} in {after} {_expected(wanted, promise.ranks)}"
                )

    def _ended(self, promise: _Promise, position: Position, line: str) -> None:
        got = self._ground.final_margin(position, promise.side) - promise.margin
        if got < promise.value:
            raise CertificateError(
                f"{promise.place}: after {line} the game ends with a change of {got}, promised was {promise.value}"
            )

    def _replay_claim(self, number: int, claim: Claim) -> None:
        place, position = f"claim {number}", Position.parse(claim.position, self.rules)
        mover = "ab".index(position.turn)
        by_mover, ranks = _BOUNDS[claim.bound]
        if not by_mover:
            margin = _margin(position, 1 - mover)
            self._replies(_Promise(place, 1 - mover, margin, -claim.value - margin, ranks), position, "no move")
            return
        wanted = claim.value - _margin(position, mover)
        if not self._find(self._ground.spot(position), wanted, ranks):
            raise CertificateError(f"{place}: in {position} {_expected(wanted, ranks)}")


def _expected(wanted: int, ranks: range) -> str:
    """What is said where a decision of these ranks for so much is missing."""
    kind = "decision" if 0 in ranks else "forced decision"
    below = "" if ranks in (_ALL_RANKS, _FORCED_RANKS) else f" of a rank below {ranks.stop}"
    return f"expected a {kind} for at least {wanted}{below}, found none"


def _envelope(data: bytes) -> tuple[str, bytes]:
    """The header and what is packed, once lengths and checksum are right."""
    if data[: len(MAGIC)] != MAGIC[: len(data)]:
        raise CertificateError("expected a certificate, got a file that begins otherwise")
    truncated = "expected more bytes, got the end of the file: it was cut"
    if len(data) < _FIXED.size:
        raise CertificateError(truncated)
    _, version, header, packed, expected = _FIXED.unpack_from(data)
    if version != VERSION:
        raise CertificateError(f"expected version {VERSION} of the format, got {version}")
    rest = data[_FIXED.size :]
    if len(rest) < header + packed:
        raise CertificateError(truncated)
    if len(rest) > header + packed:
        raise CertificateError(f"the decisions do not unpack: expected {header + packed} bytes, got {len(rest)}")
    given = zlib.crc32(rest)
    if given != expected:
        raise CertificateError(f"expected checksum {expected:08x}, got {given:08x}: the file is damaged")
    try:
        return rest[:header].decode(), rest[header:]
    except UnicodeDecodeError as error:
        raise CertificateError(f"line 1 of the header: expected UTF-8: {error}") from None


def _read_header(header: str) -> tuple[Rules, int, list[Claim]]:
    """The rules, how many decisions there are, and the claims."""
    lines = header.removesuffix("\n").split("\n")
    names = ["rules", "decisions", *["claim"] * (len(lines) - 2)]
    values = []
    for number, (name, line) in enumerate(zip(names, lines, strict=False), 1):
        if not line.startswith(f"{name} "):
            raise CertificateError(f'line {number} of the header: expected "{name} ...", got "{line}"')
        values.append(line.removeprefix(f"{name} "))
    if len(values) < 3:
        raise CertificateError("expected a claim, got none")
    try:
        rules = Rules.parse(values[0])
    except OanquanError as error:
        raise CertificateError(f"rules of the header: {error}") from None
    if rules.sides != 2:
        raise CertificateError(f"expected rules of 2 sides, got {rules.sides}")
    count = _whole_number(values[1])
    if count is None or not 0 <= count <= _MOST_DECISIONS:
        raise CertificateError(
            f'line 2 of the header: expected a number of decisions up to {_MOST_DECISIONS}, got "{values[1]}"'
        )
    return rules, count, [_claim(number, text, rules) for number, text in enumerate(values[2:], 3)]


def _whole_number(text: str) -> int | None:
    """What up to 20 ASCII digits, after a minus perhaps, say; `None` of all else."""
    return int(text) if re.fullmatch("-?[0-9]{1,20}", text) else None


def _claim(number: int, text: str, rules: Rules) -> Claim:
    bound, _, rest = text.partition(" ")
    value, _, position = rest.partition(" ")
    try:
        if bound not in _BOUNDS:
            raise CertificateError(f'expected lower, upper, lower-at-most or upper-at-least, got "{bound}"')
        points = _whole_number(value)
        if points is None or not -(2**31) <= points < 2**31:
            raise CertificateError(f'expected a whole number of 32 bits, got "{value}"')
        if Position.parse(position, rules).is_over:
            raise CertificateError(f"expected a position in play, got {position}")
    except OanquanError as error:
        raise CertificateError(f"line {number} of the header: {error}") from None
    return Claim(bound, points, position)


_opened: list[Certificate] = []


def _open(path: str) -> None:
    """Read the certificate that this process is to replay parts of."""
    _opened[:] = [Certificate.read(path)]


def _replay_part(first: int, last: int) -> int:
    _opened[0].replay_decisions(first, last)
    return last - first


def replay_file(
    path: str | os.PathLike[str], processes: int = 1, progress: Callable[[int, int], object] | None = None
) -> Certificate:
    """Read and replay a certificate with the reference implementation, on several processes if wanted.

    Each process reads the whole file. Raises `OSError` if it cannot be read, `CertificateError` if it proves nothing.

    >>> replay_file("nothing")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'nothing'
    """
    certificate = Certificate.read(path)
    if processes == 1:
        certificate.replay(progress)
        return certificate
    done, every = 0, certificate.decisions
    with ProcessPoolExecutor(processes, get_context("spawn"), _open, (str(path),)) as pool:
        parts = range(0, every, _CHUNK)
        try:
            for part in as_completed([pool.submit(_replay_part, n, min(n + _CHUNK, every)) for n in parts]):
                done += part.result()
                if progress is not None:
                    progress(done, every)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    certificate.replay_claims()
    return certificate
