"""The weights by which a planning strategy values things: a record for each strategy, an array for compiled code.

``weights(leaf=0.5)`` makes a record: what is not named has the value of ``DEFAULTS``. In compiled code ``w[LEAF]`` is a
weight, ``w[BASE + k]`` the means that ``k`` parts of a base kind are, ``w[POWER + k]`` those that ``k`` energy are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Worth is in recycling points; "means" are in parts.
DEFAULTS: dict[str, float] = {
    # Repairs to come: the worth of an average one, the means it takes, the means that dismantling gives, by season.
    "value_1": 2.6,
    "value_2": 4.0,
    "value_3": 6.0,
    "cost_1": 2.5,
    "cost_2": 3.6,
    "cost_3": 4.9,
    "gain_1": 2.0,
    "gain_2": 2.1,
    "gain_3": 2.9,
    "choosy": 0.4,  # by how much the best card is above the average, of which one repairs few
    # Parts as means: the first of a kind, how much less each further one is, and the least.
    "base_first": 1.0,
    "base_less": 0.05,
    "base_least": 0.6,
    "energy_first": 1.6,
    "energy_less": 0.12,
    "energy_least": 1.0,
    "left_over": 0.1,  # means that no plan uses
    "short": 3.0,  # for each part that a plan lacks
    # Droids.
    "leaf": 0.25,
    "leaf_race": 5.0,  # the lead in leaves
    "race_width": 1.0,  # leaves of lead that are as good as safe at the end ...
    "race_width_turn": 0.2,  # ... and more of them for each turn left
    "extension": 0.3,
    "bonus_gain": 0.45,  # parts that a bonus droid adds to a dismantling
    "market_turn": 0.08,
    "discount": 0.6,  # of the repairs to come, those with energy in their cost
    "tokens": 1.0,
    "face_up_turn": 0.06,  # communication droids that will be discarded, a turn
    "points": 1.0,  # points of droids
    # Worth of a droid of a type beyond all that, falling with the turns left.
    "early_water": 0.0,
    "early_harvest": 0.0,
    "early_communication": 0.0,
    "early_shed": 0.0,
    "early_collection": 0.0,
    "early_market": 0.0,
    # Houses.
    "houses": 1.0,  # all their points
    "coming": 0.4,  # of a player's share of the droids to come, how many are repaired
    "parts_at_end": 7.0,  # house 45
    "energy_at_end": 2.5,  # house 51
    "sets_at_end": 1.7,  # house 57
    "drift": 0.08,  # types that are repaired against the plan, a turn (house 50)
    "found": 0.5,  # chance that a missing type comes, for each of its droids (house 52)
    "keep": 0.35,  # how soon a shed that houses score counts as it lies there
    "hold": 0.85,  # chance that a house one saves for is still there
    "threat": 0.5,  # less so when an opponent has the means
    "most_parts": 2.0,
    # Each house's points once more.
    **{f"house_{number}": 1.0 for number in range(45, 59)},
    # Opponents.
    "denial": 0.8,  # what an opponent loses or gains by one's own action
    "gift": 0.9,  # what an opponent gains by a card
    "gift_auto": 1.0,  # what the Auto-Ecomechanic does
    "sure": 0.2,  # a turn, by how much a certain lead counts more than a likely one
    # How far exchanges are thought ahead, and what each must gain.
    "depth": 6.0,
    "step": 0.03,
}
NAMES = tuple(DEFAULTS)

# Where they lie; of those by season, type or house, the first.
(
    VALUE,
    COST,
    GAIN,
    CHOOSY,
    LEFT_OVER,
    SHORT,
    LEAF,
    LEAF_RACE,
    RACE_WIDTH,
    RACE_WIDTH_TURN,
    EXTENSION,
    BONUS_GAIN,
    MARKET_TURN,
    DISCOUNT,
    TOKENS,
    FACE_UP_TURN,
    POINTS,
    EARLY,
    HOUSES,
    COMING,
    PARTS_AT_END,
    ENERGY_AT_END,
    SETS_AT_END,
    DRIFT,
    FOUND,
    KEEP,
    HOLD,
    THREAT,
    MOST_PARTS,
    HOUSE,
    DENIAL,
    GIFT,
    GIFT_AUTO,
    SURE,
    DEPTH,
    STEP,
) = (
    NAMES.index(name)
    for name in (
        "value_1",
        "cost_1",
        "gain_1",
        "choosy",
        "left_over",
        "short",
        "leaf",
        "leaf_race",
        "race_width",
        "race_width_turn",
        "extension",
        "bonus_gain",
        "market_turn",
        "discount",
        "tokens",
        "face_up_turn",
        "points",
        "early_water",
        "houses",
        "coming",
        "parts_at_end",
        "energy_at_end",
        "sets_at_end",
        "drift",
        "found",
        "keep",
        "hold",
        "threat",
        "most_parts",
        "house_45",
        "denial",
        "gift",
        "gift_auto",
        "sure",
        "depth",
        "step",
    )
)
MOST = 24  # parts of a kind that are told apart
BASE = len(NAMES)
POWER = BASE + MOST


def weights(**changed: float) -> NDArray[np.float64]:
    """A record: ``DEFAULTS`` with changes."""
    unknown = set(changed) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"no such weights: {', '.join(sorted(unknown))}")
    values = {**DEFAULTS, **changed}
    tables = []
    for kind in ("base", "energy"):
        first, less, least = (values[f"{kind}_{name}"] for name in ("first", "less", "least"))
        each = np.maximum(least, first - less * np.arange(MOST - 1))
        tables.append(np.concatenate([[0.0], np.cumsum(each)]))
    return np.concatenate([np.array(list(values.values())), *tables])
