"""The environments in Tianshou: its PettingZoo wrapper as it is, and one learner through the bridge."""

from __future__ import annotations

import pytest

pytest.importorskip("tianshou", minversion="2", reason="Tianshou 2 is not installed: extra 'tianshou'")

import numpy as np
import torch
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

import lastdroid_env
import robots_env
from tabletop.bridges.tianshou import MaskedGym

torch.set_num_threads(1)
PACKAGES = {"last droid": (lastdroid_env, {}), "robots": (robots_env, {"rounds": 1, "reward": "win"})}
each_package = pytest.mark.parametrize(("package", "settings"), PACKAGES.values(), ids=PACKAGES)


def dqn(observation_space, action_space):
    """Half greedy, half random: both among the legal actions."""
    network = Net(state_shape=observation_space.shape, action_shape=int(action_space.n), hidden_sizes=(16,))
    policy = DiscreteQLearningPolicy(
        model=network,
        action_space=action_space,
        observation_space=observation_space,
        eps_training=0.5,
        eps_inference=0.5,
    )
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), n_step_return_horizon=3, target_update_freq=10)


def collect(algorithm, make, seeds, steps):
    environments = DummyVectorEnv([make for _ in seeds])
    environments.seed(seeds)
    buffer = VectorReplayBuffer(4000, len(seeds))
    collector = Collector(algorithm, environments, buffer)
    collector.reset()
    collector.collect(n_step=steps)
    with policy_within_training_step(algorithm.policy):
        algorithm.update(buffer=buffer, sample_size=64)
    assert len(buffer) >= steps
    return buffer


@pytest.mark.slow
@each_package
def test_all_seats_through_tianshous_wrapper(package, settings):
    """DQN in the first seat, random legal actions in the others; an illegal action would raise."""

    def make():
        return PettingZooEnv(package.env(num_players=3, **settings))

    env = make()
    learner = dqn(env.observation_space["observation"], env.action_space)
    others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents[1:]]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[learner, *others], env=env)
    buffer = collect(algorithm, make, [1], 700)
    steps = buffer[: len(buffer)]
    assert steps.terminated.any() and set(steps.obs.agent_id) == set(env.agents)
    assert steps.rew[steps.terminated].any() and not steps.rew[~steps.terminated].any()


@each_package
def test_one_learner_through_the_bridge(package, settings):
    def make():
        return MaskedGym(package.GymEnv(num_players=2, **settings))

    env = make()
    assert env.observation_space["mask"].n == env.action_space.n
    buffer = collect(dqn(env.observation_space["obs"], env.action_space), make, [3, 4], 800)
    assert buffer.terminated.any() and buffer.rew[buffer.terminated].any()


@each_package
def test_the_bridge_shows_what_the_environment_shows(package, settings):
    plain, env = package.GymEnv(**settings), MaskedGym(package.GymEnv(**settings))
    (wanted, info), (seen, _) = plain.reset(seed=4), env.reset(seed=4)
    done = False
    while not done:
        assert env.observation_space.contains({**seen, "mask": seen["mask"].astype(np.int8)})
        assert np.array_equal(seen["obs"], wanted) and np.array_equal(seen["mask"], info["action_mask"])
        action = int(seen["mask"].nonzero()[0][-1])
        wanted, *rest, info = plain.step(action)
        seen, *same, _ = env.step(action)
        assert same == rest
        done = rest[1] or rest[2]
    assert not seen["mask"].any()
