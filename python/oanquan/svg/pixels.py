"""Pictures in pixels: PNG, made by resvg with the fonts beside this file, so that it looks the same everywhere."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from importlib.resources import as_file, files

from oanquan.errors import OanquanError

_FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


def png_of(svg: str, width: int) -> bytes:
    r"""Return a picture in PNG, that many pixels wide.

    >>> import oanquan as oaq
    >>> png_of(oaq.svg.board(oaq.Position.start()), 320)[:4]
    b'\x89PNG'
    """
    try:
        import resvg_py  # noqa: PLC0415
    except ImportError as error:
        raise OanquanError("PNG needs the package resvg-py: pip install 'oanquan[png]'") from error
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=_fonts(),
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
        )
    )


# Open as long as the process lives: in a zip archive the fonts are unpacked for it.
_unpacked = ExitStack()


@cache
def _fonts() -> list[str]:
    folder = files("oanquan.svg") / "fonts"
    return [str(_unpacked.enter_context(as_file(folder / name))) for name in _FONTS]
