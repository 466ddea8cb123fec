"""The web board's server: what every endpoint answers, how games live and die, how thinking is bounded and ended."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oanquan as oaq
from oanquan import PRESETS, Position, Rules, web
from oanquan.language import LANGUAGES, sentences
from oanquan.play import LEVELS, Session
from oanquan.web.application import Board
from oanquan.web.errors import WebError
from oanquan.web.faults import fault_in_words
from oanquan.web.games import Games
from oanquan.web.playing import MOST_PLIES, SLICES
from oanquan.web.thinking import Thinkers
from oanquan.web.words import asked_language
from support.asgi import JSON, Client

STATIC = Path(web.__file__).parent / "static"
VIEW = {"game", "version", "rules", "board", "position", "turn", "over", "winner", "status", "points", "seats", "human"}
VIEW |= {"moves", "ply", "first", "last", "told", "legal", "undo", "redo", "record", "picture"}


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client(web.app())
    yield made
    made.close()


def begun(client: Client, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/games", body)
    assert answer.status == 201, answer.body
    view: dict[str, Any] = answer.json()
    assert view.keys() == VIEW
    return view


def done(client: Client, view: dict[str, Any], what: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/games/{view['game']}/{what}", body)
    assert answer.status == 200, answer.body
    found: dict[str, Any] = answer.json()
    return found


# ---- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "lang"),
    [("vi-VN,vi;q=0.9", "vi"), ("en-GB", "en"), ("de,fr;q=0.4", "en"), ("en;q=0.2,vi", "vi"), ("", "en")],
)
def test_the_page_speaks_the_browser_s_language(client: Client, header: str, lang: str) -> None:
    answer = client.get("/", accept_language=header)
    assert f'<html lang="{lang}">' in answer.body.decode()
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


def test_a_server_may_prefer_a_language() -> None:
    client = Client(web.app(lang="vi"))
    assert b'<html lang="vi">' in client.get("/", accept_language="en").body
    client.close()
    with pytest.raises(oaq.OanquanError, match="lang: expected one of en, vi"):
        web.app(lang="fr")


@pytest.mark.parametrize("header", ["vi;q=2", "vi;q=-1", "vi;q=x", "vi;q=٣", ",,,;;;q", "*", "vi" * 9999])
def test_odd_languages_are_passed_over(header: str) -> None:
    assert asked_language(header) == "en"


@pytest.mark.parametrize("name", sorted(file.name for file in STATIC.iterdir()))
def test_files_of_the_page(client: Client, name: str) -> None:
    answer = client.get(f"/static/{name}")
    if name == "index.html":  # only with its language filled in
        assert answer.status == 404
        return
    assert (answer.status, answer.body) == (200, (STATIC / name).read_bytes())
    again = client.get(f"/static/{name}", if_none_match=answer.headers["etag"])
    assert (again.status, again.body) == (304, b"")


def test_the_page_asks_nothing_of_others() -> None:
    for file in STATIC.iterdir():
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]|@import|url\(", text), file
        assert len(text.splitlines()) <= 600, file
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", page), "the policy allows nothing inline"
    assert not any("innerHTML" in file.read_text(encoding="utf-8") for file in STATIC.glob("*.js"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words(client: Client, lang: str) -> None:
    found = client.get(f"/api/words/{lang}").json()
    assert found["words"].keys() >= sentences("web").keys()
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    asked = set(re.findall(r'data-(?:say|label)="(\w+)"', page))
    for file in STATIC.glob("*.js"):
        asked |= set(re.findall(r'\bsay\("(\w+)"', file.read_text(encoding="utf-8")))
    assert asked <= found["words"].keys()
    assert [preset["name"] for preset in found["presets"]] == [*PRESETS]
    assert [level["name"] for level in found["levels"]] == [*LEVELS]
    assert [knob["name"] for knob in found["knobs"]] == [name for name, _ in Rules().pairs()]
    for knob in found["knobs"]:
        assert dict(Rules().pairs())[knob["name"]] in [value["value"] for value in knob["values"]]
    assert client.get("/api/words/fr").status == 404


# ---- playing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_of_two_people(client: Client, preset: str) -> None:
    view = begun(client, rules=preset, lang="vi")
    game = oaq.Game(Rules.preset(preset))
    for number in range(60):
        if view["over"]:
            break
        move = view["legal"][(7 * number) % len(view["legal"])]
        game.push(move)
        view = done(client, view, "play", move=move, lang="vi")
        assert view["position"] == str(game.position)
        assert view["moves"] == [str(made) for made in game.moves]
        assert view["told"][-1]["last"] == len(game.start.trace(move)) - 1 if number == 0 else True
    ET.fromstring(view["picture"])
    assert oaq.Game.parse(view["record"]).moves == game.moves
    assert view["points"] == list(game.position.points if game.outcome is None else game.outcome.points)


def test_a_game_against_a_level(client: Client) -> None:
    view = begun(client, rules="short-game", seats=["human", "easy"], seed=7)
    for _ in range(400):
        if view["over"]:
            break
        if view["human"]:
            view = done(client, view, "play", move=view["legal"][0])
        else:
            assert client.post(f"/api/games/{view['game']}/play", {"move": view["legal"][0]}).code == "not_your_turn"
            view = done(client, view, "think")
    assert view["over"]
    assert view["legal"] == []
    assert re.search(r"wins|draw", view["status"])
    for what in ("think", "hint", "analyse"):
        answer = client.post(f"/api/games/{view['game']}/{what}")
        assert (answer.status, answer.code) == (409, "over")
    assert client.post(f"/api/games/{view['game']}/play", {"move": "a1+"}).code == "illegal_move"


def test_back_and_forth(client: Client) -> None:
    view = begun(client)
    for move in ("a3+", "b1+"):
        view = done(client, view, "play", move=move)
    assert (view["undo"], view["redo"]) == (True, False)
    back = done(client, view, "undo")
    assert (back["ply"], back["moves"], back["redo"]) == (1, ["a3+", "b1+"], True)
    assert done(client, view, "goto", ply=0)["position"] == str(Position.start())
    assert client.post(f"/api/games/{view['game']}/undo").code == "nothing_there"
    assert client.post(f"/api/games/{view['game']}/goto", {"ply": 3}).code == "nothing_there"
    assert done(client, view, "redo")["ply"] == 1
    assert done(client, view, "goto", ply=2)["position"] == view["position"]
    assert client.post(f"/api/games/{view['game']}/redo").code == "nothing_there"


def test_illegal_moves_are_told_in_the_language(client: Client) -> None:
    view = begun(client)
    for lang in LANGUAGES:
        answer = client.post(f"/api/games/{view['game']}/play", {"move": "b1+", "lang": lang})
        assert (answer.status, answer.code) == (422, "illegal_move")
        assert ("lượt" in answer.json()["error"]["message"]) == (lang == "vi")
    assert client.post(f"/api/games/{view['game']}/play", {"move": "what"}).code == "notation"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_is_refused_is_told_in_the_language(client: Client, lang: str) -> None:
    view = begun(client)
    game = f"games/{view['game']}"
    start = view["position"]
    refused = [
        ("games", {"record": ""}, "no_record"),
        ("games", {"record": "* *"}, "several_records"),
        ("games", {"record": "1. a3+ a3+ *"}, "record"),
        ("games", {"position": "x"}, "notation"),
        ("games", {"position": start.replace("0q1", "0q2")}, "position"),
        ("games", {"rules": "mandarin=pebbles,immature_below=5"}, "rules"),
        ("games", {"seats": ["human"] * 4}, "refused"),
        ("records", {"text": "{"}, "record"),
        ("steps", {"rules": "mancala-world", "position": start, "move": "?"}, "notation"),
        ("compare", {"rules": "mancala-world", "position": "1/", "other": "mancala-world"}, "notation"),
        ("setup", {"rules": "mancala-world", "text": "5.5"}, "notation"),
        (f"{game}/undo", {}, "nothing_there"),
        (f"{game}/goto", {"ply": 9}, "nothing_there"),
        ("games/none/look", {}, "unknown_game"),
    ]
    for path, body, code in refused:
        answer = client.post(f"/api/{path}", {**body, "lang": lang})
        assert answer.code == code
        message = answer.json()["error"]["message"]
        assert "{" not in message
        assert bool(re.search("[ăâđêôơưàáảãạằắẳẵặầấẩẫậèéẻẽẹềếểễệìíỉĩịòóỏõọồốổỗộờớởỡợùúủũụừứửữựỳýỷỹỵ]", message)) == (
            lang == "vi"
        ), message


def test_a_move_for_another_board_is_not_made(client: Client) -> None:
    view = begun(client)
    done(client, view, "play", move="a3+", ply=0)
    answer = client.post(f"/api/games/{view['game']}/play", {"move": "b2+", "ply": 3, "lang": "vi"})
    assert (answer.status, answer.code) == (409, "gone_on")
    assert done(client, view, "look")["moves"] == ["a3+"]


def test_seats_may_change(client: Client) -> None:
    view = begun(client)
    view = done(client, view, "seats", seats=["easy", "human"])
    assert not view["human"]
    view = done(client, view, "think")
    assert view["human"]
    assert len(view["moves"]) == 1


def test_how_things_are_seen(client: Client) -> None:
    view = begun(client, rules="three-players")
    pictures = {
        done(client, view, "look", **look)["picture"]
        for look in ({}, {"lang": "vi"}, {"theme": "dark"}, {"bottom": "c"}, {"numbers": False})
    }
    assert len(pictures) == 5
    assert done(client, view, "look", bottom="d")["picture"] == done(client, view, "look")["picture"]


def test_a_hint(client: Client) -> None:
    view = begun(client, rules="wikipedia-vi")
    found = done(client, view, "hint", lang="vi")
    assert found["move"] in view["legal"]
    assert found["move"] in found["text"]
    assert done(client, view, "look")["ply"] == 0


def test_an_analysis_tells_more_and_more(client: Client) -> None:
    view = begun(client, rules="wikipedia-vi")
    view = done(client, view, "play", move="a3+")
    answer = client.post(f"/api/games/{view['game']}/analyse")
    assert answer.headers["content-type"] == "application/x-ndjson"
    found = [json.loads(line) for line in answer.body.splitlines()]
    assert len(found) == len(SLICES)
    assert [one["done"] for one in found] == sorted(one["done"] for one in found)
    assert found[-1]["depth"] >= found[0]["depth"]
    assert found[-1]["side"] == "a"
    assert found[-1]["lead"] == found[-1]["lines"][0]["lead"]
    # Of b's moves the best one leaves a with the least.
    leads = [line["lead"] for line in found[-1]["lines"]]
    assert leads == sorted(leads)


def test_an_analysis_of_three_sides(client: Client) -> None:
    view = begun(client, rules="sides=3,squares=2,pebbles=2")
    found = [json.loads(line) for line in client.post(f"/api/games/{view['game']}/analyse").body.splitlines()]
    assert found[-1]["side"] == "a"
    assert found[-1]["done"] <= 1


# ---- without a game --------------------------------------------------------------------------------------------------


def test_rules(client: Client) -> None:
    found = client.post("/api/rules", {"rules": "quan-non,squares=3", "lang": "vi"}).json()
    assert found["rules"] == str(Rules.preset("quan-non", squares=3))
    assert found["knobs"]["immature_below"] == "5"
    assert len(found["words"]) == 3
    answer = client.post("/api/rules", {"rules": "squares=9,pebbles=77"})
    assert (answer.status, answer.code) == (422, "rules")
    assert len(answer.json()["error"]["faults"]) == 2


def test_steps_come_in_pages(client: Client) -> None:
    position = Position.start()
    asked = {"rules": "mancala-world", "position": str(position), "move": "a3+", "lang": "vi"}
    whole = client.post("/api/steps", asked).json()
    assert whole["steps"] == len(position.trace("a3+"))
    assert len(whole["frames"]) == whole["steps"] + 1
    assert sum(told["stop"] for told in whole["sentences"]) == 1
    page = client.post("/api/steps", {**asked, "first": 3, "count": 2}).json()
    assert page["frames"] == whole["frames"][3:5]
    assert client.post("/api/steps", {**asked, "first": 999}).json()["frames"] == []
    assert client.post("/api/steps", {**asked, "move": "b3+"}).code == "illegal_move"
    for frame in whole["frames"]:
        ET.fromstring(frame["picture"])


def test_set_ups(client: Client) -> None:
    text = "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - b 7"
    found = client.post("/api/setup", {"rules": "mancala-world", "text": text}).json()
    assert (found["position"], found["faults"], found["turn"]) == (text, [], "b")
    fields = {key: found[key] for key in ("rules", "pebbles", "mandarins", "stores", "debts", "turn", "ply")}
    assert client.post("/api/setup", fields).json() == found
    fields["pebbles"] = {**fields["pebbles"], "a1": 999, "b1": -1}
    wrong = client.post("/api/setup", fields).json()
    assert wrong["position"] is None
    assert len(wrong["faults"]) >= 2
    ET.fromstring(wrong["picture"])
    assert client.post("/api/setup", {"rules": "mancala-world", "text": "x"}).code == "notation"


@given(st.data())
def test_every_fault_has_its_words(data: st.DataObject) -> None:
    rules = Rules.parse(data.draw(st.sampled_from([*PRESETS, "shortfall=owe", "squares=1"])))
    few = st.sampled_from([-1, 0, 1, 2, 300, 70_000])
    squares, sides = st.sampled_from(rules.square_names), st.sampled_from("abcd"[: rules.sides])
    setup = oaq.Setup(
        rules,
        data.draw(st.dictionaries(squares, few)),
        data.draw(st.dictionaries(squares, few)),
        data.draw(st.dictionaries(sides, st.builds(oaq.Store, few, few))),
        data.draw(st.lists(st.builds(oaq.Debt, sides, sides, few), max_size=2)),
        data.draw(st.sampled_from("abcd")),
        data.draw(st.sampled_from([0, 5, 10**6])),
        data.draw(st.sampled_from([None, "mandarins"])),
    )
    try:
        setup.position()
    except oaq.PositionError as error:
        faults = error.faults
    else:
        faults = ()
    for fault in faults:
        said = {fault, *(fault_in_words(fault, lang) for lang in LANGUAGES)}
        assert len(said) == 3, fault


def test_faults_of_rules_have_their_words(client: Client) -> None:
    text = "mandarin=pebbles,immature_below=5,mandarin_ban=1,ends_when=stones_taken"
    faults = client.post("/api/rules", {"rules": text, "lang": "vi"}).json()["error"]["faults"]
    assert len(faults) == 3
    assert all("chỉ dùng khi" in fault for fault in faults)
    faults = client.post("/api/rules", {"rules": "sides=4,squares=7,pebbles=10", "lang": "vi"}).json()["error"][
        "faults"
    ]
    assert faults == ["Lúc đầu cả bàn có nhiều nhất 255 dân, đang là 280."]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_endings_are_told_without_their_names(client: Client, lang: str) -> None:
    """What they are called in the text of a position is no word of the page."""
    told = set()
    for board in ("0.0.0.0.0.0/0.0.0.0.0.0 0/0 - a 0", "5.5.5.5.5.0q1/5.5.5.5.5.0q1 0/0 - a 0 mandarins"):
        for ending in ("", " mandarins", " short"):
            text = board.removesuffix(" mandarins") + ending
            told |= {
                *client.post("/api/setup", {"rules": "mancala-world", "text": text, "lang": lang}).json()["faults"]
            }
    ends = [fault for fault in told if "ván" in fault.lower() or "game" in fault]
    assert len(ends) == 3
    assert not [fault for fault in ends if re.search(r"mandarins|none|short", fault)]


def test_a_set_up_with_loans_is_played(client: Client) -> None:
    text = "0.1.0.0.0.0q1/0.0.0.0.1.0q1 3/62 a>b:2 a 9"
    found = client.post("/api/setup", {"rules": "mancala-world", "text": text}).json()
    assert found["debts"] == [{"debtor": "a", "creditor": "b", "pebbles": "2"}]
    fields = {key: found[key] for key in ("rules", "pebbles", "mandarins", "stores", "debts", "turn", "ply")}
    again = client.post("/api/setup", fields).json()
    assert again["position"] == text
    assert begun(client, rules=again["rules"], position=again["position"])["position"] == text


def test_other_rules_are_compared(client: Client) -> None:
    position = "0.0.0.0.1.0/0.5.5.5.5.0q1 20/24q1 - a 20"
    asked = {"rules": "mancala-world", "position": position, "other": "wikipedia-vi", "lang": "vi"}
    found = client.post("/api/compare", asked).json()
    assert found["fits"]
    assert len(found["words"]) == 1
    moves = {move["move"]: move for move in found["moves"]}
    assert moves.keys() == {str(move) for move in Position.parse(position).legal_moves}
    before, after = Position.parse(position), Position.parse(position, Rules.preset("wikipedia-vi"))
    for name, move in moves.items():
        assert move["now"]["after"] == str(before.play(name))
        assert move["then"]["after"] == str(after.play(name))
        assert move["same"] == (str(before.play(name)) == str(after.play(name)))
    unfit = client.post("/api/compare", {**asked, "other": "three-players"}).json()
    assert (unfit["fits"], unfit["moves"]) == (False, [])
    assert unfit["faults"]


def test_records(client: Client) -> None:
    games = [oaq.Game.parse('[Players "An / Bình"] 1. a3+ *'), oaq.Game(Rules.preset("quan-non"))]
    text = "\n".join(game.record() for game in games)
    found = client.post("/api/records", {"text": text}).json()
    assert found["count"] == 2
    assert [one["plies"] for one in found["games"]] == [1, 0]
    assert found["games"][0]["players"] == "An / Bình"
    assert client.post("/api/games", {"record": text}).code == "several_records"
    view = begun(client, record=text, number=1)
    assert view["moves"] == ["a3+"]
    assert begun(client, record=view["record"])["record"] == view["record"]
    assert begun(client, record=text, number=2)["rules"] == "quan-non"
    assert client.post("/api/games", {"record": text, "number": 3}).code == "no_record"
    assert client.post("/api/games", {"record": ""}).code == "no_record"
    assert client.post("/api/games", {"record": "1. a3+ a3+ *"}).code == "record"


def test_a_record_brings_back_seats_but_no_agent_of_another_kind(client: Client) -> None:
    view = begun(client, seats=["human", "expert"], seed=5)
    view = done(client, view, "play", move="a3+")
    again = begun(client, record=view["record"])
    assert again["seats"] == ["human", "expert"]
    hostile = view["record"].replace("human / expert", "table:FILE / search:depth=100")
    assert begun(client, record=hostile)["seats"] == ["human", "human"]


def test_a_game_has_an_end(client: Client) -> None:
    moves = " ".join(["a1+"] * (MOST_PLIES + 1))
    assert client.post("/api/games", {"record": moves}).status == 422
    start = Position.parse("1.0q1/1.0q1 0/0 - a 0", Rules(squares=1, pebbles=1))
    game = oaq.Game(position=start, max_plies=None, repetition=None)
    while len(game) <= MOST_PLIES and not game.is_over:
        game.push(game.position.legal_moves[0])
    if len(game) > MOST_PLIES:
        assert client.post("/api/games", {"record": game.record()}).code == "too_long"


# ---- games live and die ----------------------------------------------------------------------------------------------


def test_the_game_not_used_for_longest_goes_first() -> None:
    games = Games(most=3)
    names = [games.hold(Session()).name for _ in range(3)]
    games.find(names[0])
    games.hold(Session())
    assert games.find(names[0])
    with pytest.raises(WebError, match="no such game"):
        games.find(names[1])
    assert len(games) == 3


def test_old_games_go_and_stop_thinking() -> None:
    now = [0.0]
    games = Games(seconds=10, clock=lambda: now[0])
    held = games.hold(Session())
    word = held.begin_thinking()
    now[0] = 9
    games.find(held.name)
    now[0] = 18
    games.find(held.name)
    assert not word.is_said
    now[0] = 29
    with pytest.raises(WebError, match="no such game"):
        games.find(held.name)
    assert word.is_said
    assert len(games) == 0


def test_names_of_games_cannot_be_guessed() -> None:
    names = {Games().hold(Session()).name for _ in range(100)}
    assert len(names) == 100
    assert all(len(name) == 32 for name in names)


def test_a_game_that_is_gone(client: Client) -> None:
    for what in ("look", "play", "think", "analyse"):
        answer = client.post(f"/api/games/none/{what}", {"move": "a1+"} if what == "play" else {})
        assert (answer.status, answer.code) == (404, "unknown_game")


# ---- thinking --------------------------------------------------------------------------------------------------------


def test_other_thinking_ends_the_one_before(client: Client) -> None:
    view = begun(client, rules="wikipedia-vi")
    path = f"/api/games/{view['game']}"

    async def both() -> tuple[Any, Any]:
        chunks: list[bytes] = []
        first = asyncio.create_task(
            client.ask("POST", f"{path}/analyse", headers=JSON, body=b"{}", heard=chunks.append)
        )
        while not any(chunks):
            await asyncio.sleep(0.01)
        hint = await client.ask("POST", f"{path}/hint", headers=JSON, body=b"{}")
        return await first, hint

    first, hint = client.run(both())
    assert hint.status == 200
    assert 1 <= len(first.body.splitlines()) < len(SLICES)


def test_a_move_made_meanwhile_ends_what_is_thought(client: Client) -> None:
    view = begun(client, rules="wikipedia-vi", seats=["master", "human"])
    path = f"/api/games/{view['game']}"

    async def both() -> tuple[Any, Any]:
        first = asyncio.create_task(client.ask("POST", f"{path}/think", headers=JSON, body=b"{}"))
        await asyncio.sleep(0.05)
        body = json.dumps({"seats": ["human", "human"]}).encode()
        return await client.ask("POST", f"{path}/seats", headers=JSON, body=body), await first

    seats, first = client.run(both())
    assert (first.status, first.code) == (409, "stopped")
    assert seats.json()["ply"] == 0
    assert done(client, view, "look")["ply"] == 0


@pytest.mark.parametrize("what", ["think", "analyse", "hint"])
def test_a_client_that_goes_away_ends_what_is_thought(client: Client, what: str) -> None:
    view = begun(client, rules="wikipedia-vi", seats=["master" if what == "think" else "human", "human"])
    held = client.app.state.board.games.find(view["game"])

    async def away() -> float:
        gone = asyncio.Event()
        path = f"/api/games/{view['game']}/{what}"
        asking = asyncio.create_task(client.ask("POST", path, headers=JSON, body=b"{}", gone=gone))
        while held.thinking is None:
            await asyncio.sleep(0.001)
        word = held.thinking
        gone.set()
        began = time.monotonic()
        await asyncio.wait({asking}, timeout=10)
        assert word.is_said
        return time.monotonic() - began

    assert client.run(away()) < 3
    assert done(client, view, "look")["ply"] == 0


def test_too_many_must_wait() -> None:
    client = Client(web.app(at_once=1))
    client.app.state.board.thinkers._most = 2
    views = [begun(client, rules="wikipedia-vi", seats=["master", "human"]) for _ in range(4)]

    async def all_of_them() -> list[Any]:
        return await asyncio.gather(
            *(client.ask("POST", f"/api/games/{view['game']}/think", headers=JSON, body=b"{}") for view in views)
        )

    answers = client.run(all_of_them())
    assert sorted(answer.status for answer in answers) == [200, 200, 503, 503]
    assert {answer.code for answer in answers if answer.status == 503} == {"busy"}
    client.close()


def test_the_end_of_the_server_ends_what_is_thought() -> None:
    client = Client(web.app())
    view = begun(client, rules="wikipedia-vi")

    async def ending() -> float:
        chunks: list[bytes] = []
        path = f"/api/games/{view['game']}/analyse"
        asking = asyncio.create_task(client.ask("POST", path, headers=JSON, body=b"{}", heard=chunks.append))
        while not any(chunks):
            await asyncio.sleep(0.01)
        began = time.monotonic()
        client.app.state.board.stop()
        await asking
        return time.monotonic() - began

    assert client.run(ending()) < 2
    assert client.post(f"/api/games/{view['game']}/hint").status == 503
    client.close()


def test_a_board_can_be_put_together() -> None:
    board = Board(Games(), Thinkers(), None)
    assert len({(route.path, *sorted(route.methods or ())) for route in board.routes()}) == len(board.routes())
    board.stop()
