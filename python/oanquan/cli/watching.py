"""One line of text on standard error that says how something is getting on."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

State = TypeVar("State")


@contextmanager
def watching(words: Callable[[State, float], str]) -> Iterator[Callable[[State], object] | None]:
    """Give a function that shows `words(state, begun)` on standard error, if that is a terminal."""
    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield None
        return
    begun = time.perf_counter()
    with terminal.status("") as status:
        yield lambda state: status.update(words(state, begun))
