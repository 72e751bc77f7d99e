"""Agents that search: the scripted expert, seen through by a tree over worlds that its player may believe in.

``search-N`` makes N simulations a decision. ``Search`` takes any other settings:

    from tabletop.search import Search

    mine = Search("robots", seconds=1.0, playouts="greedy", guide="expert")

and plays as ``--agents mine.py:mine``.
"""

from __future__ import annotations

from typing import Any

from tabletop.policies import register
from tabletop.search import Search

from .lastdroid.judge import judge

SIMULATIONS = (30, 100, 300, 1000)
SETTINGS: dict[str, dict[str, Any]] = {
    "lastdroid": {"playouts": "expert", "guide": "expert", "judge": judge, "temperature": 4.0, "trust": 0.3},
    "robots": {"playouts": "greedy", "guide": "expert", "temperature": 100.0},
}
"""By game, what has turned out to play best; the rest is as ``Search`` has it."""

for _game, _settings in SETTINGS.items():
    for _simulations in SIMULATIONS:
        _summary = f"Tree search, {_simulations:,} simulations a decision: strong and slow"
        register(f"search-{_simulations}", game=_game, summary=_summary)(Search(_game, _simulations, **_settings))
