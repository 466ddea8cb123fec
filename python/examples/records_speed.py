"""Measure how fast game records are written and read, in games a second of processor time, and the memory it takes.

Example:
  python records_speed.py --games 100000
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import oanquan as oaq
from oanquan import records

if TYPE_CHECKING:
    from collections.abc import Callable

RULES = oaq.Rules.preset("wikipedia-vi")


def measure(name: str, work: Callable[[], int]) -> None:
    """Print how many games a second a piece of work gets through."""
    begun = time.process_time()
    games = work()
    print(f"{name:8} {games / (time.process_time() - begun):>12,.0f} games a second")


def most_memory() -> float:
    """Return the most MiB that this process has taken so far; NaN where the system does not tell."""
    if sys.platform == "win32":
        return math.nan
    import resource  # noqa: PLC0415

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 2**10


def main() -> None:
    """Write random games, each several times, and read them again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000, help="how many games the file has")
    arguments = parser.parse_args()
    played = oaq.play_match(("random", "random"), RULES, pairs=1000, opening_plies=0, threads=1)
    games = [game.to_game() for game in played.games]
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "games.records")
        chosen = itertools.islice(itertools.cycle(games), arguments.games)
        measure("write", lambda: records.write(path, chosen))
        before = most_memory()
        measure("read", lambda: sum(1 for _ in records.read(path)))
        measure("headers", lambda: sum(1 for _ in records.headers(path)))
        plies, size = sum(map(len, games)) / len(games), path.stat().st_size / arguments.games
        print(f"a game has {plies:.0f} moves and takes {size:.0f} bytes")
        print(f"memory: at most {before:.0f} MiB before reading, {most_memory():.0f} MiB after")


if __name__ == "__main__":
    main()
