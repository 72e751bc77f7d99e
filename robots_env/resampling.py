"""The cards that a player cannot know, dealt anew, consistently with all that it does know [W11].

Hidden from a player are the other players' cards that nobody else knows of and the factory above the cards known to lie
under it. Before the first refill every hidden card may lie in every hidden place. A refill leaves none in the factory
but those that it shuffled, which all have seen: from then on the cards that were in a hand before and those drawn since
are dealt apart, and each hand keeps its number of both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .constants import CARDS, WILD


def redeal(record: Any, num_players: int, seat: int, rng: np.random.Generator) -> None:
    """Redeal in place what the player in ``seat`` cannot know, uniformly over the orders of the hidden cards."""
    others = [other for other in range(num_players) if other != seat]
    held = {other: _hidden_in_hand(record, other) for other in others}
    top = slice(int(record["under"]), int(record["factory_size"]))
    factory: list[int] = record["factory"][top].tolist()
    older = [card for old, _ in held.values() for card in old]
    newer = [card for _, new in held.values() for card in new] + factory
    if record["refills"] == 0:
        older, newer = [], older + newer
    rng.shuffle(older)
    rng.shuffle(newer)
    refilled = record["refills"] > 0
    for other, (old, new) in held.items():
        dealt_old = [(older if refilled else newer).pop() for _ in old]
        dealt_new = [newer.pop() for _ in new]
        for card in old + new:
            record["hand"][other, card >> 6] -= np.int64(1) << np.int64(card & 63)
        for card in dealt_old + dealt_new:
            record["hand"][other, card >> 6] += np.int64(1) << np.int64(card & 63)
        record["fresh_wilds"][other] = dealt_new.count(WILD)
    record["factory"][top] = newer
    record["rng"] = rng.integers(2**64, dtype=np.uint64)
    record["seed"] = record["rng"]  # the old one would deal the hidden cards again


def _hidden_in_hand(record: Any, seat: int) -> tuple[list[int], list[int]]:
    """A hand's cards that nobody else knows of: those held since before the last refill, and those drawn since."""
    hand, known = record["hand"][seat].tolist(), record["known"][seat].tolist()
    drawn_from = record["reshuffled"].tolist()
    old: list[int] = []
    new: list[int] = []
    for card in CARDS:
        word, bit = card >> 6, 1 << (card & 63)
        if hand[word] & bit and not known[word] & bit:
            (new if drawn_from[word] & bit else old).append(card)
    shift = WILD & 63
    wilds = (hand[1] >> shift) - (known[1] >> shift)
    fresh = int(record["fresh_wilds"][seat])
    return old + [WILD] * (wilds - fresh), new + [WILD] * fresh
