"""The Auto-Ecomechanic [O4-O9]."""

from __future__ import annotations

from tabletop.jit import kernel

from ..constants import AUTO, COMMUNICATION, FIRST_HOUSE, NUM_HOUSES
from .effects import lay_down
from .seats import card_of, lay_face_up


@kernel
def interest(g, rules, card):
    """The printed value and what the houses in play add to the droid's type, built or not [O6]."""
    value = rules.card[card].interest + 0
    for house in range(NUM_HOUSES):
        if g.between[house] >= 0:
            value += rules.card[FIRST_HOUSE + house].interest_shift[rules.card[card].type]
    return value


@kernel
def your_slot_by_interest(g, rules):
    """The slot that it hands you when it has priority: the card of lower interest; -1 when you decide [O5]."""
    first = interest(g, rules, g.offer[0])
    second = interest(g, rules, g.offer[1])
    if first == second:
        return -1
    return 1 if first > second else 0


@kernel
def wants_communication(g):
    """It repairs a communication droid only with fewer of them than you, or than lie discarded [O7]."""
    its = g.droids[AUTO, COMMUNICATION]
    return its < g.droids[0, COMMUNICATION] or its < g.face_up[0]


@kernel
def auto_acts(g, rules):
    """It repairs its card, paying nothing and ignoring the effect, or discards it [O4, O5, O7, O9]."""
    card = card_of(g, AUTO)
    if rules.card[card].type != COMMUNICATION or wants_communication(g):
        lay_down(g, rules, AUTO, card)
    else:
        lay_face_up(g, card, 0)


@kernel
def you_act_first(g, rules):
    """Both cards are communication droids [O8]."""
    return rules.card[g.offer[0]].type == COMMUNICATION and rules.card[g.offer[1]].type == COMMUNICATION
