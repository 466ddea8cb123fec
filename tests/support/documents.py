"""The documents that are run: every fenced block of them, by its language.

`console` `$ command` lines of the installed `oanquan`, with the output that each must print
`python`  one doctest session for the whole document
`sh`      commands for people, which the test of the document looks at or leaves alone
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

from support.command import OANQUAN

ROOT = Path(__file__).parent.parent.parent


class Block(NamedTuple):
    """A fenced block and the line that it starts on."""

    line: int
    language: str
    text: str


class Document:
    """A Markdown file of the repository."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.relative_to(ROOT).as_posix()
        self.text = path.read_text(encoding="utf-8")

    def blocks(self, language: str | None = None) -> list[Block]:
        fences = re.finditer(r"^```(.*)\n([\s\S]*?)^```$", self.text, flags=re.MULTILINE)
        found = [Block(self.text.count("\n", 0, fence.start()) + 1, fence[1], fence[2]) for fence in fences]
        return [block for block in found if language in (None, block.language)]

    def fences(self) -> int:
        """How many lines open or close a block."""
        return len(re.findall(r"^```", self.text, flags=re.MULTILINE))

    def sessions(self) -> list[tuple[str, str]]:
        """Every `$ command` of the console blocks with the output printed under it."""
        found = []
        for block in self.blocks("console"):
            assert block.text.startswith("$ "), f"{self.name}, line {block.line}: expected a command"
            for session in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, output = session.partition("\n")
                found.append((command, output.strip("\n")))
        return found

    def run_python(self) -> int:
        """Run the python blocks as one session, and return how many examples it has."""
        session = "\n".join(block.text for block in self.blocks("python"))
        test = doctest.DocTestParser().get_doctest(session, {}, self.name, self.name, 0)
        report: list[str] = []
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
        assert not report, "".join(report)
        return len(test.examples)

    def dead_links(self) -> list[str]:
        """The links to files that are not there."""
        targets = re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", self.text)
        return [target for target in targets if not (self.path.parent / target).exists()]


def comparable(text: str) -> list[str]:
    """The lines, without the figures that differ from run to run: seconds, and moves a second."""
    timeless = re.sub(r"[\d.,]+(?= seconds| moves a second)", "#", text.strip("\n"))
    return [line.rstrip() for line in timeless.split("\n")]


def check_console(command: str, output: str, where: Path | None = None) -> None:
    """Run a command line of `oanquan`, which must print that."""
    program, *arguments = shlex.split(command)
    assert program == "oanquan"
    run = subprocess.run(
        [*OANQUAN, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=True,
        cwd=where,
        env=os.environ | {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"},
    )
    assert comparable(run.stdout) == comparable(output)
