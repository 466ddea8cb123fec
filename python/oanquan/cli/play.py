"""`oanquan play`."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from oanquan.cli.arguments import RulesText, Whole, cannot_read
from oanquan.cli.status import UsageError
from oanquan.language import language
from oanquan.play import LEVELS, Session
from oanquan.rules import Rules

_OPPONENT = "casual"


def play(
    *,
    rules: RulesText | None = None,
    side: Annotated[Literal["a", "b", "c", "d", "all", "none"] | None, Parameter(name=["--side", "-s"])] = None,
    opponent: Annotated[str | None, Parameter(name=["--opponent", "--level", "-o"])] = None,
    load: str | None = None,
    game: Whole = 1,
    lang: str | None = None,
    speed: Literal["slow", "normal", "fast", "instant"] | None = None,
) -> None:
    """Play in the terminal, against an agent or another person; it goes on with the last game, or asks what to play.

    Parameters
    ----------
    side
        The side that you take; `all` for people at every side, `none` to watch.
    opponent
        A strength, as a name or a number from 1 to 7: beginner, easy, casual, skilled, strong, expert, master; or the
        text of an agent.
    load
        Go on with a game of this file of records.
    game
        Which game of the file, from 1.
    lang
        en or vi; by default what was chosen last, or what the environment asks for.
    speed
        How fast the steps of a move are shown.
    """
    if lang is not None:
        language(lang)
    session = None
    if load is not None:
        if rules is not None or side is not None or opponent is not None:
            raise UsageError("expected a file to load, or rules, side and opponent of a new game; got both")
        session = _loaded(load, game)
    elif rules is not None or side is not None or opponent is not None:
        session = _new(Rules() if rules is None else Rules.parse(rules), side or "a", opponent or _OPPONENT)
    try:
        from oanquan.terminal import PlayApp  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("textual", "platformdirs"):
            raise
        raise UsageError("to play needs textual: pip install 'oanquan[play]'") from None
    application = PlayApp(session, lang=lang, speed=speed)
    if not is_terminal():
        raise UsageError("expected a terminal to play in, got a pipe or a file")
    application.run()


def is_terminal() -> bool:
    """Return whether there is a terminal to play in."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _loaded(path: str, game: int) -> Session:
    try:
        return Session.load(path, game)
    except OSError as error:
        raise cannot_read(path, error) from None


def _new(rules: Rules, side: str, opponent: str) -> Session:
    numbers = {str(level.number): level.name for level in LEVELS.values()}
    return Session.against(numbers.get(opponent, opponent), rules, side=side)
