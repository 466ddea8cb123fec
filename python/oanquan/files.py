"""Files by their names, and writing that is all or nothing."""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from oanquan.errors import OanquanError

if TYPE_CHECKING:
    from collections.abc import Iterator


def path_of(name: str, path: str | os.PathLike[str]) -> Path:
    """Return the path of an argument, made absolute, so that it stays the same when the working directory changes.

    >>> path_of("directory", "games").is_absolute()
    True
    >>> path_of("directory", "")
    Traceback (most recent call last):
    oanquan.errors.OanquanError: directory: expected a path, got ""
    """
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"{name}: expected a path of str, got {type(text).__name__}")
    if not text:
        raise OanquanError(f'{name}: expected a path, got ""')
    if "\0" in text:
        raise OanquanError(f"{name}: expected a path without NUL, got {text!r}")
    return Path(text).absolute()


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a name to write to in the same directory; then bring the file to disk and give it its own name.

    Whatever goes wrong, there is the whole file under its own name or what was there before, and nothing is
    left under the other name, unless the process is killed.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = Path(directory, "greeting")
    ...     with written_whole(path) as unfinished:
    ...         _ = unfinished.write_text("hello")
    ...     [file.name for file in Path(directory).iterdir()]
    ['greeting']
    """
    # Hidden, so that readers of the directory pass over it.
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}.unfinished")
    try:
        yield unfinished
        _bring_to_disk(unfinished, os.O_RDWR)
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    if sys.platform != "win32":
        _bring_to_disk(path.parent, os.O_RDONLY)


def _bring_to_disk(path: Path, access: int) -> None:
    opened = os.open(path, access)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
