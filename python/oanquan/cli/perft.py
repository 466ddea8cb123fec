"""`oanquan perft`."""

from __future__ import annotations

import time
from typing import Annotated

from cyclopts import Parameter

import oanquan
from oanquan.cli.arguments import PositionText, RulesText, Whole, read_position, within


def perft(
    position: PositionText = "start",
    /,
    *,
    depth: Annotated[Whole, Parameter(name=["--depth", "-d"])] = 5,
    rules: RulesText = "mancala-world",
    divide: bool = False,
) -> None:
    """Count the lines of play of a given length; a game that is over earlier is not counted.

    Parameters
    ----------
    depth
        The number of moves; every smaller depth is counted too.
    divide
        Count the lines behind each first move instead.
    """
    start, depth = read_position(position, rules), within("depth", depth, 0, 1000)
    if divide:
        _divide(start, depth)
        return
    for plies in range(depth + 1):
        begun = time.perf_counter()
        count = oanquan.perft(start, plies)
        print(f"perft {plies}: {count} ({time.perf_counter() - begun:.3f} seconds)", flush=True)


def _divide(start: oanquan.Position, depth: int) -> None:
    counts = oanquan.divide(start, depth)
    for move, count in counts.items():
        print(f"{move}: {count}")
    print(f"total: {sum(counts.values())}")
