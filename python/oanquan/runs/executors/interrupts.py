"""Ctrl-C, which a terminal sends to every process."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back for a moment; threads and processes started in it never get it, where there is such a thing.

    It is for the one who waits for the others to say what happens.

    >>> with interrupts_held():
    ...     pass
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415 (there is none on Windows)

    resource_tracker.ensure_running()  # its start would end the hold
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def interrupts_noted() -> Iterator[Callable[[], None]]:
    """Have Ctrl-C only noted meanwhile; the function that this gives raises it, and so does the end of the block.

    Raised wherever Python happens to be, it can be lost: in a destructor of a library, for one. A handler of the
    caller's own is left alone.

    >>> with interrupts_noted() as look:
    ...     look()
    """
    noted: list[int] = []

    def look() -> None:
        if noted:
            raise KeyboardInterrupt

    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield look
        return
    signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield look
        look()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
