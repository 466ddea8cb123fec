"""Set-up positions under the rule sets that tell the rules apart, and one golden game."""

from __future__ import annotations

from typing import Any

import pytest

from support.cases import captures, load, rules_from
from support.engines import Engine

CASES = load("positions.json")
GOLDEN = load("golden_game.json")


def test_there_are_fifteen_positions_under_eight_rule_sets() -> None:
    assert len(CASES) == 15 * 8
    assert len({(case["id"], str(case["rules"])) for case in CASES}) == 15 * 8


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{rules_from(case['rules'])}")
def test_position(engine: Engine, case: dict[str, Any]) -> None:
    position = engine.parse(case["position"], rules_from(case["rules"]))
    assert case["move"] in engine.moves(position)
    taken = captures(engine.trace(position, case["move"]))
    assert [square for square, _, _ in taken] == case["captured"]
    gain = {"pebbles": sum(n for _, n, _ in taken), "mandarins": sum(q for _, _, q in taken)}
    assert gain == case["gain"]
    after = engine.play(position, case["move"])
    assert str(after) == case["after"]
    assert after.ending == case["over"]
    assert engine.points(after) == tuple(case["points"])
    assert engine.parse(case["after"], rules_from(case["rules"])) == after


# The golden game is the same under all ordinary rule sets; these are the ones it was checked with. (With
# end_check=at_once its last capture is cut off.)
ORDINARY: list[dict[str, Any]] = [
    {},
    {"empty_mandarin_after_sowing": "gap"},
    {"empty_mandarin_in_chain": "stop"},
    {"ends_when": "stones_taken"},
    {"shortfall": "loses"},
    {"reseed_from": "points"},
]


@pytest.mark.parametrize("rules", ORDINARY, ids=lambda rules: str(rules_from(rules)))
def test_golden_game(engine: Engine, rules: dict[str, Any]) -> None:
    game = engine.Game(rules_from(rules))
    assert str(game.position) == GOLDEN["start"]
    assert len(GOLDEN["moves"]) == 9
    for ply in GOLDEN["moves"]:
        assert game.outcome is None
        game.push(ply["move"])
        assert str(game.position) == ply["after"]
    assert engine.outcome(game) == ("a", GOLDEN["over"], tuple(GOLDEN["points"]))


def test_golden_game_with_small_mandarins(engine: Engine) -> None:
    game = engine.Game(rules_from({"mandarin_value": 5}))
    for ply in GOLDEN["moves"]:
        game.push(ply["move"])
        assert str(game.position) == ply["after"]
    assert engine.outcome(game) == ("a", GOLDEN["over"], tuple(GOLDEN["points_with_value_5"]))
