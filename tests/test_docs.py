"""The pages of docs/ are run."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.documents import ROOT, Document, check_console

PAGES = {document.name: document for document in map(Document, sorted((ROOT / "docs").rglob("*.md")))}
LANGUAGES = {"console", "python", "sh", "text", "toml"}
SESSIONS = [(name, *session) for name, page in PAGES.items() for session in page.sessions()]


@pytest.mark.parametrize("name", PAGES)
def test_every_block_is_of_a_known_kind(name: str) -> None:
    page = PAGES[name]
    assert {block.language for block in page.blocks()} <= LANGUAGES
    assert page.fences() == 2 * len(page.blocks())


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if page.blocks("python")])
def test_python(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert PAGES[name].run_python()


@pytest.mark.parametrize(("name", "command", "output"), SESSIONS)
def test_console(name: str, command: str, output: str, tmp_path: Path) -> None:
    assert name in PAGES
    check_console(command, output, tmp_path)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    assert not PAGES[name].dead_links()


@pytest.mark.parametrize("name", [name for name in PAGES if not name.endswith("README.md")])
def test_the_list_of_pages_names_every_page(name: str) -> None:
    """README.md of its folder does, and that of docs/ names the one of the folder."""
    page = PAGES[name].path
    assert f"({page.name})" in page.with_name("README.md").read_text(encoding="utf-8")
    folder = page.parent.relative_to(ROOT / "docs").as_posix()
    assert folder == "." or f"({folder}/README.md)" in PAGES["docs/README.md"].text
