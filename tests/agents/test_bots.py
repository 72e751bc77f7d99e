"""The bots: legal whatever the settings, deterministic, seeing no more than a player may."""

from __future__ import annotations

import numpy as np
import pytest

from agents import find_agent
from agents.match import PolicyError, deals_for, play_match
from tests.games.tables import TABLES, each_table

from .entrants import ARENAS, bots, each_arena, game_of, names_of


def match(arena, num_players, names, games=30, seed=1, chunk=250, **settings):
    deals, generators = deals_for(seed, games)
    seating = np.array([[(i + seat) % len(names) for seat in range(num_players)] for i in range(games)])
    policies = bots(arena.name, *names)
    return play_match(arena, num_players, policies, seating, deals, generators, settings=settings, chunk=chunk)


@each_table
def test_every_choice_is_legal_and_the_bots_own(table):
    """Redealing what a player cannot know changes no choice of its bot."""
    game = table.game()
    for name, policy in bots(game_of(table)).items():
        rng = np.array([7], np.uint64)
        for seed in range(6):
            game.deal(seed)
            while game.actor >= 0:
                observation, mask = game.view(game.actor)
                seen, allowed = observation.copy(), mask.copy()
                before = rng.copy()
                action = int(policy(observation, mask, rng))
                assert mask[action] == 1, name
                assert np.array_equal(seen, observation) and np.array_equal(allowed, mask)
                if game.record["decisions"][0] % 16 == 0:
                    world = game.twin(game.record)
                    world.redeal_hidden(game.actor, seed)
                    assert int(policy(*world.view(game.actor), before)) == action, name
                game.act(action)


@each_arena
def test_the_result_depends_on_the_seed_alone(arena):
    names = names_of(arena.name)[:5]  # as many as one compiled call plays
    for num_players in arena.players:
        first = match(arena, num_players, names, 12)
        for again in (match(arena, num_players, names, 12), match(arena, num_players, names, 12, chunk=5)):
            assert np.array_equal(first.scores, again.scores)
            assert np.array_equal(first.wins, again.wins)
            assert np.array_equal(first.decisions, again.decisions)
        assert not np.array_equal(first.scores, match(arena, num_players, names, 12, seed=2).scores)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_lastdroids_greedy_beats_random_and_auto(num_players):
    for weaker in ("random", "auto"):
        result = match(ARENAS["lastdroid"], num_players, ("greedy", weaker), games=100)
        seats = np.array([[(i + seat) % 2 for seat in range(num_players)] for i in range(100)])
        scores = result.scores[:, :num_players]
        assert scores[seats == 0].mean() > scores[seats == 1].mean() + 5


STRATEGIES = ("planner", "economy", "rusher", "denial")


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_lastdroids_strategies_play_legal_games_of_their_own(num_players):
    """Every one plays to the end in every seat, and no two play alike."""
    scores = {}
    for name in (*STRATEGIES, "greedy", "auto"):
        result = match(ARENAS["lastdroid"], num_players, (name,), games=20)
        scores[name] = tuple(result.scores[:, :num_players].ravel())
        assert result.wins[:, : max(2, num_players)].any(axis=1).all()
    assert len(set(scores.values())) == len(scores)


@pytest.mark.parametrize("name", STRATEGIES)
def test_lastdroids_strategies_beat_the_autos_rule(name):
    result = match(ARENAS["lastdroid"], 2, (name, "auto"), games=60)
    won = result.wins[np.arange(60), np.arange(60) % 2].astype(bool)
    assert won.sum() >= 48


def test_lastdroids_expert_beats_greedy():
    result = match(ARENAS["lastdroid"], 2, ("expert", "greedy"), games=200)
    seats = np.array([[i % 2, (i + 1) % 2] for i in range(200)])
    won = result.wins[:, :2].astype(bool)
    assert (won & (seats == 0)).sum() > 1.3 * (won & (seats == 1)).sum()


def test_lastdroids_expert_is_the_planner():
    expert, planner = find_agent("expert", "lastdroid"), find_agent("planner", "lastdroid")
    assert expert.policy is planner.policy and expert.name == "expert"
    assert "expert" in planner.aliases and "expert" not in names_of("lastdroid")
    alone = match(ARENAS["lastdroid"], 1, ("expert",), games=5)
    assert np.array_equal(alone.scores, match(ARENAS["lastdroid"], 1, ("planner",), games=5).scores)


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_robots_greedy_beats_random(num_players):
    result = match(ARENAS["robots"], num_players, ("greedy", "random"), games=60)
    seats = np.array([[(i + seat) % 2 for seat in range(num_players)] for i in range(60)])
    won = result.wins[:, :num_players].astype(bool)
    assert (won & (seats == 0)).sum() >= 0.9 * won.sum()
    single = match(ARENAS["robots"], num_players, ("greedy", "random"), games=60, rounds=1)
    scores = single.scores[:, :num_players]
    assert scores[seats == 0].mean() > scores[seats == 1].mean() + 20


def test_robots_greedy_players_go_out():
    """They do not let the same cards go round for ever."""
    result = match(ARENAS["robots"], 2, ("greedy",), games=100, rounds=1)
    assert result.decisions.mean() < 120 and result.decisions.max() < 1000


def test_nobody_wins_a_match_that_is_cut_short():
    result = match(ARENAS["robots"], 3, ("random",), games=6, rules={"max_rounds": 1, "max_turns": 2})
    assert not result.wins.any() and result.scores.any()


def test_all_players_counts_are_played():
    assert {(t.package.__name__, t.settings["num_players"]) for t in TABLES} == {
        (f"{arena.name}_env", num_players) for arena in ARENAS.values() for num_players in arena.players
    }


@pytest.mark.parametrize("wrong", [lambda observation, action_mask, rng: 1 // 0, lambda *seen: True])
def test_a_policy_that_fails_is_named(wrong):
    deals, generators = deals_for(3, 1)
    with pytest.raises(PolicyError, match=r"agent 'wrong', in the game with seed \d+, decision 0: "):
        play_match(ARENAS["lastdroid"], 1, {"wrong": wrong}, np.zeros((1, 1), np.int64), deals, generators)


@each_arena
def test_python_policies_play_the_same_deals(arena):
    class Watching:
        """Plays as ``random`` does, in Python, and counts."""

        calls = 0

        def act(self, observation, action_mask, rng):
            Watching.calls += 1
            return int(rng.choice(np.flatnonzero(action_mask)))

    deals, generators = deals_for(3, 4)
    seating = np.array([[0, 1], [1, 0]] * 2)
    policies = {"watching": Watching, **bots(arena.name, "greedy")}
    result = play_match(arena, 2, policies, seating, deals, generators)
    assert Watching.calls > 50 and (result.wins[:, :2].sum(axis=1) >= 1).all()
    again = play_match(arena, 2, policies, seating, deals, generators)
    assert np.array_equal(result.scores, again.scores)
