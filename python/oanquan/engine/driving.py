"""An engine driven with asyncio: `Engine`."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from copy import copy
from typing import TYPE_CHECKING, Any, Literal, NoReturn, overload

from oanquan._core import Game, Position
from oanquan.engine.errors import EngineError, EngineTimeoutError
from oanquan.engine.limits import seconds_of
from oanquan.engine.messages import move_of
from oanquan.engine.searching import PlayResult, Search
from oanquan.engine.talking import Talk
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from os import PathLike
    from types import TracebackType
    from typing import Self

    from oanquan.engine.limits import Limit
    from oanquan.engine.messages import Info, Option, Value
    from oanquan.engine.process import Command

_PARTING = 1.0  # seconds that an engine has to end when it is closed
# Options that follow from the game that is sent.
_OF_THE_GAME = ("Rules", "MaxPlies", "Repetition")
_ANSWERS: dict[str, dict[str, bool | str]] = {
    "p1turn": {"true": True, "false": False},
    "gameover": {"true": True, "false": False},
    "result": {result: result for result in ("p1win", "p2win", "draw", "none")},
}


class Engine:
    """An engine in a process of its own, for programs that use asyncio; `SimpleEngine` is for those that do not.

    Every call waits for its turn, so that tasks may share an engine; `stop` and `ping` do not wait. The options
    `Rules`, `MaxPlies` and `Repetition`, where an engine has them, are set as the game asks that is sent.

    >>> import asyncio
    >>> import oanquan as oaq
    >>> from oanquan.engine import OANQUAN, Engine, Limit
    >>> async def first_move():
    ...     async with await Engine.popen(OANQUAN) as engine:
    ...         result = await engine.play(oaq.Game(), Limit(depth=4))
    ...     return result.move
    >>> asyncio.run(first_move()) in oaq.Position.start().legal_moves
    True
    """

    def __init__(self, talk: Talk, grace: float) -> None:
        self._talk = talk
        self._grace = grace
        self._lock = asyncio.Lock()
        self._set: dict[str, str] = {}
        self._has_position = False

    @classmethod
    async def popen(
        cls,
        command: Command,
        *,
        options: Mapping[str, Value] | None = None,
        timeout: float | None = 10.0,
        grace: float = 1.0,
        cwd: str | PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Self:
        """Start an engine.

        Args:
            command: The program and its arguments; a single text is split as a POSIX shell does.
            options: What to set at once, as `configure` does.
            timeout: Seconds that it has for every answer but that of a search; `None` for no limit. Also how long it
                may be silent in a search without a limit of time before it is asked whether it is still there.
            grace: Seconds by which a search may overrun its limit before it is stopped, and again before the engine
                is killed.
            cwd: The directory to run in.
            env: The environment instead of this one's.

        Raises:
            EngineError: It cannot be started or refuses an option, or is not there (`EngineTerminatedError`), does not
                answer in time (`EngineTimeoutError`), or does not speak the protocol (`EngineProtocolError`).
            OanquanError: An argument is out of range.

        >>> asyncio.run(Engine.popen("no-such-program --ugi"))
        Traceback (most recent call last):
        oanquan.engine.errors.EngineError: engine: expected a program that starts, got 'no-such-program': \
