"""What is wrong is refused by name, and changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.game import IllegalAction, ImpossibleState

from .tables import each_game, each_table


@each_game
@pytest.mark.parametrize("bad", [-1, None, 10**9, -3, -4, np.int64(10**12)])
def test_out_of_range_actions_are_refused(table, bad):
    env = table.env()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    last = env.game.num_actions - 1
    with pytest.raises(IllegalAction, match=f"actions are numbered 0 to {last}"):
        env.step(last + 1 if bad is None else bad)
    assert env.game.record.tobytes() == before


@each_game
@pytest.mark.parametrize("bad", [1.0, "give card 0", None, [1], np.array([1]), np.float32(1), np.array(1.5), "draw"])
def test_actions_that_are_no_whole_numbers_are_refused(table, bad):
    env = table.env()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    with pytest.raises(IllegalAction, match=rf"whole number from 0 to {env.game.num_actions - 1}|must act"):
        env.step(bad)
    assert env.game.record.tobytes() == before
    env.step(np.int8(env.game.legal_actions()[0]))
    assert env.game.record.tobytes() != before


@each_game
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_players": 6}, r"num_players must be .* not 6"),
        ({"num_players": 2.0}, r"num_players must be .* not 2.0"),
        ({"num_players": True}, r"num_players must be .* not True"),
        ({"num_players": "2"}, r"num_players must be .* not '2'"),
        ({"ask_forced": 1}, "ask_forced must be True or False, not 1"),
        ({"reward": "points"}, "reward must be one of 'win', 'margin', 'score', not 'points'"),
        ({"illegal_action": "ignore"}, "illegal_action must be 'raise' or 'terminate', not 'ignore'"),
        ({"max_cycles": 0}, "max_cycles must be a whole number from 1 or None, not 0"),
        ({"render_mode": "rgb_array"}, "render_mode must be None, 'ansi' or 'human', not 'rgb_array'"),
    ],
)
def test_wrong_arguments_are_refused_by_name(table, arguments, message):
    with pytest.raises(ValueError, match=message):
        table.package.env(**arguments)


@each_game
def test_a_layout_of_no_game_is_refused(table):
    for num_players in (0, 6):
        with pytest.raises(ValueError, match=r"num_players must be .* or \d, not"):
            table.package.layout(num_players)


@each_game
def test_unknown_settings_are_refused_by_name(table):
    with pytest.raises(TypeError, match="tabel_talk"):
        table.env(tabel_talk=True)


@each_game
@pytest.mark.parametrize(
    ("seed", "error"), [(-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("a", TypeError), (True, TypeError)]
)
def test_wrong_seeds_are_refused_and_change_nothing(table, seed, error):
    env = table.env()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    with pytest.raises(error, match="seed must"):
        env.reset(seed=seed)
    with pytest.raises(error, match="seed must"):
        env.resample("player_0", seed)
    assert env.game.record.tobytes() == before
    env.reset(seed=np.int64(5))


@each_table
def test_a_wrong_state_is_refused_and_changes_nothing(table):
    env = table.env()
    env.reset(seed=1)
    state = env.snapshot()
    before = env.game.record.tobytes()
    for wrong in ({}, {**state, "actor": 99}, {**state, "unheard": 1}, "state", 7):
        with pytest.raises(ImpossibleState):
            env.reset(options={"state": wrong})
        assert env.game.record.tobytes() == before
    env.reset(seed=2)
    env.reset(options={"state": state})
    assert env.game.record.tobytes() == before


@each_game
@pytest.mark.parametrize(("options", "error"), [({"sate": {}}, ValueError), (5, TypeError), ([1], TypeError)])
def test_wrong_options_are_refused_and_change_nothing(table, options, error):
    env = table.env()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    with pytest.raises(error, match="option"):
        env.reset(seed=2, options=options)
    assert env.game.record.tobytes() == before


@each_table
def test_action_strings_name_actions_uniquely(table):
    env = table.env()
    names = [env.action_to_string(a) for a in range(env.game.num_actions)]
    assert len(set(names)) == env.game.num_actions
    assert [env.action_from_string(name) for name in names] == list(range(env.game.num_actions))
    assert env.action_to_string(np.int16(5)) == names[5] and env.action_from_string(f" {names[5]} ") == 5


@each_game
def test_what_is_no_action_has_no_name(table):
    env = table.env()
    last = env.game.num_actions - 1
    for wrong in ("x", None, 1.0, True, [1], np.float32(2)):
        with pytest.raises(TypeError, match=f"an action is a whole number from 0 to {last}, not "):
            env.action_to_string(wrong)
    for number in (-1, last + 1):
        with pytest.raises(ValueError, match=f"actions are numbered 0 to {last}, not {number}"):
            env.action_to_string(number)
    for no_text in (None, 5, b"pass", ["pass"]):
        with pytest.raises(TypeError, match="an action's name is a text, not "):
            env.action_from_string(no_text)
    with pytest.raises(ValueError, match=r"no action is called 'pasz'; did you mean one of .*'pass'"):
        env.action_from_string("pasz")
