"""Draw the pictures of README.md and docs/ anew: `python pictures.py`, into docs/pictures or a folder that is named."""

from __future__ import annotations

import argparse
from pathlib import Path

from oanquan import Game, Position, Rules, svg

FOLDER = Path(__file__).parent.parent.parent / "docs" / "pictures"
MIDDLE = "0.2.6.1.0.4q1/3.0.0.7.1.2q1 12/15 - a 9"
THREE = "1.4.6.0.0.3q1/0.2.7.1.5.2q1/1.0.3.8.0.1q1 8/12/11 - a 9"
FOUR = "0.2.6.1.0.4q1/3.0.0.7.1.2/1.1.0.6.9.0q1/2.0.4.0.5.3q1 12/15q1/7/8 d>a:2 b 27"


def drawn() -> dict[str, svg.Svg]:
    """The pictures by the names of their files.

    >>> sorted(drawn())[:3]
    ['animation', 'arrows', 'dark']
    """
    rules = Rules.preset("wikipedia-vi")
    start, middle = Position.start(rules), Position.parse(MIDDLE, rules)
    game = Game(Rules.preset("short-game", squares=3, pebbles=3))
    while not game.is_over:
        game.push(game.position.legal_moves[0])
    three, four = Position.parse(THREE, Rules(sides=3)), Position.parse(FOUR, Rules(sides=4))
    return {
        "start": svg.board(start, size=640),
        "trace": svg.board(start, trace=start.trace("a3+"), size=640),
        "animation": svg.animation(start, "a3+", size=640),
        "film": svg.film(game, size=480, repeat=True),
        "triangle": svg.board(three, size=480),
        "square": svg.board(four, size=480),
        "vietnamese": svg.board(middle, last_move="b3-", lang="vi", orientation="b", size=640),
        "arrows": svg.board(middle, arrows=["a3+", ("a4-", "#1f5fa8"), ("am", "b5", "#23713a")], size=640),
        "dark": svg.board(middle, theme="dark", size=640),
        "print": svg.board(middle, theme="print", size=640),
    }


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description="Draw the pictures of README.md and docs/ anew.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where to (docs/pictures)")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in drawn().items():
        picture.save(folder / f"{name}.svg")


if __name__ == "__main__":
    main()
