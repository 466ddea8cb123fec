"""One game being played: `Session`."""

from __future__ import annotations

import copy
from collections import deque
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, cast

from oanquan import records
from oanquan._core import Game
from oanquan.analysis import Analysis, search
from oanquan.checks import MOST_LIMIT, MOST_SEED, start_of, within, within_or_off
from oanquan.checks import seats as listed
from oanquan.errors import OanquanError
from oanquan.play.levels import HUMAN, LEVELS, SEPARATOR, agent_of, checked_seat
from oanquan.play.thinking import Hint, Stop
from oanquan.rules import SIDES, Rules

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from typing import Self, SupportsIndex

    from oanquan._core import Move, Outcome, Position
    from oanquan.errors import RecordError

_OWN_HEADERS = ("Seats", "Seed", "Ply")  # what a session writes into a record, besides Players


class Session:
    """A game being played: who sits where, what is looked at, and what was taken back and can be brought back.

    The line of play is one sequence of moves; `ply` says how many of them are made on the board that is looked at.
    `undo`, `redo` and `goto` move along it; a move that is not the next one of it takes the place of what follows.

    It is for one thread at a time, but for what thinks (`think`, `hint`, `analysis`): that looks at the board once when
    it begins and changes nothing, and `stop` may be called by any thread.

    Args:
        rules: Begin at the start of these rules; of the default ones if there is no position either.
        position: Begin with this position instead.
        seats: Who sits at side a, b, ...: each `"human"`, the name of a level (`LEVELS`) or the text of an agent; and
            round again if there are more sides than seats.
        max_plies: As in `Game`.
        repetition: As in `Game`.
        seed: What agents draw from, 0 to 2**64 - 1. The same seed and moves have the same answers.

    Raises:
        OanquanError: An argument is out of range, or a seat is none.
        TypeError: Both rules and a position, or an argument of another type.

    >>> from oanquan import Rules
    >>> session = Session(Rules.preset("quan-non"), seats=("human", "master"))
    >>> session.play("a3+")
    >>> session.turn_is_human
    False
    >>> session.play(session.think())
    >>> session.undo()
    >>> session.ply, [str(move) for move in session.moves][:1]
    (0, ['a3+'])
    """

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        position: Position | None = None,
        seats: Sequence[str] = (HUMAN, HUMAN),
        max_plies: int | None = 1000,
        repetition: int | None = 3,
        seed: int = 0,
    ) -> None:
        self._lock = Lock()
        self._thinking: list[Stop] = []
        start = start_of(rules, position)
        longest = within_or_off("max_plies", max_plies, 0, MOST_LIMIT)
        often = within_or_off("repetition", repetition, 1, MOST_LIMIT)
        self._take(Game(position=start, max_plies=longest, repetition=often))
        self._seats = self._all_seats(seats)
        self._seed = within("seed", seed, 0, MOST_SEED)

    def _take(self, game: Game) -> None:
        """Look at the end of a game, which is this session's alone."""
        self._game = game
        self._future: deque[Move] = deque()
        positions = [game.start]
        for move in game.moves:
            positions.append(positions[-1].play(move))
        self._positions = positions

    def _all_seats(self, seats: Sequence[str]) -> tuple[str, ...]:
        """A seat for each side."""
        sides = self._game.position.rules.sides
        given = [checked_seat(seat) for seat in listed(seats, max(sides, 2))]
        return tuple(given[side % len(given)] for side in range(sides))

    @classmethod
    def against(cls, opponent: str, rules: Rules | None = None, *, side: str = "a") -> Self:
        """Return a new game of a person at a side against an opponent at every other.

        Args:
            opponent: The name of a level, or another seat.
            rules: As for the class.
            side: The person's; or `"all"`, people at every side, or `"none"`.

        >>> Session.against("easy", Rules(sides=3), side="b").seats
        ('easy', 'human', 'easy')
        """
        rules = Rules() if rules is None else rules
        sides = SIDES[: rules.sides]
        if side not in ("all", "none", *sides):
            raise OanquanError(f"side: expected one of {', '.join(sides)}, all, none, got {side!r}")
        return cls(rules, seats=[HUMAN if side in ("all", one) else opponent for one in sides])

    # ---- what stands ---------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game up to the board that is looked at: to read, and to change its headers and comments.

        >>> session = Session()
        >>> session.play("a3+")
        >>> session.game.moves
        (Move('a3+'),)
        """
        return self._game

    @property
    def position(self) -> Position:
        """The position that is looked at.

        >>> str(Session().position)
        '5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0'
        """
        return self._game.position

    @property
    def rules(self) -> Rules:
        """The rules that are played.

        >>> str(Session().rules)
        'mancala-world'
        """
        return self._game.position.rules

    @property
    def seats(self) -> tuple[str, ...]:
        """Who sits at each side; free to be set while a game goes on.

        >>> session = Session(seats=("human", "easy"))
        >>> session.seats = ("human", "master")
        >>> session.seats
        ('human', 'master')
        """
        return self._seats

    @seats.setter
    def seats(self, seats: Sequence[str]) -> None:
        taken = self._all_seats(seats)
        self.stop()
        self._seats = taken

    @property
    def seed(self) -> int:
        """What agents draw from.

        >>> Session(seed=7).seed
        7
        """
        return self._seed

    @property
    def ply(self) -> int:
        """How many moves of the line are made on the board that is looked at.

        >>> session = Session()
        >>> session.play("a3+")
        >>> session.undo()
        >>> session.ply
        0
        """
        return len(self._game)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The whole line of play, with what was taken back.

        >>> session = Session()
        >>> session.play("a3+")
        >>> session.undo()
        >>> session.moves
        (Move('a3+'),)
        """
        return (*self._game.moves, *self._future)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions of the whole line: before each move of `moves`, and after the last one.

        >>> session = Session()
        >>> session.play("a3+")
        >>> len(session.positions), session.positions[-1] == session.position
        (2, True)
        """
        return tuple(self._positions)

    @property
    def last_move(self) -> Move | None:
        """The move that led to the board that is looked at; `None` at the beginning.

        >>> session = Session()
        >>> session.play("a3+")
        >>> session.last_move
        Move('a3+')
        """
        return self._game.moves[-1] if len(self._game) else None

    @property
    def is_over(self) -> bool:
        """Whether the game is over.

        >>> Session(max_plies=0).is_over
        True
        """
        return self._game.is_over

    @property
    def outcome(self) -> Outcome | None:
        """How the game came out; `None` while it goes on.

        >>> Session(max_plies=0).outcome
        Outcome(winner=None, ending='max_plies', points=(25, 25))
        """
        return self._game.outcome

    @property
    def turn_is_human(self) -> bool:
        """Whether it is a person's turn.

        >>> Session(seats=("easy", "human")).turn_is_human
        False
        """
        return not self._game.is_over and self._seat_at(self.ply) == HUMAN

    def _seat_at(self, ply: int) -> str:
        """Who decides after so many moves of the line."""
        return self._seats["abcd".index(self._positions[ply].turn)]

    # ---- playing -------------------------------------------------------------------------------------------------

    def play(self, move: Move | str | SupportsIndex) -> None:
        """Make a move, which may be anybody's.

        It is checked as by `Game.push`, which says what it raises. If it is the next move of the line, what follows can
        still be brought back by `redo`; any other one takes its place.

        >>> session = Session()
        >>> session.play("a3+")
        >>> session.undo()
        >>> session.play("a1-")
        >>> session.can_redo
        False
        """
        self._game.push(move)
        self.stop()
        made = self._game.moves[-1]
        if self._future and self._future[0] == made:
            self._future.popleft()
            return
        self._future.clear()
        del self._positions[self.ply :]
        self._positions.append(self._game.position)
        comments = self._game.comments
        for ply in [ply for ply in comments if ply >= self.ply]:
            del comments[ply]  # they were about other moves

    def think(self, stop: Stop | None = None) -> Move | None:
        """Return the move that the agent at the turn chooses, without making it; `None` when it was stopped.

        Other threads run meanwhile. It is stopped by `stop`, by the method `stop` of the session, and by whatever
        changes the board or the seats.

        Raises:
            OanquanError: It is a person's turn, or the game is over.

        >>> session = Session(seats=("easy", "human"))
        >>> session.think() in session.position.legal_moves
        True
        """
        if self._game.is_over:
            raise OanquanError("expected the turn of an agent, got a game that is over")
        seat = self._seat_at(self.ply)
        if seat == HUMAN:
            raise OanquanError(f"expected the turn of an agent, got that of side {self.position.turn}, a person")
        position, ply = self.position, self.ply
        with self._heard(stop) as word:
            return word.choice(agent_of(seat), position, self._seed, ply)

    @contextmanager
    def _heard(self, stop: Stop | None) -> Iterator[Stop]:
        """A word that ends what is thought about in here, the caller's if there is one."""
        word = Stop() if stop is None else stop
        with self._lock:
            self._thinking.append(word)
        try:
            yield word
        finally:
            with self._lock:
                self._thinking.remove(word)

    def stop(self) -> None:
        """End what is being thought about; from any thread.

        >>> session = Session(seats=("easy", "human"))
        >>> session.stop()
        >>> session.think() is None  # it was not thinking yet
        False
        """
        with self._lock:
            words = [*self._thinking]
        for word in words:
            word.now()

    def hint(self, seconds: float = 1.0, stop: Stop | None = None) -> Hint | None:
        """Return a good move for the side to move; `None` when it was stopped.

        Args:
            seconds: How long to look for it.
            stop: As in `think`.

        Raises:
            OanquanError: The game is over, or an argument is out of range.

        >>> session = Session()
        >>> session.hint(seconds=0.1).move in session.position.legal_moves
        True
        """
        found = self.analysis(seconds, stop=stop)
        return None if found is None else Hint(found)

    def analysis(self, seconds: float = 1.0, *, lines: int = 1, stop: Stop | None = None) -> Analysis | None:
        """Return what a search finds of the board that is looked at; `None` when it was stopped.

        Args:
            seconds: How long to search.
            lines: How many of the best moves are wanted, 1 to 14.
            stop: As in `hint`.

        Raises:
            OanquanError: The game is over, or an argument is out of range.

        >>> len(Session().analysis(seconds=0.1, lines=3).lines)
        3
        """
        game = copy.copy(self._game)
        with self._heard(stop) as word:
            found = search(game, seconds=seconds, lines=lines, stop=lambda: word.is_said)
            return None if word.is_said else found

    # ---- back and forth ------------------------------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back.

        >>> Session().can_undo
        False
        """
        return self._before() is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is something that was taken back.

        >>> Session().can_redo
        False
        """
        return bool(self._future)

    def _before(self) -> int | None:
        """The ply that `undo` leads to."""
        if HUMAN not in self._seats:
            return self.ply - 1 if self.ply else None
        return next((ply for ply in range(self.ply - 1, -1, -1) if self._seat_at(ply) == HUMAN), None)

    def undo(self) -> None:
        """Go back to the last decision of a person; in a game of agents alone by one move.

        Raises:
            OanquanError: There is none.

        >>> session = Session(seats=("human", "easy"))
        >>> session.play("a3+")
        >>> session.play(session.think())
        >>> session.undo()
        >>> session.ply
        0
        """
        ply = self._before()
        if ply is None:
            raise OanquanError("expected a decision to go back to, got the first one")
        self.goto(ply)

    def redo(self) -> None:
        """Go forward to the next decision of a person, or to the end of the line; with agents alone by one move.

        Raises:
            OanquanError: Nothing was taken back.

        >>> session = Session()
        >>> session.play("a3+")
        >>> session.undo()
        >>> session.redo()
        >>> session.ply
        1
        """
        if not self._future:
            raise OanquanError("expected moves that were taken back, got none")
        last = len(self._positions) - 1
        people = HUMAN in self._seats
        self.goto(next((ply for ply in range(self.ply + 1, last) if not people or self._seat_at(ply) == HUMAN), last))

    def goto(self, ply: int) -> None:
        """Look at the board after so many moves of the line, which stays as it is.

        Raises:
            OanquanError: The line has fewer moves.

        >>> session = Session()
        >>> session.play("a3+")
        >>> session.goto(0)
        >>> session.ply, session.moves
        (0, (Move('a3+'),))
        """
        wanted = within("ply", ply, 0, len(self._positions) - 1)
        self.stop()
        while self.ply > wanted:
            self._future.appendleft(cast("Move", self._game.pop()))
        while self.ply < wanted:
            self._game.push(self._future.popleft())

    # ---- records -------------------------------------------------------------------------------------------------

    def to_game(self) -> Game:
        """Return the whole line as a game of its own, with seats and all else in its headers.

        >>> session = Session(seats=("human", "easy"))
        >>> session.play("a3+")
        >>> session.to_game().headers
        {'Players': 'human / easy', 'Seats': 'human / easy', 'Seed': '0'}
        """
        game = copy.copy(self._game)
        for move in self._future:
            game.push(move)
        seats = SEPARATOR.join(self._seats)
        game.headers.setdefault("Players", seats)
        game.headers["Seats"] = seats
        game.headers["Seed"] = str(self._seed)
        if self._future:
            game.headers["Ply"] = str(self.ply)
        return game

    def record(self) -> str:
        """Return the record of the whole line; `Session.parse` makes the same session of it.

        >>> session = Session(seats=("human", "easy"))
        >>> session.play("a3+")
        >>> print(session.record(), end="")
        [Rules "mancala-world"]
        [Players "human / easy"]
        [Seats "human / easy"]
        [Seed "0"]
        [Result "*"]
        <BLANKLINE>
        1. a3+ *
        """
        return self.to_game().record()

    @classmethod
    def of(cls, game: Game, *, seats: Sequence[str] | None = None) -> Self:
        """Return a session that goes on with a copy of a game, looking at its end or where its `Ply` says.

        Args:
            game: The game.
            seats: Who sits where; `None` for who its header `Seats` names. Of those only people and levels are taken,
                since a record may come from anywhere and some agents read files or think for hours; for all others a
                person sits down.

        >>> from oanquan import Game
        >>> Session.of(Game.parse('[Seats "table:FILE / expert"] 1. a1+ *')).seats
        ('human', 'expert')
        """
        session = cls(position=game.start, max_plies=game.max_plies, repetition=game.repetition)
        own = copy.copy(game)
        written = {name: own.headers.pop(name, None) for name in _OWN_HEADERS}
        if own.headers.get("Players") == written["Seats"]:
            own.headers.pop("Players", None)
        session._take(own)
        if seats is None and written["Seats"] is not None:
            seats = [
                seat if seat in LEVELS else HUMAN for seat in written["Seats"].split(SEPARATOR)[: own.start.rules.sides]
            ]
        if seats is not None:
            session._seats = session._all_seats(seats)
        session._seed = _number(written["Seed"], MOST_SEED, 0)
        session.goto(_number(written["Ply"], len(own), len(own)))
        return session

    @classmethod
    def parse(cls, text: str, *, seats: Sequence[str] | None = None) -> Self:
        """Return the session of a record, as `of` does of its game.

        Raises:
            NotationError: It is no record.

        >>> session = Session(seats=("human", "easy"))
        >>> session.play("a3+")
        >>> again = Session.parse(session.record())
        >>> again.seats, again.record() == session.record()
        (('human', 'easy'), True)
        """
        return cls.of(Game.parse(text), seats=seats)

    def save(self, path: str | os.PathLike[str], *, append: bool = False) -> None:
        """Write the record to a file, whole or not at all; with `append` behind the records that are there.

        Raises:
            OSError: The file cannot be written.

        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = Path(directory, "games.records")
        ...     for move in ("a1+", "a3+"):
        ...         session = Session()
        ...         session.play(move)
        ...         session.save(path, append=True)
        ...     Session.load(path, 2).last_move
        Move('a3+')
        """
        records.write(path, [self.to_game()], append=append)

    @classmethod
    def load(cls, path: str | os.PathLike[str], game: int = 1, *, seats: Sequence[str] | None = None) -> Self:
        """Return the session of a record in a file, as `of` does of its game.

        Args:
            path: The file; `oanquan.records.headers` tells what is in it.
            game: Which record of it, from 1.
            seats: As in `of`.

        Raises:
            OanquanError: The file has no such record, or that is none (`RecordError`).
            OSError: The file cannot be read.

        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = Path(directory, "game.record")
        ...     _ = path.write_text("1. a1+ *")
        ...     Session.load(path).ply
        1
        """
        number = within("game", game, 1, 2**63 - 1)

        def heed(fault: RecordError) -> None:
            if fault.game == number:
                raise fault from None

        with records.read(path, on_fault=heed) as found:
            for one in found:
                if found.game == number:
                    return cls.of(one, seats=seats)
            raise OanquanError(f"game: expected 1 to {found.game}, got {number}")


def _number(text: str | None, most: int, otherwise: int) -> int:
    """The number of a header, or another one where it has none that could be."""
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > 20:
        return otherwise
    return int(text) if int(text) <= most else otherwise
