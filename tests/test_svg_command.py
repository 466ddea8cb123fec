"""Pictures from the command line, and those of the documents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import oanquan as oaq
from oanquan import Position
from support.command import run
from support.documents import ROOT

SCRIPT = ROOT / "python" / "examples" / "pictures.py"
START = Position.start()


def test_show_draws(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    options = ["--move", "b2-", "--theme", "print", "--orientation", "b", "--lang", "vi"]
    done = run("show", "start", "--out", str(file), *options)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    drawn = oaq.svg.board(START, last_move="b2-", theme="print", orientation="b", lang="vi")
    assert file.read_text(encoding="utf-8") == drawn
    assert run("show", "start", "-o", str(tmp_path / "board.png"), "--lang", "en").returncode == 0
    assert (tmp_path / "board.png").read_bytes() == oaq.svg.board(START).png()


def test_trace_draws_moving_or_still(tmp_path: Path) -> None:
    for name, picture in (
        ("move.svg", oaq.svg.animation(START, "a3+", lang="vi", theme="dark").encode()),
        ("move.png", oaq.svg.board(START, trace=START.trace("a3+"), lang="vi", theme="dark").png()),
    ):
        done = run("trace", "start", "a3+", "--out", str(tmp_path / name), "--lang", "vi", "--theme", "dark")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / name).read_bytes() == picture


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "start", "--theme", "dark"], "--theme: expected --out with a picture to draw"),
        (["show", "start", "--move", "a3+"], "--move: expected --out with a picture to draw"),
        (["trace", "start", "a3+", "--orientation", "b"], "--orientation: expected --out with a picture to draw"),
        (["show", "start", "--ascii", "--out", "x.svg"], "--ascii: expected no --out, which draws a picture instead"),
        (["trace", "start", "a3+", "--steps", "--out", "x.png"], "--steps: expected no --out, which draws a picture"),
        (["show", "start", "--out", "board.gif"], "path: expected a name that ends in .svg or .png, got 'board.gif'"),
        (["show", "start", "--out", "no/where.svg"], "cannot write no/where.svg: No such file or directory"),
        (["show", "start", "--out", "x.svg", "--theme", "pink"], "theme: expected a Theme or one of wood, dark, print"),
        (["trace", "start", "b3+", "--out", "x.svg"], "illegal move b3+: it is side a's turn"),
    ],
)
def test_faults_are_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"oanquan: {message}")
    assert done.stderr.count("\n") == 1
    assert not [*tmp_path.iterdir()]


def test_the_pictures_of_the_documents_are_what_the_script_draws(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], check=True, timeout=100)
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    committed = {name: (ROOT / "docs" / "pictures" / name).read_bytes() for name in made}
    assert made == committed, f"look at them, then `python {SCRIPT.relative_to(ROOT)}`"


def test_every_picture_is_shown_somewhere() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert all(f"pictures/{file.name})" in text for file in (ROOT / "docs" / "pictures").iterdir())
