"""What an explanation is made of, and the words that all of its sentences share."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING

from oanquan.language import say

if TYPE_CHECKING:
    from oanquan.frames import Frame
    from oanquan.language import Language
    from oanquan.rules import Rules


@dataclass(frozen=True)
class Sentence:
    """What is said of some steps of a move. `str()` is the text.

    Attributes:
        text: One sentence, or a few short ones.
        first: The first of the steps that it tells, as their place in `Position.trace`, from 0.
        last: The last of them.
        knobs: The knobs of the rules that decided what happened there; none where all rules agree.

    >>> import oanquan as oaq
    >>> sentence = oaq.explain(oaq.Position.start(), "a3+")[0]
    >>> print(sentence)
    Side a lifts 5 pebbles from a3 and sows them counter-clockwise: a4, a5, am, b1, b2.
    >>> sentence.first, sentence.last
    (0, 5)
    """

    text: str
    first: int
    last: int
    knobs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


class Explanation(tuple[Sentence, ...]):
    """A move in sentences, in order; every step belongs to exactly one. `str()` writes one a line.

    >>> import oanquan as oaq
    >>> explanation = oaq.explain(oaq.Position.start(), "a3+")
    >>> len(explanation), [sentence.first for sentence in explanation]
    (4, [0, 6, 12, 13])
    """

    __slots__ = ()

    def at(self, step: int) -> Sentence:
        """Return the sentence that tells the step of that place.

        >>> import oanquan as oaq
        >>> oaq.explain(oaq.Position.start(), "a3+").at(3).last
        5
        """
        step = index(step)
        for sentence in self:
            if sentence.first <= step <= sentence.last:
                return sentence
        raise IndexError(f"step: expected 0 to {self[-1].last}, got {step}")

    def __str__(self) -> str:
        return "\n".join(map(str, self))


def square_in_words(rules: Rules, place: int, lang: Language) -> str:
    """Return what a square is called, by its place in the ring.

    >>> import oanquan as oaq
    >>> square_in_words(oaq.Rules(), 5, "vi"), square_in_words(oaq.Rules(), 4, "vi")
    ('ô quan am', 'ô a5')
    """
    name = "mandarin_square" if is_mandarin_square(rules, place) else "citizen_square"
    return say(f"steps.{name}", lang, square=rules.square_names[place])


def contents_in_words(frame: Frame, place: int, lang: Language) -> str:
    """Return what stands in a square that is not empty.

    >>> import oanquan as oaq
    >>> from oanquan.frames import frames
    >>> contents_in_words(frames(oaq.Position.start(), "a1+")[1], 5, "en")
    'the mandarin'
    """
    return stones_in_words(frame.pebbles[place], frame.mandarins[place], lang)


def stones_in_words(pebbles: int, mandarins: int, lang: Language) -> str:
    """Return that many pebbles and mandarins, of which there are some, in words.

    >>> stones_in_words(3, 1, "vi")
    'quan và 3 dân'
    """
    if not mandarins:
        return say("steps.pebbles", lang, count=pebbles)
    return say("steps.mandarin_and_pebbles", lang, count=pebbles) if pebbles else say("steps.mandarin", lang)


def is_mandarin_square(rules: Rules, place: int) -> bool:
    """Return whether a square of the ring is a mandarin square.

    >>> import oanquan as oaq
    >>> is_mandarin_square(oaq.Rules(), 5)
    True
    """
    return place % (rules.squares + 1) == rules.squares
