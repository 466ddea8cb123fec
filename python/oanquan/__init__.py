"""Ô ăn quan, the Vietnamese mancala with mandarins: exact rules for every published variant, and fast play.

>>> import oanquan as oaq
>>> position = oaq.Position.start(oaq.Rules.preset("wikipedia-vi"))
>>> while not position.is_over:
...     position = position.play(position.legal_moves[0])
>>> print(position.outcome)
a wins 39/31 (mandarins)

| name | what it is |
|---|---|
| `Rules`, `Preset`, `PRESETS` | the knobs of the rules as a value, and the sets of rules that have a name |
| `Position`, `Move`, `Store`, `Debt`, `Outcome` | positions and their parts; `legal_moves` and `play` |
| `Step` | what `Position.trace` tells of a move |
| `Setup` | a position being set up, checked when it is finished |
| `Game` | moves with their history, repetition, limits and record |
| `perft`, `divide` | counting move sequences |
| `simulate`, `Results`, `SimulationInterrupted` | games by the million, summed up |
| `Spread`, `Rate`, `Opening` | what results are made of: numbers, rates and first moves, with intervals |
| `Columns` | games as columns, for NumPy, Arrow, Polars, pandas and DuckDB |
| `plots` | results as pictures; needs matplotlib |
| `solve`, `Solution`, `Stage`, `SolvingInterrupted` | positions solved with proofs |
| `verify_certificate`, `Verified`, `Certified` | those proofs as files, and their replay |
| `certificates` | the replay in plain Python |
| `Batch` | many games stepped together, for learners |
| `Tables`, `Value` | endgame tables: proven bounds of every position with few pebbles |
| `mcts`, `MctsResult`, `Mcts` | Monte Carlo tree search; trees whose leaves a network values |
| `play_match`, `MatchResult`, `MatchGame`, `MatchInterrupted`, `Sprt` | matches between two agents, with statistics |
| `tournaments` | many games between agents, callables and engines, with ratings |
| `search`, `Analysis`, `Line`, `SearchInterrupted` | who is ahead, by how much, and what to play |
| `analyse`, `Judgement` | every move of a game, held against the best one |
| `board_text` | a board for people to read |
| `svg` | pictures of boards and moves |
| `explain`, `explaining` | a move in sentences; results and rules too; in English and in Vietnamese |
| `OanquanError` and its kinds | what is raised about input |
| `records` | game records in files of any size |
| `runs` | games by the thousand million, as files |
| `play` | games of people and agents: strengths, undo, hints |
| `engine` | programs that speak the Universal Game Interface, driven from Python |
| `reference` | the same rules in plain Python, slow: the yardstick of the tests |
"""

from typing import TYPE_CHECKING, Any, Final

from oanquan._core import Debt, Game, Move, Outcome, Position, Step, Store, __version__, divide, perft
from oanquan.analysis import Analysis, Judgement, Line, SearchInterrupted, analyse, search
from oanquan.batch import Batch
from oanquan.columns import Columns
from oanquan.endgames import Tables, Value
from oanquan.errors import (
    CertificateError,
    IllegalMoveError,
    NotationError,
    OanquanError,
    PositionError,
    RecordError,
    RulesError,
)
from oanquan.matches import MatchGame, MatchInterrupted, MatchResult, Sprt, play_match
from oanquan.results import Opening, Results, SimulationInterrupted
from oanquan.rules import PRESETS, Preset, Rules
from oanquan.setups import Setup
from oanquan.simulation import simulate
from oanquan.solving import Certified, Solution, SolvingInterrupted, Stage, Verified, solve, verify_certificate
from oanquan.spread import Rate, Spread
from oanquan.trees import Mcts, MctsResult, mcts

if TYPE_CHECKING:
    from oanquan import certificates, engine, explaining, play, plots, records, reference, runs, svg, tournaments
    from oanquan.explaining import explain
    from oanquan.text import board_text

__all__ = [
    "PRESETS",
    "Analysis",
    "Batch",
    "CertificateError",
    "Certified",
    "Columns",
    "Debt",
    "Game",
    "IllegalMoveError",
    "Judgement",
    "Line",
    "MatchGame",
    "MatchInterrupted",
    "MatchResult",
    "Mcts",
    "MctsResult",
    "Move",
    "NotationError",
    "OanquanError",
    "Opening",
    "Outcome",
    "Position",
    "PositionError",
    "Preset",
    "Rate",
    "RecordError",
    "Results",
    "Rules",
    "RulesError",
    "SearchInterrupted",
    "Setup",
    "SimulationInterrupted",
    "Solution",
    "SolvingInterrupted",
    "Spread",
    "Sprt",
    "Stage",
    "Step",
    "Store",
    "Tables",
    "Value",
    "Verified",
    "__version__",
    "analyse",
    "board_text",
    "certificates",
    "divide",
    "engine",
    "explain",
    "explaining",
    "mcts",
    "perft",
    "play",
    "play_match",
    "plots",
    "records",
    "reference",
    "runs",
    "search",
    "simulate",
    "solve",
    "svg",
    "tournaments",
    "verify_certificate",
]


# What is not always needed, by its name: the modules, and what lies in one.
_MODULES: Final = (
    "certificates",
    "engine",
    "explaining",
    "play",
    "plots",
    "records",
    "reference",
    "runs",
    "svg",
    "tournaments",
)
_LIES_IN: Final = {"board_text": "text", "explain": "explaining"}


def __getattr__(name: str) -> Any:
    """Import what is not always needed when it is first asked for."""
    if name in _MODULES or name in _LIES_IN:
        from importlib import import_module  # noqa: PLC0415

        module = import_module(f"oanquan.{_LIES_IN.get(name, name)}")
        return getattr(module, name) if name in _LIES_IN else module
    raise AttributeError(f"module 'oanquan' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What is public, modules included before they are imported."""
    return __all__
