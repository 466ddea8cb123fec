"""A move in sentences: sowing, captures, re-seeding; why it stops and how the game ends stand beside this file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan._core import Position
from oanquan.checks import kind_of
from oanquan.explaining.endings import after_count, before_count, count_in_words, owned_in_words
from oanquan.explaining.sentences import (
    Explanation,
    Sentence,
    contents_in_words,
    is_mandarin_square,
    square_in_words,
    stones_in_words,
)
from oanquan.explaining.stops import stop_in_words
from oanquan.frames import frames
from oanquan.language import language, say

if TYPE_CHECKING:
    from typing import SupportsIndex

    from oanquan._core import Move, Step

_MOST_NAMES = 12


def explain(position: Position, move: Move | str | SupportsIndex, lang: str = "en") -> Explanation:
    """Return a move in sentences: each lap and capture, why it stopped, re-seeding, loans, the count and who won.

    Takes and raises what `Position.play` does.

    Args:
        position: Where it is played.
        move: A move, its text or its action number.
        lang: `"en"` or `"vi"`.

    >>> import oanquan as oaq
    >>> setup = oaq.Setup(pebbles={"a1": 1, "a4": 4, "a5": 2, "b2": 3}, mandarins={"am": 1, "bm": 1})
    >>> print(explain(setup.position(), "a1+", "vi"))
    Bên a bốc 1 dân ở ô a1, rải ngược chiều kim đồng hồ: a2.
    Kế tiếp, ô a3 trống: bên a ăn 4 dân ở ô a4.
    Kế đó là ô a5 có 2 dân: không có ô trống để ăn tiếp, nên dừng ở đây. Đến lượt bên b.
    """
    kind_of("position", position, Position)
    teller = _Teller(position, move, lang)
    return Explanation(teller.tell())


class _Teller:
    """Goes through the steps of a move once."""

    def __init__(self, position: Position, move: Move | str | SupportsIndex, lang: str) -> None:
        self.lang = language(lang)
        self.rules = position.rules
        self.mover = position.turn
        self.frames = frames(position, move)
        self.steps: list[Step] = [frame.step for frame in self.frames if frame.step is not None]
        self.after = position.play(move)
        self.names = position.rules.square_names
        ring = position.rules.ring
        first, second = (self.place(step) for step in self.steps[:2])
        self.direction = 1 if (second - first) % ring == 1 else -1
        self.last = first
        """The square of the last drop or capture."""
        self.laps = self.captures = self.captured = self.loans = 0

    def place(self, step: Step) -> int:
        """The place in the ring of the step's square."""
        return self.names.index(step.square or "")

    def following(self, place: int) -> int:
        return (place + self.direction) % self.rules.ring

    def square(self, place: int) -> str:
        return square_in_words(self.rules, place, self.lang)

    def say(self, key: str, **values: object) -> str:
        return say(f"steps.{key}", self.lang, **values)

    def tell(self) -> list[Sentence]:
        """One sentence after the other; with the last step of play goes what follows from it."""
        told = []
        at = 0
        while at < len(self.steps):
            end = at
            while self.steps[at].kind == "lift" and end + 1 < len(self.steps) and self.steps[end + 1].kind == "drop":
                end += 1
            told.append(self.sentence(at, end))
            at = end + 1
        return told

    def sentence(self, first: int, last: int) -> Sentence:
        step = self.steps[first]
        match step.kind:
            case "lift":
                text, knobs = self.lap(first, last)
            case "capture":
                text, knobs = self.capture(step)
            case "stop":
                text, knobs = self.stop(first)
            case "borrow" | "reseed":
                text, knobs = self.borrow(first) if step.kind == "borrow" else self.reseed(first)
            case "end":
                text, knobs = after_count(self.after, self.lang), ()
            case _:
                text, knobs = count_in_words(self.rules, step, self.lang)
        if step.kind in ("stop", "reseed"):
            more, further = self.consequences(last)
            text, knobs = " ".join([text, *more]), (*knobs, *further)
        return Sentence(text, first, last, tuple(dict.fromkeys(knobs)))

    def consequences(self, at: int) -> tuple[list[str], tuple[str, ...]]:
        """After the last step before the count or the next turn: why the game is over, or whose turn it is."""
        if at + 1 < len(self.steps) and self.steps[at + 1].kind in ("borrow", "reseed"):
            return [], ()
        if self.after.is_over:
            return before_count(self.frames[at + 1], self.after, self.lang)
        return [self.say("turn", side=self.after.turn)], ()

    def lap(self, first: int, last: int) -> tuple[str, tuple[str, ...]]:
        """A lift and the drops that follow."""
        step, place, before = self.steps[first], self.place(self.steps[first]), self.frames[first]
        self.laps += 1
        self.last = self.place(self.steps[last])
        pebbles, names = step.pebbles or 0, [self.steps[at].square or "" for at in range(first + 1, last + 1)]
        values = {"count": pebbles, "square": step.square, "squares": self.route(names)}
        if self.laps == 1:
            direction = self.say("counterclockwise" if self.direction == 1 else "clockwise")
            return self.say("sow", side=self.mover, direction=direction, **values), ()
        if not is_mandarin_square(self.rules, place):
            return self.say("relay", **values), ()
        if self.rules.mandarin_next == "lift_one":
            contents = contents_in_words(before, place, self.lang)
            squares = self.square(self.last)
            return self.say("lift_one", square=step.square, contents=contents, squares=squares), ("mandarin_next",)
        return self.say("relay_from_mandarin_square", **values), ("mandarin_next",)

    def route(self, names: list[str]) -> str:
        """The squares of a lap by their names, shortened where they are many."""
        if len(names) <= _MOST_NAMES:
            return ", ".join(names)
        squares = ", ".join([*names[:3], "…", names[-1]])
        rounds = len(names) // self.rules.ring
        return self.say("rounds", squares=squares, count=rounds) if rounds else squares

    def capture(self, step: Step) -> tuple[str, tuple[str, ...]]:
        gap, place = self.following(self.last), self.place(step)
        pebbles, mandarins = step.pebbles or 0, step.mandarins or 0
        points = pebbles + self.rules.mandarin_value * mandarins
        values = {
            "gap": self.square(gap),
            "contents": stones_in_words(pebbles, mandarins, self.lang),
            "square": self.square(place),
            "worth": self.say("worth", count=points) if mandarins else "",
        }
        first = self.captures == 0
        self.last, self.captures, self.captured = place, self.captures + 1, self.captured + points
        over_mandarin_square = is_mandarin_square(self.rules, gap)
        if first:
            knobs = ("empty_mandarin_after_sowing",) if over_mandarin_square else ()
            return self.say("capture", side=self.mover, **values), knobs
        knobs = ("empty_mandarin_in_chain",) if over_mandarin_square else ()
        return self.say("capture_on", **values), ("capture_chain", *knobs)

    def stop(self, at: int) -> tuple[str, tuple[str, ...]]:
        following = self.following(self.last)
        board = self.frames[at + 1]
        places = (following, self.following(following))
        text, knobs = stop_in_words(
            self.steps[at].reason or "", board, places, self.lang, in_chain=self.captures > 0, laps=self.laps
        )
        if self.captures == 0:
            text += " " + self.say("captured_nothing", side=self.mover)
        elif self.captures > 1:
            text += " " + self.say("captured_in_all", side=self.mover, count=self.captured)
        return text, knobs

    def borrow(self, at: int) -> tuple[str, tuple[str, ...]]:
        step, knobs = self.steps[at], ("reseed_from", "shortfall")
        values = {"side": step.side, "other": step.other, "count": step.pebbles}
        if self.steps[at - 1].kind == "borrow":
            return self.say("borrow_more", **values), knobs
        owned = owned_in_words(self.frames[at], step.side or "", self.lang)
        return self.say("borrow", owned=owned, **values), knobs

    def reseed(self, at: int) -> tuple[str, tuple[str, ...]]:
        step, after = self.steps[at], self.frames[at + 1]
        in_part = step.pebbles != self.rules.squares
        pebbles = after.stores["abcd".index(step.side or "")].pebbles
        key = "reseed_in_part" if in_part else "reseed" if pebbles >= 0 else "reseed_beyond_store"
        text = self.say(key, side=step.side, count=step.pebbles)
        if pebbles < 0:
            text += " " + self.say("store_below_zero", pebbles=pebbles, count=abs(pebbles))
        knobs = ("shortfall",) if in_part else ("reseed_from", "shortfall") if pebbles < 0 else ()
        return text, ("reseed_when", *knobs)
