"""A plain bag of pebbles that believes nothing: it applies the steps of a trace one at a time and objects to any
step that moves what is not there.

It knows the notation of a position and what each step says, and no rule: whatever it ends with was said by the steps.
"""

from __future__ import annotations

from typing import Any

LETTERS = "abcd"


class Bag:
    """Squares, stores and debts of one position, read from its text."""

    def __init__(self, text: str) -> None:
        rows, stores, debts, turn, ply, *ending = text.split(" ")
        self.squares: dict[str, list[int]] = {}
        self.sides = LETTERS[: rows.count("/") + 1]
        for side, row in zip(self.sides, rows.split("/"), strict=True):
            counts = row.split(".")
            names = [str(n) for n in range(1, len(counts))] + ["m"]
            for name, count in zip(names, counts, strict=True):
                self.squares[side + name] = _count(count)
        self.stores = dict(zip(self.sides, map(_count, stores.split("/")), strict=True))
        self.debts = {(entry[0], entry[2]): int(entry[4:]) for entry in debts.split(",") if entry != "-"}
        self.turn, self.ply = turn, int(ply)
        self.ending = ending[0] if ending else None
        self.hand = 0
        self.points: dict[str, int] | None = None

    def row(self, side: str) -> list[str]:
        """The citizen squares of one side, in order."""
        return [name for name in self.squares if name[0] == side and name[1:] != "m"]

    def totals(self) -> tuple[int, int]:
        """Pebbles (the hand included) and mandarins, wherever they are."""
        places = [*self.squares.values(), *self.stores.values()]
        return sum(place[0] for place in places) + self.hand, sum(place[1] for place in places)

    def apply(self, step: tuple[Any, ...], value: int) -> None:
        """Do what one step says; `value` is what a mandarin counts."""
        getattr(self, "_" + step[0])(*step[1:], **({"value": value} if step[0] == "end" else {}))
        if step[0] in ("sweep", "share", "repay"):
            return
        assert self.hand >= 0, f"{step}: more dropped than lifted"
        assert all(place[0] >= 0 and place[1] in (0, 1) for place in self.squares.values()), f"{step}: {self.squares}"

    def replay(self, steps: list[tuple[Any, ...]], value: int) -> None:
        """Apply a whole trace, then pass the turn, as every move does."""
        self.counting: dict[str, int] = dict.fromkeys(self.sides, 0)
        total = self.totals()
        for step in steps:
            self.apply(step, value)
            assert self.totals() == total, f"after {step}: {self.totals()} where there were {total}"
        assert self.hand == 0, f"{self.hand} left in the hand"
        self.turn = self.sides[(self.sides.index(self.turn) + 1) % len(self.sides)]
        self.ply += 1

    def rows_text(self) -> str:
        """The first field of the position text."""
        names = list(self.squares)
        width = len(names) // len(self.sides)
        rows = [names[i : i + width] for i in range(0, len(names), width)]
        return "/".join(".".join(_text(self.squares[name]) for name in row) for row in rows)

    def text(self) -> str:
        """The position text."""
        stores = "/".join(_text(self.stores[side]) for side in self.sides)
        debts = ",".join(f"{a}>{b}:{n}" for (a, b), n in sorted(self.debts.items()) if n)
        ending = f" {self.ending}" if self.ending else ""
        return f"{self.rows_text()} {stores} {debts or '-'} {self.turn} {self.ply}{ending}"

    def worth(self, value: int) -> int:
        """What everything on the board and in the stores counts."""
        pebbles, mandarins = self.totals()
        return pebbles + value * mandarins

    def left_in_mandarin_squares(self, value: int) -> int:
        """What the mandarin squares hold, mandarins by value."""
        return sum(n + value * q for name, (n, q) in self.squares.items() if name[1:] == "m")

    def _lift(self, square: str, pebbles: int) -> None:
        assert pebbles > 0
        self.squares[square][0] -= pebbles
        if square[1:] != "m":
            assert self.squares[square] == [0, 0], f"{square} lifted in part"
        self.hand += pebbles

    def _drop(self, square: str) -> None:
        self.squares[square][0] += 1
        self.hand -= 1

    def _capture(self, square: str, pebbles: int, mandarins: int) -> None:
        assert self.squares[square] == [pebbles, mandarins] != [0, 0], f"{square} captured in part"
        self.squares[square] = [0, 0]
        self.stores[self.turn][0] += pebbles
        self.stores[self.turn][1] += mandarins

    def _stop(self, reason: str) -> None:
        assert self.hand == 0, f"stopped ({reason}) with pebbles in the hand"

    def _borrow(self, borrower: str, lender: str, pebbles: int) -> None:
        assert pebbles > 0
        assert borrower != lender
        self.stores[lender][0] -= pebbles
        self.stores[borrower][0] += pebbles
        self.debts[borrower, lender] = self.debts.get((borrower, lender), 0) + pebbles

    def _reseed(self, side: str, pebbles: int) -> None:
        row = self.row(side)
        assert 0 < pebbles <= len(row)
        assert all(self.squares[name] == [0, 0] for name in row), f"row of {side} re-seeded before it was empty"
        for name in row[:pebbles]:
            self.squares[name][0] += 1
        self.stores[side][0] -= pebbles

    def _sweep(self, side: str, points: int) -> None:
        assert points > 0
        self.counting[side] += points

    _share = _sweep

    def _repay(self, debtor: str, creditor: str, pebbles: int) -> None:
        assert self.debts[debtor, creditor] == pebbles > 0
        self.counting[debtor] -= pebbles
        self.counting[creditor] += pebbles

    def _end(self, ending: str, value: int) -> None:
        assert self.ending is None
        self.ending = ending
        self.points = {
            side: self.stores[side][0] + value * self.stores[side][1] + self.counting[side] for side in self.sides
        }


def _count(text: str) -> list[int]:
    pebbles, _, mandarins = text.partition("q")
    return [int(pebbles), int(mandarins or 0)]


def _text(place: list[int]) -> str:
    return f"{place[0]}q{place[1]}" if place[1] else str(place[0])
