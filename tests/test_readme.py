"""README.md is run; of its two `sh` blocks, one of which runs this test, the parts are checked."""

from __future__ import annotations

import re
import tomllib

import pytest

import oanquan as oaq
from support.documents import ROOT, Document, check_console

DOCUMENT = Document(ROOT / "README.md")
README = DOCUMENT.text


def test_every_block_is_of_a_kind_that_is_run():
    assert {block.language for block in DOCUMENT.blocks()} == {"sh", "console", "python"}
    assert DOCUMENT.fences() == 2 * len(DOCUMENT.blocks())


def test_nothing_is_left_to_fill_in():
    assert not re.search(r"@[A-Z]+@|TODO|TBD", README)


def test_the_two_commands_of_a_fresh_clone():
    commands = [line for block in DOCUMENT.blocks("sh") for line in block.text.splitlines()]
    assert commands == ["pip install . && oanquan simulate --games 1000000", "make test"]
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts == {"oanquan": "oanquan.cli:main"}
    assert re.search(r"^test:", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize(("command", "output"), DOCUMENT.sessions())
def test_console(command: str, output: str):
    check_console(command, output)


def test_python():
    assert DOCUMENT.run_python() > 10


def test_the_table_of_presets_is_the_one_of_the_package():
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \| (.*) \|$", README, flags=re.MULTILINE)
    expected = [(name, changes(preset), preset.source) for name, preset in oaq.PRESETS.items()]
    assert rows == expected


def changes(preset: oaq.Preset) -> str:
    differences = preset.rules.differences()
    return ", ".join(f"`{name}={value}`" for name, value in differences.items()) or "none: the default"


def test_links_lead_somewhere():
    assert not DOCUMENT.dead_links()
