"""Moves whose explanations are recorded: every sentence there is, in both languages.

`python tests/regenerate.py explanations` writes them anew.
"""

from __future__ import annotations

from typing import NamedTuple

from oanquan import Move, Position, Rules
from oanquan.explaining import explain

from .cases import DATA

FILE = DATA / "explanations.txt"
MOST_SENTENCES = 12


class Case(NamedTuple):
    """A move to be told, and what it shows."""

    name: str
    rules: str
    position: str
    move: str


CASES = (
    Case("laps and one capture", "mancala-world", "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0", "a3+"),
    Case("a mandarin square ends it", "mancala-world", "0.0.1.1.0.3q1/0.1.0.0.2.0q1 4/6 - a 20", "a4+"),
    Case("a mandarin alone ends it", "mancala-world", "0.0.0.1.2.0q1/0.0.2.0.0.0q1 4/6 - b 21", "b3-"),
    Case("an empty mandarin square is no gap", "mancala-world", "0.0.0.1.0.0/0.3.0.0.0.4q1 20/30q1 - a 30", "a4+"),
    Case("an empty mandarin square is a gap", "wikipedia-vi", "0.0.0.1.0.0/3.0.0.1.0.4q1 20/30q1 - a 30", "a4+"),
    Case("two empty squares", "mancala-world", "1.0.0.0.2.1q1/0.1.1.0.0.0q1 3/3 - a 18", "a1+"),
    Case("captures over a mandarin square", "mancala-world", "0.1.0.0.3.0/2.4.0.0.0.1q1 20/20q1 - a 30", "a2+"),
    Case("no captures over a mandarin square", "wikipedia-en", "0.1.0.0.3.0/2.4.0.0.0.1q1 20/20q1 - a 30", "a2+"),
    Case("captures with a mandarin", "mancala-world", "1.0.3.0.0.4q1/0.5.0.1.0.0q1 0/0 - a 12", "a1+"),
    Case("one capture a move", "capture_chain=off", "1.0.3.0.0.4q1/0.5.0.1.0.0q1 0/0 - a 12", "a1+"),
    Case("an immature mandarin", "quan-non", "0.0.1.0.0.4q1/1.0.2.0.0.0q1 5/5 - a 9", "a3+"),
    Case("a ripe mandarin", "quan-non", "0.0.1.0.0.5q1/1.0.2.0.0.0q1 5/5 - a 9", "a3+"),
    Case("the game is over at once", "end_check=at_once", "0.0.1.0.1.0/0.1.0.4.0.2q1 20q1/20 - a 50", "a3-"),
    Case("one pebble of a mandarin square", "mandarin_next=lift_one", "0.0.0.1.0.2q1/0.1.0.0.2.0q1 4/5 - a 20", "a4+"),
    Case("nothing but a mandarin", "mandarin_next=lift_one", "0.0.0.1.0.0q1/0.1.0.2.0.0q1 4/5 - a 20", "a4+"),
    Case("a bare mandarin square", "mandarin_next=relay_when_bare", "0.0.0.1.0.3/0.1.0.0.0.0q1 4/5q1 - a 20", "a4+"),
    Case("a mandarin at home", "mandarin_next=relay_when_bare", "0.0.0.1.0.3q1/0.1.0.0.0.0q1 4/5 - a 20", "a4+"),
    Case("more pebbles than squares", "mancala-world", "0.26.0.0.0.0q1/1.0.0.0.0.0q1 4/5 - a 20", "a2+"),
    Case("many squares", "four-players", "1.0.15.0.0.0q1/0.1.0.0.0.0/1.0.0.0.0.0/1.0.0.0.0.0 9/9/9/9 - a 20", "a3+"),
    Case("an endless move", "mandarin_next=relay_when_bare", "2.0.4.0.3.0/3.3.0.3.0.3 12q2/17 - b 19", "b1-"),
    Case("re-seeding the next row", "mancala-world", "0.0.0.0.1.1q1/0.0.0.0.0.3q1 12/14 - a 22", "a5+"),
    Case("a loan", "mancala-world", "0.1.0.0.2.0q1/0.0.0.0.0.3q1 12/2 - a 22", "a2+"),
    Case("loans of two sides", "three-players", "0.0.0.0.0.0q1/0.0.0.0.0.0q1/0.1.0.0.0.0 0q1/3/4 - c 9", "c2+"),
    Case("a store below zero", "shortfall=owe", "0.1.0.0.2.0q1/0.0.0.0.0.3q1 12/2 - a 22", "a2+"),
    Case("re-seeding in part", "shortfall=partial", "0.1.0.0.2.0q1/0.0.0.0.0.3q1 12/2 - a 22", "a2+"),
    Case("re-seeding from points", "reseed_from=points", "0.1.0.0.2.0q1/0.0.0.0.0.0 12/2q1 - a 22", "a2+"),
    Case("too few points", "reseed_from=points", "0.1.0.0.2.0q1/0.0.0.0.0.3q1 12/2 - a 22", "a2+"),
    Case("no points", "reseed_from=points,shortfall=count", "0.1.0.0.2.0q1/0.0.0.0.0.3q1 12/0 - a 22", "a2+"),
    Case("all rows at once", "reseed_when=when_empty", "0.0.0.0.1.1q1/0.3.0.0.0.3q1 12/14 - a 22", "a5+"),
    Case("nobody can lend", "mancala-world", "0.1.0.0.0.1q1/0.0.0.0.0.3q1 1/2 - a 22", "a2+"),
    Case("too little, and counted", "shortfall=count", "0.1.0.0.2.1q1/0.0.0.0.0.3q1 12/2 - a 22", "a2+"),
    Case("too little, and lost", "bankrupt", "0.1.0.0.2.1q1/0.0.0.0.0.3q1 1/2 - a 22", "a2+"),
    Case("the board is full", "shortfall=owe", "0.1.0.0.1.126q1/0.0.0.0.0.126q1 0/0 - a 22", "a2+"),
    Case("the mandarin squares are empty", "mancala-world", "0.0.1.0.1.0/0.1.0.0.3.2q1 20q1/20 - a 50", "a3-"),
    Case("the mandarins are taken", "short-game", "0.0.1.0.1.3/0.1.0.0.3.2q1 17q1/20 - a 50", "a3-"),
    Case(
        "mandarin squares go to a side",
        "ends_when=stones_taken,mandarin_leftovers=adjacent",
        "0.0.1.0.1.3/0.1.0.0.3.2q1 17q1/20 - a 50",
        "a3-",
    ),
    Case("rows are shared out", "row_leftovers=split", "0.0.1.0.1.0/0.1.0.0.3.2q1 20q1/20 - a 50", "a3-"),
    Case("debts are repaid", "mancala-world", "0.0.1.0.1.0/0.1.0.0.3.2q1 20q1/20 b>a:3 a 50", "a3-"),
    Case("a draw", "mancala-world", "0.0.1.0.1.0/0.1.0.0.3.2q1 10/10q1 - a 50", "a3-"),
    Case(
        "nobody wins alone", "sides=3,shortfall=loses", "0.0.1.0.0.1q1/0.0.0.0.0.1/0.1.0.0.0.1 9q1/3/10q1 - a 50", "a3-"
    ),
)


def told(case: Case) -> list[str]:
    """The case as it stands in the file."""
    rules = Rules.parse(case.rules)
    position = Position.parse(case.position, rules)
    lines = [f"# {case.name}", f"{rules}: {position}, {Move(case.move)}"]
    for lang in ("en", "vi"):
        sentences = [
            " ".join([f"{s.first}-{s.last}", s.text, *(f"[{knob}]" for knob in s.knobs)])
            for s in explain(position, case.move, lang)
        ]
        if len(sentences) > MOST_SENTENCES:
            sentences[3:-2] = ["..."]
        lines += [f"{lang}:", *sentences]
    return [*lines, ""]


def written() -> str:
    """The whole file."""
    return "\n".join(line for case in CASES for line in told(case))
