"""The games as the agents' tests see them."""

from __future__ import annotations

import pytest

from agents import agents_for, find_agent
from agents.arena import find_arena
from tabletop.policies import GAMES, is_compiled

ARENAS = {name: find_arena(name) for name in GAMES}
each_arena = pytest.mark.parametrize("arena", ARENAS.values(), ids=ARENAS)


def names_of(game):
    """Those that are compiled and play any number of players."""
    known = agents_for(game).items()
    return tuple(name for name, agent in known if is_compiled(agent.policy) and agent.players is None)


def bots(game, *names):
    return {name: find_agent(name, game).policy for name in names or names_of(game)}


def game_of(table):
    return table.package.__name__.removesuffix("_env")
