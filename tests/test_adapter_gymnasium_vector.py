"""`OanquanVectorEnv` against Gymnasium's own loop over as many `OanquanEnv`, step by step."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st

import oanquan
from oanquan import IllegalMoveError, OanquanError, Position
from oanquan.adapters.gymnasium import OanquanEnv, OanquanVectorEnv
from support.lockstep import random_pair
from test_adapter_gymnasium import CONFIGURATIONS, IDS, NAME, last

EXAMPLES = Path(__file__).parent.parent / "python" / "examples"
MODES = [mode.value for mode in AutoresetMode]


def same(one: Any, other: Any) -> None:
    """Everything, types of arrays included."""
    assert data_equivalence(one, other, exact=True), f"\n{one}\n{other}"


def pair(n: int, mode: str, kwargs: dict[str, Any]) -> tuple[OanquanVectorEnv, SyncVectorEnv]:
    singles = SyncVectorEnv([lambda: OanquanEnv(**kwargs)] * n, autoreset_mode=mode)
    return OanquanVectorEnv(n, **kwargs, autoreset_mode=mode), singles


def attempt(call: Callable[[], Any]) -> Any:
    """What a call returns, or the text of its error."""
    try:
        return call()
    except OanquanError as error:
        return str(error)


class Learner:
    """Chooses legal actions, and now and then any."""

    def __init__(self, seed: int, wild: float) -> None:
        self.rng, self.wild = np.random.default_rng(seed), wild

    def __call__(self, envs: OanquanVectorEnv) -> Any:
        masks = envs.action_masks()
        actions = (self.rng.random(masks.shape) * masks).argmax(axis=1)
        wild = self.rng.random(len(masks)) < self.wild
        return np.where(wild, self.rng.integers(masks.shape[1], size=len(masks)), actions)


# ---- the loop over single environments -------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kwargs", [*CONFIGURATIONS, {"opponent": last, "side": "alternate"}], ids=[*IDS, "callable"])
def test_it_does_what_the_loop_does(kwargs: dict[str, Any], mode: str) -> None:
    n = 7
    envs, singles = pair(n, mode, kwargs)
    assert envs.single_observation_space == singles.single_observation_space
    assert envs.single_action_space == singles.single_action_space
    assert (envs.observation_space, envs.action_space) == (singles.observation_space, singles.action_space)
    choose = Learner(1, wild=0.02)
    same(envs.reset(seed=3), singles.reset(seed=3))
    over, ended = np.zeros(n, np.bool_), 0
    for step in range(150):
        if mode == "Disabled" and over.any():
            both = [each.reset(options={"reset_mask": over.copy()}) for each in (envs, singles)]
            same(*both)
        actions = choose(envs)
        told = envs.step(actions)
        same(told, singles.step(actions))
        over = told[2] | told[3]
        ended += int(over.sum())
        assert [env.position for env in singles.envs] == list(envs.positions)
        if step in (50, 90):
            seeds = [None, 5, 6, None, 2**64 - 1, 5, None]
            same(envs.reset(seed=seeds), singles.reset(seed=seeds))
            over[:] = False
        if step == 70:
            mask = np.arange(n) % 3 == 1
            both = [each.reset(seed=[9] * n, options={"reset_mask": mask.copy()}) for each in (envs, singles)]
            same(*both)
            over &= ~mask
    assert ended > 20


@settings(max_examples=120)
@given(st.integers(0, 2**32))
def test_it_does_what_the_loop_does_by_any_rules(seed: int) -> None:
    rng = Random(seed)
    positions = random_pair(rng)
    if positions is None or positions[0].is_over:
        return
    kwargs = {
        "position": positions[0],
        "side": rng.choice([*"abcd"[: positions[0].rules.sides], "alternate", "random"]),
        "opponent": rng.choice(["random", "greedy", "cautious", last]),
        "reward": rng.choice(["points", "result"]),
        "max_plies": rng.choice([4, 30, None]),
        "repetition": rng.choice([2, 3]),
    }
    envs, singles = pair(3, rng.choice(MODES[:2]), kwargs)
    assert envs.single_observation_space == singles.single_observation_space
    choose = Learner(seed, wild=0.05)
    told = attempt(lambda: singles.reset(seed=seed))
    same(attempt(lambda: envs.reset(seed=seed)), told)
    for _ in range(30):
        if isinstance(told, str):  # no game in which the learner has a turn
            return
        assert envs.observation_space.contains(told[0])
        actions = choose(envs)
        told = attempt(lambda chosen=actions: singles.step(chosen))
        same(attempt(lambda chosen=actions: envs.step(chosen)), told)


@pytest.mark.parametrize("reward", ["points", "result"])
def test_thousands_of_games(reward: str) -> None:
    """Places that no other test reaches: their seeds, draws and sums."""
    n = 3000
    envs = OanquanVectorEnv(n, side="random", reward=reward, autoreset_mode="Disabled", opponent="greedy")
    _, infos = envs.reset(seed=1)
    totals, over, ended = np.zeros(n), np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    choose = Learner(2, wild=0.0)
    while not over.all():
        playing = ~over
        if ended.any():
            envs.reset(options={"reset_mask": ended})  # the others go on
        _, rewards, terminations, truncations, infos = envs.step(choose(envs))
        totals[playing] += rewards[playing]
        ends = playing & (terminations | truncations)
        points = infos["points"][ends]
        own = np.where(infos["side"][ends] == 0, points[:, 0] - points[:, 1], points[:, 1] - points[:, 0])
        assert (totals[ends] == (own if reward == "points" else np.sign(own))).all()
        ended = terminations | truncations
        over = over | ended
    assert 0.3 < infos["side"].mean() < 0.7


def test_a_place_is_the_single_environment_of_its_seed() -> None:
    envs = OanquanVectorEnv(40, opponent="cautious", autoreset_mode="SameStep")
    env = OanquanEnv(opponent="cautious")
    rows, _ = envs.reset(seed=100)
    row, _ = env.reset(seed=117)
    choose = Learner(3, wild=0.1)
    for _ in range(200):
        assert (rows[17] == row).all()
        actions = choose(envs)
        rows, rewards, *_ = envs.step(actions)
        row, reward, terminated, truncated, _ = env.step(actions[17])
        assert rewards[17] == reward
        if terminated or truncated:
            row, _ = env.reset()


def test_what_was_returned_is_not_written_again() -> None:
    for mode in MODES[:2]:
        envs = OanquanVectorEnv(5, max_plies=6, autoreset_mode=mode)
        kept = [envs.reset(seed=1)]
        copies = [pickled(kept[0])]
        for _ in range(12):
            kept.append(envs.step(Learner(1, wild=0.5)(envs)))
            copies.append(pickled(kept[-1]))
        same(kept, copies)


def pickled(told: Any) -> Any:
    return pickle.loads(pickle.dumps(told))


def test_threads_change_nothing() -> None:
    kwargs = {"opponent": "mcts:simulations=30", "side": "random"}
    one, many = OanquanVectorEnv(70, **kwargs), OanquanVectorEnv(70, **kwargs, threads=None)
    same(many.reset(seed=1), one.reset(seed=1))
    choose = Learner(1, wild=0.0)
    for _ in range(5):
        actions = choose(one)
        same(many.step(actions), one.step(actions))


def test_without_a_seed_places_differ() -> None:
    envs = OanquanVectorEnv(50, side="b")
    rows, _ = envs.reset()
    assert len({tuple(row) for row in rows.tolist()}) > 3
    others, _ = OanquanVectorEnv(50, side="b").reset()
    assert (rows != others).any()


# ---- as Gymnasium makes it -------------------------------------------------------------------------------------------


def test_it_is_made_by_its_name() -> None:
    envs = gymnasium.make_vec(NAME, num_envs=4, opponent="greedy", autoreset_mode=AutoresetMode.SAME_STEP)
    assert isinstance(envs, OanquanVectorEnv)
    assert (envs.num_envs, envs.metadata["autoreset_mode"]) == (4, AutoresetMode.SAME_STEP)
    assert envs.spec is not None
    singles = gymnasium.make_vec(
        NAME, num_envs=4, opponent="greedy", vectorization_mode="sync", vector_kwargs={"autoreset_mode": "SameStep"}
    )
    assert isinstance(singles, SyncVectorEnv)
    same(envs.reset(seed=1), singles.reset(seed=1))
    actions = np.array([4, 5, 6, 7])
    same(envs.step(actions), singles.step(actions))
    envs.close()


@pytest.mark.parametrize("mode", MODES[:2])
def test_wrappers_of_gymnasium(mode: str) -> None:
    wrap = gymnasium.wrappers.vector.RecordEpisodeStatistics
    both = [wrap(each) for each in pair(6, mode, {"opponent": "greedy"})]
    same(*(each.reset(seed=5) for each in both))
    choose = Learner(1, wild=0.05)
    episodes = 0
    for _ in range(120):
        actions = choose(both[0].unwrapped)
        told = [each.step(actions) for each in both]
        for *_, infos in told:
            episodes += int(infos.get("_episode", np.zeros(1)).sum())
            infos.get("episode", {}).pop("t", None)
        same(*told)
    assert episodes > 10


def test_episodes_are_counted_where_resets_are_asked_for() -> None:
    """Gymnasium's own loop takes the mask out of the options, after which its wrapper forgets all games."""
    n = 6
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(OanquanVectorEnv(n, autoreset_mode="Disabled"))
    envs.reset(seed=5)
    choose, totals, over, episodes = Learner(1, wild=0.05), np.zeros(n), np.zeros(n, np.bool_), 0
    for _ in range(80):
        if over.any():
            envs.reset(options={"reset_mask": over.copy()})
            totals[over] = 0
        _, rewards, terminations, truncations, infos = envs.step(choose(envs.unwrapped))
        totals += rewards
        over = terminations | truncations
        if over.any():
            episodes += int(over.sum())
            assert infos["episode"]["r"][over].tolist() == totals[over].tolist()
    assert episodes > 20


