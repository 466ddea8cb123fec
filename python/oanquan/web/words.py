"""The words of the page in a language, and which language a browser asks for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from oanquan import _core
from oanquan.explaining.knobs import knob_meaning, knob_title, preset_meaning, preset_title, value_in_words
from oanquan.language import LANGUAGES, say, sentences
from oanquan.rules import PRESETS, SIDES
from oanquan.web.views import levels_view

if TYPE_CHECKING:
    from oanquan.language import Language

_OF_PLAY = ("hint", "human", "load", "new_game", "redo", "rules", "start", "thinking", "undo")


@cache
def words(lang: Language) -> dict[str, Any]:
    """Return everything that a page says by itself, and the names of rules and strengths.

    >>> words("vi")["words"]["undo"], words("en")["presets"][0]["name"]
    ('Hoàn tác', 'mancala-world')
    """
    texts: dict[str, Any] = {key: sentences("play")[key][lang] for key in _OF_PLAY}
    texts |= {key: forms[lang] for key, forms in sentences("web").items()}
    return {
        "lang": lang,
        "words": texts,
        "sides": {side: say("play.side", lang, side=side) for side in SIDES},
        "levels": levels_view(lang),
        "presets": [
            {
                "name": name,
                "title": preset_title(name, lang),
                "meaning": preset_meaning(name, lang),
                "rules": str(preset.rules),
                "knobs": dict(preset.rules.pairs()),
            }
            for name, preset in PRESETS.items()
        ],
        "knobs": [_knob(name, values, lang) for name, _, values in _core.knobs()],
    }


def _knob(name: str, values: str, lang: Language) -> dict[str, Any]:
    """A knob with what it decides, and each of its values with what that means."""
    least, among, most = values.partition(" to ")
    texts = [str(number) for number in range(int(least), int(most) + 1)] if among else values.split(", ")
    meanings: list[tuple[str, int | str | bool]] = [(text, _value(text)) for text in texts]
    return {
        "name": name,
        "title": knob_title(name, lang),
        "meaning": knob_meaning(name, lang),
        "number": bool(among),
        "values": [{"value": text, "meaning": value_in_words(name, value, lang)} for text, value in meanings],
    }


def _value(text: str) -> int | str | bool:
    return int(text) if text.isdigit() else {"on": True, "off": False}.get(text, text)


def asked_language(header: str) -> Language:
    """Return the language that an `Accept-Language` header asks for most, of those that there are.

    >>> asked_language("vi-VN,vi;q=0.9,en;q=0.8"), asked_language("fr, en;q=0.5, vi;q=0.7"), asked_language("x;q=;;")
    ('vi', 'vi', 'en')
    """
    best, wish = LANGUAGES[0], 0.0
    for part in header[:1000].split(","):
        tag, _, rest = part.partition(";")
        name = tag.strip().lower().partition("-")[0]
        weight = rest.strip().lower().removeprefix("q=") or "1"
        number = float(weight) if weight.replace(".", "", 1).isdigit() and weight.isascii() else 0.0
        if name in LANGUAGES and wish < number <= 1:
            best, wish = name, number
    return best
