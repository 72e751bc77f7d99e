"""The native Stable-Baselines3 face, and SB3's own vectors over the Gymnasium face."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.games.tables import each_game, each_table

stable_baselines3 = pytest.importorskip("stable_baselines3", reason="needs the extra train")
sb3_contrib = pytest.importorskip("sb3_contrib", reason="needs the extra train")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    SubprocVecEnv,
    VecFrameStack,
    VecMonitor,
    VecNormalize,
)

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def choose(masks, rng):
    return (masks * rng.random(masks.shape)).argmax(axis=1)


def single(package, **arguments):
    """An importable factory, as processes that are spawned need it."""
    import importlib

    return importlib.import_module(package).GymEnv(**arguments)


@each_table
def test_sb3s_checker(table):
    """It samples without the mask, which the option is for."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(table.package.GymEnv(**table.settings, illegal_action="terminate"))


@each_game
def test_it_is_sb3s_own_vector_over_the_gymnasium_face(table):
    arguments = {**table.settings, "opponents": "greedy", "seat": "random", "max_cycles": 60}
    native = table.package.sb3_env(4, **arguments)
    dummy: Any = DummyVecEnv([partial(single, table.package.__name__, **arguments)] * 4)
    for env in (native, dummy):
        env.seed(11)
    seen, wanted = native.reset(), dummy.reset()
    rng, ended = np.random.default_rng(0), 0
    for _ in range(200):
        assert np.array_equal(seen, wanted)
        masks = get_action_masks(native)
        assert np.array_equal(masks, get_action_masks(dummy)) and masks.dtype == bool
        actions = choose(masks, rng)
        seen, rewards, dones, infos = native.step(actions)
        wanted, same_rewards, same_dones, same_infos = dummy.step(actions)
        assert np.array_equal(rewards, same_rewards) and np.array_equal(dones, same_dones)
        for row in np.flatnonzero(dones):
            ended += 1
            assert np.array_equal(infos[row]["terminal_observation"], same_infos[row]["terminal_observation"])
            assert infos[row]["TimeLimit.truncated"] == same_infos[row]["TimeLimit.truncated"]
    assert ended >= 4


@each_game
def test_attributes_methods_and_what_they_refuse(table):
    env = table.package.sb3_env(3, seat="random", render_mode="ansi")
    env.seed(1)
    env.reset()
    assert is_masking_supported(env) and env.has_attr("action_masks") and not env.has_attr("no_such_thing")
    masks = env.env_method("action_masks", indices=[2, 0])
    assert np.array_equal(masks[0], env.get_attr("action_masks")[2]())
    assert env.get_attr("learner") == env.batch.learners.tolist()
    assert env.get_attr("num_players", indices=1) == [2]
    assert len(env.env_method("render")) == 3 and env.env_method("snapshot")[0]["decisions"] >= 0
    assert env.env_is_wrapped(VecMonitor) == [False] * 3
    env.set_attr("opponents", "greedy")
    assert env.batch.lineup.names == ["greedy"]
    for call in (
        lambda: env.set_attr("seat", 1),
        lambda: env.env_method("fly"),
        lambda: env.get_attr("no_such_thing"),
    ):
        with pytest.raises(AttributeError):
            call()
    with pytest.raises(ValueError, match="share their settings"):
        env.set_attr("opponents", "random", indices=[0])
    before = env.batch.games.tobytes()
    for actions, message in ((np.zeros(2, int), r"shape \(3,\)"), (np.full(3, 10_000), "row 0: actions are numbered")):
        with pytest.raises(ValueError, match=message):
            env.step(actions)
    assert env.batch.games.tobytes() == before
    env.close()


@each_game
@pytest.mark.slow
def test_maskable_ppo_learns_on_it(table):
    """With SB3's wrappers; it never takes an illegal action, which would raise."""
    arguments = {"rounds": 1} if "robots" in table.package.__name__ else {}
    env = VecNormalize(VecMonitor(table.package.sb3_env(8, **arguments)), norm_obs=False, norm_reward=True)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=128, n_epochs=1, seed=0, device="cpu")
    model.learn(3 * 8 * 64)
    assert model.num_timesteps == 3 * 8 * 64
    assert model.ep_info_buffer
    observations = env.reset()
    actions, _ = model.predict(observations, action_masks=get_action_masks(env))
    env.step(actions)
    env.close()


@each_game
@pytest.mark.slow
@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_sb3s_vector_of_processes(table, start):
    import multiprocessing

    if start not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {start}")
    make = partial(single, table.package.__name__, opponents="random")
    env = SubprocVecEnv([make, make], start_method=start)
    env.seed(3)
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(20):
        env.step(choose(get_action_masks(env), rng))
    env.close()


@each_game
def test_frames_can_be_stacked(table):
    env: Any = VecFrameStack(table.package.sb3_env(2), 2)
    assert env.reset().shape == (2, 2 * env.venv.observation_space.shape[0])
    env.close()


@each_game
@pytest.mark.slow
def test_a_saved_model_is_an_agent_by_its_path(table, tmp_path):
    from agents import run_tournament
    from tabletop.policies import PolicyError, UnknownAgent, find_agent

    package, name = table.package, {"lastdroid_env": "lastdroid", "robots_env": "robots"}[table.package.__name__]
    model = MaskablePPO("MlpPolicy", package.sb3_env(2), n_steps=8, batch_size=16, seed=0, device="cpu")
    model.save(tmp_path / "mine")
    path = str(tmp_path / "mine.zip")
    result = run_tournament(name, [path, "random"], 2, games=2, seed=0)
    assert {row.agent for row in result.rows} == {"mine", "random"}
    env = package.GymEnv(2, opponents=path)
    env.reset(seed=1)
    batch = package.learners(3, 2, opponents=path, seed=1)
    turn = batch.deal()
    assert np.array_equal(batch.act(turn.action_mask.argmax(axis=1)).rewards, np.zeros(3))
    with pytest.raises(PolicyError, match="mine was trained on observations"):
        package.learners(8, 3, opponents=path, seat=2, seed=1).deal()
    (tmp_path / "bad.zip").write_bytes(b"PK")
    for wrong, message in ((tmp_path / "no.zip", "there is no file"), (tmp_path / "bad.zip", "no saved MaskablePPO")):
        with pytest.raises(UnknownAgent, match=message):
            find_agent(str(wrong), name)
