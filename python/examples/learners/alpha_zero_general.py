"""The game for alpha-zero-general: `Game` has the methods that its `Coach`, `MCTS` and `Arena` call.

Put this file beside those of the framework, and instead of one of its own games:

    from alpha_zero_general import Game
    game = Game("wikipedia-vi")
    coach = Coach(game, YourNetwork(game), args)

Its players are 1, who moves first, and -1. A board is an array with a row for each player, that of player 1 first, as
`Game.COLUMNS` says. It holds all that may still matter, the moves made so far included, so that a game that goes round
for ever comes to an end after `max_plies` moves. Repetition is no part of it: no board tells what came before.

>>> game = Game("squares=3")
>>> board = game.getInitBoard()
>>> board
array([[5, 5, 5, 0, 1, 0, 0, 0, 1, 0, 0],
       [5, 5, 5, 0, 1, 0, 0, 0, 0, 0, 0]], dtype=int32)
>>> board, player = game.getNextState(board, 1, 2)
>>> player, game.getValidMoves(board, player)
(-1, array([1, 1, 1, 1, 1, 1], dtype=int8))
"""

# ruff: noqa: N802 (the names are the framework's)

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from oanquan import Debt, OanquanError, Position, Rules, Setup, Store
from oanquan import Game as Played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# What is written for why a game is over: its place here.
ENDINGS: Final = (None, "mandarins", "short", "loses", "max_plies")
# alpha-zero-general takes 0 for a game that goes on.
DRAW: Final = 1e-4


