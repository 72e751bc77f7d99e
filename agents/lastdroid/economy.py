"""An economy builder: parts early, points late.

*What it values*: above all what goes on giving parts: collection droids that add to every dismantling, gifts of parts,
market droids that exchange; the more so, the more turns are left to use them. Parts and energy it keeps for what they
will pay later. As the turns run out all this fades and only points are left.

*How it decides*: by the worth of the turn, like the planner (see ``turn.py``), two exchanges ahead.

*What it ignores*: its opponents, except that it keeps the better card; that houses may be taken before it comes to
build.
"""

from __future__ import annotations

import numpy as np

from tabletop.policies import policy, register

from .planning import NODES, SPACE, decide
from .weights import weights

WEIGHTS = weights(
    early_collection=3.0,
    early_market=2.5,
    early_shed=1.0,
    bonus_gain=0.8,
    market_turn=0.15,
    left_over=0.3,
    hold=1.0,
    threat=0.0,
    denial=0.0,
    gift=0.4,
    depth=2.0,
)


@register("economy", game="lastdroid")
@policy
def economy(observation, action_mask, rng):
    """Builds an economy of collection and market droids early and turns it into points late"""
    return decide(observation, action_mask, WEIGHTS, np.empty(SPACE), np.empty(NODES, np.int64))
