"""Runs that nothing disturbs: what is written, what is planned, what is refused, what is found damaged."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oanquan as oaq
from oanquan import OanquanError, Position, Rules, runs
from oanquan.files import written_whole
from oanquan.runs.manifest import Manifest
from oanquan.runs.shards import Shard, missing, survey
from support.command import run
from support.runs import check_complete, shards_of, started, unfinished_of, wait_for_shards

VI = Rules.preset("wikipedia-vi")


def finished(directory: Path, games: int = 1000, **arguments: object) -> runs.Run:
    return runs.run(directory, games, **{"seed": 7, "shard_games": 300, "workers": 2, **arguments})  # type: ignore[arg-type]


def contents(directory: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in directory.iterdir()}


# ---- what is written -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_a_run_has_the_games_of_simulate(tmp_path: Path, executor: str) -> None:
    settings = {"rules": VI, "agents": ("greedy", "random"), "seed": 11, "max_plies": 60, "repetition": None}
    done = runs.run(tmp_path / "x", 2500, shard_games=1000, executor=executor, workers=2, **settings)  # type: ignore[arg-type]
    assert [shard.games for shard in done.shards] == [1000, 1000, 500]
    assert (done.games, done.played, done.lost) == (2500, 2500, 0)
    check_complete(tmp_path / "x", 2500, **settings)


def test_a_run_from_a_position_of_four_sides(tmp_path: Path) -> None:
    position = Position.start(Rules.preset("four-players")).play("a3+")
    runs.run(tmp_path, 200, position=position, shard_games=90, moves=True, positions=True)
    check_complete(tmp_path, 200, position=position)


def test_the_same_run_is_the_same_files_whatever_plays_it(tmp_path: Path) -> None:
    one = finished(tmp_path / "one", workers=1)
    other = finished(tmp_path / "other", workers=5, executor="threads")
    third = finished(tmp_path / "third", executor="processes")
    assert contents(one.directory) == contents(other.directory) == contents(third.directory)


def test_the_footer_says_what_decides_the_games(tmp_path: Path) -> None:
    done = finished(tmp_path, rules=VI, agents=("greedy", "random"), max_plies=None)
    texts = {
        key.decode(): value.decode() for key, value in pyarrow.parquet.read_metadata(done.paths[1]).metadata.items()
    }
    assert {key.removeprefix("oanquan."): text for key, text in texts.items() if key.startswith("oanquan.")} == {
        "digest": done.settings.digest,
        "rules": "wikipedia-vi",
        "position": str(Position.start(VI)),
        "agents": "greedy,random",
        "seed": "7",
        "max_plies": "off",
        "repetition": "3",
        "moves": "no",
        "positions": "no",
        "version": oaq.__version__,
        "first_game": "300",
        "end_game": "600",
    }


def test_the_manifest_has_every_file(tmp_path: Path) -> None:
    done = finished(tmp_path)
    manifest = json.loads((tmp_path / "_manifest.json").read_text())
    assert (manifest["games"], manifest["digest"]) == (1000, done.settings.digest)
    assert manifest["settings"] == done.settings.texts()
    for entry, path in zip(manifest["shards"], done.paths, strict=True):
        data = path.read_bytes()
        assert entry["file"] == path.name
        assert (entry["bytes"], entry["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert [entry["end_game"] for entry in manifest["shards"]] == [300, 600, 900, 1000]


def test_one_agent_plays_every_side(tmp_path: Path) -> None:
    finished(tmp_path, agents=["greedy"])
    assert finished(tmp_path, agents=("greedy", "greedy"), resume=True).played == 0


def test_progress_tells_how_many_games_are_done(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    finished(tmp_path, progress=lambda done, games: calls.append((done, games)))
    assert calls[-1] == (1000, 1000)
    assert all(0 <= done <= games == 1000 for done, games in calls)


def test_what_progress_raises_stops_the_run(tmp_path: Path) -> None:
    def refuse(done: int, _: int) -> None:
        if done:
            raise LookupError

    with pytest.raises(LookupError):
        finished(tmp_path, progress=refuse)
    assert not (tmp_path / "_manifest.json").exists()
    assert not unfinished_of(tmp_path)
    assert 0 < finished(tmp_path, resume=True).played <= 1000
    check_complete(tmp_path, 1000, seed=7)


# ---- what is missing -------------------------------------------------------------------------------------------------


@given(st.sets(st.integers(0, 60)), st.integers(1, 60), st.integers(1, 25))
def test_what_is_missing_fills_the_gaps_and_nothing_else(cuts: set[int], games: int, shard_games: int) -> None:
    ends = sorted(cut for cut in cuts if cut <= games)
    there = [Shard(*pair) for pair in zip(ends[::2], ends[1::2], strict=False)]
    planned = list(missing(there, games, shard_games))
    assert sorted(game for shard in [*there, *planned] for game in range(shard.first_game, shard.end_game)) == [
        *range(games)
    ]
    assert all(0 < shard.games <= shard_games for shard in planned)
    assert len({shard.first_game // shard_games for shard in planned}) + len(there) >= len(planned)


def test_resume_plays_what_is_missing_only(tmp_path: Path) -> None:
    done = finished(tmp_path)
    before = contents(tmp_path)
    times = {path: path.stat().st_mtime_ns for path in done.paths}
    done.paths[1].unlink()
    assert finished(tmp_path, resume=True).played == 300
    assert contents(tmp_path) == before
    kept = [path for path in done.paths if path.stat().st_mtime_ns == times[path]]
    assert kept == [done.paths[0], *done.paths[2:]]


def test_resume_of_nothing_begins(tmp_path: Path) -> None:
    assert finished(tmp_path / "new", resume=True).played == 1000
    assert finished(tmp_path / "new", resume=True).played == 0


def test_resume_can_add_games_and_cut_them_otherwise(tmp_path: Path) -> None:
    finished(tmp_path)
    assert finished(tmp_path, 2000, resume=True, shard_games=450).played == 1000
    names = [(shard.first_game, shard.end_game) for shard in runs.Run.read(tmp_path).shards]
    assert names == [(0, 300), (300, 600), (600, 900), (900, 1000), (1000, 1350), (1350, 1800), (1800, 2000)]
    check_complete(tmp_path, 2000, seed=7)


def test_there_is_no_manifest_while_games_are_missing(tmp_path: Path) -> None:
    finished(tmp_path)

    def refuse(done: int, _: int) -> None:
        if done > 1000:
            raise LookupError

    with pytest.raises(LookupError):
        finished(tmp_path, 2000, resume=True, progress=refuse)
    with pytest.raises(runs.RunError, match="no finished run is here"):
        runs.Run.read(tmp_path)


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"seed": 8}, "seed: the run has 7, asked for 8"),
        ({"rules": VI}, "rules: the run has mancala-world, asked for wikipedia-vi"),
        ({"agents": ("random", "greedy")}, "agents: the run has random,random, asked for random,greedy"),
        ({"max_plies": None}, "max_plies: the run has 1000, asked for off"),
        ({"repetition": 2}, "repetition: the run has 3, asked for 2"),
        ({"moves": True}, "moves: the run has no, asked for yes"),
        ({"positions": True}, "positions: the run has no, asked for yes"),
        ({"games": 999}, "games: the run has 1000, asked for 999"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_resume_refuses_other_settings(tmp_path: Path, changed: dict[str, object], fault: str) -> None:
    finished(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(runs.RunError) as refused:
        finished(tmp_path, resume=True, **changed)  # type: ignore[arg-type]
    assert refused.value.faults == (fault,)
    assert contents(tmp_path) == before


def test_resume_names_every_difference(tmp_path: Path) -> None:
    finished(tmp_path)
    with pytest.raises(runs.RunError) as refused:
        finished(tmp_path, rules=VI, seed=1, agents=("greedy",), resume=True, positions=True)
    assert [fault.partition(":")[0] for fault in refused.value.faults] == ["rules", "agents", "seed", "positions"]
    assert str(refused.value) == f"{tmp_path}: {'; '.join(refused.value.faults)}"


def test_resume_refuses_the_games_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finished(tmp_path)
    monkeypatch.setattr("oanquan._core.__version__", "99.0.0")
    with pytest.raises(runs.RunError, match=f"version: the run has {oaq.__version__}, asked for 99.0.0"):
        finished(tmp_path, resume=True)


@pytest.mark.parametrize("gone", ["_manifest.json", "games-*"])
def test_a_directory_with_a_run_is_refused(tmp_path: Path, gone: str) -> None:
    finished(tmp_path)
    for file in tmp_path.glob(gone):
        file.unlink()
    with pytest.raises(runs.RunError, match="there is a run already"):
        finished(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games: expected 1 to "),
        ({"shard_games": 0}, "shard_games: expected 1 to "),
        ({"workers": 0}, "workers: expected 1 to 1024, got 0"),
        ({"agents": ("nobody",)}, 'agents: expected random, greedy.*, got "nobody"'),
        ({"executor": "magic"}, 'executor: expected threads or processes or ray or dask, got "magic"'),
        ({"seed": -1}, "seed: expected 0 to "),
        ({"directory": ""}, 'directory: expected a path, got ""'),
        ({"directory": "a\0b"}, "directory: expected a path without NUL"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_bad_arguments_leave_nothing_behind(tmp_path: Path, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(OanquanError, match=message):
        finished(**{"directory": tmp_path / "new", **arguments})  # type: ignore[arg-type]
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agents": (len, "random")}, "agents: expected names, .*, got builtin_function_or_method"),
        ({"agents": ([], "random")}, "agents: expected names, .*, got list"),
        ({"moves": "no"}, "moves: expected True or False, got str"),
        ({"positions": 1}, "positions: expected True or False, got int"),
        ({"executor": ["threads"]}, "executor: expected a name, got list"),
        ({"progress": 5}, "progress: expected a callable, got int"),
        ({"directory": b"x"}, "directory: expected a path of str, got bytes"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_arguments_of_other_types_are_refused(tmp_path: Path, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        finished(**{"directory": tmp_path / "new", **arguments})  # type: ignore[arg-type]
    assert not (tmp_path / "new").exists()


def test_a_relative_directory_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    finished(tmp_path / "b" / "x", seed=9)
    before = contents(tmp_path / "b" / "x")
    monkeypatch.chdir(tmp_path / "a")
    done = finished(Path("x"), progress=lambda _done, _games: os.chdir(tmp_path / "b"))
    assert done.directory == tmp_path / "a" / "x"
    assert not runs.verify(done.directory).faults
    assert contents(tmp_path / "b" / "x") == before


@pytest.mark.parametrize(("executor", "library"), [("ray", "ray"), ("dask", "dask")])
def test_a_library_that_is_not_installed_is_named(tmp_path: Path, executor: str, library: str) -> None:
    code = f"""
