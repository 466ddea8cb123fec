"""What engines are told and what they say, as text."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oanquan import OanquanError, Position
from oanquan.engine import Info, Limit, Option

SAID = "depth seldepth score cp mate lowerbound upperbound nodes time nps hashfull multipv pv string 1 -5 x a1+ b2-"
WORDS = st.sampled_from(
    [*SAID.split(), "option", "name", "type", "spin", "check", "combo", "default", "min", "max", "var"]
)


@pytest.mark.parametrize(
    ("limit", "command"),
    [
        ({"time": 1}, "go movetime 1000"),
        ({"time": np.float32(0.5)}, "go movetime 500"),
        ({"time": 1e-9}, "go movetime 1"),
        ({"time": 0.02399}, "go movetime 23"),
        ({"time": 0.57}, "go movetime 570"),
        ({"depth": 0}, "go depth 0"),
        ({"depth": np.int64(4)}, "go depth 4"),
        ({"nodes": 2**40}, f"go nodes {2**40}"),
        ({"infinite": True}, "go infinite"),
        ({"clocks": [3, 0.0004]}, "go p1time 3000 p2time 1 p1inc 0 p2inc 0"),
        ({"clocks": (3, 2), "increments": (0.0004, 1)}, "go p1time 3000 p2time 2000 p1inc 0 p2inc 1000"),
    ],
    ids=str,
)
def test_limits_as_commands(limit: dict[str, Any], command: str) -> None:
    made = Limit(**limit)
    assert made.command == command
    assert eval(repr(made)) == made
    assert hash(made) == hash(Limit(**limit))


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({}, "expected one of time, depth, nodes, clocks and infinite, got none"),
        ({"time": 1, "infinite": True}, "got time and infinite"),
        ({"depth": 1, "nodes": 1, "clocks": (1, 1)}, "got depth and nodes and clocks"),
        ({"time": 1, "increments": (1, 1)}, "expected increments only with clocks, got them with time"),
        ({"time": 0}, "time: expected more than 0"),
        ({"time": -1}, "time: expected more than 0"),
        ({"time": math.nan}, "time: expected more than 0 .*, got nan"),
        ({"time": math.inf}, "at most 1000000000 seconds, got inf"),
        ({"depth": -1}, "depth: expected 0 to"),
        ({"nodes": 0}, "nodes: expected 1 to"),
        ({"clocks": (1,)}, "clocks: expected seconds of side a and of side b"),
        ({"clocks": "12"}, "clocks: expected seconds of side a and of side b"),
        ({"clocks": (0, 1)}, r"clocks\[0\]: expected more than 0"),
        ({"clocks": (1, 1), "increments": (0, -1)}, r"increments\[1\]: expected 0 or more"),
    ],
    ids=str,
)
def test_limits_that_are_none(limit: dict[str, Any], message: str) -> None:
    with pytest.raises(OanquanError, match=message):
        Limit(**limit)


@pytest.mark.parametrize("limit", [{"time": "1"}, {"time": True}, {"depth": 1.5}, {"infinite": 1}], ids=str)
def test_limits_of_another_type(limit: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="expected"):
        Limit(**limit)


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("option name Hash type spin default 16 min 1 max 64", Option("Hash", "spin", 16, 1, 64)),
        ("option name Hash type spin max 64", Option("Hash", "spin", None, None, 64)),
        ("option name Two words type check default TRUE", Option("Two words", "check", True)),
        ("option name type type check default false", Option("type", "check", False)),
        ("option name Go type button", Option("Go", "button")),
        ("option name Book type string default", Option("Book", "string", "")),
        ("option name Book type string default <empty>", Option("Book", "string", "")),
        ("option name Book type string default max default var", Option("Book", "string", "max default var")),
        ("option name A type combo default x y var x y var z", Option("A", "combo", "x y", var=("x y", "z"))),
        ("option name File type filename default x", Option("File", "filename", "x")),
    ],
)
def test_options_are_read(line: str, option: Option) -> None:
    assert Option.parse(line) == option


@pytest.mark.parametrize(
    "line", ["", "option", "option name", "option name X", "option name X type", "option type spin name X"]
)
def test_options_that_are_none(line: str) -> None:
    with pytest.raises(OanquanError, match='option: expected "option name NAME type TYPE"'):
        Option.parse(line)


def test_spins_need_numbers() -> None:
    with pytest.raises(OanquanError, match="expected numbers in a spin"):
        Option.parse("option name X type spin default many")


@given(st.lists(WORDS, max_size=12))
def test_any_line_can_be_read(words: list[str]) -> None:
    line = " ".join(words)
    Info.parse(f"info {line}", Position.start())
    try:
        option = Option.parse(f"option name {line}")
    except OanquanError:
        return
    assert option.name


@given(st.text(max_size=40))
def test_any_text_can_be_read(text: str) -> None:
    info = Info.parse(f"info {text}", Position.start())
    assert info.updated(info) == info


def test_what_is_not_understood_is_left_out() -> None:
    start = Position.start()
    info = Info.parse("info depth x nodes 5 currmove a1+ score mate -3 upperbound hashfull 250 pv a1+ a1+ b1+", start)
    assert info == Info(nodes=5, mate=-3, bound="upper", hashfull=0.25, line=start.legal_moves[:1])
    assert Info.parse("info string depth 5 is string enough", start) == Info(text="depth 5 is string enough")
