"""Certificates of games that best play keeps going for ever, made of all positions by the reference implementation.

What each side can force, and what it can hold, is found by sweeps over all positions of a small game, and written to
a file without the search. Both replays accept it, and of what is changed nothing that is false.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

import oanquan as oaq
from oanquan import CertificateError, Rules
from oanquan.certificates import Claim
from oanquan.cli import main
from oanquan.reference import Position

RULES = Rules.parse(
    "squares=2,pebbles=1,mandarin=pebbles,mandarin_value=3,mandarin_next=lift_one,row_leftovers=split,shortfall=borrow"
)
LOWER, UPPER = 4, 10  # of the start
BOTH = pytest.mark.parametrize("reference", [False, True], ids=["core", "reference"])


class Edge(NamedTuple):
    """A move: by how much the margin of who makes it changes, and the board if the game goes on."""

    change: int
    to: bytes | None


class Row(NamedTuple):
    """A decision, in the order of the file."""

    board: bytes
    value: int
    rank: int
    action: int


def seen(position: Position) -> tuple[bytes, bool]:
    """The smaller of the board and its mirror from the side to move, and whether it is the mirror."""
    here = position.pebbles if position.turn == "a" else position.pebbles[3:] + position.pebbles[:3]
    there = (here[1], here[0], here[5], here[4], here[3], here[2])
    return bytes(min(here, there)), there < here


def margin(position: Position, turn: str) -> int:
    points = position.points
    return points[0] - points[1] if turn == "a" else points[1] - points[0]


class Space:
    """All positions of the game, with bounds of the change of the mover's margin from there to the end."""

    def __init__(self) -> None:
        start = Position.start(RULES)
        self.start = seen(start)[0]
        self.edges: dict[bytes, dict[int, Edge]] = {}
        self.positions = {self.start: start}
        open_positions = [start]
        while open_positions:
            position = open_positions.pop()
            board, mirrored = seen(position)
            moves = self.edges[board] = {}
            for action in range(4):
                if f"{position.turn}{action // 2 + 1}{'+-'[action % 2]}" not in position.legal_moves:
                    continue
                after = position.play(action)
                change = margin(after, position.turn) - margin(position, position.turn)
                to = None if after.is_over else seen(after)[0]
                moves[3 - action if mirrored else action] = Edge(change, to)
                if to is not None and to not in self.positions:
                    self.positions[to] = after
                    open_positions.append(after)
        # A decision of rank 0 for what can be held, and one for each time that more plies force more.
        self.forced: dict[bytes, list[tuple[int, int]]] = {board: [] for board in self.edges}
        self.bounds = dict.fromkeys(self.edges, (-float("inf"), float("inf")))
        rank, before = 0, None
        while self.bounds != before:
            rank, before = rank + 1, self.bounds
            self.bounds = {board: self._swept(board) for board in self.edges}
            for board, (lower, _) in self.bounds.items():
                if lower > before[board][0]:
                    self.forced[board].append((int(lower), rank))

    def _swept(self, board: bytes) -> tuple[float, float]:
        worths = [self.worth(edge) for edge in self.edges[board].values()]
        return max(lower for lower, _ in worths), max(upper for _, upper in worths)

    def worth(self, edge: Edge) -> tuple[float, float]:
        """What a move is worth to who makes it: what it forces, and what it holds."""
        if edge.to is None:
            return edge.change, edge.change
        lower, upper = self.bounds[edge.to]
        return edge.change - upper, edge.change - lower

    def replies(self, edge: Edge) -> Iterator[tuple[int, bytes | None]]:
        """What has changed after a move and each reply, and the board if the game goes on."""
        if edge.to is None:
            yield edge.change, None
            return
        for reply in self.edges[edge.to].values():
            yield edge.change - reply.change, reply.to

    def decision(self, board: bytes, wanted: float, rank: int | None) -> Row:
        """A decision for so much: held with `rank` 0, else forced, with a rank below that one if there is one."""
        if rank == 0:
            value = int(self.bounds[board][1])
            action = next(action for action, edge in self.edges[board].items() if self.worth(edge)[1] == value)
        else:
            value, its = next((value, its) for value, its in self.forced[board] if value >= wanted)
            assert rank is None or its < rank
            rank = its
            action = next(a for a, edge in self.edges[board].items() if self._forces(edge, value, its))
        assert value >= wanted
        return Row(board, value, rank, action)

    def _forces(self, edge: Edge, value: int, rank: int) -> bool:
        return all(
            change >= value if to is None else any(v >= value - change and r < rank for v, r in self.forced[to])
            for change, to in self.replies(edge)
        )

    def strategy(self, wanted: list[tuple[bytes, float, int | None]]) -> list[Row]:
        """Decisions for what is wanted and for all that they rest on. What is held rests on what is held."""
        rows: set[Row] = set()
        wanted = list(wanted)
        while wanted:
            row = self.decision(*wanted.pop())
            if row in rows:
                continue
            rows.add(row)
            replies = self.replies(self.edges[row.board][row.action])
            wanted += [(to, row.value - change, row.rank) for change, to in replies if to is not None]
        return sorted(rows)


