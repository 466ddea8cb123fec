"""Solved positions and their certificates: both replays agree, what was tampered with is refused by both."""

from __future__ import annotations

import json
import os
import re
import signal
import struct
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import oanquan as oaq
from oanquan import CertificateError, OanquanError, Rules, SolvingInterrupted, Stage
from oanquan.certificates import MAGIC, Certificate
from oanquan.cli import main

START = "2.2.2.0q1/2.2.2.0q1 0/0 - a 0"
FIXED = struct.Struct("<8sIIQI")

# One for each way in which what a decision says depends on the rules.
SMALL = [
    "squares=3,pebbles=2",
    "squares=2,pebbles=3,ends_when=stones_taken,mandarin_leftovers=split",
    "squares=2,pebbles=2,directions=clockwise,mandarin_leftovers=adjacent",
    "squares=2,pebbles=2,mandarin_ban=3",
    "squares=2,pebbles=3,shortfall=loses",
    "squares=2,pebbles=2,shortfall=loses,reseed_from=points",
    "squares=3,pebbles=2,shortfall=partial",
    "squares=2,pebbles=2,shortfall=count,reseed_from=points,mandarin_value=3",
    "squares=2,pebbles=3,reseed_from=points",
    "squares=2,pebbles=2,mandarin=pebbles,mandarin_value=3,mandarin_next=lift_one,row_leftovers=split",
]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("certificates") / "small.certificate"
    solution = oaq.solve(Rules(squares=3, pebbles=2), certificate=path)
    assert solution.value.exact == 0
    return path.read_bytes()


