"""Play the environment of PettingZoo through RLlib's wrapper, with what RLlib asks of an environment.

It needs `pip install 'oanquan[pettingzoo]' 'ray[rllib]'`. Every policy of RLlib that is to play legal moves must look
at `action_mask` in the observation; here one that draws among the legal actions plays on both sides.
"""

from __future__ import annotations

import argparse

import numpy as np
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env

from oanquan.adapters.pettingzoo import raw_env

EXAMPLE = "python pettingzoo_rllib.py --rules three-players --games 20"
NAME = "oanquan"


def register() -> None:
    """Make RLlib know the environment by name: `config.environment(NAME, env_config={"rules": "quan-non"})`."""
    register_env(NAME, lambda config: PettingZooEnv(raw_env(**config)))


def play(env: PettingZooEnv, seed: int) -> tuple[dict[str, float], int]:
    """Play a game; return what each agent got, and the moves."""
    rng, got, moves = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0), 0
    observations, _ = env.reset(seed=seed)
    while True:
        ((agent, seen),) = observations.items()  # of the agent to move only
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        observations, rewards, terminated, truncated, _ = env.step({agent: action})
        moves += 1
        for other, reward in rewards.items():
            got[other] += reward
        if terminated["__all__"] or truncated["__all__"]:
            return got, moves


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"example:\n  {EXAMPLE}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rules", default="mancala-world", help="the text of rules (default mancala-world)")
    parser.add_argument("--games", type=int, default=20, help="how many (20)")
    asked = parser.parse_args()
    env = PettingZooEnv(raw_env(asked.rules))
    played = [play(env, seed) for seed in range(asked.games)]
    moves = sum(count for _, count in played) / len(played)
    print(f"{len(played)} games of {moves:.1f} moves")
    for agent in sorted(env.possible_agents):
        print(f"{agent}: {sum(got[agent] for got, _ in played) / len(played):+.1f} points a game against the others")


if __name__ == "__main__":
    main()