@pytest.fixture(scope="module")
def space() -> Space:
    return Space()


@pytest.fixture(scope="module")
def rows(space: Space) -> list[Row]:
    lower, upper = space.bounds[space.start]
    wanted: list[tuple[bytes, float, int | None]] = [(space.start, lower, None), (space.start, upper, 0)]
    for edge in space.edges[space.start].values():
        assert edge.to is not None
        wanted += [(edge.to, edge.change - upper, None), (edge.to, edge.change - lower, 0)]
    return space.strategy(wanted)


START = str(Position.start(RULES))
CLAIMS = [
    Claim("lower", LOWER, START),
    Claim("lower-at-most", LOWER, START),
    Claim("upper", UPPER, START),
    Claim("upper-at-least", UPPER, START),
]


def file_of(rows: list[Row], claims: list[Claim]) -> bytes:
    """A certificate, with the decisions in order."""
    lines = [f"rules {RULES}", f"decisions {len(rows)}", *(f"claim {claim}" for claim in claims)]
    header = "".join(f"{line}\n" for line in lines).encode()
    packed_rows = [row.board + b"\0" + struct.pack("<hHB", row.value, row.rank, row.action) for row in sorted(rows)]
    packed = zlib.compress(b"".join(bytes(column) for column in zip(*packed_rows, strict=True)))
    rest = header + packed
    return struct.pack("<8sIIQI", b"oaqc\r\n\x1a\n", 1, len(header), len(packed), zlib.crc32(rest)) + rest


def replayed(path: Path, rows: list[Row], claims: list[Claim], *, reference: bool) -> str | None:
    """Why a certificate is refused, or `None`."""
    path.write_bytes(file_of(rows, claims))
    try:
        oaq.verify_certificate(path, reference=reference)
    except CertificateError as error:
        return str(error)
    return None


def test_the_game_is_one_that_neither_side_wants_to_end(space: Space) -> None:
    assert space.bounds[space.start] == (LOWER, UPPER)
    assert all(-50 < lower <= upper < 50 for lower, upper in space.bounds.values())


@BOTH
def test_both_bounds_are_shown_to_be_the_whole_truth(rows: list[Row], tmp_path: Path, *, reference: bool) -> None:
    path = tmp_path / "a.certificate"
    path.write_bytes(file_of(rows, CLAIMS))
    verified = oaq.verify_certificate(path, reference=reference)
    assert (verified.claims, verified.decisions) == (tuple(CLAIMS), len(rows))
    assert 0 < sum(row.rank == 0 for row in rows) < len(rows)


@BOTH
def test_claims_that_are_too_sharp_are_refused(rows: list[Row], tmp_path: Path, *, reference: bool) -> None:
    for number, claim in enumerate(CLAIMS):
        sharper = 1 if claim.bound in ("lower", "upper-at-least") else -1
        claims = [*CLAIMS[:number], claim._replace(value=claim.value + sharper), *CLAIMS[number + 1 :]]
        told = replayed(tmp_path / "a.certificate", rows, claims, reference=reference)
        assert told is not None
        assert told.startswith(f"claim {number}: ")
        kind = "decision" if "-at-" in claim.bound else "forced decision"
        assert f" expected a {kind} for at least " in told


