"""Compare the vector environment of Gymnasium with its own loop over single environments.

It needs `pip install 'oanquan[gymnasium]'`. A step is a move of the learner, drawn among the legal ones, and the answer
of the opponent; what it costs to draw is counted too. Each figure is the best of several rounds.
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np

import oanquan.adapters.gymnasium  # registers the environment

EXAMPLE = "python gymnasium_speed.py --envs 1 8 64 1024 --opponent random"


def steps_per_second(envs: gymnasium.vector.VectorEnv, seconds: float, rounds: int = 3) -> float:
    """The most steps a second in so many rounds of that length."""
    _, infos = envs.reset(seed=1)
    rng, best = np.random.default_rng(1), 0.0
    for _ in range(rounds):
        steps, begin = 0, time.perf_counter()
        while (passed := time.perf_counter() - begin) < seconds or not steps:
            masks = infos["action_mask"]
            *_, infos = envs.step((rng.random(masks.shape) * masks).argmax(axis=1))
            steps += envs.num_envs
        best = max(best, steps / passed)
    return best


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"example:\n  {EXAMPLE}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--envs", type=int, nargs="+", default=[1, 8, 64, 1024], help="games at once (1 8 64 1024)")
    parser.add_argument("--opponent", default="random", help="the text of an agent (default random)")
    parser.add_argument("--seconds", type=float, default=2, help="of a round (default 2)")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    asked = options()
    name = f"{oanquan.adapters.gymnasium.__name__}:oanquan/Oanquan-v0"
    print("games at once   OanquanVectorEnv   SyncVectorEnv   ratio")
    for n in asked.envs:
        ours, loop = (
            steps_per_second(
                gymnasium.make_vec(name, num_envs=n, vectorization_mode=mode, opponent=asked.opponent), asked.seconds
            )
            for mode in ("vector_entry_point", "sync")
        )
        print(f"{n:13}   {ours:14,.0f}/s   {loop:11,.0f}/s   {ours / loop:5.1f}", flush=True)


if __name__ == "__main__":
    main()
