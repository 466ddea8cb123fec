"""`oanquan trace`."""

from __future__ import annotations

from textwrap import fill
from typing import Annotated

from cyclopts import Parameter

from oanquan import svg
from oanquan.cli import drawing
from oanquan.cli.arguments import LangText, PositionText, RulesText, printable, read_language, read_position
from oanquan.cli.drawing import OrientationText, OutText, ThemeText
from oanquan.explaining import explain, explain_step
from oanquan.language import say


def trace(
    position: PositionText,
    move: Annotated[str, Parameter(help="A legal move, such as a3+ or 3-.")],
    /,
    *,
    rules: RulesText = "mancala-world",
    steps: Annotated[bool, Parameter(name="--steps", help="List the steps one by one.")] = False,
    lang: LangText = None,
    out: OutText = None,
    theme: ThemeText = None,
    orientation: OrientationText = None,
) -> None:
    """Play one move: what happens in sentences, or every step, then the position after it.

    With --out it is drawn instead: it moves in .svg; in .png the way it went is marked.
    """
    drawing.without_text(out, steps=steps)
    options = drawing.chosen(out, theme=theme, orientation=orientation)
    before, chosen = read_position(position, rules), read_language(lang)
    if out is not None:
        moving = not out.lower().endswith(".png")
        drawn = svg.animation(before, move, lang=chosen, **options) if moving else None
        drawing.save(drawn or svg.board(before, trace=before.trace(move), lang=chosen, **options), out)
        return
    told = [explain_step(s, chosen) for s in before.trace(move)] if steps else map(str, explain(before, move, chosen))
    lines = list(told)
    width = len(str(len(lines)))
    for number, line in enumerate(lines, start=1):
        text = fill(line, 80, initial_indent=f"{number:>{width}}  ", subsequent_indent=" " * (width + 2))
        print(printable(text))
    print(printable(f"{say('text.position_after', chosen)}: {before.play(move)}"))
