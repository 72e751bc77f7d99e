"""The Auto-Ecomechanic's own rule of choice, for any seat.

It values a droid by its interest value, with what the houses beside it add to the type, and nothing else: it keeps the
card of highest interest and repairs it. A communication droid it repairs only when it has fewer of them than some
opponent, or fewer than lie discarded beside it. Unlike the Auto-Ecomechanic of the solo game a seat must pay: a droid
that it cannot pay, it dismantles. It never exchanges parts and never builds. All else is left to chance: ties, whom
the other cards go to, which parts are paid and gained.

Only the droids of the two-player deck show an interest value; a droid of the other decks counts as the mean of its
type and season there.
"""

from __future__ import annotations

import numpy as np

from lastdroid_env import actions as act
from lastdroid_env import constants as const
from lastdroid_env.cards import load_cards
from lastdroid_env.constants import COMMUNICATION, DROID_TYPES, NUM_HOUSES, SEASONS
from lastdroid_env.encoder import INTEREST_SCALE
from tabletop.jit import kernel
from tabletop.masks import sample_legal
from tabletop.policies import policy, register
from tabletop.rng import draw_from

from . import reading as see

_droids = load_cards().tables["card"][0][1 : see.LAST_OF_TWO + 1]
MEAN_INTEREST = np.zeros((SEASONS + 1, DROID_TYPES))
for _season in range(1, SEASONS + 1):
    for _type in range(DROID_TYPES):
        _alike = _droids[_droids["type"] == _type]
        _now = _alike[_alike["season"] == _season]
        MEAN_INTEREST[_season, _type] = (_now if len(_now) else _alike)["interest"].mean()


@kernel
def interest(o, n, slot):
    """What a revealed card is worth to it."""
    if n == 1:
        return o[see.STARTS[n, see.INTEREST] + slot] * INTEREST_SCALE
    kind = see.droid_type(o, n, slot)
    value = see.feature(o, n, slot, see.CARD_INTEREST) + 0.0
    if see.feature(o, n, slot, see.NUMBER) > see.LAST_OF_TWO:
        value = MEAN_INTEREST[see.feature(o, n, slot, see.CARD_SEASON), kind]
    for house in range(NUM_HOUSES):
        if see.is_within_reach(o, n, house):
            value += see.HOUSE_SHIFT[house, kind]
    return value


@kernel
def most_interesting(o, n, mask, first, rng):
    """The legal action among ``first`` + slot whose card is of most interest, ties at random."""
    best = -1
    best_interest = -1e9
    ties = 0
    for slot in range(see.roles(n)):
        if mask[first + slot] == 0:
            continue
        value = interest(o, n, slot)
        if value > best_interest + 1e-3:
            best = slot
            best_interest = value
            ties = 1
        elif value > best_interest - 1e-3:
            ties += 1
            if draw_from(rng, ties) == 0:
                best = slot
    return first + best


@kernel
def wants_communication(o, n):
    """[O7, for any seat]"""
    mine = see.droids(o, n, 0, COMMUNICATION)
    if mine < see.face_up_beside(o, n, 0):
        return True
    for role in range(1, see.roles(n)):
        if see.is_opponent(n, role) and mine < see.droids(o, n, role, COMMUNICATION):
            return True
    return False


@kernel
def keeps_it_itself(o, n):
    """Whether the card being given is the observer's own, as the first one always is."""
    return see.my_slot(o, n) < 0


@register("auto", game="lastdroid")
@policy
def auto(observation, action_mask, rng):
    """The Auto-Ecomechanic's rule: repairs what has the highest interest value, never exchanges or builds"""
    n = see.players(observation)
    what = see.decision(observation, n)
    if what == const.WISH:
        return most_interesting(observation, n, action_mask, act.WISH, rng)
    if (what == const.GIVE or what == const.TIE) and keeps_it_itself(observation, n):
        return most_interesting(observation, n, action_mask, act.GIVE, rng)
    if what == const.EXCHANGE:
        return act.PASS
    if what == const.ACTION:
        kind = see.droid_type(observation, n, see.my_slot(observation, n))
        if action_mask[act.REPAIR] != 0 and (kind != COMMUNICATION or wants_communication(observation, n)):
            return act.REPAIR
        return act.DISMANTLE
    return sample_legal(action_mask, rng)
