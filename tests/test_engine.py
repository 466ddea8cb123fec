"""Engines driven through the Universal Game Interface: what they say, and every way in which they fail."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

import oanquan as oaq
from oanquan import Game, OanquanError, Position, Rules
from oanquan.engine import (
    OANQUAN,
    EngineError,
    EngineProtocolError,
    EngineTerminatedError,
    EngineTimeoutError,
    Info,
    Limit,
    SimpleEngine,
)
from oanquan.engine.talking import Talk
from support.engines import rules_of

FAKE = [sys.executable, str(Path(__file__).parent / "support" / "fake_engine.py")]
SHORT = Limit(time=0.1)
posix = pytest.mark.skipif(sys.platform == "win32", reason="processes as POSIX has them")


def fake(way: str = "", *, hurry: float = 20, **settings: Any) -> SimpleEngine:
    """The fake engine, failing in that way; `hurry` is its time-out when it has started, which may take its time."""
    engine = SimpleEngine.popen([*FAKE, way], **{"timeout": 20, "grace": 0.4, **settings})
    engine._engine._talk.timeout = hurry
    return engine


def engines_left() -> list[psutil.Process]:
    """Fake engines that this process has; other tests may have left children of their own."""
    left = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if FAKE[-1] in child.cmdline() or child.status() == psutil.STATUS_ZOMBIE:
                left.append(child)
    return left


def wait_until(what: Any, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


# ---- a well-behaved engine -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["mancala-world", "quan-non", "tonkin", "squares=3,pebbles=2"])
def test_a_game_is_played_to_its_end(rules: str) -> None:
    game = Game(Rules.parse(rules))
    with fake() as engine:
        while not game.is_over:
            assert engine.query("p1turn", game) == (game.position.turn == "a")
            assert engine.query("gameover") is False
            assert engine.query("result") == "none"
            game.push(engine.play(game, Limit(depth=1)).move)
        assert engine.query("gameover", game) is True
        winner = game.outcome.winner if game.outcome else None
        assert engine.query("result") == {"a": "p1win", "b": "p2win", None: "draw"}[winner]
        with pytest.raises(OanquanError, match="expected one that goes on, got one that is over"):
            engine.play(game, SHORT)
    assert engine.exit_code == 0


def test_what_an_engine_is_told() -> None:
    """Settings go before the position that they are for, and only when they change."""
    small = Rules(squares=2, pebbles=2)
    game = Game(small, max_plies=50, repetition=None)
    game.push("a1+")
    with fake("echo") as engine:
        engine.play(Position.start(), Limit(clocks=(60, 0.0001), increments=(0, 1.5)))
        engine.play(game, Limit(nodes=7))
        engine.analyse(game.position, Limit(time=0.25))
        engine.new_game()
        engine.configure({"hash": 64, "Clear": None, "Ponder": True, "Style": "Bold", "Book File": ""})
        engine.ping()
    assert engine.stderr.splitlines() == [
        *("ugi", "isready"),
        *("position startpos", "isready", "go p1time 60000 p2time 1 p1inc 0 p2inc 1500"),
        *(f"setoption name Rules value {small}", "setoption name MaxPlies value 50"),
        *("setoption name Repetition value 0", "position startpos moves a1+", "isready", "go nodes 7"),
        *("setoption name MaxPlies value 1000", "setoption name Repetition value 3"),
        *(f"position fen {game.position}", "isready", "go movetime 250"),
        *("uginewgame", "isready"),
        *("setoption name Hash value 64", "setoption name Clear", "setoption name Ponder value true"),
        *("setoption name Style value Bold", "setoption name Book File value <empty>", "isready"),
        *("isready", "quit"),
    ]


def test_what_an_engine_says_of_itself() -> None:
    with fake(options={"Hash": 32}) as engine:
        assert engine.id == {"name": "Fake of Hanoi", "author": "the tests"}
        assert engine.name == "Fake of Hanoi"
        kinds = {name: (option.type, option.default) for name, option in engine.options.items()}
        assert kinds == {
            "Rules": ("string", "mancala-world"),
            "MaxPlies": ("spin", 1000),
            "Repetition": ("spin", 3),
            "Hash": ("spin", 16),
            "Ponder": ("check", False),
            "Style": ("combo", "Very Calm"),
            "Clear": ("button", None),
            "Book File": ("string", ""),
        }
        assert engine.options["Style"].var == ("Very Calm", "Bold")
        assert f"pid={engine.pid} running" in repr(engine)
        assert psutil.pid_exists(engine.pid)
    assert repr(engine) == f"<SimpleEngine 'Fake of Hanoi' pid={engine.pid} ended with 0>"


def test_what_an_engine_says_of_a_search() -> None:
    heard: list[Info] = []
    with fake("lines") as engine:
        result = engine.play(Game(), Limit(depth=2), on_info=heard.append)
    first, second = Position.start().legal_moves[:2]
    assert [info.depth for info in heard] == [1, None, 1, 2, None]
    assert heard[0] == Info(depth=1, score=0.5, bound="lower", multipv=1, line=(first,))
    other = Info(depth=1, score=-0.2, multipv=2, line=(second,))
    best = Info(depth=2, score=1.0, nodes=5, time=0.001, nps=5000, multipv=1, line=(first,), text="thinking hard")
    assert result.info == oaq.engine.Info(**{**vars(best), "others": (other,)})
    assert 0 <= result.seconds < 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"Hash": 0}, "option Hash: expected 1 to 1024, got 0"),
        ({"Hash": True}, "option Hash: expected 1 to 1024, got True"),
        ({"Hash": 12, "Ponder": 1}, "option Ponder: expected True or False, got 1"),
        ({"Style": "Wild"}, "option Style: expected one of Very Calm, Bold, got Wild"),
        ({"Clear": 3}, "option Clear: expected None, as a button has no value, got 3"),
        ({"Book File": "a\nquit"}, "option Book File: expected a text of one line, got a\nquit"),
        ({"Book File": "\ud800"}, "option Book File: expected a text of one line"),
        ({"rules": "quan-non"}, "expected no Rules among its options, which follows from the game"),
        ({"Fish": 1}, "expected options among Rules, MaxPlies, .*, got Fish"),
    ],
)
def test_options_that_cannot_be_set(options: dict[str, Any], message: str) -> None:
    """Nothing is sent."""
    with fake("echo") as engine, pytest.raises(OanquanError, match=message):
        engine.configure(options)
    assert "setoption" not in engine.stderr


def test_files_as_options() -> None:
    with fake("echo") as engine:
        engine.configure({"Book File": Path("sách") / "khai cuộc"})
        engine.configure({"Book File": os.fsdecode(b"\xff.book")})
    sent = [line for line in engine.stderr.splitlines() if "Book" in line]
    assert sent == [f"setoption name Book File value {Path('sách') / 'khai cuộc'}", sent[1]]


def test_what_an_engine_refuses() -> None:
    with fake() as engine:
        with pytest.raises(EngineError, match="engine Fake of Hanoi: refused: Hash: expected luck, got 13"):
            engine.configure({"Hash": 13})
        assert engine.play(Game(), SHORT).move
    with pytest.raises(EngineError, match="expected luck"):
        fake(options={"Hash": 13})


def test_settings_are_sent_again_after_a_refusal() -> None:
    with fake("refuses") as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match="refused: expected another game"):
                engine.play(Game(rules_of("quan-non")), SHORT)
        with pytest.raises(OanquanError, match="expected a game with its first question"):
            engine.query("result")


def test_what_cannot_be_asked() -> None:
    with fake() as engine:
        with pytest.raises(OanquanError, match="expected one of two sides, got 3"):
            engine.play(Game(Rules(sides=3)), SHORT)
        with pytest.raises(OanquanError, match="max_plies"):
            engine.query("result", Game(max_plies=0))
        with pytest.raises(TypeError, match="expected a Game or a Position, got str"):
            engine.play("a1+", SHORT)  # type: ignore[arg-type]
        with pytest.raises(OanquanError, match="question: expected p1turn, gameover, result, got 'score'"):
            engine.query("score")  # type: ignore[call-overload]
        assert engine.is_running


# ---- engines that fail -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "kind", "message", "running"),
    [
        ("crash", EngineTerminatedError, r"has ended \(exit code 101\); its last words: thread panicked", False),
        ("loud_crash", EngineTerminatedError, r"exit code 1\); its last words: the end", False),
        ("closes_output", EngineTerminatedError, r"got one that closed its output", False),
        ("closes_input", EngineTerminatedError, r"got one that closed its input", False),
        ("illegal", EngineProtocolError, r"expected bestmove and one of a1\+, .*, got 'bestmove b1\+'", True),
        ("two_moves", EngineProtocolError, r"got 'bestmove a1\+ a1\+'", True),
        ("no_move", EngineProtocolError, r"got 'bestmove'", True),
        ("refuses", EngineError, "refused: expected another game", True),
    ],
)
def test_searches_that_fail(way: str, kind: type[EngineError], message: str, running: bool) -> None:
    with fake(way, grace=20) as engine:
        with pytest.raises(kind, match=message) as caught:
            engine.play(Game(), SHORT)
        assert type(caught.value) is kind
        assert engine.is_running == running
        again = pickle.loads(pickle.dumps(caught.value))
        assert (type(again), vars(again), again.args) == (kind, vars(caught.value), caught.value.args)
        if not running:
            with pytest.raises(EngineTerminatedError):
                engine.ping()
    assert len(caught.value.stderr) <= 4096


@pytest.mark.parametrize("limit", [SHORT, Limit(clocks=(0.1, 60))], ids=str)
@pytest.mark.parametrize(
    ("way", "got", "running"),
    [
        ("late", "it after 0.[6-9]", True),
        ("slow", "it after 0.[5-9]", True),
        ("stubborn", "none, and killed it", False),
    ],
)
def test_searches_that_overrun(way: str, got: str, running: bool, limit: Limit) -> None:
    with fake(way) as engine:
        begun = time.monotonic()
        wanted = f"expected bestmove within 0.1 s and 0.4 s of grace, got {got}"
        with pytest.raises(EngineTimeoutError, match=wanted):
            engine.play(Game(), limit)
        assert time.monotonic() - begun < 5
        wait_until(lambda: engine.is_running == running)
        if running:
            assert engine.query("p1turn", Game()) is True


def test_the_grace_is_given() -> None:
    with fake("late", grace=20) as engine:
        assert 0.6 <= engine.play(Game(), SHORT).seconds < 20


@pytest.mark.parametrize("limit", [Limit(depth=3), Limit(time=60), Limit(infinite=True)], ids=str)
def test_an_engine_that_has_hung_is_found_out(limit: Limit) -> None:
    with fake("dull", hurry=0.8) as engine:
        with pytest.raises(EngineTimeoutError, match=r"expected a sign of life in a search within 0.8 s, got none"):
            engine.play(Game(), limit)
        assert not engine.is_running


def test_a_long_search_that_shows_signs_of_life_goes_on() -> None:
    with fake("slow", hurry=0.5) as engine:
        threading.Timer(1.6, engine.stop).start()
        assert engine.play(Game(), Limit(depth=30)).seconds > 1.5


def test_an_engine_that_refuses_to_search_is_not_waited_for() -> None:
    with fake("refuses_to_search", hurry=0.5) as engine, pytest.raises(EngineError, match="a better position"):
        engine.play(Game(), Limit(depth=30))


@pytest.mark.parametrize("way", ["garbage", "huge", "stderr"])
def test_noise_is_not_listened_to(way: str) -> None:
    with fake(way, grace=20) as engine:
        for _ in range(2):
            result = engine.play(Game(), SHORT)
            assert result.move == Position.start().legal_moves[0]
            assert (result.info.depth, result.info.nodes) == (2, 20)
        wait_until(lambda: way != "stderr" or engine.stderr.endswith("last words\n"))
        assert len(engine.stderr) <= 4096


def test_a_move_too_many_is_the_fault_of_the_next_call() -> None:
    with fake("twice") as engine:
        engine.play(Game(), SHORT)
        engine.ping()
        with pytest.raises(EngineProtocolError, match="expected no bestmove that was not asked for") as caught:
            engine.new_game()
        assert caught.value.line == "bestmove a1+"


def test_a_bad_response() -> None:
    with fake("bad_response") as engine, pytest.raises(EngineProtocolError, match="true or false") as caught:
        engine.query("p1turn", Game())
    assert caught.value.line == "response perhaps not"


@pytest.mark.parametrize(
    ("way", "kind", "message"),
    [
        ("silent", EngineTimeoutError, "expected ugiok within 0.5 s, got none"),
        ("no_ugiok", EngineTimeoutError, "expected ugiok within 0.5 s, got none"),
        ("flood_of_options", EngineTimeoutError, "expected ugiok"),
        ("crash_at_once", EngineTerminatedError, "exit code 7.*out of pebbles"),
        ("bad_option", EngineProtocolError, "option name type spin"),
    ],
)
def test_engines_that_do_not_begin(way: str, kind: type[EngineError], message: str) -> None:
    with pytest.raises(kind, match=message):
        fake(way, timeout=20 if "bad" in way or "crash" in way else 0.5)
    assert not engines_left()


@pytest.mark.parametrize("command", ["", [], "'", ["no-such-program"], [str(Path(__file__))], ["a\0b"], [""]])
def test_commands_that_are_none(command: Any) -> None:
    with pytest.raises(EngineError, match=r"^engine: expected a (command|program)"):
        SimpleEngine.popen(command)


def test_an_engine_that_is_not_ready_is_killed() -> None:
    game = Game()
    game.push("a1+")
    with fake("unready", hurry=0.5) as engine:
        with pytest.raises(EngineTimeoutError, match=r"expected readyok within 0.5 s, got none"):
            engine.play(game, SHORT)
        assert not engine.is_running


# ---- stopping --------------------------------------------------------------------------------------------------------


def test_a_search_is_stopped_from_another_thread() -> None:
    with fake() as engine:
        threading.Timer(0.2, engine.stop).start()
        assert engine.analyse(Game(), Limit(infinite=True)).depth == 2
        engine.stop()  # nothing to stop
        assert engine.play(Game(), SHORT).move


def test_a_search_is_stopped_by_what_listens_to_it() -> None:
    heard: list[int | None] = []
    threads = set()

    def listen(info: Info) -> None:
        heard.append(info.depth)
        threads.add(threading.get_ident())
        if info.depth == 20:
            engine.stop()

    with fake("chatty") as engine:
        assert engine.analyse(Game(), Limit(infinite=True), listen).depth == 2
    assert heard == [*range(1, 51), 2]
    assert threads == {threading.get_ident()}


def test_what_a_listener_raises_comes_out() -> None:
    def listen(info: Info) -> None:
        raise LookupError(info.depth)

    with fake("chatty") as engine:
        for _ in range(3):
            with pytest.raises(LookupError, match="1"):
                engine.analyse(Game(), Limit(infinite=True), listen)
        assert engine.query("gameover", Game()) is False


def test_an_engine_is_there_while_it_searches() -> None:
    with fake() as engine, ThreadPoolExecutor() as pool:
        search = pool.submit(engine.analyse, Game(), Limit(infinite=True))
        assert max(engine.ping() for _ in range(20)) < 5
        assert not search.done()
        wait_until(lambda: (engine.stop(), search.done())[1])


@posix
def test_ctrl_c_stops_the_search_and_leaves_the_engine() -> None:
    with fake() as engine:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            engine.play(Game(), Limit(infinite=True))
        assert engine.play(Game(), SHORT).move


def test_an_engine_that_is_killed_in_a_search() -> None:
    with fake() as engine:
        threading.Timer(0.2, engine.kill).start()
        with pytest.raises(EngineTerminatedError, match="was killed") as caught:
            engine.play(Game(), Limit(infinite=True))
        assert caught.value.exit_code == engine.exit_code
        if sys.platform != "win32":
            assert engine.exit_code == -signal.SIGKILL


def test_closing_in_a_search() -> None:
    engine = fake()
    threading.Timer(0.2, engine.close).start()
    with pytest.raises(EngineTerminatedError, match="was closed"):
        engine.play(Game(), Limit(infinite=True))


# ---- threads and processes -------------------------------------------------------------------------------------------


def test_threads_share_an_engine() -> None:
    """Each with rules of its own, which must not be mixed up."""
    sets = [rules_of(name) for name in ("mancala-world", "quan-non", "tonkin", "quan-five")] * 2

    def game_of(rules: Rules) -> Game:
        game = Game(rules, max_plies=12)
        while not game.is_over:
            game.push(engine.play(game, Limit(depth=1)).move)
            assert engine.query("gameover", game) == game.is_over
        return game

    with fake() as engine, ThreadPoolExecutor(8) as pool:
        for game in pool.map(game_of, sets):
            assert game.moves


@posix
def test_nothing_is_left_behind() -> None:
    own = psutil.Process()
    fake().close()  # what the first engine sets up for all
    wait_until(lambda: not engines_left())
    files, threads = own.num_fds(), own.num_threads()
    for way in ["", "crash", "closes_output", "stubborn", "immortal", "twice", "crash_at_once", "bad_option"] * 2:
        try:
            with fake(way) as engine:
                engine.play(Game(), SHORT)
        except EngineError:
            pass
    wait_until(lambda: own.num_fds() <= files and own.num_threads() <= threads)
    assert not engines_left()


@posix
def test_what_an_engine_started_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "child"
    with fake("family", env={**os.environ, "CHILD": str(note)}) as engine:
        engine.play(Game(), Limit(time=5))
        child = psutil.Process(int(note.read_text(encoding="ascii")))
        assert child.is_running()
    wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


@posix
def test_an_engine_does_not_outlive_its_program(tmp_path: Path) -> None:
    code = f"""
