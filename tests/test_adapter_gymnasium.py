"""`oanquan.adapters.gymnasium`: what Gymnasium's own checks ask of it, and every number against `Game`."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.utils.env_match import check_environments_match

import oanquan
from oanquan import Batch, Game, IllegalMoveError, OanquanError, Position, Rules
from oanquan.adapters.gymnasium import OanquanEnv
from oanquan.adapters.picture import rgb_array
from support.engines import rules_of
from support.stream import draw

NAME = "oanquan/Oanquan-v0"
OVER = "0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins"
THIN = "0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - a 12"
CONFIGURATIONS: list[dict[str, Any]] = [
    {},
    {"opponent": "greedy", "side": "b", "reward": "result"},
    {"opponent": "cautious", "side": "alternate", "rules": "quan-non"},
    {"opponent": "search:depth=2", "side": "random", "rules": Rules(squares=3, pebbles=2), "repetition": 2},
    {"rules": "three-players", "side": "random", "reward": "result"},
    {"rules": "four-players", "side": "alternate", "opponent": "greedy"},
    {"position": THIN, "rules": "mancala-world", "side": "b", "max_plies": 7},
]
IDS = [", ".join(f"{name}={value}" for name, value in kwargs.items()) or "default" for kwargs in CONFIGURATIONS]


def last(positions: tuple[Position, ...]) -> Iterator[Any]:
    """An opponent that answers in every form there is."""
    for place, position in enumerate(positions):
        move = position.legal_moves[-1]
        yield [move, str(move), str(move)[1:].upper(), move.action][(place + position.ply) % 4]


def play_to(moves: list[str]) -> Position:
    """The position after these moves of side a, each answered by `last`."""
    position = Position.start()
    for move in moves:
        position = position.play(move)
        position = position.play(position.legal_moves[-1])
    return position


def play(env: Any, seed: int | None, choose: Callable[[Any], int]) -> list[Any]:
    """All that an environment tells of a game."""
    observation, info = env.reset(seed=seed)
    told: list[Any] = [(observation, info)]
    over = False
    while not over:
        observation, reward, terminated, truncated, info = env.step(choose(info["action_mask"]))
        told.append((observation, reward, terminated, truncated, info))
        over = terminated or truncated
    return told


def drawn(seed: int) -> Callable[[Any], int]:
    """A learner that draws legal actions."""
    rng = np.random.default_rng(seed)
    return lambda mask: int(rng.choice(np.flatnonzero(mask)))


# ---- Gymnasium's own checks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kwargs", CONFIGURATIONS, ids=IDS)
def test_gymnasiums_check(kwargs: dict[str, Any]) -> None:
    """Every warning of theirs is an error here."""
    for _ in range(3):
        check_env(gymnasium.make(NAME, **kwargs).unwrapped)


@pytest.mark.parametrize("kwargs", CONFIGURATIONS, ids=IDS)
def test_environments_match(kwargs: dict[str, Any]) -> None:
    check_environments_match(OanquanEnv(**kwargs), OanquanEnv(**kwargs), 200, seed=3)
    one, other = (gymnasium.make(NAME, **kwargs, render_mode="rgb_array") for _ in range(2))
    check_environments_match(one, other, 20)


@pytest.mark.parametrize("kwargs", CONFIGURATIONS, ids=IDS)
def test_a_seed_makes_the_same_games(kwargs: dict[str, Any]) -> None:
    env, other = OanquanEnv(**kwargs), OanquanEnv(**kwargs)
    first = [play(env, seed, drawn(1)) for seed in (5, None, None)]
    assert data_equivalence(first, [play(other, seed, drawn(1)) for seed in (5, None, None)], exact=True)
    assert data_equivalence(first, [play(env, seed, drawn(1)) for seed in (5, None, None)], exact=True)
    assert env._np_random is not None


def test_without_a_seed_games_differ() -> None:
    lengths = {tuple(play(OanquanEnv(opponent="random"), None, drawn(1))[-1][0].tolist()) for _ in range(6)}
    assert len(lengths) > 1
    one, other = OanquanEnv(), OanquanEnv()
    one.np_random, other.np_random = np.random.default_rng(1), np.random.default_rng(1)
    assert data_equivalence(play(one, None, drawn(2)), play(other, None, drawn(2)), exact=True)


def test_it_is_registered() -> None:
    spec = gymnasium.spec(NAME)
    assert spec.entry_point == "oanquan.adapters.gymnasium:OanquanEnv"
    env = gymnasium.make(f"oanquan.adapters.gymnasium:{NAME}", rules="wikipedia-vi", opponent="greedy")
    assert isinstance(env.unwrapped, OanquanEnv)
    assert env.unwrapped.position.rules == rules_of("wikipedia-vi")
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.position.rules == rules_of("wikipedia-vi")
    assert env.get_wrapper_attr("action_masks")().shape == (10,)


def test_wrappers_of_gymnasium() -> None:
    env: Any = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(NAME, opponent="cautious"))
    env = gymnasium.wrappers.RescaleObservation(env, np.float32(0), np.float32(1))
    for seed in range(5):
        info = play(env, seed, drawn(seed))[-1][-1]
        points = info["points"].tolist()
        assert info["episode"]["r"] == points[0] - points[1]
    env.close()


# ---- the games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", oanquan.PRESETS)
@pytest.mark.parametrize("reward", ["points", "result"])
def test_every_number_is_that_of_game(name: str, reward: str) -> None:
    """The opponent's draws are those of the promised stream of the seed and the number of the game."""
    rules = rules_of(name)
    env = OanquanEnv(rules=rules, side="alternate", reward=reward, max_plies=80)
    for number in range(2 * rules.sides):
        observation, info = env.reset(seed=9 if number == 0 else None)
        side, game, lead = number % rules.sides, Game(rules, max_plies=80), 0.0
        choose, total, over = drawn(number), 0.0, False
        answer(game, side, 9, number)
        while not over:
            compare(game, side, observation, info)
            action = choose(info["action_mask"])
            game.push(action)
            answer(game, side, 9, number)
            observation, told, terminated, truncated, info = env.step(action)
            before, lead = lead, lead_of(game, side)
            over = game.is_over
            limit = over and game.ending in ("max_plies", "repetition")
            assert (terminated, truncated) == (over and not limit, limit)
            winner = game.outcome.winner if game.outcome else None
            result = 0.0 if winner is None else 1.0 if winner == "abcd"[side] else -1.0
            assert told == pytest.approx(lead - before if reward == "points" else result)
            total += told
        compare(game, side, observation, info)
        assert total == pytest.approx(lead_of(game, side) if reward == "points" else result)


