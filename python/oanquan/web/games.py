"""The games that a server holds: found by names that nobody can guess, bounded in number and in age."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import TYPE_CHECKING

from oanquan.play import Stop
from oanquan.web.errors import WebError

if TYPE_CHECKING:
    from collections.abc import Callable

    from oanquan.play import Session

MOST_GAMES = 256
MOST_SECONDS = 24 * 60 * 60.0


@dataclass
class Held:
    """A game that is held for a page.

    >>> from oanquan.play import Session
    >>> held = Games().hold(Session())
    >>> len(held.name), held.version
    (32, 0)
    """

    name: str
    session: Session
    used: float
    lock: RLock = field(default_factory=RLock)  # type: ignore[type-arg, unused-ignore]
    version: int = 0
    """How often it was changed: what was thought about an earlier version is of no use any more."""

    thinking: Stop | None = None
    """Ends what is being thought about it; there is one at a time."""

    def begin_thinking(self) -> Stop:
        """End what is being thought about, and return the word that will end what comes now.

        >>> from oanquan.play import Session
        >>> held = Games().hold(Session())
        >>> first, second = held.begin_thinking(), held.begin_thinking()
        >>> first.is_said, second.is_said
        (True, False)
        """
        with self.lock:
            self.stop()
            self.thinking = Stop()
            return self.thinking

    def stop(self) -> None:
        """End what is being thought about.

        >>> from oanquan.play import Session
        >>> Games().hold(Session()).stop()
        """
        with self.lock:
            if self.thinking is not None:
                self.thinking.now()
                self.thinking = None

    def changed(self) -> None:
        """Note that the game is another one now.

        >>> from oanquan.play import Session
        >>> held = Games().hold(Session())
        >>> held.changed()
        >>> held.version
        1
        """
        with self.lock:
            self.version += 1
            self.stop()


class Games:
    """The games of a server. When there are too many, the one that was not used for longest goes; so do old ones.

    >>> from oanquan.play import Session
    >>> games = Games(most=2)
    >>> names = [games.hold(Session()).name for _ in range(3)]
    >>> len(games)
    2
    >>> games.find(names[0])
    Traceback (most recent call last):
    oanquan.web.errors.WebError: there is no such game any more
    """

    def __init__(
        self,
        most: int = MOST_GAMES,
        seconds: float = MOST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._held)

    def hold(self, session: Session) -> Held:
        """Hold a game under a new name.

        >>> from oanquan.play import Session
        >>> games = Games()
        >>> games.hold(Session()).name != games.hold(Session()).name
        True
        """
        held = Held(secrets.token_urlsafe(24), session, self._clock())
        with self._lock:
            self._held[held.name] = held
            gone = self._old()
        for old in gone:
            old.stop()
        return held

    def find(self, name: str) -> Held:
        """Return the game of a name, which is used now. Raises `WebError` if there is none.

        >>> from oanquan.play import Session
        >>> games = Games()
        >>> held = games.hold(Session())
        >>> games.find(held.name) is held
        True
        """
        with self._lock:
            gone = self._old()
            held = self._held.get(name)
            if held is not None:
                held.used = self._clock()
                self._held.move_to_end(name)
        for old in gone:
            old.stop()
        if held is None:
            raise WebError(404, "unknown_game", "there is no such game any more")
        return held

    def stop(self) -> None:
        """End whatever is being thought about.

        >>> Games().stop()
        """
        with self._lock:
            every = [*self._held.values()]
        for held in every:
            held.stop()

    def _old(self) -> list[Held]:
        """Take out what is too old or too many; the order is that of last use."""
        gone = []
        oldest = self._clock() - self._seconds
        while self._held:
            first = next(iter(self._held.values()))
            if first.used >= oldest and len(self._held) <= self._most:
                break
            gone.append(self._held.pop(first.name))
        return gone
