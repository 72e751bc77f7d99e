"""The cards that players cannot know, dealt anew, consistently with all that they do know [W11].

Hidden from a player are the other players' cards that nobody else knows of and the factory above the cards known to lie
under it. Before the first refill every hidden card may lie in every hidden place. A refill comes when the factory is
empty, and all have seen what it shuffles. So of every hidden card all know which refill was the last to shuffle it, and
of every hand how many of its cards were drawn between any two refills: cards that the same refill shuffled last, or
none, are dealt among themselves, and each hand keeps its number of each. Only those of the last refill can lie in the
factory.
"""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.rng import draw

from ..bits import LANE_BITS, ONE_WILD, bit, lowest, wilds_in
from ..constants import NO_CARD, NO_SPREAD, NOBODY, NUM_PLACES, PLAYING, WILD, WILDS
from .hands import hidden_wilds
from .laying import chosen_for

CARD, HOLDER, REFILL, PLACE = range(4)
"""Lines of ``slots``: the card in a hidden place, the seat that holds it (-1 the factory), the refill that was the last
to shuffle it, and, filled for one refill after the other, the numbers of its places."""


@kernel
def exchange(slots, one, other):
    card = slots[CARD, one] + 0
    slots[CARD, one] = slots[CARD, other]
    slots[CARD, other] = card


@kernel
def announced(g, seat, card):
    """How many of these cards the seat has said to play from its hand."""
    if g.stage != PLAYING or g.actor != seat:
        return 0
    if g.adding != NO_CARD:
        return 1 if g.adding == card else 0
    count = 0
    if g.laying != NO_SPREAD:
        for cell in range(NUM_PLACES):
            if (g.laying_cells >> cell) & 1 and chosen_for(g, cell) == card:
                count += 1
    return count


@kernel
def hidden_wilds_played(g, seat):
    """Of the wilds of a play under way those that nobody knew of: the first to leave, as in ``hands.lose``."""
    return max(0, announced(g, seat, WILD) - wilds_in(g.known[seat, 1]))


@kernel
def take_up(g, seat, slots, n):
    """Take the hidden cards out of a hand into ``slots``, from place n on; how many there are then."""
    for word in range(2):
        hidden = g.hand[seat, word] & ~g.known[seat, word]
        if word == 1:
            hidden &= LANE_BITS
        while hidden != 0:
            card = 64 * word + lowest(hidden)
            hidden &= hidden - 1
            if announced(g, seat, card) == 0:
                g.hand[seat, word] -= bit(card)
                slots[CARD, n], slots[HOLDER, n], slots[REFILL, n] = card, seat, g.shuffled[card]
                n += 1
    for i in range(hidden_wilds_played(g, seat), hidden_wilds(g, seat)):
        slots[CARD, n], slots[HOLDER, n], slots[REFILL, n] = WILD, seat, g.wilds_since[seat, i]
        g.hand[seat, 1] -= ONE_WILD
        n += 1
    return n


@kernel
def shuffle_alike(g, slots, n):
    """Shuffle the cards in the first n places, those of the same refill among themselves. They are put in order first,
    so that how they lay does not matter."""
    for refill in range(g.refills + 1):
        alike = 0
        for i in range(n):
            if slots[REFILL, i] == refill:
                slots[PLACE, alike] = i
                alike += 1
        for i in range(1, alike):
            k = i
            while k > 0 and slots[CARD, slots[PLACE, k - 1]] > slots[CARD, slots[PLACE, k]]:
                exchange(slots, slots[PLACE, k - 1], slots[PLACE, k])
                k -= 1
        for i in range(alike - 1, 0, -1):
            exchange(slots, slots[PLACE, i], slots[PLACE, draw(g, i + 1)])


@kernel
def note_wilds(g, seat, slots, n, played):
    """Keep of a hand's hidden wilds, the ``played`` ones of a play under way before all, the refills in order."""
    count = played
    for i in range(n):
        if slots[HOLDER, i] == seat and slots[CARD, i] == WILD:
            g.wilds_since[seat, count] = slots[REFILL, i]
            count += 1
    for i in range(count, WILDS):
        g.wilds_since[seat, i] = 0
    for i in range(1, count):
        k = i
        while k > 0 and g.wilds_since[seat, k - 1] > g.wilds_since[seat, k]:
            later = g.wilds_since[seat, k - 1] + 0
            g.wilds_since[seat, k - 1] = g.wilds_since[seat, k]
            g.wilds_since[seat, k] = later
            k -= 1


@kernel
def redeal(g, rules, keep, slots):
    """Deal the hidden cards of all hands but those to ``keep`` (a bit a seat), and of the factory, from the game's own
    generator; ``slots`` (int64, 4 lines) is overwritten [W11]."""
    n = 0
    for i in range(g.under, g.factory_size):
        slots[CARD, n], slots[HOLDER, n], slots[REFILL, n] = g.factory[i], NOBODY, g.refills
        n += 1
    for seat in range(g.num_players):
        if (keep >> seat) & 1 == 0:
            n = take_up(g, seat, slots, n)
    shuffle_alike(g, slots, n)
    for i in range(n):
        if slots[HOLDER, i] == NOBODY:
            g.factory[g.under + i] = slots[CARD, i]
        else:
            card = slots[CARD, i] + 0
            g.hand[slots[HOLDER, i], card >> 6] += bit(card)
    for seat in range(g.num_players):
        if (keep >> seat) & 1 == 0:
            note_wilds(g, seat, slots, n, hidden_wilds_played(g, seat))