def answer(game: Game, side: int, seed: int, number: int) -> None:
    while not game.is_over and game.position.turn != "abcd"[side]:
        moves = game.position.legal_moves
        game.push(moves[draw(seed, number, len(game.moves), len(moves))])


def points_of(game: Game) -> tuple[int, ...]:
    return game.position.points if game.outcome is None else game.outcome.points


def lead_of(game: Game, side: int) -> float:
    points = points_of(game)
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)


def compare(game: Game, side: int, observation: Any, info: dict[str, Any]) -> None:
    assert observation.dtype == np.int16
    assert observation.tolist() == list(game.position.observation("abcd"[side]))
    mask = 0 if game.is_over else game.position.legal_mask
    assert info["action_mask"].dtype == np.int8
    assert info["action_mask"].tolist() == [mask >> action & 1 for action in range(len(info["action_mask"]))]
    assert info["points"].tolist() == list(points_of(game))
    assert (info["side"], info["forfeit"]) == (side, False)


@pytest.mark.parametrize("agent", ["greedy", "cautious", "search:depth=2", "mcts:simulations=20"])
def test_an_opponent_plays_as_in_simulate(agent: str) -> None:
    """Where the learner plays as the same agent too, the games are those of `simulate`."""
    columns = oanquan.simulate(6, agents=(agent,), seed=4).columns
    env, mirror = OanquanEnv(opponent=agent), Batch(1, autoreset="disabled")
    for number in range(6):
        _, info = env.reset(seed=4 if number == 0 else None)
        mirror.reset(seed=4 if number == 0 else None)
        while info["action_mask"].any():
            action = mirror.agent_actions(agent)[0]
            *_, info = env.step(action)
            for _ in range(2):
                if mirror.legal_masks.any():
                    mirror.step([mirror.agent_actions(agent)[0]])
        points = [columns.column(f"points_{side}")[number] for side in "ab"]
        assert info["points"].tolist() == points
    assert env.position == mirror[0]


def test_a_side_is_drawn_from_the_stream() -> None:
    for rules in ("mancala-world", "three-players"):
        env = OanquanEnv(rules=rules, side="random")
        seen = [env.reset(seed=5 if number == 0 else None)[1]["side"] for number in range(300)]
        assert seen == [draw(5, number, 2**32 - 1, env.position.rules.sides) for number in range(300)]
        assert min(Counter(seen).values()) > 80


