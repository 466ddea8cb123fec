"""`simulate` against games played one by one in Python, with the random stream that the package promises."""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

import oanquan
from oanquan import Position, Results, Rules
from support.cases import captures
from support.engines import CORE, Engine, rules_of
from support.lockstep import random_pair
from support.stream import draw

GAMES = 60


def played_one_by_one(engine: Engine, rules: Rules, seed: int, games: int, **limits: int) -> list[tuple]:  # type: ignore[type-arg]
    """Every game of the seed: outcome, plies, re-seedings, loans and pebbles lent."""
    played = []
    for number in range(games):
        game = engine.Game(rules, **limits)
        steps = []
        while game.outcome is None:
            moves = engine.moves(game.position)
            move = moves[draw(seed, number, len(game.moves), len(moves))]
            steps += engine.trace(game.position, move)
            game.push(move)
        kinds = Counter(step[0] for step in steps)
        lent = sum(step[3] for step in steps if step[0] == "borrow")
        played.append((engine.outcome(game), len(game.moves), kinds["reseed"], kinds["borrow"], lent))
    return played


@pytest.mark.parametrize("preset", oanquan.PRESETS)
def test_a_simulation_is_the_sum_of_its_games(engine: Engine, preset: str) -> None:
    rules = rules_of(preset)
    games = GAMES if engine is CORE else 12
    limits = {"max_plies": 60, "repetition": 2}
    results = oanquan.simulate(games, rules, seed=11, threads=2, **limits)
    played = played_one_by_one(engine, rules, 11, games, **limits)
    outcomes = [outcome for outcome, *_ in played if outcome]
    winners, endings = Counter(o[0] for o in outcomes), Counter(o[1] for o in outcomes)
    sides = "abcd"[: rules.sides]
    assert results.games == games
    assert results.wins == {side: winners[side] for side in sides}
    assert results.draws == winners[None]
    assert {name: n for name, n in results.endings.items() if n} == dict(endings)
    assert results.stopped == endings["repetition"] + endings["max_plies"]
    assert results.moves == results.plies.sum == sum(plies for _, plies, *_ in played)
    assert (results.plies.min, results.plies.max) == (min(p[1] for p in played), max(p[1] for p in played))
    assert (results.reseedings, results.loans, results.pebbles_lent) == tuple(
        [sum(column) for column in list(zip(*played, strict=True))[2:]]
    )
    for place, side in enumerate(sides):
        points = [outcome[2][place] for outcome in outcomes]
        spread = results.points[side]
        assert (spread.sum, spread.min, spread.max) == (sum(points), min(points), max(points))
        assert math.isclose(spread.mean, statistics.mean(points))
        assert math.isclose(spread.sd, statistics.stdev(points))
    if rules.sides == 2:
        difference = [outcome[2][0] - outcome[2][1] for outcome in outcomes]
        assert results.difference is not None
        assert results.difference.sum == sum(difference)
        assert math.isclose(results.difference.sd, statistics.stdev(difference))
    else:
        assert results.difference is None


def test_the_number_of_threads_does_not_matter() -> None:
    rules = rules_of("wikipedia-vi")
    results = [oanquan.simulate(3000, rules, seed=7, threads=threads) for threads in (1, 2, 3, 8, None)]
    assert all(other == results[0] for other in results)
    assert results[0] != oanquan.simulate(3000, rules, seed=8)


def test_a_simulation_may_begin_anywhere() -> None:
    position = Position.parse("1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30", rules_of("wikipedia-vi"))
    results = oanquan.simulate(50, position=position, seed=3)
    assert results.games == sum(results.wins.values()) + results.draws == 50
    assert results.points["a"].sum + results.points["b"].sum == 50 * 70
    again = oanquan.simulate(50, position=Position.parse(str(position), position.rules), seed=3)
    assert results == again
    with pytest.raises(TypeError, match="expected rules or a position, got both"):
        oanquan.simulate(1, Rules(), position=position)


