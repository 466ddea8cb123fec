"""`oanquan show`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from oanquan.cli.arguments import LangText, PositionText, RulesText, printable, read_language, read_position
from oanquan.text import board_text


def show(
    position: PositionText,
    /,
    *,
    rules: RulesText = "mancala-world",
    plain: Annotated[bool, Parameter(name="--ascii", help="Draw with plain ASCII characters.")] = False,
    lang: LangText = None,
) -> None:
    """Draw a position: its board, stores, debts, points and legal moves."""
    text = board_text(read_position(position, rules), ascii=plain, lang=read_language(lang))
    print(printable(text))
