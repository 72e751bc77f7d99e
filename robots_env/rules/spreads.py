"""Spreads on the table: what fits where, additions, robots [C3, C4, P2-P7]."""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel

from ..bits import LANE_BITS, NUMBERS, ONE_WILD, STARS, bit, kinds
from ..constants import (
    CALLING,
    FIRST_NUMBER,
    LANE,
    LAST_NUMBER,
    MAX_SEATS,
    MAX_SPREADS,
    NO_CARD,
    NOBODY,
    NUM_SUITS,
    WILD,
)
from .hands import lose
from .piles import take_from_heap

ALL_SUITS = 2**NUM_SUITS - 1
# Of suits 0-3 as bits: the lowest place of each one's lane.
LANES = np.array([sum((suits >> s & 1) << (LANE * s) for s in range(4)) for suits in range(16)], np.int64)


# --- What lies on the table -----------------------------------------------------------------------------------------


@kernel(inline=True)
def is_run(g, slot):
    return g.number[slot] == 0


@kernel(inline=True)
def cells_of(g, slot):
    return np.int64(g.cells[slot])


@kernel(inline=True)
def place_below(cells):
    """The place below a run as a bit, 0 if it begins at 1 [P4]."""
    return (cells & -cells) >> 1


@kernel(inline=True)
def place_above(cells, rules):
    """The place above a run as a bit, 0 if it ends at the highest place [P4]."""
    return (cells + (cells & -cells)) & rules.places & LANE_BITS


@kernel
def card_at(g, slot, cell):
    """The card that fills a cell; a star is place 0 of its suit wherever it lies [C3]."""
    at = 1 << cell
    if g.wild_cells[slot] & at:
        return WILD
    suit = g.suit[slot] + 0 if is_run(g, slot) else cell
    place = cell if is_run(g, slot) else g.number[slot] - 1
    return LANE * suit + (0 if g.star_cells[slot] & at else place)


@kernel
def recount(g, rules):
    """Count the tallies anew: gaps [P2-P4] and spreads owned [P5]."""
    a = np.int64(0)
    b = np.int64(0)
    g.owned[:] = 0
    for slot in range(g.slots):
        if g.owner[slot] == NOBODY:
            continue
        g.owned[g.owner[slot]] += 1
        cells = cells_of(g, slot)
        if is_run(g, slot):
            suit = np.int64(g.suit[slot])
            gap = place_below(cells) | place_above(cells, rules)
            if suit < 4:
                a |= gap << (LANE * suit)
            else:
                b |= gap
        else:
            place = np.int64(g.number[slot] - 1)
            missing = ~cells & ALL_SUITS
            a |= LANES[missing & 15] << place
            b |= (missing >> 4) << place
    g.gaps[0] = a
    g.gaps[1] = b


@kernel(inline=True)
def fitting(g, rules):
    """The kinds of cards that could be added to a spread on the table, whosesoever [C3, C4, P2-P4]."""
    a = g.gaps[0]
    b = g.gaps[1]
    fit_a = (a & NUMBERS) | ((a | (a >> rules.high)) & STARS)
    fit_b = (b & NUMBERS) | ((b | (b >> rules.high)) & 1)
    if a | b != 0:
        fit_b |= ONE_WILD
    return fit_a, fit_b


@kernel(inline=True)
def may_add(g, seat):
    """A player with a spread of its own may add to any [P5], unless Extra Parts forbids it [W2]."""
    return g.owned[seat] > 0 and g.barred[seat] == 0


# --- Additions --------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def additions(g, rules, seat):
    """The kinds of cards in hand that the player may add [P1, P5]; just after a deep take only the card due [D3]."""
    if not may_add(g, seat):
        return np.int64(0), np.int64(0)
    fit_a, fit_b = fitting(g, rules)
    fit_a &= g.hand[seat, 0]
    fit_b &= kinds(g.hand[seat, 1])
    if g.must_play != NO_CARD:
        due = np.int64(1) << np.int64(g.must_play & 63)
        if g.must_play < 64:
            return fit_a & due, np.int64(0)
        return np.int64(0), fit_b & due
    return fit_a, fit_b


@kernel
def do_add(g, card):
    """The card is named; where it goes is asked next [P1]."""
    g.adding = card


@kernel
def fills(rules, card, suit, gap):
    """Whether a card can stand for the place ``gap`` (a bit) of a suit [C3, C4]."""
    if gap == 0:
        return False
    if card == WILD:
        return True
    if card >> 4 != suit:
        return False
    place = card & 15
    if place == 0:
        return gap & (1 | (1 << rules.high)) != 0
    return gap == 1 << place


