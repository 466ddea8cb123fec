"""The progress bar of what takes long."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], object] | None]:
    """Draw a progress bar on standard error, if that is a terminal, as the function is called that this gives."""
    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415

    columns = (BarColumn(bar_width=None), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal, transient=True, expand=True) as bar:
        task = bar.add_task("games")
        yield lambda done, total: bar.update(task, completed=done, total=total)
