"""Results as pictures: how far apart the sides end, how long games last, what comes of each first move.

Needs matplotlib, which `pip install 'oanquan[plot]'` brings; it is imported when a picture is made. The pictures can be
read in grey and by colour-blind people: nothing is told by colour alone, and what is darker in colour is darker in
grey. The same results give the same file, byte for byte, with the same version of matplotlib.

Threads may make pictures: they take turns. What else draws with matplotlib meanwhile sees the settings of a picture,
which are put back when it is made.

>>> import tempfile
>>> import oanquan as oaq
>>> results = oaq.simulate(2000, seed=7)
>>> with tempfile.TemporaryDirectory() as folder:
...     oaq.plots.save(results, f"{folder}/games.svg", title="2,000 random games")
"""

from __future__ import annotations

import contextlib
import io
import secrets
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oanquan.errors import OanquanError
from oanquan.spread import Rate

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from oanquan.results import Opening, Results
    from oanquan.spread import Spread

FORMATS = ("svg", "png", "pdf")
"""The kinds of files that `save` writes, by extension."""

# Dark blue, white and light orange: apart in grey and for every kind of colour vision. Lines have dashes too.
_AHEAD, _DRAWN, _BEHIND = "#0b4f8a", "#ffffff", "#f0b440"
_LINES = (("#0b4f8a", "-"), ("#d55e00", "--"), ("#1a1a1a", ":"), ("#7a9e00", "-."))
_INK, _FAINT = "#222222", "#d5d5d5"
# Of the games, so many may lie outside the axes at either end; how many do is written there.
_OUTSIDE = 0.0005
_MOST_BARS = 90
_LEGEND: dict[str, Any] = {
    "frameon": False,
    "fontsize": 8,
    "columnspacing": 1,
    "handletextpad": 0.5,
    "handlelength": 1.8,
}
_SETTINGS: dict[str, Any] = {
    "svg.hashsalt": "oanquan",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "axes.axisbelow": True,
    "text.color": _INK,
    "hatch.linewidth": 0.6,
}
# matplotlib has one set of settings for all threads: two pictures at once would each put back what the other had set.
_ONE_AT_A_TIME = threading.RLock()


def check(path: str | os.PathLike[str]) -> str:
    """Say which of `FORMATS` a picture of that name has, so that a long run need not end in an error.

    Raises `OanquanError` for another extension, for a folder that is not there, and without matplotlib.

    >>> check("games.svg")
    'svg'
    >>> check("games.gif")
    Traceback (most recent call last):
    oanquan.errors.OanquanError: plot: expected a name that ends in .svg, .png or .pdf, got "games.gif"
    """
    name = Path(path)
    form = name.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise OanquanError(f'plot: expected a name that ends in .svg, .png or .pdf, got "{name}"')
    if not name.parent.is_dir():
        raise OanquanError(f'plot: expected a folder that is there, got "{name.parent}"')
    _matplotlib()
    return form


def save(results: Results, path: str | os.PathLike[str], *, title: str | None = None) -> None:
    """Write a picture of the results to a file: SVG, PNG or PDF by its extension.

    The file is there whole or not at all. Raises `OanquanError` as `check` does, and `OSError` if the file cannot be
    written.

    >>> import tempfile
    >>> import oanquan as oaq
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(oaq.simulate(100, seed=7), f"{folder}/games.png")
    ...     print([file.name for file in Path(folder).iterdir()])
    ['games.png']
    """
    form = check(path)
    metadata: dict[str, dict[str, Any]] = {
        "svg": {"Date": None, "Creator": "oanquan", "Title": title or _default_title(results)},
        "pdf": {"CreationDate": None, "Creator": "oanquan", "Title": title or _default_title(results)},
        "png": {"Title": title or _default_title(results)},
    }
    picture = io.BytesIO()
    with _settings():
        _figure(results, title).savefig(picture, format=form, dpi=150, metadata=metadata[form])
    _write(Path(path), picture.getvalue())


def figure(results: Results, *, title: str | None = None) -> Figure:
    """Return the picture as a matplotlib figure, to be changed, shown in a notebook or saved in other ways.

    Three parts: how far apart the sides end (the points of each side, if there are three or four), how long games
    last, and of each first move how its games came out. Raises `OanquanError` without matplotlib.

    >>> import oanquan as oaq
    >>> drawn = figure(oaq.simulate(100, seed=7))
    >>> [axes.get_title(loc="left") for axes in drawn.axes][2]
    'Length of games'
    """
    with _settings():
        return _figure(results, title)


def _matplotlib() -> Any:
    try:
        import matplotlib as mpl  # noqa: PLC0415
    except ImportError as error:
        raise OanquanError("plots need matplotlib: pip install 'oanquan[plot]'") from error
    return mpl


