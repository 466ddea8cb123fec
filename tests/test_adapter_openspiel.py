"""The game for OpenSpiel: OpenSpiel's own tests, and the game against `Game`."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import unittest
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, get_all_states
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

import oanquan as oaq
from oanquan import Batch, Game, IllegalMoveError, OanquanError, Position, Rules
from oanquan.adapters.openspiel import OanquanGame, OanquanState, load_game
from support.batch_twin import observation
from support.lockstep import random_pair
from support.openspiel import walk, worth

PLAYTHROUGHS = Path(__file__).parent / "data" / "openspiel"
SMALL = "squares=2,pebbles=1"
REWARDS = ["result", "points"]


def any_game(rng: Random, reward: str = "result") -> OanquanGame | None:
    """A game by any rules from any position."""
    pair = random_pair(rng)
    if pair is None or pair[0].is_over:
        return None
    limits: dict[str, Any] = {"max_plies": rng.choice([1, 7, 60]), "repetition": rng.choice([2, 3, None])}
    return load_game(position=pair[0], reward=reward, **limits)


# ---- OpenSpiel's own tests -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("preset", oaq.PRESETS)
def test_random_sim_test(preset: str, reward: str) -> None:
    game = pyspiel.load_game(f"python_oanquan(rules={preset},reward={reward})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from(REWARDS))
def test_random_sim_test_of_any_rules_from_any_position(seed: int, reward: str) -> None:
    game = any_game(Random(seed), reward)
    if game is not None:
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_random_sim_test_from_a_state() -> None:
    state = walk(load_game("tonkin").new_initial_state(), Random(1), plies=4)
    pyspiel.random_sim_test_with_specific_initial_state(
        state.get_game(), num_sims=2, specific_initial_state=state, serialize=True
    )


def run_api_test(base: type[unittest.TestCase], **attributes: Any) -> None:
    """Run the tests of a class of OpenSpiel's `api_test`, which takes the game from attributes."""
    case = type("ApiTest", (base,), attributes)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TestResult()
    suite.run(result)
    assert suite.countTestCases() == result.testsRun > 4
    assert not [*result.failures, *result.errors, *result.skipped]


@pytest.mark.parametrize(
    "text", ["", "rules=quan-non,reward=points", "rules=three-players", "rules=tonkin,max_plies=9"]
)
def test_api_test_of_some_states(text: str) -> None:
    game = pyspiel.load_game(f"python_oanquan({text})")
    run_api_test(api_test.EnforceAPIOnPartialTreeBase, game=game, game_name=str(game))


def tree(game: Game) -> tuple[int, int]:
    """Ways to come to positions of the game that are not over, and to the end."""
    if game.is_over:
        return 0, 1
    going, over = 1, 0
    for move in game.position.legal_moves:
        game.push(move)
        below = tree(game)
        game.pop()
        going, over = going + below[0], over + below[1]
    return going, over


@pytest.mark.parametrize("rules", [SMALL, f"{SMALL},shortfall=owe", "sides=3,squares=1,pebbles=1"])
def test_api_test_of_all_states(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game(rules, max_plies=8, reward="points")
    going, over = tree(Game(Rules.parse(rules), max_plies=8))
    name = str(game)
    assert over > 1
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, (0, going, over))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, going)
    # Its states are told apart by their histories; the position alone is the same for many of them.
    unlike = {"all_states": [], "setUpClass": classmethod(every_history)}
    run_api_test(api_test.EnforceAPIOnFullTreeBase, game=game, game_name=name, **unlike)


def every_history(case: Any) -> None:
    states = get_all_states.get_all_states(case.game, -1, include_terminals=True, to_string=lambda s: s.history_str())
    case.all_states = set(states.values())


@pytest.mark.parametrize("file", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda file: file.stem)
def test_playthrough(file: Path) -> None:
    """As OpenSpiel's `playthrough_test`. To write one anew: `python tests/regenerate.py openspiel`."""
    recorded = file.read_text(encoding="utf-8")
    lines = recorded.splitlines()
    name = lines[0].removeprefix("game: ")
    actions = [int(line.removeprefix("action: ")) for line in lines if line.startswith("action: ")]
    assert generate_playthrough.playthrough(name, actions) == recorded
    assert "IsTerminal() = True" in recorded


def test_there_are_playthroughs() -> None:
    assert len([*PLAYTHROUGHS.glob("*.txt")]) == 4


# ---- the same game ---------------------------------------------------------------------------------------------------


