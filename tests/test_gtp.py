"""`oanquan gtp` as clients have it: a process, what is sent to it, what it answers."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

import oanquan as oaq
from support.command import OANQUAN, run
from support.talk import PATIENCE, Talk, seconds, unheard

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes as POSIX has them")


class Gtp(Talk):
    """A process that speaks GTP."""

    def __init__(self, *arguments: str) -> None:
        super().__init__("gtp", *arguments)

    def gtp(self, *words: object) -> str:
        """The answer to a command, which must be obeyed, as a client reads it: up to the first empty line."""
        answer = self.answer(" ".join(map(str, words)))
        assert answer.startswith("="), answer
        return answer[1:].strip()

    def answer(self, command: str) -> str:
        """The whole answer to a command."""
        self.send(command)
        return "\n".join(iter(self.line, ""))


def test_what_a_client_asks_first():
    with Gtp() as engine:
        assert engine.gtp("protocol_version") == "2"
        assert engine.gtp("name") == "oanquan"
        assert engine.gtp("version") == oaq.__version__
        commands = engine.gtp("list_commands").splitlines()
        required = "boardsize clear_board genmove known_command komi list_commands name play protocol_version quit"
        assert set(required.split()) <= set(commands)
        for command in commands:
            assert engine.gtp("known_command", command) == "true"
        assert engine.gtp("known_command", "castle") == "false"
        assert engine.answer("17 castle").startswith("?17 unknown command")
        assert engine.answer("18 quit") == "=18"
        assert engine.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("rules", [name for name, preset in oaq.PRESETS.items() if preset.rules.sides == 2])
@pytest.mark.parametrize("names", ["bw", "ab"])
def test_a_game_goes_as_in_the_core(rules: str, names: str):
    draw = random.Random(rules + names)
    names_of = dict(zip("ab", names, strict=True))
    with Gtp("--option", "Agent=greedy") as engine:
        engine.gtp("oanquan-rules", rules)
        assert engine.gtp("oanquan-rules") == rules
        engine.gtp("clear_board")
        game = oaq.Game(oaq.Rules.preset(rules))
        while not game.is_over:
            assert engine.gtp("oanquan-moves").split() == [str(move) for move in game.position.legal_moves]
            name = names_of[game.position.turn]
            if draw.random() < 0.5:
                move = draw.choice(game.position.legal_moves)
                assert engine.gtp("play", name, move) == ""
                game.push(move)
            else:
                game.push(engine.gtp("genmove", name))
            if draw.random() < 0.2:
                engine.gtp("undo")
                game.pop()
            assert engine.gtp("oanquan-position") == str(game.position)
        assert game.outcome is not None
        points = "/".join(map(str, game.outcome.points))
        assert engine.gtp("oanquan-outcome") == f"{game.outcome.winner or 'draw'} {points} {game.outcome.ending}"
        if game.outcome.ending != "loses":
            margin = game.outcome.points[0] - game.outcome.points[1]
            score = "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin)}"
            assert engine.gtp("final_score") == score
        assert engine.end() == (0, [])


def test_the_board_is_that_of_the_package():
    with Gtp() as engine:
        engine.gtp("play", "b", "a3-")
        position = oaq.Position.start().play("a3-")
        board = engine.gtp("showboard").splitlines()
        drawn = [line for line in oaq.board_text(position, ascii=True).splitlines() if line]
        assert [line.strip() for line in board[:-2]] == [line.strip() for line in drawn]
        assert board[-1] == f"text    {position}"


def test_a_position_that_was_set_up_is_where_a_cleared_board_begins():
    text = "1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30"
    with Gtp("-o", "Rules=wikipedia-vi", "-o", "Agent=random") as engine:
        engine.gtp("oanquan-position", text)
        first = engine.gtp("genmove", "w")
        assert first.startswith("b")
        engine.gtp("clear_board")
        assert engine.gtp("oanquan-position") == text
        engine.gtp("oanquan-position", "start")
        engine.gtp("clear_board")
        assert engine.gtp("oanquan-position") == str(oaq.Position.start(oaq.Rules.preset("wikipedia-vi")))


@pytest.mark.parametrize(
    ("commands", "least", "most"),
    [
        (["oanquan-option MoveTime 300"], 0.25, 0.8),
        (["time_settings 0 1 5"], 0.02, 1.0),
        (["time_settings 3 0 0"], 0.02, 1.0),
        (["time_left b 1 2"], 0.02, 1.0),
        (["time_left b 0 0"], 0.0, 0.3),
        (["time_settings 0 0 0"], 0.0, 0.3),
    ],
)
def test_time(commands: list[str], least: float, most: float):
    with Gtp() as engine:
        for command in commands:
            engine.gtp(command)
        begun = time.perf_counter()
        assert engine.gtp("genmove", "b").startswith("a")
        assert least <= seconds(begun) <= most


def test_a_game_with_a_clock_of_its_own_never_runs_out():
    with Gtp() as engine:
        engine.gtp("time_settings", 2, 0, 0)
        begun, plies = time.perf_counter(), 0
        while engine.gtp("oanquan-outcome") == "none":
            engine.gtp("genmove", "bw"[plies % 2])
            plies += 1
        assert seconds(begun) < 4 + 0.02 * plies


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("play b a9+", "? illegal move: expected a square from 1 to 7"),
        ("play b a6+", "? illegal move a6+: side a has squares 1 to 5"),
        ("play w b1+", "? illegal move b1+: it is side a's turn"),
        ("play green a1+", "? syntax error: expected a colour, b or w, or a side, a or b"),
        ("genmove", "? syntax error: expected a colour"),
        ("genmove w", "? no move: expected genmove for side a"),
        ("undo", "? cannot undo"),
        ("boardsize 19", "? unacceptable size"),
        ("komi much", "? syntax error"),
        ("final_score", "? cannot score"),
        ("oanquan-rules sides=4", "? Rules: expected rules of two sides"),
        ("oanquan-position 5.5", "? expected "),
        ("oanquan-option", "? syntax error: expected"),
        ("oanquan-option Hash none", "? Hash: expected a number of 1 to 65536"),
    ],
)
def test_what_is_wrong_is_told_and_changes_nothing(command: str, message: str):
    with Gtp("-o", "Rules=bankrupt") as engine:
        before = engine.gtp("showboard")
        answer = engine.answer(command)
        assert answer.startswith(message), answer
        assert engine.gtp("showboard") == before


def test_anything_is_survived():
    draw = random.Random(7)
    garbage = b"\n".join(draw.randbytes(draw.randrange(200)) for _ in range(2000))
    long = b"play b " + b"a1+ " * 2_500_000
    raw = garbage + b"\n" + long + b"\n\x00\t5 na\x00me\r\n"
    done = subprocess.run([*OANQUAN, "gtp"], input=raw, capture_output=True, timeout=PATIENCE, check=True)
    assert done.stderr == b""
    *answers, last = done.stdout.decode().removesuffix("\n\n").split("\n\n")
    assert last == "=5 oanquan"
    assert answers[-1] == f"? expected a line of at most 1048576 bytes, got one of {len(long)}"
    assert all(re.match(r"\?\d* ", answer) for answer in answers)


@POSIX
def test_nobody_listens_any_more():
    assert unheard(b"name\n", "gtp") == (1, b"")


def test_options_of_the_command():
    done = run("gtp", "--option", "Agent=nobody")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("oanquan: Agent: expected random, greedy, cautious")


def test_how_fast_it_answers(figure: Callable[[str], None]):
    with Gtp("-o", "Agent=greedy") as engine:
        engine.gtp("name")
        begun = time.perf_counter()
        for _ in range(500):
            engine.gtp("genmove", "b")
            engine.gtp("undo")
        took = seconds(begun)
    figure(f"gtp: {1000 / took:,.0f} commands a second, greedy moves and undo")
    assert took < 20
