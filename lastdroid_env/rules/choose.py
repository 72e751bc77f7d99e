"""Choosing droids [D1-D5, O4, O5]."""

from __future__ import annotations

from tabletop.jit import kernel

from ..constants import MAX_SEATS, NOBODY, ON_TABLE
from .seats import clockwise, is_solo, seat_in_order, seats


@kernel
def reveal(g, rules):
    """As many droids as players, from one deck; four players two from each of two [D1, D3]."""
    n = seats(g)
    for slot in range(MAX_SEATS):
        g.offer[slot] = 0
        g.given_to[slot] = NOBODY
        g.wish[slot] = NOBODY
    for slot in range(n):
        deck = 1 if n == 4 and slot >= 2 else 0
        card = g.deck[deck, g.drawn[deck]]
        g.drawn[deck] += 1
        g.offer[slot] = card
        g.place[card] = ON_TABLE
        g.left[rules.card[card].season - 1, rules.card[card].type] -= 1


@kernel
def wishers(g):
    """How many players may name a card before the choice [D2, D3]; none in the solo game."""
    if g.table_talk == 0 or is_solo(g):
        return 0
    return 2 if g.num_players == 4 else g.num_players - 1


@kernel
def wisher(g, order):
    """Who speaks in this place: the others in order [D2]; position 3, then 4 [D3, D5]."""
    if g.num_players == 4:
        return seat_in_order(g, order + 2)
    return seat_in_order(g, order + 1)


@kernel
def choices(g):
    """How many choices are made: all cards but the last of each distributor [D1, D3]."""
    return 2 if g.num_players >= 3 else 1


@kernel
def chooser(g, choice):
    """Who chooses [D1; D5: position 1, then 2]; solo always you [O4, O5]."""
    if is_solo(g):
        return 0
    return seat_in_order(g, choice) if g.num_players == 4 else g.priority + 0


@kernel
def recipient(g, choice):
    """To whom the chosen card goes: first oneself; of three, then the next player clockwise [D1]."""
    if g.num_players == 3:
        return clockwise(g, g.priority, choice)
    return chooser(g, choice)


@kernel
def last_recipient(g, choice):
    """Who gets the card that is left: the other player; position 3 from 1, position 4 from 2 [D1, D3]."""
    if g.num_players == 4:
        return seat_in_order(g, choice + 2)
    if g.num_players == 3:
        return clockwise(g, g.priority, 2)
    return 1 - recipient(g, choice)


@kernel
def in_reach(g, place, slot):
    """Whether a slot is one of those that this wish or choice is about [D3: each half of the table its own]."""
    if g.num_players == 4:
        return slot // 2 == place
    return slot < seats(g)


@kernel
def can_wish(g, slot):
    """[D2]"""
    return in_reach(g, g.order, slot)


@kernel
def do_wish(g, slot):
    """[D2]: slot -1 for none."""
    g.wish[g.actor] = slot
    g.order += 1


@kernel
def can_give(g, slot):
    """[D1, D3]"""
    return in_reach(g, g.order - wishers(g), slot) and g.given_to[slot] == NOBODY


@kernel
def do_give(g, slot):
    """Lay the card before its recipient, and the last card before the last one [D1, D3, O4, O5]."""
    choice = g.order - wishers(g)
    g.given_to[slot] = recipient(g, choice)
    g.order += 1
    left = 0
    last = 0
    for other in range(MAX_SEATS):
        if in_reach(g, choice, other) and g.given_to[other] == NOBODY:
            left += 1
            last = other
    if left == 1:
        g.given_to[last] = last_recipient(g, choice)
