"""Random games of Last Droid for the tests: settings and choosers."""

from __future__ import annotations

from typing import Any

import numpy as np

from lastdroid_env.actions import BUILD, EXCHANGE, PAY_ANY, REPAIR
from tests.games.walk import anything, decisions

__all__ = ["SETTINGS", "anything", "builder", "decisions", "trader"]

SETTINGS: dict[str, dict[str, Any]] = {
    "solo": {"num_players": 1},
    "solo hard": {"num_players": 1, "hard": True},
    "2 players": {"num_players": 2},
    "3 players": {"num_players": 3},
    "4 players": {"num_players": 4},
    "2 players, everything on": {
        "num_players": 2,
        "table_talk": True,
        "open_deck": True,
        "extension_after_season_3": True,
        "wild_type_houses": (47, 48, 49, 50, 52, 55),
        "ask_forced": True,
    },
    "3 players, table talk": {"num_players": 3, "table_talk": True},
    "4 players, table talk, open deck": {"num_players": 4, "table_talk": True, "open_deck": True},
    "solo, forced moves asked": {"num_players": 1, "ask_forced": True, "extension_after_season_3": True},
}


def builder(legal: list[int], rng: np.random.Generator) -> int:
    """Repairs and builds where it can, exchanges little: reaches effects and houses."""
    wanted = [a for a in legal if a == REPAIR or BUILD <= a < PAY_ANY]
    if wanted and rng.random() < 0.8:
        return int(rng.choice(wanted))
    calm = [a for a in legal if not EXCHANGE <= a < REPAIR]
    return int(rng.choice(calm if calm and rng.random() < 0.7 else legal))


def trader(legal: list[int], rng: np.random.Generator) -> int:
    """Exchanges as long as it can."""
    trades = [a for a in legal if EXCHANGE <= a < REPAIR]
    return int(rng.choice(trades or legal))
