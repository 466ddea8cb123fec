"""Write the recorded data anew, from the reference: `python tests/regenerate.py [playthroughs] [knobs]`.

Nothing here decides whether a change is right: read the diff. The tests then hold the core to the same records.
"""

from __future__ import annotations

import sys

import oanquan
from support import knob_cases, playthrough
from support.engines import REFERENCE


def playthroughs() -> None:
    """tests/data/playthroughs: one game of every preset."""
    playthrough.FOLDER.mkdir(exist_ok=True)
    for old in playthrough.FOLDER.glob("*.txt"):
        old.unlink()
    for preset in oanquan.PRESETS:
        seed = playthrough.find_seed(REFERENCE, preset)
        lines = [*playthrough.heading(preset, seed), *playthrough.play_through(REFERENCE, preset, seed)]
        playthrough.file_of(preset).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    wanted = sys.argv[1:] or ["playthroughs", "knobs"]
    for name in wanted:
        {"playthroughs": playthroughs, "knobs": knob_cases.write}[name]()


if __name__ == "__main__":
    main()
