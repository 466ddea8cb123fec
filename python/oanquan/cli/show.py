"""`oanquan show`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from oanquan import svg
from oanquan.cli.arguments import LangText, PositionText, RulesText, printable, read_language, read_position
from oanquan.cli.drawing import OrientationText, OutText, ThemeText, chosen, save, without_text
from oanquan.text import board_text


def show(
    position: PositionText,
    /,
    *,
    rules: RulesText = "mancala-world",
    plain: Annotated[bool, Parameter(name="--ascii", help="Draw with plain ASCII characters.")] = False,
    lang: LangText = None,
    out: OutText = None,
    move: Annotated[str | None, Parameter(help="With --out: the last move, to be marked, such as b2-.")] = None,
    theme: ThemeText = None,
    orientation: OrientationText = None,
) -> None:
    """Draw a position: its board, stores, debts, points and legal moves; as text, or with --out as a picture."""
    without_text(out, ascii=plain)
    options = chosen(out, move=move, theme=theme, orientation=orientation)
    shown, language = read_position(position, rules), read_language(lang)
    if out is None:
        print(printable(board_text(shown, ascii=plain, lang=language)))
        return
    options["last_move"] = options.pop("move", None)
    save(svg.board(shown, lang=language, **options), out)
