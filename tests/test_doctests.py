"""Every example of the documentation of the installed package is run, those written in Rust included."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import inspect
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


def docstring(item: object) -> str:
    """The docstring of what a class or module has under a name; a static method has its function's."""
    return getattr(item, "__func__", item).__doc__ or ""


def compiled() -> Iterator[tuple[str, str]]:
    """The documentation of the extension module, by name: of functions, classes, methods and attributes."""
    for name, item in vars(_core).items():
        yield name, docstring(item)
        if isinstance(item, type):
            for member, inner in vars(item).items():
                yield f"{name}.{member}", docstring(inner)


# Sorted: the order of a compiled class's members differs between processes, and pytest-xdist compares them.
EXAMPLES = {name: text for name, text in sorted(compiled()) if ">>>" in text}


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


def public() -> Iterator[tuple[str, str]]:
    """Every public class and function with its docstring, and every public member of the classes with its own.

    Fields of dataclasses and named tuples are left out: the example of the class shows them.
    """
    modules = ("engine", "explaining", "play", "records", "runs", "svg", "tournaments")
    rooms = [("", oanquan), *((f"{name}.", getattr(oanquan, name)) for name in modules)]
    for name, item in ((room + name, getattr(module, name)) for room, module in rooms for name in module.__all__):
        if inspect.isclass(item):
            yield name, docstring(item)
            fields = {field.name for field in dataclasses.fields(item)} if dataclasses.is_dataclass(item) else set()
            fields |= {*getattr(item, "_fields", ())}
            for member, inner in vars(item).items():
                if not member.startswith("_") and member not in fields:
                    yield f"{name}.{member}", docstring(inner)
        elif callable(item):
            yield name, docstring(item)


PUBLIC = dict(sorted(public()))


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_item_has_an_example(name: str):
    assert ">>>" in PUBLIC[name], f"{name} has no example in its docstring"


def test_every_kind_of_public_item_is_looked_at():
    kinds = {
        "simulate",
        "perft",
        "Position",
        "Position.start",
        "Position.key",
        "Game.parse",
        "Rules.ring",
        "Setup.of",
        "runs.run",
    }
    assert kinds <= PUBLIC.keys()


def test_there_are_examples():
    assert len(EXAMPLES) > 20
    assert {"Position", "Position.start", "Position.play", "Game", "Move", "perft", "divide"} <= EXAMPLES.keys()
