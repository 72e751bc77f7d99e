"""What a hand is worth: the chance of each of its cards to be laid, and what it counts if it is, or if it is not.

A card can be laid in a run or in a set, with what else is in hand and with cards that are still to come; or added to a
spread on the table. How likely a missing card comes depends on where it is: ``coming`` holds that chance for each place
of each suit (a card's number, as in ``robots_env.constants``). Cards of spreads do not come, those that another is
known to hold hardly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robots_env.bits import (
    LANE_BITS,
    count_bits,
    has,
    lane,
    lowest,
    suits_at,
    wilds_in,
    with_high_stars,
)
from robots_env.constants import LANE, NUM_SUITS
from tabletop.jit import kernel

from . import reading as see
from .common import ROBOT_POINTS, places, points, with_card
from .spreads import best_complete, in_lane, is_complete

TARGET = 250.0  # by the usual rules [E4]
COMING = LANE * NUM_SUITS  # how many chances there are: one a place and suit


class Scene(NamedTuple):
    """What a player sees of the table, as far as hands are valued by it."""

    high: int
    gaps_a: int  # what fits a spread on the table
    gaps_b: int
    robots_a: int  # what completes a robot
    robots_b: int
    fits: float  # the chance that what fits will be added
    caught: float
    wild: float
    ending: float  # what it is worth to end the round


@kernel
def scene(o, n, s):
    """The scene of an observation, in the eyes of a style."""
    least = 1.0 / max(see.smallest_other_hand(o, n), 1)
    gaps_a, gaps_b = see.gaps(o, n)
    robots_a, robots_b = see.robot_gaps(o, n)
    return Scene(
        see.star_high(o, n),
        gaps_a,
        gaps_b,
        robots_a,
        robots_b,
        s.fits if see.owns_a_spread(o, n, 0) else s.fits_barred,
        s.caught + s.caught_late * least,
        s.wild + s.wild_late * least,
        ending_worth(o, n, s),
    )


@kernel
def ending_worth(o, n, s):
    """What it is worth to end the round: what others are caught with, and the match if that ends it."""
    mine = see.score(o, n, 0) + see.played_points(o, n, 0)
    best = -1e9
    value = 0.0
    for role in range(1, n):
        caught = s.out * see.hand_size(o, n, role)
        value += caught / (n - 1)
        best = max(best, see.score(o, n, role) + see.played_points(o, n, role) - caught)
    if max(mine, best) >= TARGET:
        value += s.win if mine > best else -s.lose
    return value


@kernel
def write_coming(o, n, s, high, coming):
    """How likely the observer is to get each card that it does not hold."""
    a, b = see.cards(o, n, see.UNSEEN)
    unseen = see.unseen_count(o, n)
    turns = s.turns + s.turns_each * min(see.smallest_other_hand(o, n), 7)
    chance = min(0.8, turns / max(unseen, 1.0))
    coming[:] = 0.0
    mark(coming, a, b, chance)
    heap_a, heap_b = see.heap_cards(o, n)
    mark(coming, heap_a, heap_b, s.heap)
    for role in range(1, n):
        a, b = see.known_cards(o, n, role)
        mark(coming, a, b, s.held)
    write_high_stars(high, coming)


@kernel
def write_coming_to(o, n, role, high, coming):
    """How likely another player has each card, or the heap has it: as far as the observer knows."""
    a, b = see.cards(o, n, see.UNSEEN)
    known_a, known_b = see.known_cards(o, n, role)
    unknown = max(see.hand_size(o, n, role) - see.count(known_a, known_b), 0)
    coming[:] = 0.0
    mark(coming, a, b, min(1.0, unknown / max(see.unseen_count(o, n), 1.0)))
    mark(coming, known_a, known_b, 1.0)
    heap_a, heap_b = see.heap_cards(o, n)
    mark(coming, heap_a, heap_b, 0.8)
    write_high_stars(high, coming)


@kernel
def mark(coming, a, b, value):
    """The value for each suited card of a set."""
    b &= LANE_BITS
    while a != 0:
        coming[lowest(a)] = value
        a &= a - 1
    while b != 0:
        coming[64 + lowest(b)] = value
        b &= b - 1


@kernel
def write_high_stars(high, coming):
    """At the high place a star will do as well."""
    for suit in range(NUM_SUITS):
        at = LANE * suit
        coming[at + high] = 1.0 - (1.0 - coming[at + high]) * (1.0 - coming[at])


@kernel(inline=True)
def there(lanes, coming, suit, place):
    """The chance of a place of a suit: certain in hand."""
    if place < 0:
        return 0.0
    return 1.0 if (lanes >> place) & 1 != 0 else coming[LANE * suit + place]


@kernel
def chance(a, b, card, t, fits, beside, with_wild, coming):
    """How likely a card is to be laid from the hand (a, b): in a run, in a set or added.

    ``a`` and ``b`` have stars at the high place too. ``with_wild`` is the chance that a wild serves it, 0 without one.
    """
    missed = 1.0
    suit = card >> 4
    own = lane(a, b, suit)
    gaps = lane(t.gaps_a, t.gaps_b, suit)
    last = t.high if t.high > 13 else 13
    over = places(card, t.high)
    while over != 0:
        place = lowest(over)
        over &= over - 1
        if (gaps >> place) & 1 != 0:
            missed *= 1.0 - fits
        below_2 = there(own, coming, suit, place - 2)
        below_1 = there(own, coming, suit, place - 1)
        above_1 = there(own, coming, suit, place + 1) if place < last else 0.0
        above_2 = there(own, coming, suit, place + 2) if place + 1 < last else 0.0
        if place > 0 and (gaps >> (place - 1)) & 1 != 0:
            missed *= 1.0 - below_1 * beside
        if (gaps >> (place + 1)) & 1 != 0:
            missed *= 1.0 - above_1 * beside
        missed *= (1.0 - below_2 * below_1) * (1.0 - below_1 * above_1) * (1.0 - above_1 * above_2)
        none = 1.0
        one = 0.0
        for other in range(NUM_SUITS):
            if other != suit:
                q = there(lane(a, b, other), coming, other, place)
                one = one * (1.0 - q) + none * q
                none *= 1.0 - q
        missed *= none + one
        if with_wild > 0.0:
            missed *= 1.0 - with_wild * (
                1.0 - none * (1.0 - below_2) * (1.0 - below_1) * (1.0 - above_1) * (1.0 - above_2)
            )
    return 1.0 - missed


@kernel
def robot_chance(a, b, card, coming):
    """How likely the hand is to get all five of a card's number."""
    p = 1.0
    for suit in range(NUM_SUITS):
        p *= there(lane(a, b, suit), coming, suit, card & 15)
    return p


