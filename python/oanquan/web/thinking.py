"""What takes long, on few threads of its own: bounded, and ended when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from oanquan.web.errors import WebError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Receive

    from oanquan.play import Stop

Found = TypeVar("Found")

MOST_AT_ONCE = 2
MOST_WAITING = 16


class Thinkers:
    """Threads that think about games.

    >>> import asyncio
    >>> from oanquan.play import Stop
    >>> async def never():
    ...     await asyncio.Event().wait()
    >>> async def example():
    ...     thinkers = Thinkers()
    ...     found = await thinkers.think(never, Stop(), lambda: "a3+")
    ...     thinkers.close()
    ...     return found
    >>> asyncio.run(example())
    'a3+'
    """

    def __init__(self, at_once: int = MOST_AT_ONCE, waiting: int = MOST_WAITING) -> None:
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="oanquan-thinks")
        self._most = at_once + waiting
        self._under_way: set[Stop] = set()
        self._closed = False

    async def think(self, receive: Receive, stop: Stop, work: Callable[[], Found]) -> Found:
        """Return what comes of the work, which `stop` ends soon; it is said when the client goes away meanwhile.

        Raises `WebError` when too many wait already or the server is about to end.

        >>> import asyncio
        >>> Thinkers(at_once=1, waiting=-1).think(None, None, None).send(None)
        Traceback (most recent call last):
        oanquan.web.errors.WebError: too much is being thought about: try again soon
        """
        if self._closed or len(self._under_way) >= self._most:
            raise WebError(503, "busy", "too much is being thought about: try again soon")
        self._under_way.add(stop)
        gone: asyncio.Future[None] = asyncio.ensure_future(_disconnected(receive))
        made: asyncio.Future[Found] = asyncio.get_running_loop().run_in_executor(self._pool, work)
        try:
            both: set[asyncio.Future[Any]] = {made, gone}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not made.done():
                stop.now()
            return await made
        finally:
            if not made.done():  # this task was cancelled
                stop.now()
            gone.cancel()
            self._under_way.discard(stop)

    def close(self) -> None:
        """End everything, and take nothing any more.

        >>> Thinkers().close()
        """
        self._closed = True
        for stop in tuple(self._under_way):
            stop.now()
        self._pool.shutdown(wait=False, cancel_futures=True)


async def _disconnected(receive: Receive) -> None:
    """Wait until the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass
