"""What the environments of PettingZoo and Gymnasium share: spaces, and arguments that may be texts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from gymnasium import spaces

from oanquan._core import Position
from oanquan.batch import Batch
from oanquan.checks import start_of
from oanquan.errors import OanquanError
from oanquan.rules import Rules
from oanquan.text import board_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oanquan._core import Outcome

Choice = TypeVar("Choice")

_INT16 = np.iinfo(np.int16)
_MOST_IN_A_SQUARE, _LONGEST_BAN = 255, 8


def observation_space(rules: Rules) -> spaces.Box:
    """Return the space of the counts of `Batch.observations`, int16, with what each can be at the most and least.

    >>> space = observation_space(Rules())
    >>> space.shape, space.high[:6].tolist(), int(space.low[14])
    ((21,), [255, 255, 255, 255, 255, 255], -32768)
    """
    names = Batch(1, rules).observation_names
    low = [_INT16.min if name.endswith("store, pebbles") else 0 for name in names]
    high = [_most(name, rules) for name in names]
    return spaces.Box(np.array(low, np.int16), np.array(high, np.int16), dtype=np.int16)


def _most(name: str, rules: Rules) -> int:
    if name.endswith("square, mandarins"):
        return 1
    if name.endswith("store, mandarins"):
        return rules.sides
    if name.endswith("plies left"):
        return _LONGEST_BAN
    return _INT16.max if "store" in name or "debt" in name else _MOST_IN_A_SQUARE


def mask_space(rules: Rules) -> spaces.Box:
    """Return the space of the masks of legal actions.

    >>> mask_space(Rules(squares=3))
    Box(0, 1, (6,), int8)
    """
    return spaces.Box(0, 1, (2 * rules.squares,), np.int8)


def mask_array(position: Position) -> NDArray[np.int8]:
    """Return the mask of the legal actions of the side to move: 1 for each, 0 for the others.

    >>> mask_array(Position.start().play("a3+")).tolist()
    [1, 1, 1, 1, 0, 0, 1, 1, 1, 1]
    """
    return _unpacked(position.legal_mask, 2 * position.rules.squares).copy()


@cache
def _unpacked(mask: int, actions: int) -> NDArray[np.int8]:
    """The bits of a mask; there are 2**14 masks at most."""
    return np.array([mask >> action & 1 for action in range(actions)], np.int8)


def start_position(rules: Rules | str | None, position: Position | str | None) -> Position:
    """Return the position that games begin with: that one, or the start of the rules, or of the default ones.

    Either may be a text; only a position that is a text goes together with rules.

    >>> start_position("quan-non", "0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - b 13").rules == Rules.preset("quan-non")
    True
    """
    if isinstance(rules, str):
        rules = Rules.parse(rules)
    if isinstance(position, str):
        position, rules = Position.parse(position, rules), None
    start = start_of(rules, position)
    if start.is_over:
        raise OanquanError(f"position: expected a game that is not over, got {start}")
    return start


def shown_text(position: Position, outcome: Outcome | None) -> str:
    """Return the board as text, with how the game came out if a limit ended it.

    >>> from oanquan import Game
    >>> game = Game(max_plies=0)
    >>> print(shown_text(game.position, game.outcome).splitlines()[-1])
    limit   draw 25/25 (max_plies)
    """
    text = board_text(position)
    return text if outcome is None or position.is_over else f"{text}\nlimit   {outcome}"


def one_of(name: str, value: Any, choices: tuple[Choice, ...]) -> Choice:
    """Return the value, which must be one of the choices.

    >>> one_of("reward", "money", ("points", "result"))
    Traceback (most recent call last):
    oanquan.errors.OanquanError: reward: expected 'points' or 'result', got 'money'
    """
    for choice in choices:
        if type(value) is type(choice) and value == choice:
            return choice
    listed = ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"
    raise OanquanError(f"{name}: expected {listed}, got {value!r}")
