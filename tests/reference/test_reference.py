"""Sanity of the naive second implementation: games end, counts stay in range, a few rules in isolation."""

from __future__ import annotations

import random

import pytest

from lastdroid_env import actions as act
from lastdroid_env import constants as const
from lastdroid_env.cards import load_cards
from tests.reference.last_droid import Reference, can_pay, cards_from_tables

SEASON_STARTS = {1: (1, 59, 81), 2: (15, 66, 88), 3: (29, 73, 95)}
TYPE_OF = {number: droid_type for droid_type, members in const.TYPE_MEMBERS.items() for number in members}


def basic_exchanges():
    """X1 and X4: the twelve exchanges offered to everybody."""

    def row(give, get):
        return {
            "droid": 0,
            "give": [give.get(k, 0) for k in range(4)],
            "get": [get.get(k, 0) for k in range(4)],
        }

    energy = [row({const.ENERGY: 1}, {k: 1}) for k in range(3)]
    two_for_one = [row({k: 2}, {other: 1}) for k in range(3) for other in range(3) if other != k]
    three = [row({k: 3}, {const.ENERGY: 1}) for k in range(3)]
    return energy + two_for_one + three


def made_up_cards(rng):
    """Cards of no real game, with more of everything than the printed ones."""

    def few(most):
        return max(0, rng.randint(-1, most))

    def pairs():
        row = [rng.choice([const.SAME, const.DIFFERENT]) for _ in range(few(2))]
        return row + [0] * (const.MAX_PAIRS - len(row))

    def blank(number):
        season = max(season for season, starts in SEASON_STARTS.items() if any(starts_at(number, s) for s in starts))
        return {
            "type": TYPE_OF[number],
            "season": 0 if TYPE_OF[number] == const.HOUSE else season,
            "rp": rng.randint(0, 7),
            "rp_or": int(TYPE_OF[number] == const.COMMUNICATION and rng.random() < 0.5),
            "leaves": rng.randint(1, 4) if TYPE_OF[number] == const.HARVEST else 0,
            "interest": rng.randint(1, 6),
            "cost": [few(2) for _ in range(4)],
            "cost_pairs": pairs(),
            "cost_any": few(1),
            "gain": [few(2) for _ in range(4)],
            "gain_pairs": pairs(),
            "gain_any": few(2),
            "extensions": [0] * 4,
            "free_extensions": 0,
            "effect_alternatives": 0,
            "effect": [[0] * 4 for _ in range(const.GIFT_ALTERNATIVES)],
            "effect_pairs": [[0] * const.MAX_PAIRS for _ in range(const.GIFT_ALTERNATIVES)],
            "effect_any": [0] * const.GIFT_ALTERNATIVES,
            "bonus": -1,
            "store": -1,
            "solo": 0,
            "interest_shift": [0] * len(const.TYPES),
            "points": [0] * 4,
        }

    def starts_at(number, start):
        end = 45 if start < 45 else 81 if start < 81 else 103
        return start <= number < end or 45 <= number < 59

    def give_gifts(card, alternatives, energy=False):
        card["effect_alternatives"] = alternatives
        for i in range(alternatives):
            card["effect"][i] = [few(2) for _ in range(3)] + [few(2) if energy else 0]
            card["effect_pairs"][i] = pairs()
            card["effect_any"][i] = few(2)

    cards = [{} if number == 0 else blank(number) for number in range(const.NUM_CARDS + 1)]
    for number in const.EXTENSION_DROIDS:
        cards[number]["extensions"] = [few(2) for _ in range(4)]
        cards[number]["free_extensions"] = few(2)
        give_gifts(cards[number], rng.randint(0, 2), energy=True)
    cards[const.TOKEN_DROID]["free_extensions"] = 2
    cards[const.TOKEN_DROID] |= {"cost": [0] * 4, "cost_pairs": [0] * const.MAX_PAIRS, "cost_any": 0}
    cards[const.WILD_TYPE_DROID]["free_extensions"] = 1
    for number in const.GIFT_DROIDS:
        give_gifts(cards[number], rng.randint(1, 3))
    for i, number in enumerate(const.STORE_DROIDS):
        cards[number]["store"] = i
        give_gifts(cards[number], rng.randint(1, 2))
    for number in const.BONUS_DROIDS:
        cards[number]["bonus"] = rng.choice([*range(const.KINDS), const.BONUS_ANY])
    give_gifts(cards[46], rng.randint(1, 2), energy=True)
    figures = {45: 1, 48: 4, 49: 1, 51: 4, 52: 12, 53: 2, 54: 12, 55: 3, 56: 15, 57: 7, 58: 12}
    for house in const.TYPE_MEMBERS[const.HOUSE]:
        cards[house]["points"][0] = figures.get(house, 0)
        cards[house]["rp"] = 0
        cards[house]["interest_shift"] = [rng.choice([-2, 0, 0, 8]) for _ in const.TYPES]
    cards[47]["points"] = [6, 10, 15, 0]
    cards[50]["points"] = [6, 12, 18, 24]

    exchanges = basic_exchanges()
    uses = [0] * (const.NUM_CARDS + 1)
    for droid in const.EXCHANGE_DROIDS:
        if droid in const.LIMITED_MARKET_DROIDS:
            uses[droid] = rng.randint(1, 2)
            market = []
            for _ in range(rng.randint(1, const.MARKET_ALTERNATIVES)):
                given = [rng.random() < 0.5 for _ in range(4)]
                given[rng.randrange(4)], given[rng.randrange(4)] = True, False
                amounts = [rng.randint(1, 2) if yes else few(2) for yes in given]
                give = [amount if yes else 0 for amount, yes in zip(amounts, given, strict=True)]
                market.append((give, [0 if yes else amount for amount, yes in zip(amounts, given, strict=True)]))
        else:
            market = [([2 * int(k == give) for k in range(4)], [0, 0, 0, 1]) for give in range(3)]
            market += [([0, 0, 0, 2], [1, 1, 0, 0]), ([1, 0, 1, 0], [0, 0, 0, 1])]
        exchanges += [{"droid": droid, "give": give, "get": get} for give, get in market]
        unused = const.MARKET_ALTERNATIVES - len(market)
        exchanges += [{"droid": -1, "give": [0] * 4, "get": [0] * 4} for _ in range(unused)]
    return {"card": cards, "exchanges": exchanges, "uses": uses}


