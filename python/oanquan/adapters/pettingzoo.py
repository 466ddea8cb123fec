"""Ô ăn quan as an environment of PettingZoo, for two to four agents: `env`, `raw_env`, `parallel_env`.

>>> from oanquan.adapters import pettingzoo
>>> game = pettingzoo.env(rules="quan-non")
>>> game.reset(seed=7)
>>> for agent in game.agent_iter():
...     observation, reward, termination, truncation, info = game.last()
...     over = termination or truncation
...     game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))
>>> game.agents
[]

Where PettingZoo has a registry, importing this module registers `oanquan/oanquan-v0` there, as AEC and as parallel
environment.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import turn_based_aec_to_parallel, wrappers

from oanquan._core import Game, Position
from oanquan.adapters.picture import rgb_array
from oanquan.adapters.shared import mask_array, mask_space, observation_space, one_of, shown_text, start_position
from oanquan.checks import MOST_LIMIT, within, within_or_off
from oanquan.errors import OanquanError
from oanquan.text import fits, in_ascii

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from oanquan.rules import Rules

__all__ = ["env", "parallel_env", "raw_env"]

_ID = "oanquan/oanquan-v0"
_RENDER_MODES = (None, "human", "ansi", "rgb_array")


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  # the name by which PettingZoo's tools know it
    """The environment without wrappers: one agent a side, `"a"` to `"d"`, that move in turn.

    **Observations** are dicts: `"observation"`, the counts of `Batch.observations` as the agent sees them (int16;
    `rules.observation_names` says what each is), and `"action_mask"` (int8), 1 for each legal action of the agent to
    move, zeros for the others and when the game is over. The mask is in the infos too.

    **Actions** are numbers relative to the agent that moves: `2 * (square - 1)`, and one more for clockwise.

    **Rewards** of kind `"points"`: by how many points the move changed the agent's lead, which is its points less the
    mean of the others'; the last move includes the count. They add up to zero over the agents, and over a game to the
    final lead. Of kind `"result"`: when the game ends, 1 for the winner and -1 for the others; 0 for all in a draw.

    **A game ends** for all agents at once: by the rules (termination), or by the count when a limit is reached
    (truncation). `game.outcome` tells how it came out.

    Nothing is drawn by lot: a seed changes nothing. `reset(options={"position": ...})` begins that game from another
    position by the same rules. Environments can be pickled, and copied with `copy.deepcopy`, in the middle of a game.

    >>> from oanquan.adapters import pettingzoo
    >>> game = pettingzoo.raw_env(reward="points")
    >>> game.reset()
    >>> game.step(4)
    >>> game.rewards, game.agent_selection
    ({'a': 6.0, 'b': -6.0}, 'b')
    >>> game.observe("b")["action_mask"]
    array([1, 1, 1, 1, 0, 0, 1, 1, 1, 1], dtype=int8)
    """

    metadata = {  # noqa: RUF012  # PettingZoo reads it of classes and of environments
        "name": "oanquan_v0",
        "render_modes": ["human", "ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        position: Position | str | None = None,
        reward: Literal["points", "result"] = "points",
        max_plies: int | None = 1000,
        max_cycles: int | None = None,
        repetition: int | None = 3,
        illegal: Literal["error", "replace"] = "error",
        render_mode: Literal["human", "ansi", "rgb_array"] | None = None,
    ) -> None:
        """Make the environment; `reset` begins its first game.

        Args:
            rules: The rules or their text; the default ones if there is no position either.
            position: Begin games from this position, or from this text of one by the rules, instead of their start. It
                is not over.
            reward: `"points"` or `"result"`.
            max_plies: Count a game after so many plies, 1 to 2**32 - 1; `None` for no limit.
            max_cycles: Count a game after so many turns of every agent, if that is earlier.
            repetition: Count a game when a position stands for the n-th time, 2 to 2**32 - 1; `None`: no limit.
            illegal: What an illegal action does: `"error"` raises `IllegalMoveError` and changes nothing; with
                `"replace"` the next legal action by number is played, beginning again at 0 after the last.
            render_mode: `"human"` prints the board after each move, `"ansi"` returns it as text, `"rgb_array"` as a
                picture; `None` does nothing.

        Raises:
            OanquanError: An argument is out of range, or a text is not as it should be.
            TypeError: An argument is of another type.
        """
        super().__init__()
        self._start = start_position(rules, position)
        self._rules = self._start.rules
        cycles = within_or_off("max_cycles", max_cycles, 1, MOST_LIMIT // 4)
        self._limits = (
            _sooner(max_plies, None if cycles is None else cycles * self._rules.sides),
            within_or_off("repetition", repetition, 2, MOST_LIMIT),
        )
        self._by_points = one_of("reward", reward, ("points", "result")) == "points"
        self._replaces = one_of("illegal", illegal, ("error", "replace")) == "replace"
        self.render_mode = one_of("render_mode", render_mode, _RENDER_MODES)

        self._actions = 2 * self._rules.squares
        self.possible_agents = list("abcd"[: self._rules.sides])
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation_space(self._rules), "action_mask": mask_space(self._rules)})
            for agent in self.possible_agents
        }
        seen = observation_space(self._rules)
        self.state_space = spaces.Box(
            np.append(seen.low, np.int16(0)), np.append(seen.high, np.int16(self._rules.sides - 1)), dtype=np.int16
        )
        self._size = seen.shape[0]
        self._no_action = np.zeros(self._actions, np.int8)
        self._legal = self._no_action
        self.agents: list[str] = []
        self._game, self._position = Game(position=self._start), self._start

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of its games.

        >>> print(raw_env("immature_below=5,empty_mandarin_after_sowing=gap").rules)
        quan-non
        """
        return self._rules

    @property
    def all_points(self) -> int:
        """The points there are on the board and in the stores when games begin.

        >>> raw_env().all_points
        70
        """
        start, worth = self._start, self._rules.mandarin_value
        stored = sum(store.pebbles + worth * store.mandarins for store in start.stores)
        return sum(start.pebbles) + worth * sum(start.mandarins) + stored

    @property
    def game(self) -> Game:
        """The game as it stands, a copy: its moves, record and outcome.

        >>> game = raw_env(max_plies=1)
        >>> game.reset()
        >>> game.step(4)
        >>> print(game.game.outcome)
        draw 24/24 (max_plies)
        """
        return self._game.__copy__()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations, always the same object.

        >>> raw_env().observation_space("a")["action_mask"]
        Box(0, 1, (10,), int8)
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions, always the same object.

        >>> raw_env().action_space("b")
        Discrete(10)
        """
        return self.action_spaces[agent]

    # ---- play ------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game.

        Args:
            seed: Changes nothing, as nothing is drawn by lot.
            options: `"position"`: begin this game from that position, or that text of one, by the same rules. What else
                is there is not looked at.

        Raises:
            OanquanError: The position is by other rules, or over, or its text is not as it should be.

        >>> game = raw_env()
        >>> game.reset(options={"position": "0.3.0.0.0.0q1/0.1.0.0.0.0q1 0/66 - b 13"})
        >>> game.agent_selection
        'b'
        """
        start = self._start
        chosen = None if options is None else options.get("position")
        if chosen is not None:
            start = start_position(self._rules if isinstance(chosen, str) else None, chosen)
            if start.rules != self._rules:
                raise OanquanError(f"position: expected one by the rules {self._rules}, got one by {start.rules}")
        max_plies, repetition = self._limits
        self._game = Game(position=start, max_plies=max_plies, repetition=repetition)
        self._position = start
        self._points = start.points
        self.agents = self.possible_agents[:]
        self.agent_selection = start.turn
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._legal = mask_array(start)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}
        self._skip_agent_selection = None
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is; of one whose game is over, `None` takes it out.

        Raises:
            IllegalMoveError: The action is not legal; nothing has changed.
            OanquanError: There is no game, or `None` is given in one that goes on.

        >>> game = raw_env()
        >>> game.reset()
        >>> game.step(10)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        oanquan.errors.IllegalMoveError: illegal move 10: action numbers go from 0 to 9 (position ...)
        """
        if not self.agents:
            raise OanquanError("step: expected a game that goes on, got none: reset begins one")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise OanquanError(f"action: expected a number, got None; the game of agent {agent} goes on")
        if self._replaces:
            action = self._legal_from(action)
        game = self._game
        game.push(action)
        self._position = position = game.position
        over = game.is_over
        if over:
            self._end()
        elif self._by_points:
            self._reward_points(position.points)
        else:
            self.rewards = dict.fromkeys(self.possible_agents, 0.0)
        cumulative = self._cumulative_rewards
        cumulative[agent] = 0.0
        for other, reward in self.rewards.items():
            cumulative[other] += reward
        self.agent_selection = mover = position.turn
        self._legal = self._no_action if over else mask_array(position)
        self.infos[agent] = {"action_mask": self._no_action.copy()}
        self.infos[mover] = {"action_mask": self._legal.copy()}
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        """The rewards of the last move, and that the game is over for all."""
        outcome = self._game.outcome
        assert outcome is not None
        if self._by_points:
            self._reward_points(outcome.points)
        else:
            won = outcome.winner
            value = 0.0 if won is None else -1.0
            self.rewards = {agent: 1.0 if agent == won else value for agent in self.possible_agents}
        by_the_rules = self._position.is_over
        self.terminations = dict.fromkeys(self.agents, by_the_rules)
        self.truncations = dict.fromkeys(self.agents, not by_the_rules)

    def _reward_points(self, points: tuple[int, ...]) -> None:
        """By how much each lead has changed."""
        before, self._points = self._points, points
        if len(points) == 2:  # what follows comes to the same, in five times the time
            change = float(points[0] - before[0] - points[1] + before[1])
            self.rewards = {"a": change, "b": -change}
            return
        changes = [new - old for new, old in zip(points, before, strict=True)]
        total, sides = sum(changes), len(changes)
        pairs = zip(self.possible_agents, changes, strict=True)
        self.rewards = {agent: (sides * change - total) / (sides - 1) for agent, change in pairs}

    def _legal_from(self, action: int) -> int:
        """The action, or the next legal one by number."""
        action = within("action", action, 0, self._actions - 1)
        mask = self._position.legal_mask
        later = mask >> action
        if later:
            return action + (later & -later).bit_length() - 1
        return (mask & -mask).bit_length() - 1

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees now, in arrays of its own.

        >>> game = raw_env()
        >>> game.reset()
        >>> game.observe("a")["observation"].tolist()
        [5, 5, 5, 5, 5, 0, 5, 5, 5, 5, 5, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]
        """
        seen = np.empty(self._size, np.int16)
        self._position.observation(agent, seen)
        return {"observation": seen, "action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """The legal actions of an agent, if it is its turn and the game goes on."""
        return (self._legal if agent == self._position.turn else self._no_action).copy()

    def state(self) -> NDArray[np.int16]:
        """Return the whole position: the observation of side a and, last, the side to move, 0 for a.

        >>> game = raw_env("three-players")
        >>> game.reset()
        >>> game.step(0)
        >>> int(game.state()[-1]), game.state().shape == game.state_space.shape
        (1, True)
        """
        seen = np.empty(self._size + 1, np.int16)
        self._position.observation("a", seen[:-1])
        seen[-1] = self.possible_agents.index(self._position.turn)
        return seen

    # ---- showing ---------------------------------------------------------------------------------------------------

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the board as `render_mode` says.

        >>> game = raw_env(render_mode="ansi")
        >>> game.reset()
        >>> print(game.render().splitlines()[-2])
        turn    side a, ply 0
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render: expected a render_mode, got None; nothing is shown")
            return None
        outcome = self._game.outcome
        if self.render_mode == "rgb_array":
            return rgb_array(self._position, outcome=outcome)
        text = shown_text(self._position, outcome)
        if self.render_mode == "ansi":
            return text
        shown = text if fits(text, sys.stdout.encoding) else in_ascii(text)
        sys.stdout.write(shown + "\n\n")
        return None

    def close(self) -> None:
        """Nothing is open: it may be used on.

        >>> raw_env().close()
        """

    def __repr__(self) -> str:
        return f"raw_env({self._start!r})"


def env(
    rules: Rules | str | None = None,
    *,
    illegal: Literal["forfeit", "error", "replace"] = "forfeit",
    **options: Any,
) -> AECEnv:
    """Return a `raw_env` in PettingZoo's wrappers, which check actions and the order of calls.

    Args:
        rules: As in `raw_env`.
        illegal: With `"forfeit"` an illegal action ends the game: whoever played it gets -1, or with rewards by points
            minus `all_points`, and the others 0. `"error"` and `"replace"` as in `raw_env`.
        options: Those of `raw_env`.

    Raises:
        OanquanError: As `raw_env`.

    >>> game = env(reward="result")
    >>> game.reset()
    >>> game.step(4)
    >>> game.step(4)  # b3 is empty now
    >>> game.rewards, game.terminations
    ({'a': 0, 'b': -1.0}, {'a': True, 'b': True})
    """
    forfeits = one_of("illegal", illegal, ("forfeit", "error", "replace")) == "forfeit"
    made: AECEnv = raw_env(rules, illegal="replace" if illegal == "replace" else "error", **options)
    if forfeits:
        all_points = made.unwrapped.all_points if options.get("reward") != "result" else 1
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-all_points)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


def parallel_env(rules: Rules | str | None = None, *, max_cycles: int | None = None, **options: Any) -> Any:
    """Return the environment as one of PettingZoo's parallel ones: each step is one move.

    The actions of agents that are not to move are not looked at. A cycle is a step.

    Args:
        rules: As in `raw_env`.
        max_cycles: Count a game after so many steps, if that is before `max_plies`.
        options: Those of `env`.

    Raises:
        OanquanError: As `env`.

    >>> game = parallel_env()
    >>> observations, infos = game.reset()
    >>> observations, rewards, terminations, truncations, infos = game.step({"a": 4, "b": 0})
    >>> rewards, infos["a"]["active_agent"]
    ({'a': 6.0, 'b': -6.0}, 'b')
    """
    options["max_plies"] = _sooner(
        options.get("max_plies", 1000), within_or_off("max_cycles", max_cycles, 1, MOST_LIMIT)
    )
    return turn_based_aec_to_parallel(env(rules, **options))


def _sooner(max_plies: int | None, plies: int | None) -> int | None:
    """The smaller of two limits, where `None` is no limit."""
    limit = within_or_off("max_plies", max_plies, 1, MOST_LIMIT)
    given = [value for value in (limit, plies) if value is not None]
    return min(given, default=None)


def _register() -> None:
    """Make `pettingzoo.make` know the environment, where there is such a thing."""
    try:
        from pettingzoo import aec_registry, parallel_registry, register  # noqa: PLC0415
    except ImportError:  # PettingZoo before 1.27
        return
    for kind, registry, maker in (("aec", aec_registry, "env"), ("parallel", parallel_registry, "parallel_env")):
        if _ID not in registry:
            register(kind, _ID, entry_point=f"{__name__}:{maker}")


_register()
