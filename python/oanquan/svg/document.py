"""The picture as a text: `Svg`."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from oanquan.checks import within
from oanquan.errors import OanquanError
from oanquan.files import path_of, written_whole
from oanquan.svg.elements import FONT, element, number, words
from oanquan.svg.pixels import png_of

if TYPE_CHECKING:
    import os

LEAST_SIZE, MOST_SIZE = 64, 8192
"""Pixels from side to side."""


class Svg(str):
    """A picture: SVG as a text, which notebooks show.

    >>> import oanquan as oaq
    >>> picture = oaq.svg.board(oaq.Position.start())
    >>> picture[:5], picture == oaq.svg.board(oaq.Position.start())
    ('<svg ', True)
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """What notebooks ask for."""
        return str(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file, `.svg` or `.png`: the whole of it, or nothing.

        >>> import tempfile
        >>> import oanquan as oaq
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     oaq.svg.board(oaq.Position.start()).save(f"{directory}/start.svg")
        """
        target = path_of("path", path)
        suffix = target.suffix.lower()
        if suffix not in (".svg", ".png"):
            raise OanquanError(f"path: expected a name that ends in .svg or .png, got {target.name!r}")
        content = self.encode() if suffix == ".svg" else self.png()
        with written_whole(target) as unfinished:
            unfinished.write_bytes(content)

    def png(self, width: int | None = None) -> bytes:
        """Return the picture in PNG, that many pixels wide, or as wide as it says it is; needs `oanquan[png]`.

        The same picture gives the same pixels on every machine, whatever fonts it has.

        >>> import oanquan as oaq
        >>> oaq.svg.board(oaq.Position.start()).png(width=800)[1:4]
        b'PNG'
        """
        if width is None:
            found = re.search(r'^<svg [^>]*?(?: width="| viewBox="0 0 )([0-9]+)', self)
            width = int(found[1]) if found else 1
        return png_of(self, within("width", width, 1, MOST_SIZE))


def document(width: float, height: float, title: str, description: str, body: list[str], size: int | None) -> Svg:
    """Return the whole picture; `ID` in the body becomes a name that no other picture of a page has.

    >>> document(10, 10, "title", "words", ['<g id="ID-a"/>'], None).count("ID")
    0
    """
    view_box = f"0 0 {number(width)} {number(height)}"
    inside = [element("title", words(title), id="ID-t"), element("desc", words(description), id="ID-d"), *body]
    whole = element(
        "svg",
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        width=size,
        height=None if size is None else round(size * height / width),
        viewBox=view_box,
        role="img",
        aria_labelledby="ID-t ID-d",
        font_family=FONT,
    )
    # Words of the picture never hold this mark: what is said of squares and sides is in lower case.
    name = "o" + hashlib.sha256(whole.encode()).hexdigest()[:10]
    return Svg(whole.replace("ID-", f"{name}-"))
