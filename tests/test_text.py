"""Boards as text: no wider than a terminal, every number with its owner, in both languages and in plain ASCII."""

from __future__ import annotations

import re
import unicodedata
from random import Random

import pytest

import oanquan as oaq
from oanquan import OanquanError, Position, Rules, Setup, board_text
from oanquan.frames import frames
from oanquan.text import fits, in_ascii
from support.draw import random_rules
from test_frames import games

FORMS = [(plain, lang) for plain in (False, True) for lang in ("en", "vi")]
UPRIGHT, ACROSS = "│|├┤┼+╭╮╰╯┬┴", "─-┬┴┼+"


def drawing(text: str) -> list[str]:
    """The lines of the board without the marks of moves and steps."""
    board = re.sub(r"[\[\]→←↑↓<>^]|v(?=[a-d]\d)|(?<=\d)v", " ", text.partition("\n\n")[0])
    return [f"  {line:<88}" for line in board.splitlines()]


def contents(text: str) -> dict[str, str]:
    """What stands in each square, found as a reader finds it: by the name on its left, right, upper or lower side."""
    lines, found = drawing(text), {}
    for y, line in enumerate(lines):
        for match in re.finditer(r"(?<= )[a-d][1-7m](?= )", line):
            x = match.start()
            assert match[0] not in found, "two squares of one name"
            after, before = line[x + 2 : x + 5].lstrip(), line[x - 3 : x].rstrip()
            if after[:1] in ("│", "|"):
                row, x = line, line.index(after[0], x) + 1
            elif before[-1:] in ("│", "|"):
                row, x = line, line.rindex(before[-1], 0, x) - 1
            else:
                row = lines[y + 2] if y < 2 or lines[y + 1][x] in ACROSS else lines[y - 2]
            left = max(at for at in range(x + 1) if row[at] in UPRIGHT)
            right = min(at for at in range(x + 1, len(row)) if row[at] in UPRIGHT)
            found[match[0]] = row[left + 1 : right].strip()
    return found


def expected(board: Position, mandarin: str, nothing: str) -> dict[str, str]:
    squares = zip(board.rules.square_names, board.pebbles, board.mandarins, strict=True)
    return {
        name: " ".join([*[mandarin] * stones, *[str(pebbles)] * (pebbles > 0)]) or nothing
        for name, pebbles, stones in squares
    }


@pytest.mark.parametrize("seed", range(3))
def test_every_number_of_any_position_has_its_owner(seed: int) -> None:
    for position, action in games(seed + 20, 60):
        move = next(move for move in position.legal_moves if move.action == action)
        for plain, lang in FORMS:
            text = board_text(position, ascii=plain, lang=lang, last_move=move)
            assert max(map(len, text.splitlines())) <= 80
            assert contents(text) == expected(position, *("Q", ".") if plain else ("◉", "·"))
            assert text.isascii() or not plain
            assert unicodedata.is_normalized("NFC", text)
            lines = [re.split(r"  +", line) for line in text.splitlines()]
            for side, store, points in zip("abcd", position.stores, position.points, strict=False):
                title = {"en": f"side {side}", "vi": f"bên {side}"}[lang]
                assert [
                    in_ascii(title) if plain else title,
                    str(store.pebbles),
                    str(store.mandarins),
                    str(points),
                ] in lines
            moves = text.split({"en": "moves ", "vi": "nuoc di " if plain else "nước đi "}[lang])[1].split()
            assert moves == [str(move) for move in position.legal_moves]


@pytest.mark.parametrize("seed", range(2))
def test_every_frame_has_its_owner_too(seed: int) -> None:
    for position, action in games(seed + 30, 12):
        for frame in frames(position, action):
            text = board_text(frame, lang="vi")
            assert max(map(len, text.splitlines())) <= 80
            assert contents(text) == expected(frame, "◉", "·")
            assert f"trên tay  {frame.hand} dân" in text
            square = frame.step and frame.step.square
            assert re.findall(r"\[(\w+)\]", text) == ([square] if square else [])


