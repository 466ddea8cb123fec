"""Faults seen in other programs for this game: each a position, a move and what is right."""

from __future__ import annotations

from typing import Any

import pytest

from support.bag import Bag
from support.cases import captures
from support.engines import Engine, rules_of

MW, VI, NON, BANKRUPT = "mancala-world", "wikipedia-vi", "quan-non", "bankrupt"


def play(engine: Engine, knobs: str, text: str, move: str) -> tuple[list[tuple[Any, ...]], Any]:
    """The trace of a move and the position after it."""
    position = engine.parse(text, rules_of(knobs))
    return engine.trace(position, move), engine.play(position, move)


@pytest.mark.parametrize("knobs", [MW, VI, NON, "mandarin_next=lift_one", "mandarin_next=relay_when_bare"])
def test_a_lone_mandarin_is_not_jumped_as_if_empty(engine: Engine, knobs: str) -> None:
    """Seen: only pebbles looked at, so that b1 was taken over the "empty" am."""
    steps, after = play(engine, knobs, "0.0.0.1.0.0q1/3.0.2.0.0.0q1 0/44 - a 0", "a4+")
    assert steps == [("lift", "a4", 1), ("drop", "a5"), ("stop", "mandarin_square")]
    assert str(after) == "0.0.0.0.1.0q1/3.0.2.0.0.0q1 0/44 - b 1"


def test_a_lone_mandarin_after_the_gap_is_not_a_second_empty_square(engine: Engine) -> None:
    """Seen: the move ended at "two empty squares"."""
    steps, after = play(engine, MW, "0.0.1.0.0.0q1/3.0.0.0.0.0q1 0/46 - a 0", "a3+")
    assert steps[2:] == [("capture", "am", 0, 1), ("stop", "no_gap")]
    assert str(after) == "0.0.0.1.0.0/3.0.0.0.0.0q1 0q1/46 - b 1"


@pytest.mark.parametrize(
    ("text", "move", "taken"),
    [
        ("0.1.0.0.2.0q1/1.0.0.0.0.0q1 0/46 - a 0", "a2+", [("a5", 2, 0)]),
        ("2.0.0.1.0.0q1/0.0.0.0.1.0q1 0/46 - a 0", "a4-", [("a1", 2, 0)]),
        ("0.0.1.0.0.3q1/2.0.0.0.1.4q1 0/39 - a 0", "a3+", [("am", 3, 1)]),
        ("0.0.1.0.0.4q1/1.0.0.0.2.3q1 0/39 - a 0", "a3-", [("bm", 3, 1)]),
        ("0.0.1.0.0.3q1/0.2.0.1.0.4q1 0/39 - a 0", "a3+", [("am", 3, 1), ("b2", 2, 0), ("b4", 1, 0), ("bm", 4, 1)]),
        ("0.0.1.0.0.4q1/0.1.0.2.0.3q1 0/39 - a 0", "a3-", [("bm", 3, 1), ("b4", 2, 0), ("b2", 1, 0), ("am", 4, 1)]),
    ],
)
def test_captures_do_not_depend_on_the_direction(
    engine: Engine, text: str, move: str, taken: list[tuple[str, int, int]]
) -> None:
    """Seen: captures, or chains, looked for to the right only. Each second case is the first in a mirror."""
    assert captures(play(engine, MW, text, move)[0]) == taken


@pytest.mark.parametrize("hand", [12, 13, 24, 25])
@pytest.mark.parametrize("move", ["a1+", "a1-"])
def test_the_square_lifted_from_keeps_what_falls_into_it(engine: Engine, hand: int, move: str) -> None:
    """Seen: the square emptied after the lap instead of before it, so that a full lap lost pebbles."""
    text = f"{hand}.0.0.0.0.0q1/0.0.0.0.0.0q1 0/0 - a 0"
    steps, after = play(engine, MW, text, move)
    bag = Bag(text)
    for step in steps[: 1 + hand]:
        bag.apply(step, 10)
    rounds, rest = divmod(hand, 12)
    assert steps[0] == ("lift", "a1", hand)
    assert bag.squares["a1"] == [rounds, 0]
    assert bag.squares["a2" if move == "a1+" else "bm"][0] == rounds + bool(rest)
    assert Bag(str(after)).totals() == (hand, 2)


