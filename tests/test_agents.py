"""Agents: what cautious takes, and callables that are asked for the moves of whole batches of games."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable
from random import Random

import pytest

import oanquan as oaq
from oanquan import Move, Position, Results, Rules
from support.cases import captures
from support.engines import CORE, rules_of
from support.lockstep import random_pair

Positions = tuple[Position, ...]


def first(positions: Positions) -> list[Move]:
    return [position.legal_moves[0] for position in positions]


def captured(position: Position, move: Move) -> int:
    value = position.rules.mandarin_value
    return sum(n + value * q for _, n, q in captures(CORE.trace(position, move)))


def ahead(position: Position, move: Move) -> int:
    """Points captured minus the most that can be captured in reply."""
    after = position.play(move)
    return captured(position, move) - max((captured(after, reply) for reply in after.legal_moves), default=0)


# ---- cautious --------------------------------------------------------------------------------------------------------


def test_cautious_takes_what_leaves_it_furthest_ahead() -> None:
    rng, choices = Random(2), 0
    for _ in range(120):
        pair = random_pair(rng)
        if pair is None or pair[0].is_over:
            continue
        position = pair[0]
        assert isinstance(position, Position)
        worth = {move: ahead(position, move) for move in position.legal_moves}
        best = {move for move, points in worth.items() if points == max(worth.values())}
        results = oaq.simulate(60, position=position, agents=("cautious",), max_plies=1, repetition=None)
        # Nothing is certain about sixty draws, but that none of them is a worse move.
        assert {opening.move for opening in results.openings} <= best, f"{position.rules} | {position}"
        choices += len(best) < len(worth)
    assert choices > 40


@pytest.mark.parametrize("preset", ["mancala-world", "wikipedia-vi", "quan-non"])
def test_cautious_beats_greedy_and_greedy_beats_random(preset: str) -> None:
    rules = rules_of(preset)

    def wins(*agents: str) -> int:
        """Games of 400 that the first agent wins, half of them at each seat."""
        seats = [oaq.simulate(200, rules, agents=order, seed=3) for order in (agents, agents[::-1])]
        return seats[0].wins["a"] + seats[1].wins["b"]

    assert wins("greedy", "random") > 300
    assert wins("cautious", "greedy") > 240
    assert wins("cautious", "random") > 320


# ---- callables -------------------------------------------------------------------------------------------------------


def same_as_one_by_one(rules: Rules, results: Results, games: int, choose: Callable[[Position], Move]) -> None:
    """The results of games in which every side plays by `choose`, all of which are the same game."""
    game = oaq.Game(rules)
    while game.outcome is None:
        game.push(choose(game.position))
    assert results.games == games
    assert {results.plies.min, results.plies.max} == {len(game.moves)}
    assert [results.points[side].max for side in results.points] == list(game.outcome.points)


@pytest.mark.parametrize("preset", oaq.PRESETS)
def test_callables_play_the_games_that_they_choose(preset: str) -> None:
    rules = rules_of(preset)
    same_as_one_by_one(rules, oaq.simulate(3, rules, agents=(first,)), 3, lambda position: position.legal_moves[0])
    last = oaq.simulate(3, rules, agents=(lambda positions: [p.legal_moves[-1] for p in positions],))
    same_as_one_by_one(rules, last, 3, lambda position: position.legal_moves[-1])


@pytest.mark.parametrize("form", ["Move", "text", "action", "generator", "tuple"])
def test_moves_may_be_given_in_every_form(form: str) -> None:
    forms: dict[str, Callable[[Positions], Iterable[Move | str | int]]] = {
        "Move": first,
        "text": lambda positions: [str(p.legal_moves[0]) for p in positions],
        "action": lambda positions: [p.legal_moves[0].action for p in positions],
        "generator": lambda positions: (p.legal_moves[0] for p in positions),
        "tuple": lambda positions: tuple(p.legal_moves[0] for p in positions),
    }
    expected = oaq.simulate(200, agents=("random", first), seed=4)
    assert oaq.simulate(200, agents=("random", forms[form]), seed=4) == expected


def test_whole_batches_are_asked_about() -> None:
    sizes = []

    def counted(positions: Positions) -> list[Move]:
        assert isinstance(positions, tuple)
        assert {position.turn for position in positions} == {"b"}
        sizes.append(len(positions))
        return first(positions)

    results = oaq.simulate(10_000, agents=("random", counted), seed=1, max_plies=40)
    assert results.games == 10_000
    assert max(sizes) == 4096
    assert sum(sizes) / len(sizes) > 500


def test_one_agent_at_two_seats_is_asked_once_for_both() -> None:
    turns = []

    class Agent:
        def __call__(self, positions: Positions) -> list[Move]:
            turns.append({position.turn for position in positions})
            return first(positions)

    agent = Agent()
    assert oaq.simulate(50, agents=(agent, agent), seed=1) == oaq.simulate(50, agents=(agent,), seed=1)
    rules = rules_of("three-players")
    turns.clear()
    assert oaq.simulate(50, rules, agents=(agent, "random", agent), seed=1).games == 50
    assert {"a"} in turns
    assert {"c"} in turns
    assert {"b"} not in turns


def test_seats_of_the_engine_play_as_they_always_do() -> None:
    """In the first ply, where nothing has depended on the callable yet, and when the callable's seat never moves."""
    for name in ("random", "greedy", "cautious"):
        kept = oaq.simulate(500, agents=(name, "random"), seed=6, max_plies=1)
        assert oaq.simulate(500, agents=(name, first), seed=6, max_plies=1) == kept


