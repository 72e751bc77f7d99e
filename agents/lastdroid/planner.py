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
in detail. Its weights were found by letting it play greedy and itself on deals of two players.
"""

from __future__ import annotations

import numpy as np

from tabletop.policies import policy, register

from .planning import NODES, SPACE, decide
from .weights import weights

WEIGHTS = weights(
    value_1=7.41,
    value_2=2.65,
    value_3=5.0,
    cost_1=2.64,
    cost_2=3.09,
    cost_3=6.67,
    gain_1=1.86,
    gain_2=1.85,
    gain_3=1.47,
    choosy=0.44,
    base_first=1.19,
    base_less=0.0615,
    base_least=0.418,
    energy_first=1.91,
    energy_less=0.114,
    energy_least=1.11,
    left_over=0.158,
    short=2.37,
    leaf=0.2,
    leaf_race=3.07,
    race_width=0.879,
    race_width_turn=0.126,
    extension=0.247,
    bonus_gain=0.378,
    market_turn=0.0,
    discount=0.53,
    tokens=0.875,
    face_up_turn=0.148,
    points=0.927,
    early_water=-0.749,
    early_harvest=1.08,
    early_communication=1.7,
    early_shed=0.128,
    early_collection=-0.211,
    early_market=1.03,
    houses=0.722,
    coming=0.506,
    parts_at_end=6.81,
    energy_at_end=2.95,
    sets_at_end=1.28,
    drift=0.0867,
    found=0.477,
    keep=0.472,
    hold=0.99,
    threat=0.705,
    most_parts=1.38,
    house_45=0.866,
    house_46=0.894,
    house_47=1.14,
    house_48=1.21,
    house_49=0.786,
    house_50=0.81,
    house_51=0.831,
    house_52=0.771,
    house_53=1.09,
    house_54=1.2,
    house_55=1.22,
    house_56=0.617,
    house_57=0.8,
    house_58=1.3,
    denial=1.09,
    gift=0.81,
    sure=0.151,
    step=0.0348,
)


@register("planner", game="lastdroid", aliases=["expert"])
@policy
def planner(observation, action_mask, rng):
    """Plans all turns that are left: saves for houses, looks ahead over exchanges, weighs its opponents' plans"""
    return decide(observation, action_mask, WEIGHTS, np.empty(SPACE), np.empty(NODES, np.int64))
