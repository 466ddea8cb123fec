"""Both implementations behind one small interface, so that one assertion covers both."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import oanquan
from oanquan import reference

Step = tuple[Any, ...]


@dataclass(frozen=True)
class Engine:
    """One implementation of the rules; positions are its own and opaque, the rest is plain Python."""

    name: str
    Position: Any
    Game: Any
    step_tuple: Callable[[Any], Step]
    count_leaves: Callable[[Any, int], int]
    split_leaves: Callable[[Any, int], dict[Any, int]]

    def start(self, rules: oanquan.Rules, first: str = "a") -> Any:
        return self.Position.start(rules, first)

    def parse(self, text: str, rules: oanquan.Rules) -> Any:
        return self.Position.parse(text, rules)

    def moves(self, position: Any) -> tuple[str, ...]:
        return tuple([str(move) for move in position.legal_moves])

    def play(self, position: Any, move: str) -> Any:
        return position.play(move)

    def trace(self, position: Any, move: str) -> list[Step]:
        return [self.step_tuple(step) for step in position.trace(move)]

    def stores(self, position: Any) -> tuple[tuple[int, int], ...]:
        return tuple([pair(store, "pebbles", "mandarins") for store in position.stores])

    def debts(self, position: Any) -> tuple[tuple[str, str, int], ...]:
        return tuple([pair(debt, "debtor", "creditor", "pebbles") for debt in position.debts])

    def outcome(self, position: Any) -> tuple[str | None, str, tuple[int, ...]] | None:
        """Winner, ending and points of a finished position or game; None while it goes on."""
        outcome = position.outcome
        if outcome is None:
            return None
        winner, ending, points = pair(outcome, "winner", "ending", "points")
        return winner, ending, tuple(points)

    def points(self, position: Any) -> tuple[int, ...]:
        return tuple(position.points)

    def counted(self, position: Any) -> tuple[int, ...]:
        return tuple(position.counted)

    def perft(self, position: Any, depth: int) -> int:
        return self.count_leaves(position, depth)

    def divide(self, position: Any, depth: int) -> dict[str, int]:
        return {str(move): leaves for move, leaves in self.split_leaves(position, depth).items()}


def pair(value: Any, *names: str) -> Any:
    """`value` as a plain tuple, whether it is a tuple or an object with these attributes."""
    if isinstance(value, tuple):
        return tuple(value)
    return tuple([getattr(value, name) for name in names])


CORE = Engine(
    "core",
    oanquan.Position,
    oanquan.Game,
    lambda step: step.astuple(),
    oanquan.perft,
    oanquan.divide,
)
REFERENCE = Engine(
    "reference",
    reference.Position,
    reference.Game,
    tuple,
    reference.perft,
    reference.divide,
)
BOTH = (CORE, REFERENCE)


@functools.lru_cache(maxsize=4096)
def rules_of(text: str) -> oanquan.Rules:
    """The rules a text names; cached, because the tests name the same ones again and again."""
    return oanquan.Rules.parse(text)


def error_of(call: Callable[[], object]) -> tuple[str, str] | None:
    """The class and message of the oanquan error that `call` raises; None if it raises none."""
    try:
        call()
    except oanquan.OanquanError as error:
        return type(error).__name__, str(error)
    return None


def all_move_texts(rules: oanquan.Rules) -> list[str]:
    """Every move that can be written for these rules, legal or not, and some for squares that do not exist."""
    return [
        f"{side}{square}{sign}"
        for side in "abcd"[: rules.sides]
        for square in range(1, rules.squares + 1)
        for sign in "+-"
    ]


def finished_game(engine: Engine, rules: oanquan.Rules, seed: int, **limits: int | None) -> oanquan.Game:
    """A random game, played to its end."""
    game = engine.Game(rules, **limits)
    rng = Random(seed)
    while game.outcome is None:
        game.push(rng.choice(engine.moves(game.position)))
    return game
