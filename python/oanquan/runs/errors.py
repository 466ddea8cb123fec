"""What is raised about a directory of games."""

from __future__ import annotations

from oanquan.errors import OanquanError


class RunError(OanquanError):
    """A directory that a run cannot use as asked, or whose files cannot be made or read.

    `faults` holds every fault, one string each; the message begins with the directory and joins them by `"; "`.

    >>> error = RunError("games", ("seed: the run has 1, asked for 2",))
    >>> print(error)
    games: seed: the run has 1, asked for 2
    >>> error.faults
    ('seed: the run has 1, asked for 2',)
    """

    def __init__(self, directory: str, faults: tuple[str, ...]) -> None:
        super().__init__(f"{directory}: {'; '.join(faults)}", directory, faults)
        self.directory = directory
        self.faults = faults

    def __reduce__(self) -> tuple[type[RunError], tuple[str, tuple[str, ...]]]:
        return type(self), (self.directory, self.faults)


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C during a run: a `KeyboardInterrupt` that knows how many games are in finished shards.

    What is finished stays; the run goes on with `resume=True`.

    >>> try:
    ...     raise RunInterrupted(3_000_000, 10_000_000)
    ... except KeyboardInterrupt as interrupt:
    ...     print(interrupt, interrupt.games)
    run interrupted with 3000000 of 10000000 games written 3000000
    """

    def __init__(self, games: int, games_asked_for: int) -> None:
        super().__init__(games, games_asked_for)
        self.games = games
        self.games_asked_for = games_asked_for

    def __str__(self) -> str:
        return f"run interrupted with {self.games} of {self.games_asked_for} games written"


class WorkerLostError(Exception):
    """A worker died with a shard unfinished: the shard is to be played again."""


class StoppedError(Exception):
    """Raised inside a shard that is under way, to stop it."""
