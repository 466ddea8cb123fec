"""`oanquan show`."""

from __future__ import annotations

from oanquan.cli.arguments import PositionText, RulesText, read_position
from oanquan.text import board_text


def show(position: PositionText, /, *, rules: RulesText = "mancala-world") -> None:
    """Draw a position: its board, stores, debts, points and legal moves."""
    print(board_text(read_position(position, rules)))
