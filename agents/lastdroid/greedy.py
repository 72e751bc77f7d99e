"""A greedy player: of all it may do now, it does what leaves it best off at once.

*What it values*, in recycling points: the points of droids and houses as they would count, a little for leaves and for
effects that last, and the parts in its shed, the second of a kind less than the first, and all of them less as the end
comes near. Houses are worth what they would score with what it has, and a little growth where turns are left.

*How it decides.* For an action: the points it brings and the parts it leaves. In an exchange phase: the exchange
after which its best action is best, if that beats its best action now; it looks one exchange ahead and no further.
When it hands out cards: what each card is worth to whoever gets it, its own gain less its opponents'. Whatever it pays,
gains or extends: what leaves its shed most valuable.

*What it ignores*: the cards to come, what its opponents are up to, saving for a house.
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
    COLLECTION,
    COMMUNICATION,
    DIFFERENT_FIRST,
    DIFFERENT_SECOND,
    DROID_TYPES,
    ENERGY,
    FIRST_HOUSE,
    KINDS,
    MARKET,
    NUM_HOUSES,
    NUT,
    OIL,
    TOKEN_DROID,
    WATER,
)
from lastdroid_env.rules.sheds import payable
from tabletop.jit import kernel
from tabletop.policies import policy, register

from . import reading as see
from .table import (
    after_exchange,
    can_repair,
    capacity,
    choose_side,
    ends_the_game,
    most_of,
    neighbour,
    other_free,
    side,
)

# Worth in recycling points.
PART_WORTH = np.array([0.75 * sum(max(0.35, 1 - 0.15 * i) for i in range(k)) for k in range(40)])
ENERGY_WORTH = np.array([0.75 * sum(max(0.5, 1.9 - 0.25 * i) for i in range(k)) for k in range(40)])
FADING_TURNS = 4.0  # over the last turns, parts lose their worth ...
LAST_WORTH = 0.04  # ... down to this share, for the 2 RP of most parts
LEAF_WORTH = 0.6
EXTENSION_WORTH = 0.3
EXCHANGES_WORTH = 0.06  # a turn, of a market droid
BONUS_WORTH = 0.2  # a turn, of a collection droid that adds to dismantling
DISCOUNT_WORTH = 0.35  # a turn, of droid 42
TOKENS_WORTH = 1.0
LOST_TURN = 2.0  # of the turns that a house cuts off when it is somebody's last
GIFT_OF_CHOICE = 0.6  # a part
GROWTH = 0.05  # droids of one type that it expects to repair a turn
WATER_ICONS = 4.0  # of a water droid's cost, for house 49
ENOUGH_BETTER = 0.01  # an exchange must gain so much
UNPAYABLE = -1e9
NO_TYPE = -1


# --- Sheds ------------------------------------------------------------------------------------------------------


@kernel
def freshness(left):
    """How much parts are worth with so many turns left."""
    return max(LAST_WORTH, min(1.0, left / FADING_TURNS))


@kernel
def shed_worth(o, n, role, nuts, oils, circuits, energy):
    """Parts that a role would hold: as means, and in the last turns as what built houses 45, 51 and 57 score."""
    left = see.turns_left(o, n)
    means = PART_WORTH[min(nuts, 39)] + PART_WORTH[min(oils, 39)] + PART_WORTH[min(circuits, 39)]
    worth = freshness(left) * (means + ENERGY_WORTH[min(energy, 39)])
    if left <= 1:
        if see.has_built(o, n, role, 45 - FIRST_HOUSE):
            worth += see.HOUSE_POINTS[45 - FIRST_HOUSE, 0] * (nuts + oils + circuits + energy)
        if see.has_built(o, n, role, 51 - FIRST_HOUSE):
            worth += see.HOUSE_POINTS[51 - FIRST_HOUSE, 0] * energy
        if see.has_built(o, n, role, 57 - FIRST_HOUSE):
            sets = min(min(nuts, oils), min(circuits, energy))
            worth += see.HOUSE_POINTS[57 - FIRST_HOUSE, 0] * sets
    return worth


@kernel
def shed_after_paying(o, n, role, nuts, oils, circuits, energy, same, different, any_part):
    """The shed's worth when fixed icons are paid and the rest is paid with what it holds most of, or ``UNPAYABLE``."""
    if nuts < 0 or oils < 0 or circuits < 0 or energy < 0:
        return UNPAYABLE
    if not payable(nuts, oils, circuits, same, different, any_part):
        return UNPAYABLE
    kind = NUT
    for i in range(2 * same + 2 * different + any_part):
        but = -1
        if i < 2 * same:
            if i % 2 == 0:
                kind = most_of(nuts, oils, circuits, -1)
        else:
            if 2 * same <= i < 2 * (same + different) and (i - 2 * same) % 2 == 1:
                but = kind
            kind = most_of(nuts, oils, circuits, but)
        nuts -= kind == NUT
        oils -= kind == OIL
        circuits -= kind == CIRCUIT
    return shed_worth(o, n, role, max(0, nuts), max(0, oils), max(0, circuits), energy)


