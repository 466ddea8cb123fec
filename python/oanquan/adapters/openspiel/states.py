"""The states of the game: what OpenSpiel asks of them, their history, and as plain data."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pyspiel

from oanquan._core import Move, Position
from oanquan.errors import OanquanError
from oanquan.rules import SIDES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from oanquan._core import Game
    from oanquan.adapters.openspiel.games import OanquanGame

_TERMINAL = int(pyspiel.PlayerId.TERMINAL)


@cache
def _actions(mask: int) -> list[int]:
    return [action for action in range(mask.bit_length()) if mask >> action & 1]


def _as_played(name: str) -> Callable[..., Any]:
    """A method of OpenSpiel that looks at its own history, made to see the one without what was undone."""
    method = getattr(pyspiel.State, name)

    def call(self: OanquanState, *arguments: Any) -> Any:
        return method(self._rebuilt() if self._undone else self, *arguments)

    call.__name__ = name
    call.__doc__ = f"""As `pyspiel.State.{name}`, without what was undone.

    >>> from oanquan.adapters.openspiel import load_game
    >>> value = load_game().new_initial_state().{name}()
    """
    return call


class OanquanState(pyspiel.State):  # type: ignore[misc]
    """A game under way. Made by `new_initial_state`.

    >>> from oanquan.adapters.openspiel import load_game
    >>> state = load_game("wikipedia-vi").new_initial_state()
    >>> while not state.is_terminal():
    ...     state.apply_action(state.legal_actions()[0])
    >>> state.returns(), print(state.game.outcome)
    a wins 39/31 (mandarins)
    ([1.0, -1.0], None)
    """

    # OpenSpiel copies and writes down what stands in the instance itself: no more than differs from this.
    _begun = 0
    _undone = False

    def __init__(self, game: OanquanGame, state: str | Mapping[str, Any] | pyspiel.StateStruct | None = None) -> None:
        """Begin a game; called by `OanquanGame.new_initial_state`."""
        super().__init__(game)
        self._game = game.begin(game.start) if state is None else _resumed(game, state)
        self._turn = SIDES.index(self._game.position.turn)
        if len(self._game):
            self._begun = len(self._game)

    @property
    def game(self) -> Game:
        """A copy of the game under way: its moves, its outcome, its record.

        >>> from oanquan.adapters.openspiel import load_game
        >>> state = load_game().new_initial_state()
        >>> state.apply_action(4)
        >>> state.game.moves
        (Move('a3+'),)
        """
        return self._game.__copy__()

    @property
    def position(self) -> Position:
        """The position now.

        >>> from oanquan.adapters.openspiel import load_game
        >>> print(load_game("squares=2,pebbles=3").new_initial_state().position)
        3.3.0q1/3.3.0q1 0/0 - a 0
        """
        return self._game.position

    # ---- what OpenSpiel asks of a game of perfect information ------------------------------------------------------

    def current_player(self) -> int:
        """Return the player to move, or the terminal one.

        >>> from oanquan.adapters.openspiel import load_game
        >>> load_game().new_initial_state().current_player()
        0
        """
        return _TERMINAL if self._game.is_over else self._turn

    def is_terminal(self) -> bool:
        """Whether the game is over.

        >>> from oanquan.adapters.openspiel import load_game
        >>> load_game().new_initial_state().is_terminal()
        False
        """
        return self._game.is_over

    def returns(self) -> list[float]:
        """Return what the game is worth to each player; 0 while it goes on.

        >>> from oanquan.adapters.openspiel import load_game
        >>> state = load_game(max_plies=1, reward="points").new_initial_state()
        >>> state.apply_action(4)
        >>> state.returns()
        [0.0, 0.0]
        """
        outcome, sides = self._game.outcome, self.num_players()
        if outcome is None:
            return [0.0] * sides
        if self.get_game().reward == "points":
            total = sum(outcome.points)
            return [float((own * sides - total) / (sides - 1)) for own in outcome.points]
        if outcome.winner is None:
            return [0.0] * sides
        return [1.0 if side == outcome.winner else -1.0 for side in SIDES[:sides]]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a player in ascending order, without a player those of the one to move.

        >>> from oanquan.adapters.openspiel import load_game
        >>> load_game().new_initial_state().legal_actions()
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        """
        # OpenSpiel's own method asks the state five times over, which takes far longer than the answer.
        if player is None or player == self._turn:
            return [*self._legal_actions(self._turn)]
        legal: list[int] = super().legal_actions(player)
        return legal

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return [] if self._game.is_over else _actions(self._game.position.legal_mask)

    def _apply_action(self, action: int) -> None:
        self._game.push(action)
        self._turn = SIDES.index(self._game.position.turn)

    def _action_to_string(self, player: int, action: int) -> str:
        sides = SIDES[: self.num_players()]
        if not 0 <= player < len(sides):
            raise OanquanError(f"player: expected 0 to {len(sides) - 1}, got {player}")
        return str(Move.from_action(action, sides[player]))

    def __str__(self) -> str:
        """The text of the position, and the limit if one has ended the game."""
        return _text(self._game)

    # ---- its history -----------------------------------------------------------------------------------------------

    def undo_action(self, player: int, action: int) -> None:
        """Take back the last action of OpenSpiel's history, which must be this one.

        OpenSpiel keeps a history of its own, which no Python game can shorten. The methods of the state tell the one
        without what was undone. Only code in C++ that is handed the state itself sees the longer one; for it, hand it
        a clone.

        Raises:
            OanquanError: It was not the last action.

        >>> from oanquan.adapters.openspiel import load_game
        >>> state = load_game().new_initial_state()
        >>> state.apply_action(4)
        >>> state.undo_action(0, 4)
        >>> state.history(), state.move_number(), state.is_initial_state()
        ([], 0, True)
        """
        given = f"action {action} of player {player}"
        move = self._game.pop() if len(self._game) > self._begun else None
        if move is None:
            raise OanquanError(f"expected an action to undo, got {given} before any was made")
        last = (move.action, SIDES.index(move.side))
        if (action, player) != last:
            self._game.push(move)
            raise OanquanError(f"expected the last action, which was {last[0]} of player {last[1]}, got {given}")
        self._turn = SIDES.index(self._game.position.turn)
        self._undone = True

    def _rebuilt(self) -> OanquanState:
        """The same state with a history that nothing was undone in."""
        state: OanquanState = self.get_game().new_initial_state()
        state._game = self._game.__copy__()
        state._begun = self._begun
        made = self._game.moves[self._begun :]
        for _ in made:
            state._game.pop()
        state._turn = SIDES.index(state._game.position.turn)
        for move in made:
            state.apply_action(move.action)
        return state

    def clone(self) -> OanquanState:
        """Return a copy.

        >>> from oanquan.adapters.openspiel import load_game
        >>> state = load_game().new_initial_state()
        >>> state.clone().apply_action(4)
        >>> state.history()
        []
        """
        copy: OanquanState = self._rebuilt() if self._undone else super().clone()
        return copy

    def child(self, action: int) -> OanquanState:
        """Return a copy that has made this action.

        >>> from oanquan.adapters.openspiel import load_game
        >>> load_game().new_initial_state().child(4).history()
        [4]
        """
        state = self.clone()
        state.apply_action(action)
        return state

    history = _as_played("history")
    full_history = _as_played("full_history")
    history_str = _as_played("history_str")
    move_number = _as_played("move_number")
    is_initial_state = _as_played("is_initial_state")
    serialize = _as_played("serialize")
    __getstate__ = _as_played("__getstate__")

    # ---- as plain data ---------------------------------------------------------------------------------------------

    def _to_struct(self) -> dict[str, Any]:
        return _described(self._game)

    def _to_observation_struct(self, player: int) -> dict[str, Any]:  # noqa: ARG002
        return self._to_struct()

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"move": self._action_to_string(player, action)}

    def _struct_to_actions(self, action: Mapping[str, Any]) -> list[int]:
        return [Move(action["move"]).action]


