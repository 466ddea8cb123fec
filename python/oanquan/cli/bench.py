"""`oanquan bench`."""

from __future__ import annotations

import json
import platform
import time
from random import Random

from oanquan import Position, __version__, _core
from oanquan.cli.arguments import Json, Whole, within
from oanquan.cli.tables import console, table

_SEED = 7
_MAX_PLIES = 1000
# Short runs, many of them: of the best few are disturbed by whatever else the machine does.
_RUST_GAMES, _PYTHON_GAMES, _RUNS = 50_000, 5_000, 5


def bench(
    *,
    repeat: Whole = 5,
    as_json: Json = False,
) -> None:
    """Measure moves per second of uniform random games of mancala-world on one core.

    The calibration loop, a chain of dependent 64-bit multiplications, tells how fast the core is: figures of
    different machines are compared by their ratio to it.

    Parameters
    ----------
    repeat
        How often everything is measured; the best figures are given.
    """
    rates = {"calibration": 0.0, "rust": 0.0, "python": 0.0}
    for _ in range(within("repeat", repeat, 1, 1000)):  # in turn, so that a disturbance hits all three
        _keep_best(rates, "calibration", _core.bench_calibration())
        for _ in range(_RUNS):
            _keep_best(rates, "rust", _core.bench_playouts(_RUST_GAMES, _SEED))
            _keep_best(rates, "python", _python_playouts(_PYTHON_GAMES))
    ratios = {name: rates[name] / rates["calibration"] for name in ("rust", "python")}
    if as_json:
        machine = {"python": platform.python_version(), "machine": platform.machine()}
        report = {"version": __version__, **machine, "per_second": rates, "ratio": ratios}
        print(json.dumps(report, indent=2))
        return
    figures = table("one core", "per second", "ratio", numbers=True)
    figures.add_row("calibration steps", f"{rates['calibration']:,.0f}", "1")
    figures.add_row("moves of random games in Rust", f"{rates['rust']:,.0f}", f"{ratios['rust']:.4f}")
    figures.add_row("moves of a loop in Python", f"{rates['python']:,.0f}", f"{ratios['python']:.4f}")
    console().print(figures)


def _keep_best(rates: dict[str, float], name: str, measured: tuple[int, float]) -> None:
    count, seconds = measured
    rates[name] = max(rates[name], count / seconds)


def _python_playouts(games: int) -> tuple[int, float]:
    """What a user's own loop does: ask for the legal moves, choose one, play it."""
    random = Random(_SEED).random
    start, moves_made = Position.start(), 0
    begun = time.perf_counter()
    for _ in range(games):
        position = start
        for _ in range(_MAX_PLIES):
            moves = position.legal_moves
            if not moves:
                break
            position = position.play(moves[int(random() * len(moves))])
            moves_made += 1
    return moves_made, time.perf_counter() - begun
