"""Directories where something is not what its name says: manifests that cannot be, shards that are no files."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from oanquan import OanquanError, runs
from oanquan.runs.settings import digest_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and links as POSIX has them")


def finished(directory: Path, **arguments: object) -> runs.Run:
    return runs.run(directory, 1000, **{"seed": 7, "shard_games": 300, "workers": 2, **arguments})  # type: ignore[arg-type]


def changed(place: str, value: object) -> object:
    def change(content: Any) -> None:
        *places, last = place.split(".")
        for name in places:
            content = content[int(name) if name.isdigit() else name]
        content[last] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        changed("games", 5000),
        changed("games", 0),
        changed("games", -5),
        changed("games", 10**30),
        changed("games", float("inf")),
        changed("games", 1000.0),
        changed("shards", []),
        changed("shards.0.first_game", -5),
        changed("shards.0.end_game", -5),
        changed("shards.0.end_game", 2**70),
        changed("shards.0.sha256", 5),
        changed("shards.0.bytes", -1),
        changed("shards.0.file", "x"),
        changed("settings", []),
        changed("settings.seed", "-5"),
        changed("settings.seed", 5),
        changed("settings.seed", "9" * 5000),
        changed("settings.agents", "nobody"),
        changed("settings.agents", "random,random,random"),
        changed("settings.max_plies", "99999999999999"),
        changed("settings.rules", "x"),
        changed("settings.position", "x"),
        lambda content: content["shards"].reverse(),
        lambda content: content["shards"].pop(1),
        lambda content: content["shards"].append(content["shards"][0]),
    ],
)
def test_a_manifest_that_cannot_be_is_none(tmp_path: Path, change: Any) -> None:
    done = finished(tmp_path / "x")
    manifest = done.directory / "_manifest.json"
    content = json.loads(manifest.read_text())
    change(content)
    if isinstance(content["settings"], dict):
        content["digest"] = digest_of(content["settings"])
    manifest.write_text(json.dumps(content))
    check_no_manifest(done)


def test_a_manifest_of_deep_nesting_is_none(tmp_path: Path) -> None:
    done = finished(tmp_path / "x")
    (done.directory / "_manifest.json").write_text("[" * 100_000)
    check_no_manifest(done)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_manifest_that_is_no_file_is_none(tmp_path: Path, make: Any) -> None:
    done = finished(tmp_path / "x")
    (done.directory / "_manifest.json").unlink()
    make(done.directory / "_manifest.json")
    check_no_manifest(done)


def check_no_manifest(done: runs.Run) -> None:
    with pytest.raises(runs.RunError, match=r"_manifest\.json is no manifest of a run"):
        runs.verify(done.directory)
    with pytest.raises(runs.RunError, match=r"_manifest\.json is no manifest of a run"):
        runs.convert(done.directory, done.directory.parent / "x.csv", "csv")
    assert finished(done.directory, resume=True).played == 0
    assert not runs.verify(done.directory).faults


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nowhere")])
@pytest.mark.parametrize("manifest", [True, False])
def test_a_shard_that_is_no_file_is_played_again(tmp_path: Path, make: Any, manifest: bool) -> None:
    done = finished(tmp_path)
    done.paths[1].unlink()
    make(done.paths[1])
    assert runs.verify(tmp_path).faults == (f"{done.paths[1].name}: it is no file", "games 300 to 599 are missing")
    with pytest.raises((OanquanError, FileNotFoundError), match=done.paths[1].name):
        runs.convert(tmp_path, tmp_path.parent / "x.csv", "csv")
    assert not (tmp_path.parent / "x.csv").exists()
    if not manifest:
        (tmp_path / "_manifest.json").unlink()
    assert finished(tmp_path, resume=True).played == 300
    assert not runs.verify(tmp_path).faults


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_lock_that_is_no_file_is_refused(tmp_path: Path, make: Any) -> None:
    make(tmp_path / ".lock")
    with pytest.raises(runs.RunError, match=r"\.lock is no file"):
        runs.run(tmp_path, 10)


def test_a_link_to_itself_is_no_place_to_convert_to(tmp_path: Path) -> None:
    done = finished(tmp_path / "run")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises((OanquanError, OSError)):
        runs.convert(done.directory, tmp_path / "loop", "csv")


def test_a_directory_with_something_in_it_is_not_removed(tmp_path: Path) -> None:
    done = finished(tmp_path)
    done.paths[1].unlink()
    done.paths[1].mkdir()
    (done.paths[1] / "mine").write_text("mine")
    with pytest.raises(runs.RunError, match=f"{done.paths[1].name} is a directory with something in it"):
        finished(tmp_path, resume=True)
    assert (done.paths[1] / "mine").read_text() == "mine"


def test_a_directory_named_like_an_unfinished_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".x.0123456789abcdef.unfinished").mkdir()
    assert finished(tmp_path, resume=True).played == 1000
    assert (tmp_path / ".x.0123456789abcdef.unfinished").is_dir()