def test_boards_are_shown() -> None:
    envs = OanquanVectorEnv(2, render_mode="ansi")
    envs.reset(seed=1)
    assert envs.render() == (oanquan.board_text(Position.start()),) * 2
    pictures = OanquanVectorEnv(2, render_mode="rgb_array").render()
    assert pictures is not None
    assert pictures[0].dtype == np.uint8
    assert OanquanVectorEnv(2).render() is None
    both = pair(3, "Disabled", {"render_mode": "ansi", "max_plies": 6, "opponent": last})
    for each in both:
        each.reset(seed=1)
    for _ in range(3):
        actions = both[0].action_masks().argmax(axis=1)
        for each in both:
            each.step(actions)
    shown = both[0].render()
    assert shown == both[1].render()
    assert shown is not None
    assert all("(max_plies)" in text for text in shown)
    with pytest.raises(OanquanError, match="render_mode: expected 'ansi' or 'rgb_array', got 'human'"):
        OanquanVectorEnv(2, render_mode="human")  # type: ignore[arg-type]


def test_single_environments_in_other_processes_do_the_same() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of forks beside threads
        asynchronous = gymnasium.make_vec(NAME, num_envs=2, opponent="greedy", vectorization_mode="async")
        try:
            envs = OanquanVectorEnv(2, opponent="greedy")
            same(envs.reset(seed=1), asynchronous.reset(seed=1))
            choose = Learner(1, wild=0.05)
            for _ in range(60):
                actions = choose(envs)
                same(envs.step(actions), asynchronous.step(actions))
        finally:
            asynchronous.close()


