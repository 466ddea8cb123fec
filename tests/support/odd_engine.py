"""An engine that plays well enough and does one odd thing now and then; run as `odd_engine.py WAY [FILE]`.

A file counts how often the program was started, so that what it does can differ from one life to the next.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from fake_engine import Fake, complain, say

from oanquan import _core


class Odd(Fake):
    """The engine; it plays what the agent `greedy` would."""

    def __init__(self, way: str, lives: str) -> None:
        super().__init__("")
        self.odd = way
        self.searches = 0
        self.life = 1
        if lives:
            path = Path(lives)
            self.life += len(path.read_text()) if path.exists() else 0
            path.write_text("." * self.life)

    def on_uginewgame(self, words: list[str]) -> None:
        super().on_uginewgame(words)
        self.searches = 0
        if self.odd == "hangs between games" and self.life < 3:
            time.sleep(600)

    def on_query(self, words: list[str]) -> None:
        if words == ["result"] and self.odd == "claims all":
            say("response p1win")
        elif words == ["result"] and self.odd == "claims nonsense":
            say("response who knows")
        else:
            super().on_query(words)

    def on_go(self, _: list[str]) -> None:
        self.searches += 1
        third = self.searches >= 3
        match self.odd:
            case "crashes" if third:
                complain("no pebbles left\nin the pond\n")
                os._exit(9)
            case "crashes once" if third and self.life < 3:
                os._exit(9)
            case "cheats" if third:
                say("bestmove a9+")
                return
            case "sleeps" if third:
                time.sleep(600)
            case "late" if third:
                time.sleep(0.6)
            case "clock":
                time.sleep(0.02)
        if self.odd == "leaves" and self.searches == 2:
            say(f"bestmove {self.game.position.legal_moves[0]}")
            os._exit(0)
        say(f"bestmove {_core.Player('greedy').choose(self.game.position, 0, 0, len(self.game))}")


if __name__ == "__main__":
    Odd(sys.argv[1], "".join(sys.argv[2:])).run()
