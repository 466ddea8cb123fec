"""The terminal's application run without a terminal, and what is to be seen of it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

from textual.pilot import Pilot

from oanquan.play import HUMAN, Session
from oanquan.rules import Rules
from oanquan.terminal import Keep, PlayApp
from oanquan.terminal.widgets import BoardView

Script: TypeAlias = "Callable[[Pilot[None], PlayApp], Awaitable[None]]"
T = TypeVar("T")


def play(script: Script, session: Session | None = None, *, size: tuple[int, int] = (80, 24), **more: Any) -> PlayApp:
    """Run the application, with nothing kept unless `keep` says where, and let a script press its keys."""
    with tempfile.TemporaryDirectory() as directory:
        keep = more.pop("keep", None) or Keep(directory)
        app = PlayApp(session, keep=keep, **{"lang": "en", "speed": "instant", **more})

        async def run() -> None:
            async with app.run_test(size=size, notifications=True) as pilot:
                await pilot.pause()
                await script(pilot, app)
                await pilot.pause()

        asyncio.run(asyncio.wait_for(run(), 60))
    return app


def by_people(rules: Rules | None = None) -> Session:
    """A short game of people alone."""
    return Session(rules, seats=(HUMAN,), max_plies=20)


async def until(pilot: Pilot[None], condition: Callable[[], T], seconds: float = 20) -> T:
    """Wait until something holds, and return it."""
    for _ in range(int(seconds * 100)):
        if found := condition():
            return found
        await pilot.pause(0.01)
    raise AssertionError("it never came to that")


def seen(app: PlayApp) -> str:
    """The screen as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def words(app: PlayApp) -> str:
    """The screen as words in one line, whatever the width."""
    return " ".join(seen(app).replace("│", " ").split())


async def click(pilot: Pilot[None], app: PlayApp, square: str) -> None:
    """Click in the middle of a square."""
    painting = app.game.query_one(BoardView).painting
    x, y = painting.plan.boxes[square].middle
    await pilot.click(BoardView, offset=(painting.left + int(x), painting.top + int(y)))


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys one after the other, each when the one before has been dealt with.

    Textual's own way waits until the whole process is idle, which it is not while an agent thinks.
    """
    for key in keys:
        pilot.app.simulate_key(key)
        await pilot.pause(0)
        await pilot.pause(0)
