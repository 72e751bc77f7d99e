"""Matches: compiled and Python play of the same games, fair seating, what a faulty policy is told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import Any

import numba
import numpy as np
import pytest

from agents import Agent, policy, run_tournament
from agents.match import PolicyError, deals_for, play_match
from agents.tournament.schedule import line_ups, seatings
from lastdroid_env.actions import REPAIR
from tabletop.jit import COMPILED

from .entrants import ARENAS, bots, each_arena


def by_hand(compiled_policy):
    """A Python policy that plays as a compiled one that draws nothing from its generator."""
    nothing = np.zeros(1, np.uint64)
    return lambda observation, action_mask, rng: compiled_policy(observation, action_mask, nothing)


@each_arena
def test_a_python_policy_at_the_table_changes_no_game(arena):
    deals, generators = deals_for(5, 4)
    policies = bots(arena.name)
    mixed = policies | {"greedy": by_hand(policies["greedy"])}
    settings = {"rounds": 1} if arena.name == "robots" else {}
    for num_players in arena.players:
        seating = np.array([[(game + seat) % len(policies) for seat in range(num_players)] for game in range(4)])
        compiled = play_match(arena, num_players, policies, seating, deals, generators, settings=settings)
        in_python = play_match(arena, num_players, mixed, seating, deals, generators, settings=settings)
        assert np.array_equal(compiled.scores, in_python.scores)
        assert np.array_equal(compiled.wins, in_python.wins)
        assert np.array_equal(compiled.decisions, in_python.decisions)


@each_arena
def test_a_game_does_not_depend_on_those_beside_it(arena):
    deals, generators = deals_for(5, 8)
    assert np.array_equal(deals[:3], deals_for(5, 3)[0]) and np.array_equal(generators[:3], deals_for(5, 3)[1])
    seating = np.array([[0, 1], [1, 0]] * 4)
    policies = bots(arena.name, "greedy", "random")
    whole = play_match(arena, 2, policies, seating, deals, generators)
    alone = play_match(arena, 2, policies, seating[6:7], deals[6:7], generators[6:7])
    assert np.array_equal(whole.scores[6:7], alone.scores)
    told: list[int] = []
    threads = play_match(arena, 2, policies, seating, deals, generators, threads=3, progress=told.append)
    assert np.array_equal(whole.scores, threads.scores) and np.array_equal(whole.decisions, threads.decisions)
    assert told == [3, 3, 2]
    for wrong in (0, True, 1.5):
        with pytest.raises(ValueError, match=f"threads must be a whole number from 1, not {wrong!r}"):
            play_match(arena, 2, policies, seating, deals, generators, threads=wrong)  # type: ignore[arg-type]


@each_arena
@pytest.mark.parametrize("agents", [1, 2, 3, 4])
def test_every_agent_sits_in_every_seat_equally_often(agents, arena):
    for num_players in arena.players:
        sides = arena.sides(num_players)
        assert sorted(seat for side in sides for seat in side) == list(range(num_players))
        for line_up in line_ups(agents, len(sides)):
            table = seatings(line_up)
            for agent in line_up:
                assert len({Counter(row[side] for row in table)[agent] for side in range(len(sides))}) == 1


def test_a_policy_that_breaks_the_rules_is_named():
    @policy
    def always_repairs(observation, action_mask, rng):
        return REPAIR

    def always_none(observation, action_mask, rng):
        return None

    @policy
    def fails_later(observation, action_mask, rng):
        if action_mask[REPAIR] == 1:
            raise ValueError("oh")
        return action_mask.argmax()

    for agent, told in (
        (Agent("hasty", always_repairs), "legal are"),
        (Agent("mute", always_none), "not None"),
        (Agent("frail", fails_later), "it raised ValueError: oh"),
    ):
        with pytest.raises(
            PolicyError, match=rf"agent '{agent.name}', in the game with seed \d+, decision \d+: .*{told}"
        ):
            run_tournament("lastdroid", [agent, "random"], 2, games=2)


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_all_policies_share_one_compiled_loop():
    @policy
    def first_legal(observation, action_mask, rng):
        return np.flatnonzero(action_mask)[0]

    @numba.njit
    def plain_njit(observation, action_mask, rng):
        return action_mask.argmax()

    play_games: Any = ARENAS["lastdroid"].make().loops.play_games
    run_tournament("lastdroid", ["random", "greedy"], 2, games=2)
    loops = len(play_games.overloads)
    run_tournament("lastdroid", [Agent("first", first_legal), Agent("njit", plain_njit), "auto"], 2, games=2)
    assert len(play_games.overloads) == loops


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_what_does_not_compile_is_named():
    @policy
    def odd(observation, action_mask, rng):
        return observation.no_such_thing

    with pytest.raises(PolicyError, match="agent 'odd' cannot be compiled"):
        run_tournament("lastdroid", [Agent("odd", odd), "random"], 2, games=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "num_players", "settings"), [("lastdroid", 1, {}), ("lastdroid", 2, {}), ("robots", 3, {"rounds": 1})]
)
def test_uncompiled_games_are_the_same(game, num_players, settings):
    code = (
        "from agents import find_agent, run_tournament; from agents.arena import find_arena; import json;"
        f"find_arena({game!r}); names = ['random', 'greedy', find_agent('expert', {game!r}).name];"
        f"result = run_tournament({game!r}, names, {num_players}, games=1, seed=4, settings={settings!r});"
        "print(json.dumps(result.to_dict()))"
    )
    found = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"NUMBA_DISABLE_JIT": jit},
        ).stdout
        for jit in ("0", "1")
    ]
    assert found[0] and found[0] == found[1]
