"""Compare the environment of PettingZoo with environments of the same game in plain Python.

It needs `pip install 'oanquan[pettingzoo]'`. Two are compared, both by the default rules, with the same observations,
masks and rewards: one on `oanquan.reference`, which is written to be held against the rule book, and one on a board
that is written here to be fast, for these rules alone. A turn is what PettingZoo's own benchmark makes of it: look,
draw a legal action, step. Each figure is the best of several rounds, in time of the processor.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from oanquan import reference
from oanquan.adapters.pettingzoo import raw_env

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = "python pettingzoo_speed.py --turns 50000"
AGENTS, ACTIONS, SIZE = ("a", "b"), 10, 21
MAX_PLIES, REPETITION, WORTH = 1000, 3, 10


class Board(Protocol):
    """What an environment in plain Python asks of a game."""

    turn: int
    ended: bool
    """By the rules."""
    stopped: bool
    """By a limit."""

    def legal(self) -> list[int]:
        """Return the legal actions."""
        ...

    def push(self, action: int) -> None:
        """Make a legal move."""
        ...

    def points(self) -> tuple[int, ...]:
        """Return the points of both sides; of a game that is over those of the count."""
        ...

    def seen(self, side: int) -> list[int]:
        """Return the observation of a side."""
        ...


class ReferenceBoard:
    """A game of `oanquan.reference`."""

    def __init__(self) -> None:
        """Begin a game."""
        self.game = reference.Game(max_plies=MAX_PLIES, repetition=REPETITION)
        self.turn, self.ended, self.stopped = 0, False, False

    def legal(self) -> list[int]:
        """Return the legal actions."""
        return [2 * (int(move[1]) - 1) + (move[2] == "-") for move in self.game.position.legal_moves]

    def push(self, action: int) -> None:
        """Make a legal move."""
        self.game.push(action)
        self.turn = AGENTS.index(self.game.position.turn)
        self.ended = self.game.position.is_over
        self.stopped = self.game.is_over and not self.ended

    def points(self) -> tuple[int, ...]:
        """Return the points of both sides."""
        outcome = self.game.outcome if self.ended or self.stopped else None
        return self.game.position.points if outcome is None else outcome.points

    def seen(self, side: int) -> list[int]:
        """Return the observation of a side."""
        position, seats = self.game.position, (side, 1 - side)
        owed = {f"{debt.debtor}{debt.creditor}": debt.pebbles for debt in position.debts}
        return [
            *(count for seat in seats for count in position.pebbles[6 * seat : 6 * seat + 6]),
            *(position.mandarins[6 * seat + 5] for seat in seats),
            *(position.stores[seat].pebbles for seat in seats),
            *(position.stores[seat].mandarins for seat in seats),
            *(owed.get(AGENTS[one] + AGENTS[other], 0) for one, other in permutations(seats, 2)),
            0,
        ]


class LeanBoard:
    """The default rules alone, on lists."""

    def __init__(self) -> None:
        """Begin a game."""
        self.pebbles = [5, 5, 5, 5, 5, 0] * 2
        self.mandarins = [0, 0, 0, 0, 0, 1] * 2
        self.store, self.taken, self.debt = [0, 0], [0, 0], [0, 0]
        self.turn, self.plies, self.ended, self.stopped = 0, 0, False, False
        self.past = Counter([self._key()])

    def _key(self) -> tuple[int, ...]:
        return (*self.pebbles, *self.mandarins, *self.store, *self.taken, *self.debt, self.turn)

    def legal(self) -> list[int]:
        """Return the legal actions."""
        row = self.pebbles[6 * self.turn : 6 * self.turn + 5]
        return [2 * square + way for square, count in enumerate(row) if count for way in (0, 1)]

    def push(self, action: int) -> None:
        """Make a legal move."""
        self._sow(6 * self.turn + action // 2, -1 if action % 2 else 1)
        self.turn, self.plies = 1 - self.turn, self.plies + 1
        pebbles, mandarins = self.pebbles, self.mandarins
        if not (pebbles[5] or mandarins[5] or pebbles[11] or mandarins[11]) or not self._reseed():
            self.ended = True
            return
        key = self._key()
        self.past[key] += 1
        self.stopped = self.past[key] >= REPETITION or self.plies >= MAX_PLIES

    def _sow(self, at: int, way: int) -> None:
        pebbles, mandarins, mover = self.pebbles, self.mandarins, self.turn
        hand, pebbles[at] = pebbles[at], 0
        while True:
            for _ in range(hand):
                at = (at + way) % 12
                pebbles[at] += 1
            at = (at + way) % 12
            if at % 6 == 5:
                return
            if not pebbles[at]:
                break
            hand, pebbles[at] = pebbles[at], 0
        while not (pebbles[at] or mandarins[at]):
            at = (at + way) % 12
            if not (pebbles[at] or mandarins[at]):
                return
            self.store[mover] += pebbles[at]
            self.taken[mover] += mandarins[at]
            pebbles[at] = mandarins[at] = 0
            at = (at + way) % 12

    def _reseed(self) -> bool:
        """Fill an empty row of the side to move; False if there is too little to fill it with."""
        own, first = self.turn, 6 * self.turn
        if any(self.pebbles[first : first + 5]):
            return True
        missing = max(5 - self.store[own], 0)
        if missing > self.store[1 - own]:
            return False
        self.store[1 - own] -= missing
        self.debt[own] += missing
        self.store[own] += missing - 5
        self.pebbles[first : first + 5] = [1] * 5
        return True

    def points(self) -> tuple[int, ...]:
        """Return the points of both sides."""
        over, net = self.ended or self.stopped, self.debt[1] - self.debt[0]
        rows = [sum(self.pebbles[first : first + 5]) if over else 0 for first in (0, 6)]
        return tuple(
            self.store[side] + WORTH * self.taken[side] + rows[side] + (-net if side else net) for side in (0, 1)
        )

    def seen(self, side: int) -> list[int]:
        """Return the observation of a side."""
        pebbles, other, own, next_ = self.pebbles, 1 - side, 6 * side, 6 - 6 * side
        return [
            *pebbles[own : own + 6],
            *pebbles[next_ : next_ + 6],
            self.mandarins[own + 5],
            self.mandarins[next_ + 5],
            self.store[side],
            self.store[other],
            self.taken[side],
            self.taken[other],
            self.debt[side],
            self.debt[other],
            0,
        ]


class PlainEnv(AECEnv):  # type: ignore[misc]
    """An environment that has all but the game in common with `raw_env`."""

    metadata = {"name": "plain_oanquan_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, board: Callable[[], Board]) -> None:
        """Make the environment of such a board."""
        super().__init__()
        self._new, self.render_mode = board, None
        self.possible_agents = [*AGENTS]
        shown: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(-(2**15), 2**15 - 1, (SIZE,), np.int16),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
        self._observation_spaces = {agent: spaces.Dict(shown) for agent in AGENTS}
        self._action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002
        """Begin a game."""
        self._board = self._new()
        self._lead = 0
        self.agents, self.agent_selection = [*AGENTS], AGENTS[self._board.turn]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations, self.truncations = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, False)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in AGENTS}
        self._skip_agent_selection = None

    def _mask(self, agent: str) -> np.ndarray[Any, np.dtype[np.int8]]:
        board, mask = self._board, np.zeros(ACTIONS, np.int8)
        if agent == AGENTS[board.turn] and not (board.ended or board.stopped):
            mask[board.legal()] = 1
        return mask

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees."""
        seen = np.array(self._board.seen(AGENTS.index(agent)), np.int16)
        return {"observation": seen, "action_mask": self._mask(agent)}

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        board = self._board
        if action not in board.legal():
            raise ValueError(f"expected a legal action, got {action}")
        board.push(action)
        first, second = board.points()
        change, self._lead = first - second - self._lead, first - second
        self.rewards = {"a": float(change), "b": float(-change)}
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        if board.ended:
            self.terminations = dict.fromkeys(AGENTS, True)
        elif board.stopped:
            self.truncations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[board.turn]
        self.infos = {other: {"action_mask": self._mask(other)} for other in AGENTS}


