"""The screen on which a game is played: board, sentences, and the keys there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from textual.containers import VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from oanquan.errors import OanquanError
from oanquan.explaining import explain_outcome, preset_title
from oanquan.language import say
from oanquan.play import HUMAN, Stop
from oanquan.play.levels import seat_title
from oanquan.rules import PRESETS
from oanquan.terminal.aiming import Aim
from oanquan.terminal.painting import Marks
from oanquan.terminal.showing import SPEEDS, Showing
from oanquan.terminal.widgets import BoardView

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer

    from oanquan._core import Move
    from oanquan.play import Hint, Session
    from oanquan.terminal.app import PlayApp

_KEYS: Final = (
    ("n", "new", "play.new_game"),
    ("u", "undo", "play.undo"),
    ("r", "redo", "play.redo"),
    ("h", "hint", "play.hint"),
    ("w", "again", "terminal.again"),
    ("v", "speed", "play.speed"),
    ("s", "save", "play.save"),
    ("o", "open", "play.load"),
    ("t", "turn", "terminal.turn_board"),
    ("l", "language", "terminal.other_language"),
    ("?", "help", "play.help"),
    ("q", "quit", "play.quit"),
)
_HINT_SECONDS: Final = 1.0
_LEAST_TOLD = 3
"""Lines for sentences and whose turn it is."""


@dataclass
class Thought(Message):
    """An agent has chosen."""

    word: Stop
    move: Move | None
    fault: str = ""


@dataclass
class Hinted(Message):
    """A hint is there."""

    word: Stop
    hint: Hint | None
    fault: str = ""


class GameScreen(Screen[None]):
    """A game, its moves shown step by step."""

    app: PlayApp
    BINDINGS: ClassVar[list[BindingType]] = [
        *((key, action) for key, action, _ in _KEYS if key != "?"),
        ("question_mark,f1", "help"),
        *((key, f"arrow('{key}')") for key in ("left", "right", "up", "down")),
        ("enter", "choose"),
        ("space", "pause"),
        ("escape,x", "leave"),
        ("plus,equals_sign", "sow('+')"),
        ("minus", "sow('-')"),
        ("full_stop", "step(1)"),
        ("comma", "step(-1)"),
        ("left_square_bracket", "look(-1)"),
        ("right_square_bracket", "look(1)"),
        *((str(number), f"point({number})") for number in range(1, 8)),
    ]

    def __init__(self, session: Session, bottom: str) -> None:
        super().__init__()
        self.session, self.bottom = session, bottom
        self.aim: Aim | None = None
        self.showing: Showing | None = None
        self.is_paused = False
        self.is_waiting = False
        """Whether an agent is at the turn that nobody has told to go on."""
        self.note = ""
        """What is said last, below the sentences."""
        self._timer: Timer | None = None
        self._stop: Stop | None = None
        self._hinted: Move | None = None

    # ---- the parts of the screen ----------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield Static(id="title")
        yield BoardView(self.session.position, bottom=self.bottom, lang=self.app.lang)
        with VerticalScroll(id="telling", can_focus=False):
            yield Static(id="told", markup=False)
            yield Static(id="note", markup=False)
        yield Static(id="keys")

    @property
    def board(self) -> BoardView:
        """The board."""
        return self.query_one(BoardView)

    def on_mount(self) -> None:
        """Begin."""
        self.fit()
        self.proceed()

    def on_resize(self, event: events.Resize) -> None:
        """Fit what is there into the room."""
        self.fit(event.size.width, event.size.height)
        self.draw()

    def fit(self, width: int | None = None, height: int | None = None) -> None:
        """Give every part its room: the board as much as the others can spare."""
        width, height = width or self.app.size.width, height or self.app.size.height
        keys = self._keys(width)
        lines = len(keys) if height >= 16 else 0
        title = 1 if height >= 12 else 0
        self.query_one("#keys", Static).update("\n".join(keys))
        self.query_one("#keys").display = bool(lines)
        self.query_one("#title").display = bool(title)
        # Two rows need little room; a triangle and a quadrilateral need all that the sentences can spare.
        told = height // 3 if self.session.rules.sides == 2 else min(_LEAST_TOLD, height // 4)
        self.board.fit(width, height - lines - title - max(1, told))

    def _keys(self, width: int) -> list[str]:
        """The keys with what they do, in as many lines as they need; each can be clicked on."""
        lines, used = [""], 0
        for key, action, words in _KEYS:
            text = say(words, self.app.lang)
            if action == "speed":
                text += f": {say(f'terminal.speed_{self.app.speed}', self.app.lang)}"
            size = len(key) + len(text) + 3
            if used + size > width and used:
                lines.append("")
                used = 0
            lines[-1] += f" [@click=screen.{action}][b]{key}[/b] {text}[/] "
            used += size
        return lines

    def draw(self) -> None:
        """Show the board, what is told, and whose turn it is."""
        view, lang = self.board, self.app.lang
        view.bottom, view.lang = self.bottom, lang
        if self.showing is not None and not self._is_still:
            view.update(self.showing.frame, self.showing.marks())
        else:
            view.update(self.session.position, self._marks())
        if self.aim is not None and self.aim.plan is not view.painting.plan:
            self.aim.plan = view.painting.plan
            view.update(marks=self._marks())
        told = self.showing.sentences() if self.showing is not None else ()
        self.query_one("#title", Static).update(self._title())
        self.query_one("#told", Static).update("\n".join(told))
        self.query_one("#told").display = bool(told)
        self.query_one("#note", Static).update(self._note())
        self.query_one("#telling", VerticalScroll).scroll_end(animate=False)

    @property
    def _is_still(self) -> bool:
        """Whether the board of the session is what is to be seen."""
        return self.showing is None or (self.showing.is_done and not self.is_paused)

    def _title(self) -> str:
        rules, lang = str(self.session.rules), self.app.lang
        name = preset_title(rules, lang) if rules in PRESETS else rules
        seats = "  ".join(
            f"{side}: {seat_title(seat, lang)}" for side, seat in zip("abcd", self.session.seats, strict=False)
        )
        return f"Ô ăn quan · {name} · {seats}".replace("[", "\\[")

    def _note(self) -> str:
        if self.is_paused:
            return say("terminal.paused", self.app.lang)
        if not self._is_still:
            return self.note
        return f"{self.note}\n{self._asked()}".strip()

    def _asked(self) -> str:
        """What is to be done now, which a hint or a fault does not hide."""
        lang, position = self.app.lang, self.session.position
        if self.session.outcome is not None:
            return explain_outcome(self.session.outcome, lang)
        if self.is_waiting:
            return say("terminal.waiting", lang, side=position.turn)
        if self.aim is None:
            return say("play.thinking", lang, side=position.turn)
        turn = say("play.turn", lang, side=position.turn)
        if not self.aim.chosen:
            return f"{turn} {say('terminal.choose_square', lang)}"
        ways = "  ".join(
            sorted((f"{self.aim.sign(sign)} {move}" for sign, move in self.aim.ways().items()), reverse=True)
        )
        return f"{turn} {say('terminal.choose_direction', lang, ways=ways)}"

    def _marks(self) -> Marks:
        kinds: dict[str, str] = {}
        signs: dict[str, str] = {}
        if self.session.last_move is not None:
            kinds[str(self.session.last_move)[:-1]] = "last"
        if self.aim is not None:
            kinds |= dict.fromkeys(self.aim.squares, "legal")
            if self._hinted is not None:
                square = str(self._hinted)[:-1]
                kinds[square] = "hint"
                signs[square] = str(self._hinted)[-1]
            kinds[self.aim.square] = "chosen" if self.aim.chosen else "cursor"
            kinds |= dict.fromkeys(self.aim.signs(), "target")
            signs |= self.aim.signs()
        return Marks(kinds, signs)

    # ---- the course of a game -------------------------------------------------------------------------------------

    def quiet(self) -> None:
        """End whatever is going on: thinking, showing, hints."""
        if self._stop is not None:
            self._stop.now()
            self._stop = None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.aim, self.showing, self._hinted = None, None, None
        self.is_paused = self.is_waiting = False
        self.note = ""

    def proceed(self) -> None:
        """Go on from the board as it stands: ask a person, let an agent think, or tell how the game came out."""
        session = self.session
        if session.turn_is_human:
            self.aim = Aim(session.position, self.board.painting.plan)
        elif not session.is_over:
            if session.can_redo:
                self.is_waiting = True
            else:
                self._think()
        self.draw()

    def _think(self) -> None:
        stop = self._stop = Stop()
        self.is_waiting = False
        session = self.session

        def work() -> None:
            try:
                self.post_message(Thought(stop, session.think(stop)))
            except (OanquanError, OSError, MemoryError) as error:
                self.post_message(Thought(stop, None, str(error) or type(error).__name__))

        self.run_worker(work, thread=True, group="thinking")

    def on_thought(self, message: Thought) -> None:
        """Make the move that an agent has chosen, if it is still waited for."""
        if message.word is not self._stop:
            return
        self._stop = None
        if message.move is not None:
            self.make(message.move)
        else:
            self.is_waiting = True
            self.note = message.fault
            self.draw()

    def make(self, move: Move) -> None:
        """Make a move and show it."""
        position = self.session.position
        self.quiet()
        self.session.play(move)
        self.app.keep_game()
        self.show_move(Showing(position, move, self.app.lang))

    def show_move(self, showing: Showing) -> None:
        """Show a move step by step, or at once at the highest speed."""
        self.showing = showing
        if SPEEDS[self.app.speed] == 0:
            showing.finish()
            self.proceed()
        else:
            self._tick()

    def _tick(self) -> None:
        if self.showing is None or self.is_paused:
            return
        if self.showing.is_done:
            self._timer = None
            self.proceed()
            return
        self.showing.forward()
        self.draw()
        self._timer = self.set_timer(SPEEDS[self.app.speed] or 0.01, self._tick)

    def _is_showing(self) -> bool:
        """Whether a move is being shown, or paused in."""
        return self.showing is not None and self.aim is None and (self._timer is not None or self.is_paused)

    # ---- keys -----------------------------------------------------------------------------------------------------

    def _try(self, move: Move | None) -> None:
        """Make a move, if there is one."""
        if move is None:
            self.draw()
        else:
            self.make(move)

    def action_arrow(self, key: str) -> None:
        """Point at another square, or choose the direction; while a move is shown, go through its steps."""
        if self.aim is not None:
            self._try(self.aim.arrow(key))
        elif key in ("left", "right"):
            self.action_step(1 if key == "right" else -1)

    def action_choose(self) -> None:
        """Choose the square that is pointed at; show the rest of a move at once; or let an agent go on."""
        if self.aim is not None:
            self._try(self.aim.choose())
        elif self._is_showing():
            self.action_leave()
        elif self.is_waiting:
            self._think()
            self.draw()

    def action_point(self, number: int) -> None:
        """Point at a square of one's own by its number."""
        if self.aim is not None:
            self.aim.point(f"{self.session.position.turn}{number}")
            self.draw()

    def action_sow(self, sign: str) -> None:
        """Sow the square that is pointed at in a direction."""
        if self.aim is not None:
            self._try(self.aim.sow(sign))

    def on_board_view_pressed(self, message: BoardView.Pressed) -> None:
        """Take a click on the board."""
        if self.aim is not None:
            self._try(self.aim.press(message.square))
        elif self._is_showing():
            self.action_leave()

    def action_pause(self) -> None:
        """Pause what is shown or an agent that thinks, or go on with it; or choose a square."""
        if not self._is_showing():
            if self.aim is None and self._stop is not None:
                self.quiet()
                self.is_waiting = True
                self.draw()
            else:
                self.action_choose()
            return
        self.is_paused = not self.is_paused
        if self.is_paused:
            self._end_timer()
            self.draw()
        else:
            self._tick()

    def action_step(self, step: int) -> None:
        """Show the next step of the move or the one before, and pause."""
        if self.showing is None or not self._is_showing():
            return
        self._end_timer()
        self.is_paused = True
        if step > 0 and self.showing.is_done:
            self.action_leave()
            return
        if step > 0:
            self.showing.forward()
        else:
            self.showing.back()
        self.draw()

    def _end_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def action_leave(self) -> None:
        """Show the rest of the move at once; or take the choice of a square back."""
        if self.aim is not None:
            self.aim.chosen = False
            self.draw()
        elif self._is_showing() and self.showing is not None:
            self._end_timer()
            self.is_paused = False
            self.showing.finish()
            self.proceed()

    def action_again(self) -> None:
        """Show the last move once more."""
        if self.session.ply == 0:
            return
        before = self.session.positions[self.session.ply - 1]
        move = self.session.moves[self.session.ply - 1]
        self.quiet()
        self.showing = Showing(before, move, self.app.lang)
        self.draw()
        if SPEEDS[self.app.speed] == 0:
            self.is_paused = True
            self.draw()
        else:
            self._timer = self.set_timer(SPEEDS[self.app.speed], self._tick)

    # ---- back and forth, hints --------------------------------------------------------------------------------------

    def action_undo(self) -> None:
        """Go back to the last decision of a person."""
        if self.session.can_undo:
            self._go(self.session.undo)

    def action_redo(self) -> None:
        """Go forward again."""
        if self.session.can_redo:
            self._go(self.session.redo)

    def action_look(self, step: int) -> None:
        """Look at the board one move before or later."""
        ply = self.session.ply + step
        if 0 <= ply <= len(self.session.moves):
            self._go(lambda: self.session.goto(ply))

    def _go(self, change: Callable[[], None]) -> None:
        self.quiet()
        change()
        self.app.keep_game()
        self.proceed()

    def action_hint(self) -> None:
        """Look for a good move, for the person at the turn."""
        if self.aim is None or self._stop is not None:
            return
        stop = self._stop = Stop()
        session, seconds = self.session, _HINT_SECONDS
        self.note = say("terminal.looking", self.app.lang)
        self.draw()

        def work() -> None:
            try:
                self.post_message(Hinted(stop, session.hint(seconds, stop)))
            except (OanquanError, MemoryError) as error:
                self.post_message(Hinted(stop, None, str(error) or type(error).__name__))

        self.run_worker(work, thread=True, group="hints")

    def on_hinted(self, message: Hinted) -> None:
        """Tell the hint, if it is still waited for."""
        if message.word is not self._stop:
            return
        self._stop = None
        if message.hint is None:
            self.note = message.fault
        else:
            self.note = message.hint.words(self.app.lang)
            self._hinted = message.hint.move
            if self.aim is not None:
                self.aim.point(str(self._hinted)[:-1])
        self.draw()

    # ---- everything else ---------------------------------------------------------------------------------------------

    def action_speed(self) -> None:
        """Take the next speed."""
        names = [*SPEEDS]
        self.app.set_speed(names[(names.index(self.app.speed) + 1) % len(names)])
        self.fit()
        self.draw()

    def action_turn(self) -> None:
        """Put the next side at the bottom."""
        sides = self.session.rules.sides
        self.bottom = "abcd"[("abcd".index(self.bottom) + 1) % sides]
        self.draw()

    def action_language(self) -> None:
        """Speak the other language."""
        self.app.switch_language()
        if self.showing is not None:
            self.showing.speak(self.app.lang)
        self.note = ""
        self.fit()
        self.draw()

    def action_new(self) -> None:
        """Choose a new game."""
        self._hold()
        self.app.ask_new_game(self.session)

    def action_save(self) -> None:
        """Save the game to a file."""
        self._hold()
        self.app.ask_save(self.session)

    def action_open(self) -> None:
        """Open a game of a file."""
        self._hold()
        self.app.ask_load()

    def action_help(self) -> None:
        """Tell the keys."""
        self._hold()
        self.app.show_help()

    def _hold(self) -> None:
        """Pause what is shown while something else is on the screen."""
        if self._is_showing() and not self.is_paused:
            self.action_pause()

    def action_quit(self) -> None:
        """Leave; the game is kept."""
        self.quiet()
        self.app.exit()

    def on_unmount(self) -> None:
        """Let nothing go on thinking."""
        self.quiet()


def bottom_of(session: Session) -> str:
    """Return the side that sits at the bottom: that of the first person.

    >>> from oanquan.play import Session
    >>> bottom_of(Session(seats=("easy", "human"))), bottom_of(Session(seats=("easy", "easy")))
    ('b', 'a')
    """
    return "abcd"[session.seats.index(HUMAN)] if HUMAN in session.seats else "a"
