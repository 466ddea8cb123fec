"""Shards as tasks of Ray."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import ray

from oanquan.runs.errors import WorkerLostError
from oanquan.runs.executors.local import cores
from oanquan.runs.shards import play_shard

if TYPE_CHECKING:
    from collections.abc import Collection
    from types import TracebackType

    from oanquan.runs.shards import Task


class OnRay:
    """Shards as tasks of the Ray that runs already, of that at `RAY_ADDRESS`, or of one that is started and ended here.

    Every node must see the directory of the run under the same path.
    """

    def __init__(self, workers: int | None) -> None:
        self._ours = not ray.is_initialized()
        if self._ours:
            address = os.environ.get("RAY_ADDRESS") or "local"
            ray.init(
                address,
                num_cpus=(workers or cores()) if address == "local" else None,
                include_dashboard=False if address == "local" else None,
                logging_level=logging.ERROR,
                log_to_driver=False,
            )
        cpus = workers or int(ray.cluster_resources().get("CPU", 1))
        self.slots = 2 * cpus  # one under way and one waiting for each
        self.shares_cores = False
        self._pending: set[Any] = set()
        # Lost shards are found by whoever calls, whatever the executor: Ray repeats none.
        self._play = ray.remote(max_retries=0, num_cpus=1)(play_shard)

    def __enter__(self) -> OnRay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        for handle in self._pending:
            with suppress(ray.exceptions.RayError):
                ray.cancel(handle, force=True)
        self._pending.clear()
        if self._ours:
            ray.shutdown()

    def submit(self, task: Task) -> Any:
        """Hand a shard to Ray."""
        handle = self._play.remote(task)
        self._pending.add(handle)
        return handle

    def wait(self, handles: Collection[Any], seconds: float) -> Collection[Any]:
        """Return the shards that are done or lost."""
        done: list[Any] = ray.wait(list(handles), num_returns=1, timeout=seconds)[0]
        return done

    def outcome(self, handle: Any) -> OSError | None:
        """Return what `play_shard` did."""
        self._pending.discard(handle)
        try:
            returned: OSError | None = ray.get(handle)
        except ray.exceptions.RayTaskError:
            raise  # raised by the shard itself
        except ray.exceptions.RayError as error:
            raise WorkerLostError from error
        return returned

    def games_under_way(self) -> int:
        """Nothing is known of unfinished shards."""
        return 0
