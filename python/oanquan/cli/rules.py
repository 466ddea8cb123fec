"""`oanquan rules`."""

from __future__ import annotations

from textwrap import fill
from typing import Annotated

from cyclopts import Parameter
from rich.table import Table

from oanquan import PRESETS, Rules, _core
from oanquan.cli.tables import console, table


def rules(
    first: Annotated[str | None, Parameter(help="A preset or key=value,... pairs.")] = None,
    second: Annotated[str | None, Parameter(help="Rules to compare the first with.")] = None,
    /,
) -> None:
    """List the presets; show every knob of one set of rules; or show where two sets differ."""
    if first is None:
        console().print(_list())
    elif second is None:
        _show(Rules.parse(first))
    else:
        _compare(Rules.parse(first), Rules.parse(second))


def _list() -> Table:
    presets = table("preset", "changes of the default", "source")
    presets.columns[1].no_wrap = True
    for name, preset in PRESETS.items():
        changes = [f"{knob}={text}" for knob, text in _changed(Rules(), preset.rules)]
        presets.add_row(name, "\n".join(changes) or "none", preset.source)
    return presets


def _show(chosen: Rules) -> None:
    """Every knob with its value, what else it can be and what it decides."""
    text = str(chosen)
    print(text)
    if preset := PRESETS.get(text):
        print(preset.title)
        print(fill(f"source: {preset.source}", 80))
    print("* differs from the default\n")
    values, meanings = dict(chosen.pairs()), dict(_core.knob_summaries())
    for name, default, choices in _core.knobs():
        mark = " " if values[name] == default else "*"
        print(f"{mark} {name} = {values[name]}  ({choices})")
        print(fill(meanings[name], 80, initial_indent=" " * 6, subsequent_indent=" " * 6))


def _compare(first: Rules, second: Rules) -> None:
    differences = table("knob", str(first), str(second), "meaning")
    after, meanings = dict(second.pairs()), dict(_core.knob_summaries())
    for name, text in _changed(second, first):
        differences.add_row(name, text, after[name], meanings[name])
    if differences.row_count:
        console().print(differences)
    else:
        print(f"the same rules: {first}")


def _changed(base: Rules, rules: Rules) -> list[tuple[str, str]]:
    """The knobs of the second rules that differ from the first, with their texts."""
    return [pair for old, pair in zip(base.pairs(), rules.pairs(), strict=True) if pair != old]
