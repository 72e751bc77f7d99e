"""Names of seats and of the pairs of seats between which cards lie, as snapshots and the table as text write them."""

from __future__ import annotations


def seat_names(num_players: int) -> tuple[str, ...]:
    """``player_0``, ...; in the solo game the second seat is ``auto``, the Auto-Ecomechanic [O1]."""
    if num_players == 1:
        return ("player_0", "auto")
    return tuple(f"player_{seat}" for seat in range(num_players))


def seat_pairs(num_players: int) -> tuple[tuple[int, int], ...]:
    """The pairs of seats in their order: neighbours of three, facing opponents of four [S2-S4, D4]."""
    return {3: ((0, 1), (1, 2), (2, 0)), 4: ((0, 1), (2, 3))}.get(num_players, ((0, 1),))