def test_the_example_measures(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / "gymnasium_speed.py"), "--envs", "1", "512", "--seconds", "0.2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True, cwd=tmp_path)
    _, one, many = done.stdout.splitlines()
    assert one.split()[0] == "1"
    assert float(many.split()[-1]) > 5  # some 30 on a quiet machine


# ---- what will not do ------------------------------------------------------------------------------------------------


def test_actions_that_will_not_do() -> None:
    envs = OanquanVectorEnv(3, opponent=last)
    with pytest.raises(OanquanError, match="expected a reset before the first step"):
        envs.step([4, 4, 4])
    envs.reset(seed=1)
    for actions in (
        [4, 4],
        4,
        [[4, 4, 4]],
        [4.0, 4.0, 4.0],
        [True, True, True],
        ["a", "b", "c"],
        [4, 4, 10],
        [4, -1, 4],
    ):
        with pytest.raises(OanquanError, match="action"):
            envs.step(actions)
    assert envs.positions == (Position.start(),) * 3
    envs.step(np.array([4, 4, 4], np.int32))


def test_illegal_actions_may_raise() -> None:
    envs = OanquanVectorEnv(2, opponent=last, illegal="error")
    envs.reset(seed=1)
    envs.step([4, 4])
    before = envs.positions
    masks = envs.action_masks()
    legal = masks.argmax(axis=1)
    with pytest.raises(IllegalMoveError, match=r"^game 1: illegal move"):
        envs.step([legal[0], int((~masks[1]).argmax())])
    assert envs.positions == before
    envs.step(legal)


