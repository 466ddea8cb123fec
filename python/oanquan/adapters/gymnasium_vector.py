"""Many learners' games stepped together: `OanquanVectorEnv`, on `Batch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from oanquan.adapters.gymnasium_seats import (
    MOST_SKIPPED,
    answers,
    mode_of,
    no_options,
    no_turn,
    opponent_of,
    seat_of,
)
from oanquan.adapters.shared import one_of
from oanquan.checks import MOST_SEED, MOST_THREADS, within, within_or_off
from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oanquan._core import Position
    from oanquan.adapters.gymnasium_seats import Illegal, Opponent, Reward
    from oanquan.rules import Rules

_Flags = NDArray[np.bool_]
_MOST_GAMES = 2**20


class OanquanVectorEnv(VectorEnv[NDArray[np.int16], NDArray[np.int64], NDArray[Any]]):
    """Many games of a learner, one move of it in each in one call.

    It does, step by step, what `gymnasium.vector.SyncVectorEnv` does with as many `OanquanEnv` of the same arguments,
    seeds and actions: the same games, with the same draws of the opponent, observations, rewards and infos. The
    opponent is asked for all games that wait for it at once: a callable is given all their positions.

    A seed s gives place i the games of the seed s + i; a list gives each place its own, or the next game for `None`.
    What was returned is never written again.

    >>> envs = OanquanVectorEnv(num_envs=1000, opponent="greedy")
    >>> observations, infos = envs.reset(seed=7)
    >>> for _ in range(50):
    ...     actions = infos["action_mask"].argmax(axis=1)
    ...     observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> observations.shape, bool(infos["_action_mask"].all())
    ((1000, 21), True)
    """

    def __init__(  # noqa: PLR0913 (by keyword)
        self,
        num_envs: int = 1,
        *,
        rules: Rules | str | None = None,
        position: Position | str | None = None,
        side: Literal["a", "b", "c", "d", "alternate", "random"] = "a",
        opponent: Opponent = "random",
        reward: Reward = "points",
        illegal: Illegal = "forfeit",
        max_plies: int | None = 1000,
        repetition: int | None = 3,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = 1,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
    ) -> None:
        """Make the environment; `reset` begins the games.

        Args:
            num_envs: How many games, 1 to 2**20.
            rules: This and what follows is as in `OanquanEnv`.
            position: See there.
            side: See there.
            opponent: See there.
            reward: See there.
            illegal: See there.
            max_plies: See there.
            repetition: See there.
            autoreset_mode: When the next game begins: `"NextStep"`, `"SameStep"` or `"Disabled"`, or the value of
                Gymnasium.
            threads: How many threads think for an opponent that is a text, 1 to 1024; `None` for all cores.
            render_mode: What `render` gives for each game: `"ansi"` or `"rgb_array"`.

        Raises:
            OanquanError: An argument is out of range, or no agent has that text.
            TypeError: An argument is of another type.
        """
        self.render_mode = mode_of(render_mode, ("ansi", "rgb_array"))
        self.autoreset_mode = _mode_of(autoreset_mode)
        self.metadata = {**_METADATA, "autoreset_mode": self.autoreset_mode}
        self._seat = seat_of(
            rules,
            position,
            side=side,
            reward=reward,
            illegal=illegal,
            max_plies=max_plies,
            repetition=repetition,
        )
        self._opponent = opponent_of(opponent)
        self._threads = within_or_off("threads", threads, 1, MOST_THREADS)
        self._batch = self._seat.batch(within("num_envs", num_envs, 1, _MOST_GAMES))
        self.num_envs = n = len(self._batch)
        self.single_observation_space, self.single_action_space = self._seat.spaces
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._seeds, self._numbers = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
        self._seeded, self._begun = np.zeros(n, np.bool_), False
        self._sides = np.zeros(n, np.uint8)
        self._leads = np.zeros(n, np.int64)
        self._results = np.zeros(n)
        self._forfeits, self._over = np.zeros(n, np.bool_), np.ones(n, np.bool_)

    # ---- what can be asked -----------------------------------------------------------------------------------------

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions now.

        >>> envs = OanquanVectorEnv(2)
        >>> _ = envs.reset(seed=7)
        >>> envs.positions[0] == envs.positions[1]
        True
        """
        return self._batch.positions()

    @property
    def opponent(self) -> Opponent:
        """Who plays the other sides, from the next move on if it is set.

        >>> envs = OanquanVectorEnv(2)
        >>> envs.opponent = "cautious"
        >>> envs.opponent
        'cautious'
        """
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: Opponent) -> None:
        self._opponent = opponent_of(opponent)

    def action_masks(self) -> _Flags:
        """Return which actions are legal in each game: none in one that is over.

        >>> envs = OanquanVectorEnv(2)
        >>> _ = envs.reset(seed=7)
        >>> envs.action_masks().shape
        (2, 10)
        """
        return self._masks().astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Return the board of each game as text or as a picture, as `render_mode` says.

        >>> envs = OanquanVectorEnv(2, render_mode="ansi")
        >>> _ = envs.reset(seed=7)
        >>> len(envs.render())
        2
        """
        return self._seat.frames(self._batch, self.render_mode)

    # ---- games -----------------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Begin new games: everywhere, or where `options["reset_mask"]`, an array of n bools, is true.

        >>> envs = OanquanVectorEnv(3, autoreset_mode="Disabled")
        >>> _ = envs.reset(seed=[1, 2, 3])
        >>> observations, infos = envs.reset(options={"reset_mask": np.array([True, False, False])})
        >>> infos["_side"].tolist()
        [True, False, False]
        """
        options = dict(options or {})
        mask = self._mask_of(options.pop("reset_mask", None))
        no_options(options)
        if seed is None or not hasattr(seed, "__len__"):
            first = None if seed is None else within("seed", seed, 0, MOST_SEED)
            seeds = [None if first is None else first + place for place in range(self.num_envs)]
        else:
            first, seeds = None, [*cast("Sequence[int | None]", seed)]
            if len(seeds) != self.num_envs:
                raise OanquanError(f"seed: expected {self.num_envs} seeds, one for each place, got {len(seeds)}")
        seeds = [each if each is None else within("seed", each, 0, MOST_SEED) for each in seeds]
        super().reset(seed=first)
        self._begin_seeded(mask, seeds)
        self._begun = True
        return self._observations(), self._infos(mask)

    def step(self, actions: Any) -> tuple[NDArray[np.int16], NDArray[np.float64], _Flags, _Flags, dict[str, Any]]:
        """Make the learner's move in each game, and those of the other sides until it is its turn again.

        Raises:
            IllegalMoveError: An action is not legal, under `illegal="error"`; the message names the game.
            OanquanError: Something is no action, no game has begun, or a game is over in the mode `"Disabled"`.

        >>> envs = OanquanVectorEnv(2)
        >>> _ = envs.reset(seed=7)
        >>> observations, rewards, terminations, truncations, infos = envs.step([4, 0])
        >>> rewards.tolist()
        [6.0, 6.0]
        """
        resets = self._over.copy()
        if not self._begun:
            raise OanquanError("expected a reset before the first step")
        if resets.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise OanquanError(f"game {resets.argmax()}: expected a reset before the next step, it is over")
        acts = ~resets
        actions = self._actions_of(actions, acts)
        forfeits = acts & (self._batch.legal_masks[np.arange(self.num_envs), actions] == 0)
        if self._seat.illegal == "error":
            forfeits[:] = False  # the batch says what is wrong with them
        self._move(actions, acts & ~forfeits)
        self._forfeits |= forfeits
        self._over |= forfeits
        rewards = np.where(acts, self._rewards(forfeits), 0.0)
        self._begin(resets)
        over = self._over & acts
        terminations = over & (self._batch.terminated | self._forfeits)
        truncations = over & ~terminations
        infos: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            infos = self._last(over)
            self._begin(over)
        infos |= self._infos(np.ones(self.num_envs, np.bool_))
        return self._observations(), rewards, terminations, truncations, infos

    def _last(self, over: _Flags) -> dict[str, Any]:
        """What is told of games that are over where the next ones begin at once."""
        last = np.full(self.num_envs, None, object)
        rows = self._observations()
        for place in np.flatnonzero(over):
            last[place] = rows[place].copy()
        return {"final_obs": last, "_final_obs": over, "final_info": self._infos(over), "_final_info": over.copy()}

    # ---- the batch -------------------------------------------------------------------------------------------------

    def _begin_seeded(self, mask: _Flags, seeds: list[int | None]) -> None:
        """Begin games with these seeds, or the next ones."""
        given = mask & np.array([seed is not None for seed in seeds])
        drawn = mask & ~given & ~self._seeded
        fresh = given | drawn
        self._seeds[given] = np.array([seeds[place] for place in np.flatnonzero(given)], np.uint64)
        if drawn.any():
            self._seeds[drawn] = self.np_random.integers(2**64, size=drawn.sum(), dtype=np.uint64)
        if fresh.any():
            self._batch.reset(self._seeds.tolist(), mask=fresh)
            self._numbers[fresh] = 0
            self._seeded |= fresh
        self._begin(mask & ~fresh, fresh)

    def _begin(self, following: _Flags, first: _Flags | None = None) -> None:
        """Begin the next games in places, as in those where the first one stands, and play to the learner's turn."""
        begun = following if first is None else following | first
        for _ in range(MOST_SKIPPED):
            if not begun.any():
                return
            if following.any():
                self._batch.reset(mask=following)
                self._numbers[following] += np.uint64(1)
            self._sides[begun] = self._seat.sides_of(self._seeds[begun], self._numbers[begun])
            self._over[begun] = self._forfeits[begun] = False
            self._leads[begun] = self._seat.leads(self._batch.points[begun], self._sides[begun])
            self._answer(begun)
            following = begun = begun & self._over
        self._begun = False
        raise no_turn()

    def _move(self, actions: Any, moves: _Flags) -> None:
        """Make these moves, and those of the others until it is the learner's turn."""
        self._step(actions, moves)
        self._answer(moves)

    def _step(self, actions: Any, moves: _Flags) -> None:
        movers = self._batch.turns.copy()
        self._batch.step(actions, mask=moves)
        over = moves & (self._batch.terminated | self._batch.truncated)
        self._over |= over
        if self._seat.reward == "result" and over.any():
            self._note_results(over, movers)

    def _note_results(self, over: _Flags, movers: NDArray[np.uint8]) -> None:
        if self._seat.sides == 2:
            signs = np.where(movers == self._sides, 1.0, -1.0)
            self._results[over] = (self._batch.rewards * signs)[over]
            return
        for place in np.flatnonzero(over):
            self._results[place] = self._seat.result(self._batch[int(place)], int(self._sides[place]))

    def _answer(self, places: _Flags) -> None:
        """Let the others move in these places until it is the learner's turn."""
        try:
            while (waiting := places & ~self._over & (self._batch.turns != self._sides)).any():
                self._step(answers(self._opponent, self._batch, waiting, self._threads), waiting)
        except BaseException:
            self._begun = False  # no games that the learner could go on with
            raise

    # ---- what is told ----------------------------------------------------------------------------------------------

    def _rewards(self, forfeits: _Flags) -> NDArray[np.float64]:
        leads = self._seat.leads(self._batch.points, self._sides)
        leads[forfeits] = -self._seat.all_points
        change = (leads - self._leads) / (self._seat.sides - 1)
        self._leads = leads
        if self._seat.reward == "points":
            return change
        results = np.where(self._over, self._results, 0.0)
        results[forfeits] = -1.0
        return results

    def _masks(self) -> NDArray[np.int8]:
        masks = self._batch.legal_masks.copy()
        masks[self._over] = 0
        return masks

    def _observations(self) -> NDArray[np.int16]:
        """The positions as the learner sees them, whoever would be next."""
        rows = self._batch.observations.copy()
        distances = (self._batch.turns.astype(np.int64) - self._sides) % self._seat.sides
        if distances.any():
            for distance in range(1, self._seat.sides):
                places = np.flatnonzero(distances == distance)
                rows[places] = rows[places][:, self._seat.views[distance]]
        return rows

    def _infos(self, places: _Flags) -> dict[str, Any]:
        """What is told of these places, in the form that Gymnasium makes of single infos."""
        told: dict[str, NDArray[Any]] = {
            "action_mask": self._masks(),
            "points": self._batch.points.copy(),
            "side": self._sides.astype(np.int64),
            "forfeit": self._forfeits.copy(),
        }
        if not places.all():
            for array in told.values():
                array[~places] = 0
        return {**told, **{f"_{name}": places.copy() for name in told}}

    # ---- arguments -------------------------------------------------------------------------------------------------

    def _mask_of(self, mask: Any) -> _Flags:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            got = f"{mask.dtype} of shape {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
            raise OanquanError(f"reset_mask: expected an array of {self.num_envs} bools, got {got}")
        if not self._begun and not mask.all():
            raise OanquanError("reset_mask: expected all games to begin first")
        if not mask.any():
            raise OanquanError("reset_mask: expected a game to begin, got none")
        return mask.copy()

    def _actions_of(self, actions: Any, acts: _Flags) -> NDArray[np.int64]:
        """The actions, each checked where it is looked at and 0 elsewhere."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            got = f"{given.dtype} of shape {given.shape}"
            raise OanquanError(f"actions: expected {self.num_envs} whole numbers, got {got}")
        wrong = acts & ((given < 0) | (given >= self._batch.actions))
        if wrong.any():
            place = int(wrong.argmax())
            raise OanquanError(f"game {place}: action: expected 0 to {self._batch.actions - 1}, got {given[place]}")
        return np.where(acts, given, 0).astype(np.int64)


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    return AutoresetMode(one_of("autoreset_mode", mode, tuple(known.value for known in AutoresetMode)))


_METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}
