"""The example for alpha-zero-general: its boards against positions, and a search like the framework's on it."""

from __future__ import annotations

import doctest
import importlib.util
import math
from collections import defaultdict
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oanquan as oaq
from oanquan import OanquanError, Position, Rules
from support.lockstep import random_pair
from support.transform import mirror_text, rotate_text

FILE = Path(__file__).parent.parent / "python" / "examples" / "learners" / "alpha_zero_general.py"


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location(FILE.stem, FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXAMPLE = example()
TWO_SIDED = [name for name, preset in oaq.PRESETS.items() if preset.rules.sides == 2]


def test_its_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    report: list[str] = []
    for test in finder.find(EXAMPLE):
        doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


# ---- boards ----------------------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_boards_are_positions(seed: int) -> None:
    """Of any rules of two sides, from any position, seen from both sides."""
    rng = Random(seed)
    pair = random_pair(rng)
    if pair is None or pair[0].is_over or pair[0].rules.sides != 2:
        return
    game = EXAMPLE.Game(position=pair[0], max_plies=rng.choice([1, 6, 40]))
    play_through(game, pair[0], rng)


@pytest.mark.parametrize("preset", TWO_SIDED)
def test_games_end_as_they_should(preset: str) -> None:
    game = EXAMPLE.Game(preset)
    ends = {play_through(game, Position.start(Rules.preset(preset)), Random(seed)) for seed in range(15)}
    assert {1.0, -1.0} <= ends


def play_through(game: Any, start: Position, rng: Random) -> float:
    """A random game: what the framework sees of it, and how it ends for player 1."""
    played = oaq.Game(position=start, max_plies=game._max_plies, repetition=None)
    # Player 1 is who moves first: from where b does the board is turned round.
    first, by = start.turn, "ab".index(start.turn)
    board, player = game.getInitBoard(), 1
    while True:
        position = played.position
        assert board.shape == game.getBoardSize()
        assert str(game.position(board)) == rotate_text(str(position), by)
        assert player == (1 if position.turn == first else -1)
        canonical = game.getCanonicalForm(board, player)
        assert str(game.position(canonical)) == rotate_text(str(position), "ab".index(position.turn))
        legal = 0 if played.is_over else position.legal_mask
        assert sum(int(bit) << action for action, bit in enumerate(game.getValidMoves(canonical, 1))) == legal
        ended = game.getGameEnded(board, 1)
        assert game.getGameEnded(canonical, 1) == (ended if ended == EXAMPLE.DRAW else ended * player)
        if played.outcome is not None:
            winner = played.outcome.winner
            wanted: float = EXAMPLE.DRAW if winner is None else 1.0 if winner == first else -1.0
            assert ended == wanted
            return wanted
        assert ended == 0
        action = rng.choice(position.legal_moves).action
        played.push(action)
        before, (after, following) = board.copy(), game.getNextState(board, player, action)
        assert (board == before).all()
        # In the search the player to move is always player 1.
        turned = game.getNextState(canonical, 1, action)
        assert turned[1] == -1
        assert (game.getCanonicalForm(turned[0], player) == after).all()
        board, player = after, following


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_mirror_images_go_on_alike(seed: int) -> None:
    rng = Random(seed)
    pair = random_pair(rng)
    if pair is None or pair[0].is_over or pair[0].rules.sides != 2:
        return
    position = pair[0]
    game = EXAMPLE.Game(position=position)
    board, pi = game.getInitBoard(), [rng.random() for _ in range(game.getActionSize())]
    same, *mirrors = game.getSymmetries(board, pi)
    assert (same[0] == board).all()
    assert same[1] == pi
    for image, probabilities in mirrors:
        assert probabilities == pi[::-1]
        assert str(game.position(image)) == mirror_text(str(game.position(board)))
        for move in position.legal_moves:
            action = move.action
            after = game.getNextState(board, 1, action)[0]
            mirrored = game.getNextState(image, 1, len(pi) - 1 - action)[0]
            assert (game.getSymmetries(after, pi)[1][0] == mirrored).all()
            assert probabilities[len(pi) - 1 - action] == pi[action]


def test_rules_that_tell_left_from_right_have_no_mirror() -> None:
    for text in ("tonkin", "shortfall=partial", "mandarin_leftovers=adjacent,ends_when=stones_taken"):
        game = EXAMPLE.Game(text)
        assert len(game.getSymmetries(game.getInitBoard(), [0.1] * game.getActionSize())) == 1
    assert len(EXAMPLE.Game().getSymmetries(EXAMPLE.Game().getInitBoard(), [0.1] * 10)) == 2


def test_boards_are_told_apart() -> None:
    game, seen = EXAMPLE.Game("squares=2,pebbles=1"), {}
    waiting = [(game.getInitBoard(), 1)]
    while waiting:
        board, player = waiting.pop()
        text = str(game.position(board))
        assert seen.setdefault(game.stringRepresentation(board), text) == text
        if not game.getGameEnded(board, player) and board[0, -2] < 5:
            moves = np.flatnonzero(game.getValidMoves(board, player))
            waiting += [game.getNextState(board, player, action) for action in moves]
    assert len(set(seen.values())) == len(seen) > 20


def test_what_it_refuses() -> None:
    with pytest.raises(OanquanError, match="sides: expected 2, got 3"):
        EXAMPLE.Game("three-players")
    with pytest.raises(OanquanError, match="max_plies: expected 1 or more, got 0"):
        EXAMPLE.Game(max_plies=0)
    with pytest.raises(oaq.IllegalMoveError):
        EXAMPLE.Game().getNextState(EXAMPLE.Game().getInitBoard(), 1, 10)


# ---- a search --------------------------------------------------------------------------------------------------------


class Search:
    """A tree search that asks a game what alpha-zero-general's asks it, with a network that knows nothing.

    Instead of a network's value it plays on at random.
    """

    def __init__(self, game: Any, rng: Random) -> None:
        self.game, self.rng = game, rng
        self.total: dict[tuple[bytes, int], float] = defaultdict(float)
        self.visits: dict[tuple[bytes, int], int] = defaultdict(int)
        self.policy: dict[bytes, Any] = {}

    def best(self, canonical: Any, simulations: int) -> int:
        for _ in range(simulations):
            self.search(canonical)
        key = self.game.stringRepresentation(canonical)
        return max(range(self.game.getActionSize()), key=lambda action: self.visits[key, action])

    def search(self, canonical: Any) -> float:
        """What the board is worth to whoever moved last."""
        key = self.game.stringRepresentation(canonical)
        ended: float = self.game.getGameEnded(canonical, 1)
        if ended:
            return -ended
        if key not in self.policy:
            valid = self.game.getValidMoves(canonical, 1)
            self.policy[key] = valid / valid.sum()
            return -self.rollout(canonical)
        visits = sum(self.visits[key, action] for action in range(self.game.getActionSize()))

        def upper(action: int) -> float:
            edge = (key, action)
            mean = self.total[edge] / self.visits[edge] if self.visits[edge] else 0.0
            return mean + 2 * float(self.policy[key][action]) * math.sqrt(visits + 1) / (1 + self.visits[edge])

        action = max(np.flatnonzero(self.policy[key]), key=upper)
        board, player = self.game.getNextState(canonical, 1, action)
        value = self.search(self.game.getCanonicalForm(board, player))
        self.total[key, action] += value
        self.visits[key, action] += 1
        return -value

    def rollout(self, board: Any) -> float:
        player = 1
        while not (ended := self.game.getGameEnded(board, 1)):
            action = self.rng.choice(np.flatnonzero(self.game.getValidMoves(board, player)).tolist())
            board, player = self.game.getNextState(board, player, action)
        return float(ended)


def arena(game: Any, players: list[Any]) -> float:
    """A game like that of the framework's `Arena`: the result for the first player."""
    board, player = game.getInitBoard(), 1
    while not game.getGameEnded(board, player):
        action = players[0 if player == 1 else 1](game.getCanonicalForm(board, player))
        assert game.getValidMoves(game.getCanonicalForm(board, player), 1)[action] == 1
        board, player = game.getNextState(board, player, action)
    return float(player * game.getGameEnded(board, player))


def test_a_search_beats_random_play() -> None:
    game, rng = EXAMPLE.Game("squares=3,pebbles=3", max_plies=60), Random(3)

    def searcher(board: Any) -> int:
        return Search(game, rng).best(board, 40)

    def random(board: Any) -> int:
        return rng.choice(np.flatnonzero(game.getValidMoves(board, 1)).tolist())

    score = sum(arena(game, [searcher, random]) - arena(game, [random, searcher]) for _ in range(4))
    assert score > 3
