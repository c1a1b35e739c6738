# make deck     sets everything up and builds the classic deck into output/classic/
# make studio   opens the studio: a page in the browser where decks are made
# make test     sets everything up and runs linters, type checks and tests
# make lint     the linters and type checks alone
# make bench    prints the benchmark tables
# make fuzz     more than 200,000 random files of every kind that is read: some five minutes on two cores
# make docs     builds the site of docs/ into build/site/, to be read without the web
# make pictures makes the pictures of docs/ anew, from the program's own output
#
# Everything is installed in the versions of requirements.lock.
# make update   brings the lock up to date
# make newest   runs the tests with the newest release of everything
# make lowest   runs the tests with the oldest releases that pyproject.toml allows
# make pythons  runs the tests on every Python from 3.11 on that this machine has

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_UV := $(VENV)/.ready-uv
LOCK := requirements.lock
# The environment that a package is built in obeys the first up to pip 25.2 and the second from then on.
LOCKED := PIP_CONSTRAINT=$(LOCK) PIP_BUILD_CONSTRAINT=$(LOCK)
PIP := $(LOCKED) $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV := $(BIN)/uv
OTHERS := build/venvs

.PHONY: deck studio test lint bench fuzz docs pictures update newest lowest pythons one-python clean
.DEFAULT_GOAL := deck

deck: $(READY)
	@$(BIN)/dobble-print build themes/classic.yaml

studio: $(READY)
	@$(BIN)/dobble-print studio

test: lint
	@$(BIN)/pytest -n auto

lint: $(READY_DEV)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(READY_DEV)
	@$(BIN)/python benchmarks/build.py
	@$(BIN)/python benchmarks/layout.py
	@$(BIN)/python benchmarks/preview.py
	@$(BIN)/python benchmarks/booklet.py
	@$(BIN)/python benchmarks/batch.py
	@$(BIN)/python benchmarks/verify.py
	@$(BIN)/python benchmarks/studio.py

fuzz: $(READY_DEV)
	@HYPOTHESIS_PROFILE=fuzz FUZZ_INPUTS=28000 FUZZ_SECONDS=900 $(BIN)/pytest -n auto tests/test_fuzz.py

docs: $(READY_DEV)
	@$(BIN)/python -m tools.docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
	@echo build/site/index.html

pictures: $(READY_DEV)
	@$(BIN)/python -m tools.pictures
	@$(BIN)/python -m tools.gallery

update: $(READY_UV)
	@$(UV) pip compile --quiet --universal --upgrade --python-version 3.11 --all-extras --group build \
	  --custom-compile-command 'make update' --annotation-style line --output-file $(LOCK) pyproject.toml

# The tests in an environment of their own: its name, its Python, and how to choose releases
define TEST_IN
	@$(UV) venv --quiet --clear --seed --python $(2) $(OTHERS)/$(1)
	@$(UV) pip install --quiet --python $(OTHERS)/$(1)/bin/python $(3) --editable ".[dev]"
	@$(OTHERS)/$(1)/bin/pytest -n auto
endef

newest: $(READY_UV)
	$(call TEST_IN,newest,$(BIN)/python,--upgrade)

lowest: $(READY_UV)
	$(call TEST_IN,lowest,$(BIN)/python,--resolution lowest-direct)

pythons: $(READY_UV)
	@for version in 3.11 3.12 3.13 3.14; do \
	  for python in python$$version "$$HOME"/.pyenv/versions/$$version.*/bin/python; do \
	    "$$python" -c '' 2>/dev/null || continue; \
	    $(MAKE) --no-print-directory one-python VERSION=$$version PYTHON="$$python" || exit 1; break; done; done

one-python: $(READY_UV)
	@echo "Python $(VERSION) …" >&2
	$(call TEST_IN,python$(VERSION),"$(PYTHON)",--constraint $(LOCK) --build-constraint $(LOCK))

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "dobble-print needs Python 3.11 or newer: install it, or run: make PYTHON=python3.12 deck" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo "Python's venv is missing. Install it with: sudo apt install python3-venv" >&2; exit 1; }
	@echo "Setting up, once: this takes one to five minutes …" >&2
	@$(PYTHON) -m venv $(VENV)

# CairoSVG draws through the system's libcairo, which pip cannot bring.
define NEED_CAIRO
	@$(BIN)/python -c 'import cairocffi' 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then AS=""; elif sudo -n true 2>/dev/null; then AS="sudo -n"; else AS=no; fi; \
	  if [ "$$AS" != no ] && command -v apt-get >/dev/null; then $$AS apt-get update -qq && $$AS apt-get install -y -qq libcairo2; \
	  elif [ "$$AS" != no ] && command -v dnf >/dev/null; then $$AS dnf install -y -q cairo; \
	  elif [ "$$AS" != no ] && command -v pacman >/dev/null; then $$AS pacman -S --noconfirm --quiet cairo; \
	  elif command -v brew >/dev/null; then brew install --quiet cairo; fi >/dev/null 2>&1; \
	  $(BIN)/python -c 'import cairocffi' 2>/dev/null || { \
	    echo "The cairo library is missing. Install it with: sudo apt install libcairo2 (Fedora: sudo dnf install cairo; macOS: brew install cairo)" >&2; exit 1; }; }
endef

# What the tests measure PDFs with, and the browser in which they use the studio. Where they cannot be installed, those
# tests say so and are skipped (never in CI).
define WANT_TOOLS
	@if ! command -v gs >/dev/null || ! command -v qpdf >/dev/null || ! command -v pdftotext >/dev/null || ! command -v chromium >/dev/null; then \
	  if [ "$$(id -u)" = 0 ]; then AS=""; elif sudo -n true 2>/dev/null; then AS="sudo -n"; else AS=no; fi; \
	  if [ "$$AS" != no ] && command -v apt-get >/dev/null; then $$AS apt-get update -qq && $$AS apt-get install -y -qq ghostscript qpdf poppler-utils chromium; \
	  elif [ "$$AS" != no ] && command -v dnf >/dev/null; then $$AS dnf install -y -q ghostscript qpdf poppler-utils chromium; \
	  elif command -v brew >/dev/null; then brew install --quiet ghostscript qpdf poppler && brew install --quiet --cask chromium; fi >/dev/null 2>&1; \
	  command -v gs >/dev/null && command -v qpdf >/dev/null && command -v pdftotext >/dev/null && command -v chromium >/dev/null \
	    || echo "Some tests will be skipped. Install their tools with: sudo apt install ghostscript qpdf poppler-utils chromium" >&2; fi
endef

$(READY): pyproject.toml $(LOCK) | $(VENV)/bin/python
	@$(PIP) --editable .
	$(NEED_CAIRO)
	@touch $@

$(READY_DEV): pyproject.toml $(LOCK) | $(VENV)/bin/python
	@$(PIP) --editable ".[dev]"
	$(NEED_CAIRO)
	$(WANT_TOOLS)
	@touch $(READY) $@

$(READY_UV): $(LOCK) | $(VENV)/bin/python
	@$(PIP) uv
	@touch $@
