"""Pictures in SVG: for every board there is, well-formed, nothing covered, everything said, always the same bytes."""

from __future__ import annotations

import itertools
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oanquan as oaq
from oanquan import Game, OanquanError, Position, Rules, svg
from oanquan.frames import frames
from oanquan.layout import layout
from oanquan.notebook import html_of, svg_of
from oanquan.svg import stones
from oanquan.svg.elements import width_of
from support.contrast import contrast
from support.draw import random_rules, random_text
from support.pictures import CASES, FOLDER

SVG = "{http://www.w3.org/2000/svg}"
START = Position.start()


def read(picture: str) -> ET.Element:
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def drawn(rng: Random) -> Position:
    """Some position of some rules."""
    while True:
        rules = random_rules(rng)
        try:
            return Position.parse(random_text(rng, rules), rules)
        except OanquanError:  # such a thing cannot be set up by these rules
            continue


def said(root: ET.Element, name: str) -> str:
    return root.findtext(f"{SVG}{name}") or ""


def texts(root: ET.Element) -> Iterator[ET.Element]:
    return root.iter(f"{SVG}text")


# ---- what is recorded ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_pictures_are_the_recorded_ones(name: str) -> None:
    recorded = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert CASES[name]() == recorded, "look at the picture, then `python tests/regenerate.py pictures`"


def test_every_recorded_picture_is_a_case() -> None:
    assert {file.stem for file in FOLDER.glob("*")} == {*CASES}


def test_another_process_draws_the_same_bytes() -> None:
    code = "from support.pictures import CASES; print(hash('a'), CASES['debts']().encode().hex())"
    run = [sys.executable, "-c", code]
    made = {
        subprocess.run(run, cwd=Path(__file__).parent, capture_output=True, text=True, check=True).stdout.split()[1]
        for _ in range(2)
    }
    assert made == {CASES["debts"]().encode().hex()}


# ---- every board -----------------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(rng=st.integers(0, 2**32).map(Random), lang=st.sampled_from(["en", "vi"]), theme=st.sampled_from([*svg.THEMES]))
def test_any_position_is_drawn(rng: Random, lang: str, theme: str) -> None:
    position = drawn(rng)
    rules = position.rules
    side = rng.choice("abcd"[: rules.sides])
    root = read(svg.board(position, lang=lang, theme=theme, orientation=side, size=400))
    groups = {group.get("data-square"): group for group in root.iter(f"{SVG}g") if group.get("data-square")}
    assert [*groups] == list(rules.square_names)
    movable = {f"{move.side}{move.square}" for move in position.legal_moves}
    assert {name for name, group in groups.items() if "legal" in (group.get("class") or "").split()} == movable
    for name, pebbles, mandarins in zip(rules.square_names, position.pebbles, position.mandarins, strict=True):
        pictured = [use.get("href", "")[-2] for use in groups[str(name)].iter(f"{SVG}use")]
        # Too many are a number, with one pebble beside it where there is room.
        expected = [pebbles] if pebbles <= stones.MOST else [0, 1]
        assert pictured.count("p") in expected
        assert sum(use.get("href", "").endswith("-q") for use in groups[str(name)].iter(f"{SVG}use")) == mandarins
        assert str(pebbles) in [number.text for number in texts(groups[str(name)])]
        assert str(name) in said(root, "desc")
    stores = [group.get("data-side") for group in root.iter(f"{SVG}g") if "store" in (group.get("class") or "")]
    assert stores == list("abcd"[: rules.sides])
    assert all(str(debt.pebbles) in said(root, "desc") for debt in position.debts)
    all_within(root)


def all_within(root: ET.Element) -> None:
    """All words of a picture stand in it, by the widths that fonts have at most."""
    left, top, width, height = map(float, (root.get("viewBox") or "").split())
    for text in texts(root):
        if text.get("class") == "held" and root.find(f".//{SVG}animateTransform") is not None:
            continue  # it goes round the board with the hand
        size, x, y = (float(text.get(name) or 0) for name in ("font-size", "x", "y"))
        wide = width_of(text.text or "", size)
        begin = x - (wide / 2 if text.get("text-anchor") == "middle" else 0)
        assert left <= begin, text.text
        assert begin + wide <= left + width, text.text
        assert top <= y - 0.75 * size, text.text
        assert y + 0.25 * size <= top + height, text.text


