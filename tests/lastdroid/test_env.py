"""The environment against the ecosystem's suites, and against stricter ones of our own."""

from __future__ import annotations

import copy
import itertools
import pickle
import sys
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.api_test import env_obs_dicts, env_obs_space
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, BaseWrapper, OrderEnforcingWrapper

import lastdroid_env
from tabletop.game import IllegalAction, ImpossibleState

from .games import SETTINGS

EVERY_SETTING = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)


def play(env, seed=None, steps=10**9):
    """Random play through the ordinary loop; returns (agent, reward, terminated, truncated) as ``last`` gave them."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    seen = []
    for agent in env.agent_iter(steps):
        observation, reward, terminated, truncated, _ = env.last()
        seen.append((agent, reward, terminated, truncated))
        action = None
        if not (terminated or truncated):
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)
    return seen


@EVERY_SETTING
def test_pettingzoo_api(settings, monkeypatch):
    # PettingZoo warns of dict observations unless it knows the environment by name.
    suite = sys.modules["pettingzoo.test.api_test"]
    monkeypatch.setattr(suite, "env_obs_dicts", [*env_obs_dicts, "last_droid_v0"])
    monkeypatch.setattr(suite, "env_obs_space", [*env_obs_space, "last_droid_v0"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It reads the masks of all agents; off turn ours are all zero, as they must be.
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        api_test(lastdroid_env.env(**settings), num_cycles=1000)


@EVERY_SETTING
def test_pettingzoo_seed(settings):
    seed_test(lambda: lastdroid_env.env(**settings), num_cycles=300)


@pytest.mark.parametrize("wrap", [OrderEnforcingWrapper, AssertOutOfBoundsWrapper, BaseWrapper])
def test_pettingzoo_wrappers(wrap):
    assert play(wrap(lastdroid_env.env(num_players=3)), seed=3) == play(lastdroid_env.env(num_players=3), seed=3)


def test_registered_with_pettingzoo():
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo before 1.27 has no registry")
    env = pettingzoo.make("aec", "tabletop/LastDroid-v0", num_players=3)
    assert env.unwrapped.possible_agents == ["player_0", "player_1", "player_2"]
    short = pettingzoo.make("aec", "tabletop/LastDroid-v0", max_cycles=7)
    assert [entry[2:] for entry in play(short, seed=1)][-2:] == [(False, True)] * 2


@EVERY_SETTING
def test_every_observation_lies_in_its_space(settings):
    env = lastdroid_env.env(**settings)
    spaces = {agent: env.observation_space(agent) for agent in env.possible_agents}
    rng = np.random.default_rng(0)
    for seed in range(3):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            for other in env.possible_agents:
                seen = env.observe(other)
                assert spaces[other].contains(seen)
                assert seen["action_mask"].any() == (other == agent and not env.terminations[agent])
            assert env.state_space.contains(env.state())
            observation, _, terminated, _, _ = env.last()
            env.step(None if terminated else int(rng.choice(np.flatnonzero(observation["action_mask"]))))


@EVERY_SETTING
@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_rewards_through_last_sum_to_the_result(settings, reward):
    env = lastdroid_env.env(reward=reward, **settings)
    for seed in range(3):
        total = dict.fromkeys(env.possible_agents, 0.0)
        ends = dict.fromkeys(env.possible_agents, 0)
        for agent, value, terminated, truncated in play(env, seed):
            total[agent] += value
            ends[agent] += terminated
            assert not truncated
        points = list(env.scores().values())
        n = len(env.possible_agents)
        won = [agent in env.winners() for agent in env.possible_agents]
        if reward == "win":
            if n == 1:
                expected = [1.0 if won[0] else -1.0]
            elif all(won):
                expected = [0.0] * n
            else:
                expected = [1 / sum(won) if w else -1 / (n - sum(won)) for w in won]
        else:
            own: list[float] = [min(points[0], points[3]), min(points[1], points[2])] if n == 4 else [*points]
            own = [own[0], own[1], own[1], own[0]] if n == 4 else own
            others = [[own[j] for j in range(len(own)) if own[j] is not own[i] or j != i] for i in range(len(own))]
            if n == 4:
                others = [[own[1]], [own[0]], [own[0]], [own[1]]]
            expected = own[:n] if reward == "score" else [own[i] - sum(others[i]) / len(others[i]) for i in range(n)]
        assert [total[agent] for agent in env.possible_agents] == pytest.approx(expected)
        assert ends == dict.fromkeys(env.possible_agents, 1)


@EVERY_SETTING
def test_kept_arrays_never_change(settings):
    env = lastdroid_env.env(**settings)
    env.reset(seed=5)
    kept = []
    rng = np.random.default_rng(5)
    for _agent in env.agent_iter(150):
        observation, _, terminated, _, _ = env.last()
        again, *_ = env.last()
        assert again["observation"] is not observation["observation"]
        kept.append((observation, copy.deepcopy(observation)))
        kept.append((again, copy.deepcopy(observation)))
        if terminated:
            break
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    for array, copied in kept:
        assert all(np.array_equal(array[key], copied[key]) for key in copied)


def test_a_scribbled_mask_allows_nothing():
    env = lastdroid_env.env()
    env.reset(seed=1)
    env.last()[0]["action_mask"][:] = 1
    with pytest.raises(IllegalAction, match=r"action 94 \(repair\) is not legal now: player_\d decides \(give\)"):
        env.step(94)


@EVERY_SETTING
def test_three_games_on_one_instance(settings):
    env = lastdroid_env.env(**settings)
    first = play(env, seed=8)
    play(env)
    assert play(env, seed=8) == first


def test_reset_without_a_seed_goes_on_with_the_stream():
    def seeds(env, first):
        env.reset(seed=first)
        found = [env.game.seed]
        for _ in range(3):
            env.reset()
            found.append(env.game.seed)
        return found

    env = lastdroid_env.env()
    a, b = seeds(env, 7), seeds(lastdroid_env.env(), 7)
    assert a == b and a[0] == 7 and len(set(a)) == 4
    env.reset(seed=a[2])
    one = env.game.record.copy()
    seeds(env, 7)
    for seed in (7, None, None):
        env.reset(seed=seed)
    assert env.game.record.tobytes() == one.tobytes()


@EVERY_SETTING
def test_global_random_state_plays_no_part(settings):
    import random

    def run():
        env = lastdroid_env.env(**settings)
        trace = play(env, seed=11)
        return trace, env.game.record.tobytes()

    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    before = str(np.random.get_state(legacy=False)), random.getstate()  # noqa: NPY002
    one = run()
    assert (str(np.random.get_state(legacy=False)), random.getstate()) == before  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    random.seed(2)
    assert run() == one


@EVERY_SETTING
@pytest.mark.parametrize(
    "duplicate",
    [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.clone()],
    ids=["deepcopy", "pickle", "clone"],
)
def test_copies_play_on_identically_and_independently(settings, duplicate):
    for seed, steps in enumerate((0, 1, 17, 90)):
        env = lastdroid_env.env(render_mode="ansi", **settings)
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(steps):
            observation, _, terminated, _, _ = env.last()
            env.step(None if terminated else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            if not env.agents:
                break
        twin = duplicate(env)
        untouched = twin.game.record.tobytes()

        def finish(env, seed=seed):
            rng = np.random.default_rng(1000 + seed)
            trace = []
            for agent in env.agent_iter():
                observation, reward, terminated, truncated, _ = env.last()
                trace.append((agent, reward, terminated, truncated, observation["observation"].tobytes()))
                env.step(None if terminated else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            return trace

        first = finish(env)
        assert twin.game.record.tobytes() == untouched
        assert finish(twin) == first


@pytest.mark.parametrize("bad", [-1, 151, 10**9, -3, np.int64(10**12)])
def test_out_of_range_actions_are_refused(bad):
    env = lastdroid_env.env()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    with pytest.raises(IllegalAction, match="actions are numbered 0 to 150"):
        env.step(bad)
    assert env.game.record.tobytes() == before


@pytest.mark.parametrize("bad", [1.0, "give card 0", None, [1], np.array([1]), np.float32(1), np.array(1.5)])
def test_actions_that_are_no_whole_numbers_are_refused(bad):
    env = lastdroid_env.env()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    with pytest.raises(IllegalAction, match=r"whole number from 0 to 150|must act"):
        env.step(bad)
    assert env.game.record.tobytes() == before
    env.step(np.int8(1))
    assert env.game.record.tobytes() != before


def test_illegal_action_can_end_the_game_instead():
    env = lastdroid_env.env(num_players=3, illegal_action="terminate")
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(94)
    assert all(env.terminations.values())
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    while env.agents:
        env.step(None)


def test_a_cap_is_a_truncation():
    env = lastdroid_env.env(max_cycles=10)
    entries = play(env, seed=1)
    assert len(entries) == 12
    assert [entry[1:] for entry in entries[-2:]] == [(0.0, False, True)] * 2


def test_nothing_before_reset():
    env = lastdroid_env.env()
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
        lambda: lastdroid_env.env(render_mode="ansi").render(),
    ):
        with pytest.raises(AttributeError, match=r"call reset\(\) first"):
            use()


def test_nothing_after_the_end():
    env = lastdroid_env.env()
    play(env, seed=1)
    for use in (lambda: env.step(0), lambda: env.step(None), lambda: env.last()):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            use()
    env.reset()
    with pytest.raises(IllegalAction, match="must act"):
        env.step(None)


def test_an_ended_agent_takes_none_only():
    env = lastdroid_env.env(max_cycles=1)
    env.reset(seed=1)
    env.step(1)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_players": 0}, "num_players must be 1 .solo., 2, 3 or 4, not 0"),
        ({"num_players": 5}, "num_players must be 1 .solo., 2, 3 or 4, not 5"),
        ({"num_players": 2.0}, "num_players must be 1 .solo., 2, 3 or 4, not 2.0"),
        ({"num_players": True}, "num_players must be 1 .solo., 2, 3 or 4, not True"),
        ({"hard": True}, "hard is a setting of the solo game"),
        ({"table_talk": "yes"}, "table_talk must be True or False, not 'yes'"),
        ({"wild_type_houses": (45,)}, "wild_type_houses may hold 47, 48, 49, 50, 52, 55, not 45"),
        ({"wild_type_houses": 49.5}, "wild_type_houses may hold 47, 48, 49, 50, 52, 55, not 49.5"),
        ({"reward": "points"}, "reward must be one of 'win', 'margin', 'score', not 'points'"),
        ({"illegal_action": "ignore"}, "illegal_action must be 'raise' or 'terminate', not 'ignore'"),
        ({"max_cycles": 0}, "max_cycles must be a whole number from 1 or None, not 0"),
        ({"render_mode": "rgb_array"}, "render_mode must be None, 'ansi' or 'human', not 'rgb_array'"),
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        lastdroid_env.env(**arguments)


def test_unknown_settings_are_refused_by_name():
    with pytest.raises(TypeError, match="tabel_talk"):
        lastdroid_env.env(tabel_talk=True)


@pytest.mark.parametrize(
    ("seed", "error"), [(-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("a", TypeError), (True, TypeError)]
)
def test_wrong_seeds_are_refused_and_change_nothing(seed, error):
    env = lastdroid_env.env()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    with pytest.raises(error, match="seed must"):
        env.reset(seed=seed)
    assert env.game.record.tobytes() == before
    env.reset(seed=np.int64(5))


def test_a_wrong_state_is_refused_and_changes_nothing():
    env = lastdroid_env.env()
    env.reset(seed=1)
    state = env.snapshot()
    before = env.game.record.tobytes()
    for wrong in ({}, {**state, "turn": 99}, {**state, "unheard": 1}, "state", 7):
        with pytest.raises(ImpossibleState):
            env.reset(options={"state": wrong})
        assert env.game.record.tobytes() == before


@pytest.mark.parametrize(("options", "error"), [({"sate": {}}, ValueError), (5, TypeError), ([1], TypeError)])
def test_wrong_options_are_refused_and_change_nothing(options, error):
    env = lastdroid_env.env()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    with pytest.raises(error, match="option"):
        env.reset(seed=2, options=options)
    assert env.game.record.tobytes() == before


def test_a_resampled_game_does_not_tell_its_deal():
    env = lastdroid_env.env(num_players=3)
    env.reset(seed=7)
    twin = env.clone()
    twin.resample("player_0", 1)
    other = lastdroid_env.env(num_players=3)
    other.reset(seed=twin.snapshot()["seed"])
    assert other.snapshot()["decks"] != env.snapshot()["decks"]


def test_interleaved_environments_do_not_disturb_each_other():
    def walk(env, seed):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.agents:
            observation, reward, terminated, _, _ = env.last()
            yield observation["observation"].tobytes(), reward
            env.step(None if terminated else int(rng.choice(np.flatnonzero(observation["action_mask"]))))

    alone = [list(walk(lastdroid_env.env(num_players=n), n)) for n in (1, 2, 3, 4)]
    together: list[list[object]] = [[] for _ in range(4)]
    for parts in itertools.zip_longest(*(walk(lastdroid_env.env(num_players=n), n) for n in (1, 2, 3, 4))):
        for trace, part in zip(together, parts, strict=True):
            if part is not None:
                trace.append(part)
    assert together == alone


def test_action_strings_name_actions_uniquely():
    for n in (1, 2, 3, 4):
        env = lastdroid_env.env(num_players=n)
        names = [env.action_to_string(a) for a in range(env.game.num_actions)]
        assert len(set(names)) == 151
        assert [env.action_from_string(name) for name in names] == list(range(151))
    with pytest.raises(ValueError, match="no action is called 'build a house'; did you mean"):
        env.action_from_string("build a house")


def test_resample_keeps_what_the_agent_knows():
    env = lastdroid_env.env(num_players=2, open_deck=True)
    play(env, seed=4, steps=60)
    before = {agent: env.observe(agent) for agent in env.possible_agents}
    decks = env.game.record["deck"].copy()
    drawn = int(env.game.record["drawn"][0, 0])
    env.resample("player_0", np.random.default_rng(0))
    for agent, seen in before.items():
        assert all(np.array_equal(seen[key], value) for key, value in env.observe(agent).items())
    after = env.game.record["deck"]
    assert not np.array_equal(after, decks)
    assert np.array_equal(after[0, 0, :drawn], decks[0, 0, :drawn])
    assert sorted(after[0, 0]) == sorted(decks[0, 0])


def test_spaces_are_gymnasium_spaces():
    env = lastdroid_env.env(num_players=4)
    assert isinstance(env.action_space("player_3"), gymnasium.spaces.Discrete)
    assert env.action_space("player_0") == gymnasium.spaces.Discrete(151)
    with pytest.raises(ValueError, match="no agent is called 'player_4'; the agents are player_0"):
        env.action_space("player_4")
