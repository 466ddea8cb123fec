"""Where everything in a picture stands, in pixels: squares, the stores of the sides, and the lines of words below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from oanquan.layout import Square, layout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oanquan.layout import Point
    from oanquan.rules import Rules

UNIT = 100.0
"""Pixels a square."""

HAND = 18.0
"""The radius of a hand that sows."""

LINE = 24.0
"""The height of a line of words."""

_MARGIN, _GAP = 16.0, 10.0
_STORE_HEIGHT = 92.0
_NARROW, _LEAST = 300.0, 400.0  # stores side by side, and alone


@dataclass(frozen=True)
class Box:
    """A rectangle.

    >>> Box(10, 20, 100, 50).right
    110
    """

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    def moved(self, down: float) -> Box:
        """The same, further down."""
        return Box(self.left, self.top + down, self.width, self.height)


@dataclass(frozen=True)
class Canvas:
    """The places of a picture.

    >>> from oanquan import Rules
    >>> canvas = canvas_of(Rules(), "a")
    >>> len(canvas.squares), len(canvas.stores)
    (12, 2)
    >>> canvas.stores[0].top > canvas.place(canvas.squares[0].centre)[1] > canvas.stores[1].top
    True
    """

    squares: tuple[Square, ...]
    middle: Point
    """Of the board."""

    stores: tuple[Box, ...]
    """Of the sides, a first."""

    width: float
    height: float
    """Without lines of words."""

    lines: int
    """How many lines of words the status of a game may take."""

    def place(self, point: Point) -> Point:
        """Return where a point of the layout is."""
        return self.middle[0] + UNIT * point[0], self.middle[1] + UNIT * point[1]

    def at(self, square: Square, across: float, outward: float) -> Point:
        """Return the place so many pixels from the centre of a square."""
        return self.place(square.at(across / UNIT, outward / UNIT))


def name_place(square: Square) -> Point:
    """Return where the name of a square stands: from its centre, counter-clockwise and outward, in pixels.

    >>> from oanquan import Rules
    >>> name_place(layout(Rules())[0])
    (0.0, 64.0)
    """
    if square.shape == "box":  # two letters are wider than they are high
        return 0.0, 64.0 + 6.0 * abs(square.outward[0])
    return {"moon": (-85.0, 46.0), "disc": (0.0, 83.0)}[square.shape]


def hand_place(square: Square) -> Point:
    """Return where the hand stands that sows into a square.

    >>> from oanquan import Rules
    >>> hand_place(layout(Rules())[0])
    (0.0, 68.0)
    """
    return {"box": (0.0, 68.0), "moon": (86.0, 44.0), "disc": (0.0, -86.0)}[square.shape]


def canvas_of(rules: Rules, orientation: str = "a") -> Canvas:
    """Return the places of a picture of the board, with a side at the bottom."""
    squares = layout(rules, orientation)
    return _canvas(squares, rules.sides, "abcd".index(orientation))


@lru_cache(maxsize=128)
def _canvas(squares: tuple[Square, ...], sides: int, bottom: int) -> Canvas:
    around = [point for square in squares for point in _around(square)]
    left, top = min(x for x, _ in around), min(y for _, y in around)
    wide, high = max(x for x, _ in around) - left, max(y for _, y in around) - top
    inner = max(wide, _LEAST if sides == 2 else 2 * _NARROW + _GAP)
    places = _store_places(sides, inner)
    shift = (_MARGIN + (inner - wide) / 2 - left, _MARGIN - top)
    board = [(x + shift[0], y + shift[1]) for x, y in around]
    lift = _lift([box for box, above in places if above], board)
    stores = [box if above else box.moved(lift + high + _GAP) for box, above in places]
    middle = shift[0], shift[1] + lift
    turned = tuple(stores[(side - bottom) % sides] for side in range(sides))
    height = max(box.bottom for box in stores) + _GAP
    return Canvas(squares, middle, turned, inner + 2 * _MARGIN, height, 1 if inner >= 620 else 2)


def _store_places(sides: int, inner: float) -> list[tuple[Box, bool]]:
    """The stores from the bottom side on, round the board; and whether each stands above it, or below."""
    half = (inner - _GAP) / 2
    whole = Box(_MARGIN, _MARGIN, inner, _STORE_HEIGHT)
    left = Box(_MARGIN, _MARGIN, half, _STORE_HEIGHT)
    right = Box(_MARGIN + half + _GAP, _MARGIN, half, _STORE_HEIGHT)
    if sides == 2:
        return [(whole, False), (whole, True)]
    if sides == 3:
        narrow = Box(_MARGIN, _MARGIN, _NARROW, _STORE_HEIGHT)
        opposite = Box(_MARGIN + inner - _NARROW, _MARGIN, _NARROW, _STORE_HEIGHT)
        below = Box(_MARGIN + inner / 2 - _NARROW * 0.7, _MARGIN, _NARROW * 1.4, _STORE_HEIGHT)
        return [(below, False), (opposite, True), (narrow, True)]
    return [(left, False), (right, False), (right, True), (left, True)]


def _around(square: Square) -> Iterator[Point]:
    """Points of all that belongs to a square, in pixels from the middle of the board."""
    edge = [*square.outline, square.outline[0]]
    for (a, b), (c, d) in pairwise(edge):
        yield from ((UNIT * (a + (c - a) * step / 4), UNIT * (b + (d - b) * step / 4)) for step in range(4))
    for (across, outward), reach in ((name_place(square), 12.0), (hand_place(square), HAND + 1)):
        x, y = square.at(across / UNIT, outward / UNIT)
        for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1), (-0.7, -0.7), (0.7, -0.7), (-0.7, 0.7), (0.7, 0.7)):
            yield UNIT * x + reach * right, UNIT * y + reach * down


def _lift(stores: list[Box], board: list[Point]) -> float:
    """How far the board must go down so that the stores above do not lie on it: not at all beside a point of it."""
    lift = 0.0
    while any(
        box.left - _GAP < x < box.right + _GAP and y + lift < box.bottom + _GAP for box in stores for x, y in board
    ):
        lift += 2
    return lift
