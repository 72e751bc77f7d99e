"""The cards that a player cannot know, dealt anew, consistently with all that it does know [W11].

Hidden from a player are the other players' cards that nobody else knows of and the factory above the cards known to lie
under it. Before the first refill every hidden card may lie in every hidden place. A refill leaves none in the factory
but those that it shuffled, which all have seen: from then on the cards that were in a hand before and those drawn since
are dealt apart, and each hand keeps its number of both.

Where another player decides, more is known of its hand: it holds the cards of the play under way, and it has led to
this decision and leaves a choice, so that a card which is due can be played. Hands are dealt until one does; after
``TRIES`` in vain that player keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .constants import CARDS, LANE, NO_CARD, NO_SPREAD, NOBODY, NUM_PLACES, PLAYING, RUN, SUIT_CARDS, WILD

TRIES = 1000


def redeal(
    games: NDArray[Any], num_players: int, seat: int, rng: np.random.Generator, high: int, choices: Callable[[], int]
) -> None:
    """Redeal in ``games[0]`` what ``seat`` cannot know, uniformly over the orders of the hidden cards [W11].

    ``high`` is the high place of a star; ``choices`` counts the legal actions of the decision at hand.
    """
    actor = int(games["actor"][0])
    if actor in (seat, NOBODY):  # at the end all hands lie open: they have been scored [E2]
        _deal(games[0], num_players, range(num_players) if actor == NOBODY else [seat], rng)
        return
    enough = 1 if games["ask_forced"][0] else 2
    before = games.copy()
    for _ in range(TRIES):
        _deal(games[0], num_players, [seat], rng)
        if _leads_here(games[0], actor, high) and choices() >= enough:
            return
        games[...] = before
    _deal(games[0], num_players, [seat, actor], rng)


def _deal(record: Any, num_players: int, keep: Collection[int], rng: np.random.Generator) -> None:
    """Deal the hidden cards of all hands but those to ``keep``, and of the factory."""
    others = [other for other in range(num_players) if other not in keep]
    held = {other: _hidden_in_hand(record, other) for other in others}
    top = slice(int(record["under"]), int(record["factory_size"]))
    factory: list[int] = record["factory"][top].tolist()
    older = [card for old, _, _ in held.values() for card in old]
    newer = [card for _, new, _ in held.values() for card in new] + factory
    if record["refills"] == 0:
        older, newer = [], older + newer
    rng.shuffle(older)
    rng.shuffle(newer)
    refilled = record["refills"] > 0
    for other, (old, new, fresh) in held.items():
        dealt_old = [(older if refilled else newer).pop() for _ in old]
        dealt_new = [newer.pop() for _ in new]
        for card in old + new:
            record["hand"][other, card >> 6] -= np.int64(1) << np.int64(card & 63)
        for card in dealt_old + dealt_new:
            record["hand"][other, card >> 6] += np.int64(1) << np.int64(card & 63)
        record["fresh_wilds"][other] = dealt_new.count(WILD) + fresh
    record["factory"][top] = newer
    record["rng"] = rng.integers(2**64, dtype=np.uint64)
    record["seed"] = record["rng"]  # the old one would deal the hidden cards again


def _hidden_in_hand(record: Any, seat: int) -> tuple[list[int], list[int], int]:
    """A hand's cards that nobody else knows of: those held since before the last refill, and those drawn since.

    Cards of a play under way are none of them; the number is that of wilds drawn since the refill among these.
    """
    hand, known = record["hand"][seat].tolist(), record["known"][seat].tolist()
    announced = _announced(record, seat)
    drawn_from = record["reshuffled"].tolist()
    old: list[int] = []
    new: list[int] = []
    for card in CARDS:
        word, bit = card >> 6, 1 << (card & 63)
        if hand[word] & bit and not known[word] & bit and card not in announced:
            (new if drawn_from[word] & bit else old).append(card)
    shift = WILD & 63
    fresh = int(record["fresh_wilds"][seat])
    older = (hand[1] >> shift) - (known[1] >> shift) - fresh
    # Wilds are played in the order of ``hands.lose``.
    played = max(0, announced.count(WILD) - (known[1] >> shift))
    played_fresh = max(0, played - older)
    return old + [WILD] * (older - played + played_fresh), new + [WILD] * (fresh - played_fresh), played_fresh


def _announced(record: Any, seat: int) -> list[int]:
    """The cards that a player has said to play from its hand."""
    if record["stage"] != PLAYING or record["actor"] != seat:
        return []
    if record["adding"] != NO_CARD:
        return [int(record["adding"])]
    return [chosen for _, _, chosen in _being_laid(record)]


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


def _leads_here(record: Any, seat: int, high: int) -> bool:
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
