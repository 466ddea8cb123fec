"""tests/data/terminal.txt: boards as the terminal paints them, without their colours."""

from __future__ import annotations

from pathlib import Path

from oanquan import Position, Rules
from oanquan.terminal.painting import Marks, paint
from oanquan.terminal.showing import Showing

FILE = Path(__file__).parent.parent / "data" / "terminal.txt"
_LOANS = "0.1.0.0.0.0q1/0.0.0.0.1.0q1 3/62 a>b:2,b>a:11 a 9"
_FULL = "11.40.0.1.2.14/0.3.5.7.9.0q1 0q1/100 - b 9"
_BELOW = "1.0.0.0.0.0q1/0.0.0.0.1.3q1 -12/75 - a 9"


def _played(rules: Rules, plies: int) -> Position:
    position = Position.start(rules)
    for ply in range(plies):
        position = position.play(position.legal_moves[(7 * ply) % len(position.legal_moves)])
    return position


def _drawn() -> dict[str, str]:
    """Each board by what it is."""
    showing = Showing(Position.start(), Position.start().legal_moves[4], "en")
    for _ in range(3):
        showing.forward()
    boards = {
        f"{sides} sides of {squares}, 80 x {height}": str(
            paint(_played(Rules(sides=sides, squares=squares), 6), 80, height, lang=lang).canvas
        )
        for lang, sides, squares, height in (
            ("en", 2, 5, 18),
            ("vi", 2, 7, 18),
            ("en", 3, 5, 18),
            ("vi", 3, 1, 18),
            ("en", 4, 7, 18),
            ("vi", 4, 2, 18),
        )
    }
    boards["side b at the bottom"] = str(paint(_played(Rules(), 6), 60, 10, bottom="b").canvas)
    boards["little room"] = str(paint(_played(Rules(), 6), 34, 6).canvas)
    boards["less room"] = str(paint(_played(Rules(sides=4), 6), 30, 9).canvas)
    boards["loans"] = str(paint(Position.parse(_LOANS), 60, 8, lang="vi").canvas)
    boards["many pebbles"] = str(paint(Position.parse(_FULL), 80, 18).canvas)
    boards["a store below zero"] = str(paint(Position.parse(_BELOW, Rules(shortfall="owe")), 60, 8).canvas)
    boards["a move being shown"] = str(paint(showing.frame, 60, 8, marks=showing.marks()).canvas)
    marks = Marks({"a3": "chosen"}, {"a2": "◀", "a4": "▶"})
    boards["signs"] = str(paint(Position.start(), 60, 8, marks=marks).canvas)
    return boards


def text() -> str:
    """The whole file."""
    return "".join(f"# {name}\n{board}\n\n" for name, board in _drawn().items())


def write() -> None:
    """Write the file anew."""
    FILE.write_text(text(), encoding="utf-8")
