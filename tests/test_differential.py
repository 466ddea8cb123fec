"""Core against reference in lockstep: random rules, set-up positions, whole games, faulty texts.

Hypothesis draws what is to be shrunk; seeded walks bring the volume. `make slow` plays millions of plies.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oanquan
from support.draw import mutated, random_rules, random_text
from support.engines import BOTH, CORE, REFERENCE, error_of, rules_of
from support.lockstep import both_parse, bulk, compare_positions, random_pair, settle, walk

CHUNKS, PLIES_PER_CHUNK = 12, 25_000
SLOW_PLIES = int(os.environ.get("OANQUAN_SLOW_PLIES", "5000000"))

# What random play must have met for the comparison to mean something. (The bound on laps: tests/test_laps.py.)
MUST_BE_SEEN = [
    *("lift", "drop", "capture", "stop", "borrow", "reseed", "sweep", "share", "repay", "end"),
    *("stop mandarin_square", "stop empty_mandarin_square", "stop two_empty_squares", "stop immature_mandarin"),
    *("stop capture_chain_off", "stop no_gap", "stop game_over"),
    *("end mandarins", "end short", "end loses"),
]


@given(st.randoms(use_true_random=False))
def test_positions_and_games_of_any_rules(rng: Random) -> None:
    pair = random_pair(rng)
    if pair is not None:
        walk(rng, pair, 12, Counter())


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_bulk(chunk: int, figure: Callable[[str], None]) -> None:
    plies, seen = bulk(chunk, PLIES_PER_CHUNK)
    assert plies >= PLIES_PER_CHUNK
    assert not [step for step in MUST_BE_SEEN if not seen[step]]
    assert seen["positions"] > 2 * seen["refused"], "the generator makes too many texts that are refused"
    figure(f"differential, chunk {chunk}: {plies} plies from {seen['positions']} positions")


def test_the_bulk_is_large_enough() -> None:
    assert CHUNKS * PLIES_PER_CHUNK >= 200_000


@pytest.mark.slow
def test_millions(figure: Callable[[str], None]) -> None:
    total, seen = 0, Counter[str]()
    chunk = 50_000
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        seeds = range(1_000_000, 1_000_000 + -(-SLOW_PLIES // chunk))
        for plies, steps in workers.map(bulk, seeds, [chunk] * len(seeds)):
            total += plies
            seen += steps
    assert total >= SLOW_PLIES
    assert not [step for step in MUST_BE_SEEN if not seen[step]]
    figure(f"differential, slow: {total} plies from {seen['positions']} positions; {dict(sorted(seen.items()))}")


@given(st.randoms(use_true_random=False))
def test_faulty_position_texts(rng: Random) -> None:
    """The parsers accept and refuse the same texts with the same words, columns and faults."""
    rules = random_rules(rng)
    text = random_text(rng, rules)
    for _ in range(4):
        faulty = mutated(rng, text)
        pair = both_parse(faulty, rules)
        if pair is not None:
            compare_positions(pair)
            assert str(pair[0]) == faulty, "an accepted text must be the position's one text"
        else:
            assert fault_details(faulty, rules, 0) == fault_details(faulty, rules, 1)


@given(st.text(alphabet="0123456789q./- ab>:,shortléx", max_size=40))
def test_any_text_is_refused_alike(text: str) -> None:
    both_parse(text, rules_of("mancala-world"))


@given(st.randoms(use_true_random=False), st.text(alphabet="abcd123456789+-AB m", max_size=4))
def test_any_move_text_is_answered_alike(rng: Random, text: str) -> None:
    pair = random_pair(rng)
    if pair is not None:
        assert error_of(lambda: pair[0].play(text)) == error_of(lambda: pair[1].play(text))


def fault_details(text: str, rules: oanquan.Rules, which: int) -> tuple[object, ...]:
    """What the error carries besides its message."""
    try:
        BOTH[which].parse(text, rules)
    except oanquan.NotationError as error:
        return ("notation", error.column, error.text)
    except oanquan.PositionError as error:
        return ("position", *error.faults)
    return ()


# ---- positions drawn on purpose --------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", [10, 11, 12, 13, 22, 23, 24, 25, 35, 36, 37, 60, 120, 200])
@pytest.mark.parametrize("knobs", ["mancala-world", "wikipedia-vi", "quan-non", "mandarin_next=lift_one"])
def test_long_hands(hand: int, knobs: str) -> None:
    rules = rules_of(knobs)
    for square in range(5):
        row = ["0"] * 5
        row[square] = str(hand)
        for other in ("1.1.1.1.1.0q1", "0.0.0.0.0.3q1", "2.0.1.0.3.1"):
            pair = settle(f"{'.'.join(row)}.1q1/{other} 3/4 - a 7", rules)
            assert pair is not None
            assert walk(Random(hand), pair, 4, Counter()) >= 1


RESEEDING = [
    f"shortfall={shortfall},reseed_from={source},reseed_when={when}"
    for shortfall in ("borrow", "owe", "partial", "loses", "count")
    for source in ("pebbles", "points")
    for when in ("turn_start", "when_empty")
]


@pytest.mark.parametrize("knobs", RESEEDING)
def test_rows_about_to_be_reseeded(knobs: str) -> None:
    """Stores from none to enough on either side, below zero where the rules allow it, with and without a mandarin."""
    rules = rules_of(knobs)
    lowest = {"owe": -3, "borrow": 0}.get(rules.shortfall, 0)
    lowest -= 8 if rules.reseed_from == "points" else 0
    ends, tried = Counter[str](), 0
    other_row = "0.0.0.0.0" if rules.reseed_when == "turn_start" else "0.0.1.0.0"  # else a's own row is re-seeded
    for mine in range(lowest, 7):
        for theirs in range(lowest, 7):
            for taken in ("", "q1"):
                pair = settle(f"0.0.0.0.1.0/{other_row}.2q1 {mine}/{theirs}{taken} - a 3", rules)
                if pair is None:
                    continue
                tried += 1
                for move in CORE.moves(pair[0]):
                    ends.update(step[0] for step in REFERENCE.trace(pair[1], move))
                walk(Random(mine * 100 + theirs), pair, 3, Counter())
    assert tried >= 49
    assert ends["reseed"]
    assert bool(ends["borrow"]) == (rules.shortfall == "borrow")
    assert bool(ends["end"]) == (rules.shortfall != "owe")


def test_debts_are_carried_and_repaid_alike() -> None:
    rules = rules_of("sides=3,squares=3")
    debts = "a>b:2,a>c:1,b>a:7,c>a:30,c>b:1"
    pair = settle(f"0.1.0.0q1/0.0.0.0/0.0.0.0 0/1/2 {debts} a 3", rules)
    assert pair is not None
    seen = Counter[str]()
    for seed in range(20):
        walk(Random(seed), pair, 30, seen)
    assert seen["borrow"]
    assert seen["repay"]
