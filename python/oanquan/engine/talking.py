"""A talk with an engine: what it is told, and what it answers."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

from oanquan.engine.errors import EngineError, EngineProtocolError, EngineTerminatedError, EngineTimeoutError
from oanquan.engine.messages import Option, short
from oanquan.engine.process import Process, words_of
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from oanquan.engine.process import Command
    from oanquan.engine.searching import Search

_Answer = TypeVar("_Answer")

_DYING = 5.0  # seconds that a killed process has to end
_MOST_OPTIONS = 1000
_MOST_REFUSALS = 10
_ERROR = re.compile(r"info\s+string\s+error:?\s*", re.IGNORECASE)  # how an engine says that it refuses something


class Talk:
    """The lines that go to and fro between this side and a process; who has the turn is not known here."""

    def __init__(self, command: Command, timeout: float | None) -> None:
        self.label = f"engine {PurePath(words_of(command)[0]).name}"
        self.timeout = timeout
        self.process: Process
        self.id: dict[str, str] = {}
        self.options: dict[str, Option] = {}
        self.search: Search | None = None
        self.heard = 0
        self.refusals: list[str] = []
        self.fault: EngineProtocolError | None = None
        self.closed = False
        self._greeting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._readies: deque[asyncio.Future[None]] = deque()
        self._responses: deque[asyncio.Future[str]] = deque()

    async def start(self, command: Command, cwd: str | PathLike[str] | None, env: Mapping[str, str] | None) -> None:
        """Start the process."""
        self.process = await Process.start(command, self._on_line, self._on_end, cwd, env)

    async def greet(self) -> None:
        """Have the engine speak the protocol, and learn what it is."""
        self.process.send("ugi")
        await self.answered(self._greeting, "ugiok")
        if "name" in self.id:
            self.label = f"engine {self.id['name']}"

    async def told(self, lines: list[str]) -> None:
        """Send lines and wait until the engine has read them."""
        self.refusals.clear()
        for line in lines:
            self.process.send(line)
        await self.answered(self.is_ready(), "readyok")
        if self.refusals:
            raise EngineError(f"{self.label}: refused: {'; '.join(self.refusals)}", self.process.stderr)

    def is_ready(self) -> asyncio.Future[None]:
        """Ask for a sign of life."""
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._readies.append(ready)
        self.process.send("isready")
        return ready

    def asks(self, question: str) -> asyncio.Future[str]:
        """Ask something, and return what will have the line of the response."""
        response: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._responses.append(response)
        self.process.send(f"query {question}")
        return response

    async def answered(self, answer: asyncio.Future[_Answer], wanted: str, *, kill: bool = True) -> _Answer:
        """Wait for an answer."""
        try:
            async with asyncio.timeout(self.timeout):
                return await answer
        except TimeoutError:
            if kill:
                await self.killed()
            raise self.late(wanted, self.timeout) from None

    def option(self, name: str) -> Option | None:
        """The option of that name, in whatever case."""
        return self.options.get(self.named(name))

    def named(self, name: str) -> str:
        """The name of an option as the engine writes it."""
        if name in self.options:
            return name
        return next((own for own in self.options if own.casefold() == name.casefold()), name)

    def stop(self) -> None:
        """Have the search that is under way end."""
        search = self.search
        if search is not None and not search.stopped.done():
            search.stopped.set_result(None)
            if search.going:
                self.process.send("stop")

    async def parted(self, seconds: float | None) -> bool:
        """Tell the engine to end and say whether it did in time."""
        self.closed = True
        if self.process.is_running:
            self.process.expect_end()
            self.process.send("quit")
            await asyncio.wait({self.process.ended}, timeout=seconds)
        return not self.process.is_running

    async def killed(self) -> None:
        """Kill the engine and wait for its end."""
        self.process.kill()
        await asyncio.wait({self.process.ended}, timeout=_DYING)

    # ---- what is raised --------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise if the engine has ended."""
        if not self.process.is_running or self.closed:
            raise self.gone()

    def gone(self) -> EngineTerminatedError:
        """The error of an engine that is not there any more."""
        code = self.process.exit_code
        how = "was closed" if self.closed else self.process.deaf or "was killed" if self.process.killed else "has ended"
        last = self.process.stderr.strip().rpartition("\n")[2]
        said = f"; its last words: {last[-200:]}" if last and not self.closed else ""
        message = f"{self.label}: expected an engine that runs, got one that {how} (exit code {code}){said}"
        return EngineTerminatedError(message, self.process.stderr, code)

    def late(self, wanted: str, seconds: float | None) -> EngineTimeoutError:
        """The error of an answer that did not come."""
        within = "in time" if seconds is None else f"within {seconds:g} s"
        return EngineTimeoutError(f"{self.label}: expected {wanted} {within}, got none", self.process.stderr)

    def wrong(self, wanted: str, line: str) -> EngineProtocolError:
        """The error of a line that should not be."""
        message = f"{self.label}: expected {wanted}, got {short(line)!r}"
        return EngineProtocolError(message, self.process.stderr, line)

    # ---- what the process tells ------------------------------------------------------------------------------------

    def _on_line(self, line: str) -> None:
        """Take a line."""
        self.heard += 1
        word = line.split(maxsplit=1)[0]
        match word:
            case "info":
                if _ERROR.match(line) and len(self.refusals) < _MOST_REFUSALS:
                    self.refusals.append(short(_ERROR.sub("", line)))
                if self.search is not None and self.search.going:
                    self.search.add(line)
                    if self.search.fault is not None:
                        self.stop()
            case "readyok":
                if self._readies and not _settle(self._readies.popleft(), None):
                    self.refusals.clear()  # of what nobody waits for any more
            case "response" if self._responses:
                _settle(self._responses.popleft(), line)
            case "bestmove" if self.search is not None and self.search.finish(line):
                pass
            case "response" | "bestmove":
                self.fault = self.wrong(f"no {word} that was not asked for", line)
            case "id" | "option" | "ugiok" if not self._greeting.done():
                self._on_greeting(word, line)

    def _on_greeting(self, word: str, line: str) -> None:
        """Take a line of what an engine says of itself."""
        if word == "ugiok":
            self._greeting.set_result(None)
        elif word == "id":
            key, _, value = line[2:].strip().partition(" ")
            if key in ("name", "author"):
                self.id[key] = value.strip()
        else:
            try:
                option = Option.parse(line)
            except OanquanError as error:
                self._greeting.set_exception(self.wrong(str(error), line))
                return
            if len(self.options) < _MOST_OPTIONS:
                self.options[option.name] = option

    def _on_end(self) -> None:
        """The process has ended: nothing that is waited for will come."""
        search: list[asyncio.Future[Any]] = [] if self.search is None else [self.search.best]
        for future in (*search, self._greeting, *self._readies, *self._responses):
            if not future.done():
                future.set_exception(self.gone())
                future.exception()  # nobody may be waiting for it any more


def _settle(future: asyncio.Future[_Answer], answer: _Answer) -> bool:
    """Give an answer to whom waits for it, and say whether he has not gone."""
    if future.done():
        return False
    future.set_result(answer)
    return True
