"""Tree search: it depends on what its player knows and on the seed, plays well, and names what is wrong."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import lastdroid_env
import robots_env
from agents.arena import find_arena
from agents.match import deals_for, play_match
from tabletop.policies import PolicyError, at_table, find_agent, policy
from tabletop.search import Search
from tabletop.worlds import Worlds

from .tables import each_table
from .walk import decisions

GAMES = {"lastdroid": lastdroid_env.LastDroid, "robots": robots_env.Robots}
each_game = pytest.mark.parametrize("name", GAMES)


def dealt(name, seed=1, num_players=2, **settings):
    game = GAMES[name](num_players, **settings)
    game.deal(seed)
    return game


@each_table
def test_worlds_are_drawn_from_what_the_player_knows_alone(table):
    """From two games that it cannot tell apart the same seed draws the same world."""
    game = table.game()
    differed = 0
    for n, _ in enumerate(decisions(game, 5)):
        if n % 12:
            continue
        other = game.twin(game.record)
        other.redeal_hidden(game.actor, n)
        differed += other.record.tobytes() != game.record.tobytes()
        drawn = [Worlds(one, game.actor).draw(7).record.tobytes() for one in (game, other)]
        assert drawn[0] == drawn[1]
        assert drawn[0] != Worlds(game, game.actor).draw(8).record.tobytes() or n > 100
    assert differed


@each_game
def test_the_same_seed_thinks_the_same(name):
    game = dealt(name)
    search = Search(name, 60, guide="greedy")
    one, other, another = (search.think(Worlds(game, game.actor), seed) for seed in (3, 3, 4))
    assert np.array_equal(one.visits, other.visits) and np.array_equal(one.values, other.values)
    assert not np.array_equal(one.values, another.values)
    assert one.simulations == one.visits.sum() + 1  # the first one adds the root
    assert set(one.actions.tolist()) == set(game.legal_actions())
    assert one.action == one.actions[0] and (np.diff(one.visits) <= 0).all()
    values = one.values[one.visits > 0]
    assert ((values >= 0) & (values <= 1)).all()


@each_game
def test_thinking_leaves_the_game_as_it_is(name):
    game = dealt(name)
    before = game.record.tobytes()
    Search(name, 20).think(Worlds(game, game.actor), 1)
    assert game.record.tobytes() == before


@each_game
def test_a_tree_grows_beyond_its_first_room_and_by_the_clock(name):
    game = dealt(name)
    whole = Search(name, 300).think(Worlds(game, game.actor), 1)
    assert whole.simulations == 300 and 1 < whole.nodes <= 300
    timed = Search(name, None, seconds=0.2).think(Worlds(game, game.actor), 1)
    assert timed.simulations >= 64


@pytest.mark.parametrize(("name", "players"), [("lastdroid", 1), ("lastdroid", 3), ("lastdroid", 4), ("robots", 5)])
@pytest.mark.parametrize("paranoid", [False, True])
def test_any_number_of_players(name, players, paranoid):
    game = dealt(name, num_players=players)
    search = Search(name, 40, paranoid=paranoid, widening=2.0, growth=0.5, depth=30)
    for _ in range(4):
        thought = search.think(Worlds(game, game.actor), 2)
        game.act(thought.action)


def test_widening_holds_back_what_has_not_been_tried():
    game = next(g for g in _long_choices() if len(g.legal_actions()) > 12)
    wide = Search("robots", 200).think(Worlds(game, game.actor), 1)
    narrow = Search("robots", 200, widening=1.0, growth=0.3).think(Worlds(game, game.actor), 1)
    assert (wide.visits > 0).all()
    assert 1 <= (narrow.visits > 0).sum() <= 1 + 200**0.3


def _long_choices():
    game = dealt("robots", 2)
    rng = np.random.default_rng(0)
    while game.actor >= 0:
        yield game
        game.act(int(rng.choice(game.legal_actions())))


@each_game
def test_it_beats_random_actions(name):
    game = dealt(name, **({"rounds": 1} if name == "robots" else {}))
    search = Search(name, 40, playouts="greedy")
    leads = []
    for seed in range(4):
        game.deal(seed)
        me = seed % 2
        while game.actor >= 0:
            if game.actor == me:
                observation, mask = game.view(me)
                rng = np.random.default_rng(int(game.record["decisions"][0]))
                game.act(search.act_in(Worlds(game, me), observation, mask, rng))
            else:
                rng = np.random.default_rng(int(game.record["decisions"][0]))
                game.act(int(rng.choice(game.legal_actions())))
        scores, _ = game.result()
        leads.append(scores[me] - scores[1 - me])
    # A single round of Robots! can be lost to luck.
    assert sum(leads) > 100 and sum(lead > 0 for lead in leads) >= 3


@each_game
def test_it_plays_matches_and_batches(name):
    arena = find_arena(name)
    deals, generators = deals_for(1, 1)
    search = Search(name, 8)
    settings = {"rounds": 1} if name == "robots" else {}
    policies = {"search": search, "greedy": find_agent("greedy", name).policy}
    one, other = (
        play_match(arena, 2, policies, np.array([[0, 1]]), deals, generators, settings=settings) for _ in range(2)
    )
    assert np.array_equal(one.scores, other.scores) and one.decisions[0] > 20

    package = {"lastdroid": lastdroid_env, "robots": robots_env}[name]
    env = package.GymEnv(opponents=search, seat=0)
    env.reset(seed=1)
    for _ in range(3):
        env.step(int(np.argmax(env.action_masks())))


def test_searching_agents_are_known_by_name():
    assert find_agent("search-100", "robots").policy.simulations == 100
    env = robots_env.GymEnv(opponents="search-30", seat=0)
    env.reset(seed=1)
    with pytest.raises(TypeError, match="'search-30' runs in Python: a rollout takes compiled policies"):
        robots_env.VecEnv(2, seed=1).play("search-30")


def illegal(observation, action_mask, rng):
    """What is never legal."""
    return len(action_mask)


def test_a_playout_that_is_not_legal_is_named():
    game = dealt("robots")
    for settings in ({"playouts": policy(illegal)}, {"guide": policy(illegal)}):
        with pytest.raises(PolicyError, match="agent 'illegal' chose action 493, which is not legal"):
            Search("robots", 5, **settings).think(Worlds(game, game.actor), 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"simulations": 0}, "simulations must be a whole number from 1"),
        ({"game": "chess"}, "no game is called 'chess'"),
        ({"exploration": None}, "exploration must be a number"),
        ({"temperature": "x"}, "temperature must be a number"),
        ({"trust": True}, "trust must be a number"),
        ({"paranoid": 2}, "paranoid must be True or False"),
        ({"playouts": None}, "playouts must be a policy or its name"),
        ({"seconds": 1.0}, "limited by simulations or by seconds"),
        ({"simulations": None, "seconds": 0}, "seconds must be a number above 0"),
        ({"worlds": 0}, "worlds must be a whole number"),
        ({"trust": 1.5}, "trust must be a number from 0, at most 1"),
        ({"temperature": 0.0}, "temperature must be a number above 0"),
        ({"temperature": float("nan")}, "temperature must be a number above 0"),
        ({"depth": 1.5}, "depth must be a whole number"),
    ],
)
def test_settings_that_are_wrong(settings, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(Search("robots"), **settings)


def test_seconds_alone_are_a_limit_and_nothing_is_a_thousand_simulations():
    assert Search("robots").simulations == 1000
    assert Search("robots", seconds=1.0).simulations is None


def test_fingerprints_tell_searches_apart():
    made = [Search("robots", 5), Search("robots", 6), Search("robots", 5, guide="greedy"), Search("lastdroid", 5)]
    assert len({search.fingerprint() for search in made}) == 4
    assert Search("robots", 5).fingerprint() == made[0].fingerprint()
    numpys: Any = {"simulations": np.int64(5), "exploration": np.float32(1), "paranoid": np.False_}
    assert Search("robots", **numpys).fingerprint() == made[0].fingerprint()


@each_game
def test_a_single_simulation_follows_the_guide(name):
    game = dealt(name)
    observation, mask = game.view(game.actor)
    choice = find_agent("greedy", name).policy(observation, mask, np.zeros(1, np.uint64))
    assert Search(name, 1, guide="greedy").think(Worlds(game, game.actor), 1).action == choice


@pytest.mark.parametrize(("num_players", "guide"), [(2, "ppo"), (3, "expert")])
def test_the_network_guides_where_there_is_one(num_players, guide):
    game = dealt("robots", num_players=num_players)
    search = dataclasses.replace(find_agent("search-30", "robots").policy, simulations=1)
    for _ in range(30):
        observation, mask = game.view(game.actor)
        choice = at_table(find_agent(guide, "robots").policy, game)(observation, mask, np.zeros(1, np.uint64))
        assert search.think(Worlds(game, game.actor), 1).action == choice
        game.act(int(choice))


def test_whose_worlds_they_are_cannot_be_changed():
    game = dealt("robots", num_players=3)
    worlds: Any = Worlds(game, 1)
    with pytest.raises(AttributeError):
        worlds.seat = 2
    wrong: list[Any] = [-1, 3, 1.0]
    for seat in wrong:
        with pytest.raises(ValueError, match="seat must be a whole number from 0 to 2"):
            Worlds(game, seat)


def test_policies_that_do_not_serve():
    game = dealt("robots")
    with pytest.raises(PolicyError, match="runs in Python"):
        Search("robots", playouts=lambda observation, action_mask, rng: 0).think(Worlds(game, game.actor), 1)
    with pytest.raises(ValueError, match="no agent for robots is called 'planner'"):
        Search("robots", guide="planner").think(Worlds(game, game.actor), 1)
    with pytest.raises(ValueError, match="does not decide now"):
        Search("robots").think(Worlds(game, 1 - game.actor), 1)
    with pytest.raises(ValueError, match="this search is for lastdroid, not for robots"):
        Search("lastdroid").think(Worlds(game, game.actor), 1)


def test_any_policy_may_guide():
    game = robots_env.Robots(3)
    game.deal(3)
    game.act(int(game.legal_actions()[0]))
    for search in (Search("robots", 20, playouts="random"), Search("robots", 20, guide="random")):
        thought = search.think(Worlds(game, game.actor), 1)
        assert thought.action in game.legal_actions()


def test_a_search_of_another_game_is_refused_before_it_plays():
    with pytest.raises(ValueError, match="this search is for lastdroid, not for robots"):
        Search("lastdroid", 5).at_table(robots_env.Robots(2))
