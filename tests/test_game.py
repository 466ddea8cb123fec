"""`Game`: push and pop, the limits, and games as text."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest

import oanquan
from oanquan import Game, Move, Position, Rules
from support.draw import random_rules
from support.engines import BOTH, CORE, REFERENCE, Engine, error_of, finished_game, rules_of


def test_push_and_pop(engine: Engine) -> None:
    game = engine.Game()
    positions = [game.position]
    for move in ("a1+", "b2-", "a3-", "b1-"):
        game.push(move)
        positions.append(game.position)
    assert [str(move) for move in game.moves] == ["a1+", "b2-", "a3-", "b1-"]
    assert len(game) == 4
    assert game.start == positions[0]
    while len(game):
        assert game.position == positions.pop()
        last = str(game.moves[-1])
        assert str(game.pop()) == last
    assert game.pop() is None
    assert game.position == game.start == engine.start(Rules())


def test_a_refused_move_changes_nothing(engine: Engine) -> None:
    game = engine.Game()
    game.push("a1+")
    before = str(game.position), len(game)
    for move in ("a1+", "b1+", "b9+", ""):
        with pytest.raises(oanquan.OanquanError):
            game.push(move)
    assert (str(game.position), len(game)) == before


def test_the_limit_of_plies(engine: Engine) -> None:
    """A game that a limit ends is counted as it stands, and can be taken back."""
    game = engine.Game(max_plies=3)
    for move in ("a1+", "b2-", "a3-"):
        assert not game.is_over
        game.push(move)
    assert game.is_over
    assert game.position.outcome is None
    assert engine.outcome(game) == ("a", "max_plies", (29, 26))
    assert engine.counted(game.position) == (29, 26)
    error = error_of(lambda: game.push("b1-"))
    assert error == (
        "IllegalMoveError",
        f"illegal move b1-: the game is over (max_plies) (position {game.position}; legal moves: none)",
    )
    game.pop()
    assert game.outcome is None
    assert engine.outcome(engine.Game(max_plies=0)) == (None, "max_plies", (25, 25))


def test_the_limit_counts_the_moves_of_the_game_not_of_the_position(engine: Engine) -> None:
    position = engine.parse("5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 900", Rules())
    game = engine.Game(position=position, max_plies=2)
    game.push("a1+")
    assert game.outcome is None
    game.push("b2-")
    assert game.position.ply == 902
    assert (engine.outcome(game) or ("", ""))[1] == "max_plies"


def test_the_positions_own_ending_comes_first(engine: Engine) -> None:
    last = engine.parse("0.0.1.1.0.10q1/0.1.0.0.0.0 17/20q1 - a 8", Rules())
    game = engine.Game(position=last, max_plies=1, repetition=1)
    assert (engine.outcome(game) or ("", ""))[1] == "repetition"
    game = engine.Game(position=last, max_plies=1, repetition=None)
    game.push("a3+")
    assert engine.outcome(game) == ("a", "mandarins", (40, 30))


def test_both_play_the_same_games() -> None:
    """Whole games with limits in lockstep, ended by every reason."""
    rng, endings = Random(4), set()
    for seed in range(400):
        rules = random_rules(rng)
        limits = {"max_plies": rng.choice([5, 200]), "repetition": rng.choice([1, 2, 3, 3, 3])}
        games = [finished_game(engine, rules, seed, **limits) for engine in BOTH]
        assert [str(move) for move in games[0].moves] == [str(move) for move in games[1].moves]
        outcomes = [engine.outcome(game) for engine, game in zip(BOTH, games, strict=True)]
        assert outcomes[0] == outcomes[1], f"{rules}, seed {seed}, {limits}"
        assert outcomes[0] is not None
        endings.add(outcomes[0][1])
    assert endings == {"mandarins", "short", "loses", "repetition", "max_plies"}


def test_rules_and_position_exclude_each_other(engine: Engine) -> None:
    with pytest.raises(TypeError, match="expected rules or a position, got both"):
        engine.Game(Rules(), position=engine.start(Rules()))


# ---- games as text ---------------------------------------------------------------------------------------------------

GOLDEN = """\
[Rules "mancala-world"]
[Players "An / Binh"]
[Result "a"]
[Points "40/30"]
[Termination "mandarins"]

1. a1+ b2- 2. a3- b1- {five left} 3. a4+ b3+ 4. a5- b1+ 5. a3+ a
"""


def test_a_record_reads_and_writes_the_golden_game() -> None:
    game = Game.parse(GOLDEN)
    assert len(game) == 9
    assert game.headers == {"Players": "An / Binh"}
    assert game.comments == {4: "five left"}
    assert str(game.outcome) == "a wins 40/30 (mandarins)"
    assert game.record() == GOLDEN


def test_records_come_back() -> None:
    rng, texts, games = Random(5), [], []
    for seed in range(60):
        rules = random_rules(rng)
        limits = {"max_plies": rng.choice([8, 300]), "repetition": rng.choice([None, 3])}
        game = finished_game(CORE, rules, seed, **limits)
        if seed % 3 == 0:
            game = Game(position=game.start.play(game.moves[0]), **limits)
            for _ in range(5):
                if game.outcome is None:
                    game.push(rng.choice(game.position.legal_moves))
        game.headers["Players"] = 'one "two" \\ three'
        game.comments[len(game)] = "the end"
        texts.append(game.record())
        games.append(game)
    read = Game.parse_all("\n".join(texts))
    assert len(read) == 60
    for game, text, again in zip(games, texts, read, strict=True):
        assert again.record() == text
        assert again.moves == game.moves
        assert again.start == game.start
        assert str(again.position) == str(game.position)
        assert again.outcome == game.outcome
        assert again.position.rules == game.position.rules
        assert again.headers["Players"] == 'one "two" \\ three'
        assert again.comments == {len(game): "the end"}


@pytest.mark.parametrize(
    "fault",
    [
        ("a3+ a", "a2+ a"),  # not legal there
        ("40/30", "41/29"),  # not the points
        ('[Result "a"]', '[Result "b"]'),
        ("mandarins", "short"),
        ("mancala-world", "no-such-rules"),
        ("5. a3+", "6. a3+"),  # a wrong number
        ("{five left}", "{five left"),
        ("1. a1+", "1. b1+"),
    ],
    ids=lambda fault: fault[1],
)
def test_a_faulty_record_is_refused(fault: tuple[str, str]) -> None:
    assert fault[0] in GOLDEN
    with pytest.raises(oanquan.OanquanError):
        Game.parse(GOLDEN.replace(*fault))


def test_one_text_is_one_game() -> None:
    assert len(Game.parse_all(GOLDEN * 3)) == 3
    assert Game.parse_all("") == []
    for text in ("", GOLDEN * 2):
        with pytest.raises(oanquan.NotationError):
            Game.parse(text)


def test_copies_and_pickles_are_games_of_their_own() -> None:
    game = Game.parse(GOLDEN)
    for twin in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert twin.record() == game.record()
        assert (twin.max_plies, twin.repetition) == (game.max_plies, game.repetition)
        twin.pop()
        twin.headers["Players"] = "others"
        assert game.record() == GOLDEN
        assert len(twin) == 8


def test_a_game_gives_moves_as_objects() -> None:
    game = Game()
    game.push(Move("a1+"))
    game.push(3)
    assert game.moves == (Move("a1+"), Move("b2-"))
    assert isinstance(game.position, Position)
    assert game.start == CORE.start(Rules())
    assert str(REFERENCE.start(Rules())) == str(game.start)
    assert rules_of("mancala-world") == game.position.rules
