"""Sessions: people and agents at a board, back and forth, held against plain games."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from oanquan import Game, IllegalMoveError, OanquanError, Position, RecordError, Rules, records
from oanquan.play import HUMAN, LEVELS, Session, Stop

SMALL = Rules(squares=2, pebbles=2)
FIRST_TO_MOVE = "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0"


class Sessions(RuleBasedStateMachine):
    """The line of play is a list of moves, and the board that of the first so many of them."""

    @initialize(
        rules=st.sampled_from([SMALL, Rules(squares=1, pebbles=3), Rules(squares=2, pebbles=3, sides=3)]),
        seats=st.lists(st.sampled_from([HUMAN, "beginner", "easy", "search:depth=1"]), min_size=1, max_size=2),
        max_plies=st.sampled_from([3, 12, 1000]),
    )
    def begin(self, rules: Rules, seats: list[str], max_plies: int) -> None:
        self.session = Session(rules, seats=seats, max_plies=max_plies, repetition=2, seed=7)
        self.rules, self.max_plies = rules, max_plies
        self.line: list[str] = []
        self.ply = 0

    def replayed(self, plies: int) -> Game:
        game = Game(self.rules, max_plies=self.max_plies, repetition=2)
        for move in self.line[:plies]:
            game.push(move)
        return game

    def seat(self, ply: int) -> str:
        return self.session.seats["abcd".index(self.replayed(ply).position.turn)]

    def made(self, move: str) -> None:
        if self.line[self.ply : self.ply + 1] != [move]:
            self.line[self.ply :] = [move]
        self.ply += 1

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        game = self.replayed(self.ply)
        if game.is_over:
            with pytest.raises(IllegalMoveError):
                self.session.play("a1+")
            return
        move = data.draw(st.sampled_from(game.position.legal_moves))
        self.session.play(move)
        self.made(str(move))

    @rule(action=st.integers(0, 20))
    def play_anything(self, action: int) -> None:
        game = self.replayed(self.ply)
        try:
            game.push(action)
        except OanquanError as error:
            with pytest.raises(type(error)):
                self.session.play(action)
        else:
            self.session.play(action)
            self.made(str(game.moves[-1]))

    @rule()
    def think(self) -> None:
        if self.replayed(self.ply).is_over or self.seat(self.ply) == HUMAN:
            with pytest.raises(OanquanError, match="expected the turn of an agent"):
                self.session.think()
            return
        move = self.session.think()
        assert move is not None
        assert move == self.session.think(), "the same board, seed and ply"
        self.session.play(move)
        self.made(str(move))

    @rule()
    def undo(self) -> None:
        people = HUMAN in self.session.seats
        earlier = [ply for ply in range(self.ply) if not people or self.seat(ply) == HUMAN]
        assert self.session.can_undo == bool(earlier)
        if not earlier:
            with pytest.raises(OanquanError, match="expected a decision"):
                self.session.undo()
            return
        self.session.undo()
        self.ply = earlier[-1]

    @rule()
    def redo(self) -> None:
        people = HUMAN in self.session.seats
        assert self.session.can_redo == (self.ply < len(self.line))
        if self.ply == len(self.line):
            with pytest.raises(OanquanError, match="expected moves"):
                self.session.redo()
            return
        later = range(self.ply + 1, len(self.line))
        self.session.redo()
        self.ply = next((ply for ply in later if not people or self.seat(ply) == HUMAN), len(self.line))

    @rule(ply=st.integers(-1, 13))
    def goto(self, ply: int) -> None:
        if 0 <= ply <= len(self.line):
            self.session.goto(ply)
            self.ply = ply
        else:
            with pytest.raises(OanquanError, match="ply: expected"):
                self.session.goto(ply)

    @rule(seats=st.lists(st.sampled_from([HUMAN, "master", "easy"]), min_size=1, max_size=2))
    def sit(self, seats: list[str]) -> None:
        self.session.seats = seats  # type: ignore[assignment]

    @rule()
    def go_on_from_the_record(self) -> None:
        seats = self.session.seats
        again = Session.parse(self.session.record(), seats=seats)
        assert (again.record(), again.seed) == (self.session.record(), 7)
        self.session = again

    @precondition(lambda self: self.ply > 0)
    @rule(text=st.text("abc {}\\", min_size=1, max_size=5))
    def comment(self, text: str) -> None:
        self.session.game.comments[self.ply] = text
        assert Session.parse(self.session.record()).game.comments.get(self.ply) is not None
        del self.session.game.comments[self.ply]

    @invariant()
    def stands_as_the_game(self) -> None:
        session, game = self.session, self.replayed(self.ply)
        assert [str(move) for move in session.moves] == self.line
        assert (session.ply, session.game.moves) == (self.ply, game.moves)
        assert session.position == game.position
        assert (session.outcome, session.is_over) == (game.outcome, game.is_over)
        assert session.turn_is_human == (not game.is_over and self.seat(self.ply) == HUMAN)
        assert session.last_move == (game.moves[-1] if game.moves else None)
        assert session.positions == tuple(self.replayed(ply).position for ply in range(len(self.line) + 1))


Sessions.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestSessions = Sessions.TestCase


def test_seats_go_round() -> None:
    assert Session(Rules(sides=3), seats=["human", "easy"]).seats == ("human", "easy", "human")
    assert Session(seats=["search:depth=04"]).seats == ("search:depth=4", "search:depth=4")
    assert Session(Rules(sides=3)).seats == (HUMAN,) * 3


@pytest.mark.parametrize("seats", [[], ["human"] * 3, ["nobody"], ["search:depth=0"], ["Human"], ["table:none"]])
def test_seats_that_are_none(seats: list[str]) -> None:
    with pytest.raises(OanquanError):
        Session(seats=seats)
    session = Session()
    with pytest.raises(OanquanError):
        session.seats = tuple(seats)
    assert session.seats == (HUMAN, HUMAN)


@pytest.mark.parametrize("seats", ["human", 5, [None], None])
def test_seats_of_another_type(seats: object) -> None:
    with pytest.raises(TypeError):
        Session(seats=seats)  # type: ignore[arg-type]


def test_what_is_out_of_range() -> None:
    for wrong in ({"seed": -1}, {"seed": 2**64}, {"max_plies": -1}, {"repetition": 0}):
        with pytest.raises(OanquanError):
            Session(**wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Session(Rules(), position=Position.start())


def test_a_move_that_is_not_legal_changes_nothing() -> None:
    session = Session()
    session.play("a3+")
    session.undo()
    for move in ("a9+", "b1+", "", 10):
        with pytest.raises(OanquanError):
            session.play(move)
    assert (session.ply, session.can_redo, str(session.position)) == (0, True, FIRST_TO_MOVE)


def test_comments_on_moves_that_are_replaced_go() -> None:
    session = Session.parse("1. a1+ {one} b2- {two} 2. a3+ {three} *")
    session.goto(1)
    session.play("b2-")
    assert session.game.comments == {1: "one", 2: "two", 3: "three"}
    session.goto(1)
    session.play("b3-")
    assert session.game.comments == {1: "one"}


def test_headers_that_a_record_brings_stay() -> None:
    text = '[Players "An / Binh"]\n[Event "Tet"]\n[Seats "human / easy"]\n[Seed "5"]\n[Ply "1"]\n\n1. a1+ b2- *'
    session = Session.parse(text)
    assert (session.seats, session.seed, session.ply, len(session.moves)) == (("human", "easy"), 5, 1, 2)
    assert session.to_game().headers == {
        "Players": "An / Binh",
        "Event": "Tet",
        "Seats": "human / easy",
        "Seed": "5",
        "Ply": "1",
    }
    session.seats = ("master", "human")
    assert session.to_game().headers["Players"] == "An / Binh"


def test_players_follow_the_seats() -> None:
    session = Session.parse(Session(seats=["human", "easy"]).record())
    session.seats = ("master", "human")
    assert session.to_game().headers["Players"] == "master / human"


@pytest.mark.parametrize("seed", ["", "-1", "x", "²", "9" * 30, str(2**64), "1e5"])
def test_headers_that_say_nothing(seed: str) -> None:
    session = Session.parse(f'[Seats "table:/dev/zero / search:depth=100 / x"] [Seed "{seed}"] [Ply "{seed}"] 1. a1+ *')
    assert (session.seats, session.seed, session.ply) == ((HUMAN, HUMAN), 0, 1)


def test_more_seats_in_a_record_than_sides() -> None:
    assert Session.parse('[Seats "easy / human / easy"] 1. a1+ *').seats == ("easy", HUMAN)
    assert Session.parse('[Seats ""] 1. a1+ *').seats == (HUMAN, HUMAN)


def test_a_game_that_was_broken_off_goes_on() -> None:
    session = Session.parse('[Result "a"] 1. a1+ b2- a')
    session.play("a3+")
    assert len(session.game) == 3


def test_files_of_several_games(tmp_path: Path) -> None:
    path = tmp_path / "games.records"
    for number in range(1, 4):
        session = Session(seats=["human", "easy"])
        session.play(f"a{number}+")
        session.save(path, append=True)
    assert records.count(path) == 3
    assert [str(Session.load(path, number).last_move) for number in (1, 2, 3)] == ["a1+", "a2+", "a3+"]
    with pytest.raises(OanquanError, match="game: expected 1 to 3, got 4"):
        Session.load(path, 4)
    with pytest.raises(OanquanError, match="game: expected 1"):
        Session.load(path, 0)
    Session().save(path)
    assert records.count(path) == 1
    with pytest.raises(FileNotFoundError):
        Session.load(tmp_path / "none")


def test_a_fault_in_a_file_hides_no_other_game(tmp_path: Path) -> None:
    path = tmp_path / "games.records"
    path.write_text("1. a1+ *\n\n1. a1+ b1+ *\n\n1. a2+ *\n", encoding="utf-8")
    assert str(Session.load(path, 3).last_move) == "a2+"
    with pytest.raises(RecordError) as caught:
        Session.load(path, 2)
    assert caught.value.line == 3


def slow() -> Session:
    """A session whose agent thinks for minutes."""
    return Session(Rules(sides=3, squares=7, pebbles=8), seats=["search:depth=20", HUMAN, HUMAN])


@pytest.mark.parametrize("how", ["stop", "word", "play", "seats"])
def test_thinking_is_ended_by_another_thread(how: str) -> None:
    session, word, found = slow(), Stop(), ["nothing yet"]
    thread = threading.Thread(target=lambda: found.append(session.think(word)))  # type: ignore[arg-type]
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive()
    begin = time.perf_counter()
    match how:
        case "stop":
            session.stop()
        case "word":
            word.now()
        case "play":
            session.play("a1+")
        case "seats":
            session.seats = (HUMAN,)
    thread.join(10)
    assert not thread.is_alive()
    assert time.perf_counter() - begin < 2
    assert found[-1] is None


def test_a_search_is_ended_in_the_middle_of_a_depth() -> None:
    session, word = slow(), Stop()  # by these rules a depth soon takes minutes
    timer = threading.Timer(0.5, word.now)
    begin = time.perf_counter()
    timer.start()
    assert session.analysis(seconds=120, lines=5, stop=word) is None
    assert 0.5 < time.perf_counter() - begin < 5


def test_a_word_said_before_ends_what_comes_later() -> None:
    word = Stop()
    word.now()
    session = slow()
    begin = time.perf_counter()
    assert session.think(word) is None
    assert session.hint(seconds=60, stop=word) is None
    assert time.perf_counter() - begin < 2


def test_hints() -> None:
    session = Session(Rules.preset("wikipedia-vi"))
    hint = session.hint(seconds=0.2)
    assert hint is not None
    assert hint.move in session.position.legal_moves
    assert hint.words("en").startswith(f"{hint.move}: side a is ahead by about ")
    assert "bên a hơn chừng" in hint.words("vi")
    analysis = session.analysis(seconds=0.1, lines=4)
    assert analysis is not None
    assert len(analysis.lines) == 4
    with pytest.raises(OanquanError, match="lines"):
        session.analysis(seconds=0.1, lines=0)
    with pytest.raises(OanquanError, match="over"):
        Session(max_plies=0).hint()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", [Rules(), Rules(sides=3, squares=7, pebbles=9), Rules(sides=4, squares=7, pebbles=9)])
def test_levels_answer_soon(level: str, rules: Rules) -> None:
    session = Session(rules, seats=[level])
    begin = time.perf_counter()
    for _ in range(3):
        move = session.think()
        assert move is not None
        session.play(move)
    assert (time.perf_counter() - begin) / 3 < 2


def test_levels_are_numbered_and_named_in_both_languages() -> None:
    assert [level.number for level in LEVELS.values()] == [*range(1, len(LEVELS) + 1)]
    for lang in ("en", "vi"):
        assert len({level.title(lang) for level in LEVELS.values()}) == len(LEVELS)


def test_long_games_take_time_that_grows_with_their_length() -> None:
    game = Game(Rules(sides=3, capture_chain=False, reseed_when="when_empty"), max_plies=None, repetition=None)
    while len(game) < 50_000:
        game.push(game.position.legal_moves[0])
    game.headers["Ply"] = "0"
    begin = time.perf_counter()
    session = Session.of(game)
    assert (session.ply, len(session.moves)) == (0, 50_000)
    session.goto(50_000)
    assert not session.can_redo
    assert time.perf_counter() - begin < 10