@pytest.mark.parametrize("stone", [False, True])
@pytest.mark.parametrize("shape", ["box", "moon", "disc"])
def test_stones_do_not_cover_each_other_or_the_edge(shape: str, stone: bool) -> None:
    if shape == "box" and stone:
        return  # mandarins stand in their own squares only
    for seed in range(16):
        places = stones.heap(shape, seed, stone)
        assert len(places) == stones.MOST
        circles = [(*place, stones.RADII[at % len(stones.RADII)]) for at, place in enumerate(places)]
        if stone:
            (x, y), radius = stones.STONES[shape]
            circles.append((x, y, radius))
        assert all(stones.inside(shape, *circle) for circle in circles)
        for (a, b, r), (c, d, s) in itertools.combinations(circles, 2):
            assert math.hypot(a - c, b - d) > r + s
        x, y = stones.COUNTS[shape]
        for a, b, r in circles:  # nor the number
            assert max(abs(a - x) - r - 9.5, abs(b - y) - r - 6) > 0 or math.hypot(a - x, b - y) > r + 9


def test_a_heap_that_grows_leaves_the_others_where_they_are() -> None:
    few, more = (svg.board(Position.parse(f"{n}.0.0.0.0.0q1/0.0.0.1.0.0q1 0/0 - a 1", Rules())) for n in (5, 6))
    one, two = ({*re.findall(r'<use href="#[^-]*(-p\d" [^>]*)>', picture)} for picture in (few, more))
    assert one < two
    assert len(two - one) == 1


@pytest.mark.parametrize("squares", range(1, 8))
@pytest.mark.parametrize("sides", [2, 3, 4])
def test_squares_lie_beside_each_other(sides: int, squares: int) -> None:
    """Whoever sits at the bottom sows to the right; neighbours are near, and no two squares share a place."""
    rules = Rules(sides=sides, squares=squares, pebbles=1)
    for side in "abcd"[:sides]:
        made = layout(rules, side)
        row = [square for square in made if square.side == side and square.shape == "box"]
        assert [square.centre[0] for square in row] == sorted(square.centre[0] for square in row)
        assert all(square.outward == (0, 1) for square in row)
        lowest = max(square.centre[1] for square in made)
        assert row[0].centre[1] == pytest.approx(lowest)
        for one, other in itertools.combinations(made, 2):
            assert math.dist(one.centre, other.centre) > 0.9
        for one, other in itertools.pairwise([*made, made[0]]):
            assert math.dist(one.centre, other.centre) < 1.9
    with pytest.raises(OanquanError, match="orientation: expected one of a, b"):
        layout(rules, "e")


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def test_turning_the_board_round_moves_everything_and_loses_nothing() -> None:
    position = START.play("a3+")
    one, other = (sorted(t.text or "" for t in texts(read(svg.board(position, orientation=side)))) for side in "ab")
    assert one == other


def test_numbers_and_names_can_be_left_out() -> None:
    many = Position.parse("40.0.1.0.0.0q1/0.0.0.1.0.0q1 0/0 - a 1", Rules())
    bare = [
        t.text for t in texts(read(svg.board(many, numbers=False, names=False))) if t.get("class") in ("count", "name")
    ]
    assert bare == ["40"]
    full = [t.text for t in texts(read(svg.board(many))) if t.get("class") in ("count", "name")]
    assert len(full) == 24