def _text(game: Game) -> str:
    """The text of the position, and the limit if one has ended the game."""
    position, ending = game.position, game.ending
    return str(position) if ending in (None, position.ending) else f"{position} {ending}"


def _described(game: Game) -> dict[str, Any]:
    return {
        "start": str(game.start),
        "moves": [str(move) for move in game.moves],
        "position": _text(game),
        "current_player": "Terminal" if game.is_over else game.position.turn,
    }


def _resumed(game: OanquanGame, state: str | Mapping[str, Any] | pyspiel.StateStruct) -> Game:
    """The game that a text or the plain data of a state tells of."""
    if isinstance(state, str):
        return game.begin(Position.parse(state, game.rules))
    data: Mapping[str, Any] = state.to_dict() if isinstance(state, pyspiel.StateStruct) else state
    known = ("start", "moves", "position", "current_player")
    if not data.keys() <= {*known} or not data.keys() & {"start", "position"}:
        raise OanquanError(f"state: expected {', '.join(known)}, or some of them, got {', '.join(data) or 'none'}")
    resumed = game.begin(Position.parse(data.get("start", data.get("position")), game.rules))
    for move in data.get("moves", ()):
        resumed.push(move)
    for name, value in _described(resumed).items():
        if data.get(name, value) != value:
            raise OanquanError(f"state: expected {name} {value!r}, got {data[name]!r}")
    return resumed
