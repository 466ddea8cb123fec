"""`oanquan ugi` as clients have it: a process, what is sent to it, what it answers."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import oanquan as oaq
from oanquan import _core, board_text
from support.command import ENVIRONMENT, OANQUAN, run
from support.talk import PATIENCE, Talk, seconds, unheard
from test_frames import games

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes as POSIX has them")
ENDED = "position fen 0.1.0.0.0.0/0.0.0.2.0.0 30q1/17q1 - a 40 mandarins"


def piped(text: str | bytes, *arguments: str) -> list[str]:
    """The lines that are answered to an input that then ends."""
    raw = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run(
        [*OANQUAN, "ugi", *arguments], input=raw, capture_output=True, timeout=PATIENCE, check=True, env=ENVIRONMENT
    )
    assert done.stderr == b""
    return done.stdout.decode().splitlines()


# ---- what is asked and answered --------------------------------------------------------------------------------------


def test_the_engine_introduces_itself():
    lines = piped("ugi\n")
    assert lines[:2] == [f"id name oanquan {oaq.__version__}", "id author The oanquan developers"]
    assert lines[-1] == "ugiok"
    options = [re.fullmatch(r"option name (\w+) type (string|spin) default (\S+)( .*)?", line) for line in lines[2:-1]]
    told = [(option[1], option[3].replace("<empty>", "")) for option in options if option]
    assert told == [(name, default) for name, default, *_ in _core.protocol_options()]


@pytest.mark.parametrize("rules", [name for name, preset in oaq.PRESETS.items() if preset.rules.sides == 2])
def test_games_come_out_as_they_do_in_the_core(rules: str):
    draw = random.Random(rules)
    with Talk("ugi") as engine:
        for number in range(3):
            game = oaq.Game(oaq.Rules.preset(rules), repetition=3, max_plies=60)
            engine.send("uginewgame", f"setoption name Rules value {rules}", "setoption name MaxPlies value 60")
            while not game.is_over:
                game.push(draw.choice(game.position.legal_moves))
                moves = " ".join(map(str, game.moves))
                engine.send(f"position startpos moves {moves}")
                if number == 0:
                    text = str(game.start) if len(game.moves) % 2 else f"{game.start}   "
                    engine.send(f"position   fen {text}  moves {moves}")
                assert engine.ask("query p1turn") == f"response {str(game.position.turn == 'a').lower()}"
                assert engine.ask("query gameover") == f"response {str(game.is_over).lower()}"
            assert game.outcome is not None
            result = {"a": "p1win", "b": "p2win", None: "draw"}[game.outcome.winner]
            assert engine.ask("query result") == f"response {result}"
            assert engine.ask("go depth 3") == "bestmove none"


def test_the_board_is_that_of_the_package():
    lines = piped("position startpos moves a1+\nshow\n")
    position = oaq.Position.start().play("a1+")
    assert lines[:-2] == [line for line in board_text(position, ascii=True).splitlines() if line]
    assert lines[-2:] == ["rules   mancala-world", f"text    {position}"]
    lines = piped(f"{ENDED}\nshow\n")
    ended = oaq.Position.parse(ENDED.removeprefix("position fen "), oaq.Rules())
    assert lines[:-2] == [line for line in board_text(ended, ascii=True).splitlines() if line]
    owing = "0.2.0.2.0.0/1.0.0.0.0.5q1 25/30q1 a>b:3 a 41"
    lines = piped(f"position fen {owing}\nshow\n")
    drawn = board_text(oaq.Position.parse(owing, oaq.Rules()), ascii=True)
    assert lines[:-2] == [line for line in drawn.splitlines() if line]


def test_the_board_of_any_position_is_that_of_the_package():
    two_sides = [(position, action) for position, action in games(41, 120) if position.rules.sides == 2]
    positions = [place for position, action in two_sides for place in (position, position.play(action))]
    assert any(position.debts for position in positions)
    assert any(position.is_over for position in positions)
    asked = [f"setoption name Rules value {p.rules}\nposition fen {p}\nshow\n" for p in positions]
    boards = [board_text(p, ascii=True) + f"\nrules   {p.rules}\ntext    {p}" for p in positions]
    assert piped("".join(asked)) == [line for board in boards for line in board.splitlines() if line]


def test_perft_is_that_of_the_package():
    position = oaq.Position.start(oaq.Rules.preset("tonkin")).play("a3+")
    *counts, total = piped("setoption name Rules value tonkin\nposition startpos moves a3+\nperft 5\n")
    assert counts == [f"{move} {count}" for move, count in oaq.divide(position, 5).items()]
    assert total == f"nodes {oaq.perft(position, 5)}"


def test_a_search_is_that_of_the_package():
    lines = piped("setoption name MultiPV value 3\nposition startpos moves a1+\ngo depth 8\n")
    game = oaq.Game()
    game.push("a1+")
    analysis = oaq.search(game, depth=8, lines=3)
    assert lines[-1] == f"bestmove {analysis.best}"
    assert re.search(r"^info depth 8 .* nodes \d+ time \d+ nps \d+ hashfull \d+ pv b", lines[-2])
    for line, told in zip(analysis.lines, lines[-5:-2], strict=True):
        found = re.search(r"multipv (\d) score cp (-?\d+) .* pv (.*)$", told)
        assert found is not None
        assert int(found[2]) == round(100 * line.score)
        assert found[3] == " ".join(map(str, line.moves))


def test_endgame_tables_are_asked(tmp_path: Path):
    path = tmp_path / "a table.oaq"
    oaq.Tables.build(path, pebbles=4)
    ask = "position fen 0.1.0.0.1.0/0.0.1.0.0.0q1 26/31q1 - a 30\ngo depth 1\n"
    settled = re.compile(r"info string proven: the player to move ends up [+-]\d+ points")
    assert not any(map(settled.match, piped(ask)))
    assert any(map(settled.match, piped(f"setoption name Tables value {path}\n{ask}")))
    # By rules that the table does not serve it is not asked.
    other = "setoption name Rules value immature_below=3\n"
    assert not any(map(settled.match, piped(f"{other}setoption name Tables value {path}\n{ask}")))


@pytest.mark.parametrize("agent", ["random", "greedy", "cautious", "search:depth=2", "mcts:simulations=30"])
def test_agents_play_as_they_do_in_the_core(agent: str):
    lines = piped(f"setoption name Agent value {agent}\nsetoption name Seed value 5\nposition startpos\ngo\n")
    assert re.fullmatch(r"info nodes 0 time \d+ nps 0", lines[0])
    openings = oaq.simulate(1, agents=[agent, agent], seed=5).openings
    assert [lines[1]] == [f"bestmove {opening.move}" for opening in openings if opening.games]


@pytest.mark.parametrize(
    ("go", "least", "most"),
    [
        ("go movetime 200", 0.15, 0.6),
        ("go p1time 2000 p2time 1 p1inc 0 p2inc 0", 0.01, 0.6),
        ("go p1time 1 p2time 100000 p1inc 0 p2inc 0", 0.0, 0.4),
        ("go p1time 60 p2time 60000 p1inc 60000 p2inc 0", 0.0, 0.4),
    ],
)
def test_time_limits_hold(go: str, least: float, most: float):
    with Talk("ugi") as engine:
        engine.send("isready")
        engine.until("readyok")
        begun = time.perf_counter()
        engine.send(go)
        engine.until("bestmove")
        assert least <= seconds(begun) <= most


def test_a_game_by_the_clock_never_runs_out():
    with Talk("ugi") as engine:
        engine.send("isready")
        engine.until("readyok")
        game, left = oaq.Game(), {"a": 0.5, "b": 0.5}
        while not game.is_over:
            clocks = f"p1time {left['a'] * 1000:.0f} p2time {left['b'] * 1000:.0f} p1inc 10 p2inc 10"
            moves = f" moves {' '.join(map(str, game.moves))}" if game.moves else ""
            begun, turn = time.perf_counter(), game.position.turn
            engine.send(f"position startpos{moves}", f"go {clocks}")
            best = engine.until("bestmove")[-1]
            left[turn] += 0.01 - seconds(begun)
            game.push(best.removeprefix("bestmove "))
        assert min(left.values()) > 0


def test_two_engines_play_a_match_and_agree(figure: Callable[[str], None]):
    """In the order of commands in which the runner cutegames plays: both are asked about everything."""
    rules = [name for name, preset in oaq.PRESETS.items() if preset.rules.sides == 2]
    begun, plies, results = time.perf_counter(), 0, set()
    with Talk("ugi") as first, Talk("ugi", "--option", "Agent=cautious") as second:
        for number in range(100):
            name = rules[number % len(rules)]
            for engine in (first, second):
                engine.send(f"setoption name Rules value {name}", "isready", "uginewgame")
                engine.until("readyok")
            game = oaq.Game(oaq.Rules.preset(name))
            game.push(game.position.legal_moves[number % 5])
            while True:
                position = f"position startpos moves {' '.join(map(str, game.moves))}"
                told = [engine.ask(position, "query gameover") for engine in (first, second)]
                assert told == [f"response {str(game.is_over).lower()}"] * 2
                if game.is_over:
                    break
                mover = (first, second)[(game.position.turn == "b") ^ number % 2]
                mover.send("go nodes 300")
                [best] = [line.split() for line in mover.until("bestmove") if line.startswith("bestmove")]
                assert len(best) == 2
                game.push(best[1])
            assert game.outcome is not None
            result = {"a": "p1win", "b": "p2win", None: "draw"}[game.outcome.winner]
            assert [engine.ask("query result") for engine in (first, second)] == [f"response {result}"] * 2
            results.add(result)
            plies += len(game.moves)
        assert first.end() == second.end() == (0, [])
    assert results >= {"p1win", "p2win"}
    figure(f"ugi: 100 games of two engines, {plies:,} plies in {seconds(begun):.1f} s, no mismatch of a result")


# ---- stop, quit, the end ---------------------------------------------------------------------------------------------


def test_a_stop_is_answered_within_50_milliseconds(figure: Callable[[str], None]):
    times = []
    with Talk("ugi") as engine:
        engine.send("setoption name Hash value 256", "setoption name Threads value 2", "isready")
        engine.until("readyok")
        for round_ in range(30):
            engine.send("go infinite")
            if round_ % 2:
                engine.until("info depth 9 ")
            begun = time.perf_counter()
            engine.send("stop")
            assert engine.until("bestmove")[-1].startswith("bestmove a")
            times.append(seconds(begun))
    times.sort()
    figure(f"ugi: a stop is answered after {1000 * times[15]:.1f} ms (median), {1000 * times[-1]:.1f} ms (most of 30)")
    assert times[22] < 0.05, times  # other processes may have the processor now and then


def test_three_commands_only_while_thinking():
    with Talk("ugi") as engine:
        engine.send("go infinite", "position startpos moves a1+", "isready")
        told = engine.until("readyok")
        assert (
            'info string error: expected isready, stop or quit while thinking, got "position"' in told
        )  # isready is answered, the position refused
        engine.send("stop")
        assert engine.until("bestmove")[-1].startswith("bestmove a")
        assert engine.ask("query p1turn") == "response true"
        assert engine.end() == (0, [])


@pytest.mark.parametrize("ending", ["quit", ""])
def test_quit_and_the_end_of_the_input_end_the_process(ending: str):
    with Talk("ugi") as engine:
        engine.send("go infinite")
        engine.until("info depth 3 ")
        if ending:
            engine.send(ending)
        begun = time.perf_counter()
        code, rest = engine.end()
        assert code == 0
        assert rest[-1].startswith("bestmove ")
        assert seconds(begun) < 1


@POSIX
def test_ctrl_c_ends_the_process():
    with Talk("ugi") as engine:
        engine.send("isready")
        engine.until("readyok")
        engine.process.send_signal(signal.SIGINT)
        assert engine.process.wait(PATIENCE) == -signal.SIGINT
        assert engine.errors() == ""


@POSIX
@pytest.mark.parametrize("commands", [b"isready\n" * 10000, b"go depth 100\n"], ids=["isready", "go"])
def test_nobody_listens_any_more(commands: bytes):
    # The engine notices at its next answer, and the process ends with the next command.
    assert unheard(commands + b"isready\n" * 2, "ugi") == (1, b"")


@POSIX
@pytest.mark.parametrize(("closed", "code"), [("<&-", 0), (">&-", 0), ("2>&-", 0)])
def test_streams_that_are_closed_from_the_start(closed: str, code: int):
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *OANQUAN, "ugi"]
    done = subprocess.run(command, input=b"isready\nquit\n", capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (code, b"")


# ---- anything at all -------------------------------------------------------------------------------------------------


def test_a_line_of_10_megabytes_is_dropped_and_memory_is_bounded():
    long = b"position startpos moves " + b"a1+ " * 2_500_000 + b"\n"
    with Talk("ugi") as engine:
        engine.send("isready")
        engine.until("readyok")
        before = _most_memory(engine.process.pid)
        for _ in range(10):
            engine.send_bytes(long)
            dropped = f"expected a line of at most 1048576 bytes, got one of {len(long) - 1}"
            assert engine.ask() == f"info string error: {dropped}"
        assert engine.ask("query p1turn") == "response true"
        assert _most_memory(engine.process.pid) - before < 8 << 20
        assert engine.end() == (0, [])


def _most_memory(process: int) -> int:
    """The most memory that a process has had, in bytes; 0 where the system does not say."""
    status = Path(f"/proc/{process}/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8")) if status.exists() else None
    return int(found[1]) << 10 if found else 0


def test_any_bytes_are_survived():
    draw = random.Random(5)
    garbage = b"\n".join(draw.randbytes(draw.randrange(200)) for _ in range(2000)) + b"\nstop\nisready\n"
    lines = piped(garbage)
    assert lines[-1] == "readyok"
    assert all(line.startswith("info string error: ") for line in lines[:-1])
    assert all(line.isprintable() for line in lines)


def test_lines_end_as_on_any_system():
    assert piped(b"\xef\xbb\xbf\r\nposition startpos moves a1+\r\n\r\n  query\tp1turn \r\nisready")[1:] == [
        "response false",
        "readyok",
    ]
    assert piped("\0isready\nisready\n") == [
        r'info string error: expected a command, of which help has a list, got "\0isready"',
        "readyok",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("position startpos moves a1+ b1+", "illegal move b1+: square b1 is empty"),
        ("position fen 5.5", "expected "),
        ("setoption name Rules value sides=3", "Rules: expected rules of two sides, got"),
        ("setoption name Agent value nobody", "Agent: expected random, greedy, cautious"),
        ("setoption name Tables value nothing", "Tables: expected the file of an endgame table ("),
        ("go depth 1.5", 'expected a number of 0 or more after depth, got "1.5"'),
        ("query winner", "expected p1turn, gameover or result after query"),
        ("xyzzy", "expected a command, of which help has a list"),
    ],
)
def test_what_is_wrong_is_told_and_changes_nothing(line: str, message: str):
    with Talk("ugi") as engine:
        engine.send("setoption name Rules value bankrupt", "position startpos moves a1+", "show")
        before = engine.until("text")
        assert engine.ask(line).startswith(f"info string error: {message}")
        engine.send("show")
        assert engine.until("text") == before


# ---- the command -----------------------------------------------------------------------------------------------------


def test_options_of_the_command():
    options = ["--option", "Rules=squares=3,pebbles=2", "-o", "Agent=greedy"]
    lines = piped("show\ngo movetime 1000\n", *options)
    assert "rules   squares=3,pebbles=2" in lines
    assert lines[-2].startswith("info nodes 0 ")
    for wrong, message in [
        ("Rules", '--option: expected NAME=VALUE, got "Rules"'),
        ("Hash=0", 'Hash: expected a number of 1 to 65536, got "0"'),
        ("Colour=red", "expected an option of Rules, MaxPlies, "),
    ]:
        done = run("ugi", "--option", wrong)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"oanquan: {message}")
        assert done.stderr.count("\n") == 1


@POSIX
def test_the_engine_starts_within_100_milliseconds(figure: Callable[[str], None]):
    import resource  # noqa: PLC0415  (POSIX has it)

    def spent() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    times, work = [], []
    for _ in range(12):
        begun, before = time.perf_counter(), spent()
        with Talk("ugi") as engine:
            engine.send("ugi")
            engine.until("ugiok")
            times.append(seconds(begun))
        work.append(spent() - before)
    what = f"{1000 * min(times):.0f} ms, of the processor {1000 * min(work):.0f} ms (least of 12)"
    figure(f"ugi: from the start of the process to ugiok {what}")
    assert min(work) < 0.1, work  # other processes may have the processor meanwhile


def test_nothing_is_loaded_that_an_engine_does_not_need():
    code = "import sys; from oanquan.cli import main; main(['ugi']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, check=True)
    loaded = set(done.stderr.decode().split())
    assert "oanquan._core" in loaded
    assert not loaded & {"cyclopts", "rich", "numpy", "oanquan.cli.app"}


def test_other_threads_of_python_run_meanwhile():
    code = """
        import sys, threading, time
        from oanquan import _core
        ticks = []
        def tick():
            while not ticks or ticks[-1]:
                ticks.append(1)
                time.sleep(0.01)
        threading.Thread(target=tick, daemon=True).start()
        _core.serve_ugi([])
        print(len(ticks), file=sys.stderr)
    """
    lines = [line[8:] for line in code.strip("\n").splitlines()]
    with subprocess.Popen(
        [sys.executable, "-c", "\n".join(lines)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        timer = threading.Timer(2, lambda: process.stdin and process.stdin.close())
        timer.start()
        timer.join()
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert int(process.stderr.read()) > 20
