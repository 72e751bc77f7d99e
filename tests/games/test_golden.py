"""Whole games, kept as text: a change of the rules or of the encoding shows as a readable difference.

``UPDATE_GOLDEN=1 pytest tests/lastdroid/test_golden.py`` writes the files anew; read the difference before keeping it.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

import lastdroid_env
from lastdroid_env import LastDroid
from tabletop.record import Chronicle

from .games import SETTINGS, builder, decisions

FOLDER = Path(__file__).parent / "golden"


def golden(settings, seed):
    """The text record of a game, then after ``#`` a hash of all that was seen in it."""
    game = LastDroid(**settings)
    seen = hashlib.sha256()
    chronicle = None
    for _, action in decisions(game, seed, builder):
        chronicle = chronicle or Chronicle(game)
        for seat in range(game.num_players):
            for array in game.view(seat):
                seen.update(array.tobytes())
        chronicle.actions.append(action)
    assert chronicle is not None
    return chronicle.to_text(game), seen.hexdigest()


@pytest.mark.parametrize("name", SETTINGS)
def test_golden_game(name):
    file = FOLDER / f"{name.replace(', ', '-').replace(' ', '-')}.txt"
    text, seen = golden(SETTINGS[name], seed=20)
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(f"# observations {seen}\n{text}")
    first, _, kept = file.read_text().partition("\n")
    assert text.splitlines() == kept.splitlines()
    assert first == f"# observations {seen}"
    replayed = lastdroid_env.replay(kept)
    assert replayed.game.actor == -1
