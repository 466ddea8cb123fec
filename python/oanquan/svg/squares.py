"""Drawing the board: squares with their stones, names and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.language import say
from oanquan.svg.canvas import HAND, UNIT, hand_place, name_place
from oanquan.svg.elements import element, number, path, text, width_of, words
from oanquan.svg.stones import COUNTS, MOST, STONES, heap, mandarin, pebble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oanquan.layout import Point, Square
    from oanquan.svg.canvas import Canvas
    from oanquan.svg.themes import Theme
    from oanquan.svg.views import View


def contents_of(pebbles: int, mandarins: int, lang: str) -> str:
    """Return in words what stands in a square or a store.

    >>> contents_of(3, 1, "en"), contents_of(3, 1, "vi")
    ('1 mandarin and 3 pebbles', '1 quan và 3 dân')
    """
    counted = say("steps.pebbles", lang, count=pebbles).replace("-", "−")
    if not mandarins:
        return counted
    stones = say("board.mandarins", lang, count=mandarins)
    return say("board.and", lang, first=stones, second=counted) if pebbles else stones


def ground(canvas: Canvas, theme: Theme) -> str:
    """Return the wood that the squares are hollowed out of."""
    layers = ((7.0, theme.edge), (5.5, theme.board)) if theme.shaded else ((3.0, theme.edge),)
    moons = [square for square in canvas.squares if square.shape != "box"]
    parts = []
    for more, colour in layers:
        parts += [_row_shape(canvas, moon.side, more, fill=colour) for moon in moons]
        parts += [_shape(canvas, moon, more, fill=colour) for moon in moons]
    return element("g", *parts, class_="wood")


def square_group(canvas: Canvas, index: int, view: View, theme: Theme, lang: str, *, numbers: bool) -> str:
    """Return a square with its stones and its number."""
    square = canvas.squares[index]
    pebbles, mandarins = view.pebbles[index], view.mandarins[index]
    said = say("board.square", lang, square=square.name, contents=contents_of(pebbles, mandarins, lang))
    return group(
        square,
        view,
        element("title", words(said)),
        hollow(canvas, square, theme),
        *stones(canvas, index, pebbles, mandarins),
        *counts(canvas, index, view, theme, numbers=numbers),
    )


def group(square: Square, view: View, *children: str) -> str:
    """Return the group of what is drawn in a square, by which pages find it."""
    kind = "citizen" if square.shape == "box" else "mandarin"
    legal = " legal" if square.name in view.legal else ""
    name = f"square {kind}{legal}"
    return element("g", *children, class_=name, data_square=square.name, data_side=square.side)


def hollow(canvas: Canvas, square: Square, theme: Theme) -> str:
    """Return the empty square."""
    fill = theme.hollow if square.shape == "box" else theme.moon
    if not theme.shaded:
        return _shape(canvas, square, -1.5, fill=fill, class_="hollow")
    return _shape(canvas, square, -2.5, fill=fill, stroke=theme.edge, stroke_width=1.5, class_="hollow")


def stones(canvas: Canvas, index: int, pebbles: int, mandarins: int) -> Iterator[str]:
    """Return the stones of a square; none of pebbles that are too many to be told apart."""
    square = canvas.squares[index]
    if mandarins:
        place, radius = STONES[square.shape]
        yield mandarin(canvas.at(square, *place), radius)
    if pebbles <= MOST:
        for shape, place in enumerate(heap(square.shape, index, bool(mandarins))[:pebbles]):
            yield pebble(shape + index, canvas.at(square, *place))


def counts(canvas: Canvas, index: int, view: View, theme: Theme, *, numbers: bool) -> Iterator[str]:
    """Return the number of pebbles in a square: where it has its place, or large where they are too many."""
    square, pebbles = canvas.squares[index], view.pebbles[index]
    bold = {"font_weight": "bold", "class_": "count"}
    if pebbles > MOST:
        if view.mandarins[index]:
            yield text(canvas.at(square, *BESIDE_MANDARIN[square.shape]), str(pebbles), 27, theme.count, **bold)
        else:
            x, y = canvas.place(square.centre)
            yield pebble(index, (x, y - 18))
            yield text((x, y + 8), str(pebbles), 34, theme.count, **bold)
    elif numbers:
        yield text(canvas.at(square, *COUNTS[square.shape]), str(pebbles), 20, theme.count, **bold)


BESIDE_MANDARIN: dict[str, Point] = {"moon": (-62.0, -6.0), "disc": (0.0, 33.0)}
"""Where the number stands of pebbles that are too many to be drawn, with a mandarin in their square."""


def name_text(canvas: Canvas, square: Square, theme: Theme) -> str:
    """Return the name of a square, beside it."""
    place = canvas.at(square, *name_place(square))
    return text(place, square.name, 16, theme.faint, class_="name")


def row_mark(canvas: Canvas, view: View, side: str, theme: Theme) -> str:
    """Return the line along the outer edge of a side's row, and around the whole row of the side to move."""
    row = [square for square in canvas.squares if square.side == side and square.shape == "box"]
    colour = theme.sides["abcd".index(side)]
    if side == view.turn and view.outcome is None:
        corners = [(row[0], -47, -47), (row[-1], 47, -47), (row[-1], 47, 47), (row[0], -47, 47)]
        outline = path("M", *(canvas.at(*corner) for corner in corners), "Z")
        return element("path", d=outline, fill="none", stroke=colour, stroke_width=5, stroke_linejoin="round")
    ends = path("M", canvas.at(row[0], -46, 47), canvas.at(row[-1], 46, 47))
    return element("path", d=ends, fill="none", stroke=colour, stroke_width=4, stroke_linecap="round")


