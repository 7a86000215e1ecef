# All that is needed for the two main uses:  make match   make test
# Each target makes what it needs, once, in a virtual environment of this folder.

VENV ?= .venv
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

BIN := $(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
# An environment knows its place by absolute paths: in a moved or copied folder it is made anew.
PLACE := $(VENV)/.made-$(shell pwd | cksum | cut -d' ' -f1)
TREE := engine search protocol gui_adapter bench drakkar.py setup.py pyproject.toml \
	MANIFEST.in LICENSE README.md tests

GAMES ?= 20
NODES ?= 200
JOBS ?= 2

.PHONY: help build install match test slow-test check lint types format golden bench figures \
	debug-test sanitize wheel-test clean
.DELETE_ON_ERROR:

help:
	@echo 'make match       install, build, and play vanilla against random (GAMES, NODES, JOBS)'
	@echo 'make test        install, build, and run the tests but for the slow ones'
	@echo 'make slow-test   the slow ones: some six minutes'
	@echo 'make build       compile what is stale'
	@echo 'make check       lint, types and tests'
	@echo 'make format      format the Python files'
	@echo 'make golden      write the golden texts anew; git diff is the review'
	@echo 'make bench       time the parts with pytest-benchmark'
	@echo 'make figures     measure the acceptance figures (hours; goes on where it stopped)'
	@echo 'make debug-test  conformance in a build with bounds checks and C asserts'
	@echo 'make sanitize    conformance under the address and undefined-behaviour sanitizers'
	@echo 'make wheel-test  source archive -> wheel -> fresh environment -> tried elsewhere'
	@echo 'make clean       remove the environment and everything built'

# ---- environment and build ----

$(PLACE):
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or later is needed: make PYTHON=/path/to/python3'; exit 1; }
	@command -v $${CC:-cc} >/dev/null || { echo 'a C compiler is needed (cc, or set CC)'; exit 1; }
	@test '$(VENV)' = .venv || test ! -e $(VENV) || ls $(VENV)/.made-* >/dev/null 2>&1 || { \
	echo '$(VENV) is not an environment of this Makefile: name another VENV, or remove it yourself'; exit 1; }
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	@$(PY) -c 'import os, sys, sysconfig; p = sysconfig.get_path("include"); \
	os.path.exists(os.path.join(p, "Python.h")) or sys.exit("Python.h is needed in " + p + " (python3-dev)")'
	$(PIP) 'setuptools>=77' 'cython>=3.1'
	touch $@

# A hint of Cython means code that takes the interpreter lock where it must not: no build.
build: $(PLACE)
	@$(PY) tests/stale.py >/dev/null || { mkdir -p build; echo 'building (log: build/build.log)'; \
	$(PY) setup.py build_ext --inplace >build/build.log 2>&1 || { cat build/build.log; exit 1; }; \
	! grep -E 'performance hint|^warning: [a-z_/]+\.p(yx|xd):' build/build.log; }

$(PLACE)-installed: pyproject.toml | build
	$(PIP) --no-build-isolation --editable .
	touch $@

$(PLACE)-test: pyproject.toml | $(PLACE)-installed
	$(PIP) --no-build-isolation --editable '.[test]'
	touch $@

$(PLACE)-slow: pyproject.toml | $(PLACE)-test
	$(PIP) --no-build-isolation --editable '.[cluster]'
	touch $@

$(PLACE)-dev: pyproject.toml | $(PLACE)-installed
	$(PIP) --no-build-isolation --editable '.[dev]'
	touch $@

install: build $(PLACE)-installed

# ---- the two commands ----

match: install
	$(BIN)/drakkar match vanilla random --games $(GAMES) --nodes $(NODES) --concurrency $(JOBS)

# JOBS processes share the tests; then those that measure times run alone. Hundreds of processes
# are started: what they import is compiled once, even if the shell forbids to keep it.
TEST := PYTHONDONTWRITEBYTECODE= $(PY) -m pytest

test: install $(PLACE)-test
	$(TEST) -n $(JOBS) --dist worksteal -m 'not slow and not serial'
	$(TEST) -m 'serial and not slow' $$(grep -rl --include='test_*.py' 'mark\.serial' tests)

slow-test: install $(PLACE)-slow
	$(TEST) -m slow

# ---- quality ----

check: lint types test slow-test

lint: install $(PLACE)-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint engine search protocol gui_adapter bench

types: install $(PLACE)-dev
	$(BIN)/mypy

format: install $(PLACE)-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: install $(PLACE)-test
	$(PY) -m engine.playthrough update
	$(PY) tests/test_transcripts.py
	$(PY) tests/test_golden_trees.py

bench: install $(PLACE)-test
	$(PY) -m pytest bench/bench_parts.py -o python_files='bench_*.py' --benchmark-enable

figures: install
	$(PY) -m bench.figures

# ---- other builds, each in a copy of the sources ----

DEBUG_EVENTS ?= 1000
SANITIZE_EVENTS ?= 1000
SANITIZE_GAMES ?= 2000
BUILD_COPY := ../../$(PY) setup.py build_ext --inplace >build.log 2>&1 || { cat build.log; exit 1; }

build/debug build/sanitize: FORCE
	rm -rf $@
	mkdir -p $@
	tar -c --exclude='*.so' --exclude=__pycache__ $(wildcard $(TREE)) | tar -x -C $@

FORCE:

debug-test: $(PLACE)-installed build/debug
	cd build/debug && export ENGINE_DEBUG=1 && $(BUILD_COPY) && \
	../../$(PY) -m engine.conformance --events $(DEBUG_EVENTS)

sanitize: $(PLACE)-installed build/sanitize
	cd build/sanitize && export ENGINE_SANITIZE=1 && $(BUILD_COPY) && \
	export LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so)" && \
	export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 && \
	../../$(PY) -m engine.conformance --events $(SANITIZE_EVENTS) && \
	../../$(PY) -m engine.conformance --check invariants --no-variants \
	--trials $(SANITIZE_GAMES) --events 1000000000

wheel-test: $(PLACE)
	.ci/wheel-test $(PY)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find engine search protocol gui_adapter bench -name '*.so' -delete
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
