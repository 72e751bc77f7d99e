"""The same games in every process: compiled or not, whatever the hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest

from lastdroid_env import LastDroid

from .games import SETTINGS, builder, decisions

PROGRAM = """
import sys
sys.path.insert(0, {root!r})
from tests.lastdroid.test_compiled import trajectory
print(trajectory(games={games}))
"""


def trajectory(games: int) -> str:
    """Hash of every record, observation and mask of some games at every player count and setting."""
    digest = hashlib.sha256()
    for name, settings in SETTINGS.items():
        game = LastDroid(**settings)
        for seed in range(games):
            for _, action in decisions(game, seed, builder):
                for seat in range(game.num_players):
                    for array in game.view(seat):
                        digest.update(array.tobytes())
                digest.update(game.record.tobytes())
                digest.update(bytes([action]))
            digest.update(repr((name, game.result(), game.record.tobytes())).encode())
    return digest.hexdigest()


def in_a_process(games: int, **environment: str) -> str:
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(root=root, games=games)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_compiled_equals_uncompiled():
    assert in_a_process(1, NUMBA_DISABLE_JIT="1") == trajectory(1)


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_hash_seed_plays_no_part(hash_seed):
    assert in_a_process(3, PYTHONHASHSEED=hash_seed) == trajectory(3)
