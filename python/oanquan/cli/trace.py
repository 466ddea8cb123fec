"""`oanquan trace`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from oanquan.cli.arguments import PositionText, RulesText, read_position


def trace(
    position: PositionText,
    move: Annotated[str, Parameter(help="A legal move, such as a3+ or 3-.")],
    /,
    *,
    rules: RulesText = "mancala-world",
) -> None:
    """Play one move: every step in words, then the position after it."""
    before = read_position(position, rules)
    steps, after = before.trace(move), before.play(move)
    width = len(str(len(steps)))
    for number, step in enumerate(steps, start=1):
        print(f"{number:>{width}}  {step}")
    print(f"position after: {after}")
