"""The manifest: written last, it says that a run is finished and what its files are."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oanquan.checks import MOST_GAMES, within
from oanquan.files import written_whole
from oanquan.runs.errors import RunError
from oanquan.runs.files import MANIFEST
from oanquan.runs.settings import Settings, digest_of
from oanquan.runs.shards import Shard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_FORM = 1
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
# What reading a text that is no manifest can raise; the last two come from deep nesting and from infinity.
_MALFORMED = (KeyError, TypeError, ValueError, RecursionError, OverflowError)


@dataclass(frozen=True)
class Entry:
    """A shard of a finished run, and its file: the size in bytes and the SHA-256 in hexadecimal digits.

    >>> Entry(Shard(0, 10), 1000, "0" * 64).shard.games
    10
    """

    shard: Shard
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """A finished run: its settings, the number of its games and its files in order.

    >>> Manifest(Settings.of(), 10, (Entry(Shard(0, 10), 1000, "0" * 64),)).games
    10
    """

    settings: Settings
    games: int
    entries: tuple[Entry, ...]

    def write(self, directory: Path) -> None:
        """Write the manifest, whole or not at all.

        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     manifest = Manifest(Settings.of(), 10, (Entry(Shard(0, 10), 1000, "0" * 64),))
        ...     manifest.write(Path(directory))
        ...     Manifest.read(Path(directory)) == manifest
        True
        """
        content = {
            "form": _FORM,
            "digest": self.settings.digest,
            "settings": self.settings.texts(),
            "games": self.games,
            "shards": [
                {
                    "file": entry.shard.name,
                    "first_game": entry.shard.first_game,
                    "end_game": entry.shard.end_game,
                    "bytes": entry.size,
                    "sha256": entry.sha256,
                }
                for entry in self.entries
            ],
        }
        with written_whole(directory / MANIFEST) as unfinished:
            unfinished.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, directory: Path) -> Manifest | None:
        """Return the manifest of a directory, `None` if there is none; `RunError` if it cannot be read.

        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     Manifest.read(Path(directory))
        """
        file = directory / MANIFEST
        if file.exists() and not file.is_file():  # opening a pipe would wait for ever
            raise RunError(str(directory), (f"{MANIFEST} is no manifest of a run (it is no file)",))
        try:
            return cls._of(json.loads(file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except _MALFORMED as error:
            reason = f"{type(error).__name__}: {error}"
            raise RunError(str(directory), (f"{MANIFEST} is no manifest of a run ({reason})",)) from None

    @classmethod
    def _of(cls, content: Any) -> Manifest:
        if content["form"] != _FORM:
            raise ValueError(f"expected form {_FORM}, got {content['form']}")
        if content["digest"] != digest_of(content["settings"]):
            raise ValueError("its digest is not that of its settings")
        settings = Settings.from_texts(content["settings"])
        games = within("games", content["games"], 1, MOST_GAMES)
        entries = tuple(_entry_of(entry) for entry in content["shards"])
        end = 0
        for entry in entries:
            if entry.shard.first_game != end:
                raise ValueError(f"expected game {end} after those before, got {entry.shard.name}")
            end = entry.shard.end_game
        if end != games:
            raise ValueError(f"expected shards of {games} games, got those of {end}")
        return cls(settings, games, entries)


def _entry_of(content: Any) -> Entry:
    first_game = within("first_game", content["first_game"], 0, MOST_GAMES - 1)
    shard = Shard(first_game, within("end_game", content["end_game"], first_game + 1, MOST_GAMES))
    if content["file"] != shard.name:
        raise ValueError(f"expected a file {shard.name}, got {content['file']}")
    if not _SHA256.fullmatch(content["sha256"]):
        raise ValueError(f"sha256: expected 64 hexadecimal digits, got {content['sha256']}")
    return Entry(shard, within("bytes", content["bytes"], 0, MOST_GAMES), content["sha256"])


def entries_of(directory: Path, shards: Iterable[Shard], tick: Callable[[], object]) -> tuple[Entry, ...]:
    """Return the entries of shards that are there, reading their files through; `tick` is called between files.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     _ = Path(directory, Shard(0, 10).name).write_bytes(b"ten games")
    ...     entries_of(Path(directory), [Shard(0, 10)], lambda: None)[0].size
    9
    """
    entries = []
    for shard in shards:
        with (directory / shard.name).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            entries.append(Entry(shard, file.tell(), digest))
        tick()
    return tuple(entries)
