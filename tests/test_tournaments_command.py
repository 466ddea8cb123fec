"""`oanquan match`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from oanquan import Rules, play_match
from oanquan.cli.app import run as main

ODD = str(Path(__file__).parent / "support" / "odd_engine.py")


def test_agents_play_the_games_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "cautious", "greedy", "random", "--games", "60", "--rules", "wikipedia-vi", "--json"]
    assert main([*arguments, "--schedule", "ladder"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [match["agents"] for match in report["matches"]] == [["cautious", "greedy"], ["greedy", "random"]]
    expected = play_match(("greedy", "random"), Rules.preset("wikipedia-vi"), pairs=30)
    assert report["matches"][1]["pentanomial"] == list(expected.pentanomial)
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert len(report["matches"]) == 3
    assert [rating["player"] for rating in report["ratings"]] == ["cautious", "greedy", "random"]


def test_tables_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "cautious", "random", "--games", "1000", "--sprt", "0,50"]) == 0
    out = capsys.readouterr().out
    assert "stronger" in out
    assert "±" not in out
    assert main(["match", "cautious", "random", "greedy", "-n", "40"]) == 0
    out = capsys.readouterr().out
    assert "±" in out
    assert "faults" not in out


def test_engines_by_command_and_by_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    command = json.dumps([sys.executable, ODD, "fine"])
    file.write_text(f"[ours]\ncommand = {command}\n[bad]\ncommand = {command.replace('fine', 'crashes')}\n")
    out = str(tmp_path / "games")
    arguments = ["match", "ours", f"ugi:{sys.executable} {ODD} cheats", "--engines", str(file), "--limit", "depth=2"]
    arguments += ["--opening-plies", "0"]
    assert main([*arguments, "--games", "2", "--out", out]) == 0
    printed = capsys.readouterr().out
    assert "2 illegal move" in " ".join(printed.split())
    assert (tmp_path / "games" / "games.records").exists()
    assert main([*arguments, "--games", "2", "--out", out]) == 2
    assert "there is a tournament already" in capsys.readouterr().err
    assert main([*arguments, "--games", "4", "--out", out, "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"][0]["endings"] == {"illegal move": 4}
    arguments = [
        "match",
        "bad",
        "random",
        "--engines",
        str(file),
        "--limit",
        "depth=2",
        "--threads",
        "1",
        "--opening-plies",
        "0",
    ]
    assert main([*arguments, "--games", "10"]) == 1
    assert "oanquan: bad: retired after 3 crashes in a row" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "players: expected two or more, got 0"),
        (["greedy"], "players: expected two or more, got 1"),
        (["greedy", "nobody"], 'got "nobody"'),
        (["greedy", "random", "--sprt", "5"], '--sprt: expected two numbers joined by a comma, got "5"'),
        (["greedy", "random", "--games", "0"], "games: expected 2 to"),
        (["greedy", "random", "--games", "5"], "games: expected an even number, got 5"),
        (["greedy", "random", "--pairs", "5"], "--pairs"),
        (["greedy", "random", "--limit", "fast"], "limit: expected time=SECONDS, depth=N, nodes=N or clock="),
        (["greedy", "random", "--engines", "nowhere.toml"], "cannot read nowhere.toml"),
        (["greedy", "random", "--resume"], "--resume: expected --out"),
        (["greedy", "ugi:x"], "limit: expected one for the engine x, got none"),
        (["greedy", "ugi:no-such-program", "--limit", "depth=1"], "no-such-program"),
        (["greedy", "random", "--margin", "x"], "--margin"),
    ],
)
def test_what_is_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *arguments]) == 2
    assert message in capsys.readouterr().err
