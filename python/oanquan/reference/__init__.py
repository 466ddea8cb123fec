"""The rules once more: plain, slow Python, written from the rule book and sharing no code with the core.

Whatever the core plays, this package can check: same verbs, same texts, same messages, same keys. It is meant
to be read beside the rule book, `rust/oanquan-core/docs/rules.md`: a comment such as `# rules 3.4` names the
section and the step that a line implements, `# rule book, decision 3` a numbered decision of its chapter
"Decisions". Inside this package squares are ring indices and sides are numbers; outside, both are texts.

>>> from oanquan import reference
>>> position = reference.Position.start()
>>> position.play("a1+")
Position.parse('0.0.6.6.6.1q1/0.6.6.6.6.1q1 6/0 - b 1', Rules())
>>> reference.perft(position, 2)
80
"""

from oanquan.reference.board import Board, Debt, Step, Store
from oanquan.reference.ending import Outcome
from oanquan.reference.game import Game
from oanquan.reference.perft import divide, perft
from oanquan.reference.position import Position

__all__ = ["Board", "Debt", "Game", "Outcome", "Position", "Step", "Store", "divide", "perft"]
