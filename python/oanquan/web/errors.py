"""What is answered to a request that cannot be served: one JSON shape, a status and a code that programs can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


class WebError(Exception):
    """A request that cannot be served.

    `status` is that of HTTP, `code` a word for programs, and `faults` every fault that was found, if there may be
    several.

    >>> WebError(404, "unknown_game", "there is no such game").to_dict()
    {'error': {'code': 'unknown_game', 'message': 'there is no such game', 'faults': []}}
    """

    def __init__(self, status: int, code: str, message: str, faults: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.faults = tuple(faults)

    def to_dict(self) -> dict[str, Any]:
        """Return what is sent.

        >>> WebError(422, "fields", "2 faults", ("a: expected text", "b: unknown field")).to_dict()["error"]["faults"]
        ['a: expected text', 'b: unknown field']
        """
        return {"error": {"code": self.code, "message": str(self), "faults": [*self.faults]}}


def shown(value: object) -> str:
    """Return a value of a client as it may stand in a message: short, and in characters that everything can show.

    >>> shown("a" * 100), shown({"a": 1})
    ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...", "{'a': 1}")
    >>> shown(10**5000)
    'a long number'
    """
    if isinstance(value, int) and value.bit_length() > 128:
        return "a long number"  # Python prints no number of any length
    if isinstance(value, list | dict) and len(value) > 8:
        return f"{type(value).__name__} of {len(value)}"
    if isinstance(value, str):
        value = value[:64]
    try:
        text = ascii(value)
    except (RecursionError, ValueError):
        return type(value).__name__
    return text if len(text) <= 40 else f"{text[:40]}..."
