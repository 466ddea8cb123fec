"""The files of a run: their names, what killed processes left of them, and the lock on their directory."""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from oanquan.runs.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MANIFEST = "_manifest.json"
LOCK = ".lock"
_SHARD = re.compile(r"games-([0-9]{12,19})-([0-9]{12,19})\.parquet", re.ASCII)
_UNFINISHED = re.compile(r"\..*\.[0-9a-f]{16}\.unfinished", re.ASCII)


def shard_name(first_game: int, end_game: int) -> str:
    """Return the name of the file with the games from the first up to, and without, the end.

    >>> shard_name(0, 1_000_000)
    'games-000000000000-000001000000.parquet'
    """
    return f"games-{first_game:012}-{end_game:012}.parquet"


def shard_range(name: str) -> tuple[int, int] | None:
    """Return the first game and the end that a file's name tells; `None` if it is not the name of a shard.

    >>> shard_range("games-000000000000-000001000000.parquet"), shard_range("games.csv")
    ((0, 1000000), None)
    """
    found = _SHARD.fullmatch(name)
    if found is None:
        return None
    first_game, end_game = int(found[1]), int(found[2])
    return (first_game, end_game) if first_game < end_game and shard_name(first_game, end_game) == name else None


def remove_unfinished(directory: Path) -> int:
    """Remove what killed processes left behind; return how many files that were.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     _ = Path(directory, ".games.0123456789abcdef.unfinished").write_text("half a ga")
    ...     remove_unfinished(Path(directory))
    1
    """
    files = [file for file in directory.iterdir() if _UNFINISHED.fullmatch(file.name) and not _is_real_directory(file)]
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def remove(path: Path) -> None:
    """Remove whatever has a name, if anything has; `RunError` if that is a directory with something in it.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     Path(directory, "games").mkdir()
    ...     remove(Path(directory, "games"))
    ...     [*Path(directory).iterdir()]
    []
    """
    if not _is_real_directory(path):
        path.unlink(missing_ok=True)
        return
    try:
        path.rmdir()
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        fault = f"{path.name} is a directory with something in it, in the way of a file; move it away"
        raise RunError(str(path.parent), (fault,)) from None


def _is_real_directory(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the only lock on a directory; raise `RunError` if another process, or another run in this one, has it.

    The system takes the lock from a process that dies, so that none is left behind by a kill.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as directory, locked(Path(directory)):
    ...     with locked(Path(directory)):  # doctest: +ELLIPSIS
    ...         pass
    Traceback (most recent call last):
    oanquan.runs.errors.RunError: ...: another run is writing here
    """
    path = directory / LOCK
    if path.exists() and not path.is_file():
        raise RunError(str(directory), (f"{LOCK} is no file",))  # to open a pipe would wait for ever
    with path.open("ab") as file:
        try:
            _lock(file.fileno())
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                raise RunError(str(directory), ("another run is writing here",)) from None
            raise
        try:
            yield
        finally:
            _unlock(file.fileno())


# Said once for each system, since mypy and the modules themselves know but one.
if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _unlock(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(file: int) -> None:
        # Said, not left to closing: a child forked meanwhile has the same lock.
        fcntl.flock(file, fcntl.LOCK_UN)
