"""Who sits at a board: whatever chooses the moves of one side, for one thread."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from oanquan import _core
from oanquan.engine import (
    EngineError,
    EngineProtocolError,
    EngineTimeoutError,
    Limit,
    SimpleEngine,
)
from oanquan.errors import OanquanError
from oanquan.rules import Rules
from oanquan.tournaments.games import CRASH, ILLEGAL_MOVE, TIME_FORFEIT

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Lock
    from typing import SupportsIndex

    from oanquan._core import Game, Move, Position
    from oanquan.tournaments.players import EnginePlayer

CLAIMS = {"a": "p1win", "b": "p2win", None: "draw"}
"""How engines call a result."""


class Forfeit(Exception):  # noqa: N818 (no error of the program)
    """A player has lost a game by what it did, or did not do."""

    def __init__(self, ending: str, fault: str, *, failed: bool = False) -> None:
        super().__init__(ending, fault)
        self.ending = ending
        self.fault = fault
        self.failed = failed
        """Whether its program ended or hung, which it must not do too often in a row."""


class Turn(NamedTuple):
    """What is to be decided: the game, its number, which decides what is drawn, and the seconds on the clocks."""

    game: Game
    number: int
    clocks: tuple[float, float] | None


class Seat(Protocol):
    """One who plays."""

    limit: Limit | None

    def begin(self) -> None:
        """A new game begins."""

    def choose(self, turn: Turn) -> Move | str | SupportsIndex:
        """Choose a move, or raise `Forfeit`."""

    def disputes(self, game: Game) -> tuple[str, ...]:
        """What the player says of the result of a finished game that is not so."""

    def stop(self) -> None:
        """Give up what it is thinking about; from any thread."""

    def close(self) -> None:
        """Go."""


class _InProcess:
    """One who plays in this process: it has no clock, makes no claims and holds nothing."""

    limit: Limit | None = None

    def begin(self) -> None:
        pass

    def disputes(self, game: Game) -> tuple[str, ...]:  # noqa: ARG002
        return ()

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


class AgentSeat(_InProcess):
    """An agent of the core.

    >>> import oanquan as oaq
    >>> AgentSeat("greedy", seed=7).choose(Turn(oaq.Game(), 0, None)) in oaq.Position.start().legal_moves
    True
    """

    def __init__(self, text: str, seed: int) -> None:
        self._player = _core.Player(text)
        self._seed = seed

    def choose(self, turn: Turn) -> Move:
        """The move that it makes in a game of this number; `StoppedError` when it was stopped."""
        move = self._player.choose(turn.game.position, self._seed, turn.number, len(turn.game))
        if move is None:
            raise StoppedError
        return move

    def stop(self) -> None:
        """Give up what it is thinking about."""
        self._player.stop()


class CallableSeat(_InProcess):
    """A callable, asked by one thread at a time. What it raises comes out.

    >>> from threading import Lock
    >>> import oanquan as oaq
    >>> seat = CallableSeat(lambda positions: [positions[0].legal_moves[0]], "first", Lock())
    >>> seat.choose(Turn(oaq.Game(), 0, None))
    Move('a1+')
    """

    def __init__(self, function: Callable[[tuple[Position, ...]], Any], name: str, lock: Lock) -> None:
        self._function = function
        self._name = name
        self._lock = lock
        self._stopped = False

    def stop(self) -> None:
        """Do not ask it again."""
        self._stopped = True

    def choose(self, turn: Turn) -> Move | str | SupportsIndex:
        """The move that the function answers with, in whatever form; `StoppedError` when it was stopped."""
        with self._lock:
            if self._stopped:
                raise StoppedError
            answer = self._function((turn.game.position,))
        if isinstance(answer, str):
            raise TypeError(f"{self._name}: expected a sequence of one move, got str")
        moves = list(answer)
        if len(moves) != 1:
            raise OanquanError(f"{self._name}: expected a sequence of one move, got {len(moves)} moves")
        move: Move | str | SupportsIndex = moves[0]
        turn.game.position.play(move)  # raises where it is not legal
        return move


class StoppedError(Exception):
    """The tournament is being stopped."""


class EngineSeat:
    """An engine, started when it is needed and again after it has failed."""

    def __init__(
        self, player: EnginePlayer, start: Position, limits: tuple[int | None, int | None], **more: Any
    ) -> None:
        """`more`: the `limit` of the tournament, the `margin` on each clock, and the `timeout` of all other answers."""
        self.limit = player.limit or more["limit"]
        self._player = player
        self._start = start
        self._limits = limits
        self._margin: float = more["margin"]
        self._timeout: float = more["timeout"]
        self._engine: SimpleEngine | None = None
        self._stopped = False

    def open(self) -> SimpleEngine:
        """Start it, if it is not running; `EngineError` if it cannot, or does not play by the rules of the game."""
        if self._engine is not None and not self._engine.is_running:
            self.close()
        if self._engine is None:
            if self._stopped:
                raise StoppedError
            player = self._player
            self._engine = SimpleEngine.popen(
                player.command,
                options=player.options,
                timeout=self._timeout,
                grace=self._margin,
                cwd=player.cwd,
                env=player.env,
            )
            rules = self._start.rules
            if rules != Rules() and "Rules" not in self._engine.options:
                self.close()
                raise EngineError(f"engine {player.label}: expected an option Rules, since they are {rules}; got none")
        if self._stopped:  # while it was started
            raise StoppedError
        return self._engine

    def begin(self) -> None:
        """Have the engine there, and tell it that a new game begins."""
        try:
            self.open().new_game()
        except EngineTimeoutError as error:
            self._fail(error, CRASH)  # it hangs, and not for thinking too long
        except EngineError as error:
            self._fail(error)

    def choose(self, turn: Turn) -> Move:
        """The move that the engine makes in time."""
        engine = self._engine  # as the game began: one that has ended since then is not started again
        if engine is None or self._stopped:
            raise StoppedError
        begun = perf_counter()
        limit = self.limit or Limit(infinite=True)
        if turn.clocks is not None:
            limit = Limit(clocks=turn.clocks, increments=limit.increments)
        try:
            result = engine.play(turn.game, limit)
        except EngineError as error:
            self._fail(error)
        allowed = limit.seconds(turn.game.position.turn)
        taken = perf_counter() - begun
        if allowed is not None and taken > allowed + self._margin:
            raise Forfeit(TIME_FORFEIT, f"moved after {taken:.3f} s where it had {allowed:.3f} s")
        return result.move

    def disputes(self, game: Game) -> tuple[str, ...]:
        """What the engine says of the result that is not so."""
        outcome = game.outcome
        if self._engine is None or outcome is None:
            return ()
        try:
            said = (self._engine.query("gameover", game), self._engine.query("result"))
        except EngineError as error:
            if self._stopped:
                raise StoppedError from None
            if not self._engine.is_running:
                self.close()
            return (f"{self._player.label}: expected an answer on the result, got {error}",)
        so = (True, CLAIMS[outcome.winner])
        return tuple(
            f"{self._player.label}: expected {name} {truth}, got {claim}"
            for name, claim, truth in zip(("gameover", "result"), said, so, strict=True)
            if claim != truth
        )

    def _fail(self, error: EngineError, timeout: str = TIME_FORFEIT) -> NoReturn:
        """Put an engine away that has failed, and say how the game ends."""
        running = self._engine is not None and self._engine.is_running
        if self._stopped:
            raise StoppedError
        kinds = {EngineTimeoutError: timeout, EngineProtocolError: ILLEGAL_MOVE}
        ending = next((ending for kind, ending in kinds.items() if isinstance(error, kind)), CRASH)
        if not (running and ending == TIME_FORFEIT):  # one that stopped when it was told to can stay
            self.close()
        failed = ending == CRASH or not (running or ending == ILLEGAL_MOVE)
        tail = f"\n{error.stderr}" if error.stderr else ""
        raise Forfeit(ending, f"{error}{tail}", failed=failed) from error

    def stop(self) -> None:
        """Kill it."""
        self._stopped = True
        if (engine := self._engine) is not None:
            engine.kill()

    def close(self) -> None:
        """End it."""
        engine, self._engine = self._engine, None
        if engine is not None:
            with suppress(EngineError):
                engine.close()
