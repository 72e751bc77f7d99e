"""Whether another hand of the player who decides could have led to this decision [W11].

``rules.hidden`` deals what a player cannot know. Where another player decides, more is known of its hand: it holds the
cards of the play under way, and it has led to this decision and leaves a choice, so that a card which is due can be
played. Hands are dealt until one does; after ``TRIES`` in vain that player keeps its own.
"""

from __future__ import annotations

from typing import Any

from .constants import LANE, NO_SPREAD, NUM_PLACES, RUN, SUIT_CARDS, WILD

TRIES = 1000


def _being_laid(record: Any) -> list[tuple[int, int, int]]:
    """The spread being laid, from its lowest cell: suit, place and the card chosen for it."""
    cells = []
    if record["laying"] != NO_SPREAD:
        for cell in range(NUM_PLACES):
            at = 1 << cell
            if record["laying_cells"] & at:
                run = record["laying"] == RUN
                suit = int(record["laying_suit"]) if run else cell
                place = cell if run else int(record["laying_number"]) - 1
                card = LANE * suit + (0 if record["laying_stars"] & at else place)
                cells.append((suit, place, WILD if record["laying_wilds"] & at else card))
    return cells


def leads_here(record: Any, seat: int, high: int) -> bool:
    """Whether from this hand the spread being laid would have come to be as it is [D3, C3, C4].

    Each cell is what ``laying.choose_cards`` takes for it, or was exchanged, the last of the exchanges just before
    ``laying_from``.
    """
    hand, due, first = record["hand"][seat].tolist(), int(record["must_play"]), int(record["laying_from"])
    for i, (suit, place, chosen) in enumerate(_being_laid(record)):
        star, number = LANE * suit, LANE * suit + place
        has_star = place in (0, high) and hand[star >> 6] >> (star & 63) & 1
        has_number = 0 < place < SUIT_CARDS and hand[number >> 6] >> (number & 63) & 1
        taken = number if has_number and not (has_star and due == star) else star if has_star else WILD
        exchanged = chosen != taken
        if exchanged and (i >= first or taken in (WILD, due) or chosen == number):
            return False
        if i == first - 1 and not exchanged:
            return False
    return True