def reference_env() -> PlainEnv:
    """Return the environment on `oanquan.reference`."""
    return PlainEnv(ReferenceBoard)


def lean_env() -> PlainEnv:
    """Return the environment on the board that is written here."""
    return PlainEnv(LeanBoard)


def turns_per_second(env: AECEnv, turns: int, rounds: int = 3) -> float:
    """Return the most turns a second of processor time, as PettingZoo's `performance_benchmark` plays them."""
    best = 0.0
    for number in range(rounds):
        rng = random.Random(number)
        env.reset()
        begin = time.process_time()
        for _ in range(turns):
            observation, _, termination, truncation, _ = env.last()
            over = termination or truncation
            env.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            if all(env.terminations.values()) or all(env.truncations.values()):
                env.reset()
        best = max(best, turns / (time.process_time() - begin))
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"example:\n  {EXAMPLE}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=50_000, help="of a round; a tenth on the reference (50000)")
    turns = parser.parse_args().turns
    own = turns_per_second(raw_env(), turns)
    print("environment                turns/s    raw_env is faster")
    print(f"raw_env                 {own:10,.0f}")
    for name, env, rounds in (
        ("lean board in Python", lean_env(), turns),
        ("oanquan.reference", reference_env(), max(turns // 10, 1)),
    ):
        figure = turns_per_second(env, rounds)
        print(f"{name:24}{figure:10,.0f}    {own / figure:.1f} times")


if __name__ == "__main__":
    main()