@kernel
def worth_of(a, b, card, t, s, coming):
    """What a suited card of the hand is worth, stars at the high place in (a, b)."""
    p = chance(a, b, card, t, t.fits, s.beside, s.with_wild if wilds_in(b) > 0 else 0.0, coming)
    counts = points(card)
    value = p * s.laid * counts - (1.0 - p) * t.caught * counts
    if has(t.robots_a, t.robots_b, card):
        value += ROBOT_POINTS * t.fits
    elif card & 15 != 0 and s.robot > 0.0:
        value += s.robot * ROBOT_POINTS * robot_chance(a, b, card, coming)
    number = (card & 15) + 1
    if s.number > 0.0 and number > 1:
        value += s.number * (count_bits(suits_at(a, b, number - 1)) - 1)
        if (lane(t.gaps_a, t.gaps_b, card >> 4) >> (number - 1)) & 1 != 0:
            value += s.number
    if number == 3:
        value += s.keep_recycle
    elif number == 5:
        value += s.keep_parts
    elif number == 9:
        value += s.keep_laser
    elif number == 11:
        value += s.keep_circuit
    return value + s.card


@kernel
def write_each(a, b, t, s, coming, each):
    """What each suited card of a hand is worth, for ``mean_after_draw``."""
    all_a = with_high_stars(a, t.high)
    all_b = with_high_stars(b & LANE_BITS, t.high) | (b & ~LANE_BITS)
    left = a
    while left != 0:
        each[lowest(left)] = worth_of(all_a, all_b, lowest(left), t, s, coming)
        left &= left - 1
    left = b & LANE_BITS
    while left != 0:
        each[64 + lowest(left)] = worth_of(all_a, all_b, 64 + lowest(left), t, s, coming)
        left &= left - 1


