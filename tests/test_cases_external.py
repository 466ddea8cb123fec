"""What other public programs played: single moves and whole games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

import oanquan
from support.bag import Bag
from support.cases import before_turn_change, captures, load_lines, rules_from
from support.engines import Engine, rules_of

RECORDS, REFUSED = 21_846, 570


def test_external_moves(engine: Engine, figure: Callable[[str], None]) -> None:
    """Rows after sowing and capture, before any re-seeding; the only positions not played are finished ones."""
    checked: Counter[str] = Counter()
    for record in load_lines("external_moves.jsonl.gz"):
        rules = rules_of(str(rules_from(record["rules"])))
        text = f"{record['rows']} 0/0 - {record['side']} 0"
        if record["kind"] == "both_q_empty":
            with pytest.raises(oanquan.PositionError, match=r"^ending: expected mandarins, got none$"):
                engine.parse(text, rules)
            checked["refused"] += 1
            continue
        variants = [rules]
        if record.get("rules_do_not_matter"):
            knobs = product(("stop", "gap"), repeat=2)
            variants = [
                rules_of(str(replace(rules, empty_mandarin_after_sowing=after, empty_mandarin_in_chain=within)))
                for after, within in knobs
            ]
        for variant in variants:
            steps = engine.trace(engine.parse(text, variant), record["move"])
            bag = Bag(text)
            bag.replay(before_turn_change(steps), variant.mandarin_value)
            taken = captures(steps)
            gain = [sum(n for _, n, _ in taken), sum(q for _, _, q in taken)]
            assert (bag.rows_text(), gain) == (record["rows_after"], record["gain"]), json.dumps(record)
            assert bag.stores[record["side"]] == record["gain"], json.dumps(record)
        checked["moves"] += 1
        checked["under more rules"] += len(variants) - 1
    assert checked["refused"] == REFUSED
    assert checked["moves"] == RECORDS - REFUSED
    figure(f"external moves, {engine.name}: {dict(checked)}")


def test_external_games(engine: Engine, figure: Callable[[str], None]) -> None:
    """Rows and gain of every move, and what each side has at the end."""
    plies = debts = 0
    games = load_lines("external_games.jsonl.gz")
    assert len(games) == 100
    for record in games:
        rules = rules_from(record["rules"])
        position = engine.start(rules)
        for move, rows, gain in zip(record["moves"], record["rows"], record["gains"], strict=True):
            steps = engine.trace(position, move)
            bag = Bag(str(position))
            bag.replay(before_turn_change(steps), rules.mandarin_value)
            taken = captures(steps)
            assert bag.rows_text() == rows, (record["id"], move)
            assert [sum(n for _, n, _ in taken), sum(q for _, _, q in taken)] == gain, (record["id"], move)
            position = engine.play(position, move)
            plies += 1
        assert position.ending == "mandarins", record["id"]
        assert engine.points(position) == tuple(record["points"]), record["id"]
        assert [mandarins for _, mandarins in engine.stores(position)] == record["mandarins"], record["id"]
        owed = dict.fromkeys(("a", "b"), 0) | {debtor: n for debtor, _, n in engine.debts(position)}
        assert list(owed.values()) == record["debt"], record["id"]
        assert [pebbles for pebbles, _ in engine.stores(position)] == record["store"], record["id"]
        debts += any(record["debt"])
    assert debts == 4
    figure(f"external games, {engine.name}: {len(games)} games, {plies} plies, {debts} with debts")
