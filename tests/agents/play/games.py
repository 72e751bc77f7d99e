"""Games for the tests of playing at the terminal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agents.play.sitting import Sitting
from agents.play.wording import Wording, wording_for
from tests.games.tables import Table
from tests.games.walk import Chooser


def sat_down(table: Table, seed: int) -> tuple[Sitting, Wording]:
    """A game just dealt, and its words."""
    game = table.game()
    game.deal(seed)
    wording = wording_for(game)
    return Sitting(game, wording.is_final), wording


def sitting(table: Table, seed: int, choose: Chooser) -> Iterator[tuple[Sitting, Wording]]:
    """A game played at random, as it stands before each choice and at its end."""
    at_table, wording = sat_down(table, seed)
    rng = np.random.default_rng(seed)
    while at_table.game.actor >= 0:
        yield at_table, wording
        at_table.play(choose(at_table.game.legal_actions(), rng))
    yield at_table, wording
