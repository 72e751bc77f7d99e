"""One learner among built-in opponents: the Gymnasium face."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tabletop.game import IllegalAction
from tabletop.policies import UnknownAgent

from .tables import each_game, each_table

NAMES = {"lastdroid_env": "tabletop/LastDroid-v0", "robots_env": "tabletop/Robots-v0"}


def single(table, **more):
    if table.settings["num_players"] == 1:
        more = {name: value for name, value in more.items() if name != "opponents"}
    return table.package.GymEnv(**{**table.settings, **more})


def first_legal(observation, action_mask, rng):
    return int(action_mask.argmax())


def play(env, seed=None):
    """An episode: (observation, reward, terminated, truncated) of every step."""
    rng = np.random.default_rng(0)
    observation, info = env.reset(seed=seed)
    entries = [(observation.tobytes(), 0.0, False, False)]
    while not any(entries[-1][2:]):
        assert np.array_equal(info["action_mask"].astype(bool), env.action_masks())
        legal = np.flatnonzero(info["action_mask"])
        action = int(rng.choice(legal)) if len(legal) else 0
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        entries.append((observation.tobytes(), reward, terminated, truncated))
    assert not env.action_masks().any() and not info["action_mask"].any()
    return entries


@each_table
def test_gymnasiums_checker(table):
    """It samples without the mask, which the option is for."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        name = NAMES[table.package.__name__]
        env = gymnasium.make(name, **table.settings, illegal_action="terminate", render_mode="ansi")
        check_env(env.unwrapped)


@each_table
def test_it_is_the_aec_game_of_its_seed(table):
    """With opponents that can be replayed, seat by seat."""
    for seat in range(table.settings["num_players"]):
        env = single(table, seat=seat, opponents=first_legal)
        aec = table.env(reward=env.reward)
        aec.reset(seed=4)
        observation, info = env.reset(seed=4)
        rng = np.random.default_rng(seat)
        over = False
        while not over:
            while not aec.terminations["player_0"] | aec.truncations["player_0"]:
                seen = aec.last()[0]
                if aec.agent_selection == f"player_{seat}":
                    break
                aec.step(first_legal(seen["observation"], seen["action_mask"], None))
            seen = aec.observe(f"player_{seat}")
            assert np.array_equal(observation, seen["observation"])
            assert np.array_equal(info["action_mask"], seen["action_mask"])
            legal = np.flatnonzero(info["action_mask"])
            action = int(rng.choice(legal)) if len(legal) else 0
            if len(legal):
                aec.step(action)
            observation, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        while not aec.terminations["player_0"] | aec.truncations["player_0"]:
            seen = aec.last()[0]
            aec.step(first_legal(seen["observation"], seen["action_mask"], None))
        assert reward == np.float32(aec.rewards[f"player_{seat}"])
        assert (terminated, truncated) == (aec.terminations["player_0"], aec.truncations["player_0"])


@each_game
def test_episodes_are_reproducible(table):
    choices: list[Any] = ["random", "greedy", ("greedy",), first_legal]
    for opponents in choices:
        one, other = (single(table, opponents=opponents, seat="random") for _ in range(2))
        assert play(one, seed=3) == play(other, seed=3)
        assert play(one) == play(other)
        assert play(one, seed=3) != play(one)


@each_game
def test_random_seats_are_all_taken(table):
    env = single(table, num_players=3, seat="random")
    seats = set()
    for seed in range(30):
        env.reset(seed=seed)
        seats.add(env.learner)
    assert seats == {0, 1, 2}


@each_game
def test_copies_play_on_identically(table):
    env = single(table, opponents="random", render_mode="ansi")
    _, info = env.reset(seed=2)
    for _ in range(5):
        *_, info = env.step(int(info["action_mask"].argmax()))
    twins = [env.clone(), pickle.loads(pickle.dumps(env))]
    for _ in range(10):
        action = int(info["action_mask"].argmax())
        observation, *_, info = env.step(action)
        for twin in twins:
            assert np.array_equal(twin.step(action)[0], observation) and twin.render() == env.render()
    state = env.snapshot()
    again = single(table)
    again.reset(options={"state": state})
    assert again.snapshot()["decisions"] >= state["decisions"]


@each_game
def test_made_by_gymnasium(table):
    name = NAMES[table.package.__name__]
    env = gymnasium.make(name, num_players=3, opponents=("random", "greedy"), seat="random")
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation) and info["action_mask"].any()
    for mode in ("sync", "async"):
        batch: Any = gymnasium.make_vec(name, num_envs=2, vectorization_mode=mode, illegal_action="terminate")
        observations, infos = batch.reset(seed=1)
        batch.step(infos["action_mask"].argmax(axis=1))
        assert observations.shape == (2, *batch.single_observation_space.shape)
        batch.close()


@each_game
def test_wrong_arguments_and_actions_are_refused(table):
    for arguments, error, message in (
        ({"seat": 2}, ValueError, "seat must be 'random' or a number from 0 to 1, not 2"),
        ({"opponents": ("greedy", "random")}, ValueError, "opponents must be one for all or 1"),
        ({"opponents": "gredy"}, UnknownAgent, "is called 'gredy'; known are"),
        ({"opponents": 5}, TypeError, "a policy is a function"),
        ({"illegal_action": "ignore"}, ValueError, "illegal_action must be"),
        ({"max_cycles": 0}, ValueError, "max_cycles must be"),
        ({"render_mode": "human2"}, ValueError, "render_mode must be"),
        ({"reward": "gold"}, ValueError, "reward must be one of"),
    ):
        with pytest.raises(error, match=message):
            table.package.GymEnv(**arguments)
    env = single(table)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(0)
    env.reset(seed=1)
    before = env.game.record.tobytes()
    for action, message in ((10_000, "actions are numbered"), (-1, "numbered"), (1.5, "whole number"), (None, "whole")):
        with pytest.raises(IllegalAction, match=message):
            env.step(action)
    assert env.game.record.tobytes() == before
    with pytest.raises(ValueError, match="reset knows the option 'state', not 'sate'"):
        env.reset(options={"sate": {}})


@each_game
def test_a_cap_truncates(table):
    entries = play(single(table, max_cycles=3), seed=1)
    assert len(entries) == 4 and entries[-1][1:] == (0.0, False, True)


def test_solo_has_no_opponents():
    import lastdroid_env

    assert play(lastdroid_env.GymEnv(1, hard=True), seed=1)[-1][1] in (-1.0, 1.0)
    with pytest.raises(ValueError, match="nobody else sits at the table"):
        lastdroid_env.GymEnv(1, opponents="greedy")
