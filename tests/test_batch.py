"""`Batch` against `Game`, `simulate` and Gymnasium, and what it says of buffers and actions that will not do."""

from __future__ import annotations

import array
import ctypes
import subprocess
import sys
import threading
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st

import oanquan
from oanquan import Batch, Game, IllegalMoveError, OanquanError, Position, Rules
from support.batch_twin import Twin, observation
from support.engines import rules_of
from support.lockstep import random_pair
from support.stream import draw

MODES = ["next_step", "same_step", "disabled"]
OUTPUTS = ["observations", "legal_masks", "rewards", "terminated", "truncated", "points", "turns", "final_observations"]


def rows(batch: Batch) -> dict[str, Any]:
    return {name: memory.tolist() for name, memory in batch.buffers.items()}


# ---- the games -------------------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_every_game_is_that_of_game(seed: int) -> None:
    rng = Random(seed)
    pair = random_pair(rng)
    if pair is None or pair[0].is_over:
        return
    limits = {"max_plies": rng.choice([1, 5, 60, None]), "repetition": rng.choice([2, 3, None])}
    reward, mode = rng.choice(["points", "result"]), rng.choice(MODES)
    n, stream = rng.randint(1, 5), rng.randrange(2**64)
    batch = Batch(n, position=pair[0], seed=stream, reward=reward, autoreset=mode, **limits)
    twin = Twin(batch, stream, **limits)
    twin.observe()
    twin.compare()
    for step in range(40):
        actions = [twin.random(place) for place in range(n)]
        assert batch.sample_actions().tolist() == actions
        if step % 2:
            batch.step_random()
        else:
            legal = [[move.action for move in game.position.legal_moves] or [99] for game in twin.games]
            actions = [rng.choice(choices) for choices in legal]
            batch.step(actions)
        twin.step(actions)
        twin.compare()
        over = [game.is_over for game in twin.games]
        if mode == "disabled" and any(over):
            before = rows(batch)
            for refused in (batch.step_random, lambda: batch.step([0] * n)):
                with pytest.raises(OanquanError, match=r"^game \d: "):
                    refused()
            assert rows(batch) == before
            batch.reset(mask=over)
            for place in np.flatnonzero(over):
                twin.next(int(place))
            twin.observe()
            twin.compare()


@pytest.mark.parametrize("name", oanquan.PRESETS)
def test_random_games_are_those_of_simulate(name: str) -> None:
    """Games 0 to 59 of a seed, found by their numbers in a batch of 12 places."""
    rules = rules_of(name)
    results = oanquan.simulate(60, rules, seed=7)
    batch = Batch(12, rules, seed=7)
    lengths: dict[int, int] = {}
    ends: dict[int, tuple[int, ...]] = {}
    while len(ends) < 60:
        batch.step_random()
        over = np.flatnonzero(batch.terminated | batch.truncated)
        numbers, plies = batch.numbers, batch.plies
        for place in over:
            if numbers[place] < 60:
                lengths[numbers[place]] = plies[place]
                ends[numbers[place]] = tuple(batch.points[place].tolist())
    assert sum(lengths.values()) == results.moves
    for place, side in enumerate("abcd"[: rules.sides]):
        points = [end[place] for end in ends.values()]
        spread = results.points[side]
        assert (sum(points), min(points), max(points)) == (spread.sum, spread.min, spread.max)


def test_rewards_sum_up_to_the_result() -> None:
    batch = Batch(64, seed=3)
    sums = np.zeros(64)
    checked = 0
    while checked < 200:
        movers = batch.turns.copy()
        batch.step_random()
        sums += np.where(movers == 0, batch.rewards, -batch.rewards)
        over = batch.terminated | batch.truncated
        assert (sums[over] == batch.points[over, 0] - batch.points[over, 1]).all()
        checked += int(over.sum())
        sums[over] = 0


