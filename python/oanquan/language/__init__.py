"""What the package says to people, in English and in Vietnamese: sentences by their names, in tables beside this file.

Each table (`steps.toml`, ...) has both languages of a sentence side by side. A sentence has places for values,
`"{side} borrows {pebbles}"`; in English one that counts may have two forms, which `count` chooses between.
"""

from __future__ import annotations

import locale
import os
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias, cast, get_args

from oanquan.errors import OanquanError

Language: TypeAlias = Literal["en", "vi"]
"""English or Vietnamese."""

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""The languages, the one that is taken where nobody chooses first."""

_Forms: TypeAlias = str | dict[str, str]


def say(name: str, lang: str, **values: object) -> str:
    """Return a sentence, `"table.key"`, in a language, with these values in its places.

    Raises `OanquanError` for a language that is not known, and `KeyError` for a sentence that is not there.

    >>> say("steps.pebbles", "en", count=1), say("steps.pebbles", "en", count=5), say("steps.pebbles", "vi", count=5)
    ('1 pebble', '5 pebbles', '5 dân')
    """
    table, _, key = name.partition(".")
    forms = sentences(table)[key][language(lang)]
    text = forms if isinstance(forms, str) else forms["one" if values.get("count") == 1 else "other"]
    return text.format_map(values) if values else text


@cache
def sentences(table: str) -> dict[str, dict[Language, _Forms]]:
    """Return a table: for each key the sentence in each language.

    >>> sentences("steps")["pebbles"]["vi"]
    '{count} dân'
    """
    text = files(__name__).joinpath(f"{table}.toml").read_text(encoding="utf-8")
    return cast("dict[str, dict[Language, _Forms]]", tomllib.loads(text))


def language(name: str) -> Language:
    """Return the language of that name, which must be known.

    >>> language("vi")
    'vi'
    >>> language("fr")
    Traceback (most recent call last):
    oanquan.errors.OanquanError: lang: expected one of en, vi, got 'fr'
    """
    if name not in LANGUAGES:
        raise OanquanError(f"lang: expected one of {', '.join(LANGUAGES)}, got {name!r}")
    return name


def preferred() -> Language:
    """Return the language that the environment asks for, as programs in a terminal find it: Vietnamese or English.

    >>> preferred() in LANGUAGES
    True
    """
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable)
        if value:
            return "vi" if value.lower().startswith("vi") else "en"
    return "vi" if (locale.getlocale()[0] or "").lower().startswith("vi") else "en"
