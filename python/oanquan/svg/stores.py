"""Drawing the stores: each with its owner, what it holds, what it is worth and what it owes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.language import say
from oanquan.svg.elements import element, number, text, width_of
from oanquan.svg.squares import contents_of, fits
from oanquan.svg.stones import RADII, mandarin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oanquan.svg.canvas import Box
    from oanquan.svg.themes import Theme
    from oanquan.svg.views import View

_SMALL = 0.6  # the size of stones in a store
_CELL = 2 * max(RADII) * _SMALL + 0.8
_ROWS = 3
_MANDARIN = 18.0


def store_group(box: Box, side: str, view: View, theme: Theme, lang: str) -> str:
    """Return the store of a side."""
    index = "abcd".index(side)
    colour = theme.sides[index]
    active = view.outcome is None and view.turn == side
    frame = element(
        "rect",
        x=box.left,
        y=box.top,
        width=box.width,
        height=box.height,
        rx=12,
        fill=theme.store,
        stroke=colour if active else theme.edge,
        stroke_width=3 if active else 1.2,
    )
    return element(
        "g",
        frame,
        *_owner(box, side, view, theme, lang),
        *_stones(box, view, index, theme),
        *_worth(box, view.points[index], theme, lang),
        text(
            (box.left + 54, box.bottom - 13),
            said := store_words(view, index, lang),
            fits(said, 14, box.width - 66),
            theme.debt if any(debt.debtor == side for debt in view.debts) else theme.ink,
            text_anchor="start",
            class_="contents",
        ),
        class_="store turn" if active else "store",
        data_side=side,
    )


def store_words(view: View, index: int, lang: str) -> str:
    """Return what a store holds, and what its side owes.

    >>> from oanquan import Position
    >>> from oanquan.svg.views import view_of
    >>> store_words(view_of(Position.start()), 0, "vi")
    '0 dân'
    """
    store = view.stores[index]
    held = contents_of(store.pebbles, store.mandarins, lang)
    debts = debts_of(view, "abcd"[index], lang)
    return f"{held} · {debts}" if debts else held


def debts_of(view: View, side: str, lang: str) -> str:
    """Return what a side owes, or has repaid once the game is over; nothing if that is nothing.

    >>> from oanquan import Position
    >>> from oanquan.svg.views import view_of
    >>> debts_of(view_of(Position.start()), "a", "en")
    ''
    """
    owed = [
        say("board.debt", lang, creditor=debt.creditor, pebbles=debt.pebbles)
        for debt in view.debts
        if debt.debtor == side
    ]
    if not owed:
        return ""
    return say("board.owes" if view.outcome is None else "board.repaid", lang, debts=", ".join(owed))


def _owner(box: Box, side: str, view: View, theme: Theme, lang: str) -> Iterator[str]:
    colour = theme.sides["abcd".index(side)]
    yield element("circle", cx=box.left + 27, cy=box.top + 30, r=17, fill=colour)
    yield text((box.left + 27, box.top + 29.5), side, 20, theme.on_side, font_weight="bold")
    title = say("board.side", lang, side=side)
    yield text((box.left + 54, box.top + 17), title, 15, theme.ink, text_anchor="start", font_weight="bold")
    key = _state(side, view)
    if key:
        said = say(f"board.{key}", lang)
        left, width = box.left + 62 + width_of(title, 15) * 1.06, width_of(said, 13) + 18
        yield element("rect", x=left, y=box.top + 7, width=width, height=20, rx=10, fill=colour)
        yield text((left + width / 2, box.top + 17), said, 13, theme.on_side, font_weight="bold", class_="state")


def _state(side: str, view: View) -> str | None:
    """What is said of a side: the end of a sentence, or nothing."""
    if view.outcome is None:
        return "to_move" if view.turn == side else None
    if view.outcome.winner is None:
        return None if view.outcome.ending == "loses" else "drawn"
    return "won" if view.outcome.winner == side else None


def _worth(box: Box, points: int, theme: Theme, lang: str) -> Iterator[str]:
    x = box.right - 42
    shown = str(points).replace("-", "−")
    colour = theme.ink if points >= 0 else theme.debt
    size = fits(shown, 32 if len(shown) < 4 else 26, 76)
    yield text((x, box.top + 30), shown, size, colour, font_weight="bold", class_="points")
    yield text((x, box.top + 56), say("board.points", lang, count=points), 13, theme.faint)


def _stones(box: Box, view: View, index: int, theme: Theme) -> Iterator[str]:
    """The stones of a store in a tray: mandarins first, then pebbles as long as there is room to tell them apart."""
    store = view.stores[index]
    left, right, middle = box.left + 54, box.right - 84, box.top + 48
    reach = _MANDARIN
    shown = store.mandarins if (store.mandarins * (2 * reach + 2) + 60 < right - left) else 1
    for _ in range(shown):
        yield mandarin((left + reach, middle), reach)
        left += 2 * reach + 3
    if shown < store.mandarins:
        said = f"×{store.mandarins}"
        yield text((left, middle), said, 16, theme.ink, text_anchor="start", font_weight="bold")
        left += width_of(said, 16) + 4
    columns = int((right - left - 4) / _CELL)
    count = abs(store.pebbles)
    if count > min(75, columns * _ROWS):
        yield _pebble(0, left + 8, middle)
        said = f"× {store.pebbles}".replace("-", "−")
        size = fits(said, 20, right - left - 18)
        yield text((left + 18, middle), said, size, theme.ink, text_anchor="start", font_weight="bold")
        return
    for number_ in range(count):
        column, row = divmod(number_, _ROWS)
        x = left + 8 + column * _CELL + (row % 2) * 1.6
        y = middle + (row - 1) * (_CELL + 0.3)
        if store.pebbles < 0:
            dashes = {"stroke_dasharray": "2 1.6", "stroke_width": 1.3}
            yield element("circle", cx=x, cy=y, r=4.2, fill="none", stroke=theme.debt, **dashes)
        else:
            yield _pebble(number_ + index, x, y)


def _pebble(shape: int, x: float, y: float) -> str:
    moved = f"translate({number(x)} {number(y)}) scale({_SMALL})"
    return element("use", href=f"#ID-p{shape % len(RADII)}", transform=moved)
