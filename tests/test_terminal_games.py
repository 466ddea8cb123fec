"""New games, files, and going on with the last game, in the terminal."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from oanquan import Game, Rules, records
from oanquan.language import LANGUAGES
from oanquan.play import HUMAN, Session
from oanquan.terminal import Keep, PlayApp
from oanquan.terminal.dialogs import LoadDialog, NewGameDialog, SaveDialog
from oanquan.terminal.widgets import Choices
from support.terminal import by_people, play, press, seen, until, words

SHORT = Rules(squares=2, pebbles=2)


# ---- new games -------------------------------------------------------------------------------------------------------


def test_a_new_game_of_other_rules_and_people(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "3", "plus", "n")
        choices = app.screen.query_one(Choices)
        names = [choice.name for choice in choices.choices]
        assert names[:4] == ["start", "rules", "seat 0", "seat 1"]
        choices.highlighted = names.index("rules")
        await press(pilot, "right", "right", "right")
        assert str(app.screen._rules()) == "wikipedia-vi"
        choices.highlighted = names.index("sides")
        await press(pilot, "right")
        choices.highlighted = 5
        await pilot.pause()
        assert [choice.name for choice in choices.choices][2:6] == ["seat 0", "seat 1", "seat 2", "sides"]
        choices.highlighted = 3
        await press(pilot, "right", "enter", "left")
        assert "easy" not in seen(app)
        choices.highlighted = 0
        await press(pilot, "enter")
        await until(pilot, lambda: app.session.rules.sides == 3)
        assert app.session.rules == Rules.preset("wikipedia-vi", sides=3)
        assert app.session.seats == (HUMAN, "beginner", HUMAN)

    keep = Keep(tmp_path)
    play(script, by_people(), keep=keep)
    assert [game.moves for game in records.read(keep.games)] == [Game.parse("1. a3+ *").moves]


def test_rules_that_cannot_be_are_told() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "n")
        choices = app.screen.query_one(Choices)
        names = [choice.name for choice in choices.choices]
        for knob in ("mandarin", "immature_below"):
            choices.highlighted = names.index(knob)
            await press(pilot, "right")
        assert "immature_below" in words(app)
        choices.highlighted = 0
        await press(pilot, "enter")
        assert isinstance(app.screen, NewGameDialog)
        choices.highlighted = names.index("immature_below")
        await press(pilot, "left")
        choices.highlighted = 0
        await press(pilot, "enter")
        await until(pilot, lambda: app.session.rules.mandarin == "pebbles")

    play(script, by_people())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_has_a_meaning(lang: str) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "n")
        choices = app.screen.query_one(Choices)
        for at in range(len(choices.choices)):
            choices.highlighted = at
            await pilot.pause()
            assert str(app.screen.query_one("#meaning").render())

    play(script, by_people(), lang=lang)


def test_the_first_run_asks_what_to_play() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        assert isinstance(app.screen, NewGameDialog)
        await press(pilot, "enter")
        await until(pilot, lambda: not isinstance(app.screen, NewGameDialog))
        assert app.session.seats == (HUMAN, "casual")

    play(script)


# ---- files -----------------------------------------------------------------------------------------------------------


def test_saving_and_loading(tmp_path: Path) -> None:
    path = tmp_path / "games.records"

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        for key in ("1", "3"):
            await press(pilot, key, "plus", "s")
            assert isinstance(app.screen, SaveDialog)
            app.screen.query_one(Input).value = str(path)
            await press(pilot, "enter")
            await until(pilot, lambda: not isinstance(app.screen, SaveDialog))
        assert records.count(path) == 2
        await press(pilot, "o")
        assert isinstance(app.screen, LoadDialog)
        app.screen.query_one(Input).value = str(tmp_path / "none")
        await press(pilot, "enter")
        assert "No such file" in words(app)
        app.screen.lang = "vi"
        await press(pilot, "enter")
        assert "Không có tệp" in words(app)
        app.screen.lang = "en"
        app.screen.query_one(Input).value = str(path)
        await press(pilot, "enter")
        assert "2 games" in words(app)
        assert app.screen.query_one(OptionList).highlighted == 1
        await press(pilot, "up", "enter")
        await until(pilot, lambda: len(app.session.moves) == 1)
        assert str(app.session.last_move) == "a1+"

    play(script, by_people())


def test_what_is_no_record_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = '[Players An]\n\n1. a1+ *\n\n[Players "[b]An[/b] / Binh"]\n\n1. a2+ *\n\n[Event "x"]\n\n1. a1+ b1+ *\n'
    Path("some.records").write_text(text, encoding="utf-8")

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "o")
        app.screen.query_one(Input).value = "some.records"
        await press(pilot, "enter")
        await until(pilot, lambda: "some.records:1:" in words(app))
        assert "[b]An[/b] / Binh" in words(app)
        await press(pilot, "end", "enter")  # its headers are well, its moves are not
        assert isinstance(app.screen, LoadDialog)
        assert "illegal move b1+" in words(app)
        await press(pilot, "home", "enter")
        await until(pilot, lambda: len(app.session.moves) == 1)

    play(script, by_people())


def test_a_record_gives_the_terminal_no_orders(tmp_path: Path) -> None:
    orders = "A\x1b[2J\x1b]0;title\x07\x9b31m\r\u202eB"
    game = Game()
    game.headers["Players"] = orders
    path = tmp_path / "some.records"
    records.write(path, [game, game])
    with path.open("a", encoding="utf-8") as file:
        file.write(f"[{orders}]\n\n1. {orders} *\n")

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "o")
        app.screen.query_one(Input).value = str(path)
        await press(pilot, "enter")
        await until(pilot, lambda: "2 games" in words(app))
        assert "A�[2J�]0;title��31m��B" in words(app)
        assert all(sign.isprintable() or sign == "\n" for sign in seen(app))

    play(script, by_people(), size=(160, 30))


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await until(pilot, lambda: "The game cannot be kept" in words(app))
        await press(pilot, "s")
        app.screen.query_one(Input).value = str(tmp_path / "no" / "file")
        await press(pilot, "enter")
        assert isinstance(app.screen, SaveDialog)
        assert "No such file" in words(app)
        app.screen.query_one(Input).value = ""
        await press(pilot, "enter")
        assert "expected a path" in words(app)
        await press(pilot, "escape", "3", "plus")
        assert app.session.ply == 1

    play(script, by_people(), keep=Keep(tmp_path / "file"))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")
@pytest.mark.parametrize("key", ["o", "s"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, key: str) -> None:
    os.mkfifo(tmp_path / "pipe")

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        for path in (tmp_path / "pipe", Path("/dev/zero"), Path("/dev/full")):
            await press(pilot, key)
            app.screen.query_one(Input).value = str(path)
            await press(pilot, "enter")
            assert "got a pipe or a device" in words(app)
            await press(pilot, "escape")

    play(script, by_people())


def test_the_last_games_of_a_long_file_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "games.records"
    records.write(path, [Game.parse("1. a1+ *")] * 1499 + [Game.parse("1. a2+ *")])

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "o")
        app.screen.query_one(Input).value = str(path)
        await press(pilot, "enter")
        assert "1500 games" in words(app)
        await press(pilot, "enter")
        await until(pilot, lambda: len(app.session.moves) == 1)
        assert str(app.session.last_move) == "a2+"

    play(script, by_people())


@pytest.mark.parametrize("name", ["~/x.records", "~nobody-of-this-name", "a[/red].records", "[@click=app.quit]b"])
def test_any_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "a[").mkdir()

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "3", "plus", "s")
        app.screen.query_one(Input).value = name
        await press(pilot, "enter")
        await until(pilot, lambda: not isinstance(app.screen, SaveDialog))
        await until(pilot, lambda: name.rpartition("/")[2][-9:] in words(app))
        await press(pilot, "u", "1", "plus", "o")
        app.screen.query_one(Input).value = name
        await press(pilot, "enter")
        await until(pilot, lambda: str(app.session.last_move) == "a3+")

    play(script, by_people(), size=(200, 40))
    assert (tmp_path / name.removeprefix("~/")).exists()


# ---- going on --------------------------------------------------------------------------------------------------------


def test_the_game_goes_on_in_the_next_run(tmp_path: Path) -> None:
    async def first(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "3", "plus")
        await until(pilot, lambda: app.session.ply == 2)
        await press(pilot, "u", "l", "q")

    async def second(pilot: Pilot[None], app: PlayApp) -> None:
        assert (app.session.ply, len(app.session.moves), app.session.seats) == (0, 2, (HUMAN, "search:depth=1"))
        assert app.lang == "vi"
        await press(pilot, "r", "q")

    async def third(_: Pilot[None], app: PlayApp) -> None:
        assert app.session.ply == 0
        assert app.session.rules == SHORT

    play(first, Session(seats=(HUMAN, "search:depth=1")), keep=Keep(tmp_path))
    play(second, keep=Keep(tmp_path), lang=None)
    play(third, by_people(SHORT), keep=Keep(tmp_path))
    assert [len(game) for game in records.read(Keep(tmp_path).games)] == [2], "what was left is not lost"


def test_a_finished_game_is_put_away(tmp_path: Path) -> None:
    async def first(pilot: Pilot[None], app: PlayApp) -> None:
        await until(pilot, lambda: app.session.is_over)

    async def second(_: Pilot[None], app: PlayApp) -> None:
        assert isinstance(app.screen, NewGameDialog)

    play(first, Session(SHORT, seats=("easy", "easy")), keep=Keep(tmp_path))
    play(second, keep=Keep(tmp_path))
    assert records.count(Keep(tmp_path).games) == 1


@pytest.mark.parametrize("text", ["", "\0", "1. a9+ *", "[" * 5000, "é".encode("latin-1").decode("latin-1")])
def test_damage_to_what_is_kept_is_no_end(tmp_path: Path, text: str) -> None:
    for name in ("current.record", "settings.json"):
        (tmp_path / name).write_bytes(text.encode("latin-1"))

    async def script(_: Pilot[None], app: PlayApp) -> None:
        assert isinstance(app.screen, NewGameDialog)

    play(script, keep=Keep(tmp_path), lang=None)


@pytest.mark.parametrize("text", ['[Players "x', "1. a9+ *", "\0" * 10])
def test_a_kept_game_that_cannot_be_read_is_put_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / "current.record").write_text(text, encoding="utf-8")

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await until(pilot, lambda: "It is now in" in words(app))
        await press(pilot, "escape", "3", "plus")

    play(script, keep=Keep(tmp_path), size=(120, 40))
    assert (tmp_path / "current.damaged").read_text(encoding="utf-8") == text
    assert str(Session.load(tmp_path / "current.record").moves[0]) == "a3+"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no locks")
def test_two_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    async def first(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "3", "plus")
        await asyncio.to_thread(lambda: play(second, keep=Keep(tmp_path)))  # another process has locks of its own too
        await until(pilot, lambda: app.session.ply == 2)
        await press(pilot, "q")

    async def second(pilot: Pilot[None], app: PlayApp) -> None:
        assert isinstance(app.screen, NewGameDialog), "the other one goes on with that game"
        await press(pilot, "enter")
        await until(pilot, lambda: not isinstance(app.screen, NewGameDialog))
        await press(pilot, "1", "plus", "q")

    async def third(_: Pilot[None], app: PlayApp) -> None:
        assert (len(app.session.moves), app.session.seats) == (2, (HUMAN, "beginner"))

    play(first, Session(seats=(HUMAN, "beginner")), keep=Keep(tmp_path))
    play(third, keep=Keep(tmp_path))
    assert [str(game.moves[0]) for game in records.read(Keep(tmp_path).games)] == ["a1+"]
    assert not [*tmp_path.glob("current-*.record")]


def test_seats_of_another_game_are_not_taken(tmp_path: Path) -> None:
    keep, other = Keep(tmp_path), Session(SHORT, seats=("master", "search:depth=2"))
    keep.save(Session(seats=(HUMAN, "easy")))
    keep.save(other)
    Session(seats=(HUMAN, "easy")).save(keep.current)
    loaded = Keep(tmp_path).load()
    assert loaded is not None
    assert loaded.seats == (HUMAN, "easy")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")
@pytest.mark.parametrize("name", ["current.record", "settings.json"])
def test_a_pipe_in_place_of_what_is_kept(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)

    async def script(_: Pilot[None], app: PlayApp) -> None:
        assert isinstance(app.screen, NewGameDialog)

    play(script, keep=Keep(tmp_path))


def test_a_game_that_was_only_looked_at_is_not_put_away_again(tmp_path: Path) -> None:
    keep = Keep(tmp_path)
    for move in ("a1+", "a2+"):
        session = by_people()
        session.play(move)
        keep.put_away(session)

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        for way in ("up", "down", "up", "down"):
            await press(pilot, "o", "enter", *(["up"] if way == "up" else []), "enter")
            await until(pilot, lambda: app.screen is app.game and app.session.moves)
            await press(pilot, "u", "r")
        await press(pilot, "1", "plus", "n", "enter")
        await press(pilot, "3", "plus", "u", "3", "minus", "o", "enter", "enter")
        await until(pilot, lambda: app.screen is app.game and str(app.session.last_move) != "a3-")

    play(script, by_people(), keep=keep)
    moves = [" ".join(map(str, game.moves)) for game in records.read(keep.games)]
    assert moves == ["a1+", "a2+", "a2+ b1+", "a3-"]
