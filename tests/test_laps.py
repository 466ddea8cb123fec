"""The bound on laps in one turn, for the two values of `mandarin_next` under which a turn may go round for ever.

Endless turns exist: now and then on small boards under either value, on the ordinary board under `relay_when_bare`
once in some ten thousand random moves. What must hold is that the bound cuts off endless turns only, and both
implementations at the same place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import oanquan
from support.bag import Bag
from support.draw import random_rules
from support.engines import CORE, REFERENCE, Engine, rules_of

MAX_LAPS = 1000
BOUND_REACHED = ("stop", "lap_limit")


def lifts(steps: list[tuple[Any, ...]]) -> int:
    return sum(step[0] == "lift" for step in steps)


def laps_until_the_end(position: Any, move: str, most: int = 400_000) -> int | None:
    """How many laps the turn has before any capture; None if the same board comes back, or after `most` laps.

    Written once more, without bound, for these tests; no capture comes before the last lap.
    """
    rules, board, mandarins = position.rules, list(position.pebbles), list(position.mandarins)
    ring, width = rules.ring, rules.squares + 1
    square, step = rules.square_names.index(move[:2]), 1 if move[2] == "+" else -1
    hand, met, laps = board[square], None, 0
    while laps < most:
        board[square] -= hand
        for _ in range(hand):
            square = (square + step) % ring
            board[square] += 1
        laps += 1
        square = (square + step) % ring
        hand = board[square]
        if square % width == width - 1:
            hand = min(hand, 1) if rules.mandarin_next == "lift_one" else hand * (not mandarins[square])
        if not hand:
            return laps
        if (board, square) == met:
            return None
        if laps & (laps - 1) == 0:
            met = list(board), square
    return None


@pytest.mark.parametrize("knobs", ["tonkin", "mandarin_next=lift_one", "four-players,mandarin_next=lift_one"])
def test_random_play_on_five_squares_never_reaches_the_bound(knobs: str, figure: Callable[[str], None]) -> None:
    rules, rng, plies, longest = rules_of(knobs), Random(knobs), 0, 0
    while plies < 50_000:
        position = CORE.start(rules)
        for _ in range(200):
            if position.is_over:
                break
            move = rng.choice(CORE.moves(position))
            steps = CORE.trace(position, move)
            assert BOUND_REACHED not in steps, f"{rules} | {position} | {move}"
            longest, plies = max(longest, lifts(steps)), plies + 1
            position = CORE.play(position, move)
    assert longest > 5
    figure(f"laps, {knobs}: {plies} plies, at most {longest} lifts in one")


@pytest.mark.parametrize("mandarin_next", ["lift_one", "relay_when_bare"])
def test_the_bound_cuts_off_endless_turns_only(mandarin_next: str, figure: Callable[[str], None]) -> None:
    """On small boards, where it is reached most often."""
    rng, plies, longest, endless = Random(9), 0, 0, 0
    while plies < 40_000 or endless < 5:
        small = {"squares": rng.randint(1, 3), "mandarin_next": mandarin_next}
        rules = dataclasses.replace(random_rules(rng), **small)
        position = CORE.start(rules)
        for _ in range(60):
            if position.is_over:
                break
            move = rng.choice(CORE.moves(position))
            steps = CORE.trace(position, move)
            if BOUND_REACHED in steps:
                assert lifts(steps) == MAX_LAPS
                assert endless > 40 or laps_until_the_end(position, move) is None, f"{rules} | {position} | {move}"
                endless += 1
            else:
                longest = max(longest, lifts(steps))
            position = CORE.play(position, move)
            plies += 1
    assert longest < MAX_LAPS
    figure(f"laps, {mandarin_next}, small boards: {plies} plies, {endless} endless, else at most {longest} lifts")


ENDLESS = [
    ("mandarin_next=relay_when_bare", "2.0.4.0.3.0/3.3.0.3.0.3 12q2/17 - b 19", "b1-"),
    ("quan-five,mandarin_next=relay_when_bare", "8.1.2.1.0.3/2.0.1.5.1.0 4q1/22q1 - a 12", "a1-"),
    ("mandarin=pebbles,mandarin_next=relay_when_bare", "1.4.1.0.4.0/1.2.1.3.2.5 25/21 - a 16", "a1+"),
    ("sides=3,squares=2,mandarin=pebbles,mandarin_next=lift_one", "9.0.14/0.3.4/1.1.14 12/1/1 - c 5", "c2+"),
]


@pytest.mark.parametrize(("knobs", "text", "move"), ENDLESS)
def test_endless_turns_are_cut_off(engine: Engine, knobs: str, text: str, move: str) -> None:
    """After the bound the pebbles lie where the last lap left them; nothing is captured; the turn passes."""
    position = engine.parse(text, rules_of(knobs))
    assert laps_until_the_end(position, move) is None
    steps = engine.trace(position, move)
    assert lifts(steps) == MAX_LAPS
    assert steps[steps.index(BOUND_REACHED) - 1][0] == "drop"
    assert not [step for step in steps if step[0] == "capture"]
    bag = Bag(text)
    bag.replay(steps, position.rules.mandarin_value)
    assert bag.text() == str(engine.play(position, move))


@pytest.mark.parametrize(("knobs", "text", "move"), ENDLESS)
def test_both_cut_off_at_the_same_place(knobs: str, text: str, move: str) -> None:
    rules = rules_of(knobs)
    assert CORE.trace(CORE.parse(text, rules), move) == REFERENCE.trace(REFERENCE.parse(text, rules), move)


def test_the_laps_counted_here_are_those_of_the_trace() -> None:
    rng, compared = Random(10), 0
    for _ in range(300):
        rules = dataclasses.replace(random_rules(rng), mandarin_next=rng.choice(["lift_one", "relay_when_bare"]))
        position = oanquan.Position.start(rules)
        while not position.is_over and position.ply < 12:
            move = rng.choice(CORE.moves(position))
            steps = CORE.trace(position, move)
            if BOUND_REACHED not in steps:
                assert laps_until_the_end(position, move) == lifts(steps), f"{rules} | {position} | {move}"
                compared += 1
            position = position.play(move)
    assert compared > 2_000
