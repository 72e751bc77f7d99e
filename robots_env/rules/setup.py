"""Setting up a match and dealing a round [C1, C5-C7]."""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel
from tabletop.rng import draw, shuffle

from ..constants import DECK, DRAWING, HAND, MAX_SEATS, NO_CARD, NO_SPREAD, NOBODY, NUM_CARDS, TO_DRAW
from .hands import gain
from .piles import lay_on_heap
from .seats import clockwise

_DECK = np.array(DECK, np.int16)


@kernel
def clear_play(g):
    """No play is under way."""
    g.adding = NO_CARD
    g.target = NOBODY
    g.laying = NO_SPREAD
    g.laying_suit = NOBODY
    g.laying_number = 0
    g.laying_cells = 0
    g.laying_wilds = 0
    g.laying_stars = 0
    g.laying_from = 0


@kernel
def clear_table(g):
    """All cards are off the table."""
    g.hand[:] = 0
    g.known[:] = 0
    g.played[:] = 0
    g.shuffled[:] = 0
    g.shuffled_wilds = 0
    g.wilds_since[:] = 0
    g.gaps[:] = 0
    g.factory[:] = NO_CARD
    g.factory_size = 0
    g.under = 0
    g.refills = 0
    g.heap[:] = NO_CARD
    g.heap_size = 0
    g.slots = 0
    g.owner[:] = NOBODY
    g.suit[:] = NOBODY
    g.number[:] = 0
    g.cells[:] = 0
    g.wild_cells[:] = 0
    g.star_cells[:] = 0
    g.wilds_by[:] = 0
    g.robot[:] = NOBODY
    g.owned[:] = 0
    g.barred[:] = 0
    g.skipped[:] = 0
    clear_play(g)


@kernel
def begin_turn(g, seat):
    """[D1]; what Extra Parts forbade until now is allowed again [W2], and every power can act again [W10]; this
    player can be skipped again [W6]."""
    g.player = seat
    g.stage = DRAWING
    g.order = 0
    g.must_play = NO_CARD
    g.taken = NO_CARD
    g.discarded = 0
    g.power = 0
    g.lays = 0
    g.skip = 0
    g.acted[:] = 0
    g.barred[seat] = 0
    g.skipped[seat] = 0


@kernel
def deal_round(g):
    """Seven of the 74 cards each, the rest is the factory, its top card starts the heap [C1, C6]; the dealer's left
    begins [C7]."""
    clear_table(g)
    for i in range(NUM_CARDS):
        g.factory[i] = _DECK[i]
    shuffle(g, g.factory, 0, NUM_CARDS)
    at = NUM_CARDS
    for seat in range(g.num_players):
        for _ in range(HAND):
            at -= 1
            gain(g, seat, g.factory[at] + 0, False)
            g.factory[at] = NO_CARD
    at -= 1
    lay_on_heap(g, g.factory[at])
    g.factory[at] = NO_CARD
    g.factory_size = at
    g.turns = 0
    begin_turn(g, clockwise(g, g.dealer, 1))


@kernel
def deal(g, rules):
    """A match from the record's settings and generator; the first dealer is drawn [C7]."""
    g.seed = g.rng
    g.decisions = 0
    g.decision = TO_DRAW
    g.actor = NOBODY
    g.truncated = 0
    g.round_number = 1
    for seat in range(MAX_SEATS):
        g.scores[seat] = 0
        g.round_scores[seat] = 0
    g.dealer = draw(g, g.num_players)
    deal_round(g)