@kernel
def shed_after_gaining(o, n, role, nuts, oils, circuits, energy, any_part):
    """What the shed is worth when parts of choice are added, each of the kind held least."""
    for _ in range(any_part):
        if nuts <= oils and nuts <= circuits:
            nuts += 1
        elif oils <= circuits:
            oils += 1
        else:
            circuits += 1
    return shed_worth(o, n, role, nuts, oils, circuits, energy)


# --- Droids and houses ------------------------------------------------------------------------------------------


@kernel
def house_points(o, n, role, house, plus_type, plus_leaves, plus_extensions):
    """What a house would score for a role in the end, with a droid of a type, leaves and extensions added."""
    points = see.HOUSE_POINTS[house]
    left = see.turns_left(o, n)
    growth = GROWTH * left
    number = FIRST_HOUSE + house
    if number == 45:
        return 5.0 * points[0]
    if number == 47:
        droids = see.droids(o, n, role, COLLECTION) + (plus_type == COLLECTION) + growth
        if droids < 3:
            return points[0] * droids * droids / 9.0
        return points[0] + (points[2] - points[0]) * min(2.0, droids - 3) / 2.0
    if number == 48:
        return points[0] * (see.droids(o, n, role, MARKET) + (plus_type == MARKET) + growth)
    if number == 49:
        return points[0] * WATER_ICONS * (see.droids(o, n, role, WATER) + (plus_type == WATER) + growth)
    if number == 50 or number == 52:
        types = 0
        for kind in range(DROID_TYPES):
            if see.droids(o, n, role, kind) > 0 or plus_type == kind:
                types += 1
        if number == 50:
            soon = min(6.0, max(2.0, types + 0.15 * left))
            return (5.0 - soon) * (points[3] - points[0]) / 3.0 + points[0]
        missing = DROID_TYPES - types
        if missing == 0:
            return points[0] + 0.0
        return points[0] * 0.7**missing if left >= 2 * missing else 0.0
    if number == 51:
        return 1.5 * points[0]
    if number == 53:
        return points[0] * (see.extensions(o, n, role) + plus_extensions + growth)
    if number == 54:
        lead = 100
        for other in range(see.roles(n)):
            if other != role and (n != 4 or other // 2 == role // 2):
                lead = min(lead, see.leaves(o, n, role) + plus_leaves - see.leaves(o, n, other))
        if left == 0:
            return points[0] + 0.0 if lead > 0 else 0.0
        return points[0] * min(0.9, max(0.05, 0.4 + 0.15 * lead))
    if number == 55:
        return points[0] * (see.droids(o, n, role, COMMUNICATION) + (plus_type == COMMUNICATION) + growth)
    if number == 56:
        built = see.houses_built(o, n, role) + (not see.has_built(o, n, role, house))
        if built >= 3:
            return points[0] + 0.0
        return points[0] * (0.35 if built == 2 else 0.15) if left >= 4 else 0.0
    if number == 57:
        return points[0] + 0.0
    return points[0] + 0.0  # 58; 46 scores nothing


@kernel
def effect_worth(o, n, slot):
    """What a card does beyond its points: extensions, exchanges, bonuses, and what else lasts."""
    left = see.turns_left(o, n)
    worth = 0.0
    for kind in range(KINDS + 1):
        worth += EXTENSION_WORTH * see.feature(o, n, slot, see.EXTENSION + kind)
    if see.feature(o, n, slot, see.USES) > 0 or see.feature(o, n, slot, see.UNLIMITED) > 0:
        worth += EXCHANGES_WORTH * left
    number = see.feature(o, n, slot, see.NUMBER)
    for i in range(len(BONUS_DROIDS)):
        if number == BONUS_DROIDS[i]:
            worth += BONUS_WORTH * left
    if number == const.DISCOUNT_DROID:
        worth += DISCOUNT_WORTH * left
    if number == TOKEN_DROID and n > 1:
        worth += TOKENS_WORTH
    return worth


@kernel
def droid_points(o, n, role, slot):
    """What a repaired droid would score for a role, its built houses and the worth of its effects included."""
    kind = see.droid_type(o, n, slot)
    printed = see.feature(o, n, slot, see.RP)
    leaves = see.feature(o, n, slot, see.CARD_LEAVES)
    points = printed + LEAF_WORTH * leaves
    if kind == COMMUNICATION:
        beside = see.face_up_beside(o, n, role) + GROWTH * see.turns_left(o, n)
        points = max(points, beside) if see.feature(o, n, slot, see.RP_OR) == 1 else points + beside
    if n == 1 and role == AUTO:
        return 0.5 * printed if kind == WATER else points
    points += effect_worth(o, n, slot)
    new_extensions = 0
    for part in range(KINDS + 1):
        new_extensions += see.feature(o, n, slot, see.EXTENSION + part)
    for house in range(NUM_HOUSES):
        if see.has_built(o, n, role, house):
            points += house_points(o, n, role, house, kind, leaves, new_extensions)
            points -= house_points(o, n, role, house, NO_TYPE, 0, 0)
    return points


# --- What an action is worth: points and the shed after it ------------------------------------------------------


@kernel
def repair_worth(o, n, role, slot, nuts, oils, circuits, energy):
    """Of a card that the parts pay. The parts of its gift count as gained."""
    of_choice = GIFT_OF_CHOICE * see.feature(o, n, slot, see.GIFT + see.OF_CHOICE) * freshness(see.turns_left(o, n))
    rest = shed_after_paying(
        o,
        n,
        role,
        nuts - see.repair_icon(o, n, role, slot, NUT) + see.feature(o, n, slot, see.GIFT + NUT),
        oils - see.repair_icon(o, n, role, slot, OIL) + see.feature(o, n, slot, see.GIFT + OIL),
        circuits - see.repair_icon(o, n, role, slot, CIRCUIT) + see.feature(o, n, slot, see.GIFT + CIRCUIT),
        energy - see.repair_icon(o, n, role, slot, ENERGY) + see.feature(o, n, slot, see.GIFT + ENERGY),
        see.repair_icon(o, n, role, slot, see.SAME_PAIRS),
        see.repair_icon(o, n, role, slot, see.DIFFERENT_PAIRS),
        see.repair_icon(o, n, role, slot, see.ANY),
    )
    return rest + of_choice + droid_points(o, n, role, slot)


@kernel
def dismantle_worth(o, n, role, slot, nuts, oils, circuits, energy):
    """Parts beyond a column's capacity are lost; bonuses come on top."""
    for kind in range(KINDS):
        gained = see.feature(o, n, slot, see.GAIN + kind)
        if gained > 0:
            if kind < BASE_KINDS and see.has_repaired(o, n, role, BONUS_DROIDS[kind]):
                gained += 1
            most = capacity(o, n, role, kind)
            if kind == NUT:
                nuts = max(nuts, min(most, nuts + gained))
            elif kind == OIL:
                oils = max(oils, min(most, oils + gained))
            elif kind == CIRCUIT:
                circuits = max(circuits, min(most, circuits + gained))
            else:
                energy = max(energy, min(most, energy + gained))
    of_choice = see.feature(o, n, slot, see.GAIN + see.ANY)
    of_choice += 2 * see.feature(o, n, slot, see.GAIN + see.SAME_PAIRS)
    of_choice += 2 * see.feature(o, n, slot, see.GAIN + see.DIFFERENT_PAIRS)
    free = 0
    for kind in range(BASE_KINDS):
        free += capacity(o, n, role, kind)
    of_choice = max(0, min(of_choice, free - nuts - oils - circuits))
    return shed_after_gaining(o, n, role, nuts, oils, circuits, energy, of_choice)


@kernel
def build_worth(o, n, house, nuts, oils, circuits, energy):
    """``UNPAYABLE`` if the observer's parts do not pay the house. The parts of house 46 count as gained."""
    gift = 1 if FIRST_HOUSE + house == 46 else 0
    if energy < see.house_icon(o, n, house, ENERGY):
        return UNPAYABLE
    nuts -= see.house_icon(o, n, house, NUT)
    oils -= see.house_icon(o, n, house, OIL)
    circuits -= see.house_icon(o, n, house, CIRCUIT)
    energy -= see.house_icon(o, n, house, ENERGY)
    same = see.house_icon(o, n, house, see.SAME_PAIRS)
    different = see.house_icon(o, n, house, see.DIFFERENT_PAIRS)
    any_part = see.house_icon(o, n, house, see.ANY)
    rest = shed_after_paying(o, n, 0, nuts, oils, circuits, energy, same, different, any_part)
    if rest == UNPAYABLE:
        return UNPAYABLE
    worth = rest + house_points(o, n, 0, house, NO_TYPE, 0, 0)
    if ends_the_game(o, n, house):
        worth -= LOST_TURN * see.turns_left(o, n)
    if gift == 1:
        worth += freshness(see.turns_left(o, n)) * (3 * PART_WORTH[1] + ENERGY_WORTH[1])
    third = 56 - FIRST_HOUSE
    if house != third and see.has_built(o, n, 0, third) and see.houses_built(o, n, 0) < 3:
        worth += 0.4 * see.HOUSE_POINTS[third, 0]
    return worth


@kernel
def action_worth(o, n, role, slot, nuts, oils, circuits, energy):
    """The best of a role's actions with the card in ``slot``; building is thought of for the observer only."""
    worth = dismantle_worth(o, n, role, slot, nuts, oils, circuits, energy)
    if can_repair(o, n, role, slot, nuts, oils, circuits, energy):
        worth = max(worth, repair_worth(o, n, role, slot, nuts, oils, circuits, energy))
    if role == 0:
        for house in range(NUM_HOUSES):
            if see.is_available(o, n, house):
                worth = max(worth, build_worth(o, n, house, nuts, oils, circuits, energy))
    return worth


@kernel
def card_worth_after_exchange(o, n, role, slot):
    """What a role would gain by a card, with one of X1's exchanges at most before its action."""
    if n == 1 and role == AUTO:
        return droid_points(o, n, role, slot)
    nuts, oils = see.parts(o, n, role, NUT), see.parts(o, n, role, OIL)
    circuits, energy = see.parts(o, n, role, CIRCUIT), see.parts(o, n, role, ENERGY)
    best = UNPAYABLE
    for exchange in range(-1, BASIC_EXCHANGES):
        a, b, c, d = nuts, oils, circuits, energy
        if exchange >= 0:
            a, b = after_exchange(exchange, NUT, nuts), after_exchange(exchange, OIL, oils)
            c, d = after_exchange(exchange, CIRCUIT, circuits), after_exchange(exchange, ENERGY, energy)
            if a < 0 or b < 0 or c < 0 or d < 0:
                continue
        best = max(best, action_worth(o, n, role, slot, a, b, c, d))
    return best - shed_worth(o, n, role, nuts, oils, circuits, energy)


# --- Decisions --------------------------------------------------------------------------------------------------


@kernel
def choose_wish(o, n, mask):
    best = act.WISH_NONE
    most = UNPAYABLE
    for slot in range(see.roles(n)):
        if mask[act.WISH + slot] != 0:
            worth = card_worth_after_exchange(o, n, 0, slot)
            if worth > most:
                best = act.WISH + slot
                most = worth
    return best


@kernel
def choose_gift(o, n, mask):
    """GIVE and TIE: the slot for the recipient, so that all that follows from it is best."""
    own = see.my_slot(o, n) < 0  # the first card given is one's own
    best = -1
    most = UNPAYABLE
    for slot in range(see.roles(n)):
        if mask[act.GIVE + slot] == 0:
            continue
        if n == 3:
            if own:
                worth = card_worth_after_exchange(o, n, 0, slot) + rest_of_three(o, n, slot)
            else:
                worth = both_of_three(o, n, slot, other_free(o, n, mask, slot))
        else:
            role = 1
            if n == 4:
                role = neighbour(o, n, see.flag(o, n, see.PRIORITY, 0))
            other = other_free(o, n, mask, slot)
            worth = card_worth_after_exchange(o, n, 0, slot)
            worth += side(n, role) * card_worth_after_exchange(o, n, role, other)
        if worth > most:
            best = act.GIVE + slot
            most = worth
    return best


@kernel
def both_of_three(o, n, for_next, for_previous):
    worth = side(n, 1) * card_worth_after_exchange(o, n, 1, for_next)
    return worth + side(n, 2) * card_worth_after_exchange(o, n, 2, for_previous)


@kernel
def rest_of_three(o, n, kept):
    """The better way to hand out the two cards that are not kept."""
    a = 1 if kept == 0 else 0
    b = 1 if kept == 2 else 2
    return max(both_of_three(o, n, a, b), both_of_three(o, n, b, a))


@kernel
def plan_worth(o, n, acting, slot, nuts, oils, circuits, energy):
    """In the exchange phase of a turn, the best action afterwards; else the shed itself."""
    if acting:
        return action_worth(o, n, 0, slot, nuts, oils, circuits, energy)
    return shed_worth(o, n, 0, nuts, oils, circuits, energy)


@kernel
def choose_exchange(o, n, mask):
    acting = see.stage(o, n) == const.EXCHANGING
    slot = see.my_slot(o, n)
    nuts, oils = see.parts(o, n, 0, NUT), see.parts(o, n, 0, OIL)
    circuits, energy = see.parts(o, n, 0, CIRCUIT), see.parts(o, n, 0, ENERGY)
    best = act.PASS
    most = plan_worth(o, n, acting, slot, nuts, oils, circuits, energy) + ENOUGH_BETTER
    for exchange in range(act.REPAIR - act.EXCHANGE):
        if mask[act.EXCHANGE + exchange] == 0:
            continue
        a, b = after_exchange(exchange, NUT, nuts), after_exchange(exchange, OIL, oils)
        c, d = after_exchange(exchange, CIRCUIT, circuits), after_exchange(exchange, ENERGY, energy)
        if a < 0 or b < 0 or c < 0 or d < 0:
            continue  # another card file: it does not know this exchange
        worth = plan_worth(o, n, acting, slot, a, b, c, d)
        if worth > most:
            best = act.EXCHANGE + exchange
            most = worth
    return best


@kernel
def choose_action(o, n, mask):
    slot = see.my_slot(o, n)
    nuts, oils = see.parts(o, n, 0, NUT), see.parts(o, n, 0, OIL)
    circuits, energy = see.parts(o, n, 0, CIRCUIT), see.parts(o, n, 0, ENERGY)
    best = act.DISMANTLE
    most = dismantle_worth(o, n, 0, slot, nuts, oils, circuits, energy)
    if mask[act.REPAIR] != 0:
        worth = repair_worth(o, n, 0, slot, nuts, oils, circuits, energy)
        if worth > most:
            best = act.REPAIR
            most = worth
    for house in range(NUM_HOUSES):
        if mask[act.BUILD + house] != 0:
            worth = build_worth(o, n, house, nuts, oils, circuits, energy)
            if worth > most:
                best = act.BUILD + house
                most = worth
    return best


@kernel
def shed_with(o, n, first, second, change):
    """What the shed is worth with one part more or less of one or two kinds (-1: none)."""
    held = see.parts(o, n, 0, NUT) + change * ((first == NUT) + (second == NUT))
    oils = see.parts(o, n, 0, OIL) + change * ((first == OIL) + (second == OIL))
    circuits = see.parts(o, n, 0, CIRCUIT) + change * ((first == CIRCUIT) + (second == CIRCUIT))
    energy = see.parts(o, n, 0, ENERGY)
    return shed_worth(o, n, 0, max(0, held), max(0, oils), max(0, circuits), energy)


@kernel
def choose_parts(o, n, mask, first, change):
    """The naming of "?" and pairs, of a payment (``change`` -1) or a gain (1): the shed worth most after it."""
    best = -1
    most = UNPAYABLE
    for i in range(3 * BASE_KINDS):
        if mask[first + i] == 0:
            continue
        kind = i % BASE_KINDS
        if i < BASE_KINDS:
            worth = shed_with(o, n, kind, -1, change)
        elif i < 2 * BASE_KINDS:
            worth = shed_with(o, n, kind, kind, change)
        else:
            worth = shed_with(o, n, DIFFERENT_FIRST[kind], DIFFERENT_SECOND[kind], change)
        if worth > most:
            best = first + i
            most = worth
    return best


@kernel
def choose_alternative(o, n, mask):
    """The gift that leaves the shed worth most; what finds no room is lost."""
    card = see.feature(o, n, see.my_slot(o, n), see.NUMBER)
    best = act.ALTERNATIVE
    most = UNPAYABLE
    for alternative in range(const.GIFT_ALTERNATIVES):
        if mask[act.ALTERNATIVE + alternative] == 0:
            continue
        gift = see.GIFTS[card, alternative]
        worth = shed_worth(
            o,
            n,
            0,
            min(see.parts(o, n, 0, NUT) + gift[NUT], capacity(o, n, 0, NUT)),
            min(see.parts(o, n, 0, OIL) + gift[OIL], capacity(o, n, 0, OIL)),
            min(see.parts(o, n, 0, CIRCUIT) + gift[CIRCUIT], capacity(o, n, 0, CIRCUIT)),
            min(see.parts(o, n, 0, ENERGY) + gift[ENERGY], capacity(o, n, 0, ENERGY)),
        )
        if worth > most:
            best = act.ALTERNATIVE + alternative
            most = worth
    return best


@kernel
def choose_column(o, n, mask):
    """The column with least room."""
    best = -1
    least = 1000
    for kind in range(KINDS):
        space = see.room(o, n, 0, kind)
        if mask[act.EXTEND + kind] != 0 and space < least:
            best = act.EXTEND + kind
            least = space
    return best


@kernel
def choose_token_house(o, n, mask):
    """The house that would score most for it."""
    best = -1
    most = UNPAYABLE
    for house in range(NUM_HOUSES):
        if mask[act.TOKEN + house] != 0:
            points = house_points(o, n, 0, house, NO_TYPE, 0, 0)
            if points > most:
                best = act.TOKEN + house
                most = points
    return best


@register("greedy", game="lastdroid")
@policy
def greedy(observation, action_mask, rng):
    """What leaves it best off at once, one exchange looked ahead; it plans nothing"""
    n = see.players(observation)
    what = see.decision(observation, n)
    if what == const.WISH:
        return choose_wish(observation, n, action_mask)
    if what == const.GIVE or what == const.TIE:
        return choose_gift(observation, n, action_mask)
    if what == const.EXCHANGE:
        return choose_exchange(observation, n, action_mask)
    if what == const.ACTION:
        return choose_action(observation, n, action_mask)
    if what == const.PAY_ANY or what == const.PAY_PAIR:
        return choose_parts(observation, n, action_mask, act.PAY_ANY, -1)
    if what == const.GAIN_ANY or what == const.GAIN_PAIR:
        return choose_parts(observation, n, action_mask, act.GAIN_ANY, 1)
    if what == const.ALTERNATIVE:
        return choose_alternative(observation, n, action_mask)
    if what == const.EXTENSION:
        return choose_column(observation, n, action_mask)
    if what == const.BESIDE:
        return choose_side(observation, n)
    return choose_token_house(observation, n, action_mask)
