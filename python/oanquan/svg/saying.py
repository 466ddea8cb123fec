"""What a picture says in words: its title, the whole position for those who cannot see it, and the line below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan.explaining import explain_step
from oanquan.language import say
from oanquan.svg.squares import contents_of
from oanquan.svg.stores import debts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oanquan._core import Step
    from oanquan.svg.views import View


def title_of(view: View, lang: str) -> str:
    """Return the title of a picture.

    >>> from oanquan import Position
    >>> from oanquan.svg.views import view_of
    >>> title_of(view_of(Position.start()), "en")
    'Ô ăn quan, side a to move'
    """
    return say("board.title", lang, side=view.turn) if view.outcome is None else say("board.title_over", lang)


def status_of(view: View, lang: str) -> str:
    """Return who is to move or how the game came out, the ply and the last move.

    >>> from oanquan import Position
    >>> from oanquan.svg.views import view_of
    >>> status_of(view_of(Position.start(), "b2-"), "en")
    'Side a to move · last move b2-'
    """
    if view.step is not None:
        return _step(view, view.step, lang)
    if view.outcome is None:
        parts = [say("board.status", lang, side=view.turn)]
        if view.ply:
            parts.append(say("board.ply", lang, ply=view.ply))
    else:
        points = " : ".join(str(worth).replace("-", "−") for worth in view.outcome.points)
        # Who could not re-seed has lost; if the others share the most points, that is no draw of all.
        nobody = "board.over_shared" if view.outcome.ending == "loses" else "board.over_drawn"
        key = nobody if view.outcome.winner is None else "board.over_won"
        parts = [say(key, lang, winner=view.outcome.winner, points=points), _reason(view.outcome.ending, lang)]
    if view.last_move is not None:
        parts.append(say("board.last_move", lang, move=view.last_move))
    return " · ".join(parts)


def _step(view: View, step: Step, lang: str) -> str:
    said = explain_step(step, lang)
    if step.kind not in ("lift", "drop", "capture", "stop"):
        return said[0].upper() + said[1:]  # it says itself whose it is
    return f"{say('board.side', lang, side=view.turn)}: {said}"


def _reason(ending: str, lang: str) -> str:
    limit = ending in ("repetition", "max_plies")
    return say(f"board.why_{ending}" if limit else f"steps.why_{ending}", lang)


def way_of(view: View, trace: Sequence[Step], lang: str) -> str:
    """Return what a move did: where it began, what it took, and why it stopped.

    >>> from oanquan import Position
    >>> from oanquan.svg.views import view_of
    >>> start = Position.start()
    >>> way_of(view_of(start), start.trace("a3+"), "en")
    'Side a sows from a3, takes 6 pebbles · stop: the square after the captured one is not empty'
    """
    parts: list[str] = []
    lifted = next((step.square for step in trace if step.kind == "lift"), None)
    if lifted is not None:
        parts.append(say("board.sows", lang, side=view.turn, square=lifted))
    taken = [step for step in trace if step.kind == "capture"]
    if taken:
        pebbles, stones = sum(step.pebbles or 0 for step in taken), sum(step.mandarins or 0 for step in taken)
        parts.append(say("board.takes", lang, contents=contents_of(pebbles, stones, lang)))
    reasons = (step.reason for step in trace if step.kind == "stop")
    stops = [say("steps.step_stop", lang, reason=say(f"steps.why_{reason}", lang)) for reason in reasons]
    return " · ".join(filter(None, [", ".join(parts), *stops]))


def description_of(view: View, lang: str) -> str:
    """Return the whole board in words, square by square and store by store.

    >>> from oanquan import Position, Rules
    >>> from oanquan.svg.views import view_of
    >>> start = Position.start(Rules(squares=1, pebbles=3))
    >>> print(description_of(view_of(start), "en"))  # doctest: +NORMALIZE_WHITESPACE
    Row of side a: a1 3 pebbles, mandarin square am 1 mandarin. Row of side b: b1 3 pebbles, mandarin square bm 1
    mandarin. Store of side a: 0 pebbles, 0 points. Store of side b: 0 pebbles, 0 points. Side a to move.
    """
    return " ".join([*_rows(view, lang), *_stores(view, lang), f"{status_of(view, lang)}."])


def _rows(view: View, lang: str) -> Iterator[str]:
    names = view.rules.square_names
    for side in "abcd"[: view.rules.sides]:
        counts = []
        for index, name in enumerate(names):
            if name[0] == side:
                said = contents_of(view.pebbles[index], view.mandarins[index], lang)
                key = "board.mandarin" if name[1] == "m" else "board.citizen"
                counts.append(say(key, lang, square=name, contents=said))
        yield say("board.row", lang, side=side, counts=", ".join(counts))


def _stores(view: View, lang: str) -> Iterator[str]:
    for index, store in enumerate(view.stores):
        side = "abcd"[index]
        held = contents_of(store.pebbles, store.mandarins, lang)
        debts = debts_of(view, side, lang)
        contents = f"{held}, {debts}" if debts else held
        worth = say("steps.points", lang, count=view.points[index])
        yield say("board.store", lang, side=side, contents=contents, points=worth)
    if view.hand:
        yield say("board.hand", lang, count=view.hand) + "."