def test_the_same_seeds_give_the_same_games() -> None:
    def run(seed: int, own: int) -> Results:
        rng = Random(own)
        agents = ("random", lambda positions: [rng.choice(position.legal_moves) for position in positions])
        return oaq.simulate(5000, agents=agents, seed=seed)

    assert run(1, 1) == run(1, 1)
    assert run(1, 1) != run(2, 1)
    assert run(1, 1) != run(1, 2)


# ---- what can go wrong -----------------------------------------------------------------------------------------------


def test_an_illegal_move_is_refused_with_its_game() -> None:
    def cheat(positions: Positions) -> list[Move]:
        moves = first(positions)
        if positions[0].ply == 4:
            moves[7] = Move("b1+")
        return moves

    with pytest.raises(
        oaq.IllegalMoveError, match=r"^agents\[0\], game \d+: illegal move b1\+: it is side a's"
    ) as caught:
        oaq.simulate(100, agents=(cheat, "random"), max_plies=50)
    assert caught.value.move == "b1+"
    assert Position.parse(caught.value.position).turn == "a"

    with pytest.raises(
        oaq.IllegalMoveError, match=r"^agents\[0\], game 0: illegal move 14: action numbers go from 0 to 9"
    ):
        oaq.simulate(3, agents=(lambda positions: [14] * len(positions),))


class Strange:
    """A number that cannot be told."""

    def __index__(self) -> int:
        raise RuntimeError("no number")


@pytest.mark.parametrize(
    ("answer", "error", "message", "notes"),
    [
        (lambda _: [], oaq.OanquanError, r"^agents\[1\]: expected 5 moves, one for each position, got 0", []),
        (lambda _: [0] * 9, oaq.OanquanError, r"^agents\[1\]: expected \d moves?, .*, got (more|9)", []),
        (lambda _: "a1+", TypeError, r"^agents\[1\]: expected a sequence of moves, got str", []),
        (lambda _: None, TypeError, r"^agents\[1\]: expected a sequence of moves, got NoneType", []),
        (lambda _: [None] * 5, TypeError, r"^agents\[1\], game 0: expected a Move, a text or an action", []),
        (lambda _: [1.5] * 5, TypeError, r"^agents\[1\], game 0: expected a Move, .*, got float$", []),
        (lambda _: ["b9+"] * 5, oaq.NotationError, r"^agents\[1\], game 0: expected a square from 1 to 7", []),
        (lambda _: [Strange()] * 5, RuntimeError, "^no number", ["agents[1], game 0"]),
        (lambda positions: positions[99], IndexError, "^tuple index out of range", []),
    ],
)
def test_bad_answers_are_refused(
    answer: Callable[[Positions], Iterable[Move]], error: type[Exception], message: str, notes: list[str]
) -> None:
    with pytest.raises(error, match=message) as caught:
        oaq.simulate(5, agents=(first, answer))
    assert getattr(caught.value, "__notes__", []) == notes


def test_an_unreadable_move_names_its_game_and_keeps_its_text() -> None:
    def slip(positions: Positions) -> list[Move | str]:
        moves: list[Move | str] = [*first(positions)]
        moves[9] = "zz"
        return moves

    with pytest.raises(oaq.NotationError, match=r'^agents\[1\], game 9: expected .* in "zz"') as caught:
        oaq.simulate(20, agents=("random", slip))
    assert (caught.value.text, caught.value.column) == ("zz", 1)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_an_exception_comes_out_as_it_is() -> None:
    raised = RuntimeError("tired")

    def tired(_: Positions) -> list[Move]:
        raise raised

    with pytest.raises(RuntimeError) as caught:
        oaq.simulate(5, agents=(tired,))
    assert caught.value is raised


def test_an_interrupt_in_an_agent_has_what_was_done() -> None:
    def impatient(positions: Positions) -> list[Move]:
        if any(position.ply > 30 for position in positions):
            raise KeyboardInterrupt
        return first(positions)

    with pytest.raises(oaq.SimulationInterrupted) as caught:
        oaq.simulate(1000, agents=("random", impatient))
    assert 0 < caught.value.results.games < 1000


def test_progress_is_reported_and_may_stop_the_run() -> None:
    calls: list[tuple[int, int]] = []
    oaq.simulate(300, agents=(first, "random"), progress=lambda done, games: calls.append((done, games)))
    assert calls[-1] == (300, 300)
    assert calls == sorted(calls)

    def stop(done: int, games: int) -> None:
        raise RuntimeError(f"{done} of {games}")

    with pytest.raises(RuntimeError, match="of 300"):
        oaq.simulate(300, agents=(first,), progress=stop)


def test_a_slow_agent_does_not_keep_a_run_from_ending() -> None:
    def stop(*_: int) -> None:
        raise RuntimeError("enough")

    begun = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        oaq.simulate(2, agents=("mcts:simulations=100000000", first), progress=stop)
    assert time.monotonic() - begun < 10


def test_a_slow_agent_beside_a_callable_plays_as_it_always_does() -> None:
    agent = "mcts:simulations=30"
    beside = oaq.simulate(20, agents=(agent, first), seed=3, moves=True).columns
    alone = oaq.simulate(20, agents=(agent,), seed=3, moves=True).columns
    assert beside is not None
    assert alone is not None
    assert [beside.moves(game)[0] for game in range(20)] == [alone.moves(game)[0] for game in range(20)]


@pytest.mark.parametrize("agents", [(first, "nobody"), (first, 3), (first, None)], ids=["name", "number", "None"])
def test_agents_that_are_none_are_refused(agents: tuple[object, ...]) -> None:
    with pytest.raises((TypeError, oaq.OanquanError), match="agents: expected"):
        oaq.simulate(1, agents=agents)  # type: ignore[arg-type]
