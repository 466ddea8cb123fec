"""The joint Elo of several players, from all the pairs that they played.

The model is that of Bradley and Terry with a draw as half a win: a player stronger by d Elo is expected to score
1 / (1 + 10^(-d / 400)). The ratings are those under which the scores that were made are likeliest, which is where every
player's expected points are those that it made. Their mean is 0.

The error bars do not believe the model that games are independent, since the two games of a pair are not: they come
from how much the scores of pairs scatter (the *sandwich* estimate of the covariance).

Where some players won everything from others, no finite rating is likeliest (Ford's condition). Then the largest group
within which points went round has finite ratings, and the others are infinitely stronger or weaker.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oanquan.matches import finite

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A pair's scores as shares of its two points, and what is added to the count of each, as the statistics of a match do.
_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_REGULAR = 1e-3
_ELO = 400 / math.log(10)
_DEVIATIONS = 1.959963984540054  # on each side of a 95 % interval
_STEPS = 200
_CLOSE = 1e-12

Matrix = list[list[float]]


@dataclass(frozen=True)
class Rating:
    """How strong a player is among those of a tournament.

    >>> rating = ratings(["a", "b"], [(0, 1, (0, 10, 60, 20, 10))])[0]
    >>> print(rating)
    a: +26 (95 %: +13 to +40), 115.0 of 200
    """

    player: str
    """Its name."""

    elo: float
    """Its Elo, of which the mean is 0; infinite where points went one way only; `nan` where nothing tells."""

    error: float
    """Half of the 95 % interval; infinite where the Elo is not finite."""

    points: float
    """Its points: 1 for a won game, ½ for a drawn one."""

    games: int
    """How many games it played."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the Elo.

        >>> low, high = ratings(["a", "b"], [(0, 1, (0, 10, 60, 20, 10))])[0].interval
        >>> 0 < low < 26 < high
        True
        """
        if math.isinf(self.elo):
            return (self.elo, self.elo)
        return (self.elo - self.error, self.elo + self.error)

    def __str__(self) -> str:
        low, high = self.interval
        points = f"{self.points:.1f} of {self.games}"
        return f"{self.player}: {self.elo:+.0f} (95 %: {low:+.0f} to {high:+.0f}), {points}"

    def to_dict(self) -> dict[str, str | float | int | None]:
        """Return the fields, ready for JSON; what is not finite is `None`.

        >>> ratings(["a", "b"], [(0, 1, (0, 0, 0, 0, 10))])[0].to_dict()["elo"]
        """
        return {**vars(self), "elo": finite(self.elo), "error": finite(self.error)}


@dataclass(frozen=True)
class _Score:
    """What two players made of their pairs: the number of pairs, the first one's mean and the variance of a pair."""

    first: int
    second: int
    pairs: int
    mean: float
    variance: float

    @classmethod
    def of(cls, first: int, second: int, pentanomial: Sequence[int]) -> _Score:
        pairs = sum(pentanomial)
        mean = sum(n * score for n, score in zip(pentanomial, _SCORES, strict=True)) / pairs
        regular = [n + _REGULAR for n in pentanomial]
        spread = sum(n * (score - mean) ** 2 for n, score in zip(regular, _SCORES, strict=True))
        return cls(first, second, pairs, mean, spread / sum(regular))


def ratings(players: Sequence[str], results: Sequence[tuple[int, int, Sequence[int]]]) -> tuple[Rating, ...]:
    """Return the ratings of the players, in their order.

    Args:
        players: Their names.
        results: Of each two that met: the places of both among the players, and how many pairs brought the first of
            them 0, ½, 1, 1½ and 2 points, as `MatchResult.pentanomial`.

    >>> strong, middle, weak = ratings(["x", "y", "z"], [(0, 1, (0, 0, 5, 10, 5)), (1, 2, (0, 0, 5, 10, 5))])
    >>> round(strong.elo), round(middle.elo), round(weak.elo)
    (191, 0, -191)
    """
    scores = [_Score.of(*result) for result in results if sum(result[2])]
    above = _reaching(len(players), scores)
    groups = _groups(above)
    chosen = max(groups, key=len, default=[])
    if len(chosen) < 2:
        chosen = []  # no two players took points from each other
    elos, errors = _fit(chosen, [score for score in scores if {score.first, score.second} <= {*chosen}])
    made = []
    for place, player in enumerate(players):
        own = [score for score in scores if place in (score.first, score.second)]
        points = sum(2 * s.pairs * (s.mean if s.first == place else 1 - s.mean) for s in own)
        games = sum(2 * score.pairs for score in own)
        if place in chosen:
            elo, error = elos[chosen.index(place)], errors[chosen.index(place)]
        else:
            elo, error = _beyond(above, place, chosen or range(len(players))), math.inf
        made.append(Rating(player, elo, error, points, games))
    return tuple(made)


