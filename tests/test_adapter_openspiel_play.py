"""OpenSpiel's algorithms on our game, and our agents as its bots."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, mcts, minimax
from open_spiel.python.bots import gtp

import oanquan as oaq
from oanquan import Game, OanquanError, Rules
from oanquan.adapters.openspiel import OanquanBot, OanquanState, load_game
from support.command import OANQUAN
from support.openspiel import walk, worth

SMALL = "squares=2,pebbles=1"
REWARDS = ["result", "points"]


# ---- its algorithms --------------------------------------------------------------------------------------------------


def best(game: Game, reward: str) -> float:
    """What the game is worth to side a if both play well, by trying everything."""
    if game.outcome is not None:
        return worth(game.outcome, reward)[0]
    turn, values = game.position.turn, []
    for move in game.position.legal_moves:
        game.push(move)
        values.append(best(game, reward))
        game.pop()
    return max(values) if turn == "a" else min(values)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("rules", [SMALL, "squares=2,pebbles=1,ends_when=stones_taken", "squares=3,pebbles=1"])
def test_alpha_beta_finds_the_value(rules: str, reward: str) -> None:
    game = load_game(rules, max_plies=9, reward=reward)
    value, action = minimax.alpha_beta_search(game, maximum_depth=9)
    assert value == best(Game(Rules.parse(rules), max_plies=9), reward)
    assert action in game.new_initial_state().legal_actions()


def test_alpha_beta_finds_the_published_value() -> None:
    value, _ = minimax.alpha_beta_search(load_game("squares=1,pebbles=1", reward="points"))
    assert value == 22


def test_python_mcts_beats_random_play() -> None:
    game, rng = load_game(), np.random.RandomState(1)
    searcher = mcts.MCTSBot(game, 2.0, 60, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    score = 0.0
    for number in range(6):
        bots = [OanquanBot("random", seed=number)]
        bots.insert(number % 2, searcher)
        score += evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)[number % 2]
    assert score >= 4


def cpp_mcts(game: pyspiel.Game) -> pyspiel.MCTSBot:
    rollouts = pyspiel.RandomRolloutEvaluator(1, 0)
    return pyspiel.MCTSBot(game, rollouts, 2.0, 60, 10, True, 0, False, pyspiel.ChildSelectionPolicy.UCT)


def test_cpp_mcts_by_search_and_among_bots() -> None:
    """Its `step` is the one way that will not do."""
    game = load_game()
    state = game.new_initial_state()
    assert cpp_mcts(game).mcts_search(state).best_child().action in state.legal_actions()
    returns = pyspiel.evaluate_bots(state, [cpp_mcts(game), OanquanBot("random")], 0)
    assert state.is_terminal()
    assert returns == state.returns() == [1.0, -1.0]


@pytest.mark.skipif(version("open_spiel") != "2.0.2", reason="the documentation says so of this version")
@pytest.mark.parametrize("name", ["python_oanquan", "python_tic_tac_toe"])
def test_the_known_fault_of_cpp_mcts(name: str) -> None:
    code = f"""
import pyspiel, oanquan.adapters.openspiel, open_spiel.python.games.tic_tac_toe
game = pyspiel.load_game("{name}")
rollouts = pyspiel.RandomRolloutEvaluator(1, 0)
bot = pyspiel.MCTSBot(game, rollouts, 2.0, 9, 10, True, 0, False, pyspiel.ChildSelectionPolicy.UCT)
print("made", flush=True)
bot.step(game.new_initial_state())
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.returncode < 0) == ("made\n", True)


def test_cfr_runs_on_a_small_game() -> None:
    game = load_game(SMALL, max_plies=6)
    solver = pyspiel.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < 0.2


def test_reinforcement_learning_environment() -> None:
    game = load_game("three-players")
    environment = rl_environment.Environment(game, observation_type=rl_environment.ObservationType.OBSERVATION)
    rng, step = Random(2), environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert step.observations["info_state"][player] == environment.get_state.observation_tensor(player)
        step = environment.step([rng.choice(step.observations["legal_actions"][player])])
    assert step.rewards == environment.get_state.returns()


# ---- bots ------------------------------------------------------------------------------------------------------------


def play(bots: list[OanquanBot], rules: str = "mancala-world") -> OanquanState:
    state = load_game(rules).new_initial_state()
    pyspiel.evaluate_bots(state, bots, 0)
    assert state.is_terminal()
    return state