def test_the_hardest_boards_fit() -> None:
    rules = Rules(sides=4, squares=7, pebbles=1)
    debts = ",".join(f"{a}>{b}:100000000" for a in "abcd" for b in "abcd" if a != b)
    rows = "/".join(["120.0.0.0.0.0.0.100q1", *["1.1.1.1.1.1.1.0q1"] * 3])
    for lang in ("en", "vi"):
        text = board_text(Position.parse(f"{rows} {'/'.join(['100000000'] * 4)} {debts} a 4", rules), lang=lang)
        assert max(map(len, text.splitlines())) <= 80
        assert (contents(text)["a1"], contents(text)["am"]) == ("120", "◉ 100")
        assert text.count("100000000") == 4 + 4 + 12  # stores, points, debts
    below = Rules(squares=1, shortfall="owe")
    assert "\nside a       -7            0      -7\n" in board_text(Position.parse("1.0q1/1.0q1 -7/0 - a 4", below))


def test_a_finished_game() -> None:
    over = Position.parse("0.0.0.1.2.0/0.3.0.0.0.0 30q1/14q1 a>b:3,b>a:2 b 40 mandarins")
    assert board_text(over).splitlines()[-2:] == [
        "debts   a has repaid b 3; b has repaid a 2",
        "over    side a wins (mandarins), ply 40; points are the count, rows included",
    ]
    assert board_text(over, lang="vi").splitlines()[-2:] == [
        "nợ       a đã trả b 3 dân; b đã trả a 2 dân",
        "hết ván  bên a thắng (hết quan) sau 40 nước; điểm đã tính cả quân thu về",
    ]
    drawn = Position.parse("0.0.0.0.0.0/0.0.0.0.0.0 35/35 - b 40 mandarins", Rules(mandarin="pebbles"))
    assert board_text(drawn).splitlines()[-1].startswith("over    a draw (mandarins), ply 40;")
    # Side b has lost, and the others share the most points.
    lost = Position.parse(
        "0.1.0.0.0.1q1/0.0.0.0.0.1/0.1.0.0.0.0 10q1/3/10q1 - b 51 loses", Rules(sides=3, shortfall="loses")
    )
    assert board_text(lost).splitlines()[-1].startswith("over    nobody wins alone (loses), ply 51;")


@pytest.mark.parametrize(
    ("sides", "arrows"), [(2, "→← ←→"), (3, "→← ↑↓ ↓↑"), (4, "→← ↑↓ ←→ ↓↑")], ids=["two", "three", "four"]
)
@pytest.mark.parametrize("squares", range(1, 8))
def test_the_last_move_has_an_arrow(sides: int, arrows: str, squares: int) -> None:
    start = Position.start(Rules(sides=sides, squares=squares, pebbles=2))
    for side, signs in zip("abcd", arrows.split(), strict=False):
        for sign, arrow in zip("+-", signs, strict=True):
            text = board_text(start, last_move=f"{side}{squares}{sign}")
            assert re.search(rf"{arrow}{side}{squares}\b|\b{side}{squares}{arrow}", text), text
            assert sum(map(text.count, "→←↑↓")) == 1
            assert re.sub("[→←↑↓]", " ", text).split() == board_text(start).split()
    with pytest.raises(OanquanError, match="last_move: expected a move from a square of the board, got d7"):
        board_text(Position.start(Rules(squares=6)), last_move="d7+")
    with pytest.raises(oaq.NotationError):
        board_text(start, last_move="hello")


def test_forms_by_format() -> None:
    position = Position.start(Rules.preset("three-players"))
    assert f"{position}" == str(position)
    assert f"{position:board}" == board_text(position)
    assert f"{position:ascii}" == board_text(position, ascii=True)
    assert f"{position:board:vi}" == board_text(position, lang="vi")
    assert f"{position:ascii:vi}" == board_text(position, ascii=True, lang="vi")
    for spec in ("boards", "vi", ":vi", ">20", "board:", "board:fr", "board:vi:x"):
        with pytest.raises(OanquanError, match=r"^(format|lang): expected "):
            format(position, spec)


def test_ascii_is_ascii_whatever_the_letters() -> None:
    assert in_ascii("Đến lượt bên b, đã đi 3 nước: ăn quan, thả cá") == "Den luot ben b, da di 3 nuoc: an quan, tha ca"
    assert fits("bên", "utf-8")
    assert not fits("bên", "ascii")
    assert not fits("╭", "cp1252")


def test_random_rules_of_every_size_are_drawn() -> None:
    rng = Random(3)
    for _ in range(100):
        start = Position.start(random_rules(rng))
        assert contents(board_text(start)) == expected(start, "◉", "·")


def test_setups_with_heaps() -> None:
    position = Setup(pebbles={"a1": 99, "a2": 100, "am": 40}, mandarins={"am": 1, "bm": 1}).position()
    assert contents(board_text(position))["am"] == "◉ 40"
