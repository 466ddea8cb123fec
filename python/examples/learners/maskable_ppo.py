"""Train MaskablePPO of SB3-Contrib against an agent, and count what it wins before and after.

It needs `pip install 'oanquan[maskable-ppo]'`, which brings SB3-Contrib and PyTorch.

The learner plays side a and side b in turn. `Games` shows Stable-Baselines3 the vector environment as one of its own,
so that thousands of steps a second are left to the network. `player` makes of a network an agent, which plays wherever
callables do: here in `oanquan.simulate`.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

import oanquan as oaq
from oanquan.adapters.gymnasium import OanquanVectorEnv

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from oanquan import Position

EXAMPLE = "python maskable_ppo.py --opponent random --steps 500000"
# Counts and points of about 1.
SCALE = 10


def seen(observations: NDArray[np.int16]) -> NDArray[np.float32]:
    """What the network is shown of observations."""
    return (observations / SCALE).astype(np.float32)


class Games(VecEnv):  # type: ignore[misc]
    """The vector environment as one of Stable-Baselines3."""

    def __init__(self, games: int, **options: Any) -> None:
        self.envs = OanquanVectorEnv(games, autoreset_mode="SameStep", **options)
        space = self.envs.single_observation_space
        assert space.shape is not None
        super().__init__(games, Box(-np.inf, np.inf, space.shape, np.float32), self.envs.single_action_space)
        self.render_mode = None
        self.returns, self.lengths = np.zeros(games), np.zeros(games, np.int64)
        self.actions: NDArray[np.int64] = np.zeros(games, np.int64)

    def reset(self) -> NDArray[np.float32]:
        """Begin new games."""
        seeds = None if self._seeds[0] is None else self._seeds
        self._reset_seeds()
        return seen(self.envs.reset(seed=seeds)[0])

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions for `step_wait`."""
        self.actions = actions

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Make the moves."""
        observations, rewards, terminations, truncations, told = self.envs.step(self.actions)
        self.returns += rewards
        self.lengths += 1
        over = terminations | truncations
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for place in np.flatnonzero(over):
            infos[place] = {
                "terminal_observation": seen(told["final_obs"][place]),
                "TimeLimit.truncated": bool(truncations[place]),
                "episode": {"r": self.returns[place], "l": self.lengths[place], "t": 0.0},
            }
        self.returns[over] = self.lengths[over] = 0
        return seen(observations), (rewards / SCALE).astype(np.float32), over, infos

    def close(self) -> None:
        """Nothing is open."""

    def has_attr(self, attr_name: str) -> bool:
        """Whether every game has that attribute."""
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Attributes of single games, of which there are few."""
        if attr_name != "render_mode":
            raise AttributeError(attr_name)
        return [None for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ARG002
        """No game has attributes of its own."""
        raise AttributeError(attr_name)

    def env_method(self, method_name: str, *_: Any, indices: Any = None, **__: Any) -> list[Any]:
        """The masks of legal actions, which is all that is asked."""
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return [*self.envs.action_masks()[[*self._get_indices(indices)]]]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:  # noqa: ARG002
        """No game is wrapped."""
        return [False for _ in self._get_indices(indices)]


def player(model: MaskablePPO) -> Callable[[tuple[Position, ...]], Sequence[int]]:
    """Make of a network an agent, which plays what it thinks best."""

    def network(positions: tuple[Position, ...]) -> Sequence[int]:
        rows = seen(np.array([position.observation() for position in positions], np.int16))
        actions = range(2 * positions[0].rules.squares)
        masks = np.array([[position.legal_mask >> action & 1 for action in actions] for position in positions])
        chosen, _ = model.predict(rows, action_masks=masks, deterministic=True)
        return [int(action) for action in chosen]

    return network


def score(model: MaskablePPO, opponent: str, games: int, rules: oaq.Rules, seed: int) -> float:
    """The share of the points of a match, a draw half a point: half of the games on each side."""
    network, points = player(model), 0.0
    for own, agents in (("a", (network, opponent)), ("b", (opponent, network))):
        results = oaq.simulate(games // 2, rules, agents=agents, seed=seed)
        points += results.wins[own] + results.draws / 2
    return points / (games // 2 * 2)


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"example:\n  {EXAMPLE}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rules", type=oaq.Rules.parse, default=oaq.Rules(), help="a preset, or key=value,...")
    parser.add_argument("--opponent", default="random", help="the text of an agent (default random)")
    parser.add_argument("--steps", type=int, default=500_000, help="of training (default 500000)")
    parser.add_argument("--envs", type=int, default=256, help="games at once (default 256)")
    parser.add_argument("--games", type=int, default=2000, help="to count before and after (default 2000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", metavar="FILE", help="where to write the network")
    return parser.parse_args()


def main() -> None:
    """Train and print."""
    asked = options()
    torch.set_num_threads(1)  # more help so small a network little, and wait for each other where cores are shared
    games = Games(asked.envs, rules=asked.rules, opponent=asked.opponent, side="alternate")
    model = MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=64,
        batch_size=2048,
        n_epochs=4,
        learning_rate=2e-3,
        gamma=0.95,
        ent_coef=0.02,
        seed=asked.seed,
        device="cpu",
    )
    count = (asked.opponent, asked.games, asked.rules, asked.seed + 1)
    print(
        f"before: {score(model, *count):.1%} of the points of {asked.games} games against {asked.opponent}", flush=True
    )
    begin = time.perf_counter()
    model.learn(asked.steps)
    seconds = time.perf_counter() - begin
    steps = f"{model.num_timesteps:,} steps in {seconds:.0f} s"
    print(f"after {steps}: {score(model, *count):.1%} of the points")
    if asked.save:
        model.save(asked.save)


if __name__ == "__main__":
    main()
