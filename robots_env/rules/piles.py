"""The robot factory and the scrap heap [C6, D2, D4]. Both lie bottom card first."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.rng import shuffle

from ..actions import PICK, PICK_WILD
from ..bits import card_of_rank
from ..constants import NO_CARD, WILD
from .hands import gain, hidden_wilds


@kernel(inline=True)
def lay_on_heap(g, card):
    g.heap[g.heap_size] = card
    g.heap_size += 1


@kernel(inline=True)
def top_of_heap(g):
    return g.heap[g.heap_size - 1] + 0


@kernel
def take_from_heap(g, at):
    """The card at a place of the heap, counted from the bottom, leaves it."""
    card = g.heap[at] + 0
    g.heap_size -= 1
    for i in range(at, g.heap_size):
        g.heap[i] = g.heap[i + 1]
    g.heap[g.heap_size] = NO_CARD
    return card


@kernel
def lay_under_heap(g, card):
    """[W4]"""
    for i in range(g.heap_size, 0, -1):
        g.heap[i] = g.heap[i - 1]
    g.heap[0] = card
    g.heap_size += 1


@kernel
def place_in_heap(g, action):
    """Where in the heap the card of a PICK action lies, -1 if it does not. Wilds are counted from the top."""
    card = card_of_rank(action - PICK) if action < PICK_WILD else WILD
    skip = max(action - PICK_WILD, 0)
    for i in range(g.heap_size - 1, -1, -1):
        if g.heap[i] == card:
            if skip == 0:
                return i
            skip -= 1
    return -1


@kernel(inline=True)
def can_refill(g, rules):
    """[D4]: only while refills are left, and where it gives a card."""
    return g.refills < rules.max_refills and g.heap_size >= 2


@kernel(inline=True)
def can_draw(g, rules):
    """[D1, D4]"""
    return g.factory_size > 0 or can_refill(g, rules)


@kernel
def refill(g):
    """The heap except its top card is shuffled into a new factory; which cards is known to all [D4, W11]."""
    g.refills += 1
    g.shuffled_wilds = 0
    for i in range(g.heap_size - 1):
        card = g.heap[i] + 0
        g.factory[i] = card
        if card == WILD:
            g.shuffled_wilds += 1
        else:
            g.shuffled[card] = g.refills
        g.heap[i] = NO_CARD
    g.factory_size = g.heap_size - 1
    g.heap[0] = top_of_heap(g)
    if g.heap_size > 1:
        g.heap[g.heap_size - 1] = NO_CARD
    g.heap_size = 1
    g.under = 0
    shuffle(g, g.factory, 0, g.factory_size + 0)


@kernel
def draw_card(g, rules, seat):
    """The top card of the factory comes into a hand [D1, D4]; a card known to lie there stays known [W11]."""
    if g.factory_size == 0:
        refill(g)
    g.factory_size -= 1
    card = g.factory[g.factory_size] + 0
    g.factory[g.factory_size] = NO_CARD
    seen = g.factory_size < g.under
    if seen:
        g.under -= 1
    elif card == WILD:
        g.wilds_since[seat, hidden_wilds(g, seat)] = g.refills
    gain(g, seat, card, seen)