def test_whose_turn_it_is_and_how_it_ended() -> None:
    assert "to move" in svg.board(START)
    game = Game(max_plies=1)
    game.push("a3+")
    picture = svg.board(game)
    assert "the limit of plies" in picture
    assert "to move" not in picture
    assert 'class="square citizen legal"' not in picture
    assert svg.board(game.position) != picture
    draw = Position.parse("0.0.0.0.0.0/0.0.0.0.0.0 0q1/0q1 - a 30 mandarins", Rules())
    assert "Hòa 10 : 10" in svg.board(draw, lang="vi")
    lost = Position.parse(
        "0.1.0.0.0.1q1/0.0.0.0.0.1/0.1.0.0.0.0 10q1/3/10q1 - b 51 loses", Rules(sides=3, shortfall="loses")
    )
    assert "Nobody wins alone, 21 : 3 : 21" in svg.board(lost)
    assert not [text for text in texts(read(svg.board(lost))) if text.get("class") == "state"]


def test_great_numbers_stay_in_their_stores() -> None:
    rows = "/".join(["1.0.0.0.0.0q1", *["1.0.0.0.0.0"] * 3])
    rich = Position.parse(f"{rows} 9q1/99999999q2/99999999/-99999999 - b 50", Rules(sides=4, shortfall="owe"))
    picture = read(svg.board(rich))
    for group in picture.iter(f"{SVG}g"):
        if (group.get("class") or "").startswith("store"):
            box = group.find(f"{SVG}rect")
            assert box is not None
            left, right = float(box.get("x") or 0), float(box.get("x") or 0) + float(box.get("width") or 0)
            for text in texts(group):
                wide, x = width_of(text.text or "", float(text.get("font-size") or 0)), float(text.get("x") or 0)
                begin = x if text.get("text-anchor") == "start" else x - wide / 2
                assert left <= begin
                assert begin + wide <= right
                if (text.text or "").startswith("×"):
                    assert begin + wide <= right - 80, "before the points"


def test_the_last_move_of_a_game_is_marked_and_another_where_asked() -> None:
    game = Game()
    game.push("a3+")
    assert svg.board(game) == svg.board(game.position, last_move="a3+")
    assert svg.board(game, last_move="a4+") == svg.board(game.position, last_move=oaq.Move("a4+"))
    assert "last-move" not in svg.board(game.position)


def test_a_frame_shows_the_hand() -> None:
    made = frames(START, "a3+")
    assert 'class="hand"' not in svg.board(made[0])
    root = read(svg.board(made[1]))
    (hand,) = (group for group in root.iter(f"{SVG}g") if group.get("class") == "hand")
    assert [t.text for t in texts(hand)] == ["5"]
    assert "5 pebbles in hand" in said(root, "desc")
    assert "Side a: lift 5 pebbles from a3" in svg.board(made[1])


@settings(max_examples=150)
@given(rng=st.integers(0, 2**32).map(Random))
def test_any_move_is_drawn_still_and_moving(rng: Random) -> None:
    position = drawn(rng)
    if position.is_over:
        return
    move = rng.choice(position.legal_moves)
    trace = position.trace(move)
    root = read(svg.board(position, trace=trace, lang="vi"))
    all_within(root)
    laps = [t.text for t in texts(root) if t.get("class") == "lap"]
    assert laps == [str(n + 1) for n in range(sum(step.kind == "lift" for step in trace))]
    taken = [step for step in trace if step.kind == "capture"]
    worth = [f"+{(s.pebbles or 0) + position.rules.mandarin_value * (s.mandarins or 0)}" for s in taken]
    assert [t.text for t in texts(root) if t.get("class") == "taken"] == worth
    if len(trace) < 80:
        all_within(read(svg.animation(position, move, lang="vi")))


def test_arrows() -> None:
    plain = svg.board(START)
    for arrow in ("a3+", oaq.Move("b2-"), ("a1", "b4"), ("a3+", "#123456"), ("am", "bm", "#123456"), ("a1", "a1")):
        picture = svg.board(START, arrows=[arrow])
        assert len(picture) > len(plain)
        assert ("#123456" in picture) == ("#123456" in arrow if isinstance(arrow, tuple) else False)
        read(picture)


