"""``python -m agents compile``: nothing is left to be compiled later."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from agents import Agent, agents_for, compiling
from agents.__main__ import app
from tabletop.jit import COMPILED

from .entrants import ARENAS, each_arena

LOOPS_OF_BENCHMARKS = {"start_batch", "random_steps"}

PROGRAM = """
import dataclasses, sys
from agents.arena import find_arena
from agents.compiling import compile_game

compile_game(sys.argv[1])
loops = find_arena(sys.argv[1]).make(2).loops
print(*(field.name for field in dataclasses.fields(loops) if not getattr(loops, field.name).signatures))
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@each_arena
def test_every_loop_is_compiled(arena):
    done = subprocess.run([sys.executable, "-c", PROGRAM, arena.name], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == LOOPS_OF_BENCHMARKS


def test_games_are_compiled_in_processes_and_named():
    done = CliRunner().invoke(app, ["compile", "robots", "lastdroid", "--workers", "2"])
    assert done.exit_code == 0
    assert sorted(line.split(":")[0] for line in done.stdout.splitlines()) == ["Last Droid", "Robots!"]


def test_an_agent_that_cannot_play_is_left_out(monkeypatch):
    class Refuses:
        """Plays nowhere."""

        compiled_policy = True

        def at_table(self, game):
            raise ValueError("it has lost its cards")

    arena = ARENAS["robots"]
    found = {"refuses": Agent("refuses", Refuses()), **agents_for("robots", 2)}
    monkeypatch.setattr(compiling, "agents_for", lambda game, players: found if players == 2 else {})
    compiled: list[str] = []
    monkeypatch.setattr(compiling, "machine_code", lambda named: compiled.extend(name for name, _ in named))
    with pytest.warns(UserWarning, match="Robots!, 2 players: refuses is left out: it has lost its cards"):
        compiling.compile_agents(arena)
    assert {"greedy", "ppo", "random"} <= set(compiled)


def test_a_game_that_there_is_not_is_named():
    done = CliRunner().invoke(app, ["compile", "chess"])
    assert done.exit_code == 2 and "'chess'" in done.output
