"""Which of SuperSuit's wrappers take the environments; with ``flat=True``, most."""

from __future__ import annotations

from typing import Any

import pytest

supersuit = pytest.importorskip("supersuit", reason="SuperSuit is not installed: extra 'supersuit'")

import numpy as np

import lastdroid_env
import robots_env

ANY: dict[str, dict[str, Any]] = {
    "clip_reward_v0": {},
    "nan_noop_v0": {"no_op_action": 0},
    "nan_random_v0": {},
    "nan_zeros_v0": {},
    "pad_action_space_v0": {},
    "reward_lambda_v0": {"change_reward_fn": lambda reward: reward / 2},
    "action_lambda_v1": {"change_action_fn": lambda action, space: action, "change_space_fn": lambda space: space},
}
FLAT = ANY | {
    "dtype_v0": {"dtype": np.float64},
    "flatten_v0": {},
    "frame_stack_v2": {"stack_size": 3},
    "delay_observations_v0": {"delay": 1},
    "max_observation_v0": {"memory": 2},
    "normalize_obs_v0": {},
    "observation_lambda_v0": {"change_observation_fn": lambda observation, space: observation},
    "pad_observations_v0": {},
    "reshape_v0": {},
}
MAKERS = {
    "last droid": lambda **more: lastdroid_env.env(num_players=2, **more),
    "robots": lambda **more: robots_env.env(rounds=1, **more),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize(
    ("wrapper", "flat"),
    [pytest.param(name, False, id=name) for name in ANY]
    + [pytest.param(name, True, id=f"{name}, flat") for name in FLAT],
)
def test_a_wrapped_game(make, wrapper, flat):
    env = make(flat=flat)
    arguments = dict(FLAT[wrapper])
    if wrapper == "reshape_v0":
        arguments["shape"] = (*env.observation_space("player_0").shape, 1)
    env = getattr(supersuit, wrapper)(env, **arguments)
    rng = np.random.default_rng(0)
    env.reset(seed=1)
    spaces = {agent: env.observation_space(agent) for agent in env.possible_agents}
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        action = None
        if not (terminated or truncated):
            assert spaces[agent].contains(observation)
            mask = info["action_mask"] if flat else observation["action_mask"]
            action = int(rng.choice(np.flatnonzero(mask)))
        env.step(action)
    assert env.agents == []
