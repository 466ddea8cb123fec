"""What tests of the game for OpenSpiel share."""

from __future__ import annotations

from random import Random

import oanquan as oaq
from oanquan.adapters.openspiel import OanquanState


def walk(state: OanquanState, rng: Random, plies: int = 1000) -> OanquanState:
    """The same state, some random moves on."""
    for _ in range(plies):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def worth(outcome: oaq.Outcome, reward: str) -> list[float]:
    sides = "abcd"[: len(outcome.points)]
    if reward == "result":
        return [0.0 if outcome.winner is None else 1.0 if side == outcome.winner else -1.0 for side in sides]
    others = [[points for side, points in enumerate(outcome.points) if side != own] for own in range(len(sides))]
    return [own - sum(rest) / len(rest) for own, rest in zip(outcome.points, others, strict=True)]