@contextlib.contextmanager
def _settings() -> Iterator[None]:
    """The look of the pictures, whatever the user's own settings of matplotlib are."""
    mpl = _matplotlib()
    with _ONE_AT_A_TIME, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def _write(path: Path, content: bytes) -> None:
    """Write beside the file and rename, so that no half of it is ever seen."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        part.write_bytes(content)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _default_title(results: Results) -> str:
    return f"{results.games:,} games"


def _figure(results: Results, title: str | None) -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415

    drawn = Figure(figsize=(10, 6.2), layout="constrained")
    drawn.suptitle(title or _default_title(results), x=0.01, ha="left", fontsize=11, fontweight="bold")
    parts = drawn.subplot_mosaic([["ends", "openings"], ["plies", "openings"]], width_ratios=[1.15, 1])
    if results.difference is None:
        _draw_points(parts["ends"], results)
    else:
        _draw_difference(parts["ends"], results, results.difference)
    _draw_plies(parts["plies"], results.plies)
    _draw_openings(parts["openings"], results)
    return drawn


# ---- distributions ---------------------------------------------------------------------------------------------------


def _window(spread: Spread) -> tuple[int, int]:
    """The least and the greatest number that are drawn: all but a few games lie between them, these included."""
    few = _OUTSIDE * spread.count

    def end(histogram: Iterable[tuple[int, int]]) -> int:
        games = 0
        for value, count in histogram:
            games += count
            if games > few:
                return value
        return 0

    return end(spread.histogram), end(reversed(spread.histogram))


def _width(low: int, high: int, *, even: bool) -> int:
    """How many numbers share a bar, so that there are not too many bars."""
    width = -(-(high - low + 1) // _MOST_BARS)
    return width + (width % 2 if even else 0)


def _bars(histogram: Iterable[tuple[int, int]], low: int, high: int, width: int) -> list[float]:
    """The games of each bar; the first bar begins with the number at or below `low` that `width` divides."""
    first = low // width
    bars = [0.0] * (high // width - first + 1)
    for value, games in histogram:
        if low <= value <= high:
            bars[value // width - first] += games
    return bars


def _draw_bars(
    axes: Axes, spread: Spread, series: Sequence[tuple[Iterable[tuple[int, int]], dict[str, Any]]], *, even: bool
) -> None:
    """Bars of percentages of all games, one series on top of the other; what lies outside is told."""
    if not spread.count:
        return
    low, high = _window(spread)
    width = _width(low, high, even=even)
    # A bar stands over the numbers that it counts, each half a step to either side of itself.
    lefts = [width * place - 0.5 for place in range(low // width, high // width + 1)]
    heaped = [0.0] * len(lefts)
    for histogram, style in series:
        heights = [100 * games / spread.count for games in _bars(histogram, low, high, width)]
        axes.bar(lefts, heights, width, heaped, align="edge", edgecolor=_INK, linewidth=0.3, **style)
        heaped = [below + height for below, height in zip(heaped, heights, strict=True)]
    axes.set_xlim(lefts[0] - width, lefts[-1] + 2 * width)
    axes.set_ylim(0, 1.22 * max(heaped))
    axes.set_ylabel("% of games" if width == 1 else f"% of games, {width} values a bar")
    axes.grid(axis="y", color=_FAINT, linewidth=0.6)
    outside = sum(games for value, games in spread.histogram if not low <= value <= high)
    if outside:
        note = f"{100 * outside / spread.count:.2g} % of games lie outside"
        axes.annotate(note, (1, -0.2), xycoords="axes fraction", ha="right", va="top", fontsize=7.5)


def _draw_mean(axes: Axes, spread: Spread) -> None:
    if spread.count:
        # Black and white by turns, to be seen on dark bars and on light ones.
        axes.axvline(spread.mean, color="white", linewidth=1.4, ymax=0.87)
        axes.axvline(spread.mean, color=_INK, linewidth=1.4, linestyle=(0, (4, 2)), ymax=0.87)
        label = f"mean {spread.mean:.2f}"
        axes.annotate(label, (spread.mean, 0.88), xycoords=("data", "axes fraction"), ha="center", va="bottom")


def _draw_difference(axes: Axes, results: Results, difference: Spread) -> None:
    """The difference, bars of side a's games dark, of side b's light."""
    histogram = difference.histogram
    series: list[tuple[Iterable[tuple[int, int]], dict[str, Any]]] = [
        ([pair for pair in histogram if pair[0] < 0], {"color": _BEHIND}),
        ([pair for pair in histogram if pair[0] == 0], {"color": _DRAWN, "hatch": "////"}),
        ([pair for pair in histogram if pair[0] > 0], {"color": _AHEAD}),
    ]
    # Mostly the two add up to an even number, and then so does their difference: bars of one number would be a comb.
    _draw_bars(axes, difference, series, even=True)
    axes.set_title("Difference")
    axes.set_xlabel("points of side a minus points of side b")
    _draw_mean(axes, difference)
    from matplotlib.patches import Patch  # noqa: PLC0415

    looks: list[dict[str, Any]] = [
        {"facecolor": _BEHIND},
        {"facecolor": _DRAWN, "hatch": "////"},
        {"facecolor": _AHEAD},
    ]
    rates = [("b wins", results.win_rates["b"]), ("draw", results.draw_rate), ("a wins", results.win_rates["a"])]
    keys = [
        Patch(edgecolor=_INK, linewidth=0.5, label=f"{outcome} {_percent(rate)}", **look)
        for look, (outcome, rate) in zip(looks, rates, strict=True)
    ]
    axes.legend(handles=keys, ncols=3, loc="lower right", bbox_to_anchor=(1.01, 0.985), **_LEGEND)


def _draw_points(axes: Axes, results: Results) -> None:
    """The points of each side, as lines."""
    played = [spread for spread in results.points.values() if spread.count]
    axes.set_title("Points")
    axes.set_xlabel("points")
    if not played:
        return
    windows = [_window(spread) for spread in played]
    low, high = min(least for least, _ in windows), max(most for _, most in windows)
    width = _width(low, high, even=False)
    middles = [width * place + (width - 1) / 2 for place in range(low // width, high // width + 1)]
    highest = 0.0
    for (side, spread), (color, dashes) in zip(results.points.items(), _LINES, strict=False):
        heights = [100 * games / spread.count for games in _bars(spread.histogram, low, high, width)]
        label = f"side {side}: mean {spread.mean:.2f}, wins {_percent(results.win_rates[side])}"
        highest = max(highest, *heights)
        axes.plot(middles, heights, color=color, linestyle=dashes, linewidth=1.6, label=label)
    axes.set_ylim(0, 1.35 * highest)
    axes.set_ylabel("% of games" if width == 1 else f"% of games, {width} values a point")
    axes.grid(axis="y", color=_FAINT, linewidth=0.6)
    axes.legend(**_LEGEND)


def _draw_plies(axes: Axes, plies: Spread) -> None:
    _draw_bars(axes, plies, [(plies.histogram, {"color": "#9a9a9a"})], even=False)
    axes.set_title("Length of games")
    axes.set_xlabel("plies (moves of one side)")
    _draw_mean(axes, plies)


# ---- openings --------------------------------------------------------------------------------------------------------


def _outcomes(opening: Opening) -> list[Rate]:
    """How often the mover won, nobody did, and each of the others did, in the order of the sides."""
    others = [side for side in opening.wins if side != opening.move.side]
    lost = [Rate(opening.wins[side], opening.games) for side in others]
    return [opening.win_rate, opening.draw_rate, *lost]


def _draw_openings(axes: Axes, results: Results) -> None:
    """A heat map of rates, one row a first move, one column an outcome, shaded from its least to its greatest."""
    axes.set_title("Outcomes by first move")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    if not results.openings:
        axes.set(xticks=[], yticks=[])
        axes.text(0.5, 0.5, "no game has a move", ha="center")
        return
    mover = results.openings[0].move.side
    others = [side for side in results.wins if side != mover]
    rows = [_outcomes(opening) for opening in results.openings]
    shades = list(zip(*(_shades([rate.value for rate in column]) for column in zip(*rows, strict=True)), strict=True))
    axes.imshow(shades, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(rows):
        for x, rate in enumerate(row):
            low, high = rate.interval()
            text = f"{100 * rate.value:.1f}\n± {50 * (high - low):.1f}"
            # Cividis grows lighter all the way: half of it is dark.
            ink = "white" if shades[y][x] < 0.5 else "black"
            axes.text(x, y, text, ha="center", va="center", color=ink, fontsize=8, linespacing=0.95)
    axes.set_xticks(range(len(rows[0])), [f"{mover} wins", "draw", *(f"{side} wins" for side in others)])
    axes.xaxis.tick_top()
    names = [f"{opening.move}\n{opening.games:,}" for opening in results.openings]
    axes.set_yticks(range(len(rows)), names, linespacing=0.95)
    axes.set_ylabel("first move, and its games")
    axes.set_xlabel(
        "% of the games of that move, ± half the 95 % interval;\ndarkest: least of the column, lightest: greatest"
    )


def _shades(values: Sequence[float]) -> list[float]:
    """0 for the least value to 1 for the greatest; 0.5 where all are equal."""
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.5 for value in values]


def _percent(rate: Rate) -> str:
    return f"{100 * rate.value:.2f} %" if rate.games else "-"
