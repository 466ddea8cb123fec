"""Count how many positions shortly after the start are settled within seconds.

The positions are those of random games by `oanquan.simulate`, so that a seed gives the same ones everywhere. What is
counted is what the search says; it writes no certificates.
"""

from __future__ import annotations

import json
import sys
from statistics import fmean
from typing import TYPE_CHECKING

import oanquan as oaq
import studies
from oanquan import Move, Position, Rules

if TYPE_CHECKING:
    import argparse

EXAMPLE = "python settled_positions.py short-game --count 200 --seconds 1 --tables short-game=short-game-12.table"
# What tells one experiment from another, beside the rules.
SETTINGS = ("plies", "seed", "seconds", "table_size", "threads", "table")


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = studies.parser((__doc__ or "").strip(), EXAMPLE)
    parser.add_argument("rules", nargs="*", metavar="RULES", help="presets, or other rules as key=value,...")
    parser.add_argument("--count", type=int, default=200, help="positions by each rules (default 200)")
    parser.add_argument("--seconds", type=float, default=1, help="for each position (default 1)")
    parser.add_argument("--plies", type=int, default=6, help="random plies before the position (default 6)")
    parser.add_argument("--seed", type=int, default=1, help="of the random games (default 1)")
    return parser.parse_args()


def drawn(rules: Rules, count: int, plies: int, seed: int) -> list[Position]:
    """Positions after so many plies of random games, in their order; games that end before are passed over."""
    games = count
    while True:
        columns = oaq.simulate(games, rules, seed=seed, moves=True).columns
        found: list[Position] = []
        for game in range(games):
            actions = columns.moves(game)
            if len(actions) > plies and len(found) < count:
                position = Position.start(rules)
                for action in list(actions)[:plies]:
                    position = position.play(Move.from_action(action, position.turn))
                found.append(position)
        if len(found) >= count:
            return found
        if games > 100 * count:
            raise oaq.OanquanError(f"{rules}: expected games of more than {plies} plies, met {len(found)} in {games}")
        games *= 2


def identity(record: studies.Record) -> str:
    """What was solved, and how."""
    return json.dumps([record[name] for name in ("rules", "number", *SETTINGS)])


def search(chosen: argparse.Namespace, log: studies.Log) -> None:
    """Solve the positions that have not been solved with these settings."""
    tables, done = studies.tables_of(chosen), {identity(record) for record in log.records}
    for text in chosen.rules:
        rules = Rules.parse(text)
        table = studies.table_for(rules, tables)
        settings = {**vars(chosen), "table": None if table is None else table.pebbles}
        for number, position in enumerate(drawn(rules, chosen.count, chosen.plies, chosen.seed)):
            item = {"rules": str(rules), "number": number, **{name: settings[name] for name in SETTINGS}}
            if identity(item) in done:
                continue
            solution = oaq.solve(
                position,
                seconds=chosen.seconds,
                table_size=chosen.table_size,
                threads=chosen.threads,
                tables=table,
                moves=False,
            )
            log.add(
                {
                    **item,
                    "position": str(position),
                    "value": studies.stored(solution.value),
                    "nodes": solution.nodes,
                    "took": round(solution.seconds, 3),
                    "version": oaq.__version__,
                }
            )
            studies.tell(f"{text}, {number + 1} of {chosen.count}: {studies.shown(solution.value)}")


def row(records: list[studies.Record]) -> list[str]:
    """What came out of one experiment."""
    values = [studies.value_of(record["value"]) for record in records]
    exact = sum(value.exact is not None for value in values)
    rate = oaq.Rate(sum(value.settled for value in values), len(values))
    low, high = rate.interval()
    still_open = [(value.lower, value.upper) for value in values if not value.settled]
    widths = [upper - lower for lower, upper in still_open if lower is not None and upper is not None]
    return [
        f"`{records[0]['rules']}`",
        f"{records[0]['seconds']:g}",
        "none" if records[0]["table"] is None else f"{records[0]['table']} pebbles",
        str(rate.games),
        str(exact),
        str(rate.count - exact),
        str(rate.count),
        f"{rate.value:.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{fmean(widths):.1f}" if widths else "",
        str(len(still_open) - len(widths)),
        f"{fmean(record['nodes'] for record in records):,.0f}",
    ]


HEAD = [
    "rules",
    "seconds",
    "endgame table",
    "positions",
    "exact",
    "endless",
    "settled",
    "share",
    "95 % interval",
    "open: mean width",
    "open: a bound unknown",
    "positions looked at, mean",
]


def markdown(log: studies.Log) -> str:
    """A table for each way to draw and to search, a row for each rules, time and endgame table."""
    parts: dict[str, dict[str, list[studies.Record]]] = {}
    for record in log.records:
        caption = (
            f"Positions after {record['plies']} random plies (seed {record['seed']}), solved on {record['threads']} "
            f"threads with {record['table_size']} MiB. Endless: settled by two bounds that are the best there are, so "
            "that what it is worth depends on how endless play is counted. Width: upper minus lower bound."
        )
        line = json.dumps([record["rules"], record["seconds"], record["table"]])
        parts.setdefault(caption, {}).setdefault(line, []).append(record)
    return "\n\n".join(
        f"{caption}\n\n{studies.table(HEAD, map(row, experiments.values()))}" for caption, experiments in parts.items()
    )


if __name__ == "__main__":
    sys.exit(studies.run(options, search, markdown))
