"""Write the recorded data anew: `python tests/regenerate.py`, or what its arguments name of the tasks below.

Playthroughs and knobs come from the reference, the others from the package itself.

Nothing here decides whether a change is right: read the diff. The tests then hold the core to the same records.
"""

from __future__ import annotations

import sys

import oanquan
from support import explanations, knob_cases, pictures, playthrough, terminal_boards
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


def openspiel() -> None:
    """tests/data/openspiel: random games as OpenSpiel records them, from the core."""
    from open_spiel.python.algorithms import generate_playthrough  # noqa: PLC0415

    import oanquan.adapters.openspiel  # noqa: F401, PLC0415

    folder = playthrough.FOLDER.parent / "openspiel"
    folder.mkdir(exist_ok=True)
    games = {
        "mancala-world": "",
        "quan-non": "reward=points,rules=quan-non",
        "three-players": "rules=three-players",
        "squares-3": "position=0.1.0.0q1/0.0.2.0q1 3/32 a>b:2 a 9,repetition=2,reward=points,rules=squares:3",
    }
    for name, parameters in games.items():
        text = f"python_oanquan({','.join(filter(None, ['max_plies=60', parameters]))})"
        (folder / f"{name}.txt").write_text(generate_playthrough.playthrough(text, None, seed=1), encoding="utf-8")


def explained() -> None:
    """tests/data/explanations.txt: moves in sentences, from the package itself."""
    explanations.FILE.write_text(explanations.written(), encoding="utf-8")


def main() -> None:
    tasks = {
        "explanations": explained,
        "playthroughs": playthroughs,
        "knobs": knob_cases.write,
        "openspiel": openspiel,
        "pictures": pictures.write,
        "terminal": terminal_boards.write,
    }
    for name in sys.argv[1:] or tasks:
        tasks[name]()


if __name__ == "__main__":
    main()
