"""The cards that nobody can know, dealt anew: what is still in the decks, season by season [S9]."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.rng import draw

from ..constants import MAX_DECK, MAX_DECKS, SEASONS


@kernel
def exchange(g, deck, one, other):
    card = g.deck[deck, one] + 0
    g.deck[deck, one] = g.deck[deck, other]
    g.deck[deck, other] = card


@kernel
def redeal(g, rules, keep, slots):
    """Shuffle every season's cards that are still in a deck, from the game's own generator; with ``open_deck`` the top
    one stays [S9]. They are put in order first, so that how they lay does not matter.

    No seat has cards of its own to ``keep``; ``slots`` (int64, 4 lines) is overwritten.
    """
    places = slots[0]
    for deck in range(MAX_DECKS):
        for season in range(1, SEASONS + 1):
            n = 0
            top_stays = g.open_deck == 1 and season == g.season
            for place in range(g.drawn[deck], MAX_DECK):
                card = g.deck[deck, place]
                if card > 0 and rules.card[card].season == season:
                    if top_stays:
                        top_stays = False
                    else:
                        places[n] = place
                        n += 1
            for i in range(1, n):
                k = i
                while k > 0 and g.deck[deck, places[k - 1]] > g.deck[deck, places[k]]:
                    exchange(g, deck, places[k - 1], places[k])
                    k -= 1
            for i in range(n - 1, 0, -1):
                exchange(g, deck, places[i], places[draw(g, i + 1)])
