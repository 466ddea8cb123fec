"""`oanquan simulate --out` and `--verify`: runs that are written to files."""

from __future__ import annotations

import json
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from oanquan import Position, __version__, runs
from oanquan.cli.progress import progress_bar
from oanquan.cli.status import DONE, FAULTY, INTERRUPTED, NOT_WRITTEN
from oanquan.runs.files import MANIFEST, shard_range


def play_into(directory: str, games: int, *, position: Position, as_json: bool, **settings: Any) -> int:
    """Play games into the files of a directory and say what is there then."""
    begun = time.perf_counter()
    finished = interrupted = None
    try:
        # What the library of a cluster has to say goes to standard error, like everything but the result.
        with progress_bar() as progress, redirect_stdout(sys.stderr):
            finished = runs.run(directory, games, position=position, progress=progress, **settings)
    except runs.RunInterrupted as interrupt:
        interrupted = interrupt
    except OSError as error:
        print(f"oanquan: {_said(error, directory)}", file=sys.stderr)
        return NOT_WRITTEN
    seconds = time.perf_counter() - begun
    if as_json:
        report: dict[str, Any] = {
            "version": __version__,
            "directory": directory,
            "games_asked_for": games,
            "interrupted": interrupted is not None,
            "games": interrupted.games if finished is None and interrupted is not None else games,
        }
        if finished is not None:
            report |= {"shards": len(finished.shards), "played": finished.played, "lost": finished.lost}
            report |= {"digest": finished.settings.digest, "settings": finished.settings.texts()}
        print(json.dumps(report | {"seconds": seconds}, indent=2))
    elif finished is not None:
        _print(directory, finished, seconds)
    elif interrupted is not None:
        print(f"interrupted: {interrupted.games:,} of {games:,} games are written; go on with --resume")
    return DONE if interrupted is None else INTERRUPTED


def _said(error: OSError, directory: str) -> str:
    """What could not be done. Files are only ever written under names of their own, so that others have been read."""
    name = None if error.filename is None else Path(error.filename).name
    read = name is not None and (name == MANIFEST or shard_range(name) is not None)
    what = f"cannot read {error.filename}" if read else f"cannot write to {directory}"
    where = "" if read or name is None or name == Path(directory).name else f" ({error.filename})"
    try:
        stay = any(shard_range(file.name) for file in Path(directory).iterdir())
    except OSError:
        stay = False
    return f"{what}: {error.strerror}{where}" + ("; finished files stay: go on with --resume" if stay else "")


def _print(directory: str, finished: runs.Run, seconds: float) -> None:
    settings = finished.settings.texts()
    print(f"{finished.games:,} games of {settings['rules']}, agents {settings['agents']}, seed {settings['seed']}")
    size = sum(path.stat().st_size for path in finished.paths)
    print(f"{directory}: {len(finished.shards):,} files, {size:,} bytes")
    if finished.lost:
        print(f"{finished.lost:,} files were begun again because a worker died")
    if not finished.played:
        print("nothing was missing")
        return
    print(f"{finished.played:,} games played in {seconds:.2f} seconds: {finished.played / seconds:,.0f} games a second")


def verify_run(directory: str, *, as_json: bool) -> int:
    """Check the files of a directory and say what was found."""
    try:
        with progress_bar() as progress:
            found = runs.verify(directory, progress=progress)
    except OSError as error:
        print(f"oanquan: cannot read {error.filename or directory}: {error.strerror}", file=sys.stderr)
        return NOT_WRITTEN
    if as_json:
        report = {"version": __version__, "directory": directory, "games": found.games, "shards": found.shards}
        print(json.dumps(report | {"replayed": found.replayed, "faults": list(found.faults)}, indent=2))
    else:
        for fault in found.faults:
            print(fault)
        verdict = f"{len(found.faults):,} faults" if found.faults else "no fault"
        print(f"{found.games:,} games in {found.shards:,} files, {found.replayed:,} played again: {verdict}")
    return FAULTY if found.faults else DONE
