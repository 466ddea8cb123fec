"""The files of the page, read once: what is sent is found by its name among these and nowhere else."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files as resources
from typing import Final

from starlette.responses import Response

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


@dataclass(frozen=True)
class File:
    """A file of the page.

    >>> page_files()["index.html"].kind
    'text/html; charset=utf-8'
    """

    content: bytes
    kind: str
    mark: str
    """Tells this content from every other: its `ETag`."""

    def answer(self, known: str | None, **changes: str) -> Response:
        """Return the answer with this file, or that it is the one that the client knows already.

        >>> file = page_files()["icon.svg"]
        >>> file.answer(None).status_code, file.answer(file.mark).status_code
        (200, 304)
        """
        headers = {"ETag": self.mark, "Cache-Control": "no-cache"}
        if known == self.mark and not changes:
            return Response(status_code=304, headers=headers)
        content = self.content
        for place, text in changes.items():
            content = content.replace(f"{{{{{place}}}}}".encode(), text.encode())
        return Response(
            content, headers=headers if not changes else {"Cache-Control": "no-store"}, media_type=self.kind
        )


def page_files() -> dict[str, File]:
    """Return the files by their names.

    >>> {"index.html", "page.css"} <= {*page_files()}
    True
    """
    found = {}
    for entry in resources("oanquan.web").joinpath("static").iterdir():
        kind = _TYPES.get(entry.name.rpartition(".")[2])
        if kind is not None:
            content = entry.read_bytes()
            found[entry.name] = File(content, kind, f'"{hashlib.sha256(content).hexdigest()[:32]}"')
    return found
