"""Re-seeding and the count by hand: one small position for each sentence of sections 4 and 5 of the rule book."""

from __future__ import annotations

import pytest

from support.engines import Engine, rules_of

# After a5+ the row of b is empty, and b's turn.
MOVE = "a5+"
TWO = "0.0.0.0.1.0q1/0.0.0.0.0.2q1 {} - a 3"
SOWN = "0.0.0.0.0.1q1"


def after(engine: Engine, knobs: str, text: str, move: str = MOVE) -> str:
    return str(engine.play(engine.parse(text, rules_of(knobs)), move))


@pytest.mark.parametrize(
    ("knobs", "stores", "row", "rest"),
    [
        ("shortfall=borrow", "9/5", "1.1.1.1.1.2q1", "9/0 - b 4"),
        ("shortfall=borrow", "9/3", "1.1.1.1.1.2q1", "7/0 b>a:2 b 4"),
        ("shortfall=borrow", "1/3", "0.0.0.0.0.2q1", "1/3 - b 4 short"),
        ("shortfall=owe", "9/3", "1.1.1.1.1.2q1", "9/-2 - b 4"),
        ("shortfall=owe", "9/-4", "1.1.1.1.1.2q1", "9/-9 - b 4"),
        ("shortfall=partial", "9/3", "1.1.1.0.0.2q1", "9/0 - b 4"),
        ("shortfall=partial", "9/0", "0.0.0.0.0.2q1", "9/0 - b 4 short"),
        ("shortfall=loses", "9/4", "0.0.0.0.0.2q1", "9/4 - b 4 loses"),
        ("shortfall=count", "9/4", "0.0.0.0.0.2q1", "9/4 - b 4 short"),
        ("shortfall=count", "9/5", "1.1.1.1.1.2q1", "9/0 - b 4"),
    ],
)
def test_what_a_shortfall_does(engine: Engine, knobs: str, stores: str, row: str, rest: str) -> None:
    assert after(engine, knobs, TWO.format(stores)) == f"{SOWN}/{row} {rest}"


@pytest.mark.parametrize(
    ("knobs", "stores", "row", "rest"),
    [
        ("shortfall=count", "0/1q1", "0.0.0.0.0.2", "0/1q1 - b 4 short"),
        ("shortfall=count,reseed_from=points", "0/1q1", "1.1.1.1.1.2", "0/-4q1 - b 4"),
        ("shortfall=count,reseed_from=points", "0/-5q1", "1.1.1.1.1.2", "0/-10q1 - b 4"),
        ("shortfall=count,reseed_from=points", "0/-6q1", "0.0.0.0.0.2", "0/-6q1 - b 4 short"),
        ("shortfall=partial,reseed_from=points", "0/-7q1", "1.1.1.0.0.2", "0/-10q1 - b 4"),
        ("shortfall=borrow,reseed_from=points", "9/-7q1", "1.1.1.1.1.2", "7/-10q1 b>a:2 b 4"),
        ("shortfall=borrow", "0q1/1", "0.0.0.0.0.2", "0q1/1 - b 4 short"),
        ("shortfall=borrow,reseed_from=points", "0q1/1", "1.1.1.1.1.2", "-4q1/0 b>a:4 b 4"),
    ],
)
def test_what_a_side_owns(engine: Engine, knobs: str, stores: str, row: str, rest: str) -> None:
    """Pebbles, or points: then a captured mandarin is good for ten pebbles, the lender's too."""
    text = TWO.format(stores).replace("2q1", "2")
    assert after(engine, knobs, text) == f"{SOWN}/{row} {rest}"


FOUR = "0.1.0q1/0.0.0q1/1.0.0/1.0.0 {} {} a 3"


@pytest.mark.parametrize(
    ("stores", "debts", "expected"),
    [
        ("9/0/9/9", "-", "9/0/7/9 b>c:2"),
        ("9/0/1/9", "-", "9/0/0/8 b>c:1,b>d:1"),
        ("9/0/0/1", "-", "8/0/0/0 b>a:1,b>d:1"),
        ("9/1/0/0", "b>a:4,c>b:2", "8/0/0/0 b>a:5,c>b:2"),
        ("0/0/1/1", "a>b:3,b>c:3", "0/0/0/0 a>b:3,b>c:4,b>d:1"),
    ],
)
def test_the_next_side_round_the_ring_lends_first(engine: Engine, stores: str, debts: str, expected: str) -> None:
    """Each as many as it has; every loan is added to what was owed, and debts do not cancel out."""
    text = FOUR.format(stores, debts)
    assert after(engine, "sides=4,squares=2", text, "a2+") == f"0.0.1q1/1.1.0q1/1.0.0/1.0.0 {expected} b 4"


def test_no_loan_stands_when_all_have_too_few(engine: Engine) -> None:
    text = "0.0.1.0q1/0.0.0.0q1/1.0.0.0/1.0.0.0 0/0/1/1 - a 3"
    end = "0.0.0.1q1/0.0.0.0q1/1.0.0.0/1.0.0.0 0/0/1/1 - b 4 short"
    assert after(engine, "sides=4,squares=3", text, "a3+") == end


