"""Make the pages of docs/rules: what each knob of the rules does to a small position, in pictures and in words.

Everything in them is told and drawn by the package; docs/rules/knobs.toml has the positions and who plays each value.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from oanquan import PRESETS, Position, Rules, explaining, svg

FOLDER = Path(__file__).parent.parent.parent / "docs" / "rules"
PAGES = {"en": "knobs.md", "vi": "knobs.vi.md"}
INTRODUCTION = {
    "en": """# The rules, point by point

Ô ăn quan is played in many ways. Each part of this page is one point in which its sources or programs differ, a *knob*
of `oanquan.Rules`, with its values one under the other: the same position, and what becomes of the same move. Pictures
and sentences are made by the engine itself. The [rule book](../../rust/oanquan-core/docs/rules.md) has the exact text;
[trang này bằng tiếng Việt](knobs.vi.md) is this page in Vietnamese.

In the pictures side a sits below and side b above. A numbered circle is where pebbles were lifted, an arrow where they
were sown; a dashed ring is the empty square that was captured over, a dashed frame what was captured, and the red sign
stands where the move stopped. MW is the Mancala World page, EN and VI are the English and the Vietnamese Wikipedia, and
Tonkin is what Ludii gives after Son 1985; *programs* are published programs that play the game.
""",
    "vi": """# Luật chơi, từng điểm một

Ô ăn quan có nhiều cách chơi. Mỗi mục dưới đây là một điểm mà các nguồn hoặc các chương trình nói khác nhau, tức là một
tham số của `oanquan.Rules`, với từng giá trị một: cùng một thế cờ, cùng một nước đi, mỗi luật ra một kết quả. Hình và
lời đều do chính chương trình này tạo ra. Văn bản luật chính xác nằm trong
[sách luật](../../rust/oanquan-core/docs/rules.md) (tiếng Anh); [this page in English](knobs.md) là bản tiếng Anh.

Trong hình, bên a ngồi phía dưới, bên b ngồi phía trên. Vòng tròn có số là chỗ bốc quân, mũi tên là đường rải; vòng nét
đứt là ô trống được ăn qua, khung nét đứt là ô bị ăn, và dấu đỏ là chỗ phải dừng. MW là trang Mancala World, EN và VI là
Wikipedia tiếng Anh và tiếng Việt, Bắc Kỳ là luật ghi trong Ludii theo Son 1985; *chương trình* là các chương trình chơi
ô ăn quan đã công bố.
""",
}
WORDS = {
    "en": {
        "default": "default",
        "sources": "Played by",
        "move": "The move {move} in `{position}`",
        "with": "with `{rules}`",
        "illegal": "{move} is not legal",
        "presets": "Rule sets with a name",
        "changes": "What differs from the default",
    },
    "vi": {
        "default": "mặc định",
        "sources": "Nguồn",
        "move": "Nước {move} ở thế cờ `{position}`",
        "with": "cùng với `{rules}`",
        "illegal": "Không được đi {move}",
        "presets": "Các bộ luật có tên",
        "changes": "Khác luật mặc định ở chỗ",
    },
}


class Case(NamedTuple):
    """One value of a knob, and the position that shows it."""

    knob: str
    value: str
    show: str
    position: Position
    move: str | None
    source: dict[str, str]
    companions: str

    @property
    def picture(self) -> str:
        """The name of its picture, without language and suffix."""
        return f"{self.knob}-{self.value}"


def cases() -> dict[str, list[Case]]:
    """Return the values to show of each knob."""
    table = tomllib.loads((FOLDER / "knobs.toml").read_text(encoding="utf-8"))
    return {knob: [_case(knob, value, entry) for value in entry["sources"]] for knob, entry in table.items()}


def _case(knob: str, value: str, entry: dict[str, Any]) -> Case:
    companions = entry.get("with", "")
    rules = Rules.parse(",".join(filter(None, [companions, f"{knob}={value}"])))
    text = entry.get("position")
    position = Position.parse(text, rules) if text else Position.start(rules)
    return Case(knob, value, entry["show"], position, entry.get("move"), entry["sources"][value], companions)


def picture(case: Case, lang: str) -> str:
    """Return the picture of a value."""
    before, move = case.position, case.move or ""
    if case.show == "way":
        return svg.board(before, trace=before.trace(move), lang=lang)
    if case.show == "after":
        return svg.board(before.play(move), last_move=move, lang=lang)
    arrows = [str(move) for move in before.legal_moves] if case.show == "moves" else []
    return svg.board(before, arrows=arrows, lang=lang)


def told(case: Case, lang: str) -> list[str]:
    """Return what the move does, as a list."""
    if case.move is None:
        return []
    refused = explaining.explain_illegal(case.position, case.move, lang)
    if refused is not None:
        return [f"1. {WORDS[lang]['illegal'].format(move=case.move)}: {refused}."]
    return [
        f"{number}. {sentence}"
        for number, sentence in enumerate(explaining.explain(case.position, case.move, lang), start=1)
    ]


def part(knob: str, values: list[Case], lang: str) -> list[str]:
    """Return what the page says of a knob."""
    words, first = WORDS[lang], values[0]
    lines = [f"## {explaining.knob_title(knob, lang)} (`{knob}`)", "", explaining.knob_meaning(knob, lang)]
    if first.move:
        played = words["move"].format(move=f"`{first.move}`", position=first.position)
        also = f" ({words['with'].format(rules=first.companions)})" if first.companions else ""
        lines += ["", f"{played}{also}:"]
    defaults = dict(Rules().pairs())
    for case in values:
        sentence = explaining.value_in_words(knob, {"on": True, "off": False}.get(case.value, case.value), lang)
        mark = f" ({words['default']})" if defaults[knob] == case.value else ""
        lines += [
            "",
            f"### `{knob}={case.value}`{mark}",
            "",
            f"{sentence} *{words['sources']}: {case.source[lang]}*",
            "",
        ]
        lines += [f"![{sentence}](pictures/{case.picture}.{lang}.svg)"]
        steps = told(case, lang)
        lines += ["", *steps] if steps else []
    return [*lines, ""]


def presets(lang: str) -> list[str]:
    """Return what the page says of the presets."""
    lines = [f"## {WORDS[lang]['presets']}", ""]
    for name, preset in PRESETS.items():
        lines += [f"### {explaining.preset_title(name, lang)} (`{name}`)", "", explaining.preset_meaning(name, lang)]
        changes = explaining.rules_in_words(preset.rules, lang)
        if changes:
            lines += ["", f"{WORDS[lang]['changes']}:", "", *(f"- {change}" for change in changes)]
        lines.append("")
    return lines


def files() -> dict[str, str]:
    """Return every file that is made, by its path from docs/rules."""
    table, made = cases(), {}
    for lang, page in PAGES.items():
        parts = [line for knob, values in table.items() for line in part(knob, values, lang)]
        made[page] = "\n".join([INTRODUCTION[lang], *parts, *presets(lang)]).rstrip("\n") + "\n"
        for case in (case for values in table.values() for case in values):
            made[f"pictures/{case.picture}.{lang}.svg"] = picture(case, lang)
    return made


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write (default: docs/rules)")
    folder = parser.parse_args().folder
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    made = files()
    for old in (folder / "pictures").glob("*.svg"):
        if f"pictures/{old.name}" not in made:
            old.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
