"""The board after every step of a move: what pictures, the terminal and the web board show one after the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oanquan._core import Debt, Move, Position, Store
from oanquan.checks import kind_of

if TYPE_CHECKING:
    from typing import SupportsIndex

    from oanquan._core import Step
    from oanquan.rules import Rules

_SIDES = "abcd"


@dataclass(frozen=True)
class Frame:
    """The board in the middle of a move. What it shares with `Position` is named as there.

    Attributes:
        rules: The rules it is played by.
        pebbles: The pebbles in every square, in the order of the ring.
        mandarins: The mandarins in every square.
        stores: What each side has captured so far.
        debts: What the sides owe each other, by debtor and then creditor.
        points: The points of each side: what the store is worth with debts repaid, and at the count what was given out
            so far.
        turn: The side that moves, throughout the move.
        ply: Plies before the move.
        hand: Pebbles that were lifted and not dropped yet.
        step: The step that led here; `None` before the first one.

    >>> import oanquan as oaq
    >>> frame = frames(oaq.Position.start(), "a1+")[2]
    >>> print(frame.step)
    drop one in a2
    >>> frame.hand, frame.pebbles[:3]
    (4, (0, 6, 5))
    """

    rules: Rules
    pebbles: tuple[int, ...]
    mandarins: tuple[int, ...]
    stores: tuple[Store, ...]
    debts: tuple[Debt, ...]
    points: tuple[int, ...]
    turn: str
    ply: int
    hand: int = 0
    step: Step | None = None


def frames(position: Position, move: Move | str | SupportsIndex) -> tuple[Frame, ...]:
    """Return the board before a move and after each step of its trace: one more than the trace has steps.

    The last one has the board, stores, debts and points of `position.play(move)`. Takes and raises what `play` does.

    >>> import oanquan as oaq
    >>> start = oaq.Position.start()
    >>> made = frames(start, "a3+")
    >>> len(made) == len(start.trace("a3+")) + 1
    True
    >>> made[-1].pebbles == start.play("a3+").pebbles
    True
    """
    kind_of("position", position, Position)
    frame = frame_of(position)
    made = [frame]
    for step in position.trace(move):
        frame = replace(_after(frame, step), step=step)
        made.append(frame)
    return tuple(made)


def frame_of(position: Position) -> Frame:
    """Return the board of a position, before any step.

    >>> frame_of(Position.start()).step is None
    True
    """
    return Frame(
        position.rules,
        position.pebbles,
        position.mandarins,
        position.stores,
        position.debts,
        position.points,
        position.turn,
        position.ply,
    )


def _after(frame: Frame, step: Step) -> Frame:
    """The board after a step that has just been made on it."""
    square = None if step.square is None else frame.rules.square_names.index(step.square)
    pebbles = step.pebbles or 0
    match step.kind, square, step.side, step.other:
        case "lift", int(), _, _:
            return replace(frame, pebbles=_changed(frame.pebbles, square, -pebbles), hand=frame.hand + pebbles)
        case "drop", int(), _, _:
            return replace(frame, pebbles=_changed(frame.pebbles, square, 1), hand=frame.hand - 1)
        case "capture", int(), _, _:
            return _stored(
                replace(
                    frame,
                    pebbles=_changed(frame.pebbles, square, -pebbles),
                    mandarins=_changed(frame.mandarins, square, -(step.mandarins or 0)),
                ),
                frame.turn,
                pebbles,
                step.mandarins or 0,
            )
        case "borrow", _, str(side), str(other):
            owed = Counter({(debt.debtor, debt.creditor): debt.pebbles for debt in frame.debts})
            owed[side, other] += pebbles
            debts = tuple(Debt(*pair, owed[pair]) for pair in sorted(owed))
            lent = _stored(_stored(frame, other, -pebbles), side, pebbles)
            points = _changed(_changed(lent.points, _SIDES.index(side), -pebbles), _SIDES.index(other), pebbles)
            return replace(lent, debts=debts, points=points)
        case "reseed", _, str(side), _:
            first = _SIDES.index(side) * (frame.rules.squares + 1)
            filled = frame.pebbles
            for place in range(first, first + pebbles):
                filled = _changed(filled, place, 1)
            return replace(_stored(frame, side, -pebbles), pebbles=filled)
        case "sweep" | "share", _, str(side), _:
            return replace(frame, points=_changed(frame.points, _SIDES.index(side), pebbles))
    return frame  # a stop, the end; a debt repaid at the count was part of the points all along


def _stored(frame: Frame, side: str, pebbles: int, mandarins: int = 0) -> Frame:
    """The board with that much more in the store of a side."""
    place = _SIDES.index(side)
    store = frame.stores[place]
    stores = list(frame.stores)
    stores[place] = Store(store.pebbles + pebbles, store.mandarins + mandarins)
    points = _changed(frame.points, place, pebbles + frame.rules.mandarin_value * mandarins)
    return replace(frame, stores=tuple(stores), points=points)


def _changed(numbers: tuple[int, ...], place: int, change: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + change, *numbers[place + 1 :])
