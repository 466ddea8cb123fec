"""Random rules, positions and texts. Everything draws from a `random.Random`, which Hypothesis can supply too, so
that one generator serves both the shrinking tests and the bulk ones."""

from __future__ import annotations

from random import Random

import oanquan

# The table of rules.md section 7: every knob and every value, the default first.
WORDS: dict[str, list[str]] = {
    "mandarin": ["stone", "pebbles"],
    "directions": ["both", "counterclockwise", "clockwise"],
    "mandarin_next": ["stop", "lift_one", "relay_when_bare"],
    "empty_mandarin_after_sowing": ["stop", "gap"],
    "empty_mandarin_in_chain": ["gap", "stop"],
    "capture_chain": ["on", "off"],
    "reseed_when": ["turn_start", "when_empty"],
    "reseed_from": ["pebbles", "points"],
    "shortfall": ["borrow", "owe", "partial", "loses", "count"],
    "ends_when": ["squares_empty", "stones_taken"],
    "end_check": ["after_move", "at_once"],
    "mandarin_leftovers": ["nobody", "split", "adjacent"],
    "row_leftovers": ["owner", "split"],
}
# Every number: the least, the most and the default one.
NUMBERS: dict[str, tuple[int, int, int]] = {
    "sides": (2, 4, 2),
    "squares": (1, 7, 5),
    "pebbles": (1, 10, 5),
    "mandarin_value": (1, 20, 10),
    "immature_below": (0, 20, 0),
    "mandarin_ban": (0, 8, 0),
}
MOST_PEBBLES = 255


def random_rules(rng: Random) -> oanquan.Rules:
    """Any buildable rules: a preset, or each knob turned with an even chance."""
    if rng.random() < 0.25:
        return rng.choice(list(oanquan.PRESETS.values())).rules
    pairs: dict[str, str] = {}
    for name, words in WORDS.items():
        pairs[name] = rng.choice(words) if rng.random() < 0.5 else words[0]
    for name, (low, high, default) in NUMBERS.items():
        pairs[name] = str(rng.randint(low, high) if rng.random() < 0.4 else default)
    if pairs["mandarin"] == "pebbles":
        pairs.update(immature_below="0", ends_when="squares_empty", mandarin_ban="0")
    while start_total(pairs) > MOST_PEBBLES:
        pairs["pebbles"] = str(int(pairs["pebbles"]) - 1)
    return oanquan.Rules.parse(",".join(f"{name}={value}" for name, value in pairs.items()))


def start_total(pairs: dict[str, str]) -> int:
    """Pebbles on the board at the start."""
    rows = int(pairs["squares"]) * int(pairs["pebbles"])
    heap = int(pairs["mandarin_value"]) if pairs["mandarin"] == "pebbles" else 0
    return int(pairs["sides"]) * (rows + heap)


def hands(rules: oanquan.Rules) -> list[int]:
    """Hands at which sowing laps the board: around one and two full rings, and the standard board's own."""
    ring = rules.sides * (rules.squares + 1)
    return [ring - 1, ring, ring + 1, 2 * ring - 1, 2 * ring, 2 * ring + 1, 11, 12, 13, 23, 24, 35, 40]


def random_row(rng: Random, rules: oanquan.Rules, style: str) -> list[int]:
    """One side's citizen squares."""
    row = [0] * rules.squares
    if style == "empty":
        return row
    if style == "one":  # one move leaves this row empty
        row[rng.randrange(rules.squares)] = rng.choice([1, 1, 1, 2])
        return row
    weights = {"sparse": [6, 3, 2, 1, 0, 0], "dense": [1, 3, 3, 3, 2, 2]}[style]
    row = [rng.choices([0, 1, 2, 3, 5, rng.randint(4, 12)], weights)[0] for _ in row]
    if rng.random() < 0.25:
        row[rng.randrange(rules.squares)] = rng.choice(hands(rules))
    return row


