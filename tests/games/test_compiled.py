"""The same games in every process: compiled or not, whatever the hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from tabletop.search import Search
from tabletop.worlds import Worlds

from .tables import TABLES, TESTS
from .walk import decisions

PROGRAM = """
import sys
sys.path.insert(0, {root!r})
from tests.games.test_compiled import trajectories
print(*trajectories(*{arguments}), sep="\\n")
"""


def trajectories(games: int, most: int) -> list[str]:
    """By table a hash of every record, observation, mask and text of some games, of so many decisions each, and of what
    a search finds."""
    found = []
    for table in TABLES:
        digest = hashlib.sha256()
        game = table.game()
        way = list(table.ways.values())[1]
        for seed in range(games):
            for n, (_, action) in enumerate(decisions(game, seed, way)):
                for array in game.view(n % game.num_players):
                    digest.update(array.tobytes())
                digest.update(game.record.tobytes())
                digest.update(bytes([action % 256]))
                if n == most:
                    break
            digest.update(repr((str(table), game.result(), game.record.tobytes(), game.to_text(0))).encode())
        game.deal(games)
        search = Search(game.name.replace("_", ""), 5, guide="greedy", depth=5)
        thought = search.think(Worlds(game, game.actor), games)
        digest.update(thought.visits.tobytes() + np.round(thought.values, 9).tobytes())
        found.append(f"{table} {digest.hexdigest()}")
    return found


def in_a_process(*arguments: int, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(root=str(TESTS.parent), arguments=arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_compiled_equals_uncompiled():
    assert in_a_process(1, 60, NUMBA_DISABLE_JIT="1") == trajectories(1, 60)


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_hash_seed_plays_no_part(hash_seed):
    assert in_a_process(2, 10_000, PYTHONHASHSEED=hash_seed) == trajectories(2, 10_000)
