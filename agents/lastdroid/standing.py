"""A player's standing: what counts for a role's points to come, read from an observation into one array.

A plan changes a copy of it (a droid more, a house more) and asks ``outlook.py`` what it is worth then.
"""

from __future__ import annotations

import numpy as np

from lastdroid_env import constants as const
from lastdroid_env.cards import load_cards
from lastdroid_env.constants import (
    AUTO,
    BASE_KINDS,
    BONUS_DROIDS,
    DROID_TYPES,
    EXCHANGE_DROIDS,
    KINDS,
    NUM_HOUSES,
    SEASONS,
)
from lastdroid_env.encoder import CARDS_SCALE, RP_SCALE
from tabletop.jit import kernel

from . import reading as see

# Places in a standing.
PARTS = 0
ROOM_FOR = PARTS + KINDS  # how many of a kind the shed can hold
LEFT = ROOM_FOR + KINDS  # actions to come
TYPES = LEFT + 1
COMING = TYPES + DROID_TYPES  # a player's share of the droids not yet revealed, by type
LEAVES = COMING + DROID_TYPES
RIVAL_LEAVES = LEAVES + 1
RIVAL_PARTS = RIVAL_LEAVES + 1
EXTENSIONS = RIVAL_PARTS + 1
ICONS = EXTENSIONS + 1  # in the costs of repaired water droids
BUILT = ICONS + 1  # houses
FACE_UP = BUILT + 1
BONUSES = FACE_UP + 1
MARKETS = BONUSES + 1
DISCOUNTS = MARKETS + 1
POINTS = DISCOUNTS + 1  # printed on repaired droids, and what a plan adds
STATUS = POINTS + 1  # of each house
HOLDS = STATUS + NUM_HOUSES  # chance that an available house stays available
OWED = HOLDS + NUM_HOUSES  # base parts and "?" of its cost
OWED_ENERGY = OWED + NUM_HOUSES
ALONE = OWED_ENERGY + NUM_HOUSES  # 1: against the Auto-Ecomechanic, which builds nothing and holds no parts
# What outlook.py makes of it.
FIXED = ALONE + 1  # points that do not depend on the shed
RATE_VALUE = FIXED + 1
RATE_COST = RATE_VALUE + 1
RATE_GAIN = RATE_COST + 1
PLANS = RATE_GAIN + 1
PLAN = PLANS + 1  # value, means and number of houses of each plan
MOST_PLANS = 16
SIZE = PLAN + 3 * MOST_PLANS

OUT_OF_REACH, AVAILABLE, OWN = 0, 1, 2
LAST_TURN = (7, 14, 22)  # of each season, whatever the number of players [C2, C6]
_card = load_cards().tables["card"][0]
WATER_ICONS = _card["cost_icons"].astype(np.int64)
WATER_CARDS = np.array(const.TYPE_MEMBERS[const.WATER])
OR_CARDS = np.flatnonzero(_card["rp_or"])  # C9
OR_POINTS = _card["rp"][OR_CARDS].astype(np.float64)


@kernel
def actions_left(o, n, role):
    """The actions that a role has yet to take, this turn's included while its card lies unplayed."""
    stage = see.stage(o, n)
    if stage >= const.FINAL_EXCHANGE:
        return 0
    pending = 0
    if stage <= const.ACTING:
        pending = 1
        for slot in range(see.roles(n)):
            if see.flag(o, n, see.HOLDER, slot * see.roles(n) + role) and not see.flag(o, n, see.UNPLAYED, slot):
                pending = 0
    if ends_now(o, n):
        return pending
    return see.turns_left(o, n) + pending


@kernel
def ends_now(o, n):
    """Whether some role has no available house left."""
    for role in range(see.roles(n)):
        left = 0
        for house in range(NUM_HOUSES):
            if lies_beside(o, n, role, house) and not see.is_built(o, n, house):
                left += 1
        if left == 0:
            return True
    return False


