"""The board, and a list of things to choose, as textual's widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from oanquan.terminal.painting import Marks, Painting, paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.binding import BindingType

    from oanquan.terminal.painting import Board


class BoardView(Widget):
    """A board, as large as there is room."""

    @dataclass
    class Pressed(Message):
        """Somebody has clicked on a square, or beside all of them."""

        square: str | None

    def __init__(self, board: Board, *, bottom: str, lang: str) -> None:
        super().__init__()
        self.board, self.bottom, self.lang = board, bottom, lang
        self.marks = Marks()
        self._room = (80, 16)
        self.painting: Painting = self._painted()

    def _painted(self) -> Painting:
        width, height = self._room
        return paint(self.board, width, height, bottom=self.bottom, marks=self.marks, lang=self.lang)

    def fit(self, width: int, height: int) -> None:
        """Be as large as this allows."""
        self._room = (max(1, width), max(1, height))
        self.update()

    def update(self, board: Board | None = None, marks: Marks | None = None) -> None:
        """Paint it anew, with another board or other marks."""
        self.board = self.board if board is None else board
        self.marks = self.marks if marks is None else marks
        self.painting = self._painted()
        self.styles.height = self.painting.canvas.height
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line of the screen, as textual asks for it."""
        canvas = self.painting.canvas
        return Strip(canvas.line(y), canvas.width) if y < canvas.height else Strip.blank(self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Tell which square it was."""
        event.stop()
        self.post_message(self.Pressed(self.painting.square_at(event.x, event.y)))


@dataclass
class Choice:
    """A thing to choose, and what there is to choose from."""

    name: str
    title: str
    values: Sequence[str]
    """What each is called inside."""

    titles: Sequence[str]
    """What each is called for people."""

    at: int = 0

    @property
    def value(self) -> str:
        """What is chosen."""
        return self.values[self.at]


class Choices(OptionList):
    """A list of things to choose, with what is chosen; the left and right arrow keys choose something else."""

    BINDINGS: ClassVar[list[BindingType]] = [("left", "turn(-1)"), ("right", "turn(1)"), ("space", "select")]

    @dataclass
    class Changed(Message):
        """Something else is chosen."""

        choice: Choice

    def __init__(self) -> None:
        super().__init__()
        self.choices: list[Choice] = []

    def put(self, choices: Sequence[Choice]) -> None:
        """Have these choices, and stay at the one of the same name."""
        at = self.highlighted
        before = self.choices[at].name if at is not None and at < len(self.choices) else None
        self.choices = [*choices]
        wide = max((len(choice.title) for choice in choices), default=0)
        self.clear_options()
        self.add_options([Option(_shown(choice, wide)) for choice in choices])
        names = [choice.name for choice in choices]
        self.highlighted = names.index(before) if before in names else 0

    def action_turn(self, step: int) -> None:
        """Choose the next thing, or the one before."""
        if self.highlighted is None:
            return
        choice = self.choices[self.highlighted]
        if len(choice.values) > 1:
            choice.at = (choice.at + step) % len(choice.values)
            self.post_message(self.Changed(choice))


def _shown(choice: Choice, wide: int) -> str:
    title = choice.title.replace("[", "\\[")
    if not choice.values:
        return f"[b]{title}[/b]"
    return f"{title.ljust(wide)}  [dim]‹[/dim] [b]{choice.titles[choice.at]}[/b] [dim]›[/dim]"
