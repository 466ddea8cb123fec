"""The PettingZoo environment: PettingZoo's own tests, and that it plays what the core plays."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo as framework
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
    state_test,
)
from pettingzoo.utils import turn_based_aec_to_parallel

import oanquan as oaq
from oanquan import Batch, IllegalMoveError, OanquanError, Position, Rules
from oanquan.adapters.pettingzoo import env, parallel_env, raw_env

PRESETS = list(oaq.PRESETS)
OVER = "0.0.0.0.0.0/0.0.0.0.0.0 30q1/20q1 - a 9 mandarins"
LATE = "0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - b 13"

# What api_test says of every environment with a dict of observations, PettingZoo's own by name excepted, and of agents
# that are not called `player_0`. Ours have the names that the sides have in every text.
EXPECTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "We recommend agents to be named in the format",
)


@contextmanager
def only_expected_warnings() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    messages = {str(warning.message) for warning in caught}
    assert [text for text in messages if not text.startswith(EXPECTED)] == []


def played(game: Any, seed: int, plies: int = 10**9) -> list[int]:
    """Play at random from where it stands until the game is over, or so many plies; return the actions."""
    rng, actions = random.Random(seed), []
    while len(actions) < plies:
        observation, _, termination, truncation, _ = game.last()
        if termination or truncation:
            break
        actions.append(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        game.step(actions[-1])
    return actions


def same(one: Any, other: Any) -> bool:
    """Whether two environments show the same."""
    seen = [(agent, one.observe(agent), other.observe(agent)) for agent in one.possible_agents]
    return (
        all(np.array_equal(first[key], second[key]) for _, first, second in seen for key in first)
        and (one.agents, one.agent_selection) == (other.agents, other.agent_selection)
        and (one.rewards, one.terminations, one.truncations) == (other.rewards, other.terminations, other.truncations)
        and np.array_equal(one.state(), other.state())
    )


# ---- PettingZoo's own tests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("maker", [env, raw_env])
@pytest.mark.parametrize("reward", ["points", "result"])
@pytest.mark.parametrize("preset", PRESETS)
def test_api(maker: Callable[..., Any], reward: str, preset: str) -> None:
    with only_expected_warnings():
        api_test(maker(rules=preset, reward=reward), num_cycles=300)


@pytest.mark.parametrize("options", [{"max_plies": 5}, {"max_plies": None, "repetition": 2}, {"position": LATE}])
def test_api_with_limits_and_positions(options: dict[str, Any]) -> None:
    with only_expected_warnings():
        api_test(env(**options), num_cycles=300)


@pytest.mark.parametrize("preset", PRESETS)
def test_seeds(preset: str) -> None:
    seed_test(partial(env, rules=preset), num_cycles=100)
    # The test of parallel environments looks at no mask.
    parallel_seed_test(partial(parallel_env, rules=preset, illegal="replace"), num_cycles=100)


@pytest.mark.parametrize("preset", ["mancala-world", "three-players", "four-players"])
def test_rendering(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(env, rules=preset), {"ansi": lambda text: "side a" in text})
    assert "ply 1\n" in capsys.readouterr().out


@pytest.mark.parametrize("preset", ["mancala-world", "three-players", "four-players"])
def test_max_cycles(preset: str) -> None:
    """It plays at random without looking at masks, and wants no game to end sooner than after four cycles.

    The ban keeps mandarins on the board for eight plies; of more sides all would have to fall in sixteen.
    """
    options: Any = {"rules": Rules.preset(preset, mandarin_ban=8), "illegal": "replace"}
    module = SimpleNamespace(env=partial(env, **options), parallel_env=partial(parallel_env, **options))
    for _ in range(10):
        max_cycles_test(module)


def test_the_performance_benchmark_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Its five seconds are made shorter."""
    module = sys.modules[performance_benchmark.__module__]
    ticks = iter(range(10**6))
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(ticks) / 100))
    performance_benchmark(raw_env())
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("preset", PRESETS)
def test_state(preset: str) -> None:
    options: Any = {"rules": preset, "illegal": "replace"}
    state_test(env(**options), parallel_env(**options), num_cycles=100)


@pytest.mark.parametrize("preset", PRESETS)
def test_parallel_api(preset: str) -> None:
    parallel_api_test(parallel_env(rules=preset), num_cycles=300)
    parallel_api_test(turn_based_aec_to_parallel(raw_env(preset)), num_cycles=300)


def test_a_parallel_step_is_a_move() -> None:
    parallel, turns = parallel_env(), env()
    observations, _ = parallel.reset()
    turns.reset()
    while parallel.agents:
        mover = turns.agent_selection
        actions = {agent: int(observations[agent]["action_mask"].argmax()) for agent in parallel.agents}
        observations, rewards, terminations, truncations, infos = parallel.step(actions)
        turns.step(actions[mover])
        assert rewards == turns.rewards
        assert (terminations, truncations) == (turns.terminations, turns.truncations)
        assert np.array_equal(parallel.state(), turns.state())
        if parallel.agents:
            assert infos["a"]["active_agent"] == turns.agent_selection


