"""The web board as people use it: in a real Chromium, by clicks, by keys alone, on a phone, in both languages."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

import oanquan as oaq
from oanquan import Position, Rules
from support.command import ENVIRONMENT, OANQUAN

NAMED = os.environ.get("OANQUAN_CHROMIUM")
CHROMIUM = NAMED or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: name it in OANQUAN_CHROMIUM")

Opened = Callable[..., Page]
SECONDS = 1000.0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM is not None
    if NAMED:
        assert Path(NAMED).exists(), f"OANQUAN_CHROMIUM names no file: {NAMED!r}"
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = subprocess.Popen(
        [*OANQUAN, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=10)
    assert "Traceback" not in errors, errors


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Opened]:
    """Opens the page as somebody who comes for the first time; whatever goes wrong in it fails the test."""
    wrong: list[str] = []
    contexts = []

    def opens(
        *,
        width: int = 1280,
        height: int = 900,
        locale: str = "en-GB",
        moving: bool = False,
        dark: bool = False,
        path: str = "",
        refused: bool = False,
    ) -> Page:
        """`refused`: the server refuses something, which the browser tells its console."""
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if moving else "reduce",
            has_touch=width < 500,
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15 * SECONDS)
        page.on("pageerror", lambda error: wrong.append(str(error)))

        def heard(said: Any) -> None:
            expected = refused and re.search(r"status of (4\d\d|503)", said.text)
            if said.type in ("error", "warning") and not expected:
                wrong.append(said.text)

        page.on("console", heard)
        own = (address, f"blob:{address}")
        page.on("request", lambda asked: None if asked.url.startswith(own) else wrong.append(f"asked {asked.url}"))
        page.goto(address + path)
        ready(page)
        return page

    yield opens
    for context in contexts:
        context.close()
    assert wrong == []


def ready(page: Page) -> None:
    page.wait_for_selector("body[data-ready]")


def kept(page: Page) -> Any:
    return page.evaluate("JSON.parse(localStorage.getItem('oanquan'))")


def record(page: Page) -> oaq.Game:
    return oaq.Game.parse(kept(page)["record"])


def new_game(page: Page, rules: str, *seats: str) -> None:
    page.click("#new")
    page.select_option("#new-preset", rules)
    for place, seat in enumerate(seats):
        page.select_option(f"#new-seat-{place}", seat)
    with page.expect_response(re.compile("/api/games$")) as made:
        page.click("#new-start")
    page.wait_for_function(f"() => JSON.parse(localStorage.oanquan).game === '{made.value.json()['game']}'")
    page.wait_for_function("() => document.querySelectorAll('#moves button').length === 0")
    expect(page.locator("#new-dialog")).to_be_hidden()


def moves_made(page: Page, count: int) -> None:
    expect(page.locator("#moves button")).to_have_count(count)


def by_clicks(page: Page, move: str) -> None:
    square = page.locator(f'#squares [data-square="{move[:-1]}"]')
    if "turned" in (page.locator("#board").get_attribute("class") or ""):
        page.locator(f'#picture [data-square="{move[:-1]}"] .hollow').click(force=True)  # stones lie on it
    else:
        square.click()
    page.click(f'.way[data-move="{move}"]')


# ---- playing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["wikipedia-vi", "sides=3"])
def test_a_whole_game_of_people_by_clicks(opened: Opened, rules: str) -> None:
    page = opened(locale="vi-VN")
    chosen = str(Rules.parse(rules))
    new_game(page, chosen, *["human"] * Rules.parse(rules).sides)
    game = oaq.Game(Rules.parse(rules))
    while not game.is_over and len(game) < (200 if rules == "wikipedia-vi" else 12):
        best = max(game.position.legal_moves, key=lambda move: gain(game.position, move))
        game.push(best)
        by_clicks(page, str(best))
        moves_made(page, len(game))
    assert record(page).moves == game.moves
    if game.outcome is not None:
        expect(page.locator("#status")).to_contain_text(re.compile("thắng|hòa", re.IGNORECASE))
        points = [str(point) for point in game.outcome.points]
        assert sorted(re.findall(r"\d+", page.locator(".scores").all_inner_texts().__str__())) >= sorted(points)[:1]
    else:
        assert rules != "wikipedia-vi"


def gain(position: Position, move: oaq.Move) -> int:
    return position.play(move).points["abcd".index(move.side)]


def test_a_game_against_a_level(opened: Opened) -> None:
    page = opened()
    new_game(page, "short-game", "human", "casual")
    for _ in range(3):
        page.wait_for_selector("#squares .may")
        made = len(record(page))
        by_clicks(page, str(record(page).position.legal_moves[0]))
        if record(page).is_over:
            break
        page.wait_for_function(f"() => document.querySelectorAll('#moves button').length >= {made + 2}")
    assert len(record(page)) >= 2
    made = len(record(page))
    page.click("#undo")
    page.wait_for_function("() => document.querySelectorAll('#moves .later').length === 2")
    page.click("#redo")
    page.wait_for_function("() => document.querySelectorAll('#moves .later').length === 0")
    moves_made(page, made)


def test_a_game_by_keys_alone(opened: Opened) -> None:
    page = opened()
    page.keyboard.press("n")
    page.keyboard.press("Tab")  # from the rules to the seat of side a, and to that of side b
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#new-dialog")).to_be_hidden()
    for _ in range(40):
        if page.evaluate("document.activeElement?.dataset?.square"):
            break
        page.keyboard.press("Tab")
    else:
        pytest.fail("the squares cannot be reached by Tab")
    assert page.evaluate("document.activeElement.matches(':focus-visible')")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.square") == "a3"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.className").startswith("way")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    moves_made(page, 1)
    assert str(record(page).moves[-1]) == "a3+"
    page.keyboard.press("1")
    page.keyboard.press("-")
    moves_made(page, 2)
    game = record(page)
    assert str(game.moves[-1]) == "b1-"
    while not game.is_over and len(game) < 30:
        move = str(game.position.legal_moves[-1])
        page.keyboard.press(move[1])
        page.keyboard.press(move[2])
        game.push(move)
        moves_made(page, len(game))
    assert record(page).moves == game.moves
    page.keyboard.press("u")
    page.wait_for_function("() => document.querySelectorAll('#moves .later').length === 1")
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help-dialog")).to_be_hidden()


def test_a_choice_can_be_left(opened: Opened) -> None:
    page = opened()
    page.click('#squares [data-square="a2"]')
    expect(page.locator(".way")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".way")).to_have_count(0)
    page.click('#squares [data-square="b2"]', force=True)  # not this side's
    expect(page.locator(".way")).to_have_count(0)
    page.click('#squares [data-square="a2"]')
    page.click('#squares [data-square="a2"]')
    expect(page.locator(".way")).to_have_count(0)


def test_a_hint_is_shown_on_the_board(opened: Opened) -> None:
    page = opened(locale="vi-VN")
    page.click("#hint")
    expect(page.locator("#hint-text")).to_be_visible()
    expect(page.locator(".way.hinted")).to_have_count(1)
    assert page.locator(".way.hinted").get_attribute("data-move") in page.locator("#hint-text").inner_text()


# ---- stepping --------------------------------------------------------------------------------------------------------


def test_a_move_is_shown_step_by_step(opened: Opened) -> None:
    page = opened(moving=True)
    new_game(page, "mancala-world", "human", "human")
    by_clicks(page, "a3+")
    page.wait_for_function("() => Number(document.querySelector('#step-range').value) > 2")
    assert page.locator("#picture .hand").count() <= 1
    expect(page.locator("#told .now")).to_have_count(1)
    page.keyboard.press("Escape")  # skips to the end
    steps = len(Position.start().trace("a3+"))
    expect(page.locator("#step-count")).to_have_text(f"{steps}/{steps}")
    why = page.locator("#told .why")
    expect(why).to_have_count(1)
    assert "now" in (why.get_attribute("class") or "")
    assert [item.strip() for item in page.locator("#told li").all_inner_texts()] == [
        told.text for told in oaq.explain(Position.start(), "a3+")
    ]
    for _ in range(2):
        page.click("#step-back")
    expect(page.locator("#step-count")).to_have_text(f"{steps - 2}/{steps}")
    page.click("#step-first")
    expect(page.locator("#step-count")).to_have_text(f"0/{steps}")
    assert page.locator('#picture [data-square="a3"] use').count() >= 5
    page.click("#step-forward")
    expect(page.locator("#step-count")).to_have_text(f"1/{steps}")
    expect(page.locator("#picture .hand")).to_have_count(1)
    page.click("#told li:nth-child(1) button")
    expect(page.locator("#step-count")).to_have_text(f"6/{steps}")
    page.keyboard.press("]")
    expect(page.locator("#step-count")).to_have_text(f"7/{steps}")
    page.click('#squares [data-square="b2"]', force=True)  # the board is played on from where the move ended
    expect(page.locator(".way")).to_have_count(2)


def test_nothing_moves_where_that_is_not_wanted(opened: Opened) -> None:
    page = opened()
    new_game(page, "mancala-world", "human", "human")
    by_clicks(page, "a3+")
    expect(page.locator("#step-count")).to_have_text(re.compile(r"^(\d+)/\1$"))
    expect(page.locator("#announce")).to_contain_text("a3")


# ---- languages, looks, reloads ---------------------------------------------------------------------------------------


def test_the_language_is_the_browser_s_and_can_be_switched(opened: Opened) -> None:
    page = opened(locale="vi-VN")
    assert page.locator("html").get_attribute("lang") == "vi"
    expect(page.locator("#new")).to_have_text("Ván mới")
    by_clicks(page, "a3+")
    page.wait_for_selector("#told li")
    page.click("#language")
    expect(page.locator("#new")).to_have_text("New game")
    assert page.locator("html").get_attribute("lang") == "en"
    expect(page.locator("#told li").first).to_contain_text("lifts")
    page.reload()
    ready(page)
    expect(page.locator("#new")).to_have_text("New game")


def test_every_word_is_there(opened: Opened) -> None:
    for locale in ("en-GB", "vi-VN"):
        page = opened(locale=locale)
        empty = "[...document.querySelectorAll('[data-say]')].filter(e => !e.textContent.trim()).map(e => e.outerHTML)"
        assert page.evaluate(empty) == []
        unsaid = "[...document.querySelectorAll('[data-label]')].filter(e => !e.ariaLabel).map(e => e.outerHTML)"
        assert page.evaluate(unsaid) == []


def test_dark_and_light(opened: Opened) -> None:
    page = opened(dark=True)
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.click("#theme")
    page.wait_for_function(f"() => {ground} !== '{dark}'")
    page.reload()
    ready(page)
    assert page.evaluate(ground) != dark


def test_a_reload_loses_nothing(opened: Opened) -> None:
    page = opened(refused=True)
    new_game(page, "quan-non", "human", "human")
    for move in ("a1+", "b5+"):
        by_clicks(page, move)
    moves_made(page, 2)
    page.click("#undo")
    page.wait_for_function("() => document.querySelectorAll('#moves .later').length === 1")
    before = kept(page)
    page.reload()
    ready(page)
    assert kept(page)["game"] == before["game"]
    assert page.locator("#moves .later").count() == 1
    expect(page.locator("#rules-name")).not_to_be_empty()
    # The server has forgotten it: the browser brings the game back.
    page.evaluate("localStorage.oanquan = JSON.stringify({...JSON.parse(localStorage.oanquan), game: 'gone'})")
    page.reload()
    ready(page)
    assert kept(page)["game"] not in ("gone", before["game"])
    assert kept(page)["record"] == before["record"]
    assert page.locator("#moves .later").count() == 1


def test_a_game_that_the_server_forgets_meanwhile_goes_on(opened: Opened, address: str) -> None:
    page = opened(refused=True)
    new_game(page, "mancala-world", "human", "human")
    by_clicks(page, "a3+")
    moves_made(page, 1)
    game = kept(page)["game"]
    page.route(
        re.compile(f"{game}/"),
        lambda route: route.fulfill(
            status=404, json={"error": {"code": "unknown_game", "message": "there is no such game", "faults": []}}
        ),
    )
    with page.expect_response(re.compile("/api/games$")):
        page.click("#flip")
    page.unroute_all()
    page.wait_for_function(f"() => JSON.parse(localStorage.oanquan).game !== '{game}'")
    assert record(page).moves == (oaq.Move("a3+"),)
    assert page.url.startswith(address)


def refuses(page: Page, what: str, status: int, code: str, times: int = 1) -> None:
    """The server refuses so many of the next requests."""
    error = {"code": code, "message": code, "faults": []}
    page.route(
        re.compile(f"/api/games/[^/]+/{what}$"),
        lambda route: route.fulfill(status=status, json={"error": error}),
        times=times,
    )


@pytest.mark.parametrize(("status", "code"), [(503, "busy"), (404, "unknown_game"), (409, "stopped")])
def test_an_agent_that_was_kept_from_moving_is_asked_again(opened: Opened, status: int, code: str) -> None:
    page = opened(refused=True)
    new_game(page, "mancala-world", "human", "beginner")
    refuses(page, "think", status, code)
    by_clicks(page, "a3+")
    moves_made(page, 2)


def test_a_hint_and_an_analysis_of_a_game_that_the_server_forgot(opened: Opened) -> None:
    page = opened(refused=True)
    new_game(page, "short-game", "human", "human")
    refuses(page, "hint", 404, "unknown_game")
    page.click("#hint")
    page.wait_for_selector(".way.hinted")
    page.keyboard.press("Escape")
    refuses(page, "analyse", 404, "unknown_game")
    page.click("#tab-analysis")
    page.check("#analyse")
    expect(page.locator("#lines li")).to_have_count(5)


def test_an_analysis_that_is_refused_does_not_seem_to_run(opened: Opened) -> None:
    page = opened()
    new_game(page, "short-game", "human", "human")
    error = {"error": {"code": "busy", "message": "busy", "faults": []}}
    page.route(re.compile("/analyse$"), lambda route: route.fulfill(status=200, body=json.dumps(error) + "\n"))
    page.click("#tab-analysis")
    page.check("#analyse")
    expect(page.locator("#toast")).to_be_visible()
    expect(page.locator("#analysis-text")).to_be_empty()


def test_two_pages_with_one_game(opened: Opened) -> None:
    page = opened(refused=True)
    new_game(page, "mancala-world", "human", "human")
    other = page.context.new_page()
    other.goto(page.url)
    ready(other)
    by_clicks(other, "a3+")
    moves_made(other, 1)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    moves_made(page, 1)
    by_clicks(page, "b2+")
    moves_made(page, 2)
    by_clicks(page, "a5+")
    moves_made(page, 3)
    by_clicks(other, "b5+")  # of a board that is gone
    expect(other.locator("#toast")).to_be_visible()
    moves_made(other, 3)


def test_a_browser_that_keeps_nothing(opened: Opened) -> None:
    page = opened()
    page.add_init_script("Storage.prototype.getItem = Storage.prototype.setItem = () => { throw new Error('no'); };")
    page.reload()
    ready(page)
    by_clicks(page, "a3+")
    page.wait_for_selector("#told li")


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
