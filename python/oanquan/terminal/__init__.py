"""Ô ăn quan in the terminal, against people and agents: `oanquan play`.

Needs textual, which `pip install 'oanquan[play]'` brings.

| name | what it is |
|---|---|
| `PlayApp` | the application, for textual |
| `Keep` | what is kept between two runs: the game, the games before, and settings |
"""

from oanquan.terminal.app import PlayApp
from oanquan.terminal.keeping import Keep

__all__ = ["Keep", "PlayApp"]
