"""Choosing a move: first a square, then a direction, by arrow keys, signs or the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from oanquan._core import Move, Position
    from oanquan.terminal.places import Plan

_ARROWS: Final = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}
_SIGNS: Final = {"left": "◀", "right": "▶", "up": "▲", "down": "▼"}
_STEPS: Final = {"+": 1, "-": -1}


class Aim:
    """What a person at the turn is pointing at.

    >>> from oanquan import Position
    >>> from oanquan.terminal.places import plan_of
    >>> position = Position.start()
    >>> aim = Aim(position, plan_of(position.rules, "a", 80, 16))
    >>> aim.arrow("right"), aim.square
    (None, 'a2')
    >>> aim.choose(), aim.arrow("left")
    (None, Move('a2-'))
    """

    def __init__(self, position: Position, plan: Plan, square: str | None = None) -> None:
        self.plan = plan
        """Where squares lie; free to be set when they lie otherwise."""
        self.chosen = False
        """Whether the square is chosen, so that the direction comes next."""
        self._moves: dict[str, dict[str, Move]] = {}
        for move in position.legal_moves:
            self._moves.setdefault(str(move)[:-1], {})[str(move)[-1]] = move
        self.square = square if square in self._moves else next(iter(self._moves))
        """The square that is pointed at."""

    @property
    def squares(self) -> tuple[str, ...]:
        """The squares that may be moved from.

        >>> from oanquan import Position, Rules
        >>> from oanquan.terminal.places import plan_of
        >>> Aim(Position.start(Rules(squares=2)), plan_of(Rules(squares=2), "a", 80, 16)).squares
        ('a1', 'a2')
        """
        return tuple(self._moves)

    def point(self, square: str) -> None:
        """Point at a square, if it may be moved from.

        >>> from oanquan import Position
        >>> from oanquan.terminal.places import plan_of
        >>> aim = Aim(Position.start(), plan_of(Position.start().rules, "a", 80, 16))
        >>> aim.point("a4")
        >>> aim.point("b4")
        >>> aim.square
        'a4'
        """
        if square in self._moves:
            self.square, self.chosen = square, False

    def arrow(self, key: str) -> Move | None:
        """Go to the next square that way; or, when one is chosen, return the move that goes that way.

        >>> from oanquan import Position
        >>> from oanquan.terminal.places import plan_of
        >>> aim = Aim(Position.start(), plan_of(Position.start().rules, "a", 80, 16), "a5")
        >>> aim.arrow("left"), aim.arrow("up"), aim.square
        (None, None, 'a4')
        """
        if self.chosen:
            ways = {sign: _along(self.plan.way(self.square, _STEPS[sign]), key) for sign in self._moves[self.square]}
            sign = max(ways, key=lambda sign: ways[sign])
            return self._moves[self.square][sign] if ways[sign] > 0 else None
        (x, y), best = self.plan.boxes[self.square].middle, None
        for square in self._moves:
            right, down = self.plan.boxes[square].middle
            way = ((right - x) / 2, down - y)
            ahead = _along(way, key)
            aside = abs(way[0]) + abs(way[1]) - ahead
            if ahead > 0 and (best is None or (ahead + 2 * aside, square) < best):
                best = (ahead + 2 * aside, square)
        if best is not None:
            self.square = best[1]
        return None

    def choose(self) -> Move | None:
        """Choose the square; return the move at once where there is one direction only.

        >>> from oanquan import Position, Rules
        >>> from oanquan.terminal.places import plan_of
        >>> rules = Rules(directions="clockwise")
        >>> Aim(Position.start(rules), plan_of(rules, "a", 80, 16)).choose()
        Move('a1-')
        """
        moves = self._moves[self.square]
        if len(moves) == 1:
            return next(iter(moves.values()))
        self.chosen = not self.chosen
        return None

    def sow(self, sign: str) -> Move | None:
        """Return the move from the square in a direction, if it is legal.

        >>> from oanquan import Position
        >>> from oanquan.terminal.places import plan_of
        >>> Aim(Position.start(), plan_of(Position.start().rules, "a", 80, 16)).sow("-")
        Move('a1-')
        """
        return self._moves[self.square].get(sign)

    def press(self, square: str | None) -> Move | None:
        """Take a click on a square: choose it; or, beside one that is chosen, return the move that goes there.

        >>> from oanquan import Position
        >>> from oanquan.terminal.places import plan_of
        >>> aim = Aim(Position.start(), plan_of(Position.start().rules, "a", 80, 16))
        >>> aim.press("a3"), aim.press("a2")
        (None, Move('a3-'))
        """
        if square is None:
            self.chosen = False
            return None
        if self.chosen:
            for sign, move in self._moves[self.square].items():
                if square == self.plan.next_to(self.square, _STEPS[sign]):
                    return move
        if square in self._moves:
            if square != self.square:
                self.point(square)
            return self.choose()
        return None

    def ways(self) -> dict[str, Move]:
        """Return the moves from the square by their directions.

        >>> from oanquan import Position
        >>> from oanquan.terminal.places import plan_of
        >>> Aim(Position.start(), plan_of(Position.start().rules, "a", 80, 16)).ways()
        {'+': Move('a1+'), '-': Move('a1-')}
        """
        return self._moves[self.square]

    def signs(self) -> dict[str, str]:
        """Return the squares that a chosen one can be sown to first, each with an arrow that points that way.

        >>> from oanquan import Position
        >>> from oanquan.terminal.places import plan_of
        >>> aim = Aim(Position.start(), plan_of(Position.start().rules, "a", 80, 16))
        >>> aim.choose(), aim.signs()
        (None, {'a2': '▶', 'bm': '◀'})
        """
        if not self.chosen:
            return {}
        return {self.plan.next_to(self.square, _STEPS[sign]): self.sign(sign) for sign in self._moves[self.square]}

    def sign(self, direction: str) -> str:
        """Return the arrow that points where sowing in a direction goes on the screen.

        >>> from oanquan import Position
        >>> from oanquan.terminal.places import plan_of
        >>> Aim(Position.start(), plan_of(Position.start().rules, "b", 80, 16)).sign("+")
        '◀'
        """
        way = self.plan.way(self.square, _STEPS[direction])
        return _SIGNS[max(_ARROWS, key=lambda key: _along(way, key))]


def _along(way: tuple[float, float], key: str) -> float:
    """How far a way leads where an arrow key points."""
    right, down = _ARROWS[key]
    return way[0] * right + way[1] * down
