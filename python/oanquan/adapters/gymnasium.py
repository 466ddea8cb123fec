"""Gymnasium: one learner against an opponent, alone (`OanquanEnv`) or many at once (`OanquanVectorEnv`).

Importing this module registers both as `oanquan/Oanquan-v0`. It needs `pip install 'oanquan[gymnasium]'`.

>>> import gymnasium
>>> env = gymnasium.make("oanquan.adapters.gymnasium:oanquan/Oanquan-v0", opponent="greedy")
>>> observation, info = env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.step(4)
>>> info["points"].tolist(), reward
([6, 21], -15.0)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from gymnasium import Env
from gymnasium.envs.registration import register
from gymnasium.error import ResetNeeded
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
from oanquan.adapters.gymnasium_vector import OanquanVectorEnv
from oanquan.checks import MOST_SEED, within

if TYPE_CHECKING:
    from oanquan._core import Position
    from oanquan.adapters.gymnasium_seats import Illegal, Opponent, Reward
    from oanquan.rules import Rules

__all__ = ["OanquanEnv", "OanquanVectorEnv"]


class OanquanEnv(Env[NDArray[np.int16], np.int64]):
    """One game of a learner against an opponent, which plays every other side.

    | what | it is |
    |---|---|
    | observation | int16: the position as the learner sees it, named by `Rules.observation_names` |
    | action | `2 * (square - 1)`, and one more for clockwise: of the learner's own squares |
    | reward | see below |
    | terminated | the rules ended the game, or an illegal action did |
    | truncated | a limit, `max_plies` or `repetition`, ended it |
    | `info["action_mask"]` | int8: 1 for each legal action; none in a game that is over |
    | `info["points"]` | int32: the points of every side, side a first; at the end of the count, if none forfeits |
    | `info["side"]` | which side the learner is, 0 for a |
    | `info["forfeit"]` | whether an illegal action ended the game |

    **Rewards** of kind `"points"`: by how many points the learner's lead has changed since its last turn, or since the
    start. Its lead is its points less the mean of the others', so that the rewards of a game sum up to its final lead,
    less what it was at the start where that is a `position` with captures behind it.
    Of kind `"result"`: at the end 1 if the learner has won, -1 if another side has, else 0.

    **An illegal action** forfeits the game: it is terminated, and worth what it is to lose all points of the board to
    the others (or -1). With `illegal="error"` it raises instead. What is no action at all always raises.

    **Games have numbers.** `reset(seed=s)` begins game 0 of the seed s, each `reset()` after it the next one. What an
    opponent draws comes from the stream of seed and number, as in `simulate`. Games that are over before the learner's
    first turn, as some set-ups have them, are passed over with their numbers.

    >>> env = OanquanEnv(rules="quan-non", side="alternate", opponent="cautious", reward="result")
    >>> observation, info = env.reset(seed=7)
    >>> over = False
    >>> while not over:
    ...     action = info["action_mask"].argmax()
    ...     observation, reward, terminated, truncated, info = env.step(action)
    ...     over = terminated or truncated
    >>> reward, info["points"].tolist()
    (-1.0, [9, 61])
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 (as its base has it)

    def __init__(  # noqa: PLR0913 (by keyword)
        self,
        *,
        rules: Rules | str | None = None,
        position: Position | str | None = None,
        side: Literal["a", "b", "c", "d", "alternate", "random"] = "a",
        opponent: Opponent = "random",
        reward: Reward = "points",
        illegal: Illegal = "forfeit",
        max_plies: int | None = 1000,
        repetition: int | None = 3,
        render_mode: Literal["human", "ansi", "rgb_array"] | None = None,
    ) -> None:
        """Make the environment; `reset` begins a game.

        Args:
            rules: Play from the start of these rules, a value or its text; of the default ones if it is left out.
            position: Play from this position instead, a value or its text (by the rules, if there are any).
            side: Which side the learner is: `"a"` and so on; `"alternate"`: a in game 0, b in game 1 and round again;
                `"random"`: drawn for each game.
            opponent: Who plays the other sides: the text of an agent, as in `simulate`; or a callable, which is given a
                tuple of positions and returns their moves, each a `Move`, a text or an action number.
            reward: `"points"` or `"result"`.
            illegal: What an illegal action does: `"forfeit"` or `"error"`.
            max_plies: Count a game after so many plies of all sides, 1 to 2**32 - 1; `None` for no limit.
            repetition: Count a game when a position stands for the n-th time, 2 to 2**32 - 1; `None`: no limit.
            render_mode: What `render` gives: `"ansi"`: the board as text; `"rgb_array"`: a picture. With `"human"`
                every reset and step prints the board.

        Raises:
            OanquanError: An argument is out of range, or no agent has that text.
            TypeError: An argument is of another type.
        """
        self.render_mode = mode_of(render_mode, tuple(self.metadata["render_modes"]))
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
        self._batch = self._seat.batch(1)
        self.observation_space, self.action_space = self._seat.spaces  # type: ignore[assignment]
        self._seed: int | None = None
        self._side = self._lead = 0
        self._over, self._forfeit = True, False
        self._moves: list[int] = []

    # ---- what can be asked -----------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position now.

        >>> env = OanquanEnv()
        >>> _ = env.reset(seed=7)
        >>> print(env.position)
        5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0
        """
        return self._batch[0]

    @property
    def opponent(self) -> Opponent:
        """Who plays the other sides, from the next move on if it is set: for self-play and curricula.

        >>> env = OanquanEnv()
        >>> env.opponent = "search:depth=2"
        >>> env.opponent
        'search:depth=2'
        """
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: Opponent) -> None:
        self._opponent = opponent_of(opponent)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal: none in a game that is over. The name is that of MaskablePPO.

        >>> env = OanquanEnv()
        >>> _ = env.reset(seed=7)
        >>> bool(env.action_masks().all())
        True
        """
        return self._mask().astype(np.bool_)

    # ---- a game ----------------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Begin the first game of a seed, 0 to 2**64 - 1, or without one the next game; `options` has none.

        >>> env = OanquanEnv(side="b")
        >>> observation, info = env.reset(seed=7)
        >>> observation.shape, env.position.ply
        ((21,), 1)
        """
        no_options(options)
        if seed is not None:
            seed = within("seed", seed, 0, MOST_SEED)
        super().reset(seed=seed)
        if seed is None and self._seed is None:
            seed = int(self.np_random.integers(2**64, dtype=np.uint64))
        for _ in range(MOST_SKIPPED):
            self._begin(seed)
            self._answer()
            if not self._over:
                self._show()
                return self._observation(), self._info()
            seed = None
        raise no_turn()

    def step(self, action: Any) -> tuple[NDArray[np.int16], float, bool, bool, dict[str, Any]]:
        """Make the learner's move and those of the other sides until it is its turn again.

        Raises:
            IllegalMoveError: The action is not legal, under `illegal="error"`.
            OanquanError: It is no action.
            ResetNeeded: The game is over, or none has begun.

        >>> env = OanquanEnv()
        >>> _ = env.reset(seed=7)
        >>> observation, reward, terminated, truncated, info = env.step(4)
        >>> info["points"].tolist(), reward
        ([6, 0], 6.0)
        """
        if self._over:
            raise ResetNeeded("expected a reset before the next step: no game is in play")
        action = within("action", action, 0, self._batch.actions - 1)
        if self._seat.illegal == "forfeit" and not self._batch.legal_masks[0, action]:
            self._over = self._forfeit = True
        else:
            self._move(action)
            self._answer()
        lead = -self._seat.all_points if self._forfeit else self._own_lead()
        if self._seat.reward == "points":
            reward = (lead - self._lead) / (self._seat.sides - 1)
        elif self._forfeit:
            reward = -1.0
        else:
            reward = self._seat.result(self._batch[0], self._side) if self._over else 0.0
        self._lead = lead
        self._show()
        terminated = self._forfeit or bool(self._batch.terminated[0])
        return self._observation(), reward, terminated, self._over and not terminated, self._info()

    def render(self) -> Any:
        """Return the board as text or as a picture, uint8 of shape (height, width, 3), as `render_mode` says.

        >>> env = OanquanEnv(render_mode="ansi")
        >>> _ = env.reset(seed=7)
        >>> print(env.render().splitlines()[0].strip())
        side b
        """
        frames = self._seat.frames(self._batch, self.render_mode)
        return None if frames is None else frames[0]

    def _begin(self, seed: int | None) -> None:
        """Begin a game, which the side to move opens."""
        if seed is None:
            self._batch.reset()
        else:
            self._batch.reset(seed)
            self._seed = seed
        numbers = np.array(self._batch.numbers, np.uint64)
        self._side = int(self._seat.sides_of(np.array([self._seed], np.uint64), numbers)[0])
        self._lead = self._own_lead()
        self._over = self._forfeit = False
        self._moves.clear()

    def _move(self, action: int) -> None:
        self._batch.step([action])
        self._moves.append(action)
        self._over = bool(self._batch.terminated[0] or self._batch.truncated[0])

    def _answer(self) -> None:
        """Let the others move until it is the learner's turn."""
        try:
            while not self._over and self._batch.turns[0] != self._side:
                self._move(int(answers(self._opponent, self._batch, _ALL)[0]))
        except BaseException:
            self._over = True  # no game that the learner could go on with
            raise

    def _own_lead(self) -> int:
        points = self._batch.points[0].tolist()
        return int(self._seat.sides * points[self._side] - sum(points))

    def _mask(self) -> NDArray[np.int8]:
        mask: NDArray[np.int8] = self._batch.legal_masks[0].copy()
        if self._over:
            mask[:] = 0
        return mask

    def _observation(self) -> NDArray[np.int16]:
        """The position as the learner sees it, whoever would be next."""
        row: NDArray[np.int16] = self._batch.observations[0]
        distance = (int(self._batch.turns[0]) - self._side) % self._seat.sides
        return row[self._seat.views[distance]] if distance else row.copy()

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self._mask(),
            "points": self._batch.points[0].copy(),
            "side": self._side,
            "forfeit": self._forfeit,
        }

    def _show(self) -> None:
        if self.render_mode == "human":
            sys.stdout.writelines(f"{text}\n" for text in self._seat.frames(self._batch, "ansi") or ())

    # ---- copies ----------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """The environment but for its games, and the moves that lead to where the last one stands."""
        return {**self.__dict__, "_batch": self._batch.numbers[0], "_moves": [*self._moves]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._batch = self._seat.batch(1)
        if self._seed is not None:
            self._batch.reset(self._seed)
        for _ in range(state["_batch"]):
            self._batch.reset(out={})
        self._batch.observe()
        for action in self._moves:
            self._batch.step([action])


_ALL = np.ones(1, np.bool_)


register(
    id="oanquan/Oanquan-v0",
    entry_point="oanquan.adapters.gymnasium:OanquanEnv",
    vector_entry_point="oanquan.adapters.gymnasium_vector:OanquanVectorEnv",
)
