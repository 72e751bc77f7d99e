"""End of a season [S8, N1-N5] and of a turn [E1-E3]."""

from __future__ import annotations

from tabletop.jit import kernel

from ..constants import ENERGY, NOBODY, NUM_HOUSES
from .scoring import leads_in_leaves
from .seats import clockwise, touches
from .sheds import gain


@kernel
def decks_empty(g):
    """[E2]: both decks of four players run out together."""
    return g.deck[0, g.drawn[0]] == 0 if g.drawn[0] < g.deck.shape[1] else True


@kernel
def interseason_card_shows(g, rules):
    """The top of the deck is the interseason card: the next droid belongs to a later season [S6, S8, N4]."""
    if decks_empty(g):
        return False
    return rules.card[g.deck[0, g.drawn[0]]].season > g.season


@kernel
def award_season_energy(g):
    """One energy to whoever leads in leaves [N3, O12]; the Auto-Ecomechanic has no shed [O9]."""
    for seat in range(g.num_players):
        if leads_in_leaves(g, seat):
            gain(g, seat, ENERGY, 1)


@kernel
def available_houses(g, seat):
    """Houses beside the seat that nobody has built [S2-S4, E2]."""
    n = 0
    for house in range(NUM_HOUSES):
        if g.between[house] >= 0 and g.builder[house] == NOBODY and touches(g, g.between[house], seat):
            n += 1
    return n


@kernel
def game_ends(g):
    """The decks are empty, or somebody has no available house left [E2, O11]."""
    if decks_empty(g):
        return True
    for seat in range(g.num_players):
        if available_houses(g, seat) == 0:
            return True
    return False


@kernel
def pass_priority(g):
    """[E3]"""
    g.priority = clockwise(g, g.priority, 1)
