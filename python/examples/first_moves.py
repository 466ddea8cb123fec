"""Prove what each first move is worth: which are best, and by which the game is fairest.

The position after each move is solved by itself, moves that are mirror images of each other once.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import oanquan as oaq
import studies
from oanquan import Move, Position, Rules, Value

if TYPE_CHECKING:
    import argparse

EXAMPLE = "python first_moves.py short-game tonkin --seconds 300 --table-size 2000 --certificates proofs"


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = studies.parser((__doc__ or "").strip(), EXAMPLE)
    parser.add_argument("rules", nargs="*", metavar="RULES", help="presets, or other rules as key=value,...")
    parser.add_argument("--seconds", type=float, default=60, help="for each move (default 60)")
    studies.add_certificates(parser)
    return parser.parse_args()


def twins(position: Position) -> list[tuple[Move, ...]]:
    """The first moves, each with its mirror image if that is worth the same."""
    rules, moves = position.rules, position.legal_moves
    # Left differs from right where sowing goes one way, re-seeding begins at one end, or mandarin squares have owners.
    alike = rules.directions == "both" and rules.shortfall != "partial" and rules.mandarin_leftovers != "adjacent"
    if not alike:
        return [(move,) for move in moves]
    # Action numbers go up from the left, those of the mirror images down.
    last = 2 * rules.squares - 1
    return [(move, Move.from_action(last - move.action)) for move in moves if move.action < last - move.action]


def label(moves: tuple[Move, ...]) -> str:
    """Moves that are mirror images as one."""
    return ", ".join(map(str, moves))


def values(log: studies.Log, rules: Rules) -> dict[str, Value]:
    """What is proved of each first move, for the side that makes it."""
    found = {}
    for moves in twins(Position.start(rules)):
        records = log.of(rules=str(rules), move=str(moves[0]))
        found[label(moves)] = -studies.tightest(record["value"] for record in records)
    return found


def search(chosen: argparse.Namespace, log: studies.Log) -> None:
    """Solve what is open and had less than the seconds of the options."""
    directory, tables = studies.certificates_of(chosen), studies.tables_of(chosen)
    for text in chosen.rules:
        rules = Rules.parse(text)
        start = Position.start(rules)
        for moves in twins(start):
            move, after = str(moves[0]), start.play(moves[0])
            known = log.of(rules=str(rules), move=move)
            if studies.is_done(known, chosen.seconds, chosen.table_size):
                continue
            if after.is_over:  # it is worth what it is, without a proof
                value = -oaq.solve(start, nodes=1, table_size=1, moves=False).move_values[moves[0]]
                record: studies.Record = {"rules": str(rules), "limit": 0, "value": studies.pair(value), "seconds": 0}
            else:
                path = directory / studies.file_name(text, move, chosen.seconds, chosen.table_size)
                record = studies.prove(after, path, seconds=chosen.seconds, options=chosen, tables=tables)
            log.add({"move": move, **record})
            told = studies.shown(values(log, rules)[label(moves)])
            studies.tell(f"{text}: {label(moves)}: {told}, {record['seconds']} s")


def chosen_by(scores: dict[str, tuple[float, float]]) -> str:
    """Which of several has the highest score, each being known to lie between two numbers."""
    least = max(low for low, _ in scores.values())
    candidates = [name for name, (_, high) in scores.items() if high >= least]
    sure = [n for n in candidates if all(scores[n][0] >= scores[other][1] for other in candidates if other != n)]
    others = "; ".join(name for name in candidates if name not in sure)
    return "; ".join(sure) + (f"; perhaps {others}" if sure and others else "" if sure else f"one of {others}")


def best(moves: dict[str, Value]) -> str:
    """The moves of the highest value."""
    return chosen_by({name: _ends(value) for name, value in moves.items()})


def fairest(moves: dict[str, Value]) -> str:
    """The moves whose value is nearest to 0."""
    scores = {}
    for name, value in moves.items():
        low, high = _ends(value)
        nearest = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        scores[name] = (-max(abs(low), abs(high)), -nearest)
    return chosen_by(scores)


def _ends(value: Value) -> tuple[float, float]:
    low, high = value.lower, value.upper
    return -math.inf if low is None else low, math.inf if high is None else high


def of_the_start(moves: dict[str, Value]) -> Value:
    """What the moves prove of the start: one of them is played."""
    lower, upper = (max(ends) for ends in zip(*map(_ends, moves.values()), strict=True))
    return Value(*(None if math.isinf(bound) else int(bound) for bound in (lower, upper)))


def markdown(log: studies.Log) -> str:
    """One table of the starts, and one of the moves for each kind of board."""
    starts, by_moves = [], dict[tuple[str, ...], list[list[str]]]()
    for game in dict.fromkeys(record["rules"] for record in log.records):
        moves = values(log, Rules.parse(game))
        starts.append([f"`{game}`", studies.shown(of_the_start(moves)), best(moves), fairest(moves)])
        tried = {str(record["move"]) for record in log.of(rules=game)}
        cells = [studies.shown(value) if name.partition(",")[0] in tried else "" for name, value in moves.items()]
        by_moves.setdefault(tuple(moves), []).append([f"`{game}`", *cells])
    parts = [
        f"What the start is worth for the side that moves first, with best play. {studies.LEGEND}",
        studies.table(["rules", "value", "best first moves", "fairest first moves"], starts),
        "What it is worth when a move is made (mirror images together):",
        *(studies.table(["rules", *names], rows) for names, rows in by_moves.items()),
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.exit(studies.run(options, search, markdown))
