"""Where the squares of a board lie on a screen of characters, for any rules and any room there is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oanquan.rules import Rules

_SIDES: Final = "abcd"
_MOST_WIDE, _MOST_HIGH = 17, 7
_LEAST_WIDE = 4


@dataclass(frozen=True)
class Box:
    """A rectangle of characters.

    >>> Box(2, 1, 4, 2).middle, Box(2, 1, 4, 2).has(5, 2), Box(2, 1, 4, 2).has(6, 2)
    ((4.0, 2.0), True, False)
    """

    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle.

        >>> Box(0, 0, 3, 1).middle
        (1.5, 0.5)
        """
        return self.x + self.width / 2, self.y + self.height / 2

    def has(self, x: int, y: int) -> bool:
        """Return whether a character lies in it.

        >>> Box(0, 0, 3, 1).has(3, 0)
        False
        """
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True)
class Plan:
    """The boxes of a board.

    >>> from oanquan import Rules
    >>> plan = plan_of(Rules(), "a", 80, 16)
    >>> plan.at(plan.boxes["a3"].x, plan.boxes["a3"].y), plan.at(0, 99)
    ('a3', None)
    """

    width: int
    height: int
    boxes: dict[str, Box]
    """Every square by its name, in the order of the ring."""

    room: Box
    """What is free within the ring of three and four sides; without height where there is nothing."""

    def at(self, x: int, y: int) -> str | None:
        """Return the square at a character.

        >>> from oanquan import Rules
        >>> plan_of(Rules(), "a", 80, 16).at(0, 0)
        'bm'
        """
        return next((name for name, box in self.boxes.items() if box.has(x, y)), None)

    def next_to(self, square: str, step: int) -> str:
        """Return the square after one in the ring, counter-clockwise for 1 and clockwise for -1.

        >>> from oanquan import Rules
        >>> plan_of(Rules(), "a", 80, 16).next_to("a1", -1)
        'bm'
        """
        names = [*self.boxes]
        return names[(names.index(square) + step) % len(names)]

    def way(self, square: str, step: int) -> tuple[float, float]:
        """Return which way the next square lies: to the right and down, a square counting as wide as it is high.

        >>> from oanquan import Rules
        >>> right, down = plan_of(Rules(), "a", 80, 16).way("a3", 1)
        >>> right > 0, down
        (True, 0.0)
        """
        (x, y), (right, down) = self.boxes[square].middle, self.boxes[self.next_to(square, step)].middle
        return (right - x) / 2, down - y  # a character is twice as high as wide


def plan_of(rules: Rules, bottom: str, width: int, height: int) -> Plan:
    """Return the boxes of a board with a side at the bottom, as large as the room allows; what has none is cut off.

    >>> from oanquan import Rules
    >>> plan_of(Rules(squares=7, sides=4), "a", 80, 18).boxes["a1"]
    Box(x=9, y=16, width=8, height=2)
    """
    columns, rows = rules.squares + 2, 2 if rules.sides == 2 else rules.squares + 2
    wide = max(_LEAST_WIDE, min(_MOST_WIDE, (width + 1) // columns - 1))
    gap_x = 1 if (wide + 1) * columns - 1 <= width else 0
    high = max(1, min(_MOST_HIGH, height // rows))
    gap_y = 1 if high * rows + rows - 1 <= height else 0
    if gap_y == 0 and high > 2 and rules.sides > 2:
        high, gap_y = high - 1, 1
    across, down = wide + gap_x, high + gap_y
    corners = {2: _two_sides, 3: _three_sides, 4: _four_sides}[rules.sides]
    first = _SIDES.index(bottom)
    boxes = {}
    for side, spots in enumerate(zip(*[iter(corners(rules.squares))] * (rules.squares + 1), strict=True)):
        owner = _SIDES[(first + side) % rules.sides]
        for number, (column, row, tall) in enumerate(spots, 1):
            name = f"{owner}{number if number <= rules.squares else 'm'}"
            boxes[name] = Box(floor(column * across + 0.5), row * down, wide, high + down * (tall - 1))
    ordered = {name: boxes[name] for name in rules.square_names}
    return Plan(columns * across - gap_x, rows * down - gap_y, ordered, _room(rules, ordered))


def _two_sides(squares: int) -> Iterator[tuple[float, int, int]]:
    """Column, row and height of every square, round from the first one at the bottom: two rows and two ends."""
    yield from ((column, 1, 1) for column in range(1, squares + 1))
    yield squares + 1, 0, 2
    yield from ((column, 0, 1) for column in range(squares, 0, -1))
    yield 0, 0, 2


def _three_sides(squares: int) -> Iterator[tuple[float, int, int]]:
    """The same of a triangle that stands on a row."""
    last, top = squares + 1, (squares + 1) / 2
    yield from ((column, last, 1) for column in range(1, squares + 1))
    yield last, last, 1
    yield from ((top + top * row / last, row, 1) for row in range(squares, 0, -1))
    yield top, 0, 1
    yield from ((top - top * row / last, row, 1) for row in range(1, squares + 1))
    yield 0, last, 1


def _four_sides(squares: int) -> Iterator[tuple[float, int, int]]:
    """The same of a quadrilateral."""
    last = squares + 1
    ring = [
        *((column, last) for column in range(1, last)),
        (last, last),
        *((last, row) for row in range(squares, 0, -1)),
    ]
    ring += [
        (last, 0),
        *((column, 0) for column in range(squares, 0, -1)),
        (0, 0),
        *((0, row) for row in range(1, last)),
    ]
    yield from ((column, row, 1) for column, row in [*ring, (0, last)])


def _room(rules: Rules, boxes: dict[str, Box]) -> Box:
    """The largest rectangle within the ring that reaches down to the lowest row."""
    if rules.sides == 2:
        return Box(0, 0, 0, 0)
    floor = max(box.y for box in boxes.values())
    rows = sorted({box.y for box in boxes.values()})[1:]
    best = Box(0, 0, 0, 0)
    for top, _ in pairwise(rows):
        beside = [box for box in boxes.values() if top <= box.y < floor]
        middle = min(box.x for box in boxes.values()) + max(box.x + box.width for box in boxes.values()) / 2
        left = max((box.x + box.width for box in beside if box.middle[0] < middle), default=0)
        right = min((box.x for box in beside if box.middle[0] > middle), default=0)
        found = Box(left + 1, top, max(0, right - left - 2), floor - top)
        if found.width * found.height > best.width * best.height:
            best = found
    return best
