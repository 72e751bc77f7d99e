"""Robots!'s agents."""

from __future__ import annotations

from robots_env import Robots

from ..arena import Arena
from ..pretrained import register_networks
from .balanced import balanced
from .collector import collector
from .greedy import greedy
from .holder import holder
from .novice import novice
from .racer import racer

__all__ = ["ARENA", "balanced", "collector", "greedy", "holder", "novice", "racer"]


def _sides(num_players: int) -> tuple[tuple[int, ...], ...]:
    """Everybody plays alone."""
    return tuple((seat,) for seat in range(num_players))


ARENA = Arena(name="robots", title="Robots!", players=(2, 3, 4, 5), make=Robots, sides=_sides)

register_networks(ARENA)
