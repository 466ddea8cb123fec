"""Big runs: games by the thousand million as Parquet files, on one machine or on many.

>>> import tempfile
>>> from oanquan import runs
>>> with tempfile.TemporaryDirectory() as directory:
...     finished = runs.run(directory, 1000, seed=7, shard_games=400)
...     [path.name for path in finished.paths]
['games-000000000000-000000000400.parquet', 'games-000000000400-000000000800.parquet', \
'games-000000000800-000000001000.parquet']

| name | what it is |
|---|---|
| `run`, `Run` | play games into a directory, or go on with it; what is there when it is finished |
| `verify`, `Verification` | look for anything wrong, and play a sample again |
| `convert`, `FORMS` | all games as one file of text |
| `EXECUTORS` | where the games can be played |
| `Settings`, `Shard` | what decides the games of a run; a range of them in a file |
| `RunError`, `RunInterrupted` | what is raised about the directory, and by Ctrl-C |
"""

from oanquan.runs.converting import FORMS, convert
from oanquan.runs.errors import RunError, RunInterrupted
from oanquan.runs.executors import EXECUTORS
from oanquan.runs.running import Run, run
from oanquan.runs.settings import Settings
from oanquan.runs.shards import Shard
from oanquan.runs.verifying import Verification, verify

__all__ = [
    "EXECUTORS",
    "FORMS",
    "Run",
    "RunError",
    "RunInterrupted",
    "Settings",
    "Shard",
    "Verification",
    "convert",
    "run",
    "verify",
]
