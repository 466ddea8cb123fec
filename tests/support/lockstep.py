"""Core and reference in lockstep: everything that can be asked of a position and a move, asked of both."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import oanquan

from .draw import random_rules, random_text
from .engines import BOTH, CORE, REFERENCE, all_move_texts, error_of

Pair = tuple[Any, Any]  # the same position in both


def both_parse(text: str, rules: oanquan.Rules) -> Pair | None:
    """The position in both implementations; None if both refuse it, which they must do alike."""
    errors = [error_of(lambda e=engine: e.parse(text, rules)) for engine in BOTH]
    assert errors[0] == errors[1], f"{rules} | {text!r}\n core: {errors[0]}\n reference: {errors[1]}"
    return None if errors[0] else (CORE.parse(text, rules), REFERENCE.parse(text, rules))


def settle(text: str, rules: oanquan.Rules) -> Pair | None:
    """The position of a text whose ending was left open: with the ending that the rules call for."""
    pair = both_parse(text, rules)
    if pair is None:
        error = error_of(lambda: REFERENCE.parse(text, rules))
        ending = re.search(r"ending: expected (\w+), got none$", error[1] if error else "")
        if ending:
            pair = both_parse(f"{text} {ending[1]}", rules)
            assert pair is not None, f"{rules} | {text}: refused with the ending that was asked for"
    return pair


def compare_positions(pair: Pair) -> None:
    """Everything that can be asked of a position."""
    core, reference = pair
    facts = [
        (
            str(position),
            position.key,
            engine.moves(position),
            engine.points(position),
            engine.counted(position),
            position.ending,
            position.is_over,
            engine.outcome(position),
            position.turn,
            position.ply,
            tuple(position.pebbles),
            tuple(position.mandarins),
            engine.stores(position),
            engine.debts(position),
        )
        for engine, position in zip(BOTH, (core, reference), strict=True)
    ]
    assert facts[0] == facts[1], f"{core.rules} | {core}\n core: {facts[0]}\n reference: {facts[1]}"


def compare_move(pair: Pair, move: str, seen: Counter[str] | None = None) -> Pair:
    """One legal move: the same steps, the same position after."""
    core, reference = pair
    steps, reference_steps = CORE.trace(core, move), REFERENCE.trace(reference, move)
    where = f"{core.rules} | {core} | {move}"
    assert steps == reference_steps, f"{where}\n core: {steps}\n reference: {reference_steps}"
    after = CORE.play(core, move), REFERENCE.play(reference, move)
    assert str(after[0]) == str(after[1]), f"{where}\n core: {after[0]}\n reference: {after[1]}"
    if seen is not None:
        seen.update(step[0] for step in steps)
        seen.update(f"{step[0]} {step[1]}" for step in steps if step[0] in ("stop", "end"))
    return after


def compare_refusals(pair: Pair, rng: Random) -> None:
    """A few moves that are not legal, written in every way: the same message from both."""
    core, reference = pair
    texts = [text for text in all_move_texts(core.rules) if text not in CORE.moves(core)]
    texts += ["a9+", "d1-", "e1+", "a0+", "a1", "3+", "A1+", "am+", "", "a1+ ", "1", "a١+"]
    for text in rng.sample(texts, min(6, len(texts))):
        errors = [error_of(lambda p=position, t=text: p.play(t)) for position in (core, reference)]
        assert errors[0] == errors[1], f"{core.rules} | {core} | {text!r}\n {errors[0]}\n {errors[1]}"


def random_pair(rng: Random) -> Pair | None:
    """A position to begin from: the start of random rules, or a set-up one."""
    rules = random_rules(rng)
    if rng.random() < 0.25:
        first = rng.choice("abcd"[: rules.sides])
        return CORE.start(rules, first), REFERENCE.start(rules, first)
    return settle(random_text(rng, rules), rules)


def walk(rng: Random, pair: Pair, plies: int, seen: Counter[str]) -> int:
    """Play on from `pair` at random, comparing everything; now and then every move. Returns the moves compared."""
    compared = 0
    for _ in range(plies):
        compare_positions(pair)
        if rng.random() < 0.05:
            compare_refusals(pair, rng)
        moves = CORE.moves(pair[0])
        if not moves:
            break
        chosen = rng.choice(moves)
        if rng.random() < 0.05:
            for move in moves:
                compare_positions(compare_move(pair, move, seen))
            compared += len(moves) - 1
        pair = compare_move(pair, chosen, seen)
        compared += 1
    compare_positions(pair)
    return compared


def bulk(seed: int, plies: int) -> tuple[int, Counter[str]]:
    """Walks from seeded positions until so many moves have been compared; how many, and which steps were seen."""
    rng, compared, seen = Random(seed), 0, Counter[str]()
    while compared < plies:
        pair = random_pair(rng)
        if pair is None:
            seen["refused"] += 1
            continue
        seen["positions"] += 1
        compared += walk(rng, pair, 60, seen)
    return compared, seen
