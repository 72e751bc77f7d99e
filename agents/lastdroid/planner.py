"""A balanced planner: the best plan for all turns that are left, and the turn that serves it best.

*What it values*: the points it has for certain, and the best plan for what remains: which of the available houses to
build, and how many repairs the rest of its actions and parts allow (see ``outlook.py``). So a house is worth saving for
when it scores more than the repairs that its cost would pay; parts are worth less, the fewer turns there are to spend
them; collection and market droids are worth what they add to the turns that are left. The plans of its opponents count
against it: a house that an opponent is about to build is worth more, one that it may lose while it saves is worth less.

*How it decides*: it follows every sequence of exchanges, up to six, to every shed within reach, and from each of them
every action with every house, to the standing after it (see ``turn.py``). When it hands out cards it does so for
everybody who gets one.

*What it ignores*: which cards are still to come, beyond their number by type; what it or others will do in later turns
in detail. Its weights were tuned on games against greedy and itself.
"""

from __future__ import annotations

import numpy as np

from tabletop.policies import policy, register

from . import reading as see
from .planning import NODES, SPACE, decide
from .weights import weights

WEIGHTS = weights(
    value_1=6.16,
    value_2=3.15,
    value_3=5.23,
    cost_1=2.43,
    cost_2=3.31,
    cost_3=5.64,
    gain_1=2.27,
    gain_2=1.77,
    gain_3=1.52,
    choosy=0.467,
    base_first=1.1,
    base_less=0.0541,
    base_least=0.456,
    energy_first=2.02,
    energy_less=0.111,
    energy_least=0.9,
    left_over=0.132,
    short=3.18,
    leaf=0.215,
    leaf_race=4.1,
    race_width=0.902,
    race_width_turn=0.218,
    extension=0.318,
    bonus_gain=0.37,
    market_turn=0.0155,
    discount=0.624,
    tokens=1.03,
    face_up_turn=0.077,
    points=1.06,
    early_water=-0.617,
    early_harvest=0.194,
    early_communication=1.26,
    early_shed=-0.0328,
    early_collection=0.0629,
    early_market=0.309,
    houses=0.834,
    coming=0.48,
    parts_at_end=7.68,
    energy_at_end=2.58,
    sets_at_end=1.62,
    drift=0.0865,
    found=0.444,
    keep=0.303,
    hold=0.967,
    threat=0.929,
    most_parts=1.67,
    house_45=1.13,
    house_47=1.08,
    house_48=1.12,
    house_49=1.05,
    house_50=0.876,
    house_51=0.939,
    house_52=0.895,
    house_53=1.12,
    house_54=1.17,
    house_55=1.07,
    house_56=0.753,
    house_57=0.839,
    house_58=1.18,
    denial=1.04,
    gift=0.733,
    step=0.0342,
)
ALONE = weights(
    value_1=6.16,
    value_2=3.15,
    value_3=5.23,
    cost_1=2.43,
    cost_2=3.31,
    cost_3=5.64,
    gain_1=2.27,
    gain_2=1.77,
    gain_3=1.52,
    choosy=0.467,
    base_first=1.1,
    base_less=0.0541,
    base_least=0.456,
    energy_first=2.02,
    energy_less=0.111,
    energy_least=0.9,
    left_over=0.132,
    short=3.18,
    leaf=0.215,
    leaf_race=4.1,
    race_width=0.902,
    race_width_turn=0.218,
    extension=0.318,
    bonus_gain=0.37,
    market_turn=0.0155,
    discount=0.624,
    tokens=1.03,
    face_up_turn=0.077,
    points=1.06,
    early_water=-0.617,
    early_harvest=0.194,
    early_communication=1.26,
    early_shed=-0.0328,
    early_collection=0.0629,
    early_market=0.309,
    houses=0.834,
    coming=0.48,
    parts_at_end=7.68,
    energy_at_end=2.58,
    sets_at_end=1.62,
    drift=0.0865,
    found=0.444,
    keep=0.303,
    hold=0.967,
    threat=0.929,
    most_parts=1.67,
    house_45=1.13,
    house_47=1.08,
    house_48=1.12,
    house_49=1.05,
    house_50=0.876,
    house_51=0.939,
    house_52=0.895,
    house_53=1.12,
    house_54=1.17,
    house_55=1.07,
    house_56=0.753,
    house_57=0.839,
    house_58=1.18,
    denial=1.04,
    gift=0.733,
    step=0.0342,
)  # against the Auto-Ecomechanic


@register("planner", game="lastdroid", aliases=["expert"])
@policy
def planner(observation, action_mask, rng):
    """Plans all turns that are left: saves for houses, looks ahead over exchanges, weighs its opponents' plans"""
    w = ALONE if see.players(observation) == 1 else WEIGHTS
    return decide(observation, action_mask, w, np.empty(SPACE), np.empty(NODES, np.int64))
