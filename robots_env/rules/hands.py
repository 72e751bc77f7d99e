"""Cards that come into a hand and leave it, and who knows of them [W11].

Wilds are alike: the one to leave a hand is taken to be one that is known, else the one drawn before all others.
"""

from __future__ import annotations

from tabletop.jit import kernel

from ..bits import LANE_BITS, ONE_WILD, bit, count_bits, kinds, wilds_in
from ..constants import NO_CARD, WILD, WILDS


@kernel(inline=True)
def gain(g, seat, card, seen):
    """A card comes into a hand; with ``seen`` everybody knows which [W11]."""
    word = card >> 6
    g.hand[seat, word] += bit(card)
    if seen:
        g.known[seat, word] += bit(card)


@kernel(inline=True)
def hidden_wilds(g, seat):
    """Wilds in a hand that nobody else knows of."""
    return wilds_in(g.hand[seat, 1]) - wilds_in(g.known[seat, 1])


@kernel(inline=True)
def lose(g, seat, card):
    """A card leaves a hand, face up [D5, W11]."""
    word = card >> 6
    g.hand[seat, word] -= bit(card)
    if card == WILD:
        if g.known[seat, 1] >= ONE_WILD:
            g.known[seat, 1] -= ONE_WILD
        else:
            for i in range(WILDS - 1):
                g.wilds_since[seat, i] = g.wilds_since[seat, i + 1]
            g.wilds_since[seat, WILDS - 1] = 0
        if g.taken == WILD:
            g.taken = NO_CARD  # D5: it may have been this one
    else:
        g.known[seat, word] &= ~bit(card)


@kernel(inline=True)
def hand_size(g, seat):
    b = g.hand[seat, 1]
    return count_bits(g.hand[seat, 0]) + count_bits(b & LANE_BITS) + wilds_in(b)


@kernel(inline=True)
def is_empty(g, seat):
    return g.hand[seat, 0] | g.hand[seat, 1] == 0


@kernel(inline=True)
def holds_kind(g, seat, card):
    b = kinds(g.hand[seat, 1])
    return ((g.hand[seat, 0] if card < 64 else b) >> (card & 63)) & 1 != 0
