"""Games as columns: `Columns`, and what leads from them to NumPy, Arrow, Polars, pandas and DuckDB."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from oanquan.errors import OanquanError

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from oanquan import _core


class Tabular:
    """What has columns and leads from them to other libraries: `Columns` itself, and `Results`.

    Nothing is copied where that library lets numbers be shared, and a library is imported only when it is asked
    for. Without it `ImportError` names what to install. Whatever reads the Arrow PyCapsule interface takes the
    object itself:

    >>> import polars
    >>> import oanquan as oaq
    >>> polars.DataFrame(oaq.simulate(1000, seed=7)).height
    1000
    """

    __slots__ = ()

    @property
    def columns(self) -> Columns:
        """The columns.

        >>> import oanquan as oaq
        >>> len(oaq.simulate(10, seed=7).columns)
        10
        """
        raise NotImplementedError

    def to_numpy(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return the columns as NumPy arrays, by name; those of numbers are read-only and share the memory.

        A column of words is the array of its codes; `Columns.words` has the words. `moves` and `positions`, if they
        are kept, are arrays of objects: an array of action numbers, or a tuple of texts, for each game.

        >>> import oanquan as oaq
        >>> columns = oaq.simulate(1000, seed=7).columns
        >>> arrays = columns.to_numpy()
        >>> arrays["plies"].dtype, arrays["plies"].shape
        (dtype('uint32'), (1000,))
        >>> drawn = arrays["winner"] == columns.words("winner").index("draw")
        >>> bool((arrays["points_a"][drawn] == arrays["points_b"][drawn]).all())
        True
        """
        numpy = _library("numpy", "numpy")
        columns = self.columns
        arrays = {name: numpy.asarray(columns.column(name)) for name in columns.names if name not in _LISTS}
        rows = range(len(columns))
        if "moves" in columns.names:
            moves = (numpy.frombuffer(columns.moves(row), numpy.uint8) for row in rows)
            arrays["moves"] = numpy.fromiter(moves, object, len(columns))
        if "positions" in columns.names:
            arrays["positions"] = numpy.fromiter(map(columns.positions, rows), object, len(columns))
        return arrays

    def to_arrow(self) -> pa.Table:
        """Return the columns as a `pyarrow.Table`, which shares them.

        >>> import oanquan as oaq
        >>> oaq.simulate(1000, seed=7).to_arrow().num_rows
        1000
        """
        table: pa.Table = _library("pyarrow", "arrow").table(self.columns)
        return table

    def to_polars(self) -> pl.DataFrame:
        """Return the columns as a `polars.DataFrame`.

        >>> import oanquan as oaq
        >>> oaq.simulate(1000, seed=7).to_polars()["plies"].min() > 0
        True
        """
        frame: pl.DataFrame = _library("polars", "polars").DataFrame(self.columns)
        return frame

    def to_pandas(self) -> pd.DataFrame:
        """Return the columns as a `pandas.DataFrame`, which shares those of numbers; words are categories.

        >>> import oanquan as oaq
        >>> frame = oaq.simulate(1000, seed=7).to_pandas()
        >>> list(frame.groupby("winner", observed=True).size().index)
        ['a', 'b', 'draw']
        """
        pandas = _library("pandas", "pandas")
        series: dict[str, Any] = {}
        for name, array in self.to_numpy().items():
            words = self.columns.words(name)
            series[name] = pandas.Categorical.from_codes(array, words) if words else array
        frame: pd.DataFrame = pandas.DataFrame(series, copy=False)
        return frame

    def to_duckdb(self, connection: duckdb.DuckDBPyConnection | None = None) -> duckdb.DuckDBPyRelation:
        """Return the columns as a DuckDB relation, of that connection or of DuckDB's default one.

        >>> import oanquan as oaq
        >>> relation = oaq.simulate(1000, seed=7).to_duckdb()
        >>> relation.aggregate("count(*), min(game), max(game)").fetchall()
        [(1000, 0, 999)]
        """
        library = _library("duckdb", "duckdb")
        relation: duckdb.DuckDBPyRelation = (connection or library).from_arrow(self.columns)
        return relation

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The columns as a stream of Arrow's PyCapsule interface; `requested_schema` is left unheeded, as it may be."""
        return self.columns.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """The names and types of the columns, by the same interface."""
        return self.columns.__arrow_c_schema__()