No such file or directory
        """
        if timeout is not None:
            timeout = seconds_of("timeout", timeout)
        talk = Talk(command, timeout)
        engine = cls(talk, seconds_of("grace", grace, least=0))
        await talk.start(command, cwd, env)
        try:
            await talk.greet()
            await engine.configure(options or {})
        except BaseException:
            await talk.killed()
            raise
        return engine

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        state = "running" if self.is_running else f"ended with {self.exit_code}"
        return f"<{type(self).__name__} {self.name!r} pid={self.pid} {state}>"

    # ---- what is known of it ---------------------------------------------------------------------------------------

    @property
    def id(self) -> dict[str, str]:
        """What the engine calls itself: `"name"` and `"author"`.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return sorted(engine.id)
        >>> asyncio.run(example())
        ['author', 'name']
        """
        return dict(self._talk.id)

    @property
    def name(self) -> str:
        """The name that the engine gives itself, or else that of its program.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return engine.name.startswith("oanquan")
        >>> asyncio.run(example())
        True
        """
        return self._talk.id.get("name") or self._talk.label.removeprefix("engine ")

    @property
    def options(self) -> dict[str, Option]:
        """The options that the engine has, by name.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return engine.options["Hash"].default
        >>> asyncio.run(example())
        16
        """
        return dict(self._talk.options)

    @property
    def pid(self) -> int:
        """The number of its process.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return engine.pid > 0
        >>> asyncio.run(example())
        True
        """
        return self._talk.process.pid

    @property
    def is_running(self) -> bool:
        """Whether its process has not ended.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return engine.is_running
        >>> asyncio.run(example())
        True
        """
        return self._talk.process.is_running

    @property
    def exit_code(self) -> int | None:
        """The exit code of its process, `None` while it runs; below zero the number of the signal that ended it.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return await engine.quit(), engine.exit_code
        >>> asyncio.run(example())
        (0, 0)
        """
        return self._talk.process.exit_code

    @property
    def stderr(self) -> str:
        """The end of what the engine wrote to its standard error, at most 4 KiB.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return engine.stderr
        >>> asyncio.run(example())
        ''
        """
        return self._talk.process.stderr

    # ---- what it can be told ---------------------------------------------------------------------------------------

    async def configure(self, options: Mapping[str, Value]) -> None:
        """Set options: a bool for a check, an int for a spin, a str for a combo or string, `None` for a button.

        A path is taken for a string too.

        Raises:
            OanquanError: There is no such option or no such value, or the option follows from the game. Nothing is set.
            EngineError: The engine refuses one; or as in `popen`.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         await engine.configure({"Hash": 32, "Threads": 2})
        >>> asyncio.run(example())
        """
        lines = []
        for name, value in options.items():
            option = self._talk.option(name)
            if option is None:
                known = ", ".join(self._talk.options) or "none"
                raise OanquanError(f"{self._talk.label}: expected options among {known}, got {name}")
            if option.name in map(self._talk.named, _OF_THE_GAME):
                raise OanquanError(
                    f"{self._talk.label}: expected no {option.name} among its options, which follows from the game"
                )
            lines.append(_setting(option.name, option.text(value)))
        async with self._turn():
            await self._talk.told(lines)

    async def new_game(self) -> None:
        """Tell the engine that what comes next is of another game.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         await engine.new_game()
        >>> asyncio.run(example())
        """
        async with self._turn():
            await self._talk.told(["uginewgame"])

    async def ping(self) -> float:
        """Ask whether the engine is there, also while it searches; return the seconds until it answered.

        Raises:
            EngineTimeoutError: It did not answer in time. It is not killed.
            EngineTerminatedError: It has ended.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return await engine.ping() < 10
        >>> asyncio.run(example())
        True
        """
        self._talk.check()
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await self._talk.answered(self._talk.is_ready(), "readyok", kill=False)
        return loop.time() - begun

    async def play(
        self,
        game: Game | Position,
        limit: Limit,
        *,
        on_info: Callable[[Info], object] | None = None,
    ) -> PlayResult:
        """Ask for a move.

        Args:
            game: The game as it stands, or a position, which is a game that begins there.
            limit: How long the engine may search.
            on_info: Called with what each line about the search says, from the event loop. What it raises stops the
                search and comes out of this call.

        Raises:
            EngineTimeoutError: The search overran its limit and the grace. It was told to stop, and killed if that
                helped nothing: see `is_running`. Or the engine did not answer before.
            EngineTerminatedError: The engine has ended.
            EngineProtocolError: Its move is not legal, or is none.
            EngineError: The engine refuses the game.
            OanquanError: The game is over, or not of two sides.

        >>> from oanquan.engine import OANQUAN, Limit
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         result = await engine.play(Game(), Limit(nodes=1000))
        ...         return Position.start().is_legal(result.move)
        >>> asyncio.run(example())
        True
        """
        return await self._searched(game, limit, on_info)

    async def analyse(
        self,
        game: Game | Position,
        limit: Limit,
        on_info: Callable[[Info], object] | None = None,
    ) -> Info:
        """Search as `play` does and return what the engine said last of everything.

        >>> from oanquan.engine import OANQUAN, Limit
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         info = await engine.analyse(Position.start(), Limit(depth=6))
        ...         return info.depth
        >>> asyncio.run(example())
        6
        """
        return (await self._searched(game, limit, on_info)).info

    @overload
    async def query(self, question: Literal["p1turn", "gameover"], game: Game | Position | None = None) -> bool: ...
    @overload
    async def query(
        self, question: Literal["result"], game: Game | Position | None = None
    ) -> Literal["p1win", "p2win", "draw", "none"]: ...
    async def query(self, question: str, game: Game | Position | None = None) -> bool | str:
        """Ask how the engine thinks a game stands.

        Args:
            question: `"p1turn"`: whether side a is to move; `"gameover"`: whether the game is over; `"result"`:
                `"p1win"`, `"p2win"`, `"draw"` or `"none"`.
            game: The game or position; that of the last call if it is left out.

        Raises:
            EngineProtocolError: The answer is none of those.
            EngineError: As in `popen`.
            OanquanError: There is no such question, or no game was sent before.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return await engine.query("p1turn", Game()), await engine.query("result")
        >>> asyncio.run(example())
        (True, 'none')
        """
        answers = _ANSWERS.get(question)
        game = None if game is None else _game(game)
        if answers is None:
            raise OanquanError(f"question: expected {', '.join(_ANSWERS)}, got {question!r}")
        if game is None and not self._has_position:
            raise OanquanError(f"{self._talk.label}: expected a game with its first question, got none")
        async with self._turn():
            if game is not None:
                await self._send(game)
            line = await self._talk.answered(self._talk.asks(question), "a response")
        words = line.split()
        if len(words) != 2 or words[1] not in answers:
            raise self._talk.wrong(f"response {' or '.join(answers)}", line)
        return answers[words[1]]

    def stop(self) -> None:
        """Have the search that is under way end soon, if there is one; the call that waits for it returns.

        >>> from oanquan.engine import OANQUAN, Limit
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         search = asyncio.create_task(engine.analyse(Game(), Limit(infinite=True)))
        ...         await asyncio.sleep(0.1)
        ...         engine.stop()
        ...         return (await search).depth > 0
        >>> asyncio.run(example())
        True
        """
        self._talk.stop()

    async def quit(self) -> int | None:
        """Tell the engine to end, wait for that and return its exit code.

        Raises:
            EngineTimeoutError: It did not end in time, and was killed.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         return await engine.quit()
        >>> asyncio.run(example())
        0
        """
        if not await self._talk.parted(self._talk.timeout):
            await self._talk.killed()
            raise self._talk.late("its end", self._talk.timeout)
        return self.exit_code

    async def close(self) -> None:
        """Tell the engine to end and kill it if it does not within a second. Nothing is raised.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         await engine.close()
        ...         return engine.is_running
        >>> asyncio.run(example())
        False
        """
        if not await self._talk.parted(_PARTING):
            await self._talk.killed()

    def kill(self) -> None:
        """Kill the engine at once; what waits for it raises `EngineTerminatedError`. From any thread.

        >>> from oanquan.engine import OANQUAN
        >>> async def example():
        ...     async with await Engine.popen(OANQUAN) as engine:
        ...         engine.kill()
        >>> asyncio.run(example())
        """
        self._talk.process.kill()

    # ---- turns -----------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """The time of one call, with an engine that waits for commands."""
        async with self._lock:
            self._talk.check()
            search = self._talk.search
            if search is not None:  # the call for it was cancelled, and it was told to stop
                await asyncio.wait({search.best}, timeout=self._talk.timeout)
                self._talk.search = None
                if not search.best.done():
                    await self._talk.killed()
                    raise self._talk.late("the end of a search that was given up", self._talk.timeout)
                self._talk.check()
            if self._talk.fault is not None:
                fault, self._talk.fault = self._talk.fault, None
                raise fault
            yield

    async def _send(self, game: Game) -> None:
        """Make the engine stand where a game does."""
        start, rules = game.start, game.start.rules
        lines = []
        for name, value in zip(_OF_THE_GAME, (str(rules), game.max_plies, game.repetition), strict=True):
            option = self._talk.option(name)
            text = "0" if value is None else str(value)
            if option is not None and self._set.get(option.name, str(option.default)) != text:
                self._set[option.name] = text
                lines.append(_setting(option.name, text))
        place = "startpos" if str(start) == str(Position.start(rules)) else f"fen {start}"
        moves = f" moves {' '.join(map(str, game.moves))}" if game.moves else ""
        try:
            await self._talk.told([*lines, f"position {place}{moves}"])
        except BaseException:  # refused or cancelled: what holds now, nobody knows
            self._set = dict.fromkeys(self._set, "")
            self._has_position = False
            raise
        self._has_position = True

    # ---- searches --------------------------------------------------------------------------------------------------

    async def _searched(
        self, game: Game | Position, limit: Limit, on_info: Callable[[Info], object] | None
    ) -> PlayResult:
        """Let the engine search."""
        game = _game(game)
        if game.is_over:
            raise OanquanError(f"game: expected one that goes on, got one that is over ({game.ending})")
        search = Search(game.position, on_info)
        async with self._turn():
            self._talk.search = search
            try:
                await self._send(game)
                search.go()
                self._talk.process.send(limit.command)
                if search.stopped.done():
                    self._talk.process.send("stop")
                line = await self._found(search, limit.seconds(search.position.turn))
            finally:
                self._leave(search)
        if search.fault is not None:
            raise search.fault
        words = line.split()
        move = move_of(words[1], search.position) if len(words) == 2 else None
        if move is None:
            legal = ", ".join(map(str, search.position.legal_moves))
            raise self._talk.wrong(f"bestmove and one of {legal} in {search.position}", line)
        return PlayResult(move, search.info, search.ended - search.started)

    def _leave(self, search: Search) -> None:
        """Have done with a search; one that is still under way is stopped, and the next call waits for its end."""
        search.give_up()
        if search.going and not search.best.done() and self.is_running:
            self.stop()
        else:
            self._talk.search = None

    async def _found(self, search: Search, seconds: float | None) -> str:
        """Wait for the end of a search and return its last line."""
        loop = asyncio.get_running_loop()
        deadline = None if seconds is None else search.started + seconds + self._grace
        waits: set[asyncio.Future[Any]] = {search.best, search.stopped}
        asked = False
        while not search.best.done() and not search.stopped.done():
            heard = self._talk.heard
            left = [] if deadline is None else [deadline - loop.time()]
            left += [] if self._talk.timeout is None else [self._talk.timeout]
            await asyncio.wait(
                waits,
                timeout=max(0.0, min(left)) if left else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if search.best.done() or search.stopped.done():
                break
            overrun = deadline is not None and loop.time() >= deadline
            if overrun or self._talk.refusals:
                return await self._overrun(search, seconds)
            if asked and heard == self._talk.heard:
                await self._talk.killed()
                raise self._talk.late("a sign of life in a search", self._talk.timeout)
            asked = heard == self._talk.heard
            if asked:
                _ = self._talk.is_ready()  # any line is a sign of life
        await asyncio.wait({search.best}, timeout=self._talk.timeout)
        if not search.best.done():
            await self._talk.killed()
            raise self._talk.late("bestmove after stop", self._talk.timeout)
        return search.best.result()

    async def _overrun(self, search: Search, seconds: float | None) -> NoReturn:
        """Stop a search that has had its time, or kill the engine; and say so."""
        self.stop()
        await asyncio.wait({search.best}, timeout=self._grace)
        got = f"it after {search.ended - search.started:.3f} s"
        if not search.best.done():
            await self._talk.killed()
            got = "none, and killed it"
        elif not self.is_running:
            search.best.result()  # raises what ended it
        if self._talk.refusals:
            raise EngineError(f"{self._talk.label}: refused to search: {'; '.join(self._talk.refusals)}", self.stderr)
        wanted = f"bestmove within {seconds:g} s and {self._grace:g} s of grace"
        raise EngineTimeoutError(f"{self._talk.label}: expected {wanted}, got {got}", self.stderr)


def _game(game: Game | Position) -> Game:
    """The game as it stands now, whatever becomes of it; a position is one that begins there."""
    if isinstance(game, Position):
        game = Game(position=game)
    if not isinstance(game, Game):
        raise TypeError(f"game: expected a Game or a Position, got {type(game).__name__}")
    if game.start.rules.sides != 2:
        raise OanquanError(f"game: expected one of two sides, got {game.start.rules.sides}")
    if game.max_plies == 0:
        raise OanquanError("game: expected max_plies of 1 or more, or None, got 0")
    return copy(game)


def _setting(name: str, text: str | None) -> str:
    """The command that sets an option."""
    return f"setoption name {name}" if text is None else f"setoption name {name} value {text}"
