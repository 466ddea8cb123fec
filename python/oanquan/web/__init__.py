"""The board in a browser: an application for ASGI servers, and a server of one's own.

Needs starlette and uvicorn: `pip install 'oanquan[web]'`. From the command line: `oanquan serve`.

>>> from oanquan import web
>>> application = web.app()

| name | what it is |
|---|---|
| `app` | the application, for any server that speaks ASGI |
| `serve` | runs it on this machine, by uvicorn |
"""

from oanquan.web.application import app
from oanquan.web.serving import serve

__all__ = ["app", "serve"]
