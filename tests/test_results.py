"""Intervals against the definitions they come from, and every part of the results against the games themselves."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from statistics import NormalDist

import pytest

import oanquan as oaq
from oanquan import Rate, Results, Spread
from support.engines import rules_of
from support.stream import draw

LEVELS = (0.5, 0.9, 0.95, 0.999)


def games_of(rules: oaq.Rules, seed: int, games: int) -> list[oaq.Game]:
    """The games that `simulate` plays, with the random stream that the package promises."""
    played = []
    for number in range(games):
        game = oaq.Game(rules)
        while game.outcome is None:
            moves = game.position.legal_moves
            game.push(moves[draw(seed, number, len(game.moves), len(moves))])
        played.append(game)
    return played


# ---- histograms and openings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["mancala-world", "three-players", "four-players"])
def test_histograms_and_openings_are_those_of_the_games(preset: str) -> None:
    rules = rules_of(preset)
    results, games = oaq.simulate(300, rules, seed=21, threads=2), games_of(rules, 21, 300)
    points = [game.outcome.points for game in games if game.outcome is not None]
    assert results.plies.histogram == tuple(sorted(Counter(len(game.moves) for game in games).items()))
    for place, side in enumerate(results.points):
        assert results.points[side].histogram == tuple(sorted(Counter(p[place] for p in points).items()))
    if results.difference is not None:
        assert results.difference.histogram == tuple(sorted(Counter(a - b for a, b in points).items()))
    by_opening = defaultdict(list)
    for game in games:
        by_opening[game.moves[0]].append(game.outcome)
    assert [opening.move for opening in results.openings] == sorted(by_opening, key=lambda move: move.action)
    for opening in results.openings:
        outcomes = by_opening[opening.move]
        margins = [outcome.points[0] - max(outcome.points[1:]) for outcome in outcomes]
        assert opening.games == len(outcomes)
        winners = Counter(outcome.winner for outcome in outcomes)
        assert opening.wins == {side: winners[side] for side in results.wins}
        assert opening.draws == winners[None]
        assert opening.margin == Spread(
            len(margins), sum(margins), sum(m * m for m in margins), min(margins), max(margins)
        )


def test_a_histogram_has_all_of_its_spread() -> None:
    results = oaq.simulate(20_000, rules_of("wikipedia-vi"), seed=2)
    assert results.difference is not None
    for spread in (*results.points.values(), results.difference, results.plies):
        values = [value for value, _ in spread.histogram]
        assert values == sorted(set(values))
        assert (values[0], values[-1]) == (spread.min, spread.max)
        assert sum(games for _, games in spread.histogram) == spread.count == 20_000
        assert sum(value * games for value, games in spread.histogram) == spread.sum
        assert sum(value**2 * games for value, games in spread.histogram) == spread.sum_of_squares


def test_an_opening_is_seen_from_the_side_that_moves_first() -> None:
    start = oaq.Position.start(rules_of("mancala-world"), first="b")
    results = oaq.simulate(2000, position=start, seed=5)
    assert {opening.move.side for opening in results.openings} == {"b"}
    assert sum(opening.win_rate.count for opening in results.openings) == results.wins["b"]
    assert results.difference is not None
    assert sum(opening.margin.sum for opening in results.openings) == -results.difference.sum


def test_games_without_a_move_have_no_opening() -> None:
    results = oaq.simulate(10, max_plies=0)
    assert results.openings == ()
    assert results.plies.histogram == ((0, 10),)
    assert "first move" not in str(results)


# ---- intervals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("count", "games"), [(1, 2), (3, 10), (500, 1000), (10**9 // 3, 10**9)])
def test_the_ends_of_a_wilson_interval_solve_its_equation(count: int, games: int, level: float) -> None:
    """The ends are the rates p from which `count / games` is exactly z standard deviations away."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    low, high = Rate(count, games).interval(level)
    assert 0 < low < count / games < high < 1
    for p in (low, high):
        assert math.isclose(abs(count / games - p), z * math.sqrt(p * (1 - p) / games), rel_tol=1e-6)


def test_a_rate_at_an_end_has_an_interval_that_begins_or_ends_there() -> None:
    z = NormalDist().inv_cdf(0.975)
    for games in (1, 7, 10**6):
        assert Rate(0, games).interval() == (0.0, pytest.approx(z**2 / (games + z**2)))
        assert Rate(games, games).interval() == (pytest.approx(games / (games + z**2)), 1.0)
    assert Rate(0, 0).interval() == (0.0, 1.0)
    assert math.isnan(Rate(0, 0).value)


