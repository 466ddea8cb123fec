"""The web board as people play on it: by clicks, by keys alone, step by step, in both languages, through reloads."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

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
