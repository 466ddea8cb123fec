"""Engines: programs that speak the Universal Game Interface, driven from Python.

>>> import oanquan as oaq
>>> from oanquan.engine import OANQUAN, Limit, SimpleEngine
>>> with SimpleEngine.popen(OANQUAN) as engine:
...     result = engine.play(oaq.Game(), Limit(depth=4))
>>> oaq.Position.start().is_legal(result.move)
True

| name | what it is |
|---|---|
| `SimpleEngine` | an engine whose methods wait for the answer |
| `Engine` | the same for programs that use asyncio |
| `Limit` | how long a search may take |
| `PlayResult`, `Info` | the move that an engine plays; what it says of its search |
| `Option` | a setting that an engine has |
| `OANQUAN` | the command of this package's own engine |
| `EngineError` | what is raised about an engine; its kinds: `EngineTerminatedError`, `EngineTimeoutError`, \
`EngineProtocolError` |
"""

from oanquan.engine.driving import Engine
from oanquan.engine.errors import EngineError, EngineProtocolError, EngineTerminatedError, EngineTimeoutError
from oanquan.engine.limits import Limit
from oanquan.engine.messages import Info, Option
from oanquan.engine.process import OANQUAN
from oanquan.engine.searching import PlayResult
from oanquan.engine.simple import SimpleEngine

__all__ = [
    "OANQUAN",
    "Engine",
    "EngineError",
    "EngineProtocolError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Info",
    "Limit",
    "Option",
    "PlayResult",
    "SimpleEngine",
]
