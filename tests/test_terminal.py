"""Games in the terminal, played by keys and by the mouse, with textual's Pilot."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from oanquan import OanquanError, Position, Rules
from oanquan.language import LANGUAGES, say
from oanquan.play import HUMAN, Session
from oanquan.terminal import Keep, PlayApp
from oanquan.terminal.dialogs import HelpDialog, LoadDialog, NewGameDialog, SaveDialog
from oanquan.terminal.showing import SPEEDS
from oanquan.terminal.widgets import BoardView
from support.terminal import by_people, click, play, press, seen, until, words

SHORT = Rules(squares=2, pebbles=2)


# ---- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [Rules(), Rules(sides=3), Rules(sides=4, squares=2), Rules(directions="clockwise")])
def test_a_whole_game_by_keys(rules: Rules) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        while not app.session.is_over:
            before = app.session.ply
            aim = app.game.aim
            assert aim is not None
            assert aim.square in aim.squares
            await press(pilot, "right", "enter")
            if app.session.ply == before:  # there are two directions
                assert aim.chosen
                await press(pilot, *(("plus",) if before % 2 else ("minus",)))
            assert app.session.ply == before + 1
        assert app.game.aim is None
        assert " wins: " in words(app) or "draw" in words(app)
        await press(pilot, "enter", "plus", "left", "1", "h")  # nothing is left to do
        assert app.session.is_over

    play(script, by_people(rules))


@pytest.mark.parametrize("rules", [Rules(squares=3, pebbles=2), Rules(sides=3), Rules(sides=4, squares=3)])
def test_a_whole_game_by_mouse(rules: Rules) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        while not app.session.is_over:
            move = app.session.position.legal_moves[-1 - app.session.ply % 2]
            await click(pilot, app, str(move)[:-1])
            assert app.game.aim is not None
            plan = app.game.board.painting.plan
            await click(pilot, app, plan.next_to(str(move)[:-1], {"+": 1, "-": -1}[str(move)[-1]]))
            assert app.session.last_move == move

    play(script, by_people(rules))


def test_a_game_against_an_agent() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        while not app.session.is_over:
            await until(pilot, lambda: app.session.turn_is_human or app.session.is_over)
            if not app.session.is_over:
                move = app.session.position.legal_moves[0]
                await press(pilot, str(move)[1], {"+": "plus", "-": "minus"}[str(move)[-1]])
        assert len(app.session.moves) > 4

    play(script, Session(Rules(squares=3), seats=("easy", HUMAN), max_plies=30))


@pytest.mark.parametrize(("bottom", "key", "square"), [("a", "right", "a4"), ("a", "left", "a2"), ("b", "left", "a4")])
def test_arrow_keys_go_as_the_board_lies(bottom: str, key: str, square: str) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        app.game.bottom = bottom
        app.game.draw()
        await press(pilot, "3")
        await press(pilot, key)
        assert app.game.aim is not None
        assert app.game.aim.square == square

    play(script, by_people())


@pytest.mark.parametrize(("bottom", "key"), [("a", "right"), ("b", "left")])
def test_the_arrow_key_says_the_direction(bottom: str, key: str) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        app.game.bottom = bottom
        app.game.draw()
        await press(pilot, "3", "space", "up", key)
        assert str(app.session.last_move) == "a3+"

    play(script, by_people())


def test_a_square_is_let_go_again() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        aim = app.game.aim
        assert aim is not None
        for leave in (["escape"], ["enter"], ["x"], ["4"]):
            await press(pilot, "3", "enter")
            assert aim.chosen
            await press(pilot, *leave)
            assert not aim.chosen
        await click(pilot, app, "a2")
        assert aim.chosen
        await click(pilot, app, "b5")
        assert aim.chosen, "no square of this side, and not beside it"
        await pilot.click(BoardView, offset=(0, 0))
        assert not aim.chosen
        assert app.session.ply == 0

    play(script, by_people())


# ---- steps -----------------------------------------------------------------------------------------------------------


def test_a_move_is_shown_step_by_step() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "3", "plus")
        assert app.session.ply == 1
        boards = []
        showing = app.game.showing
        assert showing is not None
        await until(pilot, lambda: boards.append(str(app.game.board.painting.canvas)) or app.game.aim)
        trace = Position.start().trace("a3+")
        assert len(dict.fromkeys(boards)) > len(trace) / 2
        assert "↑5" in "".join(boards)
        assert "Side a lifts 5 pebbles from a3" in words(app)
        assert "Side b to move." in words(app)

    before = SPEEDS["fast"]
    SPEEDS["fast"] = 0.03
    try:
        play(script, by_people(), speed="fast", size=(80, 40))
    finally:
        SPEEDS["fast"] = before


def test_pausing_stepping_and_skipping() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "3", "plus", "space")
        assert "Paused" in words(app)
        showing = app.game.showing
        assert showing is not None
        await press(pilot, "full_stop", "right")
        at = str(showing.frame.step)
        assert at == "drop one in a5"
        await press(pilot, "comma")
        assert str(showing.frame.step) == "drop one in a4"
        await pilot.pause(0.2)
        assert str(showing.frame.step) == "drop one in a4", "it is paused"
        for _ in range(40):
            await press(pilot, "left")
        assert showing.frame.step is None
        await press(pilot, "space")
        assert not app.game.is_paused
        await press(pilot, "x")
        assert app.game.aim is not None
        await press(pilot, "w", "space")
        assert "Paused" in words(app)
        for _ in range(len(Position.start().trace("a3+")) + 1):
            await press(pilot, "right")
        assert app.game.aim is not None, "behind the last step play goes on"

    play(script, by_people(), speed="slow")


def test_the_last_move_is_watched_again_at_once() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "w")
        assert app.game.showing is None
        await press(pilot, "3", "plus", "w")
        assert app.game.is_paused
        await press(pilot, "right")
        assert "↑5" in seen(app)
        await press(pilot, "enter")
        assert app.game.aim is not None

    play(script, by_people())


def test_speeds_go_round_and_are_kept(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        found = []
        for _ in SPEEDS:
            found.append(app.speed)
            await press(pilot, "v")
        assert sorted(found) == sorted(SPEEDS)
        await press(pilot, "v")

    play(script, by_people(), keep=Keep(tmp_path), speed="instant")
    assert Keep(tmp_path).settings.speed == "slow"


# ---- back and forth, hints -------------------------------------------------------------------------------------------


def test_undo_and_redo() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "u", "r", "left_square_bracket")
        assert app.session.ply == 0
        await press(pilot, "3", "plus")
        await until(pilot, lambda: app.session.ply == 2)
        await press(pilot, "u")
        assert (app.session.ply, app.session.can_redo) == (0, True)
        await press(pilot, "r")
        assert app.session.ply == 2
        await press(pilot, "left_square_bracket")
        assert app.session.ply == 1
        assert "Side b is waiting" in words(app)
        await pilot.pause(0.1)
        assert app.session.ply == 1, "an agent waits while something can be brought back"
        await press(pilot, "space")
        await until(pilot, lambda: app.session.ply == 2)
        await press(pilot, "left_square_bracket", "left_square_bracket", "right_square_bracket", "right_square_bracket")
        assert app.session.ply == 2

    play(script, Session(seats=(HUMAN, "easy")))


def test_a_hint_says_a_move_and_points_at_it() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "h")
        assert "Looking for a good move" in words(app)
        await until(pilot, lambda: "ahead by about" in words(app))
        assert app.game.aim is not None
        assert app.game._hinted is not None
        assert app.game.aim.square == str(app.game._hinted)[:-1]
        await press(pilot, "l")
        await press(pilot, "h")
        await until(pilot, lambda: "bên a hơn chừng" in words(app))

    play(script, by_people(Rules.preset("wikipedia-vi")))


def test_a_move_ends_the_search_for_a_hint() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "h", "3", "plus")
        await pilot.pause(1.3)
        assert app.session.ply == 1
        assert app.game._hinted is None
        assert "ahead by about" not in words(app)

    play(script, by_people())


def slow() -> Session:
    return Session(Rules(sides=3, squares=7, pebbles=8), seats=["search:depth=20", HUMAN, HUMAN])


def test_thinking_keeps_nothing_waiting_and_ends_with_a_new_game() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        assert "Side a is thinking" in words(app)
        begin = time.perf_counter()
        await press(pilot, "t", "l", "question_mark")
        await press(pilot, "escape", "n")
        assert isinstance(app.screen, NewGameDialog)
        await press(pilot, "down", "down", "left", "left")
        for _ in range(8):  # the seat of side a: back to a person
            if app.screen._seats[0] == HUMAN:
                break
            await press(pilot, "right")
        await press(pilot, "up", "up", "enter")
        await until(pilot, lambda: app.session.turn_is_human)
        await until(pilot, lambda: not app.workers._workers)
        assert time.perf_counter() - begin < 10
        assert app.session.ply == 0

    play(script, slow())


def test_leaving_ends_thinking() -> None:
    async def script(pilot: Pilot[None], _: PlayApp) -> None:
        await press(pilot, "q")

    begin = time.perf_counter()
    app = play(script, slow())
    assert time.perf_counter() - begin < 10
    assert not app.is_running


def test_an_agent_that_cannot_play_is_told() -> None:
    class Broken(Session):
        def think(self, _: object = None) -> None:  # type: ignore[override]
            raise OanquanError("expected a table that serves the rules")

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await until(pilot, lambda: "expected a table" in words(app))
        assert "is waiting: space" in words(app)
        await press(pilot, "u", "n", "escape", "space")
        await until(pilot, lambda: "expected a table" in words(app))

    play(script, Broken(seats=("easy", HUMAN)))


def test_agents_play_each_other() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await until(pilot, lambda: app.session.is_over)
        await press(pilot, "u")
        assert not app.session.is_over
        assert "waiting" in words(app)

    play(script, Session(SHORT, seats=("easy", "beginner"), seed=3))


def test_space_lets_an_agent_wait_and_go_on() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        assert "thinking" in words(app)
        await press(pilot, "space")
        assert "waiting" in words(app)
        await press(pilot, "space")
        assert "thinking" in words(app)
        await press(pilot, "enter", "right", "plus", "3", "h")
        assert "thinking" in words(app)

    play(script, slow())


@pytest.mark.parametrize("seed", range(6))
def test_any_keys_in_any_order(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where files are saved
    rng = Random(seed)
    keys = [*"nurhwvsotlq?x123", "left", "right", "up", "down", "enter", "space", "escape", "plus", "minus", "comma"]
    keys += ["full_stop", "left_square_bracket", "right_square_bracket", "tab", "home", "end", "pagedown", "f1"]
    keys.remove("q")
    rules = Rules(sides=rng.randint(2, 4), squares=rng.randint(1, 7), pebbles=rng.randint(1, 5))

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        for _ in range(150):
            if rng.random() < 0.05:
                await pilot.resize_terminal(rng.randint(1, 120), rng.randint(1, 40))
            await press(pilot, "question_mark" if (key := rng.choice(keys)) == "?" else key)
            if isinstance(app.screen, SaveDialog | LoadDialog):
                app.screen.query_one(Input).value = ""
        assert app.is_running
        session = app.session
        assert session.positions[session.ply] == session.position

    play(script, Session(rules, seats=[rng.choice([HUMAN, "easy"]), HUMAN]), speed=rng.choice([*SPEEDS]))


# ---- languages and sizes ---------------------------------------------------------------------------------------------


def test_both_languages() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "3", "plus")
        assert "Side a lifts 5 pebbles" in words(app)
        await press(pilot, "l")
        assert "Bên a bốc 5 dân ở ô a3" in words(app)
        assert "Đến lượt bên b." in words(app)
        assert "Ván mới" in words(app)
        await press(pilot, "question_mark")
        assert "Mũi tên" in words(app)
        await press(pilot, "escape", "n")
        assert "Ăn liên hoàn" in words(app) or "Luật chơi" in words(app)

    play(script, by_people(), size=(80, 40))


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (10, 4), (20, 6), (40, 10), (200, 70)])
@pytest.mark.parametrize("rules", [Rules(), Rules(sides=4, squares=7), Rules(sides=3, squares=1, pebbles=10)])
def test_any_size_of_screen(size: tuple[int, int], rules: Rules) -> None:
    async def script(pilot: Pilot[None], _: PlayApp) -> None:
        await press(pilot, *["enter", "plus"] * 3)
        await pilot.resize_terminal(30, 8)
        await press(pilot, "n")
        await pilot.resize_terminal(*size)
        await press(pilot, "down", "right", "escape", "question_mark", "escape", "o", "escape", "u", "h", "q")

    play(script, by_people(rules), size=size)


@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_eighty_columns_and_twenty_four_lines_hold_everything(sides: int, lang: str) -> None:
    async def script(_: Pilot[None], app: PlayApp) -> None:
        shown = seen(app)
        for square in app.session.rules.square_names:
            assert square in shown
        for side in "abcd"[:sides]:
            assert f"{'side' if lang == 'en' else 'bên'} {side}" in shown
        assert ("Choose a square" if lang == "en" else "Chọn ô") in shown
        assert ("quit" if lang == "en" else "thoát") in shown.lower()

    play(script, by_people(Rules(sides=sides, squares=7)), lang=lang)


def test_keys_can_be_clicked_on() -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "3", "plus")
        line = next(y for y, text in enumerate(seen(app).splitlines()) if "u Undo" in text)
        column = seen(app).splitlines()[line].index("u Undo")
        await pilot.click(offset=(column + 3, line))
        assert app.session.ply == 0

    play(script, by_people())


def test_what_is_refused() -> None:
    with pytest.raises(OanquanError, match="speed"):
        PlayApp(speed="slower")
    with pytest.raises(OanquanError, match="lang"):
        PlayApp(lang="fr")


def test_the_screen_of_the_documentation() -> None:
    page = (Path(__file__).parent.parent / "docs" / "play.md").read_text(encoding="utf-8")
    block = page.partition("```text\n")[2].partition("```")[0]

    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "3", "plus")
        await until(pilot, lambda: app.session.ply == 2)
        await press(pilot, "2", "enter")
        assert seen(app).splitlines() == block.splitlines()

    play(script, Session(Rules.preset("wikipedia-vi"), seats=(HUMAN, "strong")))


def test_the_program_can_be_put_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(PlayApp, "action_suspend_process", lambda _: asked.append(True))

    async def script(pilot: Pilot[None], _: PlayApp) -> None:
        await press(pilot, "ctrl+z", "n", "ctrl+z", "escape", "s", "ctrl+z")
        await pilot.pause()

    play(script, by_people())
    assert len(asked) == 3


@pytest.mark.parametrize("keys", [[], ["n"], ["s"], ["o"], ["question_mark"]])
def test_control_c_leaves_from_everywhere(keys: list[str]) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, *keys, "ctrl+c")
        await until(pilot, lambda: app._exit)

    play(script, by_people())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_help_fits_and_says_how_to_leave_it(lang: str) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        for key in ("escape", "enter", "question_mark", "q", "f1"):
            await press(pilot, "question_mark")
            assert isinstance(app.screen, HelpDialog)
            assert "Escape" in words(app)
            assert say("terminal.help_quit", lang) in words(app)
            assert app.screen.query_one(".box").max_scroll_y == 0
            await press(pilot, key)
            assert app.screen is app.game

    play(script, by_people(), lang=lang)


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_a_hint_does_not_hide_what_to_press(sides: int) -> None:
    async def script(pilot: Pilot[None], app: PlayApp) -> None:
        await press(pilot, "h")
        hinted = await until(pilot, lambda: app.game._hinted)
        await press(pilot, "escape")
        assert f"{hinted}: side a is" in words(app)
        assert "Choose a square" in words(app)
        await press(pilot, "enter")
        assert f"{hinted}: side a is" in words(app)
        assert "Which way?" in words(app)

    play(script, by_people(Rules(sides=sides)))
