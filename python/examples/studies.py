"""What the studies beside this file share: options, results as JSON lines, proofs, and tables in Markdown."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import oanquan as oaq
from oanquan import Move, OanquanError, Position, Rules, Tables, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Record: TypeAlias = dict[str, Any]
# A value as a record has it: lower and upper bound, and whether each is proved to be the best there is.
Stored: TypeAlias = "Sequence[int | bool | None]"

# What was found may be hard to write down when the memory was too small for it: a certificate may take as long as the
# search and so many seconds more. What is given up is tried again by the same command, better with more --table-size.
PATIENCE = 60.0

UNKNOWN = Value(None, None)
LEGEND = (
    "`lo/hi`: settled, neither side can force more, and what it is worth depends on how endless play is counted; "
    "`lo..hi`: proved bounds (`lo..` or `..hi`: only one); `?`: nothing proved; empty: not tried yet."
)


# ---- the command -----------------------------------------------------------------------------------------------------


def study_name() -> str:
    """Return the name of the script."""
    return Path(sys.argv[0]).stem


def parser(purpose: str, example: str) -> argparse.ArgumentParser:
    """Return a parser with the options that every study has."""
    made = argparse.ArgumentParser(
        description=purpose,
        epilog=f"example:\n  {example}\n\nCtrl-C keeps what is finished; the same command then goes on from there.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    name = f"{study_name()}.jsonl"
    made.add_argument("--results", type=Path, default=Path(name), metavar="FILE", help=f"JSON lines (default {name})")
    made.add_argument(
        "--markdown", action="store_true", help="print the tables of what --results has, and nothing else"
    )
    made.add_argument("--table-size", type=int, default=256, metavar="MIB", help="memory of the search (default 256)")
    # Both bounds of one position at once: as fast as two positions side by side, with one table in memory and no
    # processes to be stopped, and what is finished is finished in order.
    made.add_argument("--threads", type=int, default=2, help="1, or 2 for both bounds at once (default 2)")
    made.add_argument(
        "--tables",
        action="append",
        default=[],
        metavar="RULES=FILE",
        help="an endgame table that serves these rules (`oanquan tables build`), and those without one of their own; "
        "may be given several times",
    )
    return made


def run(
    options: Callable[[], argparse.Namespace],
    search: Callable[[argparse.Namespace, Log], None],
    markdown: Callable[[Log], str],
) -> int:
    """Run a study as a command: search unless only the tables are wanted, then print them. Return the status."""
    chosen = options()
    try:
        log = Log(chosen.results)
        if not chosen.markdown:
            search(chosen, log)
        print(markdown(log))
    except (OanquanError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return 130
    return 0


def tell(text: str) -> None:
    """Say how it is getting on."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def add_certificates(made: argparse.ArgumentParser) -> None:
    """Add the option of the studies that write certificates."""
    name = study_name()
    made.add_argument(
        "--certificates", type=Path, default=Path(name), metavar="DIR", help=f"where they are written (default {name})"
    )


def tables_of(options: argparse.Namespace) -> dict[Rules, Tables]:
    """Open the endgame tables of the options, by the rules that they are for."""
    opened = {}
    for text in options.tables:
        name, _, file = text.rpartition("=")
        if not name:
            raise OanquanError(f'--tables: expected RULES=FILE, got "{text}"')
        table = Tables.open(file)
        rules = Rules.parse(name)
        if not table.serves(rules):
            raise OanquanError(f"--tables: expected a table that serves {name}, got one by {table.rules}")
        opened[rules] = table
    return opened


def table_for(rules: Rules, tables: dict[Rules, Tables]) -> Tables | None:
    """The table for these rules, or else the greatest of those that serve them."""
    serving = (table for table in tables.values() if table.serves(rules))
    return tables.get(rules) or max(serving, key=lambda table: table.pebbles, default=None)


def certificates_of(options: argparse.Namespace) -> Path:
    """Make the directory for certificates, if it is not there."""
    directory: Path = options.certificates
    directory.mkdir(parents=True, exist_ok=True)
    return directory


# ---- results ---------------------------------------------------------------------------------------------------------