@pytest.mark.skipif(not hasattr(framework, "aec_registry"), reason="PettingZoo before 1.27 has no registry")
def test_registry() -> None:
    made = framework.make("aec", "oanquan/oanquan-v0", rules="quan-non", max_cycles=3)
    assert made.unwrapped.rules == Rules.preset("quan-non")
    made.reset()
    assert len(played(made, 1)) == 6
    assert framework.make("parallel", "oanquan/oanquan-v0").unwrapped.rules == Rules()


# ---- it plays what the core plays ------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["points", "result"])
@pytest.mark.parametrize("limits", [(1000, 3), (20, None), (None, 2)])
@pytest.mark.parametrize("preset", PRESETS)
def test_it_shows_what_a_batch_shows(preset: str, limits: tuple[int | None, int | None], reward: Any) -> None:
    """Observation, mask, reward of the mover, ending and points, move by move."""
    rules, (max_plies, repetition) = Rules.preset(preset), limits
    game = raw_env(rules, reward=reward, max_plies=max_plies, repetition=repetition)
    batch = Batch(1, rules, max_plies=max_plies, repetition=repetition, reward=reward, autoreset="disabled")
    for seed in range(4):
        game.reset(seed=seed)
        batch.reset()
        rng = random.Random(seed)
        while True:
            observation, _, termination, truncation, info = game.last()
            assert observation["observation"].tolist() == batch.observations[0].tolist()
            assert observation["action_mask"].tolist() == batch.legal_masks[0].tolist()
            assert np.array_equal(info["action_mask"], observation["action_mask"])
            assert (termination, truncation) == (bool(batch.terminated[0]), bool(batch.truncated[0]))
            assert game.agent_selection == "abcd"[batch.turns[0]]
            if termination or truncation:
                break
            mover, action = game.agent_selection, rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
            game.step(action)
            batch.step([action])
            assert np.float32(game.rewards[mover]) == batch.rewards[0]
        outcome = game.game.outcome
        assert outcome is not None
        assert list(outcome.points) == batch.points[0].tolist()


@pytest.mark.parametrize("preset", PRESETS)
def test_rewards_of_a_game_are_its_lead(preset: str) -> None:
    game = raw_env(preset)
    for seed in range(5):
        game.reset()
        got, rng = dict.fromkeys(game.possible_agents, 0.0), random.Random(seed)
        for agent in game.agent_iter():
            observation, reward, termination, truncation, _ = game.last()
            got[agent] += reward
            over = termination or truncation
            game.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            assert sum(game.rewards.values()) == pytest.approx(0)
        outcome = game.game.outcome
        assert outcome is not None
        for agent, own in zip(game.possible_agents, outcome.points, strict=True):
            mean = (sum(outcome.points) - own) / (len(outcome.points) - 1)
            assert got[agent] == pytest.approx(own - mean)


def test_results_are_one_for_the_winner_and_minus_one_for_the_others() -> None:
    seen = set()
    for preset in ("mancala-world", "three-players"):
        for seed in range(60):
            game = env(rules=preset, reward="result")
            game.reset()
            played(game, seed)
            outcome = game.unwrapped.game.outcome
            values = {agent: 1.0 if agent == outcome.winner else -1.0 for agent in game.agents}
            assert game.rewards == (dict.fromkeys(game.agents, 0.0) if outcome.winner is None else values)
            seen.add(outcome.winner)
    assert seen == {"a", "b", "c", None}


def test_who_is_not_to_move_has_no_action_and_sees_the_board_from_its_seat() -> None:
    game = raw_env("three-players")
    game.reset()
    played(game, 3, plies=7)
    position = game.game.position
    for agent in game.agents:
        seen = game.observe(agent)
        assert tuple(seen["observation"].tolist()) == position.observation(agent)
        assert bool(seen["action_mask"].any()) == (agent == position.turn)
        assert np.array_equal(game.infos[agent]["action_mask"], seen["action_mask"])


def test_what_was_seen_does_not_change_later() -> None:
    game = raw_env()
    game.reset()
    kept = [game.last() for _ in range(2)]
    before = copy.deepcopy(kept)
    game.step(4)
    kept[1][0]["observation"][:] = 99
    kept[1][0]["action_mask"][:] = 0
    assert np.array_equal(kept[0][0]["observation"], before[0][0]["observation"])
    assert np.array_equal(kept[0][4]["action_mask"], before[0][4]["action_mask"])
    assert game.observe("a")["observation"].tolist() == list(game.game.position.observation("a"))


