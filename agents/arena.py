"""What a match must know of a game, and the games there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tabletop.game import Game
from tabletop.policies import GAMES


class UnknownGame(ValueError):
    """No game is known by this name; the message lists those that are."""


@dataclass(frozen=True)
class Arena:
    """A game as matches and tournaments see it.

    ``sides(num_players)`` lists the
    seats of each side: a player alone, or a team, whose score is that of its lowest seat. Alone at the table
    (``num_players`` 1) one plays against ``opponent``, whose points come after one's own.
    """

    name: str
    title: str
    players: tuple[int, ...]
    make: Callable[..., Game]
    sides: Callable[[int], tuple[tuple[int, ...], ...]]
    opponent: str | None = None


def _lastdroid() -> Arena:
    from .lastdroid import ARENA

    return ARENA


def _robots() -> Arena:
    from .robots import ARENA

    return ARENA


_ARENAS: dict[str, Callable[[], Arena]] = {"lastdroid": _lastdroid, "robots": _robots}


def find_arena(game: str) -> Arena:
    """A game by name; ``UnknownGame`` if there is none."""
    if game not in _ARENAS:
        raise UnknownGame(f"no game is called {game!r}; known are {', '.join(GAMES)}")
    return _ARENAS[game]()


def check_players(arena: Arena, num_players: Any) -> int:
    """``ValueError`` unless the game can be played by so many."""
    if num_players not in arena.players:
        allowed = ", ".join(map(str, arena.players))
        raise ValueError(f"{arena.title} is played by {allowed}; not by {num_players!r} players")
    return int(num_players)
