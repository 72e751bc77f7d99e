"""Batches of learners used in ways that once broke them: opponents that fail, remember, or choose odd numbers."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from tabletop.game import ImpossibleState
from tabletop.policies import PolicyError, policy

from .tables import each_game


class First:
    """The first legal action, in numbers of some type; fails when told to."""

    def __init__(self, dtype=np.int64):
        self.dtype = dtype
        self.fails = False

    def act_batch(self, observations, action_masks):
        if self.fails:
            raise RuntimeError("boom")
        return action_masks.argmax(axis=1).astype(self.dtype)


class Counting:
    """Remembers how often it has been asked."""

    asked: list[int] = []

    def __init__(self):
        self.times = 0

    def act(self, observation, action_mask, rng):
        self.times += 1
        Counting.asked.append(self.times)
        return int(rng.choice(np.flatnonzero(action_mask)))


@policy
def trap(observation, action_mask, rng):
    """Breaks the rules in one row only, whose generator has been set for it."""
    if rng[0] == np.uint64(12345):
        return -7
    for action in range(len(action_mask)):
        if action_mask[action]:
            return action
    return 0


def small(table, num_envs=4, **more):
    settings = {**table.settings, "rounds": 1} if table.package.__name__ == "robots_env" else table.settings
    return table.package.learners(num_envs, **{**settings, **more})


def play_on(env):
    for _ in range(100):
        env.step(int(env.action_masks().argmax()))


@each_game
@pytest.mark.parametrize("dtype", [np.int32, np.int16, np.uint16, np.uint64])
def test_opponents_may_choose_in_any_type_of_whole_numbers(table, dtype):
    one, other = small(table, opponents=First(dtype), seat=1), small(table, opponents=First(), seat=1)
    turn, wanted = one.deal(3), other.deal(3)
    for _ in range(20):
        assert np.array_equal(turn.observations, wanted.observations)
        actions = turn.action_mask.argmax(axis=1)
        turn, wanted = one.act(actions), other.act(actions)


@each_game
def test_a_seed_twice_is_the_same_episode_twice(table):
    batch = small(table, opponents=Counting, seat=1)

    def episode():
        Counting.asked.clear()
        turn = batch.deal(7)
        seen = [turn.observations]
        for _ in range(15):
            turn = batch.act(turn.action_mask.argmax(axis=1))
            seen.append(turn.observations)
        return np.array(seen), list(Counting.asked)

    (seen, asked), (again, asked_again) = episode(), episode()
    assert np.array_equal(seen, again) and asked == asked_again


@each_game
@pytest.mark.parametrize("mode", ["next_step", "disabled"])
def test_the_end_is_shown_to_the_learner(table, mode):
    """Whoever moved last, also where a cap comes after an opponent's move."""
    batch = small(table, 6, opponents=First(), autoreset_mode=mode, max_cycles=40)
    turn = batch.deal(3)
    shown = 0
    for _ in range(300):
        actions = turn.action_mask.argmax(axis=1)
        turn = batch.act(actions)
        views = batch._views(turn.ended)
        for k, row in enumerate(turn.ended):
            shown += 1
            assert np.array_equal(turn.observations[row], views[k, batch.learners[row]])
            assert np.array_equal(turn.observations[row], turn.final_observations[k])
        if mode == "disabled" and len(turn.ended):
            turn = batch.deal(where=turn.ended)
    assert shown > 6


@each_game
def test_look_shows_what_the_last_step_showed(table):
    vec = table.package.VecEnv(8, **table.settings, seed=1, autoreset_mode="next_step", max_cycles=5)
    vec.reset()
    for _ in range(14):
        turn = vec.step(vec.sample_actions())
        seen = vec.look()
        assert all(np.array_equal(a, b) for a, b in zip(seen[:3], turn[:3], strict=True))


@each_game
def test_after_a_failure_the_games_are_dealt_anew(table):
    opponent = First()
    env = table.package.GymEnv(**table.settings, opponents=opponent)
    env.reset(seed=3)
    opponent.fails = True
    with pytest.raises(PolicyError, match="agent 'First' raised RuntimeError: boom"):
        play_on(env)
    opponent.fails = False
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(int(env.action_masks().argmax()))
    _, info = env.reset(seed=3)
    assert info["action_mask"].any()


@each_game
def test_all_threads_have_stopped_when_a_policy_has_failed(table):
    vec = table.package.VecEnv(256, **table.settings, seed=1, threads=2)
    vec.reset()
    vec.rollout(trap, 1)
    vec._streams[0, 0, 0] = 12345
    with pytest.raises(PolicyError, match="agent 'trap', row 0"):
        vec.rollout(trap, 50)
    before = vec.games.tobytes()
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        vec.step(np.zeros(256, int))
    assert vec.games.tobytes() == before
    vec.close()


@each_game
def test_a_refused_start_leaves_the_opponents(table):
    opponent = First()
    env = table.package.GymEnv(**table.settings, opponents=opponent)
    env.reset(seed=1)
    over = table.env()
    over.reset(seed=1)
    while not over.terminations["player_0"]:
        over.step(int(over.last()[0]["action_mask"].argmax()))
    before = env.snapshot()
    with pytest.raises(ImpossibleState, match="nothing more to decide"):
        env.reset(options={"state": over.snapshot()})
    assert env.snapshot() == before
    opponent.fails = True
    with pytest.raises(PolicyError, match="boom"):
        play_on(env)


@each_game
def test_buffers_that_have_changed_are_refused(table):
    vec = table.package.VecEnv(4, **table.settings, seed=1)
    out = vec.buffers()
    vec.reset(out=out)
    vec.step(vec.sample_actions(), out=out)
    out.rewards.flags.writeable = False
    with pytest.raises(ValueError, match=r"out\.rewards must be a contiguous, writable array"):
        vec.step(vec.sample_actions(), out=out)


@each_game
@pytest.mark.slow
def test_a_pickle_plays_on_in_another_process(table, tmp_path):
    batch = small(table, opponents="greedy", seed=1)
    turn = batch.deal()
    file = tmp_path / "batch.pickle"
    file.write_bytes(pickle.dumps(batch))
    code = (
        "import pickle, sys, numpy as np; batch = pickle.loads(open(sys.argv[1], 'rb').read());"
        "turn = batch._seen(batch.look(), batch.learners);"
        "turns = [turn := batch.act(turn.action_mask.argmax(axis=1)) for _ in range(10)];"
        "print(hash(turn.observations.tobytes()))"
    )
    command = [sys.executable, "-c", code, str(file)]
    environment = {"PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environment})
    for _ in range(10):
        turn = batch.act(turn.action_mask.argmax(axis=1))
    code = "import sys; print(hash(sys.stdin.buffer.read()))"
    wanted = subprocess.run(
        [sys.executable, "-c", code],
        input=turn.observations.tobytes(),
        capture_output=True,
        env={**os.environ, **environment},
    )
    assert done.stdout.strip() == wanted.stdout.decode().strip()
