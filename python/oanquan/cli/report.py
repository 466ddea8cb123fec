"""Results of simulated games, printed for people."""

from __future__ import annotations

import math
from typing import Any

from oanquan import Position, Results, Rules, plots


def print_results(results: Results, described: dict[str, Any], *, interrupted: bool) -> None:
    """Print the statistics of games for people; `described` says what was asked for."""
    agents = ",".join(described["agents"])
    print(f"{results.games:,} games of {described['rules']}, agents {agents}, seed {described['seed']}")
    if interrupted:
        print(f"interrupted: {described['games_asked_for']:,} games were asked for")
    print(results)
    print(f"{results.stopped:,} games stopped by a limit")
    rate = results.moves_per_second
    shown = "-" if math.isnan(rate) else f"{rate:,.0f}"
    print(f"{results.moves:,} moves in {results.seconds:.2f} seconds: {shown} moves a second")


def save_plot(results: Results, described: dict[str, Any], path: str) -> None:
    """Write the picture of the results; its title says what was played."""
    agents = ",".join(described["agents"])
    start = "" if described["position"] == str(Position.start(Rules.parse(described["rules"]))) else ", from a position"
    title = f"{results.games:,} games of {described['rules']}{start}, agents {agents}, seed {described['seed']}"
    plots.save(results, path, title=title)