def random_mandarin_square(rng: Random, rules: oanquan.Rules) -> tuple[int, int]:
    """Pebbles and mandarins: empty, lone, immature, ripe or bare."""
    style = rng.choice(["empty", "lone", "immature", "ripe", "bare"])
    if style == "empty":
        return 0, 0
    few = max(1, rules.immature_below - 1)
    pebbles = {
        "lone": 0,
        "immature": rng.randint(1, few),
        "ripe": rng.choice([rules.immature_below, rules.immature_below + 1, rng.randint(1, 12)]),
        "bare": rng.randint(1, 6),
    }[style]
    return pebbles, int(style != "bare" and rules.mandarin == "stone")


def random_store(rng: Random, rules: oanquan.Rules) -> int:
    """A store's pebbles: often too few to re-seed from, below zero where the rules allow it."""
    if rules.shortfall == "owe" and rng.random() < 0.3:
        return -rng.randint(1, 30)
    return rng.choice([rng.randint(0, 5), rng.randint(0, 5), 0, rules.squares - 1, rules.squares, rng.randint(0, 60)])


def random_text(rng: Random, rules: oanquan.Rules) -> str:
    """A position text that is often acceptable; `settle` repairs what only an engine can know, the ending."""
    sides = "abcd"[: rules.sides]
    turn = rng.choice(sides)
    rows, on_board, free = [], 0, rules.sides if rules.mandarin == "stone" else 0
    for side in sides:
        style = rng.choice(["sparse", "dense", "one", "sparse"] + (["empty"] if side != turn else []))
        row = random_row(rng, rules, style)
        while sum(row) + on_board > MOST_PEBBLES - 40:
            row = [n // 2 for n in row]
        on_board += sum(row)
        pebbles, mandarin = random_mandarin_square(rng, rules)
        pebbles = min(pebbles, (MOST_PEBBLES - on_board) // 2)
        on_board += pebbles
        free -= mandarin
        rows.append(".".join([*map(str, row), count_text(pebbles, mandarin)]))
    stores = []
    for _ in sides:
        taken = rng.randint(0, free) if free > 0 else 0
        free -= taken
        pebbles = random_store(rng, rules)
        if rules.reseed_from == "points" and rng.random() < 0.4:
            pebbles -= min(pebbles + rules.mandarin_value * taken, rng.randint(0, 25))
        stores.append(count_text(pebbles, taken))
    ply = rng.choice([0, 1, rng.randint(0, 12), rng.randint(0, 500)])
    return f"{'/'.join(rows)} {'/'.join(stores)} {random_debts(rng, rules, sides)} {turn} {ply}"


def random_debts(rng: Random, rules: oanquan.Rules, sides: str) -> str:
    """The third field: debts in order, only where the rules know debts."""
    if rules.shortfall != "borrow" or rng.random() < 0.6:
        return "-"
    pairs = [(a, b) for a in sides for b in sides if a != b and rng.random() < 0.5]
    return ",".join(f"{a}>{b}:{rng.randint(1, 20)}" for a, b in pairs) or "-"


def count_text(pebbles: int, mandarins: int) -> str:
    return f"{pebbles}q{mandarins}" if mandarins else str(pebbles)


ODD = [
    "",
    "-",
    "0",
    "q",
    "q0",
    "q1",
    "q2",
    ".",
    "/",
    " ",
    "  ",
    ">",
    ":",
    ",",
    "a",
    "c",
    "e",
    "m",
    "-0",
    "00",
    "-5",
    "+",
]
ODD += [
    "255",
    "256",
    "99999999999",
    "100000000",
    "100000001",
    "1000000001",
    "short",
    "loses",
    "mandarins",
    "tie",
    "shortx",
    "é",
    "\t",
    "\\",
    '"',
    "0" * 60,
]


def mutated(rng: Random, text: str) -> str:
    """The text with one to three small faults: a character lost, doubled, swapped or replaced, a field moved."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:at] + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + rng.choice(ODD) + text[at:]
        elif kind == 2:
            text = text[:at] + rng.choice(ODD) + text[at + 1 :]
        elif kind == 3:
            text = text[:at] + text[at : at + 1] * 2 + text[at + 1 :]
        elif kind == 4:
            text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
        else:
            fields = text.split(" ")
            field = rng.randrange(len(fields))
            fields[field] = rng.choice([*fields, *ODD])
            text = " ".join(fields)
    return text
