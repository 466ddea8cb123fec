"""Where the squares of a board lie when it is drawn: for any number of sides and squares, whoever sits at the bottom.

Lengths are in citizen squares, x to the right and y downwards, from the middle of the board.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from oanquan.rules import Rules

Point: TypeAlias = tuple[float, float]
"""x and y."""

Shape: TypeAlias = Literal["box", "moon", "disc"]
"""A citizen square; the half-moon at either end of two rows; the round mandarin square at a corner."""

_MOON, _DISC = 1.0, 0.62  # radii
_SIDES = "abcd"


@dataclass(frozen=True)
class Square:
    """A square of the ring.

    >>> from oanquan import Rules
    >>> square = layout(Rules())[0]
    >>> square.name, square.shape, square.centre, square.outward
    ('a1', 'box', (-2.0, 0.5), (0.0, 1.0))
    >>> square.at(0.25, 0.5)  # to the right of who sits there, and towards them
    (-1.75, 1.0)
    """

    name: str
    side: str
    shape: Shape
    outline: tuple[Point, ...]
    """Its border as a polygon."""

    centre: Point
    """Where its stones lie."""

    outward: Point
    """The direction away from the middle of the board, one long."""

    label: Point
    """A place inside at the outer edge, or beside it, for its name."""

    room: float
    """How far stones may lie from the centre, above and below."""

    def at(self, across: float, outward: float) -> Point:
        """Return the point so far from the centre, counter-clockwise along the ring and away from the middle."""
        (x, y), (right, down) = self.centre, self.outward
        return x + across * down + outward * right, y - across * right + outward * down


def layout(rules: Rules, orientation: str = "a") -> tuple[Square, ...]:
    """Return the squares in the order of the ring, with a side at the bottom of the picture.

    That side sows counter-clockwise to the right; the others follow round the board.

    >>> from oanquan import Rules
    >>> [square.name for square in layout(Rules(squares=2))]
    ['a1', 'a2', 'am', 'b1', 'b2', 'bm']
    >>> layout(Rules(), "b")[6].centre
    (-2.0, 0.5)
    >>> layout(Rules(), "c")
    Traceback (most recent call last):
    oanquan.errors.OanquanError: orientation: expected one of a, b, got 'c'
    """
    sides = _SIDES[: rules.sides]
    if orientation not in tuple(sides):
        raise OanquanError(f"orientation: expected one of {', '.join(sides)}, got {orientation!r}")
    return _layout(rules.sides, rules.squares, sides.index(orientation))


@lru_cache(maxsize=128)
def _layout(sides: int, squares: int, bottom: int) -> tuple[Square, ...]:
    made = []
    for side in range(sides):
        turn = -(side - bottom) * math.tau / sides
        row = _facing_row(squares) if sides == 2 else _edge(sides, squares)
        for number, square in enumerate(row):
            name = _SIDES[side] + ("m" if number == squares else str(number + 1))
            made.append(_turned(square, turn, name))
    return tuple(made)


def _facing_row(squares: int) -> list[Square]:
    """The lower of two rows back to back, and the half-moon after it."""
    row = [_box(number - squares / 2, 0.0, 0.9) for number in range(squares)]
    left = squares / 2
    moon = tuple((left + _MOON * math.cos(a), _MOON * math.sin(a)) for a in _arc(-math.pi / 2, math.pi / 2))
    return [*row, Square("", "", "moon", moon, (left + 0.42, 0.0), (1.0, 0.0), (left + 0.42, 0.72), 0.4)]


def _edge(sides: int, squares: int) -> list[Square]:
    """The lower edge of a regular polygon, and the round mandarin square at the corner after it."""
    half_angle = math.pi / 2 - math.pi / sides
    spare = 0.5 / math.tan(half_angle) + 0.15  # between a row and the corner: two rows must not meet
    half = squares / 2 + spare
    away = half * math.tan(half_angle)  # from the centre of the board to an edge
    row = [_box(number - squares / 2, away - 0.5, away + 0.36) for number in range(squares)]
    circle = tuple((half + _DISC * math.cos(angle), away + _DISC * math.sin(angle)) for angle in _arc(0, math.tau))
    outer = math.hypot(half, away) + _DISC + 0.15
    outward = (math.cos(half_angle), math.sin(half_angle))
    label = (outer * outward[0], outer * outward[1])
    return [*row, Square("", "", "disc", circle, (half, away), outward, label, 0.34)]


def _box(left: float, top: float, label: float) -> Square:
    outline = ((left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1))
    return Square("", "", "box", outline, (left + 0.5, top + 0.5), (0.0, 1.0), (left + 0.5, label), 0.26)


def _arc(first: float, last: float) -> list[float]:
    return [first + (last - first) * step / 48 for step in range(49)]


def _turned(square: Square, angle: float, name: str) -> Square:
    """The square turned about the middle of the board, with its name."""
    # Turns by a half and by quarters are exact: the same picture whichever side sits at the bottom.
    cos, sin = (
        round(value) if abs(value - round(value)) < 1e-9 else value for value in (math.cos(angle), math.sin(angle))
    )

    def turned(point: Point) -> Point:
        x, y = point
        return cos * x - sin * y, sin * x + cos * y

    outline = tuple(map(turned, square.outline))
    places = turned(square.centre), turned(square.outward), turned(square.label)
    return Square(name, name[0], square.shape, outline, *places, square.room)
