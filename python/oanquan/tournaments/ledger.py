"""What is known of an encounter while it is played."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from oanquan import _core

if TYPE_CHECKING:
    from oanquan.matches import Sprt
    from oanquan.tournaments.games import Pairs


class Ledger:
    """The pairs of an encounter.

    They count in their order: what a test says of the first so many does not depend on who was quickest.

    >>> from oanquan.tournaments.games import WrittenPairs
    >>> ledger = Ledger(3, None)
    >>> ledger.put(1, WrittenPairs(["{}"], bytes([4])))
    >>> ledger.counted, ledger.missing(0)
    (0, (0, 1))
    >>> ledger.put(0, WrittenPairs(["{}"], bytes([2])))
    >>> ledger.counted, ledger.pentanomial, ledger.missing(0)
    (2, (0, 0, 1, 0, 1), (2, 1))
    """

    def __init__(self, pairs: int, sprt: Sprt | None) -> None:
        self.wanted = pairs
        self.sprt = sprt
        self.verdict: str | None = None
        self.counted = 0
        """How many pairs count, from the first on."""
        self.parts: list[tuple[Pairs, int]] = []
        """The pairs that count: of each part so many."""
        self._counts: Counter[int] = Counter()
        self._early: dict[int, Pairs] = {}

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """How many pairs brought the first player 0, ½, 1, 1½ and 2 points."""
        none, half, one, more, two = (self._counts[points] for points in range(5))
        return none, half, one, more, two

    @property
    def settled(self) -> bool:
        """Whether no more pairs are wanted."""
        return self.verdict is not None or self.counted >= self.wanted

    def put(self, first: int, pairs: Pairs) -> None:
        """Take in pairs, numbered from `first` on."""
        self._early[first] = pairs
        while not self.settled and self.counted in self._early:
            self._count(self._early.pop(self.counted))

    def _count(self, part: Pairs) -> None:
        points = part.half_points()[: self.wanted - self.counted]
        if self.sprt is None:
            self._counts.update(points)
            taken = len(points)
        else:
            taken = 0
            for half_points in points:
                self._counts[half_points] += 1
                taken += 1
                self.verdict = _core.sprt(
                    list(self.pentanomial), self.sprt.elo0, self.sprt.elo1, self.sprt.alpha, self.sprt.beta
                )[2]
                if self.verdict is not None:
                    break
        self.counted += taken
        self.parts.append((part, taken))

    def missing(self, after: int) -> tuple[int, int]:
        """The first pair from that number on that is not there, and how many are missing from it on."""
        first = max(after, self.counted)
        for early in sorted(self._early):
            if first < early:
                return first, min(early, self.wanted) - first
            first = max(first, early + len(self._early[early]))
        return first, max(0, self.wanted - first)