def test_bounds_of_the_space_hold_for_the_widest_rules() -> None:
    rules = Rules(pebbles=10, squares=7, shortfall="owe", mandarin_ban=8)
    game = raw_env(rules, max_plies=400)
    for seed in range(20):
        game.reset()
        played(game, seed)
        for agent in game.possible_agents:
            assert game.observation_space(agent).contains(game.observe(agent))
        assert game.state_space.contains(game.state())


# ---- starting --------------------------------------------------------------------------------------------------------


def test_a_game_begins_where_it_is_told() -> None:
    position = Position.parse(LATE, Rules.preset("quan-non"))
    for game in (raw_env(position=position), raw_env("quan-non", position=LATE), env(rules="quan-non", position=LATE)):
        game.reset()
        assert game.unwrapped.game.position == position
        assert game.agent_selection == "b"
    game = raw_env("quan-non")
    game.reset(options={"position": position, "other": 1})
    assert game.game.position == position
    game.reset(options={"position": LATE})
    assert game.game.start == position
    game.reset(options={})
    assert game.game.start == Position.start(Rules.preset("quan-non"))


def test_rewards_count_from_the_lead_at_the_start() -> None:
    game = raw_env(position=LATE)
    game.reset()
    played(game, 1)
    outcome = game.game.outcome
    assert outcome is not None
    before = Position.parse(LATE).points
    lead = (outcome.points[0] - outcome.points[1]) - (before[0] - before[1])
    total = {"a": 0.0, "b": 0.0}
    game.reset()
    rng = random.Random(1)
    while not any(game.terminations.values()):
        game.step(rng.choice(np.flatnonzero(game.last()[0]["action_mask"]).tolist()))
        total = {agent: total[agent] + game.rewards[agent] for agent in total}
    assert total == {"a": lead, "b": -lead}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"reward": "money"}, OanquanError, "reward: expected 'points' or 'result', got 'money'"),
        ({"illegal": None}, OanquanError, "illegal: expected 'error' or 'replace', got None"),
        ({"render_mode": "svg"}, OanquanError, "render_mode: expected None, 'human', 'ansi' or 'rgb_array', got 'svg'"),
        ({"max_plies": 0}, OanquanError, "max_plies: expected 1 to 4294967295, got 0"),
        ({"max_cycles": 0}, OanquanError, "max_cycles: expected 1 to 1073741823, got 0"),
        ({"repetition": 1}, OanquanError, "repetition: expected 2 to 4294967295, got 1"),
        ({"max_plies": "many"}, TypeError, "max_plies: expected a whole number, got str"),
        ({"rules": "chess"}, OanquanError, "chess"),
        ({"position": "chess"}, OanquanError, "chess"),
        ({"position": 5}, TypeError, "position: expected a Position, got int"),
        ({"rules": Rules(), "position": Position.start()}, TypeError, "expected rules or a position, got both"),
        ({"position": OVER}, OanquanError, f"position: expected a game that is not over, got {OVER}"),
    ],
)
def test_arguments_are_checked(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        raw_env(**options)
    assert message in str(caught.value)


def test_a_position_by_other_rules_is_refused_and_the_game_goes_on() -> None:
    game = raw_env("quan-non")
    game.reset()
    game.step(4)
    with pytest.raises(OanquanError, match="position: expected one by the rules quan-non, got one by mancala-world"):
        game.reset(options={"position": Position.start()})
    assert len(game.game) == 1


# ---- actions that are not legal --------------------------------------------------------------------------------------


def test_refused_actions_change_nothing() -> None:
    game = raw_env()
    game.reset()
    game.step(4)
    before = copy.deepcopy(game)
    for action, told in ((4, "b3+: square b3 is empty"), (10, "10: "), (-1, "-1: "), (2**70, f"{2**70}: ")):
        with pytest.raises(IllegalMoveError) as caught:
            game.step(action)
        assert str(caught.value).startswith(f"illegal move {told}")
    with pytest.raises(OanquanError, match="action: expected a number, got None; the game of agent b goes on"):
        game.step(None)
    assert same(game, before)
    assert same(before, game)


def test_there_is_no_step_without_a_game() -> None:
    game = raw_env(max_plies=1)
    with pytest.raises(OanquanError, match="step: expected a game that goes on, got none: reset begins one"):
        game.step(4)
    assert game.observe("b")["action_mask"].tolist() == [0] * 10
    game.reset()
    for action in (4, None, None):
        game.step(action)
    with pytest.raises(OanquanError, match="got none"):
        game.step(None)
    assert len(game.game) == 1


def test_a_lost_game_costs_all_points() -> None:
    for options, lost in (({}, -70.0), ({"reward": "result"}, -1.0), ({"rules": "four-players"}, -140.0)):
        game = env(**options)
        game.reset()
        game.step(4)
        game.step(4)
        assert game.rewards["b"] == lost
        assert all(game.terminations.values())
    refusing = env(illegal="error")
    refusing.reset()
    with pytest.raises(AssertionError, match="action is not in action space"):
        refusing.step(10)


def test_a_replaced_action_is_the_next_legal_one() -> None:
    game = raw_env(illegal="replace", position="0.3.0.0.2.0q1/0.1.0.0.0.0q1 0/64 - a 14")
    for action, move in ((0, "a2+"), (2, "a2+"), (3, "a2-"), (4, "a5+"), (8, "a5+"), (9, "a5-")):
        game.reset()
        game.step(action)
        assert [str(played) for played in game.game.moves] == [move]
    game = raw_env(illegal="replace", position="0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 14")
    game.reset()
    game.step(4)
    assert str(game.game.moves[0]) == "a2+"
    game.reset()
    with pytest.raises(OanquanError, match="action: expected 0 to 9, got 10"):
        game.step(10)


@pytest.mark.parametrize("number", [np.int64(4), np.int8(4), np.array(4)], ids=["int64", "int8", "array"])
def test_actions_may_be_numbers_of_numpy(number: Any) -> None:
    game = raw_env()
    game.reset()
    game.step(number)
    assert str(game.game.moves[0]) == "a3+"


# ---- copies ----------------------------------------------------------------------------------------------------------


def pickled(game: Any) -> Any:
    return pickle.loads(pickle.dumps(game))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled])
