"""`Setup`: a position being set up, which may be wrong until it is finished."""

from __future__ import annotations

from dataclasses import dataclass, field

from oanquan import _core
from oanquan._core import Debt, Position, Store
from oanquan.rules import Rules


@dataclass
class Setup:
    """A position being set up: any numbers, by the names of squares and sides. What is not named is 0.

    `position()` makes the position, or raises `PositionError` with everything that is wrong.

    >>> setup = Setup(pebbles={"a1": 3, "b2": 1}, mandarins={"am": 1, "bm": 1}, stores={"b": Store(66)})
    >>> print(setup.position())
    3.0.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 0
    >>> setup.pebbles["a1"], setup.turn = 256, "c"
    >>> setup.position()
    Traceback (most recent call last):
    oanquan.errors.PositionError: turn: expected one of a, b, got "c"
    >>> setup.turn = "b"
    >>> setup.position()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    oanquan.errors.PositionError: square a1: expected 0 to 255 pebbles, got 256; board: expected at most...
    """

    rules: Rules = field(default_factory=Rules)
    """The rules it is played by."""

    pebbles: dict[str, int] = field(default_factory=dict)
    """Pebbles by square: `{"a1": 5, "am": 2}`."""

    mandarins: dict[str, int] = field(default_factory=dict)
    """Mandarins by square."""

    stores: dict[str, Store] = field(default_factory=dict)
    """What each side has captured."""

    debts: list[Debt] = field(default_factory=list)
    """What the sides owe each other; of several debts of the same two sides the last counts."""

    turn: str = "a"
    """The side to move."""

    ply: int = 0
    """Plies since the start of the game."""

    ending: str | None = None
    """Why the game is over, if it is: `"mandarins"`, `"short"` or `"loses"`."""

    @classmethod
    def of(cls, position: Position) -> Setup:
        """Return the set-up of a position, to change and make another one of it.

        >>> setup = Setup.of(Position.start())
        >>> setup.pebbles["a1"] = 0
        >>> print(setup.position())
        0.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0
        """
        names, sides = position.rules.square_names, "abcd"
        return cls(
            rules=position.rules,
            pebbles=dict(zip(names, position.pebbles, strict=True)),
            mandarins=dict(zip(names, position.mandarins, strict=True)),
            stores=dict(zip(sides, position.stores, strict=False)),
            debts=list(position.debts),
            turn=position.turn,
            ply=position.ply,
            ending=position.ending,
        )

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Setup:
        """Read the text of a position without asking whether there can be one like it.

        The rules are the default ones if none are given. Raises `NotationError` for a text not of the form.

        >>> Setup.parse("9.0q1/0.5q1 0/999 a>b:2 a 7", Rules(squares=1)).stores["b"]
        Store(pebbles=999, mandarins=0)
        """
        rules = Rules() if rules is None else rules
        pebbles, mandarins, stores, debts, turn, ply, ending = _core.read_setup(text, rules)
        return cls(
            rules=rules,
            pebbles=dict(pebbles),
            mandarins=dict(mandarins),
            stores={side: Store(*counts) for side, *counts in stores},
            debts=[Debt(*debt) for debt in debts],
            turn=turn,
            ply=ply,
            ending=ending,
        )

    def position(self) -> Position:
        """Return the position that is set up.

        Raises `PositionError`, with every fault in `faults`, if there can be none like it. Numbers beyond 64
        bits are reported as the nearest that fit.

        >>> board = {"a1": 3, "b2": 1, "am": 5, "bm": 5}
        >>> print(Setup(pebbles=board, mandarins={"am": 1, "bm": 1}, stores={"b": Store(56)}).position())
        3.0.0.0.0.5q1/0.1.0.0.0.5q1 0/56 - a 0
        """
        return _core.build_position(
            self.rules,
            list(self.pebbles.items()),
            list(self.mandarins.items()),
            [(side, store.pebbles, store.mandarins) for side, store in self.stores.items()],
            [(debt.debtor, debt.creditor, debt.pebbles) for debt in self.debts],
            self.turn,
            self.ply,
            self.ending,
        )
