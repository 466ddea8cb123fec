"""The web board in a real Chromium: its server, its page, and what people do there again and again."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

import oanquan as oaq
from support.command import ENVIRONMENT, OANQUAN

NAMED = os.environ.get("OANQUAN_CHROMIUM")
CHROMIUM = NAMED or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: name it in OANQUAN_CHROMIUM")

Opened = Callable[..., Page]
SECONDS = 1000.0


@pytest.fixture(scope="module", name="browser")
def chromium() -> Iterator[Browser]:
    assert CHROMIUM is not None
    if NAMED:
        assert Path(NAMED).exists(), f"OANQUAN_CHROMIUM names no file: {NAMED!r}"
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture(scope="module", name="address")
def served() -> Iterator[str]:
    server = subprocess.Popen(
        [*OANQUAN, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=10)
    assert "Traceback" not in errors, errors


@pytest.fixture(name="opened")
def pages(browser: Browser, address: str) -> Iterator[Opened]:
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
