"""Other packages that `oanquan bench` measures in the same run, where they are installed."""

from __future__ import annotations

import time
from functools import partial
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_GAMES = 50
_MOST_PLIES = 1000


def peers(seed: int) -> dict[str, Callable[[], tuple[int, float]]]:
    """Return what plays random games with each package there is, and tells the moves made and the seconds."""
    known = {"open_spiel": ("pyspiel", _open_spiel), "chess": ("chess", _chess)}
    return {
        name: partial(play, Random(seed)) for name, (module, play) in known.items() if find_spec(module) is not None
    }


def _open_spiel(random: Random) -> tuple[int, float]:
    """OpenSpiel's mancala (Kalah), in C++, through its Python bindings."""
    import pyspiel  # noqa: PLC0415

    game = pyspiel.load_game("mancala")
    moves_made, begun = 0, time.perf_counter()
    for _ in range(_GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
            moves_made += 1
    return moves_made, time.perf_counter() - begun


def _chess(random: Random) -> tuple[int, float]:
    """The python-chess board, in Python."""
    import chess  # noqa: PLC0415

    moves_made, begun = 0, time.perf_counter()
    board = chess.Board()
    for _ in range(_MOST_PLIES):
        moves = list(board.legal_moves)
        if not moves:
            board.reset()
            continue
        board.push(moves[int(random.random() * len(moves))])
        moves_made += 1
    return moves_made, time.perf_counter() - begun
