"""Engines driven with asyncio: tasks that share one, are cancelled, or give up waiting."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from oanquan import Game
from oanquan.engine import Engine, EngineError, EngineTerminatedError, EngineTimeoutError, Info, Limit
from test_engine import FAKE, SHORT, engines_left, wait_until

INFINITE = Limit(infinite=True)


def with_fake(way: str, use: Callable[[Engine], Coroutine[Any, Any, None]], hurry: float = 20) -> None:
    """Run a coroutine function with the fake engine; `hurry` is its time-out when it has started."""

    async def main() -> None:
        async with await Engine.popen([*FAKE, way], timeout=20, grace=20) as engine:
            engine._talk.timeout = hurry
            await use(engine)
        assert not engine.is_running

    asyncio.run(main(), debug=True)
    assert not engines_left()


def test_tasks_share_an_engine() -> None:
    async def use(engine: Engine) -> None:
        results = await asyncio.gather(*(engine.play(Game(), Limit(depth=1)) for _ in range(10)), engine.ping())
        assert len(results) == 11

    with_fake("", use)


def test_a_search_that_is_cancelled_is_stopped() -> None:
    async def use(engine: Engine) -> None:
        for _ in range(3):
            search = asyncio.create_task(engine.analyse(Game(), INFINITE))
            await asyncio.sleep(0.1)
            search.cancel()
            with pytest.raises(asyncio.CancelledError):
                await search
            assert (await engine.play(Game(), SHORT)).info.depth == 2
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await engine.analyse(Game(), INFINITE)
        assert await engine.query("result", Game()) == "none"

    with_fake("", use)


def test_nobody_listens_to_a_search_that_was_given_up() -> None:
    heard: list[Info] = []

    async def use(engine: Engine) -> None:
        search = asyncio.create_task(engine.analyse(Game(), INFINITE, heard.append))
        await asyncio.sleep(0.2)
        before = len(heard)
        search.cancel()
        await asyncio.wait({search})
        await engine.new_game()
        assert len(heard) == before > 0

    with_fake("chatty", use)


def test_a_game_is_taken_as_it_stands() -> None:
    """What is done to it while its call waits for its turn does not matter."""

    async def use(engine: Engine) -> None:
        first = asyncio.create_task(engine.play(Game(), INFINITE))
        game = Game()
        second = asyncio.create_task(engine.play(game, SHORT))
        await asyncio.sleep(0.1)
        game.push("a1+")
        engine.stop()
        assert (await first).move.side == (await second).move.side == "a"

    with_fake("", use)


def test_a_refusal_is_not_that_of_the_next_call() -> None:
    async def use(engine: Engine) -> None:
        for _ in range(10):
            setting = asyncio.create_task(engine.configure({"Hash": 13}))
            await asyncio.sleep(0)
            setting.cancel()
            await asyncio.wait({setting})
            assert setting.cancelled()
            await engine.new_game()
        with pytest.raises(EngineError, match="expected luck"):
            await engine.configure({"Hash": 13})

    with_fake("", use)


def test_a_call_is_cancelled_at_any_moment() -> None:
    async def use(engine: Engine) -> None:
        for turns in range(40):
            task = asyncio.create_task(engine.play(Game(), Limit(depth=1)))
            for _ in range(turns % 8):
                await asyncio.sleep(0)
            await asyncio.sleep(turns / 20_000)
            task.cancel()
            await asyncio.wait({task})
            assert (await engine.play(Game(), Limit(depth=1))).move
            assert await engine.query("p1turn", Game()) is True

    with_fake("", use)


def test_a_search_that_goes_on_after_it_was_given_up() -> None:
    async def use(engine: Engine) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(engine.play(Game(), INFINITE), 0.1)
        with pytest.raises(EngineTimeoutError, match=r"expected the end of a search that was given up within 0.5 s"):
            await engine.new_game()
        assert not engine.is_running

    with_fake("stubborn", use, hurry=0.5)


def test_an_engine_that_does_not_stop_is_killed() -> None:
    async def use(engine: Engine) -> None:
        search = asyncio.create_task(engine.play(Game(), INFINITE))
        await asyncio.sleep(0.1)
        engine.stop()
        with pytest.raises(EngineTimeoutError, match=r"expected bestmove after stop within 0.5 s, got none"):
            await search
        assert not engine.is_running

    with_fake("stubborn", use, hurry=0.5)


def test_a_search_that_is_stopped_before_it_begins() -> None:
    async def use(engine: Engine) -> None:
        search = asyncio.create_task(engine.play(Game(), INFINITE))
        await asyncio.sleep(0)  # the position is sent, and no more
        engine.stop()
        assert (await search).info.depth == 2

    with_fake("", use)


def test_what_a_listener_raises_comes_out() -> None:
    heard: list[Info] = []

    def listen(info: Info) -> None:
        heard.append(info)
        raise LookupError("enough")

    async def use(engine: Engine) -> None:
        with pytest.raises(LookupError, match="enough"):
            await engine.analyse(Game(), INFINITE, listen)
        assert await engine.ping() < 5

    with_fake("chatty", use)
    assert len(heard) == 1


def test_a_ping_that_is_late_does_no_harm() -> None:
    async def use(engine: Engine) -> None:
        search = asyncio.create_task(engine.play(Game(), Limit(time=5)))
        await asyncio.sleep(0.1)
        with pytest.raises(EngineTimeoutError):
            await engine.ping()
        assert engine.is_running
        assert (await search).move
        assert await engine.query("gameover", Game()) is False

    with_fake("sleepy", use, hurry=0.5)


def test_starting_is_cancelled() -> None:
    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(Engine.popen([*FAKE, "silent"]), 0.3)

    asyncio.run(main(), debug=True)
    wait_until(lambda: not engines_left())


def test_many_engines_at_once() -> None:
    async def play() -> None:
        async with await Engine.popen(FAKE) as engine:
            game = Game(max_plies=20)
            while not game.is_over:
                game.push((await engine.play(game, Limit(depth=1))).move)

    async def main() -> None:
        await asyncio.gather(*(play() for _ in range(8)))

    begun = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - begun < 30


def test_the_end_of_an_engine_is_told_to_all_that_wait() -> None:
    async def use(engine: Engine) -> None:
        calls = [engine.play(Game(), INFINITE), engine.query("result", Game()), engine.new_game()]
        tasks = [asyncio.create_task(call) for call in calls]
        await asyncio.sleep(0.1)
        engine.kill()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(result) for result in results] == [EngineTerminatedError] * 3

    with_fake("", use)
