"""Shards: the one function that plays them, what their files say of themselves, and which ones are missing."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan.errors import OanquanError
from oanquan.files import written_whole
from oanquan.runs.files import shard_name, shard_range
from oanquan.runs.settings import digest_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from oanquan.runs.settings import Settings

SAMPLE = 1000
_PREFIX = "oanquan."
_RANGE = ("first_game", "end_game")


@dataclass(frozen=True, order=True)
class Shard:
    """A half-open range of games in a file of its own.

    >>> shard = Shard(1_000_000, 1_500_000)
    >>> shard.games, shard.name
    (500000, 'games-000001000000-000001500000.parquet')
    """

    first_game: int
    """The number of the first game."""

    end_game: int
    """One more than the number of the last."""

    @property
    def games(self) -> int:
        """How many games it has.

        >>> Shard(10, 15).games
        5
        """
        return self.end_game - self.first_game

    @property
    def name(self) -> str:
        """The name of its file.

        >>> Shard(10, 15).name
        'games-000000000010-000000000015.parquet'
        """
        return shard_name(self.first_game, self.end_game)


@dataclass(frozen=True)
class Task:
    """A shard to play: all that a worker is told, wherever it runs.

    >>> from oanquan.runs.settings import Settings
    >>> Task("games", Settings.of(), Shard(0, 10), threads=1).shard.games
    10
    """

    directory: str
    settings: Settings
    shard: Shard
    threads: int


def play_shard(task: Task, progress: Callable[[int, int], object] | None = None) -> OSError | None:
    """Play a shard into its file: the work of every executor. Playing it twice makes the same file twice.

    A system error is returned, not raised, so that it comes whole from whatever process this runs in.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from oanquan.runs.settings import Settings
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     play_shard(Task(directory, Settings.of(seed=7), Shard(20, 50), threads=1))
    ...     [file.name for file in Path(directory).iterdir()]
    ['games-000000000020-000000000050.parquet']
    """
    settings, shard = task.settings, task.shard
    try:
        with written_whole(Path(task.directory, shard.name)) as unfinished:
            _core.write_shard(
                str(unfinished),
                settings.position,
                shard.first_game,
                shard.games,
                list(settings.agents),
                settings.seed,
                task.threads,
                settings.max_plies,
                settings.repetition,
                settings.moves,
                settings.positions,
                footer(settings, shard),
                progress,
            )
    except OSError as error:
        return error
    return None


def footer(settings: Settings, shard: Shard) -> list[tuple[str, str]]:
    """Return what a shard's file says of itself, as keys and values.

    >>> from oanquan.runs.settings import Settings
    >>> footer(Settings.of(seed=7), Shard(0, 10))[1]
    ('oanquan.rules', 'mancala-world')
    """
    parts = {"digest": settings.digest, **settings.texts()}
    parts |= {"first_game": str(shard.first_game), "end_game": str(shard.end_game)}
    return [(_PREFIX + name, text) for name, text in parts.items()]


@dataclass
class Survey:
    """What the files of a directory say of themselves.

    >>> Survey(shards=[Shard(0, 10), Shard(20, 25)]).games
    15
    """

    shards: list[Shard] = field(default_factory=list)
    """Whole shards with the settings that are looked for. They are in order and do not overlap."""

    others: dict[str, dict[str, str]] = field(default_factory=dict)
    """Whole shards with other settings: the texts of those, by the names of the files."""

    faulty: dict[str, str] = field(default_factory=dict)
    """What is wrong with the rest of what has a shard's name, by that name."""

    unreadable: dict[str, OSError] = field(default_factory=dict)
    """Why nothing is known of files with a shard's name: what the system said, by that name."""

    @property
    def games(self) -> int:
        """How many games the whole shards have.

        >>> Survey(shards=[Shard(0, 10)]).games
        10
        """
        return sum(shard.games for shard in self.shards)


def survey(directory: Path, digest: str) -> Survey:
    """Look at the footer of every shard of a directory, for those with settings of a digest.

    Nothing else is believed, neither the manifest nor the names.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     _ = Path(directory, Shard(0, 10).name).write_text("no shard")
    ...     [*survey(Path(directory), "0" * 64).faulty]
    ['games-000000000000-000000000010.parquet']
    """
    found = Survey()
    whole = []
    for file in directory.iterdir():
        if (games := shard_range(file.name)) is None:
            continue
        try:
            if not file.is_file():  # opening a pipe would wait for ever
                if file.is_symlink() or file.exists():
                    found.faulty[file.name] = "it is no file"
                continue
            texts = _texts(file, Shard(*games))
        except OanquanError as error:
            found.faulty[file.name] = reason(error, file)
        except OSError as error:
            found.unreadable[file.name] = error
        else:
            if digest_of(texts) == digest:
                whole.append(Shard(*games))
            else:
                found.others[file.name] = texts
    end = 0
    # Of those that begin with the same game the longest comes first, and stays.
    for shard in sorted(whole, key=lambda shard: (shard.first_game, -shard.end_game)):
        if shard.first_game < end:
            found.faulty[shard.name] = f"its games are in {found.shards[-1].name} too"
        else:
            found.shards.append(shard)
            end = shard.end_game
    return found


