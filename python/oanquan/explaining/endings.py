"""How a game ends, in words: why, what each side gets at the count, and who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan._core import Outcome
from oanquan.checks import kind_of
from oanquan.language import language, say

if TYPE_CHECKING:
    from oanquan._core import Position, Step
    from oanquan.frames import Frame
    from oanquan.language import Language
    from oanquan.rules import Rules

_SIDES = "abcd"
_MOST_PEBBLES = 255
_WHY = {
    "mandarins": "over_mandarins",
    "short": "over_short_of_pebbles",
    "loses": "over_lost",
    "repetition": "over_repetition",
    "max_plies": "over_max_plies",
}


def explain_outcome(outcome: Outcome, lang: str = "en") -> str:
    """Return how a game came out: why it is over, who has won, and the points.

    >>> import oanquan as oaq
    >>> explain_outcome(oaq.Outcome("a", "mandarins", [43, 27]))
    'The mandarins are gone, so the game is over. Side a wins: a 43 points, b 27 points.'
    >>> explain_outcome(oaq.Outcome(None, "repetition", [35, 35]), "vi")
    'Cùng một thế cờ lặp lại quá nhiều lần nên ván kết thúc. Ván hòa: a 35 điểm, b 35 điểm.'
    """
    kind_of("outcome", outcome, Outcome)
    chosen = language(lang)
    return f"{say(f'steps.{_WHY[outcome.ending]}', chosen)} {_result(outcome, chosen)}"


def after_count(after: Position, lang: Language) -> str:
    """Return who has won a position that is over.

    >>> import oanquan as oaq
    >>> over = oaq.Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 - b 40 mandarins")
    >>> after_count(over, "vi")
    'Bên a thắng: a 43 điểm, b 27 điểm.'
    """
    return "" if after.outcome is None else _result(after.outcome, lang)


def _result(outcome: Outcome, lang: Language) -> str:
    pairs = zip(_SIDES, outcome.points, strict=False)
    points = ", ".join(say("steps.points_of", lang, side=side, count=count) for side, count in pairs)
    if outcome.winner is None:
        # Who could not re-seed has lost; if the others share the most points, that is no draw of all.
        return say("steps.wins_nobody" if outcome.ending == "loses" else "steps.draw", lang, points=points)
    return say("steps.wins", lang, winner=outcome.winner, points=points)


def before_count(frame: Frame, after: Position, lang: Language) -> tuple[list[str], tuple[str, ...]]:
    """Return why the game is over, and which knobs of the rules decided it; `frame` is the board before the count.

    >>> import oanquan as oaq
    >>> before = oaq.Position.parse("1.0.0.0.0.1/0.0.0.0.0.0 0q1/0 - a 0")
    >>> from oanquan.frames import frames
    >>> board = frames(before, "a1+")[3]
    >>> before_count(board, before.play("a1+"), "en")[0][0]  # doctest: +ELLIPSIS
    'Side b has an empty row and nothing in its store, and the others together cannot lend it the rest, ...'
    """
    rules = after.rules
    if after.ending == "mandarins":
        told, knobs = [say(f"steps.over_{rules.ends_when}", lang)], ["ends_when"]
    else:
        told, knobs = [_shortfall(frame, after, lang)], ["reseed_when", "reseed_from", "shortfall"]
    pairs = list(zip(frame.pebbles, frame.mandarins, strict=True))[rules.squares :: rules.squares + 1]
    left = sum(pebbles + rules.mandarin_value * mandarins for pebbles, mandarins in pairs)
    if left and rules.mandarin_leftovers == "nobody":
        told.append(say("steps.left_to_nobody", lang, count=left))
        knobs.append("mandarin_leftovers")
    return told, tuple(knobs)


def _shortfall(frame: Frame, after: Position, lang: Language) -> str:
    """Which side cannot re-seed its row, and why not."""
    rules, row = after.rules, after.rules.squares + 1
    turn = _SIDES.index(after.turn)
    order = [(turn + seat) % rules.sides for seat in range(rules.sides)]
    side = _SIDES[next(s for s in order if not any(frame.pebbles[s * row : s * row + rules.squares]))]
    owned = owned_in_words(frame, side, lang)
    if after.ending == "loses":
        return say("steps.over_loses", lang, side=side, owned=owned)
    wanted = min(rules.squares, _owned(frame, side)) if rules.shortfall == "partial" else rules.squares
    if wanted and sum(frame.pebbles) + wanted > _MOST_PEBBLES:
        return say("steps.over_board_full", lang, side=side, count=_MOST_PEBBLES)
    key = "over_short_without_loan" if rules.shortfall == "borrow" else "over_short"
    return say(f"steps.{key}", lang, side=side, owned=owned)


def owned_in_words(frame: Frame, side: str, lang: Language) -> str:
    """Return what a side can pay a re-seeding from.

    >>> import oanquan as oaq
    >>> from oanquan.frames import frames
    >>> owned_in_words(frames(oaq.Position.start(), "a1+")[0], "b", "vi")
    'kho trống'
    """
    owned = _owned(frame, side)
    if frame.rules.reseed_from == "pebbles":
        return say("steps.in_store", lang, count=owned) if owned else say("steps.nothing_in_store", lang)
    return say("steps.in_points", lang, count=owned) if owned else say("steps.no_points", lang)


def _owned(frame: Frame, side: str) -> int:
    store = frame.stores[_SIDES.index(side)]
    mandarins = frame.rules.mandarin_value * store.mandarins if frame.rules.reseed_from == "points" else 0
    return max(0, store.pebbles + mandarins)


def count_in_words(rules: Rules, step: Step, lang: Language) -> tuple[str, tuple[str, ...]]:
    """Return what a side gets or repays at the count, and which knob of the rules decided it.

    >>> import oanquan as oaq
    >>> count_in_words(oaq.Rules(), oaq.Step("repay", "b", "a", 3), "vi")
    ('Bên b trả nợ bên a 3 dân.', ('shortfall',))
    """
    values = {"side": step.side, "count": step.pebbles}
    match step.kind:
        case "sweep":
            key = "sweep" if rules.row_leftovers == "owner" else "sweep_share"
            return say(f"steps.{key}", lang, **values), ("row_leftovers",)
        case "share" if rules.mandarin_leftovers == "adjacent":
            return say("steps.share", lang, square=f"{step.side}m", **values), ("mandarin_leftovers",)
        case "share":
            return say("steps.share_evenly", lang, **values), ("mandarin_leftovers",)
    return say("steps.repay", lang, other=step.other, **values), ("shortfall",)
