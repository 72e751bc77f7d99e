"""Robots!'s scripted agents: legal in every game, each with its own way of playing, the expert the best of them."""

from __future__ import annotations

import numpy as np
import pytest

from agents import run_tournament
from agents.match import deals_for, play_match
from tests.robots.positions import Position

from .entrants import ARENAS, bots

ARENA = ARENAS["robots"]
SCRIPTED = ("greedy", "racer", "collector", "holder", "balanced")
ALL = (*SCRIPTED, "novice")


def play(names, num_players, games, seed=11, **settings):
    deals, generators = deals_for(seed, games)
    seating = np.array([[(i + seat) % len(names) for seat in range(num_players)] for i in range(games)])
    return seating, play_match(
        ARENA, num_players, bots("robots", *names), seating, deals, generators, settings=settings
    )


@pytest.mark.parametrize("rules", ["source", "publisher"])
@pytest.mark.parametrize("num_players", ARENA.players)
def test_all_play_whole_matches(num_players, rules):
    """A choice that is not legal would raise, a match that went round in circles would be cut short."""
    _, result = play(ALL, num_players, 40, rules=rules)
    assert (result.wins.sum(axis=1) >= 1).all()
    assert result.scores.max(axis=1).min() >= 250


@pytest.mark.parametrize("agent", ALL)
@pytest.mark.parametrize("num_players", ARENA.players)
def test_tables_of_one_agent_come_to_an_end(num_players, agent):
    """Where all wait for each other, and where only the heap is left, nothing would happen any more."""
    _, result = play([agent], num_players, 40)
    assert (result.wins.sum(axis=1) >= 1).all()
    assert result.scores[:, :num_players].mean() > 0


@pytest.mark.parametrize(
    "rules",
    [
        {"discard_taken_card": False, "power_on_last_discard": True, "wild_completes_robot": True},
        {"powers": {"2": "laser", "6": "laser", "10": "recycle", "13": "extra parts", "14": "tractor beam"}},
        {"card_points": {"star": 5, "wild": 30}, "robot_bonus": 100, "max_refills": 0},
    ],
    ids=["settings", "powers", "points"],
)
def test_other_rules_do_not_stop_them(rules):
    _, result = play(ALL, 3, 20, rules=rules)
    assert result.scores.any(axis=1).all()


@pytest.mark.parametrize("weaker", ["random", "greedy"])
def test_the_expert_beats(weaker):
    result = run_tournament("robots", ["expert", weaker], 2, games=200, seed=5)
    assert result.rows[0].agent == "expert" and result.rows[0].win_rate >= 0.65


def test_the_novice_stands_between_chance_and_greed():
    rates = {}
    for other in ("random", "greedy"):
        result = run_tournament("robots", ["novice", other], 2, games=200, seed=5)
        rates[other] = next(row.win_rate for row in result.rows if row.agent == "novice")
    assert rates["random"] > 0.9 and rates["greedy"] < 0.3


@pytest.mark.parametrize("num_players", [3, 4, 5])
def test_the_expert_leads_at_larger_tables(num_players):
    seating, result = play(("expert", "greedy"), num_players, 100)
    scores = result.scores[:, :num_players]
    assert scores[seating == 0].mean() > scores[seating == 1].mean() + 20


def test_expert_is_another_name_of_balanced():
    agents = bots("robots", "expert", "balanced")
    assert agents["expert"] is agents["balanced"]


def test_each_has_its_way():
    """Of one-round games against the greedy one: the racer's are short, the holder's last longer than the racer's."""
    decisions = {}
    for name in ("racer", "holder"):
        _, result = play((name, "greedy"), 2, 200, rounds=1)
        decisions[name] = np.median(result.decisions)
    assert decisions["racer"] < decisions["holder"]


# --- Ways of playing --------------------------------------------------------------------------------------------------


def choice(name, p):
    """What an agent does in a position."""
    observation, mask = p.game.view(p.actor)
    action = int(bots("robots", name)[name](observation, mask, np.zeros(1, np.uint64)))
    return p.game.action_to_string(action)


def position(*hands, turns=5, **more):
    return Position(*hands, turns=turns, **more)


MANY = "green 2 6, purple 4 10, white 7, red 12"
SPREAD = "green 9, purple 9, white 9, red 2, blue 6 13"


@pytest.mark.parametrize("name", ["novice", "greedy", "racer", "collector", "balanced"])
def test_spreads_are_laid(name):
    p = position(SPREAD, MANY, draws="red 8").act("draw")
    assert choice(name, p) == "lay set 9 green purple white"


def test_the_holder_waits_with_its_spreads():
    p = position(SPREAD, MANY, draws="red 8").act("draw")
    assert choice("holder", p).startswith("discard")
    p = position(SPREAD, "green 2, purple 4", draws="red 8").act("draw")
    assert choice("holder", p) == "lay set 9 green purple white"


def test_the_holder_goes_out_when_it_can():
    p = position("green 9, purple 9, white 9", MANY, draws="red 8").act("draw")
    assert choice("holder", p) == "lay set 9 green purple white"


@pytest.mark.parametrize("name", SCRIPTED)
def test_robots_are_completed(name):
    spreads = ["0: green 8, purple 8, white 8, red 8", "1: blue 5 6 7"]
    p = position("green 3, purple 12, blue 8", MANY, draws="red 5", spreads=spreads).act("draw")
    p.act(choice(name, p))
    assert choice(name, p) == "onto spread 1"


@pytest.mark.parametrize("name", ["racer", "collector", "holder", "balanced"])
def test_nobody_gives_others_a_robot(name):
    spreads = ["1: green 8, purple 8, white 8, red 8"]
    p = position("green 3 4, blue 8", MANY, draws="red 13", spreads=spreads).act("draw")
    assert choice(name, p) != "discard blue 8"


def test_the_collector_keeps_what_may_become_a_robot():
    p = position("green 9, purple 9, white 5, red 14, blue 3 12", MANY, draws="white 13").act("draw")
    assert choice("collector", p) not in ("discard green 9", "discard purple 9")


@pytest.mark.parametrize("name", ["racer", "collector", "holder", "balanced"])
def test_a_deep_take_that_allows_a_spread_is_made(name):
    heap = "green 12, red 14, blue 13"
    p = position("purple 12, white 12, green 3, blue 4", MANY, draws="red 5", heap=heap)
    assert choice(name, p) == "pick green 12"