def test_a_capture_pays_once(engine: Engine) -> None:
    """Seen: the first square paid again when the chain went on."""
    steps, after = play(engine, MW, "1.0.0.3.0.4q1/1.0.0.0.0.0q1 0/41 - a 0", "a1+")
    assert captures(steps) == [("a4", 3, 0), ("am", 4, 1)]
    assert engine.stores(after) == ((7, 1), (41, 0))
    assert engine.points(after) == (17, 41)
    assert str(after) == "0.1.0.0.0.0/1.0.0.0.0.0q1 7q1/41 - b 1"


def test_reseeding_neither_creates_nor_loses_pebbles(engine: Engine) -> None:
    """Seen: five pebbles placed and none, or four, taken from the store; the store emptied."""
    text = "0.0.0.0.1.0q1/0.0.0.0.0.2q1 9/8 - a 3"
    steps, after = play(engine, MW, text, "a5+")
    assert steps[-1] == ("reseed", "b", 5)
    assert str(after) == "0.0.0.0.0.1q1/1.1.1.1.1.2q1 9/3 - b 4"
    assert Bag(text).totals() == Bag(str(after)).totals() == (20, 2)


@pytest.mark.parametrize(
    ("text", "move", "after"),
    [
        ("0.6.0.0.1.0q1/0.0.0.0.1.1q1 0/42 - b 3", "b5+", "0.0.0.0.1.0q1/0.0.0.0.0.2q1 0/48 - a 4"),
        ("0.1.0.0.6.0q1/1.0.0.0.0.1q1 0/42 - a 3", "a2+", "0.0.1.0.0.0q1/1.0.0.0.0.1q1 6/42 - b 4"),
    ],
    ids=["in the other row", "in the own row"],
)
def test_points_go_to_the_captor_not_to_the_owner_of_the_square(
    engine: Engine, text: str, move: str, after: str
) -> None:
    """Seen: a2 taken by b credited to a; a square of the own row credited to the opponent."""
    assert str(play(engine, MW, text, move)[1]) == after


def test_a_tie_is_given_to_nobody(engine: Engine) -> None:
    """Seen: `>=` in favour of the first side, or of the last mover."""
    for turn in "ab":
        position = engine.parse(f"0.0.0.0.0.0/0.0.0.0.0.0 25q1/25q1 - {turn} 9 mandarins", rules_of(MW))
        assert engine.outcome(position) == (None, "mandarins", (35, 35))
    three = rules_of("sides=3,squares=1,mandarin_value=5")
    tie_of_the_best = engine.parse("0.0/0.0/0.0 5/5q1/5q1 - b 9 mandarins", three)
    assert engine.outcome(tie_of_the_best) == (None, "mandarins", (5, 10, 10))
    tie_of_the_others = engine.parse("0.0/0.0/0.0 5/5q1/5 - b 9 mandarins", three)
    assert engine.outcome(tie_of_the_others) == ("b", "mandarins", (5, 10, 5))


def test_a_chain_does_not_hop_over_an_immature_mandarin(engine: Engine) -> None:
    """Seen: the chain went on behind it, as if it were not there."""
    chain = "1.0.0.3.0.{}q1/0.6.0.0.0.5q1 0/40 - a 0"
    steps, after = play(engine, NON, chain.format(4), "a1+")
    assert steps[2:] == [("capture", "a4", 3, 0), ("stop", "immature_mandarin")]
    assert str(after) == "0.1.0.0.0.4q1/0.6.0.0.0.5q1 3/40 - b 1"
    steps, after = play(engine, NON, chain.format(5), "a1+")
    assert captures(steps) == [("a4", 3, 0), ("am", 5, 1), ("b2", 6, 0)]
    assert str(after) == "0.1.0.0.0.0/1.1.1.1.1.5q1 14q1/35 - b 1"  # b's empty row is re-seeded


