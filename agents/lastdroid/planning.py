"""Decisions of the planning strategies: each kind of decision by what the turn, or the shed, is worth after it."""

from __future__ import annotations

from lastdroid_env import actions as act
from lastdroid_env import constants as const
from lastdroid_env.constants import (
    AUTO,
    BASE_KINDS,
    CIRCUIT,
    COMMUNICATION,
    DIFFERENT_FIRST,
    DIFFERENT_SECOND,
    ENERGY,
    KINDS,
    NUM_HOUSES,
    NUT,
    OIL,
    WATER,
)
from tabletop.jit import kernel

from . import reading as see
from . import standing as at
from . import turn as to
from . import weights as by
from .outlook import house_worth, shed_outlook, weigh
from .table import choose_side, neighbour, other_free, side

ROWS = to.ROWS + 4  # standings that a decision needs, and the worth of each card to each role
NODES = (to.TABLE, to.NODE)
SPACE = (ROWS, at.SIZE)
CARD_WORTH = to.ROWS  # the first row of the worths


@kernel
def auto_worth(o, n, slot):
    """What a card scores for the Auto-Ecomechanic, which repairs it for nothing [O7, O10]."""
    kind = see.droid_type(o, n, slot)
    printed = float(see.feature(o, n, slot, see.RP))
    if kind == WATER:
        return 0.5 * printed
    if kind == COMMUNICATION:
        its = see.droids(o, n, AUTO, COMMUNICATION)
        face_up = see.face_up_beside(o, n, AUTO)
        if its >= see.droids(o, n, 0, COMMUNICATION) and its >= face_up:
            return float(its - see.droids(o, n, 0, COMMUNICATION))
        if see.feature(o, n, slot, see.RP_OR) == 1:
            return max(printed, float(face_up))
        return printed + face_up
    return printed


@kernel
def value_cards(o, n, w, room, nodes):
    """The worth of each revealed card to each role, into ``room[CARD_WORTH + role, slot]``."""
    for role in range(see.roles(n)):
        if n == 1 and role == AUTO:
            for slot in range(2):
                leaves = see.feature(o, n, slot, see.CARD_LEAVES)
                room[CARD_WORTH + role, slot] = auto_worth(o, n, slot) + (w[by.LEAF] + 0.6) * leaves
            continue
        to.read_role(o, n, role, w, room)
        count = to.search(o, n, role, w, room[0], nodes)
        for slot in range(see.roles(n)):
            worth, _, _ = to.turn_worth(o, n, role, slot, w, room, nodes, count)
            room[CARD_WORTH + role, slot] = worth


@kernel
def given(o, n, w, room, role, slot):
    """What a card given to a role is worth to the observer."""
    worth = room[CARD_WORTH + role, slot]
    if role == 0:
        return worth
    return side(n, role) * worth * (w[by.GIFT] if n > 1 else w[by.GIFT_AUTO])


@kernel
def choose_gift(o, n, mask, w, room, nodes):
    """GIVE and TIE: the slot for the recipient, so that all that follows from it is best."""
    value_cards(o, n, w, room, nodes)
    own = see.my_slot(o, n) < 0
    best = -1
    most = to.NEVER * 10
    for slot in range(see.roles(n)):
        if mask[act.GIVE + slot] == 0:
            continue
        other = other_free(o, n, mask, slot)
        if n == 3:
            if own:
                a = 1 if slot == 0 else 0
                b = 1 if slot == 2 else 2
                one = given(o, n, w, room, 1, a) + given(o, n, w, room, 2, b)
                two = given(o, n, w, room, 1, b) + given(o, n, w, room, 2, a)
                worth = given(o, n, w, room, 0, slot) + max(one, two)
            else:
                worth = given(o, n, w, room, 1, slot) + given(o, n, w, room, 2, other)
        else:
            role = 1
            if n == 4:
                role = neighbour(o, n, see.flag(o, n, see.PRIORITY, 0))
            worth = given(o, n, w, room, 0, slot) + given(o, n, w, room, role, other)
        if worth > most:
            best = act.GIVE + slot
            most = worth
    return best


@kernel
def choose_wish(o, n, mask, w, room, nodes):
    to.read_role(o, n, 0, w, room)
    count = to.search(o, n, 0, w, room[0], nodes)
    best = act.WISH_NONE
    most = to.NEVER
    for slot in range(see.roles(n)):
        if mask[act.WISH + slot] != 0:
            worth, _, _ = to.turn_worth(o, n, 0, slot, w, room, nodes, count)
            if worth > most:
                best = act.WISH + slot
                most = worth
    return best