def test_an_opponent_that_fails_ends_the_games() -> None:
    envs = OanquanVectorEnv(3, autoreset_mode="Disabled")
    envs.reset(seed=1)
    for broken in (lambda _: 1 / 0, lambda _: ["3+"], lambda _: ["a1+"] * 3):
        envs.opponent = broken
        with pytest.raises((ZeroDivisionError, OanquanError)):
            envs.step([4, 4, 4])
        with pytest.raises(OanquanError, match="expected a reset before the first step"):
            envs.step([4, 4, 4])
        with pytest.raises(OanquanError, match="reset_mask: expected all games to begin first"):
            envs.reset(options={"reset_mask": np.array([True, False, False])})
        envs.opponent = "random"
        envs.reset()
        envs.step([4, 4, 4])


@pytest.mark.parametrize("mode", MODES)
def test_no_games_are_left_where_none_comes_to_the_learner(mode: str) -> None:
    """As with single environments: after the error nothing can be stepped."""
    position = Position.parse("0.4.1.0.0.1/0.1.0.4.0.8 23q1/8q1 - a 14")

    def ends(positions: tuple[Position, ...]) -> list[Any]:
        return [max(each.legal_moves, key=lambda move: each.play(move).is_over) for each in positions]

    def goes_on(positions: tuple[Position, ...]) -> list[Any]:
        return [min(each.legal_moves, key=lambda move: each.play(move).is_over) for each in positions]

    env = OanquanEnv(position=position, side="b", opponent=goes_on)
    envs = OanquanVectorEnv(2, position=position, side="b", opponent=goes_on, autoreset_mode=mode)
    each: Any
    for each in (envs, env):
        each.reset(seed=1)
        each.opponent = ends
        with pytest.raises(OanquanError, match="in a row that were over before"):
            each.reset()
    with pytest.raises(OanquanError, match="expected a reset before the first step"):
        envs.step([0, 0])
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    for each in (envs, env):
        each.opponent = goes_on
        each.reset()
    assert envs._batch.numbers[0] == env._batch.numbers[0] == 101


def test_a_game_that_is_over_wants_a_reset() -> None:
    envs = OanquanVectorEnv(2, max_plies=4, autoreset_mode="Disabled")
    envs.reset(seed=1)
    for _ in range(2):
        *_, truncations, _ = envs.step(envs.action_masks().argmax(axis=1))
    assert truncations.all()
    envs.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(OanquanError, match="game 1: expected a reset before the next step"):
        envs.step([4, 4])


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"seed": -1}, "seed: expected 0 to"),
        ({"seed": 2**64 - 2}, "seed: expected 0 to"),
        ({"seed": [1, 2]}, "seed: expected 3 seeds, one for each place, got 2"),
        ({"seed": [1, 2, "3"]}, "seed: expected a whole number, got str"),
        ({"options": {"reset_mask": [True] * 3}}, "reset_mask: expected an array of 3 bools, got list"),
        ({"options": {"reset_mask": np.ones(3, np.int8)}}, "expected an array of 3 bools, got int8 of shape (3,)"),
        ({"options": {"reset_mask": np.zeros(3, np.bool_)}}, "reset_mask: expected a game to begin, got none"),
        ({"options": {"side": "b"}}, "options: expected none, got 'side'"),
    ],
)
def test_resets_that_will_not_do(kwargs: dict[str, Any], message: str) -> None:
    envs = OanquanVectorEnv(3)
    envs.reset(seed=1)
    envs.step([4, 4, 4])
    before = envs.positions
    with pytest.raises((OanquanError, TypeError)) as caught:
        envs.reset(**kwargs)
    assert message in str(caught.value)
    assert envs.positions == before


@pytest.mark.parametrize("kwargs", [{"num_envs": 0}, {"threads": 0}, {"autoreset_mode": "Never"}, {"side": "c"}])
def test_arguments_that_will_not_do(kwargs: dict[str, Any]) -> None:
    with pytest.raises(OanquanError, match=f"{next(iter(kwargs))}: expected"):
        OanquanVectorEnv(**kwargs)
