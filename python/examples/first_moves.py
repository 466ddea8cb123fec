"""Prove what each first move is worth: which are best, and by which the game is fairest.

The position after each move is solved by itself, moves that are mirror images of each other once.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import oanquan as oaq
import studies
from oanquan import Position, Rules, Value

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


def proved(records: list[studies.Record]) -> Value:
    """What searches of the position after a move prove of it, for the side to move there."""
    return studies.tightest(studies.value_of(record["value"]) for record in records)


def values(log: studies.Log, rules: Rules) -> dict[str, Value]:
    """What is proved of each first move, for the side that makes it."""
    found = {}
    for moves in studies.twins(Position.start(rules)):
        records = log.of(rules=str(rules), move=str(moves[0]))
        found[studies.label(moves)] = -proved(records)
    return found


def search(chosen: argparse.Namespace, log: studies.Log) -> None:
    """Solve what is open and had less than the seconds of the options."""
    directory, tables = studies.certificates_of(chosen), studies.tables_of(chosen)
    for text in chosen.rules:
        rules = Rules.parse(text)
        start = Position.start(rules)
        for moves in studies.twins(start):
            move, after = str(moves[0]), start.play(moves[0])
            known = log.of(rules=str(rules), move=move)
            if studies.is_done([proved(known)], known, chosen.seconds, chosen.table_size):
                continue
            if after.is_over:  # it is worth what it is, without a proof
                value = -oaq.solve(start, nodes=1, table_size=1, moves=False).move_values[moves[0]]
                record: studies.Record = {"rules": str(rules), "limit": 0, "value": studies.stored(value), "seconds": 0}
            else:
                path = directory / studies.file_name(text, move, chosen.seconds, chosen.table_size)
                record = studies.prove(after, path, seconds=chosen.seconds, options=chosen, tables=tables)
            log.add({"move": move, **record})
            told = studies.shown(values(log, rules)[studies.label(moves)])
            studies.tell(f"{text}: {studies.label(moves)}: {told}, {record['seconds']} s")


def markdown(log: studies.Log) -> str:
    """One table of the starts, and one of the moves for each kind of board."""
    starts, by_moves = [], dict[tuple[str, ...], list[list[str]]]()
    for game in dict.fromkeys(record["rules"] for record in log.records):
        moves = values(log, Rules.parse(game))
        start = studies.shown(studies.of_the_start(moves))
        starts.append([f"`{game}`", start, studies.best(moves), studies.fairest(moves)])
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
