"""Powers [W1-W10]."""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel

from ..actions import PICK, PICK_WILD
from ..bits import LANE_BITS, bit, card_of_rank, count_bits, has, lowest, mark_cards, rank
from ..constants import (
    EXTRA_CARDS,
    LANE,
    MAX_SEATS,
    NO_CARD,
    NO_POWER,
    NOBODY,
    SPREAD,
    WILD,
)
from .hands import gain
from .piles import can_draw, draw_card, lay_under_heap, place_in_heap, take_from_heap
from .seats import clockwise
from .spreads import card_at, cells_of, is_run, occupy, recount, vacate

# --- Recycle [W1] -----------------------------------------------------------------------------------------------------


@kernel
def can_recycle(g, at):
    """Any other card of the heap [W1]."""
    return at >= 0 and at < g.heap_size - 1


@kernel
def mask_recycling(g, mask):
    """Every card of the heap that ``can_recycle`` allows. Returns how many."""
    n = 0
    wilds = 1 if g.heap[g.heap_size - 1] == WILD else 0
    for i in range(g.heap_size - 2, -1, -1):
        card = np.int64(g.heap[i])
        if card == WILD:
            mask[PICK_WILD + wilds] = 1
            wilds += 1
        else:
            mask[PICK + rank(card)] = 1
        n += 1
    return n


@kernel
def do_recycle(g, seat, action):
    """[W1, W11]"""
    gain(g, seat, np.int64(take_from_heap(g, place_in_heap(g, action))), True)
    g.power = NO_POWER


@kernel
def do_decline(g):
    """[W7]"""
    g.power = NO_POWER


# --- Extra Parts [W2] -------------------------------------------------------------------------------------------------


@kernel
def do_draw_parts(g, rules, seat):
    """Two cards, or what there is; as many are laid next, and the player may add nothing until its next turn [W2]."""
    for _ in range(EXTRA_CARDS):
        if can_draw(g, rules):
            draw_card(g, rules, seat)
            g.lays += 1
            g.barred[seat] = 1
    g.power = NO_POWER


# --- Tractor Beam and Short Circuit [W3, W6] --------------------------------------------------------------------------


@kernel
def beam(g):
    """The lower half of the heap without this card, rounded up, goes under the factory, its lowest card to be drawn
    first; all have seen which [W3, W11]."""
    block = g.heap_size // 2  # of heap_size - 1 cards, rounded up
    if block > 0:
        for i in range(g.factory_size - 1, -1, -1):
            g.factory[i + block] = g.factory[i]
        for i in range(block):
            g.factory[block - 1 - i] = g.heap[i]
        g.heap_size -= block
        for i in range(g.heap_size):
            g.heap[i] = g.heap[i + block]
        for i in range(block):
            g.heap[g.heap_size + i] = NO_CARD
        g.factory_size += block
        g.under += block
    g.power = NO_POWER


@kernel
def short_circuit(g):
    """It does not add up, and nobody is skipped twice without a turn between [W6]."""
    g.skip = 1 - g.skipped[clockwise(g, g.player + 0, 1)]
    g.power = NO_POWER


# --- Freakin' Laser Beam [W4, W5] -------------------------------------------------------------------------------------


@kernel(inline=True)
def in_aim(g, seat, slot):
    """A spread that an opponent owns, and no robot [W4, P6]."""
    return g.owner[slot] != NOBODY and g.owner[slot] != seat and g.robot[slot] == NOBODY


@kernel
def suited_targets(g, seat):
    """The suited cards that the laser may hit, as a set [W4]."""
    a = np.int64(0)
    b = np.int64(0)
    for slot in range(g.slots):
        if not in_aim(g, seat, slot):
            continue
        cells = np.int64(g.cells[slot] & ~g.wild_cells[slot])
        if is_run(g, slot):
            suit = np.int64(g.suit[slot])
            stars = np.int64(g.star_cells[slot])
            suited = (cells & ~stars) | (1 if stars != 0 else 0)
            if suit < 4:
                a |= suited << (LANE * suit)
            else:
                b |= suited
        else:
            while cells != 0:
                card = card_at(g, slot, lowest(cells))
                if card < 64:
                    a |= np.int64(1) << card
                else:
                    b |= np.int64(1) << (card & 63)
                cells &= cells - 1
    return a, b


