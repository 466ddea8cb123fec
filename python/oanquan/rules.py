"""The rules as a value: `Rules` holds every knob, `PRESETS` the rule sets that have a name and a source.

The knobs, their defaults and what they mean are described at the fields of `Rules`. There MW is the Mancala
World page, EN and VI are the English and the Vietnamese Wikipedia: the sources of the rule book.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from oanquan import _core
from oanquan.errors import RulesError

Side: TypeAlias = Literal["a", "b", "c", "d"]
"""A player's seat."""

SIDES: Final[tuple[Side, ...]] = ("a", "b", "c", "d")
"""The seats in the order of the ring; rules with fewer sides use the first ones."""
SEATS: Final = ("own", "next", "third", "fourth")
"""What they are called as one of them sees them, from its own seat round the ring."""

Knob: TypeAlias = int | str | bool
"""The value of one knob."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """One set of rules: a value for every knob. Immutable, hashable, equal by value.

    Raises `RulesError`, naming every fault, for a value that a knob does not have and for knobs that
    contradict each other: `immature_below`, `ends_when="stones_taken"` and `mandarin_ban` need
    `mandarin="stone"`, and at most 255 pebbles may stand on the board.

    >>> rules = Rules(mandarin_value=5)
    >>> rules.total_points
    60
    >>> rules == Rules.parse("mandarin_value=5") == Rules.preset("quan-five")
    True
    >>> print(Rules.preset("quan-five", sides=3))
    sides=3,mandarin_value=5
    """

    sides: int = 2
    """Number of sides, 2 to 4. MW: four rows round a quadrilateral; programs: a triangle, a square."""

    squares: int = 5
    """Citizen squares of each side, 1 to 7. Small boards are for study and for proofs by brute force."""

    pebbles: int = 5
    """Pebbles in each citizen square at the start, 1 to 10."""

    mandarin: Literal["stone", "pebbles"] = "stone"
    """What stands in a mandarin square at the start: one big `stone`, or `mandarin_value` ordinary `pebbles`.

    MW and EN know both: one stone or ten small ones.
    """

    mandarin_value: int = 10
    """Points of a mandarin, 1 to 20. EN and VI: 10 or 5."""

    directions: Literal["both", "counterclockwise", "clockwise"] = "both"
    """The directions in which a side may sow. Tonkin: counterclockwise only."""

    mandarin_next: Literal["stop", "lift_one", "relay_when_bare"] = "stop"
    """What happens when the square after a lap is a mandarin square that is not empty.

    `stop`: the move ends. `lift_one`: one of its pebbles is sown in the square after it and the move goes on;
    a lone mandarin ends it (Tonkin, and a regional rule in VI). `relay_when_bare`: without a mandarin it is
    relayed like a citizen square (one program).
    """

    empty_mandarin_after_sowing: Literal["stop", "gap"] = "stop"
    """Whether an empty mandarin square after a lap ends the move or is a gap to capture over.

    `stop`: MW, EN. `gap`: VI and most programs.
    """

    empty_mandarin_in_chain: Literal["stop", "gap"] = "gap"
    """Whether an empty mandarin square after a capture ends the chain or is its next gap.

    `gap`: MW, which says "empty square" without exception. `stop`: some programs.
    """

    capture_chain: bool = True
    """Whether a move captures over further gaps; in text `on` or `off`. EN is silent; Ludii's code: off."""

    immature_below: int = 0
    """A mandarin with fewer pebbles than this cannot be captured, 0 to 20. VI and eight programs: 5."""

    mandarin_ban: int = 0
    """Plies from the start in which a move that takes a mandarin is illegal, 0 to 8 (if others are legal).

    Two programs ban the first move or the first rounds.
    """

    reseed_when: Literal["turn_start", "when_empty"] = "turn_start"
    """When a side with an empty row re-seeds: before its own turn, or after any move (Tonkin)."""

    reseed_from: Literal["pebbles", "points"] = "pebbles"
    """What a side may re-seed from: its store of pebbles, or its points, so that the store may go below zero.

    Two programs: points.
    """

    shortfall: Literal["borrow", "owe", "partial", "loses", "count"] = "borrow"
    """What happens when a side owns too little to re-seed. Programs differ widely.

    `borrow`: the others lend the rest, next side first; if together they own too little the game ends.
    `owe`: its store goes below zero. `partial`: it fills as many squares as it can; with none the game ends.
    `loses`: the game ends and the side has lost. `count`: the game ends.
    """

    ends_when: Literal["squares_empty", "stones_taken"] = "squares_empty"
    """The game ends when every mandarin square is empty, or when no mandarin stands on the board.

    `squares_empty`: MW in its body, VI. `stones_taken`: MW in its header, EN, half of the programs.
    """

    end_check: Literal["after_move", "at_once"] = "after_move"
    """When the end is looked for: after the move, or also after each capture (two programs cut the chain)."""

    mandarin_leftovers: Literal["nobody", "split", "adjacent"] = "nobody"
    """Who gets what stands in mandarin squares at the count: nobody, all evenly, or the side before it.

    Programs play each of them.
    """

    row_leftovers: Literal["owner", "split"] = "owner"
    """Who gets what stands in the rows at the count: each side its own row, or all evenly (Tonkin)."""

    def __post_init__(self) -> None:
        _core.check_rules(self.pairs())

    @staticmethod
    def preset(name: str, **changes: Any) -> "Rules":
        """Return the rules of a preset, with changes.

        >>> Rules.preset("quan-non", mandarin_value=5)
        Rules(mandarin_value=5, empty_mandarin_after_sowing='gap', immature_below=5)
        """
        if name not in PRESETS:
            fault = f'unknown preset "{name}": expected one of {", ".join(PRESETS)}'
            raise RulesError(fault, (fault,))
        return replace(PRESETS[name].rules, **changes)

    @staticmethod
    def parse(text: str) -> "Rules":
        """Read a preset's name, `key=value` pairs joined by `,`, or a name and then such pairs.

        >>> Rules.parse("quan-non,capture_chain=off").differences()
        {'empty_mandarin_after_sowing': 'gap', 'capture_chain': False, 'immature_below': 5}
        """
        return _from_pairs(_core.parse_rules(text))

    def pairs(self) -> list[tuple[str, str]]:
        """Return every knob in the table's order as its name and its value as text.

        >>> Rules().pairs()[:2]
        [('sides', '2'), ('squares', '5')]
        """
        return [(field.name, _text(getattr(self, field.name), type(field.default))) for field in fields(self)]

    def differences(self) -> dict[str, Knob]:
        """Return the knobs that differ from the default, in the table's order.

        >>> Rules.preset("short-game").differences()["ends_when"]
        'stones_taken'
        """
        values = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        return {name: value for name, (value, default) in values.items() if value != default}

    @property
    def ring(self) -> int:
        """Number of squares round the board, mandarin squares included.

        >>> Rules().ring
        12
        """
        return self.sides * (self.squares + 1)

    @property
    def square_names(self) -> tuple[str, ...]:
        """The names of the squares in the order of the ring: a1, a2, ..., am, b1, ...

        >>> Rules(squares=2).square_names
        ('a1', 'a2', 'am', 'b1', 'b2', 'bm')
        """
        numbers = [*map(str, range(1, self.squares + 1)), "m"]
        return tuple(side + number for side in SIDES[: self.sides] for number in numbers)

    @property
    def action_count(self) -> int:
        """Number of actions: two directions for each citizen square of a side.

        >>> Rules().action_count
        10
        """
        return 2 * self.squares

    @property
    def observation_names(self) -> tuple[str, ...]:
        """What each number of `Position.observation` and of `Batch.observations` counts.

        Seats go round from the one who sees it: own, next, third, fourth.

        >>> len(Rules().observation_names), Rules().observation_names[5]
        (21, 'own mandarin square, pebbles')
        """
        seats = SEATS[: self.sides]
        squares = [*(f"square {number}" for number in range(1, self.squares + 1)), "mandarin square"]
        return (
            *(f"{seat} {square}, pebbles" for seat in seats for square in squares),
            *(f"{seat} mandarin square, mandarins" for seat in seats),
            *(f"{seat} store, pebbles" for seat in seats),
            *(f"{seat} store, mandarins" for seat in seats),
            *(f"{seat} debt to {other}, pebbles" for seat in seats for other in seats if other != seat),
            "mandarin_ban, plies left",
        )

    @property
    def total_points(self) -> int:
        """Points on the board at the start.

        >>> Rules().total_points
        70
        """
        return self.sides * (self.squares * self.pebbles + self.mandarin_value)

    def __str__(self) -> str:
        return _core.rules_text(self.pairs())

    def __repr__(self) -> str:
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in self.differences().items())})"


@dataclass(frozen=True)
class Preset:
    """Rules that have a name, and where they are published.

    >>> PRESETS["tonkin"].rules.directions
    'counterclockwise'
    """

    name: str
    title: str
    source: str
    rules: Rules


def _text(value: object, kind: type) -> str:
    """Return a knob's value as text; one of a wrong type as its repr, which is no knob's value."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"  # Python prints no number of any length
    if type(value) is not kind:
        return repr(value)
    return ("on" if value else "off") if kind is bool else str(value)


def _from_pairs(pairs: list[tuple[str, str]]) -> Rules:
    """Build rules from names and texts that the core has checked."""
    values: dict[str, Any] = {}
    for name, text in pairs:
        default = getattr(Rules, name)
        values[name] = text == "on" if default is True else type(default)(text)
    return Rules(**values)


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {name: Preset(name, title, source, _from_pairs(pairs)) for name, title, source, pairs in _core.presets()}
)
"""The presets by name, in the order of the rule book's table."""
