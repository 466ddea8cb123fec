"""The symmetries of the board, on position texts: the seats turned round the ring, left and right exchanged."""

from __future__ import annotations

import dataclasses

import oanquan

LETTERS = "abcd"
OTHER_SIGN = {"+": "-", "-": "+"}


def rotate_side(side: str, by: int, sides: int) -> str:
    return LETTERS[(LETTERS.index(side) + by) % sides]


def rotate_move(move: str, by: int, sides: int) -> str:
    return rotate_side(move[0], by, sides) + move[1:]


def rotate_values(values: tuple[int, ...], by: int) -> tuple[int, ...]:
    """One value a side, each handed `by` seats on."""
    return values[-by:] + values[:-by]


def rotate_text(text: str, by: int) -> str:
    """The same position seen from a seat `by` places on: what side a had, the side `by` seats on has."""
    rows, stores, debts, turn, *rest = text.split(" ")
    sides = rows.count("/") + 1
    if debts != "-":
        entries = [entry.split(":") for entry in debts.split(",")]
        moved = [(rotate_side(pair[0], by, sides), rotate_side(pair[2], by, sides), amount) for pair, amount in entries]
        debts = ",".join(f"{a}>{b}:{amount}" for a, b, amount in sorted(moved))
    return " ".join([turned(rows, by), turned(stores, by), debts, rotate_side(turn, by, sides), *rest])


def turned(field: str, by: int) -> str:
    parts = field.split("/")
    return "/".join(parts[-by:] + parts[:-by])


def mirror_rules(rules: oanquan.Rules) -> oanquan.Rules:
    """The same rules seen in a mirror: a game of one direction becomes one of the other."""
    other = {"counterclockwise": "clockwise", "clockwise": "counterclockwise", "both": "both"}
    return dataclasses.replace(rules, directions=other[rules.directions])


def mirror_move(move: str, squares: int) -> str:
    return f"{move[0]}{squares + 1 - int(move[1])}{OTHER_SIGN[move[2]]}"


def mirror_text(text: str) -> str:
    """The position of two sides with left and right exchanged: each keeps its row, the mandarin squares change over."""
    rows, *rest = text.split(" ")
    a, b = (row.split(".") for row in rows.split("/"))
    return " ".join([".".join([*a[-2::-1], b[-1]]) + "/" + ".".join([*b[-2::-1], a[-1]]), *rest])
