"""The arguments that several commands take, and how their texts become values."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from oanquan import Position, Rules, Tables
from oanquan.cli.status import UsageError
from oanquan.language import Language, language, preferred
from oanquan.text import fits, in_ascii

if TYPE_CHECKING:
    from cyclopts import Token

RulesText = Annotated[
    str, Parameter(name=["--rules", "-r"], help="A preset or key=value,... pairs; see `oanquan rules`.")
]
PositionText = Annotated[str, Parameter(help="`start` or a position text, quoted.")]
LangText = Annotated[str | None, Parameter(name="--lang", help="en or vi; by default what the environment asks for.")]
Json = Annotated[bool, Parameter(name="--json", help="Print JSON instead of a table.")]


def read_position(text: str, rules: str) -> Position:
    """Return the position of a text under the rules of a text."""
    parsed = Rules.parse(rules)
    return Position.start(parsed) if text == "start" else Position.parse(text, parsed)


def read_language(text: str | None) -> Language:
    """Return the language that is asked for, or the one that the environment prefers."""
    return preferred() if text is None else language(text)


def printable(text: str) -> str:
    """Return the text as standard output can show it: in ASCII if its encoding lacks a letter."""
    return text if fits(text, sys.stdout.encoding) else in_ascii(text)


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
WholeOrNone = Annotated[int | None, Parameter(converter=whole)]
WholeOrOff = Annotated[int | None, Parameter(converter=whole_or_off)]


def cannot_read(path: str, error: OSError) -> UsageError:
    """Return what every command says of a file that it was given and cannot read."""
    return UsageError(f"cannot read {path}: {error.strerror or error}")


def open_tables(path: str) -> Tables:
    """Open the endgame table of a file."""
    try:
        return Tables(path)
    except OSError as error:
        raise cannot_read(path, error) from None


def read_tables(path: str | None) -> Tables | None:
    """Open the endgame table of a file, if one is named."""
    return None if path is None else open_tables(path)


def number(_: Any, tokens: Sequence[Token]) -> float:
    """Read a number of seconds."""
    text = tokens[0].value
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise UsageError(f'{tokens[0].keyword}: expected a number of 0 or more, got "{text}"')
    return value


Seconds = Annotated[float | None, Parameter(converter=number)]
TablesFile = Annotated[str | None, Parameter(name="--tables", help="The file of an endgame table for the rules.")]


OptionTexts = Annotated[
    Sequence[str],
    Parameter(name=["--option", "-o"], help="NAME=VALUE, an option set from the start, such as Rules=wikipedia-vi."),
]


def read_options(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Split the options of an engine into names and values."""
    options = []
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator:
            raise UsageError(f'--option: expected NAME=VALUE, got "{text}"')
        options.append((name, value))
    return options


def within(name: str, value: int, least: int, most: int) -> int:
    """Return the value, which must be in the range."""
    if not least <= value <= most:
        raise UsageError(f"{name}: expected {least} to {most}, got {value}")
    return value
