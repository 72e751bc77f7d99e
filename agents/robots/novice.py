"""A novice: somebody who has just learned how cards are laid.

*What it values*: cards on the table, whichever they are, and dear cards, which may be laid one day.

*How it decides.* It lays a spread whenever it can, adds a card whenever it can, calls, and discards its cheapest card.
Which of several spreads it lays, whether it draws or takes, and everything else, it leaves to chance.

*What it ignores*: what its hand could become, what is left in it in the end, the others.
"""

from __future__ import annotations

from robots_env import actions as act
from robots_env import constants as const
from robots_env.bits import card_of_rank
from tabletop.jit import kernel
from tabletop.masks import sample_legal
from tabletop.policies import policy, register
from tabletop.rng import draw_from

from . import reading as see
from .common import points


@kernel
def sample_between(mask, first, end, rng):
    """One of the legal actions from ``first`` up to ``end``, each as likely; -1 if there is none."""
    chosen = -1
    found = 0
    for action in range(first, end):
        if mask[action] == 1:
            found += 1
            if draw_from(rng, found) == 0:
                chosen = action
    return chosen


@kernel
def cheapest_discard(mask):
    """The card that counts least among those that can be discarded; -1 if none can."""
    best = -1
    least = 0.0
    for r in range(const.NUM_KINDS):
        if mask[act.DISCARD + r] == 1:
            worth = points(card_of_rank(r))
            if best < 0 or worth < least:
                least = worth
                best = act.DISCARD + r
    return best


@register("novice", game="robots")
@policy
def novice(observation, action_mask, rng):
    """Lays and adds whatever it can, discards its cheapest card; the rest is chance"""
    n = see.players(observation)
    what = see.decision(observation, n)
    if what == const.TO_CALL:
        return act.CALL
    action = -1
    if what == const.TO_PLAY:
        action = sample_between(action_mask, act.LAY_RUN, act.WILD_IN, rng)
        if action < 0:
            action = sample_between(action_mask, act.ADD, act.ADD + const.NUM_KINDS, rng)
    if action < 0:
        action = cheapest_discard(action_mask)
    return sample_legal(action_mask, rng) if action < 0 else action