@pytest.mark.parametrize("rules", [Rules(), Rules(sides=3), Rules(sides=4, squares=1)], ids=str)
def test_arrows_of_both_ways_do_not_lie_on_each_other(rules: Rules) -> None:
    start = Position.start(rules)

    def drawn_for(*arrows: str) -> set[str]:
        pictures = (svg.board(start, arrows=arrows), svg.board(start))
        with_them, without = ({*re.findall(r'<path d="([^"]*)"', picture)} for picture in pictures)
        return with_them - without

    alone = [drawn_for("a1+"), drawn_for("a1-")]
    assert [len(paths) for paths in alone] == [2, 2], "a line and its head"
    both = drawn_for("a1+", "a1-")
    assert len(both) == 4
    assert not both & (alone[0] | alone[1]), "each has a lane of its own"
    assert drawn_for("a1+", "b1-") > alone[0]


# ---- moving pictures -------------------------------------------------------------------------------------------------


def seen(root: ET.Element, share: float) -> list[ET.Element]:
    """What the moving part shows at a time, as a share of the whole: elements that nothing hides."""
    shown: list[ET.Element] = []

    def walk(element: ET.Element) -> None:
        change = element.find(f"{SVG}animate")
        if change is not None:
            times = [float(time) for time in (change.get("keyTimes") or "").split(";")]
            values = (change.get("values") or "").split(";")
            assert len(times) == len(values)
            assert times[0] == 0
            assert times == sorted(times)
            if values[max(at for at, time in enumerate(times) if time <= share + 1e-9)] == "hidden":
                return
        shown.append(element)
        for child in element:
            walk(child)

    (moving,) = (group for group in root.iter(f"{SVG}g") if (group.get("id") or "").endswith("-moving"))
    walk(moving)
    return shown


@pytest.mark.parametrize("move", ["a3+", "a1-"])
def test_an_animation_shows_frame_after_frame(move: str) -> None:
    position = Position.start(Rules.preset("wikipedia-vi"))
    made = frames(position, move)
    root = read(svg.animation(position, move, seconds_per_step=1))
    length = len(made) + 1 + 2  # the position after the move, which stands longer
    for at, frame in enumerate(made):
        elements = seen(root, (at + 0.5) / length)
        counts = [int(e.text or "") for e in elements if e.tag == f"{SVG}text" and e.get("class") == "count"]
        assert sorted(counts) == sorted(frame.pebbles)
        standing = [e.get("href", "") for e in elements if e.tag == f"{SVG}use" and e.get("x")]  # not in a store
        assert sum(href.endswith("-q") for href in standing) == sum(frame.mandarins)
    final = [e.text for e in seen(root, 1) if e.get("class") == "said"]
    assert final == ["Side b to move · ply 1"]


def test_a_film_is_the_whole_game() -> None:
    game = Game(Rules(squares=2, pebbles=2))
    while not game.is_over:
        game.push(game.position.legal_moves[0])
    picture = svg.film(game, lang="vi")
    root = read(picture)
    final = [int(e.text or "") for e in seen(root, 1) if e.get("class") == "count"]
    assert final == list(game.position.pebbles)
    assert 'repeatCount="indefinite"' not in picture
    assert 'repeatCount="indefinite"' in svg.film(game, repeat=True)
    with pytest.raises(OanquanError, match="game: expected 1 to 200 moves, got 0"):
        svg.film(Game())


def test_less_motion_is_respected_and_nothing_runs() -> None:
    picture = svg.animation(START, "a3+")
    assert "@media (prefers-reduced-motion:reduce)" in picture
    for case in (picture, *(draw() for draw in CASES.values())):
        root = read(case)
        assert not any(element.tag.endswith(("script", "foreignObject", "image", "a")) for element in root.iter())
        names = {name for element in root.iter() for name in element.keys()}  # noqa: SIM118
        assert not any(name.startswith("on") for name in names)
        references = re.findall(r'(?:href="|url\()([^")]*)', case)
        assert all(reference.startswith("#") for reference in references)
        assert case.count("http") == 1  # the name of SVG


