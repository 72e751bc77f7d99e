"""Batches used in ways that once broke them: rows in any order, several threads, forks, shared memory."""

from __future__ import annotations

import multiprocessing
import threading

import numpy as np
import pytest

from .tables import each_game


def batch(table, num_envs=4, **more):
    return table.package.VecEnv(num_envs, **table.settings, **more)


@each_game
def test_seeds_follow_the_order_of_the_rows(table):
    vec = batch(table, seed=1)
    vec.reset()
    vec.reset(seed=[10, 20, 2**64 - 1], where=[3, 1, 2])
    assert vec.games["seed"].tolist() == [1, 20, 2**64 - 1, 10]
    with pytest.raises(ValueError, match="where must hold every row once"):
        vec.reset(where=[1, 1])


@each_game
def test_the_constructors_seed_is_kept(table):
    """Whatever is dealt first, and whatever was refused before."""
    wanted = batch(table, seed=7)
    wanted.reset()
    parts = batch(table, seed=7)
    with pytest.raises(ValueError, match=r"out\.rewards"):
        parts.reset(out=parts.buffers()._replace(rewards=np.zeros(2)))
    for row in (2, 0, 1, 3):
        parts.reset(where=[row])
    assert np.array_equal(parts.games, wanted.games)


@each_game
def test_rows_restored_from_one_position_go_different_ways(table):
    vec = batch(table, seed=1)
    vec.reset()
    other = batch(table)
    other.restore([vec.snapshot()[0]] * 4)
    ways = {tuple(int(a) for a in actions) for actions in zip(*(_step(other) for _ in range(20)), strict=True)}
    assert len(ways) == 4


def _step(vec):
    actions = vec.sample_actions()
    vec.step(actions)
    return actions


@each_game
def test_two_threads_at_once_are_refused(table):
    vec = batch(table, 256, seed=1)
    vec.reset()
    refused = []

    def use():
        for _ in range(200):
            try:
                _step(vec)
            except (RuntimeError, ValueError) as error:  # the second: sampled before the other thread moved
                refused.append(str(error))

    threads = [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    vec.snapshot()
    assert all("another thread" in text or "not legal" in text for text in refused)
    _step(vec)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
@each_game
def test_a_forked_process_has_threads_of_its_own(table):
    vec = batch(table, 8, seed=1, threads=2)
    vec.reset()
    _step(vec)
    process = multiprocessing.get_context("fork").Process(target=_step, args=(vec,))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    vec.close()


@each_game
def test_arrays_that_share_memory(table):
    vec, other = batch(table, seed=1), batch(table, seed=1)
    vec.reset()
    other.reset()
    memory = np.zeros(5, np.int64)
    out = vec.buffers()._replace(current_player=memory[1:])
    for _ in range(5):
        memory[:4] = vec.sample_actions()
        wanted = other.step(other.sample_actions())
        assert np.array_equal(vec.step(memory[:4], out=out).observations, wanted.observations)
    both = vec.buffers()
    with pytest.raises(ValueError, match="must not share memory"):
        vec.step(vec.sample_actions(), out=both._replace(terminated=both.truncated))
    with pytest.raises(TypeError, match="out must be a Turn"):
        vec.step(vec.sample_actions(), out=tuple(both))
