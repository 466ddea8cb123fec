"""The shared cases under tests/data."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import oanquan

DATA = Path(__file__).parent.parent / "data"


def load(name: str) -> Any:
    """One JSON file of tests/data."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def load_lines(name: str) -> list[dict[str, Any]]:
    """One gzipped file of JSON lines."""
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def rules_from(changes: dict[str, Any]) -> oanquan.Rules:
    """The rules of one case: the default with these changes."""
    return oanquan.Rules(**changes)


def captures(steps: list[tuple[Any, ...]]) -> list[tuple[str, int, int]]:
    """The captures of a trace in order: square, pebbles, mandarins."""
    return [step[1:] for step in steps if step[0] == "capture"]


def before_turn_change(steps: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The steps of the move itself: sowing and capture, without re-seeding and count."""
    return steps[: 1 + next(i for i, step in enumerate(steps) if step[0] == "stop")]
