"""The threads of a tournament. Each plays one task after the other, with engines of its own."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from threading import Condition, Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan.tournaments.games import CorePairs, WrittenPairs
from oanquan.tournaments.players import EnginePlayer
from oanquan.tournaments.referee import Conditions, play_pair
from oanquan.tournaments.seats import AgentSeat, CallableSeat, EngineSeat, StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oanquan.tournaments.games import Pairs
    from oanquan.tournaments.ledger import Ledger
    from oanquan.tournaments.players import Player
    from oanquan.tournaments.seats import Seat

_TASK_SECONDS = 0.25
_MOST_PAIRS_OF_A_TASK = 10_000


class Encountered:
    """An encounter while it is played: who meets, what is known of it, and which pair is the next to hand out."""

    def __init__(self, number: int, players: tuple[int, int], ledger: Ledger) -> None:
        self.number = number
        self.players = players
        self.ledger = ledger
        self.next = 0
        self.size = 1
        """How many pairs make a task that takes neither long nor no time."""
        self.seconds = 0.0


class Hall:
    """Where a tournament is played: players, encounters and the threads that play them."""

    def __init__(
        self,
        players: Sequence[Player],
        labels: Sequence[str],
        encounters: Sequence[Encountered],
        conditions: Conditions,
        crashes: int,
        written: Callable[[int, int, Pairs], object],
    ) -> None:
        """Make ready to play.

        `crashes` of a player in a row make it retire; `written` is called with what is played: the number of the
        encounter, that of the first pair, and the pairs.
        """
        self._players = players
        self._labels = labels
        self._encounters = encounters
        self._conditions = conditions
        self._crashes = crashes
        self._written = written
        self._changed = Condition()
        self._stopped = False
        self._error: BaseException | None = None
        self._in_a_row: Counter[int] = Counter()
        self._seats: set[Seat] = set()
        self._locks = {id(player): Lock() for player in players}
        self.retired: dict[str, str] = {}
        """Why players have retired."""

    # ---- the calling thread ----------------------------------------------------------------------------------------

    def play(self, threads: int, progress: Callable[[], object]) -> None:
        """Play until every encounter is settled or has a player that has retired.

        What a player, `progress` or a signal handler raises comes out when all threads have ended.
        """
        workers = [Thread(target=self._work, name=f"tournament-{k}", daemon=True) for k in range(threads)]
        try:
            for worker in workers:
                worker.start()
            while any(worker.is_alive() for worker in workers):
                with self._changed:
                    self._changed.wait(0.05)
                progress()
        except BaseException:
            self._stop()
            for worker in workers:
                worker.join()
            raise
        if self._error is not None:
            raise self._error
        progress()

    def open_all(self) -> None:
        """Start every engine once, so that one that cannot play is found before the first game."""
        for player in range(len(self._players)):
            seat = self._seat(player)
            try:
                if isinstance(seat, EngineSeat):
                    seat.open()
            finally:
                seat.close()

    def _stop(self) -> None:
        with self._changed:
            self._stopped = True
            seats = [*self._seats]
        for seat in seats:
            seat.stop()

    # ---- threads ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        seats: dict[int, Seat] = {}
        try:
            while task := self._task():
                encounter, first, pairs = task
                for player in seats.keys() - {*encounter.players}:
                    self._leave(seats.pop(player))
                begun = perf_counter()
                played = self._played(encounter, first, pairs, seats)
                if played is not None and len(played):
                    self._put(encounter, first, played, perf_counter() - begun)
        except StoppedError:
            pass
        except BaseException as error:  # noqa: BLE001 (raised again by the calling thread)
            with self._changed:
                self._error = self._error or error
            self._stop()
        finally:
            for seat in seats.values():
                self._leave(seat)
            with self._changed:
                self._changed.notify_all()

    def _task(self) -> tuple[Encountered, int, int] | None:
        """The next pairs to be played: those of one encounter after the other."""
        with self._changed:
            if self._stopped:
                return None
            for encounter in self._encounters:
                if self._over(encounter):
                    continue
                first, missing = encounter.ledger.missing(encounter.next)
                if missing:
                    pairs = min(missing, encounter.size)
                    encounter.next = first + pairs
                    return encounter, first, pairs
        return None

    def _over(self, encounter: Encountered) -> bool:
        return encounter.ledger.settled or any(self._labels[player] in self.retired for player in encounter.players)

    def _put(self, encounter: Encountered, first: int, played: Pairs, seconds: float) -> None:
        with self._changed:
            self._written(encounter.number, first, played)
            encounter.ledger.put(first, played)
            encounter.seconds += seconds
            if isinstance(played, CorePairs):
                wanted = int(len(played) * _TASK_SECONDS / max(seconds, 1e-6))
                encounter.size = max(1, min(wanted, 2 * encounter.size, _MOST_PAIRS_OF_A_TASK))
            self._changed.notify_all()

    def _played(self, encounter: Encountered, first: int, pairs: int, seats: dict[int, Seat]) -> Pairs | None:
        """Play pairs of an encounter; `None` if there is nothing of them that counts."""
        agents = [player for player in map(self._players.__getitem__, encounter.players) if isinstance(player, str)]
        if len(agents) == 2:
            return self._by_the_core(encounter, agents, first, pairs)
        for player in encounter.players:
            if player not in seats:
                seats[player] = self._enter(player)
        one, other = encounter.players
        refereed = play_pair(self._conditions, (seats[one], seats[other]), first)
        if not self._believed(encounter, refereed.failed):
            return None
        return WrittenPairs.of(refereed.pair)

    def _by_the_core(self, encounter: Encountered, agents: list[str], first: int, pairs: int) -> Pairs:
        conditions = self._conditions
        max_plies, repetition = conditions.limits

        def look(_done: int, _pairs: int) -> None:
            if self._stopped or self._over(encounter):
                raise StoppedError

        played, _, _, error = _core.play_match(
            conditions.start,
            agents,
            pairs,
            conditions.opening_plies,
            conditions.seed,
            1,
            max_plies,
            repetition,
            None,
            look,
            first,
        )
        if error is not None and not isinstance(error, StoppedError):
            raise error
        return CorePairs(played)

    def _believed(self, encounter: Encountered, failed: Sequence[Sequence[str | None]]) -> bool:
        """Count failures in a row, and say whether the pair counts: not if it makes a player retire."""
        with self._changed:
            for player, faults in zip(encounter.players, failed, strict=True):
                for fault in faults:
                    self._in_a_row[player] = 0 if fault is None else self._in_a_row[player] + 1
                    if self._in_a_row[player] >= self._crashes and self._labels[player] not in self.retired:
                        message = f"{self._labels[player]}: retired after {self._crashes} crashes in a row: {fault}"
                        self.retired[self._labels[player]] = message
            return not self._over(encounter)

    def _seat(self, player: int) -> Seat:
        entrant, conditions = self._players[player], self._conditions
        if isinstance(entrant, EnginePlayer):
            more = {"limit": conditions.limit, "margin": conditions.margin, "timeout": conditions.timeout}
            return EngineSeat(entrant, conditions.start, conditions.limits, **more)
        if isinstance(entrant, str):
            return AgentSeat(entrant, conditions.seed)
        return CallableSeat(entrant, self._labels[player], self._locks[id(entrant)])

    def _enter(self, player: int) -> Seat:
        seat = self._seat(player)
        with self._changed:
            if self._stopped:
                raise StoppedError
            self._seats.add(seat)
        return seat

    def _leave(self, seat: Seat) -> None:
        with self._changed:
            self._seats.discard(seat)
        with suppress(Exception):
            seat.close()