def test_bots_are_the_agents() -> None:
    rng = Random(4)
    for number in range(12):
        rules = ["mancala-world", "squares=3", "tonkin"][number % 3]
        state = walk(load_game(rules).new_initial_state(), rng, plies=number)
        if not state.is_terminal():
            chosen = state.child(OanquanBot("search:depth=3", seed=number).step(state)).game
            best = oaq.search(state.position, depth=3).score
            lines = {str(line.moves[0]): line.score for line in oaq.search(state.position, depth=3, lines=14).lines}
            assert lines[str(chosen.moves[-1])] == best


def test_bots_play_as_well_as_they_should() -> None:
    score = sum(play([OanquanBot("greedy", seed=n), OanquanBot("random", seed=n)]).returns()[0] for n in range(20))
    assert score > 5


def test_what_a_bot_draws_follows_from_its_seed() -> None:
    def game(*seeds: int) -> list[int]:
        moves: list[int] = play([OanquanBot("random", seed=seed) for seed in seeds]).history()
        return moves

    assert game(1, 2) == game(1, 2)
    assert len({tuple(game(seed, 9)) for seed in range(10)}) == 10
    bot, start = OanquanBot("random"), load_game().new_initial_state()
    draws = [bot.step(start) for _ in range(200)]
    assert set(draws) == {*start.legal_actions()}
    copies = [bot.clone(), bot.clone(), OanquanBot("random")]
    assert copies[0].is_clonable()
    drawn = [tuple(copy.step(start) for _ in range(50)) for copy in copies]
    assert len(set(drawn)) == 3
    assert drawn[2] == tuple(draws[:50])


@pytest.mark.parametrize("rules", ["three-players", "four-players"])
def test_bots_at_every_seat(rules: str) -> None:
    sides = Rules.parse(rules).sides
    assert len(play([OanquanBot("greedy", seed=seat) for seat in range(sides)], rules).returns()) == sides


def test_bots_need_not_be_told_anything() -> None:
    bot, state = OanquanBot("cautious"), load_game().new_initial_state()
    bot.restart()
    bot.restart_at(state)
    bot.inform_action(state, 0, 4)
    bot.force_action(state, 4)
    assert bot.provides_force_action()
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize(
    ("arguments", "message"), [({"agent": "lucky"}, "agent: expected"), ({"seed": -1}, "seed: expected")]
)
def test_wrong_bots(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OanquanError, match=message):
        OanquanBot(**arguments)


def test_a_bot_has_no_move_where_the_game_is_over() -> None:
    state = walk(load_game().new_initial_state(), Random(1))
    with pytest.raises(OanquanError):
        OanquanBot("greedy").step(state)


# ---- the Go Text Protocol --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, preset in oaq.PRESETS.items() if preset.rules.sides == 2])
def test_gtp_bots_play_the_same_game(name: str) -> None:
    """OpenSpiel tells each engine the other one's moves; both come to the outcome of OpenSpiel's state."""
    game = load_game(Rules.preset(name))
    options = ["--option", f"Rules={name}", "--option", "Agent=greedy"]
    players = [gtp.GTPBot(game, [*OANQUAN, "gtp", *options, "--option", f"Seed={seat}"]) for seat in (0, 1)]
    try:
        assert [player.name for player in players] == ["oanquan"] * 2
        state = game.new_initial_state()
        while not state.is_terminal():
            mover = state.current_player()
            action = players[mover].step(state)
            players[1 - mover].inform_action(state, mover, action)
            state.apply_action(action)
        outcome = state.game.outcome
        told = f"{outcome.winner or 'draw'} {'/'.join(map(str, outcome.points))} {outcome.ending}"
        assert [player.gtp_cmd("oanquan-outcome") for player in players] == [told] * 2
        with pytest.raises(gtp.CommandError):
            players[0].step(game.new_initial_state())
        players[0].restart()
        assert players[0].step(game.new_initial_state()) in game.new_initial_state().legal_actions()
    finally:
        for player in players:
            player.close()


def test_the_example_of_speed_measures_three_games() -> None:
    example = Path(__file__).parent.parent / "python" / "examples" / "openspiel_speed.py"
    run = subprocess.run(
        [sys.executable, str(example), "--seconds", "0.1"], capture_output=True, text=True, timeout=100, check=True
    )
    assert [line.split("`")[1] for line in run.stdout.splitlines()[2:]] == [
        "python_oanquan",
        "python_tic_tac_toe",
        "mancala",
    ]
