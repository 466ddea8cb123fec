"""Themes: the colours of a picture."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Final

from oanquan.errors import OanquanError


def checked_colour(name: str, colour: object) -> str:
    """Return a colour, which must be written `#rrggbb`.

    >>> checked_colour("arrows", "#c0ffee")
    '#c0ffee'
    """
    if not isinstance(colour, str) or not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise OanquanError(f"{name}: expected a colour like #1f5fa8, got {colour!r}")
    return colour


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, each as `#rrggbb`; with `dataclasses.replace` a theme of one's own is quickly made.

    >>> from dataclasses import replace
    >>> from oanquan import Position, svg
    >>> mine = replace(svg.THEMES["wood"], mandarin="#1a7f37")
    >>> "#1a7f37" in svg.board(Position.start(), theme=mine)
    True
    """

    ground: str = "#f7f1e3"
    """What the board lies on."""

    ink: str = "#33261a"
    """Text on the ground."""

    faint: str = "#6b563f"
    """Text on the ground that matters less: the names of squares."""

    board: str = "#c08a4e"
    """The wood between the squares."""

    edge: str = "#7a4f26"
    """Lines of the board."""

    hollow: str = "#ecd0a2"
    """A citizen square."""

    moon: str = "#e3bd84"
    """A mandarin square."""

    count: str = "#3b2a17"
    """Numbers in squares."""

    store: str = "#fffaf0"
    """A store."""

    pebbles: tuple[str, ...] = ("#7d8791", "#948b7f", "#646f7c", "#a19a90")
    """Pebbles, of several colours."""

    mandarin: str = "#a8322a"
    """Mandarins."""

    stone_edge: str = "#2c2a29"
    """The outline of stones."""

    sides: tuple[str, str, str, str] = ("#1f5fa8", "#b3361f", "#23713a", "#7a3fa0")
    """The sides."""

    on_side: str = "#ffffff"
    """Text on the colour of a side."""

    mark: str = "#f2b705"
    """The square of the last move, and what arrows point out."""

    arrow: str = "#c2410c"
    """Arrows, and the way that a move went."""

    capture: str = "#c2185b"
    """What was captured."""

    debt: str = "#a61b1b"
    """Loans, and stores below zero."""

    shaded: bool = True
    """Stones round and with shadows, or flat, as it is best for printing."""

    def __post_init__(self) -> None:
        """Every colour must be one: they are written into the picture."""
        pairs: tuple[tuple[str, object], ...] = (("sides", self.sides), ("pebbles", self.pebbles))
        for name, many in pairs:
            if not isinstance(many, tuple):
                raise OanquanError(f"theme: {name}: expected a tuple of colours, got {many!r}")
        if len((*self.sides,)) != 4 or not self.pebbles:
            raise OanquanError("theme: expected four colours of sides and at least one of pebbles")
        for field in fields(self):
            value = getattr(self, field.name)
            for colour in value if field.name in ("sides", "pebbles") else (value,):
                if field.name != "shaded":
                    checked_colour(f"theme: {field.name}", colour)


THEMES: Final[dict[str, Theme]] = {
    "wood": Theme(),
    "dark": Theme(
        ground="#1b1e23",
        ink="#f1ece2",
        faint="#b8ad9c",
        board="#4a3624",
        edge="#916a3f",
        hollow="#33261b",
        moon="#3d2c1d",
        count="#f6e7cd",
        store="#262a31",
        pebbles=("#b4bec9", "#c9bfb1", "#9aa6b3", "#d6d0c6"),
        mandarin="#d8503f",
        stone_edge="#0f0f10",
        sides=("#8ab8f0", "#f29a86", "#84cf98", "#cfa3ea"),
        on_side="#14161a",
        mark="#ffd43b",
        arrow="#ff9a4d",
        capture="#ff79ab",
        debt="#ff9c94",
    ),
    "print": Theme(
        ground="#ffffff",
        ink="#000000",
        faint="#333333",
        board="#ffffff",
        edge="#000000",
        hollow="#ffffff",
        moon="#ffffff",
        count="#000000",
        store="#ffffff",
        pebbles=("#ffffff",),
        mandarin="#4d4d4d",
        stone_edge="#000000",
        sides=("#000000", "#000000", "#000000", "#000000"),
        on_side="#ffffff",
        mark="#d0d0d0",
        arrow="#000000",
        capture="#000000",
        debt="#000000",
        shaded=False,
    ),
}
"""The themes that have a name: for light and dark pages, and for black ink on paper."""


def theme_of(theme: object) -> Theme:
    """Return the theme of that name, or the theme itself.

    >>> theme_of("print").ink
    '#000000'
    >>> theme_of("pink")
    Traceback (most recent call last):
    oanquan.errors.OanquanError: theme: expected a Theme or one of wood, dark, print, got 'pink'
    """
    if isinstance(theme, Theme):
        return theme
    if isinstance(theme, str) and theme in THEMES:
        return THEMES[theme]
    raise OanquanError(f"theme: expected a Theme or one of {', '.join(THEMES)}, got {theme!r}")


def mixed(colour: str, other: str, share: float) -> str:
    """Return a colour with a share of another one in it.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = [(int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{int(own + (that - own) * share + 0.5):02x}" for own, that in pairs)
