"""Random games of Robots! for the tests: settings and choosers."""

from __future__ import annotations

from typing import Any

import numpy as np

from robots_env.actions import ADD, AS, CALL, DRAW, LAY_SET, ONTO, PASS, PICK, PICK_WILD, WILD_IN
from tests.games.walk import anything, decisions

__all__ = ["CHAINING", "SETTINGS", "anything", "decisions", "layer", "scavenger"]

CHAINING = {
    n: ("recycle", "extra parts", "tractor beam", "extra parts", "laser", "short circuit")[n % 6] for n in range(2, 15)
}
SETTINGS: dict[str, dict[str, Any]] = {
    "2 players": {"num_players": 2, "rounds": 2},
    "3 players": {"num_players": 3, "rounds": 1},
    "4 players": {"num_players": 4, "rounds": 1},
    "5 players": {"num_players": 5, "rounds": 1},
    "2 players, a match by the publisher's rules": {
        "num_players": 2,
        "rules": {"base": "publisher", "max_turns": 8, "max_rounds": 20, "target_score": 20},
    },
    "3 players, cut short": {"num_players": 3, "rules": {"max_turns": 8, "max_rounds": 2}},
    "5 players, a match": {"num_players": 5, "rules": {"max_turns": 6, "target_score": 20, "max_rounds": 6}},
    "2 players, everything the other way": {
        "num_players": 2,
        "rounds": 1,
        "rules": {
            "star_high": 15,
            "wild_completes_robot": True,
            "discard_taken_card": False,
            "power_on_last_discard": True,
            "max_refills": 3,
            "robot_bonus": 40,
            "powers": CHAINING,
            "card_points": {"star": 20, 14: 10},
        },
        "ask_forced": True,
    },
    "3 players, publisher, forced moves asked": {
        "num_players": 3,
        "rules": "publisher",
        "rounds": 1,
        "ask_forced": True,
    },
    "4 players, powers everywhere": {
        "num_players": 4,
        "rounds": 1,
        "rules": {"powers": CHAINING, "power_on_last_discard": True, "wild_completes_robot": True, "max_refills": 2},
    },
    "5 players, no powers, no refill": {
        "num_players": 5,
        "rounds": 1,
        "rules": {"powers": {}, "max_refills": 0, "discard_taken_card": False, "max_turns": 30},
    },
}


def layer(legal: list[int], rng: np.random.Generator) -> int:
    """Lays runs and adds where it can, sets seldom: reaches robots, long runs and empty hands."""
    wanted = [a for a in legal if ADD <= a < LAY_SET or ONTO <= a < AS or a == CALL]
    calm = [a for a in legal if not LAY_SET <= a < WILD_IN]
    return int(rng.choice(wanted or (calm if calm and rng.random() < 0.8 else legal)))


def scavenger(legal: list[int], rng: np.random.Generator) -> int:
    """Takes deep from the heap and draws for Extra Parts, lays little: reaches large hands, cards due, refills."""
    deep = [a for a in legal if PICK <= a < PICK_WILD + 4 or a == DRAW]
    if deep and rng.random() < 0.7:
        return int(rng.choice(deep))
    calm = [a for a in legal if not (ADD <= a < WILD_IN or a == PASS)]
    return int(rng.choice(calm if calm and rng.random() < 0.5 else legal))
