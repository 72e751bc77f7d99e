"""The bots: legal whatever the settings, deterministic, seeing no more than a player may."""

from __future__ import annotations

import numpy as np
import pytest

from agents import find_agent
from agents.arena import find_arena
from agents.match import PolicyError, compiled, deals_for, play_match
from lastdroid_env import LastDroid
from tests.lastdroid.games import SETTINGS

ARENA = find_arena("lastdroid")
BOTS = ("random", "greedy", "auto")


def bots(*names):
    return {name: find_agent(name, "lastdroid").policy for name in names}


def match(num_players, names, games=30, seed=1, chunk=250, **settings):
    deals, generators = deals_for(seed, games)
    seating = np.array([[(i + seat) % len(names) for seat in range(num_players)] for i in range(games)])
    return play_match(ARENA, num_players, bots(*names), seating, deals, generators, settings=settings, chunk=chunk)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("name", BOTS)
def test_every_choice_is_legal(name, settings):
    game = LastDroid(**settings)
    policy = compiled(bots(name))[0]
    rng = np.array([7], np.uint64)
    for seed in range(10):
        game.deal(seed)
        while game.actor >= 0:
            observation, mask = game.view(game.actor)
            seen, allowed = observation.copy(), mask.copy()
            action = int(policy(observation, mask, rng))
            assert mask[action] == 1
            assert np.array_equal(seen, observation) and np.array_equal(allowed, mask)
            game.act(action)


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_the_result_depends_on_the_seed_alone(num_players):
    first = match(num_players, BOTS)
    for again in (match(num_players, BOTS), match(num_players, BOTS, chunk=7)):
        assert np.array_equal(first.scores, again.scores)
        assert np.array_equal(first.wins, again.wins)
        assert np.array_equal(first.decisions, again.decisions)
    assert not np.array_equal(first.scores, match(num_players, BOTS, seed=2).scores)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_greedy_beats_random_and_auto(num_players):
    for weaker in ("random", "auto"):
        result = match(num_players, ("greedy", weaker), games=100)
        seats = np.array([[(i + seat) % 2 for seat in range(num_players)] for i in range(100)])
        scores = result.scores[:, :num_players]
        assert scores[seats == 0].mean() > scores[seats == 1].mean() + 5


@pytest.mark.parametrize("wrong", [lambda observation, action_mask, rng: 1 // 0, lambda *seen: True])
def test_a_policy_that_fails_is_named(wrong):
    deals, generators = deals_for(3, 1)
    with pytest.raises(PolicyError, match=r"agent 'wrong', in the game with seed \d+, decision 0: "):
        play_match(ARENA, 1, {"wrong": wrong}, np.zeros((1, 1), np.int64), deals, generators)


def test_python_policies_play_the_same_deals():
    class Watching:
        """Plays as ``random`` does, in Python, and counts."""

        calls = 0

        def act(self, observation, action_mask, rng):
            Watching.calls += 1
            return int(rng.choice(np.flatnonzero(action_mask)))

    deals, generators = deals_for(3, 4)
    seating = np.array([[0, 1], [1, 0]] * 2)
    policies = {"watching": Watching, **bots("greedy")}
    result = play_match(ARENA, 2, policies, seating, deals, generators)
    assert Watching.calls > 50 and (result.wins[:, :2].sum(axis=1) >= 1).all()
    again = play_match(ARENA, 2, policies, seating, deals, generators)
    assert np.array_equal(result.scores, again.scores)