@kernel
def can_place_onto(g, rules, slot):
    """The card being added fits into a set [P3], or at the high end of a run [P4]."""
    card = np.int64(g.adding)
    if slot >= g.slots or g.owner[slot] == NOBODY:
        return False
    cells = cells_of(g, slot)
    if is_run(g, slot):
        return fills(rules, card, g.suit[slot] + 0, place_above(cells, rules))
    if card == WILD:
        return cells != ALL_SUITS
    suit = card >> 4
    return (cells >> suit) & 1 == 0 and fills(rules, card, suit, np.int64(1) << np.int64(g.number[slot] - 1))


@kernel
def can_place_below(g, rules, slot):
    """The card being added fits at the low end of a run [P4]."""
    if slot >= g.slots or g.owner[slot] == NOBODY or not is_run(g, slot):
        return False
    return fills(rules, np.int64(g.adding), g.suit[slot] + 0, place_below(cells_of(g, slot)))


@kernel
def do_place_onto(g, rules, seat, slot):
    """[P1, P5]; of a wild added to a set the suit is asked next [C4]."""
    card = np.int64(g.adding)
    if is_run(g, slot):
        add_to_cell(g, rules, seat, slot, place_above(cells_of(g, slot), rules))
    elif card == WILD:
        g.target = slot
    else:
        add_to_cell(g, rules, seat, slot, np.int64(1) << (card >> 4))


@kernel
def do_place_below(g, rules, seat, slot):
    """[P1, P5]"""
    add_to_cell(g, rules, seat, slot, place_below(cells_of(g, slot)))


@kernel
def can_name(g, suit):
    """A wild stands for a suit that the set lacks [P3, C4]."""
    return (g.cells[g.target] >> suit) & 1 == 0


@kernel
def do_name(g, rules, seat, suit):
    """[C4]"""
    add_to_cell(g, rules, seat, g.target + 0, np.int64(1) << suit)


@kernel
def add_to_cell(g, rules, seat, slot, at):
    """The card leaves the hand, or after a call the heap, and fills the cell ``at`` (a bit) [P1, K3]."""
    card = g.adding + 0
    if g.stage == CALLING:
        take_from_heap(g, g.heap_size - 1)
        g.order = g.num_players  # K3: the first to call takes it
    else:
        lose(g, seat, card)
    fill_cell(g, seat, slot, at, card)
    complete_robot(g, rules, seat, slot)
    g.adding = NO_CARD
    g.target = NOBODY
    g.must_play = NO_CARD
    recount(g, rules)


@kernel
def fill_cell(g, seat, slot, at, card):
    """It stays the card of whoever played it [P5]."""
    g.cells[slot] |= at
    if card == WILD:
        g.wild_cells[slot] |= at
        g.wilds_by[slot, seat] |= at
        return
    g.played[seat, card >> 6] |= bit(card)
    if card & 15 == 0:
        g.star_cells[slot] |= at


@kernel
def complete_robot(g, rules, seat, slot):
    """All five suits of a number 2-14, without stars, and without wilds unless the rule set lets them: its robot card
    lies on it from now on [C2, P6, P7]."""
    number = g.number[slot]
    if number < FIRST_NUMBER or number > LAST_NUMBER or g.cells[slot] != ALL_SUITS or g.star_cells[slot] != 0:
        return
    if g.wild_cells[slot] == 0 or rules.wild_completes_robot == 1:
        g.robot[slot] = seat


# --- Slots ------------------------------------------------------------------------------------------------------------


@kernel
def free_slot(g):
    """The lowest free slot. There is one: every spread holds three of the 74 cards or more."""
    for slot in range(MAX_SPREADS):
        if g.owner[slot] == NOBODY:
            return slot
    return MAX_SPREADS - 1


@kernel
def occupy(g, seat, suit, number):
    """A spread without cards yet: a run of a suit (number 0), or a set of a number (suit -1)."""
    slot = free_slot(g)
    g.slots = max(np.int64(g.slots), slot + 1)
    g.owner[slot] = seat
    g.suit[slot] = suit
    g.number[slot] = number
    return slot


@kernel
def vacate(g, slot):
    g.owner[slot] = NOBODY
    g.suit[slot] = NOBODY
    g.number[slot] = 0
    g.cells[slot] = 0
    g.wild_cells[slot] = 0
    g.star_cells[slot] = 0
    for seat in range(MAX_SEATS):
        g.wilds_by[slot, seat] = 0
    while g.slots > 0 and g.owner[g.slots - 1] == NOBODY:
        g.slots -= 1
