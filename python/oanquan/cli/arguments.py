"""The arguments that several commands take, and how their texts become values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from oanquan import Position, Rules
from oanquan.cli.status import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import Token

RulesText = Annotated[
    str, Parameter(name=["--rules", "-r"], help="A preset or key=value,... pairs; see `oanquan rules`.")
]
PositionText = Annotated[str, Parameter(help="`start` or a position text, quoted.")]
Json = Annotated[bool, Parameter(name="--json", help="Print JSON instead of a table.")]


def read_position(text: str, rules: str) -> Position:
    """Return the position of a text under the rules of a text."""
    parsed = Rules.parse(rules)
    return Position.start(parsed) if text == "start" else Position.parse(text, parsed)


def whole(_: Any, tokens: Sequence[Token]) -> int:
    """Read a whole number; whether it is in range is for those to say who use it."""
    text = tokens[0].value
    if not re.fullmatch(r"-?[0-9](_?[0-9]){0,39}", text, flags=re.ASCII):
        raise UsageError(f'{tokens[0].keyword}: expected a whole number, got "{text}"')
    return int(text)


def whole_or_off(_: Any, tokens: Sequence[Token]) -> int | None:
    """Read a whole number, or `off` for none."""
    return None if tokens[0].value == "off" else whole(_, tokens)


Whole = Annotated[int, Parameter(converter=whole)]
WholeOrOff = Annotated[int | None, Parameter(converter=whole_or_off)]


def within(name: str, value: int, least: int, most: int) -> int:
    """Return the value, which must be in the range."""
    if not least <= value <= most:
        raise UsageError(f"{name}: expected {least} to {most}, got {value}")
    return value
