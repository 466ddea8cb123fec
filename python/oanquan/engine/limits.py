"""How long a search may take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsFloat

from oanquan.checks import within
from oanquan.errors import OanquanError

_MOST_SECONDS = 10**9
_MOST_DEPTH = 2**31 - 1
_MOST_NODES = 2**63 - 1


def seconds_of(name: str, value: object, *, least: float | None = None) -> float:
    """Return a number of seconds, which must be more than 0, or at least `least`.

    >>> seconds_of("grace", 0, least=0)
    0.0
    >>> seconds_of("time", 0)
    Traceback (most recent call last):
    oanquan.errors.OanquanError: time: expected more than 0 and at most 1000000000 seconds, got 0
    """
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        raise TypeError(f"{name}: expected a number of seconds, got {type(value).__name__}")
    seconds = float(value)
    enough = seconds > 0 if least is None else seconds >= least
    if not enough or seconds > _MOST_SECONDS:
        wanted = "more than 0" if least is None else f"{least:g} or more"
        raise OanquanError(f"{name}: expected {wanted} and at most {_MOST_SECONDS} seconds, got {value!r}")
    return seconds


def _both(name: str, values: object, *, least: float | None = None) -> tuple[float, float]:
    """Check the seconds of both sides."""
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != 2:
        raise OanquanError(f"{name}: expected seconds of side a and of side b, got {values!r}")
    first, second = values
    return seconds_of(f"{name}[0]", first, least=least), seconds_of(f"{name}[1]", second, least=least)


def _milliseconds(seconds: float, least: int = 1) -> int:
    """Whole milliseconds, rounded down."""
    return max(least, math.floor(seconds * 1000 + 1e-6))


@dataclass(frozen=True, kw_only=True)
class Limit:
    """How long a search may take: exactly one of `time`, `depth`, `nodes`, `clocks` and `infinite`.

    Attributes:
        time: Seconds for this move.
        depth: Plies to look ahead.
        nodes: Positions to look at.
        clocks: Seconds that side a and side b have left for the game.
        increments: Seconds that both are given after each of their moves; with `clocks` only.
        infinite: Search until `stop` is called.

    >>> Limit(time=0.5)
    Limit(time=0.5)
    >>> Limit(clocks=(60, 58.5), increments=(1, 1)).command
    'go p1time 60000 p2time 58500 p1inc 1000 p2inc 1000'
    >>> Limit(time=1, depth=3)
    Traceback (most recent call last):
    oanquan.errors.OanquanError: limit: expected one of time, depth, nodes, clocks and infinite, got time and depth
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    clocks: tuple[float, float] | None = None
    increments: tuple[float, float] | None = None
    infinite: bool = False

    def __post_init__(self) -> None:
        given = [name for name in ("time", "depth", "nodes", "clocks") if getattr(self, name) is not None]
        given += ["infinite"] * (self.infinite is not False)
        if len(given) != 1:
            got = " and ".join(given) or "none"
            raise OanquanError(f"limit: expected one of time, depth, nodes, clocks and infinite, got {got}")
        if self.increments is not None and self.clocks is None:
            raise OanquanError(f"limit: expected increments only with clocks, got them with {given[0]}")
        if self.time is not None:
            object.__setattr__(self, "time", seconds_of("time", self.time))
        if self.depth is not None:
            object.__setattr__(self, "depth", within("depth", self.depth, 0, _MOST_DEPTH))
        if self.nodes is not None:
            object.__setattr__(self, "nodes", within("nodes", self.nodes, 1, _MOST_NODES))
        if self.clocks is not None:
            object.__setattr__(self, "clocks", _both("clocks", self.clocks))
            increments = (0.0, 0.0) if self.increments is None else self.increments
            object.__setattr__(self, "increments", _both("increments", increments, least=0))
        if not isinstance(self.infinite, bool):
            raise TypeError(f"infinite: expected True or False, got {type(self.infinite).__name__}")

    @property
    def command(self) -> str:
        """The line of the protocol that begins such a search, in whole milliseconds.

        >>> Limit(time=0.0001).command, Limit(infinite=True).command
        ('go movetime 1', 'go infinite')
        """
        if self.time is not None:
            return f"go movetime {_milliseconds(self.time)}"
        if self.depth is not None:
            return f"go depth {self.depth}"
        if self.nodes is not None:
            return f"go nodes {self.nodes}"
        if self.clocks is not None and self.increments is not None:
            first, second = map(_milliseconds, self.clocks)
            more, further = (_milliseconds(seconds, 0) for seconds in self.increments)
            return f"go p1time {first} p2time {second} p1inc {more} p2inc {further}"
        return "go infinite"

    def seconds(self, side: str) -> float | None:
        """Return how long a search for that side may take; `None` if that is not limited.

        >>> Limit(clocks=(60, 58.5)).seconds("b"), Limit(time=2).seconds("a"), Limit(depth=6).seconds("a")
        (58.5, 2.0, None)
        """
        return self.time if self.clocks is None else self.clocks["ab".index(side)]

    def __repr__(self) -> str:
        kinds = (("time", self.time), ("depth", self.depth), ("nodes", self.nodes), ("clocks", self.clocks))
        parts = [f"{name}={value!r}" for name, value in (*kinds, ("increments", self.increments)) if value is not None]
        return f"Limit({', '.join(parts or ['infinite=True'])})"