@kernel
def touched_by(a, b, card, high):
    """The cards of a hand whose chances change with a further card: of its number, or near it in its suit."""
    over = places(card, high)
    near = over | (over << 1) | (over << 2) | (over >> 1) | (over >> 2)
    if (near >> high) & 1 != 0:
        near |= 1
    suit_a, suit_b = in_lane(card >> 4, near & LANE_BITS)
    if (over >> high) & 1 != 0:
        over |= np.int64(1) | (np.int64(1) << high)
    column = over | (over << LANE) | (over << (2 * LANE)) | (over << (3 * LANE))
    return a & (suit_a | column), b & LANE_BITS & (suit_b | over)


@kernel
def worth_with(a, b, card, t, s, coming, each):
    """As ``worth_kept`` of the hand (a, b), whose cards are worth ``each``, with a further suited card; quicker."""
    more_a, more_b = with_card(a, b, card)
    if is_complete(more_a, more_b, t.high):
        return worth_kept(more_a, more_b, t, s, coming)
    all_a = with_high_stars(more_a, t.high)
    all_b = with_high_stars(more_b & LANE_BITS, t.high) | (more_b & ~LANE_BITS)
    touched_a, touched_b = touched_by(a, b, card, t.high)
    wilds = wilds_in(b)
    total = wilds * t.wild
    least = t.wild if wilds > 0 else 1e9
    value = worth_of(all_a, all_b, card, t, s, coming)
    total += value
    least = min(least, value)
    left = a
    while left != 0:
        i = lowest(left)
        left &= left - 1
        value = worth_of(all_a, all_b, i, t, s, coming) if (touched_a >> i) & 1 != 0 else each[i]
        total += value
        least = min(least, value)
    left = b & LANE_BITS
    while left != 0:
        i = lowest(left)
        left &= left - 1
        value = worth_of(all_a, all_b, 64 + i, t, s, coming) if (touched_b >> i) & 1 != 0 else each[64 + i]
        total += value
        least = min(least, value)
    return total - least


@kernel
def hand_worth(a, b, t, s, coming):
    """What a hand is worth: all its cards, and the least of them, which can be discarded."""
    wilds = wilds_in(b)
    total = wilds * t.wild
    least = t.wild if wilds > 0 else 1e9
    all_a = with_high_stars(a, t.high)
    all_b = with_high_stars(b & LANE_BITS, t.high) | (b & ~LANE_BITS)
    left = a
    while left != 0:
        value = worth_of(all_a, all_b, lowest(left), t, s, coming)
        total += value
        least = min(least, value)
        left &= left - 1
    left = b & LANE_BITS
    while left != 0:
        value = worth_of(all_a, all_b, 64 + lowest(left), t, s, coming)
        total += value
        least = min(least, value)
        left &= left - 1
    return total, least


@kernel
def settled(a, b, t, s, coming):
    """What a hand is worth once all spreads that are complete without wilds have been laid, and the least card of the
    rest."""
    laid = 0.0
    for _ in range(8):
        if not is_complete(a, b, t.high):
            break
        cards_a, cards_b, gaps_a, gaps_b, counts = best_complete(a, b, t.high)
        if counts <= 0.0:
            break
        laid += counts
        a &= ~cards_a
        b &= ~cards_b
        t = with_gaps(t, gaps_a, gaps_b, 0, 0)
    total, least = hand_worth(a, b, t, s, coming)
    return laid + total, least


@kernel
def with_gaps(t, more_a, more_b, robots_a, robots_b):
    """The scene once the player has laid or added something."""
    return Scene(
        t.high,
        t.gaps_a | more_a,
        t.gaps_b | more_b,
        t.robots_a | robots_a,
        t.robots_b | robots_b,
        t.fits,
        t.caught,
        t.wild,
        t.ending,
    )


@kernel
def worth(a, b, t, s, coming):
    """What a hand is worth, with all that can be laid."""
    total, _ = settled(a, b, t, s, coming)
    return total


@kernel
def worth_kept(a, b, t, s, coming):
    """What a hand is worth after its least card has been discarded."""
    total, least = settled(a, b, t, s, coming)
    return total - least if least < 1e9 else total
