"""Shards as tasks of Dask."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import dask
import distributed
from distributed.comm import CommClosedError

from oanquan.runs.errors import WorkerLostError
from oanquan.runs.executors.interrupts import interrupts_held
from oanquan.runs.executors.local import cores
from oanquan.runs.shards import play_shard

if TYPE_CHECKING:
    from collections.abc import Collection
    from types import TracebackType

    from oanquan.runs.shards import Task


class OnDask:
    """Shards as tasks of the Dask client there is, of the configured scheduler, or of a cluster started and ended here.

    Every worker must see the directory of the run under the same path.
    """

    def __init__(self, workers: int | None) -> None:
        self._ours: list[Any] = []  # what is closed at the end
        try:
            self._client = distributed.Client.current()
        except ValueError:
            if dask.config.get("scheduler-address", None) is None:
                with interrupts_held():
                    cluster = distributed.LocalCluster(
                        n_workers=workers or cores(),
                        threads_per_worker=1,
                        dashboard_address=":0",
                        silence_logs=logging.CRITICAL,
                    )
                self._ours.append(cluster)
                self._client = distributed.Client(cluster)
            else:
                self._client = distributed.Client()
            self._ours.insert(0, self._client)
        threads = workers or sum(self._client.nthreads().values()) or 1
        self.slots = 2 * threads  # one under way and one waiting for each
        self.shares_cores = False
        self._pending: set[Any] = set()

    def __enter__(self) -> OnDask:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        if self._pending:
            self._client.cancel(list(self._pending), force=True)
        for ours in self._ours:
            ours.close()

    def submit(self, task: Task) -> Any:
        """Hand a shard to Dask, which begins it again itself a few times if a worker dies."""
        handle = self._client.submit(play_shard, task, pure=False)
        self._pending.add(handle)
        return handle

    def wait(self, handles: Collection[Any], seconds: float) -> Collection[Any]:
        """Return the shards that are done or lost."""
        with suppress(distributed.TimeoutError, distributed.CancelledError):
            distributed.wait(list(handles), timeout=seconds, return_when="FIRST_COMPLETED")
        return [handle for handle in handles if handle.done()]

    def outcome(self, handle: Any) -> OSError | None:
        """Return what `play_shard` did."""
        self._pending.discard(handle)
        try:
            returned: OSError | None = handle.result()
        except (distributed.KilledWorker, distributed.CancelledError, CommClosedError) as error:
            raise WorkerLostError from error
        return returned

    def games_under_way(self) -> int:
        """Nothing is known of unfinished shards."""
        return 0
