"""A board painted on characters: pebbles as dots, mandarins as stones, what every side has, and what is pointed at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from rich.segment import Segment
from rich.style import Style

from oanquan.language import say
from oanquan.terminal.places import Box, Plan, plan_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oanquan._core import Position
    from oanquan.frames import Frame

    Board: TypeAlias = "Position | Frame"

GROUND: Final = "#1f1a17"
_INK, _FAINT = "#2a1c10", "#5c4326"
_WOOD: Final = ("#d8b380", "#cba36c")  # by turns, so that squares without a gap are told apart
_END: Final = "#b98a55"
_PEBBLE, _STONE = "#4a3a2c", "#8e2323"
_MARKED: Final = {
    "legal": ("#f0d6a4", _INK),
    "step": ("#ffe27a", _INK),
    "last": ("#e8bd6d", _INK),
    "cursor": ("#2f6f4f", "#ffffff"),
    "chosen": ("#1d5a8a", "#ffffff"),
    "target": ("#a8d5f0", "#0b2b45"),
    "hint": ("#b9e3a0", "#14330a"),
}


@dataclass(frozen=True)
class Marks:
    """What of a board is meant: squares by what is said of them, and signs that stand by their names.

    >>> Marks({"a1": "cursor"}).kinds["a1"]
    'cursor'
    """

    kinds: Mapping[str, str] = field(default_factory=dict)
    """`legal`, `step`, `last`, `cursor`, `chosen`, `target` or `hint`."""

    signs: Mapping[str, str] = field(default_factory=dict)
    """A sign to write beside the name of a square, such as an arrow."""


class Canvas:
    """Characters with their colours.

    >>> canvas = Canvas(4, 1)
    >>> canvas.write(1, 0, "abc…", "#ffffff")
    >>> str(canvas)
    ' abc'
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._signs = [[" "] * width for _ in range(height)]
        self._styles: list[list[tuple[str, str, bool]]] = [[("#ffffff", GROUND, False)] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, colour: str, ground: str | None = None, *, bold: bool = False) -> None:
        """Write a text; what does not lie on the canvas is lost. Without a ground the one that is there stays.

        >>> canvas = Canvas(2, 1)
        >>> canvas.write(-1, 0, "abc", "#ffffff")
        >>> str(canvas)
        'bc'
        """
        if not 0 <= y < self.height:
            return
        for at, sign in enumerate(text, x):
            if 0 <= at < self.width:
                self._signs[y][at] = sign
                self._styles[y][at] = (colour, ground or self._styles[y][at][1], bold)

    def line(self, y: int) -> list[Segment]:
        """Return a line in pieces of one style.

        >>> [segment.text for segment in Canvas(3, 1).line(0)]
        ['   ']
        """
        pieces: list[Segment] = []
        begin = 0
        styles = self._styles[y]
        for at in range(1, self.width + 1):
            if at == self.width or styles[at] != styles[begin]:
                colour, ground, bold = styles[begin]
                style = Style(color=colour, bgcolor=ground, bold=bold)
                pieces.append(Segment("".join(self._signs[y][begin:at]), style))
                begin = at
        return pieces

    def __str__(self) -> str:
        return "\n".join("".join(line).rstrip() for line in self._signs)


@dataclass(frozen=True)
class Painting:
    """A board that was painted, and where everything lies on it."""

    canvas: Canvas
    plan: Plan
    left: int
    top: int

    def square_at(self, x: int, y: int) -> str | None:
        """Return the square at a character.

        >>> from oanquan import Position
        >>> painting = paint(Position.start(), 80, 16)
        >>> painting.square_at(painting.left, painting.top)
        'bm'
        """
        return self.plan.at(x - self.left, y - self.top)


