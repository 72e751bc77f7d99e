"""Robots!'s scripted agents: legal in every game, each with its own way of playing, the expert the best of them."""

from __future__ import annotations

import numpy as np
import pytest

from agents import run_tournament
from agents.match import deals_for, play_match

from .entrants import ARENAS, bots

ARENA = ARENAS["robots"]
SCRIPTED = ("greedy", "racer", "collector", "holder", "balanced")


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
    _, result = play(SCRIPTED, num_players, 40, rules=rules)
    assert (result.wins.sum(axis=1) >= 1).all()
    assert result.scores.max(axis=1).min() >= 250


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
    _, result = play(SCRIPTED, 3, 20, rules=rules)
    assert result.scores.any(axis=1).all()


@pytest.mark.parametrize("weaker", ["random", "greedy"])
def test_the_expert_beats(weaker):
    result = run_tournament("robots", ["expert", weaker], 2, games=200, seed=5)
    assert result.rows[0].agent == "expert" and result.rows[0].win_rate >= 0.65


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
