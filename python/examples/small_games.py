"""Solve the small games: from one square a side and one pebble a square upwards, for each way in which games end.

Every cell of the grid gets a few seconds, then each that is still open more, and so on until the time is up: what
easy games leave over goes to the others. In each round games of unsettled value come first, then those of which only
first moves are open.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import NamedTuple

import studies
from oanquan import Position, Rules, Value

EXAMPLE = "python small_games.py --minutes 60 --table-size 2000 && python small_games.py --markdown"
# Two published rule sets of which one ends with the last mandarin and the other when the mandarin squares are empty.
BASES = ["mancala-world", "short-game"]
# More memory than a search can fill takes time to lay out and is of no use: most cells need a few milliseconds.
MEBIBYTES_A_SECOND = 32
LEAST_MEBIBYTES = 16


class Cell(NamedTuple):
    """A game of the grid."""

    base: str
    squares: int
    pebbles: int

    @property
    def rules(self) -> Rules:
        """The rules of the base on another board."""
        return Rules.parse(f"{self.base},squares={self.squares},pebbles={self.pebbles}")

    @property
    def size(self) -> str:
        """Squares and pebbles in short."""
        return f"{self.squares}x{self.pebbles}"


def seconds_of_rounds(text: str) -> list[float]:
    """Read numbers with commas between them."""
    return [float(part) for part in text.split(",")]


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = studies.parser((__doc__ or "").strip(), EXAMPLE)
    parser.add_argument(
        "--rules", action="append", metavar="RULES", help=f"a grid for these; several times; {', '.join(BASES)} if not"
    )
    parser.add_argument("--squares", type=int, default=6, help="up to so many squares a side (default 6)")
    parser.add_argument("--pebbles", type=int, default=8, help="up to so many pebbles a square (default 8)")
    parser.add_argument("--minutes", type=float, default=60, help="for all of this run (default 60)")
    parser.add_argument(
        "--rounds",
        type=seconds_of_rounds,
        default=[0.5, 2.0, 10.0, 60.0, 300.0, 1800.0, 7200.0],
        metavar="SECONDS,...",
        help="seconds for each open cell, round by round (default 0.5,2,10,60,300,1800,7200)",
    )
    studies.add_certificates(parser)
    return parser.parse_args()


def grid(chosen: argparse.Namespace) -> list[Cell]:
    """The cells, from small to large."""
    cells = [
        Cell(base, squares, pebbles)
        for base in chosen.rules or BASES
        for squares in range(1, chosen.squares + 1)
        for pebbles in range(1, chosen.pebbles + 1)
    ]
    return sorted(cells, key=lambda cell: (cell.squares * cell.pebbles, cell.squares))


def values(log: studies.Log, cell: Cell) -> tuple[Value, dict[str, Value]]:
    """What is proved of a cell and of its first moves, mirror images together, by all searches of it."""
    records = log.of(rules=str(cell.rules))
    moves = {
        studies.label(twins): studies.tightest(
            studies.value_of(record["moves"][str(move)]) for record in records for move in twins
        )
        for twins in studies.twins(Position.start(cell.rules))
    }
    proved = [studies.value_of(record["value"]) for record in records]
    return studies.tightest([*proved, studies.of_the_start(moves)]), moves


def best(value: Value, moves: dict[str, Value]) -> str:
    """The best first moves of a settled cell."""
    return studies.best(moves, value) if value.settled else ""


def of_round(chosen: argparse.Namespace, limit: float) -> argparse.Namespace:
    """The options with no more memory than a search of so many seconds can fill."""
    of_use = max(LEAST_MEBIBYTES, round(MEBIBYTES_A_SECOND * limit))
    return argparse.Namespace(**{**vars(chosen), "table_size": min(chosen.table_size, of_use)})


def search(chosen: argparse.Namespace, log: studies.Log) -> None:
    """Solve what is open, round by round, until the time is up."""
    directory, tables, cells = studies.certificates_of(chosen), studies.tables_of(chosen), grid(chosen)
    end = time.monotonic() + 60 * chosen.minutes
    for limit in chosen.rounds:
        options = of_round(chosen, limit)
        for number, cell in enumerate(sorted(cells, key=lambda cell: values(log, cell)[0].settled), 1):
            value, moves = values(log, cell)
            records = log.of(rules=str(cell.rules))
            if studies.is_done([value, *moves.values()], records, limit, options.table_size):
                continue
            seconds = round(min(limit, end - time.monotonic()), 2)
            if seconds <= 0:
                studies.tell("the time is up")
                return
            record = studies.prove(
                Position.start(cell.rules),
                directory / studies.file_name(cell.base, cell.size, seconds, options.table_size),
                seconds=seconds,
                options=options,
                tables=tables,
                moves=True,
            )
            log.add({"base": cell.base, "squares": cell.squares, "pebbles": cell.pebbles, **record})
            value, moves = values(log, cell)
            told = f"{studies.shown(value)} {best(value, moves)}".rstrip()
            place = f"{limit:g} s, {number} of {len(cells)}"
            studies.tell(f"{place}: {cell.base} {cell.size}: {told}, {record['seconds']} s")


def markdown(log: studies.Log) -> str:
    """Two tables for each grid: values, and best first moves."""
    parts = []
    for base in dict.fromkeys(record["base"] for record in log.records):
        of_base = log.of(base=base)
        columns = sorted({record["pebbles"] for record in of_base})
        rows_of_values, rows_of_moves = [], []
        for squares in sorted({record["squares"] for record in of_base}):
            line = [Cell(base, squares, pebbles) for pebbles in columns]
            found = [values(log, cell) if log.of(rules=str(cell.rules)) else None for cell in line]
            rows_of_values.append([squares, *("" if both is None else studies.shown(both[0]) for both in found)])
            rows_of_moves.append([squares, *("" if both is None else best(*both) for both in found)])
        head = ["squares \\ pebbles", *map(str, columns)]
        rules = Rules.parse(base)
        knobs = {"ends_when": rules.ends_when, **rules.differences()}
        text = ", ".join(f"`{name}={value}`" for name, value in knobs.items())
        caption = (
            f"Rules `{base}` ({text}, the rest as by default) with other `squares` and `pebbles`: points by which the "
            f"side that moves first wins with best play. {studies.LEGEND}"
        )
        parts += [
            caption,
            studies.table(head, rows_of_values),
            "Best first moves where that is settled; `perhaps`, `one of`: it is open, or as endless play is counted.",
            studies.table(head, rows_of_moves),
        ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.exit(studies.run(options, search, markdown))
