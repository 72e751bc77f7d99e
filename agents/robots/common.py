"""What several strategies have in common: what cards count and can stand for, where a card is added."""

from __future__ import annotations

import numpy as np

from robots_env import actions as act
from robots_env import constants as const
from robots_env.bits import bit
from robots_env.constants import NUM_SUITS, WILD
from tabletop.jit import kernel

from . import reading as see

STAR_POINTS = WILD_POINTS = 15.0
ROBOT_POINTS = 25.0


@kernel(inline=True)
def points(card):
    """What a card counts, by the usual rules [E3]."""
    if card == WILD:
        return WILD_POINTS
    return STAR_POINTS if card & 15 == 0 else (card & 15) + 1.0


@kernel(inline=True)
def places(card, high):
    """The places that a suited card can stand for, as bits."""
    return np.int64(1) << (card & 15) if card & 15 != 0 else np.int64(1) | (np.int64(1) << high)


@kernel(inline=True)
def with_card(a, b, card):
    if card < 64:
        return a | bit(card), b
    return a, b + bit(card)


@kernel(inline=True)
def without_card(a, b, card):
    if card < 64:
        return a & ~bit(card), b
    return (a, b - bit(WILD)) if card == WILD else (a, b & ~bit(card))


@kernel
def best_place(o, n, mask):
    """The set that becomes a robot, else the first spread that takes the card, a run rather than a set."""
    best = -1
    for slot in range(const.MAX_SPREADS):
        if mask[act.ONTO + slot] == 1:
            if see.is_set(o, n, slot):
                if see.suits_of(o, n, slot) == NUM_SUITS - 1:
                    return act.ONTO + slot
                best = act.ONTO + slot if best < 0 else best
            else:
                best = act.ONTO + slot
    return first_legal(mask) if best < 0 else best


@kernel
def first_legal(mask):
    for action in range(mask.shape[0]):
        if mask[action] == 1:
            return action
    return -1
