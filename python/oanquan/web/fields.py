"""The fields of a request: each read by what it must be, all faults found at once, nothing taken that is not known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

from oanquan.web.errors import WebError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    Reader: TypeAlias = Callable[[object], Any]
    """Returns what a field says; raises `ValueError`, with what was expected, for what it must not be."""


def parse(body: bytes) -> object:
    """Read the JSON of a body.

    >>> parse(b'{"move": "a3+"}')
    {'move': 'a3+'}
    >>> parse(b"{")
    Traceback (most recent call last):
    oanquan.web.errors.WebError: expected JSON in UTF-8
    """
    try:
        made: object = json.loads(body.decode("utf-8"), parse_constant=_refused)
    except (ValueError, RecursionError):
        raise WebError(400, "json", "expected JSON in UTF-8") from None
    return made


def _refused(name: str) -> object:
    raise ValueError(name)


def read(data: object, readers: Mapping[str, Reader], optional: Mapping[str, Reader] | None = None) -> dict[str, Any]:
    r"""Return the fields of an object: all those of `readers`, and of `optional` those that are there.

    Raises `WebError` with every fault: what is missing, what is not as it should be, what is not known.

    >>> read({"move": "a3+"}, {"move": text(4)}, {"ply": whole(0, 10)})
    {'move': 'a3+'}
    >>> try:
    ...     read({"ply": True, "x": 1}, {"move": text(4)}, {"ply": whole(0, 10)})
    ... except WebError as error:
    ...     print(*error.faults, sep="\n")
    ply: expected a whole number from 0 to 10, got True
    'x': unknown field
    move: missing
    """
    if not isinstance(data, dict):
        raise WebError(422, "fields", f"expected an object, got {shown(data)}")
    known = {**(optional or {}), **readers}
    found, faults = {}, []
    for name, value in data.items():
        if name not in known:
            faults.append(f"{shown(name)}: unknown field")
            continue
        try:
            found[name] = known[name](value)
        except ValueError as error:
            faults.append(f"{name}: {error}")
    faults += [f"{name}: missing" for name in readers if name not in data]
    if faults:
        raise WebError(422, "fields", "; ".join(faults[:8]), faults[:64])
    return found


def text(most: int) -> Reader:
    """Read a text of at most so many characters.

    >>> text(4)("a3+")
    'a3+'
    """

    def reader(value: object) -> str:
        if not isinstance(value, str) or len(value) > most:
            raise ValueError(f"expected a text of at most {most} characters, got {shown(value)}")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("expected Unicode, got half of a character") from None
        return value

    return reader


def whole(least: int, most: int) -> Reader:
    """Read a whole number in a range.

    >>> whole(0, 9)(7)
    7
    """

    def reader(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"expected a whole number from {least} to {most}, got {shown(value)}")
        return value

    return reader


def one_of(words: Collection[str]) -> Reader:
    """Read one of these words.

    >>> one_of(("en", "vi"))("vi")
    'vi'
    """

    def reader(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(f"expected one of {', '.join(words)}, got {shown(value)}")
        return value

    return reader


def flag(value: object) -> bool:
    """Read true or false.

    >>> flag(True)
    True
    """
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {shown(value)}")  # noqa: TRY004 (what readers raise)
    return value


def several(reader: Reader, most: int) -> Reader:
    """Read a list of at most so many.

    >>> several(whole(0, 9), 3)([1, 2])
    [1, 2]
    """

    def all_of(value: object) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise ValueError(f"expected a list of at most {most}, got {shown(value)}")
        return [reader(item) for item in value]

    return all_of


def named(reader: Reader, names: Collection[str]) -> Reader:
    """Read an object whose fields all have names among these, and are read alike.

    >>> named(whole(0, 9), ("a1", "a2"))({"a2": 3})
    {'a2': 3}
    """

    def all_of(value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError(f"expected an object, got {shown(value)}")  # noqa: TRY004 (what readers raise)
        made = {}
        for name, item in value.items():
            if name not in names:
                raise ValueError(f"unknown field {shown(name)}")
            try:
                made[name] = reader(item)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
        return made

    return all_of
