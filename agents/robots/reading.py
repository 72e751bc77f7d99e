"""Reading an observation in compiled code: what a player sees, in the game's own nouns.

``o`` is the observation, ``n`` the number of players (``players(o)``), a ``role`` a seat as the observer counts them (0
is the observer). Sets of cards are pairs of words as in ``robots_env.bits``.
"""

from __future__ import annotations

import numpy as np

from robots_env.bits import ONE_WILD, card_of_rank
from robots_env.constants import DECISIONS, MAX_SPREADS, NUM_KINDS, NUM_PLACES, NUM_SUITS, SUITED, WILD, WILDS
from robots_env.encoder import HAND_SCALE, HEAP_SCALE
from robots_env.observation import layout
from tabletop.jit import kernel

_COUNTS = (2, 3, 4, 5)
_NAMES = tuple(section.name for section in layout(2))
# Where each section begins, by number of players: constants of the compiled code.
STARTS = np.array([[0] * len(_NAMES)] * 2 + [[layout(n).offsets[name] for name in _NAMES] for n in _COUNTS])
SIZES = np.array([0, 0, *(layout(n).size for n in _COUNTS)])
SETTINGS, DECISION, HAND_SIZES, HAND, KNOWN, HEAP, GAPS, SPREAD_OWNER, SPREAD_ENDS, SPREAD_SUITS = (
    _NAMES.index(name)
    for name in (
        "settings",
        "decision",
        "hand_sizes",
        "hand",
        "known",
        "heap",
        "gaps",
        "spread_owner",
        "spread_ends",
        "spread_suits",
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
    """A section of kinds of cards (*hand*) as a set."""
    a = np.int64(0)
    b = np.int64(0)
    start = STARTS[n, section]
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
