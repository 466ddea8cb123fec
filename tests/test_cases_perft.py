"""The number of move sequences of every preset."""

from __future__ import annotations

import pytest

import oanquan
from support.cases import load
from support.engines import CORE, REFERENCE, Engine

COUNTS: dict[str, list[int]] = load("perft.json")
# What plain Python counts in a second or so; the core goes to the end of every list.
MOST_FOR_REFERENCE = 10_000


def test_every_preset_has_counts() -> None:
    assert sorted(COUNTS) == sorted(oanquan.PRESETS)


@pytest.mark.parametrize("preset", COUNTS)
def test_perft(engine: Engine, preset: str) -> None:
    start = engine.start(oanquan.Rules.preset(preset))
    depths = [depth for depth, leaves in enumerate(COUNTS[preset], 1) if engine is CORE or leaves <= MOST_FOR_REFERENCE]
    assert len(depths) >= (len(COUNTS[preset]) if engine is CORE else 4)
    assert [engine.perft(start, depth) for depth in depths] == COUNTS[preset][: len(depths)]
    assert engine.perft(start, 0) == 1


@pytest.mark.parametrize("preset", COUNTS)
def test_divide(preset: str) -> None:
    rules = oanquan.Rules.preset(preset)
    ours, twin = (engine.divide(engine.start(rules), 3) for engine in (CORE, REFERENCE))
    assert list(ours.items()) == list(twin.items())
    assert sum(ours.values()) == COUNTS[preset][2]


def test_a_finished_game_counts_only_at_its_own_depth(engine: Engine) -> None:
    last = engine.parse("0.0.1.0.0.10q1/0.1.0.0.0.0 17/20q1 - a 8", oanquan.Rules())
    assert engine.divide(last, 1) == {"a3+": 1, "a3-": 1}
    assert engine.divide(last, 2) == {"a3+": 0, "a3-": 2}
    assert engine.perft(last, 2) == 2