def _reaching(players: int, scores: Sequence[_Score]) -> list[list[bool]]:
    """Who got points from whom, directly or through others."""
    reaching = [[one == other for other in range(players)] for one in range(players)]
    for score in scores:
        reaching[score.first][score.second] |= score.mean > 0
        reaching[score.second][score.first] |= score.mean < 1
    for middle in range(players):
        for one in range(players):
            if reaching[one][middle]:
                reaching[one] = [a or b for a, b in zip(reaching[one], reaching[middle], strict=True)]
    return reaching


def _groups(reaching: list[list[bool]]) -> list[list[int]]:
    """The players in groups within which points went round."""
    players = range(len(reaching))
    groups = {tuple(b for b in players if reaching[a][b] and reaching[b][a]): None for a in players}
    return [list(group) for group in groups]


def _beyond(reaching: list[list[bool]], player: int, others: Iterable[int]) -> float:
    """The Elo of a player that is in no group with the others: by whether it took points from them, or they from it."""
    apart = [other for other in others if other != player]
    above = any(reaching[player][other] for other in apart)
    below = any(reaching[other][player] for other in apart)
    if above == below:
        return math.nan
    return math.inf if above else -math.inf


def _fit(group: list[int], scores: Sequence[_Score]) -> tuple[list[float], list[float]]:
    """The likeliest Elo of each player of a group, and half of its 95 % interval."""
    size = len(group)
    if not size:
        return [], []
    own = [replace(s, first=group.index(s.first), second=group.index(s.second)) for s in scores]
    strengths = _likeliest(size, own)
    inverse = _centred_inverse(_laplacian(size, own, _information(strengths, own)))
    scatter = _laplacian(size, own, [score.pairs * score.variance for score in own])
    covariance = _product(_product(inverse, scatter), inverse)
    errors = [_DEVIATIONS * _ELO * math.sqrt(max(0.0, covariance[place][place])) for place in range(size)]
    return [_ELO * strength for strength in strengths], errors


def _likeliest(size: int, scores: Sequence[_Score]) -> list[float]:
    """The strengths, of mean 0 and in units of 400 / ln 10 Elo, under which all have the points that they made."""
    strengths = [0.0] * size
    likelihood = _likelihood(strengths, scores)
    for _ in range(_STEPS):
        lacking = [0.0] * size
        for score in scores:
            more = score.pairs * (score.mean - _expected(strengths, score))
            lacking[score.first] += more
            lacking[score.second] -= more
        inverse = _centred_inverse(_laplacian(size, scores, _information(strengths, scores)))
        step = [sum(a * b for a, b in zip(row, lacking, strict=True)) for row in inverse]
        while True:  # Newton's step, shorter where it leads down
            tried = [strength + change for strength, change in zip(strengths, step, strict=True)]
            reached = _likelihood(tried, scores)
            if reached > likelihood or max(map(abs, step)) < _CLOSE:
                break
            step = [change / 2 for change in step]
        strengths, likelihood = tried, reached
        if max(map(abs, step)) < _CLOSE:
            break
    return strengths


def _expected(strengths: Sequence[float], score: _Score) -> float:
    """The share of the points that the first of two is expected to make."""
    return 1 / (1 + math.exp(strengths[score.second] - strengths[score.first]))


def _likelihood(strengths: Sequence[float], scores: Sequence[_Score]) -> float:
    """The logarithm of how likely the scores are."""
    total = 0.0
    for score in scores:
        ahead = strengths[score.first] - strengths[score.second]
        # -ln of the expected share; that of the other is more by `ahead`. Nothing overflows.
        lost = math.log1p(math.exp(-abs(ahead))) + max(0.0, -ahead)
        total -= score.pairs * (lost + (1 - score.mean) * ahead)
    return total


def _information(strengths: Sequence[float], scores: Sequence[_Score]) -> list[float]:
    """How much each meeting tells of the difference of two strengths."""
    return [score.pairs * (share := _expected(strengths, score)) * (1 - share) for score in scores]


def _laplacian(size: int, scores: Sequence[_Score], weights: Sequence[float]) -> Matrix:
    """The matrix of the quadratic form that sums up weighted squares of differences."""
    matrix = [[0.0] * size for _ in range(size)]
    for score, weight in zip(scores, weights, strict=True):
        one, other = score.first, score.second
        matrix[one][one] += weight
        matrix[other][other] += weight
        matrix[one][other] -= weight
        matrix[other][one] -= weight
    return matrix


def _centred_inverse(matrix: Matrix) -> Matrix:
    """The inverse on what has mean 0, of a matrix that takes equal numbers to nothing."""
    size = len(matrix)
    scale = max(row[place] for place, row in enumerate(matrix))
    inverse = _inverse([[value + scale / size for value in row] for row in matrix])
    return [[value - 1 / (scale * size) for value in row] for row in inverse]


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse of a positive definite matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(place == other) for other in range(size))] for place, row in enumerate(matrix)]
    for place in range(size):
        pivot = rows[place][place]
        rows[place] = [value / pivot for value in rows[place]]
        for other in range(size):
            if other != place and (factor := rows[other][place]):
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[place], strict=True)]
    return [row[size:] for row in rows]


def _product(one: Matrix, other: Matrix) -> Matrix:
    columns = [*zip(*other, strict=True)]
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one]
