"""A tournament as a directory: what was asked for, every finished pair, and in the end the games as files."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from oanquan._core import Game, Move
from oanquan.errors import OanquanError
from oanquan.files import written_whole
from oanquan.runs.errors import RunError
from oanquan.tournaments.files import FILES
from oanquan.tournaments.games import PlayedPair, WrittenPairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from oanquan.tournaments.games import Pairs, Played
    from oanquan.tournaments.referee import Conditions

SETTINGS, JOURNAL = "tournament.json", "journal.jsonl"
_FORM = 1
_MALFORMED = (AttributeError, KeyError, OverflowError, TypeError, ValueError, RecursionError)


class TournamentError(RunError):
    """A directory that a tournament cannot use as asked.

    `faults` holds every fault, one string each; the message begins with the directory and joins them by `"; "`.

    >>> print(TournamentError("games", ("seed: the tournament has 1, asked for 2",)))
    games: seed: the tournament has 1, asked for 2
    """


def begin(directory: Path, settings: dict[str, Any], *, resume: bool) -> None:
    """Write down what is asked for, or see that it is what was asked for before, but for more games."""
    path = directory / SETTINGS
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        form, before = content["form"], content["settings"]
        games = before["games"]
        if not isinstance(games, int):
            raise TypeError("games: expected a whole number")
    except FileNotFoundError:
        if (directory / JOURNAL).exists():
            raise TournamentError(str(directory), (f"{JOURNAL} is here without {SETTINGS}",)) from None
    except _MALFORMED as error:
        fault = f"{SETTINGS} is not what a tournament writes ({type(error).__name__}: {error})"
        raise TournamentError(str(directory), (fault,)) from None
    else:
        if not resume:
            fault = "there is a tournament already; go on with it by `resume`, or choose another directory"
            raise TournamentError(str(directory), (fault,))
        if form != _FORM:
            raise TournamentError(str(directory), (f"expected form {_FORM}, got {form}",))
        asked = json.loads(json.dumps(settings))
        faults = [
            f"{key}: the tournament has {before.get(key)}, asked for {asked.get(key)}"
            for key in {**before, **asked}
            if key != "games" and before.get(key) != asked.get(key)
        ]
        if games > settings["games"]:
            faults.append(f"games: the tournament has {games}, asked for {settings['games']}")
        if faults:
            raise TournamentError(str(directory), tuple(faults))
    for name in FILES:  # they will be written again, when they are true again
        (directory / name).unlink(missing_ok=True)
    with written_whole(path) as unfinished:
        unfinished.write_text(json.dumps({"form": _FORM, "settings": settings}, indent=1) + "\n", encoding="utf-8")


class Journal:
    """The file of the finished pairs, one line each."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / JOURNAL
        self._file: TextIO | None = None

    def read(self, encounters: int, conditions: Conditions) -> Iterator[tuple[int, int, Pairs]]:
        """What is there, in runs: the encounter, the number of the first pair, the pairs.

        Every game is played again. What a kill has left of a last line is taken off.
        """
        lines: dict[int, dict[int, tuple[str, int]]] = {number: {} for number in range(encounters)}
        whole = 0
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            for place, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
                try:
                    content = json.loads(line)
                    pair = PlayedPair.of_json(content)
                    _check(pair, content["pair"], conditions)
                    lines[content["encounter"]][content["pair"]] = (line.decode(), pair.half_points)
                except (*_MALFORMED, OanquanError) as error:
                    fault = f"{JOURNAL}, line {place}: expected a finished pair, got {type(error).__name__}: {error}"
                    raise TournamentError(str(self._path.parent), (fault,)) from None
        os.truncate(self._path, whole)
        for encounter, pairs in lines.items():
            for run in _runs(sorted(pairs)):
                kept = [pairs[number] for number in run]
                yield encounter, run[0], WrittenPairs([line for line, _ in kept], bytes(points for _, points in kept))

    def write(self, encounter: int, first: int, pairs: Pairs) -> None:
        """Add finished pairs, so that a kill cannot take them away."""
        if self._file is None:
            self._file = self._path.open("a", encoding="utf-8", newline="\n")
        lines = (pairs.pair(place).to_json(encounter=encounter, pair=first + place) for place in range(len(pairs)))
        self._file.write("".join(f"{line}\n" for line in lines))
        self._file.flush()

    def close(self) -> None:
        """Bring it to disk."""
        if self._file is not None:
            with suppress(OSError):
                os.fsync(self._file.fileno())
            self._file.close()
            self._file = None


def _runs(numbers: Sequence[int]) -> Iterator[range]:
    """Whole numbers that rise, as ranges without a gap."""
    first = None
    for place, number in enumerate(numbers):
        if first is None:
            first = number
        if place + 1 == len(numbers) or numbers[place + 1] != number + 1:
            yield range(first, number + 1)
            first = None


def _check(pair: PlayedPair, number: int, conditions: Conditions) -> None:
    """Play a pair again; `OanquanError` for one that cannot have been played."""
    opening = conditions.opening(number)[: pair.opening]
    for played in pair.games:
        game = _replayed(played, conditions)
        outcome = game.outcome
        result = None if outcome is None else (outcome.winner, outcome.ending, tuple(outcome.points))
        claimed = None if played.points is None else (played.winner, played.ending, played.points)
        if game.moves[: pair.opening] != opening or result != claimed:
            raise OanquanError(f"game of pair {number}: expected {result}, got {claimed} after {played.moves}")


def _replayed(played: Played, conditions: Conditions) -> Game:
    max_plies, repetition = conditions.limits
    game = Game(position=conditions.start, max_plies=max_plies, repetition=repetition)
    for move in played.moves.split():
        game.push(Move(move))
    return game
