"""Everything of a game that is compiled, compiled at once, so that nothing has to wait for it later.

    python -m agents compile

Code is compiled when it is first used, and kept in a cache. This uses everything once: the loops behind every face,
the agents, their matches, the search and the reports.
"""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import time
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Annotated, Any

import typer
from rich.console import Console

from tabletop.game import Game
from tabletop.policies import (
    GAMES,
    PolicyError,
    agents_for,
    at_table,
    find_agent,
    is_compiled,
    machine_code,
    player_of,
)
from tabletop.search import Search
from tabletop.vector import TabletopVecEnv
from tabletop.worlds import Worlds

from .arena import Arena, find_arena
from .match import prepare
from .report.games import Cell


def compile_game(name: str) -> float:
    """Compile everything of a game; returns the seconds that it took. ``UnknownGame`` if there is none of the name."""
    began = time.perf_counter()
    arena = find_arena(name)
    game = arena.make(2)
    _one_game(game)
    _batch(TabletopVecEnv(game, name, 2, seed=0))
    prepare(arena, 2)
    compile_agents(arena)
    list(Cell(arena, 2, find_agent("greedy", name), {}).watch(1, 0))
    return time.perf_counter() - began


def compile_games(names: Iterable[str], workers: int) -> Iterator[tuple[str, float]]:
    """The same for several games, in so many processes; each as soon as it is done, with the seconds that it took."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context) as processes:
        asked = {processes.submit(compile_game, name): name for name in names}
        for done in as_completed(asked):
            yield asked[done], done.result()


def command(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="both if left out")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="processes, a game each; as many as cores")] = None,
) -> None:
    """Compile now what else would be compiled when it is first used."""
    names = list(dict.fromkeys(games or GAMES))
    for name in names:
        try:
            find_arena(name)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="GAME") from error
    for name, seconds in compile_games(names, min(len(names), workers or os.cpu_count() or 1)):
        Console().print(f"{find_arena(name).title}: compiled in {seconds:.0f} s", highlight=False)


def _one_game(game: Game) -> None:
    game.deal(0)
    game.view(game.actor)
    game.result()
    game.returns("win")
    game.restore(game.snapshot())
    Worlds(game, game.actor).draw(0)


def _batch(vec: TabletopVecEnv[Any]) -> None:
    vec.reset()
    vec.step(vec.sample_actions())
    vec.observe(0)
    vec.rollout("random", 1)
    vec.play("random")


def compile_agents(arena: Arena) -> None:
    """The agents of a game at every table that they play at; a warning names one that cannot."""
    tables = {players: arena.make(players) for players in arena.players}
    for players, game in tables.items():
        for agent in agents_for(arena.name, players).values():
            try:
                player = player_of(at_table(agent.policy, game))
                if is_compiled(player):
                    machine_code([(agent.name, player)])
                if isinstance(agent.policy, Search):
                    game.deal(0)
                    search = dataclasses.replace(agent.policy, simulations=1, seconds=None)
                    search.think(Worlds(game, game.actor), 0)
            except (ValueError, PolicyError) as error:
                warnings.warn(f"{arena.title}, {players} players: {agent.name} is left out: {error}", stacklevel=2)
