"""Agents that search: a strong agent of a game, seen through by a tree over worlds that its player may believe in.

``search-N`` makes N simulations a decision. ``Search`` takes any other settings:

    from tabletop.search import Search

    mine = Search("robots", seconds=1.0, playouts="greedy", guide="expert")

and plays as ``--agents mine.py:mine``.
"""

from __future__ import annotations

import contextlib
import hashlib
from typing import Any

from tabletop.game import Game
from tabletop.policies import UnknownAgent, at_table, find_agent, fingerprint, register
from tabletop.search import Search

from .lastdroid.judge import judge


class FirstThatPlays:
    """The first of several compiled agents that can play at a table: a network knows some numbers of players only."""

    compiled_policy = True

    def __init__(self, game: str, *names: str) -> None:
        self.game, self.names = game, names
        self.__name__ = " or ".join(names)

    def at_table(self, game: Game) -> Any:
        """The one to play; ``ValueError`` of the last if none can."""
        for name in self.names[:-1]:
            try:
                return at_table(find_agent(name, self.game).policy, game)
            except ValueError:
                continue
        return at_table(find_agent(self.names[-1], self.game).policy, game)

    def fingerprint(self, players: int | None = None) -> str:
        """A hash of what defines those that may play with so many players (None: all of them), in 12 hex digits."""
        told = []
        for name in self.names:
            with contextlib.suppress(UnknownAgent):
                agent = find_agent(name, self.game)
                if players is None or agent.players is None or players in agent.players:
                    told.append((name, fingerprint(agent.policy, players)))
        return hashlib.sha256(repr(told).encode()).hexdigest()[:12]


SIMULATIONS = (30, 100, 300, 1000)
SETTINGS: dict[str, dict[str, Any]] = {
    "lastdroid": {"playouts": "expert", "guide": "expert", "judge": judge, "temperature": 4.0, "trust": 0.3},
    "robots": {
        **{"playouts": "greedy", "guide": FirstThatPlays("robots", "ppo", "expert")},
        **{"temperature": 100.0, "trust": 0.3},
    },
}
"""By game, what has turned out to play best; the rest is as ``Search`` has it."""

for _game, _settings in SETTINGS.items():
    for _simulations in SIMULATIONS:
        _summary = f"Tree search, {_simulations:,} simulations a decision: strong and slow"
        register(f"search-{_simulations}", game=_game, summary=_summary)(Search(_game, _simulations, **_settings))
