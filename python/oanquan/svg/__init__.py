"""Pictures of boards in SVG: `board`, and moving ones of a move or a game: `animation`, `film`.

>>> import oanquan as oaq
>>> oaq.svg.board(oaq.Position.start(), size=640)[:4]
'<svg'
"""

from oanquan.svg.boards import board
from oanquan.svg.document import Svg
from oanquan.svg.films import animation, film
from oanquan.svg.themes import THEMES, Theme

__all__ = ["THEMES", "Svg", "Theme", "animation", "board", "film"]
