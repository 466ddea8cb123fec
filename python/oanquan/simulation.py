"""Games by the million: `simulate`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan.checks import MOST_GAMES, MOST_LIMIT, MOST_SEED, MOST_THREADS, seats, start_of, within, within_or_off
from oanquan.errors import OanquanError
from oanquan.results import SimulationInterrupted, results_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import SupportsIndex, TypeAlias

    from oanquan._core import Move, Position
    from oanquan.results import Results
    from oanquan.rules import Rules

    _Agent: TypeAlias = str | Callable[[tuple[Position, ...]], Iterable[Move | str | SupportsIndex]]

_MOST_GAMES_KEPT = 1_000_000  # unless the caller says otherwise


def simulate(  # noqa: PLR0913 (all but the first two by keyword)
    games: int,
    rules: Rules | None = None,
    *,
    position: Position | None = None,
    agents: Sequence[_Agent] = ("random", "random"),
    seed: int = 0,
    threads: int | None = None,
    max_plies: int | None = 1000,
    repetition: int | None = 3,
    columns: bool | None = None,
    moves: bool = False,
    positions: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Results:
    """Play many games, sum them up and keep them as columns; without columns memory does not grow with their number.

    Other Python threads run meanwhile. Ctrl-C raises `SimulationInterrupted`, which has the results of the
    games finished until then.

    Args:
        games: How many, 1 to 2**63 - 1.
        rules: Play from the start of these rules; of the default ones if there is no position either.
        position: Play from this position instead.
        agents: Who plays: side a the first, side b the second, and round again if there are more sides than
            agents. `"random"`: uniform among the legal moves; `"greedy"`: most points captured at once, among
            equals at random; `"cautious"`: the same minus the most that the next side can capture in reply;
            `"search:depth=6"`, `"search:nodes=10000"` or both, `"search:depth=12:nodes=10000"`: the best move of a
            search; `"mcts:simulations=1000"`: that of a Monte Carlo tree search, also with `exploration`,
            `selection`, `playout` and `value` as `mcts` has them; `"table:FILE"`: that of a search of 10,000
            positions that asks the endgame table of the file, where it serves the rules (its name has the checksum of
            the table too, `"table:FILE:crc32=1b2c3d4e"`, and such a text is that of no other table). None of them knows
            the past of the game or its limits: they do not see that a repetition or the last ply is near. Or a
            callable, which is given a tuple of positions, those of all games that wait for its move (at most 4096), and
            returns their moves, in the same order: each a `Move`, a text or an action number. If it decides by the
            positions, or draws from a generator of its own, the same seeds give the same games.
        seed: 0 to 2**64 - 1. Game i of a seed is always the same game.
        threads: 1 to 1024; `None` for all cores. The results do not depend on it. With a callable among the
            agents one game at a time is played on, and callables are called from the calling thread.
        max_plies: Count a game after so many plies, 0 to 2**32 - 1; `None` for no limit.
        repetition: Count a game when a position stands for the n-th time, 1 to 2**32 - 1; `None`: no limit.
        columns: Whether to keep the games one by one as `Results.columns`, 36 bytes a game and 4 for each side
            beyond two; `None`: up to a million games.
        moves: Keep the moves of each game too: a byte each.
        positions: Keep every position of each game too, as a text of some 35 bytes.
        progress: Called as `progress(done, games)` from the calling thread, about every 50 ms and once at the
            end. An exception it raises stops the run and comes out of `simulate`.

    Raises:
        MemoryError: No room for the columns.
        IllegalMoveError: A callable's move is not legal; the message names the game.
        OanquanError: An argument is out of range, no agent has that text, moves or positions are wanted without
            columns, or a callable returns too few or too many moves. What a callable raises comes out of
            `simulate` as it is.
        SimulationInterrupted: Ctrl-C.
        TypeError: Both rules and a position, or an argument of another type.

    >>> results = simulate(1000, seed=7)
    >>> sum(results.wins.values()) + results.draws
    1000
    >>> results == simulate(1000, seed=7, threads=2)
    True
    >>> def first(positions):
    ...     return [position.legal_moves[0] for position in positions]
    >>> results = simulate(1000, agents=("cautious", first), seed=7)
    >>> results.wins["a"] > results.wins["b"]
    True

    """
    start = start_of(rules, position)
    players = seats(agents, start.rules.sides)
    games = within("games", games, 1, MOST_GAMES)
    seed = within("seed", seed, 0, MOST_SEED)
    threads = 0 if threads is None else within("threads", threads, 1, MOST_THREADS)
    limits = (
        within_or_off("max_plies", max_plies, 0, MOST_LIMIT),
        within_or_off("repetition", repetition, 1, MOST_LIMIT),
    )
    keep = (_keeps_columns(games, columns, lists=moves or positions), moves, positions)
    begin = time.perf_counter()
    names = [agent for agent in players if isinstance(agent, str)]
    if len(names) == len(players):
        summary, kept, error = _core.simulate(start, games, names, seed, threads, *limits, *keep, progress)
    else:
        summary, kept, error = _core.simulate_with(start, games, players, seed, *limits, *keep, progress)
    results = results_of(summary, time.perf_counter() - begin, kept)
    if isinstance(error, KeyboardInterrupt):
        raise SimulationInterrupted(results) from error
    if error is not None:
        raise error
    return results


def _keeps_columns(games: int, columns: bool | None, *, lists: bool) -> bool:
    if columns is None:
        return lists or games <= _MOST_GAMES_KEPT
    if lists and not columns:
        raise OanquanError("columns: expected True or None with moves or positions, got False")
    return columns
