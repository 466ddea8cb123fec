"""The studies in python/examples, run as users run them, on games that are known."""

from __future__ import annotations

import argparse
import importlib
import json
import math
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

import oanquan as oaq
from oanquan import Position, Rules, Tables

EXAMPLES = Path(__file__).parent.parent / "python" / "examples"
STUDIES = ["small_games", "settled_positions", "first_moves"]
# With one thread and more time than any machine needs what is found is always the same.
STEADY = ["--threads", "1", "--table-size", "16"]
Board: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], str]
# Known of other tests and of the documentation; of one square a side by hand: a1+ of one pebble takes all.
KNOWN = {("mancala-world", 1, 1): 22, ("mancala-world", 2, 2): 10, ("mancala-world", 3, 2): 0, ("short-game", 3, 3): 4}
# Of two squares a side and one pebble a square worth 4 to 10 as endless play is counted.
ENDLESS = "shortfall=borrow,mandarin=pebbles,mandarin_value=3,mandarin_next=lift_one,row_leftovers=split"


def run(
    study: str, *arguments: str, where: Path, status: int = 0, timeout: float = 100
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / f"{study}.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False, cwd=where)
    assert done.returncode == status, done.stderr
    return done


def records(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("study", STUDIES)
def test_help_has_an_example(study: str, tmp_path: Path) -> None:
    assert f"example:\n  python {study}.py " in run(study, "--help", where=tmp_path).stdout


@pytest.mark.parametrize("study", STUDIES)
def test_nothing_yet(study: str, tmp_path: Path) -> None:
    run(study, "--markdown", where=tmp_path)
    assert list(tmp_path.iterdir()) == []


# ---- small games -----------------------------------------------------------------------------------------------------

GRID = ["--squares", "3", "--pebbles", "3", "--minutes", "60", "--rounds", "600", *STEADY]


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Where the small games were solved, and what was printed."""
    where = tmp_path_factory.mktemp("grid")
    return where, run("small_games", *GRID, where=where).stdout


def test_small_games_are_worth_what_is_known(grid: tuple[Path, str]) -> None:
    where, _ = grid
    found = {(r["base"], r["squares"], r["pebbles"]): r["value"] for r in records(where / "small_games.jsonl")}
    assert len(found) == 18
    assert {cell: found[cell] for cell in KNOWN} == {
        cell: [value, value, False, False] for cell, value in KNOWN.items()
    }


def test_values_of_small_games_have_certificates(grid: tuple[Path, str]) -> None:
    """Replayed here by the implementation that shares no code with the one that found them."""
    where, _ = grid
    for record in records(where / "small_games.jsonl"):
        if record["decisions"] < 500:
            verified = oaq.verify_certificate(where / "small_games" / record["certificate"], reference=True)
            start = str(Position.start(verified.rules))
            assert str(verified.rules) == record["rules"]
            assert [c.value for c in verified.claims if c.position == start] == record["value"][:2]


def test_small_games_from_small_to_large(grid: tuple[Path, str]) -> None:
    sizes = [r["squares"] * r["pebbles"] for r in records(grid[0] / "small_games.jsonl")]
    assert sizes == sorted(sizes)


def test_tables_of_small_games(grid: tuple[Path, str]) -> None:
    where, printed = grid
    assert run("small_games", "--markdown", where=where).stdout == printed
    values, moves = printed.split("\n\n")[5], printed.split("\n\n")[7]
    assert values.splitlines()[0] == "| squares \\ pebbles | 1 | 2 | 3 |"
    assert values.splitlines()[-1] == "| 3 | 26 | -2 | 4 |"
    assert moves.splitlines()[-1] == "| 3 | a1+, a3-; a1-, a3+ | a1+, a3- | a2+, a2- |"


def test_small_games_go_on_where_they_stopped(grid: tuple[Path, str], tmp_path: Path) -> None:
    """What is finished is not done again; a line that was cut is."""
    results = tmp_path / "results"
    lines = (grid[0] / "small_games.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    results.write_text("".join([*lines[:-1], lines[-1][:50]]), encoding="utf-8")
    again = run("small_games", *GRID, "--results", str(results), where=tmp_path)
    assert again.stdout == grid[1]
    assert again.stderr.count("\n") == len(list((tmp_path / "small_games").iterdir())) == 1
    assert len(records(results)) == 18
    assert run("small_games", *GRID, "--results", str(results), where=tmp_path).stderr == ""


def test_the_time_is_up(tmp_path: Path) -> None:
    done = run("small_games", *GRID, "--minutes", "0", where=tmp_path)
    assert done.stderr.endswith(" the time is up\n")
    assert not (tmp_path / "small_games.jsonl").exists()


def test_rounds_and_the_end_of_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Open games are searched in every round, with what is left of the time, settled ones once; values come first."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["small_games.py"])
    studies, small_games = map(importlib.import_module, ["studies", "small_games"])
    clock = [100.0]
    asked = []

    def prove(position: Position, *_: object, seconds: float, options: argparse.Namespace, **__: object) -> Any:
        """One pebble is solved at once, of two the moves are open for a round, of three and four all is for good."""
        pebbles = position.rules.pebbles
        asked.append((pebbles, seconds, options.table_size))
        clock[0] += 0 if pebbles == 1 else seconds
        value = [0, 0, False, False] if pebbles < 3 else [-4, 4, pebbles == 4, False]
        move = value if pebbles == 1 or seconds == 2 else [-6, None, False, False]
        moves = {str(its): move for its in position.legal_moves}
        record = {"rules": str(position.rules), "value": value, "moves": moves, "seconds": seconds}
        return {**record, "limit": seconds, "table_size": options.table_size}

    monkeypatch.setattr(studies, "prove", prove)
    monkeypatch.setattr(small_games.time, "monotonic", lambda: clock[0])
    given = ["--rules", ENDLESS, "--squares", "1", "--pebbles", "4", "--rounds", "1,2,60", "--table-size", "100"]
    monkeypatch.setattr(sys, "argv", ["small_games.py", *given, "--minutes", "0.2"])
    assert studies.run(small_games.options, small_games.search, small_games.markdown) == 0
    first = [(pebbles, 1, 32) for pebbles in (1, 2, 3, 4)]
    assert asked == [*first, (3, 2, 64), (4, 2, 64), (2, 2, 64), (3, 3, 100)]
    told = capsys.readouterr()
    assert told.err.endswith(" the time is up\n")
    assert "| 1 | 0 | 0 | -4..4 | -4..4 |\n" in told.out


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    arguments = ["--rules", "wikipedia-vi", "--squares", "7", "--pebbles", "9", "--rounds", "600", "--table-size", "4"]
    command = [sys.executable, str(EXAMPLES / "small_games.py"), *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stderr is not None
        told = [process.stderr.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        told += process.stderr.readlines()
    assert process.returncode == 130
    assert told[-1] == "interrupted: the same command goes on from here\n"
    assert len(records(tmp_path / "small_games.jsonl")) in {len(told) - 1, len(told)}


# Up to sixteen pebbles, each way to end; of other sizes tables leave open nearly all.
SECOND_ROUTE = [(base, *size) for base in ("mancala-world", "short-game") for size in [(1, 3), (1, 8), (3, 2)]]


@pytest.mark.parametrize(("base", "squares", "pebbles"), SECOND_ROUTE)
def test_endgame_tables_say_the_same(base: str, squares: int, pebbles: int, tmp_path: Path) -> None:
    """The start, and positions of random games; a table leaves open what a re-seeding takes beyond its pebbles."""
    rules = Rules.preset(base, squares=squares, pebbles=pebbles)
    tables = Tables.build(tmp_path / "whole.table", rules, pebbles=2 * squares * pebbles, threads=1)
    rng, position, exact = Random(1), Position.start(rules), 0
    for _ in range(30):
        value = oaq.solve(position, table_size=4, moves=False, nodes=300_000).value
        told = tables.probe(position) + ahead(position.points, position.turn)
        for one, other in [(value, told), (told, value)]:
            assert one.lower is None or other.upper is None or one.lower <= other.upper
        exact += value == told and value.exact is not None
        position = position.play(rng.choice(position.legal_moves))
        if position.is_over:
            position = Position.start(rules)
    assert exact >= 5


def worth(rules: Rules) -> tuple[float, float]:
    """The bounds of the start by going through all boards again and again, from the definition and nothing else."""
    start = Position.start(rules)
    boards, children = {board(start): start}, dict[Board, list[tuple[int, Board | None]]]()
    while len(children) < len(boards):
        for key in [key for key in boards if key not in children]:
            position = boards[key]
            before, children[key] = ahead(position.points, position.turn), []
            for move in position.legal_moves:
                after = position.play(move)
                gain = ahead(after.outcome.points if after.outcome else after.points, position.turn) - before
                children[key].append((gain, None if after.is_over else board(after)))
                if not after.is_over:
                    boards.setdefault(board(after), after)
    lower, upper = dict.fromkeys(boards, -math.inf), dict.fromkeys(boards, math.inf)
    changed = True
    while changed:
        changed = False
        for key, moves in children.items():
            new = [max(gain - (0 if child is None else of[child]) for gain, child in moves) for of in (upper, lower)]
            changed |= new != [lower[key], upper[key]]
            lower[key], upper[key] = new
    return lower[board(start)], upper[board(start)]


def board(position: Position) -> Board:
    """What the rest of the game is a function of by these rules."""
    return position.pebbles, position.mandarins, position.turn


def ahead(points: tuple[int, ...], side: str) -> int:
    return points[0] - points[1] if side == "a" else points[1] - points[0]


@pytest.mark.parametrize("base", ["mancala-world", "short-game"])
def test_the_definition_says_the_same(base: str, grid: tuple[Path, str]) -> None:
    for record in records(grid[0] / "small_games.jsonl"):
        if record["base"] == base and record["squares"] * record["pebbles"] <= 4:
            assert (*record["value"][:2],) == worth(Rules.parse(record["rules"])), record["rules"]


def test_small_games_that_best_play_keeps_going(tmp_path: Path) -> None:
    """Both bounds are the best there are by certificates, and by going through all boards."""
    arguments = [*GRID, "--rules", ENDLESS, "--squares", "2"]
    printed = run("small_games", *arguments, where=tmp_path).stdout
    found = records(tmp_path / "small_games.jsonl")
    for record in found:
        lower, upper, *best = record["value"]
        assert (lower, upper) == worth(Rules.parse(record["rules"]))
        assert best == 2 * [lower != upper]
        verified = oaq.verify_certificate(tmp_path / "small_games" / record["certificate"], reference=True)
        claimed = {(claim.bound, claim.value) for claim in verified.claims if claim.position == record["position"]}
        more = {("lower-at-most", lower), ("upper-at-least", upper)} if lower < upper else set()
        assert claimed == {("lower", lower), ("upper", upper), *more}
    assert "| 1 | 8 | 0 | 0/8 |\n| 2 | 4/10 | 2 | 0/2 |\n" in printed
    assert "| 2 | one of a1+, a2-; a1-, a2+ | a1-, a2+ | a1+, a2- |\n" in printed
    # They are done.
    assert run("small_games", *arguments, "--table-size", "64", where=tmp_path).stderr == ""
    assert len(found) == 6


@pytest.mark.parametrize(
    ("bound", "change", "best"), [("lower-at-most", 1, (False, True)), ("upper-at-least", None, (True, False))]
)
def test_a_bound_is_the_best_if_the_certificate_claims_that(
    bound: str, change: int | None, best: tuple[bool, bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    studies = importlib.import_module("studies")
    start = Position.start(Rules.parse(f"squares=2,pebbles=1,{ENDLESS}"))
    read = studies.claims_of

    def less(*arguments: Any) -> dict[tuple[str, str], int]:
        claims = read(*arguments)
        value = claims.pop((str(start), bound))
        return claims if change is None else {**claims, (str(start), bound): value + change}

    monkeypatch.setattr(studies, "claims_of", less)
    options = argparse.Namespace(table_size=16, threads=1)
    record = studies.prove(start, tmp_path / "a.certificate", seconds=600, options=options, tables={})
    assert record["value"] == [4, 10, *best]
    assert studies.shown(studies.value_of(record["value"])) == "4..10"
    assert not studies.is_done([studies.value_of(record["value"])], [record], 601, 16)


def test_a_table_is_asked_by_all_rules_that_it_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    studies = importlib.import_module("studies")
    three, four = Rules(squares=2, pebbles=3), Rules(squares=2, pebbles=4)
    for name, rules, pebbles in [("small", three, 2), ("own", three, 1), ("other", Rules(squares=3), 3)]:
        Tables.build(tmp_path / name, rules, pebbles=pebbles)
    named = {"squares=2": "small", "squares=2,pebbles=4": "own", "squares=3": "other"}
    tables = studies.tables_of(
        argparse.Namespace(tables=[f"{rules}={tmp_path / name}" for rules, name in named.items()])
    )
    own, greatest = studies.table_for(four, tables), studies.table_for(three, tables)
    assert own is not None
    assert greatest is not None
    assert (own.pebbles, greatest.pebbles) == (1, 2)
    assert studies.table_for(Rules(squares=4), tables) is None
    with pytest.raises(oaq.OanquanError, match="expected a table that serves tonkin, got one by squares=3"):
        studies.tables_of(argparse.Namespace(tables=[f"tonkin={tmp_path / 'other'}"]))


# ---- settled positions -----------------------------------------------------------------------------------------------


def test_settled_positions(tmp_path: Path) -> None:
    rules = "squares=3,pebbles=3,empty_mandarin_after_sowing=gap,ends_when=stones_taken,mandarin_leftovers=split"
    Tables.build(tmp_path / "six.table", Rules.parse(rules), pebbles=6)
    arguments = [rules, "tonkin", "--count", "4", "--seconds", "600", "--plies", "12", *STEADY]
    arguments += ["--tables", f"{rules}=six.table"]
    done = run("settled_positions", *arguments, where=tmp_path)
    found = records(tmp_path / "settled_positions.jsonl")
    assert [(r["rules"], r["number"], r["table"]) for r in found] == [
        *((rules, number, 6) for number in range(4)),
        *(("tonkin", number, None) for number in range(4)),
    ]
    for record in found:
        position = Position.parse(record["position"], Rules.parse(record["rules"]))
        assert position.ply == 12
        assert record["value"] == [*2 * [oaq.solve(position, moves=False).value.exact], False, False]
    line = f"| `{rules}` | 600 | 6 pebbles | 4 | 4 | 0 | 4 | 100.0% | 51.0% to 100.0% |  | 0 | "
    assert line in done.stdout
    # The same again is printed only; another setting is another row.
    again = run("settled_positions", *arguments, where=tmp_path)
    assert (again.stdout, again.stderr) == (done.stdout, "")
    other = run("settled_positions", "tonkin", *arguments[2:4], "--seconds", "0", where=tmp_path)
    assert "| `tonkin` | 0 | none | 4 | 0 | 0 | 0 | 0.0% | 0.0% to 49.0% |  | 4 | " in other.stdout
    assert done.stdout.strip() in other.stdout


def test_settled_positions_that_best_play_keeps_going(tmp_path: Path) -> None:
    rules = f"squares=2,pebbles=1,{ENDLESS}"
    arguments = [rules, "--count", "12", "--seconds", "600", "--plies", "2", *STEADY]
    printed = run("settled_positions", *arguments, where=tmp_path).stdout
    found = records(tmp_path / "settled_positions.jsonl")
    exact = 0
    for record in found:
        value = oaq.solve(Position.parse(record["position"], Rules.parse(rules)), moves=False).value
        assert record["value"] == [value.lower, value.upper, value.lower_is_best, value.upper_is_best]
        assert value.settled
        exact += value.exact is not None
    assert 0 < exact < 12
    assert f"| 600 | none | 12 | {exact} | {12 - exact} | 12 | 100.0% | 75.8% to 100.0% |  | 0 | " in printed


# ---- first moves -----------------------------------------------------------------------------------------------------


def test_first_moves(tmp_path: Path) -> None:
    tonkin_like = "squares=2,pebbles=2,directions=clockwise"
    rules = ["squares=2,pebbles=2", tonkin_like, "squares=1,pebbles=1", "squares=2,pebbles=8,shortfall=loses"]
    arguments = [*rules, "--seconds", "600", *STEADY, "--certificates", "proofs"]
    done = run("first_moves", *arguments, where=tmp_path)
    found = {(r["rules"], r["move"]): r for r in records(tmp_path / "first_moves.jsonl")}
    for text in rules:
        solution = oaq.solve(Rules.parse(text))
        for move, value in solution.move_values.items():
            record = found.get((text, str(move)))
            assert record is None or record["value"] == [(-value).lower, (-value).upper, False, False]
            if record and not solution.position.play(move).is_over:
                oaq.verify_certificate(tmp_path / "proofs" / record["certificate"])
    assert len([key for key in found if key[0] == tonkin_like]) == 2
    assert len([key for key in found if key[0] == rules[0]]) == 2
    assert "| `squares=2,pebbles=2` | 10 | a1-, a2+ | a1+, a2- |\n" in done.stdout
    assert "| `squares=1,pebbles=1` | 22 | a1+, a1- | a1+, a1- |\n" in done.stdout
    assert "| rules | a1+, a2- | a1-, a2+ |\n| --- | --- | --- |\n| `squares=2,pebbles=2` | -8 | 10 |\n" in done.stdout
    again = run("first_moves", *arguments, where=tmp_path)
    assert (again.stdout, again.stderr) == (done.stdout, "")


def test_first_moves_that_best_play_keeps_going(tmp_path: Path) -> None:
    rules = [f"squares=2,pebbles={pebbles},{ENDLESS}" for pebbles in (1, 3)]
    printed = run("first_moves", *rules, "--seconds", "600", *STEADY, where=tmp_path).stdout
    names = [str(Rules.parse(text)) for text in rules]
    candidates = "one of a1+, a2-; a1-, a2+"
    assert f"| `{names[0]}` | 4/10 | {candidates} | {candidates} |\n" in printed
    assert f"| `{names[1]}` | 0/2 | a1+, a2- | a1+, a2-; perhaps a1-, a2+ |\n" in printed
    assert f"| `{names[0]}` | 4/6 | 4/10 |\n| `{names[1]}` | 0/2 | -2 |\n" in printed


def test_first_moves_that_are_open(tmp_path: Path) -> None:
    """What is known is told; more seconds are spent on what is open."""
    rules = "squares=3,pebbles=2"
    run("first_moves", rules, "--seconds", "0", *STEADY, where=tmp_path)
    assert records(tmp_path / "first_moves.jsonl")[0]["value"] == [None, None, False, False]
    printed = run("first_moves", "--markdown", where=tmp_path).stdout
    assert f"| `{rules}` | ? | one of a1+, a3-; a1-, a3+; a2+, a2- | one of a1+, a3-; a1-, a3+; a2+, a2- |" in printed
    done = run("first_moves", rules, "--seconds", "600", *STEADY, where=tmp_path)
    assert f"| `{rules}` | 0 | a1+, a3- | a1+, a3- |" in done.stdout
    assert len(records(tmp_path / "first_moves.jsonl")) == 6


@pytest.mark.parametrize(
    ("bounds", "start", "best", "fairest"),
    [
        ([(10, 28), (None, 9), (-3, -3)], "10..28", "a1+, a3-", "one of a1-, a3+; a2+, a2-"),
        ([(4, 4), (4, 4), (0, 4)], "4", "a1+, a3-; a1-, a3+; perhaps a2+, a2-", "a2+, a2-; perhaps a1+, a3-; a1-, a3+"),
        ([(-2, 2), (-8, -4), (5, None)], "5..", "a2+, a2-", "a1+, a3-"),
        ([(None, None), (1, 1), (-1, -1)], "1..", "one of a1+, a3-; a1-, a3+", "one of a1+, a3-; a1-, a3+; a2+, a2-"),
        # Settled, with both bounds the best there are: they are intervals all the same.
        ([(4, 6, True, True), (2, 4, True, True), (0, 0)], "4/6", "a1+, a3-; perhaps a1-, a3+", "a2+, a2-"),
        ([(4, 8, True, True), (6, 6), (2, 3)], "6/8", "one of a1+, a3-; a1-, a3+", "a2+, a2-"),
        ([(4, 6, True, True), (6, 6), (-2, 5)], "6", "a1-, a3+; perhaps a1+, a3-", "one of a1+, a3-; a2+, a2-"),
        # A bound of the start is the best there is if no move can be worth more.
        ([(4, 6, True, False), (2, 6, False, True), (0, 4)], "4..6", *2 * ["one of a1+, a3-; a1-, a3+; a2+, a2-"]),
        ([(4, 6, True, False), (2, 6, True, True), (0, 4)], "4/6", *2 * ["one of a1+, a3-; a1-, a3+; a2+, a2-"]),
        ([(4, 6, True, False), (2, 5, True, True), (0, 4)], "4..6", *2 * ["one of a1+, a3-; a1-, a3+; a2+, a2-"]),
    ],
)
def test_what_bounds_say_of_the_best_and_the_fairest(
    bounds: list[tuple[Any, ...]], start: str, best: str, fairest: str, tmp_path: Path
) -> None:
    with (tmp_path / "first_moves.jsonl").open("w", encoding="utf-8") as file:
        for move, value in zip(["a1+", "a1-", "a2+"], bounds, strict=True):
            low, high = value[2:] or (False, False)
            after = -oaq.Value(*value[:2], lower_is_best=low, upper_is_best=high)
            record = {"study": "first_moves", "rules": "squares=3,pebbles=2", "move": move}
            file.write(
                json.dumps({**record, "value": [after.lower, after.upper, after.lower_is_best, after.upper_is_best]})
                + "\n"
            )
    printed = run("first_moves", "--markdown", where=tmp_path).stdout
    assert f"| `squares=3,pebbles=2` | {start} | {best} | {fairest} |\n" in printed


def lost(*_: object, **__: object) -> None:
    raise oaq.OanquanError("the proof of a position has been lost for want of room: expected a greater table_size")


@pytest.mark.parametrize("why", ["takes too long", "lost for want of room"])
def test_what_has_no_certificate_counts_for_nothing(
    why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not waited for longer than some time, and tried again by the same command."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    studies = importlib.import_module("studies")
    if why == "takes too long":
        monkeypatch.setattr(studies, "PATIENCE", -2.0)
    else:
        monkeypatch.setattr(oaq, "solve", lost)
    options = argparse.Namespace(table_size=16, threads=1)
    start = Position.start(Rules(squares=2, pebbles=2))
    record = studies.prove(start, tmp_path / "a.certificate", seconds=1, options=options, tables={}, moves=True)
    nothing = [None, None, False, False]
    assert (record["value"], record["certificate"], record["limit"]) == (nothing, None, 0)
    assert record["moves"] == dict.fromkeys(["a1+", "a1-", "a2+", "a2-"], nothing)
    assert not studies.is_done([studies.UNKNOWN], [record], 1, 16)
    assert f"{why}: expected a greater " in capsys.readouterr().err


# ---- what can be wrong -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("study", "arguments", "message"),
    [
        ("first_moves", ["three-players"], "error: expected rules of 2 sides, got 3\n"),
        ("first_moves", ["nothing-known"], "error: "),
        ("first_moves", ["tonkin", "--tables", "file"], 'error: --tables: expected RULES=FILE, got "file"\n'),
        ("settled_positions", ["tonkin", "--tables", "tonkin=nothing"], "No such file or directory"),
        ("settled_positions", ["squares=1,pebbles=1", "--plies", "900"], "expected games of more than 900 plies"),
        ("small_games", ["--results", "other"], "other, line 1: expected results of small_games, got "),
        ("small_games", ["--results", "damaged"], "damaged, line 2: expected a JSON object, got "),
    ],
)
def test_faults_are_told_in_a_line(study: str, arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "other").write_text('{"study": "first_moves"}\n', encoding="utf-8")
    (tmp_path / "damaged").write_text('{"study": "small_games"}\n[1]\n', encoding="utf-8")
    done = run(study, *arguments, where=tmp_path, status=2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        (
            [None, 3, False, False],
            [4, None, False, False],
            "unsound: proved were at least 4 and at most 3; please report",
        ),
        (
            [2, None, True, False],
            [4, 6, False, False],
            "unsound: proved was 4, and that no more than {2} is; please report",
        ),
        (
            [2, 8, False, True],
            [2, 6, False, False],
            "unsound: proved was 6, and that no less than {8} is; please report",
        ),
    ],
)
def test_bounds_that_exclude_each_other_are_objected_to(
    first: list[Any], then: list[Any], message: str, tmp_path: Path
) -> None:
    line = {"study": "first_moves", "rules": "tonkin", "move": "a1+", "limit": 1, "table_size": 1}
    (tmp_path / "first_moves.jsonl").write_text(
        "".join(json.dumps({**line, "value": value}) + "\n" for value in (first, then)), encoding="utf-8"
    )
    assert message in run("first_moves", "--markdown", where=tmp_path, status=2).stderr