@pytest.mark.parametrize("text", SMALL)
def test_both_replays_accept_what_is_proved(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.certificate"
    solution = oaq.solve(Rules.parse(text), nodes=500_000, certificate=path)
    assert solution.certificate is not None
    core, reference = oaq.verify_certificate(path), oaq.verify_certificate(path, reference=True)
    assert (core.rules, core.claims, core.decisions) == (reference.rules, reference.claims, reference.decisions)
    assert (core.decisions, core.moves) == (solution.certificate.decisions, solution.certificate.moves)
    assert path.stat().st_size == solution.certificate.size
    claims = {(claim.bound, claim.position): claim.value for claim in core.claims}
    assert claims[("lower", str(solution.position))] == solution.lower
    assert claims[("upper", str(solution.position))] == solution.upper
    # A bound of a move is one of the position after it, seen from the other side.
    for move, value in solution.move_values.items():
        after = solution.position.play(move)
        if not after.is_over and value.exact is not None:
            assert claims[("lower", str(after))] == claims[("upper", str(after))] == -value.exact


def test_the_value_is_that_of_the_best_moves() -> None:
    solution = oaq.solve(Rules(squares=3, pebbles=2))
    values = [value.exact for value in solution.move_values.values()]
    assert max(value for value in values if value is not None) == solution.value.exact
    assert [move for move, value in solution.move_values.items() if value == solution.value] == [*solution.best_moves]
    mirrored = {f"a{4 - move.square}{'-' if str(move)[-1] == '+' else '+'}": move for move in solution.move_values}
    assert all(solution.move_values[oaq.Move(text)] == solution.move_values[m] for text, m in mirrored.items())


def test_a_table_helps_and_the_proof_stands_without_it(tmp_path: Path) -> None:
    rules = Rules.preset("short-game", squares=3, pebbles=3)
    tables = oaq.Tables.build(tmp_path / "a.table", rules, pebbles=6)
    alone = oaq.solve(rules)
    helped = oaq.solve(rules, tables=tables, certificate=tmp_path / "a.certificate")
    assert (helped.value, helped.move_values) == (alone.value, alone.move_values)
    assert helped.nodes < alone.nodes
    assert oaq.verify_certificate(tmp_path / "a.certificate", reference=True, threads=2).decisions > 100
    with pytest.raises(OanquanError, match="tables: expected a table that serves quan-non, got one by "):
        oaq.solve(Rules.preset("quan-non"), tables=tables)


def test_progress_is_told_and_ends_the_search() -> None:
    stages: list[Stage] = []
    oaq.solve(Rules.preset("quan-non"), seconds=0.3, table_size=4, progress=stages.append)
    assert stages[-1].nodes > 0
    assert max(stages[-1].plies) > 3

    def fail(_: Stage) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        oaq.solve(progress=fail)


def test_ctrl_c_keeps_what_was_proved() -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(SolvingInterrupted) as interrupt:
        oaq.solve(table_size=4)
    timer.join()
    assert interrupt.value.solution.nodes > 0
    assert interrupt.value.solution.certificate is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": 0}, "nodes: expected 1 to 18446744073709551615, got 0"),
        ({"seconds": -1}, "seconds: expected 0 to 1000000000, got -1"),
        ({"seconds": float("nan")}, "seconds: expected 0 to 1000000000, got nan"),
        ({"table_size": -1}, "table_size: expected 0 to 1048576, got -1"),
        ({"threads": 0}, "threads: expected 1 to 1024, got 0"),
        ({"position": Rules(sides=3)}, "expected rules of 2 sides, got 3"),
    ],
)
def test_arguments_out_of_range(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(OanquanError) as error:
        oaq.solve(**arguments)  # type: ignore[arg-type]
    assert str(error.value) == message


def test_arguments_of_another_type() -> None:
    with pytest.raises(TypeError, match="seconds: expected a number, got str"):
        oaq.solve(seconds="1")  # type: ignore[arg-type]


def test_a_place_for_a_certificate_is_looked_at_first(tmp_path: Path) -> None:
    """What took hours is not lost for a folder that is not there."""

    def fail(_: Stage) -> None:
        raise AssertionError("it was searched")

    for path in [tmp_path, tmp_path / "nothing" / "a.certificate"]:
        with pytest.raises(OSError, match="directory"):
            oaq.solve(Rules(squares=3, pebbles=2), certificate=path, progress=fail)


def test_a_certificate_that_cannot_be_written_is_not_half_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        oaq.solve(Rules(squares=2, pebbles=2), certificate=tmp_path / "no" / "a.certificate")
    oaq.solve(nodes=1, certificate=tmp_path / "nothing.certificate")
    assert list(tmp_path.iterdir()) == []


# ---- certificates that were tampered with ----------------------------------------------------------------------------


def rebuilt(
    data: bytes, header: Callable[[str], str] = str, rows: Callable[[list[bytes]], list[bytes]] = list
) -> bytes:
    """The certificate with another header or other decisions, and a checksum that is right."""
    _, version, length, _, _ = FIXED.unpack_from(data)
    text = data[FIXED.size :][:length].decode()
    columns = zlib.decompress(data[FIXED.size + length :])
    count = int(text.split("\n")[1].split()[1])
    old = [columns[number::count] for number in range(count)]
    new = rows(old)
    text = header(text).replace(f"decisions {count}\n", f"decisions {len(new)}\n")
    packed = zlib.compress(b"".join(bytes(column) for column in zip(*new, strict=True)))
    rest = text.encode() + packed
    return FIXED.pack(MAGIC, version, len(text.encode()), len(packed), zlib.crc32(rest)) + rest


def repacked(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """The certificate with other packed bytes, and a checksum that is right."""
    _, version, length, _, _ = FIXED.unpack_from(data)
    header, packed = data[FIXED.size :][:length], change(data[FIXED.size + length :])
    return FIXED.pack(MAGIC, version, length, len(packed), zlib.crc32(header + packed)) + header + packed


def dropped(rows: list[bytes]) -> list[bytes]:
    """Without a decision whose board no other has."""
    keys = [row[:9] for row in rows]
    number = next(number for number, key in enumerate(keys) if keys.count(key) == 1)
    return rows[:number] + rows[number + 1 :]


def other_move(rows: list[bytes]) -> list[bytes]:
    return [*rows[:-1], rows[-1][:-1] + bytes([9])]


def one_rank(rows: list[bytes]) -> list[bytes]:
    """Each decision with the same rank: nothing says what holds what up."""
    most = {row[:9]: row for row in rows}
    return [row[:11] + struct.pack("<H", 5) + row[13:] for row in most.values()]


def mirrored(rows: list[bytes]) -> list[bytes]:
    row = next(row for row in rows if row[:3] != row[2::-1] or row[4:7] != row[6:3:-1])
    rest = [other for other in rows if other != row]
    return [*rest, row[2::-1] + row[7:8] + row[6:3:-1] + row[3:4] + bytes([row[8] >> 1 | (row[8] & 1) << 1]) + row[9:]]


def swapped(rows: list[bytes]) -> list[bytes]:
    return [rows[1], rows[0], *rows[2:]]


def doubled(rows: list[bytes]) -> list[bytes]:
    return [rows[0], *rows]


def bomb(data: bytes, count: int) -> bytes:
    """The certificate with so many decisions of zeros."""
    _, version, length, _, _ = FIXED.unpack_from(data)
    header = re.sub(rb"decisions [0-9]+", b"decisions %d" % count, data[FIXED.size :][:length])
    packer = zlib.compressobj()
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(64)) + packer.flush()
    rest = header + packed
    return FIXED.pack(MAGIC, version, len(header), len(packed), zlib.crc32(rest)) + rest


def raised_bound(text: str) -> str:
    return text.replace(f"claim lower 0 {START}", f"claim lower 1 {START}")


def lowered_bound(text: str) -> str:
    return text.replace(f"claim upper 0 {START}", f"claim upper -1 {START}")


TAMPERED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "dropped": (lambda data: rebuilt(data, rows=dropped), "expected a forced decision for at least"),
    "other move": (lambda data: rebuilt(data, rows=other_move), "illegal move 9: action numbers go from 0 to 5"),
    "one rank": (lambda data: rebuilt(data, rows=one_rank), "of a rank below 5, found none"),
    "mirrored": (lambda data: rebuilt(data, rows=mirrored), "expected "),
    "swapped": (lambda data: rebuilt(data, rows=swapped), "decision 1: expected a greater one than the one before"),
    "doubled": (lambda data: rebuilt(data, rows=doubled), "decision 1: expected a greater one than the one before"),
    "bomb": (
        lambda data: bomb(data, 1000),
        "the decisions do not unpack: expected 14000 bytes, got more",
    ),
    "bomb of many": (
        lambda data: bomb(data, (64 << 20) // 14),
        "the decisions do not unpack: expected at most 16777216 bytes in ",
    ),
    "bomb of most": (
        lambda data: bomb(data, 1 << 32),
        "the decisions do not unpack: expected at most 16777216 bytes in ",
    ),
    "raised": (lambda data: rebuilt(data, raised_bound), "claim 0: "),
    "lowered": (lambda data: rebuilt(data, lowered_bound), "claim 1: "),
    "other rules": (
        lambda data: rebuilt(data, lambda text: text.replace("pebbles=2", "pebbles=2,capture_chain=off")),
        "decision ",
    ),
    "no rules": (
        lambda data: rebuilt(data, lambda text: text.replace("pebbles=2", "pebbles=99")),
        'rules of the header: pebbles: expected 1 to 10, got "99"',
    ),
    "three sides": (
        lambda data: rebuilt(data, lambda text: text.replace("squares=3", "sides=3,squares=3")),
        "expected rules of 2 sides, got 3",
    ),
    "no claim": (
        lambda data: rebuilt(data, lambda text: "\n".join(text.split("\n")[:2]) + "\n"),
        "expected a claim, got none",
    ),
    "a word": (
        lambda data: rebuilt(data, lambda text: text.replace("claim lower", "claim least", 1)),
        'line 3 of the header: expected lower, upper, lower-at-most or upper-at-least, got "least"',
    ),
    "another game": (
        lambda data: rebuilt(data, lambda text: text + f"claim lower -99 {START.replace('0/0', '1/0')}\n"),
        "expected as many pebbles and mandarins in all as in claim 0",
    ),
    "no number": (
        lambda data: rebuilt(data, lambda text: text.replace("claim lower 0", "claim lower +0", 1)),
        'line 3 of the header: expected a whole number of 32 bits, got "+0"',
    ),
    "other digits": (
        lambda data: rebuilt(data, lambda text: text.replace("claim lower 0", "claim lower \N{SUPERSCRIPT TWO}", 1)),
        "line 3 of the header: expected a whole number of 32 bits, got ",
    ),
    "great number": (
        lambda data: rebuilt(data, lambda text: text.replace("claim lower 0", "claim lower -" + 5000 * "9", 1)),
        "line 3 of the header: expected a whole number of 32 bits, got ",
    ),
    "edge of numbers": (
        lambda data: rebuilt(data, lambda text: text.replace("claim upper 0", f"claim upper {-(2**31)}", 1)),
        "claim 1: ",
    ),
    "line ends": (
        lambda data: rebuilt(data, lambda text: text.replace("\n", "\r\n")),
        "",
    ),
    "great count": (
        lambda data: rebuilt(data, lambda text: re.sub("decisions [0-9]+", "decisions 1" + 30 * "0", text)),
        "line 2 of the header: expected a number of decisions up to 4294967296, got ",
    ),
    "packed longer": (
        lambda data: repacked(data, lambda packed: packed + b"!"),
        "the decisions do not unpack: expected ",
    ),
    "packed shorter": (lambda data: repacked(data, lambda packed: packed[:-4]), "the decisions do not unpack: "),
    "cut": (lambda data: data[:-1], "expected more bytes, got the end of the file: it was cut"),
    "cut early": (lambda data: data[:10], "expected more bytes, got the end of the file: it was cut"),
    "longer": (lambda data: data + b"!", "the decisions do not unpack: expected "),
    "damaged": (lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "the file is damaged"),
    "version": (lambda data: data[:8] + b"\2" + data[9:], "expected version 1 of the format, got 2"),
    "something else": (lambda _: b"PAR1", "expected a certificate, got a file that begins otherwise"),
}


@pytest.mark.parametrize("reference", [False, True], ids=["core", "reference"])
@pytest.mark.parametrize("name", TAMPERED)
def test_tampered_certificates_are_refused(name: str, certificate: bytes, tmp_path: Path, *, reference: bool) -> None:
    change, message = TAMPERED[name]
    path = tmp_path / "a.certificate"
    changed = change(certificate)
    assert changed != certificate
    path.write_bytes(changed)
    with pytest.raises(CertificateError) as error:
        oaq.verify_certificate(path, reference=reference)
    assert message in str(error.value)


def test_the_reference_reads_many_decisions_in_no_time(certificate: bytes) -> None:
    """No row costs a copy of all that follow it: these would take a minute that way, those of a whole game days."""
    many = rebuilt(certificate, rows=lambda rows: 300 * rows)
    begun = time.perf_counter()
    assert Certificate(many).decisions > 300_000
    assert time.perf_counter() - begun < 10


@pytest.mark.parametrize("reference", [False, True], ids=["core", "reference"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, *, reference: bool) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in [pipe, Path("/dev/zero")]:
        with pytest.raises(OSError, match="expected a regular file"):
            oaq.verify_certificate(path, reference=reference)


def test_a_certificate_put_together_again_is_accepted(certificate: bytes, tmp_path: Path) -> None:
    """What is refused above is refused for its change alone."""
    path = tmp_path / "a.certificate"
    path.write_bytes(rebuilt(certificate))
    decisions = oaq.verify_certificate(path).decisions
    assert decisions == oaq.verify_certificate(path, reference=True, threads=2).decisions
    assert Certificate.read(path).decisions == decisions


# ---- the commands ----------------------------------------------------------------------------------------------------


def test_solve_and_verify(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "a.certificate")
    assert main(["solve", "--rules", "squares=3,pebbles=2", "--certificate", path]) == 0
    told = capsys.readouterr().out
    assert f"squares=3,pebbles=2: {START}\nvalue for a: 0\nbest moves: " in told
    assert f"certificate: {path}, " in told
    assert main(["verify", path]) == 0
    told = capsys.readouterr().out
    assert f"  {START}: at least 0 for the side to move\n  {START}: at most 0 for the side to move\n" in told
    assert main(["verify", path, "--reference", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"][0] == {"bound": "lower", "value": 0, "position": START}
    data = Path(path).read_bytes()
    Path(path).write_bytes(rebuilt(data, raised_bound))
    assert main(["verify", path]) == 1
    assert ": refused: claim 0: " in capsys.readouterr().out


def test_solve_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    begun = time.perf_counter()
    arguments = [
        "solve",
        "2.2.0q1/2.2.0q1 0/0 - a 0",
        "-r",
        "squares=2,pebbles=2",
        "--no-moves",
        "--json",
    ]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["lower"], report["upper"], report["interrupted"]) == (10, 10, False)
    assert 0 < report["seconds"] <= time.perf_counter() - begun
    assert not report.keys() & {"moves", "best_moves"}


def test_solve_says_nothing_of_moves_that_are_not_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["solve", "2.2.0q1/2.2.0q1 0/0 - a 0", "--rules", "squares=2,pebbles=2"]
    assert main(arguments) == 0
    assert "  a1+: -8\n" in capsys.readouterr().out
    assert main([*arguments, "--no-moves"]) == 0
    told = capsys.readouterr().out
    assert "value for a: 10\n" in told
    assert "a1+" not in told
    assert "unknown" not in told


def test_faults_of_the_commands(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for arguments, message in [
        (["verify", str(tmp_path / "nothing")], f"cannot read {tmp_path / 'nothing'}: No such file or directory"),
        (["solve", "--tables", str(tmp_path / "nothing")], f"cannot read {tmp_path / 'nothing'}: No such file"),
        (
            ["solve", "--threads", "3"],
            "--threads: expected 1 or 2 without --certificate, got 3: there are two searches",
        ),
        (["solve", "--nodes", "0"], "nodes: expected 1 to "),
        (["solve", "--rules", "four-players"], "expected rules of 2 sides, got 4"),
    ]:
        assert main(arguments) == 2
        assert message in capsys.readouterr().err
