"""Both games in RLlib: the environment, and PPO that keeps to the legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="RLlib is not installed: extra 'rllib'", exc_type=ImportError)

import ray
from ray.rllib.env.env_context import EnvContext

import lastdroid_env
import robots_env
from tabletop.bridges import rllib
from tabletop.game import IllegalAction

CONFIGS: dict[str, dict[str, Any]] = {
    "last droid": {"game": "lastdroid", "num_players": 3},
    "last droid solo": {"game": "lastdroid", "num_players": 1},
    "robots": {"game": "robots", "num_players": 2, "rounds": 1, "reward": "win"},
}
each_config = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)


def play(env, seed=None):
    """(agent, observation, rewards, terminated, truncated) of a game of first legal actions."""
    observations, _ = env.reset(seed=seed)
    terminated = truncated = {"__all__": False}
    course = []
    while not (terminated["__all__"] or truncated["__all__"]):
        ((agent, seen),) = observations.items()
        action = int(seen["action_mask"].argmax())
        observations, rewards, terminated, truncated, _ = env.step({agent: action})
        course.append((agent, seen, rewards, terminated, truncated))
    return course, observations


@each_config
def test_rewards_with_a_margin_add_up_to_the_win_and_the_growth_of_the_lead(config):
    env = rllib.env_creator({**config, "win": 2.0, "margin": 0.5})
    env.reset(seed=6)
    before = env.env.game.returns("margin")
    totals = dict.fromkeys(env.possible_agents, 0.0)
    course, _ = play(env, 6)
    for _, _, rewards, _, _ in course:
        for agent, reward in rewards.items():
            totals[agent] += reward
    grown = [end - start for start, end in zip(before, env.env.game.returns("margin"), strict=True)]
    won = env.env.game.returns("win")
    wanted = [2.0 * win + 0.5 * more for win, more in zip(won, grown, strict=True)]
    assert list(totals.values()) == pytest.approx(wanted) and any(grown)


@each_config
def test_a_game_is_that_of_the_environment(config):
    env = rllib.env_creator(config)
    settings = {name: value for name, value in config.items() if name != "game"}
    plain = (lastdroid_env if config["game"] == "lastdroid" else robots_env).env(**settings)
    plain.reset(seed=6)
    course, last = play(env, 6)
    for agent, seen, rewards, terminated, _ in course:
        wanted = plain.last()[0]
        assert agent == plain.agent_selection and list(seen) == ["observations", "action_mask"]
        assert env.get_observation_space(agent).contains(seen)
        assert np.array_equal(seen["observations"], wanted["observation"])
        assert np.array_equal(seen["action_mask"], wanted["action_mask"])
        plain.step(int(wanted["action_mask"].argmax()))
        if plain.game.actor >= 0:
            assert rewards == {plain.agent_selection: 0.0}
            assert terminated == {plain.agent_selection: False, "__all__": False}
    assert env.agents == [] and list(last) == env.possible_agents
    assert rewards == plain.rewards and set(terminated.values()) == {True}
    assert not any(seen["action_mask"].any() for seen in last.values())


def test_a_cap_truncates_all():
    env = rllib.TurnEnv({**CONFIGS["last droid"], "max_cycles": 5})
    course, _ = play(env, 1)
    *_, rewards, terminated, truncated = course[-1]
    assert len(course) == 5 and set(rewards.values()) == {0.0}
    assert set(truncated.values()) == {True} and set(terminated.values()) == {False}


def test_games_after_the_first_are_seeded_too_and_differ_between_workers():
    def games(worker, seed):
        env = rllib.env_creator(EnvContext(CONFIGS["robots"], worker_index=worker, num_workers=2))
        return [[seen["observations"].tobytes() for _, seen, *_ in play(env, s)[0]] for s in (seed, None, None)]

    # RLlib seeds the second environment of worker 1 and the first of worker 2 alike.
    assert games(1, 9) == games(1, 9)
    one, other = games(1, 9), games(2, 9)
    assert len({tuple(game) for game in one + other}) == 6
    assert games(0, 9) != one


def test_refusals():
    with pytest.raises(ValueError, match="'game' must be one of 'lastdroid', 'robots', not 'chess'"):
        rllib.TurnEnv({"game": "chess"})
    env = rllib.TurnEnv(CONFIGS["last droid"])
    ((agent, _),) = env.reset(seed=1)[0].items()
    with pytest.raises(IllegalAction):
        env.step({agent: env.env.game.num_actions - 1})


@pytest.fixture(scope="module")
def local_ray():
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield
    ray.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["last droid", "robots"])
def test_ppo_takes_legal_actions_only(name, local_ray, monkeypatch):
    """An illegal action would end the game with -1 here; none is taken."""
    taken = []
    step = rllib.TurnEnv.step

    def watched(env, actions):
        ((agent, action),) = actions.items()
        taken.append(env.env.observe(agent)["action_mask"][action])
        return step(env, actions)

    monkeypatch.setattr(rllib.TurnEnv, "step", watched)
    config = {**CONFIGS[name], "max_cycles": 100, "illegal_action": "terminate"}
    config = (
        rllib.ppo_config(**config, model_config={"fcnet_hiddens": [16]})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=2)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=250, minibatch_size=64, num_epochs=1)
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    before = {key: value.copy() for key, value in algorithm.get_module(rllib.POLICY).get_state().items()}
    result = algorithm.train()
    after = algorithm.get_module(rllib.POLICY).get_state()
    algorithm.stop()
    assert len(taken) >= 250 and all(taken)
    assert any(not np.array_equal(before[key], after[key]) for key in before)
    assert result["env_runners"]["num_episodes"] >= 2 and np.isfinite(result["learners"][rllib.POLICY]["total_loss"])
