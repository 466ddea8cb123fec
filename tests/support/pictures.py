"""The pictures in tests/data/pictures, kept byte by byte: `python tests/regenerate.py pictures` writes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import oanquan
from oanquan import Game, Position, Rules, svg
from oanquan.frames import frames
from oanquan.svg import Svg

from .cases import DATA

FOLDER = DATA / "pictures"


def at(text: str, rules: str = "mancala-world") -> Position:
    return Position.parse(text, Rules.parse(rules))


def moved(text: str, move: str, rules: str, **settings: object) -> Svg:
    position = at(text, rules)
    return svg.board(position, trace=position.trace(move), **settings)  # type: ignore[arg-type]


def game_that_ends() -> Game:
    game = Game(Rules.preset("wikipedia-vi"))
    while not game.is_over:
        game.push(game.position.legal_moves[0])
    return game


MIDDLE = "0.2.6.1.0.4q1/3.0.0.7.1.2q1 12/15 - a 9"
THREE = "0.2.6.1.0.4q1/3.0.0.7.1.2/1.1.0.0.9.0q1 12/15q1/3 a>b:4,c>a:2,c>b:1 b 9"
FOUR = "0.2.6.1.0.4q1/3.0.0.7.1.2/1.1.0.0.9.0q1/0.0.0.0.5.3q1 12/15q1/3/8 d>a:12,d>b:5,d>c:3 d 27"

CASES: dict[str, Callable[[], Svg]] = {
    **{
        f"start-{name}": partial(svg.board, Position.start(preset.rules), lang="en" if index % 2 else "vi")
        for index, (name, preset) in enumerate(oanquan.PRESETS.items())
    },
    "one-square": lambda: svg.board(Position.start(Rules(squares=1, pebbles=10)), size=300),
    "one-square-four-sides": lambda: svg.board(Position.start(Rules(sides=4, squares=1)), lang="vi", theme="print"),
    "seven-squares": lambda: svg.board(Position.start(Rules(squares=7, pebbles=10)), theme="dark"),
    "many-pebbles": lambda: svg.board(at("16.17.40.0.110.17q1/0.0.0.1.0.34 2/5q1 - a 20")),
    "debts": lambda: svg.board(at(THREE, "three-players"), orientation="b", lang="vi"),
    "debts-of-four": lambda: svg.board(at(FOUR, "four-players"), orientation="d", theme="dark"),
    "below-zero": lambda: svg.board(at("0.3.0.0.0.0q1/0.1.0.0.0.0q1 -4/70 - a 13", "shortfall=owe"), lang="vi"),
    "over": lambda: svg.board(game_that_ends(), lang="vi", numbers=False),
    "last-move": lambda: svg.board(at(MIDDLE, "wikipedia-vi"), last_move="b3-", names=False),
    "arrows": lambda: svg.board(at(MIDDLE), arrows=["a3+", ("a4-", "#1f5fa8"), ("a1", "b2"), ("am", "b5", "#23713a")]),
    "trace": lambda: moved(MIDDLE, "a3+", "wikipedia-vi"),
    "trace-of-many-laps": lambda: moved(THREE, "b4-", "three-players", lang="vi"),
    "trace-in-print": lambda: moved("0.0.1.0.5.0q1/0.4.0.3.0.0q1 12/15 - a 9", "a3+", "wikipedia-vi", theme="print"),
    "frame": lambda: svg.board(frames(at(MIDDLE), "a3+")[4], lang="vi"),
    "animation": lambda: svg.animation(at(MIDDLE, "wikipedia-vi"), "a3+", lang="vi"),
}


def write() -> None:
    """Draw all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    for name, draw in CASES.items():
        draw().save(FOLDER / f"{name}.svg")
