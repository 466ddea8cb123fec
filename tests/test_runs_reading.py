"""Runs that are read again: verified, and converted to text."""

from __future__ import annotations

import csv
import json
import os
import resource
import signal
import subprocess
from pathlib import Path

import pyarrow.parquet
import pytest

from oanquan import Game, OanquanError, Position, Rules, _core, runs
from oanquan.runs.manifest import Manifest, entries_of
from oanquan.runs.shards import Shard, footer
from support.command import ENVIRONMENT, OANQUAN, run
from support.runs import check_complete, wait_until
from support.stream import draw

VI = Rules.preset("wikipedia-vi")


def finished(directory: Path, games: int = 1000, **arguments: object) -> runs.Run:
    return runs.run(directory, games, **{"seed": 7, "shard_games": 300, "workers": 2, **arguments})  # type: ignore[arg-type]


# ---- verify ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lists", [{}, {"moves": True}, {"moves": True, "positions": True}], ids=repr)
def test_a_good_run_has_no_fault(tmp_path: Path, lists: dict[str, bool]) -> None:
    finished(tmp_path, rules=VI, agents=("greedy", "random"), max_plies=40, repetition=2, **lists)
    calls: list[tuple[int, int]] = []
    found = runs.verify(tmp_path, sample=100, progress=lambda *call: calls.append(call))
    assert found == runs.Verification(games=1000, shards=4, replayed=100, faults=())
    assert calls[-1] == (1000, 1000)
    assert runs.verify(tmp_path, sample=0).replayed == 0
    assert runs.verify(tmp_path, sample=5000).replayed == 1000


@pytest.mark.parametrize("settings", [{"rules": Rules.preset("three-players")}, {"position": Position.start(VI)}])
def test_runs_of_other_boards_have_no_fault(tmp_path: Path, settings: dict[str, object]) -> None:
    finished(tmp_path, **settings)
    assert not runs.verify(tmp_path).faults


def damaged_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 4] ^= 0x10
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [damaged_byte, Path.unlink, lambda path: path.write_bytes(b"PAR1")])
def test_a_damaged_file_is_found_and_mended_by_resume(tmp_path: Path, damage: object) -> None:
    done = finished(tmp_path)
    damage(done.paths[1])  # type: ignore[operator]
    done_with = run("simulate", "--verify", str(tmp_path))
    assert (done_with.returncode, done_with.stderr) == (1, "")
    assert done.paths[1].name in done_with.stdout or "games 300 to 599 are missing" in done_with.stdout
    assert finished(tmp_path, resume=True).played == 300
    again = run("simulate", "--verify", str(tmp_path))
    assert (again.returncode, again.stdout) == (0, "1,000 games in 4 files, 1,000 played again: no fault\n")


@pytest.mark.parametrize("signed", [False, True])
def test_a_damaged_middle_is_never_signed(tmp_path: Path, signed: bool) -> None:
    """Its footer is whole: it is found by reading it through, or not at all."""
    done = finished(tmp_path)
    damaged_byte(done.paths[1])
    if signed:
        sign_again(done)
        assert runs.verify(tmp_path).faults
    else:
        (tmp_path / "_manifest.json").unlink()
    assert finished(tmp_path, resume=True).played == 300
    assert not runs.verify(tmp_path).faults


def sign_again(done: runs.Run) -> None:
    """Write a manifest that agrees with whatever is in the files."""
    entries = entries_of(done.directory, done.shards, lambda: None)
    Manifest(done.settings, done.games, entries).write(done.directory)


def test_a_game_that_is_not_what_its_settings_say_is_found(tmp_path: Path) -> None:
    """A shard with games of another seed and a footer that hides it, in a manifest that agrees."""
    done = finished(tmp_path)
    shard, settings = Shard(300, 600), done.settings
    done.paths[1].unlink()
    texts = footer(settings, shard)
    agents = list(settings.agents)
    where = str(done.paths[1])
    _core.write_shard(where, settings.position, 300, 300, agents, 8, 1, 1000, 3, False, False, texts, None)
    sign_again(done)
    found = runs.verify(tmp_path, sample=100)
    assert found.replayed == 100
    assert len(found.faults) == 30
    assert all("is not the one that is played again" in fault for fault in found.faults)
    assert all(fault.startswith(f"{shard.name}: game ") for fault in found.faults)
    with pytest.raises(OanquanError, match="game 300 is not the one that is played again"):
        runs.convert(tmp_path, tmp_path.parent / "x.txt", "records")
    assert not (tmp_path.parent / "x.txt").exists()
    assert finished(tmp_path, resume=True).played == 300
    assert not runs.verify(tmp_path).faults