@pytest.mark.parametrize(
    ("knobs", "stores", "expected"),
    [
        ("shortfall=count", "9/1/2", "1.0.0q1/1.1.1q1/1.1.0q1 9/0/0 - c 4"),
        ("shortfall=count", "9/5/1", "1.0.0q1/0.0.1q1/0.0.0q1 9/6/1 - c 4 short"),
        ("shortfall=count", "9/0/2", "1.0.0q1/0.0.1q1/1.1.0q1 9/1/0 - c 4 short"),
        ("shortfall=loses", "9/0/2", "1.0.0q1/0.0.1q1/1.1.0q1 9/1/0 - c 4 loses"),
        ("shortfall=borrow", "0/2/0", "1.0.0q1/0.0.1q1/1.1.0q1 0/1/0 c>b:2 c 4 short"),
        ("shortfall=borrow", "3/0/0", "1.0.0q1/1.1.1q1/1.1.0q1 0/0/0 b>a:1,c>a:2 c 4"),
    ],
)
def test_all_empty_rows_are_reseeded_the_next_side_first_the_mover_last(
    engine: Engine, knobs: str, stores: str, expected: str
) -> None:
    """b captures the last pebble of c and has none left: c re-seeds, then b. The first that cannot ends the game."""
    rules = f"sides=3,squares=2,reseed_when=when_empty,{knobs}"
    assert after(engine, rules, f"1.0.0q1/0.1.0q1/0.1.0q1 {stores} - b 3", "b2+") == expected


def test_at_the_start_of_a_turn_only_the_side_to_move_reseeds(engine: Engine) -> None:
    text = "1.0.0q1/0.1.0q1/0.1.0q1 9/5/5 - b 3"
    expected = "1.0.0q1/0.0.1q1/1.1.0q1 9/6/3 - c 4"
    assert after(engine, "sides=3,squares=2", text, "b2+") == expected


def test_a_board_never_holds_more_than_255(engine: Engine) -> None:
    text = "0.0.0.0.1.0q1/0.0.0.0.0.{}q1 9/9 - a 3"
    assert after(engine, "mancala-world", text.format(249)).endswith("1.1.1.1.1.249q1 9/4 - b 4")
    assert after(engine, "mancala-world", text.format(250)).endswith("0.0.0.0.0.250q1 9/9 - b 4 short")


# ---- the count -------------------------------------------------------------------------------------------------------

LEFT = "1.0.0.0.2.3q1/0.0.0.0.0.4q1 {} - b 4 short"


@pytest.mark.parametrize(
    ("knobs", "points"),
    [
        ("mancala-world", (3, 4)),  # a sweeps its three; the mandarin squares go to nobody
        ("mandarin_leftovers=adjacent", (3 + 13, 4 + 14)),
        ("mandarin_leftovers=split", (3 + 13, 4 + 14)),  # 27: the odd one to b, who is after the last mover
        ("row_leftovers=split", (1, 4 + 2)),
        ("row_leftovers=split,mandarin_leftovers=split", (1 + 13, 4 + 2 + 14)),
        ("mandarin_value=5,mandarin_leftovers=split", (3 + 8, 4 + 9)),
    ],
)
def test_who_gets_what_is_left(engine: Engine, knobs: str, points: tuple[int, int]) -> None:
    position = engine.parse(LEFT.format("0/4"), rules_of(f"shortfall=count,{knobs}".replace(",mancala-world", "")))
    assert engine.points(position) == points


def test_the_remainder_of_a_split_goes_round_from_the_side_to_move(engine: Engine) -> None:
    rules = rules_of("sides=4,squares=1,shortfall=count,row_leftovers=split,mandarin_leftovers=split")
    position = engine.parse("0.1/1.0/1.0/1.1q1 0/0/0/0 - a 4 short", rules)  # 3 in rows, 12 in mandarin squares
    assert engine.points(position) == (1 + 3, 1 + 3, 1 + 3, 0 + 3)
    position = engine.parse("1.0/1.0/1.1/0.2q1 0/0/0/0 - d 4 short", rules)  # 3 and 13
    assert engine.points(position) == (1 + 3, 1 + 3, 0 + 3, 1 + 4)


def test_debts_are_repaid_and_points_may_be_negative(engine: Engine) -> None:
    position = engine.parse("0.0.0.0.0.0/2.0.0.0.0.0 40/1 a>b:1,b>a:9 a 8 mandarins", rules_of("mancala-world"))
    assert engine.outcome(position) == ("a", "mandarins", (40 - 1 + 9, 1 + 2 + 1 - 9))


def test_the_steps_of_a_count(engine: Engine) -> None:
    """Rows, then mandarin squares, then debts, then the reason; sides and debts in order, nothing for nothing."""
    rules = rules_of("ends_when=stones_taken,mandarin_leftovers=split")
    position = engine.parse("0.0.1.0.2.0q1/1.1.0.0.0.1 3/3q1 b>a:2 a 3", rules)
    assert engine.trace(position, "a3-") == [
        ("lift", "a3", 1),
        ("drop", "a2"),
        ("capture", "bm", 1, 0),
        ("stop", "two_empty_squares"),
    ]
    position = engine.parse("0.0.1.0.0.1q1/0.0.1.0.0.1 3/3q1 b>a:2 a 3", rules)
    assert engine.trace(position, "a3+") == [
        ("lift", "a3", 1),
        ("drop", "a4"),
        ("capture", "am", 1, 1),
        ("stop", "two_empty_squares"),
        ("sweep", "a", 1),
        ("sweep", "b", 1),
        ("share", "b", 1),
        ("repay", "b", "a", 2),
        ("end", "mandarins"),
    ]
    assert engine.points(engine.play(position, "a3+")) == (3 + 11 + 1 + 2, 3 + 10 + 1 + 1 - 2)
