"""What a standing is worth: points that are certain, and the best plan for the actions that are left.

A plan is a choice of available houses to build. What it leaves of actions and parts goes into repairs of average
worth: with ``t`` actions and parts for ``x`` repairs, the other ``t - x`` dismantle. So parts are worth what they help
to repair, nothing more once there are enough for all turns that are left, and a house is worth saving for when its
points exceed those of the repairs that its cost would pay.
"""

from __future__ import annotations

import numpy as np

from lastdroid_env.constants import (
    COLLECTION,
    COMMUNICATION,
    DROID_TYPES,
    FIRST_HOUSE,
    MARKET,
    NUM_HOUSES,
    SHED,
    TURNS,
    WATER,
)
from tabletop.jit import kernel

from . import reading as see
from . import standing as at
from . import weights as by

HOUSE_45, HOUSE_51, HOUSE_56, HOUSE_57 = (number - FIRST_HOUSE for number in (45, 51, 56, 57))
ENERGY_OF_THREE = 3  # parts of a kind for an energy [X1]
MOST_LEAVES, MOST_PARTS = 3.0, 2.0  # points [G5, G4]


@kernel
def chance_of_lead(lead, width):
    """That a lead in leaves lasts, or a lag is made up for; a tie leads nobody."""
    return 1.0 / (1.0 + np.exp(-(lead - 0.5) / max(0.15, width)))


@kernel
def race(s, w):
    width = w[by.RACE_WIDTH] * (s[at.LEFT] > 0) + w[by.RACE_WIDTH_TURN] * s[at.LEFT]
    return chance_of_lead(s[at.LEAVES] - s[at.RIVAL_LEAVES], width)


@kernel
def house_worth(s, w, house):
    """What a house would score for the role in the end."""
    points = see.HOUSE_POINTS[house]
    number = FIRST_HOUSE + house
    left = s[at.LEFT]
    some = w[by.COMING] if left > 0 else 0.0
    if number == 45:
        return points[0] * w[by.PARTS_AT_END]
    if number == 46:
        return 0.0
    if number == 47:
        droids = s[at.TYPES + COLLECTION] + some * s[at.COMING + COLLECTION]
        if left <= 0 and droids < 3:
            return 0.0
        if droids < 3:
            return points[0] * (droids / 3.0) ** 3
        return points[0] + (points[2] - points[0]) * min(2.0, droids - 3) / 2.0
    if number == 48:
        return points[0] * (s[at.TYPES + MARKET] + some * s[at.COMING + MARKET])
    if number == 49:
        return points[0] * (s[at.ICONS] + 5.0 * some * s[at.COMING + WATER])
    if number == 50 or number == 52:
        types = 0
        for kind in range(DROID_TYPES):
            types += s[at.TYPES + kind] > 0
        if number == 50:
            if left <= 0:
                return float(points[5 - types]) if 2 <= types <= 5 else 0.0
            soon = min(6.0, max(2.0, types + w[by.DRIFT] * left))
            return (5.0 - soon) * (points[3] - points[0]) / 3.0 + points[0]
        chance = 1.0
        for kind in range(DROID_TYPES):
            if s[at.TYPES + kind] == 0:
                chance *= 1.0 - (1.0 - w[by.FOUND]) ** s[at.COMING + kind] if left > 0 else 0.0
        return points[0] * chance
    if number == 51:
        return points[0] * w[by.ENERGY_AT_END]
    if number == 53:
        seasons = 2.0 if left > 15 else 1.0 if left > 8 else 0.0  # that end while it is there
        return points[0] * (s[at.EXTENSIONS] + seasons + 2.2 * some * s[at.COMING + SHED])
    if number == 54:
        return points[0] * race(s, w)
    if number == 55:
        return points[0] * (s[at.TYPES + COMMUNICATION] + some * s[at.COMING + COMMUNICATION])
    if number == 57:
        return points[0] * w[by.SETS_AT_END]
    if number == 56:
        return 0.0  # counted by plans
    return points[0] + 0.0


@kernel
def taste(s, w, house):
    """How much a strategy makes of a house's points; when the game is over, what they are."""
    return w[by.HOUSES] * w[by.HOUSE + house] if s[at.LEFT] > 0 else 1.0


@kernel
def weigh(s, w):
    """Fill in what the plans need: fixed points, rates of the repairs to come, plans."""
    left = s[at.LEFT]
    # Points that do not depend on the shed.
    fixed = s[at.POINTS] + (w[by.LEAF_RACE] if left > 0 else MOST_LEAVES) * race(s, w)
    fixed += s[at.TYPES + COMMUNICATION] * (s[at.FACE_UP] + w[by.FACE_UP_TURN] * left)
    fixed += w[by.MARKET_TURN] * s[at.MARKETS] * left
    if left > 0:
        fixed += w[by.LEAF] * s[at.LEAVES] + w[by.EXTENSION] * s[at.EXTENSIONS]
    for house in range(NUM_HOUSES):
        if s[at.STATUS + house] == at.OWN and house != HOUSE_45 and house != HOUSE_51 and house != HOUSE_57:
            fixed += taste(s, w, house) * house_worth(s, w, house)
    s[at.FIXED] = fixed
    # The actions to come, by season.
    value, cost, gain = 0.0, 0.0, 0.0
    turn = TURNS - left
    for season in range(3):
        turns = at.LAST_TURN[season] - max(turn, at.LAST_TURN[season - 1] if season > 0 else 0)
        if turns > 0:
            value += turns * w[by.VALUE + season]
            cost += turns * w[by.COST + season]
            gain += turns * w[by.GAIN + season]
    many = max(1.0, left)
    s[at.RATE_VALUE] = value / many
    s[at.RATE_COST] = cost / many - w[by.DISCOUNT] * s[at.DISCOUNTS]
    s[at.RATE_GAIN] = gain / many + w[by.BONUS_GAIN] * s[at.BONUSES]
    plan_houses(s, w)