@kernel
def lies_beside(o, n, role, house):
    for pair in range(see.pairs(n)):
        if see.touches(n, pair, role) and see.flag(o, n, see.HOUSE_BETWEEN, pair * NUM_HOUSES + house):
            return True
    return False


@kernel
def house_owes(o, n, role, house, icon):
    """An icon of a house's cost as a role would pay it, the extra cost of the other side's tokens included."""
    owed = see.HOUSE_COST[house, icon]
    if icon == see.ANY and n > 1:
        laid_by = 1 if role == 0 else 0
        owed += const.TOKENS if see.flag(o, n, see.HOUSE_TOKENS, laid_by * NUM_HOUSES + house) else 0
    return owed


@kernel
def faced(n, role):
    """Of four, the opponent that a role faces; of two, the other."""
    return role ^ 1


@kernel
def is_rival(n, role, other):
    """Whether two roles compete for leaves and parts."""
    return other != role and (n != 4 or other == faced(n, role))


@kernel
def survey(o, n, role, s):
    """Read a role's standing into ``s``."""
    s[:] = 0.0
    for kind in range(KINDS):
        s[PARTS + kind] = see.parts(o, n, role, kind)
        s[ROOM_FOR + kind] = s[PARTS + kind] + see.room(o, n, role, kind)
    s[LEFT] = actions_left(o, n, role)
    for kind in range(DROID_TYPES):
        s[TYPES + kind] = see.droids(o, n, role, kind)
        for season in range(SEASONS):
            s[COMING + kind] += see.count(o, n, see.LEFT, season * DROID_TYPES + kind, CARDS_SCALE)
        s[COMING + kind] /= see.roles(n)
    s[LEAVES] = see.leaves(o, n, role)
    for other in range(see.roles(n)):
        if is_rival(n, role, other):
            s[RIVAL_LEAVES] = max(s[RIVAL_LEAVES], see.leaves(o, n, other))
            total = 0
            for kind in range(KINDS):
                total += see.parts(o, n, other, kind)
            s[RIVAL_PARTS] = max(s[RIVAL_PARTS], total)
    s[EXTENSIONS] = see.extensions(o, n, role)
    if s[TYPES + const.WATER] > 0:
        for i in range(len(WATER_CARDS)):
            if see.has_repaired(o, n, role, WATER_CARDS[i]):
                s[ICONS] += WATER_ICONS[WATER_CARDS[i]]
    s[FACE_UP] = see.face_up_beside(o, n, role)
    s[POINTS] = see.count(o, n, see.PRINTED_RP, role, RP_SCALE)
    for i in range(len(OR_CARDS)):
        if see.has_repaired(o, n, role, OR_CARDS[i]):
            s[POINTS] -= min(s[FACE_UP], OR_POINTS[i])
    if n > 1 or role != AUTO:
        for i in range(len(BONUS_DROIDS)):
            s[BONUSES] += see.has_repaired(o, n, role, BONUS_DROIDS[i])
        for i in range(len(EXCHANGE_DROIDS)):
            s[MARKETS] += see.has_repaired(o, n, role, EXCHANGE_DROIDS[i])
        s[DISCOUNTS] = see.has_repaired(o, n, role, const.DISCOUNT_DROID)
    s[ALONE] = 1 if n == 1 else 0
    for house in range(NUM_HOUSES):
        if see.has_built(o, n, role, house):
            s[STATUS + house] = OWN
            s[BUILT] += 1
        elif lies_beside(o, n, role, house) and not see.is_built(o, n, house):
            s[STATUS + house] = AVAILABLE
            s[HOLDS + house] = 1.0
            owed = house_owes(o, n, role, house, see.ANY)
            owed += 2 * see.HOUSE_COST[house, see.SAME_PAIRS] + 2 * see.HOUSE_COST[house, see.DIFFERENT_PAIRS]
            for kind in range(BASE_KINDS):
                owed += see.HOUSE_COST[house, kind]
            s[OWED + house] = owed
            s[OWED_ENERGY + house] = see.HOUSE_COST[house, const.ENERGY]
