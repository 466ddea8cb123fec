"""Every example of the documentation of the installed package is run, those written in Rust included."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import oanquan
from oanquan import _core

MODULES = [
    module.name
    for module in pkgutil.walk_packages(oanquan.__path__, "oanquan.")
    if not module.name.endswith("__main__")
]


def compiled() -> Iterator[tuple[str, str]]:
    """The documentation of the extension module, by name: of functions, classes, methods and attributes."""
    for name, item in vars(_core).items():
        yield name, getattr(item, "__doc__", None) or ""
        if isinstance(item, type):
            for member, inner in vars(item).items():
                yield f"{name}.{member}", getattr(inner, "__doc__", None) or ""


EXAMPLES = {name: text for name, text in compiled() if ">>>" in text}


def run(test: doctest.DocTest) -> None:
    report: list[str] = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize("name", ["oanquan", *MODULES])
def test_examples_of_a_module(name: str):
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        run(test)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_written_in_rust(name: str):
    run(doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, f"oanquan._core.{name}", None, 0))


def test_there_are_examples():
    assert len(EXAMPLES) > 20
    assert {"Position", "Position.play", "Game", "Move", "perft", "divide"} <= EXAMPLES.keys()
