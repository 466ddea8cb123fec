"""A run: games in shards, until the files themselves say that every game is there."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from oanquan.checks import MOST_GAMES, MOST_THREADS, within
from oanquan.errors import OanquanError
from oanquan.files import path_of
from oanquan.runs.errors import RunError, RunInterrupted, WorkerLostError
from oanquan.runs.executors import executor_of
from oanquan.runs.executors.interrupts import interrupts_noted
from oanquan.runs.files import MANIFEST, locked, remove, remove_unfinished
from oanquan.runs.manifest import Entry, Manifest, entries_of
from oanquan.runs.settings import Settings
from oanquan.runs.shards import SAMPLE, Checking, Shard, Survey, Task, missing, reason, survey

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from oanquan._core import Position
    from oanquan.rules import Rules
    from oanquan.runs.executors import Executor

SHARD_GAMES = 1_000_000
_ROUNDS_WITHOUT_A_SHARD = 3
_TICK = 0.1


@dataclass(frozen=True)
class Run:
    """A finished run: a directory with shards and a manifest.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     finished = run(directory, 100, seed=7, shard_games=40)
    ...     [path.name for path in finished.paths] == [shard.name for shard in finished.shards], finished.played
    (True, 100)
    """

    directory: Path
    """Where it is: an absolute path."""

    settings: Settings
    """What decides its games."""

    games: int
    """How many games it has: those numbered from 0."""

    shards: tuple[Shard, ...]
    """The ranges of games in its files, in order."""

    played: int = field(default=0, compare=False)
    """How many games were missing and have been played now."""

    lost: int = field(default=0, compare=False)
    """How many shards were begun again because a worker died."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files, in the order of the games.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     [path.suffix for path in run(directory, 100, shard_games=50).paths]
        ['.parquet', '.parquet']
        """
        return tuple(self.directory / shard.name for shard in self.shards)

    @classmethod
    def read(cls, directory: str | os.PathLike[str]) -> Run:
        """Return the finished run of a directory; `RunError` if there is none.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     run(directory, 100) == Run.read(directory)
        True
        """
        where = path_of("directory", directory)
        manifest = Manifest.read(where)
        if manifest is None:
            raise RunError(str(where), ("no finished run is here",))
        shards = tuple(entry.shard for entry in manifest.entries)
        return cls(where, manifest.settings, manifest.games, shards)


def run(  # noqa: PLR0913 (all but the first three by keyword)
    directory: str | os.PathLike[str],
    games: int,
    rules: Rules | None = None,
    *,
    position: Position | None = None,
    agents: Sequence[str] = ("random", "random"),
    seed: int = 0,
    max_plies: int | None = 1000,
    repetition: int | None = 3,
    moves: bool = False,
    positions: bool = False,
    shard_games: int = SHARD_GAMES,
    resume: bool = False,
    executor: str = "threads",
    workers: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Run:
    """Play games into Parquet files, in a way that can be killed at any moment and gone on with.

    The games are those of `oanquan.simulate` with the same arguments, the columns those of its `Results.columns`.
    Each file, a shard, has a range of games and is there whole or not at all. Its footer says which games it has and
    everything that decides them, with a digest. When the footers together have every game, a manifest is written.

    The main module of a script that uses `processes` or `dask` must be importable: call this under
    `if __name__ == "__main__":`.

    Args:
        directory: Where; it is made if it is not there. Only one run at a time can write to it. A relative path is
            that of the working directory at the call, even if this changes meanwhile.
        games: How many, 1 to 2**63 - 1: those numbered from 0.
        rules: As in `oanquan.simulate`, like the next five.
        position: Play from this position instead.
        agents: Who plays, as texts.
        seed: 0 to 2**64 - 1.
        max_plies: Count a game after so many plies; `None` for no limit.
        repetition: Count a game when a position stands for the n-th time; `None` for no limit.
        moves: Keep the moves of every game.
        positions: Keep the positions of every game, as text.
        shard_games: How many games a shard has, 1 to 2**63 - 1; those lost by a kill at most, for each worker.
        resume: Go on with the run of this directory: play what is missing or damaged, and nothing else. Files that are
            there are read through first, as `verify` does. `games` may be more than before, and what is new is
            played; everything else must be as it was, the content of an agent's endgame table too.
        executor: Where shards are played: one of `EXECUTORS`.
        workers: How many shards are played at once, 1 to 1024; `None` for as many as there are cores,
            here or in the cluster.
        progress: Called as `progress(done, games)` from the calling thread, about every 100 ms and once at the end. An
            exception it raises stops the run and comes out of `run`.

    Raises:
        RunError: The directory has a run and `resume` is not set, or another one, or is being written to; or workers
            keep dying.
        RunInterrupted: Ctrl-C. Finished shards stay.
        OSError: The system cannot write a file, such as for want of space. Finished shards stay.
        OanquanError: An argument is out of range, or an executor's library is not installed.
        TypeError: An argument of another type.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     first = run(directory, 1000, seed=7, shard_games=300)
    ...     more = run(directory, 2000, seed=7, shard_games=300, resume=True)
    ...     first.games, len(first.shards), more.games, more.played
    (1000, 4, 2000, 1000)
    """
    settings = Settings.of(
        rules,
        position=position,
        agents=agents,
        seed=seed,
        max_plies=max_plies,
        repetition=repetition,
        moves=moves,
        positions=positions,
    )
    if not (progress is None or callable(progress)):
        raise TypeError(f"progress: expected a callable, got {type(progress).__name__}")
    made = _Running(
        path_of("directory", directory),
        settings,
        within("games", games, 1, MOST_GAMES),
        within("shard_games", shard_games, 1, MOST_GAMES),
        executor_of(executor),
        None if workers is None else within("workers", workers, 1, MOST_THREADS),
        progress or (lambda _done, _games: None),
    )
    made.directory.mkdir(parents=True, exist_ok=True)
    with locked(made.directory):
        return made.run(resume=resume)


@dataclass
class _Running:
    """A run that is going on; its directory is locked."""

    directory: Path
    settings: Settings
    games: int
    shard_games: int
    executor: Callable[[int | None], Executor]
    workers: int | None
    progress: Callable[[int, int], object]
    lost: int = 0
    checking: Checking = field(init=False)
    unchanged: dict[Shard, Entry] = field(default_factory=dict)
    sound: set[Shard] = field(default_factory=set)  # played by this run, or read through

    def run(self, *, resume: bool) -> Run:
        """Check what is there, play what is missing, write the manifest."""
        remove_unfinished(self.directory)
        self.checking = Checking.of(self.settings, self.games, SAMPLE)
        try:
            found = self._begin(resume=resume)
            there = found.games
            if found.games < self.games:
                found = self._play(found)
            self.progress(self.games, self.games)
            self._write_manifest(found.shards)
        except KeyboardInterrupt as error:
            raise RunInterrupted(survey(self.directory, self.settings.digest).games, self.games) from error
        finally:
            with suppress(OSError):
                remove_unfinished(self.directory)  # of workers that died, or had to be stopped by force
        return Run(self.directory, self.settings, self.games, tuple(found.shards), self.games - there, self.lost)

    def _write_manifest(self, shards: Sequence[Shard]) -> None:
        new = (shard for shard in shards if shard not in self.unchanged)
        read = {entry.shard: entry for entry in entries_of(self.directory, new, self._tick)}
        entries = tuple((self.unchanged | read)[shard] for shard in shards)
        Manifest(self.settings, self.games, entries).write(self.directory)

    def _tick(self) -> None:
        self.progress(self.games, self.games)

    def _begin(self, *, resume: bool) -> Survey:
        """What is there and can stay; what is damaged is removed, and what is not of this run refused."""
        found = self._survey()
        if not resume and (found.shards or found.others or found.faulty or (self.directory / MANIFEST).exists()):
            self._refuse("there is a run already; go on with it by `resume`, or choose another directory")
        for texts in found.others.values():
            self._refuse(*self.settings.differences(texts))
        end = max((shard.end_game for shard in found.shards), default=0)
        if end > self.games:
            self._refuse(f"games: the run has {end}, asked for {self.games}")
        self._find_changed(found)
        self._read_through(found)
        self._remove_faulty(found)
        # It will be written again, when it is true again.
        remove(self.directory / MANIFEST)
        return found

    def _survey(self) -> Survey:
        """What the footers say. Files that cannot be read may be good ones: they are not played again."""
        found = survey(self.directory, self.settings.digest)
        for error in found.unreadable.values():
            raise error
        return found

    def _read_through(self, found: Survey) -> None:
        """Count shards as faulty in which `verify` would find a fault, unless this run itself has played them."""
        for shard in [shard for shard in found.shards if shard not in self.sound]:
            path = self.directory / shard.name
            try:
                report = lambda _done, _games: self.progress(found.games, self.games)  # noqa: E731 (as in `verify`)
                different = self.checking.different(self.directory, shard, report)
            except OanquanError as error:
                fault = reason(error, path)
            else:
                fault = f"game {different[0]} is not the one that is played again" if different else ""
            if fault:
                found.shards.remove(shard)
                found.faulty[shard.name] = fault
                self.unchanged.pop(shard, None)
            else:
                self.sound.add(shard)

    def _find_changed(self, found: Survey) -> None:
        """Count shards as faulty that are not what the manifest of the finished run says, to the byte."""
        try:
            manifest = Manifest.read(self.directory)
        except RunError:
            return  # a damaged manifest says nothing; it is made from the shards
        if manifest is None:
            return
        written = {entry.shard: entry for entry in manifest.entries}
        there = [shard for shard in found.shards if shard in written]
        for entry in entries_of(self.directory, there, lambda: self.progress(found.games, self.games)):
            if entry == written[entry.shard]:
                self.unchanged[entry.shard] = entry
            else:
                found.shards.remove(entry.shard)
                found.faulty[entry.shard.name] = "it is not the file that was written"

    def _remove_faulty(self, found: Survey) -> None:
        for name in found.faulty:
            remove(self.directory / name)
        found.faulty.clear()

    def _play(self, found: Survey) -> Survey:
        """Play what is missing, and look, until nothing is."""
        fruitless = 0
        with self.executor(self.workers) as executor, interrupts_noted() as look_for_interrupt:
            while found.games < self.games:
                before = found.games
                self._round(executor, missing(found.shards, self.games, self.shard_games), before, look_for_interrupt)
                found = self._look_again()
                fruitless = 0 if found.games > before else fruitless + 1
                if fruitless == _ROUNDS_WITHOUT_A_SHARD:
                    self._refuse(
                        f"{self.games - found.games} games are still missing after {fruitless} rounds without a new "
                        "shard: workers die, or do not see this directory"
                    )
        return found

    def _look_again(self) -> Survey:
        """What is there now. A shard of other settings can only come from a worker that outlived its own run."""
        found = self._survey()
        found.faulty |= dict.fromkeys(found.others, "it is of another run")
        beyond = [shard for shard in found.shards if shard.end_game > self.games]
        found.faulty |= {shard.name: "it is of a longer run" for shard in beyond}
        found.shards = [shard for shard in found.shards if shard.end_game <= self.games]
        self._read_through(found)
        self._remove_faulty(found)
        return found

    def _round(
        self, executor: Executor, shards: Iterator[Shard], there: int, look_for_interrupt: Callable[[], None]
    ) -> None:
        """Hand out shards, each once, and wait for all of them; those whose worker dies stay missing."""
        # A few large shards are not worth a core each: they get several threads.
        first = list(islice(shards, executor.slots))
        threads = executor.slots // len(first) if executor.shares_cores else 1
        waiting = chain(first, shards)
        under_way: dict[Any, Shard] = {}
        done = there
        while True:
            for shard in waiting:
                task = Task(str(self.directory), self.settings, shard, threads)
                under_way[executor.submit(task)] = shard
                if len(under_way) >= executor.slots:
                    break
            if not under_way:
                return
            look_for_interrupt()
            for handle in executor.wait(under_way.keys(), _TICK):
                shard = under_way.pop(handle)
                try:
                    error = executor.outcome(handle)
                except WorkerLostError:
                    self.lost += 1
                    continue
                if error is not None:
                    raise error
                self.sound.add(shard)
                done += shard.games
            self.progress(min(done + executor.games_under_way(), self.games), self.games)

    def _refuse(self, *faults: str) -> None:
        raise RunError(str(self.directory), faults)
