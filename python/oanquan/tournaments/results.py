"""What a tournament came to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from oanquan.matches import PairStatistics
from oanquan.tournaments.games import FORFEITS
from oanquan.tournaments.ratings import Rating, ratings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oanquan.matches import Sprt
    from oanquan.tournaments.games import Tally, TournamentGame


@dataclass(frozen=True)
class Encounter(PairStatistics):
    """What the games between two players came to, seen from the first of them, as `MatchResult` says it.

    >>> from oanquan.tournaments import run_tournament
    >>> encounter = run_tournament(["greedy", "random"], games=100, seed=1).encounters[0]
    >>> encounter.agents, encounter.pairs, encounter.elo > 0, encounter.forfeits
    (('greedy', 'random'), 50, True, {})
    """

    agents: tuple[str, str]
    """Who played."""

    pentanomial: tuple[int, int, int, int, int]
    """How many pairs brought the first player 0, ½, 1, 1½ and 2 points of two."""

    games: Sequence[TournamentGame] = field(repr=False)
    """The games, two for each pair: in the first of them the first player is side a. Made when they are asked for."""

    sprt: Sprt | None
    """The test, if there was one."""

    verdict: str | None
    """What it came to: `"stronger"`: than by `elo0`; `"not stronger"`: by `elo1`; `None` if it did not settle."""

    seconds: float = field(compare=False)
    """How long its games took, those at the same time added up."""

    tally: Tally = field(repr=False)
    """What its games came to."""

    def _results(self) -> tuple[int, int, int]:
        results = self.tally.results
        return results["won"], results["drawn"], results["lost"]

    @property
    def endings(self) -> dict[str, int]:
        """How many games ended for which reason.

        >>> from oanquan.tournaments import run_tournament
        >>> run_tournament(["greedy", "random"], games=100, seed=1).encounters[0].endings
        {'mandarins': 100}
        """
        return dict(self.tally.endings.most_common())

    @property
    def forfeits(self) -> dict[str, int]:
        """How many games were lost before their end, and by what.

        >>> from oanquan.tournaments import run_tournament
        >>> run_tournament(["greedy", "random"], games=10).encounters[0].forfeits
        {}
        """
        return {ending: games for ending, games in self.endings.items() if ending in FORFEITS}

    @property
    def disputes(self) -> int:
        """In how many games an engine said of the result what is not so.

        >>> from oanquan.tournaments import run_tournament
        >>> run_tournament(["greedy", "random"], games=10).encounters[0].disputes
        0
        """
        return self.tally.disputes

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the games as dicts, lists, numbers, texts and `None`, ready for JSON.

        >>> from oanquan.tournaments import run_tournament
        >>> run_tournament(["greedy", "random"], games=10).encounters[0].to_dict()["endings"]
        {'mandarins': 10}
        """
        return {**super().to_dict(), "endings": self.endings, "disputes": self.disputes}


@dataclass(frozen=True)
class TournamentResult:
    """What a tournament came to. Equal arguments give equal results, where the players are the same each time.

    >>> from oanquan.tournaments import run_tournament
    >>> result = run_tournament(["cautious", "greedy", "random"], games=100, seed=1)
    >>> [rating.player for rating in result.standings], len(result.encounters)
    (['cautious', 'greedy', 'random'], 3)
    """

    players: tuple[str, ...]
    """Who played."""

    encounters: tuple[Encounter, ...]
    """What they came to, each two that met."""

    retired: dict[str, str]
    """The players that were taken out because they crashed too often in a row, and what they last did."""

    seconds: float = field(compare=False)
    """How long it took."""

    @cached_property
    def ratings(self) -> tuple[Rating, ...]:
        """How strong the players are, in their order.

        >>> from oanquan.tournaments import run_tournament
        >>> result = run_tournament(["cautious", "greedy", "random"], games=100, seed=1)
        >>> round(sum(rating.elo for rating in result.ratings), 6) + 0.0
        0.0
        """
        places = {player: place for place, player in enumerate(self.players)}
        met = ((places[e.agents[0]], places[e.agents[1]], e.pentanomial) for e in self.encounters)
        return ratings(self.players, [*met])

    @property
    def standings(self) -> tuple[Rating, ...]:
        """The ratings, the strongest first.

        >>> from oanquan.tournaments import run_tournament
        >>> run_tournament(["random", "cautious"], games=100).standings[0].player
        'cautious'
        """
        known = [rating for rating in self.ratings if not math.isnan(rating.elo)]
        unknown = [rating for rating in self.ratings if math.isnan(rating.elo)]
        return (*sorted(known, key=lambda rating: -rating.elo), *unknown)

    @property
    def games(self) -> int:
        """How many games were played.

        >>> from oanquan.tournaments import run_tournament
        >>> run_tournament(["random", "cautious", "greedy"], games=10).games
        30
        """
        return sum(2 * encounter.pairs for encounter in self.encounters)

    def __str__(self) -> str:
        lines = [str(rating) for rating in self.standings] + [str(encounter) for encounter in self.encounters]
        return "\n".join([*lines, *self.retired.values()])

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the games as dicts, lists, numbers, texts and `None`, ready for JSON.

        >>> from oanquan.tournaments import run_tournament
        >>> sorted(run_tournament(["random", "cautious"], games=10).to_dict())
        ['matches', 'players', 'ratings', 'retired', 'seconds']
        """
        return {
            "players": list(self.players),
            "ratings": [rating.to_dict() for rating in self.standings],
            "matches": [encounter.to_dict() for encounter in self.encounters],
            "retired": dict(self.retired),
            "seconds": self.seconds,
        }


class TournamentInterrupted(KeyboardInterrupt):
    """Ctrl-C during `run_tournament`: a `KeyboardInterrupt` that has the result of the pairs finished until then.

    >>> from oanquan.tournaments import run_tournament
    >>> try:
    ...     raise TournamentInterrupted(run_tournament(["greedy", "random"], games=10))
    ... except KeyboardInterrupt as interrupt:
    ...     print(interrupt, interrupt.result.games)
    tournament interrupted after 10 games 10
    """

    def __init__(self, result: TournamentResult) -> None:
        super().__init__(result)
        self.result = result

    def __str__(self) -> str:
        return f"tournament interrupted after {self.result.games} games"
