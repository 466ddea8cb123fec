"""The strengths that a person chooses between, and what a seat is called."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from oanquan import _core
from oanquan.errors import OanquanError
from oanquan.language import say

if TYPE_CHECKING:
    from collections.abc import Mapping

HUMAN: Final = "human"
"""The seat of a person."""

SEPARATOR: Final = " / "
"""What stands between seats in a record."""


@dataclass(frozen=True)
class Level:
    """A strength: an agent that looks through a bounded number of positions for a move, whatever the rules.

    >>> LEVELS["casual"].number, LEVELS["casual"].agent, LEVELS["casual"].title("en")
    (3, 'greedy', 'casual')
    """

    name: str
    """What a seat is called that it takes."""

    number: int
    """From 1, the weakest, on."""

    agent: str
    """The text of the agent that plays it."""

    def title(self, lang: str = "en") -> str:
        """Return what it is called in a language.

        >>> LEVELS["master"].title("vi")
        'kiện tướng'
        """
        return say(f"play.level_{self.name}", lang)


def _levels() -> dict[str, Level]:
    # Both limits for each search: a depth alone can take minutes with three and four sides.
    agents = {
        "beginner": "random",
        "easy": "mcts:simulations=5",
        "casual": "greedy",
        "skilled": "cautious",
        "strong": "search:depth=4:nodes=1000000",
        "expert": "search:depth=6:nodes=1000000",
        "master": "search:nodes=1000000",
    }
    return {name: Level(name, number, agent) for number, (name, agent) in enumerate(agents.items(), 1)}


LEVELS: Final[Mapping[str, Level]] = MappingProxyType(_levels())
"""The strengths by their names, the weakest first; each is stronger than the one before."""


def checked_seat(seat: str) -> str:
    """Return a seat, which must be `"human"`, the name of a level or the text of an agent.

    >>> checked_seat("human"), checked_seat("master"), checked_seat("search:depth=06")
    ('human', 'master', 'search:depth=6')
    >>> checked_seat("deep thought")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    oanquan.errors.OanquanError: seats: expected human, one of beginner, easy, ... or an agent; agents: expected ...
    """
    if not isinstance(seat, str):
        raise TypeError(f"seats: expected texts, got {type(seat).__name__}")
    if seat == HUMAN or seat in LEVELS:
        return seat
    try:
        name = _core.agent_name(seat)
    except OanquanError as error:
        raise OanquanError(f"seats: expected {HUMAN}, one of {', '.join(LEVELS)} or an agent; {error}") from None
    if SEPARATOR in name:
        raise OanquanError(f'seats: expected an agent without "{SEPARATOR}", got {name!r}')
    return name


def agent_of(seat: str) -> str:
    """Return the text of the agent that plays a seat.

    >>> agent_of("casual"), agent_of("search:depth=6")
    ('greedy', 'search:depth=6')
    """
    return LEVELS[seat].agent if seat in LEVELS else seat


def seat_title(seat: str, lang: str = "en") -> str:
    """Return what a seat is called in a language.

    >>> seat_title("human", "vi"), seat_title("easy", "vi"), seat_title("search:depth=6", "vi")
    ('người chơi', 'dễ', 'search:depth=6')
    """
    if seat == HUMAN:
        return say("play.human", lang)
    return LEVELS[seat].title(lang) if seat in LEVELS else seat