class Log:
    """Results in a file, one JSON object a line; each is on disk before the next item is begun."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[Record] = []
        if not path.exists():
            return
        data = path.read_bytes()
        whole = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:whole].decode().splitlines(), 1):
            try:
                record = {**json.loads(line)}
            except (ValueError, TypeError):
                raise OanquanError(f"{path}, line {number}: expected a JSON object, got {line[:60]!r}") from None
            if record.get("study") != study_name():
                raise OanquanError(f"{path}, line {number}: expected results of {study_name()}, got {line[:60]!r}")
            self.records.append(record)
        if whole < len(data):  # who wrote this line was killed
            os.truncate(path, whole)

    def add(self, record: Record) -> None:
        """Append a record."""
        record = {"study": study_name(), **record}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.records.append(record)

    def of(self, **fields: object) -> list[Record]:
        """Return the records that have these fields."""
        return [record for record in self.records if all(record.get(name) == fields[name] for name in fields)]


def is_done(values: Iterable[Value], records: Iterable[Record], limit: float, table_size: int) -> bool:
    """Whether these are settled, or one of the records of them had as many seconds and as much memory."""
    if all(value.settled for value in values):
        return True
    return any(record["limit"] >= limit and record["table_size"] >= table_size for record in records)


# ---- values and proofs -----------------------------------------------------------------------------------------------


def stored(value: Value) -> Stored:
    """Return a value as a record has it."""
    return [value.lower, value.upper, value.lower_is_best, value.upper_is_best]


def value_of(stored: Stored) -> Value:
    """Return the value that a record has; in older ones there are the bounds alone."""
    lower, upper, *best = stored
    lower_is_best, upper_is_best = map(bool, best or (False, False))
    return Value(lower, upper, lower_is_best=lower_is_best, upper_is_best=upper_is_best)


def tightest(values: Iterable[Value]) -> Value:
    """Return what several proofs say together.

    Raises `OanquanError` if they exclude each other, which would be an error of `oanquan`.
    """
    known = list(values)
    lower = max((value.lower for value in known if value.lower is not None), default=None)
    upper = min((value.upper for value in known if value.upper is not None), default=None)
    if lower is not None and upper is not None and lower > upper:
        raise OanquanError(f"unsound: proved were at least {lower} and at most {upper}; please report this")
    best_lower = {value.lower for value in known if value.lower_is_best}
    best_upper = {value.upper for value in known if value.upper_is_best}
    for best, than, bound in [(best_lower, "more", lower), (best_upper, "less", upper)]:
        if best - {bound}:
            raise OanquanError(f"unsound: proved was {bound}, and that no {than} than {best} is; please report this")
    return Value(lower, upper, lower_is_best=bool(best_lower), upper_is_best=bool(best_upper))


def shown(value: Value) -> str:
    """Write a value as the tables have it."""
    if value.exact is not None:
        return str(value.exact)
    if (value.lower, value.upper) == (None, None):
        return "?"
    bounds = ("" if bound is None else str(bound) for bound in (value.lower, value.upper))
    return ("/" if value.settled else "..").join(bounds)


def prove(
    position: Position,
    certificate: Path,
    *,
    seconds: float,
    options: argparse.Namespace,
    tables: dict[Rules, Tables],
    moves: bool = False,
) -> Record:
    """Solve a position and return what its certificate proves once it has been read from its file and verified.

    What the search says counts for nothing. Values are those for the side to move, as `stored` has them.
    """
    begun = time.perf_counter()
    found: Record = {"rules": str(position.rules), "position": str(position), "limit": seconds}
    claims: dict[tuple[str, str], int] = {}
    ended: dict[str, Value] = {}
    decisions, nodes = 0, None

    def watch(_: oaq.Stage) -> None:
        if time.perf_counter() - begun > 2 * seconds + PATIENCE:
            raise TimeoutError("the certificate takes too long: expected a greater --table-size")

    try:
        solution = oaq.solve(
            position,
            seconds=seconds,
            table_size=options.table_size,
            threads=options.threads,
            tables=table_for(position.rules, tables),
            moves=moves,
            certificate=certificate,
            progress=watch,
        )
        nodes = solution.nodes
        # Moves that end the game are worth what they are: there is nothing to prove.
        ended = {str(m): value for m, value in solution.move_values.items() if position.play(m).is_over}
        if solution.certificate is not None:
            claims = claims_of(certificate, position.rules, options.threads)
            decisions = solution.certificate.decisions
    except (OanquanError, TimeoutError) as error:
        if isinstance(error, OanquanError) and "lost for want of room" not in str(error):
            raise
        tell(f"{position.rules}: {error}")
        found["limit"] = 0
    found["value"] = stored(_claimed(position, claims))
    if moves:
        of_moves = {str(move): -_claimed(position.play(move), claims) for move in position.legal_moves}
        found["moves"] = {move: stored(value) for move, value in {**of_moves, **ended}.items()}
    return {
        **found,
        "certificate": certificate.name if claims else None,
        "decisions": decisions,
        "nodes": nodes,
        "seconds": round(time.perf_counter() - begun, 3),
        "table_size": options.table_size,
        "threads": options.threads,
        "version": oaq.__version__,
    }


def claims_of(certificate: Path, rules: Rules, threads: int) -> dict[tuple[str, str], int]:
    """Verify a certificate and return what it claims by position and bound."""
    verified = oaq.verify_certificate(certificate, threads=threads)
    if verified.rules != rules:
        raise OanquanError(f"{certificate}: expected the rules {rules}, got {verified.rules}")
    return {(claim.position, claim.bound): claim.value for claim in verified.claims}


def _claimed(position: Position, claims: dict[tuple[str, str], int]) -> Value:
    of = {bound: claims.get((str(position), bound)) for bound in ("lower", "upper", "lower-at-most", "upper-at-least")}
    lower, upper = of["lower"], of["upper"]
    return Value(
        lower,
        upper,
        lower_is_best=lower is not None and of["lower-at-most"] == lower,
        upper_is_best=upper is not None and of["upper-at-least"] == upper,
    )


def file_name(rules: str, what: str, seconds: float, table_size: int) -> str:
    """Name a certificate, so that no search replaces that of another: what a record says stands in its own."""
    return re.sub(r"[^a-zA-Z0-9+.-]+", "_", f"{rules}-{what}-{seconds:g}s-{table_size}MiB") + ".certificate"


# ---- moves -----------------------------------------------------------------------------------------------------------


def twins(position: Position) -> list[tuple[Move, ...]]:
    """Return the first moves, each with its mirror image if that is worth the same."""
    rules, moves = position.rules, position.legal_moves
    # Left differs from right where sowing goes one way, re-seeding begins at one end, or mandarin squares have owners.
    alike = rules.directions == "both" and rules.shortfall != "partial" and rules.mandarin_leftovers != "adjacent"
    if not alike:
        return [(move,) for move in moves]
    # Action numbers go up from the left, those of the mirror images down.
    last = 2 * rules.squares - 1
    return [(move, Move.from_action(last - move.action)) for move in moves if move.action < last - move.action]


def label(moves: tuple[Move, ...]) -> str:
    """Write moves that are mirror images as one."""
    return ", ".join(map(str, moves))


def of_the_start(moves: dict[str, Value]) -> Value:
    """Return what the moves prove of the position: one of them is played."""
    ends = [_ends(value) for value in moves.values()]
    lower, upper = max(low for low, _ in ends), max(high for _, high in ends)
    # The most that can be forced by any move, and the least to which the other side can hold it.
    pairs = list(zip(moves.values(), ends, strict=True))
    most = max(low if value.lower_is_best else high for value, (low, high) in pairs)
    least = max(high if value.upper_is_best else low for value, (low, high) in pairs)
    bounds = (None if math.isinf(bound) else int(bound) for bound in (lower, upper))
    return Value(*bounds, lower_is_best=most <= lower, upper_is_best=least >= upper)


def best(moves: dict[str, Value], position: Value = UNKNOWN) -> str:
    """Tell the moves of the highest value, which is that of the position."""
    worth, most = _ends(position)
    scores = {name: _ends(value) for name, value in moves.items()}
    return _highest({name: (low, min(high, most)) for name, (low, high) in scores.items()}, worth)


def fairest(moves: dict[str, Value]) -> str:
    """Tell the moves whose value is nearest to 0."""
    scores = {}
    for name, value in moves.items():
        low, high = _ends(value)
        nearest = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        scores[name] = (-max(abs(low), abs(high)), -nearest)
    return _highest(scores)


def _highest(scores: dict[str, tuple[float, float]], at_least: float = -math.inf) -> str:
    """Tell which of several has the highest score, each lying between two numbers, the highest being at least that."""
    least = max(at_least, *(low for low, _ in scores.values()))
    candidates = [name for name, (_, high) in scores.items() if high >= least]
    sure = [n for n in candidates if all(scores[n][0] >= scores[other][1] for other in candidates if other != n)]
    others = "; ".join(name for name in candidates if name not in sure)
    return "; ".join(sure) + (f"; perhaps {others}" if sure and others else "" if sure else f"one of {others}")


def _ends(value: Value) -> tuple[float, float]:
    low, high = value.lower, value.upper
    return -math.inf if low is None else low, math.inf if high is None else high


# ---- tables ----------------------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
