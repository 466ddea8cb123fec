"""What must hold whatever the rules: nothing is created or lost, every seat is alike, the end is the end."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import oanquan
from support.bag import Bag
from support.engines import CORE, Engine, all_move_texts, error_of, rules_of
from support.lockstep import random_pair
from support.transform import (
    mirror_move,
    mirror_rules,
    mirror_text,
    rotate_move,
    rotate_text,
    rotate_values,
)

PLIES = {"core": 20_000, "reference": 4_000}


def random_play(engine: Engine, seed: int, plies: int | None = None) -> Iterator[tuple[Any, str, Any]]:
    """Positions met in random play under random rules, the move chosen, and the position after."""
    rng, done = Random(seed), 0
    while done < (plies or PLIES[engine.name]):
        pair = random_pair(rng)
        if pair is None:
            continue
        position = pair[0] if engine is CORE else pair[1]
        for _ in range(40):
            moves = engine.moves(position)
            if not moves:
                break
            move = rng.choice(moves)
            after = engine.play(position, move)
            yield position, move, after
            done += 1
            position = after


def test_nothing_is_created_or_lost(engine: Engine, figure: Callable[[str], None]) -> None:
    """A plain bag follows every step of the trace, and ends with the same position and the same points."""
    counts = Counter[str]()
    for position, move, after in random_play(engine, 1):
        value = position.rules.mandarin_value
        bag = Bag(str(position))
        total = bag.worth(value)
        bag.replay(engine.trace(position, move), value)
        assert bag.text() == str(after)
        counts["plies"] += 1
        if after.is_over:
            assert bag.points == dict(zip(bag.sides, engine.points(after), strict=True))
            thrown_away = 0
            if position.rules.mandarin_leftovers == "nobody":
                thrown_away = bag.left_in_mandarin_squares(value)
            assert sum(engine.points(after)) == total - thrown_away
            counts["counts"] += 1
            counts["with something thrown away"] += thrown_away > 0
    assert counts["counts"] > 100
    assert counts["with something thrown away"] > 5
    figure(f"conservation, {engine.name}: {dict(counts)}")


@pytest.mark.parametrize("preset", oanquan.PRESETS)
def test_points_sum_to_the_total_of_the_board(engine: Engine, preset: str) -> None:
    """At every count of a game from the start, the count of a game stopped anywhere included."""
    rules = oanquan.Rules.preset(preset)
    rng = Random(preset)
    finished = 0
    for _ in range(8):
        position = engine.start(rules)
        for _ in range(200):
            if position.is_over:
                finished += 1
                break
            position = engine.play(position, rng.choice(engine.moves(position)))
            in_squares = Bag(str(position)).left_in_mandarin_squares(rules.mandarin_value)
            thrown_away = in_squares if rules.mandarin_leftovers == "nobody" else 0
            assert sum(engine.counted(position)) == rules.total_points - thrown_away
        if position.ending == "mandarins":
            assert sum(engine.points(position)) == rules.total_points
    assert finished >= 4
    if preset == "mancala-world":
        assert rules.total_points == 70


def test_turning_the_seats_turns_the_result(engine: Engine) -> None:
    for position, move, after in random_play(engine, 2, 3_000):
        sides = position.rules.sides
        for by in range(1, sides):
            other = engine.parse(rotate_text(str(position), by), position.rules)
            assert engine.moves(other) == tuple([rotate_move(m, by, sides) for m in engine.moves(position)])
            turned = engine.play(other, rotate_move(move, by, sides))
            assert str(turned) == rotate_text(str(after), by)
            assert engine.points(turned) == rotate_values(engine.points(after), by)
            assert engine.counted(turned) == rotate_values(engine.counted(after), by)


def test_a_mirror_shows_the_mirrored_result(engine: Engine) -> None:
    """Two sides only (with more a mirror turns the order of play), and not `partial`, which fills from the left."""
    tried = Counter[str]()
    for position, move, after in random_play(engine, 3):
        rules = position.rules
        if rules.sides != 2 or rules.shortfall == "partial":
            continue
        mirrored = mirror_rules(rules)
        other = engine.parse(mirror_text(str(position)), mirrored)
        moves = {mirror_move(m, rules.squares) for m in engine.moves(position)}
        assert set(engine.moves(other)) == moves
        shown = engine.play(other, mirror_move(move, rules.squares))
        assert str(shown) == mirror_text(str(after))
        if rules.mandarin_leftovers != "adjacent":  # square am to a: not what a mirror shows
            assert engine.counted(shown) == engine.counted(after)
        tried[rules.directions] += 1
    assert min(tried[directions] for directions in ("both", "clockwise", "counterclockwise")) > 100


def test_over_means_no_legal_move_and_the_other_way_round(engine: Engine) -> None:
    over = Counter[str]()
    for position, _, after in random_play(engine, 4):
        assert not position.is_over
        assert position.ending is position.outcome is None
        assert after.is_over == (after.ending is not None) == (after.outcome is not None) == (not engine.moves(after))
        if not after.is_over:
            continue
        over[after.ending] += 1
        for move in all_move_texts(after.rules)[:4]:
            with pytest.raises(oanquan.IllegalMoveError, match=rf"the game is over \({after.ending}\)"):
                engine.play(after, move)
            with pytest.raises(oanquan.IllegalMoveError):
                engine.trace(after, move)
    assert set(over) == {"mandarins", "short", "loses"}


def test_an_illegal_move_changes_nothing(engine: Engine) -> None:
    refused = 0
    for position, _, after in random_play(engine, 5, 600):
        for place in (position, after):
            before = str(place), place.key, engine.moves(place), engine.points(place)
            legal = set(engine.moves(place))
            for move in all_move_texts(place.rules):
                if move in legal:
                    continue
                with pytest.raises(oanquan.IllegalMoveError) as caught:
                    engine.play(place, move)
                assert str(caught.value).startswith(f"illegal move {move}: ")
                assert f"(position {before[0]}; legal moves: {' '.join(before[2]) or 'none'})" in str(caught.value)
                refused += 1
            assert (str(place), place.key, engine.moves(place), engine.points(place)) == before
    assert refused > 5_000


def test_the_same_question_has_the_same_answer(engine: Engine) -> None:
    for position, move, after in random_play(engine, 6, 1_500):
        assert engine.counted(after) == engine.counted(after)
        assert engine.outcome(after) == engine.outcome(after)
        assert engine.trace(position, move) == engine.trace(position, move)
        again = engine.play(position, move)
        assert again == after
        assert hash(again) == hash(after)
        assert again.key == after.key
        assert copy.copy(after) == after
        if after.is_over:
            assert engine.points(after) == engine.counted(after) == tuple(engine.outcome(after)[2])


def test_texts_come_back(engine: Engine) -> None:
    for _, _, after in random_play(engine, 7, 3_000):
        again = engine.parse(str(after), after.rules)
        assert again == after
        assert str(again) == str(after)
        assert again.key == after.key
        assert hash(again) == hash(after)
        assert oanquan.Rules.parse(str(after.rules)) == after.rules


def test_nothing_that_the_parser_accepts_makes_play_panic(engine: Engine) -> None:
    """The largest and the smallest numbers that a text may hold, under rules that use them."""
    most, played = 100_000_000, 0
    for knobs in ("borrow", "owe", "partial", "loses", "count"):
        for source in ("pebbles", "points"):
            rules = rules_of(f"shortfall={knobs},reseed_from={source},reseed_when=when_empty")
            lowest = -most if knobs == "owe" else 0
            debts = f"a>b:{most},b>a:{most}" if knobs == "borrow" else "-"
            for stores in (f"{most}/{most}", f"{lowest}/{lowest}", f"{most}/{lowest}", f"{lowest}/{most}"):
                for rows in (
                    "0.0.0.0.1.0q1/0.0.0.0.1.100",
                    "0.0.0.0.1.0q1/250.1.0.0.0.3q1",
                    "1.0.2.0.0.0q1/0.0.0.0.0.252",
                ):
                    text = f"{rows} {stores} {debts} a 1000000000"
                    if error_of(lambda t=text, r=rules: engine.parse(t, r)):
                        continue
                    position = engine.parse(text, rules)
                    for move in engine.moves(position):
                        after = engine.play(position, move)
                        assert len(engine.counted(after)) == 2
                        assert engine.trace(position, move)
                        played += 1
    assert played > 100


CYCLE = "1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30"


def test_a_known_cycle_is_a_repetition(engine: Engine) -> None:
    """Two plies with a re-seeding that come back to the same rows, stores and side to move for ever."""
    rules = rules_of("wikipedia-vi")
    start = engine.parse(CYCLE, rules)
    game = engine.Game(position=start)
    for cycle in range(2):
        assert game.outcome is None
        game.push("b4-")
        steps = engine.trace(game.position, "a2+")
        assert ("reseed", "b", 5) in steps or ("reseed", "a", 5) in engine.trace(start, "b4-")
        game.push("a2+")
        assert game.position == start
        assert str(game.position).split(" ")[:4] == CYCLE.split(" ")[:4]
        assert game.position.ply == 30 + 2 * (cycle + 1)
    winner, ending, points = engine.outcome(game) or (None, "", ())
    assert ending == "repetition"
    assert points == engine.counted(start)
    assert winner == "b"
    with pytest.raises(oanquan.IllegalMoveError, match=r"illegal move b4-: the game is over \(repetition\)"):
        game.push("b4-")


@pytest.mark.parametrize("repetition", [2, 5, None])
def test_repetition_can_be_set_and_switched_off(engine: Engine, repetition: int | None) -> None:
    start = engine.parse(CYCLE, rules_of("wikipedia-vi"))
    game = engine.Game(position=start, max_plies=21, repetition=repetition)
    while game.outcome is None:
        game.push(("b4-", "a2+")[len(game.moves) % 2])
    ending = (engine.outcome(game) or ("", "", ()))[1]
    plies = {2: 2, 5: 8, None: 21}[repetition]
    assert (len(game.moves), ending) == (plies, "max_plies" if repetition is None else "repetition")
