"""Elements of SVG as text: attributes escaped, numbers rounded, the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oanquan.layout import Point

FONT = "'Noto Sans','DejaVu Sans','Segoe UI','Helvetica Neue',sans-serif"


def element(tag: str, *children: str, **attributes: object) -> str:
    """Return an element; of names of attributes, `_` stands for `-`, and one at the end is left out.

    >>> element("g", element("circle", cx=1.5, cy=2.0, r=3), class_="stone", stroke_width=0.5, fill=None)
    '<g class="stone" stroke-width="0.5"><circle cx="1.5" cy="2" r="3"/></g>'
    """
    given = "".join(
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for name, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{tag}{given}>{inside}</{tag}>" if inside else f"<{tag}{given}/>"


def words(text: str) -> str:
    """Return text as it stands between tags; what XML cannot hold becomes a mark.

    >>> words("a < b")
    'a &lt; b'
    """
    return escape("".join(char if char >= " " and not "\ud800" <= char <= "\udfff" else "\ufffd" for char in text))


def text(place: Point, content: str, size: float, fill: str, **attributes: object) -> str:
    """Return text of one line whose middle, or where `text_anchor` says, stands at a place.

    >>> text((10, 20), "a3", 10, "#000")
    '<text x="10" y="23.5" font-size="10" fill="#000" text-anchor="middle">a3</text>'
    """
    attributes = {"text_anchor": "middle", **attributes}
    # No dominant-baseline: not every program knows it.
    return element(
        "text", words(content), x=place[0], y=place[1] + 0.35 * size, font_size=size, fill=fill, **attributes
    )


def number(value: float) -> str:
    """Return a number with two digits after the point at most.

    >>> number(2.0), number(-0.001), number(1.256)
    ('2', '0', '1.26')
    """
    rounded = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if rounded == "-0" else rounded


def points(places: Iterable[Point]) -> str:
    """Return points as attributes have them.

    >>> points([(0, 1), (2.5, 3)])
    '0,1 2.5,3'
    """
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def path(*parts: str | Point) -> str:
    """Return the data of a path, of commands and points.

    >>> path("M", (0, 1), "L", (2.5, 3), "Z")
    'M0,1 L2.5,3 Z'
    """
    made = ""
    for part in parts:
        if isinstance(part, str):
            made += f" {part}"
        else:
            made += ("" if made[-1:].isalpha() else " ") + points([part])
    return made.strip()


def width_of(content: str, size: float) -> float:
    """Return about how wide text is in the widest of the fonts that are asked for.

    >>> width_of("quan", 10) < width_of("quân mmm", 10)
    True
    """
    return size * sum(_WIDTHS.get(char, 0.62 if char.islower() else 0.72) for char in content)


_WIDTHS = (
    dict.fromkeys("il.,:;'|!jíìịỉĩ·", 0.34) | dict.fromkeys(" ft()-/r", 0.42) | dict.fromkeys("mwMW−+", 0.95)
) | dict.fromkeys("0123456789", 0.64)


def wrapped(content: str, size: float, width: float) -> list[str]:
    """Return the lines of a text that fit into a width; a single word that does not stands alone.

    >>> wrapped("one two three", 10, 45)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in content.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _value(value: object) -> str:
    return number(value) if isinstance(value, int | float) else str(value)
