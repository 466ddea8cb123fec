"""What can be chosen for every knob of the rules."""

from __future__ import annotations

import re
from functools import cache

from oanquan import _core
from oanquan.rules import Rules


@cache
def values_of(knob: str) -> tuple[str, ...]:
    """Return all values of a knob as texts.

    >>> values_of("sides"), values_of("capture_chain")
    (('2', '3', '4'), ('on', 'off'))
    """
    words = {name: values for name, _, values in _core.knobs()}[knob]
    if numbers := re.fullmatch(r"(\d+) to (\d+)", words):
        return tuple(map(str, range(int(numbers[1]), int(numbers[2]) + 1)))
    return tuple(words.split(", "))


def changed(knob: str, text: str) -> int | str | bool:
    """Return the value of a text.

    >>> changed("sides", "3"), changed("capture_chain", "off"), changed("shortfall", "owe")
    (3, False, 'owe')
    """
    value = getattr(Rules(), knob)
    if isinstance(value, bool):
        return text == "on"
    return int(text) if isinstance(value, int) else text
