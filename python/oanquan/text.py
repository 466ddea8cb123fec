"""Boards as text, at most 80 columns wide, the owner of every number named: what `oanquan show` prints.

Side a sits at the bottom and sows counter-clockwise to the right; the other sides follow round the board.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from oanquan._core import Move, Position
from oanquan.checks import kind_of
from oanquan.errors import OanquanError
from oanquan.explaining import explain_step
from oanquan.frames import Frame
from oanquan.language import language, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oanquan.language import Language
    from oanquan.rules import Rules

_WIDTH = 80
_SIDES = "abcd"


def board_text(
    position: Position | Frame,
    *,
    ascii: bool = False,  # noqa: A002
    lang: str = "en",
    last_move: Move | str | None = None,
) -> str:
    """Return the board of a position, its stores and debts, whose turn it is and the legal moves.

    In the middle of a move, a `Frame`, the square of the step is in brackets, and what is in the hand is told.

    Args:
        position: What to draw.
        ascii: Draw with ASCII characters alone; Vietnamese then goes without its marks.
        lang: `"en"` or `"vi"`.
        last_move: A move whose square is marked with an arrow.

    Raises:
        OanquanError: A language that is not known, or a move that is none of these rules.

    >>> import oanquan as oaq
    >>> print(oaq.board_text(oaq.Position.start().play("a3+"), last_move="a3+"))
                         side b
               b5    b4    b3    b2    b1
       ╭─────┬─────┬─────┬─────┬─────┬─────┬─────╮
       │     │  6  │  6  │  ·  │  6  │  6  │     │
    bm │ ◉ 1 ├─────┼─────┼─────┼─────┼─────┤ ◉ 1 │ am
       │     │  6  │  6  │  ·  │  ·  │  6  │     │
       ╰─────┴─────┴─────┴─────┴─────┴─────┴─────╯
               a1    a2    a3→   a4    a5
                         side a
    <BLANKLINE>
    store   pebbles  mandarins ◉  points
    side a        6            0       6
    side b        0            0       0
    turn    side b, ply 1
    moves   b1+ b1- b2+ b2- b4+ b4- b5+ b5-
    """
    kind_of("position", position, Position, Frame)
    chosen = language(lang)
    move = None if last_move is None else _played(last_move, position.rules)
    lines = [*_drawing(position, chosen, move), "", *_ledger(position, chosen)]
    text = "\n".join(line.rstrip() for line in lines)
    return in_ascii(text) if ascii else text


def formatted(position: Position, spec: str) -> str:
    """Return what `format(position, spec)` does: the position's text, or a board as `"board"` or `"ascii"`.

    A language may follow, as in `"board:vi"`.

    >>> import oanquan as oaq
    >>> f"{oaq.Position.start():ascii:vi}".splitlines()[-1]
    'nuoc di  a1+ a1- a2+ a2- a3+ a3- a4+ a4- a5+ a5-'
    """
    if not spec:
        return str(position)
    form, separator, lang = spec.partition(":")
    if form not in ("board", "ascii"):
        raise OanquanError(f'format: expected "board" or "ascii", or one with a language, "board:vi", got {spec!r}')
    return board_text(position, ascii=form == "ascii", lang=lang if separator else "en")


def fits(text: str, encoding: str | None) -> bool:
    """Return whether a stream of that encoding can show a text.

    >>> fits("◉", "utf-8"), fits("◉", "latin-1"), fits("Q", None)
    (True, False, True)
    """
    try:
        text.encode(encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def in_ascii(text: str) -> str:
    """Return lines and marks as ASCII has them, and Vietnamese as it is written where its letters are not to be had.

    >>> in_ascii("│ ◉ │ quan và năm dân, đến lượt bên b")
    '| Q | quan va nam dan, den luot ben b'
    """
    plain = unicodedata.normalize("NFD", text.translate(_ASCII).replace("đ", "d").replace("Đ", "D"))
    return "".join(char for char in plain if not unicodedata.combining(char))


# ---- the drawing -----------------------------------------------------------------------------------------------------

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES: Final = {
    _UP | _DOWN: "│",
    _LEFT | _RIGHT: "─",
    _DOWN | _RIGHT: "╭",
    _DOWN | _LEFT: "╮",
    _UP | _RIGHT: "╰",
    _UP | _LEFT: "╯",
    _UP | _DOWN | _RIGHT: "├",
    _UP | _DOWN | _LEFT: "┤",
    _DOWN | _LEFT | _RIGHT: "┬",
    _UP | _LEFT | _RIGHT: "┴",
    _UP | _DOWN | _LEFT | _RIGHT: "┼",
}
_ASCII: Final = str.maketrans(
    dict.fromkeys(_LINES.values(), "+")
    | {"│": "|", "─": "-", "·": ".", "◉": "Q", "→": ">", "←": "<", "↑": "^", "↓": "v", "…": "..."}
)
_CELL = 6
"""Columns from a square to the one beside it, one border included."""


class _Row(NamedTuple):
    """Where a side's row runs, from the corner before its first square."""

    corner: tuple[int, int]
    """In halves of the board's width and in its height."""

    step: tuple[int, int]
    """Columns and lines from square to square, counter-clockwise."""

    arrows: str
    """Counter-clockwise and clockwise."""

    names: str
    """On which side of the squares their names stand."""

    corner_name: str
    """On which side of the mandarin square its name stands."""


