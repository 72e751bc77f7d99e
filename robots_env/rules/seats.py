"""Who sits where, and in which order play passes [C7, K1]."""

from __future__ import annotations

from tabletop.jit import kernel


@kernel(inline=True)
def clockwise(g, seat, steps):
    """The seat so many places further to the left [C7, K1]."""
    seat += steps
    while seat >= g.num_players:
        seat -= g.num_players
    return seat
