"""Writes an observation: one function a section or a few, in the order of ``observation.layout``.

Each writer fills its part of ``out`` (``float32``, zeroed before) from ``at`` and returns where the next one begins; a
test holds the ends against the layout. Of what is hidden nothing is read but the observer's own hand: the others' hands
only as far as everybody knows of them [W11], the factory only where it is known. Seats count from the observer,
clockwise.
"""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel

from .actions import PICK, PICK_WILD
from .bits import CARD_BITS, LANE_BITS, ONE_WILD, count_bits, lowest, mark, mark_cards, rank, wilds_in
from .constants import (
    DECISIONS,
    FIRST_NUMBER,
    LANE,
    LAST_NUMBER,
    MAX_SPREADS,
    NO_CARD,
    NO_SPREAD,
    NOBODY,
    NUM_KINDS,
    NUM_PLACES,
    NUM_SUITS,
    RUN,
    SPREAD,
    SUIT_CARDS,
    SUITED,
    TO_CALL,
    TO_PLAY,
    TO_SUBSTITUTE,
    WILD,
    WILDS,
)
from .rules.hands import hand_size
from .rules.piles import top_of_heap
from .rules.seats import clockwise
from .rules.spreads import is_run

# Scales: what a value is divided by.
SCORE_SCALE = 250.0
ROUND_SCALE = 10.0
TURN_SCALE = 100.0
HAND_SCALE = 10.0
FACTORY_SCALE = 60.0
HEAP_SCALE = 20.0
LAYS_SCALE = 2.0
_SCORE, _ROUND, _TURN, _HAND = 1 / SCORE_SCALE, 1 / ROUND_SCALE, 1 / TURN_SCALE, 1 / HAND_SCALE
_FACTORY, _HEAP, _LAYS, _WILDS = 1 / FACTORY_SCALE, 1 / HEAP_SCALE, 1 / LAYS_SCALE, 1 / WILDS
_SLOT, _PLACE = 1 / MAX_SPREADS, 1 / NUM_PLACES

NUM_SETTINGS = 4
LAID_CARDS = SUITED + WILDS  # a pile: every suited card, and the wilds by their order in it
ROBOTS = LAST_NUMBER - FIRST_NUMBER + 1


# Eight flags from eight bits: copying rows of a table is quicker than testing bit by bit.
_FLAGS = np.array([[bits >> i & 1 for i in range(8)] for bits in range(256)], np.float32).ravel()


@kernel(inline=True)
def write_eight(bits, out, at):
    """Eight flags. Indices without a sign need no check, and the eight become one move."""
    row = np.uint64((bits & 255) << 3)
    start = np.uint64(at)
    for i in range(8):
        out[start + np.uint64(i)] = _FLAGS[row + np.uint64(i)]


@kernel(inline=True)
def write_lane(cards, out, at):
    """The flags of one suit's 14 cards, and of a 15th that what is written next takes back."""
    write_eight(cards & 127, out, at)
    write_eight((cards >> 7) & 127, out, at + 7)


@kernel(inline=True)
def write_plane(a, b, out, at):
    """A flag for each suited card of a set. Something must be written behind it."""
    write_lane(a, out, at)
    write_lane(a >> LANE, out, at + SUIT_CARDS)
    write_lane(a >> (2 * LANE), out, at + 2 * SUIT_CARDS)
    write_lane(a >> (3 * LANE), out, at + 3 * SUIT_CARDS)
    write_lane(b, out, at + 4 * SUIT_CARDS)
    return at + SUITED


@kernel(inline=True)
def role_of(g, me, seat):
    """A seat as ``me`` counts it: 0 myself, 1 the next one clockwise."""
    return seat - me if seat >= me else seat - me + g.num_players


@kernel(inline=True)
def write_match(g, rules, me, out, at):
    """settings, round, turns, scores"""
    row = out[at : at + NUM_SETTINGS + 2]
    row[0] = 1.0 if rules.high == NUM_PLACES - 1 else 0.0
    row[1] = rules.wild_completes_robot
    row[2] = rules.discard_taken_card
    row[3] = rules.power_on_last_discard
    row[4] = g.round_number * _ROUND
    row[5] = g.turns * _TURN
    at += NUM_SETTINGS + 2
    for r in range(g.num_players):
        out[at + r] = g.scores[clockwise(g, me, r)] * _SCORE
    return at + g.num_players