@kernel
def wild_targets(g, seat):
    """Of the wilds in all spreads, in the order of slots and from the lowest cell, those that the laser may hit."""
    bits = np.int64(0)
    which = 0
    for slot in range(g.slots):
        n = count_bits(np.int64(g.wild_cells[slot]))
        if in_aim(g, seat, slot):
            bits |= ((np.int64(1) << n) - 1) << which
        which += n
    return bits


@kernel
def has_target(g, seat):
    for slot in range(g.slots):
        if in_aim(g, seat, slot):
            return True
    return False


@kernel
def can_hit(g, seat, action):
    """[W4]"""
    if action >= PICK_WILD:
        return (wild_targets(g, seat) >> (action - PICK_WILD)) & 1 != 0
    a, b = suited_targets(g, seat)
    return has(a, b, card_of_rank(action - PICK))


@kernel
def mask_targets(g, seat, mask):
    """Every card that ``can_hit`` allows. Returns how many."""
    a, b = suited_targets(g, seat)
    n = mark_cards(mask, PICK, a, b, 1)
    bits = wild_targets(g, seat)
    while bits != 0:
        mask[PICK_WILD + lowest(bits)] = 1
        bits &= bits - 1
        n += 1
    return n


@kernel
def do_hit(g, rules, action):
    """Find the card and burn it out of its spread [W4]."""
    wanted = card_of_rank(action - PICK) if action < PICK_WILD else WILD
    skip = max(action - PICK_WILD, 0)
    for slot in range(g.slots):
        cells = cells_of(g, slot)
        while cells != 0:
            cell = lowest(cells)
            cells &= cells - 1
            if card_at(g, slot, cell) == wanted:
                if skip == 0:
                    burn(g, rules, slot, cell)
                    g.power = NO_POWER
                    return
                skip -= 1


@kernel
def burn(g, rules, slot, cell):
    """The card goes to the bottom of the heap; what is left of the spread stays or returns to its owner [W4, W5]."""
    lay_under_heap(g, card_at(g, slot, cell))
    forget_player(g, card_at(g, slot, cell))
    at = np.int64(1) << cell
    cells = cells_of(g, slot) & ~at
    keep_cells(g, slot, cells)
    if is_run(g, slot):
        low = cells & (at - 1)
        high = cells & ~(at - 1)
        keeps_low = stands(g, slot, low)
        keeps_high = stands(g, slot, high)
        if keeps_low and keeps_high:
            split(g, slot, high)
            keep_cells(g, slot, low)
        elif keeps_low:
            take_back(g, slot, high)
            keep_cells(g, slot, low)
        elif keeps_high:
            take_back(g, slot, low)
            keep_cells(g, slot, high)
        else:
            take_back(g, slot, cells)
            vacate(g, slot)
    elif not stands(g, slot, cells):
        take_back(g, slot, cells)
        vacate(g, slot)
    recount(g, rules)


@kernel
def forget_player(g, card):
    """The card leaves its spread: it scores for nobody [W4]."""
    if card != WILD:
        for seat in range(MAX_SEATS):
            g.played[seat, card >> 6] &= ~bit(card)


@kernel
def stands(g, slot, cells):
    """Three cards or more, not all of them wilds, are still a spread [W4, W5, C4]."""
    return count_bits(cells) >= SPREAD and cells & ~np.int64(g.wild_cells[slot]) & LANE_BITS != 0


@kernel
def keep_cells(g, slot, cells):
    """Only these cells of the spread are left."""
    g.cells[slot] &= cells
    g.wild_cells[slot] &= cells
    g.star_cells[slot] &= cells
    for seat in range(MAX_SEATS):
        g.wilds_by[slot, seat] &= cells


@kernel
def take_back(g, slot, cells):
    """These cards go to the owner's hand, whoever had added them [W4, W5]; all have seen which [W11]."""
    while cells != 0:
        card = card_at(g, slot, lowest(cells))
        forget_player(g, card)
        gain(g, g.owner[slot] + 0, card, True)
        cells &= cells - 1


@kernel
def split(g, slot, cells):
    """The upper stretch of a run that is cut becomes a spread of the same owner [W5]."""
    new = occupy(g, g.owner[slot] + 0, g.suit[slot] + 0, 0)
    g.cells[new] = cells
    g.wild_cells[new] = g.wild_cells[slot] & cells
    g.star_cells[new] = g.star_cells[slot] & cells
    for seat in range(MAX_SEATS):
        g.wilds_by[new, seat] = g.wilds_by[slot, seat] & cells
