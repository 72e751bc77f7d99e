# Every target makes .venv first if it is missing or older than pyproject.toml or constraints.txt.
#   make demo                          play strategies against each other: both games, every number of players
#   make demo GAMES=50                 the same, shorter
#   make test                          all tests
#   make test PYTEST_ARGS="-m 'not slow'"
#   make docs                          write the generated pages of docs/ anew
#   make PYTHON=python3.12 VENV=.venv312 test
#   make differential                  the rules against the naive reference, at length (an hour on two cores)
#   make differential DIFFERENTIAL_GAMES=100
#   make bounds                        rules, invariants and differential games with checks of array bounds
#   make fuzz                          spoilt snapshots, records, card files and rule sets
#   make mutants                       do the tests notice when a rule is broken?

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

GAMES ?= 500
SEED ?= 0
PYTEST_ARGS ?=
DIFFERENTIAL_GAMES ?= 2000
MUTATIONS ?= 100000

# Kept in one place, since .ci/run must run exactly what `make test` runs.
TEST = $(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal $(PYTEST_ARGS)
TOURNAMENT = $(BIN)/python -m agents tournament --games $(GAMES) --seed $(SEED)

.PHONY: help setup demo test bounds print-test differential fuzz mutants lint format docs bench balance branching clean

help:
	@echo "make demo | test | bounds | differential | fuzz | mutants | lint | format | docs | bench | balance | branching | clean"

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@echo "Setting up $(VENV); this takes a minute or two."
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 10) else "Python 3.10 or later is needed: make PYTHON=python3.x")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,agents,bench]'
	@touch $@

demo: $(STAMP)
	@set -e; for players in 2 3 4 1; do \
	    echo "== Last Droid, players: $$players =="; \
	    $(TOURNAMENT) lastdroid --players $$players; \
	done; \
	for players in 2 3 4 5; do \
	    echo "== Robots!, players: $$players =="; \
	    $(TOURNAMENT) robots --players $$players --agents random,greedy,expert; \
	done

test: $(STAMP)
	@$(TEST)

# Compiled code does not notice a read out of range otherwise.
BOUNDED = tests/lastdroid/rules tests/robots/rules tests/games/test_invariants.py tests/games/test_adversaries.py \
	tests/lastdroid/test_differential.py tests/robots/test_differential.py
bounds: $(STAMP)
	@NUMBA_BOUNDSCHECK=1 $(TEST) $(BOUNDED)

print-test:
	@printf '%s\n' "$(TEST)"

differential: $(STAMP)
	DIFFERENTIAL_GAMES=$(DIFFERENTIAL_GAMES) $(TEST) tests/lastdroid/test_differential.py tests/robots/test_differential.py

fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz --mutations $(MUTATIONS)

mutants: $(STAMP)
	$(BIN)/python -m tests.mutants.run

lint: $(STAMP)
	@status=0; for check in "ruff check ." "ruff format --check ." mypy; do \
	    echo "$$check"; $(BIN)/$$check || status=1; \
	done; exit $$status

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(STAMP)
	$(BIN)/python docs/build.py

bench: $(STAMP)
	$(BIN)/python benchmarks/speed.py

balance: $(STAMP)
	$(BIN)/python benchmarks/balance.py

branching: $(STAMP)
	$(BIN)/python benchmarks/branching.py --write
	$(BIN)/python docs/build.py

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find agents benchmarks docs lastdroid_env robots_env tabletop tests -name __pycache__ -type d -prune -exec rm -rf {} +
