"""Ratings of several players: against what they must be, and against chance."""

from __future__ import annotations

import math
from random import Random

import pytest

from oanquan import _core
from oanquan.tournaments import ratings


def test_of_two_the_rating_is_that_of_the_match() -> None:
    counts = (30, 160, 400, 280, 130)
    one, other = ratings(["x", "y"], [(0, 1, counts)])
    _, _, elo, (low, high) = _core.pentanomial(list(counts))
    assert one.elo - other.elo == pytest.approx(elo)
    assert 2 * one.error == pytest.approx((high - low) / 2, rel=0.02)
    assert one.elo == -other.elo
    assert (one.points, one.games) == (1160.0, 2000)


def test_ratings_are_those_that_the_scores_were_made_of() -> None:
    true = [120.0, 40.0, 0.0, -60.0, -100.0]

    def counts(ahead: float) -> list[int]:
        score = 1 / (1 + 10 ** (-ahead / 400))
        return [round(1e6 * (1 - score)), 0, 0, 0, round(1e6 * score)]

    met = [(a, b, counts(true[a] - true[b])) for a in range(5) for b in range(a)]
    assert [rating.elo for rating in ratings("vwxyz", met)] == pytest.approx(true, abs=0.01)
    # A ladder tells the same of those who never met.
    assert [r.elo for r in ratings("vwxyz", [met_ for met_ in met if met_[0] - met_[1] == 1])] == pytest.approx(
        true, abs=0.01
    )


def test_at_the_likeliest_ratings_everybody_has_the_points_expected() -> None:
    met = [(0, 1, (5, 9, 20, 30, 8)), (1, 2, (0, 4, 9, 1, 0)), (2, 0, (1, 0, 0, 3, 0)), (3, 1, (9, 9, 9, 9, 9))]
    made = ratings("wxyz", met)
    assert sum(rating.elo for rating in made) == pytest.approx(0, abs=1e-6)
    for place, rating in enumerate(made):
        expected = 0.0
        for one, other, counts in met:
            if place in (one, other):
                rival = made[other if place == one else one]
                expected += 2 * sum(counts) / (1 + 10 ** ((rival.elo - rating.elo) / 400))
        assert rating.points == pytest.approx(expected)


def test_error_bars_hold_what_they_say() -> None:
    """Of 300 tournaments of equal players about 95 % have a player's true rating within its bars."""

    random, held = Random(5), 0
    for _ in range(300):
        met = []
        for a in range(4):
            for b in range(a):
                draws = random.choices(range(5), (3, 1, 12, 1, 3), k=80)
                met.append((a, b, [draws.count(points) for points in range(5)]))
        held += abs((rating := ratings("abcd", met)[0]).elo) <= rating.error
    assert 0.95 - 0.04 < held / 300 < 0.95 + 0.035


def test_where_points_went_one_way_ratings_are_infinite() -> None:
    all_won, even = (0, 0, 0, 0, 9), (0, 3, 3, 3, 0)
    top, one, other, bottom, alone = ratings("tobna", [(0, 1, all_won), (1, 2, even), (2, 3, all_won)])
    assert (top.elo, bottom.elo) == (math.inf, -math.inf)
    assert one.elo == pytest.approx(0)
    assert other.elo == pytest.approx(0)
    assert math.isnan(alone.elo)
    assert top.interval == (math.inf, math.inf)
    assert [r.elo for r in ratings("ab", [(0, 1, all_won)])] == [math.inf, -math.inf]
