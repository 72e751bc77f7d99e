"""Sets of cards as two 64-bit words ``a`` and ``b`` (see ``constants``), and what the rules ask about them.

A word is a non-negative ``int64``. In ``b`` the lane above suit 4 counts wilds in a hand, and is 1 or 0 in a set of
kinds of cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from tabletop.jit import COMPILED, kernel

from .constants import LANE, SPREAD, SUIT_CARDS, THREE_SUITS, WILD

LANE_BITS = 0x7FFF
STARS = 0x0001_0001_0001_0001
NUMBERS = 0x3FFE_3FFE_3FFE_3FFE
CARD_BITS = 0x3FFF_3FFF_3FFF_3FFF
WILD_SHIFT = WILD - 64
ONE_WILD = 1 << WILD_SHIFT


if COMPILED:

    @intrinsic
    def count_bits(typing_context: Any, word: Any) -> Any:
        """How many bits are set."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), code

    @intrinsic
    def lowest(typing_context: Any, word: Any) -> Any:
        """The index of the lowest bit set; undefined for 0."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], cgutils.true_bit)

        return types.int64(types.int64), code

else:

    def count_bits(word: Any) -> Any:
        """How many bits are set."""
        return np.int64(int(word).bit_count())

    def lowest(word: Any) -> Any:
        """The index of the lowest bit set; undefined for 0."""
        word = int(word)
        return np.int64((word & -word).bit_length() - 1)


@kernel(inline=True)
def lane(a, b, suit):
    """The 15 places of one suit."""
    return ((a if suit < 4 else b) >> (LANE * (suit & 3))) & LANE_BITS


@kernel(inline=True)
def bit(card):
    """A card's bit in its word."""
    return np.int64(1) << (card & 63)


@kernel(inline=True)
def has(a, b, card):
    return ((a if card < 64 else b) >> (card & 63)) & 1 != 0


@kernel(inline=True)
def wilds_in(b):
    return b >> WILD_SHIFT


@kernel(inline=True)
def kinds(b):
    """The second word of a hand as that of a set of kinds of cards: any number of wilds is one kind."""
    return (b & LANE_BITS) | (ONE_WILD if b >= ONE_WILD else 0)


@kernel(inline=True)
def with_high_stars(word, high):
    """Suited cards as the places they can stand for: stars also at place ``high`` [C3]."""
    return word | ((word & STARS) << high)


@kernel(inline=True)
def windows_of(word, wilds, windows):
    """The lowest places of the runs of three that these places make with so many wilds, one card not wild [P2, C4].

    All lanes at once: ``windows`` has the bits where a run can begin.
    """
    second = word >> 1
    third = word >> 2
    if wilds == 0:
        return word & second & third & windows
    if wilds == 1:
        return ((word & second) | (word & third) | (second & third)) & windows
    return (word | second | third) & windows


@kernel(inline=True)
def places_of_sets(a, b, wilds):
    """The places of which so many suits are there that with so many wilds they make a set [P2, P3, C4]."""
    s0 = a & LANE_BITS
    s1 = (a >> LANE) & LANE_BITS
    s2 = (a >> (2 * LANE)) & LANE_BITS
    s3 = (a >> (3 * LANE)) & LANE_BITS
    s4 = b & LANE_BITS
    if wilds >= 2:
        return s0 | s1 | s2 | s3 | s4
    # Five bits are added at every place at once: ``odd`` + 2 * (``first`` + ``second``).
    odd = s0 ^ s1 ^ s2
    first = (s0 & s1) | (s0 & s2) | (s1 & s2)
    second = (odd & s3) | (odd & s4) | (s3 & s4)
    odd = odd ^ s3 ^ s4
    if wilds == 1:
        return first | second
    return (first & second) | ((first | second) & odd)


@kernel(inline=True)
def suits_at(a, b, place):
    """The suits that have a card at a place, a bit a suit."""
    return (
        ((a >> place) & 1)
        | (((a >> (LANE + place)) & 1) << 1)
        | (((a >> (2 * LANE + place)) & 1) << 2)
        | (((a >> (3 * LANE + place)) & 1) << 3)
        | (((b >> place) & 1) << 4)
    )


@kernel(inline=True)
def rank(card):
    """A card's place in the lists of 71 kinds: 0-69, the wild 70."""
    return card - 2 * (card >> 4)


@kernel(inline=True)
def card_of_rank(r):
    """The inverse of ``rank``."""
    return r + 2 * (r // SUIT_CARDS)


@kernel(inline=True)
def mark(out, first, bits, value):
    """``value`` at ``first`` + i for each bit i set. Returns how many."""
    n = 0
    while bits != 0:
        out[first + lowest(bits)] = value
        bits &= bits - 1
        n += 1
    return n


@kernel(inline=True)
def mark_cards(out, first, a, b, value):
    """``value`` at ``first`` + rank for each kind of card in a set. Returns how many."""
    n = 0
    while a != 0:
        i = lowest(a)
        out[first + i - 2 * (i >> 4)] = value
        a &= a - 1
        n += 1
    while b != 0:
        i = lowest(b)
        out[first + 4 * SUIT_CARDS + i - 2 * (i >> 4)] = value
        b &= b - 1
        n += 1
    return n


def _choices() -> np.ndarray[Any, Any]:
    """By number of wilds (0, 1, 2 or more) and suits held: which triples of suits can be laid as a set [P2, C4]."""
    table = np.zeros((3, 32), np.int64)
    for wilds in range(3):
        for suits in range(32):
            for i, three in enumerate(THREE_SUITS):
                natural = sum(suits >> s & 1 for s in three)
                if natural >= 1 and SPREAD - natural <= wilds:
                    table[wilds, suits] |= 1 << i
    return table


SET_CHOICES = _choices()
# By triple of suits, its suits as bits; by suit, the triples that hold it.
TRIPLE_SUITS = np.array([sum(1 << s for s in three) for three in THREE_SUITS], np.int64)
TRIPLES_WITH = np.array([sum(1 << i for i, t in enumerate(THREE_SUITS) if suit in t) for suit in range(5)], np.int64)
