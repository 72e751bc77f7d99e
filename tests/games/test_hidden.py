"""What a player cannot know it does not see; ``resample`` deals it anew and leaves all else as it is."""

from __future__ import annotations

import numpy as np
import pytest

from tests.games.test_env import steps

from .tables import TABLES, each_game, each_table, each_way
from .walk import decisions


def all_that(env, agent):
    """All that an agent is shown, in bytes."""
    seen = env.observe(agent)
    env.agent_selection = agent  # for last() and render()
    *rest, infos = env.last(observe=False)
    return seen["observation"].tobytes(), seen["action_mask"].tobytes(), rest, infos, env.render(), repr(env)


@each_table
def test_nothing_hidden_is_shown(table):
    """Whoever decides: the observer is shown the same of the table and of the table redealt."""
    env = table.env(render_mode="ansi")
    n = changed = 0
    for *_, observation in steps(env, 3):
        n += 1
        if env.game.actor < 0 or n % 7:
            continue
        for agent in env.possible_agents:
            twin, same = env.clone(), env.clone()
            twin.resample(agent, np.random.default_rng(n))
            assert all_that(twin, agent) == all_that(same, agent)
            hidden = [name for name in env.game.record.dtype.names if name not in ("rng", "seed")]
            changed += any(not np.array_equal(twin.game.record[name], env.game.record[name]) for name in hidden)
        assert np.array_equal(observation["observation"], env.observe(env.agent_selection)["observation"])
    assert changed > n // 14


@each_way
def test_a_resampled_game_is_one_that_can_be(table, way):
    """Its snapshot is accepted, somebody can decide, and it plays on to its end."""
    game = table.game()
    rng = np.random.default_rng(4)
    for n, _ in enumerate(decisions(game, 4, table.ways[way])):
        if n % 16:
            continue
        for seat in range(game.num_players):
            twin = game.twin(game.record)
            twin.redeal_hidden(seat, int(rng.integers(2**63)))
            assert twin.actor == game.actor
            assert len(twin.legal_actions()) >= (1 if game.settings()["ask_forced"] else 2)
            assert twin.record_of(twin.snapshot()).tobytes() == twin.record.tobytes()
        if n % 64 == 0:
            while twin.actor >= 0:
                twin.act(int(rng.choice(twin.legal_actions())))


@each_table
def test_a_seed_redeals_alike(table):
    env = table.env()
    for _ in steps(env, 9, 31):
        pass
    for agent in env.possible_agents:
        one, other, another = (env.clone() for _ in range(3))
        one.resample(agent, 5)
        other.resample(agent, 5)
        another.resample(agent, np.random.default_rng(5))
        assert one.game.record.tobytes() == other.game.record.tobytes()
        assert one.game.seed != env.game.seed and one.game.record["rng"] != env.game.record["rng"]


@each_game
def test_a_resampled_game_does_not_tell_its_deal(table):
    env = table.env()
    env.reset(seed=7)
    twin = env.clone()
    twin.resample("player_0", 1)
    other = table.env()
    other.reset(seed=twin.snapshot()["seed"])
    assert other.game.state().tobytes() not in (env.game.state().tobytes(), twin.game.state().tobytes())
    with pytest.raises(ValueError, match="no agent is called 'player_7'"):
        env.resample("player_7", 1)


def test_there_is_always_something_hidden():
    """So that the tests above test something."""
    for table in TABLES:
        env = table.env()
        env.reset(seed=1)
        twin = env.clone()
        twin.resample("player_0", 2)
        assert twin.state().tobytes() != env.state().tobytes()
