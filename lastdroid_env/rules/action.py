"""The action: repair, dismantle or build [A1-A7]."""

from __future__ import annotations

from tabletop.jit import kernel

from ..constants import (
    APPLYING,
    BASE_KINDS,
    BUILDING,
    COMMUNICATION,
    DIFFERENT,
    DISCARDED,
    DISCARDING,
    DISMANTLING,
    ENERGY,
    FIRST_HOUSE,
    IDLE,
    KINDS,
    MAX_PAIRS,
    NOBODY,
    ON_TABLE,
    REPAIRING,
    SAME,
)
from .effects import begin_effect, energy_discount, extra_cost, lay_down
from .seats import card_of, clockwise, lay_face_up, touches
from .sheds import count_pairs, drop_first_pair, gain, holding, on_card, pay, payable


@kernel
def can_afford(g, rules, seat, card, discount, extra):
    """Whether the seat's parts pay a cost, with so much energy less and so many base parts more [A4, A7]."""
    cost = rules.card[card].cost
    if holding(g, seat, ENERGY) < cost[ENERGY] - discount:
        return False
    nuts = holding(g, seat, 0) - cost[0]
    oils = holding(g, seat, 1) - cost[1]
    circuits = holding(g, seat, 2) - cost[2]
    if nuts < 0 or oils < 0 or circuits < 0:
        return False
    pairs = rules.card[card].cost_pairs
    same = count_pairs(pairs, SAME)
    different = count_pairs(pairs, DIFFERENT)
    return payable(nuts, oils, circuits, same, different, rules.card[card].cost_any + extra)


@kernel
def begin_payment(g, rules, seat, card, discount, extra):
    """Fixed icons are paid at once; pairs, "?" and token parts are asked for [A4]."""
    for kind in range(BASE_KINDS):
        pay(g, seat, kind, rules.card[card].cost[kind])
    pay(g, seat, ENERGY, max(0, rules.card[card].cost[ENERGY] - discount))
    for i in range(MAX_PAIRS):
        g.owed_pairs[i] = rules.card[card].cost_pairs[i]
    g.owed_any = rules.card[card].cost_any + extra


@kernel
def can_repair(g, rules, seat):
    """[A1, F12]"""
    return can_afford(g, rules, seat, card_of(g, seat), energy_discount(g, seat), 0)


@kernel
def do_repair(g, rules, seat):
    """[A1, F12]"""
    g.task = REPAIRING
    g.target = card_of(g, seat)
    begin_payment(g, rules, seat, g.target, energy_discount(g, seat), 0)


@kernel
def can_build(g, rules, seat, house):
    """An available house that can be paid, an opponent's tokens included [A3, S2-S4, F5]."""
    if g.between[house] < 0 or g.builder[house] != NOBODY or not touches(g, g.between[house], seat):
        return False
    card = FIRST_HOUSE + house
    return can_afford(g, rules, seat, card, 0, extra_cost(g, seat, card))


@kernel
def do_build(g, rules, seat, house):
    """The droid card is discarded first, then the house is paid [A3]."""
    g.task = BUILDING
    g.target = FIRST_HOUSE + house
    discard(g, rules, seat)
    if not opponent_due(g, rules, seat):
        begin_payment(g, rules, seat, g.target, 0, extra_cost(g, seat, g.target))


@kernel
def do_dismantle(g, rules, seat):
    """Fixed parts come at once; pairs and "?" are asked for [A2, A5]. Always possible."""
    card = card_of(g, seat)
    g.task = DISMANTLING
    g.target = card
    for kind in range(KINDS):
        n = rules.card[card].gain[kind]
        if n > 0:
            g.named |= 1 << kind
            gain(g, seat, kind, n)
    for i in range(MAX_PAIRS):
        g.due_pairs[i] = rules.card[card].gain_pairs[i]
    g.due_any = rules.card[card].gain_any


@kernel
def gain_named(g, rules, seat, kind):
    """A part of choice, into the shed or onto droid 65 or 71 [A5, F9]; of a dismantled card it counts for F7."""
    if g.task == DISMANTLING:
        g.named |= 1 << kind
    if on_card(g, rules):
        g.stored[rules.card[g.target].store, kind] += 1
    else:
        gain(g, seat, kind, 1)


@kernel
def do_gain_any(g, rules, seat, kind):
    """[A5]"""
    gain_named(g, rules, seat, kind)
    g.due_any -= 1


@kernel
def do_gain_pair(g, rules, seat, first, second):
    """[A5]: second -1 when a different pair finds room for one kind only."""
    gain_named(g, rules, seat, first)
    if second >= 0:
        gain_named(g, rules, seat, second)
    drop_first_pair(g.due_pairs)


@kernel
def discard(g, rules, seat):
    """Face down; a communication droid face up between the two opponents; of three players the opponent is asked
    for [A2, A3, A6]."""
    card = card_of(g, seat)
    if rules.card[card].type != COMMUNICATION:
        g.place[card] = DISCARDED
    elif g.num_players == 4:
        lay_face_up(g, card, seat // 2)
    elif g.num_players != 3:
        lay_face_up(g, card, 0)


@kernel
def opponent_due(g, rules, seat):
    """Whether, of three players, the opponent beside whom the discarded droid goes is still to be named [A6]."""
    if g.num_players != 3 or (g.task != BUILDING and g.task != DISCARDING):
        return False
    card = card_of(g, seat)
    return rules.card[card].type == COMMUNICATION and g.place[card] == ON_TABLE


@kernel
def do_lay_beside(g, rules, seat, side):
    """Between the actor and the next (0) or the previous (1) player clockwise [A6]. A build is paid after it [A3]."""
    lay_face_up(g, card_of(g, seat), seat if side == 0 else clockwise(g, seat, 2))
    if g.task == BUILDING:
        begin_payment(g, rules, seat, g.target, 0, extra_cost(g, seat, g.target))


@kernel
def complete(g, rules, seat):
    """All is paid: the card is laid down or the house is the seat's, and its effect begins [A1, A3]."""
    if g.task == REPAIRING:
        lay_down(g, rules, seat, g.target)
    else:
        g.builder[g.target - FIRST_HOUSE] = seat
    g.task = APPLYING
    begin_effect(g, rules, seat, g.target)


@kernel
def finish(g):
    """The action is over; the next seat acts [T2]."""
    g.task = IDLE
    g.target = 0
    g.named = 0
    g.order += 1
