"""A move being shown step by step, with the sentence of each step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oanquan.explaining import explain
from oanquan.frames import frames
from oanquan.terminal.painting import Marks

if TYPE_CHECKING:
    from oanquan._core import Move, Position
    from oanquan.frames import Frame

SPEEDS: Final = {"slow": 1.0, "normal": 0.45, "fast": 0.15, "instant": 0.0}
"""How many seconds a step is shown at each speed."""


class Showing:
    """A move and how far it has been shown.

    >>> from oanquan import Position
    >>> showing = Showing(Position.start(), Position.start().legal_moves[0], "en")
    >>> showing.forward()
    >>> showing.sentences()
    ('Side a lifts 5 pebbles from a1 and sows them counter-clockwise: a2, a3, a4, a5, am.',)
    >>> showing.frame.hand
    5
    """

    def __init__(self, position: Position, move: Move, lang: str) -> None:
        self.position, self.move = position, move
        self._frames = frames(position, move)
        self._explanation = explain(position, move, lang)
        self._at = 0

    @property
    def frame(self) -> Frame:
        """The board as it is shown.

        >>> from oanquan import Position
        >>> Showing(Position.start(), Position.start().legal_moves[0], "en").frame.step
        """
        return self._frames[self._at]

    @property
    def is_done(self) -> bool:
        """Whether the last step is shown.

        >>> from oanquan import Position
        >>> Showing(Position.start(), Position.start().legal_moves[0], "en").is_done
        False
        """
        return self._at == len(self._frames) - 1

    def forward(self) -> None:
        """Show the next step.

        >>> from oanquan import Position
        >>> showing = Showing(Position.start(), Position.start().legal_moves[0], "en")
        >>> showing.forward()
        >>> print(showing.frame.step)
        lift 5 pebbles from a1
        """
        self._at = min(self._at + 1, len(self._frames) - 1)

    def back(self) -> None:
        """Show the step before.

        >>> from oanquan import Position
        >>> showing = Showing(Position.start(), Position.start().legal_moves[0], "en")
        >>> showing.back()
        >>> showing.frame.step
        """
        self._at = max(self._at - 1, 0)

    def finish(self) -> None:
        """Show the last step.

        >>> from oanquan import Position
        >>> showing = Showing(Position.start(), Position.start().legal_moves[0], "en")
        >>> showing.finish()
        >>> showing.is_done
        True
        """
        self._at = len(self._frames) - 1

    def speak(self, lang: str) -> None:
        """Tell it in another language.

        >>> from oanquan import Position
        >>> showing = Showing(Position.start(), Position.start().legal_moves[0], "en")
        >>> showing.speak("vi")
        >>> showing.finish()
        >>> showing.sentences()[0]
        'Bên a bốc 5 dân ở ô a1, rải ngược chiều kim đồng hồ: a2, a3, a4, a5, am.'
        """
        self._explanation = explain(self.position, self.move, lang)

    def sentences(self) -> tuple[str, ...]:
        """Return what has been told so far.

        >>> from oanquan import Position
        >>> Showing(Position.start(), Position.start().legal_moves[0], "en").sentences()
        ()
        """
        return tuple(sentence.text for sentence in self._explanation if sentence.first < self._at)

    def marks(self) -> Marks:
        """Return the square that the step is about, with what is in the hand beside its name.

        >>> from oanquan import Position
        >>> showing = Showing(Position.start(), Position.start().legal_moves[0], "en")
        >>> showing.forward()
        >>> showing.marks().signs
        {'a1': '↑5'}
        """
        step, hand = self.frame.step, self.frame.hand
        if step is None or step.square is None:
            return Marks()
        arrow = "↑" if step.kind == "lift" else "↓"
        return Marks({step.square: "step"}, {step.square: f"{arrow}{hand}"} if hand else {})
