"""A holder: it holds its spreads back and gives nothing away.

*What it values*: safety. A spread in hand cannot be broken by a laser, nor can others add to it. But points in hand are
lost when a round ends, so the fewer cards somebody else holds, the more it minds each of them.

*How it decides.* As long as everybody else has many cards it lays nothing but what it must and what completes a robot,
unless it can lay all but a card or two at once; when somebody comes near to going out, or the round has lasted long, it
lays whatever it can. Of its discards it fears most those that the next player could add or combine, also with the heap.
It takes from the heap what makes a spread.

*What it ignores*: that others can be caught with many cards, and the score of the match.
"""

from __future__ import annotations

import numpy as np

from tabletop.policies import policy, register

from . import reading as see
from .plan import ROOM, decide
from .style import Style

HOLDER = Style(
    wait=4.0,
    wait_cards=2.0,
    wait_turns=45.0,
    resigned=0.36,
    caught=0.2,
    caught_late=1.2,
    robot_risk=8.0,
    out=0.0,
    win=0.0,
    lose=0.0,
    gift=2.0,
    gift_fits=2.0,
    take=2.0,
)


@register("holder", game="robots")
@policy
def holder(observation, action_mask, rng):
    """Holds its spreads back until somebody is near to going out; gives nothing away"""
    n = see.players(observation)
    return decide(observation, n, action_mask, HOLDER, np.empty(ROOM))
