"""What players see of a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from oanquan.rules import SIDES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oanquan._core import Position
    from oanquan.adapters.openspiel.games import OanquanGame
    from oanquan.adapters.openspiel.states import OanquanState


class Observer:
    """What a player sees: `set_from` writes `tensor`, which the arrays of `dict` are parts of."""

    def __init__(self, game: OanquanGame, *, public: bool, recall: bool) -> None:
        self._public, self._recall = public, recall
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if not public:
            return
        rules = game.rules
        self._row = np.zeros(len(rules.observation_names), np.int16)
        sizes = {"position": len(self._row), "turn": rules.sides}
        if recall:
            sizes |= {"start": len(self._row), "history": game.max_game_length()}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        ends = np.cumsum([*sizes.values()])[:-1]
        self.dict = dict(zip(sizes, np.split(self.tensor, ends), strict=True))

    def set_from(self, state: OanquanState, player: int) -> None:
        """Write what that player sees."""
        if self.tensor is None:
            return
        game, side = state._game, SIDES[player]  # noqa: SLF001
        self._write("position", game.position, side)
        turn = self.dict["turn"]
        turn.fill(0)
        if not game.is_over:
            turn[(state._turn - player) % len(turn)] = 1  # noqa: SLF001
        if self._recall:
            self._write("start", game.start, side)
            history = self.dict["history"]
            history.fill(0)
            history[: len(game)] = [move.action + 1 for move in game.moves]

    def _write(self, name: str, position: Position, side: str) -> None:
        position.observation(side, self._row)
        self.dict[name][:] = self._row

    def string_from(self, state: OanquanState, player: int) -> str:  # noqa: ARG002
        """Tell what that player sees: all players see the same."""
        if not self._public:
            return ""
        if not self._recall:
            return str(state)
        game = state._game  # noqa: SLF001
        moves = " ".join(map(str, game.moves))
        return moves if game.start == state.get_game().start else f"{game.start}: {moves}"
