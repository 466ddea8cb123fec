"""`oanquan play`: what it begins with, in a real terminal, and what it refuses."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from oanquan.cli import main
from oanquan.cli import play as command
from oanquan.play import HUMAN, LEVELS, Session
from oanquan.terminal import Keep
from support.command import ENVIRONMENT, OANQUAN


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[Session | None, str, str]]:
    """The applications that were started: their sessions, languages and speeds."""
    import oanquan.terminal  # noqa: PLC0415

    found: list[tuple[Session | None, str, str]] = []

    class Application(oanquan.terminal.PlayApp):
        def run(self, *_: object, **__: object) -> None:  # type: ignore[override]
            found.append((self._asked, self.lang, self.speed))

    monkeypatch.setattr(oanquan.terminal, "PlayApp", Application)
    monkeypatch.setattr(command, "is_terminal", lambda: True)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "vi_VN.UTF-8")
    return found


def test_what_a_game_begins_with(started: list[tuple[Session | None, str, str]], tmp_path: Path) -> None:
    path = tmp_path / "games.records"
    for move in ("a1+", "a2+"):
        session = Session()
        session.play(move)
        session.save(path, append=True)
    lines = [
        [],
        ["--rules", "quan-non"],
        ["--side", "b", "--opponent", "7", "--lang", "en", "--speed", "slow"],
        ["--rules", "sides=3", "--side", "all"],
        ["--side", "none", "--level", "search:depth=2"],
        ["--load", str(path), "--game", "2"],
    ]
    for line in lines:
        assert main(["play", *line]) == 0
    sessions = [session for session, _, _ in started]
    assert sessions[0] is None
    assert [session.seats for session in sessions[1:] if session] == [
        (HUMAN, "casual"),
        ("master", HUMAN),
        (HUMAN,) * 3,
        ("search:depth=2",) * 2,
        (HUMAN, HUMAN),
    ]
    assert str(sessions[1].rules) == "quan-non" if sessions[1] else False
    assert str(sessions[5].last_move) == "a2+" if sessions[5] else False
    assert [(lang, speed) for _, lang, speed in started] == [("vi", "normal")] * 2 + [("en", "slow")] + [
        ("vi", "normal")
    ] * 3


def test_every_level_has_a_number_on_the_command_line(started: list[tuple[Session | None, str, str]]) -> None:
    for level in LEVELS.values():
        assert main(["play", "--opponent", str(level.number)]) == 0
    assert [session.seats[1] for session, _, _ in started if session] == [*LEVELS]
    assert main(["play", "--help"]) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["--lang", "fr"], "lang: expected one of en, vi"),
        (["--side", "c"], "side: expected one of a, b, all, none"),
        (["--opponent", "8"], "seats: expected human"),
        (["--rules", "none"], "none"),
        (["--load", "/nowhere"], "cannot read /nowhere: No such file"),
        (["--load", "/nowhere", "--side", "a"], "got both"),
        (["--speed", "9"], "--speed"),
        ([], "expected a terminal to play in"),
    ],
)
def test_what_is_refused(line: list[str], message: str) -> None:
    done = subprocess.run(
        [*OANQUAN, "play", *line],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_textual_it_is_said_what_to_install() -> None:
    code = "import sys; sys.modules['textual'] = None; from oanquan.cli import main; sys.exit(main(['play']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert (done.returncode, done.stderr) == (2, "oanquan: to play needs textual: pip install 'oanquan[play]'\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("size", [(24, 80), (3, 9)])
def test_a_game_in_a_real_terminal(tmp_path: Path, size: tuple[int, int]) -> None:
    import fcntl  # noqa: PLC0415
    import struct  # noqa: PLC0415
    import termios  # noqa: PLC0415

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    environment = {**ENVIRONMENT, "TERM": "xterm-256color", "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "vi_VN.UTF-8"}
    line = [*OANQUAN, "play", "--side", "all", "--speed", "instant"]
    with subprocess.Popen(line, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        drawn, pressed, quiet = b"", [b"3", b"+", b"q"], 0
        with contextlib.suppress(OSError):  # how a terminal says that its other end is closed
            while quiet < 60:
                if select.select([ours], [], [], 0.5)[0]:
                    drawn += os.read(ours, 65536)
                    continue
                quiet += 1  # it has drawn what it had to
                if pressed and drawn:
                    os.write(ours, pressed.pop(0))
        assert process.wait(20) == 0
    os.close(ours)
    assert not pressed
    session = Keep(tmp_path / "oanquan").load()
    assert session is not None
    assert [str(move) for move in session.moves] == ["a3+"]
    assert size[0] < 5 or "Đến lượt bên" in drawn.decode(errors="replace")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    ours, theirs = os.openpty()
    environment = {**ENVIRONMENT, "TERM": "xterm-256color", "XDG_STATE_HOME": str(tmp_path)}
    line = [*OANQUAN, "play", "--side", "none", "--opponent", "search:depth=60"]  # which thinks meanwhile
    with subprocess.Popen(line, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        drawn, is_sent = b"", False
        with contextlib.suppress(OSError):
            while select.select([ours], [], [], 30)[0] and (piece := os.read(ours, 65536)):
                drawn += piece
                if b"is thinking" in drawn and not is_sent:
                    process.send_signal(number)
                    is_sent = True
        assert process.wait(20) == 0
    os.close(ours)
    assert drawn.rfind(b"\x1b[?1049l") > drawn.rfind(b"\x1b[?1049h") >= 0, "the other screen is left"
    assert drawn.rfind(b"\x1b[?1000l") > drawn.rfind(b"\x1b[?1000h") >= 0, "the mouse is let go"
