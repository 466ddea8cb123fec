"""A tournament: `run_tournament`."""

from __future__ import annotations

import math
import os
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from oanquan import _core
from oanquan.checks import MOST_LIMIT, MOST_SEED, MOST_THREADS, start_of, within, within_or_off
from oanquan.engine import Limit
from oanquan.errors import OanquanError
from oanquan.files import path_of
from oanquan.matches import Sprt
from oanquan.runs.files import locked, remove_unfinished
from oanquan.tournaments.files import need_arrow, write_files
from oanquan.tournaments.games import PairedGames
from oanquan.tournaments.journals import Journal, begin
from oanquan.tournaments.ledger import Ledger
from oanquan.tournaments.players import EnginePlayer, described, labels_of
from oanquan.tournaments.pools import Encountered, Hall
from oanquan.tournaments.referee import Conditions
from oanquan.tournaments.results import Encounter, TournamentInterrupted, TournamentResult
from oanquan.tournaments.schedules import encounters as scheduled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from oanquan._core import Position
    from oanquan.rules import Rules
    from oanquan.tournaments.players import Player

_MOST_GAMES = 20_000_000
_MOST_OPENING = 1000
_MOST_SECONDS = 86400.0
_MOST_CRASHES = 1_000_000


def run_tournament(  # noqa: PLR0913 (all but the first two by keyword)
    players: Sequence[Player],
    rules: Rules | None = None,
    *,
    position: Position | None = None,
    schedule: str = "round-robin",
    games: int = 1000,
    opening_plies: int = 4,
    seed: int = 0,
    threads: int | None = None,
    limit: Limit | None = None,
    margin: float = 0.25,
    timeout: float = 10.0,
    crashes: int = 3,
    sprt: Sprt | None = None,
    max_plies: int | None = 1000,
    repetition: int | None = 3,
    directory: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> TournamentResult:
    """Play several players against each other, in pairs of games that begin alike with the seats swapped.

    Pair i begins with random moves, drawn from the seed and i, the same for every two who meet. Agents draw from the
    streams of the games' numbers, as in `play_match`: two of them play the games that it plays. One encounter is
    played after the other, its pairs at the same time on all threads; every thread has engines of its own.

    An engine that oversteps its time, ends, hangs, or plays what is not legal loses the game, which is recorded as such
    (`ending`), and is started again. A player whose program ends or hangs in so many games in a row retires: what
    it has not played is left out, and the pair in which that happens too. After each game engines are asked for the
    result; where they do not say what this package says, its own counts and the game tells (`disputes`).

    Args:
        players: Two or more: texts of agents; callables, which are given a tuple of one position and return one move,
            from other threads, one at a time; and engines as `EnginePlayer`.
        rules: Play from the start of these rules, which have two sides; of the default ones if there is no position
            either.
        position: Play from this position instead.
        schedule: Who meets whom: `"round-robin"`, `"gauntlet"` (the first meets all others) or `"ladder"` (each meets
            the next).
        games: How many games each two play, at most: an even number of 2 to 20,000,000.
        opening_plies: With how many random moves each pair begins, 0 to 1000.
        seed: Of openings and agents, 0 to 2**64 - 1.
        threads: How many games are played at once, 1 to 1024; `None` for as many as there are cores.
        limit: How long engines think, where they have no limit of their own. `clocks` are those at the beginning of
            each game. Agents in process have limits in their texts, and no clock.
        margin: Seconds by which an engine may overstep its time: its answer is on its way, and the machine busy.
        timeout: Seconds that an engine has for every other answer.
        crashes: After how many crashes in a row a player retires.
        sprt: A test that ends an encounter when it settles. It settles at the same pair on any number of threads.
        max_plies: Count a game after so many plies, the opening's included, 0 to 2**32 - 1; `None` for no limit.
        repetition: Count a game when a position stands for the n-th time, 1 to 2**32 - 1; `None`: no limit.
        directory: Write every finished pair to a journal in this directory, which is made if it is not there, and in
            the end `games.records`, `games.parquet` and `result.json`.
        resume: Go on with the tournament of the directory: what is in its journal is not played again. `games` may be
            more than before; everything else that decides the games must be as it was.
        progress: Called as `progress(done, games)` from the calling thread, about every 50 ms and once at the end. An
            exception it raises stops the tournament and comes out of `run_tournament`.

    Raises:
        EngineError: An engine cannot be started, before the first game.
        OanquanError: An argument is out of range, or a callable returns no move or several. What a callable raises
            comes out of `run_tournament` as it is.
        TournamentError: The directory has a tournament and `resume` is not set, or another one, or a damaged one.
        RunError: The directory is being written to.
        TournamentInterrupted: Ctrl-C. It has the result of the pairs finished until then.
        TypeError: Both rules and a position, or an argument of another type.

    >>> result = run_tournament(["cautious", "greedy", "random"], games=200, seed=7)
    >>> for rating in result.standings:
    ...     print(rating.player, rating.elo > 0)
    cautious True
    greedy True
    random False
    """
    start = start_of(rules, position)
    if start.rules.sides != 2:
        raise OanquanError(f"rules: expected two sides, got {start.rules.sides}")
    labels = labels_of(players)
    limits = (
        within_or_off("max_plies", max_plies, 0, MOST_LIMIT),
        within_or_off("repetition", repetition, 1, MOST_LIMIT),
    )
    conditions = Conditions(
        start,
        within("opening_plies", opening_plies, 0, _MOST_OPENING),
        within("seed", seed, 0, MOST_SEED),
        limits,
        _limit_for(players, limit),
        _seconds("margin", margin),
        _seconds("timeout", timeout),
    )
    made = _Tournament(
        list(players), labels, scheduled(schedule, len(players)), _pairs(games), _checked(sprt), conditions, progress
    )
    made.schedule = schedule
    made.crashes = within("crashes", crashes, 1, _MOST_CRASHES)
    cores = os.cpu_count() or 1
    made.threads = cores if threads is None else within("threads", threads, 1, MOST_THREADS)
    return made.run(None if directory is None else path_of("directory", directory), resume=resume)


class _Tournament:
    """A tournament that is going on."""

    schedule = "round-robin"
    crashes = 3
    threads = 1

    def __init__(
        self,
        players: list[Player],
        labels: tuple[str, ...],
        met: list[tuple[int, int]],
        pairs: int,
        sprt: Sprt | None,
        conditions: Conditions,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        if not (progress is None or callable(progress)):
            raise TypeError(f"progress: expected a callable, got {type(progress).__name__}")
        self.players = players
        self.labels = labels
        self.pairs = pairs
        self.sprt = sprt
        self.conditions = conditions
        self.encounters = [Encountered(number, both, Ledger(pairs, sprt)) for number, both in enumerate(met)]
        self._progress = progress or (lambda _done, _games: None)

    def settings(self) -> dict[str, Any]:
        """What decides the games, ready for JSON; and how many there are."""
        conditions = self.conditions
        return {
            "version": _core.__version__,
            "rules": str(conditions.start.rules),
            "position": str(conditions.start),
            "schedule": self.schedule,
            "players": dict(zip(self.labels, (described(p, conditions.limit) for p in self.players), strict=True)),
            "games": 2 * self.pairs,
            "opening_plies": conditions.opening_plies,
            "seed": conditions.seed,
            "max_plies": conditions.limits[0],
            "repetition": conditions.limits[1],
            "sprt": None if self.sprt is None else vars(self.sprt),
        }

    def run(self, directory: Path | None, *, resume: bool) -> TournamentResult:
        """Play, into the directory if there is one."""
        if directory is None:
            if resume:
                raise OanquanError("resume: expected a directory to go on with, got none")
            return self._play(lambda _encounter, _first, _pairs: None)
        need_arrow()
        directory.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            stack.enter_context(locked(directory))
            remove_unfinished(directory)
            begin(directory, self.settings(), resume=resume)
            journal = Journal(directory)
            stack.callback(journal.close)
            for encounter, first, pairs in journal.read(len(self.encounters), self.conditions):
                self.encounters[encounter].ledger.put(first, pairs)
            result = self._play(journal.write)
            write_files(directory, result, self.settings())
        return result

    def _play(self, written: Callable[[int, int, Any], object]) -> TournamentResult:
        begun = time.perf_counter()
        hall = Hall(self.players, self.labels, self.encounters, self.conditions, self.crashes, written)
        try:
            hall.open_all()
            hall.play(self.threads, self._tell)
        except KeyboardInterrupt as error:
            raise TournamentInterrupted(self._result(hall, begun)) from error
        return self._result(hall, begun)

    def _tell(self) -> None:
        ledgers = [encounter.ledger for encounter in self.encounters]
        wanted = sum(ledger.counted if ledger.settled else ledger.wanted for ledger in ledgers)
        self._progress(2 * sum(ledger.counted for ledger in ledgers), 2 * wanted)

    def _result(self, hall: Hall, begun: float) -> TournamentResult:
        made = []
        for encounter in self.encounters:
            one, other = encounter.players
            both = (self.labels[one], self.labels[other])
            ledger, start = encounter.ledger, self.conditions.start
            games = PairedGames(ledger.parts, both, encounter.number, start, self.conditions.limits)
            made.append(
                Encounter(both, ledger.pentanomial, games, self.sprt, ledger.verdict, encounter.seconds, games.tally())
            )
        return TournamentResult(self.labels, tuple(made), dict(hall.retired), time.perf_counter() - begun)


def _pairs(games: int) -> int:
    number = within("games", games, 2, _MOST_GAMES)
    if number % 2:
        raise OanquanError(f"games: expected an even number, got {number}")
    return number // 2


def _limit_for(players: Sequence[Player], limit: Limit | None) -> Limit | None:
    """The limit, which there must be for engines that have none."""
    if limit is not None and not isinstance(limit, Limit):
        raise TypeError(f"limit: expected a Limit, got {type(limit).__name__}")
    for player in players:
        if isinstance(player, EnginePlayer):
            own = player.limit or limit
            if own is None:
                raise OanquanError(f"limit: expected one for the engine {player.label}, got none")
            if own.infinite:
                raise OanquanError(f"limit: expected one that ends for the engine {player.label}, got {own}")
    return limit


def _seconds(name: str, value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeError(f"{name}: expected a number of seconds, got {type(value).__name__}")
    if not (math.isfinite(value) and 0 <= value <= _MOST_SECONDS):
        raise OanquanError(f"{name}: expected 0 to {_MOST_SECONDS:g} seconds, got {value}")
    return float(value)


def _checked(sprt: Sprt | None) -> Sprt | None:
    if sprt is not None:
        if not isinstance(sprt, Sprt):
            raise TypeError(f"sprt: expected a Sprt, got {type(sprt).__name__}")
        _core.sprt([0, 0, 0, 0, 0], sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta)
    return sprt
