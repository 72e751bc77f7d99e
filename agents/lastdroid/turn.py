"""A whole turn thought through: every shed that exchanges lead to, and what each action would make of it.

``search`` finds the sheds, ``change`` makes the standing after an action, ``turn_worth`` puts both together: the best
sum of what the role's standing is worth then, less what it is worth to its opponents.
"""

from __future__ import annotations

import numpy as np

from lastdroid_env import actions as act
from lastdroid_env import constants as const
from lastdroid_env.constants import (
    AUTO,
    BASE_KINDS,
    BASIC_EXCHANGES,
    BONUS_DROIDS,
    CIRCUIT,
    COMMUNICATION,
    ENERGY,
    EXCHANGE_DROIDS,
    FIRST_HOUSE,
    KINDS,
    MARKET_ALTERNATIVES,
    NUM_HOUSES,
    NUT,
    OIL,
    UNLIMITED_MARKET_DROIDS,
    WATER,
)
from lastdroid_env.rules.sheds import payable
from tabletop.jit import kernel

from . import reading as see
from . import standing as at
from . import weights as by
from .outlook import shed_outlook, weigh
from .table import ends_the_game, most_of

NEVER = -1e9
ROWS = 5  # standings and a bill that a turn is thought through with

# A node of the search: a shed, the first exchange on the way to it, how many there are, the last one's market droid.
FIRST, STEPS, USED = KINDS, KINDS + 1, KINDS + 2
NOTED = KINDS + 3  # another list: where a shed is found among the nodes
NODE = KINDS + 4
MOST_NODES, TABLE = 160, 512

# Actions as plans number them: dismantle, repair, then build each house.
DISMANTLING, REPAIRING, BUILDING = 0, 1, 2
NUM_PLANS = 2 + NUM_HOUSES

# A bill: the icons of a cost, then the parts gained and those of choice.
GAINED = KINDS + 3
BILL = GAINED + KINDS + 1

_given = see.EXCHANGE_GIVE.sum(axis=1)
IS_EXCHANGE = (_given > 0).astype(np.int64)


# --- The sheds within reach of exchanges --------------------------------------------------------------------------


@kernel
def uses(o, n, role, i):
    """How often a role may use an exchange droid in a phase; 0 if it is not the role's."""
    if not see.has_repaired(o, n, role, EXCHANGE_DROIDS[i]):
        return 0
    return max(1, see.count(o, n, see.USES_LEFT, i, 2.0)) if role != 0 else see.count(o, n, see.USES_LEFT, i, 2.0)


@kernel
def is_new(nodes, count, a, b, c, d):
    """Whether no node has this shed; if so, the next one is noted down as the one that has."""
    place = (a + 7 * b + 43 * c + 151 * d) % TABLE
    while nodes[place, NOTED] > 0:
        node = nodes[place, NOTED] - 1
        if nodes[node, 0] == a and nodes[node, 1] == b and nodes[node, 2] == c and nodes[node, 3] == d:
            return False
        place = (place + 1) % TABLE
    nodes[place, NOTED] = count + 1
    return True


@kernel
def search(o, n, role, w, s, nodes):
    """Fill ``nodes`` with the sheds within reach, the present one first; returns how many. ``s``: the standing."""
    for i in range(TABLE):
        nodes[i, NOTED] = 0
    for kind in range(KINDS):
        nodes[0, kind] = int(s[at.PARTS + kind])
    is_new(nodes, 0, nodes[0, 0], nodes[0, 1], nodes[0, 2], nodes[0, 3])
    nodes[0, FIRST] = -1
    nodes[0, STEPS] = 0
    nodes[0, USED] = 0
    count = 1
    done = 0
    while done < count and count < MOST_NODES:
        if nodes[done, STEPS] >= w[by.DEPTH]:
            break
        for exchange in range(BASIC_EXCHANGES):
            count = follow(s, nodes, done, count, exchange, -1)
        if s[at.MARKETS] > 0:
            for i in range(len(EXCHANGE_DROIDS)):
                allowed = uses(o, n, role, i)
                limited = EXCHANGE_DROIDS[i] not in UNLIMITED_MARKET_DROIDS
                if allowed == 0 or (limited and (nodes[done, USED] >> (2 * i)) & 3 >= allowed):
                    continue
                for way in range(MARKET_ALTERNATIVES):
                    exchange = BASIC_EXCHANGES + i * MARKET_ALTERNATIVES + way
                    if IS_EXCHANGE[exchange]:
                        count = follow(s, nodes, done, count, exchange, i)
        done += 1
    return count