@kernel(inline=True)
def write_procedure(g, me, out, at):
    """dealer, player, actor, decision"""
    n = np.int64(g.num_players)
    out[at + role_of(g, me, g.dealer + 0)] = 1.0
    out[at + n + role_of(g, me, g.player + 0)] = 1.0
    if g.actor != NOBODY:
        out[at + 2 * n + role_of(g, me, g.actor + 0)] = 1.0
    at += 3 * n
    # Whether a spread being laid could hold another wild or star tells of the hand: to the others it is a play.
    out[at + (TO_PLAY if g.decision == TO_SUBSTITUTE and g.actor != me else g.decision)] = 1.0
    return at + len(DECISIONS)


@kernel(inline=True)
def write_counts(g, me, out, at):
    """hand_sizes, piles, due, skip, lays, barred, skipped"""
    n = np.int64(g.num_players)
    for r in range(n):
        out[at + r] = hand_size(g, clockwise(g, me, r)) * _HAND
        out[at + n + 6 + r] = g.barred[clockwise(g, me, r)]
        out[at + 2 * n + 6 + r] = g.skipped[clockwise(g, me, r)]
    row = out[at + n : at + n + 6]
    row[0] = g.factory_size * _FACTORY
    row[1] = g.heap_size * _HEAP
    row[2] = g.refills
    row[3] = 1.0 if g.must_play != NO_CARD else 0.0
    row[4] = g.skip
    row[5] = g.lays * _LAYS
    return at + 3 * n + 6


@kernel
def card_in_question(g, rules):
    """The card being added, called for or due; with ``discard_taken_card`` off the one that may not be discarded."""
    if g.adding != NO_CARD:
        return g.adding + 0
    if g.decision == TO_CALL:
        return top_of_heap(g)
    if g.must_play != NO_CARD:
        return g.must_play + 0
    if (g.decision == TO_PLAY or g.decision == TO_SUBSTITUTE) and rules.discard_taken_card == 0:
        return g.taken + 0
    return NO_CARD


@kernel(inline=True)
def write_play(g, rules, me, out, at):
    """card, acted, laying_suits, laying_places, laying_wilds, laying_stars, laying_next, target"""
    card = card_in_question(g, rules)
    if card != NO_CARD:
        out[at + rank(card)] = 1.0
    at += NUM_KINDS
    mark_cards(out, at, g.acted[0], g.acted[1], 1.0)
    at += SUITED
    if g.laying != NO_SPREAD and g.actor == me:
        write_laying(g, out, at)
    at += NUM_SUITS + NUM_PLACES + 3 * SPREAD
    out[at] = (g.target + 1) * _SLOT
    return at + 1


@kernel
def write_laying(g, out, at):
    """The suits and places of the spread being laid, and what its three cards are so far."""
    cells = np.int64(g.laying_cells)
    if g.laying == RUN:
        out[at + g.laying_suit] = 1.0
        mark(out, at + NUM_SUITS, cells, 1.0)
    else:
        mark(out, at, cells, 1.0)
        out[at + NUM_SUITS + g.laying_number - 1] = 1.0
    at += NUM_SUITS + NUM_PLACES
    for i in range(SPREAD):
        cell = cells & -cells
        cells &= cells - 1
        if g.laying_wilds & cell:
            out[at + i] = 1.0
        if g.laying_stars & cell:
            out[at + SPREAD + i] = 1.0
    if g.laying_from < SPREAD:
        out[at + 2 * SPREAD + g.laying_from] = 1.0


@kernel(inline=True)
def write_hand(a, b, out, at):
    """Suited cards as flags, then the number of wilds."""
    at = write_plane(a, b, out, at)
    out[at] = wilds_in(b) * _WILDS
    return at + 1


