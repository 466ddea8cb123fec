"""Tournaments: the games, ratings, engines that do odd things, and going on with what was broken off."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import oanquan as oaq
from oanquan import Position, Sprt, play_match
from oanquan.engine import EngineError, Limit
from oanquan.tournaments import (
    EnginePlayer,
    TournamentError,
    TournamentInterrupted,
    TournamentResult,
    parse_limit,
    read_engines,
    run_tournament,
)
from oanquan.tournaments.games import WrittenPairs
from oanquan.tournaments.ledger import Ledger
from oanquan.tournaments.referee import Conditions, play_pair
from oanquan.tournaments.seats import AgentSeat, EngineSeat, StoppedError
from support.engines import rules_of

ODD = str(Path(__file__).parent / "support" / "odd_engine.py")
DEPTH = Limit(depth=1)
RECORDS = "games.records"


def odd(way: str, *more: str, name: str | None = None, limit: Limit = DEPTH) -> EnginePlayer:
    return EnginePlayer([sys.executable, ODD, way, *more], name=name or way, limit=limit)


def first(positions: tuple[Position, ...]) -> list[oaq.Move]:
    return [positions[0].legal_moves[0]]


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """Neither threads nor programs outlive a tournament."""
    yield
    deadline = time.monotonic() + 10
    while others := [
        thread for thread in threading.enumerate() if thread.name.startswith(("tournament", "oanquan engine"))
    ]:
        assert time.monotonic() < deadline, others
        time.sleep(0.02)
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if children.exists():
        programs = [Path(f"/proc/{child}/cmdline").read_bytes() for child in children.read_text().split()]
        assert not [program for program in programs if b"odd_engine" in program]


# ---- games -----------------------------------------------------------------------------------------------------------


def test_agents_play_the_games_of_a_match() -> None:
    result = run_tournament(["greedy", "mcts:simulations=20", "random"], rules_of("wikipedia-vi"), games=40, seed=4)
    for encounter in result.encounters:
        match = play_match(encounter.agents, rules_of("wikipedia-vi"), pairs=20, seed=4)
        assert encounter.pentanomial == match.pentanomial
        assert (encounter.wins, encounter.draws, encounter.losses) == (match.wins, match.draws, match.losses)
        assert (encounter.score_interval, encounter.elo_interval) == (match.score_interval, match.elo_interval)
        for game, other in zip(encounter.games, match.games, strict=True):
            assert (game.moves, game.opening, game.players) == (other.moves, other.opening, other.agents)
            assert (game.winner, game.ending, game.points) == (
                other.outcome.winner,
                other.outcome.ending,
                other.outcome.points,
            )
            again = oaq.Game.parse(game.to_game().record())
            assert again.headers["Round"] == f"{game.encounter + 1}.{game.pair + 1}.{game.number + 1}"
    assert result.games == sum(rating.games for rating in result.ratings) / 2 == 120
    assert pickle.loads(pickle.dumps(result)) == result
    assert json.loads(json.dumps(result.to_dict()))["ratings"][0]["player"] == result.standings[0].player


@pytest.mark.parametrize("rules", ["mancala-world", "tonkin", "short-game"])
def test_the_referee_plays_the_games_of_the_core(rules: str) -> None:
    start = Position.start(rules_of(rules), first="b")
    for limits, opening in (((1000, 3), 4), ((6, 2), 9), ((None, 1), 0)):
        conditions = Conditions(start, opening, 5, limits, None, 0.0, 1.0)
        match = play_match(
            ("random", "greedy"),
            position=start,
            pairs=4,
            opening_plies=opening,
            seed=5,
            max_plies=limits[0],
            repetition=limits[1],
        )
        for pair in range(4):
            played = play_pair(conditions, (AgentSeat("random", 5), AgentSeat("greedy", 5)), pair).pair
            for game, other in zip(played.games, match.games[2 * pair : 2 * pair + 2], strict=True):
                assert game.moves == " ".join(map(str, other.moves))
                assert played.opening == other.opening
                assert (game.winner, game.ending, game.points) == (
                    other.outcome.winner,
                    other.outcome.ending,
                    other.outcome.points,
                )


def test_callables_play_as_in_a_match() -> None:
    for agents in [("greedy", first), (first, "greedy"), (first, first)]:
        result = run_tournament(agents, games=20, seed=3, threads=3)
        match = play_match(agents, pairs=10, seed=3)
        assert [game.moves for game in result.encounters[0].games] == [game.moves for game in match.games]
    assert result.players == ("first", "first (2)")


def test_a_callable_is_asked_by_one_thread_at_a_time() -> None:
    inside = []

    def alone(positions: tuple[Position, ...]) -> list[oaq.Move]:
        inside.append(1)
        assert len(inside) == 1
        time.sleep(0.0001)
        inside.pop()
        return first(positions)

    assert run_tournament([alone, "random", "greedy"], games=20, threads=4).games == 60


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (lambda _: [], oaq.OanquanError, "<lambda>: expected a sequence of one move, got 0 moves"),
        (lambda _: "a1+", TypeError, "expected a sequence of one move, got str"),
        (lambda _: [14], oaq.IllegalMoveError, "illegal move 14"),
        (lambda _: 1 // 0, ZeroDivisionError, "by zero"),
    ],
)
def test_what_a_callable_raises_comes_out(answer: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        run_tournament(["greedy", answer], games=4, threads=2)


@pytest.mark.parametrize(
    ("schedule", "met"),
    [
        ("round-robin", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
        ("gauntlet", [(0, 1), (0, 2), (0, 3)]),
        ("ladder", [(0, 1), (1, 2), (2, 3)]),
    ],
)
def test_who_meets_whom(schedule: str, met: list[tuple[int, int]]) -> None:
    names = ("random", "greedy", "cautious", "search:depth=1")
    result = run_tournament(names, schedule=schedule, games=4)
    assert [encounter.agents for encounter in result.encounters] == [(names[a], names[b]) for a, b in met]


def test_the_same_on_any_number_of_threads() -> None:
    def tournament(threads: int, **more: Any) -> TournamentResult:
        return run_tournament(["cautious", "random", "greedy"], games=200, seed=2, threads=threads, **more)

    assert tournament(1) == tournament(3)
    test = Sprt(0, 60)
    tested = tournament(1, sprt=test)
    assert tested == tournament(4, sprt=test)
    for encounter in tested.encounters:
        match = play_match(encounter.agents, pairs=100, seed=2, sprt=test)
        assert (encounter.pentanomial, encounter.verdict, encounter.llr) == (
            match.pentanomial,
            match.verdict,
            match.llr,
        )
    assert {encounter.verdict for encounter in tested.encounters} >= {"stronger"}


def test_pairs_count_in_their_order() -> None:
    wins = WrittenPairs(["{}"] * 30, bytes([4] * 30))
    ledger = Ledger(100, Sprt(0, 100))
    ledger.put(30, wins)
    assert (ledger.counted, ledger.missing(0), ledger.missing(10)) == (0, (0, 30), (10, 20))
    ledger.put(0, wins)
    assert ledger.verdict == "stronger"
    assert ledger.counted == sum(ledger.pentanomial) < 60
    assert ledger.settled


# ---- engines ---------------------------------------------------------------------------------------------------------


def test_an_engine_plays_as_the_agent_that_it_is() -> None:
    """The engine draws otherwise than the agent would, but plays whole games, which both sides agree on."""
    result = run_tournament([odd("fine"), odd("fine", name="too"), "random"], games=8, threads=2, seed=3)
    assert [encounter.pairs for encounter in result.encounters] == [4, 4, 4]
    assert not any(encounter.forfeits or encounter.disputes for encounter in result.encounters)
    assert result.players == ("fine", "too", "random")
    assert result.encounters[0] == run_tournament([odd("fine"), odd("fine", name="too")], games=8, seed=3).encounters[0]
    assert result.encounters[1].score > 0.5


def test_an_engine_is_told_rules_limits_and_start() -> None:
    start = Position.start(rules_of("short-game"), first="b")
    result = run_tournament([odd("fine"), "greedy"], position=start, games=4, max_plies=12, repetition=None)
    assert result.encounters[0].disputes == 0
    assert {game.start for game in result.encounters[0].games} == {start}
    assert "max_plies" in result.encounters[0].endings


def test_our_engine_plays_without_a_fault() -> None:
    ours = [sys.executable, "-m", "oanquan.cli", "ugi"]
    players = [
        EnginePlayer(ours, name="deep", limit=Limit(depth=4)),
        EnginePlayer(ours, name="nodes", limit=Limit(nodes=500), options={"Hash": 1}),
        EnginePlayer(ours, name="clock", limit=Limit(clocks=(2, 2), increments=(0.01, 0.01))),
        "random",
    ]
    result = run_tournament(players, rules_of("wikipedia-vi"), games=6, threads=2, margin=2, repetition=2, max_plies=60)
    assert not result.retired
    assert not any(encounter.forfeits or encounter.disputes for encounter in result.encounters)
    assert result.standings[-1].player == "random"


@pytest.mark.parametrize(
    ("way", "ending", "fault"),
    [
        ("crashes", "crash", "no pebbles left"),
        ("cheats", "illegal move", "bestmove a9+"),
        ("late", "time forfeit", ""),
        ("sleeps", "time forfeit", ""),
    ],
)
def test_what_goes_wrong_loses_the_game(way: str, ending: str, fault: str) -> None:
    limit = Limit(time=0.2) if ending == "time forfeit" else DEPTH
    settings: dict[str, Any] = {"games": 2, "crashes": 5, "margin": 0.2, "timeout": 5, "seed": 1, "threads": 1}
    encounter = run_tournament([odd(way, limit=limit), "random"], **settings).encounters[0]
    assert encounter.forfeits == {ending: 2}
    assert (encounter.pentanomial, encounter.losses) == ((1, 0, 0, 0, 0), 2)
    for game, own in zip(encounter.games, "ab", strict=True):
        assert game.forfeited
        assert (game.winner, game.ending, game.points) == ("ba"["ab".index(own)], ending, None)
        assert fault in game.fault
        again = oaq.Game.parse(game.to_game().record())
        assert again.moves == game.moves
        assert (again.headers["Termination"], again.headers["Result"]) == (ending, game.winner)
        assert again.comments[len(again)] == game.fault.partition("\n")[0]


def test_who_crashes_too_often_in_a_row_retires(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"games": 8, "threads": 1, "crashes": 3, "opening_plies": 0}
    result = run_tournament([odd("crashes"), "random", "greedy"], **settings)
    assert [encounter.pairs for encounter in result.encounters] == [1, 0, 4]
    assert "retired after 3 crashes in a row" in result.retired["crashes"]
    assert "no pebbles left" in result.retired["crashes"]
    assert result.retired["crashes"] in str(result)
    # One that recovers goes on.
    lives = str(tmp_path / "lives")
    result = run_tournament([odd("crashes once", lives), "random"], **settings)
    assert not result.retired
    assert result.encounters[0].forfeits == {"crash": 1}  # its first life was before the first game
    assert result.encounters[0].pairs == 4


def test_an_engine_that_ends_in_a_game_is_not_started_again_for_it() -> None:
    def slow(positions: tuple[Position, ...]) -> list[oaq.Move]:
        time.sleep(0.7)  # until the end of the other is known
        return first(positions)

    encounter = run_tournament([odd("leaves"), slow], games=2, threads=1, opening_plies=0).encounters[0]
    assert encounter.forfeits == {"crash": 2}
    assert [len(game.moves) for game in encounter.games] == [4, 5]


def test_an_engine_that_hangs_between_games_crashes(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"games": 2, "threads": 1, "timeout": 3}
    result = run_tournament([odd("hangs between games", str(tmp_path / "lives")), "random"], **settings)
    assert result.encounters[0].forfeits == {"crash": 1}


def test_claims_are_checked() -> None:
    result = run_tournament([odd("claims all"), odd("claims nonsense"), "random"], games=12, schedule="ladder")
    told, nonsense = result.encounters
    assert nonsense.disputes == told.disputes == 12
    disputes = {dispute for game in told.games for dispute in game.disputes}
    assert any("claims all: expected result p2win, got p1win" in dispute for dispute in disputes)
    assert not told.forfeits


def test_clocks_run() -> None:
    clock = Limit(clocks=(0.3, 5.0), increments=(0.0, 0.0))
    settings: dict[str, Any] = {"opening_plies": 0, "games": 2, "margin": 0.0, "threads": 1}
    encounter = run_tournament([odd("clock", limit=clock), odd("fine")], **settings).encounters[0]
    short, long = encounter.games
    assert len(long.moves) > 8
    assert not long.forfeited  # 20 ms a move, of five seconds
    rich = Limit(clocks=(0.05, 0.05), increments=(0.001, 0.001))
    encounter = run_tournament([odd("clock", limit=rich), odd("fine")], **settings).encounters[0]
    assert encounter.forfeits == {"time forfeit": 2}
    assert short.ending in ("time forfeit", *encounter.endings, "mandarins")


def test_what_cannot_play_is_found_before_the_first_game() -> None:
    with pytest.raises(EngineError, match="no-such-program"):
        run_tournament([EnginePlayer("no-such-program", limit=DEPTH), "random"])
    fake = str(Path(ODD).with_name("fake_engine.py"))
    with pytest.raises(EngineError, match="out of pebbles"):
        run_tournament([EnginePlayer([sys.executable, fake, "crash_at_once"], limit=DEPTH), "random"])
    with pytest.raises(oaq.OanquanError, match="Hash"):
        run_tournament([EnginePlayer([sys.executable, ODD, "fine"], options={"Hash": "much"}, limit=DEPTH), "random"])


def test_an_interrupt_kills_what_thinks() -> None:
    begun = time.perf_counter()
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(TournamentInterrupted) as caught:
            run_tournament([odd("sleeps", limit=Limit(time=500)), "random"], games=100, threads=2, opening_plies=0)
    finally:
        timer.cancel()
        timer.join()
    assert time.perf_counter() - begun < 8
    assert caught.value.result.encounters[0].pairs == 0


def test_an_interrupt_does_not_wait_for_the_end_of_a_game() -> None:
    # Nobody thinks for long: what is asked next after the interrupt must not be, by engines started again or functions.
    def slow(positions: tuple[Position, ...]) -> list[oaq.Move]:
        time.sleep(0.5)
        return first(positions)

    for other in (odd("fine"), "random"):
        timer = threading.Timer(2.0, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        try:
            begun = time.perf_counter()
            with pytest.raises(TournamentInterrupted):
                run_tournament([other, slow], games=100, threads=1)
        finally:
            timer.cancel()
            timer.join()
        assert time.perf_counter() - begun < 5


def test_what_is_killed_by_an_interrupt_disputes_nothing() -> None:
    seat = EngineSeat(odd("fine"), Position.start(), (1000, 3), limit=None, margin=0.25, timeout=10.0)
    game = oaq.Game()
    while not game.is_over:
        game.push(game.position.legal_moves[0])
    try:
        seat.begin()
        assert seat.disputes(game) == ()
        seat.stop()
        with pytest.raises(StoppedError):
            seat.disputes(game)
        with pytest.raises(StoppedError):
            seat.begin()
    finally:
        seat.close()


def test_progress_is_told_and_may_stop_it() -> None:
    calls: list[tuple[int, int]] = []
    run_tournament(["greedy", "random"], games=500, progress=lambda *both: calls.append(both))
    assert calls[-1] == (500, 500)
    assert calls == sorted(calls)

    def enough(*_: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        run_tournament(["mcts:simulations=100000000", "random"], games=2, progress=enough)
    with pytest.raises(RuntimeError, match="enough"):
        run_tournament(["mcts:simulations=100000000", first], games=2, progress=enough)


# ---- directories -----------------------------------------------------------------------------------------------------


def contents(directory: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in directory.iterdir() if file.name in (RECORDS, "games.parquet")}


def test_a_directory_has_the_games(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    settings: dict[str, Any] = {"games": 6, "threads": 1, "seed": 2, "crashes": 9, "schedule": "ladder"}
    result = run_tournament([odd("crashes"), "random", "greedy"], directory=tmp_path, **settings)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        ".lock",
        "games.parquet",
        RECORDS,
        "journal.jsonl",
        "result.json",
        "tournament.json",
    ]
    games = [game for encounter in result.encounters for game in encounter.games]
    read = oaq.Game.parse_all((tmp_path / RECORDS).read_text())
    assert [game.moves for game in read] == [game.moves for game in games]
    rows = parquet.read_table(tmp_path / "games.parquet").to_pylist()
    assert len(rows) == len(games) == 12
    for row, game in zip(rows, games, strict=True):
        assert row["moves"] == [move.action for move in game.moves]
        assert (row["player_a"], row["player_b"]) == game.players
        assert (row["winner"], row["ending"]) == (game.winner or "draw", game.ending)
        assert row["points_a"] == (None if game.points is None else game.points[0])
        assert (row["fault"] is None) == (game.fault == "")
    assert json.loads((tmp_path / "result.json").read_text())["players"] == list(result.players)


def test_what_was_broken_off_is_gone_on_with(tmp_path: Path) -> None:
    def slow(positions: tuple[Position, ...]) -> list[oaq.Move]:
        time.sleep(0.001)
        return first(positions)

    players = ["cautious", slow, "random"]
    settings: dict[str, Any] = {"games": 60, "seed": 9, "sprt": Sprt(0, 200)}
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    expected = run_tournament(players, directory=whole, **settings)

    def enough(done: int, _games: int) -> None:
        if done > stop:
            raise RuntimeError("enough")

    for stop in (2, 8, 16):
        with pytest.raises(RuntimeError):
            run_tournament(players, directory=parts, resume=stop > 2, progress=enough, threads=2, **settings)
        assert not (parts / RECORDS).exists()
        with (parts / "journal.jsonl").open("a") as journal:
            journal.write('{"encounter":1,"pair":7,"opening":4,"ga')  # a kill in the middle of a line
    # Lost lines in the middle are played again.
    lines = (parts / "journal.jsonl").read_text().splitlines(keepends=True)
    (parts / "journal.jsonl").write_text("".join(lines[:2] + lines[5:]))
    assert run_tournament(players, directory=parts, resume=True, **settings) == expected
    assert contents(parts) == contents(whole)
    before = (parts / "journal.jsonl").read_bytes()
    assert run_tournament(players, directory=parts, resume=True, **settings) == expected
    assert (parts / "journal.jsonl").read_bytes() == before


def test_more_games_may_be_played_later(tmp_path: Path) -> None:
    players = ["greedy", "random"]
    run_tournament(players, directory=tmp_path, games=20)
    assert run_tournament(players, directory=tmp_path, games=50, resume=True) == run_tournament(players, games=50)
    with pytest.raises(TournamentError, match="games: the tournament has 50, asked for 20"):
        run_tournament(players, directory=tmp_path, games=20, resume=True)


def test_a_kill_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    code = (
        "from oanquan.tournaments import run_tournament; import sys\n"
        "run_tournament(['mcts:simulations=300', 'greedy'], games=4000, directory=sys.argv[1], threads=2)"
    )
    program = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    journal = tmp_path / "journal.jsonl"
    deadline = time.monotonic() + 30
    while not journal.exists() or journal.read_bytes().count(b"\n") < 20:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    program.kill()
    program.wait()
    played = journal.read_bytes().count(b"\n")
    settings: dict[str, Any] = {"directory": tmp_path, "resume": True}

    def enough(*_: int) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run_tournament(["mcts:simulations=300", "greedy"], games=4000, progress=enough, **settings)
    assert journal.read_bytes().count(b"\n") >= played


def test_another_or_a_damaged_tournament_is_refused(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"games": 4, "directory": tmp_path}
    run_tournament(["greedy", "random"], **settings)
    with pytest.raises(TournamentError, match="there is a tournament already"):
        run_tournament(["greedy", "random"], **settings)
    with pytest.raises(TournamentError, match="seed: the tournament has 0, asked for 1") as caught:
        run_tournament(["greedy", "cautious"], seed=1, resume=True, **settings)
    assert len(caught.value.faults) == 2
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    journal = tmp_path / "journal.jsonl"
    good = journal.read_text()
    move = good.index('"moves":"') + 9
    for bad, message in [
        ("garbage\n" + good, "line 1: expected a finished pair"),
        (good.replace('"winner":"a"', '"winner":"b"', 1), "expected"),
        (good[:move] + "b" + good[move + 1 :], "illegal move"),
        (good.replace('"encounter":0', '"encounter":7', 1), "KeyError"),
        (good.replace('"pair":0', '"pair":-1', 1), "OverflowError"),
        (good.replace('"opening":4', '"opening":true', 1), "opening: expected a whole number"),
        ('{"encounter":0,"pair":0,"opening":4,"games":"ab"}\n' + good, "line 1: expected a finished pair"),
    ]:
        journal.write_text(bad)
        with pytest.raises(TournamentError, match=message):
            run_tournament(["greedy", "random"], resume=True, **settings)
    for bad in ("[]", '{"form": 1, "settings": {"games": "many"}}'):
        (tmp_path / "tournament.json").write_text(bad)
        with pytest.raises(TournamentError, match="is not what a tournament writes"):
            run_tournament(["greedy", "random"], resume=True, **settings)
    (tmp_path / "tournament.json").unlink()
    with pytest.raises(TournamentError, match="is here without"):
        run_tournament(["greedy", "random"], **settings)


# ---- arguments -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "settings", "message"),
    [
        (["greedy"], {}, "players: expected two or more, got 1"),
        (["greedy", "nobody"], {}, 'expected random, greedy, cautious, search.*, got "nobody"'),
        (["greedy", "random"], {"games": 3}, "games: expected an even number, got 3"),
        (["greedy", "random"], {"games": 0}, "games: expected 2 to 20000000, got 0"),
        (["greedy", "random"], {"schedule": "cup"}, "schedule: expected round-robin, gauntlet, ladder, got 'cup'"),
        (["greedy", "random"], {"threads": 0}, "threads: expected 1 to 1024"),
        (["greedy", "random"], {"crashes": 0}, "crashes: expected 1 to"),
        (["greedy", "random"], {"margin": -1}, "margin: expected 0 to 86400 seconds, got -1"),
        (["greedy", "random"], {"sprt": Sprt(5, 5)}, "sprt: expected elo0 < elo1"),
        (["greedy", "random"], {"resume": True}, "resume: expected a directory"),
        (["greedy", "random"], {"rules": oaq.Rules.preset("three-players")}, "rules: expected two sides, got 3"),
        (["greedy", EnginePlayer("x", name="a\nb")], {}, "players: expected a name of printable characters, got 'a"),
        (["random", "random", EnginePlayer("x", name="random (2)")], {}, "two called random"),
        (["greedy", EnginePlayer("x")], {}, "limit: expected one for the engine x, got none"),
        (["greedy", EnginePlayer("x", limit=Limit(infinite=True))], {}, "limit: expected one that ends"),
    ],
)
def test_what_is_out_of_range_is_refused(players: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(oaq.OanquanError, match=message):
        run_tournament(players, **settings)


def test_what_is_of_another_type_is_refused() -> None:
    for players, settings in [
        ("greedy", {}),
        ([1, 2], {}),
        (["greedy", "random"], {"sprt": (0, 5)}),
        (["greedy", "random"], {"limit": 5}),
        (["greedy", "random"], {"margin": "1"}),
        (["greedy", "random"], {"progress": 1}),
    ]:
        with pytest.raises(TypeError):
            run_tournament(players, **settings)


@pytest.mark.parametrize("text", ["", "time", "time=-1", "depth=1.5", "nodes=x", "clock=1+", "clock=1+1+1", "infinite"])
def test_texts_that_are_no_limit(text: str) -> None:
    with pytest.raises(oaq.OanquanError, match="limit: expected time=SECONDS"):
        parse_limit(text)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("command = 5", "expected a table, got int"),
        ("[x]\ncommand = 5", r"\[x\]: command: expected a text or texts, got 5"),
        ("[x]\n", r"\[x\]: command: expected a text or texts"),
        ("[x]\ncommand = 'y'\nspeed = 3", r"\[x\]: expected command, .*, got speed"),
        ("[x]\ncommand = 'y'\nlimit = 3", r"\[x\]: limit: expected a text, got int"),
        ("[x]\ncommand = 'y'\nlimit = 'soon'", r"\[x\]: limit: expected time=SECONDS"),
        ("[x]\ncommand = 'y'\nenv = { A = 5 }", r"\[x\]: env: A: expected a text, got 5"),
        ("[x]\ncommand = 'y'\noptions = { Since = 1945-09-02 }", r"\[x\]: options: Since: expected a text, .*date"),
        ("[x", "engines.toml: "),
        ("x = " + 100_000 * "[", "engines.toml: "),
    ],
)
def test_files_of_engines_that_are_none(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "engines.toml").write_text(content)
    with pytest.raises(oaq.OanquanError, match=message):
        read_engines(tmp_path / "engines.toml")


def test_a_file_of_engines(tmp_path: Path) -> None:
    (tmp_path / "engines.toml").write_text(
        "[ours]\ncommand = ['oanquan', 'ugi']\noptions = { Hash = 8 }\nlimit = 'clock=9+1'\n"
        "cwd = 'here'\nenv = { X = '1' }\n"
    )
    engine = read_engines(tmp_path / "engines.toml")["ours"]
    assert (engine.label, engine.options, engine.cwd) == ("ours", {"Hash": 8}, tmp_path / "here")
    assert engine.limit == Limit(clocks=(9, 9), increments=(1, 1))
    assert engine.env == {**os.environ, "X": "1"}
