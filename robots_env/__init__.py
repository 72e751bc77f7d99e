"""Robots! as a reinforcement-learning environment: 2 to 5 players, PettingZoo's AEC interface.

import robots_env

env = robots_env.env(num_players=3)
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
"""

from __future__ import annotations

from tabletop.game import IllegalAction, ImpossibleState
from tabletop.opponents import Mixture
from tabletop.policies import PolicyError
from tabletop.record import BadRecord

from .environment import GymEnv, GymVecEnv, RobotsEnv, VecEnv, env, learners, raw_env, replay, sb3_env
from .game import Robots
from .observation import decode_observation, layout
from .ruleset import RuleSet, RuleSetError, load_rules

__all__ = [
    "BadRecord",
    "GymEnv",
    "GymVecEnv",
    "IllegalAction",
    "ImpossibleState",
    "Mixture",
    "PolicyError",
    "Robots",
    "RobotsEnv",
    "RuleSet",
    "RuleSetError",
    "VecEnv",
    "decode_observation",
    "env",
    "layout",
    "learners",
    "load_rules",
    "raw_env",
    "replay",
    "sb3_env",
]
