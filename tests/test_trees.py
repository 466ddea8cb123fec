"""Monte Carlo tree search from Python: what comes out, what a network sees, and what goes wrong."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import oanquan as oaq
from oanquan import Mcts, Position, Rules, mcts
from support.engines import rules_of
from support.stream import mix

OVER = "0.1.0.0.0.0/0.0.0.2.0.0 20/27q2 - a 40 mandarins"
# Side a takes the last mandarin with a4+ and wins; every other move lets side b do so.
WON = "0.0.0.1.0.0/3.0.2.0.0.0q1 0/44q1 - a 0"


# ---- mcts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", oaq.PRESETS)
def test_a_search_tells_what_it_did(preset: str) -> None:
    start = Position.start(rules_of(preset))
    result = mcts(start, simulations=300, seed=3)
    assert result == mcts(start, simulations=300, seed=3)
    assert result != mcts(start, simulations=300, seed=4)
    assert result.moves == start.legal_moves
    assert sum(result.visits) == result.simulations == 300
    assert result.best == result.line[0]
    assert all(-1 <= value <= 1 for value in (*result.values, result.value))
    if not any(result.exact):  # then what a move is worth is no longer its mean
        assert result.best == result.moves[result.visits.index(max(result.visits))]
        weighted = sum(n * value for n, value in zip(result.visits, result.values, strict=True)) / 300
        assert result.value == pytest.approx(weighted, abs=1e-5)
    position = start
    for move in result.line:
        position = position.play(move)
    assert json.loads(json.dumps(result.to_dict()))["best"] == str(result.best)


@pytest.mark.parametrize("selection", ["uct", "puct"])
@pytest.mark.parametrize("playout", ["random", "greedy"])
@pytest.mark.parametrize("value", ["points", "result"])
def test_the_winning_move_is_found(selection: Any, playout: Any, value: Any) -> None:
    position = Position.parse(WON, rules_of("wikipedia-vi"))
    result = mcts(position, simulations=2000, selection=selection, playout=playout, value=value)
    assert str(result.best) == "a4+"
    assert len(result.exact) == len(result.moves)


def test_a_game_that_is_over_has_no_move() -> None:
    result = mcts(Position.parse(OVER))
    assert (result.best, result.moves, result.line, result.simulations) == (None, (), (), 0)


@pytest.mark.parametrize("value", ["points", "result"])
def test_a_game_that_is_over_is_solved(value: Any) -> None:
    drawn = Position.parse("0.1.0.0.0.0/0.0.0.1.0.0 24q1/24q1 - a 40 mandarins")
    lost = Position.parse("0.1.0.0.0.0/0.0.0.2.0.0 20/27q2 - a 40 mandarins")
    three = Position.start(Rules.preset("three-players"))
    while not three.is_over:
        three = three.play(three.legal_moves[0])
    for position, worth in [(drawn, (0.0, 0.0)), (lost, ((21 - 49) / 70, -1.0))]:
        result = mcts(position, value=value)
        assert result.solved
        assert result.value == pytest.approx(worth[value == "result"])
        assert math.copysign(1, result.value) == (1 if position is drawn else -1)
    assert mcts(three, value=value).solved


def test_progress_is_told_and_may_stop_it() -> None:
    calls: list[tuple[int, int]] = []
    mcts(Position.start(), simulations=500, progress=lambda done, all_of_them: calls.append((done, all_of_them)))
    assert calls[-1] == (500, 500)

    def stop(*_: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        mcts(Position.start(), simulations=100_000_000, progress=stop)


def test_it_can_be_interrupted() -> None:
    code = (
        "import oanquan as oaq, signal, threading, time\n"
        "begun = []\n"
        "def shoot(done, all_of_them):\n"
        "    if not begun:\n"
        "        begun.append(time.perf_counter())\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "try:\n"
        "    oaq.mcts(oaq.Position.start(), simulations=100_000_000, progress=shoot)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "interrupted\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"simulations": 0}, "simulations: expected 1 to 100000000, got 0"),
        ({"exploration": -1}, "exploration: expected 0 to 100, got -1"),
        ({"exploration": float("nan")}, "exploration: expected 0 to 100, got nan"),
        ({"seed": 2**64}, "seed: expected 0 to 18446744073709551615"),
        ({"selection": "best"}, 'selection: expected one of uct, puct, got "best"'),
        ({"playout": "best"}, 'playout: expected one of random, greedy, got "best"'),
        ({"value": "best"}, 'value: expected one of points, result, got "best"'),
    ],
)
def test_what_is_out_of_range_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(oaq.OanquanError, match=message):
        mcts(Position.start(), **arguments)


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(TypeError, match="position: expected a Position, got str"):
        mcts("start")  # type: ignore[arg-type]


# ---- trees whose leaves are valued from outside ----------------------------------------------------------------------


def judge(position: Position) -> tuple[float, list[float]]:
    """A value and priors that depend on nothing but the position."""
    own = "ab".index(position.turn)
    value = (position.points[own] - position.points[1 - own]) / 70
    return max(-1.0, min(1.0, value)), [0.1 + (mix(position.key + action) >> 40) / 2**24 for action in range(10)]


def answer(trees: Mcts) -> None:
    trees.leaves()
    values, priors = np.zeros(len(trees), np.float32), np.zeros((len(trees), 10), np.float32)
    for place, leaf in enumerate(trees.leaf_positions()):
        if leaf is not None:
            values[place], priors[place] = judge(leaf)
    trees.update(values, priors)


def test_a_leaf_is_seen_as_a_batch_shows_it() -> None:
    rules = rules_of("wikipedia-vi")
    trees = Mcts([Position.start(rules)] * 8)
    batch = oaq.Batch(8, rules)
    for _ in range(40):
        assert trees.leaves() == 8
        leaves = trees.leaf_positions()
        batch.set_positions(range(8), leaves)  # type: ignore[arg-type]
        assert (trees.observations == batch.observations).all()
        assert (trees.legal_masks == batch.legal_masks).all()
        trees.update(np.zeros(8), np.ones((8, 10)))


def test_trees_do_not_know_of_each_other() -> None:
    positions = [Position.start(), Position.start().play("a3+"), Position.start(first="b")]
    together = Mcts(positions)
    alone = [Mcts([position]) for position in positions]
    for _ in range(60):
        for trees in (together, *alone):
            answer(trees)
    for place, one in enumerate(alone):
        assert together.visits[place].tolist() == one.visits[0].tolist()
        assert together.values[place].tolist() == one.values[0].tolist()
        assert together.best[place] == one.best[0] == one.visits[0].argmax()


def test_whole_games_are_played_by_trees() -> None:
    rules = rules_of("short-game")
    trees = Mcts([Position.start(rules)] * 16, noise=(0.5, 0.25), seed=1)
    moved = 0
    for _ in range(200):
        for _ in range(12):
            answer(trees)
        live = [not position.is_over for position in trees.positions()]
        assert (trees.best >= 0).tolist() == live
        if not any(live):
            break
        assert all(trees[place].is_legal(int(trees.best[place])) for place in range(16) if live[place])
        trees.advance(trees.best)
        moved += sum(live)
    assert not any(live)
    assert moved > 50
    assert len({str(position) for position in trees.positions()}) > 4
    assert trees.leaves() == 0
    trees.set_positions([3], [Position.start(rules)])
    assert trees.leaves() == 1
    assert trees.waiting.tolist() == [place == 3 for place in range(16)]


@pytest.mark.parametrize("kind", [np.float32, np.float64, list])
def test_values_may_come_in_every_form(kind: Any) -> None:
    trees, plain = Mcts([Position.start()] * 3), Mcts([Position.start()] * 3)
    rng = np.random.default_rng(1)
    for _ in range(30):
        values, priors = rng.uniform(-1, 1, 3).astype(np.float32), rng.uniform(0, 1, (3, 10)).astype(np.float32)
        for each in (trees, plain):
            each.leaves()
        plain.update(values, priors)
        if kind is list:
            trees.update(values.tolist(), priors.tolist())
        else:
            trees.update(values.astype(kind)[::1], np.asfortranarray(priors.astype(kind)))
    assert (trees.visits == plain.visits).all()


def test_three_sides_value_a_leaf_for_each() -> None:
    trees = Mcts([Position.start(rules_of("three-players"))] * 2)
    assert trees.leaves() == 2
    with pytest.raises(oaq.OanquanError, match=r"values: expected the shape \(2, 3\), got \(2,\)"):
        trees.update(np.zeros(2), np.ones((2, 10)))
    for _ in range(20):
        trees.update(np.full((2, 3), 0.5), np.ones((2, 10)))
        trees.leaves()
    assert trees.values[trees.visits > 0].tolist() == [0.5] * int((trees.visits > 0).sum())


def test_arrays_are_memory_of_the_trees() -> None:
    trees = Mcts([Position.start()] * 2)
    visits = trees.visits
    for _ in range(5):
        answer(trees)
    assert visits is trees.visits
    assert visits.sum(axis=1).tolist() == [4, 4]
    shown = {name: (np.asarray(memory).dtype.name, memory.shape) for name, memory in trees.buffers.items()}
    assert shown == {
        "observations": ("int16", (2, 21)),
        "legal_masks": ("int8", (2, 10)),
        "waiting": ("bool", (2,)),
        "visits": ("int32", (2, 10)),
        "values": ("float32", (2, 10)),
        "best": ("int64", (2,)),
    }


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_a_call_for_many_trees_can_be_interrupted() -> None:
    """The leaves that were not valued wait, so that the call can be made again; after a whole one nobody would wait."""
    code = (
        "import numpy as np, oanquan as oaq, signal\n"
        "n = 200_000\n"
        "trees = oaq.Mcts([oaq.Position.start()] * n)\n"
        "leaves = np.zeros(n, np.float32), np.ones((n, 10), np.float32)\n"
        "trees.leaves(), trees.update(*leaves), trees.leaves()\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.001)\n"
        "try:\n"
        "    trees.update(*leaves)\n"
        "except KeyboardInterrupt:\n"
        "    valued = int(trees.visits.sum())\n"
        "trees.update(*leaves)\n"
        "print(valued < n, int(trees.visits.sum()) == n)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "True True\n"


def test_threads_share_trees() -> None:
    trees = Mcts([Position.start()] * 4)

    def work() -> None:
        for _ in range(50):
            trees.leaves()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert trees.leaves() == 4


@pytest.mark.parametrize(
    ("work", "error", "message"),
    [
        (lambda trees: trees.update([0.0, 2.0], [[1.0] * 10] * 2), oaq.OanquanError, "values: expected -1 to 1, got 2"),
        (lambda trees: trees.update([0.0], [[1.0] * 10] * 2), oaq.OanquanError, "values: expected 2 of them, got 1"),
        (
            lambda trees: trees.update([0.0] * 2, [[1.0] * 9] * 2),
            oaq.OanquanError,
            "priors: expected 10 of them, got 9",
        ),
        (lambda trees: trees.update([0.0] * 2, [[-1.0] * 10] * 2), oaq.OanquanError, "priors: expected 0 or more"),
        (lambda trees: trees.update(np.zeros(2, int), np.ones((2, 10))), oaq.OanquanError, "values: expected float32"),
        (lambda trees: trees.update(np.zeros(3), np.ones((2, 10))), oaq.OanquanError, r"the shape \(2,\), got \(3,\)"),
        (lambda trees: trees.update("ab", np.ones((2, 10))), TypeError, "str"),
        (lambda trees: trees.advance([0, 10]), oaq.IllegalMoveError, "^tree 1: illegal move 10: action numbers go"),
        (lambda trees: trees.advance([0]), oaq.OanquanError, "actions: expected 2"),
        (lambda trees: trees.positions([2]), oaq.OanquanError, "tree: expected 0 to 1, got 2"),
        (lambda trees: trees[2], IndexError, "tree: expected -2 to 1, got 2"),
        (
            lambda trees: trees.set_positions([0], []),
            oaq.OanquanError,
            "positions: expected 1, one for each tree, got 0",
        ),
        (
            lambda trees: trees.set_positions([0], [Position.start(rules_of("tonkin"))]),
            oaq.OanquanError,
            "expected the rules of the others",
        ),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_changes(work: Any, error: type[Exception], message: str) -> None:
    trees, other = Mcts([Position.start()] * 2), Mcts([Position.start()] * 2)
    for _ in range(3):
        answer(trees)
        answer(other)
    trees.leaves()
    with pytest.raises(error, match=message):
        work(trees)
    for _ in range(3):
        answer(trees)
        answer(other)
    assert (trees.visits == other.visits).all()
    assert trees.positions() == other.positions()


@pytest.mark.parametrize(
    ("positions", "arguments", "message"),
    [
        ([], {}, "positions: expected 1 to 1048576, got 0"),
        ([Position.start()], {"noise": (0.0, 0.5)}, "noise: expected alpha above 0"),
        ([Position.start()], {"noise": (0.5, 1.5)}, "noise: expected a fraction of 0 to 1, got 1.5"),
        ([Position.start()], {"exploration": 101}, "exploration: expected 0 to 100, got 101"),
        ([Position.start()], {"value": "best"}, 'value: expected one of points, result, got "best"'),
        ([Position.start()], {"seed": -1}, "seed: expected 0 to"),
        ([Position.start(), Position.start(rules_of("tonkin"))], {}, "position 1: expected the rules of the others"),
    ],
)
def test_trees_that_cannot_be_planted(positions: list[Position], arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(oaq.OanquanError, match=message):
        Mcts(positions, **arguments)