def seen(position: Position, player: int) -> list[int]:
    """What a player sees, from what the side to move does."""
    names, sides = position.rules.observation_names, position.rules.sides
    mover = "abcd".index(position.turn)
    values = dict(zip(names, observation(position), strict=True))
    seats = ("own", "next", "third", "fourth")
    other = {seats[seat]: seats[(seat + player - mover) % sides] for seat in range(sides)}
    turned = [re.sub(r"own|next|third|fourth", lambda seat: other[seat[0]], name) for name in names]
    return [values[name] for name in turned]


@settings(max_examples=150)
@given(st.integers(0, 2**32), st.sampled_from(REWARDS))
def test_states_are_those_of_game(seed: int, reward: str) -> None:
    rng = Random(seed)
    game = any_game(rng, reward)
    if game is None:
        return
    state = game.new_initial_state()
    twin = Game(position=game.start, max_plies=game.max_game_length(), repetition=state.game.repetition)
    sides = game.rules.sides
    while True:
        legal = [] if twin.is_over else sorted(move.action for move in twin.position.legal_moves)
        assert state.is_terminal() == twin.is_over
        assert state.legal_actions() == legal == [a for a, bit in enumerate(state.legal_actions_mask()) if bit]
        assert str(state).startswith(str(twin.position))
        assert state.position == twin.position
        assert state.game.record() == twin.record()
        for player in range(sides):
            position, turn = np.split(np.array(state.observation_tensor(player)), [len(game.rules.observation_names)])
            assert position.tolist() == seen(twin.position, player)
            assert turn.tolist() == [
                not twin.is_over and twin.position.turn == "abcd"[(player + k) % sides] for k in range(sides)
            ]
        if twin.is_over:
            break
        assert state.returns() == [0.0] * sides
        assert state.current_player() == "abcd".index(twin.position.turn)
        assert state.legal_actions((state.current_player() + 1) % sides) == []
        action = rng.choice(legal)
        text = state.action_to_string(action)
        assert state.string_to_action(text) == action
        state.apply_action(action)
        twin.push(text)
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert twin.outcome is not None
    assert state.returns() == pytest.approx(worth(twin.outcome, reward))


@pytest.mark.parametrize("preset", ["mancala-world", "bankrupt", "four-players"])
@pytest.mark.parametrize("reward", REWARDS)
def test_returns_are_the_rewards_of_a_batch(preset: str, reward: str) -> None:
    """Summed up: those of the mover, and what they are for the others where two sides play."""
    rng = Random(7)
    for _ in range(20):
        state = load_game(preset, reward=reward).new_initial_state()
        batch = Batch(1, Rules.preset(preset), reward=reward, autoreset="disabled")
        sums, last = [0.0] * state.num_players(), 0
        while not state.is_terminal():
            last, action = state.current_player(), rng.choice(state.legal_actions())
            state.apply_action(action)
            batch.step([action])
            sums[last] += float(batch.rewards[0])
        if state.num_players() == 2:
            assert state.returns()[0] == sums[0] - sums[1]
        elif reward == "result":
            assert state.returns()[last] == sums[last]


def test_a_lead_never_passes_the_most() -> None:
    """Where pebbles are owed leads pass what the board holds."""
    game = load_game("shortfall=owe,squares=2,pebbles=1", max_plies=300, reward="points", repetition=None)
    most = max(abs(walk(game.new_initial_state(), Random(seed)).returns()[0]) for seed in range(300))
    total = game.rules.total_points
    assert total < most <= game.max_utility() == -game.min_utility()
    tight = load_game("shortfall=count", reward="points")
    assert tight.max_utility() == Rules().total_points
    behind = Position.parse("1.0q1/1.0q1 -9/19 - a 3", Rules.parse("squares=1,shortfall=owe"))
    assert load_game(position=behind, reward="points", max_plies=1).max_utility() == 32 + 2 * (9 + 1)


def test_types_follow_from_sides_and_reward() -> None:
    utility = pyspiel.GameType.Utility
    wanted = {("", "result"): utility.ZERO_SUM, ("", "points"): utility.ZERO_SUM}
    wanted |= {("sides=3", "result"): utility.GENERAL_SUM, ("sides=4", "points"): utility.ZERO_SUM}
    for (rules, reward), kind in wanted.items():
        game = load_game(Rules.parse(rules) if rules else None, reward=reward)
        assert game.get_type().utility == kind
        assert game.utility_sum() == (0.0 if kind == utility.ZERO_SUM else None)
        assert game.num_players() == game.rules.sides