_ROWS: Final = {
    2: (_Row((0, 1), (6, 0), "→←", "below", "right"), _Row((2, 0), (-6, 0), "←→", "above", "left")),
    3: (
        _Row((0, 1), (6, 0), "→←", "below", "right"),
        _Row((2, 1), (-3, -2), "↑↓", "right", "above"),
        _Row((1, 0), (-3, 2), "↓↑", "left", "left"),
    ),
    4: (
        _Row((0, 1), (6, 0), "→←", "below", "right"),
        _Row((2, 1), (0, -2), "↑↓", "right", "right"),
        _Row((2, 0), (-6, 0), "←→", "above", "left"),
        _Row((0, 0), (0, 2), "↓↑", "left", "left"),
    ),
}


class _Box(NamedTuple):
    """Where a square is drawn: its upper left corner, its height, and on which side its name stands."""

    x: int
    y: int
    height: int
    names: str

    def beside(self, text: str, away: int = 0, where: str = "") -> tuple[int, int, str]:
        """Where a text stands beside it, that many places further out, and the text."""
        middle = self.y + self.height // 2
        match where or self.names:
            case "left":
                return self.x - 1 - away - len(text), middle, text
            case "right":
                return self.x + _CELL + 2 + away, middle, text
            case "above":
                return self.x + (_CELL - len(text) + 1) // 2, self.y - 1 - away, text
        return self.x + (_CELL - len(text) + 1) // 2, self.y + self.height + 1 + away, text


def _boxes(rules: Rules) -> list[_Box]:
    """Every square of the ring."""
    n, made = rules.squares, []
    width, height = (n + 1) * _CELL, 2 if rules.sides == 2 else 2 * (n + 1)
    for row in _ROWS[rules.sides]:
        x, y = row.corner[0] * width // 2, row.corner[1] * height
        dx, dy = row.step
        made += [_Box(x + k * dx, y + k * dy, 2, row.names) for k in range(1, n + 1)]
        end = _Box(x + (n + 1) * dx, y + (n + 1) * dy, 2, row.corner_name)
        made.append(end._replace(y=0, height=4) if rules.sides == 2 else end)
    return made


class _Canvas:
    """Characters by their place; lines that meet are joined."""

    def __init__(self) -> None:
        self._lines: dict[tuple[int, int], int] = {}
        self._chars: dict[tuple[int, int], str] = {}

    def box(self, box: _Box) -> None:
        """Draw the outline of a square."""
        left, right, top, bottom = box.x, box.x + _CELL, box.y, box.y + box.height
        for x in range(left, right):
            for y in (top, bottom):
                self._join((x, y), _RIGHT)
                self._join((x + 1, y), _LEFT)
        for y in range(top, bottom):
            for x in (left, right):
                self._join((x, y), _DOWN)
                self._join((x, y + 1), _UP)

    def write(self, x: int, y: int, text: str) -> None:
        """Write a text from there to the right."""
        self._chars |= {(place, y): char for place, char in enumerate(text, start=x) if char != " "}

    def rows(self) -> list[str]:
        """Every line of what was drawn."""
        drawn = {place: _LINES[bits] for place, bits in self._lines.items()} | self._chars
        xs, ys = {x for x, _ in drawn}, {y for _, y in drawn}
        across = range(min(xs), max(xs) + 1)
        return ["".join(drawn.get((x, y), " ") for x in across) for y in range(min(ys), max(ys) + 1)]

    def _join(self, place: tuple[int, int], way: int) -> None:
        self._lines[place] = self._lines.get(place, 0) | way


