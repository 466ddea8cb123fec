"""Where the terminal paints squares, what it paints there, and that every move can be chosen."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from oanquan import OanquanError, Position, Rules
from oanquan.frames import frames
from oanquan.terminal.aiming import Aim
from oanquan.terminal.painting import _END, _MARKED, _WOOD, Marks, paint
from oanquan.terminal.places import Box, plan_of
from support import terminal_boards
from support.contrast import contrast
from support.draw import random_rules, random_text

RULES = [Rules(sides=sides, squares=squares) for sides in (2, 3, 4) for squares in range(1, 8)]


def apart(one: Box, other: Box) -> bool:
    return (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("size", [(80, 18), (60, 12), (200, 60), (45, 9), (120, 30)])
def test_squares_lie_apart_and_within(rules: Rules, size: tuple[int, int]) -> None:
    for bottom in "abcd"[: rules.sides]:
        plan = plan_of(rules, bottom, *size)
        assert tuple(plan.boxes) == rules.square_names
        assert plan.width <= size[0]
        assert plan.height <= max(size[1], rules.squares + 2)
        assert all(apart(one, other) for one, other in combinations(plan.boxes.values(), 2))
        for name, box in plan.boxes.items():
            assert 0 <= box.x <= box.x + box.width <= plan.width
            assert 0 <= box.y <= box.y + box.height <= plan.height
            assert plan.at(box.x, box.y) == plan.at(box.x + box.width - 1, box.y + box.height - 1) == name
            assert not plan.room.height or apart(plan.room, box)
        lowest = max(box.y + box.height for box in plan.boxes.values())
        row = [f"{bottom}{number}" for number in range(1, rules.squares + 1)]
        assert all(plan.boxes[name].y + plan.boxes[name].height == lowest for name in row)
        assert [plan.boxes[name].x for name in row] == sorted(plan.boxes[name].x for name in row), "from the left"


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_neighbours_lie_beside_each_other_all_round(rules: Rules) -> None:
    plan = plan_of(rules, "a", 80, 18)
    for name in plan.boxes:
        after = plan.next_to(name, 1)
        assert plan.next_to(after, -1) == name
        gaps = [
            max(0, other.x - one.x - one.width, one.x - other.x - other.width)
            + max(0, other.y - one.y - one.height, one.y - other.y - other.height)
            for one, other in [(plan.boxes[name], plan.boxes[after])]
        ]
        assert gaps[0] <= 4 or rules.sides == 3


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("bottom", ["a", "b"])
def test_every_move_is_chosen_by_keys_and_by_mouse(rules: Rules, bottom: str) -> None:
    position = Position.start(rules)
    for ply in range(8):
        plan = plan_of(rules, bottom, 80, 18)
        for move in position.legal_moves:
            square, sign = str(move)[:-1], str(move)[-1]
            for arrow in ("left", "right", "up", "down"):
                aim = Aim(position, plan, square)
                assert aim.choose() is None
                if aim.arrow(arrow) == move:
                    break
            else:
                pytest.fail(f"no arrow key for {move}")
            aim = Aim(position, plan)
            aim.point(square)
            assert aim.sow(sign) == move
            aim = Aim(position, plan)
            assert aim.press(square) is None
            beside = plan.next_to(square, {"+": 1, "-": -1}[sign])
            assert aim.press(beside) == move
        position = position.play(position.legal_moves[(5 * ply) % len(position.legal_moves)])
        if position.is_over:
            break


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_arrow_keys_lead_to_every_square(rules: Rules) -> None:
    position = Position.start(rules)
    plan = plan_of(rules, "a", 80, 18)
    for bottom in "abcd"[: rules.sides]:
        aim = Aim(position, plan_of(rules, bottom, 80, 18))
        reached, fresh = {aim.square}, [aim.square]
        while fresh:
            square = fresh.pop()
            for arrow in ("left", "right", "up", "down"):
                aim.point(square)
                assert aim.arrow(arrow) is None
                if aim.square not in reached:
                    reached.add(aim.square)
                    fresh.append(aim.square)
        assert reached == {*aim.squares}
    assert plan.boxes.keys() == {*rules.square_names}


@given(rng=st.randoms(use_true_random=False), width=st.integers(1, 130), height=st.integers(1, 45))
def test_any_board_is_painted_in_any_room(rng: Random, width: int, height: int) -> None:
    rules = random_rules(rng)
    try:
        position = Position.parse(random_text(rng, rules), rules)
    except OanquanError:
        position = Position.start(rules)
    boards = [position]
    if not position.is_over:
        boards += frames(position, rng.choice(position.legal_moves))  # type: ignore[arg-type]
    for board in rng.sample(boards, min(4, len(boards))):
        bottom = rng.choice("abcd"[: rules.sides])
        kinds = {rng.choice(rules.square_names): rng.choice([*_MARKED])}
        signs = {rng.choice(rules.square_names): rng.choice("◀▶+")}
        painting = paint(board, width, height, bottom=bottom, marks=Marks(kinds, signs), lang=rng.choice(["en", "vi"]))
        for y in range(painting.canvas.height):
            assert sum(segment.cell_length for segment in painting.canvas.line(y)) == width
        assert painting.canvas.height <= height
        painting.square_at(rng.randrange(width), rng.randrange(height))


@given(rng=st.randoms(use_true_random=False))
def test_every_number_is_to_be_read_in_eighty_columns(rng: Random) -> None:
    rules = random_rules(rng)
    try:
        position = Position.parse(random_text(rng, rules), rules)
    except OanquanError:
        position = Position.start(rules)
    painting = paint(position, 80, 18)
    lines = str(painting.canvas).splitlines()
    for place, (name, box) in enumerate(painting.plan.boxes.items()):
        line = lines[painting.top + box.y + box.height - 1].ljust(80)
        foot = line[painting.left + box.x : painting.left + box.x + box.width]
        pebbles, mandarins = position.pebbles[place], position.mandarins[place]
        count = "◆" * mandarins + (str(pebbles) if pebbles or not mandarins else "")
        assert foot.split() == [name, count], (foot, name, count)
    for side, points in zip("abcd", position.points, strict=False):
        assert re.search(rf"side {side}  {points} points?\b", str(painting.canvas))


def test_every_sign_takes_one_column() -> None:
    text = terminal_boards.text()
    assert all(cell_len(sign) == 1 for sign in text if sign != "\n")


def test_boards_are_painted_as_they_were() -> None:
    """`python tests/regenerate.py terminal` writes them anew: look at the difference."""
    assert terminal_boards.text() == terminal_boards.FILE.read_text(encoding="utf-8")


def test_what_is_written_can_be_read() -> None:
    """Contrast as the Web Content Accessibility Guidelines ask for, 4.5 to 1."""
    position = Position.start(Rules(squares=2))
    seen = set()
    for kind in ["", *_MARKED]:
        marks = Marks(dict.fromkeys(position.rules.square_names, kind) if kind else {})
        painting = paint(position, 60, 12, marks=marks)
        for y in range(painting.canvas.height):
            for segment in painting.canvas.line(y):
                if not re.search(r"\w", segment.text):
                    continue
                assert segment.style is not None
                ink, ground = segment.style.color, segment.style.bgcolor
                assert ink is not None
                assert ground is not None
                seen.add(ground.name)
                assert contrast(ink.name, ground.name) >= 4.5, (kind, segment.text, ink.name, ground.name)
    assert {*_WOOD, _END, *(ground for ground, _ in _MARKED.values())} <= seen
