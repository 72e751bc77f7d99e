"""Players who want a game never to end, or to go wrong: it ends within the bound, with the right flags."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import lastdroid_env.actions as lastdroid
import robots_env.actions as robots
from robots_env.constants import CARD_NUMBERS

from .tables import TABLES

Chooser = Callable[[np.ndarray, int], int]
"""Legal actions, ascending, and how many decisions have been made: the action."""


def prefer(*spans: tuple[int, int]) -> Chooser:
    """The first legal action of the first span that has one, in turns the last; else in turns any."""

    def choose(legal: np.ndarray, made: int) -> int:
        for first, last in spans:
            found = legal[(legal >= first) & (legal < last)]
            if len(found):
                return int(found[made % len(found)])
        return int(legal[made % len(legal)])

    return choose


def powers_first(legal: np.ndarray, made: int) -> int:
    """Robots!: discards powers, takes them back, draws whatever can be drawn."""
    numbers = (legal - robots.DISCARD) % 14
    powers = legal[(legal >= robots.DISCARD) & (legal < robots.ADD) & np.isin(numbers, (2, 4, 6, 8, 10))]
    picks = legal[(legal > robots.CALL) & (legal < robots.DISCARD)]
    found = powers if len(powers) else picks
    return int(found[made % len(found)]) if len(found) else int(legal[0])


COMMON: dict[str, Chooser] = {
    "always the first": lambda legal, made: int(legal[0]),
    "always the last": lambda legal, made: int(legal[-1]),
    "never passes": lambda legal, made: int(legal[-1] if legal[0] else legal[min(1, len(legal) - 1)]),
}
ADVERSARIES = {
    "lastdroid_env": {
        **COMMON,
        "always exchanges": prefer((lastdroid.EXCHANGE, lastdroid.REPAIR)),
        "hoards": prefer((lastdroid.DISMANTLE, lastdroid.BUILD)),
        "only builds": prefer((lastdroid.BUILD, lastdroid.PAY_ANY), (lastdroid.EXCHANGE, lastdroid.REPAIR)),
        "always passes": prefer((lastdroid.PASS, lastdroid.PASS + 1), (lastdroid.DISMANTLE, lastdroid.BUILD)),
    },
    "robots_env": {
        **COMMON,
        "hoards": prefer((robots.PICK, robots.DISCARD), (robots.DRAW, robots.PICK), (robots.DISCARD, robots.ADD)),
        "never lays": prefer((robots.PASS, robots.PICK), (robots.DISCARD, robots.ADD)),
        "lays all": prefer((robots.ADD, robots.ADD + CARD_NUMBERS), (robots.LAY_RUN, robots.WILD_IN)),
        "powers first": powers_first,
    },
}
CASES = [
    pytest.param(table, name, id=f"{table}, {name}") for table in TABLES for name in ADVERSARIES[table.package.__name__]
]


@pytest.mark.parametrize(("table", "name"), CASES)
def test_the_game_ends_within_the_bound(table, name):
    choose = ADVERSARIES[table.package.__name__][name]
    env = table.env()
    env.reset(seed=len(name))
    bound = table.bound(env.game)
    made = 0
    observation = env.last()[0]
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        legal = np.flatnonzero(observation["action_mask"])
        assert len(legal), f"nobody can decide after {made} decisions"
        env.step(choose(legal, made))
        observation = env.last()[0]
        made += 1
        assert made <= bound
    assert env.game.actor < 0
    truncated = env.game.truncated
    assert set(env.terminations.values()) == {not truncated} and set(env.truncations.values()) == {truncated}
    assert truncated <= ("cut short" in table.name or "a match" in table.name or "publisher" in table.name)
