"""The game of OpenSpiel: its parameters, its type, and what its states are worth at most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pyspiel

from oanquan._core import Game, Position
from oanquan.adapters.openspiel.observers import Observer
from oanquan.adapters.openspiel.states import OanquanState
from oanquan.checks import within
from oanquan.errors import OanquanError
from oanquan.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = "python_oanquan"
_MOST_PLIES = 1_000_000
_DEFAULTS = {"rules": "mancala-world", "position": "", "max_plies": 1000, "repetition": 3, "reward": "result"}


def game_type(*, zero_sum: bool) -> pyspiel.GameType:
    """What OpenSpiel may know of the game before it has its parameters, but for what its utilities sum to."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=_NAME,
        long_name="Ô ăn quan",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


class OanquanGame(pyspiel.Game):  # type: ignore[misc]
    """The game of some rules from a position; `pyspiel.load_game` and `load_game` make it.

    >>> from oanquan.adapters.openspiel import load_game
    >>> game = load_game(Rules.preset("tonkin"), max_plies=200)
    >>> print(game)
    python_oanquan(max_plies=200,rules=tonkin)
    >>> game.num_players(), game.num_distinct_actions(), game.max_game_length(), game.max_utility()
    (2, 10, 200, 1.0)
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Make the game of these parameters.

        Raises:
            OanquanError: A parameter is not as it should be.
        """
        given = {**_DEFAULTS, **(params or {})}
        unknown = sorted(given.keys() - _DEFAULTS.keys())
        if unknown:
            raise OanquanError(f"expected parameters among {', '.join(_DEFAULTS)}, got {unknown[0]!r}")
        self._rules = Rules.parse(_text(given, "rules").replace(":", "=").replace(";", ",") or "mancala-world")
        self._start = self._start_of(_text(given, "position").replace(";", ","))
        self._max_plies = within("max_plies", given["max_plies"], 1, _MOST_PLIES)
        self._repetition = within("repetition", given["repetition"], 0, _MOST_PLIES) or None
        if self._repetition == 1:
            raise OanquanError("repetition: expected 0 or 2 to 1000000, got 1")
        self._reward = _text(given, "reward")
        if self._reward not in ("points", "result"):
            raise OanquanError(f'reward: expected "points" or "result", got {self._reward!r}')
        sides = self._rules.sides
        zero_sum = sides == 2 or self._reward == "points"
        most = self._most_points() if self._reward == "points" else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=2 * self._rules.squares,
            max_chance_outcomes=0,
            num_players=sides,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=self._max_plies,
        )
        super().__init__(game_type(zero_sum=zero_sum), info, self._canonical())

    def _start_of(self, text: str) -> Position:
        if not text:
            return Position.start(self._rules)
        position = Position.parse(text, self._rules)
        if position.is_over:
            raise OanquanError(f'position: expected one that is not over, got "{position}"')
        return position

    def _canonical(self) -> dict[str, Any]:
        """The parameters that are not as by default, each with one text, which OpenSpiel can read back."""
        own = {
            "rules": str(self._rules).replace("=", ":").replace(",", ";"),
            "position": "" if self._start == Position.start(self._rules) else str(self._start).replace(",", ";"),
            "max_plies": self._max_plies,
            "repetition": self._repetition or 0,
            "reward": self._reward,
        }
        return {name: value for name, value in own.items() if value != _DEFAULTS[name]}

    def _most_points(self) -> float:
        """A lead in points that no side can have.

        No side has fewer points than at the start, or than none, but for what it put on the board by loans or by owing:
        a row for each move at most.
        """
        rules, start = self._rules, self._start
        lent = rules.squares * self._max_plies if rules.shortfall in ("borrow", "owe") else 0
        least = min(0, *start.points) - lent
        total = sum(start.points) + sum(start.pebbles) + rules.mandarin_value * sum(start.mandarins)
        return float(total - rules.sides * least)

    @property
    def rules(self) -> Rules:
        """The rules.

        >>> from oanquan.adapters.openspiel import load_game
        >>> load_game("quan-five").rules == Rules.preset("quan-five")
        True
        """
        return self._rules

    @property
    def start(self) -> Position:
        """The position that games begin with.

        >>> from oanquan.adapters.openspiel import load_game
        >>> load_game().start == Position.start()
        True
        """
        return self._start

    @property
    def reward(self) -> str:
        """What a game is worth: `"result"` or `"points"`.

        >>> from oanquan.adapters.openspiel import load_game
        >>> load_game().reward
        'result'
        """
        return self._reward

    def new_initial_state(self, state: str | Mapping[str, Any] | pyspiel.StateStruct | None = None) -> OanquanState:
        """Return a state that begins with the start of the game, or elsewhere.

        Args:
            state: The text of a position, or what `to_dict` or `to_struct` of a state gives: `position`, or `start` and
                `moves`. OpenSpiel's history of such a state begins there.

        Raises:
            OanquanError: It is not as it should be.

        >>> from oanquan.adapters.openspiel import load_game
        >>> state = load_game().new_initial_state("0.1.0.0.0.0q1/0.0.0.0.1.0q1 3/62 a>b:2 a 9")
        >>> state.legal_actions(), state.current_player()
        ([2, 3], 0)
        """
        return OanquanState(self, state)

    def begin(self, start: Position) -> Game:
        """Return a game from a position with the limits of this one.

        >>> from oanquan.adapters.openspiel import load_game
        >>> load_game(max_plies=200).begin(Position.start()).max_plies
        200
        """
        return Game(position=start, max_plies=self._max_plies, repetition=self._repetition)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> Observer:
        """Return what observes states: called by OpenSpiel.

        >>> from oanquan.adapters.openspiel import load_game
        >>> observer = load_game().make_py_observer()
        >>> observer.set_from(load_game().new_initial_state(), 0)
        >>> observer.dict["turn"].tolist()
        [1.0, 0.0]
        """
        if params:
            raise OanquanError(f"expected no parameters of the observation, got {', '.join(params)}")
        if iig_obs_type is None:
            return Observer(self, public=True, recall=False)
        return Observer(self, public=iig_obs_type.public_info, recall=iig_obs_type.perfect_recall)


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given[name]
    if not isinstance(value, str):
        raise OanquanError(f"{name}: expected a text, got {value!r}")
    return value


