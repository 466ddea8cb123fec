"""`oanquan.records` and its command: files of any size, what is wrong in them, and writing that is all or nothing."""

from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oanquan
from oanquan import Game, OanquanError, RecordError, Rules, records
from support.command import OANQUAN, run
from support.engines import CORE, finished_game

GOOD = '[Players "An"]\n\n1. a1+ b2- *\n\n'
BAD = '[Players "Bình"]\n\n1. a1+ b1- *\n\n'


def games(number: int, seed: int = 1) -> list[Game]:
    rng, made = Random(seed), []
    for index in range(number):
        rules = Rules.preset(rng.choice([*oanquan.PRESETS]))
        game = finished_game(CORE, rules, index, max_plies=rng.choice([3, 40, 1000]))
        game.headers["Players"] = f'An "{index}" \\ Bình'
        game.comments[rng.randrange(len(game) + 1)] = 'ăn } \n\n[Quan "non"]'
        made.append(game)
    return made


def test_what_is_written_is_read(tmp_path: Path) -> None:
    written = games(120)
    for name in ("games.records", "games.records.gz"):
        path = tmp_path / name
        assert records.write(path, iter(written)) == 120
        assert [game.record() for game in records.read(path)] == [game.record() for game in written]
        assert records.count(path) == 120
        found = list(records.headers(str(path)))
        assert [each.game for each in found] == [*range(1, 121)]
        for each, game in zip(found, written, strict=True):
            assert each.headers["Players"] == game.headers["Players"]
            assert each.headers["Rules"] == str(game.position.rules)
    text = (tmp_path / "games.records").read_bytes()
    assert gzip.decompress((tmp_path / "games.records.gz").read_bytes()) == text
    assert text.decode() == "\n".join(game.record() for game in written) + "\n"
    for each, game in zip(records.headers(tmp_path / "games.records"), written, strict=True):
        assert records.read_at(tmp_path / "games.records", each.offset).record() == game.record()
        assert text[: each.offset].count(b"\n") + 1 == each.line


def test_the_rest_is_read_where_something_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "games.records"
    path.write_text(GOOD + BAD + "nonsense\n\n" + GOOD + '[Players "x"]\n\n1. a1+\n\n' + GOOD, encoding="utf-8")
    faults: list[RecordError] = []
    assert len(list(records.read(path, on_fault=faults.append))) == 3
    assert [(fault.game, fault.line, fault.column) for fault in faults] == [(2, 7, 8), (3, 9, 1), (5, 19, 1)]
    assert str(faults[0]).startswith(f"{path}:7:8: illegal move b1-: square b1 is empty (position ")
    assert (faults[0].text, faults[0].offset, faults[0].file) == ("1. a1+ ", len(GOOD), str(path))
    with records.read(path) as reader, pytest.raises(RecordError) as caught:
        list(reader)
    assert str(caught.value) == str(faults[0])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(faults[0])
    reader, seen = records.read(path), []
    for _ in range(6):
        try:
            seen.append(len(next(reader)))
        except RecordError as error:
            seen.append(str(error))
    assert seen == [2, str(faults[0]), str(faults[1]), 2, str(faults[2]), 2]
    with pytest.raises(StopIteration):
        next(reader)


@given(
    st.lists(st.sampled_from([GOOD, BAD, "[", "]", '"', "{", "}", "\\", "\n\n", "1. ", "a1+ ", "* ", "ă"]), max_size=12)
)
def test_a_text_is_a_file_of_records_or_has_faults(parts: list[str]) -> None:
    text = "".join(parts)
    faults: list[RecordError] = []
    read = list(records.read(io.BytesIO(text.encode()), on_fault=faults.append))
    if faults:
        with pytest.raises(oanquan.NotationError) as caught:
            Game.parse_all(text)
        first = faults[0]
        assert str(caught.value) == f"line {first.line}, column {first.column}: {first.args[0]}"
    else:
        assert [game.record() for game in read] == [game.record() for game in Game.parse_all(text)]


def test_a_comment_that_does_not_close_hides_no_other_game() -> None:
    """It is closed by that of the next game, whose headers are in it."""
    noted = GOOD.replace("*", "{a note} 2. a3- *")
    text = GOOD + GOOD.replace("b2-", "{a note b2-") + GOOD + noted + GOOD
    faults: list[RecordError] = []
    assert len(list(records.read(io.BytesIO(text.encode()), on_fault=faults.append))) == 4
    assert [fault.game for fault in faults] == [2]


@pytest.mark.parametrize("left", ["", GOOD, GOOD + "\n", GOOD.rstrip(), GOOD[:25], GOOD[:17], "[Rul"])
def test_appended_games_keep_off_one_that_was_cut(tmp_path: Path, left: str) -> None:
    path = tmp_path / "games.records"
    path.write_text(left)
    assert records.write(path, [Game.parse(GOOD)] * 2, append=True) == 2
    faults: list[RecordError] = []
    lengths = [len(game) for game in records.read(path, on_fault=faults.append)]
    assert lengths[-2:] == [2, 2]
    assert len(lengths) + len(faults) == (3 if left else 2)


