"""The web board's panels, and the whole of it on phones and for screen readers."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import oanquan as oaq
from oanquan import Position, Rules
from support.browsing import (  # noqa: F401 (fixtures too)
    Opened,
    by_clicks,
    chromium,
    kept,
    moves_made,
    needs_chromium,
    new_game,
    pages,
    ready,
    record,
    served,
)

pytestmark = needs_chromium


# ---- panels ----------------------------------------------------------------------------------------------------------


def test_a_position_is_set_up_and_played(opened: Opened) -> None:
    page = opened()
    new_game(page, "mancala-world", "human", "human")
    page.click("#tab-setup")
    page.click("#setup-empty")
    expect(page.locator("#setup-faults li")).not_to_have_count(0)
    expect(page.locator("#setup-play")).to_be_disabled()
    page.click('#squares [data-square="a2"]')
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.click('#squares [data-square="b1"]')
    page.keyboard.press("+")
    page.click("#setup-more")
    page.click('#squares [data-square="am"]')
    page.keyboard.press("m")
    page.click('#squares [data-square="bm"]')
    page.check("#setup-mandarin")
    page.locator("#setup-stores input").nth(2).fill("36")
    page.select_option("#setup-turn", "b")
    expect(page.locator("#setup-text")).to_have_value("0.12.0.0.0.0q1/2.0.0.0.0.0q1 0/36 - b 0")
    expect(page.locator("#setup-faults li")).to_have_count(0)
    page.click("#setup-play")
    expect(page.locator("#tab-game")).to_have_attribute("aria-selected", "true")
    assert str(record(page).start) == "0.12.0.0.0.0q1/2.0.0.0.0.0q1 0/36 - b 0"
    by_clicks(page, "b1+")
    moves_made(page, 1)


def test_a_set_up_that_is_left_changes_nothing(opened: Opened) -> None:
    page = opened()
    before = kept(page)["record"]
    page.click("#tab-setup")
    page.keyboard.press("9")
    page.click("#tab-game")
    page.wait_for_selector("#squares .may")
    assert kept(page)["record"] == before
    by_clicks(page, "a1+")


def test_other_rules_and_what_they_change(opened: Opened, address: str) -> None:
    text = "0.0.0.1.0.0/5.5.5.5.0.0q1 10/19q1 - a 20"
    page = opened(refused=True, path=f"#rules=mancala-world&position={text.replace(' ', '+')}")
    page.click("#tab-rules")
    page.select_option("#preset", "wikipedia-vi")
    expect(page.locator("#rules-words li")).to_have_count(1)
    expect(page.locator("#rules-moves li")).to_have_count(1)
    page.click("#knobs-box summary")
    page.select_option("#knob-immature_below", "5")
    expect(page.locator("#preset")).to_have_value("quan-non")
    expect(page.locator("#rules-words li")).to_have_count(2)
    page.click("#rules-moves button >> nth=1")
    expect(page.locator("#told-title")).to_contain_text("If a4")
    page.click("#step-close")
    page.click("#rules-go-on")
    expect(page.locator("#rules-name")).to_have_text(re.compile("."))
    page.wait_for_function("() => JSON.parse(localStorage.oanquan).record.includes('quan-non')")
    assert str(record(page).position) == text
    page.select_option("#knob-mandarin", "pebbles")
    expect(page.locator("#rules-faults li")).not_to_have_count(0)
    expect(page.locator("#rules-new")).to_be_disabled()
    assert page.url == address


def test_records_are_opened_and_gone_through(opened: Opened, tmp_path: Path) -> None:
    page = opened(refused=True)
    game = oaq.Game(Rules.preset("tonkin"))
    for _ in range(6):
        game.push(game.position.legal_moves[0])
    page.click("#tab-record")
    page.fill("#record-text", game.record())
    page.click("#record-load")
    moves_made(page, 6)
    page.click("#ply-first")
    expect(page.locator("#ply-count")).to_have_text("0/6")
    page.click("#ply-forward")
    expect(page.locator("#ply-count")).to_have_text("1/6")
    page.click("#moves li:nth-child(4) button")
    expect(page.locator("#ply-count")).to_have_text("4/6")
    page.click("#ply-last")
    expect(page.locator("#ply-count")).to_have_text("6/6")
    page.click("#record-copy")
    assert oaq.Game.parse(page.evaluate("navigator.clipboard.readText()")).moves == game.moves
    with page.expect_download() as download:
        page.click("#record-save")
    saved = tmp_path / "saved.txt"
    download.value.save_as(saved)
    assert oaq.Game.parse(saved.read_text(encoding="utf-8")).moves == game.moves
    several = tmp_path / "several.txt"
    several.write_text(oaq.Game().record() + "\n" + game.record(), encoding="utf-8")
    page.set_input_files("#record-file", several)
    expect(page.locator("#record-games option")).to_have_count(2)
    page.select_option("#record-games", "1")
    page.click("#record-choose")
    moves_made(page, 0)
    page.fill("#record-text", "no record at all")
    page.click("#record-load")
    expect(page.locator("#toast")).to_contain_text("expected")


def test_a_link_brings_the_position(opened: Opened) -> None:
    page = opened()
    new_game(page, "quan-non", "human", "human")
    by_clicks(page, "a3+")
    moves_made(page, 1)
    page.click("#tab-record")
    page.click("#link-copy")
    link = page.evaluate("navigator.clipboard.readText()")
    other = opened(path="#" + link.partition("#")[2])
    assert str(record(other).start) == str(record(page).position)
    assert record(other).start.rules == Rules.preset("quan-non")
    wrong = opened(path="#position=nonsense", refused=True)
    expect(wrong.locator("#toast")).to_be_visible()


def test_an_analysis_with_its_bar(opened: Opened) -> None:
    page = opened()
    new_game(page, "short-game", "human", "human")
    page.click("#tab-analysis")
    page.check("#analyse")
    expect(page.locator("#lines li")).to_have_count(5)
    expect(page.locator("#bar")).to_be_visible()
    assert page.locator("#bar").get_attribute("aria-label")
    first = page.locator("#lines button").first.inner_text()
    page.locator("#lines button").first.click()
    expect(page.locator("#told-title")).to_contain_text(first)
    page.click("#step-close")
    by_clicks(page, "a3+")  # while it thinks
    expect(page.locator("#analysis-text")).not_to_be_empty()
    page.reload()
    ready(page)
    expect(page.locator("#bar")).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator("#bar")).to_be_hidden()


# ---- phones and screen readers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-GB", "vi-VN"])
@pytest.mark.parametrize("rules", ["mancala-world", "three-players", "four-players"])
def test_a_phone(opened: Opened, locale: str, rules: str) -> None:
    page = opened(width=360, height=640, locale=locale)
    new_game(page, rules, *["human"] * Rules.preset(rules).sides)
    for tab in ("game", "record", "analysis", "rules", "setup", "game"):
        page.click(f"#tab-{tab}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, tab
    page.evaluate("window.scrollTo(0, 0)")
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["y"] + board["height"] < 640, "the whole board is seen"
    page.locator('#squares [data-square="a3"]').tap(force=True) if rules != "three-players" else page.locator(
        '#picture [data-square="a3"] .hollow'
    ).tap()
    for way in page.locator(".way").all():
        box = way.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    page.locator('.way[data-move="a3+"]').tap()
    moves_made(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(
    "rules", ["squares=1", "squares=2", "squares=7", "mancala-world", "three-players", "sides=4,squares=7"]
)
def test_the_board_and_what_is_done_fit_on_a_screen(opened: Opened, rules: str) -> None:
    start = Position.start(Rules.parse(rules))
    page = opened(height=800, path="#" + urlencode({"rules": str(start.rules), "position": str(start)}))
    place = page.locator("#actions").bounding_box()
    assert place is not None
    assert place["y"] + place["height"] <= 800
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["height"] > 250


NAMES = """() => [...document.querySelectorAll('button, select, input, textarea, dialog, [role]')]
  .filter(e => !e.matches('[role=alert], [role=status]'))
  .filter(e => e.checkVisibility())
  .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.[0]?.textContent.trim()
    || document.getElementById(e.getAttribute('aria-labelledby')?.split(' ')[0])?.textContent))
  .map(e => e.outerHTML.slice(0, 120))"""
CONTRAST = """() => {
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(v => { v /= 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)|transparent/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
  const bad = [];
  for (const e of document.querySelectorAll('body *')) {
    if (!e.checkVisibility({ opacityProperty: true }) || e.closest('svg, :disabled, .hidden-text, .later')) continue;
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) bad.push([e.outerHTML.slice(0, 90), ((a + 0.05) / (b + 0.05)).toFixed(2)]);
  }
  return bad;
}"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("locale", ["en-GB", "vi-VN"])
def test_everything_has_a_name_and_can_be_read(opened: Opened, locale: str, dark: bool) -> None:
    page = opened(locale=locale, dark=dark)
    new_game(page, "four-players", "human", "human", "human", "human")
    by_clicks(page, "a3+")
    moves_made(page, 1)
    for tab in ("game", "record", "analysis", "rules", "setup"):
        page.click(f"#tab-{tab}")
        if tab == "rules":
            page.click("#knobs-box summary")
            page.wait_for_selector("#knobs select")
        if tab == "setup":
            page.wait_for_selector("#setup-stores input")
        assert page.evaluate(NAMES) == [], tab
        assert page.evaluate(CONTRAST) == [], tab
    page.click("#new")
    assert page.evaluate(NAMES) == []
    assert page.evaluate(CONTRAST) == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len({*ids})
