"""What `oanquan show` and `oanquan trace` draw instead of writing, with `--out`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from oanquan.cli.status import UsageError

if TYPE_CHECKING:
    from oanquan.svg import Svg

OutText = Annotated[
    str | None, Parameter(name=["--out", "-o"], help="Draw a picture instead: a file that ends in .svg or .png.")
]
ThemeText = Annotated[str | None, Parameter(name="--theme", help="With --out: wood, dark or print.")]
OrientationText = Annotated[
    str | None, Parameter(name="--orientation", help="With --out: the side at the bottom, a if none is named.")
]


def chosen(out: str | None, **options: Any) -> dict[str, Any]:
    """Return the options of a picture that were given; without a picture there may be none."""
    given = {name: value for name, value in options.items() if value is not None}
    if out is None and given:
        raise UsageError(f"--{next(iter(given))}: expected --out with a picture to draw")
    return given


def without_text(out: str | None, **options: bool) -> None:
    """Refuse options of the text where a picture is drawn."""
    given = [name for name, value in options.items() if value]
    if out is not None and given:
        raise UsageError(f"--{given[0]}: expected no --out, which draws a picture instead of text")


def save(picture: Svg, out: str) -> None:
    """Write a picture to the file of that name."""
    try:
        picture.save(out)
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror or error}") from None
