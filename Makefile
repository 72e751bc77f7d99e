# Every target makes .venv first if it is missing or older than pyproject.toml or constraints.txt; all but demo,
# strategies and play also install what the tests need.
#   make demo                          a ladder, two minutes of training, the ladder with the newborn agent: both games
#   make demo MINUTES=10 GAMES=500     the same, longer
#   make strategies                    play strategies against each other: both games, every number of players
#   make test                          all tests
#   make test PYTEST_ARGS="-m 'not slow'"
#   make long                          the tests that guard no rule and take very long
#   make docs                          write the generated pages of docs/ anew
#   make leaderboard                   play what is missing of the ladders in docs/leaderboard, and write their page
#   make leaderboard GAMES=100 WORKERS=4
#   make PYTHON=python3.12 VENV=.venv312 test
#   make differential                  the rules against the naive reference, at length (an hour on two cores)
#   make differential DIFFERENTIAL_GAMES=100
#   make bounds                        rules, invariants and differential games with checks of array bounds
#   make fuzz                          spoilt snapshots, records, card files and rule sets
#   make mutants                       do the tests notice when a rule is broken?
#   make play GAME=robots              play against the expert
#   make report                        the reports on both games, into docs/ (a few minutes)
#   make notebooks                     execute the notebooks and write their outputs anew (a few minutes)

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TRAINING := $(VENV)/.installed-for-training
FULL := $(VENV)/.installed-for-tests
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

GAME ?= lastdroid
GAMES ?= 500
MINUTES ?= 2
WORKERS ?= 1
SEED ?= 0
PYTEST_ARGS ?=
DIFFERENTIAL_GAMES ?= 2000
MUTATIONS ?= 100000

PYTEST = $(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal $(PYTEST_ARGS)
# Kept in one place, since .ci/run must run exactly what `make test` runs. Compiled beforehand, a game by each process,
# no two test processes have to compile the same.
TEST = $(BIN)/python -m agents compile && $(PYTEST)
TOURNAMENT = $(BIN)/python -m agents tournament --games $(GAMES) --seed $(SEED)
LADDER = $(BIN)/python -m agents ladder --workers $(WORKERS)

.PHONY: help setup demo strategies test long bounds print-test differential fuzz mutants lint format docs bench balance \
	branching leaderboard play report notebooks clean

help:
	@echo "make demo | strategies | test | long | bounds | differential | fuzz | mutants | lint | format | docs | bench |" \
	    "balance | branching | leaderboard | play | report | notebooks | clean"

setup: $(FULL)

$(STAMP): pyproject.toml constraints.txt
	@echo "Setting up $(VENV); this takes a minute or two."
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 10) else "Python 3.10 or later is needed: make PYTHON=python3.x")'
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) -e '.[agents]'
	@touch $@

$(TRAINING): $(STAMP)
	@echo "Installing what trains agents, PyTorch among it; this takes a few minutes."
	@$(INSTALL) -e '.[agents,train]'
	@touch $@

$(FULL): $(STAMP)
	@echo "Installing what the tests need, PyTorch and other libraries among it; this takes a few minutes."
	@$(INSTALL) -e '.[dev,agents,bench,train,ray,openspiel,torchrl,tianshou,supersuit]'
	@touch $@

demo: GAMES = 200
demo: $(TRAINING)
	@rm -rf runs/demo; mkdir -p runs/demo
	@set -e; learn() { \
	    file=runs/demo/$$1.jsonl; run=runs/demo/$$1; \
	    echo "== $$1: the ladder =="; \
	    $(LADDER) $$1 --players 2 --agents $$2 --games $(GAMES) --seed $(SEED) --results $$file; \
	    echo "== $$1: $(MINUTES) minutes of training =="; \
	    $(BIN)/python -m agents train $$1 --players 2 --minutes $(MINUTES) --seed $(SEED) --out $$run; \
	    $(BIN)/python -m agents export $$run $$run/newborn.npz; \
	    echo "== $$1: the ladder with the newborn agent =="; \
	    $(LADDER) $$1 --results $$file --join $$run/newborn.npz --games $(GAMES) --plot runs/demo/$$1.png; \
	    echo "Its learning curve: $$run/curve.png. The ladder: runs/demo/$$1.png."; \
	}; \
	learn lastdroid expert,greedy,auto,random; \
	learn robots expert,greedy,random

