"""Spreads that a hand can lay without wilds."""

from __future__ import annotations

import numpy as np

from robots_env.bits import LANE_BITS, lane, lowest, places_of_sets, suits_at, with_high_stars
from robots_env.constants import LANE, NUM_SUITS, SPREAD
from tabletop.jit import kernel

from . import reading as see
from .common import ROBOT_POINTS


@kernel
def length_from(places_, low):
    """How many places in a row, from a lowest one on."""
    length = 0
    while (places_ >> (low + length)) & 1 != 0:
        length += 1
    return length


@kernel(inline=True)
def in_lane(suit, bits):
    """Places of one suit as a set of cards."""
    if suit < 4:
        return np.int64(bits) << (LANE * suit), np.int64(0)
    return np.int64(0), np.int64(bits)


@kernel(inline=True)
def cards_at(a, b, suit, places_, high):
    """The cards of a hand that stand at these places of a suit, as a set: at the high place the number before the
    star."""
    held = lane(a, b, suit)
    cards = held & places_
    if (places_ >> high) & 1 != 0 and (high > 13 or (held >> high) & 1 == 0):
        cards = (cards & ~(np.int64(1) << high)) | 1
    return in_lane(suit, cards)


@kernel
def best_complete(a, b, high):
    """The complete spread without wilds that counts most: its cards as a set, what would fit it then, its points."""
    all_a = with_high_stars(a, high)
    all_b = with_high_stars(b & LANE_BITS, high)
    last = high if high > 13 else 13
    most = 0.0
    best_a = np.int64(0)
    best_b = np.int64(0)
    gaps_a = np.int64(0)
    gaps_b = np.int64(0)
    for suit in range(NUM_SUITS):
        own = lane(all_a, all_b, suit)
        starts = own & (own >> 1) & (own >> 2)
        while starts != 0:
            low = lowest(starts)
            length = length_from(own, low)
            if low == 0 and low + length - 1 == high and high > 2:
                length -= 1  # the star cannot stand at both ends
            over = ((np.int64(1) << length) - 1) << low
            starts &= ~over
            if length < SPREAD:
                continue
            cards_a, cards_b = cards_at(a, b, suit, over, high)
            counts = see.points_of(cards_a, cards_b)
            if counts > most:
                most = counts
                best_a, best_b = cards_a, cards_b
                gap = np.int64(0)
                if low > 0:
                    gap |= np.int64(1) << (low - 1)
                if low + length <= last:
                    gap |= np.int64(1) << (low + length)
                gaps_a, gaps_b = in_lane(suit, gap)
    sets = places_of_sets(all_a, all_b, 0)
    while sets != 0:
        place = lowest(sets)
        sets &= sets - 1
        suits = suits_at(all_a, all_b, place)
        cards_a = np.int64(0)
        cards_b = np.int64(0)
        missing_a = np.int64(0)
        missing_b = np.int64(0)
        for suit in range(NUM_SUITS):
            at = np.int64(1) << place
            if (suits >> suit) & 1 != 0:
                more_a, more_b = cards_at(a, b, suit, at, high)
                cards_a |= more_a
                cards_b |= more_b
            else:
                more_a, more_b = in_lane(suit, at)
                missing_a |= more_a
                missing_b |= more_b
        counts = see.points_of(cards_a, cards_b)
        if suits == 31 and place > 0:
            counts += ROBOT_POINTS
        if counts > most:
            most = counts
            best_a, best_b = cards_a, cards_b
            gaps_a, gaps_b = missing_a, missing_b
    return best_a, best_b, gaps_a, gaps_b, most


@kernel(inline=True)
def is_complete(a, b, high):
    """Whether a hand can lay a spread without wilds."""
    all_a = with_high_stars(a, high)
    all_b = with_high_stars(b & LANE_BITS, high)
    runs = (all_a & (all_a >> 1) & (all_a >> 2)) | (all_b & (all_b >> 1) & (all_b >> 2))
    return runs | places_of_sets(all_a, all_b, 0) != 0
