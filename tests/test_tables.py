"""Endgame tables from Python and the command line; the engine's tests hold them against other ways to the bounds."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import oanquan as oaq
from oanquan import Position, Rules, Tables, Value, reference
from support.command import ENVIRONMENT, OANQUAN, run

SHORT = Rules.preset("short-game")
POSITION = "0.0.1.0.0.0q1/0.0.0.0.1.0 25/23q1 - a 60"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "short-game-5.table"
    Tables.build(path, SHORT, pebbles=5, threads=1)
    return path


def margin(position: reference.Position, side: str) -> int:
    first, second = position.points
    return first - second if side == "a" else second - first


def within(position: reference.Position, side: str, depth: int, endless: float) -> float:
    """The final margin of a side with best play by both, endless play worth that to it."""
    if position.is_over:
        return margin(position, side)
    if depth == 0:
        return endless
    values = [within(position.play(move), side, depth - 1, endless) for move in position.legal_moves]
    return max(values) if position.turn == side else min(values)


def test_it_holds_what_the_reference_finds(path: Path) -> None:
    tables = Tables(path)
    known = exact = 0
    for board in late_boards(80):
        value = tables.probe(Position.parse(board, SHORT))
        position = reference.Position.parse(board, SHORT)
        now = margin(position, position.turn)
        forced = within(position, position.turn, 3, float("-inf")) - now
        allowed = within(position, position.turn, 3, float("inf")) - now
        assert value.upper is None or forced <= value.upper, board
        assert value.lower is None or allowed >= value.lower, board
        known += forced > float("-inf")
        exact += value.exact is not None
    assert known > 20
    assert exact > 20


def late_boards(count: int) -> list[str]:
    """Boards with a pebble for the side to move, up to four others, and a mandarin at one end."""
    draw = random.Random(7)
    boards = []
    for _ in range(count):
        squares = [0] * 12
        for square in [draw.randrange(5), *(draw.randrange(12) for _ in range(draw.randrange(5)))]:
            squares[square] += 1
        first, second = ".".join(map(str, squares[:6])), ".".join(map(str, squares[6:]))
        boards.append(f"{first}q1/{second} 22/23q1 - a 60")
    return boards


def test_the_value_of_a_position_is_the_best_of_its_moves(path: Path) -> None:
    tables = Tables(path)
    position = Position.parse(POSITION, SHORT)
    moves = tables.moves(position)
    assert [str(move) for move in moves] == ["a3+", "a3-"]
    assert tables.probe(position) == Value(10, 10) == moves[position.legal_moves[0]]
    # From the other seat it is the same.
    other = Position.parse("0.0.0.0.1.0/0.0.1.0.0.0q1 23q1/25 - b 60", SHORT)
    assert tables.probe(other) == tables.probe(position)


def test_a_table_tells_what_it_is(path: Path) -> None:
    tables = Tables.open(path)
    assert (tables.rules, tables.pebbles) == (SHORT, 5)
    assert repr(tables) == "<oanquan.Tables by short-game up to 5 pebbles>"
    assert 2 * tables.positions > path.stat().st_size - 4096 - 4096, "at most two bytes a position"


def test_a_table_serves_all_rules_by_which_it_is_right(path: Path, tmp_path: Path) -> None:
    tables = Tables(path)
    fewer = Rules.preset("short-game", pebbles=3, mandarin_ban=1, reseed_from="points")
    assert tables.serves(SHORT)
    assert tables.serves(fewer)
    assert not tables.serves(Rules.preset("short-game", mandarin_value=5))
    with pytest.raises(TypeError):
        tables.serves("short-game")  # type: ignore[arg-type]
    # Every position says the same by both, and what is found with it by one and by the other.
    known = 0
    for board in late_boards(40):
        one, other = Position.parse(board, SHORT), Position.parse(board, fewer)
        assert tables.probe(one) == tables.probe(other)
        assert [*tables.moves(one).values()] == [*tables.moves(other).values()]
        found = [oaq.solve(p, nodes=20_000, table_size=4, tables=tables).value for p in (one, other)]
        assert found[0] == found[1]
        assert oaq.search(one, depth=3, tables=tables).lower == oaq.search(other, depth=3, tables=tables).lower
        known += tables.probe(other) != Value(None, None)
    assert known > 20
    # Without stones, of those by stones and the reverse.
    stones = Tables.build(tmp_path / "stones", Rules.preset("mancala-world", squares=3), pebbles=6)
    bare_rules = Rules.preset("ten-pebbles", squares=3, mandarin_value=4)
    bare = Tables.build(tmp_path / "bare", bare_rules, pebbles=6)
    without, with_one = "0.0.1.1/0.1.0.1 20/20 - a 60", "0.0.1.1q1/0.1.0.1 20/20 - a 60"
    expected = bare.probe(Position.parse(without, bare_rules))
    assert expected != Value(None, None)
    for table, rules in [(stones, stones.rules), (stones, bare_rules), (bare, stones.rules)]:
        assert table.probe(Position.parse(without, rules)) == expected
    assert stones.probe(Position.parse(with_one, stones.rules)) != Value(None, None)
    assert bare.probe(Position.parse(with_one, stones.rules)) == Value(None, None)


def test_what_is_there_is_not_built_again(path: Path) -> None:
    before = path.stat()
    tables = Tables.build(path, SHORT, pebbles=5)
    assert tables.probe(Position.parse(POSITION, SHORT)) == Value(10, 10)
    assert path.stat() == before
    with pytest.raises(oaq.OanquanError) as error:
        Tables.build(path, SHORT, pebbles=4)
    expected = f"{path}: expected a table by short-game up to 4 pebbles, got a table by short-game up to 5 pebbles"
    assert str(error.value) == expected


def test_what_is_wrong_is_said(path: Path, tmp_path: Path) -> None:
    tables = Tables(path)
    expected = "one by rules that a table by short-game serves"
    with pytest.raises(oaq.OanquanError, match=f"^position: expected {expected}, got one by mancala-world$"):
        tables.probe(Position.start())
    with pytest.raises(TypeError, match=r"^position: expected a Position, got str$"):
        tables.probe("start")  # type: ignore[arg-type]
    with pytest.raises(oaq.OanquanError, match=r"^pebbles: expected 0 to 40, got 41$"):
        Tables.build(tmp_path / "a", pebbles=41)
    with pytest.raises(oaq.OanquanError, match=r"^threads: expected 1 to 1024, got 0$"):
        Tables.build(tmp_path / "a", pebbles=4, threads=0)
    with pytest.raises(oaq.OanquanError, match=r"got three-players$"):
        Tables.build(tmp_path / "a", Rules.preset("three-players"), pebbles=4)
    with pytest.raises(MemoryError):
        Tables.build(tmp_path / "a", pebbles=40)
    with pytest.raises(FileNotFoundError):
        Tables.build(tmp_path / "nowhere" / "a", pebbles=2)
    (tmp_path / "text").write_text("no table")
    with pytest.raises(oaq.OanquanError, match=r"text: expected a table, got a file of another kind$"):
        Tables(tmp_path / "text")
    assert [file.name for file in tmp_path.iterdir()] == ["text"]


def test_progress_counts_up_and_can_stop(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    tables = Tables.build(tmp_path / "a", SHORT, pebbles=6, progress=lambda *call: calls.append(call))
    assert calls == sorted(calls)
    assert 0 < calls[-1][0] <= calls[-1][1] == tables.positions
    Tables.verify(tmp_path / "a", progress=lambda *call: calls.append(call))
    assert calls[-1] == (tables.positions, tables.positions)

    def stop(*_: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Tables.build(tmp_path / "b", pebbles=11, progress=stop)
    with pytest.raises(ZeroDivisionError):
        Tables.verify(tmp_path / "a", progress=stop)
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_damage_is_found(path: Path, tmp_path: Path) -> None:
    assert Tables.verify(path, threads=2) == ()
    damaged = tmp_path / "damaged"
    content = bytearray(path.read_bytes())
    content[-3] ^= 64
    damaged.write_bytes(content)
    fault = "expected the right checksum of each block, got another of block 0"
    assert Tables.verify(damaged) == (fault,)
    with pytest.raises(oaq.OanquanError, match=f"damaged: {fault}$"):
        Tables(damaged).probe(Position.parse(POSITION, SHORT))
    content[40] ^= 1
    damaged.write_bytes(content)
    with pytest.raises(oaq.OanquanError):
        Tables(damaged)


@POSIX
def test_a_link_that_leads_nowhere_is_left_alone(tmp_path: Path) -> None:
    link = tmp_path / "a.table"
    link.symlink_to(tmp_path / "elsewhere.table")
    with pytest.raises(oaq.OanquanError, match=r"a\.table: expected a table or no file, got a link that leads nowhere"):
        Tables.build(link, SHORT, pebbles=2)
    assert [file.name for file in tmp_path.iterdir()] == ["a.table"]
    assert link.is_symlink()
    Tables.build(tmp_path / "elsewhere.table", SHORT, pebbles=2)
    assert Tables.build(link, SHORT, pebbles=2).pebbles == 2


def test_where_a_shortfall_loses_the_stores_count(tmp_path: Path) -> None:
    rules = Rules.preset("short-game", shortfall="loses", squares=3, pebbles=3)
    tables = Tables.build(tmp_path / "a", rules, pebbles=7, threads=1)
    assert Tables.verify(tmp_path / "a") == ()
    settled = by_stores = 0
    for first in range(9):
        for board in ("1.0.0.0q1/0.0.2.0", "0.0.1.0q1/0.0.0.1", "0.1.0.1/0.1.0.1q1", "0.0.2.0q1/0.1.0.0q1"):
            position = Position.parse(f"{board} {first}/{8 - first} - a 30", rules)
            value = tables.probe(position)
            assert value.lower is None or value.upper is None or value.lower <= value.upper
            points = position.points[0] - position.points[1]
            alone, helped = (oaq.solve(position, nodes=20_000, tables=known).value for known in (None, tables))
            for solved in (alone, helped):
                assert value.upper is None or solved.lower is None or solved.lower <= value.upper + points, position
                assert value.lower is None or solved.upper is None or solved.upper >= value.lower + points, position
            if value.exact is not None:
                assert helped.exact == value.exact + points
                settled += 1
            rich = Position.parse(f"{board} 90/90 - a 30", rules)
            by_stores += value != tables.probe(rich)
    assert settled > 5
    assert by_stores > 5


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_builds_verifies_and_probes(tmp_path: Path) -> None:
    file = str(tmp_path / "a.table")
    built = run("tables", "build", "--rules", "short-game", "--pebbles", "4", "--out", file)
    assert (built.returncode, built.stderr) == (0, "")
    assert built.stdout.startswith(f"4,470 positions in {file} (")
    verified = run("tables", "verify", file)
    assert (verified.returncode, verified.stdout) == (0, f"{file}: no faults\n")
    probed = run("tables", "probe", file, POSITION)
    final = "final margin"
    lines = [
        "margin of side a: -8",
        f"position: 10, {final} 2",
        f"a3+: 10, {final} 2",
        f"a3-: at most 10, {final} at most 2",
    ]
    assert (probed.returncode, probed.stdout.splitlines()) == (0, lines)
    told = json.loads(run("tables", "probe", file, POSITION, "--json").stdout)
    assert told["position"] == told["moves"]["a3+"] == {"lower": 10, "upper": 10}
    assert (told["margin"], told["final"]["position"]) == (-8, {"lower": 2, "upper": 2})
    assert told["final"]["moves"]["a3-"] == {"lower": None, "upper": 2}
    served = ("--rules", "short-game,pebbles=3")
    assert run("tables", "probe", file, POSITION, *served).stdout.splitlines() == lines
    refused = "position: expected one by rules that a table by short-game serves, got one by mancala-world"
    probed = run("tables", "probe", file, "start", "--rules", "mancala-world")
    assert (probed.returncode, probed.stderr) == (2, f"oanquan: {refused}\n")
    other = POSITION.replace(" a ", " b ")
    assert run("tables", "probe", file, other).stdout.startswith("margin of side b: 8\n")
    unknown = "margin of side a: 0\nposition: unknown\na1+: unknown\n"
    assert run("tables", "probe", file, "start").stdout.startswith(unknown)
    with Path(file).open("r+b") as opened:
        opened.seek(-1, os.SEEK_END)
        opened.write(b"\x55")
    verified = run("tables", "verify", file)
    assert verified.returncode == 1
    assert verified.stdout == f"{file}: expected the right checksum of each block, got another of block 0\n"


def test_the_command_builds_a_table_where_a_shortfall_loses(tmp_path: Path) -> None:
    file = str(tmp_path / "a.table")
    built = run("tables", "build", "--rules", "bankrupt", "--pebbles", "3", "--out", file)
    assert (built.returncode, built.stderr) == (0, "")
    probed = run("tables", "probe", file, "0.0.0.0.1.0q1/0.0.0.0.1.0 25/23q1 - a 60")
    assert (probed.returncode, probed.stderr) == (0, "")
    assert run("tables", "verify", file).stdout == f"{file}: no faults\n"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("build", "--pebbles", "41", "--out", "a"), 2, "pebbles: expected 0 to 40, got 41"),
        (("build", "--pebbles", "x", "--out", "a"), 2, '--pebbles: expected a whole number, got "x"'),
        (("build", "--pebbles", "4", "--out", "a", "--threads", "0"), 2, "threads: expected 1 to 1024, got 0"),
        (
            ("build", "--pebbles", "4", "--out", "a", "--rules", "shortfall=count"),
            2,
            "rules: expected two sides and shortfall=borrow, owe or loses, got shortfall=count",
        ),
        (("build", "--pebbles", "1", "--out", "no/a"), 1, "cannot write no/a: No such file or directory"),
        (("verify", "nothing"), 2, "cannot read nothing: No such file or directory"),
        (("probe", "nothing", "start"), 2, "cannot read nothing: No such file or directory"),
    ],
)
def test_the_command_says_what_is_wrong(
    arguments: tuple[str, ...], status: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("tables", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", f"oanquan: {message}\n")
    assert [*tmp_path.iterdir()] == []


@POSIX
def test_ctrl_c_ends_a_build_at_once(tmp_path: Path) -> None:
    arguments = ["tables", "build", "--pebbles", "18", "--out", str(tmp_path / "a.table")]
    with subprocess.Popen([*OANQUAN, *arguments], env=ENVIRONMENT, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=30)
    assert (process.returncode, error) == (130, "")
    assert [*tmp_path.iterdir()] == []
