"""Steps that move some games of a `Batch` only, and seeds of each place."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oanquan import Batch, IllegalMoveError, OanquanError, Position
from support.batch_twin import Twin

MODES = ["next_step", "same_step", "disabled"]


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_games_that_stay_out_of_a_step_stand(seed: int) -> None:
    """Long games that repeat positions, each stepping when it likes."""
    rng = Random(seed)
    limits = {"max_plies": rng.choice([60, None]), "repetition": rng.choice([2, 3])}
    n, mode = rng.randint(1, 4), rng.choice(MODES)
    batch = Batch(n, position=Position.parse("0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12"), autoreset=mode, **limits)
    twin = Twin(batch, 0, **limits)
    for _ in range(120):
        mask = [rng.random() < 0.6 and not (mode == "disabled" and game.is_over) for game in twin.games]
        actions = [twin.random(place) if moves else -7 for place, moves in enumerate(mask)]
        batch.step(actions, mask=np.array(mask))
        twin.step(actions, mask)
        twin.compare()


def test_each_place_may_have_a_seed() -> None:
    seeds = [5, 2**64 - 1, 5]
    batch, alone = Batch(3), [Batch(1, seed=seed) for seed in seeds]
    batch.reset(seeds)
    for _ in range(200):
        batch.step_random()
        for single in alone:
            single.step_random()
        assert batch.positions() == tuple(single[0] for single in alone)
        assert batch.numbers == tuple(single.numbers[0] for single in alone)
    batch.reset(np.array(seeds, np.uint64), mask=[False, False, True])
    assert batch.numbers == (alone[0].numbers[0], alone[1].numbers[0], 0)
    before = batch.positions(), batch.numbers
    for wrong in ([1, 2], [1, 2, 2**64], [1, 2, -1], [1, 2, "3"], "123", 2**64, 1.5):
        with pytest.raises((OanquanError, TypeError), match=r"^seeds?: expected"):
            batch.reset(wrong)
    for mask in ([True], [0, 1, 2], "aaa"):
        with pytest.raises((OanquanError, TypeError)):
            batch.step([4, 4, 4], mask=mask)
    with pytest.raises(IllegalMoveError, match=r"^game 1: "):
        batch.step([99, 99, 99], mask=[False, True, True])
    assert before == (batch.positions(), batch.numbers)
