"""A game being played by people, agents or both: what the board in the terminal and the one in the browser share.

>>> from oanquan.play import LEVELS, Session
>>> session = Session(seats=("human", "beginner"))
>>> session.play("a3+")
>>> session.play(session.think())
>>> session.turn_is_human, len(session.game)
(True, 2)
>>> session.undo()
>>> str(session.position.turn), session.can_redo
('a', True)

| name | what it is |
|---|---|
| `Session` | one game: who sits where, moves, undo and redo, hints, its record |
| `LEVELS`, `Level` | the strengths that a person chooses between |
| `HUMAN` | the seat of a person |
| `Stop` | a word by which one thread ends what another is thinking about |
| `Hint` | a good move, what it is worth and how it goes on |
"""

from oanquan.play.levels import HUMAN, LEVELS, Level
from oanquan.play.sessions import Session
from oanquan.play.thinking import Hint, Stop

__all__ = ["HUMAN", "LEVELS", "Hint", "Level", "Session", "Stop"]
