"""Matches between two agents: `play_match`."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, overload

from oanquan import _core
from oanquan._core import Game
from oanquan.checks import MOST_LIMIT, MOST_SEED, MOST_THREADS, seats, start_of, within, within_or_off
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import SupportsIndex, TypeAlias

    from oanquan._core import Move, Outcome, Position
    from oanquan.rules import Rules

    _Agent: TypeAlias = str | Callable[[tuple[Position, ...]], Iterable[Move | str | SupportsIndex]]

Game_ = TypeVar("Game_")

_MOST_PAIRS = 10_000_000
_MOST_OPENING = 1000


@dataclass(frozen=True)
class Sprt:
    """A sequential test whether the first agent is stronger by `elo1` rather than by `elo0`; it ends a match.

    The generalised sequential probability ratio test on pairs of games (Van den Bergh, as in fishtest).

    >>> Sprt(0, 10)
    Sprt(elo0=0, elo1=10, alpha=0.05, beta=0.05)
    """

    elo0: float
    """The Elo of the first hypothesis."""

    elo1: float
    """The Elo of the second one, more than the first."""

    alpha: float = 0.05
    """How often the second may be accepted where the first holds."""

    beta: float = 0.05
    """How often the first may be accepted where the second holds."""


@dataclass(frozen=True)
class MatchGame:
    """A game of a match.

    >>> from oanquan import play_match
    >>> first, second = play_match(("greedy", "random"), pairs=1).games
    >>> second.pair, second.agents, second.moves[: second.opening] == first.moves[:4]
    (0, ('random', 'greedy'), True)
    """

    pair: int
    """The number of its pair."""

    agents: tuple[str, str]
    """Who played side a, and who side b."""

    opening: int
    """How many of the moves were drawn, for both games of the pair."""

    moves: tuple[Move, ...]
    """The moves."""

    outcome: Outcome
    """How it came out."""

    start: Position = field(repr=False)
    """Where it began."""

    limits: tuple[int | None, int | None] = field(repr=False)
    """Its `max_plies` and `repetition`."""

    def to_game(self) -> Game:
        """Return the game to look at or to write down, with the players in its headers.

        >>> from oanquan import play_match
        >>> game = play_match(("greedy", "random"), pairs=1).games[0].to_game()
        >>> game.headers["Players"]
        'greedy, random'
        """
        max_plies, repetition = self.limits
        game = Game(position=self.start, max_plies=max_plies, repetition=repetition)
        for move in self.moves:
            game.push(move)
        game.headers["Players"] = ", ".join(self.agents)
        return game


class GamesOfPairs(Sequence[Game_]):
    """The games of pairs, each made when it is asked for: equal to the tuple of them, and pickled as that.

    >>> class Numbers(GamesOfPairs[int]):
    ...     def pairs(self):
    ...         return 3
    ...     def pair_of_games(self, number):
    ...         return 2 * number, 2 * number + 1
    >>> Numbers()[4:], Numbers() == (0, 1, 2, 3, 4, 5)
    ((4, 5), True)
    """

    def pairs(self) -> int:
        """How many pairs there are."""
        raise NotImplementedError

    def pair_of_games(self, number: int) -> tuple[Game_, Game_]:
        """The games of that pair."""
        raise NotImplementedError

    def __len__(self) -> int:
        return 2 * self.pairs()

    @overload
    def __getitem__(self, place: SupportsIndex) -> Game_: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Game_, ...]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Game_ | tuple[Game_, ...]:
        places = range(len(self))[place]  # an index that is out of range is refused here
        if isinstance(places, range):
            return tuple(self[at] for at in places)
        return self.pair_of_games(places // 2)[places % 2]

    def __iter__(self) -> Iterator[Game_]:
        for number in range(self.pairs()):
            yield from self.pair_of_games(number)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (GamesOfPairs, tuple)):
            return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Game_, ...]], tuple[tuple[Game_, ...]]]:
        return tuple, (tuple(self),)


class _Games(GamesOfPairs[MatchGame]):
    """The games of a match."""

    def __init__(
        self,
        pairs: _core.MatchPairs,
        agents: tuple[str, str],
        start: Position,
        limits: tuple[int | None, int | None],
    ) -> None:
        self._pairs = pairs
        self._shared = (agents, start, limits)

    def results(self) -> tuple[int, int, int]:
        """Games that the first agent won, drew and lost."""
        return self._pairs.results()

    def pairs(self) -> int:
        return len(self._pairs)

    def pair_of_games(self, number: int) -> tuple[MatchGame, MatchGame]:
        opening, first, second = self._pairs.pair(number)
        agents, start, limits = self._shared
        return (
            MatchGame(number, agents, opening, *first, start, limits),
            MatchGame(number, agents[::-1], opening, *second, start, limits),
        )

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Games):  # without making them
            return self._shared == other._shared and self._pairs == other._pairs
        return super().__eq__(other)

    __hash__ = GamesOfPairs.__hash__


class PairStatistics:
    """What pairs of games between two agents say, seen from the first: what every result of a match has.

    Both games of a pair begin alike, so that they say less than two games would; all statistics are of pairs.

    >>> from oanquan import play_match
    >>> isinstance(play_match(("greedy", "random"), pairs=10), PairStatistics)
    True
    """

    agents: tuple[str, str]
    """Who played."""

    pentanomial: tuple[int, int, int, int, int]
    """How many pairs brought the first agent 0, ½, 1, 1½ and 2 points of two."""

    sprt: Sprt | None
    """The test, if there was one."""

    verdict: str | None
    """What it came to: `"stronger"`: than by `elo0`; `"not stronger"`: by `elo1`; `None` if it did not settle."""

    seconds: float
    """How long it took."""

    @property
    def pairs(self) -> int:
        """How many pairs were played.

        >>> from oanquan import play_match
        >>> play_match(("greedy", "random"), pairs=10).pairs
        10
        """
        return sum(self.pentanomial)

    def _results(self) -> tuple[int, int, int]:
        """Games that the first agent won, drew and lost."""
        raise NotImplementedError

    @property
    def wins(self) -> int:
        """Games that the first agent won.

        >>> from oanquan import play_match
        >>> play_match(("cautious", "random"), pairs=10).wins > 10
        True
        """
        return self._results()[0]

    @property
    def draws(self) -> int:
        """Games that nobody won.

        >>> from oanquan import play_match
        >>> play_match(("random", "random"), pairs=200).draws > 0
        True
        """
        return self._results()[1]

    @property
    def losses(self) -> int:
        """Games that the second agent won.

        >>> from oanquan import play_match
        >>> play_match(("random", "cautious"), pairs=10).losses > 10
        True
        """
        return self._results()[2]

    @cached_property
    def _statistics(self) -> tuple[float, tuple[float, float], float, tuple[float, float]]:
        return _core.pentanomial(list(self.pentanomial))

    @property
    def score(self) -> float:
        """The share of the points that the first agent won, 0 to 1.

        >>> from oanquan import play_match
        >>> play_match(("cautious", "random"), pairs=50).score > 0.7
        True
        """
        return self._statistics[0]

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % interval of the score: the means that a likelihood ratio test does not refuse.

        >>> from oanquan import play_match
        >>> low, high = play_match(("cautious", "random"), pairs=50).score_interval
        >>> 0.6 < low < high <= 1
        True
        """
        return self._statistics[1]

    @property
    def elo(self) -> float:
        """By how much Elo the first agent is stronger: 400 log10(score / (1 - score)).

        It is infinite where all points went to one.

        >>> from oanquan import play_match
        >>> play_match(("cautious", "random"), pairs=50).elo > 150
        True
        """
        return self._statistics[2]

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % interval of the Elo: that of `score_interval`.

        >>> from oanquan import play_match
        >>> low, high = play_match(("cautious", "random"), pairs=50).elo_interval
        >>> low > 50
        True
        """
        return self._statistics[3]

    @property
    def llr(self) -> float | None:
        """The logarithm of how much likelier `elo1` makes the results than `elo0`; `None` without a test.

        >>> from oanquan import Sprt, play_match
        >>> result = play_match(("cautious", "random"), pairs=1000, sprt=Sprt(0, 50))
        >>> result.llr > 2.9, result.verdict, result.pairs < 200
        (True, 'stronger', True)
        """
        return None if self.sprt is None else _test(self.pentanomial, self.sprt)[0]

    def __str__(self) -> str:
        first, second = self.agents
        low, high = self.elo_interval
        lines = [
            f"{first} against {second}: {self.wins} won, {self.draws} drawn, {self.losses} lost in {self.pairs} pairs",
            f"score {self.score:.1%}, Elo {self.elo:+.0f} (95 %: {low:+.0f} to {high:+.0f})",
        ]
        if self.sprt is not None:
            hypotheses = f"Elo {self.sprt.elo0:g} or {self.sprt.elo1:g}"
            lines.append(f"{hypotheses}: {self.verdict or 'not settled'}, log-likelihood ratio {self.llr:+.2f}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the games as dicts, lists, numbers, texts and `None`, ready for JSON.

        What is infinite is `None`.

        >>> from oanquan import play_match
        >>> play_match(("greedy", "random"), pairs=10).to_dict()["agents"]
        ['greedy', 'random']
        """
        test = None
        if self.sprt is not None:
            test = {**vars(self.sprt), "llr": self.llr, "verdict": self.verdict}
        return {
            "agents": list(self.agents),
            "pairs": self.pairs,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "pentanomial": list(self.pentanomial),
            "score": self.score,
            "score_interval": list(self.score_interval),
            "elo": finite(self.elo),
            "elo_interval": [finite(elo) for elo in self.elo_interval],
            "sprt": test,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class MatchResult(PairStatistics):
    """What a match came to, seen from its first agent. Equal arguments give equal results; `seconds` is not compared.

    Both games of a pair begin alike, so that they say less than two games would; all statistics are of pairs.

    >>> from oanquan import play_match
    >>> result = play_match(("greedy", "random"), pairs=100, seed=1)
    >>> result.pairs, sum(result.pentanomial), result.wins + result.draws + result.losses
    (100, 100, 200)
    >>> low, high = result.elo_interval
    >>> 0 < low < result.elo < high
    True
    """

    agents: tuple[str, str]
    """Who played."""

    pentanomial: tuple[int, int, int, int, int]
    """How many pairs brought the first agent 0, ½, 1, 1½ and 2 points of two."""

    games: Sequence[MatchGame] = field(repr=False)
    """The games, two for each pair: in the first of them the first agent is side a.

    Each is made when it is asked for, so that a match of millions is at hand at once; `tuple(games)` keeps them.
    """

    sprt: Sprt | None
    """The test, if there was one."""

    verdict: str | None
    """What it came to: `"stronger"`: than by `elo0`; `"not stronger"`: by `elo1`; `None` if it did not settle."""

    seconds: float = field(compare=False)
    """How long it took."""

    @cached_property
    def _counted(self) -> tuple[int, int, int]:
        if isinstance(self.games, _Games):
            return self.games.results()
        seen = ((game.outcome.winner, "ab"[place % 2]) for place, game in enumerate(self.games))
        points = [0.5 if winner is None else float(winner == own) for winner, own in seen]
        return points.count(1.0), points.count(0.5), points.count(0.0)

    def _results(self) -> tuple[int, int, int]:
        return self._counted


class MatchInterrupted(KeyboardInterrupt):
    """Ctrl-C during `play_match`: a `KeyboardInterrupt` that has the result of the pairs finished until then.

    >>> from oanquan import play_match
    >>> try:
    ...     raise MatchInterrupted(play_match(("greedy", "random"), pairs=10))
    ... except KeyboardInterrupt as interrupt:
    ...     print(interrupt, interrupt.result.pairs)
    match interrupted after 10 pairs 10
    """

    def __init__(self, result: MatchResult) -> None:
        super().__init__(result)
        self.result = result

    def __str__(self) -> str:
        return f"match interrupted after {self.result.pairs} pairs"


def play_match(  # noqa: PLR0913 (all but the first two by keyword)
    agents: Sequence[_Agent],
    rules: Rules | None = None,
    *,
    position: Position | None = None,
    pairs: int = 500,
    opening_plies: int = 4,
    sprt: Sprt | None = None,
    seed: int = 0,
    threads: int | None = None,
    max_plies: int | None = 1000,
    repetition: int | None = 3,
    progress: Callable[[int, int], object] | None = None,
) -> MatchResult:
    """Play two agents against each other, in pairs of games that begin alike with the seats swapped.

    Pair i begins with random moves, drawn from the seed and i; a draw that ends the game is thrown away. So a pair is
    the same whatever the number of pairs and of threads, and the same for every two agents that draw nothing
    themselves. Other Python threads run meanwhile. Ctrl-C raises `MatchInterrupted`, which has the result of the pairs
    finished until then.

    Args:
        agents: The two agents: texts or callables as in `simulate`. A callable is asked for one move at a time, with a
            tuple of one position, from other threads than the caller's; never by two at once, unless it gives way to
            other threads itself.
        rules: Play from the start of these rules, which have two sides; of the default ones if there is no position
            either.
        position: Play from this position instead.
        pairs: How many pairs to play, at most; 1 to 10,000,000.
        opening_plies: With how many random moves each pair begins, 0 to 1000.
        sprt: A test that ends the match when it settles. It settles at the same pair on any number of threads.
        seed: Of openings and agents, 0 to 2**64 - 1.
        threads: 1 to 1024; `None` for all cores.
        max_plies: Count a game after so many plies, the opening's included, 0 to 2**32 - 1; `None` for no limit.
        repetition: Count a game when a position stands for the n-th time, 1 to 2**32 - 1; `None`: no limit.
        progress: Called as `progress(done, pairs)` from the calling thread, about every 50 ms and once at the end. An
            exception it raises stops the match and comes out of `play_match`.

    Raises:
        IllegalMoveError: A callable's move is not legal.
        MatchInterrupted: Ctrl-C.
        OanquanError: An argument is out of range, no agent has that text, or a callable returns no move or several.
            What a callable raises comes out of `play_match` as it is.
        TypeError: Both rules and a position, or an argument of another type.

    >>> print(play_match(("cautious", "greedy"), pairs=100).verdict)
    None
    >>> result = play_match(("cautious", "greedy"), pairs=2000, sprt=Sprt(0, 30))
    >>> result.verdict
    'stronger'
    """
    start = start_of(rules, position)
    players = seats(agents, 2, least=2)
    if start.rules.sides != 2:
        raise OanquanError(f"rules: expected two sides, got {start.rules.sides}")
    if sprt is not None and not isinstance(sprt, Sprt):
        raise TypeError(f"sprt: expected a Sprt, got {type(sprt).__name__}")
    limits = (
        within_or_off("max_plies", max_plies, 0, MOST_LIMIT),
        within_or_off("repetition", repetition, 1, MOST_LIMIT),
    )
    begin = time.perf_counter()
    played, counts, verdict, error = _core.play_match(
        start,
        players,
        within("pairs", pairs, 1, _MOST_PAIRS),
        within("opening_plies", opening_plies, 0, _MOST_OPENING),
        within("seed", seed, 0, MOST_SEED),
        0 if threads is None else within("threads", threads, 1, MOST_THREADS),
        *limits,
        None if sprt is None else (sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta),
        progress,
    )
    first, second = (_name(player) for player in players)
    games = _Games(played, (first, second), start, limits)
    none, half, one, more, two = counts
    seconds = time.perf_counter() - begin
    result = MatchResult((first, second), (none, half, one, more, two), games, sprt, verdict, seconds)
    if isinstance(error, KeyboardInterrupt):
        raise MatchInterrupted(result) from error
    if error is not None:
        raise error
    return result


def _name(agent: _Agent) -> str:
    """The text of an agent in its one form, or what a callable calls itself."""
    if isinstance(agent, str):
        return _core.agent_name(agent)
    name = getattr(agent, "__name__", None)
    return name if isinstance(name, str) else type(agent).__name__


def _test(pentanomial: Sequence[int], sprt: Sprt) -> tuple[float, tuple[float, float], str | None]:
    return _core.sprt(list(pentanomial), sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta)


def finite(number: float) -> float | None:
    """Return the number, or `None` if it is infinite or none.

    >>> finite(float("inf"))
    """
    return number if math.isfinite(number) else None