@kernel
def plan_houses(s, w):
    """All sets of available houses: their points, their means, their number."""
    found = 0
    first, second, third, fourth = -1, -1, -1, -1
    for house in range(NUM_HOUSES):
        if s[at.STATUS + house] == at.AVAILABLE:
            if found == 0:
                first = house
            elif found == 1:
                second = house
            elif found == 2:
                third = house
            elif found == 3:
                fourth = house
            found += 1
    found = min(found, 4)
    plans = 1 << found
    s[at.PLANS] = plans
    for i in range(plans):
        value, means, number = 0.0, 0.0, 0
        has_third = s[at.STATUS + HOUSE_56] == at.OWN
        held = 1.0
        for j in range(found):
            if i >> j & 1:
                house = first if j == 0 else second if j == 1 else third if j == 2 else fourth
                value += s[at.HOLDS + house] * w[by.HOUSE + house] * house_worth(s, w, house)
                means += s[at.OWED + house] + w[by.POWER + 1] * s[at.OWED_ENERGY + house]
                if house == 46 - FIRST_HOUSE:
                    means -= 3.0 + w[by.POWER + 1]
                number += 1
                if house == HOUSE_56:
                    has_third = True
                held *= s[at.HOLDS + house]
        if has_third and s[at.BUILT] + number >= 3:
            value += w[by.HOUSE + HOUSE_56] * see.HOUSE_POINTS[HOUSE_56, 0] * held
        place = at.PLAN + 3 * i
        s[place] = w[by.HOUSES] * value
        s[place + 1] = means
        s[place + 2] = number


@kernel
def shed_score(s, w, nuts, oils, circuits, energy):
    """What built houses score for a shed if it stays as it is, but for exchanges at the end; and most parts."""
    total = nuts + oils + circuits + energy
    score = 0.0
    if s[at.STATUS + HOUSE_45] == at.OWN:
        score += see.HOUSE_POINTS[HOUSE_45, 0] * total
    if s[at.STATUS + HOUSE_51] == at.OWN:
        made = nuts // ENERGY_OF_THREE + oils // ENERGY_OF_THREE + circuits // ENERGY_OF_THREE
        score += see.HOUSE_POINTS[HOUSE_51, 0] * min(energy + made, s[at.ROOM_FOR + 3])
    if s[at.STATUS + HOUSE_57] == at.OWN:
        sets = 0
        for k in range(1, 12):
            missing = max(0, k - nuts) + max(0, k - oils) + max(0, k - circuits)
            spare = max(0, nuts - k) // 2 + max(0, oils - k) // 2 + max(0, circuits - k) // 2
            if energy - k >= max(0, missing - spare):
                sets = k
        score += see.HOUSE_POINTS[HOUSE_57, 0] * sets
    if s[at.LEFT] > 0:
        score *= w[by.HOUSES]
    if s[at.ALONE] == 0:
        ahead = total - s[at.RIVAL_PARTS] - 0.5
        if s[at.LEFT] > 0:
            score += w[by.MOST_PARTS] / (1.0 + np.exp(-ahead / 2.0))
        else:
            score += MOST_PARTS / (1.0 + np.exp(-ahead / 0.3))
    return score


@kernel
def means_of(w, nuts, oils, circuits, energy):
    most = by.MOST - 1
    return (
        w[by.BASE + min(most, nuts)]
        + w[by.BASE + min(most, oils)]
        + w[by.BASE + min(most, circuits)]
        + w[by.POWER + min(most, energy)]
    )


@kernel
def shed_outlook(s, w, nuts, oils, circuits, energy):
    """What a shed is worth to a standing that has been weighed: the best plan, and what houses score for the rest."""
    means = means_of(w, nuts, oils, circuits, energy)
    left = s[at.LEFT]
    score = shed_score(s, w, nuts, oils, circuits, energy)
    if left <= 0:
        return score + 0.001 * means
    value, cost, gain = s[at.RATE_VALUE], s[at.RATE_COST], s[at.RATE_GAIN]
    rest = w[by.LEFT_OVER]
    average = 0.0
    if s[at.STATUS + HOUSE_45] == at.OWN:
        rest += w[by.HOUSES]
        average += see.HOUSE_POINTS[HOUSE_45, 0] * w[by.PARTS_AT_END]
    if s[at.STATUS + HOUSE_51] == at.OWN:
        average += see.HOUSE_POINTS[HOUSE_51, 0] * w[by.ENERGY_AT_END]
    if s[at.STATUS + HOUSE_57] == at.OWN:
        average += see.HOUSE_POINTS[HOUSE_57, 0] * w[by.SETS_AT_END]
    best = -1e9
    for i in range(int(s[at.PLANS])):
        place = at.PLAN + 3 * i
        turns = left - s[place + 2]
        if turns < 0:
            continue
        have = means + gain * turns - s[place + 1]
        total = s[place]
        if have < 0:
            if i > 0:
                total += w[by.SHORT] * have
        elif turns > 0:
            repairs = min(turns, have / (cost + gain))
            total += value * repairs * (1.0 + w[by.CHOOSY] * (1.0 - repairs / turns))
            total += rest * max(0.0, have - repairs * (cost + gain))
        else:
            total += rest * have
        best = max(best, total)
    keep = 1.0 / (1.0 + w[by.KEEP] * left)
    return best + keep * score + (1.0 - keep) * w[by.HOUSES] * average
