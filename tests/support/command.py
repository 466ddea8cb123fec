"""The installed command, called as users call it."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

OANQUAN = [str(Path(sysconfig.get_path("scripts")) / "oanquan")]
# Plain text in English, eighty columns, whatever the terminal that the tests run in.
ENVIRONMENT = {
    **os.environ,
    "COLUMNS": "80",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "PYTHONIOENCODING": "utf-8",
    "TERM": "dumb",
}


def run(*arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Run `oanquan` with these arguments and wait for it."""
    return subprocess.run(
        [*OANQUAN, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
        env=ENVIRONMENT,
    )
