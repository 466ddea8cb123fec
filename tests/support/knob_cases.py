"""For every knob and every two of its values that should be told apart: a position and a move that do so.

`python tests/regenerate.py` searches them; the tests read what was stored.
"""

from __future__ import annotations

import itertools
import json
import re
from random import Random
from typing import Any

import oanquan

from .cases import DATA
from .draw import NUMBERS, WORDS, random_text
from .engines import REFERENCE, Engine, error_of

FILE = DATA / "knobs.jsonl"
# What must be changed besides for a knob to matter.
COMPANIONS = {
    "mandarin_leftovers": "ends_when=stones_taken",
    "immature_below": "empty_mandarin_after_sowing=gap",
    "mandarin_value": "reseed_from=points",
}
FROM_THE_START = ("sides", "squares", "pebbles", "mandarin")
MOST_TRIES, TRIES_FOR_A_SMALLER = 50_000, 300
Case = dict[str, Any]


def pairs_to_tell_apart() -> list[tuple[str, str, str]]:
    """Words: each two. Numbers: each from the default and from its neighbour."""
    pairs = [(name, *two) for name, words in WORDS.items() for two in itertools.combinations(words, 2)]
    for name, (low, high, default) in NUMBERS.items():
        for value in range(low, high + 1):
            others = {default, value - 1} - {value, low - 1}
            pairs += [(name, str(other), str(value)) for other in sorted(others)]
    return pairs


def result(engine: Engine, rules: oanquan.Rules, position: str | None, move: str) -> Case:
    """What becomes of the move: squares captured, position and points after, or why it is refused."""
    before = engine.parse(position, rules) if position else engine.start(rules)
    refused = error_of(lambda: engine.play(before, move))
    if refused:
        return {"refused": re.sub(r" \(position.*", "", refused[1])}
    after = engine.play(before, move)
    captured = [step[1] for step in engine.trace(before, move) if step[0] == "capture"]
    outcome = engine.outcome(after)
    winner = {"winner": outcome[0]} if outcome else {}
    return {"captured": captured, "after": str(after), "points": list(engine.points(after)), **winner}


def case_rules(case: Case, value: str) -> oanquan.Rules:
    """The rules of a case, with this value of its knob."""
    return oanquan.Rules.parse(",".join(filter(None, [case["with"], f"{case['knob']}={value}"])))


def find(knob: str, one: str, other: str) -> Case:
    """The position with the fewest pebbles, among those found, in which the two values play differently."""
    case: Case = {"knob": knob, "with": COMPANIONS.get(knob, "")}
    rules = [case_rules(case, value) for value in (one, other)]
    rng, best, left = Random(f"{knob} {one} {other}"), None, MOST_TRIES
    if knob in FROM_THE_START:
        return stored(case, None, "a1+", one, other)
    while left > 0:
        left -= 1
        text = random_text(rng, rng.choice(rules))
        if any(error_of(lambda r=r, t=text: REFERENCE.parse(t, r)) for r in rules):
            continue
        size = sum(map(int, re.findall(r"\d+", text)))
        if best and size >= best[0]:
            continue
        for move in sorted({m for r in rules for m in REFERENCE.moves(REFERENCE.parse(text, r))}):
            results = [result(REFERENCE, r, text, move) for r in rules]
            if tells_apart(knob, results):
                best, left = (size, text, move), min(left, TRIES_FOR_A_SMALLER)
                break
    assert best, f"no position tells {knob}={one} from {other}"
    return stored(case, best[1], best[2], one, other)


def tells_apart(knob: str, results: list[Case]) -> bool:
    """Different play; points that differ only because a mandarin counts differently are not enough."""
    played = [{key: value for key, value in r.items() if key != "points"} for r in results]
    if knob in ("mandarin_leftovers", "row_leftovers"):
        return results[0] != results[1]
    return played[0] != played[1]


def stored(case: Case, position: str | None, move: str, one: str, other: str) -> Case:
    """The case with what the reference makes of it."""
    values = {value: result(REFERENCE, case_rules(case, value), position, move) for value in (one, other)}
    return {**case, "position": position, "move": move, "values": values}


def read() -> list[Case]:
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def write() -> None:
    """Search all cases anew."""
    lines = [json.dumps(find(*pair)) for pair in pairs_to_tell_apart()]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