@pytest.mark.parametrize("maker", [env, raw_env])
def test_a_copy_goes_on_by_itself(maker: Callable[..., Any], duplicate: Callable[[Any], Any]) -> None:
    game = maker(rules="three-players", max_plies=60)
    game.reset()
    played(game, 5, plies=9)
    twin = duplicate(game)
    assert same(game, twin)
    moves = game.unwrapped.game.moves
    actions = played(twin, 6)
    assert game.unwrapped.game.moves == moves
    for action in actions:
        game.step(action)
    assert same(game, twin)
    for one in (game, twin):
        while one.agents:
            one.step(None)
    assert game.agents == twin.agents == []
    fresh = duplicate(maker())
    fresh.reset()
    assert fresh.agents == ["a", "b"]


def test_a_reset_in_the_middle_of_the_end_begins_anew() -> None:
    game = raw_env(max_plies=1)
    for _ in range(3):
        game.reset()
        assert game.agent_selection == "a"
        game.step(4)
        game.step(None)
        assert len(game.agents) == 1


# ---- showing ---------------------------------------------------------------------------------------------------------


def test_text_tells_how_a_limit_ended_the_game() -> None:
    game = raw_env(render_mode="ansi", max_plies=1)
    game.reset()
    game.step(4)
    text = game.render()
    assert isinstance(text, str)
    assert text.startswith(oaq.board_text(game.game.position))
    assert text.endswith("\nlimit   draw 24/24 (max_plies)")


def test_boards_are_printed_without_a_display(tmp_path: Any) -> None:
    code = (
        "from oanquan.adapters.pettingzoo import env\n"
        "game = env(render_mode='human')\ngame.reset()\ngame.step(4)\ngame.close()\n"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert run.stdout.count("store   pebbles") == 2
    assert run.stdout.rstrip().endswith("moves   b1+ b1- b2+ b2- b4+ b4- b5+ b5-")


def test_nothing_is_shown_without_a_mode() -> None:
    game = raw_env()
    game.reset()
    with pytest.warns(UserWarning, match="render: expected a render_mode, got None"):
        assert game.render() is None


def test_pictures_of_a_game_make_a_film() -> None:
    game = env(render_mode="rgb_array", max_plies=6)
    game.reset()
    frames = [game.render()]
    for action in played(copy.deepcopy(game), 2):
        game.step(action)
        frames.append(game.render())
    assert {frame.shape for frame in frames} == {(305, 640, 3)}
    assert all(not np.array_equal(one, two) for one, two in pairwise(frames))


def test_the_bare_package_does_not_import_it(tmp_path: Any) -> None:
    code = "import sys, oanquan; print(sorted({'PIL', 'gymnasium', 'numpy', 'pettingzoo'} & {*sys.modules}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert run.stdout == "[]\n"


def test_the_game_that_is_given_out_is_a_copy() -> None:
    game = raw_env()
    game.reset()
    game.game.push(4)
    assert len(game.game) == 0


@pytest.mark.parametrize("maker", [env, raw_env, parallel_env])
def test_rules_come_first(maker: Callable[..., Any]) -> None:
    for rules in ("three-players", Rules.preset("three-players")):
        assert maker(rules).possible_agents == maker(rules=rules).possible_agents == ["a", "b", "c"]
