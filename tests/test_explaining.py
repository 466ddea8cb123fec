"""Sentences: every step of every move is told by exactly one, and the English words of steps are the core's."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

import pytest

import oanquan as oaq
from oanquan import Move, Position, Rules, Setup, Step, explaining
from oanquan.explaining import Explanation, explain, explain_illegal, explain_outcome, explain_step
from oanquan.frames import frames
from oanquan.language import sentences
from support import explanations
from test_frames import games

if TYPE_CHECKING:
    from collections.abc import Callable

LANGUAGES = ("en", "vi")
STOPS = (
    "mandarin_square",
    "empty_mandarin_square",
    "two_empty_squares",
    "immature_mandarin",
    "capture_chain_off",
    "no_gap",
    "game_over",
    "lap_limit",
)
ENDINGS = ("mandarins", "short", "loses", "repetition", "max_plies")


@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_every_move_is_told_once(seed: int) -> None:
    stops = set()
    for position, action in games(seed + 100, 150):
        steps = position.trace(action)
        for lang in LANGUAGES:
            told = explain(position, action, lang)
            assert isinstance(told, Explanation)
            assert [at for s in told for at in range(s.first, s.last + 1)] == list(range(len(steps)))
            assert all(sentence.text.endswith(".") and "  " not in sentence.text for sentence in told)
            assert not re.search(r"[{}]|None", str(told))
            assert {knob for sentence in told for knob in sentence.knobs} <= dict(position.rules.pairs()).keys()
        stops |= {step.reason for step in steps if step.kind == "stop"}
    assert {*STOPS} - stops <= {"lap_limit"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sentence_names_the_squares_and_sides_of_its_steps(lang: str) -> None:
    for position, action in games(7, 60):
        steps = position.trace(action)
        for sentence in explain(position, action, lang):
            first, last = steps[sentence.first], steps[sentence.last]
            for word in filter(None, (first.square, last.square, first.side, first.other)):
                assert re.search(rf"\b{word}\b", sentence.text), (sentence, first, last)
            if first.pebbles and not (first.kind == "lift" and position.rules.mandarin_next == "lift_one"):
                assert re.search(rf"\b{first.pebbles}\b", sentence.text), (sentence, first)


def test_the_sentence_of_a_step_is_found() -> None:
    told = explain(Position.start(), "a3+")
    assert [told.at(step) for step in (0, 5, 6, 13)] == [told[0], told[0], told[1], told[3]]
    for step in (-1, 14):
        with pytest.raises(IndexError, match=f"step: expected 0 to 13, got {step}"):
            told.at(step)


def test_a_move_is_taken_in_every_form() -> None:
    start = Position.start()
    assert explain(start, "a3+") == explain(start, Move("a3+")) == explain(start, Move("a3+").action)


def test_a_store_that_has_too_few_does_not_pay_for_the_row() -> None:
    position = Position.parse("0.1.0.0.2.0q1/0.0.0.0.0.3q1 12/-2 - a 22", Rules(shortfall="owe"))
    told = explain(position, "a2+")[-1].text
    assert "from its store" not in told
    assert "does not hold that many and now stands at -7 pebbles" in told
    richer = Position.parse("0.1.0.0.2.0q1/0.0.0.0.0.3q1 12/5 - a 22", Rules(shortfall="owe"))
    assert "with 5 pebbles from its store" in explain(richer, "a2+")[-1].text


def test_the_language_must_be_known() -> None:
    with pytest.raises(oaq.OanquanError, match="lang: expected one of en, vi, got 'fr'"):
        explain(Position.start(), "a3+", "fr")


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(oaq.IllegalMoveError):
        explain(Position.start(), "b3+")


def test_who_decides_is_said_where_rules_differ() -> None:
    rules = Rules.preset("quan-non")
    setup = Setup(rules, pebbles={"a3": 1, "am": 4, "b3": 2}, mandarins={"am": 1, "bm": 1})
    assert [sentence.knobs for sentence in explain(setup.position(), "a3+")] == [(), ("immature_below",)]


# ---- single steps ----------------------------------------------------------------------------------------------------


def test_steps_in_english_are_the_words_of_the_core() -> None:
    kinds = set()
    for position, action in games(11, 150):
        for step in position.trace(action):
            assert explain_step(step) == str(step)
            assert explain_step(step, "vi") != str(step)
            kinds.add(step.kind)
    assert kinds == {"lift", "drop", "capture", "stop", "borrow", "reseed", "sweep", "share", "repay", "end"}
    for reason in STOPS:
        assert explain_step(Step("stop", reason)) == str(Step("stop", reason))
        assert explain_step(Step("stop", reason), "vi").startswith("dừng: ")
    for ending in ENDINGS:
        assert explain_step(Step("end", ending)) == str(Step("end", ending))
        assert explain_step(Step("end", ending), "vi").startswith("ván kết thúc: ")


@pytest.mark.parametrize("ending", ENDINGS)
def test_outcomes(ending: str) -> None:
    won, drawn = oaq.Outcome("b", ending, [-3, 0, 73]), oaq.Outcome(None, ending, [1, 1])
    assert explain_outcome(won).endswith(" Side b wins: a -3 points, b 0 points, c 73 points.")
    assert explain_outcome(won, "vi").endswith(" Bên b thắng: a -3 điểm, b 0 điểm, c 73 điểm.")
    nobody = ("Of the others nobody wins alone", "Trong các bên còn lại không bên nào thắng riêng")
    english, vietnamese = nobody if ending == "loses" else ("The game is a draw", "Ván hòa")
    assert explain_outcome(drawn).endswith(f" {english}: a 1 point, b 1 point.")
    assert explain_outcome(drawn, "vi").endswith(f" {vietnamese}: a 1 điểm, b 1 điểm.")


# ---- moves that are not legal ----------------------------------------------------------------------------------------


def test_illegal_moves_in_english_are_refused_in_the_words_of_the_core() -> None:
    seen = set()
    for position, action in games(13, 150):
        for place in (position, position.play(action)):
            texts = [f"{side}{square}{sign}" for side in "abcd" for square in range(1, 8) for sign in "+-"]
            for move in [*texts, -1, *range(15)]:
                why = explain_illegal(place, move)
                assert (why is None) == (explain_illegal(place, move, "vi") is None)
                if why is None:
                    place.play(move)
                    continue
                with pytest.raises(oaq.IllegalMoveError, match=re.escape(f": {why} (position ")):
                    place.play(move)
                seen.add(re.sub(r"\d+|side \w|\(.*|square \w+", "", why))
    assert len(seen) == 8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: explain(oaq.Game(), "a1+"), "position: expected a Position, got Game"),
        (lambda: explaining.explain_illegal("start", "a1+"), "position: expected a Position, got str"),
        (lambda: explaining.explain_step("lift"), "step: expected a Step, got str"),
        (lambda: explaining.explain_outcome(Position.start()), "outcome: expected an Outcome, got Position"),
        (lambda: explaining.rules_in_words("quan-non"), "rules: expected a Rules, got str"),
        (lambda: explaining.rules_in_words(Rules(), base="quan-non"), "base: expected a Rules, got str"),
        (lambda: oaq.board_text(oaq.Game()), "position: expected a Position or Frame, got Game"),
        (lambda: oaq.board_text(Position.start(), last_move=3), "last_move: expected a move, got int"),
        (lambda: frames(None, "a1+"), "position: expected a Position, got NoneType"),
    ],
)
def test_arguments_of_other_kinds_are_refused_by_their_names(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_a_text_that_is_no_move_is_refused() -> None:
    with pytest.raises(oaq.NotationError):
        explain_illegal(Position.start(), "hello")


# ---- as recorded -----------------------------------------------------------------------------------------------------


def test_explanations_are_those_that_were_recorded() -> None:
    """`python tests/regenerate.py explanations` writes them anew: read the diff."""
    assert explanations.FILE.read_text(encoding="utf-8") == explanations.written()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_of_moves_is_among_them(lang: str) -> None:
    recorded = explanations.FILE.read_text(encoding="utf-8")
    apart = ("step_", "why_", "illegal_")  # single steps and refusals
    # How a game came out without its last move; names that every sentence has.
    apart += ("over_mandarins", "over_short_of_pebbles", "over_lost", "over_repetition", "over_max_plies", "citizen_")
    for key, entry in sentences("steps").items():
        forms = entry[lang]  # type: ignore[index]
        for form, text in [("other", forms)] if isinstance(forms, str) else forms.items():
            if form == "other" and not key.startswith(apart):
                pattern = "".join(
                    re.escape(said) + (".+?" if place is not None else "")
                    for said, place, *_ in string.Formatter().parse(text)
                )
                assert re.search(pattern, recorded), f"no case for {key}"
