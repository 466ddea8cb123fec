"""Tournaments: many games between agents, callables and engines, with ratings.

>>> from oanquan.tournaments import run_tournament
>>> result = run_tournament(["cautious", "greedy", "random"], games=200, seed=7)
>>> [rating.player for rating in result.standings]
['cautious', 'greedy', 'random']

| name | what it is |
|---|---|
| `run_tournament` | play, into a directory if wanted, or go on with that |
| `EnginePlayer`, `read_engines` | engines that run as programs of their own; a file of them |
| `parse_limit` | how long they think, from a text |
| `SCHEDULES` | who meets whom |
| `TournamentResult`, `Encounter`, `TournamentGame` | what it came to, of each two who met, and game by game |
| `Rating`, `ratings` | the joint Elo of several players |
| `TournamentError`, `TournamentInterrupted` | what is raised about the directory, and by Ctrl-C |
"""

from oanquan.tournaments.games import TournamentGame
from oanquan.tournaments.journals import TournamentError
from oanquan.tournaments.players import EnginePlayer, parse_limit, read_engines
from oanquan.tournaments.ratings import Rating, ratings
from oanquan.tournaments.results import Encounter, TournamentInterrupted, TournamentResult
from oanquan.tournaments.running import run_tournament
from oanquan.tournaments.schedules import SCHEDULES

__all__ = [
    "SCHEDULES",
    "Encounter",
    "EnginePlayer",
    "Rating",
    "TournamentError",
    "TournamentGame",
    "TournamentInterrupted",
    "TournamentResult",
    "parse_limit",
    "ratings",
    "read_engines",
    "run_tournament",
]
