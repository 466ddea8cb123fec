"""An engine as its clients have it: a process that is spoken to over pipes, with a time-out for every answer."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
import time
from types import TracebackType
from typing import Self

from support.command import ENVIRONMENT, OANQUAN

PATIENCE = 60.0
"""Seconds after which an answer is given up."""


class Talk:
    """A process of `oanquan`, its answers read by a thread."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*OANQUAN, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode().removesuffix("\n"))
        self.lines.put(None)

    def send(self, *lines: str) -> None:
        """Send lines."""
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, raw: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def line(self) -> str:
        """The next line."""
        line = self.lines.get(timeout=PATIENCE)
        assert line is not None, self.errors()
        return line

    def until(self, beginning: str) -> list[str]:
        """The next lines up to the first that begins so."""
        lines = [self.line()]
        while not lines[-1].startswith(beginning):
            lines.append(self.line())
        return lines

    def ask(self, *lines: str) -> str:
        """The one line that is answered, with nothing behind it."""
        self.send(*lines, "isready")
        answers = self.until("readyok")
        assert len(answers) == 2, answers
        return answers[0]

    def errors(self) -> str:
        """What the process says on standard error until it ends."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def end(self) -> tuple[int, list[str]]:
        """Close the input and return the exit code and what was still answered; nothing went to standard error."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        assert self.errors() == ""
        rest = []
        while (line := self.lines.get_nowait()) is not None:
            rest.append(line)
        return code, rest

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):  # what was left to send is sent by closing
                    stream.close()


def unheard(raw: bytes, *arguments: str) -> tuple[int, bytes]:
    """Send bytes to a process whose answers nobody reads: its exit code, and what it says on standard error."""
    with subprocess.Popen(
        [*OANQUAN, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(raw)
            process.stdin.flush()
        code = process.wait(PATIENCE)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        return code, process.stderr.read()


def seconds(since: float) -> float:
    """The seconds since that reading of `time.perf_counter`."""
    return time.perf_counter() - since
