"""Matches: statistics, games that are games, agents in every form, and what goes wrong."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import oanquan as oaq
from oanquan import MatchInterrupted, Move, Position, Rules, Sprt, play_match
from support.engines import rules_of

Positions = tuple[Position, ...]


def first(positions: Positions) -> list[Move]:
    return [position.legal_moves[0] for position in positions]


def test_every_game_can_be_played_again() -> None:
    result = play_match(("cautious", "mcts:simulations=30"), rules_of("wikipedia-vi"), pairs=20, seed=4)
    assert [game.pair for game in result.games] == [pair for pair in range(20) for _ in range(2)]
    points = [0] * 5
    for one, other in zip(result.games[::2], result.games[1::2], strict=True):
        assert one.moves[: one.opening] == other.moves[: other.opening]
        assert one.agents == other.agents[::-1] == ("cautious", "mcts:simulations=30")
        halves = 0
        for game, side in ((one, "a"), (other, "b")):
            again = game.to_game()
            assert again.outcome == game.outcome
            assert again.headers == {"Players": ", ".join(game.agents)}
            assert oaq.Game.parse(again.record()).moves == game.moves
            halves += 1 if game.outcome.winner is None else 2 * (game.outcome.winner == side)
        points[halves] += 1
    assert result.pentanomial == tuple(points)
    assert result.wins + result.draws / 2 == pytest.approx(result.score * 40)


def test_games_are_made_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    whole = oaq.MatchGame

    def counted(*fields: Any) -> oaq.MatchGame:
        made.append(fields)
        return whole(*fields)

    monkeypatch.setattr("oanquan.matches.MatchGame", counted)
    result = play_match(("greedy", "random"), pairs=50, seed=3)
    assert result.wins + result.draws + result.losses == len(result.games) == 100
    assert str(result)
    assert not made
    last = result.games[-1]
    assert (last.pair, last.agents, len(made)) == (49, ("random", "greedy"), 2)
    with pytest.raises(IndexError):
        result.games[100]


def test_games_are_a_sequence_equal_to_its_tuple() -> None:
    result = play_match(("greedy", "random"), pairs=20, seed=3)
    games = tuple(result.games)
    assert result.games == games
    assert games == result.games
    assert (hash(result.games), repr(result.games)) == (hash(games), repr(games))
    assert result.games[3:7] == games[3:7]
    assert result.games[::-1] == games[::-1]
    assert games[5] in result.games
    assert result.games != games[:-1]
    copy = pickle.loads(pickle.dumps(result))
    assert (copy, copy.wins, copy.draws, copy.losses) == (result, result.wins, result.draws, result.losses)
    assert hash(copy) == hash(result)


def test_the_same_seed_is_the_same_match_on_any_threads() -> None:
    def match(**settings: Any) -> oaq.MatchResult:
        return play_match(("greedy", "random"), pairs=60, **settings)

    assert match(seed=1, threads=1) == match(seed=1, threads=3) == match(seed=1)
    assert match(seed=1) != match(seed=2)
    assert match(opening_plies=0) != match(opening_plies=2)
    assert all(game.opening == 7 for game in match(opening_plies=7).games)


def test_statistics_are_those_of_the_pairs() -> None:
    result = play_match(("cautious", "greedy"), pairs=400, seed=2)
    n, (mean, scores) = result.pairs, (result.score, (0, 0.25, 0.5, 0.75, 1))
    variance = sum(count * (score - mean) ** 2 for count, score in zip(result.pentanomial, scores, strict=True)) / n
    low, high = result.score_interval
    half = 1.96 * math.sqrt(variance / n)
    assert low == pytest.approx(mean - half, abs=0.1 * half)
    assert high == pytest.approx(mean + half, abs=0.1 * half)
    assert result.elo == pytest.approx(400 * math.log10(mean / (1 - mean)))
    assert result.elo_interval[0] < result.elo < result.elo_interval[1]
    assert json.loads(json.dumps(result.to_dict()))["elo"] == result.elo
    assert "400 pairs" in str(result)


def test_who_wins_everything_is_infinitely_stronger() -> None:
    over = {"position": Position.parse("0.0.0.0.1.0q1/0.0.0.0.1.0 40/28 - a 30", rules_of("short-game"))}
    result = play_match((first, first), pairs=3, opening_plies=0, **over)
    assert result.score == 0.5  # side a wins, whoever it is
    won = oaq.MatchResult(("x", "y"), (0, 0, 0, 0, 50), result.games, None, None, 0.0)
    assert (won.score, won.elo, won.elo_interval[1]) == (1.0, math.inf, math.inf)
    assert 400 < won.elo_interval[0] < 700
    assert won.to_dict()["elo"] is None
    assert "Elo +inf" in str(won)


def test_a_test_ends_the_match() -> None:
    settings: dict[str, Any] = {"pairs": 3000, "sprt": Sprt(0, 30), "seed": 1}
    result = play_match(("cautious", "random"), **settings)
    assert (result.verdict, result.pairs < 300) == ("stronger", True)
    assert result == play_match(("cautious", "random"), threads=3, **settings)
    assert result.llr is not None
    assert result.llr >= math.log(0.95 / 0.05)
    assert "stronger" in str(result)
    other = play_match(("random", "cautious"), **settings)
    assert other.verdict == "not stronger"
    assert play_match(("random", "random"), pairs=5, sprt=Sprt(0, 5)).verdict is None
    assert play_match(("random", "random"), pairs=5).llr is None


# ---- callables -------------------------------------------------------------------------------------------------------


def test_a_callable_plays_what_it_chooses() -> None:
    seen = []

    def last(positions: Positions) -> list[Move]:
        assert len(positions) == 1
        seen.append(positions[0])
        return [positions[0].legal_moves[-1]]

    rules = rules_of("tonkin")
    result = play_match((last, first), rules, pairs=5)
    assert result.agents == ("last", "first")
    assert {position.rules for position in seen} == {rules}
    for game in result.games:
        position = game.start
        for ply, move in enumerate(game.moves):
            place = -1 if game.agents["ab".index(position.turn)] == "last" else 0
            assert ply < game.opening or move == position.legal_moves[place]
            position = position.play(move)


@pytest.mark.parametrize("form", [str, lambda move: move.action], ids=["text", "action"])
def test_moves_may_be_given_in_every_form(form: Callable[[Move], object]) -> None:
    expected = play_match((first, "random"), pairs=5)
    formed = play_match((lambda positions: (form(move) for move in first(positions)), "random"), pairs=5)
    assert [game.moves for game in formed.games] == [game.moves for game in expected.games]


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (lambda _: [], oaq.OanquanError, r"agents\[1\]: expected a sequence of one move, got 0 moves"),
        (lambda _: [0, 1], oaq.OanquanError, r"agents\[1\]: expected a sequence of one move, got more"),
        (lambda _: "a1+", TypeError, r"agents\[1\]: expected a sequence of one move, got str"),
        (lambda _: None, TypeError, r"agents\[1\]: expected a sequence of one move, got NoneType"),
        (lambda _: [14], oaq.IllegalMoveError, r"agents\[1\]: illegal move 14"),
        (lambda _: ["zz"], oaq.NotationError, r"agents\[1\]: expected a square"),
        (lambda _: [None], TypeError, r"agents\[1\]: expected a Move"),
        (lambda _: 1 // 0, ZeroDivisionError, "by zero"),
    ],
)
def test_bad_answers_are_refused(answer: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        play_match((first, answer), pairs=5, threads=2)


# ---- what can go wrong -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        ((), {}, "agents: expected 2, got 0"),
        (("greedy",), {}, "agents: expected 2, got 1"),
        (("greedy",) * 3, {}, "agents: expected 2, got 3"),
        (("greedy", "nobody"), {}, 'agents: expected random, greedy, cautious, search.*, got "nobody"'),
        (("greedy", "mcts:simulations=0"), {}, "agents: expected simulations of 1 to 100000000"),
        (("greedy", "random"), {"rules": Rules.preset("three-players")}, "rules: expected two sides, got 3"),
        (("greedy", "random"), {"pairs": 0}, "pairs: expected 1 to 10000000, got 0"),
        (("greedy", "random"), {"opening_plies": -1}, "opening_plies: expected 0 to 1000, got -1"),
        (("greedy", "random"), {"threads": 0}, "threads: expected 1 to 1024, got 0"),
        (("greedy", "random"), {"seed": -1}, "seed: expected"),
        (("greedy", "random"), {"repetition": 0}, "repetition: expected 1"),
        (("greedy", "random"), {"sprt": Sprt(5, 5)}, "sprt: expected elo0 < elo1 within -2000 to 2000, got 5 and 5"),
        (("greedy", "random"), {"sprt": Sprt(0, 5, alpha=0.6)}, "sprt: expected alpha between 0 and 0.5, got 0.6"),
        (("greedy", "random"), {"sprt": Sprt(0, math.nan)}, "sprt: expected elo0 < elo1"),
    ],
)
def test_what_is_out_of_range_is_refused(arguments: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(oaq.OanquanError, match=message):
        play_match(arguments, **settings)


def test_what_is_of_another_type_is_refused() -> None:
    for arguments, settings in [("greedy", {}), ((1, 2), {}), (("greedy", "random"), {"sprt": (0, 5)})]:
        with pytest.raises(TypeError):
            play_match(arguments, **settings)  # type: ignore[arg-type]


def test_progress_is_told_and_may_stop_it() -> None:
    calls: list[tuple[int, int]] = []
    play_match(("greedy", "random"), pairs=50, progress=lambda done, pairs: calls.append((done, pairs)))
    assert calls[-1] == (50, 50)
    assert calls == sorted(calls)

    def stop(*_: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        play_match(("mcts:simulations=100000000", "random"), pairs=2, progress=stop)


def test_an_interrupt_has_what_was_played() -> None:
    asked = []

    def impatient(positions: Positions) -> list[Move]:
        asked.append(1)
        if len(asked) > 300:
            raise KeyboardInterrupt
        return first(positions)

    with pytest.raises(MatchInterrupted) as caught:
        play_match((impatient, "random"), pairs=1000, threads=1)
    assert 0 < caught.value.result.pairs < 100
    assert str(caught.value) == f"match interrupted after {caught.value.result.pairs} pairs"


# ---- other uses of agents --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["greedy", "mcts:simulations=20", "search:depth=2"])
def test_a_batch_whose_actions_an_agent_chooses_plays_its_games(agent: str) -> None:
    results = oaq.simulate(6, agents=(agent,), seed=9, moves=True)
    columns = results.columns
    assert columns is not None
    expected = columns.to_numpy()
    batch = oaq.Batch(6, seed=9, autoreset="disabled")
    played: list[list[int]] = [[] for _ in range(6)]
    for _ in range(1000):
        actions = batch.agent_actions(agent, threads=2).tolist()
        live = [place for place in range(6) if actions[place] >= 0]
        if not live:
            break
        if len(live) < 6:
            assert not batch.legal_masks[[place for place in range(6) if actions[place] < 0]].any()
            break
        batch.step(actions)
        for place in live:
            played[place].append(actions[place])
    assert len(played[0]) == min(expected["plies"])
    again = oaq.Batch(6, seed=9)
    assert again.agent_actions(agent).tolist() == oaq.Batch(6, seed=9).agent_actions(agent, threads=None).tolist()


def test_only_those_that_are_asked_choose() -> None:
    batch = oaq.Batch(50, seed=3)
    mask = np.arange(50) % 3 == 0
    out = np.zeros(50, np.int64)
    assert batch.agent_actions("cautious", mask=mask, out=out) is out
    assert ((out >= 0) == mask).all()
    with pytest.raises(oaq.OanquanError, match="agent: expected random, greedy"):
        batch.agent_actions("nobody")
    with pytest.raises(oaq.OanquanError, match="threads: expected 1 to 1024, got 0"):
        batch.agent_actions("greedy", threads=0)


def test_agents_of_runs_have_one_form() -> None:
    settings = oaq.runs.settings.Settings.of(agents=("mcts:playout=greedy:simulations=050", "random"))
    assert settings.texts()["agents"] == "mcts:simulations=50:playout=greedy,random"
    assert oaq.runs.settings.Settings.from_texts(settings.texts()) == settings


def test_random_play_is_equal_to_itself() -> None:
    result = play_match(("random", "random"), pairs=3000, seed=Random(1).getrandbits(60))
    assert result.elo_interval[0] - 10 < 0 < result.elo_interval[1] + 10
