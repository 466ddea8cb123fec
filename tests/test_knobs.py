"""Every knob value changes play somewhere, and the Rust table, the Python class and the rule book name the same."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

import oanquan
from oanquan import _core
from support.draw import NUMBERS, WORDS
from support.engines import Engine, error_of
from support.knob_cases import Case, case_rules, pairs_to_tell_apart, read, result

CASES = read()
BOOK = Path(__file__).parent.parent / "rust/oanquan-core/docs/rules.md"
RUST, PYTHON = "rust/oanquan-core/src/knobs.rs", "python/oanquan/rules.py"
VARIANTS = "rust/oanquan-core/src/variants.rs"


def case_name(case: Case) -> str:
    return f"{case['knob']}={'|'.join(case['values'])}"


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_the_values_of_a_knob_play_differently(engine: Engine, case: Case) -> None:
    results = {v: result(engine, case_rules(case, v), case["position"], case["move"]) for v in case["values"]}
    assert results == case["values"]
    one, other = results.values()
    assert one != other


def test_no_knob_value_is_left_out() -> None:
    """Each two words of a knob; each number against the default and against the number before it."""
    told_apart = {(case["knob"], *case["values"]) for case in CASES}
    assert told_apart == set(pairs_to_tell_apart()), "python tests/regenerate.py knobs"
    for name, default, _ in _core.knobs():
        values = WORDS.get(name) or [str(n) for n in range(NUMBERS[name][0], NUMBERS[name][1] + 1)]
        for value in values:
            assert value == default or any({value, default} == {*pair[1:]} for pair in told_apart if pair[0] == name)


def test_the_numbers_beside_each_range_are_refused() -> None:
    for name, (low, high, _) in NUMBERS.items():
        for value in (low - 1, high + 1):
            with pytest.raises(oanquan.RulesError, match=f'^{name}: expected {low} to {high}, got "{value}"'):
                oanquan.Rules(**{name: value})


def test_other_words_are_refused() -> None:
    for name, words in WORDS.items():
        error = error_of(lambda n=name: oanquan.Rules.parse(f"{n}=sideways"))
        assert error is not None
        assert error[0] == "RulesError"
        assert error[1].startswith(f"{name}: expected ")
        assert error[1].endswith(', got "sideways"')
        assert all(word in error[1] for word in words)


# ---- one table in two languages and in the rule book -----------------------------------------------------------------


def test_the_knobs_are_the_same_in_rust_and_python() -> None:
    rust = [(name, default) for name, default, _ in _core.knobs()]
    python = oanquan.Rules().pairs()
    names = [[name for name, _ in table] for table in (rust, python)]
    assert names[0] == names[1], f"mend {PYTHON} (class Rules) to have the knobs of {RUST}, in its order"
    assert rust == python, f"mend the defaults of class Rules in {PYTHON}: {RUST} has others"
    assert sorted(names[0]) == sorted([*WORDS, *NUMBERS]), f"mend tests/support/draw.py: {RUST} has other knobs"


def test_the_values_are_the_same_in_rust_and_python() -> None:
    types = {field.name: str(field.type) for field in dataclasses.fields(oanquan.Rules)}
    for name, default, values in _core.knobs():
        if name in NUMBERS:
            low, high, ours = NUMBERS[name]
            assert re.findall(r"\d+", values) == [str(low), str(high)], f"{name}: tests/support/draw.py, {RUST}"
            assert default == str(ours), f"{name}: mend tests/support/draw.py or {RUST}"
            assert types[name] in ("int", "<class 'int'>"), f"{name}: mend {PYTHON}"
        else:
            listed = [word for word in re.findall(r"[a-z_]+", values) if word != "or"]
            assert sorted(listed) == sorted(WORDS[name]), f"{name}: mend tests/support/draw.py or {RUST}"
            assert default == WORDS[name][0], f"{name}: mend tests/support/draw.py or {RUST}"
            if name != "capture_chain":
                literal = re.findall(r"'(\w+)'|\"(\w+)\"", types[name])
                assert [a or b for a, b in literal] == listed, f"{name}: mend its Literal in {PYTHON}"


def test_the_presets_are_the_same_in_rust_and_python() -> None:
    rust = [(name, title, source, dict(pairs)) for name, title, source, pairs in _core.presets()]
    python = [(p.name, p.title, p.source, dict(p.rules.pairs())) for p in oanquan.PRESETS.values()]
    assert rust == python, f"mend {PYTHON}: PRESETS must read the table of {VARIANTS}"
    assert list(oanquan.PRESETS) == [p.name for p in oanquan.PRESETS.values()]


# Section 8 of the rule book, by hand: what a preset's name promises must not change with the table.
VI = "empty_mandarin_after_sowing=gap"
PROMISED = {
    "mancala-world": "",
    "ten-pebbles": "mandarin=pebbles",
    "wikipedia-en": "empty_mandarin_in_chain=stop,ends_when=stones_taken,mandarin_leftovers=split",
    "wikipedia-vi": VI,
    "quan-non": f"{VI},immature_below=5",
    "quan-five": "mandarin_value=5",
    "short-game": f"{VI},ends_when=stones_taken,mandarin_leftovers=split",
    "bankrupt": f"{VI},shortfall=loses",
    "no-first-mandarin": f"{VI},mandarin_ban=1",
    "tonkin": "mandarin=pebbles,directions=counterclockwise,mandarin_next=lift_one,"
    f"{VI},reseed_when=when_empty,row_leftovers=split",
    "three-players": "sides=3",
    "four-players": "sides=4",
}


def test_the_presets_are_those_of_the_rule_book() -> None:
    assert list(oanquan.PRESETS) == list(PROMISED), f"mend {VARIANTS}"
    for name, changes in PROMISED.items():
        pairs = dict(pair.split("=") for pair in changes.split(",") if pair)
        values = {key: {"off": False}.get(v, int(v) if v.isdigit() else v) for key, v in pairs.items()}
        assert oanquan.PRESETS[name].rules.differences() == values, f"{name}: mend {VARIANTS}"
        assert str(oanquan.PRESETS[name].rules) == name
        assert oanquan.Rules.parse(changes or "sides=2") == oanquan.Rules.preset(name)


def book_rows() -> list[list[str]]:
    """The rows of all tables of the rule book, cell by cell."""
    lines = BOOK.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


def test_the_rule_book_has_a_row_for_every_knob() -> None:
    rows = {row[0].strip("`"): row for row in book_rows()}
    for name, default, _ in _core.knobs():
        assert name in rows, f"mend {BOOK}: no row for the knob {name}"
        cells = " ".join(rows[name][1:3])
        words = WORDS.get(name) or [str(n) for n in NUMBERS[name][:2]]
        assert all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", cells) for word in words), f"{name}: mend {BOOK}"
        assert default in rows[name][2], f"{name}: mend the default in {BOOK}"


def test_the_rule_book_has_a_row_for_every_preset() -> None:
    rows = {row[0].strip("`"): row for row in book_rows()}
    for name, preset in oanquan.PRESETS.items():
        assert name in rows, f"mend {BOOK}: no row for the preset {name}"
        shown = " ".join(rows[name][1:])
        assert all(f"{knob}" in shown or "+" in shown for knob in preset.rules.differences()), f"{name}: mend {BOOK}"


# ---- rules that cannot be built --------------------------------------------------------------------------------------


def test_every_fault_of_the_rules_is_named() -> None:
    with pytest.raises(oanquan.RulesError) as caught:
        oanquan.Rules(sides=5, squares=0, mandarin="gold", capture_chain="on", pebbles="5")  # type: ignore[arg-type]
    assert len(caught.value.faults) == 5
    assert str(caught.value) == "; ".join(caught.value.faults)
    for name, fault in zip(
        ("sides", "squares", "pebbles", "mandarin", "capture_chain"), caught.value.faults, strict=True
    ):
        assert fault.startswith(f"{name}: expected ")


@pytest.mark.parametrize(
    "changes", [{"immature_below": 1}, {"ends_when": "stones_taken"}, {"mandarin_ban": 1}], ids=str
)
def test_what_needs_stones_is_refused_with_pebbles(changes: dict[str, int | str]) -> None:
    with pytest.raises(oanquan.RulesError) as caught:
        oanquan.Rules(mandarin="pebbles", **changes)  # type: ignore[arg-type]
    assert len(caught.value.faults) == 1
    assert next(iter(changes)) in str(caught.value)
    with pytest.raises(oanquan.RulesError) as caught:
        oanquan.Rules(mandarin="pebbles", immature_below=1, ends_when="stones_taken", mandarin_ban=1)
    assert len(caught.value.faults) == 3


def test_a_board_holds_at_most_255_pebbles() -> None:
    assert oanquan.Rules(sides=4, squares=7, pebbles=9).ring == 32
    with pytest.raises(oanquan.RulesError, match="255"):
        oanquan.Rules(sides=4, squares=7, pebbles=10)
    assert oanquan.Rules(sides=3, squares=5, pebbles=10, mandarin="pebbles", mandarin_value=20).total_points == 210
    with pytest.raises(oanquan.RulesError, match="255"):
        oanquan.Rules(sides=4, squares=5, pebbles=9, mandarin="pebbles", mandarin_value=20)


@pytest.mark.parametrize(
    "text",
    ["", " ", "wikipedia", "sides", "sides=", "sides=2,sides=2", "seats=3", "sides=2,", "sides=02", "quan-non,", "a=b"],
)
def test_faulty_rules_texts_are_refused(text: str) -> None:
    with pytest.raises(oanquan.RulesError):
        oanquan.Rules.parse(text)


def test_rules_texts_are_canonical() -> None:
    parse = oanquan.Rules.parse
    assert str(parse("mandarin_value=10,sides=3,capture_chain=off")) == "sides=3,capture_chain=off"
    assert str(parse("wikipedia-vi,immature_below=5")) == "quan-non"
    assert str(parse("quan-non,immature_below=0")) == "wikipedia-vi"
    assert (
        str(parse("empty_mandarin_after_sowing=gap,mandarin_value=5"))
        == "mandarin_value=5,empty_mandarin_after_sowing=gap"
    )
    assert hash(parse("quan-five")) == hash(oanquan.Rules(mandarin_value=5))
