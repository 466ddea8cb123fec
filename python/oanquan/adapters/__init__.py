"""Ô ăn quan for the tools of others: one module for each framework, which is imported with its module and not before.

| module | framework | extra |
|---|---|---|
| `oanquan.adapters.pettingzoo` | PettingZoo: an environment of two to four agents | `pettingzoo` |
| `oanquan.adapters.gymnasium` | Gymnasium: one learner against a chosen opponent, alone or many at once | `gymnasium` |
| `oanquan.adapters.openspiel` | OpenSpiel: the game `python_oanquan`, and our agents as its bots | `openspiel` |
| `oanquan.adapters.picture` | Pillow: pictures of positions, for those that show them | `pettingzoo`, `gymnasium` |

No module here knows a rule of the game: all that is played comes from the core.
"""
