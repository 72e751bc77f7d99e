"""The games, with the settings in which every test of this folder is played: one list for both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import lastdroid_env
import robots_env
import tests.lastdroid.games as lastdroid
import tests.robots.games as robots
from lastdroid_env import LastDroid
from lastdroid_env.bound import max_decisions as lastdroid_bound
from robots_env import Robots
from robots_env.bound import max_decisions as robots_bound
from tabletop.aec import TabletopEnv
from tabletop.game import Game

from .walk import Chooser, anything

TESTS = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Table:
    """A game with settings, and what the tests must know of it."""

    package: ModuleType
    make_game: Callable[..., Game]
    env_id: str
    name: str
    settings: Mapping[str, Any]
    ways: Mapping[str, Chooser]
    bound: Callable[[Any], int]
    """Decisions of a game, at most."""
    golden: Path

    def env(self, **more: Any) -> TabletopEnv[Game]:
        made: TabletopEnv[Game] = self.package.env(**self.settings, **more)
        return made

    def game(self, **more: Any) -> Any:
        return self.make_game(**{**self.settings, **more})

    def __str__(self) -> str:
        return f"{self.package.__name__.removesuffix('_env')}: {self.name}"


def _lastdroid_bound(game: LastDroid) -> int:
    return lastdroid_bound(game.num_players, game.cards)


def _robots_bound(game: Robots) -> int:
    return robots_bound(game.num_players, game.rules, game.rounds or 0)


TABLES = [
    Table(
        lastdroid_env,
        LastDroid,
        "tabletop/LastDroid-v0",
        name,
        settings,
        {"anything": anything, "builder": lastdroid.builder, "trader": lastdroid.trader},
        _lastdroid_bound,
        TESTS / "lastdroid" / "golden",
    )
    for name, settings in lastdroid.SETTINGS.items()
] + [
    Table(
        robots_env,
        Robots,
        "tabletop/Robots-v0",
        name,
        settings,
        {"anything": anything, "layer": robots.layer, "scavenger": robots.scavenger},
        _robots_bound,
        TESTS / "robots" / "golden",
    )
    for name, settings in robots.SETTINGS.items()
]
GAMES = [
    next(t for t in TABLES if t.package is package and t.name == "2 players") for package in (lastdroid_env, robots_env)
]

each_table = pytest.mark.parametrize("table", TABLES, ids=str)
each_game = pytest.mark.parametrize("table", GAMES, ids=str)
each_way = pytest.mark.parametrize(
    ("table", "way"), [pytest.param(table, way, id=f"{table}, {way}") for table in TABLES for way in table.ways]
)
