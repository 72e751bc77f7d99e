"""Whose turn it can be, and who can have been skipped by then [C7, K1, W6]: for ``validity``."""

from __future__ import annotations

import functools


@functools.lru_cache(maxsize=1024)
def orders(players: int, turns: int, skips: bool) -> dict[tuple[int, frozenset[int]], int]:
    """How many places the turn has moved on at most after so many turns, skipped ones included.

    By the place whose turn it is, from whoever began the round, and the places skipped that have had no turn since.
    """
    found: dict[tuple[int, frozenset[int]], int] = {(0, frozenset()): 0}
    for _ in range(turns):
        after: dict[tuple[int, frozenset[int]], int] = {}
        for (place, skipped), moved in found.items():
            following = (place + 1) % players
            steps = [(1, skipped)]
            if skips and following not in skipped:
                steps.append((2, skipped | {following}))
            for step, waiting in steps:
                turn = (place + step) % players
                key = turn, waiting - {turn}
                after[key] = max(moved + step, after.get(key, 0))
        found = after
    return found
