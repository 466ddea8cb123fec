"""Columns against the games played one by one, in every library that they lead to, and the shards made of them."""

from __future__ import annotations

import copy
import gc
import importlib
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import oanquan
from oanquan import Columns, OanquanError, Position, _core
from support.engines import CORE, rules_of
from support.stream import draw

LISTS = {"moves": True, "positions": True}
INTO = ["to_numpy", "to_arrow", "to_polars", "to_pandas", "to_duckdb"]


def played_one_by_one(start: Position, seed: int, games: int, max_plies: int) -> list[dict[str, Any]]:
    """The rows that the games of a seed should have."""
    rows = []
    for number in range(games):
        game = oanquan.Game(position=start, max_plies=max_plies)
        positions, steps = [str(start)], []
        while game.outcome is None:
            legal = game.position.legal_moves
            move = legal[draw(seed, number, len(game.moves), len(legal))]
            steps += CORE.trace(game.position, move)
            game.push(move)
            positions.append(str(game.position))
        moves = [move.action for move in game.moves]
        rows.append(
            {
                "game": number,
                **{f"points_{side}": points for side, points in zip("abcd", game.outcome.points, strict=False)},
                "plies": len(moves),
                "ending": game.outcome.ending,
                "winner": game.outcome.winner or "draw",
                "first": start.turn,
                "opening": moves[0] if moves else -1,
                "reseedings": sum(step[0] == "reseed" for step in steps),
                "loans": sum(step[0] == "borrow" for step in steps),
                "pebbles_lent": sum(step[3] for step in steps if step[0] == "borrow"),
                "moves": moves,
                "positions": positions,
            }
        )
    return rows


@pytest.mark.parametrize("preset", oanquan.PRESETS)
def test_a_row_is_what_the_game_came_to(preset: str) -> None:
    start = Position.start(rules_of(preset), first="b")
    results = oanquan.simulate(40, position=start, seed=11, threads=2, max_plies=50, **LISTS)
    rows = played_one_by_one(start, 11, 40, 50)
    assert results.to_arrow().to_pylist() == rows
    assert results.columns.names == tuple(rows[0])
    for row, expected in enumerate(rows):
        assert list(results.columns.moves(row)) == expected["moves"]
        assert results.columns.positions(row) == tuple(expected["positions"])


def test_every_library_has_the_same_rows() -> None:
    columns = oanquan.simulate(3000, rules_of("three-players"), seed=3, **LISTS).columns
    table = columns.to_arrow()
    table.validate(full=True)
    rows = table.to_pylist()
    assert columns.to_polars().to_dicts() == rows
    assert columns.to_duckdb().fetchall() == [tuple(row.values()) for row in rows]
    frame = columns.to_pandas()
    assert list(frame.columns) == list(columns.names)
    assert [int(plies) for plies in frame["plies"]] == [row["plies"] for row in rows]
    assert list(frame["winner"]) == [row["winner"] for row in rows]
    assert [list(moves) for moves in frame["moves"]] == [row["moves"] for row in rows]
    arrays = columns.to_numpy()
    assert list(arrays) == list(columns.names)
    for name, array in arrays.items():
        words = columns.words(name)
        got = [words[item] if words else item for item in array.tolist()]
        got = [list(item) for item in got] if name in LISTS else got
        assert got == [row[name] for row in rows], name


def test_types() -> None:
    columns = oanquan.simulate(10, moves=True).columns
    words = pa.dictionary(pa.int8(), pa.string())
    assert columns.to_arrow().schema.types == [
        *[pa.uint64(), pa.int32(), pa.int32(), pa.uint32(), words, words, words, pa.int8()],
        *[pa.uint32(), pa.uint32(), pa.uint32(), pa.list_(pa.field("item", pa.uint8(), nullable=False))],
    ]
    assert pa.schema(columns) == columns.to_arrow().schema
    assert not any(field.nullable for field in columns.to_arrow().schema)
    assert {name: str(array.dtype) for name, array in columns.to_numpy().items()} == {
        "game": "uint64",
        "points_a": "int32",
        "points_b": "int32",
        "plies": "uint32",
        **dict.fromkeys(["ending", "winner", "first", "opening"], "int8"),
        **dict.fromkeys(["reseedings", "loans", "pebbles_lent"], "uint32"),
        "moves": "object",
    }
    assert isinstance(columns.to_pandas()["winner"].dtype, pd.CategoricalDtype)
    assert columns.to_polars()["winner"].dtype in (pl.Categorical, pl.Enum)
    assert columns.words("ending") == tuple(oanquan.simulate(1).endings)


def addresses(columns: Columns) -> dict[str, int]:
    return {name: array.ctypes.data for name, array in columns.to_numpy().items()}


