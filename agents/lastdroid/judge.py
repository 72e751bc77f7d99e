"""What a table is worth, for a search: the planner's standing of every player, between turns.

Within a turn it cannot tell: the cards at hand count for nothing in a standing. Nor can it in the solo game, whose
opponent plans nothing.
"""

from __future__ import annotations

import numpy as np

from lastdroid_env import constants as const
from lastdroid_env.constants import CIRCUIT, ENERGY, NUT, OIL
from tabletop.jit import kernel
from tabletop.policies import policy
from tabletop.tree import UNSETTLED

from . import reading as see
from . import standing as at
from .outlook import shed_outlook, weigh
from .planner import WEIGHTS


@kernel
def worth(o, n, role, w, s):
    """The points that a role can expect in the end."""
    at.survey(o, n, role, s)
    weigh(s, w)
    parts = see.parts(o, n, role, NUT), see.parts(o, n, role, OIL), see.parts(o, n, role, CIRCUIT)
    return s[at.FIXED] + shed_outlook(s, w, parts[0], parts[1], parts[2], see.parts(o, n, role, ENERGY))


@policy
def judge(observation, action_mask, rng):
    """The lead over the mean of the opponents that the planner's weights expect, in hundredths of a point"""
    o = observation
    n = see.players(o)
    what = see.decision(o, n)
    if n == 1 or (what != const.GIVE and what != const.WISH):
        return UNSETTLED
    s = np.empty(at.SIZE)
    lead = worth(o, n, 0, WEIGHTS, s)
    if n == 4:
        lead = min(lead, worth(o, n, 2, WEIGHTS, s)) - min(worth(o, n, 1, WEIGHTS, s), worth(o, n, 3, WEIGHTS, s))
    else:
        for role in range(1, n):
            lead -= worth(o, n, role, WEIGHTS, s) / (n - 1)
    return np.int64(100.0 * lead)
