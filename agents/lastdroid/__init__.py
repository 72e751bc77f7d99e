"""Last Droid's agents."""

from __future__ import annotations

from lastdroid_env import LastDroid

from ..arena import Arena
from ..pretrained import register_networks
from .auto import auto
from .denial import denial
from .economy import economy
from .greedy import greedy
from .planner import planner
from .rusher import rusher

__all__ = ["ARENA", "auto", "denial", "economy", "greedy", "planner", "rusher"]


def _sides(num_players: int) -> tuple[tuple[int, ...], ...]:
    """Four players are two teams [D4]."""
    return ((0, 3), (1, 2)) if num_players == 4 else tuple((seat,) for seat in range(num_players))


ARENA = Arena(
    name="lastdroid",
    title="Last Droid",
    players=(1, 2, 3, 4),
    make=LastDroid,
    sides=_sides,
    opponent="the Auto-Ecomechanic",
)

register_networks(ARENA)
