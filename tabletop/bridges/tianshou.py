"""Tianshou: one learner among built-in opponents, with the legal actions where Tianshou's DQN looks for them.

Tianshou's own ``PettingZooEnv`` takes the AEC environments as they are. But its learners read the steps of all players
as one sequence: a step's value comes from the step after it, whoever's that is, and what a player earns at the end
reaches the steps shortly before the end alone. With one learner every step is its own.
"""

from __future__ import annotations

import importlib.util
from typing import Any

import gymnasium
from gymnasium import spaces
from numpy.typing import NDArray

from ..single import Observation, TabletopGym

if importlib.util.find_spec("tianshou") is None:
    raise ImportError("Tianshou is not installed: pip install 'tabletop-droids[tianshou]'")

Masked = dict[str, NDArray[Any]]


class MaskedGym(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A ``GymEnv`` with observations ``{"obs": float32 vector, "mask": bool vector}``.

    ``MaskedGym(lastdroid_env.GymEnv(opponents="greedy"))``; a network takes ``observation_space["obs"]``.
    """

    def __init__(self, env: TabletopGym[Any]) -> None:
        super().__init__(env)
        self.observation_space = spaces.Dict(
            {"obs": env.observation_space, "mask": spaces.MultiBinary(env.game.num_actions)}
        )

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Masked, dict[str, Any]]:
        observation, _ = self.env.reset(seed=seed, options=options)
        return self._masked(observation), {}

    def step(self, action: Any) -> tuple[Masked, Any, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, _ = self.env.step(action)
        return self._masked(observation), reward, terminated, truncated, {}

    def _masked(self, observation: Observation) -> Masked:
        return {"obs": observation, "mask": self.get_wrapper_attr("action_masks")()}
