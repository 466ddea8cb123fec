"""What `Batch` must do, game by game on `Game`, every number worked out anew."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

import oanquan
from oanquan import Game, Position
from support.stream import draw

LEAST, MOST = -(2**15), 2**15 - 1


def observation(position: Position, side: str | None = None) -> list[int]:
    """The numbers that `Rules.observation_names` names, as that side or the one to move sees them."""
    rules, row = position.rules, position.rules.squares + 1
    sides = "abcd"[: rules.sides]
    first = sides.index(side or position.turn)
    seats = [*range(first, rules.sides), *range(first)]
    owed = {(debt.debtor, debt.creditor): debt.pebbles for debt in position.debts}
    numbers = chain(
        (n for seat in seats for n in position.pebbles[seat * row :][:row]),
        (position.mandarins[seat * row + row - 1] for seat in seats),
        (position.stores[seat].pebbles for seat in seats),
        (position.stores[seat].mandarins for seat in seats),
        (owed.get((sides[a], sides[b]), 0) for a in seats for b in seats if a != b),
        [max(rules.mandarin_ban - position.ply, 0)],
    )
    return [min(max(n, LEAST), MOST) for n in numbers]


class Twin:
    """The games of a batch, and the rows that it must write."""

    def __init__(self, batch: oanquan.Batch, seed: int, max_plies: int | None, repetition: int | None) -> None:
        self.batch, self.seed, self.limits = batch, seed, (max_plies, repetition)
        self.games = [self.begin() for _ in range(len(batch))]
        self.numbers = [*range(len(batch))]
        self.rows: dict[str, Any] = {name: np.asarray(memory).tolist() for name, memory in batch.buffers.items()}

    def begin(self, start: Position | None = None) -> Game:
        max_plies, repetition = self.limits
        return Game(position=start or self.batch.start, max_plies=max_plies, repetition=repetition)

    def next(self, place: int) -> None:
        self.numbers[place] += len(self.games)
        self.games[place] = self.begin()

    def random(self, place: int) -> int:
        """The action of random play; -1 in a game that is over."""
        game = self.games[place]
        if game.is_over:
            return -1
        moves = game.position.legal_moves
        return moves[draw(self.seed, self.numbers[place], len(game.moves), len(moves))].action

    def step(self, actions: list[int], mask: list[bool] | None = None) -> None:
        for place, action in enumerate(actions):
            if mask is not None and not mask[place]:
                self.write_result(place, 0.0)
                self.write_state(place)
                continue
            game = self.games[place]
            reward = 0.0
            if game.is_over:
                self.next(place)
            else:
                side, before = game.position.turn, points(game)
                game.push(action)
                reward = self.reward(game, "abcd".index(side), before)
            self.write_result(place, reward)
            if self.games[place].is_over and self.batch.autoreset == "same_step":
                self.rows["final_observations"][place] = observation(self.games[place].position)
                self.next(place)
            self.write_state(place)

    def reward(self, game: Game, mover: int, before: tuple[int, ...]) -> float:
        if self.batch.reward == "points":
            others = len(before) - 1
            change = [after - old for after, old in zip(points(game), before, strict=True)]
            return float(np.float32((change[mover] * others - (sum(change) - change[mover])) / others))
        if game.outcome is None or game.outcome.winner is None:
            return 0.0
        return 1.0 if game.outcome.winner == "abcd"[mover] else -1.0

    def observe(self) -> None:
        for place in range(len(self.games)):
            self.write_result(place, 0.0)
            self.write_state(place)

    def write_result(self, place: int, reward: float) -> None:
        game = self.games[place]
        limit = game.outcome is not None and game.outcome.ending in ("repetition", "max_plies")
        self.rows["rewards"][place] = reward
        self.rows["terminated"][place] = game.is_over and not limit
        self.rows["truncated"][place] = limit
        self.rows["points"][place] = list(points(game))

    def write_state(self, place: int) -> None:
        game = self.games[place]
        mask = 0 if game.is_over else game.position.legal_mask
        self.rows["observations"][place] = observation(game.position)
        self.rows["legal_masks"][place] = [mask >> action & 1 for action in range(self.batch.actions)]
        self.rows["turns"][place] = "abcd".index(game.position.turn)

    def compare(self) -> None:
        for name, memory in self.batch.buffers.items():
            assert memory.tolist() == self.rows[name], f"{name} of {self.batch!r}"
        assert self.batch.positions() == tuple(game.position for game in self.games)
        assert self.batch.numbers == tuple(self.numbers)
        assert self.batch.plies == tuple(len(game.moves) for game in self.games)


def points(game: Game) -> tuple[int, ...]:
    return game.position.points if game.outcome is None else game.outcome.points
