"""A greedy player: it keeps what combines, lays whatever it can, and gets rid of the rest.

*What it values*: a card by its points, fully when the hand can lay it at once, partly for every card in hand of the
same number or next to it in the same suit, less for cards that are alone: those will count against it.

*How it decides.* It takes from the heap as deep as the cards taken can be laid, when that beats drawing. It lays the
spread with the most points, adds every card that fits (a wild only when little else is left), calls whenever it may
and completes robots first. It discards what it values least, rather a card with a power that it can use, rather not
one that others could add at once. It aims the laser at the spread it hurts most.

*What it ignores*: what the others collect, the cards that are known in their hands, holding spreads back, the score of
the match.
"""

from __future__ import annotations

import numpy as np

from robots_env import actions as act
from robots_env import constants as const
from robots_env.bits import (
    LANE_BITS,
    TRIPLE_SUITS,
    card_of_rank,
    count_bits,
    lane,
    lowest,
    suits_at,
    wilds_in,
    windows_of,
    with_high_stars,
)
from robots_env.constants import NUM_CARDS, NUM_SUITS, SPREAD, WILD
from tabletop.jit import kernel
from tabletop.policies import policy, register

from . import reading as see
from .common import ROBOT_POINTS, best_place, first_legal, places, points, with_card

LAID = 1.0  # of its points: a card that the hand can lay at once
PARTNER = 0.22  # a card of the same number, or the next in its suit
NEAR_PARTNER = 0.12  # the next but one
ALONE = -0.35  # what is left in hand counts against it
WILD_WORTH = 18.0
ENOUGH_BETTER = 3.0  # than drawing
FITS = 6.0  # a card that others could add
TAKEN = 4.0  # a card taken off the heap is not to go straight back, nor its power to act again and again
# By number: what its power is worth when it is discarded, where the rules are the usual ones [section 3].
POWER_WORTH = np.zeros(16)
POWER_WORTH[3] = 2.0
POWER_WORTH[5] = 1.5
POWER_WORTH[9] = 6.0
POWER_WORTH[11] = 8.0


# --- Hands ------------------------------------------------------------------------------------------------------------


@kernel
def can_be_laid(a, b, card, high):
    """Whether the hand can lay a spread with the card, which it holds."""
    wilds = min(wilds_in(b), 2)
    over = places(card, high)
    suit = with_high_stars(lane(a, b, card >> 4), high) & LANE_BITS
    all_windows = (np.int64(1) << (high - 1 if high > 13 else 12)) - 1
    if windows_of(suit, wilds, all_windows) & (over | (over >> 1) | (over >> 2)) != 0:
        return True
    while over != 0:
        same = suits_at(with_high_stars(a, high), with_high_stars(b & LANE_BITS, high), lowest(over))
        if count_bits(same) + wilds >= SPREAD:
            return True
        over &= over - 1
    return False


@kernel
def partners(a, b, card, high):
    """How much the hand has beside the card: weights of its number and of its neighbours in the suit."""
    over = places(card, high)
    suit = with_high_stars(lane(a, b, card >> 4), high) & LANE_BITS & ~over
    next_to = count_bits(suit & ((over << 1) | (over >> 1)))
    near = count_bits(suit & ((over << 2) | (over >> 2)))
    same = 0
    while over != 0:
        at = suits_at(with_high_stars(a, high), with_high_stars(b & LANE_BITS, high), lowest(over))
        same = max(same, count_bits(at) - 1)
        over &= over - 1
    return PARTNER * (next_to + same) + NEAR_PARTNER * near


@kernel
def card_worth(a, b, card, high):
    """What a card of the hand is worth to it."""
    if card == WILD:
        return WILD_WORTH
    if can_be_laid(a, b, card, high):
        return LAID * points(card)
    return points(card) * min(ALONE + partners(a, b, card, high), 0.6)


@kernel
def hand_worth(a, b, high):
    """What all cards of a hand are worth."""
    total = WILD_WORTH * wilds_in(b)
    left_a = a
    left_b = b & LANE_BITS
    while left_a != 0:
        total += card_worth(a, b, lowest(left_a), high)
        left_a &= left_a - 1
    while left_b != 0:
        total += card_worth(a, b, 64 + lowest(left_b), high)
        left_b &= left_b - 1
    return total


# --- Decisions --------------------------------------------------------------------------------------------------------


@kernel
def best_take(o, n, mask, order):
    """The card of the heap to take down to, if the cards taken make the hand so much better; else the draw."""
    high = see.star_high(o, n)
    a, b = see.cards(o, n, see.HAND)
    before = hand_worth(a, b, high)
    size = see.heap_in_order(o, n, order)
    best = act.DRAW if mask[act.DRAW] == 1 else act.PASS
    best_gain = ENOUGH_BETTER if mask[act.DRAW] == 1 else -ENOUGH_BETTER
    wilds = 0
    for depth in range(size):
        card = order[depth]
        a, b = with_card(a, b, card)
        action = act.PICK_WILD + wilds if card == WILD else act.PICK + card - 2 * (card >> 4)
        wilds += card == WILD
        if mask[action] == 1:
            gain = hand_worth(a, b, high) - before
            if gain > best_gain:
                best_gain = gain
                best = action
    return best


