"""The rules in words: knobs, their values, and presets, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.checks import kind_of
from oanquan.errors import OanquanError
from oanquan.language import language, say, sentences
from oanquan.rules import PRESETS, Rules

if TYPE_CHECKING:
    from oanquan.rules import Knob


def rules_in_words(rules: Rules, lang: str = "en", *, base: Rules | None = None) -> tuple[str, ...]:
    """Return what differs from the default, or from other rules, a sentence for each knob; none if nothing does.

    >>> import oanquan as oaq
    >>> for sentence in rules_in_words(oaq.Rules.preset("quan-non"), "vi"):
    ...     print(sentence)
    Rải xong gặp ô quan trống thì được ăn ô kế sau, như với ô dân trống.
    Không được ăn quan non, tức là quan chưa có đủ 5 dân cùng ô.
    """
    lang, base = language(lang), Rules() if base is None else base
    for name, given in (("rules", rules), ("base", base)):
        kind_of(name, given, Rules)
    pairs = zip(rules.pairs(), base.pairs(), strict=True)
    changed = [pair for pair, other in pairs if pair != other]
    return tuple(_value(name, text, lang) for name, text in changed)


def value_in_words(knob: str, value: Knob, lang: str = "en") -> str:
    """Return what a value of a knob means.

    >>> value_in_words("mandarin_value", 5), value_in_words("capture_chain", False, "vi")
    ('A mandarin is worth 5 points.', 'Mỗi lượt chỉ được ăn một ô, không ăn liên hoàn.')
    """
    text = {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
    return _value(_knob(knob), text, lang)


def knob_title(knob: str, lang: str = "en") -> str:
    """Return what a knob is called.

    >>> knob_title("immature_below", "vi")
    'Quan non'
    """
    return say(f"rules.{_knob(knob)}", language(lang))


def knob_meaning(knob: str, lang: str = "en") -> str:
    """Return what a knob decides.

    >>> knob_meaning("immature_below", "vi")
    'Ô quan có ít hơn mấy dân thì quan còn non, chưa được ăn.'
    """
    return say(f"rules.{_knob(knob)}.meaning", language(lang))


def preset_title(preset: str, lang: str = "en") -> str:
    """Return what a preset is called; in English its `title`.

    >>> preset_title("quan-non", "vi")
    'Không ăn quan non'
    """
    return say(f"rules.{_known(preset, PRESETS, 'preset')}", language(lang))


def preset_meaning(preset: str, lang: str = "en") -> str:
    """Return what is special about a preset.

    >>> preset_meaning("quan-five", "vi")
    'Một quan chỉ tính năm điểm thay vì mười.'
    """
    return say(f"rules.{_known(preset, PRESETS, 'preset')}.meaning", language(lang))


def _value(knob: str, text: str, lang: str) -> str:
    exact, table = f"{knob}={text}", sentences("rules")
    if exact in table:
        return say(f"rules.{exact}", lang)
    if f"{knob}=" not in table or not text.isdigit():
        values = ", ".join(key.partition("=")[2] for key in table if key.startswith(f"{knob}="))
        raise OanquanError(f"{knob}: expected {values or 'a number'}, got {text!r}")
    return say(f"rules.{knob}=", lang, count=int(text))


def _knob(name: str) -> str:
    return _known(name, dict(Rules().pairs()), "knob")


def _known(name: str, among: object, what: str) -> str:
    names = list(among)  # type: ignore[call-overload]
    if name not in names:
        raise OanquanError(f"{what}: expected one of {', '.join(names)}, got {name!r}")
    return name
