"""Pictures of results: what they tell, that grey is enough to read them, and that files are whole and repeatable."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import oanquan as oaq
from oanquan import Results, plots
from support.command import OANQUAN
from support.engines import rules_of


@pytest.fixture(scope="module")
def results() -> Results:
    return oaq.simulate(4000, rules_of("wikipedia-vi"), seed=7)


@pytest.fixture(scope="module")
def drawn(results: Results) -> dict[str, Axes]:
    return parts(plots.figure(results))


def parts(drawn: Figure) -> dict[str, Axes]:
    """The parts of a picture by the first word of their titles."""
    return {axes.get_title(loc="left").split()[0]: axes for axes in drawn.axes}


def luminance(color: object) -> float:
    red, green, blue = to_rgb(color)  # type: ignore[arg-type]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# ---- what is told ----------------------------------------------------------------------------------------------------


def test_bars_are_the_shares_of_the_games(results: Results, drawn: dict[str, Axes]) -> None:
    assert results.difference is not None
    for name, spread in (("Difference", results.difference), ("Length", results.plies)):
        bars = [bar for bar in drawn[name].patches if bar.get_height() > 0]  # type: ignore[attr-defined]
        told = 0.0
        for bar in bars:
            left, right = bar.get_x(), bar.get_x() + bar.get_width()  # type: ignore[attr-defined]
            games = sum(count for value, count in spread.histogram if left < value < right)
            heaped = sum(b.get_height() for b in bars if b.get_x() == bar.get_x())  # type: ignore[attr-defined]
            assert heaped == pytest.approx(100 * games / results.games)
            told += bar.get_height()  # type: ignore[attr-defined]
        notes = [text.get_text() for text in drawn[name].texts]
        assert f"mean {spread.mean:.2f}" in notes
        assert 99.8 <= told <= 100
        assert any("lie outside" in note for note in notes) == (told < 99.9999)


def test_colours_of_the_difference_say_who_is_ahead(results: Results, drawn: dict[str, Axes]) -> None:
    axes = drawn["Difference"]
    legend = axes.get_legend()
    assert legend is not None
    texts = [text.get_text() for text in legend.get_texts()]
    rates = results.win_rates
    assert texts == [
        f"b wins {100 * rates['b'].value:.2f} %",
        f"draw {100 * results.draw_rate.value:.2f} %",
        f"a wins {100 * rates['a'].value:.2f} %",
    ]
    behind, even, ahead = (patch.get_facecolor() for patch in legend.get_patches())
    for bar in axes.patches:
        if bar.get_height() > 0:  # type: ignore[attr-defined]
            middle = bar.get_x() + bar.get_width() / 2  # type: ignore[attr-defined]
            expected = behind if middle < 0 else ahead if middle > 1 else even
            assert bar.get_facecolor() == expected
    assert luminance(ahead[:3]) + 0.3 < luminance(behind[:3]) < luminance(even[:3]) - 0.2, "apart in grey"


def test_the_heat_map_has_every_rate_and_its_interval(results: Results, drawn: dict[str, Axes]) -> None:
    axes = drawn["Outcomes"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a wins", "draw", "b wins"]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == [f"{opening.move}\n{opening.games:,}" for opening in results.openings]
    cells = iter(axes.texts)
    for opening in results.openings:
        for rate in (opening.win_rate, opening.draw_rate, oaq.Rate(opening.wins["b"], opening.games)):
            low, high = rate.interval()
            assert next(cells).get_text() == f"{100 * rate.value:.1f}\n± {50 * (high - low):.1f}"
    assert next(cells, None) is None


def test_numbers_of_the_heat_map_stand_out_from_their_cells_in_grey(drawn: dict[str, Axes]) -> None:
    axes = drawn["Outcomes"]
    (image,) = axes.get_images()
    shades = image.get_array()
    assert shades is not None
    cells = [image.cmap(image.norm(shade))[:3] for shade in shades.flatten()]
    for cell, text in zip(cells, axes.texts, strict=True):
        assert abs(luminance(cell) - luminance(text.get_color())) > 0.35
    darker = sorted(zip(shades.flatten().tolist(), map(luminance, cells), strict=True))
    assert [grey for _, grey in darker] == sorted(grey for _, grey in darker), "lighter means more in grey too"


@pytest.mark.parametrize(("preset", "sides"), [("three-players", "abc"), ("four-players", "abcd")])
def test_more_sides_are_lines_of_their_points(preset: str, sides: str) -> None:
    results = oaq.simulate(500, rules_of(preset), seed=1)
    drawn = parts(plots.figure(results))
    lines = drawn["Points"].get_lines()
    assert len({line.get_linestyle() for line in lines}) == len(lines) == len(sides), "apart without colour"
    for side, line in zip(sides, lines, strict=True):
        assert str(line.get_label()).startswith(f"side {side}: mean {results.points[side].mean:.2f}, wins ")
        assert 99 <= sum(line.get_ydata()) <= 100.0001  # type: ignore[arg-type]
    columns = [label.get_text() for label in drawn["Outcomes"].get_xticklabels()]
    assert columns == ["a wins", "draw", *(f"{side} wins" for side in sides[1:])]


@pytest.mark.parametrize(
    "odd",
    [
        {"games": 1},
        {"games": 5, "max_plies": 0},
        {"games": 200, "max_plies": 1},
        {"games": 300, "rules": oaq.Rules(shortfall="owe", squares=2, pebbles=1, sides=3), "max_plies": 5000},
    ],
    ids=["one game", "no move", "one move", "debts without end"],
)
def test_odd_results_have_pictures_too(odd: dict[str, object], tmp_path: Path) -> None:
    plots.save(oaq.simulate(**odd), tmp_path / "odd.png")  # type: ignore[arg-type]
    assert (tmp_path / "odd.png").stat().st_size > 10_000


def test_interrupted_before_the_first_game() -> None:
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(oaq.SimulationInterrupted) as caught:
        oaq.simulate(10**9, agents=(lambda positions: stop(), "random"))  # type: ignore[arg-type, return-value, func-returns-value]  # noqa: ARG005
    assert caught.value.results.games == 0
    assert len(plots.figure(caught.value.results).axes) == 3


# ---- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "begins"), [("x.svg", b"<?xml"), ("x.PNG", b"\x89PNG"), ("x.pdf", b"%PDF-")])
def test_the_same_results_give_the_same_file(results: Results, tmp_path: Path, name: str, begins: bytes) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        plots.save(results, tmp_path / folder / name, title="A title")
    one, two = ((tmp_path / folder / name).read_bytes() for folder in ("one", "two"))
    assert one == two
    assert one.startswith(begins)
    assert [file.name for file in (tmp_path / "one").iterdir()] == [name]


def test_an_svg_is_repeatable_in_another_process_and_says_what_it_is(results: Results, tmp_path: Path) -> None:
    plots.save(results, tmp_path / "here.svg", title="Games & games")
    code = (
        "import oanquan as oaq; results = oaq.simulate(4000, oaq.Rules.preset('wikipedia-vi'), seed=7); "
        f"oaq.plots.save(results, {str(tmp_path / 'there.svg')!r}, title='Games & games')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    text = (tmp_path / "here.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "there.svg").read_text(encoding="utf-8")
    titles = [node.text for node in ET.fromstring(text).iter() if node.tag.endswith("}title")]
    assert titles[0] == "Games & games"
    assert "<dc:date>" not in text


def test_the_users_settings_neither_matter_nor_change(results: Results, tmp_path: Path) -> None:
    plots.save(results, tmp_path / "plain.svg")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "black", "svg.hashsalt": "other", "figure.dpi": 30}):
        before = dict(mpl.rcParams)
        plots.save(results, tmp_path / "odd.svg")
        assert dict(mpl.rcParams) == before
    assert (tmp_path / "plain.svg").read_bytes() == (tmp_path / "odd.svg").read_bytes()


def test_threads_draw_one_after_the_other(results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = dict(mpl.rcParams)
    plots.save(results, tmp_path / "alone.svg")
    both, met, figure = threading.Barrier(2), [], plots._figure

    def met_or_alone(*arguments: Any) -> Figure:
        """Draws once two are drawing, or once that has not come about for a while."""
        with contextlib.suppress(threading.BrokenBarrierError):
            met.append(both.wait(0.5))
        return figure(*arguments)

    monkeypatch.setattr(plots, "_figure", met_or_alone)
    names = [tmp_path / f"{number}.svg" for number in range(4)]
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda name: plots.save(results, name), names))
    assert not met
    assert {name.read_bytes() for name in names} == {(tmp_path / "alone.svg").read_bytes()}
    assert dict(mpl.rcParams) == before


def test_a_file_is_there_whole_or_not_at_all(results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "games.svg"
    target.write_text("before", encoding="utf-8")

    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        plots.save(results, target)
    assert [file.name for file in tmp_path.iterdir()] == ["games.svg"]
    assert target.read_text(encoding="utf-8") == "before"


@pytest.mark.parametrize("name", ["games", "games.jpg", "games.svg.gz", ".svg"])
def test_other_kinds_of_files_are_refused(results: Results, tmp_path: Path, name: str) -> None:
    with pytest.raises(oaq.OanquanError, match=r'^plot: expected a name that ends in .svg, .png or .pdf, got ".*"$'):
        plots.save(results, tmp_path / name)
    assert not [*tmp_path.iterdir()]


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(oaq.OanquanError, match="plot: expected a folder that is there"):
        plots.check(tmp_path / "nowhere" / "games.svg")


# ---- matplotlib is an extra, and the command -------------------------------------------------------------------------

WITHOUT = "import sys; sys.modules['matplotlib'] = None; "


def test_matplotlib_is_imported_when_a_picture_is_made() -> None:
    code = "import sys, oanquan; oanquan.plots; assert not any(name.startswith('matplotlib') for name in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = WITHOUT + "import oanquan as oaq; oaq.plots.figure(oaq.simulate(1))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "OanquanError: plots need matplotlib: pip install 'oanquan[plot]'" in run.stderr


def test_the_command_draws_what_it_prints(tmp_path: Path) -> None:
    file = tmp_path / "games.svg"
    command = [*OANQUAN, "simulate", "-n", "300", "--seed", "3", "--agents", "cautious,random", "--plot", str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "300 games of mancala-world, agents cautious,random, seed 3\n" in run.stdout
    title = "<dc:title>300 games of mancala-world, agents cautious,random, seed 3</dc:title>"
    assert title in file.read_text(encoding="utf-8")


def test_the_command_says_at_once_that_it_cannot_draw(tmp_path: Path) -> None:
    """Not after all the games."""
    arguments = ["simulate", "-n", "1000000000000", "--plot"]
    run = subprocess.run([*OANQUAN, *arguments, "x.bmp"], capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 2
    assert run.stderr == 'oanquan: plot: expected a name that ends in .svg, .png or .pdf, got "x.bmp"\n'
    arguments += [str(tmp_path / "x.svg")]
    code = WITHOUT + f"from oanquan.cli import main; sys.exit(main({arguments!r}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (2, "oanquan: plots need matplotlib: pip install 'oanquan[plot]'\n")
    assert not [*tmp_path.iterdir()]
