"""Converting a run to other forms: one file of text."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from oanquan import _core
from oanquan.checks import MOST_THREADS, within
from oanquan.errors import OanquanError
from oanquan.files import path_of, written_whole
from oanquan.runs.running import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORMS = ("records", "csv")
"""The forms that a run can be converted to."""


def convert(
    directory: str | os.PathLike[str],
    file: str | os.PathLike[str],
    form: str,
    *,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> int:
    """Write all games of a finished run to one file of text, in the order of their numbers.

    The file is there whole in the end, or not at all; a pipe, a terminal or another device, or a name in `/dev` such
    as `/dev/stdout`, is written to as the games come. Memory does not grow with the number of games.

    Args:
        directory: Where the run is.
        file: The file to write, outside of the directory; one that is there is replaced, or the one that a link leads
            to.
        form: `"csv"`: a line with the names of the columns, then one for each game; the items of `moves` and
            `positions` are separated by semicolons, and positions stand in quotes. `"records"`: game records as
            `Game.record` writes them, with the headers `Players`, `Seed` and `Game`; the games are played again for
            their moves, and must be what the shards say.
        threads: 1 to 1024; `None` for all cores.
        progress: Called as `progress(done, games)`, about every 50 ms and once at the end. An exception that it raises
            comes out, and no file is written.

    Returns:
        The number of games.

    Raises:
        RunError: No finished run is there.
        OanquanError: A shard is damaged, a game is not the one that is played again, the file is a directory or in that
            of the run, or an argument is not one of those above.
        OSError: A file cannot be read or written.

    >>> import tempfile
    >>> from oanquan import Game, runs
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     finished = runs.run(f"{directory}/games", 20, seed=7)
    ...     games = runs.convert(finished.directory, finished.directory.with_suffix(".txt"), "records")
    ...     records = Game.parse_all(finished.directory.with_suffix(".txt").read_text())
    ...     games, records[3].headers
    (20, {'Players': 'random / random', 'Seed': '7', 'Game': '3'})
    """
    if form not in FORMS:
        raise OanquanError(f'form: expected {" or ".join(FORMS)}, got "{form}"')
    used = 0 if threads is None else within("threads", threads, 1, MOST_THREADS)
    if not (progress is None or callable(progress)):
        raise TypeError(f"progress: expected a callable, got {type(progress).__name__}")
    out = path_of("file", file)
    run = Run.read(directory)
    if out.is_dir():
        raise OanquanError(f"{os.fspath(file)}: expected a file to write, got a directory")
    try:
        target = out.resolve()
    except RuntimeError:  # what Python before 3.13 says of links in a circle
        raise OanquanError(f"{os.fspath(file)}: expected a file to write, got a link to itself") from None
    if target.is_relative_to(run.directory.resolve()):
        raise OanquanError(f"{os.fspath(file)}: expected a file outside of the run that is converted")
    settings = run.settings
    progress = progress or (lambda _done, _games: None)
    with _written_straight(out) if is_stream(out) else written_whole(target) as unfinished:
        header = _core.text_header(form, settings.position.rules.sides, settings.moves, settings.positions)
        with unfinished.open("a", encoding="utf-8", newline="") as opened:
            opened.write(header)
        done = 0
        for shard, path in zip(run.shards, run.paths, strict=True):
            if path.exists() and not path.is_file():  # opening a pipe would wait for ever
                raise OanquanError(f"{path}: it is no file")

            def report(games: int, _: int, before: int = done) -> None:
                progress(before + games, run.games)

            _core.write_text(
                str(path),
                str(unfinished),
                form,
                settings.position,
                shard.first_game,
                shard.games,
                list(settings.agents),
                settings.seed,
                used,
                settings.max_plies,
                settings.repetition,
                settings.moves,
                settings.positions,
                report,
            )
            done += shard.games
    progress(run.games, run.games)
    return run.games


def is_stream(file: Path) -> bool:
    """Whether a file takes what is written to it at once, so that no other one can take its place.

    >>> from pathlib import Path
    >>> is_stream(Path("/dev/stdout")), is_stream(Path("games.csv"))
    (True, False)
    """
    named = file.absolute().parent in (Path("/dev"), Path("/dev/fd"))  # what they stand for may be a file
    return named or (file.exists() and not file.is_file())


@contextmanager
def _written_straight(file: Path) -> Iterator[Path]:
    # Kept open meanwhile: the reader of a pipe takes it for the end when nobody has it open.
    opened = os.open(file, os.O_WRONLY | os.O_APPEND)
    try:
        yield file
    finally:
        os.close(opened)
