"""An engine that speaks the Universal Game Interface as it should, or fails in the way that its argument names.

Run as a program. The package tells it how games go; its moves are the first legal ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import oanquan as oaq

LAST = "info depth 2 score cp 150 nodes 20 time 10 nps 2000 hashfull 5 pv {0}\nbestmove {0}"
GREETING = """Fake engine, hello
id name Fake of Hanoi
id author the tests
option name Rules type string default mancala-world
option name MaxPlies type spin default 1000 min 0 max 100000
option name Repetition type spin default 3 min 0 max 1000
option name Hash type spin default 16 min 1 max 1024
option name Ponder type check default false
option name Style type combo default Very Calm var Very Calm var Bold
option name Clear type button
option name Book File type string default <empty>"""


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def complain(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


class Fake:
    """The engine; for a way to fail there is a method, or a line that asks for it."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.rules = "mancala-world"
        self.limits: dict[str, int | None] = {"MaxPlies": 1000, "Repetition": 3}
        self.game = oaq.Game()
        self.pending = ""

    def run(self) -> None:
        if self.way == "silent":
            time.sleep(600)
        for line in sys.stdin:
            if self.way == "echo":
                complain(line)
            name, *words = line.split()
            getattr(self, f"on_{name}")(words)

    # ---- commands --------------------------------------------------------------------------------------------------

    def on_ugi(self, _: list[str]) -> None:
        if self.way == "crash_at_once":
            complain("out of pebbles\n")
            raise SystemExit(7)
        say(GREETING)
        if self.way == "bad_option":
            say("option name type spin")
        while self.way == "flood_of_options":
            say(f"option name {time.time()} type string default {'x' * 1000}")
        if self.way != "no_ugiok":
            say("ugiok")

    def on_isready(self, _: list[str]) -> None:
        if not (self.way == "unready" and self.game.moves) and not (self.way == "dull" and self.pending):
            say("readyok")

    def on_uginewgame(self, _: list[str]) -> None:
        self.game = oaq.Game()

    def on_setoption(self, words: list[str]) -> None:
        name, value = " ".join(words[1:]).partition(" value ")[::2]
        if name == "Rules":
            self.rules = value
        elif name in self.limits:
            self.limits[name] = int(value) or None
        elif (name, value) == ("Hash", "13"):
            say("info string error: Hash: expected luck, got 13")

    def on_position(self, words: list[str]) -> None:
        if self.way == "refuses":
            say("info string error: expected another game")
        at = words.index("moves") if "moves" in words else len(words)
        rules = oaq.Rules.parse(self.rules)
        start = oaq.Position.parse(" ".join(words[1:at]), rules) if at > 1 else oaq.Position.start(rules)
        self.game = oaq.Game(position=start, max_plies=self.limits["MaxPlies"], repetition=self.limits["Repetition"])
        for move in words[at + 1 :]:
            self.game.push(move)

    def on_query(self, words: list[str]) -> None:
        outcome = self.game.outcome
        results = {"a": "p1win", "b": "p2win", None: "draw"}
        answers = {
            "p1turn": str(self.game.position.turn == "a").lower(),
            "gameover": str(self.game.is_over).lower(),
            "result": "none" if outcome is None else results[outcome.winner],
        }
        say("response perhaps not" if self.way == "bad_response" else f"response {answers[words[0]]}")

    def on_go(self, words: list[str]) -> None:
        self.pending = LAST.format(self.game.position.legal_moves[0])
        search = getattr(self, f"go_{self.way}", None)
        if search is not None:
            search()
        elif words != ["infinite"] and self.way not in ("slow", "stubborn", "dull"):
            self.finish()

    def finish(self) -> None:
        say(self.pending)
        self.pending = ""

    def on_stop(self, _: list[str]) -> None:
        if self.pending and self.way not in ("stubborn", "dull"):
            self.finish()

    def on_quit(self, _: list[str]) -> None:
        if self.way != "immortal":
            raise SystemExit(3 if self.way == "three" else 0)

    # ---- ways to search --------------------------------------------------------------------------------------------

    def go_refuses_to_search(self) -> None:
        say("info string error: expected a better position")

    def go_late(self) -> None:
        time.sleep(0.6)
        self.finish()

    def go_sleepy(self) -> None:
        time.sleep(0.8)
        self.finish()

    def go_crash(self) -> None:
        complain("thread panicked at 'no fish'\n")
        os._exit(101)

    def go_loud_crash(self) -> None:
        complain("x" * 1_000_000 + "\nthe end\n")
        os._exit(1)

    def go_illegal(self) -> None:
        say("bestmove b1+" if self.game.position.turn == "a" else "bestmove a1+")

    def go_two_moves(self) -> None:
        say("bestmove a1+ a1+")

    def go_no_move(self) -> None:
        say("bestmove")

    def go_twice(self) -> None:
        say(f"{self.pending}\n{self.pending}")

    def go_garbage(self) -> None:
        sys.stdout.buffer.write(b"\x00\xff\xfe\r\n\n   \nbestmov\x00 a1+\n" + b"bestmove" * 500_000 + b"\n")
        say("info depth x score cp pv a1+ a1+ zz\ninfo\ninfo string\nreadyok\ninfo score\ninfo nodes " + "9" * 9000)
        say(f"{self.pending}\r")

    def go_huge(self) -> None:
        say(f"bestmove {'x' * 3_000_000}\n{self.pending}")

    def go_stderr(self) -> None:
        complain("noise\n" * 400_000 + "last words\n")
        self.finish()

    def go_closes_output(self) -> None:
        os.close(1)
        time.sleep(600)

    def go_closes_input(self) -> None:
        os.close(0)
        time.sleep(600)

    def go_lines(self) -> None:
        best, second = self.game.position.legal_moves[:2]
        say(f"info depth 1 multipv 1 score cp 50 lowerbound pv {best}\ninfo string thinking hard")
        say(f"info depth 1 multipv 2 score cp -20 pv {second}\ninfo depth 2 multipv 1 score cp 100 pv {best}")
        say(f"info nodes 5 time 1 nps 5000\nbestmove {best}")

    def go_chatty(self) -> None:
        say("\n".join(f"info depth {depth}" for depth in range(1, 51)))

    def go_family(self) -> None:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path(os.environ["CHILD"]).write_text(str(child.pid), encoding="ascii")
        self.finish()


if __name__ == "__main__":
    Fake("_".join(sys.argv[1:])).run()
