"""Last Droid as a reinforcement-learning environment: 1 (solo) to 4 players, PettingZoo's AEC interface.

import lastdroid_env

env = lastdroid_env.env(num_players=3)
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

from .cards import CardFileError, CardTables, load_cards
from .environment import GymEnv, GymVecEnv, LastDroidEnv, VecEnv, env, learners, raw_env, replay, sb3_env
from .game import LastDroid
from .observation import decode_observation, layout

__all__ = [
    "BadRecord",
    "CardFileError",
    "CardTables",
    "GymEnv",
    "GymVecEnv",
    "IllegalAction",
    "ImpossibleState",
    "LastDroid",
    "LastDroidEnv",
    "Mixture",
    "PolicyError",
    "VecEnv",
    "decode_observation",
    "env",
    "layout",
    "learners",
    "load_cards",
    "raw_env",
    "replay",
    "sb3_env",
]
