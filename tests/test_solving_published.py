"""The proofs that are published: every certificate holds, and the page on solving says what they prove and no more."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import oanquan as oaq
from oanquan import PRESETS, Position, Rules, Verified

PUBLISHED = Path(__file__).parent / "data" / "certificates"
PAGE = Path(__file__).parents[1] / "rust" / "oanquan-engine" / "docs" / "solving.md"
README = Path(__file__).parents[1] / "README.md"
PROVED = [name for name, preset in PRESETS.items() if preset.rules.sides == 2]
# The others take the reference minutes.
QUICK = ["tonkin", "wikipedia-en"]
Bounds = dict[str, int]


@cache
def verified(preset: str) -> Verified:
    return oaq.verify_certificate(PUBLISHED / f"{preset}.certificate", threads=2)


def proved(preset: str, position: Position) -> Bounds:
    return {claim.bound: claim.value for claim in verified(preset).claims if claim.position == str(position)}


def said(text: str) -> Bounds:
    """The bounds that a cell of a table names."""
    if match := re.fullmatch(r"at (most|least) (-?\d+)", text):
        return {"upper" if match[1] == "most" else "lower": int(match[2])}
    if match := re.fullmatch(r"(-?\d+) to (-?\d+)", text):
        return {"lower": int(match[1]), "upper": int(match[2])}
    if match := re.fullmatch(r"(-?\d+)/(-?\d+)", text):
        lower, upper = int(match[1]), int(match[2])
        return {"lower": lower, "lower-at-most": lower, "upper": upper, "upper-at-least": upper}
    return {} if text == "?" else {"lower": int(text), "upper": int(text)}


def other_side(bounds: Bounds) -> Bounds:
    names = {"lower": "upper", "upper": "lower", "lower-at-most": "upper-at-least", "upper-at-least": "lower-at-most"}
    return {names[bound]: -value for bound, value in bounds.items()}


def rows(page: Path, head: str) -> dict[str, dict[str, str]]:
    """The rows of the table with that head, by preset."""
    lines = page.read_text(encoding="utf-8").splitlines()
    columns = [cell.strip() for cell in head.strip("|").split("|")]
    start = lines.index(head) + 2
    found = {}
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        cells = dict(zip(columns, (cell.strip() for cell in line.strip("|").split("|")), strict=True))
        found[cells["preset"].strip("`")] = cells
    return found


def agree(preset: str, position: Position, bounds: Bounds) -> bool:
    """Whether all of these bounds are proved of a position, in the words that the proofs have."""
    claims = proved(preset, position)
    return bounds == {bound: claims.get(bound) for bound in bounds}


def test_every_preset_of_two_sides_has_a_certificate() -> None:
    assert sorted(path.stem for path in PUBLISHED.glob("*.certificate")) == sorted(PROVED)
    for preset in PROVED:
        assert verified(preset).rules == Rules.preset(preset)


@pytest.mark.parametrize(
    "preset", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in PROVED]
)
def test_the_reference_accepts_them_too(preset: str) -> None:
    found = oaq.verify_certificate(PUBLISHED / f"{preset}.certificate", reference=True, threads=2)
    assert (found.claims, found.decisions) == (verified(preset).claims, verified(preset).decisions)


RESULTS = "| preset | value | best first moves | positions | time | decisions | bytes |"
MOVES = "| preset | a1+, a5- | a1-, a5+ | a2+, a4- | a2-, a4+ | a3+, a3- |"


@pytest.mark.parametrize("preset", PROVED)
def test_the_page_says_what_is_proved(preset: str) -> None:
    start = Position.start(Rules.preset(preset))
    row = rows(PAGE, RESULTS)[preset]
    assert agree(preset, start, said(row["value"]))
    assert int(row["decisions"].replace(",", "")) == verified(preset).decisions
    assert int(row["bytes"].replace(",", "")) == (PUBLISHED / f"{preset}.certificate").stat().st_size
    # A best first move keeps what the position is worth.
    for move in filter(None, row["best first moves"].split(", ")):
        assert agree(preset, start.play(move), {"upper": -said(row["value"])["lower"]})


@pytest.mark.parametrize("preset", [name for name in PROVED if PRESETS[name].rules.directions == "both"])
def test_the_page_says_what_first_moves_are_worth(preset: str) -> None:
    start = Position.start(Rules.preset(preset))
    row = rows(PAGE, MOVES)[preset]
    for moves in [column for column in row if column != "preset"]:
        # A move and its mirror image: one of them is enough, but both are there.
        for move in moves.split(", "):
            if row[moves] == "not allowed":
                assert oaq.Move(move) not in start.legal_moves
            else:
                assert agree(preset, start.play(move), other_side(said(row[moves]))), (preset, move)


def test_the_first_moves_of_tonkin() -> None:
    start = Position.start(Rules.preset("tonkin"))
    for move, value in {"a1+": -8, "a2+": 2, "a3+": 2, "a4+": -16, "a5+": -8}.items():
        assert agree("tonkin", start.play(move), {"lower": -value, "upper": -value})


def test_the_readme_says_the_same() -> None:
    of_page = rows(PAGE, RESULTS)
    for preset, row in rows(README, "| points | preset | best first moves |").items():
        assert said(row["points"].replace(" or ", "/")) == said(of_page[preset]["value"])
        assert row["best first moves"] == of_page[preset]["best first moves"]
