"""Whose turn it can be, and who can have been skipped by then [C7, K1, W6]: for ``validity``."""

from __future__ import annotations

import functools


@functools.lru_cache(maxsize=1024)
def orders(players: int, turns: int, skips: bool) -> dict[tuple[int, frozenset[int]], tuple[int, ...]]:
    """After so many turns: by the place whose turn it is, from whoever began the round, and the places skipped that
    have had no turn since, how many turns each place can have begun at most, this one included."""
    first = (1,) + (0,) * (players - 1)
    found: dict[tuple[int, frozenset[int]], tuple[int, ...]] = {(0, frozenset()): first}
    for _ in range(turns):
        after: dict[tuple[int, frozenset[int]], tuple[int, ...]] = {}
        for (place, skipped), begun in found.items():
            following = (place + 1) % players
            steps = [(following, skipped)]
            if skips and following not in skipped:
                steps.append(((place + 2) % players, skipped | {following}))
            for turn, waiting in steps:
                key = turn, waiting - {turn}
                counts = [number + (at == turn) for at, number in enumerate(begun)]
                after[key] = tuple(map(max, counts, after.get(key, counts)))
        found = after
    return found
