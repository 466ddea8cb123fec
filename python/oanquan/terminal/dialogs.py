"""What is asked over the board: a new game, files, and the list of keys."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from oanquan import records
from oanquan.errors import OanquanError, RulesError
from oanquan.explaining import knob_title, preset_meaning, preset_title, value_in_words
from oanquan.language import say
from oanquan.play import HUMAN, LEVELS, Session
from oanquan.play.levels import seat_title
from oanquan.rules import PRESETS, Rules
from oanquan.terminal.knobs import changed, values_of
from oanquan.terminal.widgets import Choice, Choices

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

_MOST_LISTED: Final = 1000
_OWN: Final = "own"  # rules without a name
_START: Final = "start"


# Headings have no keys; a key that has a name in each language stands by that.
_HELP: Final = (
    ((), "terminal.help_moving"),
    (("terminal.arrows",), "terminal.help_point"),
    (("1 … 7",), "terminal.help_number"),
    (("Enter",), "terminal.help_choose"),
    (("+", "-"), "terminal.help_sow"),
    (("terminal.mouse",), "terminal.help_mouse"),
    ((), "terminal.help_showing"),
    (("terminal.space",), "terminal.help_pause"),
    (("←", "→"), "terminal.help_step"),
    (("Enter", "x"), "terminal.help_skip"),
    (("w",), "terminal.help_again"),
    (("v",), "terminal.help_speed"),
    ((), "terminal.help_game"),
    (("u", "r"), "terminal.help_undo"),
    (("[", "]"), "terminal.help_look"),
    (("h",), "terminal.help_hint"),
    (("n",), "terminal.help_new"),
    (("s", "o"), "terminal.help_files"),
    (("t",), "terminal.help_turn"),
    (("l",), "terminal.other_language"),
    (("q",), "terminal.help_quit"),
)


class NewGame(NamedTuple):
    """What a new game is to be."""

    rules: Rules
    seats: tuple[str, ...]


class Dialog(ModalScreen[object]):
    """A box over the board; Escape leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave")]

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang = lang

    def action_leave(self) -> None:
        """Go, without an answer."""
        self.dismiss(None)


class NewGameDialog(Dialog):
    """Rules, every knob of them, and who sits where."""

    def __init__(self, lang: str, rules: Rules, seats: tuple[str, ...]) -> None:
        super().__init__(lang)
        self._pairs = dict(rules.pairs())
        self._seats = [*seats, *(HUMAN,) * 4][:4]

    def compose(self) -> ComposeResult:
        """Make the parts."""
        with Vertical(classes="box"):
            yield Static(say("play.new_game", self.lang), classes="head")
            yield Choices()
            yield Static(id="meaning", markup=False)

    def on_mount(self) -> None:
        """Show what there is to choose."""
        self.put()
        self.query_one(Choices).focus()

    def put(self) -> None:
        """Show what is chosen now."""
        self.query_one(Choices).put(self._choices())
        self.tell()

    def _rules(self) -> Rules:
        return Rules.parse(",".join(f"{name}={text}" for name, text in self._pairs.items()))

    def _choices(self) -> list[Choice]:
        lang = self.lang
        made = [Choice(_START, f"▶ {say('play.start', lang)}", (), ())]
        try:
            name = str(self._rules())
        except RulesError:
            name = ""
        names = [*PRESETS] if name in PRESETS else [*PRESETS, _OWN]
        titles = [say("terminal.own_rules", lang) if one == _OWN else preset_title(one, lang) for one in names]
        at = names.index(name) if name in PRESETS else len(names) - 1
        made.append(Choice("rules", say("play.rules", lang), names, titles, at))
        for place in range(int(self._pairs["sides"])):
            seats = [HUMAN, *LEVELS]
            if self._seats[place] not in seats:
                seats.append(self._seats[place])
            title = say("play.side", lang, side="abcd"[place])
            shown = [seat_title(seat, lang) for seat in seats]
            made.append(Choice(f"seat {place}", title, seats, shown, seats.index(self._seats[place])))
        for knob, text in self._pairs.items():
            values = values_of(knob)
            made.append(Choice(knob, knob_title(knob, lang), values, values, values.index(text)))
        return made

    def tell(self) -> None:
        """Tell what is wrong, or what the choice that is pointed at means."""
        choices = self.query_one(Choices)
        at = choices.highlighted
        text = ""
        try:
            self._rules()
        except RulesError as error:
            text = "\n".join(error.faults)
        else:
            if at is not None and at < len(choices.choices):
                text = self._meaning(choices.choices[at])
        self.query_one("#meaning", Static).update(text)

    def _meaning(self, choice: Choice) -> str:
        if choice.name in self._pairs:
            return value_in_words(choice.name, changed(choice.name, choice.value), self.lang)
        if choice.name == "rules" and choice.value in PRESETS:
            return preset_meaning(choice.value, self.lang)
        return say("terminal.how_to_choose", self.lang)

    def on_choices_changed(self, message: Choices.Changed) -> None:
        """Take what was chosen."""
        choice = message.choice
        if choice.name == "rules":
            if choice.value in PRESETS:
                self._pairs = dict(PRESETS[choice.value].rules.pairs())
        elif choice.name in self._pairs:
            self._pairs[choice.name] = choice.value
        else:
            self._seats[int(choice.name.removeprefix("seat "))] = choice.value
        self.put()

    def on_option_list_option_highlighted(self) -> None:
        """Tell what is pointed at."""
        self.tell()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Begin; or choose the next thing."""
        choices = self.query_one(Choices)
        if choices.choices[message.option_index].name != _START:
            choices.action_turn(1)
            return
        try:
            rules = self._rules()
        except RulesError:
            self.tell()
        else:
            self.dismiss(NewGame(rules, tuple(self._seats[: rules.sides])))


class _FileDialog(Dialog):
    """A path to type, and what is wrong with it."""

    head = ""
    help = ""

    def __init__(self, lang: str, path: Path) -> None:
        super().__init__(lang)
        self._path = path

    def compose(self) -> ComposeResult:
        """Make the parts."""
        with Vertical(classes="box"):
            yield Static(say(self.head, self.lang), classes="head")
            yield Input(str(self._path))
            yield OptionList(markup=False)
            yield Static(say(self.help, self.lang), id="meaning", markup=False)

    def on_mount(self) -> None:
        """Wait for a path."""
        self.query_one(OptionList).display = False
        self.query_one(Input).focus()

    def fault(self, error: Exception) -> None:
        """Tell what is wrong."""
        text = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        if isinstance(error, FileNotFoundError):
            text = say("terminal.no_file", self.lang)
        self.query_one("#meaning", Static).update(_plain(text))


class SaveDialog(_FileDialog):
    """Where to save the game: behind the games that the file has."""

    head, help = "play.save", "terminal.how_to_save"

    def __init__(self, lang: str, path: Path, session: Session) -> None:
        super().__init__(lang, path)
        self._session = session

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Save it."""
        try:
            path = _typed(message.value)
            self._session.save(path, append=True)
        except (OSError, OanquanError) as error:
            self.fault(error)
        else:
            self.dismiss(Path(path))


