"""Every preset has a recorded game, and both implementations still play it, step by step."""

from __future__ import annotations

import pytest

import oanquan
from support.engines import REFERENCE, Engine
from support.playthrough import FOLDER, file_of, heading, play_through, played, rival_of, seed_of

HINT = "if the change is meant: python tests/regenerate.py playthroughs"


def test_every_preset_has_one() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.txt")) == sorted(oanquan.PRESETS), HINT


@pytest.mark.parametrize("preset", oanquan.PRESETS)
def test_playthrough(engine: Engine, preset: str) -> None:
    recorded = file_of(preset).read_text(encoding="utf-8")
    seed = seed_of(recorded)
    assert [*heading(preset, seed), *play_through(engine, preset, seed)] == recorded.splitlines(), HINT


@pytest.mark.parametrize("preset", oanquan.PRESETS)
def test_the_recorded_game_shows_what_the_preset_changes(preset: str) -> None:
    seed = seed_of(file_of(preset).read_text(encoding="utf-8"))
    games = [play_through(REFERENCE, name, seed) for name in (preset, rival_of(preset))]
    assert played(games[0]) != played(games[1])
