"""A match's record read in the plainest way, without the library's own readers."""

from __future__ import annotations

from robots_env.constants import LANE, MAX_SPREADS, NOBODY, WILD


def cards_in(words):
    """A set of cards as a list of card numbers."""
    a, b = map(int, words)
    cards = [i for i in range(64) if a >> i & 1] + [64 + i for i in range(15) if b >> i & 1]
    return cards + [WILD] * (b >> 16)


def last_shuffled(g):
    """What the last refill shuffled."""
    suited = [card for card in range(WILD) if g["shuffled"][card] and g["shuffled"][card] == g["refills"]]
    return suited + [WILD] * int(g["shuffled_wilds"])


def spreads_of(g):
    """Every spread: owner, whether a run, number or suit, and by cell the card."""
    spreads = []
    for slot in range(MAX_SPREADS):
        if g["owner"][slot] == NOBODY:
            continue
        assert slot < g["slots"]
        number, suit = int(g["number"][slot]), int(g["suit"][slot])
        cards = {}
        for cell in range(15):
            if not g["cells"][slot] >> cell & 1:
                continue
            card = LANE * suit + cell if number == 0 else LANE * cell + number - 1
            if g["wild_cells"][slot] >> cell & 1:
                card = WILD
            elif g["star_cells"][slot] >> cell & 1:
                card = LANE * (suit if number == 0 else cell)
            cards[cell] = card
        spreads.append((slot, int(g["owner"][slot]), number, suit, cards))
    return spreads
