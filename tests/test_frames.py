"""Frames: the last one of every move is the position after it, and no step creates or loses a pebble."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from oanquan import OanquanError, Position, Rules
from oanquan.frames import Frame, frames
from support.draw import random_rules, random_text


def games(seed: int, count: int) -> Iterator[tuple[Position, int]]:
    """Positions of drawn rules and the moves of random play from them."""
    rng = Random(seed)
    for _ in range(count):
        rules = random_rules(rng)
        try:
            position = Position.parse(random_text(rng, rules), rules)
        except OanquanError:  # such a thing cannot be set up by these rules
            continue
        for _ in range(30):
            if position.is_over:
                break
            move = rng.choice(position.legal_moves)
            yield position, move.action
            position = position.play(move)


def total(frame: Frame) -> int:
    stores = sum(store.pebbles + frame.rules.mandarin_value * store.mandarins for store in frame.stores)
    standing = sum(frame.pebbles) + frame.rules.mandarin_value * sum(frame.mandarins)
    return standing + stores + frame.hand


@pytest.mark.parametrize("seed", range(4))
def test_frames_lead_from_a_position_to_the_next(seed: int) -> None:
    kinds = set()
    for position, action in games(seed, 250):
        made, after = frames(position, action), position.play(action)
        assert [frame.step for frame in made] == [None, *position.trace(action)]
        for frame, stands in ((made[0], position), (made[-1], after)):
            assert (frame.pebbles, frame.mandarins) == (stands.pebbles, stands.mandarins)
            assert (frame.stores, frame.debts, frame.points) == (stands.stores, stands.debts, stands.points)
            assert frame.hand == 0
        assert {total(frame) for frame in made} == {total(made[0])}
        assert {(frame.turn, frame.ply) for frame in made} == {(position.turn, position.ply)}
        kinds |= {frame.step.kind for frame in made if frame.step}
    assert kinds == {"lift", "drop", "capture", "stop", "borrow", "reseed", "sweep", "share", "repay", "end"}


def test_the_hand_and_the_squares_step_by_step() -> None:
    made = frames(Position.start(Rules(squares=2, pebbles=2)), "a2-")
    assert [(str(frame.step), frame.hand, frame.pebbles) for frame in made] == [
        ("None", 0, (2, 2, 0, 2, 2, 0)),
        ("lift 2 pebbles from a2", 2, (2, 0, 0, 2, 2, 0)),
        ("drop one in a1", 1, (3, 0, 0, 2, 2, 0)),
        ("drop one in bm", 0, (3, 0, 0, 2, 2, 1)),
        ("lift 2 pebbles from b2", 2, (3, 0, 0, 2, 0, 1)),
        ("drop one in b1", 1, (3, 0, 0, 3, 0, 1)),
        ("drop one in am", 0, (3, 0, 1, 3, 0, 1)),
        ("capture 3 pebbles in a1", 0, (0, 0, 1, 3, 0, 1)),
        ("stop: the square after the captured one is not empty", 0, (0, 0, 1, 3, 0, 1)),
    ]


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(OanquanError, match="illegal move b1\\+"):
        frames(Position.start(), "b1+")