def load_game(
    rules: Rules | str | None = None,
    *,
    position: Position | None = None,
    max_plies: int = 1000,
    repetition: int | None = 3,
    reward: Literal["result", "points"] = "result",
) -> OanquanGame:
    """Return the game of rules or a position that one has: `pyspiel.load_game` without texts.

    Args:
        rules: The rules, or their text; the default ones if there is no position either.
        position: Begin with this one, by its own rules.
        max_plies: Count a game after so many moves, 1 to 1,000,000.
        repetition: Count a game when a position stands for the n-th time, from 2 on; `None` for no limit.
        reward: What a game is worth, see the module.

    Raises:
        OanquanError: An argument is not as it should be.
        TypeError: Both rules and a position are given.

    >>> from oanquan.adapters.openspiel import load_game
    >>> print(load_game(position=Position.start(Rules(squares=3), first="b"), repetition=None))
    python_oanquan(position=5.5.5.0q1/5.5.5.0q1 0/0 - b 0,repetition=0,rules=squares:3)
    """
    if rules is not None and position is not None:
        raise TypeError("expected rules or a position, got both")
    if position is not None:
        rules = position.rules
    return OanquanGame(
        {
            "rules": _DEFAULTS["rules"] if rules is None else str(rules),
            "position": "" if position is None else str(position),
            "max_plies": max_plies,
            "repetition": 0 if repetition is None else within("repetition", repetition, 2, _MOST_PLIES),
            "reward": reward,
        }
    )
