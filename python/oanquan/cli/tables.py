"""How tables look, and where they are printed."""

from __future__ import annotations

import sys

from rich import box
from rich.console import Console
from rich.table import Table


def console() -> Console:
    """Standard output, without colouring of numbers that mean nothing."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)


def table(*titles: str, numbers: bool = False) -> Table:
    """Return an empty table in plain characters; with `numbers`, all columns but one are right-aligned."""
    made = Table(box=box.ASCII2, header_style="bold")
    for place, heading in enumerate(titles):
        made.add_column(heading, justify="right" if numbers and place else "left", overflow="fold")
    return made
