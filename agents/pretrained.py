"""The trained agents that come with the games: files ``networks/NAME-PLAYERS.npz`` beside a game's scripted agents.

A file is read when its agent first plays. How each was made and how strong it is stands in docs/networks.md.
"""

from __future__ import annotations

from pathlib import Path

from tabletop.networks import SavedNetworks
from tabletop.policies import register

from .arena import Arena


def register_networks(arena: Arena) -> None:
    """Make a game's trained agents known, each by one name for all numbers of players that there is a file for."""
    folder = Path(__file__).parent / arena.name / "networks"
    names = sorted({file.stem.rpartition("-")[0] for file in folder.glob("*-*.npz")})
    for name in names:
        files = {players: folder / f"{name}-{players}.npz" for players in arena.players}
        files = {players: file for players, file in files.items() if file.is_file()}
        means = ", ".join(map(str, files))
        register(name, game=arena.name)(SavedNetworks(name, files, f"a trained network; players: {means}"))