import oanquan as oaq
from oanquan.engine import SimpleEngine
engine = SimpleEngine.popen({[*FAKE, "immortal"]!r}, cwd={str(tmp_path)!r})
print(engine.pid, flush=True)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    wait_until(lambda: not psutil.pid_exists(int(run.stdout)))
    assert run.stderr == ""


def test_an_engine_that_nobody_closes() -> None:
    engines = [fake("immortal")]
    process = psutil.Process(engines[0].pid)
    with pytest.warns(ResourceWarning, match="unclosed engine <Engine 'Fake of Hanoi'"):
        engines.clear()
    wait_until(lambda: not process.is_running())


@posix
def test_a_forked_process_has_no_engine() -> None:
    with fake() as engine:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads
            pid = os.fork()
        if pid == 0:
            signal.alarm(20)  # rather than wait for ever
            try:
                engine.ping()
            except EngineError as error:
                os._exit(0 if "expected a call from process" in str(error) else 1)
            os._exit(2)
        assert os.waitpid(pid, 0)[1] == 0
        assert engine.ping() < 5


def test_the_ends_of_an_engine() -> None:
    engine = fake("three")
    assert engine.quit() == 3
    assert (engine.quit(), engine.exit_code, engine.is_running) == (3, 3, False)
    engine.close()
    engine.stop()
    engine.kill()
    with pytest.raises(EngineTerminatedError, match="expected an engine that runs, got one that was closed"):
        engine.play(Game(), SHORT)
    with fake("immortal", hurry=0.3) as engine, pytest.raises(EngineTimeoutError, match="expected its end"):
        engine.quit()


