"""How fast OpenSpiel plays at random: our game, a game in Python of its own, and one of its mancalas, in C++.

Needs the extra `openspiel`.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import open_spiel.python.games.tic_tac_toe  # noqa: F401 (so does this)
import pyspiel

import oanquan.adapters.openspiel  # noqa: F401 (registers the game)

EXAMPLE = "python openspiel_speed.py --seconds 5"
GAMES = ("python_oanquan", "python_tic_tac_toe", "mancala")


def moves_a_second(game: pyspiel.Game, seconds: float) -> float:
    """Random moves a second, from Python."""
    rng, moves, begun = Random(1), 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
    return moves / spent


def clones_a_second(game: pyspiel.Game, seconds: float) -> float:
    """Copies of a state a few moves on, as a tree search makes them."""
    state, clones, begun = game.new_initial_state(), 0, time.perf_counter()
    for _ in range(4):
        state.apply_action(state.legal_actions()[0])
    while (spent := time.perf_counter() - begun) < seconds:
        state.clone()
        clones += 1
    return clones / spent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"example:\n  {EXAMPLE}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=5.0, help="for each number (default: %(default)s)")
    seconds = parser.parse_args().seconds
    print("| game | moves a second | clones a second |\n|---|---|---|")
    for name in GAMES:
        game = pyspiel.load_game(name)
        print(f"| `{name}` | {moves_a_second(game, seconds):,.0f} | {clones_a_second(game, seconds):,.0f} |")


if __name__ == "__main__":
    main()
