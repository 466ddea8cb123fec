"""What the studies beside this file share: options, results as JSON lines, proofs, and tables in Markdown."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import oanquan as oaq
from oanquan import OanquanError, Position, Rules, Tables, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Record: TypeAlias = dict[str, Any]

# What was found may be hard to write down when the memory was too small for it: a certificate may take as long as the
# search and so many seconds more. What is given up is tried again by the same command, better with more --table-size.
PATIENCE = 60.0

LEGEND = "`lo..hi`: proved bounds (`lo..` or `..hi`: only one); `?`: nothing proved; empty: not tried yet."


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
        help="an endgame table for these rules (`oanquan tables build`); may be given several times",
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
    """Open the endgame tables of the options, by their rules."""
    opened = {}
    for text in options.tables:
        name, _, file = text.rpartition("=")
        if not name:
            raise OanquanError(f'--tables: expected RULES=FILE, got "{text}"')
        table = Tables.open(file)
        if table.rules != Rules.parse(name):
            raise OanquanError(f"--tables: expected a table for {name}, got one for {table.rules}")
        opened[table.rules] = table
    return opened


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


def is_done(records: Sequence[Record], limit: float, table_size: int) -> bool:
    """Whether one question is settled by these, or one of them had as many seconds and as much memory."""
    if tightest(record["value"] for record in records).exact is not None:
        return True
    return any(record["limit"] >= limit and record["table_size"] >= table_size for record in records)


# ---- values and proofs -----------------------------------------------------------------------------------------------


def tightest(bounds: Iterable[Sequence[int | None]]) -> Value:
    """Return what several proofs say together.

    Raises `OanquanError` if they exclude each other, which would be an error of `oanquan`.
    """
    known = list(bounds)
    lower = max((low for low, _ in known if low is not None), default=None)
    upper = min((high for _, high in known if high is not None), default=None)
    if lower is not None and upper is not None and lower > upper:
        raise OanquanError(f"unsound: proved were at least {lower} and at most {upper}; please report this")
    return Value(lower, upper)


def shown(value: Value) -> str:
    """Write a value as the tables have it."""
    if value.exact is not None:
        return str(value.exact)
    bounds = ("" if bound is None else str(bound) for bound in (value.lower, value.upper))
    return "?" if value == Value(None, None) else "..".join(bounds)


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

    What the search says counts for nothing. Bounds are those of the side to move, as pairs `[lower, upper]`.
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
            tables=tables.get(position.rules),
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
    found["value"] = pair(_claimed(position, claims))
    if moves:
        of_moves = {str(move): -_claimed(position.play(move), claims) for move in position.legal_moves}
        found["moves"] = {move: pair(value) for move, value in {**of_moves, **ended}.items()}
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
    return Value(claims.get((str(position), "lower")), claims.get((str(position), "upper")))


def pair(value: Value) -> list[int | None]:
    """Return the bounds as a record has them."""
    return [value.lower, value.upper]


def file_name(rules: str, what: str, seconds: float, table_size: int) -> str:
    """Name a certificate, so that no search replaces that of another: what a record says stands in its own."""
    return re.sub(r"[^a-zA-Z0-9+.-]+", "_", f"{rules}-{what}-{seconds:g}s-{table_size}MiB") + ".certificate"


# ---- tables ----------------------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
