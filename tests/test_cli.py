"""The command as its users call it: a process, its output, its exit code."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import oanquan as oaq
from oanquan import _core
from support.command import ENVIRONMENT, OANQUAN, run

START = "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0"
FINISHED = "0.0.0.0.0.0/1.2.0.0.0.0 30/17q2 a>b:3 a 41 mandarins"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes as POSIX has them")


def output(*arguments: str) -> str:
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def page(*arguments: str) -> str:
    """Output for people: it fits a terminal of 80 columns."""
    text = output(*arguments)
    assert max(map(len, text.splitlines())) <= 80
    return text


# ---- simulate ----------------------------------------------------------------------------------------------

SPREAD = {"mean": float, "interval": [float, float], "sd": float, "min": int, "max": int}
RATE = {"rate": float, "interval": [float, float]}
WINS = {"a": int, "b": int}
OPENING = {
    "move": str,
    "games": int,
    "wins": WINS,
    "draws": int,
    "win_rate": RATE,
    "draw_rate": RATE,
    "margin": SPREAD,
}
REPORT = {
    "version": str,
    "rules": str,
    "position": str,
    "games_asked_for": int,
    "agents": [str],
    "seed": int,
    "max_plies": int,
    "repetition": int,
    "interrupted": bool,
    "games": int,
    "moves": int,
    "wins": WINS,
    "draws": int,
    "win_rates": {"a": RATE, "b": RATE},
    "draw_rate": RATE,
    "endings": {"mandarins": int, "short": int, "loses": int, "repetition": int, "max_plies": int},
    "stopped": int,
    "points": {"a": SPREAD, "b": SPREAD},
    "difference": SPREAD,
    "plies": SPREAD,
    "reseedings": int,
    "loans": int,
    "pebbles_lent": int,
    "openings": [OPENING] * 10,
    "histograms": {"points": {"a": {}, "b": {}}, "difference": {}, "plies": {}},
    "seconds": float,
    "moves_per_second": float,
}


def shape(value: object) -> object:
    if isinstance(value, dict):
        if all(isinstance(games, int) and re.fullmatch(r"-?\d+", number) for number, games in value.items()):
            return {}  # a histogram
        return {name: shape(inner) for name, inner in value.items()}
    return [shape(inner) for inner in value] if isinstance(value, list) else type(value)


def test_simulate_prints_a_table():
    text = page("simulate", "--games", "2000", "--rules", "wikipedia-vi", "--seed", "7")
    results = oaq.simulate(2000, oaq.Rules.preset("wikipedia-vi"), seed=7)
    assert "2,000 games of wikipedia-vi, agents random, seed 7" in text
    cells = {row[0]: row[1:] for row in (re.split(r" *\| *", line)[1:-1] for line in text.splitlines()) if row}
    for side in "ab":
        wins, points = results.wins[side], results.points[side]
        assert cells[f"won by side {side}"][:2] == [f"{wins:,}", f"{wins / 20:.2f} %"]
        low, high = (100 * end for end in results.win_rates[side].interval())
        assert cells[f"won by side {side}"][2] == f"{low:.2f} to {high:.2f} %"
        half = (points.interval()[1] - points.interval()[0]) / 2
        assert cells[f"points of side {side}"][:3] == [f"{points.mean:.3f}", f"± {half:.3f}", f"{points.sd:.3f}"]
    difference = results.difference
    assert difference is not None
    assert cells["drawn"][0] == str(results.draws)
    assert cells["difference, a minus b"][2:] == [f"{difference.sd:.3f}", f"{difference.min}", f"{difference.max}"]
    assert cells["a5+"][0] == str(results.openings[8].games)
    assert cells["length in plies"][3:] == [f"{results.plies.min}", f"{results.plies.max}"]
    assert cells["ended by mandarins"][0] == f"{results.endings['mandarins']:,}"
    assert cells["stopped by repetition"][0] == f"{results.endings['repetition']:,}"
    assert f"{results.reseedings:,} re-seedings, {results.loans:,} loans of {results.pebbles_lent:,} " in text
    assert f"{results.stopped} games stopped by a limit" in text
    assert re.search(rf"{results.moves:,} moves in [\d.]+ seconds: [\d,]+ moves a second\n$", text)


def test_simulate_json_has_everything():
    report = json.loads(output("simulate", "--games", "500", "--json"))
    assert shape(report) == REPORT
    assert (report["rules"], report["position"]) == ("mancala-world", START)
    assert report["version"] == oaq.__version__
    results = oaq.simulate(500).to_dict()
    timeless = results.keys() - {"seconds", "moves_per_second"}
    assert {name: report[name] for name in timeless} == {name: results[name] for name in timeless}


def test_simulate_json_without_a_spread():
    report = json.loads(output("simulate", "--games", "1", "--json", "--max-plies", "off", "--repetition", "off"))
    assert report["plies"]["sd"] is report["max_plies"] is report["repetition"] is None


@pytest.mark.parametrize("rules", ["three-players", "four-players,squares=7"])
def test_simulate_with_more_sides(rules: str):
    text = page("simulate", "--games", "50", "--rules", rules, "--agents", "greedy,random")
    assert "won by side c" in text
    assert "difference" not in text
    assert json.loads(output("simulate", "--games", "50", "--rules", rules, "--json"))["difference"] is None


def test_the_same_seed_gives_the_same_numbers_for_any_number_of_threads():
    def numbers(*arguments: str) -> dict[str, object]:
        report = json.loads(output("simulate", "--games", "20000", "--rules", "quan-non", "--json", *arguments))
        return {name: value for name, value in report.items() if name not in ("seconds", "moves_per_second")}

    one = numbers("--seed", "11", "--threads", "1")
    assert numbers("--seed", "11", "--threads", "2") == one
    assert numbers("--seed", "11", "--threads", "5") == one
    assert numbers("--seed", "11") == one
    assert numbers("--seed", "12")["wins"] != one["wins"]


def test_simulate_takes_position_agents_and_limits():
    text = "0.0.0.0.2.6q1/5.5.0.5.5.0q1 20/6 - b 9"
    options = "-n 100 --agents greedy,random --max-plies 3 --repetition 2 -r wikipedia-vi --json"
    report = json.loads(output("simulate", "--position", text, *options.split()))
    start = oaq.Position.parse(text, oaq.Rules.preset("wikipedia-vi"))
    results = oaq.simulate(100, position=start, agents=("greedy", "random"), max_plies=3, repetition=2)
    assert (report["wins"], report["endings"]) == (results.wins, results.endings)
    assert report["endings"]["max_plies"] > 0


# ---- the other commands ------------------------------------------------------------------------------------


def test_perft():
    text = page("perft", "--depth", "4", "--rules", "tonkin")
    start = oaq.Position.start(oaq.Rules.preset("tonkin"))
    expected = [f"perft {depth}: {oaq.perft(start, depth)}" for depth in range(5)]
    assert [line.split(" (")[0] for line in text.splitlines()] == expected


def test_perft_divides():
    position = oaq.Position.start().play("a3+")
    text = page("perft", str(position), "-d", "3", "--divide")
    lines = [f"{move}: {count}" for move, count in oaq.divide(position, 3).items()]
    assert text.splitlines() == [*lines, f"total: {oaq.perft(position, 3)}"]


def test_rules_lists_every_preset_with_its_changes_and_source():
    text = page("rules")
    words = " ".join(re.sub(r"[|+-]", " ", text).split())
    for name, preset in oaq.PRESETS.items():
        assert f"| {name} " in text
        assert all(f"{knob}=" in text for knob in preset.rules.differences())
        assert all(re.sub(r"[|+-]", " ", word).strip() in words for word in preset.source.split())


@pytest.mark.parametrize("rules", [*oaq.PRESETS, "quan-five,squares=3"])
def test_rules_shows_every_knob(rules: str):
    text = " ".join(page("rules", rules).split())
    chosen = oaq.Rules.parse(rules)
    values, meanings = dict(chosen.pairs()), dict(_core.knob_summaries())
    for name, _, choices in _core.knobs():
        shown = f"{name} = {values[name]} ({choices}) {meanings[name]}"
        assert shown in text
        assert (f"* {shown}" in text) == (name in chosen.differences())
    if rules in oaq.PRESETS:
        assert f"{oaq.PRESETS[rules].title} source: {oaq.PRESETS[rules].source} *" in text


def test_rules_compares_two():
    text = page("rules", "bankrupt", "quan-non")
    cells = [re.split(r" *\| *", line)[1:-2] for line in text.splitlines() if line.startswith("| ")]
    assert [row for row in cells if row[0]] == [
        *(["knob", "bankrupt", "quan-non"], ["immature_below", "0", "5"], ["shortfall", "loses", "borrow"])
    ]
    assert page("rules", "quan-five", "mandarin_value=5") == "the same rules: quan-five\n"


@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("squares", range(1, 8))
def test_show_names_the_owner_of_every_number(sides: int, squares: int):
    rules = oaq.Rules(sides=sides, squares=squares, pebbles=2)
    setup = oaq.Setup.of(oaq.Position.start(rules))
    setup.pebbles = {name: 3 + number for number, name in enumerate(rules.square_names) if number < 20}
    text = page("show", str(setup.position()), "--rules", str(rules))
    board = text.split("\n\n")[0]
    for name in rules.square_names:
        assert len(re.findall(rf"\b{name}\b", board)) == 1
    for side in "abcd"[:sides]:
        assert board.count(f"side {side}") == 1
        assert f"side {side}        0            0       0\n" in text
    assert "turn    side a, ply 0\n" in text
    assert [move for line in text.split("moves ")[1:] for move in line.split()] == [
        *map(str, setup.position().legal_moves)
    ]


def test_show_two_sides():
    place = "1.2.3.0.4.2/1.0.0.5.0.0q1 1q1/9 - b 30"
    expected = """\
                             side b
                   b5    b4    b3    b2    b1
           +-----+-----+-----+-----+-----+-----+-----+
           |     |  .  |  5  |  .  |  .  |  1  |     |
        bm |  Q  +-----+-----+-----+-----+-----+  2  | am
           |     |  1  |  2  |  3  |  .  |  4  |     |
           +-----+-----+-----+-----+-----+-----+-----+
                   a1    a2    a3    a4    a5
                             side a

        store   pebbles  mandarins Q  points
        side a        1            1      11
        side b        9            0       9
        turn    side b, ply 30
        moves   b1+ b1- b4+ b4-
        """
    assert page("show", place, "--ascii") == textwrap.dedent(expected)
    shown = page("show", place, "--lang", "vi")
    assert "│  ◉  ├" in shown
    assert "\nlượt     bên b, đã đi 30 nước\n" in shown
    assert page("show", place, "--ascii", "--lang", "vi").isascii()


def test_show_a_finished_position():
    position = oaq.Position.parse(FINISHED)
    assert position.outcome is not None
    lines = page("show", FINISHED).splitlines()
    assert "debts   a has repaid b 3" in lines
    assert lines[-1] == "over    side b wins (mandarins), ply 41; points are the count, rows included"


def test_trace():
    position = oaq.Position.start(oaq.Rules.preset("wikipedia-vi"))
    asked = ("trace", "start", "a3+", "--rules", "wikipedia-vi")
    *steps, after = page(*asked, "--steps").splitlines()
    assert [step.split(maxsplit=1) for step in steps] == [
        [str(number), str(step)] for number, step in enumerate(position.trace("a3+"), start=1)
    ]
    assert after == f"position after: {position.play('a3+')}"
    for lang, title in (("en", "position after"), ("vi", "thế cờ sau đó")):
        told = [f"{number} {sentence}" for number, sentence in enumerate(oaq.explain(position, "a3+", lang), start=1)]
        expected = " ".join([*told, f"{title}: {position.play('a3+')}"])
        assert " ".join(page(*asked, "--lang", lang).split()) == expected
    assert page("trace", "start", "3+") == page("trace", START, "A3+")


def test_the_language_is_that_of_the_environment():
    environment = ENVIRONMENT | {"LC_ALL": "vi_VN.UTF-8", "PYTHONIOENCODING": "utf-8"}
    for encoding, words in (("utf-8", "Bên a bốc"), ("cp1252", "Ben a boc")):
        environment["PYTHONIOENCODING"] = encoding
        done = subprocess.run([*OANQUAN, "trace", "start", "a3+"], env=environment, capture_output=True, check=True)
        assert words in done.stdout.decode(encoding)


def test_bench():
    report = json.loads(output("bench", "--repeat", "1", "--json"))
    rates = report["per_second"]
    assert rates.keys() >= {
        *_core.bench_paths(),
        "calibration",
        "simulate",
        "batch_step_random",
        "batch_step",
        "python",
        "plain_search",
        "search",
    }
    assert all(rate > 0 for rate in rates.values())
    assert report["ratio"] == {name: rate / rates["plain"] for name, rate in rates.items()}
    cost = report["search"]
    assert cost["depth"] == 12
    for what in ("nodes", "seconds"):
        assert cost["times_less"][what] == cost["plain"][what] / cost["search"][what] > 1
    text = page("bench", "--repeat", "1")
    assert "moves: lanes, scalar" in text
    assert "12 plies from the start of wikipedia-vi" in text


def test_version_and_help():
    assert page("--version") == f"{oaq.__version__}\n"
    commands = ("simulate", "perft", "rules", "show", "trace", "search", "analyse", "ugi", "gtp", "bench")
    text = page("--help")
    assert page() == text
    assert all(f" {command} " in text for command in commands)
    for command in commands:
        assert f"Usage: oanquan {command}" in page(command, "--help")
    done = subprocess.run(
        [sys.executable, "-m", "oanquan.cli", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{oaq.__version__}\n"


# ---- what goes wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], 'Unknown command "nonsense"'),
        (["--nonsense"], "--nonsense"),
        (["simulate", "--nonsense"], "Unknown option: --nonsense"),
        (["simulate", "5"], 'unexpected argument "5"'),
        (["simulate", "--games"], "--games requires an argument"),
        (["simulate", "--games", "-1"], "games: expected 1 to 9223372036854775807, got -1"),
        (["simulate", "--games", "0"], "games: expected 1 to "),
        (["simulate", "--games", "9" * 5000], "--games: expected a whole number"),
        (["simulate", "--games", "1e6"], '--games: expected a whole number, got "1e6"'),
        (["simulate", "--games", "3.5"], '--games: expected a whole number, got "3.5"'),
        (["simulate", "--seed", "-1"], "seed: expected 0 to 18446744073709551615, got -1"),
        (["simulate", "--threads", "0"], "threads: expected 1 to 1024, got 0"),
        (["simulate", "--max-plies", "x"], '--max-plies: expected a whole number, got "x"'),
        (["simulate", "--repetition", "0"], "repetition: expected 1 to "),
        (["simulate", "--agents", "nobody"], "agents: expected random, greedy, cautious, search"),
        (["simulate", "--agents", "random,random,random"], "agents: expected 1 to 2, got 3"),
        (["simulate", "--rules", "sides=9,squares=0"], 'sides: expected 2 to 4, got "9"; squares: '),
        (["rules", "nonsense"], '"nonsense"'),
        (["rules", "tonkin", "bankrupt", "quan-non"], 'unexpected argument "quan-non"'),
        (["perft", "--depth", "-1"], "depth: expected 0 to 1000, got -1"),
        (["show"], "POSITION requires an argument"),
        (["show", "start", "--lang", "fr"], "lang: expected one of en, vi, got 'fr'"),
        (["show", "nonsense"], 'expected a number at column 1, got "n" in "nonsense"'),
        (["show", "5\n5"], 'expected "." at column 2'),
        (["show", START.replace("5.", "300.")], "square a1: expected 0 to 255 pebbles, got 300; square a2: "),
        (["trace", "start"], "MOVE requires an argument"),
        (["trace", "start", "b1+"], "illegal move b1+: it is side a's turn (position "),
        (["trace", "start", "a6+"], "illegal move a6+: side a has squares 1 to 5 (position "),
        (["trace", "start", "nonsense"], "at column 1"),
        (["trace", FINISHED, "a1+"], "illegal move a1+: the game is over (mandarins) (position "),
        (["bench", "--repeat", "0"], "repeat: expected 1 to 1000, got 0"),
        (["show", b"\xff".decode(errors="surrogateescape")], "expected UTF-8 text"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_arguments_exit_with_2_and_one_line(arguments: list[str], message: str):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("oanquan: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")


@POSIX
@pytest.mark.parametrize("form", ["table", "json"])
def test_ctrl_c_prints_what_was_done_so_far(form: str):
    arguments = ["simulate", "--games", str(10**15), "--seed", "5", *(["--json"] if form == "json" else [])]
    with subprocess.Popen(
        [*OANQUAN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        text, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    if form == "json":
        report = json.loads(text)
        assert shape(report) == REPORT
        assert report["interrupted"]
        assert report["games_asked_for"] == 10**15
        done = report["games"]
        assert sum(report["wins"].values()) + report["draws"] == done
    else:
        done = int(text.split()[0].replace(",", ""))
        assert "interrupted: 1,000,000,000,000,000 games were asked for\n" in text
        assert "| won by side a " in text
    assert done > 0


@POSIX
def test_ctrl_c_ends_a_long_perft():
    with subprocess.Popen(
        [*OANQUAN, "perft", "--depth", "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("perft 0: 1 (")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")


@POSIX
@pytest.mark.parametrize(
    "arguments", [["rules"], ["show", "start"], ["perft", "-d", "9"], ["--help"], ["simulate"]], ids=" ".join
)
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]):
    with subprocess.Popen([*OANQUAN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("arguments", [["rules"], ["show", "start"]], ids=" ".join)
def test_a_full_disk_is_one_line(arguments: list[str]):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*OANQUAN, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert re.fullmatch("oanquan: cannot write the output: .*\n", done.stderr)


@POSIX
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("arguments", [["--help"], ["rules", "quan-non"], ["show", START]])
def test_a_terminal_that_cannot_show_every_letter(encoding: str, arguments: list[str]):
    environment = ENVIRONMENT | {"PYTHONIOENCODING": encoding}
    done = subprocess.run([*OANQUAN, *arguments], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding)


@POSIX
def test_a_closed_standard_output_is_told_by_the_exit_code():
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *OANQUAN, "show", "start"], check=False)
    assert done.returncode == 1


@POSIX
@pytest.mark.parametrize("moment", [0.05, 0.1, 0.15])
def test_ctrl_c_is_quiet_from_the_beginning(moment: float):
    interrupted = "import os, signal, threading; threading.Timer({}, os.kill, (os.getpid(), signal.SIGINT)).start(); "
    call = "import sys; from oanquan.cli import main; sys.exit(main(['simulate', '--games', '1000000000']))"
    code = call.replace("sys.exit", interrupted.format(moment) + "sys.exit")
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (130, "")


def test_progress_is_drawn_on_standard_error_if_that_is_a_terminal():
    ours, theirs = os.openpty()
    command = [*OANQUAN, "simulate", "--games", "3000000", "--threads", "1", "--json"]
    environment = {**ENVIRONMENT, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        os.close(theirs)
        drawn = b""
        with contextlib.suppress(OSError):  # how a terminal says that its other end is closed
            while part := os.read(ours, 4096):
                drawn += part
        os.close(ours)
        assert process.stdout is not None
        assert json.loads(process.stdout.read())["games"] == 3_000_000
    assert process.returncode == 0
    assert b"/3000000" in drawn


# ---- what it costs to import -------------------------------------------------------------------------------


def test_a_bare_import_needs_the_standard_library_only():
    code = """
        import sys

        class Blocker:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] not in {*sys.stdlib_module_names, "oanquan"}:
                    raise ImportError(f"{name} is not of the standard library")

        sys.meta_path.insert(0, Blocker())
        import oanquan
        import oanquan.reference

        position = oanquan.Position.start().play("a3+")
        assert position.key == oanquan.reference.Position.start(oanquan.Rules()).play("a3+").key
        assert oanquan.simulate(10).games == 10
        assert oanquan.board_text(position)
        assert not {"cyclopts", "rich"} & sys.modules.keys()
        """
    subprocess.run([sys.executable, "-I", "-c", textwrap.dedent(code)], check=True)


def test_the_command_starts_without_what_it_does_not_use():
    code = """
        import sys
        from oanquan.cli import main

        assert main(["--version"]) == 0
        rooms = ("oanquan.cli.", "oanquan.reference", "rich.progress")
        loaded = {name for name in sys.modules if name.startswith(rooms)}
        assert loaded == {"oanquan.cli.app", "oanquan.cli.status"}, loaded
        """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, stdout=subprocess.DEVNULL)
