"""Reading an observation in compiled code: what a player sees, in the game's own nouns.

``o`` is the observation, ``n`` the number of players (``players(o)``), a ``role`` a seat as the observer counts them (0
is the observer). Sets of cards are pairs of words as in ``robots_env.bits``.
"""

from __future__ import annotations

import numpy as np

from robots_env.bits import LANE_BITS, ONE_WILD, card_of_rank, count_bits, lowest, rank, wilds_in
from robots_env.constants import (
    DECISIONS,
    LANE,
    MAX_SPREADS,
    NUM_KINDS,
    NUM_PLACES,
    NUM_SUITS,
    SUIT_CARDS,
    SUITED,
    WILD,
    WILDS,
)
from robots_env.encoder import FACTORY_SCALE, HAND_SCALE, HEAP_SCALE, SCORE_SCALE, TURN_SCALE
from robots_env.observation import layout
from tabletop.jit import kernel

_COUNTS = (2, 3, 4, 5)
_NAMES = tuple(section.name for section in layout(2))
# Where each section begins, by number of players: constants of the compiled code.
STARTS = np.array([[0] * len(_NAMES)] * 2 + [[layout(n).offsets[name] for name in _NAMES] for n in _COUNTS])
SIZES = np.array([0, 0, *(layout(n).size for n in _COUNTS)])
(
    SETTINGS,
    TURNS,
    SCORES,
    DECISION,
    HAND_SIZES,
    PILES,
    SKIPPED,
    ACTED,
    HEAP,
    WILD_SPREAD,
    STAR_SPREAD,
    SPREAD_OWNER,
    SPREAD_ENDS,
    SPREAD_SUITS,
    HAND,
    KNOWN,
    PLAYED,
    UNSEEN,
    GAPS,
) = (
    _NAMES.index(name)
    for name in (
        "settings",
        "turns",
        "scores",
        "decision",
        "hand_sizes",
        "piles",
        "skipped",
        "acted",
        "heap",
        "wild_spread",
        "star_spread",
        "spread_owner",
        "spread_ends",
        "spread_suits",
        "hand",
        "known",
        "played",
        "unseen",
        "gaps",
    )
)


@kernel
def players(o):
    """How many players the observation's game has."""
    for n in range(2, 6):
        if SIZES[n] == o.shape[0]:
            return n
    return 0


@kernel(inline=True)
def whole(value, scale):
    """A count, as it was before it was scaled."""
    return int(np.floor(value * scale + 0.5))


@kernel(inline=True)
def flag(o, n, section, i):
    return o[STARTS[n, section] + i] > 0.5


@kernel
def decision(o, n):
    for what in range(len(DECISIONS)):
        if flag(o, n, DECISION, what):
            return what
    return -1


@kernel
def star_high(o, n):
    """The high place of a star, counted from 0."""
    return NUM_PLACES - 1 if flag(o, n, SETTINGS, 0) else NUM_PLACES - 2


@kernel
def cards(o, n, section):
    """A section of kinds of cards (*hand*, *unseen*) as a set."""
    return cards_from(o, STARTS[n, section])


@kernel
def cards_from(o, start):
    """The kinds of cards written from ``start`` on as a set."""
    a = np.int64(0)
    b = np.int64(0)
    for r in range(SUITED):
        if o[start + r] > 0.5:
            card = card_of_rank(r)
            if card < 64:
                a |= np.int64(1) << card
            else:
                b |= np.int64(1) << (card & 63)
    return a, b + ONE_WILD * whole(o[start + NUM_KINDS - 1], float(WILDS))


@kernel
def hand_size(o, n, role):
    return whole(o[STARTS[n, HAND_SIZES] + role], HAND_SCALE)


@kernel(inline=True)
def was_taken(o, n, r):
    """Whether everybody knows that the observer holds the card of a rank: it took it off the heap, or it came back."""
    return flag(o, n, KNOWN, r)


@kernel
def smallest_other_hand(o, n):
    """How few cards somebody else holds."""
    least = 99
    for role in range(1, n):
        least = min(least, hand_size(o, n, role))
    return least


@kernel
def heap_in_order(o, n, order):
    """The heap's cards into ``order``, the top one first; returns how many."""
    start = STARTS[n, HEAP]
    size = 0
    for i in range(SUITED + WILDS):
        depth = whole(o[start + i], HEAP_SCALE)
        if depth > 0:
            order[depth - 1] = card_of_rank(i) if i < SUITED else WILD
            size = max(size, depth)
    return size


@kernel
def fits_a_spread(o, n, card):
    """Whether a suited card can be added to a spread on the table."""
    start = STARTS[n, GAPS] + NUM_PLACES * (card >> 4)
    place = card & 15
    return o[start + place] > 0.5 or (place == 0 and o[start + star_high(o, n)] > 0.5)


@kernel(inline=True)
def spread_end(o, n, slot, end):
    """The lowest (0) or highest (1) place of a spread, from 1; of a set both are its number."""
    return whole(o[STARTS[n, SPREAD_ENDS] + 2 * slot + end], float(NUM_PLACES))


@kernel
def suits_of(o, n, slot):
    """How many suits a spread has: of a run one."""
    suits = 0
    for suit in range(NUM_SUITS):
        suits += flag(o, n, SPREAD_SUITS, NUM_SUITS * slot + suit)
    return suits


