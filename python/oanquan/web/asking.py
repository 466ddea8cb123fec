"""What needs no game of the server: rules, set-ups, records, the steps of a move, what other rules would change."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any

from oanquan._core import Debt, Move, Position, Store
from oanquan.errors import OanquanError, PositionError
from oanquan.explaining import rules_in_words
from oanquan.frames import Frame
from oanquan.language import say
from oanquan.records import count
from oanquan.records import read as read_records
from oanquan.rules import SIDES, Rules
from oanquan.setups import Setup
from oanquan.web.errors import WebError
from oanquan.web.faults import fault_in_words
from oanquan.web.fields import named, one_of, several, text, whole
from oanquan.web.views import MOST_FRAMES, picture, sentences, steps_view

if TYPE_CHECKING:
    from oanquan.web.fields import Reader

MOST_STEPS = 20_000
MOST_RECORDS = 200
RULES_TEXT, POSITION_TEXT, MOVE_TEXT, RECORDS_TEXT = text(600), text(400), text(8), text(1024 * 1024)
_SQUARES = [side + square for side in SIDES for square in (*map(str, range(1, 8)), "m")]
_COUNT, _STORED = whole(-9999, 9999), several(whole(-9999, 9999), 2)

RECORDS: dict[str, Reader] = {"text": RECORDS_TEXT}
STEPS: dict[str, Reader] = {"rules": RULES_TEXT, "position": POSITION_TEXT, "move": MOVE_TEXT}
STEPS_TOO: dict[str, Reader] = {"first": whole(0, MOST_STEPS), "count": whole(1, MOST_FRAMES)}
COMPARE: dict[str, Reader] = {"rules": RULES_TEXT, "position": POSITION_TEXT, "other": RULES_TEXT}
RULES: dict[str, Reader] = {"rules": RULES_TEXT}
SETUP: dict[str, Reader] = {"rules": RULES_TEXT}
SETUP_TOO: dict[str, Reader] = {
    "text": POSITION_TEXT,
    "pebbles": named(_COUNT, _SQUARES),
    "mandarins": named(_COUNT, _SQUARES),
    "stores": named(_STORED, SIDES),
    "debts": several(named(text(8), ("debtor", "creditor", "pebbles")), 12),
    "turn": one_of(SIDES),
    "ply": whole(0, 9999),
}


def rules(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what rules are: their text, every knob, and in words how they differ from the default.

    >>> rules({"rules": "quan-non", "lang": "vi"})["knobs"]["immature_below"]
    '5'
    """
    read = Rules.parse(asked["rules"])
    return {
        "rules": str(read),
        "knobs": dict(read.pairs()),
        "words": list(rules_in_words(read, asked.get("lang", "en"))),
        "names": list(read.square_names),
        "points": read.total_points,
        "start": str(Position.start(read)),
    }


def records(asked: dict[str, Any]) -> dict[str, Any]:
    """Return which games stand in a text: what there is to choose between.

    >>> records({"text": '[Players "An / Binh"] 1. a3+ *'})["games"]
    [{'number': 1, 'plies': 1, 'players': 'An / Binh', 'result': '*', 'rules': 'mancala-world'}]
    """
    written = asked["text"].encode()
    shown = [
        {
            "number": number,
            "plies": len(game),
            "players": game.headers.get("Players", "")[:200],
            "result": "*" if game.outcome is None else "/".join(map(str, game.outcome.points)),
            "rules": str(game.start.rules),
        }
        for number, game in enumerate(islice(read_records(BytesIO(written)), MOST_RECORDS), 1)
    ]
    return {"count": count(BytesIO(written)), "games": shown}