def test_information_states_tell_every_move() -> None:
    state = walk(load_game("quan-non", max_plies=30).new_initial_state(), Random(3), plies=9)
    view = make_observation(state.get_game(), INFO_STATE_OBS_TYPE)
    view.set_from(state, 1)
    assert view.dict["history"].tolist() == [*(a + 1 for a in state.history()), *([0] * 21)]
    assert view.dict["start"].tolist() == seen(state.get_game().start, 1)
    assert view.dict["position"].tolist() == seen(state.position, 1)
    assert view.tensor.tolist() == state.information_state_tensor(1)
    assert view.string_from(state, 0) == " ".join(map(str, state.game.moves)) == state.information_state_string(1)
    elsewhere = state.get_game().new_initial_state(str(state.position))
    assert elsewhere.information_state_string(0) == f"{state.position}: "


def test_nothing_is_private() -> None:
    kind = pyspiel.IIGObservationType(
        public_info=False, perfect_recall=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
    )
    view = make_observation(load_game(), kind)
    view.set_from(load_game().new_initial_state(), 0)
    assert view.tensor is None
    assert view.string_from(load_game().new_initial_state(), 0) == ""


# ---- parameters ------------------------------------------------------------------------------------------------------


def test_parameters_are_read_from_strings_and_dicts() -> None:
    text = pyspiel.load_game("python_oanquan(rules=immature_below:5;squares:4,max_plies=77,repetition=0,reward=points)")
    rules = Rules(immature_below=5, squares=4)
    same = load_game(rules, max_plies=77, repetition=None, reward="points")
    listed = pyspiel.load_game(
        "python_oanquan", {"rules": str(rules), "max_plies": 77, "repetition": 0, "reward": "points"}
    )
    assert str(text) == str(same) == str(listed)
    assert text.rules == rules
    assert str(pyspiel.load_game("python_oanquan(rules=wikipedia-vi;squares:4)").rules) == str(
        Rules.preset("wikipedia-vi", squares=4)
    )
    assert str(pyspiel.load_game("python_oanquan(max_plies=1000,rules=)")) == "python_oanquan()"


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_every_game_is_read_back_from_its_text(seed: int) -> None:
    game = any_game(Random(seed))
    if game is None:
        return
    again = pyspiel.load_game(str(game))
    assert (str(again), again.start, again.rules) == (str(game), game.start, game.rules)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rules": "chess"}, 'unknown preset "chess"'),
        ({"rules": "pebbles=99"}, 'pebbles: expected 1 to 10, got "99"'),
        ({"rules": 3}, "rules: expected a text, got 3"),
        ({"position": "nowhere"}, "expected"),
        ({"position": "0.0.0.1.2.0.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins"}, "expected"),
        ({"position": "0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins"}, "position: expected one that is not over"),
        ({"max_plies": 0}, "max_plies: expected 1 to 1000000, got 0"),
        ({"max_plies": 2**40}, "max_plies: expected 1 to 1000000, got 1099511627776"),
        ({"repetition": 1}, "repetition: expected 0 or 2 to 1000000, got 1"),
        ({"repetition": -1}, "repetition: expected 0 to 1000000, got -1"),
        ({"reward": "money"}, 'reward: expected "points" or "result", got \'money\''),
        ({"lives": 9}, "expected parameters among rules, position, max_plies, repetition, reward, got 'lives'"),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(OanquanError) as caught:
        OanquanGame(parameters)
    assert message in str(caught.value)


def test_faults_come_through_openspiel() -> None:
    with pytest.raises(oaq.RulesError, match="unknown preset"):
        pyspiel.load_game("python_oanquan(rules=chess)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'lives'"):
        pyspiel.load_game("python_oanquan(lives=9)")
    with pytest.raises(TypeError, match="expected rules or a position, got both"):
        load_game("tonkin", position=Position.start())
    with pytest.raises(OanquanError, match="repetition: expected 2 to 1000000, got 0"):
        load_game(repetition=0)
    with pytest.raises(OanquanError, match="expected no parameters of the observation, got size"):
        make_observation(load_game(), params={"size": 3})
    state = load_game().new_initial_state()
    for action in (10, 99, -7):
        with pytest.raises(IllegalMoveError, match=f"illegal move {action}"):
            state.apply_action(action)
    assert state.history() == []
    with pytest.raises(OanquanError, match="player: expected 0 to 1, got -1"):
        state.action_to_string(-1, 3)


# ---- history ---------------------------------------------------------------------------------------------------------


