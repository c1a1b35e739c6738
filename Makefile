# make deck   sets everything up and builds the classic deck into output/classic/
# make test   sets everything up and runs linters, type checks and tests
# make bench  prints the benchmark tables
# make fuzz   more than 100,000 random themes, drawings, pictures and fonts: some fifteen minutes on two cores

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: deck test bench fuzz picture clean
.DEFAULT_GOAL := deck

deck: $(READY)
	@$(BIN)/dobble-print build themes/classic.yaml

test: $(READY_DEV)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/pytest -n auto

bench: $(READY_DEV)
	@$(BIN)/python benchmarks/build.py
	@$(BIN)/python benchmarks/layout.py
	@$(BIN)/python benchmarks/booklet.py
	@$(BIN)/python benchmarks/batch.py
	@$(BIN)/python benchmarks/verify.py

fuzz: $(READY_DEV)
	@HYPOTHESIS_PROFILE=fuzz FUZZ_INPUTS=40000 FUZZ_SECONDS=450 $(BIN)/pytest -n auto tests/test_fuzz.py

# the picture at the top of the README: the first cards of the classic deck's preview
picture: deck
	@$(BIN)/python -c "from PIL import Image; Image.open('output/classic/preview.png').crop((0, 0, 853, 218)).save('themes/classic.png')"

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "dobble-print needs Python 3.11 or newer: install it, or run: make PYTHON=python3.12 deck" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo "Python's venv is missing. Install it with: sudo apt install python3-venv" >&2; exit 1; }
	@echo "Setting up (once) …" >&2
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

# What the tests measure PDFs with. Where they cannot be installed, those tests say so and are skipped (never in CI).
define WANT_TOOLS
	@if ! command -v gs >/dev/null || ! command -v qpdf >/dev/null || ! command -v pdftotext >/dev/null; then \
	  if [ "$$(id -u)" = 0 ]; then AS=""; elif sudo -n true 2>/dev/null; then AS="sudo -n"; else AS=no; fi; \
	  if [ "$$AS" != no ] && command -v apt-get >/dev/null; then $$AS apt-get update -qq && $$AS apt-get install -y -qq ghostscript qpdf poppler-utils; \
	  elif [ "$$AS" != no ] && command -v dnf >/dev/null; then $$AS dnf install -y -q ghostscript qpdf poppler-utils; \
	  elif command -v brew >/dev/null; then brew install --quiet ghostscript qpdf poppler; fi >/dev/null 2>&1; \
	  command -v gs >/dev/null && command -v qpdf >/dev/null && command -v pdftotext >/dev/null \
	    || echo "Some tests will be skipped. Install their tools with: sudo apt install ghostscript qpdf poppler-utils" >&2; fi
endef

$(READY): pyproject.toml | $(VENV)/bin/python
	@$(PIP) --editable .
	$(NEED_CAIRO)
	@touch $@

$(READY_DEV): pyproject.toml | $(VENV)/bin/python
	@$(PIP) --editable ".[dev]"
	$(NEED_CAIRO)
	$(WANT_TOOLS)
	@touch $(READY) $@
