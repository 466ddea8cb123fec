"""The values of the package: copying, pickling, equality, keys, the forms of a move, what errors carry."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest

import oanquan
from oanquan import Debt, Move, Outcome, Position, Rules, Setup, Store
from support.engines import CORE, REFERENCE, Engine, error_of, rules_of
from support.lockstep import random_pair

START = "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0"


# ---- positions -------------------------------------------------------------------------------------------------------


def test_completion_offers_what_is_public() -> None:
    assert dir(oanquan) == sorted(oanquan.__all__)


def test_the_start(engine: Engine) -> None:
    start = engine.Position.start()
    assert str(start) == START
    assert (start.rules, start.turn, start.ply, start.ending, start.is_over) == (Rules(), "a", 0, None, False)
    assert start.pebbles == (5, 5, 5, 5, 5, 0, 5, 5, 5, 5, 5, 0)
    assert start.mandarins == (0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1)
    assert engine.stores(start) == ((0, 0), (0, 0))
    assert engine.debts(start) == ()
    assert engine.points(start) == (0, 0)
    assert engine.counted(start) == (25, 25)
    assert engine.moves(start) == tuple(f"a{n}{sign}" for n in range(1, 6) for sign in "+-")
    assert str(engine.start(rules_of("three-players"), "c")) == f"{'/'.join(['5.5.5.5.5.0q1'] * 3)} 0/0/0 - c 0"


def test_the_parts_of_a_position(engine: Engine) -> None:
    position = engine.parse("0.1.0.0.0.2q1/0.0.0.0.1.0 3q1/52 a>b:2,b>a:7 b 9", Rules())
    assert engine.stores(position) == ((3, 1), (52, 0))
    assert engine.debts(position) == (("a", "b", 2), ("b", "a", 7))
    assert engine.points(position) == (3 + 10 - 2 + 7, 52 + 2 - 7)
    assert engine.counted(position) == (3 + 10 - 2 + 7 + 1, 52 + 2 - 7 + 1)
    assert (position.turn, position.ply) == ("b", 9)


def test_the_legal_mask_has_a_bit_for_every_legal_move() -> None:
    rng = Random(1)
    for _ in range(300):
        pair = random_pair(rng)
        if pair is not None:
            position = pair[0]
            assert position.legal_mask == sum(1 << move.action for move in position.legal_moves)
            assert all(position.is_legal(move) for move in position.legal_moves)
            squares = range(2 * position.rules.squares)
            assert [n for n in squares if position.is_legal(n)] == [m.action for m in position.legal_moves]


def test_positions_are_immutable() -> None:
    start = Position.start()
    for name in ("ply", "turn", "pebbles", "rules", "anything"):
        with pytest.raises(AttributeError):
            setattr(start, name, 1)


def test_copies_and_pickles_are_equal() -> None:
    rng = Random(2)
    for _ in range(300):
        pair = random_pair(rng)
        if pair is None:
            continue
        for twin in (copy.copy(pair[0]), copy.deepcopy(pair[0]), pickle.loads(pickle.dumps(pair[0]))):
            assert type(twin) is Position
            assert twin == pair[0]
            assert hash(twin) == hash(pair[0])
            assert (str(twin), twin.key, twin.rules) == (str(pair[0]), pair[0].key, pair[0].rules)


@pytest.mark.parametrize(
    "value",
    [
        Move("c2-"),
        Store(3, 1),
        Debt("a", "b", 4),
        Outcome("a", "short", (3, 2)),
        Rules.preset("tonkin"),
        oanquan.PRESETS["quan-non"],
    ],
    ids=lambda value: type(value).__name__,
)
def test_small_values_can_be_copied_and_pickled(value: object) -> None:
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert twin == value
        assert hash(twin) == hash(value)
        assert repr(twin) == repr(value)
    assert value != "something else"


# ---- equality and keys -----------------------------------------------------------------------------------------------


def test_the_ply_does_not_matter_unless_the_ban_is_in_force(engine: Engine) -> None:
    def at(knobs: str, ply: int) -> object:
        return engine.parse(START.replace("a 0", f"a {ply}"), rules_of(knobs))

    def same(one: object, other: object) -> bool:
        assert (one == other) == (hash(one) == hash(other)) == (one.key == other.key)  # type: ignore[attr-defined]
        return one == other

    assert same(at("mancala-world", 0), at("mancala-world", 7))
    assert not same(at("mandarin_ban=3", 0), at("mandarin_ban=3", 1))
    assert not same(at("mandarin_ban=3", 2), at("mandarin_ban=3", 3))
    assert same(at("mandarin_ban=3", 3), at("mandarin_ban=3", 4))


def test_everything_else_matters(engine: Engine) -> None:
    """Each text differs from the first in one thing."""
    rules = rules_of("mancala-world")
    texts = [
        "1.0.0.0.0.0q1/1.0.0.0.0.1q1 3/4 - a 5",
        "0.1.0.0.0.0q1/1.0.0.0.0.1q1 3/4 - a 5",
        "1.0.0.0.0.1q1/1.0.0.0.0.0q1 3/4 - a 5",
        "1.0.0.0.0.0/1.0.0.0.0.1q1 3/4 - a 5",
        "1.0.0.0.0.0q1/1.0.0.0.0.1 3/4 - a 5",
        "1.0.0.0.0.0q1/1.0.0.0.0.1q1 4/3 - a 5",
        "1.0.0.0.0.0/1.0.0.0.0.1q1 3q1/4 - a 5",
        "1.0.0.0.0.0/1.0.0.0.0.1q1 3/4q1 - a 5",
        "1.0.0.0.0.0q1/1.0.0.0.0.1q1 3/4 a>b:1 a 5",
        "1.0.0.0.0.0q1/1.0.0.0.0.1q1 3/4 b>a:1 a 5",
        "1.0.0.0.0.0q1/1.0.0.0.0.1q1 3/4 - b 5",
        "1.0.0.0.0.0/1.0.0.0.0.0 3/4 - a 5 mandarins",
    ]
    positions = [engine.parse(text, rules) for text in texts]
    positions += [engine.parse(texts[0], rules_of(knobs)) for knobs in ("wikipedia-vi", "mandarin_value=9")]
    assert len(set(positions)) == len({position.key for position in positions}) == len(texts) + 2
    assert all((a == b) == (a is b) for a in positions for b in positions)
    assert positions[0] != texts[0]


# Stable on every machine and in every version.
KEYS = {
    ("mancala-world", START): 0x7113_A216_EE02_E0E0,
    ("wikipedia-vi", START): 0x5FCA_C68F_01F2_8ACE,
    ("mandarin_ban=2", START): 0x497A_2C31_5CB2_E703,
    ("quan-five", "0.1.0.0.0.2q1/0.0.0.0.1.0 3q1/52 a>b:2,b>a:7 b 9"): 0xB2E5_F5F2_B1E4_3D0B,
    ("bankrupt", "0.0.0.0.0.1q1/0.0.0.0.0.2 0/4q1 - b 4 loses"): 0x4B17_6DAC_7418_F399,
    ("shortfall=owe", "1.0.0.0.0.1q1/0.1.0.0.0.0q1 -7/4 - a 4"): 0xEB73_6F55_0EC5_69FB,
    ("sides=4,squares=7,pebbles=1", "/".join(["1.1.1.1.1.1.1.0q1"] * 4) + " 0/0/0/0 - d 0"): 0x2BA0_21CC_8D15_186A,
}


@pytest.mark.parametrize(("knobs", "text"), KEYS)
def test_keys_are_stable(engine: Engine, knobs: str, text: str) -> None:
    assert hex(engine.parse(text, rules_of(knobs)).key) == hex(KEYS[knobs, text])


# ---- moves -----------------------------------------------------------------------------------------------------------


def test_the_forms_of_a_move() -> None:
    start = Position.start()
    after = start.play("a3+")
    for form in ("3+", "A3+", Move("a3+"), Move("A3+"), 4, Move.from_action(4)):
        assert start.play(form) == after
        assert start.is_legal(form)
        assert start.trace(form) == start.trace("a3+")
    assert REFERENCE.parse(START, Rules()).play("3+") == REFERENCE.parse(START, Rules()).play(4)
    assert str(after.play("2-")) == str(after.play("b2-"))


@pytest.mark.parametrize("side", "abcd")
def test_action_numbers_come_back(side: str) -> None:
    for action in range(14):
        move = Move.from_action(action, side)
        assert (move.action, move.side, move.square) == (action, side, action // 2 + 1)
        assert move.direction == ("clockwise" if action % 2 else "counterclockwise")
        assert Move(str(move)) == move
        assert repr(move) == f"Move('{side}{action // 2 + 1}{'-' if action % 2 else '+'}')"


def test_a_bare_move_has_no_side_of_its_own() -> None:
    with pytest.raises(oanquan.NotationError):
        Move("3+")


def test_numbers_that_are_no_action(engine: Engine) -> None:
    start = engine.Position.start()
    for number in (-1, 10, 11, 99):
        error = error_of(lambda n=number: start.play(n))
        assert error is not None
        assert error[1].startswith(f"illegal move {number}: action numbers go from 0 to 9 (position {START}; ")


# ---- errors ----------------------------------------------------------------------------------------------------------


def test_every_error_is_a_value_error_of_this_package() -> None:
    for kind in (oanquan.RulesError, oanquan.PositionError, oanquan.NotationError, oanquan.IllegalMoveError):
        assert issubclass(kind, oanquan.OanquanError)
    assert issubclass(oanquan.OanquanError, ValueError)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("b1+", "it is side a's turn"),
        ("a6+", "side a has squares 1 to 5"),
        ("a2+", "square a2 is empty"),
        ("a1-", "only counterclockwise moves are allowed"),
    ],
)
def test_an_illegal_move_says_why(engine: Engine, move: str, why: str) -> None:
    text = "1.0.0.0.0.0q1/1.0.0.0.0.1q1 3/4 - a 5"
    position = engine.parse(text, rules_of("directions=counterclockwise"))
    with pytest.raises(oanquan.IllegalMoveError) as caught:
        position.play(move)
    assert str(caught.value) == f"illegal move {move}: {why} (position {text}; legal moves: a1+)"
    assert (caught.value.move, caught.value.position) == (move, text)
    assert pickle.loads(pickle.dumps(caught.value)).position == text


def test_the_ban_says_why(engine: Engine) -> None:
    position = engine.parse("0.0.1.0.0.0q1/1.0.0.0.0.1q1 3/4 - a 1", rules_of("mandarin_ban=2"))
    assert engine.moves(position) == ("a3+", "a3-"), "when all moves take a mandarin none is banned"
    position = engine.parse("1.0.1.0.0.0q1/1.0.0.0.0.1q1 3/4 - a 1", rules_of("mandarin_ban=2"))
    with pytest.raises(oanquan.IllegalMoveError, match=r"a3\+: it takes a mandarin in the first 2 plies \(position"):
        position.play("a3+")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a", 36),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1  0/0 - a 0", 29),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0 ", 39),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 007", 37),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/-0 - a 0", 31),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - c 0", 35),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 a>a:1 a 0", 35),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 b>a:1,a>b:1 a 0", 39),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 a>b:1,a>b:1 a 0", 39),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 b>a:1,a>b", 39),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 a>b:0 a 0", 37),
        ("5.5.5.5.5.0q0/5.5.5.5.5.0q1 0/0 - a 0", 13),
        ("05.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0", 1),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 12345678901", 37),
        ("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0 repetition", 39),
        ("0.0.0.0.0.0/0.0.0.0.0.0 1/0 - a 0 mandarinsx", 44),
        ("é", 1),
        ("5.é", 3),
    ],
)
def test_a_faulty_text_is_refused_with_its_column(engine: Engine, text: str, column: int) -> None:
    with pytest.raises(oanquan.NotationError) as caught:
        engine.parse(text, Rules())
    assert (caught.value.column, caught.value.text) == (column, text)
    got = f'"{text[column - 1]}"' if column <= len(text) else "the end"
    assert f' at column {column}, got {got} in "{text}"' in str(caught.value)
    assert str(caught.value).startswith("expected ")


@pytest.mark.parametrize("before", [0, 2, 499, 500, 2000])
@pytest.mark.parametrize("after", [0, 300, 5000])
def test_a_long_text_is_shown_around_its_fault(before: int, after: int) -> None:
    text = "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0"[:before] + "x" * before + "?" + "y" * after
    shown = [str(error_of(lambda engine=engine: engine.parse(text, Rules()))) for engine in (CORE, REFERENCE)]
    assert shown[0] == shown[1]
    assert len(shown[0]) < 700


def test_every_fault_of_a_position_is_named(engine: Engine) -> None:
    text = "256.0q1.0.0.0.0q2/0.0.0.0.0.0 -1q3/200000000 a>b:100000001 a 1000000001"
    with pytest.raises(oanquan.PositionError) as caught:
        engine.parse(text, Rules())
    assert caught.value.faults == (
        "square a1: expected 0 to 255 pebbles, got 256",
        "square a2: only a mandarin square can hold a mandarin, got 1",
        "square am: expected 0 to 1 mandarins, got 2",
        "board: expected at most 255 pebbles in all, got 256",
        "store of a: expected 0 to 100000000 pebbles, got -1",
        "store of a: expected 0 to 2 mandarins, got 3",
        "store of b: expected 0 to 100000000 pebbles, got 200000000",
        "mandarins: expected at most 2 in all, got 6",
        "debt a>b: expected 1 to 100000000 pebbles, got 100000001",
        "ply: expected 0 to 1000000000, got 1000000001",
    )
    assert str(caught.value) == "; ".join(caught.value.faults)
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults


@pytest.mark.parametrize(
    ("knobs", "text", "fault"),
    [
        ("mancala-world", "1.0.0.0.0.0/0.0.0.0.0.0 0/0 - a 0", "ending: expected mandarins, got none"),
        ("mancala-world", "1.0.0.0.0.0q1/0.0.0.0.0.0 0/0 - a 0 short", "ending: expected none, got short"),
        ("mancala-world", "0.0.0.0.0.0q1/1.0.0.0.0.0 0/4 - a 0", "ending: expected short, got none"),
        ("bankrupt", "0.0.0.0.0.0q1/1.0.0.0.0.0 4/9 - a 0 short", "ending: expected loses, got short"),
        (
            "mancala-world",
            "0.0.0.0.0.0q1/1.0.0.0.0.0 0/5 - a 0",
            "row of a: expected a pebble (re-seeding belongs to the change of turn)",
        ),
        ("bankrupt", "1.0.0.0.0.0q1/1.0.0.0.0.0 0/5 a>b:1 a 0", "debts: expected none unless shortfall is borrow"),
        (
            "reseed_from=points",
            "1.0.0.0.0.0q1/1.0.0.0.0.0 -11q1/5 - a 0",
            "store of a: expected -10 to 100000000 pebbles, got -11",
        ),
        (
            "shortfall=owe",
            "1.0.0.0.0.0q1/1.0.0.0.0.0 -100000001/5 - a 0",
            "store of a: expected -100000000 to 100000000 pebbles, got -100000001",
        ),
    ],
)
def test_one_fault_of_a_position(engine: Engine, knobs: str, text: str, fault: str) -> None:
    with pytest.raises(oanquan.PositionError) as caught:
        engine.parse(text, rules_of(knobs))
    assert caught.value.faults == (fault,)


# ---- set-ups ---------------------------------------------------------------------------------------------------------


def test_a_setup_makes_the_position_it_was_taken_from() -> None:
    rng = Random(3)
    for _ in range(300):
        pair = random_pair(rng)
        if pair is not None:
            assert Setup.of(pair[0]).position() == pair[0]
            assert str(Setup.parse(str(pair[0]), pair[0].rules).position()) == str(pair[0])


def test_a_setup_may_be_wrong_until_it_is_finished() -> None:
    setup = Setup.of(Position.start())
    setup.pebbles["a1"] = 300
    setup.stores["b"] = Store(-1, 0)
    with pytest.raises(oanquan.PositionError) as caught:
        setup.position()
    assert caught.value.faults == (
        "square a1: expected 0 to 255 pebbles, got 300",
        "board: expected at most 255 pebbles in all, got 345",
        "store of b: expected 0 to 100000000 pebbles, got -1",
    )
    setup.pebbles["a1"] = 0
    setup.stores["b"] = Store(5, 0)
    assert str(setup.position()) == "0.5.5.5.5.0q1/5.5.5.5.5.0q1 0/5 - a 0"


# ---- the twin --------------------------------------------------------------------------------------------------------


def test_both_hash_and_compare_by_value(engine: Engine) -> None:
    one, other = engine.parse(START, Rules()), engine.start(Rules())
    assert one == other
    assert one is not other
    assert hash(one) == hash(other)
    assert {one: 1}[other] == 1
    assert one != engine.start(Rules(), "b")
    assert CORE.parse(START, Rules()) != REFERENCE.parse(START, Rules())
