"""What holds at every decision of Last Droid."""

from __future__ import annotations

import numpy as np
import pytest

from lastdroid_env import LastDroid
from lastdroid_env import constants as const
from lastdroid_env.actions import BUILD, PAY_ANY

from .games import SETTINGS, anything, builder, decisions, trader

GAMES = 3  # for each setting and way to play
DECK = {1: 44, 2: 44, 3: 66, 4: 88}
each_setting = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
each_way = pytest.mark.parametrize("choose", [anything, builder, trader])


def positions(settings, choose):
    """Every decision and every end of some games."""
    game = LastDroid(**settings)
    for seed in range(GAMES):
        for _ in decisions(game, seed, choose):
            yield game
        yield game


@each_setting
@each_way
def test_every_card_is_in_exactly_one_place(settings, choose):
    for game in positions(settings, choose):
        g = game.record[0]
        place = g["place"].tolist()
        houses = range(const.FIRST_HOUSE, const.FIRST_HOUSE + const.NUM_HOUSES)
        decks = [[int(card) for card in deck if card] for deck in g["deck"]]
        in_game = [card for deck in decks for card in deck]
        assert len(in_game) == len(set(in_game)) == DECK[game.num_players]
        assert not set(in_game) & set(houses)
        drawn = [card for deck, n in zip(decks, g["drawn"], strict=True) for card in deck[:n]]
        for card in range(1, const.NUM_CARDS + 1):
            expected = card in in_game and card not in drawn
            assert (place[card] == const.IN_DECK) == expected, card
            assert (place[card] == const.NOT_IN_GAME) == (card not in in_game), card
            assert place[card] < const.REPAIRED + max(2, game.num_players), card
        # This turn's cards are the last ones drawn; only they can be on the table.
        n = max(2, game.num_players)
        each = 3 if n == 3 else 2
        last = [card for deck, k in zip(decks, g["drawn"], strict=True) for card in deck[max(0, k - each) : k]]
        assert g["offer"][:n].tolist() == last and not g["offer"][n:].any()
        on_table = {card for card in in_game if place[card] == const.ON_TABLE}
        assert on_table <= set(last)
        played = g["stage"] not in (const.CHOOSING, const.EXCHANGING, const.ACTING)
        assert not (played and on_table)
        if g["stage"] in (const.CHOOSING, const.EXCHANGING):
            assert on_table == set(last)
        given = [seat for seat in g["given_to"].tolist() if seat >= 0]
        assert len(given) == len(set(given))
        assert g["stage"] == const.CHOOSING or len(given) == n
        assert len(drawn) == DECK[game.num_players] // const.TURNS * g["turn"]
        between, builder_of = g["between"], g["builder"]
        assert ((builder_of == -1) | (between >= 0)).all()


@each_setting
@each_way
def test_tallies_are_what_they_tally(settings, choose):
    for game in positions(settings, choose):
        g, card = game.record[0], game.tables["card"][0]
        tallies = {name: np.zeros_like(g[name]) for name in ("droids", "leaves", "printed_rp", "left", "face_up")}
        for number, place in enumerate(g["place"].tolist()):
            if place >= const.REPAIRED:
                tallies["droids"][place - const.REPAIRED, card["type"][number]] += 1
                tallies["leaves"][place - const.REPAIRED] += card["leaves"][number]
                tallies["printed_rp"][place - const.REPAIRED] += card["rp"][number]
            elif place >= const.FACE_UP:
                assert card["type"][number] == const.COMMUNICATION
                tallies["face_up"][place - const.FACE_UP] += 1
            elif place == const.IN_DECK:
                tallies["left"][card["season"][number] - 1, card["type"][number]] += 1
            elif place == const.DISCARDED:
                assert card["type"][number] != const.COMMUNICATION
        for name, tally in tallies.items():
            assert np.array_equal(g[name], tally), name


@each_setting
@each_way
def test_parts_fit_and_counts_stay_in_range(settings, choose):
    for game in positions(settings, choose):
        g = game.record[0]
        players = game.num_players
        assert (g["parts"] >= 0).all() and (g["parts"] <= const.COLUMN + g["extensions"]).all()
        assert (g["extensions"] >= 0).all() and (g["stored"] >= 0).all()
        assert not g["parts"][players:].any() and not g["extensions"][players:].any()
        for store, droid in enumerate(const.STORE_DROIDS):
            assert g["place"][droid] >= const.REPAIRED or not g["stored"][store].any()
        assert not g["stored"][:, const.ENERGY].any()
        for i, droid in enumerate(const.EXCHANGE_DROIDS):
            limit = int(game.tables["exchange_uses"][0, droid])
            assert g["used"][i] >= 0 and (limit == 0 or g["used"][i] <= limit)
        assert 1 <= g["turn"] <= const.TURNS and 1 <= g["season"] <= const.SEASONS
        if game.actor < 0 or g["stage"] != const.ACTING:
            assert g["task"] == const.IDLE and g["target"] == 0 and not g["owed_pairs"].any() and g["owed_any"] == 0


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_a_game_is_22_turns_unless_the_houses_run_out(num_players):
    def no_builder(legal, rng):
        return anything([action for action in legal if not BUILD <= action < PAY_ANY], rng)

    game = LastDroid(num_players)
    for seed in range(5):
        turns, actions = set(), 0
        for legal, _ in decisions(game, seed, no_builder):
            turns.add(int(game.record["turn"][0]))
            actions += game.record["decision"][0] == const.ACTION
            assert legal
        assert turns <= set(range(1, 23)) and game.record["turn"][0] == 22
        assert game.record["drawn"].sum() == DECK[num_players]


@each_setting
def test_a_game_is_shorter_only_without_houses(settings):
    game = LastDroid(**settings)
    for seed in range(8):
        for _ in decisions(game, seed, builder):
            pass
        g = game.record[0]
        free = [int(pair) for pair, owner in zip(g["between"], g["builder"], strict=True) if pair >= 0 and owner < 0]
        pairs = {3: lambda s: (s, (s + 2) % 3), 4: lambda s: (s // 2,)}.get(game.num_players, lambda s: (0,))
        everyone_has_one = all(set(free) & set(pairs(seat)) for seat in range(game.num_players))
        assert g["turn"] == 22 or not everyone_has_one
