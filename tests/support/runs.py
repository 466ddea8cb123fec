"""Runs as their users start, kill and look at them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pyarrow.compute
import pyarrow.dataset
import pytest

import oanquan as oaq
from oanquan import runs
from support.command import ENVIRONMENT, OANQUAN

# Enough work for each shard that a run of many is never over before it can be disturbed: positions are long texts.
SLOW = ("--positions", "--shard-games", "1500")
SHARDS = 40
GAMES = 1500 * SHARDS


def shards_of(directory: Path) -> list[Path]:
    """The shards that stand under their own names."""
    return sorted(directory.glob("games-*.parquet"))


def unfinished_of(directory: Path) -> list[str]:
    """What a killed process left."""
    return [file.name for file in directory.iterdir() if file.name.endswith(".unfinished")]


def check_complete(directory: Path, games: int, **settings: object) -> None:
    """Every game is there exactly once, and is the game that `simulate` plays: read with another library."""
    assert not unfinished_of(directory)
    finished = runs.Run.read(directory)
    assert finished.games == games
    assert list(finished.paths) == shards_of(directory)
    table = pyarrow.dataset.dataset(directory, format="parquet").to_table(["game", "points_a", "plies", "reseedings"])
    numbers = table["game"].to_pylist()
    assert len(numbers) == games
    assert set(numbers) == set(range(games))
    results = oaq.simulate(games, **settings)  # type: ignore[arg-type]
    sums = {name: pyarrow.compute.sum(table[name]).as_py() for name in ("points_a", "plies", "reseedings")}
    assert sums == {"points_a": results.points["a"].sum, "plies": results.moves, "reseedings": results.reseedings}


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of one megabyte; skips the test where it cannot be had."""
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "oanquan-test", str(disk)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("needs the right to mount; test_a_file_cannot_grow has a limit in place of a disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start `oanquan simulate` in a process group of its own, as a terminal would; end all of it in the end."""
    with subprocess.Popen(
        [*OANQUAN, "simulate", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            for one in family(process.pid):
                one.kill()


def family(pid: int) -> list[psutil.Process]:
    """A process and all those that it started, directly or not."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def wait_until(holds: Callable[[], object], seconds: float = 120) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def wait_for_shards(directory: Path, process: subprocess.Popen[str], number: int = 3) -> None:
    """Wait until a run has so many shards; it must be going on then."""
    wait_until(lambda: process.poll() is not None or (directory.exists() and len(shards_of(directory)) >= number))
    assert process.poll() is None, process.communicate()


def kill_group(process: subprocess.Popen[str], number: int) -> None:
    """Send a signal to a process and those that it started, as Ctrl-C in a terminal does."""
    os.killpg(process.pid, signal.Signals(number))
