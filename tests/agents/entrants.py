"""The games as the agents' tests see them."""

from __future__ import annotations

import pytest

from agents import agents_for, find_agent
from agents.arena import find_arena
from tabletop.policies import GAMES

ARENAS = {name: find_arena(name) for name in GAMES}
each_arena = pytest.mark.parametrize("arena", ARENAS.values(), ids=ARENAS)


def names_of(game):
    return tuple(agents_for(game))


def bots(game, *names):
    return {name: find_agent(name, game).policy for name in names or names_of(game)}


def game_of(table):
    return table.package.__name__.removesuffix("_env")
