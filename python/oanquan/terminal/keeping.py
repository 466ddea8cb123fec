"""What is kept between two runs: the game that is being played, those that were left, and settings."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platformdirs import user_state_path

from oanquan.errors import OanquanError
from oanquan.files import written_whole
from oanquan.language import LANGUAGES
from oanquan.play import Session
from oanquan.terminal.showing import SPEEDS

if TYPE_CHECKING:
    import os

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
        with suppress(OSError, ValueError), (self.directory / "settings.json").open(encoding="utf-8") as file:
            self.settings = Settings.read(file.read(_MOST_SETTINGS))

    @property
    def current(self) -> Path:
        """The file of the game that is being played.

        >>> Keep("there").current.name
        'current.record'
        """
        return self.directory / "current.record"

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
        """Return the game that was being played, if there is one that can be read.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     Keep(directory).load()
        """
        try:
            session = Session.load(self.current)
        except (OSError, OanquanError):
            return None
        with suppress(OanquanError):
            session.seats = tuple(self.settings.seats.split(" / "))
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
