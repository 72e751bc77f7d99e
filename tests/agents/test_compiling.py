"""``python -m agents compile``: nothing is left to be compiled later."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from agents.__main__ import app
from tabletop.jit import COMPILED

from .entrants import each_arena

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


def test_a_game_that_there_is_not_is_named():
    done = CliRunner().invoke(app, ["compile", "chess"])
    assert done.exit_code == 2 and "'chess'" in done.output