def test_references_lead_to_what_is_there_and_never_to_another_picture() -> None:
    every: set[str] = set()
    for picture in {draw() for draw in CASES.values()}:
        ids = re.findall(r' id="([^"]*)"', picture)
        assert len(ids) == len({*ids})
        assert {*re.findall(r'(?:href="#|url\(#|[{}]#)([^"){]*)', picture)} <= {*ids}
        assert not every & {*ids}
        every |= {*ids}
        assert "ID-" not in picture


# ---- people ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", svg.THEMES.values(), ids=svg.THEMES)
def test_words_can_be_read_in_every_theme(theme: svg.Theme) -> None:
    pairs = [(theme.ink, theme.ground), (theme.faint, theme.ground), (theme.ink, theme.store)]
    pairs += [(theme.faint, theme.store), (theme.debt, theme.store), (theme.count, theme.hollow)]
    pairs += [(theme.count, theme.moon), (theme.store, theme.arrow), (theme.store, theme.capture)]
    pairs += [(theme.on_side, colour) for colour in theme.sides]
    for ink, ground in pairs:
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    # Stones and marks need not be read: 3 is enough, their outlines counted.
    for colour in theme.pebbles:
        assert max(contrast(colour, theme.hollow), contrast(theme.stone_edge, theme.hollow)) >= 3


def test_a_screen_reader_is_told_everything() -> None:
    root = read(svg.board(Position.start(Rules(squares=1, pebbles=3)), lang="vi"))
    assert root.get("role") == "img"
    assert (root.get("aria-labelledby") or "").split() == [root[0].get("id"), root[1].get("id")]
    assert said(root, "title") == "Ô ăn quan, đến lượt bên a"
    assert said(root, "desc") == (
        "Hàng của bên a: ô a1 có 3 dân, ô quan am có 1 quan. Hàng của bên b: ô b1 có 3 dân, ô quan bm có 1 quan. "
        "Kho của bên a: 0 dân, 0 điểm. Kho của bên b: 0 dân, 0 điểm. Đến lượt bên a."
    )


def test_notebooks() -> None:
    game = Game()
    assert read(svg_of(START)).get("width") == "560"
    assert START._repr_svg_() == svg_of(START)
    assert "<details" not in html_of(game)
    game.push("a3+")
    assert "1.\u00a0a3+" in html_of(game)
    assert game._repr_html_() == html_of(game)
    assert svg.board(START)._repr_svg_() == svg.board(START)
    ET.fromstring(html_of(game))


# ---- files -----------------------------------------------------------------------------------------------------------


def test_save(tmp_path: Path) -> None:
    picture = svg.board(START, lang="vi")
    picture.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == picture
    picture.save(tmp_path / "board.PNG")
    assert (tmp_path / "board.PNG").read_bytes() == picture.png()
    for name in ("board.jpg", "board", ".svg"):
        with pytest.raises(OanquanError, match=r"path: expected a name that ends in \.svg or \.png"):
            picture.save(tmp_path / name)
    with pytest.raises(OSError, match="No such file"):
        picture.save(tmp_path / "nowhere" / "board.svg")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["board.PNG", "board.svg"]