def steps(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the boards of a move, step by step, and its sentences.

    >>> start = "1.1.0q1/1.1.0q1 0/0 - a 0"
    >>> steps({"rules": "squares=2", "position": start, "move": "a2-"})["steps"]
    3
    """
    position = Position.parse(asked["position"], Rules.parse(asked["rules"]))
    move = _legal(position, asked["move"])
    return steps_view(position, move, asked, asked.get("first", 0), asked.get("count", MOST_FRAMES))


def _legal(position: Position, written: str) -> Move:
    move = Move(written)
    position.play(move)
    return move


def setup(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the position that is set up, or everything that is wrong with it; its picture in any case.

    >>> made = setup({"rules": "squares=1", "pebbles": {"a1": 300}})
    >>> made["position"] is None, len(made["faults"]) > 1
    (True, True)
    """
    read = Rules.parse(asked["rules"])
    being = Setup.parse(asked["text"], read) if "text" in asked else _setup(read, asked)
    position, faults = _tried(being)
    return {
        "position": None if position is None else str(position),
        "faults": [fault_in_words(fault, asked.get("lang", "en")) for fault in faults[:64]],
        "rules": str(read),
        "names": list(read.square_names),
        "board": {"sides": read.sides, "squares": read.squares, "names": read.square_names},
        "pebbles": {name: being.pebbles.get(name, 0) for name in read.square_names},
        "mandarins": {name: being.mandarins.get(name, 0) for name in read.square_names},
        "stores": {side: _pair(being.stores.get(side)) for side in SIDES[: read.sides]},
        "debts": [{"debtor": d.debtor, "creditor": d.creditor, "pebbles": str(d.pebbles)} for d in being.debts],
        "turn": being.turn,
        "ply": being.ply,
        "points": _worth(being),
        "total": read.total_points,
        "picture": picture(_drawn(being), asked),
    }


def _tried(being: Setup) -> tuple[Position | None, tuple[str, ...]]:
    """The position, or all that is wrong with it."""
    try:
        return being.position(), ()
    except PositionError as error:
        return None, error.faults


def _setup(read: Rules, asked: dict[str, Any]) -> Setup:
    """What the fields say."""
    debts = []
    for debt in asked.get("debts", []):
        count = debt.get("pebbles", "")
        if {"debtor", "creditor"} - debt.keys() or not (count.isascii() and count.isdigit()):
            raise WebError(422, "fields", "debts: expected debtor, creditor and a number of pebbles")
        debts.append(Debt(debt["debtor"], debt["creditor"], int(count)))
    stores = asked.get("stores", {})
    if any(len(store) != 2 for store in stores.values()):
        raise WebError(422, "fields", "stores: expected pebbles and mandarins of each side")
    return Setup(
        rules=read,
        pebbles=asked.get("pebbles", {}),
        mandarins=asked.get("mandarins", {}),
        stores={side: Store(*store) for side, store in stores.items()},
        debts=debts,
        turn=asked.get("turn", "a"),
        ply=asked.get("ply", 0),
    )


def _pair(store: Store | None) -> list[int]:
    return [0, 0] if store is None else [store.pebbles, store.mandarins]


def _worth(being: Setup) -> int:
    """The points on the board and in the stores: what a fault of the sum is about."""
    value = being.rules.mandarin_value
    loose = sum(being.pebbles.values()) + sum(store.pebbles for store in being.stores.values())
    stones = sum(being.mandarins.values()) + sum(store.mandarins for store in being.stores.values())
    return loose + value * stones


def _sum(being: Setup, store: Store) -> int:
    return store.pebbles + being.rules.mandarin_value * store.mandarins


def _drawn(being: Setup) -> Frame:
    """A board that may be wrong, to be drawn."""
    names, sides = being.rules.square_names, SIDES[: being.rules.sides]
    return Frame(
        being.rules,
        tuple(min(max(being.pebbles.get(name, 0), 0), 9999) for name in names),
        tuple(min(max(being.mandarins.get(name, 0), 0), 1) for name in names),
        tuple(being.stores.get(side, Store(0)) for side in sides),
        tuple(debt for debt in being.debts if {debt.debtor, debt.creditor} <= {*sides}),
        tuple(_sum(being, being.stores.get(side, Store(0))) for side in sides),
        being.turn if being.turn in sides else "a",
        being.ply,
    )


def compare(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what other rules would change: in words, and move by move where the position can stand under them.

    >>> compare({"rules": "mancala-world", "position": str(Position.start()), "other": "capture_chain=off"})["fits"]
    True
    """
    lang = asked.get("lang", "en")
    before, other = Rules.parse(asked["rules"]), Rules.parse(asked["other"])
    position = Position.parse(asked["position"], before)
    found: dict[str, Any] = {
        "rules": str(other),
        "words": list(rules_in_words(other, lang, base=before)),
        "fits": True,
        "faults": [],
        "moves": [],
    }
    if position.is_over:
        return found
    if (before.sides, before.squares) != (other.sides, other.squares):
        return {**found, "fits": False, "faults": [say("web.other_board", lang)]}
    try:
        moved = replace(Setup.of(position), rules=other).position()
    except PositionError as error:
        return {**found, "fits": False, "faults": [fault_in_words(fault, lang) for fault in error.faults[:64]]}
    found["position"] = str(moved)
    seen = dict.fromkeys((*position.legal_moves, *moved.legal_moves))
    found["moves"] = [
        {"move": str(move), "same": same, "now": now, "then": then}
        for move in sorted(seen, key=lambda move: move.action)
        for same, now, then in [_both(position, moved, move, lang)]
    ]
    return found


def _both(position: Position, moved: Position, move: Move, lang: str) -> tuple[bool, Any, Any]:
    """Whether a move leads to the same board under both rules, and what it does under each."""
    now, then = (_result(one, move, lang) for one in (position, moved))
    same = now is not None and then is not None and now["after"] == then["after"]
    return same, now, then


def _result(position: Position, move: Move, lang: str) -> dict[str, Any] | None:
    try:
        after = position.play(move)
    except OanquanError:
        return None
    told = sentences(position, move, lang)
    return {
        "after": str(after),
        "gain": after.points["abcd".index(move.side)] - position.points["abcd".index(move.side)],
        "text": told[-1]["text"] if told else "",
        "over": after.is_over,
    }