def test_an_immature_mandarin_is_not_taken_after_sowing(engine: Engine) -> None:
    steps, after = play(engine, NON, "0.0.1.0.0.4q1/0.2.0.0.0.5q1 0/40 - a 0", "a3+")
    assert steps[2:] == [("stop", "immature_mandarin")]
    assert str(after) == "0.0.0.1.0.4q1/0.2.0.0.0.5q1 0/40 - b 1"


def test_there_is_no_sowing_after_a_capture(engine: Engine) -> None:
    """Seen: the occupied square behind the captured one lifted and sown on."""
    steps, after = play(engine, MW, "1.0.0.3.6.0q1/1.0.0.0.0.0q1 0/39 - a 0", "a1+")
    assert steps == [("lift", "a1", 1), ("drop", "a2"), ("capture", "a4", 3, 0), ("stop", "no_gap")]
    assert str(after) == "0.1.0.0.6.0q1/1.0.0.0.0.0q1 3/39 - b 1"


def test_rows_are_not_reseeded_in_mid_move(engine: Engine) -> None:
    """Seen: both rows re-seeded as soon as they were empty. Here both are, and only b re-seeds, at its turn."""
    steps, after = play(engine, MW, "0.0.0.0.1.0q1/0.0.0.0.0.2q1 9/8 - a 3", "a5+")
    assert [step[0] for step in steps] == ["lift", "drop", "stop", "reseed"]
    assert str(after).startswith("0.0.0.0.0.1q1/1.1.1.1.1.2q1 ")
    steps, after = play(engine, MW, str(after), "b1-")
    assert steps[-2:] == [("stop", "two_empty_squares"), ("reseed", "a", 5)]
    assert str(after) == "1.1.1.1.1.2q1/0.1.1.1.1.2q1 4/3 - a 5"


@pytest.mark.parametrize(
    ("mine", "theirs", "after"),
    [
        (9, 3, "0.0.0.0.0.1q1/1.1.1.1.1.2q1 7/0 b>a:2 b 4"),
        (5, 0, "0.0.0.0.0.1q1/1.1.1.1.1.2q1 0/0 b>a:5 b 4"),
        (4, 0, "0.0.0.0.0.1q1/0.0.0.0.0.2q1 4/0 - b 4 short"),
    ],
)
def test_a_store_does_not_go_below_zero_by_a_loan(engine: Engine, mine: int, theirs: int, after: str) -> None:
    """Seen: the whole row taken from a store of three; a lender left with less than nothing; half a loan kept."""
    assert str(play(engine, MW, f"0.0.0.0.1.0q1/0.0.0.0.0.2q1 {mine}/{theirs} - a 3", "a5+")[1]) == after


def test_the_winner_does_not_contradict_the_reason(engine: Engine) -> None:
    """Seen: "b cannot re-seed and loses", and b, with more points, named the winner."""
    after = play(engine, BANKRUPT, "0.0.0.0.1.0q1/0.0.0.0.0.2 0/4q1 - a 3", "a5+")[1]
    assert str(after) == "0.0.0.0.0.1q1/0.0.0.0.0.2 0/4q1 - b 4 loses"
    assert engine.outcome(after) == ("a", "loses", (0, 14))


def test_of_three_sides_the_better_of_the_others_wins_when_one_loses(engine: Engine) -> None:
    rules = "sides=3,squares=2,shortfall=loses"
    steps, after = play(engine, rules, "0.1.0q1/0.0.0q1/1.0.0 2/1q1/3 - a 3", "a2+")
    assert steps == [
        ("lift", "a2", 1),
        ("drop", "am"),
        ("stop", "two_empty_squares"),
        ("sweep", "c", 1),
        ("end", "loses"),
    ]
    assert engine.outcome(after) == ("c", "loses", (2, 11, 4))
