"""A denial player: what hurts an opponent is as good as what helps itself, or better.

*What it values*: communication droids, its own and the discarded ones between it and its opponents; the lead in leaves;
and whatever an opponent loses: the card that the opponent could have used, the house it was saving for.

*How it decides*: by the worth of the turn, like the planner (see ``turn.py``), three exchanges ahead, with its
opponents' gains weighing more than its own. When it hands out cards it asks first what the others could make of them.

*What it ignores*: that two players who hinder each other help the third.
"""

from __future__ import annotations

import numpy as np

from tabletop.policies import policy, register

from .planning import NODES, SPACE, decide
from .weights import weights

WEIGHTS = weights(
    early_communication=2.0, face_up_turn=0.15, leaf_race=7.0, denial=1.3, gift=1.4, threat=0.6, depth=3.0
)


@register("denial", game="lastdroid")
@policy
def denial(observation, action_mask, rng):
    """Takes what its opponents need, gives them what they cannot use, collects communication droids"""
    return decide(observation, action_mask, WEIGHTS, np.empty(SPACE), np.empty(NODES, np.int64))
