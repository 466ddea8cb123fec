"""One game of a preset written out in full, so that a change of behaviour is a readable diff."""

from __future__ import annotations

from itertools import count, groupby
from pathlib import Path
from typing import Any

import oanquan

from .cases import DATA
from .engines import Engine
from .stream import draw

FOLDER = DATA / "playthroughs"
LONGEST = 40  # plies


def file_of(preset: str) -> Path:
    return FOLDER / f"{preset}.txt"


def seed_of(recorded: str) -> int:
    """The seed that the first line of a record names."""
    return int(recorded.splitlines()[0].rpartition("seed ")[2].rstrip("."))


def rival_of(preset: str) -> str:
    """The preset that a recorded game must tell this one from: the one it changes."""
    if preset != "wikipedia-vi" and oanquan.PRESETS[preset].rules.empty_mandarin_after_sowing == "gap":
        return "wikipedia-vi"
    return "wikipedia-vi" if preset == "mancala-world" else "mancala-world"


def heading(preset: str, seed: int) -> list[str]:
    """What stands before the game: the seed and every knob."""
    pairs = oanquan.PRESETS[preset].rules.pairs()
    return [f"# {preset}: game 0 of seed {seed}", "", *(f"{name} = {value}" for name, value in pairs)]


def play_through(engine: Engine, preset: str, seed: int) -> list[str]:
    """Every position with its key, points and legal moves, every move with its steps, and the outcome."""
    game = engine.Game(oanquan.PRESETS[preset].rules)
    lines = []
    while True:
        position = game.position
        moves = engine.moves(position)
        lines += ["", str(position), f"  key {position.key:#018x}", f"  points {numbers(engine.points(position))}"]
        if game.outcome is not None:
            break
        lines.append(f"  legal {' '.join(moves)}")
        move = moves[draw(seed, 0, len(game.moves), len(moves))]
        lines += [f"{move}", *(f"  {line}" for line in step_lines(engine.trace(position, move)))]
        game.push(move)
    winner, ending, points = engine.outcome(game) or (None, "", ())
    return [*lines, "", f"winner {winner or 'none'}, ending {ending}, points {numbers(points)}"]


def played(lines: list[str]) -> list[str]:
    """The lines of a game without the keys, which name the rules too."""
    return [line for line in lines if not line.startswith("  key ")]


def find_seed(engine: Engine, preset: str) -> int:
    """The first seed whose game is short, re-seeds a row and goes otherwise than under the rival preset."""
    for seed in count(1):
        game = play_through(engine, preset, seed)
        reseeds = any(line.startswith("  reseed ") for line in game)
        short = sum(line.startswith("  legal ") for line in game) <= LONGEST
        if reseeds and short and played(game) != played(play_through(engine, rival_of(preset), seed)):
            return seed
    raise AssertionError


def step_lines(steps: list[tuple[Any, ...]]) -> list[str]:
    """The steps of a trace, those of one kind that follow each other in one line."""
    return [
        f"{kind} {', '.join(' '.join(map(str, step[1:])) for step in group)}"
        for kind, group in groupby(steps, key=lambda step: step[0])
    ]


def numbers(values: tuple[int, ...]) -> str:
    return "/".join(map(str, values))