@BOTH
def test_what_is_held_is_not_forced(space: Space, rows: list[Row], tmp_path: Path, *, reference: bool) -> None:
    refused = partial(replayed, tmp_path / "a.certificate", reference=reference)
    for claim in [Claim("lower", UPPER, START), Claim("upper", LOWER, START)]:
        told = refused(rows, [claim]) or ""
        assert told.startswith("claim 0: ")
        assert " expected a forced decision for at least " in told
    several = 0
    for number, row in enumerate(rows):
        lower, upper = space.bounds[row.board]
        if row.rank == 0 and lower < upper:
            told = refused([*rows[:number], row._replace(rank=65535), *rows[number + 1 :]], CLAIMS) or ""
            assert " expected a forced decision for at least " in told
            assert told.endswith(" of a rank below 65535, found none")
            several += 1
    assert several > 10
    # A forced decision may not rest on held ones, even if what it says is true.
    loosened = {row._replace(rank=0) if row.rank == 1 else row for row in rows}
    assert " expected a forced decision for at least " in (refused(list(loosened), CLAIMS) or "")


def test_what_is_changed_is_refused_unless_it_is_true(space: Space, rows: list[Row], tmp_path: Path) -> None:
    """Each decision by itself, and both replays are of one mind."""
    refused = accepted = 0
    for number, row in enumerate(rows):
        side = 1 if row.rank == 0 else 0
        edges = space.edges[row.board]
        changes = [(row._replace(value=row.value + 1), space.bounds[row.board][side])]
        changes += [(row._replace(action=a), space.worth(edges[a])[side]) for a in edges if a != row.action]
        for changed, most in changes:
            if changed in rows:
                continue
            other = [*rows[:number], changed, *rows[number + 1 :]]
            told = [
                replayed(tmp_path / "a.certificate", other, CLAIMS, reference=reference) for reference in (False, True)
            ]
            assert (told[0] is None) == (told[1] is None), told
            if told[0] is None:
                assert changed.value <= most
                accepted += 1
            else:
                assert any(word in told[0] and word in str(told[1]) for word in ("found none", "promised was"))
                refused += 1
    assert refused > 100
    assert accepted > 10


@BOTH
def test_boards_that_are_dropped_are_missed(rows: list[Row], tmp_path: Path, *, reference: bool) -> None:
    for board in {row.board for row in rows}:
        less = [row for row in rows if row.board != board]
        told = replayed(tmp_path / "a.certificate", less, CLAIMS, reference=reference) or ""
        assert told.endswith("found none")


def test_verify_says_it_in_words(rows: list[Row], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.certificate"
    path.write_bytes(file_of(rows, CLAIMS))
    assert main(["verify", str(path)]) == 0
    told = capsys.readouterr().out
    assert [line.removeprefix(f"  {START}: ") for line in told.split("\n")[1:5]] == [
        "at least 4 for the side to move",
        "the side to move cannot force more than 4 with the game over",
        "at most 10 for the side to move",
        "the side to move cannot be held to less than 10 with the game over",
    ]
    assert main(["verify", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"][1] == CLAIMS[1]._asdict()


@BOTH
def test_the_solver_finds_that_best_play_goes_round(*, reference: bool, tmp_path: Path) -> None:
    """Bounds that never meet are settled, and nothing is left to search."""
    path = tmp_path / "round.certificate"
    solution = oaq.solve(RULES, table_size=1, certificate=path)
    assert (solution.lower, solution.upper) == (LOWER, UPPER)
    assert solution.value.settled
    assert solution.value.exact is None
    # a1+ and a2- are worth 4 to 6.
    assert [str(move) for move in solution.best_moves] == ["a1-", "a2+"]
    assert str(solution.value) == "4 to 10 as endless play is counted"
    claims = oaq.verify_certificate(path, reference=reference).claims
    bounds = {claim.bound: claim.value for claim in claims if claim.position == str(solution.position)}
    assert bounds == {"lower": LOWER, "lower-at-most": LOWER, "upper": UPPER, "upper-at-least": UPPER}
