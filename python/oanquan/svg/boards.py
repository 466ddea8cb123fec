"""Pictures of positions: `board`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.checks import within
from oanquan.language import language
from oanquan.svg.canvas import LINE, canvas_of
from oanquan.svg.document import LEAST_SIZE, MOST_SIZE, document
from oanquan.svg.elements import element, text, width_of, wrapped
from oanquan.svg.marks import arrows_of, move_mark, steps_of, way_marks
from oanquan.svg.saying import description_of, status_of, title_of, way_of
from oanquan.svg.squares import fits, ground, hand, name_text, row_mark, square_group, step_mark
from oanquan.svg.stones import definitions
from oanquan.svg.stores import store_group
from oanquan.svg.themes import theme_of
from oanquan.svg.views import view_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oanquan._core import Move, Step
    from oanquan.svg.canvas import Canvas
    from oanquan.svg.document import Svg
    from oanquan.svg.marks import Arrow
    from oanquan.svg.themes import Theme
    from oanquan.svg.views import Shown, View


def board(  # noqa: PLR0913
    position: Shown,
    *,
    last_move: Move | str | None = None,
    trace: Sequence[Step] | None = None,
    arrows: Sequence[Arrow] = (),
    numbers: bool = True,
    names: bool = True,
    orientation: str = "a",
    size: int | None = None,
    theme: Theme | str = "wood",
    lang: str = "en",
) -> Svg:
    """Return the picture of a position.

    Its squares and stores have `data-square` and `data-side`, and the classes `square citizen`, `square mandarin` and
    `store`; squares that the side to move may move from have `legal` as well.

    Args:
        position: A position; a game, drawn as it stands with its last move; or a frame, with the hand that sows.
        last_move: The move to mark.
        trace: Steps of a move, `position.trace(move)`: the way it went is drawn, and why it stopped.
        arrows: Moves (`"a3+"`) and pairs of squares (`("a3", "b2")`) to draw arrows for; a colour may come last.
        numbers: Whether each square has its number written, or only those with too many pebbles to draw.
        names: Whether the squares have their names.
        orientation: The side at the bottom.
        size: How many pixels wide the picture says it is, 64 to 8192; `None`: it takes the room it is given.
        theme: `"wood"`, `"dark"`, `"print"`, or a `Theme`.
        lang: The language, `"en"` or `"vi"`.

    Raises:
        OanquanError: One of these is out of range, or no square, side, move or theme.

    >>> import oanquan as oaq
    >>> picture = oaq.svg.board(oaq.Position.start(), lang="vi")
    >>> "Đến lượt bên a" in picture
    True
    """
    view = view_of(position, last_move)
    colours, lang = theme_of(theme), language(lang)
    if size is not None:
        size = within("size", size, LEAST_SIZE, MOST_SIZE)
    trace = None if trace is None else steps_of(trace)
    canvas = canvas_of(view.rules, orientation)
    said = status_of(view, lang) if trace is None else way_of(view, trace, lang)
    lines = lines_of(said, canvas)
    body = [
        element("defs", *definitions(colours)),
        paper(canvas, colours, max(len(lines), canvas.lines)),
        *board_parts(canvas, view, colours, lang, numbers=numbers, names=names),
        *([] if view.last_move is None else move_mark(canvas, view.last_move, colours)),
        *([] if trace is None else way_marks(canvas, view.rules, trace, colours)),
        *arrows_of(canvas, arrows, position, colours),
        *line_parts(lines, canvas, colours),
    ]
    height = canvas.height + LINE * max(len(lines), canvas.lines)
    return document(canvas.width, height, title_of(view, lang), description_of(view, lang), body, size)


def board_parts(canvas: Canvas, view: View, theme: Theme, lang: str, *, numbers: bool, names: bool) -> Iterator[str]:
    """Return everything but marks and words."""
    yield ground(canvas, theme)
    for index in range(len(canvas.squares)):
        yield square_group(canvas, index, view, theme, lang, numbers=numbers)
    for side in "abcd"[: view.rules.sides]:
        yield row_mark(canvas, view, side, theme)
    if names:
        yield from (name_text(canvas, square, theme) for square in canvas.squares)
    for side, box in zip("abcd", canvas.stores, strict=False):
        yield store_group(box, side, view, theme, lang)
    if view.step is not None and view.step.square is not None:
        square = canvas.squares[view.rules.square_names.index(view.step.square)]
        yield step_mark(canvas, square, theme)
        if view.hand:
            yield hand(canvas, square, view.hand, theme)


def paper(canvas: Canvas, theme: Theme, lines: int) -> str:
    """Return what the picture is drawn on."""
    return element("rect", width=canvas.width, height=canvas.height + LINE * lines, rx=14, fill=theme.ground)


def lines_of(said: str, canvas: Canvas) -> list[str]:
    """Return the lines of words below a board; one that is a little too long stays one."""
    width = canvas.width - 32
    lines = wrapped(said, _WORDS, width)
    return [said] if len(lines) == 2 and width_of(said, _LEAST_WORDS) <= width else lines


def line_parts(lines: Iterable[str], canvas: Canvas, theme: Theme) -> Iterator[str]:
    """Return the lines of words."""
    for at, line in enumerate(lines):
        size = fits(line, _WORDS, canvas.width - 32)
        yield text((canvas.width / 2, canvas.height + LINE * at + 8), line, size, theme.ink, class_="said")


_WORDS, _LEAST_WORDS = 16, 13
