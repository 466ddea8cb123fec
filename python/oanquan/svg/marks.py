"""Marks on a board: the last move, arrows, and the way that a move went."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from oanquan._core import Move, Step
from oanquan.checks import kind_of
from oanquan.errors import OanquanError
from oanquan.svg.canvas import UNIT
from oanquan.svg.elements import element, path, text
from oanquan.svg.themes import checked_colour
from oanquan.svg.views import move_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oanquan.layout import Point, Square
    from oanquan.rules import Rules
    from oanquan.svg.canvas import Canvas
    from oanquan.svg.themes import Theme
    from oanquan.svg.views import Shown

Arrow: TypeAlias = Move | str | tuple[Move | str, str] | tuple[str, str, str]
"""A move, two squares, and either with a colour."""

_LANES = (-27.0, -15.0, -3.0, 9.0, 21.0)
"""How far outward from the centres of squares the laps of a move run, one after the other."""


# ---- arrows ----------------------------------------------------------------------------------------------------------


def move_mark(canvas: Canvas, move: Move, theme: Theme) -> Iterator[str]:
    """Return the mark of the last move: its square, and which way it went."""
    square = canvas.squares[_index(canvas, f"{move.side}{move.square}")]
    corners = [canvas.at(square, *corner) for corner in ((-44, -44), (44, -44), (44, 44), (-44, 44))]
    outline = path("M", *corners, "Z")
    style = {"fill": "none", "stroke_linejoin": "round"}
    yield element("path", d=outline, stroke=theme.edge, stroke_width=6, **style)
    yield element("path", d=outline, stroke=theme.mark, stroke_width=4, class_="last-move", **style)
    yield from _direction(canvas, move, theme, theme.arrow)


def arrows_of(canvas: Canvas, arrows: Sequence[Arrow], shown: Shown, theme: Theme) -> Iterator[str]:
    """Return arrows: of moves, and from square to square."""
    if isinstance(arrows, str):
        raise TypeError(f"arrows: expected a sequence like [{arrows!r}], got str")
    if not isinstance(arrows, Iterable):
        raise TypeError(f"arrows: expected a sequence of moves and pairs of squares, got {type(arrows).__name__}")
    read = [_read(canvas, arrow, shown, theme) for arrow in arrows]
    ways = {(way.side, way.direction) for way, _ in read if isinstance(way, Move)}
    for way, colour in read:
        if isinstance(way, Move):
            # Those of a row that go both ways would lie on each other.
            both = len([side for side, _ in ways if side == way.side]) > 1
            lane = (-32 if way.direction == "counterclockwise" else -12) if both else -22
            yield from _direction(canvas, way, theme, colour, lane)
        else:
            yield from _curved(*way, theme, colour)


def _read(canvas: Canvas, arrow: Arrow, shown: Shown, theme: Theme) -> tuple[Move | tuple[Point, Point], str]:
    """The move of an arrow, or the two places that it joins; and its colour."""
    first, *rest = arrow if isinstance(arrow, tuple) and arrow else (arrow,)
    colour = theme.arrow
    if rest and str(rest[-1]).startswith("#"):
        colour = checked_colour("arrows", rest.pop())
    if not rest:
        return move_of("arrows", first, shown), colour
    if len(rest) > 1:
        raise OanquanError(f"arrows: expected a move or two squares, and a colour after them, got {arrow!r}")
    start, end = (canvas.squares[_index(canvas, name)].centre for name in (first, rest[0]))
    return (canvas.place(start), canvas.place(end)), colour


def _direction(canvas: Canvas, move: Move, theme: Theme, colour: str, lane: float = -22) -> Iterator[str]:
    """An arrow from the square of a move towards the next one, so far outward."""
    square = canvas.squares[_index(canvas, f"{move.side}{move.square}")]
    way = 1 if move.direction == "counterclockwise" else -1
    yield from _line([canvas.at(square, way * -22, lane), canvas.at(square, way * 66, lane)], theme, colour, 7)


def _curved(start: Point, end: Point, theme: Theme, colour: str) -> Iterator[str]:
    """An arrow between two places, bent a little."""
    (a, b), (c, d) = start, end
    apart = math.hypot(c - a, d - b) or 1.0
    right, down = (c - a) / apart, (d - b) / apart
    bent = min(0.18 * apart, 40.0)
    middle = ((a + c) / 2 + bent * down, (b + d) / 2 - bent * right)
    places = []
    for step in range(13):
        share = step / 12
        one, two, three = (1 - share) ** 2, 2 * share * (1 - share), share * share
        places.append((one * a + two * middle[0] + three * c, one * b + two * middle[1] + three * d))
    yield from _line(places, theme, colour, 7)


def _line(places: Sequence[Point], theme: Theme, colour: str, width: float, *, dashed: bool = False) -> Iterator[str]:
    """A line with a head at its end, set off from what lies below."""
    (a, b), (c, d) = places[-2:]
    apart = math.hypot(c - a, d - b) or 1.0
    right, down = (c - a) / apart, (d - b) / apart
    long, wide = 2.4 * width, 1.35 * width
    neck = (c - 0.8 * long * right, d - 0.8 * long * down)
    back = (c - long * right, d - long * down)
    head = path(
        "M",
        (c, d),
        "L",
        (back[0] - wide * down, back[1] + wide * right),
        (back[0] + wide * down, back[1] - wide * right),
        "Z",
    )
    way = path("M", places[0], "L", *places[1:-1], neck)
    style = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    halo = {"stroke": theme.store, "stroke_opacity": 0.85}
    yield element("path", d=way, stroke_width=width + 3, **style, **halo)
    yield element("path", d=head, stroke_width=3, **style, **halo)
    dashes = f"{2 * width} {1.6 * width}" if dashed else None
    yield element("path", d=way, stroke=colour, stroke_width=width, stroke_dasharray=dashes, **style)
    yield element("path", d=head, fill=colour)


def _index(canvas: Canvas, name: object) -> int:
    for index, square in enumerate(canvas.squares):
        if square.name == name:
            return index
    raise OanquanError(f"arrows: expected the name of a square, got {name!r}")


# ---- the way of a move -----------------------------------------------------------------------------------------------


@dataclass
class _Way:
    """A move as places on the ring: what its steps say, put together."""

    laps: list[list[int]] = field(default_factory=list)
    """The square lifted from, and those dropped into."""

    captures: list[tuple[int, int, int]] = field(default_factory=list)
    """Squares captured, with pebbles and mandarins."""

    forward: int = 1
    """1 counter-clockwise, -1 clockwise."""

    stop: str | None = None
    """Why it stopped."""


def steps_of(trace: object) -> tuple[Step, ...]:
    """Return the steps of a move, which must be steps.

    >>> steps_of("a3+")
    Traceback (most recent call last):
    TypeError: trace: expected steps of a move, got str
    """
    if isinstance(trace, str) or not isinstance(trace, Iterable):
        raise TypeError(f"trace: expected steps of a move, got {type(trace).__name__}")
    steps = tuple(trace)
    for step in steps:
        kind_of("trace", step, Step)
    return steps


def way_marks(canvas: Canvas, rules: Rules, trace: Sequence[Step], theme: Theme) -> Iterator[str]:
    """Return the way of a move: laps, what was captured over which gaps, and where it stopped."""
    way = _way_of(rules, trace)
    ring = len(canvas.squares)
    for number, lap in enumerate(way.laps):
        yield from _lap(canvas, lap, number, theme)
    for index, pebbles, mandarins in way.captures:
        gap = (index - way.forward) % ring
        yield from _jump(canvas, (gap - way.forward) % ring, gap, index, theme)
        yield from taken_mark(canvas, canvas.squares[index], pebbles + rules.mandarin_value * mandarins, theme)
    yield from stop_mark(canvas, rules, trace)


def stop_mark(canvas: Canvas, rules: Rules, trace: Sequence[Step]) -> Iterator[str]:
    """Return the sign on the square that stopped a move, if one did: its steps end with the stop, or go on."""
    way = _way_of(rules, trace)
    if not way.laps or way.stop in (None, "game_over"):
        return
    last = way.captures[-1][0] if way.captures else way.laps[-1][-1]
    beyond = 2 if way.stop in ("two_empty_squares", "immature_mandarin") else 1
    yield from _stop(canvas, canvas.squares[(last + beyond * way.forward) % len(canvas.squares)])


def _way_of(rules: Rules, trace: Sequence[Step]) -> _Way:
    names = rules.square_names
    way = _Way()
    for step in trace:
        place = None if step.square is None else _place(names, step.square)
        if step.kind == "lift" and place is not None:
            way.laps.append([place])
        elif step.kind == "drop" and place is not None and way.laps:
            way.laps[-1].append(place)
        elif step.kind == "capture" and place is not None:
            way.captures.append((place, step.pebbles or 0, step.mandarins or 0))
        elif step.kind == "stop":
            way.stop = step.reason
    if way.laps and len(way.laps[0]) > 1:
        start, first = way.laps[0][:2]
        way.forward = 1 if (start + 1) % len(names) == first else -1
    return way


def _place(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise OanquanError(f"trace: expected steps of a move on this board, got one with {name!r}")
    return names.index(name)


def _lap(canvas: Canvas, lap: Sequence[int], number: int, theme: Theme) -> Iterator[str]:
    """The way of one hand: a line from where it was lifted, a dot for each drop, an arrow at the last one."""
    lane = _LANES[number % len(_LANES)]
    places = [canvas.at(canvas.squares[index], 0, lane) for index in lap]
    if len(places) > 1:
        yield from _line(places, theme, theme.arrow, 3.6)
    for x, y in places[1:-1]:
        yield element("circle", cx=x, cy=y, r=4, fill=theme.arrow, stroke=theme.store, stroke_width=1)
    x, y = places[0]
    yield element("circle", cx=x, cy=y, r=10, fill=theme.arrow, stroke=theme.store, stroke_width=1.5)
    yield text((x, y), str(number + 1), 13 if number < 9 else 11, theme.store, font_weight="bold", class_="lap")


def _jump(canvas: Canvas, start: int, gap: int, end: int, theme: Theme) -> Iterator[str]:
    """The leap over an empty square to a captured one."""
    places = [canvas.at(canvas.squares[index], 0, 0) for index in (start, gap, end)]
    x, y = places[1]
    yield element(
        "circle", cx=x, cy=y, r=17, fill="none", stroke=theme.capture, stroke_width=2.5, stroke_dasharray="5 4"
    )
    yield from _line(_shortened(places), theme, theme.capture, 4, dashed=True)


def _shortened(places: Sequence[Point]) -> list[Point]:
    """The way through places, from and to somewhat before its ends."""
    (a, b), (c, d) = places[0], places[1]
    return [(a + 0.35 * (c - a), b + 0.35 * (d - b)), *places[1:]]


def taken_mark(canvas: Canvas, square: Square, points: int, theme: Theme) -> Iterator[str]:
    """The mark of a captured square: crossed borders, and what it is worth."""
    reach = 0.44 * UNIT
    place = canvas.place(square.centre)
    if square.shape == "box":
        corners = [
            canvas.at(square, *corner)
            for corner in ((-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach))
        ]
        outline = path("M", *corners, "Z")
        yield element("path", d=outline, fill="none", stroke=theme.capture, stroke_width=4, stroke_dasharray="9 5")
    else:
        x, y = place
        yield element(
            "circle",
            cx=x,
            cy=y,
            r=54 if square.shape == "disc" else 40,
            fill="none",
            stroke=theme.capture,
            stroke_width=4,
            stroke_dasharray="9 5",
        )
    x, y = canvas.at(square, *_TAKEN[square.shape])
    said = f"+{points}"
    wide = 15 + 9 * len(said)
    yield element(
        "rect",
        x=x - wide / 2,
        y=y - 11,
        width=wide,
        height=22,
        rx=11,
        fill=theme.capture,
        stroke=theme.store,
        stroke_width=1.5,
    )
    yield text((x, y), said, 14, theme.store, font_weight="bold", class_="taken")


_TAKEN: dict[str, Point] = {"box": (24.0, -34.0), "moon": (50.0, -8.0), "disc": (0.0, -44.0)}


def _stop(canvas: Canvas, square: Square) -> Iterator[str]:
    """The sign on the square that stopped the move."""
    x, y = canvas.at(square, *_STOPS[square.shape])
    yield element("circle", cx=x, cy=y, r=12, fill="#c1121f", stroke="#ffffff", stroke_width=2, class_="stop")
    yield element("rect", x=x - 7.5, y=y - 2.5, width=15, height=5, rx=1, fill="#ffffff")


_STOPS: dict[str, Point] = {"box": (-30.0, -30.0), "moon": (52.0, -10.0), "disc": (34.0, -30.0)}
