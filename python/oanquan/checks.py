"""Checks that several functions make of their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, TypeVar

from oanquan._core import Position
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from oanquan.rules import Rules

Agent = TypeVar("Agent")

MOST_GAMES = 2**63 - 1
MOST_SEED = 2**64 - 1
MOST_THREADS = 1024
MOST_LIMIT = 2**32 - 1


def within(name: str, value: int, least: int, most: int) -> int:
    """Return a whole number, which must be in the range.

    >>> within("games", 5, 1, 10)
    5
    >>> within("games", 0, 1, 10)
    Traceback (most recent call last):
    oanquan.errors.OanquanError: games: expected 1 to 10, got 0
    """
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {type(value).__name__}") from None
    if not least <= number <= most:
        shown = str(number) if number.bit_length() <= 128 else f"a number of {number.bit_length()} bits"
        raise OanquanError(f"{name}: expected {least} to {most}, got {shown}")
    return number


def kind_of(name: str, value: object, *kinds: type) -> None:
    """Refuse an argument that is of none of these kinds.

    >>> kind_of("position", "a", Position)
    Traceback (most recent call last):
    TypeError: position: expected a Position, got str
    """
    if not isinstance(value, kinds):
        *others, last = [kind.__name__ for kind in kinds]
        wanted = f"{', '.join(others)} or {last}" if others else last
        article = "an" if wanted[0] in "AEIOU" else "a"
        raise TypeError(f"{name}: expected {article} {wanted}, got {type(value).__name__}")


def within_or_off(name: str, value: int | None, least: int, most: int) -> int | None:
    """Return a whole number in the range, or `None`.

    >>> within_or_off("max_plies", None, 0, 10)
    """
    return None if value is None else within(name, value, least, most)


def start_of(rules: Rules | None, position: Position | None) -> Position:
    """Return the position that games begin with: that one, or the start of the rules, or of the default ones.

    >>> start_of(None, None) == Position.start()
    True
    """
    if rules is not None and position is not None:
        raise TypeError("expected rules or a position, got both")
    start = Position.start(rules) if position is None else position
    if not isinstance(start, Position):
        raise TypeError(f"position: expected a Position, got {type(start).__name__}")
    return start


def seats(agents: Sequence[Agent], sides: int, least: int = 1) -> list[Agent]:
    """Return the agents as a list, of which there must be so many at least and at most as many as there are sides.

    >>> seats(("greedy", "random"), 2)
    ['greedy', 'random']
    """
    if isinstance(agents, str):
        raise TypeError(f"agents: expected a sequence like ({agents!r},), got str")
    if not isinstance(agents, Sequence):
        raise TypeError(f"agents: expected a sequence of names or callables, got {type(agents).__name__}")
    if not least <= len(agents) <= sides:
        wanted = f"{sides}" if least == sides else f"{least} to {sides}"
        raise OanquanError(f"agents: expected {wanted}, got {len(agents)}")
    return list(agents)