import sys
sys.modules[{library!r}] = None
from oanquan import runs
runs.run({str(tmp_path / "new")!r}, 10, executor={executor!r})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"OanquanError: executor {executor}: needs {library}; install oanquan[{executor}]" in done.stderr


def test_clusters_are_imported_when_they_are_asked_for(tmp_path: Path) -> None:
    code = f"""
import sys
from oanquan import runs
for executor in ("threads", "processes"):
    runs.run({str(tmp_path)!r} + "/" + executor, 10, executor=executor)
assert not {{"ray", "dask", "distributed", "numpy", "pyarrow"}} & sys.modules.keys()
"""
    script = tmp_path / "script.py"
    script.write_text(f"if __name__ == '__main__':\n{code.replace(chr(10), chr(10) + '    ')}\n")
    subprocess.run([sys.executable, str(script)], check=True)


def test_errors_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(runs.RunError("x", ("a", "b"))))
    assert (str(error), error.faults) == ("x: a; b", ("a", "b"))
    interrupt = pickle.loads(pickle.dumps(runs.RunInterrupted(3, 10)))
    assert (str(interrupt), interrupt.games) == ("run interrupted with 3 of 10 games written", 3)


def test_two_runs_in_one_directory(tmp_path: Path) -> None:
    arguments = ["--games", str(10**9), "--shard-games", "2000", "--out", str(tmp_path)]
    with started(*arguments) as first:
        wait_for_shards(tmp_path, first)
        second = run("simulate", *arguments, "--resume")
        assert (second.returncode, second.stdout) == (2, "")
        assert second.stderr == f"oanquan: {tmp_path}: another run is writing here\n"
        with pytest.raises(runs.RunError, match="another run is writing here"):
            finished(tmp_path, resume=True)
        assert first.poll() is None
        first.kill()
        first.wait()
    games = max(shard.end_game for shard in survey(tmp_path, runs.Settings.of().digest).shards) + 500
    runs.run(tmp_path, games, resume=True)  # the lock went with the process
    check_complete(tmp_path, games)


