"""The pages of docs/rules: as the package makes them now, with every knob and what each of its words does."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from oanquan import PRESETS, Rules, _core
from support.documents import ROOT
from support.draw import WORDS

FOLDER = ROOT / "docs" / "rules"


def load() -> ModuleType:
    """The script that makes them."""
    file = ROOT / "python" / "examples" / "rule_book.py"
    spec = importlib.util.spec_from_file_location("rule_book", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["rule_book"] = module
    spec.loader.exec_module(module)
    return module


BOOK = load()
CASES = [case for values in BOOK.cases().values() for case in values]


def test_the_pages_are_those_that_the_script_makes() -> None:
    """`python python/examples/rule_book.py` writes them anew: read the diff, and look at the pictures."""
    made = BOOK.files()
    there = {file.relative_to(FOLDER).as_posix() for file in [*FOLDER.glob("knobs*.md"), *FOLDER.rglob("*.svg")]}
    assert there == made.keys()
    other = [name for name, text in made.items() if (FOLDER / name).read_text(encoding="utf-8") != text]
    assert not other


def test_every_knob_and_every_word_is_shown() -> None:
    table = BOOK.cases()
    assert list(table) == [name for name, *_ in _core.knobs()]
    for knob, values in table.items():
        shown = [case.value for case in values]
        assert shown[0] == dict(Rules().pairs())[knob], "the default first"
        assert len({*shown}) == len(shown) > 1
        assert {*shown} == {*WORDS[knob]} if knob in WORDS else True


@pytest.mark.parametrize("knob", [knob for knob, values in BOOK.cases().items() if values[0].move])
def test_a_move_shows_that_the_values_differ(knob: str) -> None:
    values = BOOK.cases()[knob]
    for lang in BOOK.PAGES:
        told = ["\n".join(BOOK.told(case, lang)) for case in values]
        # What a mandarin is worth or who re-seeds may only be seen in what is left.
        left = [str(case.position.play(case.move)) if case.show == "after" else "" for case in values]
        assert len({*zip(told, left, strict=True)}) == len(values)
        assert len({BOOK.picture(case, lang) for case in values}) == len(values)
    assert len({str(case.position) for case in values}) == 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.picture)
def test_every_value_has_its_source_in_both_languages(case: BOOK.Case) -> None:  # type: ignore[name-defined]
    assert case.source.keys() == {*BOOK.PAGES}
    for lang, page in BOOK.PAGES.items():
        text = (FOLDER / page).read_text(encoding="utf-8")
        assert f"### `{case.knob}={case.value}`" in text
        assert f": {case.source[lang]}*" in text
        picture = FOLDER / "pictures" / f"{case.picture}.{lang}.svg"
        ET.parse(picture)
        assert f"(pictures/{picture.name})" in text


def test_every_preset_is_named() -> None:
    for page in BOOK.PAGES.values():
        text = (FOLDER / page).read_text(encoding="utf-8")
        assert all(f"(`{name}`)" in text for name in PRESETS)


def test_it_writes_where_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "old.svg").write_text("gone", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["rule_book.py", "--folder", str(tmp_path)])
    BOOK.main()
    made = BOOK.files()
    assert {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()} == made.keys()
    assert not (tmp_path / "pictures" / "old.svg").exists()
