"""The application: the game that is played, settings, and what is asked."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding

from oanquan.errors import OanquanError
from oanquan.language import language, preferred, say
from oanquan.play import HUMAN, Session
from oanquan.terminal.dialogs import HelpDialog, LoadDialog, NewGame, NewGameDialog, SaveDialog
from oanquan.terminal.game import GameScreen, bottom_of
from oanquan.terminal.keeping import Keep
from oanquan.terminal.painting import GROUND
from oanquan.terminal.showing import SPEEDS

if TYPE_CHECKING:
    from textual.binding import BindingType

    from oanquan._core import Move
    from oanquan.language import Language

_OPPONENT = "casual"


class PlayApp(App[None]):
    """Ô ăn quan in the terminal: `run()` plays until it is left.

    Args:
        session: The game to begin with; by default the one that is kept if it is not over, or what is chosen first.
        keep: Where games and settings are kept.
        lang: `"en"` or `"vi"`; by default what was chosen last, or what the environment asks for.
        speed: One of `SPEEDS`; by default what was chosen last.

    >>> from oanquan.terminal import Keep, PlayApp
    >>> application = PlayApp(Session(seats=("human", "easy")), keep=Keep("there"), lang="vi", speed="fast")
    >>> application.title, application.lang, application.speed
    ('Ô ăn quan', 'vi', 'fast')
    """

    TITLE = "Ô ăn quan"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        # With priority they are heard under dialogs too.
        Binding("ctrl+c", "quit", priority=True),
        Binding("ctrl+z", "suspend_process", priority=True),
    ]
    CSS = f"""
    Screen {{ background: {GROUND}; color: #e8dccb; }}
    #title {{ height: 1; background: #3a2a1c; color: #f0d6a4; padding: 0 1; text-style: bold; }}
    BoardView {{ width: 100%; height: 10; }}
    #telling {{ height: 1fr; padding: 0 1; scrollbar-size: 0 0; overflow-x: hidden; }}
    GameScreen {{ overflow: hidden; }}
    #told {{ color: #cbbda8; height: auto; }}
    #note {{ color: #ffe27a; height: auto; text-style: bold; }}
    #keys {{ height: auto; background: #3a2a1c; color: #cbbda8; link-style: none; link-color: #cbbda8;
             link-style-hover: underline; link-background-hover: #5c4326; }}
    Dialog {{ align: center middle; }}
    .box {{ width: 76; max-width: 100%; height: auto; max-height: 100%; background: #2b221c; border: round #b98a55;
            padding: 0 1; }}
    .head {{ text-style: bold; color: #ffe27a; height: 1; }}
    OptionList {{ height: auto; max-height: 14; background: #2b221c; border: none; padding: 0; }}
    #meaning {{ color: #cbbda8; height: auto; margin-top: 1; }}
    """

    def __init__(
        self,
        session: Session | None = None,
        *,
        keep: Keep | None = None,
        lang: str | None = None,
        speed: str | None = None,
    ) -> None:
        super().__init__()
        self.keep = Keep() if keep is None else keep
        chosen = lang or self.keep.settings.lang
        self.lang: Language = preferred() if chosen is None else language(chosen)
        self.speed = self.keep.settings.speed if speed is None else speed
        if self.speed not in SPEEDS:
            raise OanquanError(f"speed: expected one of {', '.join(SPEEDS)}, got {speed!r}")
        self._asked = session
        self._is_kept = True
        self._opened: tuple[Session, tuple[Move, ...]] | None = None
        """The game that was opened last, as it was then."""

    def on_mount(self) -> None:
        """Begin, ready to be ended from outside."""
        if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
            # Ended by the system itself, the terminal would stay as it is drawn on, and the mouse would go on telling.
            for number in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, self.exit)
        self._begin_first()

    def _begin_first(self) -> None:
        """Begin with the game that was asked for, or with the one that is kept; or ask for one."""
        self.keep.claim()
        kept = self.keep.load()
        if self.keep.aside is not None:
            told = say("terminal.damaged", self.lang, path=self.keep.aside)
            self.notify(told, severity="warning", timeout=20, markup=False)
        if self._asked is not None:
            if kept is not None:
                self._put_away(kept)
            self._begin(self._asked)
        elif kept is not None and kept.moves and not kept.is_over:
            self._begin(kept)
        else:
            if kept is not None:
                self._put_away(kept)
            session = Session(seats=(HUMAN, _OPPONENT)) if kept is None else Session(kept.rules, seats=kept.seats)
            self._begin(session)
            self.ask_new_game(session)

    def on_unmount(self) -> None:
        """Leave the place of the game to the next run."""
        self.keep.release()

    @property
    def session(self) -> Session:
        """The game that is played."""
        return self.game.session

    @property
    def game(self) -> GameScreen:
        """Its screen."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, GameScreen))

    def _begin(self, session: Session) -> None:
        screen = GameScreen(session, bottom_of(session))
        if any(isinstance(screen, GameScreen) for screen in self.screen_stack):
            self.switch_screen(screen)
        else:
            self.push_screen(screen)
        self.keep_game(session)

    def keep_game(self, session: Session | None = None) -> None:
        """Keep the game, so that nothing is lost whatever happens; say once if that is not possible."""
        try:
            self.keep.save(self.session if session is None else session)
        except OSError as error:
            self._not_kept(error)

    def _put_away(self, session: Session) -> None:
        if (session, session.moves) == self._opened:
            return  # it is in the file that it came from
        try:
            self.keep.put_away(session)
        except OSError as error:
            self._not_kept(error)

    def _not_kept(self, error: OSError) -> None:
        if self._is_kept:
            self._is_kept = False
            self.notify(
                say("terminal.not_kept", self.lang, error=error.strerror or error), severity="warning", markup=False
            )

    def _keep_settings(self) -> None:
        try:
            self.keep.save_settings()
        except OSError as error:
            self._not_kept(error)

    def set_speed(self, speed: str) -> None:
        """Show moves at that speed from now on."""
        self.speed = self.keep.settings.speed = speed
        self._keep_settings()

    def switch_language(self) -> None:
        """Speak the other language from now on."""
        self.lang = "en" if self.lang == "vi" else "vi"
        self.keep.settings.lang = self.lang
        self._keep_settings()

    def ask_new_game(self, session: Session) -> None:
        """Ask what a new game is to be, and begin it."""

        def begin(answer: object) -> None:
            if isinstance(answer, NewGame):
                self._replace(Session(answer.rules, seats=answer.seats, seed=session.seed + 1))

        self.push_screen(NewGameDialog(self.lang, session.rules, session.seats), begin)

    def _replace(self, session: Session) -> None:
        """Leave the game that is played for another one."""
        self.game.quiet()
        self._put_away(self.session)
        self._begin(session)

    def ask_save(self, session: Session) -> None:
        """Ask for a file, and save the game there."""

        def told(answer: object) -> None:
            if isinstance(answer, Path):
                self.notify(say("terminal.saved", self.lang, path=answer), markup=False)

        self.push_screen(SaveDialog(self.lang, Path.cwd() / "oanquan.records", session), told)

    def ask_load(self) -> None:
        """Ask for a game of a file, and go on with it."""

        def begin(answer: object) -> None:
            if isinstance(answer, Session):
                self._replace(answer)
                self._opened = answer, answer.moves

        self.push_screen(LoadDialog(self.lang, self.keep.games), begin)

    def show_help(self) -> None:
        """Tell the keys."""
        self.push_screen(HelpDialog(self.lang))