@kernel(inline=True)
def write_heap(g, out, at):
    """heap, top; returns the heap as two words too."""
    a = np.int64(0)
    b = np.int64(0)
    wilds = 0
    size = np.int64(g.heap_size)
    for i in range(size - 1, -1, -1):
        card = np.int64(g.heap[i])
        if card == WILD:
            out[at + PICK_WILD - PICK + wilds] = (size - i) * _HEAP
            wilds += 1
        else:
            out[at + rank(card)] = (size - i) * _HEAP
            if card < 64:
                a |= np.int64(1) << card
            else:
                b |= np.int64(1) << (card & 63)
    at += LAID_CARDS
    if size > 0:
        out[at + rank(np.int64(g.heap[size - 1]))] = 1.0
    return at + NUM_KINDS, a, b + wilds * ONE_WILD


@kernel(inline=True)
def write_under(g, out, at):
    """under; returns the known cards of the factory as two words too."""
    a = np.int64(0)
    b = np.int64(0)
    wilds = 0
    for i in range(g.under - 1, -1, -1):
        card = np.int64(g.factory[i])
        draws = (g.factory_size - i) * _FACTORY
        if card == WILD:
            out[at + SUITED + wilds] = draws
            wilds += 1
        else:
            out[at + rank(card)] = draws
            if card < 64:
                a |= np.int64(1) << card
            else:
                b |= np.int64(1) << (card & 63)
    return at + LAID_CARDS, a, b + wilds * ONE_WILD


@kernel
def write_wilds(g, me, slot, which, out, at):
    """wild_suit, wild_place, wild_by, wild_spread: what a spread's wilds stand for, who played them, where they lie.

    ``which`` counts the wilds of the spreads before it; returns the count with these.
    """
    n = np.int64(g.num_players)
    run = is_run(g, slot)
    cells = np.int64(g.wild_cells[slot])
    while cells != 0:
        cell = lowest(cells)
        cells &= cells - 1
        out[at + which * NUM_SUITS + (g.suit[slot] if run else cell)] = 1.0
        out[at + WILDS * NUM_SUITS + which] = (cell + 1 if run else g.number[slot]) * _PLACE
        by = at + WILDS * (NUM_SUITS + 1)
        for r in range(n):
            if (g.wilds_by[slot, clockwise(g, me, r)] >> cell) & 1:
                out[by + which * n + r] = 1.0
        out[by + WILDS * n + which] = (slot + 1) * _SLOT
        which += 1
    return which


@kernel
def write_stars(g, slot, out, at):
    """star_as, star_spread"""
    run = is_run(g, slot)
    cells = np.int64(g.star_cells[slot])
    while cells != 0:
        cell = lowest(cells)
        cells &= cells - 1
        suit = g.suit[slot] + 0 if run else cell
        place = cell if run else g.number[slot] - 1
        out[at + 2 * suit + (0 if place == 0 else 1)] = 1.0
        out[at + 2 * NUM_SUITS + suit] = (slot + 1) * _SLOT


@kernel(inline=True)
def write_spreads(g, me, out, at):
    """robots, the wilds, the stars, then spread_owner, spread_ends, spread_suits; returns how many wilds too."""
    n = np.int64(g.num_players)
    wilds_at = at + n * ROBOTS
    stars_at = wilds_at + WILDS * (NUM_SUITS + n + 2)
    owner_at = stars_at + 3 * NUM_SUITS
    ends_at = owner_at + MAX_SPREADS * n
    suits_at = ends_at + MAX_SPREADS * 2
    special = np.int64(0)
    robots = np.int64(0)
    for slot in range(g.slots):
        if g.owner[slot] == NOBODY:
            continue
        out[np.uint64(owner_at + slot * n + role_of(g, me, g.owner[slot] + 0))] = 1.0
        cells = np.int64(g.cells[slot])
        number = np.int64(g.number[slot])
        run = number == 0
        suits = np.int64(1) << (g.suit[slot] & 7) if run else cells
        write_eight(suits, out, suits_at + slot * NUM_SUITS)
        low = lowest(cells) + 1 if run else number
        ends = np.uint64(ends_at + slot * 2)
        out[ends] = low * _PLACE
        out[ends + np.uint64(1)] = (low + count_bits(cells) - 1 if run else number) * _PLACE
        special |= np.int64(g.wild_cells[slot] | g.star_cells[slot] != 0) << slot
        robots |= np.int64(g.robot[slot] != NOBODY) << slot
    wilds = 0
    while special != 0:
        slot = lowest(special)
        special &= special - 1
        wilds = write_wilds(g, me, slot, wilds, out, wilds_at)
        write_stars(g, slot, out, stars_at)
    while robots != 0:
        slot = lowest(robots)
        robots &= robots - 1
        out[at + role_of(g, me, g.robot[slot] + 0) * ROBOTS + g.number[slot] - FIRST_NUMBER] = 1.0
    return suits_at + MAX_SPREADS * NUM_SUITS, wilds