@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_of_a_mean_is_the_normal_one(level: float) -> None:
    numbers = [1, 4, 4, -7, 12, 0, 3]
    spread = Spread(len(numbers), sum(numbers), sum(n * n for n in numbers), min(numbers), max(numbers))
    low, high = spread.interval(level)
    error = NormalDist(0, spread.sd / math.sqrt(len(numbers)))
    assert math.isclose(error.cdf(high - spread.mean) - error.cdf(low - spread.mean), level)
    assert math.isclose((low + high) / 2, spread.mean)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """200 runs against the mean and the rate of the other 40,000 games, which are nearly exact; fixed seeds."""
    runs = [oaq.simulate(200, seed=seed, threads=1) for seed in range(200)]
    games = sum(run.games for run in runs)
    mean = Fraction(sum(run.plies.sum for run in runs), games)
    rate = Fraction(sum(run.wins["a"] for run in runs), games)
    for level in (0.5, 0.8, 0.95):
        hits = [0, 0]
        for run in runs:
            (low, high), (least, most) = run.plies.interval(level), run.win_rates["a"].interval(level)
            hits[0] += low <= mean <= high
            hits[1] += least <= rate <= most
        deviation = math.sqrt(200 * level * (1 - level))
        assert all(abs(hit - 200 * level) < 4 * deviation for hit in hits), f"{level}: {hits} of 200"


@pytest.mark.parametrize("level", [0, 1, -0.1, 1.5, math.nan, math.inf])
def test_levels_out_of_range_are_refused(level: float) -> None:
    results = oaq.simulate(10)
    for refused in (results.plies.interval, results.draw_rate.interval, results.table):
        with pytest.raises(oaq.OanquanError, match=r"level: expected a number between 0 and 1, neither included, got "):
            refused(level)


def test_what_is_undefined_is_nan() -> None:
    one = oaq.simulate(1)
    assert all(math.isnan(end) for end in one.plies.interval())
    nothing = Spread(0, 0, 0, None, None)
    assert all(math.isnan(value) for value in (nothing.mean, nothing.sd, *nothing.interval()))
    assert nothing.to_dict() == {"mean": None, "interval": None, "sd": None, "min": None, "max": None}


# ---- text and dicts --------------------------------------------------------------------------------------------------


def test_the_text_has_every_number() -> None:
    results = oaq.simulate(3000, seed=1)
    text = str(results)
    assert text == results.table() == results.table(0.95)
    assert text != results.table(0.5)
    for opening in results.openings:
        assert f"| {opening.move}        | " in text
        assert f" {100 * opening.win_rate.value:.2f} % " in text
        assert f" {opening.margin.mean:.3f} |" in text
    assert "| 95 % interval |" in text
    assert "| 99.9 % interval |" in results.table(0.999)
    lines = text.splitlines()
    assert {len(line) for line in lines[:11]} == {len(lines[0])}


def test_a_billion_games_fit_in_eighty_columns() -> None:
    many = 10**9
    spread = Spread(many, 30 * many, 1300 * many, -300, 300)
    opening = oaq.Opening(oaq.Move("a1+"), {"a": many, "b": 0}, 0, spread)
    results = Results(
        games=many, wins={"a": many, "b": 0}, draws=0, endings={"mandarins": many, "short": 0}, reseedings=0, loans=0,
        points={"a": spread, "b": spread}, difference=spread, plies=spread, pebbles_lent=0, openings=(opening,),
        seconds=1.0,
    )  # fmt: skip
    assert max(map(len, str(results).splitlines())) <= 80
    assert "| 1,000,000,000 | 100.00 % | 100.00 to 100.00 % |" in str(results)


def test_dicts_have_everything() -> None:
    results = oaq.simulate(500, seed=1)
    report = results.to_dict()
    assert {int(value): games for value, games in report["histograms"]["plies"].items()} == dict(
        results.plies.histogram
    )
    assert report["win_rates"]["a"] == {
        "rate": results.wins["a"] / 500, "interval": list(results.win_rates["a"].interval())
    }  # fmt: skip
    assert [opening["move"] for opening in report["openings"]] == [str(opening.move) for opening in results.openings]
    three = oaq.simulate(50, rules_of("three-players")).to_dict()
    assert three["histograms"]["difference"] is None
    assert [*three["histograms"]["points"]] == ["a", "b", "c"]