@kernel
def choose_exchange(o, n, mask, w, room, nodes):
    """The first exchange on the way to the shed from which the turn is worth most."""
    to.read_role(o, n, 0, w, room)
    count = to.search(o, n, 0, w, room[0], nodes)
    node = 0
    if see.stage(o, n) == const.EXCHANGING:
        _, node, _ = to.turn_worth(o, n, 0, see.my_slot(o, n), w, room, nodes, count)
    else:
        s = room[0]
        weigh(s, w)
        most = to.NEVER
        for i in range(count):
            worth = shed_outlook(s, w, nodes[i, 0], nodes[i, 1], nodes[i, 2], nodes[i, 3])
            worth -= w[by.STEP] * nodes[i, to.STEPS]
            if worth > most:
                node = i
                most = worth
    first = nodes[node, to.FIRST]
    if first >= 0 and mask[act.EXCHANGE + first] != 0:
        return act.EXCHANGE + first
    return act.PASS


@kernel
def choose_action(o, n, mask, w, room, nodes):
    to.read_role(o, n, 0, w, room)
    for kind in range(KINDS):
        nodes[0, kind] = see.parts(o, n, 0, kind)
    nodes[0, to.STEPS] = 0
    _, _, plan = to.turn_worth(o, n, 0, see.my_slot(o, n), w, room, nodes, 1)
    action = to.action_of(plan)
    return action if mask[action] != 0 else act.DISMANTLE


@kernel
def shed_with(o, n, w, s, first, second, change):
    """What the shed is worth with one part more or less of one or two kinds (-1: none)."""
    a = see.parts(o, n, 0, NUT) + change * ((first == NUT) + (second == NUT))
    b = see.parts(o, n, 0, OIL) + change * ((first == OIL) + (second == OIL))
    c = see.parts(o, n, 0, CIRCUIT) + change * ((first == CIRCUIT) + (second == CIRCUIT))
    return shed_outlook(s, w, max(0, a), max(0, b), max(0, c), see.parts(o, n, 0, ENERGY))


@kernel
def choose_parts(o, n, mask, w, s, first, change):
    """The naming of "?" and pairs, of a payment (``change`` -1) or a gain (1): the shed worth most after it."""
    best = -1
    most = to.NEVER * 10
    for i in range(3 * BASE_KINDS):
        if mask[first + i] == 0:
            continue
        kind = i % BASE_KINDS
        if i < BASE_KINDS:
            worth = shed_with(o, n, w, s, kind, -1, change)
        elif i < 2 * BASE_KINDS:
            worth = shed_with(o, n, w, s, kind, kind, change)
        else:
            worth = shed_with(o, n, w, s, DIFFERENT_FIRST[kind], DIFFERENT_SECOND[kind], change)
        if worth > most:
            best = first + i
            most = worth
    return best


@kernel
def choose_alternative(o, n, mask, w, s):
    """The gift that leaves the shed worth most; what finds no room is lost."""
    card = see.feature(o, n, see.my_slot(o, n), see.NUMBER)
    best = act.ALTERNATIVE
    most = to.NEVER * 10
    for alternative in range(const.GIFT_ALTERNATIVES):
        if mask[act.ALTERNATIVE + alternative] == 0:
            continue
        gift = see.GIFTS[card, alternative]
        worth = shed_outlook(
            s,
            w,
            to.least(s, NUT, see.parts(o, n, 0, NUT) + gift[NUT]),
            to.least(s, OIL, see.parts(o, n, 0, OIL) + gift[OIL]),
            to.least(s, CIRCUIT, see.parts(o, n, 0, CIRCUIT) + gift[CIRCUIT]),
            to.least(s, ENERGY, see.parts(o, n, 0, ENERGY) + gift[ENERGY]),
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
def choose_token_house(mask, w, s):
    """The house that would score most for it."""
    best = -1
    most = to.NEVER
    for house in range(NUM_HOUSES):
        if mask[act.TOKEN + house] != 0:
            points = house_worth(s, w, house)
            if points > most:
                best = act.TOKEN + house
                most = points
    return best


@kernel
def decide(o, mask, w, room, nodes):
    """The choice of the strategy with the weights ``w``; ``room`` and ``nodes`` are scratch of ``SPACE``, ``NODES``."""
    n = see.players(o)
    what = see.decision(o, n)
    if what == const.WISH:
        return choose_wish(o, n, mask, w, room, nodes)
    if what == const.GIVE or what == const.TIE:
        return choose_gift(o, n, mask, w, room, nodes)
    if what == const.EXCHANGE:
        return choose_exchange(o, n, mask, w, room, nodes)
    if what == const.ACTION:
        return choose_action(o, n, mask, w, room, nodes)
    if what == const.EXTENSION:
        return choose_column(o, n, mask)
    if what == const.BESIDE:
        return choose_side(o, n)
    s = room[0]
    at.survey(o, n, 0, s)
    s[at.LEFT] = 0.0 if at.ends_now(o, n) else see.turns_left(o, n)
    weigh(s, w)
    if what == const.PAY_ANY or what == const.PAY_PAIR:
        return choose_parts(o, n, mask, w, s, act.PAY_ANY, -1)
    if what == const.GAIN_ANY or what == const.GAIN_PAIR:
        return choose_parts(o, n, mask, w, s, act.GAIN_ANY, 1)
    if what == const.ALTERNATIVE:
        return choose_alternative(o, n, mask, w, s)
    return choose_token_house(mask, w, s)
