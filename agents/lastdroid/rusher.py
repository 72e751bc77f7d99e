"""A house rusher: the houses that score most, as early as it can, and the end of the game with the last of them.

*What it values*: houses, half as much again as they score; parts as the means to build them. Droids count for less
than their points unless a house of its own counts them.

*How it decides*: by the worth of the turn, like the planner (see ``turn.py``), three exchanges ahead: a plan with
houses in it beats one with repairs most of the time, so it dismantles until it can pay.

*What it ignores*: what its opponents gain by the cards it gives them, but for a little; that a house built late can
score more than one built early.
"""

from __future__ import annotations

import numpy as np

from tabletop.policies import policy, register

from .planning import NODES, SPACE, decide
from .weights import weights

WEIGHTS = weights(houses=1.5, points=0.8, leaf_race=2.0, hold=0.7, threat=0.9, denial=0.3, gift=0.3, depth=3.0)


@register("rusher", game="lastdroid")
@policy
def rusher(observation, action_mask, rng):
    """Saves for houses and builds them as early as it can"""
    return decide(observation, action_mask, WEIGHTS, np.empty(SPACE), np.empty(NODES, np.int64))