def real_cards():
    """The cards of the library's own card file."""
    return cards_from_tables(load_cards().tables)


def deal(rng, cards, num_players):
    """S2-S6 and O3: decks, houses and the first priority player."""

    def deck(numbers):
        return sorted(numbers, key=lambda number: (cards["card"][number]["season"], rng.random()))

    houses = list(const.TYPE_MEMBERS[const.HOUSE])
    rng.shuffle(houses)
    two, three, four = const.TWO_PLAYER_DROIDS, const.THREE_PLAYER_DROIDS, const.FOUR_PLAYER_DROIDS
    if num_players == 4:
        decks, pairs, first = [deck(two), deck(three + four)], [0] * 4 + [1] * 4, rng.choice([0, 2])
    elif num_players == 3:
        decks, pairs, first = [deck(two + three)], [0, 0, 1, 1, 2, 2], rng.randrange(3)
    else:
        decks, pairs, first = [deck(two)], [0] * 4, rng.randrange(2)
    if num_players == 1:
        pairs, first = [0, 0], 0
    return {"decks": decks, "houses_between": dict(zip(houses, pairs, strict=False)), "first_priority": first}


def new_game(seed=0, num_players=2, cards=None, **settings):
    rng = random.Random(seed)
    cards = cards or made_up_cards(rng)
    return Reference(cards, num_players=num_players, **deal(rng, cards, num_players), **settings)


def check(game):
    seats = range(game.num_seats)
    view = game.view()
    in_game = [card for deck in game.decks for card in deck]
    drawn = [card for deck, number in zip(game.decks, game.drawn, strict=True) for card in deck[:number]]
    for card in range(const.NUM_CARDS + 1):
        place = view["place"][card]
        assert (place == const.NOT_IN_GAME) == (card not in in_game)
        assert (place == const.IN_DECK) == (card in in_game and card not in drawn)
        if place == const.ON_TABLE:
            assert card in game.offer
    for pair in range(const.MAX_PAIRS_OF_SEATS):
        assert view["face_up"][pair] == view["place"].count(const.FACE_UP + pair)
    for seat in seats:
        for k in range(const.KINDS):
            assert 0 <= view["parts"][seat][k] <= const.COLUMN + view["extensions"][seat][k]
    assert all(amount >= 0 for row in view["stored"] for amount in row)
    assert 1 <= view["turn"] <= const.TURNS and 1 <= view["season"] <= const.SEASONS
    assert len(view["builder"]) == const.NUM_HOUSES
    assert all(0 <= action < act.NUM_ACTIONS for action in game.legal_actions())
    assert game.legal_actions() == sorted(set(game.legal_actions()))


