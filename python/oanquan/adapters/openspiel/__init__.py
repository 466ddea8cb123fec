"""The game for OpenSpiel: importing this module registers `python_oanquan`; our agents are its bots.

>>> import pyspiel
>>> import oanquan.adapters.openspiel
>>> game = pyspiel.load_game("python_oanquan(rules=wikipedia-vi)")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("a3+"))
>>> print(state)
6.6.0.0.6.1q1/6.6.0.6.6.1q1 6/0 - b 1

| parameter | default | what |
|---|---|---|
| `rules` | `mancala-world` | the text of the rules, with `:` for `=` and `;` for `,` |
| `position` | the start | the text of the position that games begin with, with `;` for `,` |
| `max_plies` | 1000 | count a game after so many moves, 1 to 1,000,000 |
| `repetition` | 3 | count a game when a position stands for the n-th time, from 2 on; 0 for no limit |
| `reward` | `result` | what a game is worth: `result` or `points` |

OpenSpiel's own strings of games use `,` and `=`, hence the other signs: `python_oanquan(rules=pebbles:3;squares:4)`.
In parameters given as a dict both are read.

**Players** are the sides: player 0 is side a. Rules of three and four sides are games of three and four players.

**Actions** are numbers relative to the player: `2 * (square - 1)`, and one more for clockwise. Their strings are moves.

**Returns** are given at the end. `result`: 1 for the side that won, -1 for the others, 0 for all in a draw. `points`:
the lead of a side in points, which is its points less the mean of the others'; with two sides it is the difference.
Games of two sides are zero-sum either way; of three and four by points only, and by result general-sum. A game that a
limit ended is counted as any other.

**Observations** are counts as they stand on the board, without any scale, seen from the player's seat: `position`, the
numbers that `Rules.observation_names` names, and `turn`, 1 for the seat that is to move, the own one first, or zeros
when the game is over. **Information states** have those, and `start`, the first position, and `history`: for each move
made its action number plus 1, then zeros up to `max_plies`. As strings they are the text of the position, and
the moves.
"""

from __future__ import annotations

import pyspiel

from oanquan.adapters.openspiel.bots import OanquanBot
from oanquan.adapters.openspiel.games import OanquanGame, game_type, load_game
from oanquan.adapters.openspiel.states import OanquanState

__all__ = ["OanquanBot", "OanquanGame", "OanquanState", "load_game"]

pyspiel.register_game(game_type(zero_sum=True), OanquanGame)