class Drops(io.RawIOBase):
    """Gives few bytes at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        self.data, self.most = io.BytesIO(data), most

    def read(self, size: int = -1) -> bytes:
        return self.data.read(min(size, self.most))


@given(
    st.lists(
        st.sampled_from(
            [GOOD.encode(), BAD.encode(), b"[A", b'"', b"{", b"}", b"\n\n", b"\xff", b"\xc4", b"* ", b"\xa0"]
        )
    ),
    st.integers(1, 40),
)
def test_pieces_make_no_difference(parts: list[bytes], most: int) -> None:
    told = []
    for file in (io.BytesIO(b"".join(parts)), Drops(b"".join(parts), most)):
        faults: list[RecordError] = []
        read = [game.record() for game in records.read(file, on_fault=faults.append)]  # type: ignore[arg-type]
        told.append((read, [fault.args for fault in faults]))
    assert told[0] == told[1]


def test_headers_say_what_is_written_whatever_the_moves() -> None:
    text = (GOOD + BAD + GOOD).encode()
    assert [found.headers["Players"] for found in records.headers(io.BytesIO(text))] == ["An", "Bình", "An"]
    with pytest.raises(RecordError, match="expected each header once, got A again"):
        list(records.headers(io.BytesIO(b'[A "1"]\n[A "2"]\n\n*')))


@pytest.mark.parametrize("buffering", [0, -1])
def test_a_pipe_is_read_as_it_comes(buffering: int) -> None:
    """The first game is there before the second is written."""
    source, sink = os.pipe()
    with open(source, "rb", buffering=buffering) as file, open(sink, "wb", buffering=0) as pen:  # noqa: PTH123
        reader = records.read(file)
        for _ in range(3):
            pen.write(GOOD.encode())
            assert len(next(reader)) == 2
        pen.close()
        assert list(reader) == []
        assert not file.closed


def test_files_are_closed_at_the_end_and_by_close(tmp_path: Path) -> None:
    path = tmp_path / "games.records"
    path.write_text(GOOD * 3)
    for reader in (records.read(path), records.headers(path)):
        assert len(list(reader)) == 3
        assert reader._file.closed
    with records.read(path) as reader:
        next(reader)
    assert reader._file.closed
    assert list(reader) == []


class Odd(io.RawIOBase):
    """A file that does what it is told."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def read(self, size: int = -1) -> object:  # type: ignore[override]
        return self.answer(size) if callable(self.answer) else self.answer


