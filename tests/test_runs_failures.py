"""Runs that are killed, starved and interrupted: each has exactly the games that were asked for in the end."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from oanquan import runs
from oanquan.runs.shards import survey
from support.command import ENVIRONMENT, OANQUAN, run
from support.runs import (
    GAMES,
    SHARDS,
    SLOW,
    check_complete,
    family,
    kill_group,
    shards_of,
    small_disk,
    started,
    unfinished_of,
    wait_for_shards,
    wait_until,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals, limits and forks as POSIX has them")
SLOW_DIGEST = runs.Settings.of(positions=True).digest
LOCAL = ["threads", "processes"]


def slow_run(directory: Path, *arguments: str, games: int = GAMES) -> list[str]:
    return ["--games", str(games), *SLOW, "--out", str(directory), "--workers", "2", *arguments]


def finish(directory: Path, *arguments: str) -> int:
    """Go on with a slow run to its end; return how many games were still missing."""
    done = run("simulate", *slow_run(directory, "--resume", "--json", *arguments))
    assert (done.returncode, done.stderr) == (0, "")
    check_complete(directory, GAMES)
    return int(json.loads(done.stdout)["played"])


def check_finished_shards(directory: Path) -> int:
    """Every file under the name of a shard is whole; return the number of games in them."""
    found = survey(directory, SLOW_DIGEST)
    assert not found.faulty
    assert not found.others
    assert not (directory / "_manifest.json").exists()
    assert 0 < len(found.shards) < SHARDS
    return found.games


# ---- killed ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("executor", LOCAL)
def test_the_driver_is_killed(tmp_path: Path, executor: str) -> None:
    with started(*slow_run(tmp_path, "--executor", executor)) as process:
        wait_for_shards(tmp_path, process)
        workers = family(process.pid)[1:]
        process.kill()
        assert process.wait() == -signal.SIGKILL
        # Nobody is left behind, to wait for work that never comes.
        wait_until(lambda: not psutil.wait_procs(workers, timeout=0.1)[1])
    games = check_finished_shards(tmp_path)
    assert finish(tmp_path, "--executor", executor) == GAMES - games


def test_the_driver_is_killed_again_and_again(tmp_path: Path) -> None:
    games = 0
    for _ in range(4):
        with started(*slow_run(tmp_path, "--resume")) as process:
            wait_for_shards(tmp_path, process, number=len(shards_of(tmp_path)) + 2)
            process.kill()
        there = check_finished_shards(tmp_path)
        assert there > games
        games = there
    assert finish(tmp_path) == GAMES - games


def test_a_worker_process_is_killed(tmp_path: Path) -> None:
    with started(*slow_run(tmp_path, "--executor", "processes", "--json")) as process:
        wait_for_shards(tmp_path, process)
        workers = [one for one in family(process.pid) if "spawn_main" in " ".join(one.cmdline())]
        assert len(workers) == 2
        workers[0].kill()
        text, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(text)["lost"] > 0
    check_complete(tmp_path, GAMES)


def test_workers_that_always_die_end_the_run(tmp_path: Path) -> None:
    """A shard that kills whoever plays it must not be begun for ever."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os\n"
        "if __name__ != '__main__':\n"
        "    os._exit(1)  # as a worker that starts\n"
        "from oanquan import runs\n"
        f"runs.run({str(tmp_path / 'x')!r}, 1000, executor='processes', workers=2)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=120)
    assert "RunError: " in done.stderr
    assert "1000 games are still missing after 3 rounds without a new shard" in done.stderr
    assert not shards_of(tmp_path / "x")


# ---- interrupted -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("executor", LOCAL)
def test_ctrl_c_keeps_the_finished_shards(tmp_path: Path, executor: str) -> None:
    with started(*slow_run(tmp_path, "--executor", executor)) as process:
        wait_for_shards(tmp_path, process)
        kill_group(process, signal.SIGINT)
        text, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (130, "")
    assert not unfinished_of(tmp_path)
    games = check_finished_shards(tmp_path)
    assert text == f"interrupted: {games:,} of {GAMES:,} games are written; go on with --resume\n"
    assert finish(tmp_path, "--executor", executor) == GAMES - games


def test_ctrl_c_in_json(tmp_path: Path) -> None:
    with started(*slow_run(tmp_path, "--json")) as process:
        wait_for_shards(tmp_path, process)
        process.send_signal(signal.SIGINT)
        text, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    report = json.loads(text)
    assert report["interrupted"]
    assert (report["games"], report["games_asked_for"]) == (check_finished_shards(tmp_path), GAMES)


def test_ctrl_c_ends_one_long_shard_at_once(tmp_path: Path) -> None:
    arguments = ["--games", str(10**12), "--shard-games", str(10**12), "--out", str(tmp_path)]
    with started(*arguments) as process:
        wait_until(lambda: unfinished_of(tmp_path))
        process.send_signal(signal.SIGINT)
        text, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert text == "interrupted: 0 of 1,000,000,000,000 games are written; go on with --resume\n"
    assert not unfinished_of(tmp_path)


