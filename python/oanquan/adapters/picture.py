"""Pictures of positions as arrays of pixels, drawn with Pillow: `rgb_array`.

Side a sits at the bottom and sows counter-clockwise to the right; the others follow round the board. Every square has
its name, its pebbles as dots while they can be told apart, and their number; a mandarin is a large red stone. Below
stand the stores and debts of every side; a triangle and an outline mark the side to move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from oanquan.checks import within
from oanquan.layout import Point, Square, layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oanquan._core import Outcome, Position
    from oanquan.rules import Rules

_LEAST_WIDTH, _MOST_WIDTH = 160, 4096
_FINER = 2  # drawn so many times larger and made smaller, which smooths the edges
_DOTS = 11  # beyond that only the number is legible

_TABLE, _WOOD, _HOLLOW = (244, 239, 228), (205, 170, 125), (233, 211, 176)
_EDGE, _INK, _MARK = (110, 80, 45), (40, 30, 20), (20, 110, 190)
_PEBBLE, _MANDARIN = (84, 92, 102), (178, 34, 34)


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
    drawing = _drawing(rules, width * _FINER)
    font = max(1.0, width * _FINER / 34)
    lines = _lines(position, outcome)
    board = round(drawing.height * drawing.unit)
    height = board + round((len(lines) + 0.6) * 1.35 * font)
    image = Image.new("RGB", (width * _FINER, height), _TABLE)
    draw = ImageDraw.Draw(image)
    over = outcome is not None or position.is_over
    mover = None if over else "abcd".index(position.turn)
    for index, square in enumerate(drawing.squares):
        _draw_square(draw, square, drawing, marked=index // (rules.squares + 1) == mover)
    for index, square in enumerate(drawing.squares):
        _draw_stones(draw, square, drawing, position.pebbles[index], position.mandarins[index])
        _write(draw, drawing.scaled(square.label), square.name, 0.14 * drawing.unit, _EDGE)
    for line, (text, marked) in enumerate(lines):
        y = board + (line + 0.5) * 1.35 * font
        if marked:
            x, r = 0.75 * font, 0.32 * font
            draw.polygon([(x - r, y - r), (x - r, y + r), (x + r, y)], fill=_MARK)
        _write(draw, (1.5 * font, y), text, font, _MARK if marked else _INK, anchor="lm")
    small = image.resize((width, round(height / _FINER)), Image.Resampling.BOX)
    return np.array(small, dtype=np.uint8)


# ---- where things stand ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Drawing:
    """The squares of a board, and how it is brought onto the image: so many pixels a square, moved so far."""

    squares: tuple[Square, ...]
    left: float
    top: float
    width: float
    height: float
    unit: float = 1.0

    def scaled(self, point: Point) -> Point:
        """Where a point of the board is on the image."""
        return (point[0] - self.left) * self.unit, (point[1] - self.top) * self.unit


def _drawing(rules: Rules, width: float) -> _Drawing:
    """The board with a margin around it, that wide."""
    squares, margin = layout(rules), 0.25
    points = [point for square in squares for point in (*square.outline, square.label)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, top = min(xs) - margin, min(ys) - margin
    wide, high = max(xs) + margin - left, max(ys) + margin - top
    return _Drawing(squares, left, top, wide, high, width / wide)


# ---- drawing ---------------------------------------------------------------------------------------------------------


def _draw_square(draw: ImageDraw.ImageDraw, square: Square, drawing: _Drawing, *, marked: bool) -> None:
    outline = [drawing.scaled(point) for point in square.outline]
    round_one = square.shape != "box"
    draw.polygon(outline, fill=_WOOD if round_one else _HOLLOW)
    mark = marked and not round_one
    draw.line(
        [*outline, outline[0], outline[1]], _MARK if mark else _EDGE, round(drawing.unit * (0.05 if mark else 0.025))
    )


def _draw_stones(draw: ImageDraw.ImageDraw, square: Square, drawing: _Drawing, pebbles: int, mandarins: int) -> None:
    """The mandarin above, the pebbles in the middle, their number below."""
    unit = drawing.unit
    x, y = drawing.scaled(square.centre)
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


def _disc(draw: ImageDraw.ImageDraw, centre: Point, radius: float, color: tuple[int, int, int]) -> None:
    x, y = centre
    draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=color)


@lru_cache(maxsize=32)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _write(
    draw: ImageDraw.ImageDraw,
    place: Point,
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
