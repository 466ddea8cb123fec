"""Pictures of positions as arrays of pixels, drawn with Pillow: `rgb_array`.

Side a sits at the bottom and sows counter-clockwise to the right; the others follow round the board. Every square has
its name, its pebbles as dots while they can be told apart, and their number; a mandarin is a large red stone. Below
stand the stores and debts of every side; a triangle and an outline mark the side to move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from oanquan.checks import within

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oanquan._core import Outcome, Position

_Point: TypeAlias = tuple[float, float]

_LEAST_WIDTH, _MOST_WIDTH = 160, 4096
_FINER = 2  # drawn so many times larger and made smaller, which smooths the edges
_DOTS = 11  # beyond that only the number is legible

_TABLE, _WOOD, _HOLLOW = (244, 239, 228), (205, 170, 125), (233, 211, 176)
_EDGE, _INK, _MARK = (110, 80, 45), (40, 30, 20), (20, 110, 190)
_PEBBLE, _MANDARIN = (84, 92, 102), (178, 34, 34)


@dataclass(frozen=True)
class _Square:
    """A square of the ring in units of a citizen square, y downwards."""

    outline: tuple[_Point, ...]
    centre: _Point
    label: _Point
    """Where its name stands: at the outer edge, or beside it."""

    room: float
    """How far stones may lie from the centre, above and below."""


@dataclass(frozen=True)
class _Layout:
    """The squares of a board in the order of the ring, and the size of the whole."""

    squares: tuple[_Square, ...]
    width: float
    height: float


def rgb_array(position: Position, *, outcome: Outcome | None = None, width: int = 640) -> NDArray[np.uint8]:
    """Return the picture of a position as an array of shape (height, width, 3).

    Its size depends on the rules and the width only, so that the pictures of a game make a film.

    Args:
        position: What to draw.
        outcome: How the game came out, if a limit ended it and the position does not know.
        width: In pixels, 160 to 4096.

    Raises:
        OanquanError: The width is out of range.

    >>> from oanquan import Position
    >>> rgb_array(Position.start(), width=320).shape
    (152, 320, 3)
    """
    width = within("width", width, _LEAST_WIDTH, _MOST_WIDTH)
    rules = position.rules
    layout = _layout(rules.sides, rules.squares)
    unit = width * _FINER / layout.width
    font = max(1.0, width * _FINER / 34)
    lines = _lines(position, outcome)
    board = round(layout.height * unit)
    height = board + round((len(lines) + 0.6) * 1.35 * font)
    image = Image.new("RGB", (width * _FINER, height), _TABLE)
    draw = ImageDraw.Draw(image)
    over = outcome is not None or position.is_over
    mover = None if over else "abcd".index(position.turn)
    for index, square in enumerate(layout.squares):
        _draw_square(draw, square, unit, marked=index // (rules.squares + 1) == mover)
    for index, square in enumerate(layout.squares):
        _draw_stones(draw, square, unit, position.pebbles[index], position.mandarins[index])
        _write(draw, _scaled(square.label, unit), rules.square_names[index], 0.14 * unit, _EDGE)
    for line, (text, marked) in enumerate(lines):
        y = board + (line + 0.5) * 1.35 * font
        if marked:
            x, r = 0.75 * font, 0.32 * font
            draw.polygon([(x - r, y - r), (x - r, y + r), (x + r, y)], fill=_MARK)
        _write(draw, (1.5 * font, y), text, font, _MARK if marked else _INK, anchor="lm")
    small = image.resize((width, round(height / _FINER)), Image.Resampling.BOX)
    return np.array(small, dtype=np.uint8)


# ---- where things stand ----------------------------------------------------------------------------------------------


@lru_cache
def _layout(sides: int, squares: int) -> _Layout:
    """The board, moved so that it begins at (0, 0) with a margin."""
    made = _facing_rows(squares) if sides == 2 else _polygon(sides, squares)
    margin = 0.25
    points = [point for square in made for point in (*square.outline, square.label)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, top = min(xs) - margin, min(ys) - margin

    def moved(point: _Point) -> _Point:
        return point[0] - left, point[1] - top

    shifted = [_Square(tuple(map(moved, s.outline)), moved(s.centre), moved(s.label), s.room) for s in made]
    return _Layout(tuple(shifted), max(xs) + margin - left, max(ys) + margin - top)


def _facing_rows(squares: int) -> list[_Square]:
    """Two rows back to back and a half-moon at either end."""
    ring = []
    for turn in (0.0, math.pi):
        for number in range(squares):
            corner, centre = (number - squares / 2, 0.0), (number + 0.5 - squares / 2, 0.5)
            outline = [corner, (corner[0] + 1, 0.0), (corner[0] + 1, 1.0), (corner[0], 1.0)]
            ring.append(_turned(outline, centre, (centre[0], 0.9), turn))
        moon = [(squares / 2 + math.cos(angle), math.sin(angle)) for angle in _arc(-math.pi / 2, math.pi / 2)]
        ring.append(_turned(moon, (squares / 2 + 0.42, 0.0), (squares / 2 + 0.42, 0.72), turn, 0.4))
    return ring


def _polygon(sides: int, squares: int) -> list[_Square]:
    """A row along each edge of a regular polygon, and a round mandarin square at each corner."""
    half_angle = math.pi / 2 - math.pi / sides
    spare = 0.5 / math.tan(half_angle) + 0.15  # between a row and the corner: two rows must not meet
    half = squares / 2 + spare
    away = half * math.tan(half_angle)  # from the centre of the board to an edge
    radius = 0.62
    ring = []
    for side in range(sides):
        turn = -side * math.tau / sides
        for number in range(squares):
            x = number - squares / 2
            outline = [(x, away - 0.5), (x + 1, away - 0.5), (x + 1, away + 0.5), (x, away + 0.5)]
            ring.append(_turned(outline, (x + 0.5, away), (x + 0.5, away + 0.36), turn))
        circle = [(half + radius * math.cos(angle), away + radius * math.sin(angle)) for angle in _arc(0, math.tau)]
        outer = math.hypot(half, away) + radius + 0.15
        label = (outer * math.cos(half_angle), outer * math.sin(half_angle))
        ring.append(_turned(circle, (half, away), label, turn, 0.34))
    return ring


def _arc(first: float, last: float) -> list[float]:
    return [first + (last - first) * step / 48 for step in range(49)]


def _turned(outline: list[_Point], centre: _Point, label: _Point, angle: float, room: float = 0.26) -> _Square:
    """A square turned about the centre of the board."""
    cos, sin = math.cos(angle), math.sin(angle)

    def turned(point: _Point) -> _Point:
        x, y = point
        return cos * x - sin * y, sin * x + cos * y

    return _Square(tuple(map(turned, outline)), turned(centre), turned(label), room)


# ---- drawing ---------------------------------------------------------------------------------------------------------


def _scaled(point: _Point, unit: float) -> _Point:
    return point[0] * unit, point[1] * unit


def _draw_square(draw: ImageDraw.ImageDraw, square: _Square, unit: float, *, marked: bool) -> None:
    outline = [_scaled(point, unit) for point in square.outline]
    round_one = len(outline) > 4
    draw.polygon(outline, fill=_WOOD if round_one else _HOLLOW)
    mark = marked and not round_one
    draw.line([*outline, outline[0], outline[1]], _MARK if mark else _EDGE, round(unit * (0.05 if mark else 0.025)))


def _draw_stones(draw: ImageDraw.ImageDraw, square: _Square, unit: float, pebbles: int, mandarins: int) -> None:
    """The mandarin above, the pebbles in the middle, their number below."""
    x, y = _scaled(square.centre, unit)
    if mandarins:
        _disc(draw, (x, y - square.room * unit), 0.19 * unit, _MANDARIN)
    if pebbles > _DOTS:
        _write(draw, (x, y), str(pebbles), 0.42 * unit, _INK)
        return
    middle = y if mandarins else y - 0.12 * unit
    for dot in range(pebbles):
        distance, angle = 0.068 * math.sqrt(dot) * unit, dot * math.pi * (3 - math.sqrt(5))
        _disc(draw, (x + distance * math.cos(angle), middle + distance * math.sin(angle)), 0.046 * unit, _PEBBLE)
    _write(draw, (x, y + (square.room if mandarins else 0.2) * unit), str(pebbles), 0.2 * unit, _INK)


def _disc(draw: ImageDraw.ImageDraw, centre: _Point, radius: float, color: tuple[int, int, int]) -> None:
    x, y = centre
    draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=color)


@lru_cache(maxsize=32)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _write(
    draw: ImageDraw.ImageDraw,
    place: _Point,
    text: str,
    size: float,
    color: tuple[int, int, int],
    anchor: str = "mm",
) -> None:
    draw.text(place, text, fill=color, font=_font(max(1, round(size))), anchor=anchor)


# ---- what is written -------------------------------------------------------------------------------------------------


def _lines(position: Position, outcome: Outcome | None) -> list[tuple[str, bool]]:
    """How the game stands and what each side has, with whether it is to move."""
    outcome = position.outcome or outcome
    head = f"{position.turn} to move, ply {position.ply}" if outcome is None else f"over, ply {position.ply}: {outcome}"
    lines = [(head, False)]
    points = position.points if outcome is None else outcome.points
    for side, store, worth in zip("abcd", position.stores, points, strict=False):
        debts = "".join(f", owes {d.creditor} {d.pebbles}" for d in position.debts if d.debtor == side)
        text = f"{side}: points {worth}, pebbles {store.pebbles}, mandarins {store.mandarins}{debts}"
        lines.append((text, outcome is None and side == position.turn))
    return lines
