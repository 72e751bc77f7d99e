"""What follows from the rules and what lies on the table, whatever a player makes of it: for all agents."""

from __future__ import annotations

from lastdroid_env import actions as act
from lastdroid_env.constants import CIRCUIT, COMMUNICATION, ENERGY, NUM_HOUSES, NUT, OIL
from lastdroid_env.rules.sheds import payable
from tabletop.jit import kernel

from . import reading as see


@kernel
def most_of(nuts, oils, circuits, but):
    """The base kind held most, one excepted."""
    best = OIL if but == NUT else NUT
    held = oils if but == NUT else nuts
    if but != OIL and oils > held:
        best = OIL
        held = oils
    if but != CIRCUIT and circuits > held:
        best = CIRCUIT
    return best


@kernel
def capacity(o, n, role, kind):
    """How many parts of a kind a role can hold."""
    return see.parts(o, n, role, kind) + see.room(o, n, role, kind)


@kernel
def can_repair(o, n, role, slot, nuts, oils, circuits, energy):
    """Whether the parts pay a card's repair."""
    if energy < see.repair_icon(o, n, role, slot, ENERGY):
        return False
    nuts -= see.repair_icon(o, n, role, slot, NUT)
    oils -= see.repair_icon(o, n, role, slot, OIL)
    circuits -= see.repair_icon(o, n, role, slot, CIRCUIT)
    if nuts < 0 or oils < 0 or circuits < 0:
        return False
    same = see.repair_icon(o, n, role, slot, see.SAME_PAIRS)
    different = see.repair_icon(o, n, role, slot, see.DIFFERENT_PAIRS)
    return payable(nuts, oils, circuits, same, different, see.repair_icon(o, n, role, slot, see.ANY))


@kernel
def ends_the_game(o, n, house):
    """Whether somebody would have no available house left if this one were built (-1: none more)."""
    for role in range(see.roles(n)):
        left = 0
        beside = house < 0
        for pair in range(see.pairs(n)):
            if see.touches(n, pair, role):
                for other in range(NUM_HOUSES):
                    if see.flag(o, n, see.HOUSE_BETWEEN, pair * NUM_HOUSES + other) and not see.is_built(o, n, other):
                        left += 1
                        beside = beside or other == house
        if beside and left == (0 if house < 0 else 1):
            return True
    return False


@kernel
def after_exchange(exchange, kind, held):
    return held - see.EXCHANGE_GIVE[exchange, kind] + see.EXCHANGE_GET[exchange, kind]


@kernel
def side(n, role):
    """How much a role's gain counts: its own, a team mate's, an opponent's."""
    if role == 0:
        return 1.0
    if n <= 2:
        return -1.0
    return -0.5 if see.is_opponent(n, role) else 0.7


@kernel
def neighbour(o, n, clockwise):
    """Four players: to whom the observer hands a card: position 1 clockwise, position 2 the other way [D3, D4]."""
    return 1 if see.flag(o, n, see.FACES_CLOCKWISE, 0) == clockwise else 2


@kernel
def other_free(o, n, mask, slot):
    """The other slot that could be given now."""
    for other in range(see.roles(n)):
        if other != slot and mask[act.GIVE + other] != 0:
            return other
    return slot


@kernel
def choose_side(o, n):
    """A discarded communication droid goes beside the opponent with fewer communication droids."""
    after, before = see.droids(o, n, 1, COMMUNICATION), see.droids(o, n, 2, COMMUNICATION)
    return act.BESIDE if after <= before else act.BESIDE + 1