@kernel(inline=True)
def write_reshuffled(g, a, b, out, at):
    """Of what the observer cannot place, which refill was the last to shuffle it."""
    if g.refills > 0:
        out[at + SUITED] = min(wilds_in(b), g.shuffled_wilds) * _WILDS
        while a != 0:
            card = lowest(a)
            a &= a - 1
            out[at + rank(card)] = g.shuffled[card]
        b &= LANE_BITS
        while b != 0:
            card = lowest(b) + 64
            b &= b - 1
            out[at + rank(card)] = g.shuffled[card]
    return at + NUM_KINDS


@kernel(inline=True)
def write_places(places, out, at):
    write_eight(places & 127, out, at)
    write_eight(places >> 7, out, at + 7)
    return at + NUM_PLACES


@kernel(inline=True)
def write_gaps(g, out, at):
    a = g.gaps[0]
    at = write_places(a & LANE_BITS, out, at)
    at = write_places((a >> LANE) & LANE_BITS, out, at)
    at = write_places((a >> (2 * LANE)) & LANE_BITS, out, at)
    at = write_places((a >> (3 * LANE)) & LANE_BITS, out, at)
    return write_places(g.gaps[1], out, at)


@kernel(inline=True)
def full_planes(g):
    """The length of the sections from ``hand`` on, every element of which is written."""
    return 2 * NUM_KINDS + g.num_players * (NUM_KINDS + SUITED) + NUM_SUITS * NUM_PLACES


@kernel
def encode(g, rules, me, out):
    """What the player in seat ``me`` knows, into ``out`` (float32, ``observation.layout(num_players).size`` long)."""
    out[: out.shape[0] - full_planes(g)] = 0.0
    at = write_match(g, rules, me, out, 0)
    at = write_procedure(g, me, out, at)
    at = write_counts(g, me, out, at)
    at = write_play(g, rules, me, out, at)
    # Every card that the observer can place: no card lies in two places, so that sums do not carry.
    at, a, b = write_heap(g, out, at)
    at, more_a, more_b = write_under(g, out, at)
    at, wilds = write_spreads(g, me, out, at)
    a |= more_a | g.hand[me, 0]
    b += more_b + g.hand[me, 1] + wilds * ONE_WILD
    for seat in range(g.num_players):
        a |= g.played[seat, 0]
        b |= g.played[seat, 1]
        if seat != me:
            a |= g.known[seat, 0]
            b += g.known[seat, 1]
    a = CARD_BITS & ~a
    b = (CARD_BITS & LANE_BITS & ~b) + (WILDS - wilds_in(b)) * ONE_WILD
    at = write_reshuffled(g, a, b, out, at)
    at = write_hand(g.hand[me, 0], g.hand[me, 1], out, at)
    for r in range(g.num_players):
        seat = clockwise(g, me, r)
        at = write_hand(g.known[seat, 0], g.known[seat, 1], out, at)
    for r in range(g.num_players):
        seat = clockwise(g, me, r)
        at = write_plane(g.played[seat, 0], g.played[seat, 1], out, at)
    at = write_hand(a, b, out, at)
    return write_gaps(g, out, at)
