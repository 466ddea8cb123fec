"""A search of an engine, from `go` to `bestmove`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oanquan.engine.messages import Info

if TYPE_CHECKING:
    from collections.abc import Callable

    from oanquan._core import Move, Position

_MOST_RANKS = 64


@dataclass(frozen=True)
class PlayResult:
    """What an engine plays.

    Attributes:
        move: The move, which is legal.
        info: What the engine said of its search, the last of everything.
        seconds: How long it took from here, by the clock of this side.

    >>> import oanquan as oaq
    >>> PlayResult(oaq.Move("a3+"), Info(depth=4), 0.25).move
    Move('a3+')
    """

    move: Move
    info: Info
    seconds: float


class Search:
    """What is known of a search that an engine is asked for."""

    def __init__(self, position: Position, on_info: Callable[[Info], object] | None) -> None:
        loop = asyncio.get_running_loop()
        self.position = position
        self.best: asyncio.Future[str] = loop.create_future()
        self.stopped: asyncio.Future[None] = loop.create_future()
        self.going = False
        self.started = 0.0
        self.ended = 0.0
        self.fault: Exception | None = None
        self._loop = loop
        self._on_info = on_info
        self._ranks = {1: Info()}

    def go(self) -> None:
        """The engine is told to begin."""
        self.going = True
        self.started = self._loop.time()

    def finish(self, line: str) -> bool:
        """Take the line with the best move; say whether one was due."""
        if not self.going or self.best.done():
            return False
        self.ended = self._loop.time()
        self.best.set_result(line)
        return True

    def add(self, line: str) -> None:
        """Take a line of what the engine says about it."""
        info = Info.parse(line, self.position)
        rank = info.multipv or 1
        if 1 <= rank <= _MOST_RANKS:
            self._ranks[rank] = self._ranks.get(rank, Info()).updated(info)
        if self._on_info is not None and self.fault is None:
            try:
                self._on_info(info)
            except Exception as fault:  # noqa: BLE001 (it comes out of the call that waits for the search)
                self.fault = fault

    def give_up(self) -> None:
        """Nobody listens any more."""
        self._on_info = None

    @property
    def info(self) -> Info:
        """What was said last."""
        first, *others = (self._ranks[rank] for rank in sorted(self._ranks))
        return replace(first, others=tuple(others))
