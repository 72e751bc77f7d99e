"""Setup [S1-S9]."""

from __future__ import annotations

import numpy as np
import pytest

from lastdroid_env.game import LastDroid
from lastdroid_env.observation import layout
from tests.lastdroid.positions import Position

TWO, THREE = list(range(1, 45)), list(range(59, 81))
ENOUGH = "3 nut, 3 oil, 3 circuit, 3 energy"


def available(p, seat):
    """The houses that the seat may build when it has parts enough."""
    p.hold(seat, ENOUGH).acting(seat)
    return [int(name.split()[-1]) for name in p.legal() if name.startswith("build")]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S1_every_player_starts_with_one_of_each_and_two_energy(players):
    p = Position(players)
    assert {p.parts(seat) for seat in range(players)} == {"1 nut, 1 oil, 1 circuit, 2 energy"}


def test_S2_four_random_houses_for_both_of_two_players():
    dealt = {tuple(Position(2, seed=seed).houses_between(0)) for seed in range(20)}
    assert len(dealt) > 10
    p = Position(2)
    assert len(p.houses_between(0)) == 4
    assert available(p, 0) == available(p, 1) == p.houses_between(0)


def test_S3_two_houses_between_each_pair_of_three_neighbours():
    p = Position(3)
    between = [p.houses_between(pair) for pair in range(3)]  # pair i: seats i and i + 1
    assert [len(houses) for houses in between] == [2, 2, 2]
    assert available(p, 0) == sorted(between[0] + between[2])
    assert available(p, 1) == sorted(between[0] + between[1])
    assert available(p, 2) == sorted(between[1] + between[2])


def test_S4_four_houses_between_each_facing_pair_of_four():
    p = Position(4)
    between = [p.houses_between(pair) for pair in range(2)]  # seats 0 and 1, seats 2 and 3
    assert [len(houses) for houses in between] == [4, 4]
    assert available(p, 0) == available(p, 1) == between[0]
    assert available(p, 2) == available(p, 3) == between[1]


@pytest.mark.parametrize(
    ("players", "decks"),
    [(1, [TWO]), (2, [TWO]), (3, [TWO + THREE]), (4, [TWO, list(range(59, 103))])],
)
def test_S5_which_droids_are_used(players, decks):
    p = Position(players)
    assert [sorted(int(c) for c in deck if c) for deck in p.record["deck"] if deck[0]] == decks


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_S6_decks_are_sorted_by_season_and_each_season_is_shuffled(players):
    tops = set()
    for seed in range(20):
        p = Position(players, seed=seed)
        for deck in p.record["deck"]:
            seasons = [int(p.printed[card]["season"]) for card in deck if card]
            assert seasons == sorted(seasons)
        tops.add(tuple(p.record["deck"][0][:3].tolist()))
    assert len(tops) > 15


@pytest.mark.parametrize(("players", "seats"), [(1, {0}), (2, {0, 1}), (3, {0, 1, 2}), (4, {0, 2})])
def test_S7_the_first_priority_player_is_drawn_from_the_seed(players, seats):
    game, found = LastDroid(players), []
    for seed in range(60):
        game.deal(seed)
        found.append(int(game.record["priority"][0]))
    assert set(found) == seats
    game.deal(7)
    assert game.record["priority"][0] == found[7]


@pytest.mark.parametrize(("players", "ends"), [(1, [7, 14]), (2, [7, 14]), (3, [7, 14]), (4, [7, 14])])
def test_S8_a_season_ends_with_the_turn_in_which_its_last_card_was_drawn(players, ends):
    p = Position(players, seed=3)
    found = []
    while p.turn < 16:
        if p.stage == "season exchange" and p.turn not in found:
            found.append(p.turn)
        legal = [name for name in p.legal() if name not in ("repair",) and not name.startswith("build")]
        p.act("dismantle" if "dismantle" in legal else "pass" if "pass" in legal else legal[0])
    assert found == ends


def seen(p):
    return layout(p.num_players).split(p.game.view(0)[0])


def test_S9_the_next_card_is_hidden_and_everything_revealed_is_known():
    p = Position(2).upcoming(2, 3, 4, 5).discarded(6).acting(0)
    view = seen(p)
    deck = p.record["deck"][0]
    deck[p.record["drawn"][0] : p.record["drawn"][0] + 4] = [5, 4, 3, 2]
    assert all(np.array_equal(view[name], section) for name, section in seen(p).items())
    assert view["unseen"][2 - 1] == 1 and view["unseen"][6 - 1] == 0
    assert not view["deck_top"].any()


def test_S9_open_deck_shows_the_next_card():
    p = Position(2, open_deck=True).upcoming(2, 3).acting(0)
    assert seen(p)["deck_top"][0].tolist() == p.game.tables["features"][0, 2].tolist()