def test_files_that_are_none() -> None:
    with pytest.raises(TypeError, match="source: expected a path or a file, got int"):
        records.read(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match='expected one that is read as bytes, got str; open it with "rb"'):
        list(records.read(io.StringIO(GOOD)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected at most 1 bytes, got 2"):
        list(records.read(Odd(lambda size: b" " * (size + 1))))
    with pytest.raises(ZeroDivisionError):
        list(records.read(Odd(lambda size: size // 0)))
    with pytest.raises(FileNotFoundError):
        records.read("/nowhere/games.records")
    with pytest.raises(IsADirectoryError):
        list(records.read("/"))
    with pytest.raises(OanquanError, match='source: expected a path, got ""'):
        records.read("")
    reader = records.read(Odd(lambda _: len(list(reader)) * b" "))
    with pytest.raises(ValueError, match="records are already being read"):
        next(reader)


def test_threads_share_a_reader() -> None:
    """What one reads no other does; a call that comes too soon is refused."""
    reader = records.read(io.BytesIO((GOOD * 5000).encode()))
    counts = [0] * 4

    def work(place: int) -> None:
        while True:
            try:
                next(reader)
            except StopIteration:
                return
            except ValueError:
                continue
            counts[place] += 1

    threads = [threading.Thread(target=work, args=[place]) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 5000


def test_read_at_reads_there_or_says_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "games.records"
    path.write_text(GOOD + BAD, encoding="utf-8")
    assert len(records.read_at(path, 0)) == 2
    with pytest.raises(RecordError, match=r"games\.records:3:8: illegal move b1-"):
        records.read_at(path, len(GOOD))
    with pytest.raises(OanquanError, match=r"offset: expected a record in .* at byte 1000, got the end"):
        records.read_at(path, 1000)
    with pytest.raises(OanquanError, match="offset: expected 0 to"):
        records.read_at(path, -1)


@pytest.mark.parametrize("name", ["games.records", "games.records.gz"])
def test_nothing_half_written_is_left(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    good = games(3)
    odd = Game()
    odd.headers["Rules"] = "mine"

    def breaks() -> object:
        yield from good * 500
        raise ZeroDivisionError

    for broken, kind in (([*good, odd], OanquanError), ([*good, 3], TypeError), (breaks(), ZeroDivisionError)):
        with pytest.raises(kind):
            records.write(path, broken)  # type: ignore[arg-type]
        assert [*tmp_path.iterdir()] == []
    assert records.write(path, good) == 3
    before = path.read_bytes()
    for broken in ([*good * 500, odd], [*good, 3]):
        for append in (False, True):
            with pytest.raises((OanquanError, TypeError)):
                records.write(path, broken, append=append)  # type: ignore[arg-type]
            assert path.read_bytes() == before
    assert records.write(path, good, append=True) == 3
    assert records.count(path) == 6
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
def test_a_disk_that_is_full() -> None:
    with pytest.raises(OSError, match="No space left"):
        records.write("/dev/full", games(1), append=True)


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_check_command(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.records.gz", tmp_path / "bad.records"
    records.write(good, games(5))
    bad.write_text(GOOD + BAD + GOOD, encoding="utf-8")
    moves = sum(map(len, records.read(good)))
    done = run("records", "check", str(good))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{good}: 5 games, {moves:,} moves\n", "")
    done = run("records", "check", str(good), str(bad), str(good))
    counts, fault, *rest = done.stdout.splitlines()
    assert fault.startswith(f"{bad}:7:8: illegal move b1-: ")
    assert (done.returncode, rest[0], rest[1]) == (1, f"{bad}: 2 games, 4 moves", counts)
    report = json.loads(run("records", "check", str(bad), "--json").stdout)
    assert report["files"] == {str(bad): {"games": 2, "moves": 4}}
    (fault,) = report["faults"]
    assert (fault["file"], fault["line"], fault["column"], fault["game"]) == (str(bad), 7, 8, 2)


def test_the_headers_command() -> None:
    command = [*OANQUAN, "records", "headers", "-"]
    text = GOOD + BAD + "nonsense"
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.stdout == "1  line 1  Players An\n2  line 5  Players Bình\n"
    assert done.stderr.startswith("oanquan: <stdin>:9:9: ")
    assert done.returncode == 1
    done = subprocess.run(
        [*command, "--json"], input=GOOD, capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    assert json.loads(done.stdout) == {"game": 1, "line": 1, "offset": 0, "headers": {"Players": "An"}}


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe without a reader")
@pytest.mark.parametrize(
    "command", [["records", "headers"], ["records", "check"], ["analyse", "-d", "1"]], ids=" ".join
)
def test_nobody_reads_what_is_told(command: list[str], tmp_path: Path) -> None:
    """That is no fault of the file."""
    path = tmp_path / "games.records"
    path.write_text((GOOD + BAD) * 2000, encoding="utf-8")
    with subprocess.Popen(
        [*OANQUAN, *command, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert "cannot read" not in process.stderr.read()
        assert process.wait(60) == 1


def test_what_cannot_be_looked_through(tmp_path: Path) -> None:
    for arguments, message in [
        (["check"], "files: expected one or more, got none"),
        (["check", "/nothing"], "cannot read /nothing: No such file or directory"),
        (["headers", str(tmp_path)], f"cannot read {tmp_path}: Is a directory"),
    ]:
        done = run("records", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"oanquan: {message}\n")


def test_the_example_measures_what_it_says() -> None:
    example = Path(__file__).parent.parent / "python" / "examples" / "records_speed.py"
    command = [sys.executable, str(example), "--games", "3000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["write", "read", "headers", "a", "memory:"]


@pytest.mark.parametrize(
    "part",
    [
        '[A "x"]\n\n{ a1+\n\n',
        '[A "x"]\n\n1. a1+ b1+ {\n\n',
        '[A "x"]\n\n1. a1+ {\n\n',
        '[A "x"]\n\n',
        "\n\n[",
        "1. a1+ b9+ *\n",
    ],
    ids=["open", "illegal and open", "open with an end", "headers only", "brackets", "faulty moves"],
)
def test_the_last_game_is_found_behind_any_number_of_faults(part: str) -> None:
    """What is open up to the end is not gone through for each record: the time grows as the file does."""
    text = part * 100_000 + ("} b1+ *\n\n" if part.endswith("{\n\n") else "\n\n") + '[Players "Bình"]\n\n1. a2+ *\n'
    faults: list[RecordError] = []
    found = list(records.read(io.BytesIO(text.encode()), on_fault=faults.append))
    assert found[-1].headers["Players"] == "Bình"
    assert faults


def test_the_command_gives_the_terminal_no_orders(tmp_path: Path) -> None:
    path = tmp_path / "games.records"
    path.write_text('[Players "An\x1b[2J\x9b / Bình"]\n\n1. a1+ *\n', encoding="utf-8")
    done = run("records", "headers", str(path))
    assert done.stdout == "1  line 1  Players An\\x1b[2J\\x9b / Bình\n"
