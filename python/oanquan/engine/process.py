"""The process of an engine: lines in, lines out, and an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import atexit
import os
import shlex
import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from oanquan.engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike
    from typing import TypeAlias

    Command: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]

OANQUAN = (sys.executable, "-m", "oanquan.cli", "ugi")
"""The command of this package's own engine."""

_MOST_LINE = 2**20  # bytes; a longer line is left out
_TAIL = 4096  # bytes kept of standard error
_GATHERING = 0.5  # seconds for what an engine that ends has written, and for one that closes its pipes to end


class Process(asyncio.SubprocessProtocol):
    """A running program that is told lines and tells lines, both of bounded length.

    On POSIX it leads a session of its own: Ctrl-C in the terminal does not reach it, and what it has started itself is
    killed with it.
    """

    def __init__(self, on_line: Callable[[str], None], on_end: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = loop.create_future()
        self.pid = 0
        self.exit_code: int | None = None
        self.killed = False
        self.deaf = ""
        self._loop = loop
        self._on_line = on_line
        self._on_end = on_end
        self._owner = os.getpid()
        self._transport: asyncio.SubprocessTransport | None = None
        self._input: asyncio.WriteTransport | None = None
        self._ending = False
        self._open = {1, 2}
        self._line = bytearray()
        self._too_long = False
        self._tail = bytearray()

    @classmethod
    async def start(
        cls,
        command: Command,
        on_line: Callable[[str], None],
        on_end: Callable[[], None],
        cwd: str | PathLike[str] | None,
        env: Mapping[str, str] | None,
    ) -> Process:
        """Start the program."""
        words = words_of(command)
        flags: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            flags = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        loop = asyncio.get_running_loop()
        try:
            _, process = await loop.subprocess_exec(
                lambda: cls(on_line, on_end), *words, cwd=cwd, env=None if env is None else dict(env), **flags
            )
        except (OSError, ValueError) as error:  # a ValueError is a NUL in a word
            reason = getattr(error, "strerror", None) or error
            raise EngineError(f"engine: expected a program that starts, got {words[0]!r}: {reason}") from error
        return process

    @property
    def stderr(self) -> str:
        """The end of what was written to standard error."""
        return self._tail.decode("utf-8", "replace")

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return not self.ended.done()

    def send(self, line: str) -> None:
        """Write a line; if nobody reads it any more, the end of the process will tell."""
        if self._input is not None and not self._input.is_closing():
            self._input.write(line.encode("utf-8", "surrogateescape") + b"\n")

    def expect_end(self) -> None:
        """Let it close its pipes from now on, and end."""
        self._ending = True

    def kill(self) -> None:
        """Kill it with all that it has started; from any thread."""
        if self._transport is None or self._transport.get_returncode() is not None or self._owner != os.getpid():
            return
        self.killed = True
        self._signal()

    def _signal(self) -> None:
        """Kill the group of the process.

        The group goes by its number. The number cannot go to another group while a member is alive, and it is asked
        for right when the process ends, or while it is running.
        """
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                cast("asyncio.SubprocessTransport", self._transport).kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)

    # ---- what the event loop tells ---------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The program has started."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._input = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))
        self.pid = self._transport.get_pid()
        _RUNNING.add(self)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """The program has written something."""
        data = cast("bytes", data)
        if fd == 2:
            self._tail += data[-_TAIL:]
            del self._tail[:-_TAIL]
            return
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._add(line)
            if not self._too_long:
                text = self._line.decode("utf-8", "replace").strip()
                if text and self.is_running:
                    self._on_line(text)
            self._line.clear()
            self._too_long = False
        self._add(rest)

    def _add(self, part: bytes) -> None:
        """Add to the line that is being received."""
        self._too_long = self._too_long or len(self._line) + len(part) > _MOST_LINE
        if self._too_long:
            self._line.clear()
        else:
            self._line += part

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 (asyncio's signature)
        """A pipe has been closed, by whom soever."""
        self._open.discard(fd)
        if self.exit_code is not None and not self._open:
            self._finish()
        elif fd < 2 and not self._ending:  # it cannot be spoken with any more
            self._loop.call_later(_GATHERING, self._give_up, f"closed its {'output' if fd == 1 else 'input'}")

    def _give_up(self, why: str) -> None:
        """Kill it if it has not ended by itself."""
        if self.exit_code is None and not self.killed:
            self.deaf = why
            self.kill()

    def process_exited(self) -> None:
        """The process has ended; what it wrote may still be on its way, or be held open by a process it started."""
        self.exit_code = cast("asyncio.SubprocessTransport", self._transport).get_returncode()
        if self._open:
            self._loop.call_later(_GATHERING, self._finish)
        else:
            self._finish()

    def _finish(self) -> None:
        """Close all that is open and say that it has ended."""
        if self.ended.done():
            return
        if self._open and sys.platform != "win32":
            self._signal()  # some other process of the group holds the pipes
        _RUNNING.discard(self)
        if self._input is not None and not self._input.is_closing():
            self._input.abort()  # with what nobody has read
        cast("asyncio.SubprocessTransport", self._transport).close()
        self.ended.set_result(None)
        self._on_end()


_RUNNING: weakref.WeakSet[Process] = weakref.WeakSet()


@atexit.register
def _kill_all() -> None:
    """Leave no engine behind when the interpreter ends."""
    for process in tuple(_RUNNING):
        process.kill()


def words_of(command: Command) -> list[str]:
    """Return the words of a command; one text is split as a POSIX shell does.

    >>> words_of("fuseki --name 'my engine'")
    ['fuseki', '--name', 'my engine']
    >>> words_of([])
    Traceback (most recent call last):
    oanquan.engine.errors.EngineError: engine: expected a command, got []
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else _listed(command)
    except ValueError as error:
        raise EngineError(f"engine: expected a command, got {command!r}: {error}") from None
    if not words or not words[0]:
        raise EngineError(f"engine: expected a command, got {command!r}")
    return words


def _listed(command: PathLike[str] | Sequence[str | PathLike[str]]) -> list[str]:
    """The words of a command that is no single text."""
    if isinstance(command, os.PathLike):
        return [os.fspath(command)]
    return [os.fspath(word) for word in command]
