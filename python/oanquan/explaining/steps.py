"""Single steps of a move, and moves that are refused, in both languages; the English words are the core's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oanquan._core import Move, Position, Step
from oanquan.checks import kind_of
from oanquan.errors import IllegalMoveError
from oanquan.explaining.sentences import stones_in_words
from oanquan.language import language, say

if TYPE_CHECKING:
    from typing import SupportsIndex


def explain_step(step: Step, lang: str = "en") -> str:
    """Return one step of a move in words; in English what `str()` says.

    >>> import oanquan as oaq
    >>> explain_step(oaq.Step("capture", "am", 3, 1), "vi")
    'ăn quan và 3 dân ở ô quan am'
    >>> explain_step(oaq.Step("stop", "two_empty_squares"), "vi")
    'dừng: hai ô trống liền nhau'
    """
    kind_of("step", step, Step)
    chosen = language(lang)
    values: dict[str, object] = {"side": step.side, "other": step.other, "count": step.pebbles}
    if step.square is not None:
        mandarin_square = step.square.endswith("m")
        # In English squares go by their bare names here.
        named = say(f"steps.{'mandarin' if mandarin_square else 'citizen'}_square", chosen, square=step.square)
        values["square"] = step.square if chosen == "en" else named
    if step.kind == "capture":
        values["contents"] = stones_in_words(step.pebbles or 0, step.mandarins or 0, chosen)
    if step.reason is not None:
        values["reason"] = say(f"steps.why_{step.reason}", chosen)
    return say(f"steps.step_{step.kind}", chosen, **values)


def explain_illegal(position: Position, move: Move | str | SupportsIndex, lang: str = "en") -> str | None:
    """Return why a move is not legal, or `None` if it is; in English what `IllegalMoveError` says of it.

    Raises `NotationError` for a text that is no move, as `Position.play` does.

    >>> import oanquan as oaq
    >>> explain_illegal(oaq.Position.start(), "b3+", "vi")
    'đang là lượt bên a'
    >>> explain_illegal(oaq.Position.start(), "a3+") is None
    True
    """
    kind_of("position", position, Position)
    chosen = language(lang)
    try:
        position.play(move)
    except IllegalMoveError as error:
        key, values = _refusal(position, error.move)
        if key == "over" and chosen != "en":
            values = {"ending": say(f"steps.why_{position.ending}", chosen)}
        return say(f"steps.illegal_{key}", chosen, **values)
    return None


def _refusal(position: Position, text: str) -> tuple[str, dict[str, object]]:
    """Which of the core's reasons it is: the first that holds, in its order."""
    rules = position.rules
    if position.is_over:
        return "over", {"ending": position.ending}
    if text.lstrip("-").isdigit():
        return "action", {"last": rules.action_count - 1}
    move = Move(text)
    if move.side != position.turn:
        return "turn", {"side": position.turn}
    if move.square > rules.squares:
        return "square", {"side": move.side, "last": rules.squares}
    if position.pebbles[rules.square_names.index(f"{move.side}{move.square}")] == 0:
        return "empty", {"square": f"{move.side}{move.square}"}
    if rules.directions not in ("both", move.direction):
        return rules.directions, {}
    return "mandarin", {"plies": rules.mandarin_ban}
