"""An engine whose methods wait for the answer: `SimpleEngine`."""

from __future__ import annotations

import asyncio
import os
import threading
import warnings
import weakref
from collections import deque
from concurrent.futures import wait
from typing import TYPE_CHECKING, Literal, TypeVar, overload

from oanquan.engine.driving import Engine
from oanquan.engine.errors import EngineError, EngineTerminatedError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from concurrent.futures import Future
    from os import PathLike
    from types import TracebackType
    from typing import Any, Self

    from oanquan._core import Game, Position
    from oanquan.engine.limits import Limit
    from oanquan.engine.messages import Info, Option, Value
    from oanquan.engine.process import Command
    from oanquan.engine.searching import PlayResult

_Answer = TypeVar("_Answer")

_DYING = 5.0  # seconds that the calls under way have to end when the engine has
_TICK = 0.05  # seconds between two looks for Ctrl-C
_MOST_INFOS = 1000  # that wait for a slow `on_info`


class SimpleEngine:
    """An engine in a process of its own, whose methods wait for the answer.

    Threads may share it: each call waits for its turn; `stop` and `ping` do not wait. It belongs to the process that
    started it, not to what that forks. Close it, or use it in a `with` statement.

    >>> import oanquan as oaq
    >>> from oanquan.engine import OANQUAN, Limit, SimpleEngine
    >>> with SimpleEngine.popen(OANQUAN, options={"Hash": 1}) as engine:
    ...     game = oaq.Game()
    ...     while not game.is_over:
    ...         game.push(engine.play(game, Limit(depth=2)).move)
    ...     engine.query("gameover", game)
    True
    """

    def __init__(self, engine: Engine, loop: _Loop) -> None:
        self._engine = engine
        self._loop = loop
        self._abandoned = weakref.finalize(self, _abandon, engine, loop)
        self._abandoned.atexit = False  # the process is killed then anyway

    @classmethod
    def popen(
        cls,
        command: Command,
        *,
        options: Mapping[str, Value] | None = None,
        timeout: float | None = 10.0,
        grace: float = 1.0,
        cwd: str | PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Self:
        """Start an engine. Takes and raises what `Engine.popen` does.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN, options={"Hash": 1}, timeout=20) as engine:
        ...     engine.is_running
        True
        """
        loop = _Loop()
        try:
            start = Engine.popen(command, options=options, timeout=timeout, grace=grace, cwd=cwd, env=env)
            return cls(loop.call(start), loop)
        except BaseException:
            loop.close(_nothing, lambda: None)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._engine).replace("<Engine", f"<{type(self).__name__}", 1)

    @property
    def id(self) -> dict[str, str]:
        """What the engine calls itself: `"name"` and `"author"`.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     sorted(engine.id)
        ['author', 'name']
        """
        return self._engine.id

    @property
    def name(self) -> str:
        """The name that the engine gives itself, or else that of its program.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.name.startswith("oanquan")
        True
        """
        return self._engine.name

    @property
    def options(self) -> dict[str, Option]:
        """The options that the engine has, by name.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.options["Hash"].default
        16
        """
        return self._engine.options

    @property
    def pid(self) -> int:
        """The number of its process.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.pid > 0
        True
        """
        return self._engine.pid

    @property
    def is_running(self) -> bool:
        """Whether its process has not ended.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.is_running
        True
        >>> engine.is_running
        False
        """
        return self._engine.is_running

    @property
    def exit_code(self) -> int | None:
        """The exit code of its process, `None` while it runs; below zero the number of the signal that ended it.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     print(engine.exit_code)
        None
        >>> engine.exit_code
        0
        """
        return self._engine.exit_code

    @property
    def stderr(self) -> str:
        """The end of what the engine wrote to its standard error, at most 4 KiB.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.stderr
        ''
        """
        return self._engine.stderr

    def configure(self, options: Mapping[str, Value]) -> None:
        """Set options. Takes and raises what `Engine.configure` does.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.configure({"Hash": 32, "Threads": 2})
        """
        self._call(self._engine.configure(options))

    def new_game(self) -> None:
        """Tell the engine that what comes next is of another game.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.new_game()
        """
        self._call(self._engine.new_game())

    def ping(self) -> float:
        """Ask whether the engine is there, also while it searches; return the seconds until it answered.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.ping() < 10
        True
        """
        return self._call(self._engine.ping())

    def play(
        self, game: Game | Position, limit: Limit, *, on_info: Callable[[Info], object] | None = None
    ) -> PlayResult:
        """Ask for a move. Takes and raises what `Engine.play` does; `on_info` is called from this thread.

        >>> from oanquan.engine import OANQUAN, Limit
        >>> from oanquan import Game, Rules
        >>> game = Game(Rules.preset("wikipedia-vi"))
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     game.push(engine.play(game, Limit(nodes=1000)).move)
        >>> len(game)
        1
        """
        return self._search(on_info, lambda tell: self._engine.play(game, limit, on_info=tell))

    def analyse(self, game: Game | Position, limit: Limit, on_info: Callable[[Info], object] | None = None) -> Info:
        """Search as `play` does and return what the engine said last of everything.

        >>> from oanquan.engine import OANQUAN, Limit
        >>> from oanquan import Position
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     info = engine.analyse(Position.start(), Limit(depth=6))
        >>> info.depth, len(info.line) > 0
        (6, True)
        """
        return self._search(on_info, lambda tell: self._engine.analyse(game, limit, tell))

    @overload
    def query(self, question: Literal["p1turn", "gameover"], game: Game | Position | None = None) -> bool: ...
    @overload
    def query(
        self, question: Literal["result"], game: Game | Position | None = None
    ) -> Literal["p1win", "p2win", "draw", "none"]: ...
    def query(
        self, question: Literal["p1turn", "gameover", "result"], game: Game | Position | None = None
    ) -> bool | str:
        """Ask how the engine thinks a game stands. Takes, returns and raises what `Engine.query` does.

        >>> from oanquan.engine import OANQUAN
        >>> from oanquan import Game
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.query("p1turn", Game()), engine.query("gameover"), engine.query("result")
        (True, False, 'none')
        """
        return self._call(self._engine.query(question, game))

    def stop(self) -> None:
        """Have the search that is under way end soon; the call that waits for it returns. From any thread.

        >>> from oanquan.engine import OANQUAN, Limit
        >>> from oanquan import Position
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     info = engine.analyse(Position.start(), Limit(infinite=True), lambda info: engine.stop())
        >>> info.depth > 0
        True
        """
        self._loop.tell(self._engine.stop)

    def quit(self) -> int | None:
        """Tell the engine to end, wait for that and return its exit code. Raises what `Engine.quit` does.

        >>> from oanquan.engine import OANQUAN
        >>> engine = SimpleEngine.popen(OANQUAN)
        >>> engine.quit()
        0
        """
        try:
            return self._loop.call(self._engine.quit()) if self._loop.is_open else self.exit_code
        finally:
            self.close()

    def close(self) -> None:
        """Tell the engine to end and kill it if it does not within a second. Nothing is raised.

        >>> from oanquan.engine import OANQUAN
        >>> engine = SimpleEngine.popen(OANQUAN)
        >>> engine.close()
        >>> engine.is_running
        False
        """
        self._abandoned.detach()
        self._loop.close(self._engine.close, self._engine.kill)

    def kill(self) -> None:
        """Kill the engine at once; what waits for it raises `EngineTerminatedError`.

        >>> from oanquan.engine import OANQUAN
        >>> with SimpleEngine.popen(OANQUAN) as engine:
        ...     engine.kill()
        """
        self._engine.kill()

    def _call(self, coroutine: Coroutine[Any, Any, _Answer]) -> _Answer:
        return self._loop.call(coroutine)

    def _search(
        self,
        on_info: Callable[[Info], object] | None,
        begin: Callable[[Callable[[Info], object] | None], Coroutine[Any, Any, _Answer]],
    ) -> _Answer:
        """Let the engine search, and call `on_info` here with what it says."""
        if on_info is None:
            return self._call(begin(None))
        infos: deque[Info] = deque(maxlen=_MOST_INFOS)
        news = threading.Event()

        def tell(info: Info) -> None:
            infos.append(info)
            news.set()

        future = self._loop.submit(begin(tell))
        future.add_done_callback(lambda _: news.set())
        try:
            while True:
                news.wait(_TICK)
                news.clear()
                is_done = future.done()  # asked before the last of them are taken
                while infos:
                    on_info(infos.popleft())
                if is_done:
                    return future.result()
        finally:
            future.cancel()  # if it is not done: the search is stopped


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self.is_open = True
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=(self._loop,), name="oanquan engine", daemon=True)
        self._thread.start()

    def submit(self, coroutine: Coroutine[Any, Any, _Answer]) -> Future[_Answer]:
        """Begin a coroutine there."""
        with self._lock:
            if self.is_open and self._owner == os.getpid():
                return asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        coroutine.close()
        if self._owner != os.getpid():
            raise EngineError(f"engine: expected a call from process {self._owner}, got one from {os.getpid()}")
        raise EngineTerminatedError("engine: expected an engine that runs, got one that was closed")

    def call(self, coroutine: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Run a coroutine there and wait for it; what interrupts the waiting cancels it."""
        future = self.submit(coroutine)
        try:
            return _awaited(future)
        finally:
            future.cancel()

    def tell(self, callback: Callable[[], object]) -> None:
        """Have something called there."""
        with self._lock:
            if self.is_open and self._owner == os.getpid():
                self._loop.call_soon_threadsafe(callback)

    def close(self, finish: Callable[[], Coroutine[Any, Any, None]], kill: Callable[[], None]) -> None:
        """End the thread after what is to be done last; if that is interrupted, after the engine is killed."""
        with self._lock:
            was_open, self.is_open = self.is_open, False
        if not was_open or self._owner != os.getpid():
            return
        future = asyncio.run_coroutine_threadsafe(_finish(finish), self._loop)
        try:
            _awaited(future)
        except BaseException:
            kill()
            raise
        finally:
            self._thread.join()

    def abandon(self, finish: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """End the thread and do not wait for it."""
        if self.is_open and self._owner == os.getpid():
            self.is_open = False
            asyncio.run_coroutine_threadsafe(_finish(finish), self._loop)


def _awaited(future: Future[_Answer]) -> _Answer:
    """What a coroutine came to."""
    # The system may hand Ctrl-C to another thread, which does not wake the one that waits.
    while not wait((future,), timeout=_TICK).done:
        pass
    return future.result()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """The thread of a loop."""
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        for task in asyncio.all_tasks(loop):  # what did not end in time
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
    finally:
        asyncio.set_event_loop(None)
        loop.close()


async def _finish(finish: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do what is to be done last, give the others time to end, and end the loop."""
    try:
        await finish()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=_DYING)
    finally:
        loop = asyncio.get_running_loop()
        loop.call_later(0, loop.stop)  # after all that is ready now


async def _nothing() -> None:
    """Nothing is to be done last."""


def _abandon(engine: Engine, loop: _Loop) -> None:
    """Kill the engine of an object that nobody has closed."""
    warnings.warn(f"unclosed engine {engine!r}", ResourceWarning, stacklevel=2)
    engine.kill()
    loop.abandon(engine.close)
