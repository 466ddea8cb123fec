"""What is kept between two runs: the game that is being played, those that were left, and settings."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platformdirs import user_state_path

from oanquan import records
from oanquan.errors import OanquanError
from oanquan.files import written_whole
from oanquan.language import LANGUAGES
from oanquan.play import Session
from oanquan.terminal.showing import SPEEDS

if TYPE_CHECKING:
    import os
    from typing import IO

_FIRST: Final = "current"
_MOST_PROCESSES: Final = 100
_MOST_SETTINGS: Final = 10_000  # bytes; more was not written here


@dataclass
class Settings:
    """What a person has chosen.

    >>> Settings().speed
    'normal'
    """

    lang: str | None = None
    """`None` while nobody has switched it: then the environment decides."""

    speed: str = "normal"
    """One of `SPEEDS`."""

    seats: str = ""
    """Who sits in the game that is kept, joined by `" / "`: agents that a record alone is not trusted with."""

    @classmethod
    def read(cls, text: str) -> Settings:
        """Return the settings of a text; what is not of the form is as if it were not there.

        >>> Settings.read('{"speed": "fast", "lang": 5}'), Settings.read("no JSON")
        (Settings(lang=None, speed='fast', seats=''), Settings(lang=None, speed='normal', seats=''))
        """
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(found, dict):
            return cls()
        names = {field.name for field in fields(cls)}
        made = cls(**{name: value for name, value in found.items() if name in names and isinstance(value, str)})
        if made.lang not in LANGUAGES:
            made.lang = None
        if made.speed not in SPEEDS:
            made.speed = cls.speed
        return made


class Keep:
    """A directory of its own.

    Args:
        directory: Where; by default where programs of this machine keep such things.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     keep, session = Keep(directory), Session()
    ...     session.play("a3+")
    ...     keep.save(session)
    ...     keep.load().last_move
    Move('a3+')
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None) -> None:
        self.directory = user_state_path("oanquan", appauthor=False) if directory is None else Path(directory)
        self.settings = Settings()
        self.aside: Path | None = None
        """Where what was kept and cannot be read was put."""
        self._name = _FIRST
        self._claimed: IO[bytes] | None = None
        settings = self.directory / "settings.json"
        if settings.is_file():
            with suppress(OSError, ValueError), settings.open(encoding="utf-8") as file:
                self.settings = Settings.read(file.read(_MOST_SETTINGS))

    def claim(self) -> None:
        """Take the place of the game that is being played for this process alone, until `release`.

        Another process that plays at the same time has a place of its own; what one of those left there is put to the
        games that were left.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     keep, other = Keep(directory), Keep(directory)
        ...     keep.claim()
        ...     other.claim()
        ...     keep.current == other.current
        ...     keep.release()
        ...     other.release()
        False
        """
        self.release()
        with suppress(OSError):
            self.directory.mkdir(parents=True, exist_ok=True)
            for number in range(1, _MOST_PROCESSES + 1):
                name = _FIRST if number == 1 else f"{_FIRST}-{number}"
                if (claimed := _claimed(self.directory / f"{name}.lock")) is not None:
                    self._name, self._claimed = name, claimed
                    break
            self._gather()

    def release(self) -> None:
        """Leave the place to others."""
        if self._claimed is not None:
            self._claimed.close()
            self._claimed = None

    def _gather(self) -> None:
        """Put away the games of processes that are no more."""
        for path in sorted(self.directory.glob(f"{_FIRST}-*.record")):
            if path == self.current or not path.is_file():
                continue
            claimed = _claimed(path.with_suffix(".lock"))
            if claimed is not None:
                with claimed, suppress(OanquanError):
                    self.put_away(Session.load(path))
                    path.unlink()

    @property
    def current(self) -> Path:
        """The file of the game that is being played.

        >>> Keep("there").current.name
        'current.record'
        """
        return self.directory / f"{self._name}.record"

    @property
    def games(self) -> Path:
        """The file of the games that were left.

        >>> Keep("there").games.name
        'games.records'
        """
        return self.directory / "games.records"

    def save(self, session: Session) -> None:
        """Keep the game and the settings; `OSError` where that is not possible.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     Keep(directory).save(Session(seats=["human", "search:depth=2"]))
        ...     Keep(directory).load().seats
        ('human', 'search:depth=2')
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        session.save(self.current)
        seats = " / ".join(session.seats)
        if seats != self.settings.seats:
            self.settings.seats = seats
            self.save_settings()

    def save_settings(self) -> None:
        """Keep the settings.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     keep = Keep(directory)
        ...     keep.settings.lang = "vi"
        ...     keep.save_settings()
        ...     Keep(directory).settings.lang
        'vi'
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        with written_whole(self.directory / "settings.json") as unfinished:
            unfinished.write_text(json.dumps(asdict(self.settings)), encoding="utf-8")

    def load(self) -> Session | None:
        """Return the game that was being played, if there is one that can be read; another is put aside.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     Keep(directory).load()
        """
        self.aside = None
        if not self.current.is_file():
            return None
        try:
            session = Session.load(self.current)
            with records.headers(self.current) as found:
                written = next(found).headers.get("Seats")
        except OSError:
            return None
        except OanquanError:
            aside = self.current.with_suffix(".damaged")
            with suppress(OSError):
                if self.current.stat().st_size:
                    self.current.replace(aside)
                    self.aside = aside
            return None
        if written == self.settings.seats:  # not those of another game
            with suppress(OanquanError):
                session.seats = tuple(written.split(" / "))
        return session

    def put_away(self, session: Session) -> None:
        """Put a game that is left to those before, unless no move was made.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     keep, session = Keep(directory), Session()
        ...     keep.put_away(session)
        ...     session.play("a3+")
        ...     keep.put_away(session)
        ...     Session.load(keep.games).last_move
        Move('a3+')
        """
        if session.moves:
            self.directory.mkdir(parents=True, exist_ok=True)
            session.save(self.games, append=True)


def _claimed(path: Path) -> IO[bytes] | None:
    """A file that no other process holds, held until it is closed; `None` if one does."""
    file = path.open("ab")
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return None
        except OSError:  # of a file system without locks: as if nobody else played
            pass
    return file