def paint(
    board: Board, width: int, height: int, *, bottom: str = "a", marks: Marks | None = None, lang: str = "en"
) -> Painting:
    """Paint a board as large as the room allows, with the stores of all sides; what has no room is cut off.

    >>> from oanquan import Position, Rules
    >>> print(paint(Position.start(Rules(squares=1, pebbles=2)), 30, 7).canvas)
      side b  0 points  0 pebbles
      ▄███▄      ● ●      ▄███▄
      █████    b1    2    █████
      ▀███▀               ▀███▀
                 ● ●
     bm    ◆   a1    2   am    ◆
    ▶ side a  0 points  0 pebbles
    """
    sides = board.rules.sides
    marks = marks or Marks()
    plan = plan_of(board.rules, bottom, width, height)
    lines = 2 if sides == 2 else 0 if _lines_each(plan.room, sides) else sides
    if lines:
        plan = plan_of(board.rules, bottom, width, max(1, height - lines))
    canvas = Canvas(width, min(height, plan.height + lines))
    left, top = max(0, (width - plan.width) // 2), 1 if sides == 2 and lines else 0
    for place, (name, box) in enumerate(plan.boxes.items()):
        moved = Box(box.x + left, box.y + top, box.width, box.height)
        _paint_square(canvas, board, (place, name), moved, marks)
    order = ["abcd"[("abcd".index(bottom) + turn) % sides] for turn in range(sides)]
    if sides == 2:
        _paint_store(canvas, board, order[1], Box(left, 0, plan.width, 1), lang)
        _paint_store(canvas, board, order[0], Box(left, top + plan.height, plan.width, 1), lang)
    else:
        _paint_stores(canvas, board, order, plan, left, lang)
    return Painting(canvas, plan, left, top)


def _lines_each(room: Box, sides: int) -> int:
    """How many lines the store of a side has within the ring; 0 if there is no room."""
    if room.width >= 40 and room.height >= sides:
        return 1
    return 2 if room.width >= 21 and room.height >= 2 * sides else 0


# ---- squares ---------------------------------------------------------------------------------------------------------


def _paint_square(canvas: Canvas, board: Board, square: tuple[int, str], box: Box, marks: Marks) -> None:
    place, name = square
    is_end = name.endswith("m")
    ground, ink = _MARKED.get(marks.kinds.get(name, ""), (_END if is_end else _WOOD[place % 2], _INK))
    for y in range(box.y, box.y + box.height):
        canvas.write(box.x, y, " " * box.width, ink, ground)
    pebbles, mandarins = board.pebbles[place], board.mandarins[place]
    foot = box.y + box.height - 1
    _write_foot(
        canvas, Box(box.x, foot, box.width, 1), (name, marks.signs.get(name, "")), _count(pebbles, mandarins), ink
    )
    area = Box(box.x + 1, box.y, box.width - 2, box.height - 1)
    if mandarins and area.height:
        below = _paint_stone(canvas, area, ground)
        area = Box(below.x, below.y, below.width, min(below.height, 3))  # near to it
    dots = _PEBBLE if ink == _INK else ink
    _paint_pebbles(canvas, area, pebbles, dots)


def _count(pebbles: int, mandarins: int) -> str:
    """What stands in a square: a diamond for the mandarin, and the number of pebbles unless it is alone."""
    return "◆" * mandarins + (str(pebbles) if pebbles or not mandarins else "")


def _write_foot(canvas: Canvas, line: Box, square: tuple[str, str], count: str, ink: str) -> None:
    """The name of a square with its sign, and what stands in it; where there is little room the name gives way."""
    name, sign = square
    pad = " " if line.width >= len(name + sign + count) + 3 else ""
    if len(pad + name + sign + count + pad) <= line.width:
        faint = _FAINT if ink == _INK and not sign else ink
        canvas.write(line.x, line.y, pad + name + sign, faint, bold=bool(sign))
    elif sign:
        canvas.write(line.x, line.y, sign, ink, bold=True)
    text = f"{count}{pad}"[-line.width :]
    canvas.write(line.x + line.width - len(text), line.y, text, ink, bold=True)


def _paint_stone(canvas: Canvas, area: Box, ground: str) -> Box:
    """A mandarin, as large as there is room; returns what is left below it."""
    art = ("▄███▄", "█████", "▀███▀") if area.height >= 4 and area.width >= 5 else ("▐█▌",)
    for line, text in enumerate(art):
        canvas.write(area.x + (area.width - len(text)) // 2, area.y + line, text, _STONE, ground)
    return Box(area.x, area.y + len(art), area.width, area.height - len(art))


def _paint_pebbles(canvas: Canvas, area: Box, pebbles: int, colour: str) -> None:
    """Pebbles as dots, as many as there is room for; the number says how many there are."""
    if area.height < 1 or area.width < 1 or not pebbles:
        return
    loose = (area.width + 1) // 2  # how many there are in a line with a space between them
    shown = min(pebbles, area.height * area.width)
    wanted = -(-shown // loose) if shown <= area.height * loose else area.height
    lines = min(area.height, max(wanted, 2 if shown > 3 else 1))
    top = area.y + (area.height - lines) // 2
    for line in range(lines):
        many = shown // lines + (line < shown % lines)
        text = (" " if many <= loose else "").join("●" * many)
        canvas.write(area.x + (area.width - len(text)) // 2, top + line, text, colour)


# ---- stores ----------------------------------------------------------------------------------------------------------


def _paint_stores(canvas: Canvas, board: Board, order: list[str], plan: Plan, left: int, lang: str) -> None:
    """The stores of three or four sides: within the ring, or below it."""
    each = _lines_each(plan.room, board.rules.sides)
    room, high = plan.room, max(1, each)
    top = plan.height if not each else room.y + (room.height - high * len(order)) // 2
    x, wide = (left + room.x, room.width) if each else (left, plan.width)
    for number, side in enumerate(order):
        _paint_store(canvas, board, side, Box(x, top + number * high, wide, high), lang)


def _paint_store(canvas: Canvas, board: Board, side: str, box: Box, lang: str) -> None:
    """What a side has, in one line or two."""
    place = "abcd".index(side)
    store, points = board.stores[place], board.points[place]
    turn = board.turn == side and not getattr(board, "is_over", False)
    holds = say("terminal.store", lang, pebbles=store.pebbles, mandarins=store.mandarins)
    debts = "".join(
        say("terminal.owes", lang, creditor=debt.creditor, count=debt.pebbles)
        for debt in board.debts
        if debt.debtor == side and not getattr(board, "is_over", False)
    )
    name = f"{'▶' if turn else ' '} {say('play.side', lang, side=side)}"
    total = say("terminal.points", lang, count=points)
    colour = "#ffe27a" if turn else "#e8dccb"
    if box.height > 1:
        canvas.write(box.x, box.y, f"{name}  {total}"[: box.width], colour, bold=turn)
        canvas.write(box.x, box.y + 1, f"    {holds}{debts}"[: box.width], "#b8a994")
        return
    line = f"{name}  {total}  "
    canvas.write(box.x, box.y, line[: box.width], colour, bold=turn)
    canvas.write(box.x + len(line), box.y, f"{holds}{debts}"[: max(0, box.width - len(line))], "#b8a994")
