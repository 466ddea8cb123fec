"""Verifying a run: every file, and a sample of its games played again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oanquan.checks import MOST_GAMES, within
from oanquan.errors import OanquanError
from oanquan.files import path_of
from oanquan.runs.errors import RunError
from oanquan.runs.files import MANIFEST
from oanquan.runs.manifest import Manifest, entries_of
from oanquan.runs.shards import SAMPLE, Checking, missing, reason, survey

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from oanquan.runs.shards import Shard


@dataclass(frozen=True)
class Verification:
    """What was found in a directory.

    >>> Verification(games=100, shards=1, replayed=100, faults=()).faults
    ()
    """

    games: int
    """How many games the shards have that their footers say to be whole."""

    shards: int
    """How many such shards there are."""

    replayed: int
    """How many games were played again."""

    faults: tuple[str, ...]
    """What is wrong, in the order in which it was found; empty if nothing is."""


def verify(
    directory: str | os.PathLike[str],
    *,
    sample: int = SAMPLE,
    progress: Callable[[int, int], object] | None = None,
) -> Verification:
    """Look for anything that is wrong with the files of a run.

    Every footer is read and held against the manifest, every file read through and its SHA-256 taken; and some games
    are played again and compared in all their columns. Which ones follows from the digest of the run, so that they are
    the same each time; with more games than `sample` they are spread over all of it.

    What is found is returned, not raised; `run` with `resume=True` plays faulty shards again.

    Args:
        directory: Where the run is.
        sample: How many games to play again, 0 to 2**63 - 1; all of them if there are no more.
        progress: Called as `progress(done, games)`, about every 50 ms and once at the end. An exception that it raises
            comes out.

    Raises:
        RunError: There is no manifest, or one that cannot be read; or games are to be played again by an endgame table
            whose file is missing or has other content.
        OanquanError: `sample` is out of range.

    >>> import tempfile
    >>> from oanquan import runs
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     finished = runs.run(directory, 100, shard_games=50)
    ...     before = runs.verify(directory, sample=10)
    ...     finished.paths[1].unlink()
    ...     before, runs.verify(directory).faults
    (Verification(games=100, shards=2, replayed=10, faults=()), ('games 50 to 99 are missing',))
    """
    sample = within("sample", sample, 0, MOST_GAMES)
    where = path_of("directory", directory)
    if not where.is_dir():
        raise RunError(str(where), ("it is no directory",))
    manifest = Manifest.read(where)
    if manifest is None:
        raise RunError(str(where), (f"there is no {MANIFEST}: the run is not finished",))
    if sample:
        try:
            manifest.settings.check_agents()
        except OanquanError as error:
            raise RunError(str(where), (f"its games cannot be played again: {error}",)) from None
    return _Verifying(where, manifest, sample, progress or (lambda _done, _games: None)).verify()


class _Verifying:
    def __init__(
        self, directory: Path, manifest: Manifest, sample: int, progress: Callable[[int, int], object]
    ) -> None:
        self.directory = directory
        self.manifest = manifest
        self.progress = progress
        self.checking = Checking.of(manifest.settings, manifest.games, sample)
        self.written = {entry.shard: entry for entry in manifest.entries}
        self.faults: list[str] = []
        self.replayed = 0

    def verify(self) -> Verification:
        found = survey(self.directory, self.manifest.settings.digest)
        for name, fault in sorted(found.faulty.items()):
            self.faults.append(f"{name}: {fault}")
        self.faults += (f"{name}: {error.strerror}" for name, error in sorted(found.unreadable.items()))
        self.faults += (f"{name}: it is of another run" for name in sorted(found.others))
        self._compare_with_manifest(found.shards)
        done = 0
        for shard in found.shards:
            self._read_through(shard, done)
            done += shard.games
        self.progress(self.manifest.games, self.manifest.games)
        return Verification(found.games, len(found.shards), self.replayed, tuple(self.faults))

    def _compare_with_manifest(self, shards: Sequence[Shard]) -> None:
        for shard in shards:
            if shard not in self.written:
                self.faults.append(f"{shard.name}: {MANIFEST} does not have it")
        for gap in missing(shards, self.manifest.games, MOST_GAMES):
            self.faults.append(f"games {gap.first_game} to {gap.end_game - 1} are missing")

    def _read_through(self, shard: Shard, before: int) -> None:
        """Read a file, twice: as bytes, and as games of which some are played again."""
        games = self.manifest.games
        path = self.directory / shard.name
        try:
            for entry in entries_of(self.directory, [shard], lambda: self.progress(before, games)):
                if self.written.get(shard, entry) != entry:
                    self.faults.append(f"{shard.name}: it is not the file that was written")
            report = lambda done, _: self.progress(before + done, games)  # noqa: E731 (too short for a name)
            different = self.checking.different(self.directory, shard, report)
        except (OSError, OanquanError) as error:
            self.faults.append(f"{shard.name}: {reason(error, path)}")
            return
        self.replayed += len(self.checking.sample_of(shard))
        self.faults += (f"{shard.name}: game {game} is not the one that is played again" for game in different)
