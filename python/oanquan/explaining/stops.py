"""Why the sowing and capturing of a move stopped, in terms of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oanquan.explaining.sentences import contents_in_words, square_in_words
from oanquan.language import say

if TYPE_CHECKING:
    from oanquan.frames import Frame
    from oanquan.language import Language


def stop_in_words(
    reason: str, frame: Frame, places: tuple[int, int], lang: Language, *, in_chain: bool, laps: int
) -> tuple[str, tuple[str, ...]]:
    """Return why a move stopped, and which knobs of the rules decided it.

    Args:
        reason: As the step says it.
        frame: The board when it stopped.
        places: The next two squares in the direction of the move.
        lang: The language.
        in_chain: Whether something was captured.
        laps: How often pebbles were lifted.

    >>> import oanquan as oaq
    >>> from oanquan.frames import frames
    >>> frame = frames(oaq.Position.start(), "a1+")[0]
    >>> stop_in_words("no_gap", frame, (3, 4), "en", in_chain=True, laps=1)[0]
    'Then comes a4 with 5 pebbles: there is no empty square to capture over, so the move ends.'
    """
    rules, (following, beyond) = frame.rules, places
    values: dict[str, Any] = {}
    knobs: tuple[str, ...] = ()
    key = reason
    match reason:
        case "mandarin_square":
            key, knobs = _mandarin_square(frame), ("mandarin_next",)
            values = {"square": rules.square_names[following], "contents": contents_in_words(frame, following, lang)}
        case "empty_mandarin_square":
            key = f"{reason}_in_chain" if in_chain else reason
            knobs = ("empty_mandarin_in_chain",) if in_chain else ("empty_mandarin_after_sowing",)
            values = {"square": rules.square_names[following]}
        case "two_empty_squares":
            key = f"{reason}_in_chain" if in_chain else reason
            values = {
                "gap": square_in_words(rules, following, lang),
                "square": square_in_words(rules, beyond, lang),
            }
        case "immature_mandarin":
            knobs = ("immature_below",)
            values = {
                "gap": square_in_words(rules, following, lang),
                "square": rules.square_names[beyond],
                "contents": contents_in_words(frame, beyond, lang),
                "count": rules.immature_below,
            }
        case "capture_chain_off":
            knobs = ("capture_chain",)
        case "no_gap":
            values = {
                "square": square_in_words(rules, following, lang),
                "contents": contents_in_words(frame, following, lang),
            }
        case "game_over":
            knobs = ("end_check",)
        case "lap_limit":
            values = {"count": laps}
    return say(f"steps.stop_{key}", lang, **values), knobs


def _mandarin_square(frame: Frame) -> str:
    """Why nothing was lifted from a mandarin square."""
    match frame.rules.mandarin_next:
        case "lift_one":
            return "lone_mandarin"
        case "relay_when_bare":
            return "mandarin_at_home"
    return "mandarin_square"
