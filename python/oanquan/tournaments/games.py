"""The games of a tournament: kept small while it is played, made when they are asked for."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from oanquan._core import Game, Move, Outcome
from oanquan.errors import OanquanError
from oanquan.matches import GamesOfPairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oanquan import _core
    from oanquan._core import Position

TIME_FORFEIT, CRASH, ILLEGAL_MOVE = "time forfeit", "crash", "illegal move"
FORFEITS = (TIME_FORFEIT, CRASH, ILLEGAL_MOVE)
"""How a game can be lost that is not played to its end."""


class Played(NamedTuple):
    """A game as it is kept: moves as texts joined by spaces."""

    moves: str
    winner: str | None
    ending: str
    points: tuple[int, ...] | None = None
    fault: str = ""
    disputes: tuple[str, ...] = ()

    @classmethod
    def finished(cls, game: Game, disputes: tuple[str, ...] = ()) -> Played:
        """A game that was played to its end."""
        outcome = game.outcome
        if outcome is None:
            raise OanquanError(f"expected a game that is over, got one in play at {game.position}")
        moves = " ".join(map(str, game.moves))
        return cls(moves, outcome.winner, outcome.ending, tuple(outcome.points), "", disputes)

    @classmethod
    def forfeited(cls, game: Game, loser: str, ending: str, fault: str) -> Played:
        """A game that a side lost before its end."""
        return cls(" ".join(map(str, game.moves)), "ba"["ab".index(loser)], ending, None, fault)


class PlayedPair(NamedTuple):
    """Two games that began with the same moves, so many of them drawn."""

    opening: int
    games: tuple[Played, Played]

    @property
    def half_points(self) -> int:
        """The half points of who played side a in the first game and side b in the second."""
        return sum(
            1 if game.winner is None else 2 * (game.winner == own) for game, own in zip(self.games, "ab", strict=True)
        )

    def to_json(self, **more: Any) -> str:
        """The pair as one line, with what else is to be said."""
        games = [
            {key: value for key, value in game._asdict().items() if value or key == "winner"} for game in self.games
        ]
        return json.dumps({**more, "opening": self.opening, "games": games}, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def of_json(cls, content: Any) -> PlayedPair:
        """The pair of what `to_json` wrote; `ValueError`, `KeyError` or `TypeError` for what it never wrote."""
        first, second = (_played(game) for game in content["games"])
        if type(content["opening"]) is not int:
            raise TypeError("opening: expected a whole number")
        return cls(content["opening"], (first, second))


def _played(content: Any) -> Played:
    points = content.get("points")
    moves: Any = content.get("moves", "")
    fault: Any = content.get("fault", "")
    played = Played(
        moves,
        content["winner"],
        content["ending"],
        None if points is None else tuple(points),
        fault,
        tuple(content.get("disputes", ())),
    )
    if not (isinstance(moves, str) and isinstance(fault, str) and played.winner in ("a", "b", None)):
        raise ValueError(f"expected a game, got {json.dumps(content)}")
    return played


class Tally(NamedTuple):
    """What games came to: won, drawn and lost by the first player, by their endings, and those with disputes."""

    results: Counter[str]
    endings: Counter[str]
    disputes: int

    @classmethod
    def of(cls, pairs: Iterable[PlayedPair]) -> Tally:
        """Count pair by pair."""
        results: Counter[str] = Counter()
        endings: Counter[str] = Counter()
        disputes = 0
        for pair in pairs:
            for game, own in zip(pair.games, "ab", strict=True):
                results["drawn" if game.winner is None else "won" if game.winner == own else "lost"] += 1
                endings[game.ending] += 1
                disputes += bool(game.disputes)
        return cls(results, endings, disputes)


class Pairs(Protocol):
    """Some pairs one after the other."""

    def __len__(self) -> int: ...

    def half_points(self) -> bytes:
        """The half points of the first player in each pair."""

    def pair(self, place: int) -> PlayedPair:
        """The pair at that place."""

    def tally(self, pairs: int) -> Tally:
        """What the first so many come to."""


class CorePairs:
    """Pairs that the core played: its own memory of them."""

    def __init__(self, pairs: _core.MatchPairs) -> None:
        self._pairs = pairs

    def __len__(self) -> int:
        return len(self._pairs)

    def half_points(self) -> bytes:
        """The half points of the first player in each pair."""
        return self._pairs.half_points()

    def pair(self, place: int) -> PlayedPair:
        """The pair at that place."""
        opening, (one, won), (other, lost) = self._pairs.pair(place)
        return PlayedPair(opening, (_of_core(one, won), _of_core(other, lost)))

    def tally(self, pairs: int) -> Tally:
        """What the first so many come to."""
        if pairs < len(self):
            return Tally.of(map(self.pair, range(pairs)))
        won, drawn, lost = self._pairs.results()
        return Tally(Counter(won=won, drawn=drawn, lost=lost), Counter(self._pairs.endings()), 0)


def _of_core(moves: tuple[Move, ...], outcome: Outcome) -> Played:
    return Played(" ".join(map(str, moves)), outcome.winner, outcome.ending, tuple(outcome.points))


class WrittenPairs:
    """Pairs as the lines of a journal."""

    def __init__(self, lines: Sequence[str], half_points: bytes) -> None:
        self._lines = lines
        self._half_points = half_points

    @classmethod
    def of(cls, pair: PlayedPair) -> WrittenPairs:
        """One pair."""
        return cls((pair.to_json(),), bytes([pair.half_points]))

    def __len__(self) -> int:
        return len(self._lines)

    def half_points(self) -> bytes:
        """The half points of the first player in each pair."""
        return self._half_points

    def pair(self, place: int) -> PlayedPair:
        """The pair at that place."""
        return PlayedPair.of_json(json.loads(self._lines[place]))

    def tally(self, pairs: int) -> Tally:
        """What the first so many come to."""
        return Tally.of(map(self.pair, range(pairs)))


@dataclass(frozen=True)
class TournamentGame:
    """A game of a tournament.

    >>> from oanquan.tournaments import run_tournament
    >>> game = run_tournament(["greedy", "random"], games=2, seed=1).encounters[0].games[0]
    >>> game.players, game.opening, len(game.moves) > 4, game.forfeited
    (('greedy', 'random'), 4, True, False)
    """

    encounter: int
    """The number of its encounter."""

    pair: int
    """The number of its pair."""

    number: int
    """Its place in the pair: 0, or 1 with the seats swapped."""

    players: tuple[str, str]
    """Who played side a, and who side b."""

    opening: int
    """How many of the moves were drawn, for both games of the pair."""

    moves: tuple[Move, ...]
    """The moves."""

    winner: str | None
    """The side that won; `None`: a draw."""

    ending: str
    """Why it ended: what `Outcome.ending` can be, or `"time forfeit"`, `"crash"` or `"illegal move"`."""

    points: tuple[int, ...] | None
    """The points of each side; `None` if it was not played to its end."""

    fault: str = field(repr=False)
    """What an engine did wrong, if it lost by that; `""` otherwise."""

    disputes: tuple[str, ...] = field(repr=False)
    """What engines said of the result that is not so."""

    start: Position = field(repr=False)
    """Where it began."""

    limits: tuple[int | None, int | None] = field(repr=False)
    """Its `max_plies` and `repetition`."""

    @property
    def forfeited(self) -> bool:
        """Whether it was lost before its end.

        >>> from oanquan.tournaments import run_tournament
        >>> any(game.forfeited for game in run_tournament(["greedy", "random"], games=4).encounters[0].games)
        False
        """
        return self.points is None

    def to_game(self) -> Game:
        """Return the game to look at or to write down, with players and result in its headers.

        A forfeited one has its `Result` and `Termination` there too, and its fault as a comment after the last move.

        >>> from oanquan.tournaments import run_tournament
        >>> game = run_tournament(["greedy", "random"], games=2, seed=1).encounters[0].games[1].to_game()
        >>> game.headers
        {'Players': 'random, greedy', 'Round': '1.1.2'}
        """
        max_plies, repetition = self.limits
        game = Game(position=self.start, max_plies=max_plies, repetition=repetition)
        for move in self.moves:
            game.push(move)
        game.headers["Players"] = ", ".join(self.players)
        game.headers["Round"] = f"{self.encounter + 1}.{self.pair + 1}.{self.number + 1}"
        if self.forfeited:
            game.headers["Result"] = self.winner or "draw"
            game.headers["Termination"] = self.ending
            game.comments[len(game)] = self.fault.partition("\n")[0]
        return game


class PairedGames(GamesOfPairs[TournamentGame]):
    """The games of an encounter."""

    def __init__(
        self,
        parts: Sequence[tuple[Pairs, int]],
        players: tuple[str, str],
        encounter: int,
        start: Position,
        limits: tuple[int | None, int | None],
    ) -> None:
        """Of each of the parts so many pairs count, from the first on."""
        self._parts = [pairs for pairs, _ in parts]
        self._ends = [*accumulate((count for _, count in parts), initial=0)]
        self._shared = (encounter, players, start, limits)

    def tally(self) -> Tally:
        """What they come to."""
        total = Tally(Counter(), Counter(), 0)
        for pairs, first, end in zip(self._parts, self._ends, self._ends[1:], strict=False):
            part = pairs.tally(end - first)
            total = Tally(total.results + part.results, total.endings + part.endings, total.disputes + part.disputes)
        return total

    def pairs(self) -> int:
        """How many pairs there are."""
        return self._ends[-1]

    def pair_of_games(self, number: int) -> tuple[TournamentGame, TournamentGame]:
        """The games of that pair."""
        encounter, players, start, limits = self._shared
        part = bisect_right(self._ends, number) - 1
        opening, games = self._parts[part].pair(number - self._ends[part])
        one, other = (
            TournamentGame(
                encounter,
                number,
                place,
                players[::-1] if place else players,
                opening,
                tuple(map(Move, game.moves.split())),
                *game[1:],
                start,
                limits,
            )
            for place, game in enumerate(games)
        )
        return one, other
