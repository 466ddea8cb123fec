"""`oanquan bench`."""

from __future__ import annotations

import json
import os
import platform
import time
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import oanquan
from oanquan import Batch, Position, __version__, _core
from oanquan.cli.arguments import Json, Whole, within
from oanquan.cli.peers import peers
from oanquan.cli.tables import console, table

if TYPE_CHECKING:
    from collections.abc import Callable

    Measure = Callable[[], tuple[int, float]]
    """Does something so many times, and tells the seconds."""

_SEED = 7
_MAX_PLIES = 1000
_PLIES_A_GAME = 28.15  # of random games of mancala-world
# Short runs, many of them: of the best few are disturbed by whatever else the machine does.
_RUNS = 5
_RUST_GAMES, _SIMULATE_GAMES, _PYTHON_GAMES = 50_000, 500_000, 5_000
_BATCH, _BATCH_STEPS = 4096, 50
_MCTS_SIMULATIONS = 20_000
_DEPTH = 12  # of the two searches whose whole cost is compared

_LABELS = {
    "calibration": "calibration steps",
    "plain": "moves: plain loop, pebble by pebble",
    "core": "moves: core",
    "scalar": "moves: lanes, scalar",
    "avx2": "moves: lanes, AVX2",
    "avx512": "moves: lanes, AVX-512",
    "simulate": "moves: oanquan.simulate, one thread",
    "simulate_threads": "moves: oanquan.simulate, all threads",
    "batch_step_random": f"game-steps: Batch({_BATCH}).step_random()",
    "batch_step": f"game-steps: Batch({_BATCH}).step(sample_actions())",
    "mcts": "simulations: Monte Carlo tree search of wikipedia-vi, random playouts",
    "python": "moves: a loop in Python",
    "plain_search": "nodes: alpha-beta, nothing else, 10 plies",
    "search": "nodes: oanquan.search, 14 plies",
    "open_spiel": "moves: a loop in Python on OpenSpiel's mancala",
    "chess": "moves: a loop in Python on python-chess",
}


def bench(
    *,
    repeat: Whole = 5,
    as_json: Json = False,
) -> None:
    """Measure moves per second of uniform random games of mancala-world, and nodes per second of search.

    On one core, but for the simulation on all threads. The ratios are to the plain loop of the same run, which
    plays pebble by pebble on an array. The calibration loop, a chain of dependent 64-bit multiplications, tells
    how fast the core is. The searches start from wikipedia-vi. OpenSpiel and python-chess are measured too where
    they are installed. At last, what a search of 12 plies costs in all: alpha-beta and nothing else, against the
    search with its table.

    Parameters
    ----------
    repeat
        How often everything is measured; the best figures are given.
    """
    measures = _measures()
    rates = dict.fromkeys(measures, 0.0)
    costs: dict[str, tuple[float, int]] = {}
    for _ in range(within("repeat", repeat, 1, 1000) * _RUNS):  # in turn, so that a disturbance hits all of them
        for name, measure in measures.items():
            count, seconds = measure()
            rates[name] = max(rates[name], count / seconds)
        for method in ("plain", "search"):
            nodes, seconds = _core.bench_search(method, _DEPTH)
            costs[method] = min(costs.get(method, (seconds, nodes)), (seconds, nodes))
    ratios = {name: rate / rates["plain"] for name, rate in rates.items()}
    (plain_seconds, plain_nodes), (seconds, nodes) = costs["plain"], costs["search"]
    if as_json:
        machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
        report = {"version": __version__, **machine, "per_second": rates, "ratio": ratios}
        search = {
            "depth": _DEPTH,
            "plain": {"nodes": plain_nodes, "seconds": plain_seconds},
            "search": {"nodes": nodes, "seconds": seconds},
            "times_less": {"nodes": plain_nodes / nodes, "seconds": plain_seconds / seconds},
        }
        print(json.dumps(report | {"search": search}, indent=2))
        return
    figures = table("random games", "a second", "games a second", "ratio", numbers=True)
    for name, rate in rates.items():
        games = f"{rate / _PLIES_A_GAME:,.0f}" if name in {*_core.bench_paths(), "simulate", "simulate_threads"} else ""
        figures.add_row(_LABELS[name], f"{rate:,.0f}", games, f"{ratios[name]:.3f}")
    console().print(figures)
    figures = table(f"{_DEPTH} plies from the start of wikipedia-vi", "nodes", "seconds", numbers=True)
    figures.add_row("alpha-beta, nothing else", f"{plain_nodes:,}", f"{plain_seconds:.4f}")
    figures.add_row("oanquan.search, with its table", f"{nodes:,}", f"{seconds:.4f}")
    figures.add_row("times less", f"{plain_nodes / nodes:.1f}", f"{plain_seconds / seconds:.1f}")
    console().print(figures)


def _measures() -> dict[str, Measure]:
    batch = Batch(_BATCH, seed=_SEED)
    measures: dict[str, Measure] = {"calibration": _core.bench_calibration}
    for path in _core.bench_paths():
        measures[path] = partial(_core.bench_path, path, _RUST_GAMES, _SEED)
    return measures | {
        "simulate": partial(_simulate, 1),
        "simulate_threads": partial(_simulate, None),
        "batch_step_random": partial(_batch, batch.step_random),
        "batch_step": lambda: _batch(lambda: batch.step(batch.sample_actions())),
        "mcts": partial(_core.bench_mcts, _MCTS_SIMULATIONS, 2, _SEED),
        "python": _python_playouts,
        "plain_search": partial(_core.bench_search, "plain", 10),
        "search": partial(_core.bench_search, "search", 14),
        **peers(_SEED),
    }


def _simulate(threads: int | None) -> tuple[int, float]:
    begun = time.perf_counter()
    results = oanquan.simulate(_SIMULATE_GAMES, seed=_SEED, threads=threads, columns=False)
    return results.moves, time.perf_counter() - begun


def _batch(step: Callable[[], object]) -> tuple[int, float]:
    begun = time.perf_counter()
    for _ in range(_BATCH_STEPS):
        step()
    return _BATCH * _BATCH_STEPS, time.perf_counter() - begun


def _python_playouts() -> tuple[int, float]:
    """What a user's own loop does: ask for the legal moves, choose one, play it."""
    random = Random(_SEED).random
    start, moves_made = Position.start(), 0
    begun = time.perf_counter()
    for _ in range(_PYTHON_GAMES):
        position = start
        for _ in range(_MAX_PLIES):
            moves = position.legal_moves
            if not moves:
                break
            position = position.play(moves[int(random() * len(moves))])
            moves_made += 1
    return moves_made, time.perf_counter() - begun
