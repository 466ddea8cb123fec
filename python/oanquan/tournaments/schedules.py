"""Who meets whom."""

from __future__ import annotations

from itertools import combinations, pairwise

from oanquan.errors import OanquanError

SCHEDULES = ("round-robin", "gauntlet", "ladder")
"""Everybody meets everybody; the first meets all others; each meets the next."""


def encounters(schedule: str, players: int) -> list[tuple[int, int]]:
    """Return who meets whom, by their places among the players.

    >>> encounters("round-robin", 3), encounters("gauntlet", 3), encounters("ladder", 3)
    ([(0, 1), (0, 2), (1, 2)], [(0, 1), (0, 2)], [(0, 1), (1, 2)])
    """
    if schedule == "round-robin":
        return [*combinations(range(players), 2)]
    if schedule == "gauntlet":
        return [(0, other) for other in range(1, players)]
    if schedule == "ladder":
        return [*pairwise(range(players))]
    raise OanquanError(f"schedule: expected {', '.join(SCHEDULES)}, got {schedule!r}")
