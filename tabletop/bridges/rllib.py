"""RLlib: both games as multi-agent environments, and a PPO configuration that keeps to the legal actions.

``TurnEnv({"game": "lastdroid", "num_players": 3})`` is the environment; ``register()`` makes it known to Tune as
``"tabletop"``, and ``ppo_config("lastdroid", num_players=3)`` gives a ``PPOConfig`` of one network for all seats.

* An observation is ``{"observations": float32 vector, "action_mask": int8 vector}``, the names that RLlib's example of
  action masking wants. Only the agent that decides gets one; at the end all do, each with its reward.
* RLlib gives a seed to the first reset of an environment, and gives some environments of different workers the same.
  Here the worker's number is mixed in, and every game after the first goes on with that stream.
* RLlib's check of environments acts without the mask and deals seed 42 everywhere: turn it off
  (``disable_env_checking=True``, as ``ppo_config`` does).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..aec import TabletopEnv

try:
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env
except ImportError as error:
    raise ImportError("RLlib is not installed: pip install 'tabletop-droids[rllib]'") from error

PACKAGES = {"lastdroid": "lastdroid_env", "robots": "robots_env"}
POLICY = "player"
"""The one policy of ``ppo_config``."""

Observation = dict[str, NDArray[Any]]


class TurnEnv(MultiAgentEnv):
    """A game in which one agent after the other decides.

    ``config`` holds ``"game"``, ``"lastdroid"`` or ``"robots"``, and the arguments of that package's ``env``.

    With ``"margin"`` in it, an agent is paid so much, besides, for each point by which its lead over the mean of the
    others has grown since it last decided: over a game that adds up to the final lead, but comes when it is earned.
    ``"win"`` (1 if left out) is what the reward at the end counts.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        settings = dict(config)
        game = settings.pop("game", None)
        self._win, self._margin = (float(settings.pop(name, usual)) for name, usual in (("win", 1.0), ("margin", 0.0)))
        if game not in PACKAGES:
            raise ValueError(f"the config's 'game' must be one of {', '.join(map(repr, PACKAGES))}, not {game!r}")
        self._worker = int(getattr(config, "worker_index", 0) or 0)
        self.env: TabletopEnv[Any] = importlib.import_module(PACKAGES[game]).env(**{**settings, "flat": False})
        self.possible_agents = self.env.possible_agents[:]
        self.agents = self.possible_agents[:]
        self.observation_spaces: dict[str, spaces.Space[Any]] = {a: self._renamed_space(a) for a in self.agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {a: self.env.action_space(a) for a in self.agents}
        self.observation_space = spaces.Dict(self.observation_spaces)
        self.action_space = spaces.Dict(self.action_spaces)

    def _renamed_space(self, agent: str) -> spaces.Dict:
        space: Any = self.env.observation_space(agent)
        return spaces.Dict({"observations": space["observation"], "action_mask": space["action_mask"]})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Deal a game; without a seed, the next one of the stream."""
        if seed is not None and self._worker:
            seed = int(np.random.SeedSequence([seed, self._worker]).generate_state(1, np.uint64)[0])
        self.env.reset(seed=seed, options=options or None)
        self.agents = self.possible_agents[:]
        self._paid = self._leads()
        agent = self.env.agent_selection
        return {agent: self._see(agent)}, {}

    def step(self, action_dict: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """The action of the agent that decides."""
        actor = self.env.agent_selection
        self.env.step(np.int64(action_dict[actor]))
        ended = all(self.env.terminations.values()) or all(self.env.truncations.values())
        shown = self.possible_agents if ended else [self.env.agent_selection]
        terminated = {agent: self.env.terminations[agent] for agent in shown}
        truncated = {agent: self.env.truncations[agent] for agent in shown}
        terminated["__all__"] = ended and all(terminated.values())
        truncated["__all__"] = ended and all(truncated.values())
        if ended:
            self.agents = []
        return (
            {agent: self._see(agent) for agent in shown},
            self._rewards(shown),
            terminated,
            truncated,
            {},
        )

    def _rewards(self, shown: Sequence[str]) -> dict[str, float]:
        rewards = {agent: self._win * self.env.rewards[agent] for agent in shown}
        if self._margin:
            leads = self._leads()
            for agent in shown:
                rewards[agent] += self._margin * (leads[agent] - self._paid[agent])
                self._paid[agent] = leads[agent]
        return rewards

    def _leads(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self.env.game.returns("margin"), strict=True))

    def _see(self, agent: str) -> Observation:
        seen = self.env.observe(agent)
        return {"observations": seen["observation"], "action_mask": seen["action_mask"]}

    def render(self) -> Any:
        return self.env.render()

    def close(self) -> None:
        self.env.close()


def env_creator(config: Mapping[str, Any]) -> TurnEnv:
    """What ``register_env`` wants."""
    return TurnEnv(config)


def register(name: str = "tabletop") -> str:
    """Make ``env_creator`` known to Tune by a name, which is returned."""
    register_env(name, env_creator)
    return name


def ppo_config(game: str, *, model_config: Mapping[str, Any] | None = None, **settings: Any) -> Any:
    """A ``PPOConfig`` of one masked network for all seats; ``settings`` are those of ``TurnEnv``.

    The rest is yours to set: ``ppo_config("robots", rounds=1).env_runners(...).training(...).debugging(seed=1)``.
    """
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=dict(model_config or {}))
    return (
        PPOConfig()
        .environment(register(), env_config={"game": game, **settings}, disable_env_checking=True)
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda agent, *args, **kwargs: POLICY)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={POLICY: module}))
    )
