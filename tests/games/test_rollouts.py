"""Compiled play in batches: a rollout is the same as stepping, whole games are those of a match."""

from __future__ import annotations

import numpy as np
import pytest

from agents.arena import find_arena
from agents.match import play_match
from tabletop.policies import PolicyError, policy

from .tables import each_game, each_table

ROWS = 6


def batch(table, num_envs=ROWS, **more):
    return table.package.VecEnv(num_envs, **table.settings, **more)


@policy
def wrong(observation, action_mask, rng):
    """An action that is not legal."""
    return int(action_mask.argmin())


def play_on(env):
    """The first legal action until the end."""
    _, info = env.reset(seed=1)
    while info["action_mask"].any():
        info = env.step(int(info["action_mask"].argmax()))[-1]


@policy
def frail(observation, action_mask, rng):
    """It fails when it is to decide."""
    if action_mask.any():
        raise ValueError("oh")
    return 0


@each_table
def test_a_rollout_of_random_policies_is_stepping_with_random_actions(table):
    rolled, stepped = batch(table, seed=5, max_cycles=60), batch(table, seed=5, max_cycles=60)
    turn = stepped.reset()
    rolled.reset()
    for _ in range(2):
        rollout = rolled.rollout("random", 100)
        for t in range(100):
            actions = stepped.sample_actions()
            assert np.array_equal(rollout.actions[t], actions)
            for name in ("observations", "action_mask", "current_player"):
                assert np.array_equal(getattr(rollout, name)[t], getattr(turn, name))
            turn = stepped.step(actions)
            for name in ("rewards", "terminated", "truncated"):
                assert np.array_equal(getattr(rollout, name)[t], getattr(turn, name))
        assert rollout.truncated.any()
        seen = rolled.look()
        assert np.array_equal(seen.observations, turn.observations)
        assert np.array_equal(rolled.games, stepped.games)


@each_game
def test_threads_and_buffers_change_nothing(table):
    plain, threaded = batch(table, 33, seed=5), batch(table, 33, seed=5, threads=3)
    plain.reset()
    threaded.reset()
    out = threaded.rollout_buffers(40)
    policies = ("greedy", "random")
    wanted, found = plain.rollout(policies, 40), threaded.rollout(policies, 40, out=out)
    assert found.observations is out.observations
    assert all(np.array_equal(a, b) for a, b in zip(wanted, found, strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(plain.play("greedy"), threaded.play("greedy"), strict=True))
    threaded.close()


@each_game
def test_whole_games_are_those_of_a_match(table):
    vec = batch(table, seed=21)
    generators = vec._streams[:, 1:, 0].copy()
    outcome = vec.play(("greedy", "random"))
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        vec.step(np.zeros(ROWS, int))
    name = {"lastdroid_env": "lastdroid", "robots_env": "robots"}[table.package.__name__]
    from agents import find_agent

    policies = {each: find_agent(each, name).policy for each in ("greedy", "random")}
    deals = np.arange(21, 21 + ROWS, dtype=np.uint64)
    settings = {key: value for key, value in table.settings.items() if key != "num_players"}
    seating = np.tile([0, 1], (ROWS, 1))
    results = play_match(find_arena(name), 2, policies, seating, deals, generators, settings=settings)
    assert np.array_equal(outcome.scores, results.scores[:, :2])
    assert np.array_equal(outcome.wins, results.wins[:, :2])
    assert np.array_equal(outcome.decisions, results.decisions)
    again = vec.play(("greedy", "random"))
    assert not np.array_equal(again.scores, outcome.scores)


@each_game
def test_wrong_arguments_and_policies_are_refused(table):
    vec = batch(table, seed=1)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        vec.rollout("random", 3)
    vec.reset()
    before = vec.games.tobytes()
    mixture = table.package.Mixture(["greedy", "random"])
    for arguments, error, message in (
        (("random", 0), ValueError, "steps must be a whole number from 1"),
        (("nobody", 3), ValueError, "no agent .* is called 'nobody'"),
        ((("random",) * 3, 3), ValueError, "one for all or 2"),
        ((lambda o, m, r: 0, 3), TypeError, "runs in Python"),
        ((mixture, 3), TypeError, "no Mixture"),
    ):
        with pytest.raises(error, match=message):
            vec.rollout(*arguments)
    with pytest.raises(ValueError, match=r"out\.observations must be a contiguous"):
        vec.rollout("random", 3, out=vec.rollout_buffers(4))
    assert vec.games.tobytes() == before
    with pytest.raises(PolicyError, match=r"agent 'wrong', row 0: action \d+ .* is not legal now"):
        vec.rollout(wrong, 3)

    vec.reset(seed=1)
    for play in (lambda: vec.rollout(("random", frail), 8), lambda: vec.play(("random", frail))):
        with pytest.raises(PolicyError, match=r"agent 'frail', row \d+: it raised ValueError: oh"):
            play()
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            vec.look()
        vec.reset(seed=1)
    env = table.package.GymEnv(**table.settings, opponents=frail, seat=0)
    with pytest.raises(PolicyError, match=r"agent 'frail', row 0: it raised ValueError: oh"):
        play_on(env)
    ended = batch(table, seed=1, autoreset_mode="disabled", max_cycles=1)
    ended.reset()
    ended.step(ended.sample_actions())
    with pytest.raises(RuntimeError, match="row 0 is over"):
        ended.rollout("random", 3)