class Columns(Tabular):
    """Games as columns: one row a game, in the order of the game numbers. Immutable; nothing is ever missing in a row.

    | column | type | what it says |
    |---|---|---|
    | `game` | uint64 | the number of the game |
    | `points_a`, `points_b`, ... | int32 | the points of each side by the count |
    | `plies` | uint32 | how many moves were made |
    | `ending` | words | why it ended: the keys of `Results.endings` |
    | `winner` | words | `a`, `b`, `c`, `d`, or `draw` |
    | `first` | words | the side that moved first |
    | `opening` | int8 | the action number of the first move; -1 if there was none |
    | `reseedings` | uint32 | how many rows were re-seeded |
    | `loans` | uint32 | how many loans were made, one for each lender |
    | `pebbles_lent` | uint32 | how many pebbles were lent |
    | `moves` | list of uint8 | the action numbers of all moves; with `simulate(..., moves=True)` |
    | `positions` | list of text | every position from start to end; with `simulate(..., positions=True)` |

    A word is kept as its code, an int8: the place of the word in `words`. In Arrow that is a dictionary.

    Columns come from `simulate`, as `Results.columns`. They lie in memory once, shared by all that is made of them.

    >>> import oanquan as oaq
    >>> columns = oaq.simulate(1000, seed=7).columns
    >>> len(columns), columns.names[:4]
    (1000, ('game', 'points_a', 'points_b', 'plies'))
    >>> columns.column("plies").tolist()[:3]
    [14, 27, 26]
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Columns) -> None:
        self._core = core

    @property
    def columns(self) -> Columns:
        """These columns.

        >>> import oanquan as oaq
        >>> columns = oaq.simulate(10).columns
        >>> columns.columns is columns
        True
        """
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in their order.

        >>> import oanquan as oaq
        >>> oaq.simulate(10, moves=True).columns.names[-2:]
        ('pebbles_lent', 'moves')
        """
        return self._core.names

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<Columns of {len(self)} games: {', '.join(self.names)}>"

    def __reduce__(self) -> tuple[type[Columns], tuple[_core.Columns]]:
        return Columns, (self._core,)

    def column(self, name: str) -> memoryview:
        """Return the numbers of a column, or the codes of one of words: read-only, and not a copy.

        Raises `OanquanError` if there is no such column, or it is one of lists.

        >>> import oanquan as oaq
        >>> column = oaq.simulate(1000).columns.column("game")
        >>> column.format, len(column), column[999]
        ('Q', 1000, 999)
        """
        # That it supports the buffer protocol, a stub for Python 3.11 cannot say.
        column: Any = self._core.column(name)
        return memoryview(column)

    def words(self, name: str) -> tuple[str, ...]:
        """Return the words of a column, in the order of their codes; none if it is not one of words.

        >>> import oanquan as oaq
        >>> columns = oaq.simulate(1000).columns
        >>> columns.words("winner"), columns.words("plies")
        (('a', 'b', 'c', 'd', 'draw'), ())
        """
        return self._core.words(name)

    def moves(self, row: int) -> bytes:
        """Return the action numbers of the moves of a row, which counts from 0: a byte each.

        Raises `OanquanError` if there is no such row, or moves are not kept.

        >>> import oanquan as oaq
        >>> list(oaq.simulate(10, seed=7, moves=True).columns.moves(0))
        [6, 3, 9, 2, 5, 9, 5, 0, 8, 8, 2, 5, 8, 4]
        """
        return self._core.moves(self._row("moves", row))

    def positions(self, row: int) -> tuple[str, ...]:
        """Return the texts of the positions of a row, from start to end.

        Raises `OanquanError` if there is no such row, or positions are not kept.

        >>> import oanquan as oaq
        >>> oaq.simulate(10, seed=7, positions=True).columns.positions(0)[1]
        '6.6.6.0.0.1q1/6.6.6.0.6.1q1 6/0 - b 1'
        """
        return self._core.positions(self._row("positions", row))

    def _row(self, name: str, row: int) -> int:
        if name not in self.names:
            raise OanquanError(f"{name} are not kept: simulate with {name}=True")
        if not 0 <= row < len(self):
            raise OanquanError(f"row: expected 0 to {len(self) - 1}, got {row}")
        return row

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._core.__arrow_c_schema__()


_LISTS = {"moves", "positions"}


def _library(name: str, extra: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # something that the library itself needs
            raise
        message = f"this needs {name}, which is not installed: pip install 'oanquan[{extra}]'"
        raise ModuleNotFoundError(message, name=name) from None
