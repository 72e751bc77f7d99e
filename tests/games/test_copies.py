"""Copies, seeds and streams: games that do not disturb each other."""

from __future__ import annotations

import copy
import itertools
import pickle
import random

import numpy as np
import pytest

from .tables import TABLES, each_game, each_table
from .test_env import play, steps


@each_game
def test_reset_without_a_seed_goes_on_with_the_stream(table):
    def seeds(env, first):
        env.reset(seed=first)
        found = [env.game.seed]
        for _ in range(3):
            env.reset()
            found.append(env.game.seed)
        return found

    env = table.env()
    a, b = seeds(env, 7), seeds(table.env(), 7)
    assert a == b and a[0] == 7 and len(set(a)) == 4
    env.reset(seed=a[2])
    one = env.game.record.copy()
    seeds(env, 7)
    for seed in (7, None, None):
        env.reset(seed=seed)
    assert env.game.record.tobytes() == one.tobytes()


@each_table
def test_global_random_state_plays_no_part(table):
    def run():
        env = table.env()
        trace = play(env, seed=11)
        return trace, env.game.record.tobytes()

    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    before = str(np.random.get_state(legacy=False)), random.getstate()  # noqa: NPY002
    one = run()
    assert (str(np.random.get_state(legacy=False)), random.getstate()) == before  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    random.seed(2)
    assert run() == one


@each_table
@pytest.mark.parametrize(
    "duplicate",
    [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.clone()],
    ids=["deepcopy", "pickle", "clone"],
)
def test_copies_play_on_identically_and_independently(table, duplicate):
    def finish(env, seed):
        rng = np.random.default_rng(1000 + seed)
        trace = []
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            trace.append((agent, reward, terminated, truncated, observation["observation"].tobytes()))
            over = terminated or truncated
            env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        return trace

    for seed, most in enumerate((0, 1, 17, 90)):
        env = table.env(render_mode="ansi")
        for _ in steps(env, seed, most):
            pass
        twin = duplicate(env)
        untouched, text = twin.game.record.tobytes(), env.render()
        assert twin.render() == text and repr(twin) == repr(env)
        first = finish(env, seed)
        assert twin.game.record.tobytes() == untouched and twin.render() == text
        assert finish(twin, seed) == first


def test_interleaved_environments_do_not_disturb_each_other():
    def walk(table, seed):
        for agent, reward, _, _, observation in steps(table.env(), seed):
            yield agent, reward, observation["observation"].tobytes()

    alone = [list(walk(table, seed)) for seed, table in enumerate(TABLES)]
    together: list[list[object]] = [[] for _ in TABLES]
    for parts in itertools.zip_longest(*(walk(table, seed) for seed, table in enumerate(TABLES))):
        for trace, part in zip(together, parts, strict=True):
            if part is not None:
                trace.append(part)
    assert together == alone
