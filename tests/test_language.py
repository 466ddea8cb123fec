"""The tables of sentences: both languages everywhere, the same places in both, and nothing that is never said."""

from __future__ import annotations

import ast
import re
import string
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import oanquan as oaq
from oanquan import PRESETS, Rules, _core
from oanquan.explaining import (
    knob_meaning,
    knob_title,
    preset_meaning,
    preset_title,
    rules_in_words,
    value_in_words,
)
from oanquan.language import LANGUAGES, preferred, say, sentences
from support.draw import NUMBERS, WORDS
from test_explaining import ENDINGS, STOPS

PACKAGE = Path(oaq.__file__).parent
TABLES = sorted(file.stem for file in (PACKAGE / "language").glob("*.toml"))
ENTRIES = [(table, key) for table in TABLES for key in sentences(table)]
RULES = {
    *dict(Rules().pairs()),
    *(f"{knob}.meaning" for knob in dict(Rules().pairs())),
    *(f"{knob}={value}" for knob, values in WORDS.items() for value in values),
    *(f"{knob}=" for knob in NUMBERS),
    *("immature_below=0", "mandarin_ban=0"),
    *PRESETS,
    *(f"{preset}.meaning" for preset in PRESETS),
}


def forms(table: str, key: str, lang: str) -> list[str]:
    entry = sentences(table)[key][lang]  # type: ignore[index]
    return [entry] if isinstance(entry, str) else list(entry.values())


def places(text: str) -> set[str]:
    """The places for values of a sentence; every one is a plain name."""
    found = {name for _, name, spec, conversion in string.Formatter().parse(text) if name is not None}
    assert all(name.isidentifier() for name in found), text
    return found


@pytest.mark.parametrize(("table", "key"), ENTRIES)
def test_both_languages_say_the_same_values(table: str, key: str) -> None:
    entry = sentences(table)[key]
    assert entry.keys() == {*LANGUAGES}
    assert isinstance(entry["vi"], str), "Vietnamese counts without a plural"
    if not isinstance(entry["en"], str):
        assert entry["en"].keys() == {"one", "other"}
        assert len({*entry["en"].values()}) == 2, "one form is enough"
    named = [places(text) for lang in LANGUAGES for text in forms(table, key, lang)]
    if not isinstance(entry["en"], str):
        named = [found | {"count"} for found in named]  # what chooses the form need not be written
    assert all(found == named[0] for found in named)


@pytest.mark.parametrize(("table", "key"), ENTRIES)
def test_texts_are_clean(table: str, key: str) -> None:
    for lang in LANGUAGES:
        for text in forms(table, key, lang):
            assert text, "an empty sentence"
            assert unicodedata.is_normalized("NFC", text)
            assert "  " not in text
            assert text == text.rstrip()
            assert not re.search(r" [.,:;!?]|\.\.", text)


# ---- nothing is left out, nothing is too much ------------------------------------------------------------------------


