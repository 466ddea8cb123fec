"""Who may know whom: crate borders, imports of every Python module, and how long a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
RUST, PYTHON, TESTS = ROOT / "rust", ROOT / "python" / "oanquan", ROOT / "tests"
EXAMPLES = ROOT / "python" / "examples"
MOST_LINES, MOST_LINES_OF_A_FUNCTION = 600, 60

# Crates without std that the core may use; none so far.
CORE_MAY_USE: set[str] = set()
CRATES = {
    "oanquan-core": CORE_MAY_USE,
    "oanquan-engine": {"oanquan-core", "crc32fast", "flate2", "memmap2"},
    "oanquan-columns": {
        "oanquan-core",
        "oanquan-engine",
        "arrow-array",
        "arrow-buffer",
        "arrow-ipc",
        "arrow-schema",
        "arrow-select",
        "parquet",
    },
    "oanquan-py": {
        "oanquan-core",
        "oanquan-engine",
        "oanquan-columns",
        "arrow-array",
        "arrow-buffer",
        "arrow-schema",
        "pyo3",
    },
    "fuzz": {"oanquan-core", "libfuzzer-sys"},
}


def manifest(crate: str) -> dict[str, Any]:
    return tomllib.loads((RUST / crate / "Cargo.toml").read_text(encoding="utf-8"))


def sources(folder: Path, suffix: str) -> list[Path]:
    """The files written by hand under a folder."""
    return sorted(file for file in folder.rglob(f"*{suffix}") if not {"target", ".venv", "__pycache__"} & {*file.parts})


# ---- crates ----------------------------------------------------------------------------------------------------------


def test_there_are_no_other_crates() -> None:
    assert sorted(file.parent.name for file in RUST.glob("*/Cargo.toml")) == sorted(CRATES)


@pytest.mark.parametrize("crate", CRATES)
def test_a_crate_uses_only_what_lies_below_it(crate: str) -> None:
    tables = manifest(crate)
    used = {*tables.get("dependencies", {}), *tables.get("build-dependencies", {})}
    assert used <= CRATES[crate], f"mend {RUST / crate / 'Cargo.toml'}"
    assert "target" not in tables, "dependencies of one platform would escape this test"


def test_unsafe_code_stands_in_named_files_and_says_why() -> None:
    """Outside of them the crates deny it."""
    files = [file for file in sources(RUST, ".rs") if "allow(unsafe_code" in file.read_text(encoding="utf-8")]
    names = {file.relative_to(RUST).as_posix() for file in files}
    assert names == {
        "oanquan-engine/src/lanes/avx2.rs",
        "oanquan-engine/src/lanes/avx512.rs",
        "oanquan-engine/src/tablebase/mapped.rs",
        "oanquan-engine/src/fetch.rs",
        "oanquan-py/src/buffer.rs",
    }
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert len(re.findall(r"// SAFETY:", text)) >= len(re.findall(r"^\s*unsafe \{|= unsafe \{", text, re.MULTILINE))


def test_the_core_is_without_std_and_unsafe_code() -> None:
    text = (RUST / "oanquan-core/src/lib.rs").read_text(encoding="utf-8")
    assert re.search(r"^#!\[no_std\]$", text, re.MULTILINE)
    assert re.search(r"^#!\[forbid\(unsafe_code\)\]$", text, re.MULTILINE)
    for file in sources(RUST / "oanquan-core/src", ".rs"):
        code = re.sub(r"//.*", "", file.read_text(encoding="utf-8")).split("#[cfg(test)]")[0]
        assert not re.search(r"\b(extern crate std|std::|println!|print!|dbg!)", code), file


def test_only_the_bindings_name_pyo3() -> None:
    for crate in CRATES.keys() - {"oanquan-py"}:
        for file in [RUST / crate / "Cargo.toml", *sources(RUST / crate, ".rs")]:
            assert "pyo3" not in file.read_text(encoding="utf-8"), file
    assert "pyo3" in manifest("oanquan-py")["dependencies"]


# ---- Python ----------------------------------------------------------------------------------------------------------

# What a module of the package may import of the package; a folder stands for all its modules.
MAY_IMPORT = {
    "adapters": {"", "_core", "adapters", "batch", "checks", "errors", "layout", "rules", "text"},
    "analysis": {"_core", "checks", "endgames", "errors"},
    "batch": {"_core", "checks", "errors", "rules"},
    "columns": {"_core", "errors"},
    "endgames": {"_core", "checks", "errors", "rules"},
    "engine": {"_core", "checks", "engine", "errors"},
    "errors": set(),
    "explaining": {"_core", "checks", "errors", "explaining", "frames", "language", "rules"},
    "files": {"errors"},
    "frames": {"_core", "checks", "rules"},
    "language": {"errors", "language"},
    "play": {"_core", "analysis", "checks", "errors", "language", "play", "records", "rules"},
    "layout": {"errors", "rules"},
    "records": {"_core", "checks", "errors", "files"},
    "rules": {"_core", "errors"},
    "matches": {"_core", "checks", "errors", "rules"},
    "svg": {"_core", "checks", "errors", "explaining", "files", "frames", "language", "layout", "rules", "svg"},
    "tournaments": {"_core", "checks", "engine", "errors", "files", "matches", "rules", "runs", "tournaments"},
    "trees": {"_core", "checks", "errors"},
    "setups": {"_core", "errors", "rules"},
    "certificates": {"errors", "reference", "rules"},
    "solving": {"_core", "certificates", "checks", "endgames", "errors", "rules"},
    "checks": {"_core", "errors", "rules"},
    "spread": {"errors"},
    "tables": {"results", "spread"},
    "results": {"_core", "columns", "errors", "spread", "tables"},
    "plots": {"errors", "results", "spread"},
    "simulation": {"_core", "checks", "errors", "results", "rules"},
    "text": {"_core", "checks", "errors", "explaining", "frames", "language", "rules"},
    "terminal": {
        "_core",
        "errors",
        "explaining",
        "files",
        "frames",
        "language",
        "play",
        "records",
        "rules",
        "terminal",
    },
    "web": {
        "_core",
        "analysis",
        "errors",
        "explaining",
        "frames",
        "language",
        "play",
        "records",
        "rules",
        "setups",
        "svg",
        "web",
    },
    "runs": {"_core", "checks", "errors", "files", "rules", "runs"},
    "notebook": {"_core", "language", "svg"},
    "reference": {"errors", "rules", "reference"},
    "cli": {
        "",
        "_core",
        "analysis",
        "errors",
        "explaining",
        "language",
        "matches",
        "play",
        "plots",
        "records",
        "results",
        "rules",
        "setups",
        "simulation",
        "spread",
        "svg",
        "terminal",
        "text",
        "runs",
        "tournaments",
        "web",
        "cli",
    },
    "__init__": {
        "_core",
        "analysis",
        "batch",
        "certificates",
        "columns",
        "endgames",
        "engine",
        "errors",
        "explaining",
        "matches",
        "play",
        "plots",
        "results",
        "rules",
        "setups",
        "simulation",
        "solving",
        "spread",
        "text",
        "trees",
        "records",
        "reference",
        "runs",
        "svg",
        "tournaments",
    },
}
# What comes from outside, and only there.
THIRD_PARTIES = {
    "adapters": {"PIL", "gymnasium", "numpy", "open_spiel", "pettingzoo", "pyspiel"},
    "batch": {"numpy"},
    "cli": {"chess", "cyclopts", "pyspiel", "rich"},
    "columns": {"duckdb", "numpy", "pandas", "polars", "pyarrow"},
    "plots": {"matplotlib"},
    "svg": {"resvg_py"},
    "terminal": {"platformdirs", "rich", "textual"},
    "tournaments": {"pyarrow"},
    "trees": {"numpy"},
    "runs": {"dask", "distributed", "ray"},
    "web": {"starlette", "uvicorn"},
}


def room_of(file: Path) -> str:
    """The module, or the folder it lies in."""
    first = file.relative_to(PYTHON).parts[0]
    return first.removesuffix(".py")


def imported(file: Path) -> set[str]:
    """Every module that a file imports, anywhere in it, by its full name."""
    names = set()
    package = ["oanquan", *file.relative_to(PYTHON).parent.parts]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *filter(None, [node.module])])
            names |= {f"{origin}.{a.name}" for a in node.names} if origin in ("oanquan", "") else {origin}
    return names


@pytest.mark.parametrize("file", sources(PYTHON, ".py"), ids=lambda file: str(file.relative_to(PYTHON)))
def test_a_module_imports_only_what_lies_below_it(file: Path) -> None:
    room = room_of(file)
    assert room in MAY_IMPORT, "a new module: say in tests/test_layering.py what it may import"
    for name in imported(file):
        top, _, rest = name.partition(".")
        if top == "oanquan":
            below = rest.partition(".")[0]
            is_module = below == "_core" or (PYTHON / below).is_dir() or (PYTHON / f"{below}.py").exists()
            assert (below if is_module else "") in MAY_IMPORT[room], f"{file} imports {name}"
        else:
            assert top in sys.stdlib_module_names | THIRD_PARTIES.get(room, set()), f"{file} imports {name}"


def test_every_room_is_there() -> None:
    assert {room_of(file) for file in sources(PYTHON, ".py")} == set(MAY_IMPORT)


def test_the_package_alone_needs_nothing_but_the_standard_library() -> None:
    code = "import sys; before = {*sys.modules}; import oanquan; print(*{*sys.modules} - before)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = {name.partition(".")[0] for name in run.stdout.split()}
    assert "oanquan" in names
    assert names <= {*sys.stdlib_module_names, "oanquan"}
    assert not any(name.startswith("oanquan.cli") for name in run.stdout.split())


def test_the_reference_does_not_touch_the_core() -> None:
    """Only the check of the rules is shared; positions, moves and counts are the reference's own."""
    for file in sources(PYTHON / "reference", ".py"):
        text = file.read_text(encoding="utf-8")
        assert "_core" not in text, file
        code = ast.parse(text)
        assert not any(
            isinstance(n, ast.Call) and ast.unparse(n.func) in ("__import__", "exec", "eval") for n in ast.walk(code)
        )


