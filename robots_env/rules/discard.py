"""Discards and calls of "Robots!" [K1-K4, D5]."""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel

from ..bits import ONE_WILD, bit, has, kinds, wilds_in
from ..constants import NO_CARD, NO_POWER, RESOLVING, ROUND_OVER, TURN_OVER, WILD
from .hands import hand_size, is_empty, lose
from .piles import lay_on_heap, top_of_heap
from .spreads import do_add, fitting, may_add


@kernel(inline=True)
def discards(g, rules, seat):
    """The kinds of cards that the player may discard [K1].

    None while the lowest card of a deep take is due [D3]; no last card that fits a spread [K4]; with
    ``discard_taken_card`` off not the card just taken alone off the heap, unless it is the last [D5].
    """
    a = g.hand[seat, 0]
    b = kinds(g.hand[seat, 1])
    if g.must_play != NO_CARD:
        return np.int64(0), np.int64(0)
    if hand_size(g, seat) == 1:
        fit_a, fit_b = fitting(g, rules)
        return a & ~fit_a, b & ~fit_b
    if g.taken != NO_CARD and rules.discard_taken_card == 0:
        card = np.int64(g.taken)
        if card == WILD:
            if wilds_in(g.hand[seat, 1]) == 1:
                b -= ONE_WILD
        elif card < 64:
            a &= ~bit(card)
        else:
            b &= ~bit(card)
    return a, b


@kernel
def can_keep(g, rules, seat):
    """The only card fits a spread, but P5 does not let the player add it: it is kept, nothing is discarded [K4]."""
    if hand_size(g, seat) != 1 or may_add(g, seat) or g.must_play != NO_CARD:
        return False
    fit_a, fit_b = fitting(g, rules)
    return (g.hand[seat, 0] & fit_a) | (kinds(g.hand[seat, 1]) & fit_b) != 0


@kernel
def do_keep(g):
    """[K4]"""
    g.stage = TURN_OVER


@kernel
def do_discard(g, rules, seat, card):
    """The card lies on the heap; its power acts [section 3], unless it was the last [E1, W9] or has acted [W10].

    Discards and cards laid for Extra Parts alike [W2].
    """
    lose(g, seat, card)
    lay_on_heap(g, card)
    g.discarded = 1
    g.taken = NO_CARD
    if is_empty(g, seat) and rules.power_on_last_discard == 0:
        g.stage = ROUND_OVER
        return
    g.stage = RESOLVING
    if rules.power[card] != NO_POWER and not has(g.acted[0], g.acted[1], card):
        g.power = rules.power[card]
        g.acted[card >> 6] |= bit(card)


@kernel
def can_call(g, rules, seat):
    """The card on top of the heap, discarded this turn [W8], fits a spread and the seat may add to it [K3, P5, W2]."""
    if g.discarded == 0 or not may_add(g, seat):
        return False
    fit_a, fit_b = fitting(g, rules)
    return has(fit_a, fit_b, np.int64(top_of_heap(g)))


@kernel
def do_call(g):
    """The card is added next; until then it lies on the heap [K3]."""
    do_add(g, top_of_heap(g))


@kernel
def do_decline_call(g):
    """Final [K3]."""
    g.order += 1
