"""Runs on Ray and on Dask: real clusters of this machine, whose workers are killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from support.command import run
from support.runs import (
    GAMES,
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

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")


def command_of(one: psutil.Process) -> str:
    """The command of a process; nothing if it has ended."""
    try:
        return " ".join(one.cmdline())
    except psutil.NoSuchProcess:
        return ""


def of_ray(one: psutil.Process) -> bool:
    """Whether this process plays a shard for Ray, which renames its workers by what they do."""
    return command_of(one).startswith("ray::play_shard")


def of_dask(one: psutil.Process) -> bool:
    """Whether this process plays shards for Dask."""
    return "spawn_main" in command_of(one)


def kill_one(pid: int, is_worker: Callable[[psutil.Process], bool]) -> bool:
    """Kill a worker of a run while it plays, if there is one just now."""
    for one in family(pid):
        with suppress(psutil.NoSuchProcess):
            if is_worker(one):
                one.suspend()
                if is_worker(one):
                    one.kill()
                    return True
                one.resume()
    return False


WORKERS = pytest.mark.parametrize(("executor", "is_worker"), [("ray", of_ray), ("dask", of_dask)], ids=["ray", "dask"])


def arguments(directory: Path, executor: str, *others: str) -> list[str]:
    return ["--games", str(GAMES), *SLOW, "--out", str(directory), "--executor", executor, "--workers", "2", *others]


@WORKERS
def test_a_worker_is_killed(tmp_path: Path, executor: str, is_worker: Callable[[psutil.Process], bool]) -> None:
    with started(*arguments(tmp_path, executor, "--json")) as process:
        wait_for_shards(tmp_path, process)
        wait_until(lambda: kill_one(process.pid, is_worker))
        assert len(shards_of(tmp_path)) * 1500 < GAMES
        text, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    report = json.loads(text)  # whatever the cluster says of it goes to standard error
    assert report["played"] == GAMES
    # Dask hands the shard of a dead worker to another one by itself; Ray is told not to.
    assert (report["lost"] > 0) == (executor == "ray")
    check_complete(tmp_path, GAMES)


@WORKERS
def test_the_driver_is_interrupted_and_killed(
    tmp_path: Path, executor: str, is_worker: Callable[[psutil.Process], bool]
) -> None:
    with started(*arguments(tmp_path, executor)) as process:
        wait_for_shards(tmp_path, process)
        kill_group(process, signal.SIGINT)
        text, errors = process.communicate(timeout=120)
        assert (process.returncode, errors) == (130, "")
        assert text.startswith("interrupted: ")
    assert not unfinished_of(tmp_path)
    interrupted_with = len(shards_of(tmp_path))
    with started(*arguments(tmp_path, executor, "--resume")) as process:
        wait_for_shards(tmp_path, process, interrupted_with + 2)
        cluster = family(process.pid)[1:]
        process.kill()
        process.wait()
        wait_until(lambda: not any(is_worker(one) for one in cluster if one.is_running()))
        for one in cluster:  # Ray has helpers that take a minute to notice
            with suppress(psutil.NoSuchProcess):
                one.kill()
    assert not (tmp_path / "_manifest.json").exists()
    done = run("simulate", *arguments(tmp_path, "threads", "--resume", "--json"))
    assert (done.returncode, done.stderr) == (0, "")
    assert 0 < json.loads(done.stdout)["played"] < GAMES
    check_complete(tmp_path, GAMES)


@pytest.mark.parametrize("executor", ["ray", "dask"])
def test_the_disk_is_full(tmp_path: Path, executor: str) -> None:
    with small_disk(tmp_path) as disk:
        directory = disk / "x"
        done = run("simulate", *arguments(directory, executor))
        assert (done.returncode, done.stdout) == (1, "")
        assert f"oanquan: cannot write to {directory}: No space left on device (" in done.stderr
        assert not unfinished_of(directory)
        assert 0 < len(shards_of(directory)) * 1500 < GAMES
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        done = run("simulate", *arguments(directory, "threads", "--resume"))
        assert (done.returncode, done.stderr) == (0, "")
        check_complete(directory, GAMES)


EXISTING = {
    "ray": """
import ray
ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False)
done = play("ray")
assert ray.is_initialized()
assert ray.get(ray.remote(lambda: 5).remote()) == 5
""",
    "dask": """
from distributed import Client
with Client(n_workers=1, threads_per_worker=1, dashboard_address=":0") as client:
    done = play("dask")
    assert client.submit(abs, -5).result() == 5
    assert {worker["nthreads"] for worker in client.scheduler_info()["workers"].values()} == {1}
""",
}


@pytest.mark.parametrize("executor", EXISTING)
def test_a_cluster_that_runs_already_is_used_and_left_running(tmp_path: Path, executor: str) -> None:
    play = (
        f"def play(executor):\n    return runs.run({str(tmp_path / 'x')!r}, 500, shard_games=100, executor=executor)\n"
    )
    body = (play + EXISTING[executor] + "\nassert done.played == 500\n").replace("\n", "\n    ")
    script = tmp_path / "script.py"
    script.write_text(f"from oanquan import runs\nif __name__ == '__main__':\n    {body}\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    check_complete(tmp_path / "x", 500)