def reason(error: Exception, path: Path) -> str:
    """Return what an error says without the path that may stand before it.

    >>> reason(OanquanError("x/y: it is torn"), Path("x/y"))
    'it is torn'
    """
    return str(error).removeprefix(f"{path}: ")


def _texts(file: Path, shard: Shard) -> dict[str, str]:
    """The texts of the settings in a file's footer; `OanquanError` if it is not the whole shard that its name says."""
    rows, first_game, end_game, pairs = _core.shard_info(str(file))
    texts = {key.removeprefix(_PREFIX): text for key, text in pairs if key.startswith(_PREFIX)}
    said = tuple(texts.pop(name, "none") for name in _RANGE)
    if said != (str(shard.first_game), str(shard.end_game)):
        raise OanquanError(f"its footer says games {said[0]} to {said[1]}")
    if rows != shard.games or (first_game, end_game) != (shard.first_game, shard.end_game):
        raise OanquanError(f"it has {rows} games, {first_game} to {end_game}")
    if texts.pop("digest", None) != digest_of(texts):
        raise OanquanError("its digest is not that of its settings")
    return texts


@dataclass(frozen=True)
class Checking:
    """What it takes to read shards through and to play a sample of their games again.

    >>> import tempfile
    >>> from oanquan.runs.settings import Settings
    >>> settings, shard = Settings.of(seed=7), Shard(20, 50)
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     play_shard(Task(directory, settings, shard, threads=1))
    ...     checking = Checking.of(settings, games=100, sample=10)
    ...     checking.sample_of(shard), checking.different(Path(directory), shard, lambda _done, _games: None)
    ([23, 33, 48], [])
    """

    settings: Settings
    sample: list[int]
    """Numbers of games in rising order."""

    @classmethod
    def of(cls, settings: Settings, games: int, sample: int) -> Checking:
        """Choose one game of each of so many equal parts of all games, by the digest.

        >>> from oanquan.runs.settings import Settings
        >>> Checking.of(Settings.of(), games=3, sample=1000).sample
        [0, 1, 2]
        """
        size = min(sample, games)
        chosen = []
        for part in range(size):
            first, end = part * games // size, (part + 1) * games // size
            drawn = int.from_bytes(hashlib.sha256(f"{settings.digest} {part}".encode()).digest())
            chosen.append(first + drawn % (end - first))
        return cls(settings, chosen)

    def sample_of(self, shard: Shard) -> list[int]:
        """Return the chosen games of a shard.

        >>> from oanquan.runs.settings import Settings
        >>> Checking.of(Settings.of(), games=20, sample=20).sample_of(Shard(5, 8))
        [5, 6, 7]
        """
        return self.sample[bisect_left(self.sample, shard.first_game) : bisect_left(self.sample, shard.end_game)]

    def different(self, directory: Path, shard: Shard, progress: Callable[[int, int], object]) -> list[int]:
        """Read a shard through; return the chosen games that are not what is played again.

        `OanquanError` if it cannot be read through, `OSError` if the system cannot read it.

        >>> from oanquan.runs.settings import Settings
        >>> Checking(Settings.of(), []).different(Path("no/such"), Shard(0, 10), lambda _done, _games: None)
        Traceback (most recent call last):
        FileNotFoundError: [Errno 2] No such file or directory: 'no/such/games-000000000000-000000000010.parquet'
        """
        settings, chosen = self.settings, self.sample_of(shard)
        # Nobody is asked for a move if nothing is played: the table of an agent may be missing then.
        agents = list(settings.agents) if chosen else ["random"]
        return _core.check_shard(
            str(directory / shard.name),
            settings.position,
            shard.first_game,
            shard.games,
            agents,
            settings.seed,
            settings.max_plies,
            settings.repetition,
            settings.moves,
            settings.positions,
            chosen,
            progress,
        )


def missing(shards: Sequence[Shard], games: int, shard_games: int) -> Iterator[Shard]:
    """Yield what shards in order leave out of the games up to a number, cut at the multiples of `shard_games`.

    >>> [*missing([Shard(0, 10), Shard(15, 20)], games=34, shard_games=10)]
    [Shard(first_game=10, end_game=15), Shard(first_game=20, end_game=30), Shard(first_game=30, end_game=34)]
    """
    game = 0
    for shard in [*shards, Shard(games, games)]:
        while game < shard.first_game:
            end = min(shard.first_game, (game // shard_games + 1) * shard_games)
            yield Shard(game, end)
            game = end
        game = shard.end_game