def play_out(game, rng, eager=False):
    """A game of random actions; ``eager`` repairs whenever it can."""
    decisions = 0
    seen = set()
    while not game.over:
        check(game)
        legal = game.legal_actions()
        assert len(legal) > 1 or (game.ask_forced and legal)
        assert game.actor in range(1 if game.solo else game.num_seats)
        seen.add(game.decision)
        game.apply(act.REPAIR if eager and act.REPAIR in legal else rng.choice(legal))
        decisions += 1
        assert decisions < 5000
    check(game)
    return seen


def check_end(game):
    assert game.over and game.actor is None and game.legal_actions() == []
    assert game.stage == const.FINISHED
    assert const.ON_TABLE not in game.place
    decks_empty = game.view()["place"].count(const.IN_DECK) == 0
    assert decks_empty == (game.turn == const.TURNS)
    scores = game.scores()
    assert len(scores) == game.num_seats and all(0 <= score < 400 for score in scores)
    winners = game.winners()
    assert winners and winners <= set(range(game.num_seats))
    if game.num_seats == 4:
        assert winners in ({0, 3}, {1, 2}, {0, 1, 2, 3})
    elif not game.solo:
        assert all(scores[seat] == max(scores) for seat in winners)
    else:
        assert winners == ({0} if scores[0] > scores[1] else {1})


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_random_games_with_made_up_cards(num_players, seed):
    rng = random.Random(1000 * num_players + seed)
    settings = {name: rng.random() < 0.5 for name in ("hard", "table_talk", "extension_after_season_3", "ask_forced")}
    game = new_game(seed, num_players, **settings)
    play_out(game, rng, eager=seed % 2 == 0)
    check_end(game)


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_random_games_with_the_card_file(num_players):
    cards = real_cards()
    for seed in range(6):
        rng = random.Random(seed)
        game = new_game(seed, num_players, cards, table_talk=True)
        play_out(game, rng, eager=seed % 2 == 0)
        check_end(game)


def test_every_decision_is_met():
    met = set()
    for seed in range(10):
        for num_players in (1, 3):
            rng = random.Random(seed)
            met |= play_out(new_game(seed, num_players, table_talk=True), rng, eager=True)
    assert met | {"over"} == set(const.DECISIONS)


def test_forced_decisions_change_nothing_but_the_questions():
    for seed in range(8):
        for num_players in (1, 2, 3, 4):
            rng = random.Random(seed)
            quiet = new_game(seed, num_players)
            asking = new_game(seed, num_players, ask_forced=True)
            while not quiet.over:
                while len(asking.legal_actions()) == 1:
                    asking.apply(asking.legal_actions()[0])
                assert quiet.view() == asking.view() and quiet.legal_actions() == asking.legal_actions()
                action = rng.choice(quiet.legal_actions())
                quiet.apply(action)
                asking.apply(action)
            while not asking.over:
                (forced,) = asking.legal_actions()
                asking.apply(forced)
            assert quiet.view() == asking.view() and quiet.scores() == asking.scores()


def test_an_illegal_action_is_refused_and_changes_nothing():
    game = new_game()
    before = game.view()
    with pytest.raises(ValueError, match="not legal"):
        game.apply(act.DISMANTLE)
    assert game.view() == before


def test_the_card_file_has_the_exchanges_and_types_of_the_rules():
    cards = real_cards()
    first = cards["exchanges"][: const.BASIC_EXCHANGES]
    assert sorted(map(repr, first)) == sorted(map(repr, basic_exchanges()))
    for number in range(1, const.NUM_CARDS + 1):
        assert cards["card"][number]["type"] == TYPE_OF[number]
    points = {house: cards["card"][house]["points"] for house in const.TYPE_MEMBERS[const.HOUSE]}
    assert points[47][:3] == [6, 10, 15] and points[50] == [6, 12, 18, 24]
    assert {house: points[house][0] for house in (45, 48, 49, 51, 52, 53, 54, 55, 56, 57, 58)} == {
        45: 1,
        48: 4,
        49: 1,
        51: 4,
        52: 12,
        53: 2,
        54: 12,
        55: 3,
        56: 15,
        57: 7,
        58: 12,
    }


