"""What engines say, line by line."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from os import PathLike
    from typing import TypeAlias

    from oanquan._core import Move, Position

    Value: TypeAlias = str | int | bool | PathLike[str] | None

_POINT = 100  # scores are sent in hundredths of a point
_OPTION_WORDS = ("default", "min", "max", "var")


@dataclass(frozen=True)
class Option:
    """A setting that an engine has.

    Attributes:
        name: Its name.
        type: `"check"`, `"spin"`, `"combo"`, `"string"`, `"button"`, or what else the engine calls it.
        default: Its value at first: a bool for a check, an int for a spin, a str otherwise; `None` for none.
        min: The least value of a spin.
        max: The greatest value of a spin.
        var: The values of a combo.

    >>> Option.parse("option name Hash type spin default 16 min 1 max 1024")
    Option(name='Hash', type='spin', default=16, min=1, max=1024, var=())
    """

    name: str
    type: str
    default: str | int | bool | None = None
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()

    @staticmethod
    def parse(line: str) -> Option:
        """Read the line of an option.

        Raises:
            OanquanError: The line is no option.

        >>> Option.parse("option name Playing Style type combo default Calm var Calm var Very Bold").var
        ('Calm', 'Very Bold')
        """
        words = line.split()
        try:
            at = words.index("type", 3)  # a name has at least one word
            kind = words[at + 1]
        except (ValueError, IndexError):
            kind = ""
        if not kind or words[:2] != ["option", "name"]:
            raise OanquanError(f'option: expected "option name NAME type TYPE", got {short(line)!r}')
        found = _clauses(words[at + 2 :], _OPTION_WORDS if kind in ("spin", "combo") else ())
        try:
            least, most = (int(found[word][0]) if word in found else None for word in ("min", "max"))
            default = _typed(kind, found["default"][0]) if "default" in found else None
        except ValueError:
            raise OanquanError(f"option: expected numbers in a spin, got {short(line)!r}") from None
        return Option(" ".join(words[2:at]), kind, default, least, most, tuple(found.get("var", ())))

    def text(self, value: Value) -> str | None:
        """Return a value as the protocol writes it; `None` for a button, which has none.

        Raises:
            OanquanError: It is no value of this option.

        >>> option = Option("Hash", "spin", 16, 1, 1024)
        >>> option.text(64)
        '64'
        >>> option.text(4096)
        Traceback (most recent call last):
        oanquan.errors.OanquanError: option Hash: expected 1 to 1024, got 4096
        """
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        match self.type:
            case "button":
                valid, wanted = value is None or value is True, "None, as a button has no value"
            case "check":
                valid, wanted = isinstance(value, bool), "True or False"
            case "spin":
                number = isinstance(value, int) and not isinstance(value, bool)
                least, most = self.min, self.max
                valid = number and (least is None or least <= value) and (most is None or value <= most)  # type: ignore[operator]
                bounds = f"{'any' if least is None else least} to {'any' if most is None else most}"
                wanted = "a whole number" if least is None and most is None else bounds
            case "combo":
                valid, wanted = value in self.var, f"one of {', '.join(self.var)}"
            case _:
                valid = isinstance(value, str | int) and _is_line(str(value))
                wanted = "a text of one line"
        if not valid:
            raise OanquanError(f"option {self.name}: expected {wanted}, got {short(value)}")
        if self.type == "button":
            return None
        return (str(value).lower() if isinstance(value, bool) else str(value)) or "<empty>"


def _is_line(text: str) -> bool:
    """Whether a text can be sent as part of a line; file names that are no text can."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return "\n" not in text and "\r" not in text


def short(value: object) -> str:
    """Return a value as a message shows it.

    >>> short("no" * 200) == "no" * 100 + "..."
    True
    """
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}..."


def _clauses(words: list[str], keys: tuple[str, ...]) -> dict[str, list[str]]:
    """The texts after each of these keywords; without keywords: what follows the first one, which is `default`."""
    found: dict[str, list[list[str]]] = {}
    if not keys:
        return {"default": [" ".join(words[1:])]} if words[:1] == ["default"] else {}
    text: list[str] = []  # of no keyword
    for word in words:
        if word in keys:
            text = []
            found.setdefault(word, []).append(text)
        else:
            text.append(word)
    return {key: [" ".join(text) for text in texts] for key, texts in found.items()}


