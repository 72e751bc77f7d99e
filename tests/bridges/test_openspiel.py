"""Both games through OpenSpiel's own tests, tools and searches."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: extra 'openspiel'")

from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts, outcome_sampling_mccfr
from open_spiel.python.observation import make_observation

import lastdroid_env
import robots_env
from tabletop.bridges import openspiel
from tabletop.game import IllegalAction

NAMES = [
    "python_last_droid",
    "python_last_droid(players=1,hard=True)",
    "python_last_droid(players=4,open_deck=True)",
    "python_robots(rounds=1)",
    "python_robots(players=3,rounds=1,rules=publisher,ask_forced=True)",
]
each_name = pytest.mark.parametrize("name", NAMES)
each_game = pytest.mark.parametrize("name", ["python_last_droid", "python_robots(rounds=1)"])


def walk(game, seed, most=10**9):
    """States of a random game."""
    rng = random.Random(seed)
    state = game.deal(seed)
    while not state.is_terminal() and most:
        yield state
        state.apply_action(rng.choice(state.legal_actions()))
        most -= 1
    yield state


@pytest.mark.slow
@each_name
def test_openspiel_random_simulation(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@each_name
def test_a_seed_is_the_same_game_as_in_the_environment(name):
    game = pyspiel.load_game(name)
    package = lastdroid_env if "droid" in name else robots_env
    parameters = dict(game.get_parameters())
    env = package.env(num_players=parameters.pop("players", 2), **parameters)
    env.reset(seed=4_000_000_001)
    state, rng = game.deal(4_000_000_001), random.Random(1)
    while not state.is_terminal():
        player = state.current_player()
        observation = env.last()[0]
        assert env.agent_selection == f"player_{player}"
        assert state.observation_tensor(player) == observation["observation"].tolist()
        assert state.legal_actions_mask() == observation["action_mask"].tolist()
        action = rng.choice(state.legal_actions())
        assert state.action_to_string(action) == env.action_to_string(action)
        state.apply_action(action)
        env.step(action)
    assert state.returns() == state.rewards() == list(env.rewards.values())
    assert state.history()[openspiel.SEED_DIGITS :] == env._chronicle.actions


@each_name
def test_histories_copies_and_serialised_states_go_on_alike(name):
    game = pyspiel.load_game(name)
    for number, state in enumerate(walk(game, 5, 60)):
        if number % 20:
            continue
        again = game.new_initial_state()
        for action in state.history():
            again.apply_action(action)
        text = pyspiel.serialize_game_and_state(game, state)
        copies = [
            state.clone(),
            pickle.loads(pickle.dumps(state)),
            pyspiel.deserialize_game_and_state(text)[1],
            again,
        ]
        action = state.legal_actions()[-1]
        after = state.child(action)
        for twin in copies:
            assert twin.history() == state.history() and str(twin) == str(state)
            twin.apply_action(action)
            assert str(twin) == str(after) != str(state)
            for player in range(game.num_players()):
                assert twin.information_state_string(player) == after.information_state_string(player)


def test_a_half_dealt_state_is_copied_too():
    game = pyspiel.load_game("python_robots")
    state = game.new_initial_state()
    state.apply_action(1)
    state.apply_action(2)
    copies = [state.clone(), pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]]
    for twin in copies:
        assert twin.is_chance_node() and str(twin) == str(state)
        twin.apply_action(3)
        twin.apply_action(4)
        assert str(twin) == str(game.deal(0x01020304))
    assert state.is_chance_node()
    assert state.information_state_string(0) == game.new_initial_state().child(9).information_state_string(0)


@each_name
def test_a_resampled_state_looks_the_same_to_that_player_alone(name):
    game = pyspiel.load_game(name)
    rng = np.random.default_rng(3)
    hidden = 0
    for number, state in enumerate(walk(game, 6)):
        if number % 7 or state.is_terminal():
            continue
        for player in range(game.num_players()):
            other = state.resample_from_infostate(player, rng.random)
            assert other.current_player() == state.current_player()
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            hidden += str(other) != str(state)
            mine, theirs = (s.child(other.legal_actions()[0]) for s in (other, other.clone()))
            assert str(mine) == str(theirs)
    assert hidden


def test_what_others_saw_begins_at_a_resampled_state():
    """Else their information states would tell of the real hands."""
    game = pyspiel.load_game("python_robots(rounds=1)")
    *_, state = walk(game, 8, 25)
    one, same, another = (state.resample_from_infostate(0, lambda at=at: at) for at in (0.25, 0.25, 0.75))
    assert one.information_state_string(1) == same.information_state_string(1)
    assert len({s.information_state_string(1) for s in (state, one, another)}) == 3


@each_name
def test_an_information_state_never_comes_twice(name):
    game = pyspiel.load_game(name)
    for player in range(game.num_players()):
        strings = [state.information_state_string(player) for state in walk(game, 9)]
        assert len(set(strings)) == len(strings)


def test_one_information_state_as_long_as_the_same_is_seen_and_done():
    """Two deals that player_0 cannot tell apart, until another card comes to light."""
    game = pyspiel.load_game("python_last_droid")
    state = game.deal(1)
    twin = state.resample_from_infostate(0, lambda: 0.5)
    alike, apart = 0, 0
    for _ in range(60):
        same = not apart and state.observation_tensor(0) == twin.observation_tensor(0)
        assert (state.information_state_string(0) == twin.information_state_string(0)) == same
        alike, apart = alike + same, apart + (not same)
        action = next((a for a in state.legal_actions() if a in twin.legal_actions()), None)
        if action is None:
            break
        state.apply_action(action)
        twin.apply_action(action)
    assert alike > 2 and apart


def test_lazy_and_stepwise_information_states_agree():
    game = pyspiel.load_game("python_robots(rounds=1)")
    asked = [[s.information_state_string(p) for p in (0, 1)] for s in walk(game, 4, 50)]
    *_, late = walk(game, 4, 50)
    assert [late.information_state_string(p) for p in (0, 1)] == asked[-1]


@each_game
def test_python_ismcts_finds_moves(name):
    game = pyspiel.load_game(name)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    for use_observation_string in (False, True):
        bot = ismcts.ISMCTSBot(
            game,
            evaluator,
            uct_c=2.0,
            max_simulations=25,
            random_state=np.random.RandomState(2),
            use_observation_string=use_observation_string,
        )
        state = next(s for s in walk(game, 2) if len(s.legal_actions()) > 1)
        assert bot.step(state) in state.legal_actions()


@each_name
def test_observers(name):
    game = pyspiel.load_game(name)
    assert game.observation_tensor_shape() == [game.table.layout.size]
    *_, state = walk(game, 3, 30)
    observer = make_observation(game)
    recall = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    for player in range(game.num_players()):
        observer.set_from(state, player)
        assert observer.tensor.tolist() == state.observation_tensor(player)
        assert list(observer.dict) == [section.name for section in game.table.layout]
        assert observer.string_from(state, player) == state.observation_string(player)
        recall.set_from(state, player)
        assert recall.tensor is None
        assert recall.string_from(state, player) == state.information_state_string(player)
    before = game.new_initial_state()
    observer.set_from(before, 0)
    assert not observer.tensor.any() and before.observation_string(0) == "player_0 before the deal"


def test_parts_of_an_observation_are_not_to_be_had():
    game = pyspiel.load_game("python_robots")
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"size": 1})
    part = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert make_observation(game, part) is None


def test_a_playthrough_is_written():
    text = generate_playthrough.playthrough("python_last_droid", [0, 0, 0, 7], observation_params_string=None, seed=1)
    assert "IsChanceNode() = True" in text and "ObservationString(1)" in text and "# Apply action" in text


def test_an_observation_does_not_tell_anothers_hand():
    game = pyspiel.load_game("python_robots(rounds=1)")
    *_, state = walk(game, 3, 30)
    twin = state.resample_from_infostate(0, lambda: 0.1)
    assert state.observation_string(0) == twin.observation_string(0)
    assert state.observation_string(1) != twin.observation_string(1)


@each_game
def test_rl_environment_and_outcome_sampling(name):
    game = pyspiel.load_game(name)
    env = rl_environment.Environment(game)
    env.seed(1)
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == pytest.approx(0)
    np.random.seed(1)  # noqa: NPY002 - the solver draws from there
    outcome_sampling_mccfr.OutcomeSamplingSolver(game).iteration()


def test_utilities():
    zero_sum, general = pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.GENERAL_SUM
    for name, utility, bound in (
        ("python_last_droid", zero_sum, 1),
        ("python_last_droid(players=1)", general, 1),
        ("python_robots(rounds=1)", zero_sum, 10_000),
        ("python_robots", zero_sum, 1),
        ("python_robots(reward=score)", general, 1_000_000),
    ):
        game = pyspiel.load_game(name)
        assert game.get_type().utility == utility
        assert game.max_utility() == -game.min_utility() == bound


def test_wrong_parameters_and_actions_are_refused():
    with pytest.raises(ValueError, match="reward must be one of"):
        pyspiel.load_game("python_robots(reward=fame)")
    with pytest.raises(ValueError, match="num_players must be"):
        pyspiel.load_game("python_last_droid(players=7)")
    game = pyspiel.load_game("python_last_droid")
    with pytest.raises(ValueError, match="seed must lie between"):
        game.deal(2**32)
    state = game.deal(1)
    text = str(state)
    with pytest.raises(IllegalAction, match="is not legal now"):
        state.apply_action(game.num_distinct_actions() - 1)
    assert str(state) == text