def test_callables_answer() -> None:
    env = OanquanEnv(opponent=last, side="b")
    env.reset(seed=1)
    game = Game()
    choose = drawn(1)
    while not game.is_over:
        game.push(game.position.legal_moves[-1])
        if not game.is_over:
            assert env.position == game.position
            action = choose(env.action_masks())
            game.push(action)
            env.step(action)
    assert env.position == game.position


def test_an_opponent_may_change() -> None:
    env = OanquanEnv(opponent="random")
    assert env.opponent == "random"
    env.opponent = last
    env.reset(seed=1)
    env.step(4)
    assert env.position == play_to(["a3+"])
    with pytest.raises(OanquanError):
        env.opponent = "lucky"
    assert env.opponent is last


@pytest.mark.parametrize("broken", [lambda _: 1 / 0, lambda _: [], lambda _: ["a1+"], lambda _: [99], id, str])
def test_an_opponent_that_fails_ends_the_game(broken: Any) -> None:
    env = OanquanEnv()
    env.reset(seed=1)
    env.opponent = broken
    with pytest.raises((ZeroDivisionError, OanquanError, TypeError), match=r"division|opponent: expected|illegal"):
        env.step(4)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(4)
    env.opponent = "random"
    env.reset()
    env.step(4)


def test_games_that_are_over_before_the_learners_turn_are_passed_over() -> None:
    position = Position.parse("0.4.1.0.0.1/0.1.0.4.0.8 23q1/8q1 - a 14")
    ends = [move for move in position.legal_moves if position.play(move).is_over]
    assert 0 < len(ends) < len(position.legal_moves)
    env = OanquanEnv(position=position, side="b")
    numbers = []
    for number in range(20):
        env.reset(seed=2 if number == 0 else None)
        assert env.position.turn == "b"
        numbers.append(env._batch.numbers[0])
    wanted = [n for n in range(100) if position.legal_moves[draw(2, n, 0, len(position.legal_moves))] not in ends]
    assert numbers == wanted[:20]
    with pytest.raises(OanquanError, match="got 100 in a row that were over before"):
        OanquanEnv(side="b", max_plies=1).reset()


# ---- what is not legal -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["mancala-world", "three-players"])
def test_an_illegal_action_forfeits_the_game(rules: str) -> None:
    totals = {}
    for reward in ("points", "result"):
        env = OanquanEnv(rules=rules, reward=reward, opponent="greedy")
        _, info = env.reset(seed=1)
        total = 0.0
        while info["action_mask"].all():
            _, told, *_, info = env.step(4)
            total += told
        before = env.position
        action = int(info["action_mask"].argmin())
        observation, told, terminated, truncated, info = env.step(action)
        assert (terminated, truncated, info["forfeit"]) == (True, False, True)
        assert env.position == before
        assert observation.tolist() == list(before.observation())
        assert not info["action_mask"].any()
        assert not env.action_masks().any()
        totals[reward] = total + told
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)
        _, info = env.reset()
        assert info["action_mask"].all()
        assert not info["forfeit"]
    everything = env._seat.all_points
    assert everything == (70 if rules == "mancala-world" else 105)
    assert totals == {"points": -everything / (before.rules.sides - 1), "result": -1.0}


def test_an_illegal_action_may_raise() -> None:
    env = OanquanEnv(illegal="error", opponent=last)
    env.reset(seed=1)
    env.step(4)
    illegal = int(np.flatnonzero(~env.action_masks())[0])
    before = env.position
    with pytest.raises(IllegalMoveError, match="illegal move"):
        env.step(illegal)
    assert env.position == before
    env.step(int(env.action_masks().argmax()))