class Game:
    """The game by some rules, or from a position, of two sides.

    >>> Game().getBoardSize(), Game().getActionSize()
    ((2, 13), 10)
    """

    COLUMNS: Final = (
        "pebbles on each square of the row",
        "pebbles on the mandarin square after it",
        "mandarins there",
        "pebbles in store",
        "mandarins in store",
        "pebbles owed to the other",
        "1 if this player is to move",
        "plies since the start",
        "why the game is over: a place in ENDINGS",
    )

    def __init__(
        self, rules: Rules | str | None = None, *, position: Position | None = None, max_plies: int = 200
    ) -> None:
        """Take the rules, or their text, or a position that games begin with."""
        if position is None:
            position = Position.start(Rules.parse(rules) if isinstance(rules, str) else rules)
        if position.rules.sides != 2:
            raise OanquanError(f"sides: expected 2, got {position.rules.sides}")
        if max_plies < 1:
            raise OanquanError(f"max_plies: expected 1 or more, got {max_plies}")
        self._start, self._max_plies = position, max_plies
        self._rules, self._squares = position.rules, position.rules.squares

    # ---- what the framework calls ----------------------------------------------------------------------------------

    def getInitBoard(self) -> NDArray[np.int32]:
        """Return the board that games begin with.

        >>> Game().getInitBoard().shape
        (2, 13)
        """
        return self.getCanonicalForm(self._board(self._start), 1 if self._start.turn == "a" else -1)

    def getBoardSize(self) -> tuple[int, int]:
        """Return the shape of a board.

        >>> Game("squares=3").getBoardSize()
        (2, 11)
        """
        return 2, self._squares + 8

    def getActionSize(self) -> int:
        """Return how many actions there are: `2 * (square - 1)`, and one more for clockwise.

        >>> Game("squares=3").getActionSize()
        6
        """
        return 2 * self._squares

    def getNextState(self, board: NDArray[np.int32], player: int, action: int) -> tuple[NDArray[np.int32], int]:
        """Return the board after a move of a player, and who is next.

        >>> Game().getNextState(Game().getInitBoard(), 1, 4)[1]
        -1
        """
        return self._board(self.position(board).play(int(action))), -player

    def getValidMoves(self, board: NDArray[np.int32], player: int) -> NDArray[np.int8]:  # noqa: ARG002
        """Return 1 for each legal action, else 0.

        >>> Game("squares=2").getValidMoves(Game("squares=2").getInitBoard(), 1)
        array([1, 1, 1, 1], dtype=int8)
        """
        mask = 0 if board[0, -1] else self.position(board).legal_mask
        return np.array([mask >> action & 1 for action in range(self.getActionSize())], np.int8)

    def getGameEnded(self, board: NDArray[np.int32], player: int) -> float:
        """Return 0 while the game goes on, 1 if the player has won, -1 if the other has, and `DRAW` for a draw.

        >>> Game().getGameEnded(Game().getInitBoard(), 1)
        0.0
        """
        if not board[0, -1]:
            return 0.0
        outcome = Played(position=self.position(board), max_plies=0).outcome
        if outcome is None or outcome.winner is None:
            return DRAW
        return 1.0 if outcome.winner == ("a" if player == 1 else "b") else -1.0

    def getCanonicalForm(self, board: NDArray[np.int32], player: int) -> NDArray[np.int32]:
        """Return the board with the player's row first.

        >>> board, player = Game().getNextState(Game().getInitBoard(), 1, 4)
        >>> Game().getCanonicalForm(board, player)[:, 6:9].tolist()
        [[1, 0, 0], [1, 6, 0]]
        """
        return board if player == 1 else np.ascontiguousarray(board[::-1])

    def getSymmetries(
        self, board: NDArray[np.int32], pi: Sequence[float]
    ) -> list[tuple[NDArray[np.int32], Sequence[float]]]:
        """Return the board and its mirror image, each with the probabilities of its actions.

        The mirror exchanges left and right, and the mandarin squares. By rules that tell left from right there is none.

        >>> boards = Game("squares=1").getSymmetries(Game("squares=1").getInitBoard(), [0.75, 0.25])
        >>> [probabilities for _, probabilities in boards]
        [[0.75, 0.25], [0.25, 0.75]]
        """
        rules, squares = self._rules, self._squares
        if rules.directions != "both" or rules.shortfall == "partial" or rules.mandarin_leftovers == "adjacent":
            return [(board, pi)]
        mirrored = board.copy()
        mirrored[:, :squares] = board[:, squares - 1 :: -1] if squares > 1 else board[:, :1]
        mirrored[:, squares : squares + 2] = board[::-1, squares : squares + 2]
        return [(board, pi), (mirrored, [*pi][::-1])]

    def stringRepresentation(self, board: NDArray[np.int32]) -> bytes:
        """Return what tells a board from every other.

        >>> len(Game().stringRepresentation(Game().getInitBoard()))
        104
        """
        return board.tobytes()

    # ---- boards and positions --------------------------------------------------------------------------------------

    def position(self, board: NDArray[np.int32]) -> Position:
        """Return the position of a board, with player 1 as side a.

        >>> print(Game().position(Game().getInitBoard()))
        5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0
        """
        squares, rows = self._squares, board.tolist()
        names = self._rules.square_names
        owed = [row[squares + 4] for row in rows]
        ending = ENDINGS[rows[0][-1]]
        return Setup(
            rules=self._rules,
            pebbles=dict(zip(names, [*rows[0][: squares + 1], *rows[1][: squares + 1]], strict=True)),
            mandarins={"am": rows[0][squares + 1], "bm": rows[1][squares + 1]},
            stores={side: Store(row[squares + 2], row[squares + 3]) for side, row in zip("ab", rows, strict=True)},
            debts=[Debt(a, b, pebbles) for a, b, pebbles in (("a", "b", owed[0]), ("b", "a", owed[1])) if pebbles],
            turn="a" if rows[0][-3] else "b",
            ply=rows[0][-2],
            ending=None if ending == "max_plies" else ending,
        ).position()

    def _board(self, position: Position) -> NDArray[np.int32]:
        row = self._squares + 1
        owed = {debt.debtor: debt.pebbles for debt in position.debts}
        over = position.ply - self._start.ply >= self._max_plies
        ending = ENDINGS.index(position.ending or ("max_plies" if over else None))
        rows = [
            [
                *position.pebbles[seat * row : seat * row + row],
                position.mandarins[seat * row + row - 1],
                position.stores[seat].pebbles,
                position.stores[seat].mandarins,
                owed.get(side, 0),
                int(position.turn == side),
                position.ply,
                ending,
            ]
            for seat, side in enumerate("ab")
        ]
        return np.array(rows, np.int32)