def test_closing_does_not_wait_for_an_engine_that_goes_on() -> None:
    engine = fake("immortal")
    begun = time.monotonic()
    engine.close()
    assert 0.9 < time.monotonic() - begun < 3
    assert not engine.is_running


# ---- this package's own engine ---------------------------------------------------------------------------------------


def test_two_engines_play_a_hundred_games() -> None:
    """By every preset of two sides; both say at every turn what our game says."""
    presets = [preset.rules for preset in oaq.PRESETS.values() if preset.rules.sides == 2]
    results = []
    with (
        SimpleEngine.popen(OANQUAN, options={"Agent": "random", "Seed": 7}) as one,
        SimpleEngine.popen(OANQUAN) as other,
    ):
        for number in range(100):
            game = Game(presets[number % len(presets)], max_plies=60 if number % 3 else 1000)
            players = (one, other) if number % 2 else (other, one)
            for engine in players:
                engine.new_game()
            while not game.is_over:
                player = players["ab".index(game.position.turn)]
                assert player.query("p1turn", game) == (game.position.turn == "a")
                assert player.query("gameover") is False
                game.push(player.play(game, Limit(depth=1)).move)
            assert game.outcome is not None
            result = {"a": "p1win", "b": "p2win", None: "draw"}[game.outcome.winner]
            for engine in players:
                assert engine.query("gameover", game) is True
                assert engine.query("result") == result
            results.append(result)
    assert {"p1win", "p2win"} <= set(results)


def test_how_soon_our_engine_stops(figure: Any) -> None:
    told: list[float] = []

    def stop() -> None:
        told.append(time.monotonic())
        engine.stop()

    times = []
    with SimpleEngine.popen(OANQUAN) as engine:
        for _ in range(10):
            threading.Timer(0.1, stop).start()
            engine.analyse(Game(), Limit(infinite=True))
            times.append(time.monotonic() - told[-1])
    figure(f"engine: a stop is answered after {1000 * sorted(times)[5]:.1f} ms (median of ten)")
    assert sorted(times)[5] < 0.2


def test_a_bare_import_does_not_import_engines() -> None:
    code = "import sys, oanquan; print('oanquan.engine' in sys.modules, 'asyncio' in sys.modules, oanquan.engine.Limit)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "False False <class 'oanquan.engine.limits.Limit'>\n"


def test_a_talk_needs_a_loop() -> None:
    with pytest.raises(RuntimeError):
        Talk(["engine"], None)