def test_numbers_are_not_copied() -> None:
    columns = oanquan.simulate(2000, seed=5).columns
    first = addresses(columns)
    assert addresses(columns) == first
    arrays = columns.to_numpy()
    assert not any(array.flags.owndata or array.flags.writeable for array in arrays.values())
    table = columns.to_arrow()
    frame = columns.to_pandas()
    for name, address in first.items():
        chunk = table[name].chunk(0)
        numbers = chunk.indices if pa.types.is_dictionary(chunk.type) else chunk
        assert numbers.buffers()[1].address == address, name
        if not columns.words(name):
            assert frame[name].to_numpy().ctypes.data == address, name
    assert np.frombuffer(columns.column("plies"), np.uint32).ctypes.data == first["plies"]


def test_what_was_handed_out_outlives_the_columns() -> None:
    results = oanquan.simulate(5000, seed=5, moves=True)
    expected = results.to_arrow().to_pylist()
    table, view, stream = results.to_arrow(), results.columns.column("plies"), results.__arrow_c_stream__()
    reader = pa.RecordBatchReader.from_stream(results)
    relation = results.to_duckdb()
    del results, stream  # a stream that nobody has read
    gc.collect()
    assert view.tolist() == [row["plies"] for row in expected]
    assert table.to_pylist() == reader.read_all().to_pylist() == expected
    assert relation.aggregate("sum(plies)").fetchall() == [(sum(view),)]


def test_a_buffer_is_read_only_and_says_what_it_is() -> None:
    core = columns_of_the_core()
    for name, form, width in [("game", "Q", 8), ("points_a", "i", 4), ("plies", "I", 4), ("winner", "b", 1)]:
        view = memoryview(core.column(name))
        assert (view.format, view.itemsize, view.shape, view.strides) == (form, width, (10,), (width,))
        assert view.readonly
        assert view.c_contiguous
        assert len(core.column(name)) == 10
        assert bytes(core.column(name)) == view.tobytes()
    with pytest.raises(TypeError, match="read-write"), Path(os.devnull).open("rb", buffering=0) as file:
        file.readinto(core.column("plies"))


def columns_of_the_core() -> Any:
    return _core.simulate(Position.start(), 10, ["random"], 7, 1, 1000, 3, True, False, False, None)[1]


@pytest.mark.parametrize("games", [1, 700, 70_000])
def test_the_number_of_threads_does_not_matter(games: int) -> None:
    one = oanquan.simulate(games, seed=9, threads=1, moves=True).to_arrow()
    for threads in (2, 5, None):
        assert oanquan.simulate(games, seed=9, threads=threads, moves=True).to_arrow().equals(one)
    assert one["game"].to_pylist() == list(range(games))


def test_columns_agree_with_the_sums() -> None:
    results = oanquan.simulate(20_000, seed=4, agents=("greedy", "random"))
    frame = results.to_polars()
    wins = dict(frame["winner"].cast(pl.String).value_counts().iter_rows())
    assert wins == {**results.wins, "draw": results.draws}
    assert frame["plies"].sum() == results.moves
    assert [frame["points_a"].sum(), frame["points_b"].max()] == [results.points["a"].sum, results.points["b"].max]


def test_which_games_are_kept() -> None:
    assert len(oanquan.simulate(1_000_000, max_plies=0).columns) == 1_000_000
    many = oanquan.simulate(1_000_001, max_plies=0)
    for ask in INTO:
        with pytest.raises(OanquanError, match="columns=True"):
            getattr(many, ask)()
    with pytest.raises(OanquanError, match="columns=True"):
        pa.table(many)
    assert len(oanquan.simulate(1_000_001, max_plies=0, columns=True).columns) == 1_000_001
    assert len(oanquan.simulate(1_000_001, max_plies=0, moves=True).columns) == 1_000_001
    with pytest.raises(OanquanError, match="columns: expected True or None"):
        oanquan.simulate(10, columns=False, positions=True)
    assert oanquan.simulate(10, columns=False) == oanquan.simulate(10, moves=True)


def test_what_is_not_there_is_an_error() -> None:
    columns = oanquan.simulate(10, moves=True).columns
    for name in ("positions", "moves", "length"):
        with pytest.raises(OanquanError, match=r'column: expected one of game, .*, got "'):
            columns.column(name)
    with pytest.raises(OanquanError, match="positions are not kept: simulate with positions=True"):
        columns.positions(0)
    for row in (-1, 10):
        with pytest.raises(OanquanError, match=f"row: expected 0 to 9, got {row}"):
            columns.moves(row)
    assert repr(columns).startswith("<Columns of 10 games: game, points_a, ")


