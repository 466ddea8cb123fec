"""Pictures of positions: what they show, for every board there is."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from oanquan import Game, OanquanError, Position, Rules
from oanquan.adapters.picture import _MANDARIN, _MARK, _PEBBLE, _TABLE, rgb_array


def count(picture: Any, color: tuple[int, int, int]) -> int:
    return int((picture == np.array(color, np.uint8)).all(axis=-1).sum())


@pytest.mark.parametrize("squares", range(1, 8))
@pytest.mark.parametrize("sides", [2, 3, 4])
def test_every_board_fits(sides: int, squares: int) -> None:
    """Nothing but the table touches the edge, and the size is the same all through a game."""
    game, rng = Game(Rules(sides=sides, squares=squares, pebbles=3), max_plies=40), random.Random(7)
    sizes = set()
    while True:
        picture = rgb_array(game.position, outcome=game.outcome, width=480)
        sizes.add(picture.shape)
        edges = [picture[0], picture[-1], picture[:, 0], picture[:, -1]]
        assert all((edge == np.array(_TABLE, np.uint8)).all() for edge in edges)
        if game.is_over:
            break
        game.push(rng.choice(game.position.legal_moves))
    assert len(sizes) == 1
    assert picture.dtype == np.uint8
    assert picture.flags.writeable
    assert picture.flags.c_contiguous


def test_stones_are_shown() -> None:
    rules = Rules()
    both = Position.parse("0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 13", rules)
    one = Position.parse("0.3.0.0.0.0/0.1.0.0.0.0q1 0q1/66 - a 13", rules)
    assert count(rgb_array(both), _MANDARIN) == pytest.approx(2 * count(rgb_array(one), _MANDARIN), rel=0.05)
    fewer = Position.parse("0.2.0.0.0.0q1/0.1.0.0.0.0q1 1/66 - a 13", rules)
    assert count(rgb_array(both), _PEBBLE) > count(rgb_array(fewer), _PEBBLE) > 0
    assert not np.array_equal(rgb_array(both), rgb_array(fewer))


def test_the_side_to_move_is_marked_until_the_game_is_over() -> None:
    position = Position.start()
    picture = rgb_array(position)
    rows = np.flatnonzero((picture == np.array(_MARK, np.uint8)).all(axis=-1).any(axis=1))
    other = rgb_array(Position.start(first="b"))
    above = np.flatnonzero((other == np.array(_MARK, np.uint8)).all(axis=-1).any(axis=1))
    assert above[0] < rows[0]
    game = Game(position=position, max_plies=1)
    game.push("a3+")
    assert count(rgb_array(game.position, outcome=game.outcome), _MARK) == 0
    assert count(rgb_array(game.position), _MARK) > 0


def test_the_width_is_chosen_and_checked() -> None:
    assert rgb_array(Position.start(), width=160).shape[1] == 160
    assert rgb_array(Position.start(), width=1000).shape[1] == 1000
    for width in (159, 4097):
        with pytest.raises(OanquanError, match=f"width: expected 160 to 4096, got {width}"):
            rgb_array(Position.start(), width=width)


def test_the_same_position_gives_the_same_picture() -> None:
    assert np.array_equal(rgb_array(Position.start()), rgb_array(Position.start()))