def test_four_players_order_follows_the_distributor():
    game = new_game(num_players=4)
    orders = {0: [0, 3, 1, 2], 1: [1, 0, 2, 3], 2: [2, 1, 3, 0], 3: [3, 2, 0, 1]}
    for priority, order in orders.items():
        game.priority = priority
        assert game._order() == order
    assert [game._rivals(seat) for seat in range(4)] == [[1], [0], [3], [2]]


def test_payment_looks_ahead():
    same, different = const.SAME, const.DIFFERENT
    assert can_pay([2, 1, 0, 0], [0] * 4, [same], 1)
    assert not can_pay([2, 1, 0, 5], [0] * 4, [same], 2)
    assert can_pay([2, 1, 1, 0], [0] * 4, [different, different], 0)
    assert not can_pay([3, 1, 0, 0], [0] * 4, [different, different], 0)
    assert can_pay([3, 1, 0, 0], [0] * 4, [different, same], 0)


def test_parts_on_droid_65_are_paid_last_and_count_as_shed():
    game = new_game(num_players=3)
    game.place[65], game.place[71] = const.REPAIRED + 1, const.REPAIRED + 2
    game.parts[1] = [1, 0, 0, 0]
    game.stored = [[1, 0, 0, 0], [3, 3, 3, 0]]
    assert game._holding(1) == [2, 0, 0, 0]
    game._take_away(1, const.NUT)
    assert game.parts[1] == [0, 0, 0, 0] and game.stored[0] == [1, 0, 0, 0]
    game._take_away(1, const.NUT)
    assert game.stored == [[0, 0, 0, 0], [3, 3, 3, 0]]


def test_an_exchange_needs_room_after_the_parts_have_left():
    game = new_game()
    index = {(tuple(e["give"]), tuple(e["get"])): i for i, e in enumerate(game.exchanges) if e["droid"] == 0}
    energy_to_nut = index[(0, 0, 0, 1), (1, 0, 0, 0)]
    three_nuts_to_energy = index[(3, 0, 0, 0), (0, 0, 0, 1)]
    game.parts[0] = [3, 0, 0, 3]
    assert not game._can_exchange(0, energy_to_nut)
    assert not game._can_exchange(0, three_nuts_to_energy)
    game.parts[0] = [2, 0, 0, 2]
    assert game._can_exchange(0, energy_to_nut)
    assert not game._can_exchange(0, three_nuts_to_energy)


def test_house_50_counts_droid_36_as_the_type_that_scores_most():
    game = new_game()
    game.place = [0] * (const.NUM_CARDS + 1)
    for card in (2, 3, const.WILD_TYPE_DROID):
        game.place[card] = const.REPAIRED
    game.builder = {50: 0}
    assert game._houses_score(0) == 18
    game.builder = {50: 0, 55: 0}
    assert game._houses_score(0) == 18
    game.place[3] = 0
    game.place[1] = const.REPAIRED
    game.builder = {50: 0, 55: 0, 48: 0}
    assert game._houses_score(0) == 18 + 3 + 3
    game.wild_type_houses |= {48}
    game.builder = {48: 0}
    assert game._houses_score(0) == 4


def test_a_team_is_worth_its_weaker_member():
    game = new_game(num_players=4)
    for scores, winners in (
        ([30, 25, 26, 20], {1, 2}),
        ([30, 20, 26, 20], {0, 3}),
        ([20, 20, 30, 30], {0, 1, 2, 3}),
    ):
        game.scores = lambda scores=scores: scores
        assert game.winners() == winners


def test_the_auto_ecomechanic_scores_half_its_water():
    game = new_game(num_players=1)
    game.place = [0] * (const.NUM_CARDS + 1)
    for card, rp in ((2, 5), (4, 4), (10, 3)):
        game.place[card] = const.REPAIRED + const.AUTO
        game.card[card]["rp"] = rp
    assert game.scores()[const.AUTO] == 4 + 3


def test_the_auto_ecomechanic_discards_communication_droids_it_has_no_use_for():
    game = new_game(num_players=1)
    game.place = [0] * (const.NUM_CARDS + 1)
    game.face_up = [0, 0, 0]
    game.hand = {const.AUTO: 1}
    game._auto_acts()
    assert game.place[1] == const.FACE_UP and game.face_up[0] == 1
    game.hand = {const.AUTO: 9}
    game._auto_acts()
    assert game.place[9] == const.REPAIRED + const.AUTO
