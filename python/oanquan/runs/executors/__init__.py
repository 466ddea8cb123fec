"""Where shards are played: threads or processes of this machine, or a cluster of Ray or Dask.

| name | where | needs |
|---|---|---|
| `threads` | threads of this process; the engine lets go of the interpreter | nothing |
| `processes` | processes started afresh, never forked | nothing |
| `ray` | the Ray that runs already, that of `RAY_ADDRESS`, or one started here | `oanquan[ray]` |
| `dask` | the Dask client there is, the configured `scheduler-address`, or one started here | `oanquan[dask]` |

Each is a small adapter of the same form, `Executor`, around the one function that plays a shard. None of them repeats
what has failed and none is believed about what is done: whoever calls looks at the files.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from types import TracebackType

    from oanquan.runs.shards import Task

_PLACES = {
    "threads": ("oanquan.runs.executors.local", "Threads"),
    "processes": ("oanquan.runs.executors.local", "Processes"),
    "ray": ("oanquan.runs.executors.on_ray", "OnRay"),
    "dask": ("oanquan.runs.executors.on_dask", "OnDask"),
}
EXECUTORS = tuple(_PLACES)
"""The names of the executors."""


class Executor(Protocol):
    """Plays shards somewhere. Used in a `with` block, whose end stops what is still under way.

    >>> with executor_of("threads")(2) as executor:
    ...     executor.slots
    2
    """

    slots: int
    """How many shards it wants to have at once."""

    shares_cores: bool
    """Whether a shard may have several threads: all of them run here, and are known."""

    def __enter__(self) -> Executor:
        """Start."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Stop what is under way, and wait until it has stopped where that can be known."""

    def submit(self, task: Task) -> Any:
        """Begin a shard, now or as soon as a worker is free; return a handle."""

    def wait(self, handles: Collection[Any], seconds: float) -> Collection[Any]:
        """Return those handles whose shards are done or lost, after so many seconds at most."""

    def outcome(self, handle: Any) -> OSError | None:
        """Return what `play_shard` did; raise `WorkerLostError` if its worker died."""

    def games_under_way(self) -> int:
        """How many games of unfinished shards are played, as far as that is known here."""


def executor_of(name: str) -> Callable[[int | None], Executor]:
    """Return the executor of a name, to be called with the number of workers, or `None` for all cores there are.

    What it needs is imported.

    >>> executor_of("fire")
    Traceback (most recent call last):
    oanquan.errors.OanquanError: executor: expected threads or processes or ray or dask, got "fire"
    """
    if not isinstance(name, str):
        raise TypeError(f"executor: expected a name, got {type(name).__name__}")
    if name not in _PLACES:
        raise OanquanError(f'executor: expected {" or ".join(EXECUTORS)}, got "{name}"')
    module, executor = _PLACES[name]
    try:
        found: Callable[[int | None], Executor] = getattr(import_module(module), executor)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("oanquan"):
            raise
        raise OanquanError(f"executor {name}: needs {error.name}; install oanquan[{name}]") from error
    return found