def step_mark(canvas: Canvas, square: Square, theme: Theme) -> str:
    """Return the mark of the square in which a step happens."""
    return _shape(canvas, square, -6, fill="none", stroke=theme.mark, stroke_width=4, class_="step")


def hand(canvas: Canvas, square: Square, pebbles: int, theme: Theme) -> str:
    """Return the hand that sows, with the pebbles in it."""
    x, y = canvas.at(square, *hand_place(square))
    return element("g", *hand_parts((x, y), pebbles, theme), class_="hand")


def hand_parts(place: Point, pebbles: int, theme: Theme) -> Iterator[str]:
    """Return what a hand is drawn of."""
    x, y = place
    yield element("circle", cx=x, cy=y, r=HAND - 1, fill=theme.store, stroke=theme.arrow, stroke_width=2.5)
    content = str(pebbles)
    size = 15 if len(content) < 3 else 12
    yield pebble(0, (x, y - 8.5))
    yield text((x, y + 6.5), content, size, theme.ink, font_weight="bold", class_="held")


def _shape(canvas: Canvas, square: Square, more: float, **attributes: object) -> str:
    """The outline of a square, that much larger on every side."""
    if square.shape == "disc":
        x, y = canvas.place(square.centre)
        return element("circle", cx=x, cy=y, r=0.62 * UNIT + more, **attributes)
    if square.shape == "box":
        reach = UNIT / 2 + more
        corners = [canvas.at(square, *corner) for corner in _rounded(reach, 9 + max(more, 0))]
        return element("path", d=_round_path(corners, 9 + max(more, 0)), **attributes)
    start, end = canvas.at(square, -100 - more, -42 - more), canvas.at(square, 100 + more, -42 - more)
    first, last = canvas.at(square, -100 - more, -42), canvas.at(square, 100 + more, -42)
    radius = number(100 + more)
    # The ring goes counter-clockwise.
    data = path("M", start, "L", first, f"A {radius} {radius} 0 0 0", last, "L", end, "Z")
    return element("path", d=data, stroke_linejoin="round", **attributes)


def _row_shape(canvas: Canvas, side: str, more: float, **attributes: object) -> str:
    """The outline of a whole row, that much larger on every side."""
    row = [square for square in canvas.squares if square.side == side and square.shape == "box"]
    reach = UNIT / 2 + more
    corners = ((row[0], -reach, -reach), (row[-1], reach, -reach), (row[-1], reach, reach), (row[0], -reach, reach))
    data = path("M", *(canvas.at(*corner) for corner in corners), "Z")
    return element("path", d=data, stroke_linejoin="round", **attributes)


def _rounded(reach: float, radius: float) -> list[Point]:
    """The ends of the straight edges of a square with round corners, counter-clockwise from the outer right one."""
    near = reach - radius
    return [
        (reach, near), (reach, -near), (near, -reach), (-near, -reach),
        (-reach, -near), (-reach, near), (-near, reach), (near, reach),
    ]  # fmt: skip


def _round_path(corners: list[Point], radius: float) -> str:
    arc = f"A {number(radius)} {number(radius)} 0 0 0"
    parts: list[str | Point] = ["M", corners[0]]
    for at in range(1, 8, 2):
        parts += ["L", corners[at], arc, corners[(at + 1) % 8]]
    return path(*parts, "Z")


def fits(content: str, size: float, width: float) -> float:
    """Return the size at which a line of text fits into a width.

    >>> fits("a", 14, 100), fits("a long line", 14, 50) < 14
    (14, True)
    """
    needed = width_of(content, size)
    return size if needed <= width else size * width / needed
