"""Shards on this machine: in threads of this process, or in processes of their own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from oanquan.checks import MOST_THREADS
from oanquan.runs.errors import StoppedError, WorkerLostError
from oanquan.runs.executors.interrupts import interrupts_held
from oanquan.runs.shards import Shard, Task, play_shard

if TYPE_CHECKING:
    from collections.abc import Collection
    from concurrent.futures import Executor
    from multiprocessing.synchronize import Event
    from types import TracebackType
    from typing import Self

    Playing = Future[OSError | None]


def cores() -> int:
    """Return how many cores this process may use.

    >>> cores() >= 1
    True
    """
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST_THREADS, count)


class _Local:
    """What workers on this machine have in common: they stop when they are told, and then go."""

    _pool: Executor
    _stop: threading.Event | Event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def wait(self, handles: Collection[Playing], seconds: float) -> Collection[Playing]:
        """Return the shards that are done or lost."""
        return wait(handles, seconds, FIRST_COMPLETED).done


class Threads(_Local):
    """Shards in threads of this process."""

    def __init__(self, workers: int | None) -> None:
        self.slots = workers or cores()
        self.shares_cores = True
        self._pool = ThreadPoolExecutor(self.slots, thread_name_prefix="oanquan-shard")
        self._stop = threading.Event()
        self._under_way: dict[Shard, int] = {}

    def submit(self, task: Task) -> Playing:
        """Begin a shard as soon as a thread is free."""
        return self._pool.submit(self._play, task)

    def _play(self, task: Task) -> OSError | None:
        def report(done: int, _: int) -> None:
            self._under_way[task.shard] = done
            if self._stop.is_set():
                raise StoppedError

        try:
            return play_shard(task, report)
        finally:
            self._under_way.pop(task.shard, None)

    def outcome(self, handle: Playing) -> OSError | None:
        """Return what `play_shard` did."""
        return handle.result()

    def games_under_way(self) -> int:
        """How many games of unfinished shards are played."""
        return sum(list(self._under_way.values()))


class Processes(_Local):
    """Shards in processes of their own, started afresh: a forked one would have the locks but not the threads."""

    def __init__(self, workers: int | None) -> None:
        self._workers = workers or cores()
        self.slots = 2 * self._workers  # one under way and one waiting for each, so that none is idle
        self.shares_cores = False
        self._context = multiprocessing.get_context("spawn")
        self._stop: Event = self._context.Event()
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers, mp_context=self._context, initializer=_begin_worker, initargs=(self._stop,)
        )

    def submit(self, task: Task) -> Playing:
        """Begin a shard as soon as a process is free; replace the processes if one of them has died."""
        with interrupts_held():  # processes are started here, and inherit it
            try:
                return self._pool.submit(_play_in_worker, task)
            except BrokenProcessPool:
                self._pool.shutdown()
                self._pool = self._started()
                return self._pool.submit(_play_in_worker, task)

    def outcome(self, handle: Playing) -> OSError | None:
        """Return what `play_shard` did. When one process dies the others are ended too."""
        try:
            return handle.result()
        except BrokenProcessPool as error:
            raise WorkerLostError from error

    def games_under_way(self) -> int:
        """Nothing is known of unfinished shards."""
        return 0


# Set in a worker process, when it begins.
_stop_of_worker: Event | None = None


def _begin_worker(stop: Event) -> None:
    """Prepare a worker process: it ends with the process that started it, even if that is killed."""
    global _stop_of_worker  # noqa: PLW0603 (how a process pool hands things to its workers)
    _stop_of_worker = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)  # nothing is to be tidied: what is unfinished is found by the next run


def _play_in_worker(task: Task) -> OSError | None:
    def report(_: int, __: int) -> None:
        if _stop_of_worker is not None and _stop_of_worker.is_set():
            raise StoppedError

    return play_shard(task, report)