# What examples need besides, which their first lines name.
EXAMPLES_NEED = {
    "alpha_zero_general": {"numpy"},
    "gymnasium_speed": {"gymnasium", "numpy"},
    "maskable_ppo": {"gymnasium", "numpy", "sb3_contrib", "stable_baselines3", "torch"},
    "openspiel_speed": {"open_spiel", "pyspiel"},
    "pettingzoo_rllib": {"numpy", "ray"},
    "pettingzoo_speed": {"gymnasium", "numpy", "pettingzoo"},
    "pettingzoo_torchrl": {"tensordict", "torch", "torchrl"},
}


def test_examples_use_what_every_user_has() -> None:
    """The package's public names, the standard library and each other; and adapters with what they adapt to."""
    files = sources(EXAMPLES, ".py")
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                own = name == "oanquan" or name in {other.stem for other in files}
                needed = EXAMPLES_NEED.get(file.stem, set())
                own |= name.partition(".")[0] in needed or (bool(needed) and name.startswith("oanquan.adapters."))
                assert own or name.partition(".")[0] in sys.stdlib_module_names, f"{file} imports {name}"


def test_pytorch_comes_with_the_extra_of_its_example_only() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    bring = ("sb3-contrib", "tensordict", "torch")
    with_it = {name for name, needs in extras.items() if any(need.startswith(bring) for need in needs)}
    assert with_it == {"maskable-ppo"}
    assert not any(need.startswith(bring) for need in project["dependencies"])


# ---- sizes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [RUST, PYTHON, EXAMPLES, TESTS], ids=lambda folder: folder.name)
def test_files_are_short(folder: Path) -> None:
    files = [*sources(folder, ".py"), *sources(folder, ".rs")]
    assert len(files) > 3
    long = {str(file): n for file in files if (n := len(file.read_text(encoding="utf-8").splitlines())) > MOST_LINES}
    assert not long


@pytest.mark.parametrize("folder", [PYTHON, EXAMPLES, TESTS], ids=lambda folder: folder.name)
def test_functions_are_short(folder: Path) -> None:
    long = {}
    for file in sources(folder, ".py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                documented = isinstance(node.body[0], ast.Expr) and ast.get_docstring(node) is not None
                first = (node.body[0].end_lineno or 0) + 1 if documented else node.lineno
                lines = (node.end_lineno or 0) - first + 1
                if lines > MOST_LINES_OF_A_FUNCTION:
                    long[f"{file}: {node.name}"] = lines
    assert not long
