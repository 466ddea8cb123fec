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
_INK, _FAINT = "#2a1c10", "#43301a"
_WOOD: Final = ("#d8b380", "#cba36c")  # by turns, so that squares without a gap are told apart
_END: Final = "#c29762"
_PEBBLE, _STONE = "#4a3a2c", "#8e2323"
_TURN, _TOLD, _HELD = "#ffe27a", "#e8dccb", "#b8a994"  # of the stores
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
      side b  0 points  0 pebbles,
      ▄███▄      ● ●      ▄███▄
      █████    b1    2    █████
      ▀███▀               ▀███▀
                 ● ●
     bm    ◆   a1    2   am    ◆
    ▶ side a  0 points  0 pebbles,
    """
    sides = board.rules.sides
    marks = marks or Marks()
    plan = plan_of(board.rules, bottom, width, height)
    first = "abcd".index(bottom)
    stores = [_store(board, "abcd"[(first + seat) % sides], lang) for seat in range(sides)]
    lines = 0 if sides > 2 and _lines_each(plan.room, stores) else sides
    if lines:
        plan = plan_of(board.rules, bottom, width, max(1, height - lines))
    canvas = Canvas(width, min(height, plan.height + lines))
    left, top = max(0, (width - plan.width) // 2), 1 if sides == 2 else 0
    for place, (name, box) in enumerate(plan.boxes.items()):
        moved = Box(box.x + left, box.y + top, box.width, box.height)
        _paint_square(canvas, board, (place, name), moved, marks)
    if sides == 2:
        _paint_store(canvas, stores[1], left, 0)
        _paint_store(canvas, stores[0], left, top + plan.height)
    else:
        _paint_stores(canvas, stores, plan, left)
    return Painting(canvas, plan, left, top)


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
    down = max(0, area.height - len(art) - 3) // 2  # with room for pebbles below it in the middle
    for line, text in enumerate(art):
        canvas.write(area.x + (area.width - len(text)) // 2, area.y + down + line, text, _STONE, ground)
    return Box(area.x, area.y + down + len(art), area.width, area.height - down - len(art))


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


@dataclass(frozen=True)
class _Store:
    """What a side has, in words."""

    is_at_turn: bool
    points: str
    holds: str

    def wide(self, lines: int) -> int:
        """How many columns it takes in one line or in two."""
        return max(len(self.points), len(self.holds) + 4) if lines > 1 else len(self.points) + 2 + len(self.holds)


def _store(board: Board, side: str, lang: str) -> _Store:
    place = "abcd".index(side)
    store, is_over = board.stores[place], getattr(board, "is_over", False)
    turn = board.turn == side and not is_over
    pebbles = say("steps.pebbles", lang, count=store.pebbles)
    holds = say(
        "terminal.store", lang, pebbles=pebbles, mandarins=say("terminal.mandarins", lang, count=store.mandarins)
    )
    debts = "".join(
        say("terminal.owes", lang, creditor=debt.creditor, count=debt.pebbles)
        for debt in board.debts
        if debt.debtor == side and not is_over
    )
    total = say("steps.points", lang, count=board.points[place])
    return _Store(turn, f"{'▶' if turn else ' '} {say('play.side', lang, side=side)}  {total}", holds + debts)


def _lines_each(room: Box, stores: list[_Store]) -> int:
    """How many lines the store of a side has within the ring; 0 if there is no room."""
    for lines in (1, 2):
        if room.height >= lines * len(stores) and room.width >= max(store.wide(lines) for store in stores):
            return lines
    return 0


def _paint_stores(canvas: Canvas, stores: list[_Store], plan: Plan, left: int) -> None:
    """The stores of three or four sides: within the ring, or below it."""
    each = _lines_each(plan.room, stores)
    room, high = plan.room, max(1, each)
    top = room.y + (room.height - high * len(stores)) // 2 if each else plan.height
    x = left if not each else left + room.x + (room.width - max(store.wide(each) for store in stores)) // 2
    for number, store in enumerate(stores):
        _paint_store(canvas, store, x, top + number * high, high)


def _paint_store(canvas: Canvas, store: _Store, x: int, y: int, lines: int = 1) -> None:
    canvas.write(x, y, store.points, _TURN if store.is_at_turn else _TOLD, bold=store.is_at_turn)
    if lines > 1:
        canvas.write(x + 4, y + 1, store.holds, _HELD)
    else:
        canvas.write(x + len(store.points) + 2, y, store.holds, _HELD)
