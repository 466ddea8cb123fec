"""Train a small network by self-play with TorchRL, which sees the environment of PettingZoo through its wrapper.

It needs `pip install 'oanquan[pettingzoo]' torchrl`. One network plays both sides; after each batch of games it is
moved towards what led to more points than other moves did. Before and after, it plays `random`, every opening from both
sides.
"""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING

import torch
from tensordict.nn import ProbabilisticTensorDictModule, ProbabilisticTensorDictSequential, TensorDictModule
from torch import nn
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType
from torchrl.modules import MaskedCategorical

import oanquan as oaq
from oanquan.adapters.pettingzoo import raw_env

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EXAMPLE = "python pettingzoo_torchrl.py --games 640"
GROUP = "agents"
DISCOUNT = 0.5  # of a point for each ply that it comes later
STEPS, CLIP = 16, 0.3


def make_env(rules: str) -> PettingZooWrapper:
    """Return the environment with both agents in one group, so that one network sees both."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested using")
        return PettingZooWrapper(raw_env(rules), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP)


class Logits(nn.Module):  # type: ignore[misc]
    """Counts to logits, and the mask that a distribution can use: all true where the agent is not to move."""

    def __init__(self, size: int, actions: int) -> None:
        """Make the network."""
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, actions))

    def forward(self, counts: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and mask."""
        return self.layers(counts.float() / 10), mask | ~mask.any(-1, keepdim=True)


def make_policy(env: PettingZooWrapper) -> ProbabilisticTensorDictSequential:
    """Return the policy that draws legal actions by the network."""
    size = env.observation_spec[GROUP, "observation", "observation"].shape[-1]
    actions = env.observation_spec[GROUP, "action_mask"].shape[-1]
    network = TensorDictModule(
        Logits(size, actions),
        in_keys=[(GROUP, "observation", "observation"), (GROUP, "action_mask")],
        out_keys=[(GROUP, "logits"), (GROUP, "usable")],
    )
    draw = ProbabilisticTensorDictModule(
        in_keys={"logits": (GROUP, "logits"), "mask": (GROUP, "usable")},
        out_keys=[(GROUP, "action")],
        distribution_class=MaskedCategorical,
        default_interaction_type="random",
        return_log_prob=True,
        log_prob_key=(GROUP, "log_prob"),
    )
    return ProbabilisticTensorDictSequential(network, draw)


def points_to_come(reward: torch.Tensor) -> torch.Tensor:
    """Return what the moves of a game led to: rewards from here on, later ones counted less."""
    come = reward.clone()
    for ply in reversed(range(len(come) - 1)):
        come[ply] += DISCOUNT * come[ply + 1]
    return come


def train(env: PettingZooWrapper, policy: ProbabilisticTensorDictSequential, games: int, batch: int = 16) -> None:
    """Play the games, and learn from each batch of them in several small steps (PPO, without a critic)."""
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for _ in range(games // batch):
        with torch.no_grad():
            played = [env.rollout(1000, policy) for _ in range(batch)]
        moves = torch.cat(played)
        moved = moves[GROUP, "mask"]
        got = torch.cat([points_to_come(game["next", GROUP, "reward"].squeeze(-1)) for game in played])[moved]
        advantage = (got - got.mean()) / (got.std() + 1e-6)
        before = moves[GROUP, "log_prob"][moved]
        for _ in range(STEPS):
            ratio = (policy.get_dist(moves).log_prob(moves[GROUP, "action"])[moved] - before).exp()
            gain = torch.minimum(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage)
            optimizer.zero_grad()
            (-gain.mean()).backward()
            optimizer.step()


def as_agent(policy: ProbabilisticTensorDictSequential) -> Callable[[tuple[oaq.Position, ...]], Sequence[int]]:
    """Return the network as an agent of `play_match` and `simulate` that plays the likeliest move."""
    logits = policy[0].module
    actions = range(logits.layers[-1].out_features)

    def choose(positions: tuple[oaq.Position, ...]) -> Sequence[int]:
        counts = torch.tensor([position.observation() for position in positions])
        legal = [[bool(position.legal_mask >> action & 1) for action in actions] for position in positions]
        with torch.no_grad():
            values, mask = logits(counts, torch.tensor(legal))
        best: list[int] = values.masked_fill(~mask, -torch.inf).argmax(-1).tolist()
        return best

    return choose


def main() -> None:
    """Train, play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"example:\n  {EXAMPLE}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rules", default="mancala-world", help="the text of rules of two sides (mancala-world)")
    parser.add_argument("--games", type=int, default=640, help="of self-play (640)")
    parser.add_argument("--pairs", type=int, default=1000, help="of games against random (1000)")
    asked = parser.parse_args()
    torch.set_num_threads(1)  # so small a network is slower on more
    torch.manual_seed(7)
    env = make_env(asked.rules)
    policy = make_policy(env)
    for games in (0, asked.games):
        train(env, policy, games)
        match = oaq.play_match((as_agent(policy), "random"), pairs=asked.pairs, rules=oaq.Rules.parse(asked.rules))
        wins, draws, losses = match.wins, match.draws, match.losses
        print(f"after {games} games: {wins} won, {draws} drawn, {losses} lost against random")


if __name__ == "__main__":
    main()
