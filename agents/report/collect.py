"""A report as figures: for each number of players and each agent what its games against itself show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.game import is_whole
from tabletop.policies import find_agent

from ..arena import check_players, find_arena
from ..settings import check_settings
from . import lastdroid, robots
from .figures import Choices, Ends, Figures
from .games import Cell

AGENTS = ("expert", "random")
GAMES = 500
"""So many games of each agent unless told otherwise: what takes a few minutes for all."""
MAX_GAMES = 100_000

_TALLIES: dict[str, Any] = {"lastdroid": lastdroid, "robots": robots}


def report(
    game: str,
    players: Sequence[int] | None = None,
    agents: Sequence[str] = AGENTS,
    *,
    games: int = GAMES,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Figures:
    """The figures of a game: JSON-able, and the same for the same arguments.

    ``games`` is the number of each cell (players and agent). ``progress`` is told how many games of how many have been
    played.
    """
    arena = find_arena(game)
    numbers = [check_players(arena, n) for n in (players or arena.players)]
    if not is_whole(games) or not 1 <= games <= MAX_GAMES:
        raise ValueError(f"games must be a whole number from 1 to {MAX_GAMES:,}, not {games!r}")
    if not is_whole(seed) or seed < 0:
        raise ValueError(f"seed must be a whole number from 0, not {seed!r}")
    if not agents:
        raise ValueError("a report needs at least one agent")
    for n in numbers:
        check_settings(arena, n, settings or {})
    entrants = [find_agent(name, game) for name in agents]
    total, played = len(agents) * len(numbers) * games, 0

    def told(more: int) -> None:
        nonlocal played
        played += more
        if progress is not None:
            progress(played, total)

    cells: dict[str, dict[str, Figures]] = {}
    for n in numbers:
        found = cells.setdefault(str(n), {})
        for agent in entrants:
            found[agent.name] = _figures(Cell(arena, n, agent, settings or {}), games, seed, told)
    return {
        "game": arena.name,
        "title": arena.title,
        "seed": seed,
        "settings": dict(settings or {}),
        "agents": [agent.name for agent in entrants],
        "players": cells,
    }


def _figures(cell: Cell, games: int, seed: int, told: Callable[[int], None]) -> Figures:
    module = _TALLIES[cell.arena.name]
    tally, choices, ends = module.Tally(cell), Choices(module.KINDS, cell.game.num_actions), Ends(cell)
    for watched in cell.watch(games, seed, told):
        tally.add(watched)
        choices.add(watched)
        ends.add(watched, tally.beginners(watched))
    own: Figures = tally.figures()
    return {**own, "choices": choices.figures(), "tree": choices.tree(), "ends": ends.figures()}