@kernel
def best_spread(o, n, mask):
    """The new spread with the most points, -1 if none can be laid. Of two, the one that needs fewer wilds."""
    high = see.star_high(o, n)
    a, b = see.cards(o, n, see.HAND)
    best = -1
    best_points = 0.0
    for action in range(act.LAY_RUN, act.WILD_IN):
        if mask[action] == 0:
            continue
        worth = 0.0
        if action < act.LAY_SET:
            suit = (action - act.LAY_RUN) // const.WINDOWS
            low = action - act.LAY_RUN - const.WINDOWS * suit
            held = with_high_stars(lane(a, b, suit), high)
            for place in range(low, low + SPREAD):
                worth += min(place + 1.0, 15.0) if (held >> place) & 1 else -5.0
        else:
            place = (action - act.LAY_SET) // len(const.THREE_SUITS)
            three = TRIPLE_SUITS[action - act.LAY_SET - len(const.THREE_SUITS) * place]
            held = suits_at(with_high_stars(a, high), with_high_stars(b & LANE_BITS, high), place)
            for suit in range(NUM_SUITS):
                if (three >> suit) & 1:
                    worth += place + 1.0 if (held >> suit) & 1 else -5.0
        if best < 0 or worth > best_points:
            best_points = worth
            best = action
    return best


@kernel
def best_addition(o, n, mask):
    """The most valuable card that can be added; a wild only when the hand is small or somebody else's is."""
    best = -1
    best_points = 0.0
    for r in range(const.NUM_KINDS):
        if mask[act.ADD + r] == 1:
            card = card_of_rank(r)
            worth = points(card)
            if card == WILD and see.hand_size(o, n, 0) > 3 and see.smallest_other_hand(o, n) > 2:
                worth = -1.0
            if worth > best_points:
                best_points = worth
                best = act.ADD + r
    return best


@kernel
def best_discard(o, n, mask):
    """The card that the hand misses least, its power and what others could do with it included."""
    high = see.star_high(o, n)
    a, b = see.cards(o, n, see.HAND)
    best = -1
    best_worth = 0.0
    for r in range(const.NUM_KINDS):
        if mask[act.DISCARD + r] == 0:
            continue
        card = card_of_rank(r)
        worth = card_worth(a, b, card, high)
        if card == WILD:
            worth += FITS
        else:
            worth += TAKEN if see.was_taken(o, n, r) else -POWER_WORTH[(card & 15) + 1]
            if see.fits_a_spread(o, n, card):
                worth += FITS
        if best < 0 or worth < best_worth:
            best_worth = worth
            best = act.DISCARD + r
    return best


@kernel
def choose_play(o, n, mask):
    """Lay, else add, else discard, else keep the last card."""
    action = best_spread(o, n, mask)
    if action < 0:
        action = best_addition(o, n, mask)
    if action < 0:
        action = best_discard(o, n, mask)
    return first_legal(mask) if action < 0 else action


@kernel
def best_recycling(o, n, mask):
    """The card of the heap that makes the hand better by most, or none."""
    high = see.star_high(o, n)
    a, b = see.cards(o, n, see.HAND)
    before = hand_worth(a, b, high)
    best = act.PASS
    best_gain = 0.0
    for i in range(const.SUITED + const.WILDS):
        if mask[act.PICK + i] == 1:
            more_a, more_b = with_card(a, b, card_of_rank(i) if i < const.SUITED else WILD)
            gain = hand_worth(more_a, more_b, high) - before
            if gain > best_gain:
                best_gain = gain
                best = act.PICK + i
    return best


@kernel
def best_target(o, n, mask):
    """The card whose loss costs its owner most: a spread of three goes back to the hand, a set of four suits was on its
    way to a robot."""
    best = act.PASS
    best_harm = 0.0
    for i in range(const.SUITED + const.WILDS):
        if mask[act.PICK + i] == 0:
            continue
        card = card_of_rank(i) if i < const.SUITED else WILD
        harm = points(card)
        slot = see.spread_with(o, n, card) if card != WILD and card & 15 != 0 else -1
        if slot >= 0:
            length = see.length_of(o, n, slot)
            mean = (see.spread_end(o, n, slot, 0) + see.spread_end(o, n, slot, 1)) / 2.0
            if length == SPREAD:
                harm += 4.0 * mean
            elif see.is_set(o, n, slot):
                harm += ROBOT_POINTS / 2
            else:
                below = (card & 15) + 1 - see.spread_end(o, n, slot, 0)
                above = length - 1 - below
                harm += 2.0 * mean * ((below if below < SPREAD else 0) + (above if above < SPREAD else 0))
        if harm > best_harm:
            best_harm = harm
            best = act.PICK + i
    return best


@register("greedy", game="robots")
@policy
def greedy(observation, action_mask, rng):
    """Keeps what combines, lays and adds whatever it can, discards the rest; plans nothing"""
    n = see.players(observation)
    what = see.decision(observation, n)
    if what == const.TO_DRAW:
        return best_take(observation, n, action_mask, np.zeros(NUM_CARDS, np.int64))
    if what == const.TO_PLAY:
        return choose_play(observation, n, action_mask)
    if what == const.TO_LAY:
        return best_discard(observation, n, action_mask)
    if what == const.TO_RECYCLE:
        return best_recycling(observation, n, action_mask)
    if what == const.TO_DRAW_PARTS:
        return act.DRAW
    if what == const.TO_AIM:
        return best_target(observation, n, action_mask)
    if what == const.TO_CALL:
        return act.CALL
    if what == const.TO_PLACE:
        return best_place(observation, n, action_mask)
    return first_legal(action_mask)