def test_one_changed_number_is_found(tmp_path: Path) -> None:
    done = finished(tmp_path, games=300)
    table = pyarrow.parquet.read_table(done.paths[0])
    loans = table["loans"].to_pylist()
    loans[123] += 1
    place = table.schema.get_field_index("loans")
    changed = table.set_column(place, table.schema.field(place), [pyarrow.array(loans, pyarrow.uint32())])
    texts = pyarrow.parquet.read_metadata(done.paths[0]).metadata
    ours = {key: text for key, text in texts.items() if key.startswith(b"oanquan.")}
    pyarrow.parquet.write_table(changed.replace_schema_metadata(ours), done.paths[0], compression="zstd")
    sign_again(done)  # its footer says nothing of it
    assert runs.verify(tmp_path).faults == (f"{done.paths[0].name}: game 123 is not the one that is played again",)


def test_what_does_not_belong_to_the_run_is_found(tmp_path: Path) -> None:
    finished(tmp_path / "x")
    other = finished(tmp_path / "y", shard_games=200)
    third = finished(tmp_path / "z", seed=8, games=1300)
    other.paths[0].rename(tmp_path / "x" / other.paths[0].name)
    third.paths[-1].rename(tmp_path / "x" / third.paths[-1].name)
    assert runs.verify(tmp_path / "x").faults == (
        f"{other.paths[0].name}: its games are in games-000000000000-000000000300.parquet too",
        f"{third.paths[-1].name}: it is of another run",
    )


