"""How numbers are spread over many games and how often things happen in them, with confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist

from oanquan.errors import OanquanError


def _deviations(level: float) -> float:
    """How many standard deviations either way hold that share of a normal distribution."""
    if not 0 < level < 1:
        raise OanquanError(f"level: expected a number between 0 and 1, neither included, got {level!r}")
    return NormalDist().inv_cdf((1 + level) / 2)


@dataclass(frozen=True)
class Rate:
    """How often something happens: in `count` of `games` games.

    >>> rate = Rate(count=30, games=120)
    >>> rate.value
    0.25
    """

    count: int
    """Games in which it happened."""

    games: int
    """Games in all."""

    @property
    def value(self) -> float:
        """The rate, `count / games`, 0 to 1; NaN of no games.

        >>> Rate(count=30, games=120).value
        0.25
        """
        return self.count / self.games if self.games else math.nan

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of the rate (Wilson's), whose ends lie from 0 to 1.

        Of such intervals of many runs with seeds of their own, about the share `level` hold the rate of endlessly
        many games. With no games it is 0 to 1. Raises `OanquanError` unless `level` lies between 0 and 1.

        >>> low, high = Rate(count=30, games=120).interval()
        >>> round(low, 3), round(high, 3)
        (0.181, 0.334)
        >>> Rate(count=0, games=0).interval(0.99)
        (0.0, 1.0)
        """
        z, n = _deviations(level), self.games
        if not n:
            return 0.0, 1.0
        middle = (self.count + z * z / 2) / (n + z * z)
        half = z / (n + z * z) * math.sqrt(self.count * (n - self.count) / n + z * z / 4)
        # At the ends the formula gives 0 and 1 but for rounding.
        return max(middle - half, 0.0) if self.count else 0.0, min(middle + half, 1.0) if self.count < n else 1.0

    def to_dict(self) -> dict[str, float | list[float] | None]:
        """Return rate and 95 % interval; the rate of no games is `None`.

        >>> Rate(count=0, games=0).to_dict()
        {'rate': None, 'interval': [0.0, 1.0]}
        """
        return {"rate": self.value if self.games else None, "interval": list(self.interval())}


@dataclass(frozen=True)
class Spread:
    """How a number that each of `count` games has is spread, from exact whole sums.

    With `n` games and their numbers `x`:

    - `mean` = Σx / n
    - `sd` = √((n·Σx² - (Σx)²) / (n·(n - 1))), the standard deviation of a sample (over n - 1, not n)

    The fractions are of whole numbers, rounded once. Where they are undefined (`mean` of no game, `sd` of
    fewer than two) they are NaN; `min` and `max` of no game are `None`.

    >>> spread = Spread(count=3, sum=6, sum_of_squares=14, min=1, max=3)
    >>> spread.mean, spread.sd
    (2.0, 1.0)
    """

    count: int
    """n, the number of games."""

    sum: int
    """Σx, the sum of the numbers."""

    sum_of_squares: int
    """Σx², the sum of their squares."""

    min: int | None
    """The least number."""

    max: int | None
    """The greatest number."""

    histogram: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """The numbers that occur, ascending, each with how many games have it; empty where that was not counted.

    Numbers of 16,384 and more, of either sign, are rounded towards 0 to 14 binary digits, so that memory is
    bounded; everything else is exact."""

    @property
    def mean(self) -> float:
        """The mean, Σx / n.

        >>> Spread(count=3, sum=6, sum_of_squares=14, min=1, max=3).mean
        2.0
        """
        return self.sum / self.count if self.count else math.nan

    @property
    def sd(self) -> float:
        """The sample standard deviation, √((n·Σx² - (Σx)²) / (n·(n - 1))).

        >>> Spread(count=3, sum=6, sum_of_squares=14, min=1, max=3).sd
        1.0
        """
        n = self.count
        return math.sqrt((n * self.sum_of_squares - self.sum**2) / (n * (n - 1))) if n > 1 else math.nan

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of the mean: mean ± z·sd/√n, with z of the normal distribution.

        Of such intervals of many runs with seeds of their own, about the share `level` hold the mean of endlessly
        many games; of a few dozen games fewer do. NaN with fewer than two games. Raises `OanquanError` unless
        `level` lies between 0 and 1.

        >>> low, high = Spread(count=400, sum=800, sum_of_squares=3196, min=-3, max=7).interval()
        >>> round(low, 3), round(high, 3)
        (1.804, 2.196)
        """
        half = _deviations(level) * self.sd / math.sqrt(self.count) if self.count else math.nan
        return self.mean - half, self.mean + half

    def to_dict(self) -> dict[str, float | list[float] | None]:
        """Return mean, its 95 % interval, sd, min and max; what is undefined is `None`.

        >>> Spread(count=1, sum=5, sum_of_squares=25, min=5, max=5).to_dict()
        {'mean': 5.0, 'interval': None, 'sd': None, 'min': 5, 'max': 5}
        """
        mean, sd = (None if math.isnan(value) else value for value in (self.mean, self.sd))
        interval = None if sd is None else list(self.interval())
        return {"mean": mean, "interval": interval, "sd": sd, "min": self.min, "max": self.max}