def test_no_room_is_a_memory_error() -> None:
    with pytest.raises(MemoryError, match="no memory for columns of 4611686018427387904 games"):
        oanquan.simulate(2**62, columns=True)


@pytest.mark.parametrize("ask", INTO)
def test_without_the_library_the_error_says_what_to_install(ask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    results = oanquan.simulate(10)
    real = importlib.import_module
    name = {"to_arrow": "pyarrow"}.get(ask, ask.removeprefix("to_"))

    def without(module: str, *rest: Any) -> Any:
        if module == name:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        return real(module, *rest)

    monkeypatch.setattr("oanquan.columns.import_module", without)
    extra = ask.removeprefix("to_")
    with pytest.raises(ImportError, match=rf"needs {name}, .* pip install 'oanquan\[{extra}\]'") as caught:
        getattr(results, ask)()
    assert caught.value.name == name


@pytest.mark.parametrize(("ask", "library"), [(ask, ask.removeprefix("to_")) for ask in INTO])
def test_a_library_is_imported_when_it_is_asked_for(ask: str, library: str) -> None:
    code = f"""
import sys, oanquan
results = oanquan.simulate(10)
libraries = "numpy", "pyarrow", "polars", "pandas", "duckdb"
assert not [name for name in libraries if name in sys.modules]
results.{ask}()
print(*[name for name in libraries if name in sys.modules])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert library.replace("arrow", "pyarrow") in run.stdout.split()


def test_duckdb_of_a_connection() -> None:
    with duckdb.connect() as connection:
        oanquan.simulate(100).to_duckdb(connection).create("games")
        assert connection.sql("select count(*), max(game) from games").fetchall() == [(100, 99)]


def test_columns_can_be_pickled_and_copied() -> None:
    results = oanquan.simulate(300, seed=2, **LISTS)
    for other in (pickle.loads(pickle.dumps(results)), copy.deepcopy(results), copy.copy(results)):
        assert other == results
        assert other.to_arrow().equals(results.to_arrow())
    with pytest.raises(OanquanError, match="not columns of games"):
        _core.Columns.from_bytes(b"no columns")


def test_bytes_that_are_no_columns_are_refused() -> None:
    """Decoders of Arrow panic over some of these: that must not come out."""
    columns = oanquan.simulate(6, columns=True, moves=True, positions=True).columns
    _, (whole,) = columns._core.__reduce__()
    refusals = []
    for place in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        try:
            _core.Columns.from_bytes(bytes(damaged))
        except OanquanError as error:
            refusals.append(str(error))
    assert len(refusals) > 100
    assert all(refusal.startswith("not columns of games: ") for refusal in refusals)
    with pytest.raises(OanquanError, match=r"^not columns of games: "):
        _core.Columns.from_bytes(b"no columns")


# ---- interrupts ------------------------------------------------------------------------------------------------------


def test_an_interrupt_has_the_columns_of_the_games_that_were_finished() -> None:
    def interrupt(done: int, _: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(oanquan.SimulationInterrupted) as caught:
        oanquan.simulate(5_000_000, seed=6, columns=True, moves=True, threads=2, progress=interrupt)
    results = caught.value.results
    games = results.columns.to_numpy()["game"]
    assert 0 < len(games) == results.games < 5_000_000
    assert (games[1:] > games[:-1]).all()
    whole = oanquan.simulate(int(games[-1]) + 1, seed=6, columns=True, moves=True).to_arrow()
    assert results.to_arrow().combine_chunks().equals(whole.take(pa.array(games)).combine_chunks())


# ---- shards ----------------------------------------------------------------------------------------------------------


def write(path: Path, games: int = 500, *, first_game: int = 0, lists: bool = True, **changes: Any) -> int:
    arguments: dict[str, Any] = {
        "position": Position.start(),
        "first_game": first_game,
        "games": games,
        "agents": ["random"],
        "seed": 7,
        "threads": 2,
        "max_plies": 1000,
        "repetition": 3,
        "moves": lists,
        "positions": lists,
        "key_values": [("digest", "ô ăn quan"), ("empty", "")],
        "progress": None,
    }
    return _core.write_shard(path, *{**arguments, **changes}.values())


def test_a_shard_is_the_columns_of_its_games(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    assert write(path, 9000, first_game=1000) == 9000
    assert _core.shard_info(path) == (9000, 1000, 10_000, [("digest", "ô ăn quan"), ("empty", "")])
    expected = oanquan.simulate(10_000, seed=7, **LISTS).to_arrow().slice(1000)
    table = pq.read_table(path)
    rows = expected.to_pylist()
    assert table.to_pylist() == rows
    assert table.schema.equals(expected.schema, check_metadata=False)
    groups = [Columns(core) for core in _core.ShardReader(path)]
    assert len(groups) == pq.ParquetFile(path).num_row_groups > 1
    assert pa.concat_tables([group.to_arrow() for group in groups]).to_pylist() == rows
    assert groups[0].to_numpy()["game"][0] == 1000
    metadata = pq.ParquetFile(path).metadata
    codecs = {metadata.row_group(0).column(column).compression for column in range(metadata.num_columns)}
    assert codecs == {"ZSTD"}
    assert metadata.created_by == f"oanquan {oanquan.__version__}"


def test_every_library_reads_a_shard(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    write(path, 1000)
    rows = oanquan.simulate(1000, seed=7, **LISTS).to_arrow().to_pylist()
    assert pl.read_parquet(path).to_dicts() == rows
    assert duckdb.read_parquet(str(path)).fetchall() == [tuple(row.values()) for row in rows]
    assert list(pd.read_parquet(path)["winner"]) == [row["winner"] for row in rows]


def test_the_bytes_of_a_shard_do_not_depend_on_the_threads(tmp_path: Path) -> None:
    files = []
    for threads in (1, 2, 3):
        path = tmp_path / f"{threads}.parquet"
        write(path, 9000, threads=threads)
        files.append(path.read_bytes())
    assert files[0] == files[1] == files[2]


def test_errors_of_the_file_system_have_their_number(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        write(tmp_path / "no" / "folder")
    assert missing.value.filename == str(tmp_path / "no" / "folder")
    with pytest.raises(IsADirectoryError):
        write(tmp_path)
    for ask in (_core.shard_info, _core.ShardReader):
        with pytest.raises(FileNotFoundError):
            ask(tmp_path / "nothing")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("games", [10, 30_000])
def test_a_full_disk_is_an_os_error(games: int) -> None:
    with pytest.raises(OSError, match="No space left on device") as full:
        write(Path("/dev/full"), games)
    assert full.value.errno == 28


def test_a_file_that_may_not_grow_is_an_os_error(tmp_path: Path) -> None:
    """A limit of the process on the size of files: the write fails in the middle, as on a full disk."""
    code = f"""
import resource, signal
import oanquan
from oanquan import _core
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
start = oanquan.Position.start()
try:
    _core.write_shard({str(tmp_path / "games")!r}, start, 0, 50_000, ["random"], 0, 1, 1000, 3, True, True, [], None)
except OSError as error:
    print(error.errno == 27, error.filename)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True", str(tmp_path / "games")]
    with pytest.raises(OanquanError, match="not a complete shard"):
        _core.shard_info(tmp_path / "games")


def test_what_is_no_shard_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    write(path)
    whole = path.read_bytes()
    for content in (b"", b"PAR1", whole[:-1], whole[: len(whole) // 2], b"x" * len(whole)):
        path.write_bytes(content)
        for ask in (_core.shard_info, _core.ShardReader):
            with pytest.raises(OanquanError, match=r"games\.parquet: not a complete shard"):
                ask(path)
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(OanquanError, match="its first column is not"):
        _core.shard_info(path)
    with pytest.raises(OanquanError, match="expected the columns"):
        _core.ShardReader(path)


def test_arguments_of_a_shard(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    with pytest.raises(OanquanError, match=r"games: expected numbers below 2\^64"):
        write(path, 2, first_game=2**64 - 1)
    with pytest.raises(OanquanError, match="agents: expected"):
        write(path, agents=["nobody"])
    assert not path.exists()


def test_a_shard_reports_progress_and_can_be_stopped(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    write(tmp_path / "games", 2000, progress=lambda done, games: calls.append((done, games)))
    assert calls[-1] == (2000, 2000)

    def stop(done: int, games: int) -> None:
        raise RuntimeError(f"{done} of {games}")

    with pytest.raises(RuntimeError, match="of 100000000"):
        write(tmp_path / "games", 100_000_000, lists=False, progress=stop)
    with pytest.raises(OanquanError, match="not a complete shard"):
        _core.shard_info(tmp_path / "games")


def test_ctrl_c_stops_a_shard(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "games", 100_000_000, progress=lambda *_: os.kill(os.getpid(), signal.SIGINT))


def test_games_of_callables_have_columns_too() -> None:
    def second(positions: tuple[Position, ...]) -> list[oanquan.Move]:
        return [position.legal_moves[-1] for position in positions]

    results = oanquan.simulate(500, agents=(second, "random"), seed=1, **LISTS)
    frame = results.to_polars()
    assert frame["game"].to_list() == list(range(500))
    assert set(frame["opening"]) == {9}
    assert frame["plies"].sum() == results.moves == frame["moves"].list.len().sum()
    with pytest.raises(OanquanError, match="columns=True"):
        oanquan.simulate(500, agents=(second, "random"), columns=False).to_polars()
