"""A racer: it goes out as fast as it can.

*What it values*: an empty hand. Every card in hand counts against it, whatever it is, and more so what cannot be laid
soon; the points on the table count as they do for all.

*How it decides.* It lays and adds whatever it can, wilds too, at the first opportunity, and takes from the heap only
what it can lay at once with little else. It discards what is furthest from being laid, and powers as they come: to play
again before the others is what it likes best.

*What it ignores*: robots, what a discard gives to the others as long as they cannot add it at once, the score of the
match.
"""

from __future__ import annotations

import numpy as np

from tabletop.policies import policy, register

from . import reading as see
from .plan import ROOM, decide
from .style import Style

RACER = Style(
    card=-5.0,
    caught=0.5,
    caught_late=0.5,
    wild=12.0,
    wild_late=0.0,
    robot=0.0,
    keep_recycle=0.0,
    keep_laser=0.0,
    keep_circuit=0.0,
    eager=10.0,
    robot_risk=0.0,
    out=8.0,
    win=0.0,
    lose=0.0,
    gift=0.0,
    circuit=12.0,
    circuit_more=5.0,
    deep=-1.0,
)


@register("racer", game="robots")
@policy
def racer(observation, action_mask, rng):
    """Goes out as fast as it can: lays everything at once, takes little, keeps nothing"""
    n = see.players(observation)
    return decide(observation, n, action_mask, RACER, np.empty(ROOM))
