"""What is wrong with a position or rules, in the words of the page's language."""

from __future__ import annotations

import re
from typing import Final

from oanquan.explaining.knobs import knob_title
from oanquan.language import say
from oanquan.rules import Rules

_NUMBER: Final = r"(-?\d+)"
# The messages of the core by what they look like; the groups are the values of the sentence, in its order.
_KINDS: Final = tuple(
    (re.compile(pattern), f"web.fault_{name}", places)
    for pattern, name, places in (
        (rf"square (\w+): expected {_NUMBER} to {_NUMBER} pebbles, got {_NUMBER}", "pebbles", "square least most got"),
        (rf"square (\w+): only a mandarin square can hold a mandarin, got {_NUMBER}", "no_place", "square got"),
        (
            rf"square (\w+): expected {_NUMBER} to {_NUMBER} mandarins, got {_NUMBER}",
            "mandarins",
            "square least most got",
        ),
        (rf"board: expected at most {_NUMBER} pebbles in all, got {_NUMBER}", "board", "most got"),
        (rf"store of (\w): expected {_NUMBER} to {_NUMBER} pebbles, got {_NUMBER}", "store", "side least most got"),
        (rf"store of (\w): expected {_NUMBER} to {_NUMBER} mandarins, got {_NUMBER}", "stored", "side least most got"),
        (rf"mandarins: expected at most {_NUMBER} in all, got {_NUMBER}", "all_mandarins", "most got"),
        (r"debts: expected none unless shortfall is borrow", "no_debts", ""),
        (r"debt (\w)>\w: a side cannot owe itself", "own_debt", "side"),
        (
            rf"debt (\w)>(\w): expected {_NUMBER} to {_NUMBER} pebbles, got {_NUMBER}",
            "debt",
            "side other least most got",
        ),
        (r'turn: expected one of (.+), got "(\w)"', "turn", "sides got"),
        (rf"ply: expected {_NUMBER} to {_NUMBER}, got {_NUMBER}", "ply", "least most got"),
        (r"ending: expected none, got \w+", "no_ending", ""),
        (r"ending: expected \w+, got none", "ending", ""),
        (r"ending: expected \w+, got \w+", "other_ending", ""),
        (r"row of (\w): expected a pebble \(.*\)", "row", "side"),
        (r"(\w+)(?:=\w+)?: expected mandarin=stone, got mandarin=pebbles", "stone", "knob"),
        (rf"start: expected at most {_NUMBER} pebbles on the board, got {_NUMBER}", "start", "most got"),
    )
)


def fault_in_words(fault: str, lang: str) -> str:
    """Return a fault of `PositionError` or `RulesError` as a sentence of the page; one of another kind as it is.

    >>> fault_in_words("square a1: expected 0 to 255 pebbles, got 300", "vi")
    'Ô a1: số dân phải từ 0 đến 255, đang là 300.'
    >>> fault_in_words("ending: expected mandarins, got none", "en")
    'By these rules the game is over on this board.'
    >>> fault_in_words("something else", "vi")
    'something else'
    """
    for pattern, name, places in _KINDS:
        found = pattern.fullmatch(fault)
        if found is not None:
            values = dict(zip(places.split(), found.groups(), strict=True))
            if "knob" in values:
                values["knob"] = knob_title(values["knob"], lang) if values["knob"] in _KNOBS else values["knob"]
            return say(name, lang, **values)
    return fault


_KNOBS: Final = frozenset(name for name, _ in Rules().pairs())
