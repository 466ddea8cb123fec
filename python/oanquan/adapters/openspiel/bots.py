"""Our agents as bots of OpenSpiel."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pyspiel

from oanquan._core import Position
from oanquan.batch import Batch
from oanquan.checks import MOST_SEED, within

if TYPE_CHECKING:
    from oanquan.adapters.openspiel.states import OanquanState


class OanquanBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as a bot of OpenSpiel, for any player and any rules.

    It looks at nothing but the position, so that it can be asked anywhere without being told of what came before.

    >>> from oanquan.adapters.openspiel import load_game, OanquanBot
    >>> state = load_game().new_initial_state()
    >>> bot = OanquanBot("search:depth=4")
    >>> state.action_to_string(bot.step(state))
    'a4+'
    """

    def __init__(self, agent: str = "search:depth=6", *, seed: int = 0, threads: int | None = 1) -> None:
        """Make the bot.

        Args:
            agent: The text of an agent, as in `simulate`.
            seed: What it draws follows from this and from how often it was asked.
            threads: How many threads think, 1 to 1024; `None` for all cores.

        Raises:
            OanquanError: No agent has that text, or a number is out of range.
        """
        super().__init__()
        self._agent, self._threads = agent, threads
        self._asked = self._clones = 0
        self._seed = within("seed", seed, 0, MOST_SEED)
        self._batch = self._ask_from(Position.start())
        self._batch.agent_actions(agent, mask=[False], threads=threads)  # refuses what it does not know

    def _ask_from(self, start: Position) -> Batch:
        return Batch(1, position=start, max_plies=None, repetition=None, autoreset="disabled")

    def step(self, state: OanquanState) -> int:
        """Return its action.

        >>> from oanquan.adapters.openspiel import load_game, OanquanBot
        >>> OanquanBot("greedy").step(load_game().new_initial_state())
        8
        """
        position = state.position
        if position.rules != self._batch.start.rules:
            self._batch = self._ask_from(position)
        self._asked += 1
        self._batch.reset(seed=self._derived(f"step {self._asked}"))
        self._batch.set_positions([0], [position])
        return int(self._batch.agent_actions(self._agent, threads=self._threads)[0])

    def restart(self) -> None:
        """Begin a new game: nothing to do.

        >>> from oanquan.adapters.openspiel import OanquanBot
        >>> OanquanBot("random").restart()
        """

    def restart_at(self, state: OanquanState) -> None:
        """Go on from a state: nothing to do.

        >>> from oanquan.adapters.openspiel import load_game, OanquanBot
        >>> OanquanBot("random").restart_at(load_game().new_initial_state())
        """

    def inform_action(self, state: OanquanState, player_id: int, action: int) -> None:
        """Hear of a move: nothing to do.

        >>> from oanquan.adapters.openspiel import load_game, OanquanBot
        >>> OanquanBot("random").inform_action(load_game().new_initial_state(), 0, 4)
        """

    def provides_force_action(self) -> bool:
        """Whether it lets others move in its place: it does.

        >>> from oanquan.adapters.openspiel import OanquanBot
        >>> OanquanBot("random").provides_force_action()
        True
        """
        return True

    def force_action(self, state: OanquanState, action: int) -> None:
        """Let others move in its place: nothing to do.

        >>> from oanquan.adapters.openspiel import load_game, OanquanBot
        >>> OanquanBot("random").force_action(load_game().new_initial_state(), 4)
        """

    def is_clonable(self) -> bool:
        """Whether it can be copied: it can.

        >>> from oanquan.adapters.openspiel import OanquanBot
        >>> OanquanBot("random").is_clonable()
        True
        """
        return True

    def clone(self) -> OanquanBot:
        """Return a bot of the same agent with a seed of its own, which follows from this one's.

        >>> from oanquan.adapters.openspiel import OanquanBot
        >>> type(OanquanBot("random").clone()).__name__
        'OanquanBot'
        """
        self._clones += 1
        return OanquanBot(self._agent, seed=self._derived(f"clone {self._clones}"), threads=self._threads)

    def _derived(self, purpose: str) -> int:
        """A seed that follows from that of the bot."""
        return int.from_bytes(hashlib.blake2b(f"{self._seed} {purpose}".encode(), digest_size=8).digest(), "big")
