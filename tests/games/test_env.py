"""The environments against the ecosystem's suites, and against stricter ones of our own."""

from __future__ import annotations

import copy
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.api_test import env_obs_dicts, env_obs_space
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    BaseWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from tabletop.game import IllegalAction

from .tables import TABLES, each_game, each_table


def steps(env, seed=None, most=10**9) -> Iterator[tuple[Any, ...]]:
    """Random play through the ordinary loop: (agent, reward, terminated, truncated, observation) as ``last`` gave
    them, before the step is made."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter(most):
        observation, reward, terminated, truncated, info = env.last()
        assert info == {}
        yield agent, reward, terminated, truncated, observation
        action = None
        if not (terminated or truncated):
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)


def play(env, seed=None, most=10**9):
    return [(*entry[:4], entry[4]["observation"].tobytes()) for entry in steps(env, seed, most)]


@each_table
def test_pettingzoo_api(table, monkeypatch):
    # PettingZoo warns of dict observations unless it knows the environment by name.
    env = table.env()
    suite = sys.modules["pettingzoo.test.api_test"]
    monkeypatch.setattr(suite, "env_obs_dicts", [*env_obs_dicts, env.metadata["name"]])
    monkeypatch.setattr(suite, "env_obs_space", [*env_obs_space, env.metadata["name"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It reads the masks of all agents; off turn ours are all zero, as they must be.
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        api_test(env, num_cycles=1000)


@each_table
def test_pettingzoo_seed(table):
    seed_test(table.env, num_cycles=300)


@each_game
@pytest.mark.parametrize("wrap", [OrderEnforcingWrapper, AssertOutOfBoundsWrapper, BaseWrapper])
def test_pettingzoo_wrappers(table, wrap):
    assert play(wrap(table.env()), seed=3) == play(table.env(), seed=3)


@each_game
def test_registered_with_pettingzoo(table):
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo before 1.27 has no registry")
    env = pettingzoo.make("aec", table.env_id, num_players=3)
    assert env.unwrapped.possible_agents == ["player_0", "player_1", "player_2"]
    short = pettingzoo.make("aec", table.env_id, max_cycles=7)
    assert [entry[2:4] for entry in play(short, seed=1)][-2:] == [(False, True)] * 2


@each_table
def test_every_observation_lies_in_its_space(table):
    """Whoever looks, whenever; masks are all zero off turn and after the end, else not."""
    env = table.env()
    spaces = {agent: env.observation_space(agent) for agent in env.possible_agents}
    for seed in range(2):
        for agent, _, terminated, truncated, _ in steps(env, seed):
            for other in env.possible_agents:
                seen = env.observe(other)
                assert spaces[other].contains(seen)
                assert seen["action_mask"].any() == (other == agent and not (terminated or truncated))
            assert env.state_space.contains(env.state())


@each_table
@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_rewards_through_last_sum_to_the_returns(table, reward):
    """0 before the end; a game cut short by its own rules is a truncation, with 0 for all."""
    env = table.env(reward=reward)
    for seed in range(3):
        total = dict.fromkeys(env.possible_agents, 0.0)
        ends = dict.fromkeys(env.possible_agents, 0)
        for agent, value, terminated, truncated, _ in steps(env, seed):
            over = env.game.actor < 0
            assert (terminated, truncated) == (over and not env.game.truncated, over and env.game.truncated)
            assert over or value == 0
            total[agent] += value
            ends[agent] += over
        assert env.agents == [] and ends == dict.fromkeys(env.possible_agents, 1)
        returns = [0.0] * len(total) if env.game.truncated else env.game.returns(reward)
        assert list(total.values()) == pytest.approx(returns)
        if reward != "score" and len(total) > 1:
            assert sum(returns) == pytest.approx(0)
        won = [agent for agent, wins in zip(total, env.game.result()[1], strict=False) if wins]
        assert env.winners() == ([] if env.game.truncated else won)
        assert list(env.scores().values()) == env.game.result()[0]


@each_table
def test_kept_arrays_never_change(table):
    env = table.env()
    kept = []
    for *_, observation in steps(env, 5, 150):
        again = env.last()[0]
        assert again["observation"] is not observation["observation"]
        kept += [(observation, copy.deepcopy(observation)), (again, copy.deepcopy(observation))]
    for array, copied in kept:
        assert all(np.array_equal(array[key], copied[key]) for key in copied)


@each_game
def test_flat_observations_have_the_mask_in_the_info(table, monkeypatch):
    plain, flat = table.env(), table.env(flat=True)
    suite = sys.modules["pettingzoo.test.api_test"]
    monkeypatch.setattr(suite, "env_obs_space", [*env_obs_space, flat.metadata["name"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        api_test(flat, num_cycles=1000)
    wrapped = OrderEnforcingWrapper(table.env(flat=True))
    wrapped.reset(seed=6)
    assert wrapped.last()[4]["action_mask"].any()
    plain.reset(seed=6)
    flat.reset(seed=6)
    for agent in flat.agent_iter():
        assert flat.infos[agent]["action_mask"].any() == plain.last()[0]["action_mask"].any()
        wanted, *_ = plain.last()
        observation, _, terminated, truncated, info = flat.last()
        assert np.array_equal(observation, wanted["observation"])
        assert np.array_equal(info["action_mask"], wanted["action_mask"])
        assert flat.observation_space(agent).contains(observation)
        action = None if terminated or truncated else flat.action_space(agent).sample(info["action_mask"])
        plain.step(action)
        flat.step(action)


@each_game
def test_terminate_illegal_wrapper(table):
    """PettingZoo's own way with illegal actions, around an environment that raises."""
    inner = table.env()
    env = TerminateIllegalWrapper(inner, illegal_reward=-1)
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(inner.game.num_actions - 1)
    assert all(env.terminations.values()) and env.rewards[offender] == -1