def facts(state: OanquanState) -> list[Any]:
    """Everything that a state tells."""
    players = range(state.num_players())
    return [
        *(str(state), state.current_player(), state.legal_actions(), state.returns(), state.rewards()),
        *(state.history(), state.history_str(), state.move_number(), state.is_initial_state()),
        [(item.player, item.action) for item in state.full_history()],
        *([state.information_state_string(p), state.information_state_tensor(p)] for p in players),
        *([state.observation_string(p), state.observation_tensor(p)] for p in players),
        state.to_json(),
    ]


def through(state: OanquanState, rng: Random) -> OanquanState:
    """The state, copied one way or another."""
    game = state.get_game()
    return rng.choice(
        [
            lambda: state,
            state.clone,
            lambda: pickle.loads(pickle.dumps(state)),
            lambda: game.deserialize_state(state.serialize()),
            lambda: pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
        ]
    )()


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_undone_is_as_never_made(seed: int) -> None:
    rng = Random(seed)
    game = any_game(rng)
    if game is None:
        return
    # At times from the middle of a game.
    begun = walk(game.new_initial_state(), rng, plies=3).to_dict() if rng.random() < 0.3 else None
    state, made = game.new_initial_state(begun), list[tuple[int, int]]()
    for _ in range(25):
        if made and (state.is_terminal() or rng.random() < 0.4):
            state.undo_action(*made.pop())
        elif not state.is_terminal():
            made.append((state.current_player(), rng.choice(state.legal_actions())))
            state = state.child(made[-1][1]) if rng.random() < 0.3 else state
            if len(state.history()) < len(made):
                state.apply_action(made[-1][1])
        state = through(state, rng)
        fresh = game.new_initial_state(begun)
        for _, action in made:
            fresh.apply_action(action)
        assert facts(state) == facts(fresh)
        assert state.clone().serialize().partition("__dict__")[0] == fresh.serialize().partition("__dict__")[0]


def test_undo_asks_for_the_last_action() -> None:
    state = load_game().new_initial_state()
    with pytest.raises(OanquanError, match="expected an action to undo, got action 4 of player 0 before any was made"):
        state.undo_action(0, 4)
    state.apply_action(4)
    for player, action in ((0, 5), (1, 4)):
        with pytest.raises(OanquanError, match=f"which was 4 of player 0, got action {action} of player {player}"):
            state.undo_action(player, action)
    assert state.history() == [4]
    begun = state.get_game().new_initial_state(state.to_dict())
    with pytest.raises(OanquanError, match="before any was made"):
        begun.undo_action(0, 4)


def test_a_state_is_unpickled_where_nothing_was_imported() -> None:
    state = walk(load_game("tonkin", max_plies=40).new_initial_state(), Random(5), plies=6)
    code = "import pickle, sys; s = pickle.load(sys.stdin.buffer); print(s); print(s.history(), s.get_game())"
    run = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, check=True)
    assert run.stdout.decode().splitlines() == [str(state), f"{state.history()} {state.get_game()}"]


def test_a_state_keeps_its_game() -> None:
    state = load_game("squares=3", reward="points").new_initial_state()
    assert isinstance(state.get_game(), OanquanGame)
    assert state.clone().get_game().reward == "points"


# ---- plain data ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["mancala-world", "four-players"])
def test_states_as_plain_data(rules: str) -> None:
    game = load_game(rules, max_plies=12)
    state = game.new_initial_state()
    while True:
        for again in (game.new_initial_state(state.to_struct()), game.new_initial_state(state.to_dict())):
            assert (str(again), again.returns(), again.to_dict()) == (str(state), state.returns(), state.to_dict())
            assert again.history() == []
        if state.is_terminal():
            break
        action = state.action_to_struct(state.legal_actions()[-1])
        assert action.to_dict() == {"move": state.action_to_string(state.legal_actions()[-1])}
        assert state.validate_action_struct(action).ok()
        assert state.apply_action_struct(action).ok()
    assert str(state).endswith(" max_plies")
    assert state.to_observation_struct(0).to_dict() == state.to_dict()
    assert state.to_dict()["current_player"] == "Terminal"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "state: expected start, moves, position, current_player, or some of them, got none"),
        ({"moves": ["a1+"]}, "got moves"),
        ({"position": "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0", "board": 1}, "got position, board"),
        (
            {"start": "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0", "current_player": "b"},
            "expected current_player 'a', got 'b'",
        ),
        ({"start": "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0", "moves": ["b1+"]}, "illegal move b1+"),
        ("5.5", "expected"),
    ],
)
def test_wrong_plain_data(data: Any, message: str) -> None:
    with pytest.raises(OanquanError) as caught:
        load_game().new_initial_state(data)
    assert message in str(caught.value)