strategies: $(STAMP)
	@set -e; for players in 2 3 4 1; do \
	    echo "== Last Droid, players: $$players =="; \
	    $(TOURNAMENT) lastdroid --players $$players --agents expert,greedy,auto,random; \
	done; \
	for players in 2 3 4 5; do \
	    echo "== Robots!, players: $$players =="; \
	    $(TOURNAMENT) robots --players $$players --agents expert,greedy,random; \
	done

test: $(FULL)
	@$(TEST)

long: $(FULL)
	@$(PYTEST) --long

# Compiled code does not notice a read out of range otherwise. Of two processes each compiles one game to begin with.
BOUNDED = tests/lastdroid/rules tests/lastdroid/test_differential.py tests/games/test_invariants.py \
	tests/games/test_adversaries.py tests/robots/rules tests/robots/test_differential.py
bounds: $(FULL)
	@NUMBA_BOUNDSCHECK=1 $(PYTEST) $(BOUNDED)

print-test:
	@printf '%s\n' "$(TEST)"

differential: $(FULL)
	DIFFERENTIAL_GAMES=$(DIFFERENTIAL_GAMES) $(PYTEST) tests/lastdroid/test_differential.py tests/robots/test_differential.py

fuzz: $(FULL)
	$(BIN)/python -m tests.fuzz --mutations $(MUTATIONS)

mutants: $(FULL)
	$(BIN)/python -m tests.mutants.run

lint: $(FULL)
	@status=0; for check in "ruff check ." "ruff format --check ." mypy; do \
	    echo "$$check"; $(BIN)/$$check || status=1; \
	done; exit $$status

format: $(FULL)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(FULL)
	$(BIN)/python docs/build.py

bench: $(FULL)
	$(BIN)/python -m benchmarks.throughput

balance: $(FULL)
	$(BIN)/python benchmarks/balance.py

branching: $(FULL)
	$(BIN)/python benchmarks/branching.py --write
	$(BIN)/python docs/build.py

# The agents of new ladders; a file that is there goes on with its own.
RATED_lastdroid = planner,denial,rusher,greedy,economy,auto,random
RATED_robots = balanced,holder,collector,racer,greedy,novice,random
leaderboard: GAMES = 1000
leaderboard: $(FULL)
	@set -e; mkdir -p docs/leaderboard; \
	ladder() { \
	    echo "== $$1, players: $$2 =="; file=docs/leaderboard/$$1-$$2.jsonl; \
	    if [ -e $$file ] || [ -e $$file.gz ]; then $(LADDER) $$1 --results $$file; \
	    else $(LADDER) $$1 --players $$2 --agents $$3 --games $$4 --results $$file; fi; \
	}; \
	for players in 1 2; do ladder lastdroid $$players ppo,$(RATED_lastdroid) $(GAMES); done; \
	for players in 3 4; do ladder lastdroid $$players $(RATED_lastdroid) $(GAMES); done; \
	ladder robots 2 ppo,$(RATED_robots) $(GAMES); \
	for players in 3 4 5; do ladder robots $$players $(RATED_robots) $$((3 * $(GAMES))); done; \
	join() { \
	    file=docs/leaderboard/$$1-2.jsonl; \
	    zcat -f $$file* | grep -q "\"$$2\"" || $(LADDER) $$1 --results $$file --join $$2 --games $$3; \
	}; \
	join lastdroid search-100 200; join robots search-300 40
	$(BIN)/python -m agents leaderboard

play: $(STAMP)
	@$(BIN)/python -m agents play $(GAME)

report: $(FULL)
	$(BIN)/python -m agents report --write --seed $(SEED)

notebooks: $(FULL)
	$(BIN)/python notebooks/run.py

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find agents benchmarks docs lastdroid_env notebooks robots_env tabletop tests -name __pycache__ -type d -prune -exec rm -rf {} +
