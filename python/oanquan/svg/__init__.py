"""Pictures of boards in SVG: `board`.

>>> import oanquan as oaq
>>> oaq.svg.board(oaq.Position.start(), size=640)[:4]
'<svg'
"""

from oanquan.svg.boards import board
from oanquan.svg.document import Svg
from oanquan.svg.themes import THEMES, Theme

__all__ = ["THEMES", "Svg", "Theme", "board"]
