"""MaskablePPO of SB3-Contrib on our environments, and the example that trains it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import oanquan as oaq

pytestmark = pytest.mark.learners
LEARNERS = Path(__file__).parent.parent / "python" / "examples" / "learners"


def test_maskable_ppo_learns_to_beat_random(tmp_path: Path, figure: Callable[[str], None]) -> None:
    """The example as users run it: a policy that has learned nothing wins half."""
    network = tmp_path / "network.zip"
    command = [sys.executable, str(LEARNERS / "maskable_ppo.py"), "--steps", "200000", "--save", str(network)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    before, after = (float(share) / 100 for share in re.findall(r"(\S+)% of the points", done.stdout))
    assert before < 0.6
    assert after > 0.68
    assert network.stat().st_size > 1000
    figure(f"MaskablePPO: {done.stdout.splitlines()[-1]}")


def test_the_example_does_what_the_environment_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games for Stable-Baselines3 against theirs of single environments: after an end both are at a new game."""
    monkeypatch.syspath_prepend(str(LEARNERS))
    import maskable_ppo  # noqa: PLC0415
    from stable_baselines3.common.vec_env import DummyVecEnv  # noqa: PLC0415

    from oanquan.adapters.gymnasium import OanquanEnv  # noqa: PLC0415

    ours = maskable_ppo.Games(5, opponent="greedy", max_plies=30)
    theirs = DummyVecEnv([lambda: OanquanEnv(opponent="greedy", max_plies=30)] * 5)
    for envs in (ours, theirs):
        envs.seed(3)
    rows = theirs.reset()
    assert (ours.reset() == maskable_ppo.seen(rows)).all()
    ended = 0
    for _ in range(100):
        masks = np.stack(ours.env_method("action_masks"))
        assert (masks == np.stack(theirs.env_method("action_masks"))).all()
        actions = masks.argmax(axis=1)
        row, rewards, over, infos = ours.step(actions)
        told = theirs.step(actions)
        assert (row == maskable_ppo.seen(told[0])).all()
        assert rewards * maskable_ppo.SCALE == pytest.approx(told[1])
        assert (over == told[2]).all()
        for place in np.flatnonzero(over):
            ended += 1
            last = maskable_ppo.seen(told[3][place]["terminal_observation"])
            assert (infos[place]["terminal_observation"] == last).all()
            assert infos[place]["TimeLimit.truncated"] == told[3][place]["TimeLimit.truncated"]
    assert ended > 10


def test_maskable_ppo_finds_the_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the environment as Gymnasium makes it, illegal actions forbidden: none is ever chosen."""
    from sb3_contrib import MaskablePPO  # noqa: PLC0415
    from sb3_contrib.common.maskable.evaluation import evaluate_policy  # noqa: PLC0415
    from stable_baselines3.common.env_checker import check_env  # noqa: PLC0415
    from stable_baselines3.common.monitor import Monitor  # noqa: PLC0415

    env: Any = gymnasium.make("oanquan.adapters.gymnasium:oanquan/Oanquan-v0", illegal="error", rules="quan-non")
    check_env(gymnasium.make("oanquan/Oanquan-v0"), skip_render_check=False)
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(500)
    mean, _ = evaluate_policy(model, Monitor(env), n_eval_episodes=5)
    assert -70 <= mean <= 70

    monkeypatch.syspath_prepend(str(LEARNERS))
    from maskable_ppo import player, score  # noqa: PLC0415

    positions = (oaq.Position.start(), oaq.Position.start().play("a3+"))
    for position, action in zip(positions, player(model)(positions), strict=True):
        assert position.is_legal(action)
    assert 0 <= score(model, "greedy", 20, oaq.Rules.preset("quan-non"), 1) <= 1
