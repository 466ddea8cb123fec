# `make test` sets up everything it needs in .venv and runs every check; `make help` lists the rest.
# Needs: cargo (with rustfmt and clippy) and a Python of 3.11 or newer with venv. Overridable: PYTHON, JOBS, PYTEST_ARGS.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.NOTPARALLEL:
.DELETE_ON_ERROR:
MAKEFLAGS   += --no-builtin-rules
.DEFAULT_GOAL := help

PYTHON      ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
                 $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
JOBS        ?= 2
PYTEST_ARGS ?= -n $(JOBS) --dist worksteal

VENV := .venv
BIN  := $(VENV)/bin
PY   := $(BIN)/python
# A second environment: PyTorch and what is built on it, with the oldest Gymnasium that is supported.
LEARNERS := .venv-learners
# The tools of this environment and no other; a wheel built here is tested here.
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PATH := $(CURDIR)/$(BIN):$(PATH)
unexport PYTHONPATH PYTHONHOME
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

# The checks, cheapest first; pytest is the last, so that its summary ends the output.
CHECKS := fmt ruff clippy cargo-test doc fuzz-replay wheel install stub mypy stubtest learners pytest

.PHONY: help test venv $(CHECKS) fix stub-update slow bench cargo-bench fuzz sdist clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

test: $(CHECKS)  ## every check below, as continuous integration runs them

# ---- environment ---------------------------------------------------------------------------------------------------

venv: $(VENV)/.tools  ## the virtual environment with the tools

$(VENV)/.tools: pyproject.toml
	@if [ -z "$(PYTHON)" ]; then echo "no Python of 3.11 or newer found; name one with PYTHON=..." >&2; exit 1; fi
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --upgrade 'pip>=25.1'
	$(PY) -m pip install --quiet --upgrade --group dev
	touch $@

# ---- Rust ----------------------------------------------------------------------------------------------------------

fmt:  ## rustfmt
	cargo fmt --all --check
	cargo fmt --all --check --manifest-path rust/fuzz/Cargo.toml

clippy: $(VENV)/.tools  ## clippy, warnings denied
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy --manifest-path rust/fuzz/Cargo.toml --all-targets -- -D warnings

# The bindings have no Rust tests: they are tested from Python, as an extension module.
cargo-test:  ## unit, integration and documentation tests of the crates
	cargo test --workspace --exclude oanquan-py

doc: $(VENV)/.tools  ## rustdoc, warnings denied
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

fuzz-replay:  ## the committed fuzz corpus, replayed on the stable toolchain
	cargo test --manifest-path rust/fuzz/Cargo.toml

# ---- Python --------------------------------------------------------------------------------------------------------

ruff: $(VENV)/.tools  ## ruff: lint and format
	$(PY) -m ruff check
	$(PY) -m ruff format --check

wheel: $(VENV)/.tools  ## dist/oanquan-*.whl
	rm -f dist/*.whl
	$(PY) -m maturin build --out dist --interpreter $(PY)

# Tested is what users install: the wheel, never the source tree.
install: wheel  ## that wheel, with what it needs, into .venv
	$(PY) -m pip install --quiet dist/*.whl
	$(PY) -m pip install --quiet --force-reinstall --no-deps dist/*.whl
	$(PY) -c 'import oanquan, sysconfig, pathlib, sys; \
	  sys.exit(0 if pathlib.Path(oanquan.__file__).is_relative_to(sysconfig.get_path("platlib")) else oanquan.__file__)'

stub: $(VENV)/.tools  ## the committed stub equals the one generated from the binary
	rm -rf target/stubs
	$(PY) -m maturin generate-stubs --out target/stubs --interpreter $(PY)
	diff -u python/oanquan/_core.pyi target/stubs/oanquan/_core.pyi || { \
	  echo "python/oanquan/_core.pyi is out of date: run 'make stub-update'" >&2; exit 1; }

stub-update: $(VENV)/.tools  ## write the generated stub
	rm -rf target/stubs
	$(PY) -m maturin generate-stubs --out target/stubs --interpreter $(PY)
	cp target/stubs/oanquan/_core.pyi python/oanquan/_core.pyi

mypy: install  ## mypy --strict on python/
	$(PY) -m mypy

stubtest: install  ## the stub against the installed extension module
	$(PY) -m mypy.stubtest oanquan._core

pytest: install  ## pytest on the installed wheel, doctests and README included
	$(PY) -m pytest $(PYTEST_ARGS)

$(LEARNERS)/.tools: pyproject.toml
	@test -x $(LEARNERS)/bin/python || $(PYTHON) -m venv $(LEARNERS)
	$(LEARNERS)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(LEARNERS)/bin/python -m pip install --quiet --group learners
	touch $@

# What other tools need is not to be had beside their newest versions.
learners: wheel $(LEARNERS)/.tools  ## the adapters with the oldest Gymnasium, and the examples of python/examples/learners
	$(LEARNERS)/bin/python -m pip install --quiet --force-reinstall --no-deps dist/*.whl
	$(LEARNERS)/bin/python -m pip install --quiet dist/*.whl
	OANQUAN_PROFILE=learners $(LEARNERS)/bin/python -m pytest $(PYTEST_ARGS) \
	  tests/test_learners*.py tests/test_adapter_gymnasium*.py tests/test_adapter_pettingzoo.py tests/test_batch.py

fix: $(VENV)/.tools  ## format and mend what the tools can
	cargo fmt --all
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

# ---- longer --------------------------------------------------------------------------------------------------------

slow: install  ## the long differential runs: core against reference, and every path of the lanes against the core
	cargo test --release -p oanquan-engine --test lanes -- --ignored
	OANQUAN_PROFILE=slow $(PY) -m pytest $(PYTEST_ARGS) --timeout 0

bench: install  ## moves per second from Rust and from Python, against a calibration loop
	$(BIN)/oanquan bench

cargo-bench:  ## the crates' benchmarks
	cargo bench --workspace --exclude oanquan-py

# What is found goes to the first corpus folder; the committed one is only read. No sanitizer: there is no unsafe code.
FUZZ_SECONDS ?= 600
fuzz:  ## every fuzz target for FUZZ_SECONDS seconds (needs cargo-fuzz)
	cd rust/fuzz
	for target in $$(cargo fuzz list --fuzz-dir .); do
	  mkdir -p target/corpus/$$target
	  RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir . --features fuzzing --sanitizer none $$target \
	    target/corpus/$$target corpus/$$target -- -max_total_time=$(FUZZ_SECONDS)
	done

sdist: $(VENV)/.tools  ## dist/oanquan-*.tar.gz
	rm -f dist/*.tar.gz
	$(PY) -m maturin sdist --out dist

clean:  ## everything that was built
	rm -rf target rust/fuzz/target dist $(VENV) $(LEARNERS)