def test_png_has_its_own_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fonts of the system are not asked for; Vietnamese letters are there."""
    one, other = (svg.board(START, lang=lang).png(400) for lang in ("en", "vi"))
    assert one != other
    assert one[16:24] == (400).to_bytes(4, "big") + one[20:24]
    blank = svg.Svg(re.sub(">[^<]*</text>", "></text>", svg.board(START, lang="vi")))
    assert blank.png(400) != other
    assert svg.board(START, size=321).png()[16:20] == (321).to_bytes(4, "big")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(OanquanError, match=r"pip install 'oanquan\[png\]'"):
        svg.board(START).png()
    monkeypatch.undo()
    for width in (0, 8193):
        with pytest.raises(OanquanError, match="width: expected 1 to 8192"):
            svg.board(START).png(width)


def test_the_fonts_have_every_letter_that_is_said() -> None:
    tt = pytest.importorskip("fontTools.ttLib")
    folder = Path(svg.__file__).parent / "fonts"
    tables = (Path(oaq.__file__).parent / "language").glob("*.toml")
    letters = {char for table in tables for char in table.read_text(encoding="utf-8") if char >= " "}
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"):
        assert {ord(char) for char in letters | {*"·×−:+0123456789"}} <= {*tt.TTFont(folder / name).getBestCmap()}


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"theme": "pink"}, "theme: expected a Theme or one of wood, dark, print, got 'pink'"),
        ({"lang": "fr"}, "lang: expected one of en, vi, got 'fr'"),
        ({"orientation": "c"}, "orientation: expected one of a, b, got 'c'"),
        ({"orientation": ""}, "orientation: expected one of a, b, got ''"),
        ({"size": 63}, "size: expected 64 to 8192, got 63"),
        ({"last_move": "c1+"}, "last_move: expected a move of a side on this board, got c1\\+"),
        ({"last_move": "a6+"}, "last_move: expected a move of a side on this board, got a6\\+"),
        ({"arrows": [("a1", "a9")]}, "arrows: expected the name of a square, got 'a9'"),
        ({"arrows": [("a1", "a2", "red", "x")]}, "arrows: expected a move or two squares"),
        ({"arrows": [("a1", "a2", "#red")]}, "arrows: expected a colour like #1f5fa8, got '#red'"),
        ({"arrows": [()]}, "arrows: expected a move, got tuple"),
        ({"arrows": [5]}, "arrows: expected a move, got int"),
        ({"arrows": None}, "arrows: expected a sequence of moves and pairs of squares, got NoneType"),
        ({"last_move": 1.5}, "last_move: expected a move, got float"),
        ({"theme": []}, r"theme: expected a Theme or one of wood, dark, print, got \[\]"),
        ({"trace": "a3+"}, "trace: expected steps of a move, got str"),
        ({"trace": ["a3+"]}, "trace: expected a Step, got str"),
        ({"trace": 5}, "trace: expected steps of a move, got int"),
        ({"trace": [oaq.Step("lift", "c1", 5)]}, "trace: expected steps of a move on this board, got one with 'c1'"),
    ],
)
def test_faults_are_named(settings_: dict[str, object], message: str) -> None:
    with pytest.raises((OanquanError, TypeError), match=message):
        svg.board(START, **settings_)  # type: ignore[arg-type]


def test_other_things_are_no_positions() -> None:
    with pytest.raises(TypeError, match="position: expected a Position, Game or Frame, got str"):
        svg.board("start")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="arrows: expected a sequence like"):
        svg.board(START, arrows="a3+")
    with pytest.raises(oaq.IllegalMoveError):
        svg.animation(START, "b1+")
    with pytest.raises(OanquanError, match=r"seconds_per_step: expected 0\.05 to 60"):
        svg.animation(START, "a1+", seconds_per_step=0)
    with pytest.raises(OanquanError, match="seconds_per_step: expected"):
        svg.animation(START, "a1+", seconds_per_step=float("nan"))
    with pytest.raises(TypeError, match="seconds_per_step: expected a number, got str"):
        svg.animation(START, "a1+", seconds_per_step="1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="game: expected a Game, got Position"):
        svg.film(START)  # type: ignore[arg-type]


def test_steps_may_come_one_by_one() -> None:
    steps = START.trace("a3+")
    assert svg.board(START, trace=iter(steps)) == svg.board(START, trace=steps)  # type: ignore[arg-type]


def test_colours_of_themes_are_checked() -> None:
    """They are written into the picture, and may come from elsewhere."""
    for field in fields(svg.Theme):
        if field.name != "shaded":
            bad = '#000000"/>' if field.type == "str" else ('#000000"/>',) * 4
            with pytest.raises(OanquanError, match=f"theme: {field.name}: expected a colour"):
                replace(svg.Theme(), **{field.name: bad})
            for other in ("#000000", ["#000000"] * 4) if field.type != "str" else (("#000000",), (), None, 5):
                with pytest.raises(OanquanError, match=f"theme: {field.name}: expected a "):
                    replace(svg.Theme(), **{field.name: other})
    with pytest.raises(OanquanError, match="four colours of sides"):
        replace(svg.Theme(), sides=("#000000",))  # type: ignore[arg-type]