def strings(file: Path) -> Iterator[str]:
    """The strings of a module as patterns: what an f-string fills in may be any word."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            yield "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"[\w=]+" for p in node.values)


@cache
def spoken() -> tuple[set[str], list[re.Pattern[str]], str]:
    """What the package writes out in Python, what it fills in, and its other files: scripts and pages."""
    exact, filled = set(), []
    for file in PACKAGE.rglob("*.py"):
        for pattern in strings(file):
            (filled.append(re.compile(pattern)) if r"[\w=]+" in pattern else exact.add(pattern.replace("\\", "")))
    others = [file for suffix in ("js", "html") for file in PACKAGE.rglob(f"*.{suffix}")]
    return exact, filled, "\n".join(file.read_text(encoding="utf-8") for file in others)


@pytest.mark.parametrize(("table", "key"), [entry for entry in ENTRIES if entry[0] != "rules"])
def test_every_sentence_is_said_somewhere(table: str, key: str) -> None:
    exact, filled, others = spoken()
    named = {key, f"{table}.{key}"} & exact or re.search(rf"\b{re.escape(key)}\b", others)
    # Something must be written out besides the table: `f"steps.{key}"` names no sentence.
    patterns = [p for p in filled if len(re.sub(r"\[\\w=\]\+|\\", "", p.pattern).removeprefix(f"{table}.")) > 3]
    assert named or any(p.fullmatch(key) or p.fullmatch(f"{table}.{key}") for p in patterns)


def test_families_of_sentences_are_whole() -> None:
    """Those whose names are put together from words of the core."""
    by_kind = {
        "step_": {"lift", "drop", "capture", "stop", "borrow", "reseed", "sweep", "share", "repay", "end"},
        "why_": {*STOPS, *ENDINGS},
        "stop_": {*STOPS, "empty_mandarin_square_in_chain", "two_empty_squares_in_chain"}
        | {"lone_mandarin", "mandarin_at_home"},
    }
    for prefix, words in by_kind.items():
        assert {key.removeprefix(prefix) for key in sentences("steps") if key.startswith(prefix)} == words


# ---- the rules -------------------------------------------------------------------------------------------------------


def test_every_knob_value_and_preset_has_its_words() -> None:
    assert set(sentences("rules")) == RULES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_knobs_in_words(lang: str) -> None:
    titles = [knob_title(knob, lang) for knob, *_ in _core.knobs()]
    assert len({*titles}) == len(titles)
    assert len({knob_meaning(knob, lang) for knob, *_ in _core.knobs()}) == len(titles)
    for knob, values in {**WORDS, **{name: range(low, high + 1) for name, (low, high, _) in NUMBERS.items()}}.items():
        said = {value_in_words(knob, {"on": True, "off": False}.get(value, value), lang) for value in values}
        assert len(said) == len(values)
    assert len({preset_title(name, lang) for name in PRESETS}) == len(PRESETS)
    assert len({preset_meaning(name, lang) for name in PRESETS}) == len(PRESETS)


def test_titles_of_presets_in_english_are_those_of_the_table() -> None:
    assert {name: preset_title(name) for name in PRESETS} == {name: preset.title for name, preset in PRESETS.items()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_in_words_tell_the_differences(lang: str) -> None:
    for preset in PRESETS.values():
        changes = preset.rules.differences()
        assert rules_in_words(preset.rules, lang) == tuple(value_in_words(*change, lang) for change in changes.items())
        assert rules_in_words(preset.rules, lang, base=preset.rules) == ()
        assert len(rules_in_words(Rules(), lang, base=preset.rules)) == len(changes)


def test_what_is_no_knob_value_or_preset_is_refused() -> None:
    for call, message in (
        (lambda: knob_title("speed"), "knob: expected one of sides, .*, got 'speed'"),
        (lambda: knob_meaning("sides.meaning"), "knob: expected one of"),
        (lambda: preset_title("sides"), "preset: expected one of mancala-world, .*, got 'sides'"),
        (
            lambda: value_in_words("directions", "up"),
            "directions: expected both, counterclockwise, clockwise, got 'up'",
        ),
        (lambda: value_in_words("sides", "many"), "sides: expected a number, got 'many'"),
        (lambda: rules_in_words(Rules(), "fr"), "lang: expected one of en, vi, got 'fr'"),
    ):
        with pytest.raises(oaq.OanquanError, match=message):
            call()


# ---- the language ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "vi_VN.UTF-8"}, "vi"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LC_ALL": "vi_VN", "LANG": "en_US.UTF-8"}, "vi"),
        ({"LC_ALL": "C", "LANG": "vi_VN"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "vi", "LANG": "en_US"}, "vi"),
    ],
)
def test_the_language_of_the_environment(
    variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert preferred() == expected


def test_a_sentence_that_is_not_there_is_a_fault_of_the_package() -> None:
    with pytest.raises(KeyError):
        say("steps.hello", "en")