# ---- what is damaged -------------------------------------------------------------------------------------------------


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def cut_last_byte(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def fill_with_zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def be_its_neighbour(path: Path) -> None:
    shutil.copy(path.parent / "games-000000000000-000000000300.parquet", path)


@pytest.mark.parametrize("damage", [cut_in_half, cut_last_byte, empty, fill_with_zeros, be_its_neighbour])
@pytest.mark.parametrize("manifest", [True, False], ids=["finished", "unfinished"])
def test_a_damaged_shard_is_found_and_played_again(tmp_path: Path, damage: object, manifest: bool) -> None:
    done = finished(tmp_path)
    before = contents(tmp_path)
    damage(done.paths[2])  # type: ignore[operator]
    if not manifest:
        (tmp_path / "_manifest.json").unlink()
    assert [*survey(tmp_path, done.settings.digest).faulty] == [done.paths[2].name]
    assert finished(tmp_path, resume=True).played == 300
    assert contents(tmp_path) == before


def test_a_changed_byte_in_the_middle_is_found_and_played_again(tmp_path: Path) -> None:
    done = finished(tmp_path)
    before = contents(tmp_path)
    data = bytearray(done.paths[0].read_bytes())
    data[len(data) // 4] ^= 0x10
    done.paths[0].write_bytes(data)
    assert finished(tmp_path, resume=True).played == 300
    assert contents(tmp_path) == before


def test_shards_that_overlap_count_once(tmp_path: Path) -> None:
    finished(tmp_path / "x")
    finished(tmp_path / "y", shard_games=200)
    for path in shards_of(tmp_path / "y"):
        shutil.copy(path, tmp_path / "x")
    assert len(shards_of(tmp_path / "x")) == 9
    finished(tmp_path / "x", resume=True)
    check_complete(tmp_path / "x", 1000, seed=7)


@pytest.mark.parametrize(("seed", "shard"), [(8, 0), (7, 3), (7, 4)], ids=["other", "across the end", "beyond the end"])
def test_a_shard_of_another_run_that_turns_up_late_is_replaced(tmp_path: Path, seed: int, shard: int) -> None:
    """A worker of a cluster can outlive its run, and write into the next one."""
    late = finished(tmp_path / "late", 2000, seed=seed).paths[shard]

    def turn_up(done: int, _: int) -> None:
        if done and late.exists():
            shutil.move(late, tmp_path / "x")

    (tmp_path / "x").mkdir()
    finished(tmp_path / "x", progress=turn_up, shard_games=100, workers=1)
    assert not late.exists()
    check_complete(tmp_path / "x", 1000, seed=7)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"form": 1}', '{"form": 2}'])
def test_a_damaged_manifest_is_written_again(tmp_path: Path, text: str) -> None:
    finished(tmp_path)
    before = contents(tmp_path)
    (tmp_path / "_manifest.json").write_text(text)
    with pytest.raises(runs.RunError, match=r"_manifest\.json is no manifest of a run"):
        runs.Run.read(tmp_path)
    assert finished(tmp_path, resume=True).played == 0
    assert contents(tmp_path) == before


def test_a_manifest_of_other_settings_does_not_say_its_own_digest(tmp_path: Path) -> None:
    finished(tmp_path)
    path = tmp_path / "_manifest.json"
    path.write_text(path.read_text().replace('"seed": "7"', '"seed": "8"'))
    with pytest.raises(runs.RunError, match="its digest is not that of its settings"):
        Manifest.read(tmp_path)


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    others = ["notes.txt", "games-1-2.parquet", "games-000000000000-000000000300.parquet.bak", ".hidden.unfinished"]
    for name in others:
        (tmp_path / name).write_text(name)
    finished(tmp_path)
    assert all((tmp_path / name).read_text() == name for name in others)


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / ".games-000000000000-000000000300.parquet.0123456789abcdef.unfinished"
    left.write_bytes(b"half a game")
    finished(tmp_path)
    assert not left.exists()


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("before")

    def fail() -> None:
        with written_whole(path) as unfinished:
            unfinished.write_text("half")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert path.read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["text"]


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_writes_a_run(tmp_path: Path) -> None:
    arguments = ["simulate", "-n", "1000", "-r", "wikipedia-vi", "--seed", "3", "--shard-games", "400"]
    done = run(*arguments, "--out", str(tmp_path / "x"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1,000 games of wikipedia-vi, agents random,random, seed 3\n")
    size = sum(path.stat().st_size for path in shards_of(tmp_path / "x"))
    assert f"{tmp_path / 'x'}: 3 files, {size:,} bytes\n1,000 games played in " in done.stdout
    check_complete(tmp_path / "x", 1000, rules=VI, seed=3)
    again = run(*arguments, "--out", str(tmp_path / "x"), "--resume")
    assert again.stdout.endswith(" bytes\nnothing was missing\n")
    report = json.loads(run(*arguments, "--out", str(tmp_path / "x"), "--resume", "--json").stdout)
    settings = runs.Run.read(tmp_path / "x").settings
    assert report.pop("seconds") > 0
    assert report == {
        "version": oaq.__version__,
        "directory": str(tmp_path / "x"),
        "games_asked_for": 1000,
        "interrupted": False,
        "games": 1000,
        "shards": 3,
        "played": 0,
        "lost": 0,
        "digest": settings.digest,
        "settings": settings.texts(),
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume"], "--resume: needs --out"),
        (["--shard-games", "5"], "--shard-games: needs --out"),
        (["--executor", "ray"], "--executor: needs --out"),
        (["--workers", "2"], "--workers: needs --out"),
        (["--moves"], "--moves: needs --out"),
        (["--verify", "x", "--resume"], "--resume: needs --out"),
        (["--out", "x", "--verify", "x"], "--verify: is not for --out"),
        (["--verify", "x", "--seed", "5"], "--seed: is not for --verify"),
        (["--verify", "x", "--games", "5"], "--games: is not for --verify"),
        (["--verify", "x", "--max-plies", "off"], "--max-plies: is not for --verify"),
        (["--verify", "x", "--plot", "x.svg"], "--plot: is not for --verify"),
        (["--verify", ""], 'directory: expected a path, got ""'),
        (["--out", ""], 'directory: expected a path, got ""'),
        (["--out", "x", "--threads", "2"], "--threads: is not for --out"),
        (["--out", "x", "--plot", "x.svg"], "--plot: is not for --out"),
        (["--out", "x", "--executor", "magic"], "executor: expected threads or "),
        (["--out", "x", "--games", "0"], "games: expected 1 to "),
    ],
    ids=" ".join,
)
def test_arguments_that_do_not_go_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("simulate", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"oanquan: {message}")
    assert not list(tmp_path.iterdir())


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("simulate", "-n", "10", "--out", str(tmp_path / "file" / "x"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"oanquan: cannot write to {tmp_path / 'file' / 'x'}: Not a directory\n"
    assert done.stderr.count("\n") == 1


# ---- endgame tables that play ----------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "end.table"
    oaq.Tables.build(file, Rules.preset("short-game"), pebbles=3, threads=1)
    return file


def test_a_run_is_bound_to_the_content_of_its_table(tmp_path: Path, table: Path) -> None:
    arguments = {"rules": Rules.preset("short-game"), "agents": (f"table:{table}", "random"), "shard_games": 1}
    directory = tmp_path / "games"
    done = runs.run(directory, 2, **arguments)  # type: ignore[arg-type]
    assert re.fullmatch(f"table:{re.escape(str(table))}:crc32=[0-9a-f]{{8}},random", done.settings.texts()["agents"])
    assert runs.verify(directory).faults == ()
    assert runs.run(directory, 3, resume=True, **arguments).played == 1  # type: ignore[arg-type]

    table.unlink()
    oaq.Tables.build(table, Rules.preset("short-game"), pebbles=4, threads=1)
    with pytest.raises(runs.RunError, match="the endgame table has another content now"):
        runs.run(directory, 4, resume=True, **arguments)  # type: ignore[arg-type]
    with pytest.raises(runs.RunError, match=r"cannot be played again.*the file has another content now"):
        runs.verify(directory)
    assert len(shards_of(directory)) == 3


def test_a_run_whose_table_is_missing_can_be_read_and_says_so(tmp_path: Path, table: Path) -> None:
    directory = tmp_path / "games"
    done = runs.run(directory, 1, Rules.preset("short-game"), agents=(f"table:{table}", "random"))
    table.unlink()
    assert runs.Run.read(directory) == done
    assert runs.verify(directory, sample=0).faults == ()
    with pytest.raises(runs.RunError, match=r"cannot be played again: .*its file is missing.*end\.table"):
        runs.verify(directory)
    told = run("simulate", "--verify", str(directory))
    assert (told.returncode, "its file is missing" in told.stderr) == (2, True)