def test_ctrl_c_in_a_destructor_is_not_lost(tmp_path: Path) -> None:
    """What is raised there Python only reports; libraries of clusters have destructors that take their time."""
    script = (
        "import signal, sys\n"
        "from oanquan import runs\n"
        "class Interrupted:\n"
        "    def __del__(self):\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "try:\n"
        "    runs.run(sys.argv[1], 10**9, shard_games=100, progress=lambda done, _: done and Interrupted() and None)\n"
        "except runs.RunInterrupted as interrupt:\n"
        "    assert 0 < interrupt.games < 10**9\n"
        "    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "    print('interrupted')\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


# ---- starved ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path) as mounted:
        yield mounted


@pytest.mark.parametrize("executor", LOCAL)
def test_the_disk_is_full(disk: Path, executor: str) -> None:
    directory = disk / "x"
    done = run("simulate", *slow_run(directory, "--executor", executor))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"oanquan: cannot write to {directory}: No space left on device (")
    assert done.stderr.endswith("); finished files stay: go on with --resume\n")
    assert done.stderr.count("\n") == 1
    assert not unfinished_of(directory)
    games = check_finished_shards(directory)
    # Still full: the same again, and nothing is lost.
    again = run("simulate", *slow_run(directory, "--executor", executor, "--resume"))
    assert again.returncode == 1
    assert check_finished_shards(directory) >= games
    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
    finish(directory, "--executor", executor)


@pytest.mark.parametrize("executor", LOCAL)
def test_a_file_cannot_grow(tmp_path: Path, executor: str) -> None:
    """What the system does to a file beyond the limit of its size, it does at the same place as on a full disk."""
    runs.run(tmp_path, 3000, shard_games=1500, positions=True)
    (tmp_path / "_manifest.json").unlink()
    sizes = [path.stat().st_size for path in shards_of(tmp_path)]
    most = max(sizes) * 2
    arguments = ["--games", str(GAMES), "--shard-games", "15000", "--positions", "--resume", "--executor", executor]
    done = subprocess.run(
        [*OANQUAN, "simulate", *arguments, "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"oanquan: cannot write to {tmp_path}: {os.strerror(errno.EFBIG)} (")
    assert done.stderr.count("\n") == 1
    assert not unfinished_of(tmp_path)
    assert check_finished_shards(tmp_path) == 3000
    assert [path.stat().st_size for path in shards_of(tmp_path)] == sizes
    assert finish(tmp_path, "--executor", executor) == GAMES - 3000


def test_the_manifest_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "_manifest.json" / "mine").mkdir(parents=True)
    done = run("simulate", "-n", "100", "--out", str(tmp_path), "--resume")
    assert (done.returncode, done.stdout) == (2, "")
    assert "_manifest.json is a directory with something in it" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not unfinished_of(tmp_path)
    (tmp_path / "_manifest.json" / "mine").rmdir()
    assert runs.run(tmp_path, 100, resume=True).games == 100
    check_complete(tmp_path, 100)


# ---- forked ----------------------------------------------------------------------------------------------------------

FORK = """
import os, signal, sys, tempfile, threading
import oanquan as oaq

def same() -> bool:
    return oaq.simulate(20_000, seed=5, threads=4) == oaq.simulate(20_000, seed=5, threads=1)

busy = len(sys.argv) > 1
assert same()
stop = threading.Event()

def refuse(*_: int) -> None:
    if stop.is_set():
        raise LookupError

def play() -> None:
    try:
        oaq.simulate(10**15, threads=2, progress=refuse)
    except LookupError:
        pass

thread = threading.Thread(target=play)
if busy:
    thread.start()
child = os.fork()
if not child:
    signal.alarm(60)  # a child that hangs dies of it
    try:
        ok = same()
        with tempfile.TemporaryDirectory() as directory:
            for executor in ("threads", "processes"):
                ok &= oaq.runs.run(f"{directory}/{executor}", 5000, shard_games=1000, executor=executor).games == 5000
    except BaseException as error:
        print(repr(error), file=sys.stderr, flush=True)
        os._exit(2)
    os._exit(0 if ok else 1)
assert os.waitpid(child, 0)[1] == 0
assert same()
if busy:
    assert thread.is_alive()
    stop.set()
    thread.join()
"""


@pytest.mark.parametrize("arguments", [[], ["busy"]], ids=["after a simulation", "during one"])
def test_a_forked_child_plays_on(tmp_path: Path, arguments: list[str]) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"if __name__ == '__main__':\n    exec({FORK!r})\n")
    command = [sys.executable, "-W", "ignore::DeprecationWarning", str(script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_forked_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from oanquan import runs\n"
        "forked = []\n"
        "def fork(done, games):\n"
        "    if not forked:\n"
        "        forked.append(os.fork())\n"
        "        if not forked[0]:\n"
        "            sys.stdin.read()\n"
        "            os._exit(0)\n"
        "runs.run(sys.argv[1], 100, progress=fork)\n"
        "runs.run(sys.argv[1], 200, resume=True)\n"
        "assert os.waitpid(forked[0], os.WNOHANG) == (0, 0), 'the child is there'\n"
    )
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.wait(60) == 0, process.communicate()
    check_complete(tmp_path, 200)