@kernel
def follow(s, nodes, node, count, exchange, droid):
    """Add the shed after an exchange, if it can be made and leads to a new one."""
    if count >= MOST_NODES:
        return count
    at_next = nodes[count]
    for kind in range(KINDS):
        held = nodes[node, kind] - see.EXCHANGE_GIVE[exchange, kind]
        got = see.EXCHANGE_GET[exchange, kind]
        if held < 0 or (got > 0 and held + got > s[at.ROOM_FOR + kind]):
            return count
        at_next[kind] = held + got
    if not is_new(nodes, count, at_next[0], at_next[1], at_next[2], at_next[3]):
        return count
    at_next[FIRST] = exchange if nodes[node, STEPS] == 0 else nodes[node, FIRST]
    at_next[STEPS] = nodes[node, STEPS] + 1
    at_next[USED] = nodes[node, USED] + (1 << (2 * droid) if droid >= 0 else 0)
    return count + 1


# --- What an action makes of a standing ---------------------------------------------------------------------------


@kernel
def change(o, n, role, slot, plan, w, s):
    """Turn a role's standing into that after an action, its parts left out."""
    s[at.LEFT] = see.turns_left(o, n)
    kind = see.droid_type(o, n, slot)
    if plan == REPAIRING:
        repair_droid(o, n, slot, kind, w, s)
    else:
        s[at.FACE_UP] += kind == COMMUNICATION
    if plan >= BUILDING:
        house = plan - BUILDING
        s[at.STATUS + house] = at.OWN
        s[at.BUILT] += 1
        if ends_the_game(o, n, house):
            s[at.LEFT] = 0
    elif at.ends_now(o, n):
        s[at.LEFT] = 0
    weigh(s, w)


@kernel
def repair_droid(o, n, slot, kind, w, s):
    """What a repaired droid adds to a standing, its cost and its gift left out."""
    printed = see.feature(o, n, slot, see.RP)
    leaves = see.feature(o, n, slot, see.CARD_LEAVES)
    number = see.feature(o, n, slot, see.NUMBER)
    points = w[by.POINTS] * printed
    early = w[by.EARLY + kind] * s[at.LEFT] / const.TURNS
    if see.feature(o, n, slot, see.RP_OR) == 1:
        points -= min(points, s[at.FACE_UP] + w[by.FACE_UP_TURN] * s[at.LEFT])
    s[at.TYPES + kind] += 1
    s[at.LEAVES] += leaves
    for part in range(KINDS + 1):
        more = see.feature(o, n, slot, see.EXTENSION + part)
        s[at.EXTENSIONS] += more
        if part < KINDS:
            s[at.ROOM_FOR + part] += more
    if kind == WATER:
        s[at.ICONS] += at.WATER_ICONS[number]
    for i in range(len(BONUS_DROIDS)):
        s[at.BONUSES] += number == BONUS_DROIDS[i]
    if see.feature(o, n, slot, see.USES) > 0 or see.feature(o, n, slot, see.UNLIMITED) > 0:
        s[at.MARKETS] += 1
    if number == const.DISCOUNT_DROID:
        s[at.DISCOUNTS] = 1
    if number == const.TOKEN_DROID and n > 1:
        points += w[by.TOKENS]
    s[at.POINTS] += points + early


@kernel
def write_bill(o, n, role, slot, plan, bill):
    """What an action costs and gains."""
    bill[:] = 0.0
    if plan == DISMANTLING:
        for kind in range(KINDS):
            gained = see.feature(o, n, slot, see.GAIN + kind)
            if gained > 0 and kind < BASE_KINDS and see.has_repaired(o, n, role, BONUS_DROIDS[kind]):
                gained += 1
            bill[GAINED + kind] = gained
        of_choice = see.feature(o, n, slot, see.GAIN + see.ANY)
        of_choice += 2 * see.feature(o, n, slot, see.GAIN + see.SAME_PAIRS)
        bill[GAINED + KINDS] = of_choice + 2 * see.feature(o, n, slot, see.GAIN + see.DIFFERENT_PAIRS)
        return
    for icon in range(KINDS + 3):
        if plan == REPAIRING:
            bill[icon] = see.repair_icon(o, n, role, slot, icon)
        else:
            bill[icon] = at.house_owes(o, n, role, plan - BUILDING, icon)
    if plan == REPAIRING:
        for kind in range(KINDS + 1):
            bill[GAINED + kind] = see.feature(o, n, slot, see.GIFT + kind)
    elif plan - BUILDING == 46 - FIRST_HOUSE:
        bill[GAINED : GAINED + KINDS] = 1.0


