"""README.md is run: every block of it, in order, by its language.

`sh`      the two commands of a fresh clone: only their parts are checked, since one of them runs this test
`console` `$ command` lines of the installed `oanquan`, with the output that each must print
`python`  one doctest session for the whole file
"""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

import oanquan as oaq
from support.command import OANQUAN

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


class Block(NamedTuple):
    """A fenced block and the line that it starts on."""

    line: int
    language: str
    text: str


def blocks(language: str | None = None) -> list[Block]:
    fences = re.finditer(r"^```(.*)\n([\s\S]*?)^```$", README, flags=re.MULTILINE)
    found = [Block(README.count("\n", 0, fence.start()) + 1, fence[1], fence[2]) for fence in fences]
    return [block for block in found if language in (None, block.language)]


def sessions() -> list[tuple[str, str]]:
    """Every `$ command` of the console blocks with the output printed under it."""
    found = []
    for block in blocks("console"):
        assert block.text.startswith("$ "), f"README.md, line {block.line}: expected a command"
        for session in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, output = session.partition("\n")
            found.append((command, output.strip("\n")))
    return found


def comparable(text: str) -> list[str]:
    """The lines, without the figures that differ from run to run: seconds, and moves a second."""
    timeless = re.sub(r"[\d.,]+(?= seconds| moves a second)", "#", text.strip("\n"))
    return [line.rstrip() for line in timeless.split("\n")]


def test_every_block_is_of_a_kind_that_is_run():
    assert {block.language for block in blocks()} == {"sh", "console", "python"}
    assert README.count("\n```") == 2 * len(blocks())


def test_nothing_is_left_to_fill_in():
    assert not re.search(r"@[A-Z]+@|TODO|TBD", README)


def test_the_two_commands_of_a_fresh_clone():
    commands = [line for block in blocks("sh") for line in block.text.splitlines()]
    assert commands == ["pip install . && oanquan simulate --games 1000000", "make test"]
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts == {"oanquan": "oanquan.cli:main"}
    assert re.search(r"^test:", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize(("command", "output"), sessions())
def test_console(command: str, output: str):
    program, *arguments = shlex.split(command)
    assert program == "oanquan"
    done = subprocess.run([*OANQUAN, *arguments], capture_output=True, text=True, timeout=300, check=True)
    assert comparable(done.stdout) == comparable(output)


def test_python():
    session = "\n".join(block.text for block in blocks("python"))
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 10
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)


def test_the_table_of_presets_is_the_one_of_the_package():
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \| (.*) \|$", README, flags=re.MULTILINE)
    expected = [(name, changes(preset), preset.source) for name, preset in oaq.PRESETS.items()]
    assert rows == expected


def changes(preset: oaq.Preset) -> str:
    differences = preset.rules.differences()
    return ", ".join(f"`{name}={value}`" for name, value in differences.items()) or "none: the default"


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), f"README.md links to {target}"
