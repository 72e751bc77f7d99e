"""Whole games, kept as text: a change of the rules or of the encoding shows as a readable difference.

``UPDATE_GOLDEN=1 pytest tests/games/test_golden.py`` writes the files anew; read the difference before keeping it.
"""

from __future__ import annotations

import hashlib
import os
import re

from tabletop.record import Chronicle

from .tables import TABLES, each_table
from .walk import decisions


def golden(table, seed):
    """The text record of a game, then a hash of all that was seen in it."""
    game = table.game()
    seen = hashlib.sha256()
    chronicle = None
    for _, action in decisions(game, seed, list(table.ways.values())[1]):
        chronicle = chronicle or Chronicle(game)
        for seat in range(game.num_players):
            for array in game.view(seat):
                seen.update(array.tobytes())
        chronicle.actions.append(action)
    assert chronicle is not None
    return chronicle.to_text(game), seen.hexdigest()


def file_of(table):
    return table.golden / f"{re.sub('[^a-z0-9]+', '-', table.name)}.txt"


@each_table
def test_golden_game(table):
    file = file_of(table)
    text, seen = golden(table, seed=20)
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"# observations {seen}\n{text}")
    first, _, kept = file.read_text().partition("\n")
    assert text.splitlines() == kept.splitlines()
    assert first == f"# observations {seen}"
    replayed = table.package.replay(kept)
    assert replayed.game.actor == -1


def test_every_file_is_a_game():
    for folder in {table.golden for table in TABLES}:
        assert set(folder.iterdir()) == {file_of(table) for table in TABLES if table.golden == folder}
