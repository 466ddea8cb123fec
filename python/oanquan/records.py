"""Game records in files of any size: read one by one, looked through by their headers, and written.

The form is described in the documentation of the text forms; files may be compressed by gzip. Memory does not grow with
the number of games.

>>> import tempfile
>>> from pathlib import Path
>>> from oanquan import Game, records
>>> with tempfile.TemporaryDirectory() as directory:
...     path = Path(directory, "games.records")
...     count = records.write(path, [Game.parse("1. a1+ b2- *"), Game.parse("1. a3+ *")])
...     print(count, [len(game) for game in records.read(path)])
2 [2, 1]
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias

from oanquan import _core
from oanquan.checks import within
from oanquan.errors import OanquanError, RecordError
from oanquan.files import path_of, written_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from oanquan._core import Game

__all__ = ["Headers", "HeadersReader", "RecordReader", "count", "headers", "read", "read_at", "write"]

_Source: TypeAlias = "str | os.PathLike[str] | IO[bytes]"
_MOST = 2**63 - 1


class Headers(NamedTuple):
    r"""The headers of a record in a file, and where it is.

    >>> import io
    >>> next(headers(io.BytesIO(b'[Players "An / Binh"]\n\n1. a1+ *')))
    Headers(game=1, line=1, offset=0, headers={'Players': 'An / Binh'})
    """

    game: int
    """Its number, from 1; what is no record has one too."""

    line: int
    """The line in which it begins, from 1."""

    offset: int
    """The byte at which it begins, from 0: `read_at` reads the game there. Of compressed files, after decompression."""

    headers: dict[str, str]
    """Every header that is written there, in order; nothing was held against the moves."""


class _Reader:
    """A file that is read record by record, closed at its end if it was opened here."""

    def __init__(self, source: _Source, on_fault: Callable[[RecordError], object] | None = None) -> None:
        if isinstance(source, (str, os.PathLike)):
            path = path_of("source", source)
            self._name: str | None = os.fspath(source)
            # Unbuffered: it is read in large pieces.
            self._file: IO[bytes] | Any = path.open("rb", buffering=0)
            self._is_own = True
        elif hasattr(source, "read"):
            name = getattr(source, "name", None)
            self._name = name if isinstance(name, str) else None
            self._file, self._is_own = source, False
        else:
            raise TypeError(f"source: expected a path or a file, got {type(source).__name__}")
        self._on_fault = on_fault
        self._core: _core.RecordReader | None = _core.RecordReader(self._file, 1, 1, 0)
        self._place = (0, 0, 0)

    @property
    def game(self) -> int:
        """The number of the last record, from 1; 0 before the first. What is no record has one too.

        >>> import io
        >>> reader = read(io.BytesIO(b"1. a1+ * 1. a2+ *"))
        >>> for _ in reader:
        ...     print(reader.game, reader.offset)
        1 0
        2 9
        """
        return self._place[0]

    @property
    def line(self) -> int:
        """The line in which the last record begins, from 1; 0 before the first.

        >>> import io
        >>> reader = read(io.BytesIO(b"1. a1+ *"))
        >>> _ = next(reader)
        >>> reader.line
        1
        """
        return self._place[1]

    @property
    def offset(self) -> int:
        """The byte at which the last record begins, from 0: `read_at` reads it there.

        >>> import io
        >>> reader = read(io.BytesIO(b"   1. a1+ *"))
        >>> _ = next(reader)
        >>> reader.offset
        3
        """
        return self._place[2]

    def close(self) -> None:
        """Close the file, if it was opened here; nothing more is read.

        >>> import io
        >>> reader = read(io.BytesIO(b"1. a1+ *"))
        >>> reader.close()
        >>> list(reader)
        []
        """
        self._core = None
        if self._is_own:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self, error: RecordError) -> None:
        """Hand a fault to `on_fault`, or raise it."""
        fault = error.named(self._name)
        self._place = (fault.game, fault.line, fault.offset)
        if self._on_fault is None:
            raise fault from None
        self._on_fault(fault)


class RecordReader(_Reader, Iterator["Game"]):
    """The games of a file, one after the other: what `read` returns.

    It closes the file at its end, if `read` opened it; `close` or a `with` block do so before. An error ends a `for`
    loop, but not the reader: what is asked next is the record behind.

    >>> import io
    >>> reader = read(io.BytesIO(b"1. a1+ * 1. a1+ b1+ * 1. a2+ *"))
    >>> len(next(reader))
    1
    >>> next(reader)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    oanquan.errors.RecordError: game records:1:17: illegal move b1+: square b1 is empty (position ...)
    >>> next(reader).moves
    (Move('a2+'),)
    """

    def __next__(self) -> Game:
        while self._core is not None:
            try:
                found = self._core.record()
            except RecordError as error:
                self._take(error)
                continue
            if found is None:
                self.close()
                break
            self._place = found[:3]
            return found[3]
        raise StopIteration


class HeadersReader(_Reader, Iterator[Headers]):
    r"""The headers of the records of a file, one after the other: what `headers` returns.

    >>> import io
    >>> with headers(io.BytesIO(b'[Players "An"]\n\n1. a1+ *')) as reader:
    ...     [found.headers for found in reader]
    [{'Players': 'An'}]
    """

    def __next__(self) -> Headers:
        while self._core is not None:
            try:
                found = self._core.headers()
            except RecordError as error:
                self._take(error)
                continue
            if found is None:
                self.close()
                break
            self._place = found[:3]
            return Headers._make(found)
        raise StopIteration

    def _count(self) -> int:
        """Pass over all records; return how many there are."""
        number = 0
        while self._core is not None:
            passed, error = self._core.pass_over()
            number += passed
            if isinstance(error, RecordError):
                self._take(error)
            else:
                self.close()
        return number


def read(source: _Source, *, on_fault: Callable[[RecordError], object] | None = None) -> RecordReader:
    """Return an iterator over the games of a file, which is read as far as it is asked for.

    Each game is played through: its moves are legal, and its result follows from them.

    Args:
        source: A path, or a file that is open for bytes. What is compressed by gzip is decompressed.
        on_fault: Called with the `RecordError` of each text that is no record; reading goes on with the next one. If it
            is left out, the error is raised, and the next call goes on.

    Raises:
        OSError: The file cannot be opened or read.
        OanquanError: The path is empty or has a NUL.
        TypeError: The source is neither path nor file, or a file for text.

    What is no record ends where its result stands, if it has one before the headers of another: the next record begins
    behind it. Else it is passed over up to the next line that begins with `[` after an empty line. A record has at most
    64 MiB.

    >>> import io
    >>> faults = []
    >>> games = list(read(io.BytesIO(b"1. a1+ * 1. a1+ b1+ * 1. a2+ *"), on_fault=faults.append))
    >>> len(games), [(fault.line, fault.column) for fault in faults]
    (2, [(1, 17)])
    """
    return RecordReader(source, on_fault)


def headers(source: _Source, *, on_fault: Callable[[RecordError], object] | None = None) -> HeadersReader:
    """Return an iterator over the headers of the records of a file, whose moves are not looked at.

    Args:
        source: As in `read`.
        on_fault: As in `read`; only what is not of the form is a fault.

    Raises:
        OSError: As `read`, and so for the other errors.

    >>> import io
    >>> [found.offset for found in headers(io.BytesIO(b"1. a1+ * 1. a1+ b1+ * 1. a2+ *"))]
    [0, 9, 22]
    """
    return HeadersReader(source, on_fault)


def read_at(path: str | os.PathLike[str], offset: int) -> Game:
    """Return the game whose record begins at that byte of a file, which is not compressed.

    Args:
        path: The file.
        offset: Where `headers` or a reader found the record.

    Raises:
        RecordError: There is no record; its line counts from the byte on.
        OanquanError: The file is shorter, or the offset is out of range.
        OSError: The file cannot be opened or read.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = Path(directory, "games.records")
    ...     _ = path.write_text("1. a1+ * 1. a2+ b1- *")
    ...     read_at(path, 9).moves
    (Move('a2+'), Move('b1-'))
    """
    offset = within("offset", offset, 0, _MOST)
    with path_of("path", path).open("rb", buffering=0) as file:
        file.seek(offset)
        reader = _core.RecordReader(file, 1, 1, offset)
        try:
            found = reader.record()
        except RecordError as error:
            raise error.named(os.fspath(path)) from None
    if found is None:
        raise OanquanError(f"offset: expected a record in {os.fspath(path)} at byte {offset}, got the end")
    return found[3]


def count(source: _Source, *, on_fault: Callable[[RecordError], object] | None = None) -> int:
    """Return how many records a file has, whose headers and moves are not looked at.

    Args:
        source: As in `read`.
        on_fault: As in `headers`.

    Raises:
        RecordError: Something is no record, and there is no `on_fault`.
        OSError: As `read`, and so for the other errors.

    >>> import io
    >>> count(io.BytesIO(b"1. a1+ * 1. a2+ b1- *"))
    2
    """
    with headers(source, on_fault=on_fault) as reader:
        return reader._count()  # noqa: SLF001


def write(path: str | os.PathLike[str], games: Iterable[Game], *, append: bool = False) -> int:
    """Write games to a file as records, one after the other with an empty line behind each; return how many.

    The file is there whole when all games are written, or not at all: what was there before stays until then. With
    `append` the games are put behind what is there; what was written when something goes wrong is taken away again.

    Args:
        path: The file. With a name that ends in `.gz` it is compressed.
        games: Any iterable of games; they are asked for one by one.
        append: Put them behind what is there.

    Raises:
        OanquanError: A game has a header that would not be read back.
        OSError: The file cannot be written.
        TypeError: Something is no game.
        Exception: What the iterable raises comes out as it is.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = Path(directory, "games.records.gz")
    ...     for moves in ("1. a1+ *", "1. a2+ b1- *"):
    ...         _ = write(path, [_core.Game.parse(moves)], append=True)
    ...     [len(game) for game in read(path)]
    [1, 2]
    """
    target = path_of("path", path)
    with (_appended if append else _written)(target) as file:
        if target.suffix != ".gz":
            return _core.write_records(file, games)
        import gzip  # noqa: PLC0415

        whole = io.BufferedWriter(file)  # gzip does not look at how much of a piece was written
        with gzip.GzipFile(fileobj=whole, mode="wb") as compressed:
            number = _core.write_records(compressed, games)
        whole.detach()
        return number


@contextmanager
def _written(path: Path) -> Iterator[io.FileIO]:
    with written_whole(path) as unfinished, unfinished.open("wb", buffering=0) as file:
        yield file


def _gap(path: Path, size: int) -> bytes:
    """What must stand between the end of a file and a record, so that an unfinished one before it hides no other."""
    if size == 0:
        return b""
    with path.open("rb") as file:
        file.seek(max(0, size - 2))
        last = file.read()
    return {b"\n\n": b""}.get(last, b"\n" if last.endswith(b"\n") else b"\n\n")


@contextmanager
def _appended(path: Path) -> Iterator[io.FileIO]:
    with path.open("ab", buffering=0) as file:
        before = file.tell()
        try:
            if path.suffix != ".gz":
                file.write(_gap(path, before))
            yield file
            os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):  # what went wrong first is told
                file.truncate(before)
            raise
