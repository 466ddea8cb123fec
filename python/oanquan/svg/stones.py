"""Stones: what pebbles and mandarins look like, and how they lie in a heap without covering each other.

The first pebbles of a heap lie where they lie when it grows, so that a picture changes only where a move changes it.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

from oanquan.svg.elements import element, number
from oanquan.svg.themes import Theme, mixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oanquan.layout import Point

RADII = (8.3, 7.6, 8.7, 7.9, 7.3, 8.5)
"""How large the pebbles are, each of its own shape: all of it lies within that circle."""

MANDARIN = 36.0
"""How large a mandarin is on two rows."""

STONES: dict[str, tuple[Point, float]] = {"moon": ((0.0, 0.0), MANDARIN), "disc": ((0.0, -15.0), 27.0)}
"""Where the mandarin lies in a square, and how large it is there."""

MOST = 16
"""More pebbles than that are a number only."""

_SHAPES = len(RADII)
_GAP = 1.0
_EDGE = 0.9
"""Half the width of outlines belongs to the stone."""


def definitions(theme: Theme) -> list[str]:
    """Return what pictures of stones refer to: `ID-p0`, ... for pebbles, `ID-q` for a mandarin."""
    made = []
    if theme.shaded:
        made += [_shading(f"ID-s{at}", colour) for at, colour in enumerate(theme.pebbles)]
        made.append(_shading("ID-sq", theme.mandarin))
    for shape, radius in enumerate(RADII):
        tint = shape % len(theme.pebbles)
        fill = f"url(#ID-s{tint})" if theme.shaded else theme.pebbles[tint]
        outline = _outline(random.Random(shape), radius - _EDGE / 2, 7)
        body = element("path", d=outline, fill=fill, stroke=theme.stone_edge, stroke_width=_EDGE)
        made.append(element("g", body, *_glint(theme, radius), id=f"ID-p{shape}"))
    outline = _outline(random.Random(99), MANDARIN - 1, 11, 0.93)
    fill = "url(#ID-sq)" if theme.shaded else theme.mandarin
    body = element("path", d=outline, fill=fill, stroke=theme.stone_edge, stroke_width=2)
    made.append(element("g", body, *_glint(theme, MANDARIN), id="ID-q"))
    return made


def pebble(shape: int, place: Point, **attributes: object) -> str:
    """Return a pebble of a shape."""
    return element("use", href=f"#ID-p{shape % _SHAPES}", x=place[0], y=place[1], **attributes)


def mandarin(place: Point, radius: float = MANDARIN, **attributes: object) -> str:
    """Return a mandarin."""
    scale = radius / MANDARIN
    if scale == 1.0:
        return element("use", href="#ID-q", x=place[0], y=place[1], **attributes)
    moved = f"translate({number(place[0])} {number(place[1])}) scale({number(scale)})"
    return element("use", href="#ID-q", transform=moved, **attributes)


def _shading(name: str, colour: str) -> str:
    stops = [(0, mixed(colour, "#ffffff", 0.42)), (0.55, colour), (1, mixed(colour, "#000000", 0.34))]
    inside = [element("stop", offset=offset, stop_color=stop) for offset, stop in stops]
    return element("radialGradient", *inside, id=name, cx=0.38, cy=0.32, r=0.75)


def _glint(theme: Theme, radius: float) -> list[str]:
    """Where light falls on a stone."""
    if not theme.shaded:
        return []
    place = {"cx": -0.3 * radius, "cy": -0.38 * radius, "rx": 0.3 * radius, "ry": 0.17 * radius}
    turn = f"rotate(-32 {number(place['cx'])} {number(place['cy'])})"
    return [element("ellipse", **place, transform=turn, fill="#ffffff", fill_opacity=0.4)]


def _outline(rng: random.Random, radius: float, corners: int, least: float = 0.86) -> str:
    """A closed curve like the outline of a stone, within the circle."""
    start = rng.random() * math.tau
    places = []
    for corner in range(corners):
        angle = start + math.tau * corner / corners
        away = radius * (least + (1 - least) * rng.random())
        places.append((away * math.cos(angle), away * math.sin(angle)))
    middle = [_between(places[at - 1], places[at]) for at in range(corners)]
    # Quadratic curves from middle to middle stay within the polygon of the corners.
    curve = [f"Q{_pair(places[at])} {_pair(middle[(at + 1) % corners])}" for at in range(corners)]
    return f"M{_pair(middle[0])}{''.join(curve)}Z"


def _between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _pair(place: Point) -> str:
    return f"{number(place[0])} {number(place[1])}"


# ---- heaps -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def heap(shape: str, seed: int, stone: bool = False) -> tuple[Point, ...]:
    """Return where the pebbles of a square lie, up to `MOST`, from its centre: to the right, and outward.

    `shape` is that of `layout`; `stone` says whether a mandarin lies among them. Distances are pixels at 100 a square.

    >>> from oanquan.svg.stones import MOST, heap
    >>> len(heap("box", 1)) == MOST, heap("box", 1)[:5] == heap("box", 1)[:5]
    (True, True)
    """
    taken = [(x, y, radius) for (x, y), radius in OBSTACLES[shape]]
    if stone:
        (x, y), radius = STONES[shape]
        taken.append((x, y, radius))
    flip = -1.0 if seed // 4 % 2 and shape != "moon" else 1.0  # whose number stands aside
    made = _packed(shape, seed % 4, tuple(taken))
    return tuple((flip * x, y) for x, y in made)


COUNTS: dict[str, Point] = {"box": (0.0, 31.0), "moon": (-66.0, -6.0), "disc": (0.0, 43.0)}
"""Where the number stands."""

OBSTACLES: dict[str, list[tuple[Point, float]]] = {
    "box": [((-8.0, 31.0), 11.0), ((8.0, 31.0), 11.0)],
    "moon": [((-66.0, -6.0), 17.0)],
    "disc": [((0.0, 43.0), 16.0)],
}
"""What the numbers cover."""


def inside(shape: str, x: float, y: float, radius: float) -> bool:
    """Whether a stone lies within a square, with some room to its edge.

    >>> inside("box", 0, 0, 8), inside("box", 45, 0, 8), inside("moon", 0, 80, 8)
    (True, False, False)
    """
    if shape == "box":
        return max(abs(x), abs(y)) + radius <= 46
    if shape == "disc":
        return math.sqrt(x * x + y * y) + radius <= 58
    # The centre of a half-moon lies 42 from its straight edge, which is that of the board's wood.
    return y + 42 - radius >= 4 and math.sqrt(x * x + (y + 42) * (y + 42)) + radius <= 96


@lru_cache(maxsize=512)
def _packed(shape: str, seed: int, taken: tuple[tuple[float, float, float], ...]) -> tuple[Point, ...]:
    """The first heap that is large enough, of those that chance makes."""
    for attempt in count():
        made = _heaped(shape, random.Random(f"{shape} {seed} {attempt}"), taken)
        if len(made) == MOST:
            return tuple(made)
    raise AssertionError


def _heaped(shape: str, rng: random.Random, taken: Sequence[tuple[float, float, float]]) -> list[Point]:
    middle = {"box": (0.0, -6.0), "moon": (0.0, -2.0), "disc": (0.0, -8.0)}[shape]
    middle = (middle[0] + 6 * rng.random() - 3, middle[1] + 6 * rng.random() - 3)
    stones = list(taken)
    made: list[Point] = []
    for at in range(MOST):
        radius = RADII[at % _SHAPES]
        found = _nearest(shape, middle, stones, radius, rng)
        if found is None:
            break
        stones.append((*found, radius))
        made.append(found)
    return made


def _nearest(
    shape: str, middle: Point, stones: Sequence[tuple[float, float, float]], radius: float, rng: random.Random
) -> Point | None:
    """The free place for one more stone that is nearest to the middle, or nearly."""
    best, found = math.inf, None
    for x, y in _candidates(middle, stones, radius, rng):
        # Heaps are wider than they are high.
        away = (x - middle[0]) ** 2 * 0.8 + (y - middle[1]) ** 2 + 60 * rng.random()
        if away < best and inside(shape, x, y, radius) and _free(x, y, radius, stones):
            best, found = away, (x, y)
    return found


def _free(x: float, y: float, radius: float, stones: Sequence[tuple[float, float, float]]) -> bool:
    return all((x - a) ** 2 + (y - b) ** 2 >= (radius + r + _GAP) ** 2 - 1e-9 for a, b, r in stones)


def _candidates(
    middle: Point, stones: Sequence[tuple[float, float, float]], radius: float, rng: random.Random
) -> list[Point]:
    """The middle, places around each stone, and those that touch two stones."""
    places = [middle]
    for a, b, r in stones:
        reach = r + radius + _GAP
        turn = rng.random()
        for step in range(12):
            angle = math.tau * (step + turn) / 12
            places.append((a + reach * math.cos(angle), b + reach * math.sin(angle)))
    for at, (a, b, r) in enumerate(stones):
        for c, d, s in stones[:at]:
            places += _touching((a, b, r + radius + _GAP), (c, d, s + radius + _GAP))
    return places


def _touching(one: tuple[float, float, float], other: tuple[float, float, float]) -> list[Point]:
    """Where two circles meet."""
    (a, b, r), (c, d, s) = one, other
    apart = math.sqrt((c - a) ** 2 + (d - b) ** 2)
    if apart == 0 or apart > r + s or apart < abs(r - s):
        return []
    along = (apart * apart + r * r - s * s) / (2 * apart)
    aside = math.sqrt(max(0.0, r * r - along * along))
    x, y = a + along * (c - a) / apart, b + along * (d - b) / apart
    right, down = aside * (d - b) / apart, aside * (c - a) / apart
    return [(x + right, y - down), (x - right, y + down)]
