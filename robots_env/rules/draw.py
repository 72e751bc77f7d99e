"""Drawing [D1-D5, E5]."""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel

from ..actions import PICK, PICK_WILD
from ..bits import bit, has, rank
from ..constants import NO_CARD, PLAYING, ROUND_OVER, WILD
from .hands import gain
from .laying import playable_in_new_spread
from .piles import can_draw, draw_card, place_in_heap
from .spreads import fitting, may_add


@kernel
def do_draw(g, rules, seat):
    """The top card of the factory [D1]."""
    draw_card(g, rules, seat)
    g.stage = PLAYING


@kernel
def can_decline_draw(g, rules):
    """Where only the heap is left, the player need not take from it; the round then ends [E5]."""
    return not can_draw(g, rules)


@kernel
def do_decline_draw(g):
    """[E5]"""
    g.stage = ROUND_OVER


@kernel(inline=True)
def playable_at_once(rules, adding, fit_a, fit_b, a, b, card):
    """Whether the lowest card of a deep take can be played at once from the hand (a, b) that holds it [D3]: added to a
    spread that it fits (fit_a, fit_b), where that is allowed (``adding``), or in a new one."""
    return (adding and has(fit_a, fit_b, card)) or playable_in_new_spread(rules, a, b, card)


@kernel
def can_take(g, rules, seat, at):
    """The heap's card at a place with all above it [D1]: the top card always, any other if it can be played [D3]."""
    if at < 0:
        return False
    if at == g.heap_size - 1:
        return True
    a = g.hand[seat, 0]
    b = g.hand[seat, 1]
    for i in range(at, g.heap_size):
        card = np.int64(g.heap[i])
        if card < 64:
            a += bit(card)
        else:
            b += bit(card)
    fit_a, fit_b = fitting(g, rules)
    return playable_at_once(rules, may_add(g, seat), fit_a, fit_b, a, b, np.int64(g.heap[at]))


@kernel
def mask_takes(g, rules, seat, mask):
    """Every card of the heap that ``can_take`` allows, in one pass from the top. Returns how many."""
    a = g.hand[seat, 0]
    b = g.hand[seat, 1]
    adding = may_add(g, seat)
    fit_a, fit_b = fitting(g, rules)
    n = 0
    wilds = 0
    for i in range(g.heap_size - 1, -1, -1):
        card = np.int64(g.heap[i])
        if card < 64:
            a += bit(card)
        else:
            b += bit(card)
        if i == g.heap_size - 1 or playable_at_once(rules, adding, fit_a, fit_b, a, b, card):
            mask[PICK_WILD + wilds if card == WILD else PICK + rank(card)] = 1
            n += 1
        if card == WILD:
            wilds += 1
    return n


@kernel
def do_take(g, seat, action):
    """The card and all above it come into hand, known to all [D1, W11]; of two or more the lowest is due [D3]."""
    at = place_in_heap(g, action)
    card = np.int64(g.heap[at])
    if at == g.heap_size - 1:
        g.taken = card
    else:
        g.must_play = card
    for i in range(at, g.heap_size):
        gain(g, seat, np.int64(g.heap[i]), True)
        g.heap[i] = NO_CARD
    g.heap_size = at
    g.stage = PLAYING