@kernel
def worth_after(w, s, bill, a, b, c, d):
    """What a standing is worth once its shed has paid and gained; ``NEVER`` if the shed cannot pay."""
    a -= int(bill[NUT])
    b -= int(bill[OIL])
    c -= int(bill[CIRCUIT])
    d -= int(bill[ENERGY])
    if a < 0 or b < 0 or c < 0 or d < 0:
        return NEVER
    same, different = int(bill[see.SAME_PAIRS]), int(bill[see.DIFFERENT_PAIRS])
    any_part = int(bill[see.ANY])
    if same + different + any_part > 0:
        if not payable(a, b, c, same, different, any_part):
            return NEVER
        kind = NUT
        for i in range(2 * same + 2 * different + any_part):
            but = -1
            if i < 2 * same:
                if i % 2 == 0:
                    kind = most_of(a, b, c, -1)
            else:
                if 2 * same <= i < 2 * (same + different) and (i - 2 * same) % 2 == 1:
                    but = kind
                kind = most_of(a, b, c, but)
            a -= kind == NUT
            b -= kind == OIL
            c -= kind == CIRCUIT
        a, b, c = max(0, a), max(0, b), max(0, c)
    a = least(s, NUT, a + int(bill[GAINED + NUT]))
    b = least(s, OIL, b + int(bill[GAINED + OIL]))
    c = least(s, CIRCUIT, c + int(bill[GAINED + CIRCUIT]))
    d = least(s, ENERGY, d + int(bill[GAINED + ENERGY]))
    for _ in range(int(bill[GAINED + KINDS])):
        # A part of choice: the kind held least that has room.
        free_a, free_b, free_c = s[at.ROOM_FOR] > a, s[at.ROOM_FOR + 1] > b, s[at.ROOM_FOR + 2] > c
        if free_a and (a <= b or not free_b) and (a <= c or not free_c):
            a += 1
        elif free_b and (b <= c or not free_c):
            b += 1
        elif free_c:
            c += 1
    return s[at.FIXED] + shed_outlook(s, w, a, b, c, d)


@kernel
def least(s, kind, held):
    """As many as find room; droids 65 and 71 may hold more."""
    return min(held, int(max(s[at.ROOM_FOR + kind], s[at.PARTS + kind])))


# --- A turn -------------------------------------------------------------------------------------------------------


@kernel
def others_worth(o, n, slot, plan, w, s):
    """What an action of the observer leaves of the others: how much their standings count for it, and the best of its
    opponents' standings. ``slot`` -1: as if it had not acted."""
    total, strongest = 0.0, NEVER
    if n == 1:
        if slot >= 0 and plan != REPAIRING and see.droid_type(o, n, slot) == COMMUNICATION:
            total -= see.droids(o, n, AUTO, COMMUNICATION)
        return w[by.DENIAL] * total, strongest
    for role in range(1, see.roles(n)):
        at.survey(o, n, role, s)
        if plan == REPAIRING:
            if at.is_rival(n, role, 0):
                leaves = see.leaves(o, n, 0) + see.feature(o, n, slot, see.CARD_LEAVES)
                s[at.RIVAL_LEAVES] = max(s[at.RIVAL_LEAVES], leaves)
        elif slot >= 0 and see.droid_type(o, n, slot) == COMMUNICATION and at.is_rival(n, role, 0):
            s[at.FACE_UP] += 1.0 if n != 3 else 0.5
        if plan >= BUILDING:
            s[at.STATUS + plan - BUILDING] = at.OUT_OF_REACH
            if ends_the_game(o, n, plan - BUILDING):
                s[at.LEFT] -= see.turns_left(o, n)
        weigh(s, w)
        worth = s[at.FIXED] + shed_outlook(s, w, *shed_of(s))
        total += share(n, role) * worth
        if see.is_opponent(n, role):
            strongest = max(strongest, worth)
    return w[by.DENIAL] * total, strongest


