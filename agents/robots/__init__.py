"""Robots!'s agents."""

from __future__ import annotations

from robots_env import Robots

from ..arena import Arena
from .greedy import greedy

__all__ = ["ARENA", "greedy"]


def _sides(num_players: int) -> tuple[tuple[int, ...], ...]:
    """Everybody plays alone."""
    return tuple((seat,) for seat in range(num_players))


ARENA = Arena(name="robots", title="Robots!", players=(2, 3, 4, 5), make=Robots, sides=_sides)
