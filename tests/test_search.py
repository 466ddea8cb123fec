"""`search`, `analyse` and their commands. That scores are those of minimax, the tests of the engine see to."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

import oanquan as oaq
from oanquan import _core
from support.command import ENVIRONMENT, OANQUAN, run
from support.engines import rules_of

SETTLED = "1.0.0.0.0.0/0.0.1.0.0.0q1 30/38q1 - a 40"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")


def margin(points: tuple[int, ...], side: str) -> int:
    own = points["ab".index(side)]
    return own - (sum(points) - own)


def proven(position: oaq.Position, depth: int) -> tuple[float, float]:
    """What the side to move can make sure of, and the other, by games that end within so many plies."""
    if position.is_over:
        final = margin(position.points, position.turn)
        return final, final
    if depth == 0:
        return -math.inf, math.inf
    after = [proven(position.play(move), depth - 1) for move in position.legal_moves]
    return max(-high for _, high in after), max(-low for low, _ in after)


def bounds(analysis: oaq.Analysis) -> tuple[float, float]:
    return (
        -math.inf if analysis.lower is None else analysis.lower,
        math.inf if analysis.upper is None else analysis.upper,
    )


@pytest.mark.parametrize("text", ["squares=1", "squares=2,pebbles=1", "squares=2,ends_when=stones_taken", "short-game"])
def test_what_is_proven_is_so(text: str) -> None:
    """Against plain recursion in Python. A search may stop before it has proven all there is, but proves no more."""
    rng, known, settled = Random(text), 0, 0
    for _ in range(60):
        positions = [oaq.Position.start(rules_of(text))]
        while not positions[-1].is_over and len(positions) < 60:
            positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves)))
        position = rng.choice(positions[-6:-1])
        depth = rng.randint(1, 4)
        analysis = oaq.search(position, depth=depth)
        low, high = proven(position, depth)
        lower, upper = bounds(analysis)
        assert lower <= low <= high <= upper
        assert lower <= analysis.score <= upper
        assert analysis.bound == ("exact" if lower == upper else "guess")
        known += math.isfinite(lower) or math.isfinite(upper)
        settled += analysis.settled
    assert known > 5
    assert settled > 1


def test_an_analysis_says_everything() -> None:
    start = oaq.Position.start(oaq.Rules.preset("wikipedia-vi"))
    analysis = oaq.search(start, depth=7, lines=4)
    assert (analysis.position, analysis.method, analysis.depth, len(analysis.lines)) == (start, "alpha-beta", 7, 4)
    assert analysis.best == analysis.line[0] == analysis.lines[0].move
    assert [line.score for line in analysis.lines] == sorted((line.score for line in analysis.lines), reverse=True)
    assert analysis.nodes > 1000
    assert 0 < analysis.table_used <= 1
    assert analysis.nodes_per_second == analysis.nodes / analysis.seconds
    report = json.loads(json.dumps(analysis.to_dict()))
    assert oaq.Position.parse(report["position"], oaq.Rules.parse(report["rules"])) == start
    assert [oaq.Move(text) for text in report["lines"][0]["moves"]] == [*analysis.line]
    assert pickle.loads(pickle.dumps(analysis)) == analysis
    assert str(analysis).splitlines()[1] == f"{analysis.score:+.2f}  {' '.join(map(str, analysis.line))}"


def test_a_settled_position_is_proven_and_ends_the_search() -> None:
    position = oaq.Position.parse(SETTLED, oaq.Rules.preset("short-game"))
    analysis = oaq.search(position)
    assert analysis.settled
    assert (analysis.score, analysis.lower, analysis.upper, analysis.bound) == (-30, -30, -30, "exact")
    assert analysis.depth < 100
    assert str(analysis).splitlines()[0].endswith("proven")
    for move in analysis.line:
        position = position.play(move)
    assert position.is_over
    assert margin(position.points, "a") == -30


def test_the_same_arguments_give_the_same_answer() -> None:
    for rules in ("wikipedia-vi", "bankrupt", "four-players"):
        start = oaq.Position.start(oaq.Rules.preset(rules))
        found = [replace(oaq.search(start, nodes=20_000, lines=2), seconds=0) for _ in range(2)]
        assert found[0] == found[1]
    start = oaq.Position.start()
    scores = {
        oaq.search(start, depth=8, threads=threads, table_size=size).score for threads in (1, 3) for size in (0, 1)
    }
    assert len(scores) == 1


def test_three_and_four_sides() -> None:
    for rules in ("three-players", "four-players"):
        analysis = oaq.search(oaq.Position.start(oaq.Rules.preset(rules)), depth=3, lines=2)
        assert (analysis.method, analysis.lower, analysis.upper, analysis.settled) == ("max^n", None, None, False)
        assert [move.side for move in analysis.line] == ["a", "b", "c"]


def test_the_past_of_a_game_counts() -> None:
    """The known cycle: the move that makes the position stand again is worth the count."""
    rules = oaq.Rules.preset("wikipedia-vi")
    start = oaq.Position.parse("1.0.2.0.2.0/1.1.1.1.1.6 8/26q2 - b 30", rules)
    game = oaq.Game(position=start, repetition=2)
    game.push("b4-")
    (line,) = oaq.search(game, depth=4, moves=["a2+"]).lines
    assert line.moves == (oaq.Move("a2+"),)
    after = game.position.play("a2+")
    assert (line.score, line.lower, line.upper) == (margin(after.counted, "a"),) * 3
    assert len(oaq.search(game.position, depth=4, moves=["a2+"]).line) == 4


def test_limits() -> None:
    start = oaq.Position.start()
    assert oaq.search(start, nodes=0).depth == 1
    assert oaq.search(start, seconds=0).depth == 1
    assert oaq.search(start, depth=5).depth == 5
    assert oaq.search(start, seconds=0.05).seconds >= 0.05
    assert oaq.search(start).nodes >= 2_000_000
    assert {line.move for line in oaq.search(start, depth=4, lines=14, moves=["1+", 3, "a1+"]).lines} == {
        oaq.Move("a1+"),
        oaq.Move("a2-"),
    }


def test_progress_is_reported_and_may_stop_the_search() -> None:
    reports: list[oaq.Analysis] = []
    found = oaq.search(oaq.Position.start(), depth=6, progress=reports.append)
    assert [report.depth for report in reports] == [1, 2, 3, 4, 5, 6]
    assert reports[-1].lines == found.lines

    def stop(found: oaq.Analysis) -> None:
        raise RuntimeError(f"depth {found.depth}")

    with pytest.raises(RuntimeError, match="depth 1"):
        oaq.search(oaq.Position.start(), depth=100, progress=stop)


def test_another_thread_may_stop_the_search() -> None:
    stop, told = threading.Event(), []
    threading.Timer(0.3, stop.set).start()
    analysis = oaq.search(oaq.Position.start(), depth=100, stop=stop.is_set, progress=told.append)
    assert stop.is_set()
    assert 1 <= analysis.depth < 100
    assert analysis.lines == told[-1].lines
    assert oaq.search(oaq.Position.start(), depth=100, stop=stop.is_set).depth < told[-1].depth  # from the beginning
    with pytest.raises(ZeroDivisionError):
        oaq.search(oaq.Position.start(), depth=100, stop=lambda: 1 // 0)


def test_an_interrupt_has_what_was_found() -> None:
    def interrupt(found: oaq.Analysis) -> None:
        if found.depth == 4:
            raise KeyboardInterrupt

    with pytest.raises(oaq.SearchInterrupted) as caught:
        oaq.search(oaq.Position.start(), depth=100, progress=interrupt)
    assert caught.value.analysis.depth >= 4
    assert str(caught.value).startswith("search interrupted after depth ")


@POSIX
def test_ctrl_c_ends_a_search() -> None:
    timer = threading.Timer(0.2, partial(os.kill, os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(oaq.SearchInterrupted) as caught:
        oaq.search(oaq.Position.start(), seconds=500, threads=2)
    timer.join()
    assert caught.value.analysis.depth >= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"depth": 0}, "depth: expected 1 to 100, got 0"),
        ({"depth": 101}, "depth: expected 1 to 100, got 101"),
        ({"nodes": -1}, f"nodes: expected 0 to {2**63 - 1}, got -1"),
        ({"seconds": -0.5}, "seconds: expected 0 or more, got -0.5"),
        ({"seconds": math.nan}, "seconds: expected 0 or more, got nan"),
        ({"lines": 0}, "lines: expected 1 to 14, got 0"),
        ({"threads": 0}, "threads: expected 1 to 1024, got 0"),
        ({"table_size": -1}, "table_size: expected 0 to 1048576, got -1"),
        ({"moves": ["b1+"]}, "illegal move b1+: it is side a's turn (position"),
        ({"moves": ["a9+"]}, "expected a square from 1 to 7"),
        ({"moves": [10]}, "illegal move 10"),
    ],
    ids=str,
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(oaq.OanquanError) as caught:
        oaq.search(oaq.Position.start(), **arguments)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("position", "arguments", "message"),
    [
        ("start", {}, "position: expected a Position or a Game, got str"),
        (oaq.Game(), {"depth": 1.5}, "depth: expected a whole number, got float"),
        (oaq.Game(), {"seconds": "1"}, "seconds: expected a number, got str"),
        (oaq.Game(), {"moves": "a1+"}, "moves: expected moves like ('a1+',), got str"),
    ],
    ids=str,
)
def test_a_wrong_type_is_named(position: object, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        oaq.search(position, **arguments)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_what_cannot_be_searched_is_refused() -> None:
    over = oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins")
    with pytest.raises(oaq.OanquanError, match=r"expected a position in play, got one that is over \(mandarins\)"):
        oaq.search(over)
    rich = oaq.Position.parse("5.5.5.5.5.0q1/5.5.5.5.5.0q1 2000000/0 - a 0")
    with pytest.raises(oaq.OanquanError, match="expected stores of at most 1000000 points, got 2000000"):
        oaq.search(rich)
    with pytest.raises(oaq.OanquanError, match='method: expected plain or search, got "fast"'):
        _core.bench_search("fast", 1)


def test_endgame_tables_are_asked(tmp_path: Path) -> None:
    rules = oaq.Rules.preset("short-game")
    tables = oaq.Tables.build(tmp_path / "short-game.table", rules, pebbles=6)
    position = oaq.Position.parse("0.0.1.0.0.0q1/0.1.0.0.1.1 25/21q1 - a 60", rules)
    further = tables.probe(position)
    assert further.lower == further.upper
    analysis = oaq.search(position, depth=1, tables=tables)
    assert analysis.settled
    assert analysis.score == margin(position.points, "a") + further.lower
    assert not oaq.search(position, depth=1).settled
    game = oaq.Game(position=position)
    game.push(position.legal_moves[-1])
    (judgement,) = oaq.analyse(game, depth=2, tables=tables)
    assert judgement.analysis.settled
    with pytest.raises(oaq.OanquanError, match="expected a table that serves mancala-world, got one by short-game"):
        oaq.search(oaq.Position.start(), tables=tables)
    with pytest.raises(TypeError, match="tables: expected Tables, got str"):
        oaq.search(position, tables="short-game.table")  # type: ignore[arg-type]


# ---- games ---------------------------------------------------------------------------------------------------


def played(rules: str, moves: int) -> oaq.Game:
    rng, game = Random(3), oaq.Game(oaq.Rules.preset(rules))
    while len(game) < moves and not game.is_over:
        game.push(rng.choice(game.position.legal_moves))
    return game


def test_every_move_of_a_game_is_judged() -> None:
    game, done = played("wikipedia-vi", 30), []
    judgements = oaq.analyse(game, depth=5, progress=lambda *counts: done.append(counts))
    assert [judgement.move for judgement in judgements] == [*game.moves]
    assert done == [(n, len(game)) for n in range(1, len(game) + 1)]
    lost = 0
    for judgement in judgements:
        assert judgement.line.move == judgement.move
        assert judgement.loss >= 0
        assert (judgement.loss == 0) or judgement.analysis.best != judgement.move
        if judgement.loss == 0 and not judgement.settled:
            assert judgement.line.score == judgement.analysis.score
        assert judgement.in_words().startswith(f"{judgement.analysis.best} captures ")
        lost += judgement.loss > 0
    assert lost > len(game) / 3


def test_a_line_in_words() -> None:
    position = oaq.Position.parse("0.0.0.1.0.0/3.0.2.0.0.0q1 0/44q1 - a 0", oaq.Rules.preset("wikipedia-vi"))
    words = oaq.analysis.in_words(position, oaq.search(position, depth=4).line).split("; ")
    assert words[0] == "a4+ captures 5 points (b1, b3), side b re-seeds"
    assert len(words) == 4
    position = oaq.Position.parse(SETTLED, oaq.Rules.preset("short-game"))
    assert oaq.analysis.in_words(position, oaq.search(position).line).endswith(", the game is over")


# ---- commands ------------------------------------------------------------------------------------------------


def page(*arguments: str) -> str:
    """Output for people: it fits a terminal of 80 columns."""
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    return done.stdout


def test_the_search_command() -> None:
    text = page("search", "start", "--rules", "wikipedia-vi", "--depth", "9", "--lines", "2")
    analysis = oaq.search(oaq.Position.start(oaq.Rules.preset("wikipedia-vi")), depth=9, lines=2)
    assert f"best move {analysis.best} after {analysis.nodes:,} positions, alpha-beta, depth 9" in text
    assert all(f"{line.score:+.2f}  {' '.join(map(str, line.moves))}" in text for line in analysis.lines)
    for sentence in oaq.analysis.in_words(analysis.position, analysis.line).split("; "):
        assert f"  {sentence}\n" in text
    report = json.loads(page("search", "--depth", "5", "--json"))
    assert report["interrupted"] is False
    assert report["score"] == oaq.search(oaq.Position.start(), depth=5).score
    text = page("search", SETTLED, "--rules", "short-game")
    assert "proven: the side to move ends up -30 points" in text
    assert "max^n" in page("search", "--rules", "three-players", "-d", "3")


def test_the_analyse_command(tmp_path: Path) -> None:
    game = played("wikipedia-vi", 12)
    file = tmp_path / "games.txt"
    file.write_text(game.record() + played("quan-non", 4).record(), encoding="utf-8")
    text = page("analyse", str(file), "--depth", "4")
    judgements = oaq.analyse(game, depth=4)
    for judgement in judgements:
        assert f"  {judgement.move}  {judgement.line.score:>+7.2f}  loses {judgement.loss:.2f}" in text
    assert "game 2: quan-non, 4 moves" in text
    lost = sum(judgement.loss for judgement in judgements if judgement.move.side == "a")
    assert f"lost in all: side a {lost:.2f}, side b " in text
    report = json.loads(page("analyse", str(file), "--depth", "4", "--json"))
    assert [move["loss"] for move in report["games"][0]] == [judgement.loss for judgement in judgements]


def test_records_are_read_from_standard_input() -> None:
    command = [*OANQUAN, "analyse", "-", "--depth", "2"]
    record = played("wikipedia-vi", 3).record()
    done = subprocess.run(command, input=record, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "game 1: wikipedia-vi, 3 moves" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "--depth", "0"], "depth: expected 1 to 100, got 0"),
        (["search", "--seconds", "soon"], '--seconds: expected a number of 0 or more, got "soon"'),
        (["search", "--seconds", "-1"], '--seconds: expected a number of 0 or more, got "-1"'),
        (["search", "nonsense"], "expected"),
        (["analyse", "--nothing"], "Unknown option"),
        (["analyse", "/nothing"], "cannot read /nothing: No such file or directory"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"oanquan: {message}")
    assert done.stderr.count("\n") == 1


def test_what_is_no_record_is_told_and_the_others_are_judged(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("1. a1+ *\n1. a9+ *\n1. a2+ *\n", encoding="utf-8")
    done = run("analyse", str(file), "--depth", "1")
    assert done.returncode == 1
    assert done.stderr.startswith(f"oanquan: {file}:2:5: expected a square from 1 to 7")
    assert done.stdout.count("game ") == 2


@POSIX
def test_ctrl_c_prints_what_was_found() -> None:
    command = [*OANQUAN, "search", "--seconds", "500"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        while not process.stdout.readline().lstrip().startswith("8 "):
            pass
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 130
    assert "best move " in rest


def test_bench_counts_the_nodes_of_both_searches(figure: Callable[[str], None]) -> None:
    plain, plain_seconds = _core.bench_search("plain", 8)
    search, search_seconds = _core.bench_search("search", 8)
    assert plain > search > 0
    figure(f"search to depth 8: {plain / plain_seconds / 1e6:.1f} and {search / search_seconds / 1e6:.1f} M nodes/s")
