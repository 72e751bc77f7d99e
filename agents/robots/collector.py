"""A collector: it is after robots, all five suits of a number.

*What it values*: cards of a number of which it has more, in hand or in a set on the table, and most of all the card
that completes a robot; the rest as others do, runs included.

*How it decides.* It takes, recycles and keeps with that in mind, and lets go of lone cards. It protects what it
collects: it makes no set of four as long as somebody else may have the fifth card, nor does it discard a card that
completes a robot, and its laser is for sets that are on their way to one.

*What it ignores*: speed, and the score of the match.
"""

from __future__ import annotations

import numpy as np

from tabletop.policies import policy, register

from . import reading as see
from .plan import ROOM, decide
from .style import Style

COLLECTOR = Style(
    number=3.0,
    robot=1.0,
    eager=1.0,
    win=0.0,
    lose=0.0,
    robot_risk=14.0,
    to_be_robot=25.0,
)


@register("collector", game="robots")
@policy
def collector(observation, action_mask, rng):
    """Collects robots: keeps cards of the same number, guards its sets, breaks the others'"""
    n = see.players(observation)
    return decide(observation, n, action_mask, COLLECTOR, np.empty(ROOM))
