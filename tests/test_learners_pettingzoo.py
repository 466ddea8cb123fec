"""The environment of PettingZoo in TorchRL and RLlib, and the examples that show it there."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oanquan.adapters.pettingzoo import env, raw_env

pytestmark = pytest.mark.learners
LEARNERS = Path(__file__).parent.parent / "python" / "examples" / "learners"


def run(example: str, *arguments: str, where: Path) -> list[str]:
    command = [sys.executable, str(LEARNERS / f"{example}.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False, cwd=where)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


# ---- TorchRL ---------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rules", ["mancala-world", "tonkin", "four-players"])
@pytest.mark.parametrize("maker", [env, raw_env])
def test_torchrl_checks_the_specs(maker: Callable[..., Any], rules: str) -> None:
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper  # noqa: PLC0415
    from torchrl.envs.utils import check_env_specs  # noqa: PLC0415

    wrapped = PettingZooWrapper(maker(rules=rules), use_mask=True, return_state=True)
    check_env_specs(wrapped)
    assert list(wrapped.group_map) == maker(rules=rules).possible_agents
    for seed in range(3):
        wrapped.set_seed(seed)
        game = wrapped.rollout(2000)  # of random actions, which it draws by our masks: an illegal one would end it
        played = wrapped.unwrapped.game if maker is raw_env else wrapped.unwrapped.unwrapped.game
        assert len(played) == len(game)
        for agent, points in zip(wrapped.group_map, played.outcome.points, strict=True):
            lead = points - (sum(played.outcome.points) - points) / (len(played.outcome.points) - 1)
            assert game["next", agent, "reward"].sum().item() == pytest.approx(lead, abs=1e-3)


def test_a_network_learns_by_self_play(tmp_path: Path, figure: Callable[[str], None]) -> None:
    """Before, it is about as good as random play."""
    lines = run("pettingzoo_torchrl", "--games", "640", "--pairs", "1000", where=tmp_path)
    shares = []
    for line in lines:
        wins, draws, losses = map(int, re.findall(r"(\d+) (?:won|drawn|lost)", line))
        assert wins + draws + losses == 2000
        shares.append((wins + draws / 2) / 2000)
    assert shares[0] < 0.52
    assert shares[1] > 0.55
    figure(f"TorchRL: {lines[-1]}")


# ---- RLlib -----------------------------------------------------------------------------------------------------------


def test_rllib_plays(tmp_path: Path) -> None:
    lines = run("pettingzoo_rllib", "--rules", "three-players", "--games", "10", where=tmp_path)
    assert re.fullmatch(r"10 games of \d+\.\d moves", lines[0])
    means = [float(re.findall(r"[+-]\d+\.\d", line)[0]) for line in lines[1:]]
    assert len(means) == 3
    assert sum(means) == pytest.approx(0, abs=0.2)


@pytest.mark.filterwarnings("ignore")
def test_rllib_sees_the_agent_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(LEARNERS)
    import pettingzoo_rllib  # noqa: PLC0415

    wrapped, own = pettingzoo_rllib.PettingZooEnv(raw_env()), raw_env()
    observations, _ = wrapped.reset(seed=1)
    own.reset()
    ended = False
    while not ended:
        assert [*observations] == [own.agent_selection]
        seen = own.observe(own.agent_selection)
        assert all(np.array_equal(observations[own.agent_selection][key], seen[key]) for key in seen)
        action = int(seen["action_mask"].argmax())
        observations, rewards, terminated, truncated, _ = wrapped.step({own.agent_selection: action})
        own.step(action)
        ended = terminated["__all__"] or truncated["__all__"]
        assert all(rewards[agent] == own._cumulative_rewards[agent] for agent in rewards)
    assert {*rewards} == {"a", "b"}
    assert ended == any(own.terminations.values())


@pytest.mark.filterwarnings("ignore")
def test_rllib_knows_it_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(LEARNERS)
    import pettingzoo_rllib  # noqa: PLC0415
    from ray.tune.registry import ENV_CREATOR, _global_registry  # noqa: PLC0415

    pettingzoo_rllib.register()
    made = _global_registry.get(ENV_CREATOR, pettingzoo_rllib.NAME)({"rules": "four-players"})
    assert sorted(made.possible_agents) == ["a", "b", "c", "d"]
    assert made.observation_spaces["a"]["action_mask"].shape == (10,)