def _drawing(board: Position | Frame, lang: Language, last_move: Move | None) -> list[str]:
    """Every square with its name and what stands in it, and every side beside its row."""
    rules, canvas, boxes = board.rules, _Canvas(), _boxes(board.rules)
    marked = None if isinstance(board, Position) or board.step is None else board.step.square
    for name, box, pebbles, mandarins in zip(rules.square_names, boxes, board.pebbles, board.mandarins, strict=True):
        canvas.box(box)
        inside = " ".join([*["◉"] * mandarins, *[str(pebbles)] * (pebbles > 0)]) or "·"
        canvas.write(box.x + 1, box.y + box.height // 2, f"{inside:^{_CELL - 1}}")
        canvas.write(*box.beside(f"[{name}]" if name == marked else name))
    for side, row in enumerate(_ROWS[rules.sides]):
        first = side * (rules.squares + 1)
        middle = boxes[first + (rules.squares - 1) // 2]
        title = say("text.side", lang, side=_SIDES[side])
        if row.names in ("left", "right"):
            canvas.write(*middle.beside(title, away=5))
        else:
            # Over the middle of the row, which may be between two squares.
            between = rules.squares % 2 == 0
            x, y, _ = middle.beside(title, away=1)
            canvas.write(x + between * row.step[0] // 2, y, title)
        if last_move is not None and last_move.side == _SIDES[side]:
            box = boxes[first + last_move.square - 1]
            name, arrow = f"{last_move.side}{last_move.square}", row.arrows[last_move.direction == "clockwise"]
            x, y, _ = box.beside(name)
            canvas.write(x - 1 if arrow == "←" else x + 2 if row.names != "left" else x - 1, y, arrow)
    return canvas.rows()


def _played(move: Move | str, rules: Rules) -> Move:
    """The move, whose square must be one of the board."""
    if not isinstance(move, Move | str):
        raise TypeError(f"last_move: expected a move, got {type(move).__name__}")
    move = move if isinstance(move, Move) else Move(move)
    if f"{move.side}{move.square}" not in rules.square_names:
        raise OanquanError(f"last_move: expected a move from a square of the board, got {move}")
    return move


# ---- what stands below it --------------------------------------------------------------------------------------------


def _ledger(board: Position | Frame, lang: Language) -> Iterator[str]:
    """Stores and points of each side; debts; then the turn and the moves, the step, or the end."""
    sides = _SIDES[: board.rules.sides]
    heads = [say(f"text.{name}", lang, mark="◉") for name in ("pebbles", "mandarins", "points")]
    columns = [[store.pebbles for store in board.stores], [store.mandarins for store in board.stores], board.points]
    numbered = [(head, *map(str, column)) for head, column in zip(heads, columns, strict=True)]
    titles = [say("text.store", lang), *(say("text.side", lang, side=side) for side in sides)]
    below = list(_titled(board, lang))
    width = max(map(len, [*titles, *(title for title, _ in below)])) + 2
    for line, title in enumerate(titles):
        numbers = "  ".join(f"{column[line]:>{max(map(len, column))}}" for column in numbered)
        yield f"{title:<{width}}{numbers}"
    for title, parts in below:
        yield from _wrapped(f"{title:<{width}}", parts)


def _titled(board: Position | Frame, lang: Language) -> Iterator[tuple[str, list[str]]]:
    """What is told in lines of its own: a title, and words that may go to further lines."""
    over = isinstance(board, Position) and board.is_over
    if board.debts:
        key = "text.debt_repaid" if over else "text.debt"
        debts = [say(key, lang, debtor=d.debtor, creditor=d.creditor, count=d.pebbles) for d in board.debts]
        yield say("text.debts", lang), [*(f"{debt};" for debt in debts[:-1]), debts[-1]]
    if not isinstance(board, Position):
        yield say("text.turn", lang), [say("text.turn_of", lang, side=board.turn, ply=board.ply)]
        if board.step is not None:
            yield say("text.step", lang), [explain_step(board.step, lang)]
        yield say("text.hand", lang), [say("steps.pebbles", lang, count=board.hand)]
    elif board.outcome is None:
        yield say("text.turn", lang), [say("text.turn_of", lang, side=board.turn, ply=board.ply)]
        yield say("text.moves", lang), [str(move) for move in board.legal_moves]
    else:
        outcome, values = board.outcome, {"ply": board.ply, "ending": say(f"text.ending_{board.outcome.ending}", lang)}
        # Who could not re-seed has lost; if the others share the most points, that is no draw of all.
        nobody = "text.shared" if outcome.ending == "loses" else "text.draw"
        key = nobody if outcome.winner is None else "text.wins"
        yield say("text.over", lang), say(key, lang, winner=outcome.winner, **values).split()


def _wrapped(title: str, words: list[str]) -> Iterator[str]:
    line = title + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = " " * len(title) + word
        else:
            line += f" {word}"
    yield line