class LoadDialog(_FileDialog):
    """Which game of which file to open."""

    head, help = "play.load", "terminal.how_to_load"

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """List the games of the file; open the only one at once."""
        faults: list[str] = []
        count = 0
        found: deque[records.Headers] = deque(maxlen=_MOST_LISTED)  # what was put away last stands at the end
        try:
            path = _typed(message.value)
            with records.headers(path, on_fault=lambda fault: faults.append(str(fault))) as reader:
                for head in reader:
                    found.append(head)
                    count += 1
        except (OSError, OanquanError) as error:
            self.fault(error)
            return
        self._path = Path(path)
        if count == 1 and not faults:
            self._load(found[0].game)
            return
        games = self.query_one(OptionList)
        games.clear_options()
        games.add_options([Option(_line_of(head), id=str(head.game)) for head in found])
        games.display = bool(found)
        lines = [say("terminal.games_found", self.lang, count=count), *faults[:3]]
        self.query_one("#meaning", Static).update(_plain("\n".join(lines)))
        if found:
            games.highlighted = len(found) - 1
            games.focus()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Open that game."""
        self._load(int(message.option_id or 1))

    def _load(self, game: int) -> None:
        try:
            session = Session.load(self._path, game)
        except (OSError, OanquanError) as error:
            self.fault(error)
        else:
            self.dismiss(session)


def _typed(text: str) -> str:
    """The path that was typed, with `~` as shells read it; a pipe or a device would be waited for without end."""
    path = os.path.expanduser(text.strip())  # noqa: PTH111 (an unknown user's stays as it is, an empty one empty)
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):  # noqa: PTH110, PTH112, PTH113
        raise OanquanError("path: expected a file, got a pipe or a device")
    return path


def _line_of(head: records.Headers) -> str:
    """A game in one line."""
    told = {"Rules": str(Rules()), **head.headers}
    parts = [told.get(name, "") for name in ("Players", "Rules", "Result", "Points", "Date")]
    return _plain(f"{head.game}. " + " · ".join(part for part in parts if part))


def _plain(text: str) -> str:
    """A text that may come from anywhere, with nothing in it that a terminal obeys."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in text)


class HelpDialog(Dialog):
    """The keys."""

    BINDINGS: ClassVar[list[BindingType]] = [("enter,question_mark,f1,q", "leave")]

    def compose(self) -> ComposeResult:
        """Make the parts."""
        with VerticalScroll(classes="box"):
            yield Static(f"{say('play.help', self.lang)} · {say('terminal.how_to_leave', self.lang)}", classes="head")
            yield Static(self._text(), markup=False)

    def _text(self) -> str:
        lines = []
        gap = "\n" if self.app.size.height > len(_HELP) + 6 else ""
        for keys, words in _HELP:
            told = say(words, self.lang)
            named = ", ".join(say(key, self.lang) if "." in key and len(key) > 1 else key for key in keys)
            lines.append(f"  {named:<16} {told}" if keys else f"{gap}{told}")
        return "\n".join(lines)

    def on_click(self) -> None:
        """A click leaves."""
        self.dismiss(None)