@kernel
def share(n, role):
    """How much another role's standing counts: a team mate's for the observer, opponents' against it."""
    if n == 2:
        return -1.0
    return -0.5 if see.is_opponent(n, role) else 0.7


@kernel
def shed_of(s):
    return int(s[at.PARTS]), int(s[at.PARTS + 1]), int(s[at.PARTS + 2]), int(s[at.PARTS + 3])


@kernel
def hold_houses(o, n, w, rival, s):
    """How likely the houses that the observer's standing could wait for are to stay: less so, the readier a rival."""
    if n == 1:
        return
    for house in range(NUM_HOUSES):
        if s[at.STATUS + house] == at.AVAILABLE:
            s[at.HOLDS + house] = w[by.HOLD]
    for role in range(1, see.roles(n)):
        if not see.is_opponent(n, role):
            continue
        at.survey(o, n, role, rival)
        means = 0.0
        for kind in range(KINDS):
            means += rival[at.PARTS + kind] * (1.0 if kind < BASE_KINDS else w[by.POWER + 1])
        for house in range(NUM_HOUSES):
            if s[at.STATUS + house] == at.AVAILABLE and rival[at.STATUS + house] == at.AVAILABLE:
                short = rival[at.OWED + house] + w[by.POWER + 1] * rival[at.OWED_ENERGY + house] - means
                s[at.HOLDS + house] *= 1.0 - w[by.THREAT] * np.exp(-max(0.0, short) / 2.5)


@kernel
def read_role(o, n, role, w, room):
    """A role's standing into ``room[0]``, with what threatens its houses."""
    at.survey(o, n, role, room[0])
    if role == 0:
        hold_houses(o, n, w, room[1], room[0])


@kernel
def plan_worth(o, n, role, slot, plan, w, room, nodes, count):
    """The worth of an action with a card, and the node of the shed from which it is best; the standing: ``room[0]``."""
    s, bill = room[2], room[4, :BILL]
    for i in range(at.SIZE):
        s[i] = room[0, i]
    change(o, n, role, slot, plan, w, s)
    write_bill(o, n, role, slot, plan, bill)
    best = NEVER
    node = 0
    for i in range(count):
        worth = worth_after(w, s, bill, nodes[i, 0], nodes[i, 1], nodes[i, 2], nodes[i, 3])
        worth -= w[by.STEP] * nodes[i, STEPS]
        if worth > best:
            best = worth
            node = i
    return best, node


@kernel
def turn_worth(o, n, role, slot, w, room, nodes, count):
    """The best of all actions with a card that some shed can pay: its worth, its node, the action.

    To build the last house ends the game. What is certain then is held against what is likely if it goes on: a lead
    that is sure is worth ``SURE`` times as much more for each turn that could turn it.
    """
    best, node, action = NEVER, 0, DISMANTLING
    plain, rival = 0.0, NEVER  # if the action does not change the others' standings
    if role == 0:
        plain, rival = others_worth(o, n, -1, DISMANTLING, w, room[3])
    lead = NEVER
    for plan in range(NUM_PLANS):
        if plan >= BUILDING and room[0, at.STATUS + plan - BUILDING] != at.AVAILABLE:
            continue
        worth, where = plan_worth(o, n, role, slot, plan, w, room, nodes, count)
        if worth == NEVER:
            continue
        if role == 0:
            mine = worth
            others, strongest = plain, rival
            if concerns_others(o, n, slot, plan):
                others, strongest = others_worth(o, n, slot, plan, w, room[3])
            worth += others
            ends = plan >= BUILDING and (n == 2 or n == 3) and see.turns_left(o, n) > 0 and room[2, at.LEFT] <= 0
            if ends:
                sure = (mine - strongest) * (1.0 + w[by.SURE] * see.turns_left(o, n))
                worth = best + sure - lead
            elif worth > best:
                lead = mine - strongest
        if worth > best:
            best, node, action = worth, where, plan
    return best, node, action


@kernel
def concerns_others(o, n, slot, plan):
    """Whether an action takes a house, adds leaves or lays a communication droid on the table."""
    if plan >= BUILDING:
        return True
    if plan == REPAIRING:
        return see.feature(o, n, slot, see.CARD_LEAVES) > 0
    return see.droid_type(o, n, slot) == COMMUNICATION


@kernel
def action_of(plan):
    if plan == DISMANTLING:
        return act.DISMANTLE
    if plan == REPAIRING:
        return act.REPAIR
    return act.BUILD + plan - BUILDING
