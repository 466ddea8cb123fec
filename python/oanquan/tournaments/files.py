"""The games of a finished tournament as files: game records, and columns in Parquet."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from oanquan.files import written_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from oanquan.tournaments.games import TournamentGame
    from oanquan.tournaments.results import Encounter, TournamentResult

RECORDS, COLUMNS, RESULT = "games.records", "games.parquet", "result.json"
FILES = (RECORDS, COLUMNS, RESULT)
_ROWS = 10_000


def need_arrow() -> None:
    """Say at once, not after days of play, that Parquet cannot be written."""
    if find_spec("pyarrow") is None:
        message = "this needs pyarrow, which is not installed: pip install 'oanquan[arrow]'"
        raise ModuleNotFoundError(message, name="pyarrow")


def write_files(directory: Path, result: TournamentResult, settings: dict[str, Any]) -> None:
    """Write the games and the result, each file whole or not at all."""
    with written_whole(directory / RECORDS) as unfinished, unfinished.open("w", encoding="utf-8", newline="\n") as file:
        between = ""
        for game in _games(result.encounters):
            file.write(between + game.to_game().record())
            between = "\n"
    with written_whole(directory / COLUMNS) as unfinished:
        _write_columns(unfinished, result.encounters, settings)
    with written_whole(directory / RESULT) as unfinished:
        unfinished.write_text(json.dumps(result.to_dict(), indent=1) + "\n", encoding="utf-8")


def _games(encounters: Sequence[Encounter]) -> Iterator[TournamentGame]:
    return chain.from_iterable(encounter.games for encounter in encounters)


def _write_columns(path: Path, encounters: Sequence[Encounter], settings: dict[str, Any]) -> None:
    """One row a game. Words are dictionaries, moves the action numbers, and what is not known is missing."""
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    word = pa.dictionary(pa.int32(), pa.string())
    kinds = {
        "encounter": pa.uint32(),
        "pair": pa.uint32(),
        "number": pa.uint8(),
        "player_a": word,
        "player_b": word,
        "winner": word,
        "ending": word,
        "points_a": pa.int32(),
        "points_b": pa.int32(),
        "plies": pa.uint32(),
        "opening": pa.uint32(),
        "moves": pa.list_(pa.uint8()),
        "fault": pa.string(),
        "disputes": pa.list_(pa.string()),
    }
    schema = pa.schema(kinds, metadata={"oanquan": json.dumps(settings)})
    games = _games(encounters)
    with parquet.ParquetWriter(path, schema) as writer:
        while rows := [_row(game) for game in islice(games, _ROWS)]:
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def _row(game: TournamentGame) -> dict[str, Any]:
    points = game.points or (None, None)
    return {
        "encounter": game.encounter,
        "pair": game.pair,
        "number": game.number,
        "player_a": game.players[0],
        "player_b": game.players[1],
        "winner": game.winner or "draw",
        "ending": game.ending,
        "points_a": points[0],
        "points_b": points[1],
        "plies": len(game.moves),
        "opening": game.opening,
        "moves": [move.action for move in game.moves],
        "fault": game.fault or None,
        "disputes": list(game.disputes),
    }