@pytest.mark.parametrize("action", [-1, 10, 2**70, 1.0, "a1+", None, [1, 2]])
def test_what_is_no_action_raises(action: Any) -> None:
    env = OanquanEnv()
    env.reset(seed=1)
    with pytest.raises((OanquanError, TypeError), match="action"):
        env.step(action)
    env.step(np.int64(4))


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"rules": "chess"}, "chess"),
        ({"rules": Rules(), "position": Position.start()}, "expected rules or a position, got both"),
        ({"position": "0/0 - a 0"}, "expected"),
        (
            {"position": "0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins"},
            "position: expected a game that is not over",
        ),
        ({"position": 5}, "position: expected a Position, got int"),
        ({"side": "c"}, "side: expected 'a', 'b', 'alternate' or 'random', got 'c'"),
        ({"opponent": "lucky"}, "lucky"),
        ({"opponent": 5}, "opponent: expected the text of an agent or a callable, got int"),
        ({"reward": "money"}, "reward: expected 'points' or 'result', got 'money'"),
        ({"illegal": "ignore"}, "illegal: expected 'forfeit' or 'error', got 'ignore'"),
        ({"max_plies": 0}, "max_plies: expected 1 to 4294967295, got 0"),
        ({"repetition": 1}, "repetition: expected 2 to 4294967295, got 1"),
        ({"render_mode": "svg"}, "render_mode: expected 'human', 'ansi' or 'rgb_array', got 'svg'"),
    ],
)
def test_arguments_that_will_not_do(kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises((OanquanError, TypeError)) as caught:
        OanquanEnv(**kwargs)
    assert message in str(caught.value)


def test_resets_that_will_not_do() -> None:
    env = OanquanEnv()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(4)
    for seed in (-1, 2**64):
        with pytest.raises(OanquanError, match="seed: expected 0 to"):
            env.reset(seed=seed)
    with pytest.raises(OanquanError, match="options: expected none, got 'position'"):
        env.reset(options={"position": THIN})
    env.reset(seed=2**64 - 1, options={})
    env.step(4)


# ---- copies and pictures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make_copy", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deep", "pickle"]
)
def test_copies_go_on_alike(make_copy: Any) -> None:
    env = OanquanEnv(side="random", opponent="greedy", rules="quan-non")
    assert make_copy(env)._over
    env.reset(seed=1)
    for _ in range(4):
        env.reset()
    for plies in range(60):
        twin = make_copy(env)
        assert (twin.position, twin._batch.numbers) == (env.position, env._batch.numbers)
        mask = env.action_masks()
        if not mask.any():
            assert data_equivalence(play(env, None, drawn(5)), play(twin, None, drawn(5)), exact=True)
            break
        action = int(np.flatnonzero(mask)[plies % mask.sum()])
        assert data_equivalence(env.step(action), twin.step(action), exact=True)
    else:
        pytest.fail("expected an end")
    twin = make_copy(env)
    assert env.np_random.integers(2**32) == twin.np_random.integers(2**32)


def test_a_shallow_copy_is_a_game_of_its_own() -> None:
    env = OanquanEnv(opponent=last)
    env.reset(seed=1)
    env.step(4)
    twin = copy.copy(env)
    env.step(int(env.action_masks().argmax()))
    env.reset()
    assert copy.deepcopy(twin).position == twin.position == play_to(["a3+"])


def test_a_copy_of_a_forfeited_game_is_over() -> None:
    env = OanquanEnv(opponent=last)
    env.reset(seed=1)
    env.step(4)
    env.step(int(env.action_masks().argmin()))
    with pytest.raises(gymnasium.error.ResetNeeded):
        copy.deepcopy(env).step(0)


def test_boards_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(NAME, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == oanquan.board_text(Position.start())
    human = OanquanEnv(render_mode="human", opponent=last)
    human.reset(seed=1)
    human.step(4)
    assert human.render() is None
    assert capsys.readouterr().out == "".join(f"{oanquan.board_text(p)}\n" for p in (Position.start(), human.position))
    picture = OanquanEnv(render_mode="rgb_array")
    picture.reset(seed=1)
    shown = picture.render()
    assert (shown.dtype, shown.ndim, shown.shape[2]) == (np.uint8, 3, 3)
    picture.step(4)
    assert (picture.render() != shown).any()
    assert OanquanEnv().render() is None


@pytest.mark.parametrize("limits", [{"max_plies": 3}, {"repetition": 2, "max_plies": None}])
def test_what_is_shown_of_a_game_that_a_limit_ended(limits: dict[str, Any]) -> None:
    """How it came out, as with a game that is over by its position."""
    rules = Rules(mandarin_next="lift_one", ends_when="stones_taken")
    start = Position.parse("0.1.0.0.0.1q1/0.1.0.0.0.0q1 5/4 - a 0", rules)
    game = Game(position=start, **limits)
    text, picture = (OanquanEnv(position=start, opponent=last, **limits, render_mode=m) for m in ("ansi", "rgb_array"))
    for env in (text, picture):
        env.reset(seed=1)
    while not game.is_over:
        assert text.render() == oanquan.board_text(game.position)
        action = game.position.legal_moves[0].action
        for env in (text, picture):
            *_, truncated, _ = env.step(action)
        game.push(action)
        if not game.is_over:
            game.push(game.position.legal_moves[-1])
    assert truncated
    assert game.outcome is not None
    assert text.render() == f"{oanquan.board_text(game.position)}\nlimit   {game.outcome}"
    assert (picture.render() == rgb_array(game.position, outcome=game.outcome)).all()
    assert (picture.render() != rgb_array(game.position)).any()
