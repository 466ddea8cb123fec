"""An engine that speaks the Universal Game Interface as it should, or fails in one way that its argument names.

Run as a program. It needs the package only for the legal moves; its own moves are the first legal ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import oanquan as oaq


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


class Fake:
    """The engine; `way` is how it fails."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.rules = "mancala-world"
        self.limits: dict[str, int | None] = {"MaxPlies": 1000, "Repetition": 3}
        self.game = oaq.Game()
        self.pending: list[str] = []
        self.searches = 0

    def run(self) -> None:
        if self.way == "silent":
            time.sleep(600)
        for line in self.lines():
            self.take(line.split())

    def lines(self) -> Iterator[str]:
        for line in sys.stdin:
            if self.way == "echo":
                print(line, end="", file=sys.stderr, flush=True)
            yield line

    def take(self, words: list[str]) -> None:
        match words:
            case ["ugi"]:
                self.greet()
            case ["isready"]:
                if self.way not in ("unready", "dull") or not self.searches:
                    say("readyok")
            case ["setoption", "name", name, "value", *value]:
                self.set(name, " ".join(value))
            case ["setoption", "name", "Clear"]:
                say("info string cleared")
            case ["position", "startpos", *moves]:
                self.set_up(oaq.Position.start(oaq.Rules.parse(self.rules)), moves[1:])
            case ["position", "fen", *rest]:
                at = rest.index("moves") if "moves" in rest else len(rest)
                self.set_up(oaq.Position.parse(" ".join(rest[:at]), oaq.Rules.parse(self.rules)), rest[at + 1 :])
            case ["query", question]:
                self.answer(question)
            case ["go", *limit]:
                self.searches += 1
                self.search(limit)
            case ["stop"]:
                if self.way not in ("stubborn", "dull"):
                    say(*self.pending)
                    self.pending.clear()
            case ["quit"] if self.way != "immortal":
                if self.way == "daemon":
                    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
                raise SystemExit(3 if self.way == "three" else 0)

    def greet(self) -> None:
        if self.way == "crash at once":
            print("out of pebbles", file=sys.stderr)
            raise SystemExit(7)
        say("Fake engine, hello", "id name Fake of Hanoi", "id author the tests")
        say("option name Rules type string default mancala-world")
        if self.way == "bad option":
            say("option name type spin")
        say("option name MaxPlies type spin default 1000 min 0 max 100000")
        say("option name Repetition type spin default 3 min 0 max 1000")
        say("option name Hash type spin default 16 min 1 max 1024", "option name Ponder type check default false")
        say("option name Style type combo default Very Calm var Very Calm var Bold", "option name Clear type button")
        say("option name Book File type string default <empty>")
        if self.way == "flood at first":
            while True:
                say("option name X type string default " + "x" * 1000)
        if self.way != "no ugiok":
            say("ugiok")

    def set(self, name: str, value: str) -> None:
        if name == "Rules":
            self.rules = value
        elif name in self.limits:
            self.limits[name] = int(value) or None
        elif name == "Hash" and value == "13":
            say("info string error: Hash: expected luck, got 13")

    def set_up(self, start: oaq.Position, moves: list[str]) -> None:
        if self.way == "refuses":
            say("info string error: expected another game")
        self.game = oaq.Game(position=start, max_plies=self.limits["MaxPlies"], repetition=self.limits["Repetition"])
        for move in moves:
            self.game.push(move)

    def answer(self, question: str) -> None:
        if self.way == "bad response":
            say("response perhaps not")
            return
        winner = None if self.game.outcome is None else self.game.outcome.winner
        results = {"a": "p1win", "b": "p2win", None: "draw" if self.game.is_over else "none"}
        answers = {
            "p1turn": str(self.game.position.turn == "a").lower(),
            "gameover": str(self.game.is_over).lower(),
            "result": results[winner],
        }
        say(f"response {answers[question]}")

    def search(self, limit: list[str]) -> None:
        move = str(self.game.position.legal_moves[0])
        report = f"info depth 2 score cp 150 nodes 20 time 10 nps 2000 hashfull 5 pv {move}"
        last = [report, f"bestmove {move}"]
        match self.way:
            case "slow" | "stubborn" | "dull" | "unready":
                self.pending = last
            case "refuses to search":
                say("info string error: expected a better position")
            case "late":
                time.sleep(0.3)
                say(*last)
            case "crash":
                print("thread panicked at 'no fish'", file=sys.stderr)
                os._exit(101)
            case "loud crash":
                print("x" * 1_000_000 + "the end", file=sys.stderr, flush=True)
                os._exit(1)
            case "illegal":
                say("bestmove b1+" if self.game.position.turn == "a" else "bestmove a1+")
            case "two moves":
                say(f"bestmove {move} {move}")
            case "no move":
                say("bestmove")
            case "twice":
                say(*last, *last)
            case "garbage":
                sys.stdout.buffer.write(b"\x00\xff\xfe\r\n\n   \n" + b"bestmove" * 500_000 + b"\n")
                say("info depth x score cp pv " + "a1+ " * 3, "info", "info string", "readyok", "info score", *last)
            case "huge":
                say(f"bestmove {'x' * 3_000_000}", *last)
            case "stderr":
                print("noise\n" * 400_000, "last words", sep="", file=sys.stderr, flush=True)
                say(*last)
            case "closes output":
                os.close(1)
                time.sleep(600)
            case "closes input":
                os.close(0)
                time.sleep(600)
            case "lines":
                second = str(self.game.position.legal_moves[1])
                say(f"info depth 1 multipv 1 score cp 50 lowerbound pv {move}", "info string thinking hard")
                say(f"info depth 1 multipv 2 score cp -20 pv {second}")
                say(f"info depth 2 multipv 1 score cp 100 pv {move}", "info nodes 5 time 1 nps 5000")
                say(f"bestmove {move}")
            case "chatty" if limit == ["infinite"]:
                self.pending = last
                say(*(f"info depth {depth}" for depth in range(1, 51)))
            case _ if limit == ["infinite"]:
                self.pending = last
            case _:
                say(*last)


if __name__ == "__main__":
    Fake(" ".join(sys.argv[1:])).run()