def test_greedy_takes_the_most() -> None:
    """Against random play it wins most games, and its first move is always one of those that gain most."""
    assert oanquan.simulate(400, agents=("greedy", "random"), seed=1).wins["a"] > 300
    assert oanquan.simulate(400, agents=("random", "greedy"), seed=1).wins["b"] > 300
    rng, choices = Random(1), 0
    for _ in range(200):
        pair = random_pair(rng)
        if pair is None or pair[0].is_over or pair[0].rules.mandarin_ban:
            continue
        position, value = pair[0], pair[0].rules.mandarin_value
        gains = {}
        for move in CORE.moves(position):
            gains[move] = sum(n + value * q for _, n, q in captures(CORE.trace(position, move)))
        best = [move for move, gain in gains.items() if gain == max(gains.values())]
        place = "abcd".index(position.turn)
        expected = {CORE.counted(CORE.play(position, move))[place] for move in best}
        results = oanquan.simulate(40, position=position, agents=("greedy",), max_plies=1, repetition=None)
        seen = {results.points[position.turn].min, results.points[position.turn].max}
        assert seen <= expected, f"{position.rules} | {position}: {seen}, expected {expected}"
        choices += len(best) < len(gains)
    assert choices > 50


def test_progress_is_reported_and_may_stop_the_run() -> None:
    calls: list[tuple[int, int]] = []
    oanquan.simulate(500, progress=lambda done, games: calls.append((done, games)))
    assert calls[-1] == (500, 500)
    assert calls == sorted(calls)

    def stop(done: int, games: int) -> None:
        raise RuntimeError(f"{done} of {games}")

    with pytest.raises(RuntimeError, match="of 500"):
        oanquan.simulate(500, progress=stop)


def raises_interrupt(*_: int) -> None:
    raise KeyboardInterrupt


def test_an_interrupt_has_what_was_done(figure: Callable[[str], None]) -> None:
    with pytest.raises(oanquan.SimulationInterrupted) as caught:
        oanquan.simulate(10_000_000, threads=1, progress=raises_interrupt)
    results = caught.value.results
    assert isinstance(results, Results)
    assert 0 <= results.games < 10_000_000
    assert results.games == sum(results.wins.values()) + results.draws == sum(results.endings.values())
    figure(f"simulation interrupted after {results.games} games")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"games": 0}, oanquan.OanquanError),
        ({"games": -1}, oanquan.OanquanError),
        ({"games": 1.5}, TypeError),
        ({"games": 1, "seed": -1}, oanquan.OanquanError),
        ({"games": 1, "seed": 2**64}, oanquan.OanquanError),
        ({"games": 1, "threads": 0}, oanquan.OanquanError),
        ({"games": 1, "agents": ("random", "nobody")}, oanquan.OanquanError),
        ({"games": 1, "agents": ()}, oanquan.OanquanError),
        ({"games": 1, "agents": "random"}, TypeError),
        ({"games": 1, "agents": ("random",) * 3}, oanquan.OanquanError),
        ({"games": 1, "repetition": 0}, oanquan.OanquanError),
        ({"games": 1, "max_plies": -1}, oanquan.OanquanError),
    ],
    ids=str,
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        oanquan.simulate(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 1e6}, "games: expected a whole number, got float"),
        ({"games": 1, "seed": "7"}, "seed: expected a whole number, got str"),
        ({"games": 1, "agents": "greedy"}, "agents: expected a sequence like ('greedy',), got str"),
        (
            {"games": 1, "agents": print},
            "agents: expected a sequence of names or callables, got builtin_function_or_method",
        ),
    ],
    ids=str,
)
def test_a_wrong_type_is_named_with_its_argument(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        oanquan.simulate(**arguments)  # type: ignore[arg-type]


def test_what_is_undefined_is_nan() -> None:
    one = oanquan.simulate(1)
    assert math.isnan(one.plies.sd)
    assert one.plies.mean == one.moves
    assert one.to_dict()["plies"]["sd"] is None
