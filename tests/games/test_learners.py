"""A batch of learners among built-in opponents: row by row the single environment, and Gymnasium's vector face."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tabletop.game import IllegalAction
from tabletop.policies import PolicyError

from .tables import each_game, each_table

ROWS = 5
NAMES = {"lastdroid_env": "tabletop/LastDroid-v0", "robots_env": "tabletop/Robots-v0"}


class Last:
    """The last legal action, for all games at once."""

    def act_batch(self, observations, action_masks):
        assert observations.shape[0] == action_masks.shape[0]
        return action_masks.shape[1] - 1 - action_masks[:, ::-1].argmax(axis=1)


def last(observation, action_mask, rng):
    return int(np.flatnonzero(action_mask)[-1])


def first(observation, action_mask, rng):
    return int(action_mask.argmax())


def some(observation, action_mask, rng):
    return int(rng.choice(np.flatnonzero(action_mask)))


def opponents(table, kind):
    others = table.settings["num_players"] - 1
    return {"compiled": "greedy", "python": some, "batch": Last()}[kind] if others else None


def learners(table, num_envs=ROWS, **more):
    return table.package.learners(num_envs, **{**table.settings, **more})


def choose(masks, rng):
    """A random legal action a row, 0 where there is none."""
    return (masks * rng.random(masks.shape)).argmax(axis=1)


@each_table
@pytest.mark.parametrize("kind", ["compiled", "python", "batch"])
def test_every_row_is_the_single_environment_of_its_seed(table, kind):
    seat = "random" if kind == "compiled" else table.settings["num_players"] - 1
    batch = learners(table, opponents=opponents(table, kind), seat=seat, max_cycles=40)
    envs = []
    for _ in range(ROWS):
        arguments = {**table.settings, "opponents": opponents(table, kind), "seat": seat, "max_cycles": 40}
        envs.append(table.package.GymEnv(**arguments))
    turn = batch.deal(7)
    seen = [env.reset(seed=7 + i) for i, env in enumerate(envs)]
    rng, ended = np.random.default_rng(1), 0
    for _ in range(90):
        for i, (observation, info) in enumerate(seen):
            assert np.array_equal(observation, turn.observations[i])
            assert np.array_equal(info["action_mask"], turn.action_mask[i])
        actions = choose(turn.action_mask, rng)
        turn = batch.act(actions)
        for i, env in enumerate(envs):
            observation, reward, terminated, truncated, info = env.step(int(actions[i]))
            assert (reward, terminated, truncated) == (turn.rewards[i], turn.terminated[i], turn.truncated[i])
            if terminated or truncated:
                ended += 1
                where = turn.ended.tolist().index(i)
                assert np.array_equal(observation, turn.final_observations[where])
                observation, info = env.reset()
            seen[i] = observation, info
    assert ended >= ROWS


@each_game
def test_threads_change_nothing(table):
    mixture = table.package.Mixture(["greedy", "random"], weights=[1, 2])
    plain, threaded = (learners(table, 33, opponents=mixture, seat="random", threads=n) for n in (1, 3))
    one, other = plain.deal(3), threaded.deal(3)
    rng = np.random.default_rng(0)
    for _ in range(100):
        actions = choose(one.action_mask, rng)
        one, other = plain.act(actions), threaded.act(actions)
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    threaded.close()


@each_game
def test_a_mixture_is_drawn_by_its_weights(table):
    mixture = table.package.Mixture([first, last], weights=[1, 3])
    batch = learners(table, 400, opponents=mixture)
    batch.deal(1)
    who = batch._seated["who"][:, 1]
    assert batch.lineup.names == ["first", "last"]
    assert 60 < (who == 0).sum() < 140 and (batch._seated["who"][:, 0] == -1).all()
    for arguments, message in (
        (([],), "at least one opponent"),
        (("greedy",), "a list of at least one"),
        ((["greedy"], [1, 2]), "1 choices need as many weights, not 2"),
        ((["greedy"], [0]), "whole numbers from 1"),
        ((["greedy"], [1001]), "a sum of 1001"),
    ):
        with pytest.raises(ValueError, match=message):
            table.package.Mixture(*arguments)


@each_game
def test_opponents_can_be_changed(table):
    """A batch with new opponents goes on as one that had them all the time."""
    batch, other = learners(table, opponents="random"), learners(table, opponents=last)
    turn, wanted = batch.deal(2), other.deal(2)
    with pytest.raises(ValueError, match="is called 'nobody'"):
        batch.set_opponents("nobody")
    records = other.games.copy()
    batch.set_opponents(last)
    batch.games[:] = records
    batch._masks[:] = wanted.action_mask
    for _ in range(30):
        actions = wanted.action_mask.argmax(axis=1)
        turn, wanted = batch.act(actions), other.act(actions)
        assert np.array_equal(turn.observations, wanted.observations)


@each_game
def test_opponents_that_choose_wrongly_are_named(table):
    def outside(observation, action_mask, rng):
        return 10_000

    class Short:
        def act_batch(self, observations, action_masks):
            return action_masks.argmax(axis=1)[1:]

    class Broken:
        def act_batch(self, observations, action_masks):
            raise KeyError("x")

    for wrong, message in (
        (outside, r"agent 'outside', row \d: actions are numbered"),
        (Short(), r"agent 'Short' must choose \d whole numbers, not \(\d,\) of int64"),
        (Broken(), "agent 'Broken' raised KeyError: 'x'"),
    ):
        batch = learners(table, opponents=wrong, seat=1)
        with pytest.raises(PolicyError, match=message):
            batch.deal(1)


@each_game
def test_illegal_actions_end_their_rows_if_so_wanted(table):
    batch = learners(table, illegal_action="terminate", seed=3)
    turn = batch.deal()
    actions = turn.action_mask.argmax(axis=1)
    actions[2], actions[4] = turn.action_mask[2].argmin(), 10_000
    turn = batch.act(actions)
    assert turn.ended.tolist() == [2, 4] and turn.rewards[[2, 4]].tolist() == [-1, -1]
    assert turn.terminated.tolist() == [False, False, True, False, True]
    assert turn.action_mask.any(axis=1).all()  # new games are under way
    strict = learners(table, seed=3)
    strict.deal()
    before = strict.games.tobytes()
    with pytest.raises(IllegalAction, match="row 2"):
        strict.act(actions)
    assert strict.games.tobytes() == before


@each_game
def test_copies_play_on_identically(table):
    batch = learners(table, opponents=(some,), seat="random", seed=1)
    turn = batch.deal()
    rng = np.random.default_rng(0)
    for _ in range(20):
        turn = batch.act(choose(turn.action_mask, rng))
    for twin in (batch.clone(), pickle.loads(pickle.dumps(batch))):
        mine, copied = batch.clone(), twin
        for _ in range(20):
            actions = choose(turn.action_mask, np.random.default_rng(3))
            a, b = mine.act(actions), copied.act(actions)
            assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
            turn = a
        turn = batch._seen(batch.look(), batch.learners)


# ------------------------------------------------------------------------------------------------ Gymnasium's vector


def vector(table, num_envs=3, **arguments) -> Any:
    name = NAMES[table.package.__name__]
    arguments = {**table.settings, "vectorization_mode": "vector_entry_point", **arguments}
    return gymnasium.make_vec(name, num_envs, **arguments)


@each_table
def test_two_names_for_one_limit_are_refused(table):
    with pytest.raises(ValueError, match="max_episode_steps is another name for max_cycles"):
        table.package.GymVecEnv(2, max_cycles=5, max_episode_steps=6, **table.settings)


@each_table
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_the_vector_entry_point_is_the_synchronous_vector(table, mode):
    other = opponents(table, "compiled") or None
    batch = vector(table, opponents=other, seat="random", autoreset_mode=mode, max_episode_steps=60)
    sync = gymnasium.make_vec(
        NAMES[table.package.__name__],
        3,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        opponents=other,
        seat="random",
        max_cycles=60,
        **table.settings,
    )
    assert batch.metadata["autoreset_mode"] is mode
    assert batch.observation_space == sync.observation_space and batch.action_space == sync.action_space
    (one, infos), (two, more) = batch.reset(seed=3), sync.reset(seed=3)
    rng, ended = np.random.default_rng(2), 0
    for _ in range(150):
        assert np.array_equal(one, two)
        assert np.array_equal(infos["action_mask"], more["action_mask"])
        assert batch.observation_space.contains(one)
        actions = choose(infos["action_mask"], rng)
        one, *mine, infos = batch.step(actions)
        two, *theirs, more = sync.step(actions)
        assert all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in zip(mine, theirs, strict=True))
        if mode is AutoresetMode.SAME_STEP and "final_obs" in more:
            ended += 1
            assert np.array_equal(infos["_final_obs"], more["_final_obs"])
            for a, b in zip(infos["final_obs"], more["final_obs"], strict=True):
                assert (a is None and b is None) or np.array_equal(a, b)
            assert infos["final_info"].keys() == more["final_info"].keys()
        ended += (mine[1] | mine[2]).sum()
    assert ended
    batch.close()
    sync.close()


@each_game
def test_gymnasiums_vector_wrappers(table):
    from gymnasium.wrappers.vector import NormalizeObservation, RecordEpisodeStatistics

    env = NormalizeObservation(RecordEpisodeStatistics(vector(table, max_cycles=5, autoreset_mode="next_step")))
    _, infos = env.reset(seed=1)
    for _ in range(12):
        _, _, _, truncated, infos = env.step(infos["action_mask"].argmax(axis=1))
        if truncated.any():
            assert (infos["episode"]["l"][truncated] == 5).all()
    env.close()


@each_game
def test_wrong_arguments_of_the_vector_face_are_refused(table):
    for arguments, error, message in (
        ({"num_envs": 0}, ValueError, "num_envs must be"),
        ({"render_mode": "human"}, ValueError, "render_mode must be None or 'ansi'"),
        ({"opponents": "nobody"}, ValueError, "is called 'nobody'"),
        ({"seat": 2}, ValueError, "seat must be 'random' or"),
    ):
        with pytest.raises(error, match=message):
            vector(table, **arguments)
    env = vector(table, render_mode="ansi")
    observations, _ = env.reset(seed=[4, 5, 6])
    texts = env.render()
    assert texts is not None and len(texts) == 3 and all(texts)
    with pytest.raises(ValueError, match="knows the option 'reset_mask'"):
        env.reset(options={"mask": 1})
    with pytest.raises(TypeError, match="a truth value"):
        env.reset(options={"reset_mask": [0, 1]})
    again, _ = env.reset(seed=[5], options={"reset_mask": np.array([True, False, False])})
    assert np.array_equal(again[0], observations[1]) and np.array_equal(again[1:], observations[1:])
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        env.step(np.zeros(2, int))
