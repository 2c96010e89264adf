# Needs Python 3.11 with venv, and make; everything else is installed into .venv.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: lock try-install help demo test bench faults load lint fmt screenshots python install install-dev

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r n t; do printf '%-14s%s\n' "$$n" "$$t"; done

demo: install ## Start a demo project on http://127.0.0.1:8000 (PORT=8001 for another port)
	@# Compiled code is kept, also where the machine says not to: later starts take a third.
	@PYTHONDONTWRITEBYTECODE= exec $(BIN)/python scripts/demo.py --port $(PORT)

test: python ## Check and test everything, on SQLite and on PostgreSQL, in Chromium and Firefox
	@PYTHON=$(PYTHON) exec bash scripts/test.sh

bench: install-dev ## Measure speed and size and print the table (ARGS=--help for parts of it)
	@exec $(BIN)/python -m tests.benchmarks $(ARGS)

faults: install-dev ## Kill, stop and starve the site while people save, and count what was lost (a few minutes)
	@FAULTS=long exec $(BIN)/python -m pytest -q -rs -m faults tests/faults $(ARGS)

load: install-dev ## Put up to 300 annotators to work and print the figures (ARGS="--only 300 --write"; 15 minutes)
	@exec $(BIN)/python -m tests.load $(ARGS)

lint: install-dev ## Check style and types
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy .

fmt: install-dev ## Put the code in order
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

screenshots: install-dev ## Take the README's pictures from the demo's pages
	@exec $(BIN)/python scripts/screenshots.py

try-install: ## Follow the installation guide word for word in a fresh Debian (root, debootstrap)
	@exec $(PYTHON) scripts/try_install.py

lock: install ## Lock the dependencies anew with hashes (ARGS=--upgrade for newer ones)
	@exec bash scripts/lock.sh $(ARGS)

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Sheepfold needs Python 3.11 or newer; name one, as in: make demo PYTHON=python3.11")'

install: python
	@$(PYTHON) scripts/install.py requirements.txt

install-dev: python
	@$(PYTHON) scripts/install.py requirements-dev.txt
