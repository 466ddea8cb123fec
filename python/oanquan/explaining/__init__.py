"""Moves, results and rules in sentences, in English and in Vietnamese: the same words everywhere in the package.

| name | what it is |
|---|---|
| `explain` | a move in sentences: laps, captures, why it stopped, re-seeding, loans, the count and who won |
| `Explanation`, `Sentence` | what it returns: sentences with the steps of the trace that they tell |
| `explain_step` | a single step |
| `explain_illegal` | why a move is not legal |
| `explain_outcome` | how a game came out |
| `rules_in_words` | where rules differ from the default, or from other rules |
| `knob_title`, `knob_meaning`, `value_in_words` | knobs and their values |
| `preset_title`, `preset_meaning` | presets |
"""

from oanquan.explaining.endings import explain_outcome
from oanquan.explaining.knobs import (
    knob_meaning,
    knob_title,
    preset_meaning,
    preset_title,
    rules_in_words,
    value_in_words,
)
from oanquan.explaining.moves import explain
from oanquan.explaining.sentences import Explanation, Sentence
from oanquan.explaining.steps import explain_illegal, explain_step

__all__ = [
    "Explanation",
    "Sentence",
    "explain",
    "explain_illegal",
    "explain_outcome",
    "explain_step",
    "knob_meaning",
    "knob_title",
    "preset_meaning",
    "preset_title",
    "rules_in_words",
    "value_in_words",
]
