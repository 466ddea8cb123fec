"""Moving pictures: `animation` of a move, `film` of a game. Nothing in them is a script.

Every frame says what stands in each place of the picture; what is the same in all frames is drawn once, and the rest
is shown and hidden. Who asks for less motion is shown the move as one picture that stands still.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oanquan._core import Game, Position
from oanquan.checks import kind_of, within
from oanquan.errors import OanquanError
from oanquan.explaining import explain
from oanquan.frames import frames
from oanquan.language import language, say
from oanquan.svg.boards import board_parts, line_parts, lines_of, paper
from oanquan.svg.canvas import LINE, canvas_of, hand_place
from oanquan.svg.document import LEAST_SIZE, MOST_SIZE, document
from oanquan.svg.elements import element, number
from oanquan.svg.marks import stop_mark, taken_mark, way_marks
from oanquan.svg.saying import description_of, status_of
from oanquan.svg.squares import (
    counts,
    ground,
    group,
    hand_parts,
    hollow,
    name_text,
    row_mark,
    step_mark,
    stones,
)
from oanquan.svg.stones import definitions
from oanquan.svg.stores import store_group
from oanquan.svg.themes import theme_of
from oanquan.svg.views import View, view_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import SupportsIndex

    from oanquan._core import Move, Step
    from oanquan.layout import Point
    from oanquan.svg.canvas import Canvas
    from oanquan.svg.document import Svg
    from oanquan.svg.themes import Theme

_LEAST_SECONDS, _MOST_SECONDS = 0.05, 60.0
_REST = 2.0  # how many seconds the last picture stands
_MOST_PLIES = 200


@dataclass
class _Film:
    """The frames of a film: what is seen, and what is said."""

    canvas: Canvas
    theme: Theme
    lang: str
    seconds: float
    repeat: bool
    numbers: bool
    views: list[View] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def length(self) -> float:
        """How many seconds it takes."""
        return self.seconds * len(self.views) + _REST

    def add_move(self, position: Position, move: Move | str | SupportsIndex) -> Position:
        """Add the frames of a move, the position before it first; return the position after it."""
        sentences = explain(position, move, self.lang)
        for at, frame in enumerate(frames(position, move)):
            self.views.append(view_of(position if at == 0 else frame))
            self.said.append(sentences.at(max(at - 1, 0)).text)
        return position.play(move)

    def add_end(self, shown: Position | Game) -> None:
        """Add how it stands in the end."""
        view = view_of(shown)
        self.views.append(view)
        self.said.append(status_of(view, self.lang))

    # ---- what changes ----

    def shown(self, pictures: Sequence[str]) -> Iterator[str]:
        """The pictures of one place, frame by frame: each is drawn once, and shown when its frames come."""
        times: dict[str, list[int]] = {}
        for at, picture in enumerate(pictures):
            if picture:
                times.setdefault(picture, []).append(at)
        for picture, when in times.items():
            if len(when) == len(pictures):
                yield picture
            else:
                visibility = "visible" if when[0] == 0 else "hidden"
                yield element("g", picture, self._changes(when), visibility=visibility)

    def _changes(self, when: Sequence[int]) -> str:
        values: list[str] = []
        times: list[str] = []
        shown = {*when}
        for at in range(len(self.views)):
            value = "visible" if at in shown else "hidden"
            if not values or values[-1] != value:
                values.append(value)
                times.append(self._share(self.seconds * at))
        return self._animate(
            "animate",
            attributeName="visibility",
            values=";".join(values),
            keyTimes=";".join(times),
            calcMode="discrete",
        )

    def _moving(self, places: Sequence[Point | None], held: Iterator[str]) -> str:
        """Something that is at these places, frame by frame; it sets out before its frame comes."""
        values: list[str] = []
        times: list[str] = []
        for at, place in enumerate(places):
            shown = None if place is None else f"{number(place[0])} {number(place[1])}"
            if shown is None or values[-1:] == [shown]:
                continue
            if values:
                values.append(values[-1])
                times.append(self._share(self.seconds * (at - 0.55)))
            values.append(shown)
            times.append(self._share(self.seconds * at) if times else "0")
        # What moves evenly must be told up to the end.
        values, times = [*values, values[-1]], [*times, "1"]
        motion = {"values": ";".join(values), "keyTimes": ";".join(times)}
        moving = self._animate("animateTransform", attributeName="transform", type="translate", **motion)
        return element("g", moving, *held, class_="hand", transform=f"translate({values[0]})")

    def _share(self, seconds: float) -> str:
        return f"{seconds / self.length:.5f}".rstrip("0").rstrip(".") or "0"

    def _animate(self, tag: str, **attributes: object) -> str:
        again: dict[str, object] = {"repeatCount": "indefinite"} if self.repeat else {"fill": "freeze"}
        return element(tag, **attributes, dur=f"{number(self.length)}s", **again)

    # ---- places of the picture ----

    def parts(self, *, names: bool) -> Iterator[str]:
        """The moving picture."""
        yield ground(self.canvas, self.theme)
        for index in range(len(self.canvas.squares)):
            yield from self._square(index)
        for side in "abcd"[: self.views[0].rules.sides]:
            yield from self.shown([row_mark(self.canvas, view, side, self.theme) for view in self.views])
        if names:
            yield from (name_text(self.canvas, square, self.theme) for square in self.canvas.squares)
        for side, box in zip("abcd", self.canvas.stores, strict=False):
            yield from self.shown([store_group(box, side, view, self.theme, self.lang) for view in self.views])
        for index in range(len(self.canvas.squares)):
            yield from self.shown(self._marks(index))
        yield from self.shown(self._stops())
        yield from self._hand()
        yield from self.shown([self.caption(said) for said in self.said])

    def _square(self, index: int) -> Iterator[str]:
        square = self.canvas.squares[index]
        yield group(square, self.views[0], hollow(self.canvas, square, self.theme))
        held = [[*stones(self.canvas, index, view.pebbles[index], view.mandarins[index])] for view in self.views]
        for slot in range(max(map(len, held))):
            yield from self.shown([pictures[slot] if slot < len(pictures) else "" for pictures in held])
        yield from self.shown(
            ["".join(counts(self.canvas, index, v, self.theme, numbers=self.numbers)) for v in self.views]
        )

    def _marks(self, index: int) -> list[str]:
        """The mark of a step in a square."""
        square, made = self.canvas.squares[index], []
        for view in self.views:
            step = view.step
            if step is None or step.square != square.name:
                made.append("")
            elif step.kind == "capture":
                worth = (step.pebbles or 0) + view.rules.mandarin_value * (step.mandarins or 0)
                made.append("".join(taken_mark(self.canvas, square, worth, self.theme)))
            else:
                made.append(step_mark(self.canvas, square, self.theme))
        return made

    def _stops(self) -> list[str]:
        """The sign where a move stops, from then on until the next move."""
        made: list[str] = []
        trace: list[Step] = []
        mark = ""
        for at, view in enumerate(self.views):
            before = self.views[at - 1]
            if view.step is None:
                trace, mark = [], ""
            elif at and before.step is not view.step:
                trace.append(view.step)
                if view.step.kind == "stop":
                    mark = "".join(stop_mark(self.canvas, view.rules, trace))
            made.append(mark)
        return made

    def _hand(self) -> Iterator[str]:
        names = self.views[0].rules.square_names
        places: list[Point | None] = []
        for view in self.views:
            name = None if view.step is None or not view.hand else view.step.square
            square = None if name is None else self.canvas.squares[names.index(name)]
            places.append(None if square is None else self.canvas.at(square, *hand_place(square)))
        if any(places):
            held = [
                "".join(hand_parts((0, 0), view.hand, self.theme)) if place else ""
                for view, place in zip(self.views, places, strict=True)
            ]
            yield self._moving(places, self.shown(held))

    def caption(self, said: str) -> str:
        """A sentence below the board."""
        return "".join(line_parts(lines_of(said, self.canvas), self.canvas, self.theme))


def animation(  # noqa: PLR0913
    position: Position,
    move: Move | str | SupportsIndex,
    *,
    seconds_per_step: float = 0.5,
    repeat: bool = True,
    numbers: bool = True,
    names: bool = True,
    orientation: str = "a",
    size: int | None = None,
    theme: Theme | str = "wood",
    lang: str = "en",
) -> Svg:
    """Return a moving picture of a move, with a sentence for what happens. No script: browsers play it by themselves.

    Args:
        position: The position before the move.
        move: A legal move.
        seconds_per_step: How long each step is seen, 0.05 to 60.
        repeat: Whether it begins again and again, or stands still in the end.
        numbers: As for `board`, and so are the rest.
        names: Whether the squares have their names.
        orientation: The side at the bottom.
        size: How many pixels wide the picture says it is.
        theme: Its colours.
        lang: The language of the sentences.

    Raises:
        IllegalMoveError: The move is not legal.
        OanquanError: An argument is out of range.

    >>> import oanquan as oaq
    >>> picture = oaq.svg.animation(oaq.Position.start(), "a3+", lang="vi")
    >>> "<animate " in picture, "<script" in picture
    (True, False)
    """
    made = _film(position, seconds_per_step, repeat, numbers, orientation, theme, lang)
    made.add_end(made.add_move(position, move))
    still = [
        *board_parts(made.canvas, made.views[0], made.theme, lang, numbers=numbers, names=names),
        *way_marks(made.canvas, position.rules, position.trace(move), made.theme),
        made.caption(made.said[-2]),
    ]
    title = say("board.title_move", lang, side=position.turn)
    return _developed(made, still, title, size, names=names)


def film(  # noqa: PLR0913
    game: Game,
    *,
    seconds_per_step: float = 0.25,
    repeat: bool = False,
    numbers: bool = True,
    names: bool = True,
    orientation: str = "a",
    size: int | None = None,
    theme: Theme | str = "wood",
    lang: str = "en",
) -> Svg:
    """Return a moving picture of a whole game, move after move; the arguments are those of `animation`.

    Raises `OanquanError` for a game without moves or with more than 200.

    >>> import oanquan as oaq
    >>> game = oaq.Game()
    >>> game.push("a1+")
    >>> "<animate " in film(game)
    True
    """
    kind_of("game", game, Game)
    if not 1 <= len(game.moves) <= _MOST_PLIES:
        raise OanquanError(f"game: expected 1 to {_MOST_PLIES} moves, got {len(game.moves)}")
    position = game.start
    made = _film(position, seconds_per_step, repeat, numbers, orientation, theme, lang)
    for move in game.moves:
        position = made.add_move(position, move)
    made.add_end(game)
    still = [
        *board_parts(made.canvas, made.views[-1], made.theme, lang, numbers=numbers, names=names),
        made.caption(made.said[-1]),
    ]
    title = say("board.title_film", lang, count=len(game.moves))
    return _developed(made, still, title, size, names=names)


def _film(
    position: Position,
    seconds: float,
    repeat: bool,
    numbers: bool,
    orientation: str,
    theme: Theme | str,
    lang: str,
) -> _Film:
    kind_of("position", position, Position)
    try:
        in_range = _LEAST_SECONDS <= seconds <= _MOST_SECONDS
    except (TypeError, ArithmeticError):
        raise TypeError(f"seconds_per_step: expected a number, got {type(seconds).__name__}") from None
    if not in_range:
        raise OanquanError(f"seconds_per_step: expected {_LEAST_SECONDS} to {_MOST_SECONDS}, got {seconds}")
    canvas = canvas_of(position.rules, orientation)
    return _Film(canvas, theme_of(theme), language(lang), float(seconds), repeat, numbers)


def _developed(film: _Film, still: Sequence[str], title: str, size: int | None, *, names: bool) -> Svg:
    """The whole picture: what moves, and what stands still for who asks for less motion."""
    if size is not None:
        size = within("size", size, LEAST_SIZE, MOST_SIZE)
    canvas = film.canvas
    lines = max(canvas.lines, *(len(lines_of(said, canvas)) for said in film.said))
    body = [
        element("style", _LESS_MOTION),
        element("defs", *definitions(film.theme)),
        paper(canvas, film.theme, lines),
        element("g", *film.parts(names=names), id="ID-moving"),
        element("g", *still, id="ID-still", display="none"),
    ]
    said = " ".join([description_of(film.views[0], film.lang), *dict.fromkeys(film.said)])
    return document(canvas.width, canvas.height + LINE * lines, title, said, body, size)


_LESS_MOTION = "@media (prefers-reduced-motion:reduce){#ID-moving{display:none}#ID-still{display:inline}}"
