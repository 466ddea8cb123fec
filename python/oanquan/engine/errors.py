"""What is raised about an engine."""

from __future__ import annotations

from oanquan.errors import OanquanError


class EngineError(OanquanError):
    """An engine that cannot be started, or that refuses what it is told; the base of what is raised about engines.

    `stderr` is the end of what the engine wrote to its standard error, at most 4 KiB.

    >>> error = EngineError("engine fuseki: expected a table, got none", "no such file: table.bin")
    >>> print(error, "|", error.stderr)
    engine fuseki: expected a table, got none | no such file: table.bin
    """

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message, stderr)
        self.stderr = stderr


class EngineTerminatedError(EngineError):
    """An engine that has ended: it crashed, was killed, or closed its output; or one that was closed before.

    `exit_code` is that of its process: below zero the number of the signal that ended it; `None` if it is not known.

    >>> EngineTerminatedError("engine fuseki: expected an answer, got its end", "panicked", 101).exit_code
    101
    """

    def __init__(self, message: str, stderr: str = "", exit_code: int | None = None) -> None:
        super().__init__(message, stderr)
        self.args = (message, stderr, exit_code)
        self.exit_code = exit_code


class EngineTimeoutError(EngineError):
    """An engine that did not answer in time.

    >>> raise EngineTimeoutError("engine fuseki: expected readyok within 10 s, got nothing")
    Traceback (most recent call last):
    oanquan.engine.errors.EngineTimeoutError: engine fuseki: expected readyok within 10 s, got nothing
    """


class EngineProtocolError(EngineError):
    """An engine that answered what the protocol, or the rules of the game, do not allow.

    `line` is what it said.

    >>> EngineProtocolError("engine fuseki: expected a legal move", "", "bestmove a9+").line
    'bestmove a9+'
    """

    def __init__(self, message: str, stderr: str = "", line: str = "") -> None:
        super().__init__(message, stderr)
        self.args = (message, stderr, line)
        self.line = line