@each_game
def test_a_scribbled_mask_allows_nothing(table):
    env = table.env()
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[-1])
    env.last()[0]["action_mask"][:] = 1
    what = rf"action {illegal} \({env.action_to_string(illegal)}\) is not legal now: {env.agent_selection} decides "
    with pytest.raises(IllegalAction, match=rf"{what}\({env.game.decision_to_string()}\); legal are \d+ \("):
        env.step(illegal)


@each_table
def test_three_games_on_one_instance(table):
    env = table.env()
    first = play(env, seed=8)
    play(env)
    assert play(env, seed=8) == first


@each_game
def test_illegal_action_can_end_the_game_instead(table):
    env = table.package.env(num_players=3, illegal_action="terminate")
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(env.game.num_actions - 1)
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert env.winners() == []
    while env.agents:
        env.step(None)


@each_table
def test_a_cap_is_a_truncation(table):
    env = table.env(max_cycles=10)
    entries = play(env, seed=1)
    players = len(env.possible_agents)
    assert len(entries) == 10 + players
    assert [entry[1:4] for entry in entries[-players:]] == [(0.0, False, True)] * players
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
    assert env.winners() == []


@each_game
def test_nothing_before_reset(table):
    env = table.env()
    for use in (
        lambda: env.step(0),
        lambda: env.last(),
        lambda: env.agents,
        lambda: env.num_agents,
        lambda: next(iter(env.agent_iter())),
        lambda: env.observe("player_0"),
        lambda: env.snapshot(),
        lambda: env.scores(),
        lambda: env.state(),
        lambda: table.env(render_mode="ansi").render(),
    ):
        with pytest.raises(AttributeError, match=r"call reset\(\) first"):
            use()


@each_game
def test_nothing_after_the_end(table):
    env = table.env()
    play(env, seed=1)
    for use in (lambda: env.step(0), lambda: env.step(None), lambda: env.last()):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            use()
    env.reset()
    with pytest.raises(IllegalAction, match="must act"):
        env.step(None)


@each_game
def test_an_ended_agent_takes_none_only(table):
    env = table.env(max_cycles=1)
    env.reset(seed=1)
    action = env.game.legal_actions()[0]
    env.step(action)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(action)


@each_table
def test_spaces_are_gymnasium_spaces(table):
    env = table.env()
    actions = env.game.num_actions
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert isinstance(env.action_space(agent), gymnasium.spaces.Discrete)
        assert env.action_space(agent) == gymnasium.spaces.Discrete(actions)
    nobody = f"player_{len(env.possible_agents)}"
    with pytest.raises(ValueError, match=f"no agent is called '{nobody}'; the agents are player_0"):
        env.action_space(nobody)


@each_table
def test_the_text_is_that_of_the_agent_selected(table, capsys):
    env, printed = table.env(render_mode="ansi"), table.env(render_mode="human")
    printed.reset(seed=2)
    for agent, *_ in steps(env, 2, 40):
        assert env.render() == env.game.to_text(env.possible_agents.index(agent))
    assert printed.render() is None
    assert capsys.readouterr().out == printed.game.to_text(printed.game.actor) + "\n"
    with pytest.raises(ValueError, match="make the environment with render_mode"):
        table.env().render()


@each_table
def test_the_name_says_how_to_make_it_again(table):
    env = table.env()
    text = repr(env)
    assert text == repr(table.env()) and text.startswith(f"{type(env).__name__}(num_players={env.game.num_players}, ")
    again = eval(text, {type(env).__name__: lambda **settings: settings})
    settings = {k: v for k, v in again.items() if k != "cards"}  # a hash stands for the built-in cards
    assert table.package.env(**settings).game.settings() == env.game.settings() == again


def test_every_number_of_players_is_played():
    played = {(table.package.__name__, table.game().num_players) for table in TABLES}
    assert played == {("lastdroid_env", n) for n in (1, 2, 3, 4)} | {("robots_env", n) for n in (2, 3, 4, 5)}