def test_verify_without_a_manifest(tmp_path: Path) -> None:
    done = run("simulate", "--verify", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"oanquan: {tmp_path}: there is no _manifest.json: the run is not finished\n"


def test_verify_in_json(tmp_path: Path) -> None:
    done = finished(tmp_path)
    done.paths[0].unlink()
    checked = run("simulate", "--verify", str(tmp_path), "--json")
    assert checked.returncode == 1
    report = json.loads(checked.stdout)
    assert report.pop("version")
    assert report == {
        "directory": str(tmp_path),
        "games": 700,
        "shards": 3,
        "replayed": 700,
        "faults": ["games 0 to 299 are missing"],
    }


# ---- convert ---------------------------------------------------------------------------------------------------------


def test_records_are_the_games_of_the_stream(tmp_path: Path) -> None:
    finished(tmp_path / "run", 700, rules=VI, max_plies=60, repetition=2)
    calls: list[tuple[int, int]] = []
    assert (
        runs.convert(tmp_path / "run", tmp_path / "games", "records", progress=lambda *call: calls.append(call)) == 700
    )
    assert calls[-1] == (700, 700)
    text = (tmp_path / "games").read_text()
    games = Game.parse_all(text)
    assert [game.headers for game in games] == [
        {"Players": "random / random", "Seed": "7", "Game": str(number)} for number in range(700)
    ]
    assert text == "".join(f"{game.record()}\n" for game in games)
    for number in (0, 299, 300, 699):
        again = Game(VI, max_plies=60, repetition=2)
        while not again.is_over:
            moves = again.position.legal_moves
            again.push(moves[draw(7, number, len(again.moves), len(moves))])
        assert again.moves == games[number].moves
        assert again.outcome == games[number].outcome


@pytest.mark.parametrize("lists", [{}, {"moves": True, "positions": True}], ids=["numbers", "lists"])
def test_csv_has_every_value(tmp_path: Path, lists: dict[str, bool]) -> None:
    done = finished(tmp_path / "run", rules=Rules.preset("three-players"), agents=("greedy", "random"), **lists)
    assert runs.convert(tmp_path / "run", tmp_path / "x.csv", "csv", threads=3) == 1000
    table = pyarrow.concat_tables([pyarrow.parquet.read_table(path) for path in done.paths])
    with (tmp_path / "x.csv").open(newline="") as file:
        header, *lines = csv.reader(file)
    assert header == table.column_names
    assert len(lines) == 1000
    for line, row in zip(lines, table.to_pylist(), strict=True):
        values = [";".join(map(str, value)) if isinstance(value, list) else str(value) for value in row.values()]
        assert line == values


def test_positions_with_debts_stay_in_one_value(tmp_path: Path) -> None:
    position = Position.parse("0.1.0.0.0.0q1/0.0.0.0.1.0q1 3/62 a>b:2 a 9")
    finished(tmp_path / "run", 5, position=position, positions=True)
    runs.convert(tmp_path / "run", tmp_path / "x.csv", "csv")
    with (tmp_path / "x.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["positions"].split(";")[0] for row in rows} == {str(position)}
    assert all(Position.parse(text) for row in rows for text in row["positions"].split(";"))


def test_the_command_converts(tmp_path: Path) -> None:
    finished(tmp_path / "x", 20)
    for form in runs.FORMS:
        out = tmp_path / form
        done = run("convert", str(tmp_path / "x"), "--to", form, "--out", str(out))
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"20 games in {out}, {out.stat().st_size:,} bytes\n"
    assert len(Game.parse_all((tmp_path / "records").read_text())) == 20
    assert len((tmp_path / "csv").read_text().splitlines()) == 21


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{}", "--to", "pdf", "--out", "{}/x"], 'form: expected records or csv, got "pdf"'),
        (["{}/none", "--to", "csv", "--out", "{}/x"], "{}/none: no finished run is here"),
        (["{}", "--to", "csv", "--out", ""], 'file: expected a path, got ""'),
        (["{}", "--to", "csv", "--out", "."], ".: expected a file to write, got a directory"),
        (["{}", "--to", "csv", "--out", "{}/_manifest.json"], "_manifest.json: expected a file outside of the run"),
        (["{}", "--to", "csv", "--out", "{}/new"], "new: expected a file outside of the run"),
        (["{}"], "--to"),
        (["--to", "csv", "--out", "{}/x"], "DIRECTORY"),
    ],
)
def test_convert_refuses(tmp_path: Path, arguments: list[str], message: str) -> None:
    finished(tmp_path, 20)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    done = run("convert", *(argument.format(tmp_path) for argument in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert message.format(tmp_path) in done.stderr
    assert done.stderr.count("\n") == 1
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_convert_writes_where_a_link_leads(tmp_path: Path) -> None:
    done = finished(tmp_path / "x", 20)
    (tmp_path / "link").symlink_to("real")
    for _ in range(2):
        assert runs.convert(done.directory, tmp_path / "link", "csv") == 20
        assert (tmp_path / "link").is_symlink()
        assert len((tmp_path / "real").read_text().splitlines()) == 21
    (tmp_path / "inside").symlink_to(done.paths[0])
    with pytest.raises(OanquanError, match="outside of the run"):
        runs.convert(done.directory, tmp_path / "inside", "csv")
    assert not runs.verify(done.directory).faults


@pytest.mark.parametrize("form", runs.FORMS)
def test_convert_writes_straight_to_streams(tmp_path: Path, form: str) -> None:
    done = finished(tmp_path / "x")
    runs.convert(done.directory, tmp_path / "out", form)
    text = (tmp_path / "out").read_text()
    piped = run("convert", str(done.directory), "--to", form, "--out", "/dev/stdout")
    assert (piped.returncode, piped.stderr, piped.stdout) == (0, "", text)
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "read").open("wb") as read, subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=read):
        assert runs.convert(done.directory, tmp_path / "pipe", form) == 1000
    assert (tmp_path / "read").read_text() == text
    assert (tmp_path / "pipe").is_fifo()
    assert runs.convert(done.directory, "/dev/null", form) == 1000
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("form", runs.FORMS)
def test_convert_leaves_no_part_of_a_file(tmp_path: Path, form: str) -> None:
    """A limit of the size of a file stands for a full disk; the file that was there before stays."""
    done = finished(tmp_path / "x", 5000, shard_games=1000)
    out = tmp_path / "out"
    out.write_text("before")
    limited = subprocess.run(
        [*OANQUAN, "convert", str(tmp_path / "x"), "--to", form, "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )
    assert (limited.returncode, limited.stdout) == (1, "")
    assert limited.stderr == f"oanquan: cannot write {out}: File too large\n"
    assert limited.stderr.count("\n") == 1
    done.paths[3].write_bytes(b"")
    damaged = run("convert", str(tmp_path / "x"), "--to", form, "--out", str(out))
    assert damaged.returncode == 2
    assert f"{done.paths[3]}: not a complete shard" in damaged.stderr
    assert out.read_text() == "before"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out", "x"]


def test_ctrl_c_during_convert_leaves_nothing(tmp_path: Path) -> None:
    finished(tmp_path / "x", 400_000, shard_games=400_000)
    command = [*OANQUAN, "convert", str(tmp_path / "x"), "--to", "records", "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True
    ) as process:
        wait_until(lambda: any(file.stat().st_size > 10_000 for file in tmp_path.glob(".out.*")))
        process.send_signal(signal.SIGINT)
        text, errors = process.communicate(timeout=60)
    assert (process.returncode, text, errors) == (130, "", "")
    assert [file.name for file in tmp_path.iterdir()] == ["x"]
    check_complete(tmp_path / "x", 400_000, seed=7)
