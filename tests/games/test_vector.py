"""Batches: game by game they are the AEC games of their seeds; wrong arguments move nothing."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tabletop.game import IllegalAction, ImpossibleState
from tabletop.vector import Turn

from .tables import each_game, each_table

ROWS = 5


def batch(table, num_envs=ROWS, **more):
    return table.package.VecEnv(num_envs, **table.settings, **more)


def play(vec, steps, turn=None):
    """Random steps; the last turn."""
    turn = turn or vec.reset()
    for _ in range(steps):
        turn = vec.step(vec.sample_actions())
    return turn


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one[:6], other[:6], strict=True))


@each_table
def test_every_row_is_the_environment_of_its_seed(table):
    vec = batch(table, seed=11, max_cycles=400)
    envs = [table.env(reward=vec.reward, max_cycles=400) for _ in range(ROWS)]
    for i, env in enumerate(envs):
        env.reset(seed=11 + i)
    turn = vec.reset()
    ended = 0
    for _ in range(900):
        for i, env in enumerate(envs):
            seen = env.last()[0]
            assert env.agent_selection == f"player_{turn.current_player[i]}"
            assert np.array_equal(seen["observation"], turn.observations[i])
            assert np.array_equal(seen["action_mask"], turn.action_mask[i])
        actions = vec.sample_actions()
        turn = vec.step(actions)
        for i, env in enumerate(envs):
            env.step(int(actions[i]))
            over = env.terminations["player_0"], env.truncations["player_0"]
            assert over == (turn.terminated[i], turn.truncated[i])
            np.testing.assert_allclose(turn.rewards[i], list(env.rewards.values()), rtol=1e-6)
            if any(over):
                ended += 1
                row = turn.final.rows.tolist().index(i)
                for player, agent in enumerate(env.possible_agents):
                    assert np.array_equal(env.observe(agent)["observation"], turn.final.observations[row, player])
                env.reset()
    assert ended >= ROWS


@each_game
def test_next_step_shows_the_end_and_deals_at_the_next_step(table):
    vec = batch(table, 2, seed=3, autoreset_mode="next_step")
    env = table.env(reward=vec.reward)
    env.reset(seed=3)
    assert vec.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    turn = vec.reset()
    while not turn.terminated[0]:
        actions = vec.sample_actions()
        env.step(int(actions[0]))
        turn = vec.step(actions)
    assert turn.current_player[0] == -1 and not turn.action_mask[0].any()
    np.testing.assert_allclose(turn.rewards[0], list(env.rewards.values()), rtol=1e-6)
    assert 0 in turn.final.rows
    env.reset()
    turn = vec.step(np.where(np.arange(2) == 0, -7, vec.sample_actions()))
    assert np.array_equal(turn.observations[0], env.last()[0]["observation"])
    assert not turn.rewards[0].any() and not turn.terminated[0]


@each_game
def test_disabled_autoreset_asks_for_a_reset(table):
    vec = batch(table, seed=3, autoreset_mode=AutoresetMode.DISABLED, max_cycles=7)
    turn = play(vec, 7)
    assert turn.truncated.all() and (turn.current_player == -1).all()
    with pytest.raises(RuntimeError, match="row 0 is over: reset it first"):
        vec.step(vec.sample_actions())
    turn = vec.reset(where=[0, 2])
    assert (turn.current_player >= 0).tolist() == [True, False, True, False, False]
    turn = vec.reset(where=[False, True, False, True, True])
    assert (turn.current_player >= 0).all()
    vec.step(vec.sample_actions())


@each_game
def test_partial_reset_leaves_the_other_games_alone(table):
    vec = batch(table, seed=1)
    play(vec, 40)
    before = vec.games.copy()
    vec.reset(where=[1, 3], seed=[77, 78])
    assert [i for i in range(ROWS) if vec.games[i].tobytes() != before[i].tobytes()] == [1, 3]
    env = table.env()
    env.reset(seed=77)
    assert np.array_equal(env.game.record, vec.games[1:2])


@each_game
def test_threads_change_nothing(table):
    plain, threaded = batch(table, 33, seed=5), batch(table, 33, seed=5, threads=3)
    one, other = plain.reset(), threaded.reset()
    for _ in range(150):
        actions = plain.sample_actions()
        assert np.array_equal(actions, threaded.sample_actions())
        one, other = plain.step(actions), threaded.step(actions)
        assert same(one, other)
    threaded.close()
    actions = plain.sample_actions()
    assert same(plain.step(actions), threaded.step(actions))
    threaded.close()


@each_game
def test_out_fills_the_arrays_given_and_else_all_are_new(table):
    vec, other = batch(table, seed=5), batch(table, seed=5)
    out = vec.buffers()
    turn, kept = vec.reset(out=out), other.reset()
    assert turn.observations is out.observations
    memory = [array.copy() for array in kept[:6]]
    for _ in range(60):
        actions = vec.sample_actions()
        turn = vec.step(actions, out=out)
        assert turn.rewards is out.rewards and same(turn, other.step(actions))
    assert all(np.array_equal(a, b) for a, b in zip(kept[:6], memory, strict=True))


@each_table
def test_a_game_takes_less_than_four_kilobytes(table):
    assert batch(table, 1000).nbytes < 1000 * 4096


@each_game
def test_copies_play_on_identically(table):
    vec = batch(table, seed=9)
    play(vec, 50)
    copies = [vec.clone(), copy.deepcopy(vec), pickle.loads(pickle.dumps(vec))]
    snapshots = vec.snapshot()
    for _ in range(30):
        actions = vec.sample_actions()
        turn = vec.step(actions)
        for twin in copies:
            assert np.array_equal(twin.sample_actions(), actions) and same(twin.step(actions), turn)
    restored = batch(table)
    turn = restored.restore(snapshots)
    assert turn.action_mask.any(axis=1).all()
    assert restored.snapshot() == snapshots
    restored.step(restored.sample_actions())


@each_game
def test_reset_without_a_seed_goes_on_with_the_streams(table):
    vec, other = batch(table, seed=4), batch(table)
    vec.reset()
    other.reset(seed=4)
    assert np.array_equal(vec.games, other.games)
    vec.reset()
    other.reset()
    assert np.array_equal(vec.games, other.games)
    fresh = [batch(table) for _ in range(2)]
    for one in fresh:
        one.reset()
    assert not np.array_equal(fresh[0].games["rng"], fresh[1].games["rng"])


@each_game
def test_observe_shows_each_seat(table):
    vec = batch(table, seed=4)
    turn = play(vec, 21)
    seen = [vec.observe(seat) for seat in range(vec.num_players)]
    for row, seat in enumerate(turn.current_player):
        assert np.array_equal(seen[seat][row], turn.observations[row])
    with pytest.raises(ValueError, match="seat must be"):
        vec.observe(vec.num_players)


WRONG_ACTIONS = {
    "shape": (lambda a: a[:-1], ValueError, r"shape \(5,\)"),
    "kind": (lambda a: a.astype(float), TypeError, "whole numbers, not float64"),
    "range": (lambda a: np.where(np.arange(ROWS) == 3, 10_000, a), IllegalAction, "row 3: actions are numbered"),
    "negative": (lambda a: np.where(np.arange(ROWS) == 2, -1, a), IllegalAction, "row 2"),
    "none": (lambda a: None, ValueError, "shape"),
}


@each_game
@pytest.mark.parametrize("wrong", WRONG_ACTIONS)
def test_wrong_actions_are_refused_before_any_game_moves(table, wrong):
    change, error, message = WRONG_ACTIONS[wrong]
    vec = batch(table, seed=8)
    play(vec, 10)
    before = vec.games.tobytes()
    with pytest.raises(error, match=message):
        vec.step(change(vec.sample_actions()))
    assert vec.games.tobytes() == before
    vec.step(vec.sample_actions())


@each_game
def test_illegal_action_names_row_and_action(table):
    vec = batch(table, seed=8)
    turn = play(vec, 10)
    actions = vec.sample_actions()
    actions[4] = int(np.flatnonzero(turn.action_mask[4] == 0)[0])
    with pytest.raises(IllegalAction, match=r"row 4: action \d+ .* is not legal now: player_\d decides"):
        vec.step(actions)


@each_game
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number from 1"),
        ({"num_envs": 2.0}, "num_envs must be"),
        ({"threads": 0}, "threads must be"),
        ({"max_cycles": 0}, "max_cycles must be"),
        ({"autoreset_mode": "sometimes"}, "autoreset_mode must be one of 'next_step', 'same_step', 'disabled'"),
        ({"reward": "money"}, "reward must be one of"),
        ({"seed": -1}, "seed must lie"),
        ({"num_players": 7}, "num_players must be"),
    ],
)
def test_wrong_arguments_are_refused(table, arguments, message):
    with pytest.raises(ValueError, match=message):
        table.package.VecEnv(**{"num_envs": 2, **arguments})


@each_game
def test_wrong_buffers_rows_and_snapshots_are_refused(table):
    vec = batch(table, seed=2)
    with pytest.raises(RuntimeError, match="call reset"):
        vec.step(np.zeros(ROWS, int))
    vec.reset()
    out = vec.buffers()
    with pytest.raises(ValueError, match=r"out\.action_mask must be a contiguous, writable array of shape"):
        vec.step(vec.sample_actions(), out=out._replace(action_mask=out.action_mask[:, :-1]))
    with pytest.raises(ValueError, match="where must hold rows from 0 to 4"):
        vec.reset(where=[5])
    with pytest.raises(ValueError, match="seed must be a number or 5 numbers"):
        vec.reset(seed=[1, 2])
    before = vec.games.tobytes()
    snapshots = vec.snapshot()
    with pytest.raises(ValueError, match="5 games need a list of as many snapshots, not 2"):
        vec.restore(snapshots[:2])
    with pytest.raises(ImpossibleState, match=r"game 1: game: found 'chess'"):
        vec.restore([snapshots[0], {**snapshots[1], "game": "chess"}, *snapshots[2:]])
    assert vec.games.tobytes() == before
    assert isinstance(vec.reset(), Turn)