def test_names_say_what_observations_hold() -> None:
    position = Position.parse("1.2.3.4.5.6q1/0.0.0.0.9.8 7/6q1 b>a:3 b 11")
    batch = Batch(1, position=position)
    seen = dict(zip(batch.observation_names, batch.observations[0].tolist(), strict=True))
    assert {name: n for name, n in seen.items() if n} == {
        "own square 5, pebbles": 9,
        "own mandarin square, pebbles": 8,
        **{f"next square {n}, pebbles": n for n in range(1, 6)},
        "next mandarin square, pebbles": 6,
        "next mandarin square, mandarins": 1,
        "own store, pebbles": 6,
        "next store, pebbles": 7,
        "own store, mandarins": 1,
        "own debt to next, pebbles": 3,
    }
    for name in oanquan.PRESETS:
        batch = Batch(1, rules_of(name))
        assert len({*batch.observation_names}) == batch.observations.shape[1] == len(observation(batch[0]))


@pytest.mark.parametrize("name", oanquan.PRESETS)
def test_every_side_has_its_own_view_of_a_position(name: str) -> None:
    rules = rules_of(name)
    position, rng = Position.start(rules), Random(1)
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves))
        assert position.observation() == tuple(observation(position))
        for side in "abcd"[: rules.sides]:
            row = np.zeros(len(rules.observation_names), np.int16)
            assert position.observation(side, row) is None
            assert position.observation(side) == tuple(row) == tuple(observation(position, side))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("c",), 'side: expected one of a, b, got "c"'),
        (("x",), 'side: expected one of a, b, c, d, got "x"'),
        ((None, np.zeros(20, np.int16)), "out: expected the shape (21,), got (20,)"),
        ((None, np.zeros(21, np.float32)), "out: expected int16, got"),
        ((None, bytes(42)), "out: expected int16, got"),
    ],
)
def test_a_view_that_cannot_be(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(OanquanError) as caught:
        Position.start().observation(*arguments)
    assert str(caught.value).startswith(message)


def test_large_numbers_are_clipped() -> None:
    position = Position.parse("1.1.0q1/1.1.0q1 99999999/-99999999 - a 0", Rules(squares=2, shortfall="owe"))
    assert {-(2**15), 2**15 - 1} <= {*Batch(1, position=position).observations[0].tolist()}


# ---- gymnasium -------------------------------------------------------------------------------------------------------


class OneGame(gymnasium.Env[Any, Any]):
    """One game as an environment, for Gymnasium's own loop over many."""

    action_space = gymnasium.spaces.Discrete(10)
    observation_space = gymnasium.spaces.Box(-(2**15), 2**15 - 1, (21,), np.int16)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.game = Game(max_plies=20)
        return self.look()

    def look(self) -> tuple[Any, dict[str, Any]]:
        return np.array(observation(self.game.position), np.int16), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        mover = "ab".index(self.game.position.turn)
        before = self.game.position.points
        self.game.push(int(action))
        outcome = self.game.outcome
        after = self.game.position.points if outcome is None else outcome.points
        change = (after[0] - after[1] - before[0] + before[1]) * (1 - 2 * mover)
        limit = outcome is not None and outcome.ending in ("max_plies", "repetition")
        return self.look()[0], float(change), outcome is not None and not limit, limit, {}


@pytest.mark.parametrize("mode", MODES)
def test_the_modes_are_those_of_gymnasium(mode: str) -> None:
    n = 5
    peer = SyncVectorEnv([OneGame] * n, autoreset_mode=AutoresetMode[mode.upper()])
    batch = Batch(n, autoreset=mode, max_plies=20, seed=5)
    first, _ = peer.reset()
    assert (first == batch.observations).all()
    ended = 0
    for _ in range(120):
        actions = np.asarray(batch.sample_actions()).copy()
        seen, rewards, terminated, truncated, info = peer.step(np.maximum(actions, 0))
        batch.step(actions)
        assert (seen == batch.observations).all()
        assert (rewards == batch.rewards).all()
        assert (terminated == batch.terminated).all()
        assert (truncated == batch.truncated).all()
        over = terminated | truncated
        ended += int(over.sum())
        if mode == "same_step":
            assert all(
                (info["final_obs"][place] == batch.final_observations[place]).all() for place in np.flatnonzero(over)
            )
        if mode == "disabled" and over.any():
            seen, _ = peer.reset(options={"reset_mask": over.copy()})
            batch.reset(mask=over)
            assert (seen == batch.observations).all()
    assert ended > 20


# ---- buffers ---------------------------------------------------------------------------------------------------------


def test_arrays_show_the_memory_itself() -> None:
    batch = Batch(3, autoreset="same_step")
    assert [*batch.buffers] == OUTPUTS
    for name, memory in batch.buffers.items():
        shown = getattr(batch, name)
        assert shown is getattr(batch, name)
        assert np.shares_memory(shown, np.asarray(memory))
        assert shown.shape == memory.shape
        assert shown.flags.writeable
    dtypes = ["int16", "int8", "float32", "bool", "bool", "int32", "uint8", "int16"]
    assert [str(getattr(batch, name).dtype) for name in OUTPUTS] == dtypes
    masks, before = batch.legal_masks, batch.legal_masks.copy()
    batch.step_random()
    assert (masks != before).any()


def test_the_caller_may_own_the_memory() -> None:
    ours, theirs = Batch(6, seed=4, autoreset="same_step"), Batch(6, seed=4, autoreset="same_step")
    out = {name: np.full_like(getattr(theirs, name), 1) for name in OUTPUTS}
    before = rows(theirs)
    for _ in range(60):
        ours.step_random()
        theirs.step_random(out=out)
        assert all((out[name] == getattr(ours, name)).all() for name in OUTPUTS)
    assert rows(theirs) == before
    # Any object with the protocol, a part of the outputs, and flags as plain bytes.
    points = memoryview(bytearray(6 * 2 * 4)).cast("i", (6, 2))
    flags, turns = bytearray(6), array.array("B", bytes(6))
    ours.step_random()
    theirs.step_random(out={"points": points, "terminated": flags, "turns": turns})
    assert points.tolist() == ours.points.tolist()
    assert [*flags] == ours.terminated.tolist()
    assert turns.tolist() == ours.turns.tolist()
    for call in (theirs.observe, theirs.reset, lambda out: theirs.set_positions([], [], out=out)):
        points[0, 0] = 77
        call(out={"points": points})
        assert points.tolist() == [list(position.points) for position in theirs.positions()]


def readonly(shape: tuple[int, ...], dtype: str) -> Any:
    made = np.zeros(shape, dtype)
    made.flags.writeable = False
    return made


WRONG: list[tuple[str, Any, str]] = [
    ("rewards", np.zeros(4), "rewards: expected float32, got float64"),
    ("rewards", np.zeros(4, ">f4"), 'rewards: expected float32, got elements of the format ">f"'),
    ("points", np.zeros((4, 2), np.int64), "points: expected int32, got int64"),
    ("points", np.zeros((4, 2), np.uint32), "points: expected int32, got uint32"),
    ("terminated", np.zeros(4, np.int32), "terminated: expected bool, got int32"),
    ("legal_masks", np.zeros((4, 10), np.float32), "legal_masks: expected int8, got float32"),
    ("turns", np.zeros(4, "S3"), "turns: expected uint8, got elements of the format"),
    ("points", np.zeros((4, 3), np.int32), r"points: expected the shape \(4, 2\), got \(4, 3\)"),
    ("points", np.zeros(8, np.int32), r"points: expected the shape \(4, 2\), got \(8,\)"),
    ("rewards", np.zeros(3, np.float32), r"rewards: expected the shape \(4,\), got \(3,\)"),
    ("observations", np.zeros((21, 4), np.int16).T, "observations: expected a C-contiguous buffer"),
    ("rewards", np.zeros(8, np.float32)[::2], "rewards: expected a C-contiguous buffer"),
    ("rewards", readonly((4,), "f"), "rewards: expected a writable buffer, got a read-only one"),
    ("truncated", bytes(4), "truncated: expected a writable buffer, got a read-only one"),
    ("final_observations", np.zeros((4, 21), np.int16), 'final_observations: expected only with autoreset="same_step"'),
    ("reward", np.zeros(4, np.float32), "out: expected names among observations, .*, got 'reward'"),
]


@pytest.mark.parametrize(("name", "buffer", "message"), WRONG)
def test_a_buffer_that_will_not_do_is_refused(name: str, buffer: Any, message: str) -> None:
    batch = Batch(4, seed=1)
    turns = np.full(4, 9, np.uint8)
    before = rows(batch), batch.positions()
    for call in (batch.step_random, batch.observe, batch.reset, lambda out: batch.step([0] * 4, out=out)):
        with pytest.raises(OanquanError, match=message):
            call(out={"turns": turns, name: buffer})
    assert (turns == 9).all()
    assert (rows(batch), batch.positions()) == before


def test_what_is_no_buffer_is_refused() -> None:
    with pytest.raises(TypeError, match="rewards: expected an object with the buffer protocol, got list"):
        Batch(4).step_random(out={"rewards": [0.0] * 4})
    with pytest.raises(OanquanError, match="out: expected int64, got int32"):
        Batch(4).sample_actions(np.zeros(4, np.int32))


def misaligned(shape: tuple[int, ...], dtype: str) -> Any:
    """An array that begins one byte past where its elements may."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.zeros(size + 1, np.uint8)[1:].view(dtype).reshape(shape)


@pytest.mark.parametrize(
    ("name", "shape", "dtype"),
    [("observations", (4, 21), "i2"), ("rewards", (4,), "f4"), ("points", (4, 2), "i4")],
)
def test_a_misaligned_buffer_is_refused_by_name(name: str, shape: tuple[int, ...], dtype: str) -> None:
    batch = Batch(4)
    with pytest.raises(OanquanError, match=f"^{name}: expected a buffer that begins at a multiple of {dtype[1]} bytes"):
        batch.step_random(out={name: misaligned(shape, dtype)})
    for call, what in ((batch.step, "actions"), (batch.sample_actions, "out"), (lambda m: batch.reset(mask=m), "mask")):
        with pytest.raises(OanquanError, match=rf"^{what}: expected a buffer that begins at a multiple of 8 bytes"):
            call(misaligned((4,), "i8"))
    assert batch.plies == (0,) * 4


def test_buffers_of_ctypes_and_without_dimensions() -> None:
    batch = Batch(4, seed=7)
    points = ((ctypes.c_int32 * 2) * 4)()
    actions = np.frombuffer((ctypes.c_int64 * 4)(4, 4, 4, 4), np.int64)
    batch.step(actions, out={"points": np.frombuffer(points, np.int32).reshape(4, 2)})
    assert [[*row] for row in points] == [[6, 0]] * 4
    for name, buffer, message in [
        ("points", points, '^points: expected int32, got elements of the format "<i", which names a byte order$'),
        ("turns", (ctypes.c_uint8 * 4)(), '^turns: expected uint8, got elements of the format "<B", which names a'),
        ("terminated", (ctypes.c_bool * 4)(), '^terminated: expected bool, got elements of the format "<\\?", which'),
        ("rewards", np.zeros((), np.float32), r"^rewards: expected the shape \(4,\), got \(\)$"),
        ("rewards", np.zeros(4, "M8[s]"), "^rewards: expected a buffer, got cannot include dtype 'M' in a buffer"),
    ]:
        with pytest.raises(OanquanError, match=message):
            batch.observe(out={name: buffer})
    with pytest.raises(OanquanError, match=r'^actions: expected whole .*, got elements of the format "<[lq]", which'):
        batch.step((ctypes.c_int64 * 4)())
    with pytest.raises(OanquanError, match=r"^actions: expected the shape \(4,\), got \(\)$"):
        batch.step(np.array(0))
    with pytest.raises(OanquanError, match=r"^mask: expected the shape \(4,\), got \(\)$"):
        batch.reset(mask=np.array(True))


def test_memory_that_is_handed_out_may_be_released() -> None:
    batch, other = Batch(4, seed=7, autoreset="same_step"), Batch(4, seed=7, autoreset="same_step")
    for _ in range(2):
        for name in OUTPUTS:
            with batch.buffers[name] as memory:
                assert memory.tolist() == other.buffers[name].tolist()
        with batch.sample_actions() as actions:
            assert actions.tolist() == other.sample_actions().tolist()
        batch.step_random()
        other.step_random()
        assert rows(batch) == rows(other)
        assert all((getattr(batch, name) == getattr(other, name)).all() for name in OUTPUTS)


def test_sampled_actions_go_where_the_caller_says() -> None:
    batch = Batch(4, seed=7)
    mine = np.zeros(4, np.int64)
    assert batch.sample_actions(mine) is mine
    assert mine.tolist() == batch.sample_actions().tolist() == [draw(7, game, 0, 10) for game in range(4)]


# ---- actions ---------------------------------------------------------------------------------------------------------


def test_actions_may_be_any_whole_numbers() -> None:
    start = Position.start()
    expected = tuple(start.play(action) for action in (4, 5, 9))
    given: list[Any] = [[4, 5, 9], (4, np.int8(5), 9), array.array("H", [4, 5, 9]), bytes([4, 5, 9])]
    given += [np.array([4, 5, 9], dtype) for dtype in "bBhHiIlLqQ"]
    given += [np.array([4, 0, 5, 0, 9, 0])[::2]]
    for actions in given:
        batch = Batch(3)
        batch.step(actions)
        assert batch.positions() == expected


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        (np.zeros(3), OanquanError, "actions: expected whole numbers of at most 64 bits, got float64"),
        (np.zeros(3, ">i4"), OanquanError, "actions: expected whole numbers of at most 64 bits, got elements of the f"),
        (np.zeros(3, bool), OanquanError, "actions: expected whole numbers of at most 64 bits, got bool"),
        (np.zeros(4, int), OanquanError, r"actions: expected the shape \(3,\), got \(4,\)"),
        (np.zeros((3, 1), int), OanquanError, r"actions: expected the shape \(3,\), got \(3, 1\)"),
        ([0, 0, True], OanquanError, "actions: expected whole numbers of at most 64 bits, got bool"),
        ([0, 0, np.True_], OanquanError, "actions: expected whole numbers of at most 64 bits, got bool"),
        ([0, 0], OanquanError, "actions: expected 3 of them, one for each game, got 2"),
        ([0, 0, 0.5], TypeError, "float"),
        ("000", TypeError, "str"),
        (None, TypeError, "None"),
    ],
)
def test_actions_of_another_kind_are_refused(actions: Any, error: type[Exception], message: str) -> None:
    batch = Batch(3)
    with pytest.raises(error, match=message):
        batch.step(actions)
    assert batch.plies == (0, 0, 0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("wrong", [-1, 10, 15, 16, 300, -(2**63), 2**63 - 1, 2**70])
def test_an_illegal_action_names_the_game_and_changes_nothing(mode: str, wrong: int) -> None:
    batch = Batch(4, autoreset=mode)
    batch.step([4, 4, 4, 4])
    before = rows(batch), batch.positions()
    with pytest.raises(IllegalMoveError, match=r"^game 2: illegal move .*action numbers go from 0 to 9") as caught:
        batch.step([0, 0, wrong, 4])
    assert caught.value.position == str(batch[2])
    with pytest.raises(IllegalMoveError, match=r"^game 3: illegal move b3\+: square b3 is empty") as caught:
        batch.step([0, 0, 0, 4])
    assert caught.value.move == "b3+"
    assert (rows(batch), batch.positions()) == before


# ---- the rest --------------------------------------------------------------------------------------------------------


def test_resets_and_seeds() -> None:
    batch = Batch(3, seed=1)
    first = batch.sample_actions().tolist()
    batch.step_random()
    batch.reset(mask=np.array([False, True, False]))
    assert (batch.numbers, batch.plies) == ((0, 4, 2), (1, 0, 1))
    batch.reset()
    assert (batch.numbers, batch.plies) == ((3, 7, 5), (0, 0, 0))
    batch.reset(seed=1)
    assert batch.numbers == (0, 1, 2)
    assert batch.sample_actions().tolist() == first
    batch.reset(2**64 - 1, mask=[True, False, False])
    assert batch.sample_actions().tolist() == [Batch(1, seed=2**64 - 1).sample_actions()[0], *first[1:]]
    with pytest.raises(OanquanError, match=r"mask: expected the shape \(3,\), got \(2,\)"):
        batch.reset(mask=np.zeros(2, bool))
    with pytest.raises(OanquanError, match="mask: expected 3 of them"):
        batch.reset(mask=[True])


def test_masks_are_bools_or_0_and_1_in_any_form() -> None:
    given: list[Any] = [[True, False, True], (1, 0, 1), [np.True_, np.False_, np.int8(1)], bytes([1, 0, 1])]
    given += [np.array([1, 0, 1], dtype) for dtype in "?bBhHiIlLqQ"]
    given += [
        np.array([1, 9, 0, 9, 1, 9])[::2],
        np.array([False, True, True, False, False, True])[::-2],
        (ctypes.c_bool * 3)(1, 0, 1),
    ]
    for mask in given:
        batch = Batch(3)
        batch.reset(mask=mask)
        assert batch.numbers == (3, 1, 5), mask
    refused: list[tuple[Any, str]] = [
        ([1, 0, 2], "2"),
        ([0, -1, 0], "-1"),
        (np.array([0, 1, 2]), "2"),
        (np.array([0, 2, 1], np.uint8), "2"),
        (np.zeros(3), "float64"),
    ]
    for mask, got in refused:
        with pytest.raises(OanquanError, match=f"^mask: expected bools, or numbers 0 and 1, got {got}$"):
            batch.reset(mask=mask)
    for mask in (["a"] * 3, [None] * 3, 5, "101"):
        with pytest.raises(TypeError):
            batch.reset(mask=mask)
    assert batch.numbers == (3, 1, 5)


def test_positions_go_in_and_out() -> None:
    batch = Batch(3, seed=1)
    thin = Position.parse("0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12")
    over = Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins")
    batch.step_random()
    before = batch.positions()
    for games, positions, message in [
        ([0, 2], [thin, over], "game 2: expected a position that is not over, got one that is over by mandarins"),
        ([0, 1], [thin, Position.start(Rules(squares=3))], "game 1: expected a position by the rules of the batch"),
        ([0, 3], [thin, thin], "game: expected 0 to 2, got 3"),
        ([0, -1], [thin, thin], "game: expected 0 to 2, got -1"),
        ([0], [], "positions: expected 1, one for each game, got 0"),
    ]:
        with pytest.raises(OanquanError, match=message):
            batch.set_positions(games, positions)
    assert batch.positions() == before
    batch.set_positions([2, 0], [thin, thin])
    assert batch.positions([0, 2]) == (thin, thin)
    assert (batch[1], batch[-1]) == (before[1], thin)
    assert (batch.numbers, batch.plies) == ((0, 1, 2), (0, 1, 0))
    assert batch[0].rules == batch.start.rules
    with pytest.raises(IndexError, match="game: expected -3 to 2, got 3"):
        batch[3]
    with pytest.raises(OanquanError, match="game: expected 0 to 2"):
        batch.positions([3])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"n": 0}, "n: expected 1 to 1048576, got 0"),
        ({"n": 2**20 + 1}, "n: expected"),
        ({"seed": -1}, "seed: expected"),
        ({"seed": 2**64}, "seed: expected"),
        ({"max_plies": 0}, "max_plies: expected 1 to"),
        ({"repetition": 1}, "repetition: expected 2 to"),
        ({"reward": "money"}, "reward: expected one of points, result, got"),
        ({"autoreset": "NextStep"}, "autoreset: expected one of next_step, same_step, disabled, got"),
        (
            {"position": Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins")},
            "position: expected one that is not over, got one that is over by mandarins",
        ),
    ],
    ids=str,
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, Any], error: str) -> None:
    with pytest.raises(OanquanError, match=error):
        Batch(**{"n": 1, **arguments})


def test_arguments_of_another_type_are_refused() -> None:
    for arguments in ({"n": 1.5}, {"position": "start"}, {"rules": Rules(), "position": Position.start()}):
        with pytest.raises(TypeError):
            Batch(**{"n": 1, **arguments})
    with pytest.raises(OanquanError, match="final_observations: expected autoreset=\"same_step\", got 'disabled'"):
        _ = Batch(1, autoreset="disabled").final_observations


def test_threads_take_turns() -> None:
    """Steps of several threads on one batch are whole steps: it ends as after as many by one thread."""
    shared, alone = Batch(500, seed=2), Batch(500, seed=2)

    def work() -> None:
        for _ in range(25):
            shared.step_random()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(100):
        alone.step_random()
    assert shared.positions() == alone.positions()


def test_numpy_is_needed_for_arrays_only() -> None:
    code = """if True:
        import sys
        sys.modules["numpy"] = None
        import oanquan
        batch = oanquan.Batch(2, seed=7)
        batch.step(batch.sample_actions())
        print(batch.buffers["turns"].tolist())
        try:
            batch.observations
        except ImportError as error:
            print(error)
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [
        "[1, 1]",
        "arrays need NumPy: pip install 'oanquan[numpy]'; Batch.buffers shows the same memory",
    ]