@kernel
def is_set(o, n, slot):
    return spread_end(o, n, slot, 0) == spread_end(o, n, slot, 1)


@kernel
def length_of(o, n, slot):
    """How many cards a spread has."""
    return suits_of(o, n, slot) if is_set(o, n, slot) else spread_end(o, n, slot, 1) - spread_end(o, n, slot, 0) + 1


@kernel
def spread_with(o, n, card):
    """The spread of somebody else in which a number card lies or could lie as itself; -1 if there is none."""
    suit = card >> 4
    number = (card & 15) + 1
    for slot in range(MAX_SPREADS):
        low = spread_end(o, n, slot, 0)
        high = spread_end(o, n, slot, 1)
        if low == 0 or number < low or number > high or flag(o, n, SPREAD_OWNER, slot * n):
            continue
        if flag(o, n, SPREAD_SUITS, NUM_SUITS * slot + suit):
            return slot
    return -1


@kernel
def heap_cards(o, n):
    """The heap as a set."""
    start = STARTS[n, HEAP]
    a = np.int64(0)
    b = np.int64(0)
    for i in range(SUITED + WILDS):
        if o[start + i] > 0.0:
            if i >= SUITED:
                b += ONE_WILD
            elif i < 4 * SUIT_CARDS:
                a |= np.int64(1) << card_of_rank(i)
            else:
                b |= np.int64(1) << (card_of_rank(i) & 63)
    return a, b


@kernel
def heap_size(o, n):
    return whole(o[STARTS[n, PILES] + 1], HEAP_SCALE)


@kernel
def factory_size(o, n):
    return whole(o[STARTS[n, PILES]], FACTORY_SCALE)


@kernel
def known_cards(o, n, role):
    """The cards that everybody knows a player to hold, as a set."""
    return cards_from(o, STARTS[n, KNOWN] + NUM_KINDS * role)


@kernel
def gaps(o, n):
    """What could be added to a spread on the table, as places in each suit's lane."""
    start = STARTS[n, GAPS]
    a = np.int64(0)
    b = np.int64(0)
    for suit in range(NUM_SUITS):
        for place in range(NUM_PLACES):
            if o[start + NUM_PLACES * suit + place] > 0.5:
                if suit < 4:
                    a |= np.int64(1) << (LANE * suit + place)
                else:
                    b |= np.int64(1) << place
    return a, b


@kernel
def robot_gaps(o, n):
    """The cards that would complete a robot: the fifth suit of a set of four without a wild, as a set."""
    a = np.int64(0)
    b = np.int64(0)
    for slot in range(MAX_SPREADS):
        place = spread_end(o, n, slot, 0) - 1
        if place >= 0 and is_set(o, n, slot) and suits_of(o, n, slot) == NUM_SUITS - 1 and is_pure(o, n, slot):
            for suit in range(NUM_SUITS):
                if not flag(o, n, SPREAD_SUITS, NUM_SUITS * slot + suit):
                    if suit < 4:
                        a |= np.int64(1) << (LANE * suit + place)
                    else:
                        b |= np.int64(1) << place
    return a, b


@kernel
def is_pure(o, n, slot):
    """Whether a spread has neither wild nor star."""
    for i in range(WILDS):
        if whole(o[STARTS[n, WILD_SPREAD] + i], float(MAX_SPREADS)) == slot + 1:
            return False
    for suit in range(NUM_SUITS):
        if whole(o[STARTS[n, STAR_SPREAD] + suit], float(MAX_SPREADS)) == slot + 1:
            return False
    return True


@kernel
def owns_a_spread(o, n, role):
    for slot in range(MAX_SPREADS):
        if flag(o, n, SPREAD_OWNER, slot * n + role):
            return True
    return False


@kernel
def has_acted(o, n, card):
    """Whether the power of a suited card has acted this turn."""
    return flag(o, n, ACTED, rank(card))


@kernel
def turns(o, n):
    """How many turns of the round are over."""
    return whole(o[STARTS[n, TURNS]], TURN_SCALE)


@kernel
def score(o, n, role):
    """Points from the rounds that are over."""
    return float(whole(o[STARTS[n, SCORES] + role], SCORE_SCALE))


@kernel
def played_points(o, n, role):
    """The points of the suited cards that a player has in spreads."""
    start = STARTS[n, PLAYED] + SUITED * role
    total = 0.0
    for r in range(SUITED):
        if o[start + r] > 0.5:
            place = r % SUIT_CARDS
            total += place + 1.0 if place > 0 else 15.0
    return total


@kernel
def count(a, b):
    """How many cards a set has."""
    return count_bits(a) + count_bits(b & LANE_BITS) + wilds_in(b)


@kernel
def unseen_count(o, n):
    """How many cards the observer cannot place."""
    a, b = cards(o, n, UNSEEN)
    return count(a, b)


@kernel
def points_of(a, b):
    """What the cards of a set count, by the usual rules [E3]."""
    total = 15.0 * wilds_in(b)
    b &= LANE_BITS
    while a != 0:
        place = lowest(a) & 15
        total += place + 1.0 if place > 0 else 15.0
        a &= a - 1
    while b != 0:
        place = lowest(b) & 15
        total += place + 1.0 if place > 0 else 15.0
        b &= b - 1
    return total