def _typed(kind: str, text: str) -> str | int | bool:
    """The default of an option."""
    if kind == "spin":
        return int(text)
    if kind == "check":
        return text.lower() == "true"
    return "" if text == "<empty>" else text


@dataclass(frozen=True)
class Info:
    """What an engine says of its search. What it did not say is `None`.

    Attributes:
        depth: Plies looked ahead.
        seldepth: The most plies that a line was followed.
        score: The final margin that the engine expects, in points, seen from the side to move.
        bound: `"lower"` or `"upper"` if the score is only a bound.
        mate: Plies to a forced end, for engines that tell it instead of a score; below zero if the side to move loses.
        nodes: Positions looked at.
        time: Seconds searched.
        nps: Positions looked at in a second.
        hashfull: How full the transposition table is, 0 to 1.
        multipv: The rank of this line, 1 for the best.
        line: The moves that the engine expects, as far as they are legal.
        text: Words for people.
        others: What was said last of the second best line, the third and so on, where the engine tells of several.

    >>> Info(depth=8, score=1.5, nodes=12000, time=0.25).score
    1.5
    """

    depth: int | None = None
    seldepth: int | None = None
    score: float | None = None
    bound: str | None = None
    mate: int | None = None
    nodes: int | None = None
    time: float | None = None
    nps: int | None = None
    hashfull: float | None = None
    multipv: int | None = None
    line: tuple[Move, ...] = ()
    text: str | None = None
    others: tuple[Info, ...] = field(default=(), repr=False)

    @staticmethod
    def parse(line: str, position: Position) -> Info:
        """Read a line about the search of that position. What is not understood is left out.

        >>> import oanquan as oaq
        >>> start = oaq.Position.start()
        >>> info = Info.parse("info depth 2 score cp -150 upperbound nodes 90 time 20 pv a1+ b2-", start)
        >>> info.depth, info.score, info.bound, info.nodes, info.time, info.line
        (2, -1.5, 'upper', 90, 0.02, (Move('a1+'), Move('b2-')))
        """
        found: dict[str, float | str | tuple[Move, ...] | None] = {}
        words = iter(line.split()[1:])
        for word in words:
            if word == "string":
                found["text"] = line.split("string", 1)[1].strip()
                break
            if word == "pv":
                found["line"] = _moves(list(words), position)
            elif word in ("lowerbound", "upperbound"):
                found["bound"] = word[:5]
            elif word in _NUMBERS:
                name, kind, scale = _NUMBERS[word]
                with suppress(ValueError, OverflowError):
                    number = kind(next(words, ""))
                    found[name] = number if scale == 1 else number / scale
        return Info(**found)  # type: ignore[arg-type]

    def updated(self, later: Info) -> Info:
        """Return this with what was said later.

        >>> Info(depth=3, score=2.0, bound="lower").updated(Info(depth=4, score=1.0))
        Info(depth=4, seldepth=None, score=1.0, bound=None, mate=None, nodes=None, time=None, nps=None, hashfull=None, \
multipv=None, line=(), text=None)
        """
        said = {one.name: value for one in fields(later) if (value := getattr(later, one.name)) not in (None, ())}
        if "score" in said or "mate" in said:  # a score is one with its bound
            said = {"score": None, "mate": None, "bound": None, **said}
        return replace(self, **said)


_NUMBERS: dict[str, tuple[str, type[int], int]] = {
    "depth": ("depth", int, 1),
    "seldepth": ("seldepth", int, 1),
    "cp": ("score", int, _POINT),
    "mate": ("mate", int, 1),
    "nodes": ("nodes", int, 1),
    "time": ("time", int, 1000),
    "nps": ("nps", int, 1),
    "hashfull": ("hashfull", int, 1000),
    "multipv": ("multipv", int, 1),
}


def _moves(words: list[str], position: Position) -> tuple[Move, ...]:
    """The moves of a line, up to the first that is none."""
    moves: list[Move] = []
    for word in words:
        move = move_of(word, position)
        if move is None:
            break
        moves.append(move)
        position = position.play(move)
    return tuple(moves)


def move_of(text: str, position: Position) -> Move | None:
    """Return the legal move with that text, or `None`.

    >>> import oanquan as oaq
    >>> move_of("a3+", oaq.Position.start()), move_of("b3+", oaq.Position.start())
    (Move('a3+'), None)
    """
    return next((move for move in position.legal_moves if str(move) == text), None)
