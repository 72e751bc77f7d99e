"""The cards that a player cannot know, dealt anew, consistently with all that it does know [W11].

Hidden from a player are the other players' cards that nobody else knows of and the factory above the cards known to lie
under it. Before the first refill every hidden card may lie in every hidden place. A refill comes when the factory is
empty, and all have seen what it shuffles. So of every hidden card all know which refill was the last to shuffle it, and
of every hand how many of its cards were drawn between any two refills: cards that the same refill shuffled last, or
none, are dealt among themselves, and each hand keeps its number of each. Only those of the last refill can lie in the
factory.

Where another player decides, more is known of its hand: it holds the cards of the play under way, and it has led to
this decision and leaves a choice, so that a card which is due can be played. Hands are dealt until one does; after
``TRIES`` in vain that player keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .constants import CARDS, LANE, NO_CARD, NO_SPREAD, NOBODY, NUM_PLACES, PLAYING, RUN, SUIT_CARDS, WILD, WILDS

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
    top = slice(int(record["under"]), int(record["factory_size"]))
    last = int(record["refills"])
    held = {other: _hidden_in_hand(record, other) for other in range(num_players) if other not in keep}
    pools: dict[int, list[int]] = {refill: [] for refill in range(last + 1)}
    for cards in held.values():
        for card, refill in cards:
            pools[refill].append(card)
    pools[last] += record["factory"][top].tolist()
    for pool in pools.values():
        rng.shuffle(pool)
    for other, cards in held.items():
        dealt = [(pools[refill].pop(), refill) for _, refill in cards]
        for card, _ in cards:
            record["hand"][other, card >> 6] -= np.int64(1) << np.int64(card & 63)
        for card, _ in dealt:
            record["hand"][other, card >> 6] += np.int64(1) << np.int64(card & 63)
        played = _hidden_wilds_played(record, other)
        wilds = played + [refill for card, refill in dealt if card == WILD]
        record["wilds_since"][other] = sorted(wilds) + [0] * (WILDS - len(wilds))
    record["factory"][top] = pools[last]
    record["rng"] = rng.integers(2**64, dtype=np.uint64)
    record["seed"] = record["rng"]  # the old one would deal the hidden cards again


def _hidden_in_hand(record: Any, seat: int) -> list[tuple[int, int]]:
    """A hand's cards that nobody else knows of, those of a play under way left out: each with the refill after which
    it was drawn, 0 before the first."""
    hand, known = record["hand"][seat].tolist(), record["known"][seat].tolist()
    announced = _announced(record, seat)
    found = []
    for card in CARDS:
        word, bit = card >> 6, 1 << (card & 63)
        if hand[word] & bit and not known[word] & bit and card not in announced:
            found.append((card, int(record["shuffled"][card])))
    shift = WILD & 63
    hidden = (hand[1] >> shift) - (known[1] >> shift)
    played = len(_hidden_wilds_played(record, seat))
    return found + [(WILD, refill) for refill in record["wilds_since"][seat, played:hidden].tolist()]


def _hidden_wilds_played(record: Any, seat: int) -> list[int]:
    """Of the wilds of a play under way those that nobody knew of, as in ``wilds_since``: the first [``hands.lose``]."""
    known = int(record["known"][seat, 1]) >> (WILD & 63)
    played = max(0, _announced(record, seat).count(WILD) - known)
    return list(record["wilds_since"][seat, :played].tolist())


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
