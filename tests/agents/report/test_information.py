"""The number of hidden deals: what enumerating finds, and what redealing reaches."""

from __future__ import annotations

import itertools
import math

import pytest

from agents.report.information import _ways, deals_of_cards, orders_of_decks
from lastdroid_env import LastDroid
from robots_env import Robots
from robots_env.constants import WILD
from tests.games.walk import decisions
from tests.robots.games import SETTINGS, layer, scavenger
from tests.robots.positions import Position
from tests.robots.reading import cards_in


@pytest.mark.parametrize(
    ("players", "open_deck"), [(1, False), (2, False), (2, True), (3, False), (4, False), (4, True)]
)
def test_orders_of_the_decks(players, open_deck):
    game = LastDroid(players, open_deck=open_deck)
    seen: dict[int, int] = {}
    for _ in decisions(game, 3):
        turn = int(game.record["turn"][0])
        orders = orders_of_decks(game)
        assert seen.setdefault(turn, orders) == orders  # nothing is revealed within a turn
        left = [int(card) for deck in game.record["deck"][0] for card in deck if card > 0]
        assert orders <= math.factorial(len(left))
        if 1 < orders <= 24 and not any(turn == done for done, _ in seen.items() if done > turn):
            reached = set()
            for seed in range(300):
                other = game.twin(game.record)
                other.redeal_hidden(0, seed)
                reached.add(other.record["deck"].tobytes())
            assert len(reached) == orders
    assert min(seen.values()) == 1 and max(seen.values()) > 1e20
    assert list(seen.values()) == sorted(seen.values(), reverse=True)


@pytest.mark.parametrize("wilds", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("hands", "factory"), [((1,), 3), ((2, 1), 2), ((2, 2), 0), ((1, 1, 1), 2), ((0,), 4), ((3,), 2)]
)
def test_ways_are_those_that_enumerating_finds(wilds, hands, factory):
    cards = sum(hands) + factory
    if wilds > cards:
        return
    pool = ["wild"] * wilds + [f"card {i}" for i in range(cards - wilds)]
    of_hands, of_tables = set(), set()
    for order in itertools.permutations(pool):
        held, at = [], 0
        for size in hands:
            held.append(tuple(sorted(order[at : at + size])))
            at += size
        of_hands.add(tuple(held))
        of_tables.add((tuple(held), order[at:]))
    assert _ways(wilds, cards - wilds, hands, factory) == (len(of_hands), len(of_tables))


def reached_by_redealing(game, seat, tries):
    hands, tables = set(), set()
    for seed in range(tries):
        other = game.twin(game.record)
        other.redeal_hidden(seat, seed)
        record = other.record[0]
        held = tuple(tuple(cards_in(record["hand"][other_seat])) for other_seat in range(game.num_players))
        hands.add(held)
        tables.add((held, tuple(record["factory"][: record["factory_size"]].tolist())))
    return len(hands), len(tables)


def test_small_positions_are_counted_exactly():
    """Two or three cards that only others know; the rest lies open or in one's own hand."""
    few = Position("green 2 3", "red 4 5, wild", draws="blue 2, blue 4", rest="heap")
    assert deals_of_cards(few.game, 0) == (10, 20) and reached_by_redealing(few.game, 0, 600) == (10, 20)
    known = Position("green 2 3", "red 4 5, wild", draws="blue 2, blue 4", rest="heap", known={1: "red 4"})
    assert deals_of_cards(known.game, 0) == (6, 12) and reached_by_redealing(known.game, 0, 400) == (6, 12)
    wilds = Position("green 2 3", "wild, wild", draws="wild, blue 4", rest="heap")
    assert deals_of_cards(wilds.game, 0) == (2, 3) and reached_by_redealing(wilds.game, 0, 100) == (2, 3)
    three = Position("green 2 3", "red 4", "red 5, wild", draws="blue 2", rest="heap")
    assert deals_of_cards(three.game, 0) == (12, 12) and reached_by_redealing(three.game, 0, 400) == (12, 12)


@pytest.mark.parametrize(
    "setting", ["2 players", "3 players", "4 players, powers everywhere", "2 players, everything the other way"]
)
@pytest.mark.parametrize("choose", [layer, scavenger])
def test_it_is_never_less_than_what_redealing_reaches(setting, choose):
    """Refills, known cards and wilds included; small ones are reached as a whole."""
    game = Robots(**SETTINGS[setting])
    small = counted = 0
    for seed in range(3):
        for i, _ in enumerate(decisions(game, seed, choose)):
            seat = game.actor
            if i % 15 or (game.record["refills"][0] == 0 and i % 60):
                continue
            hands, tables = deals_of_cards(game, seat)
            assert 1 <= hands <= tables
            counted += 1
            if tables <= 60 and small < 12:
                small += 1
                assert reached_by_redealing(game, seat, 600) == (hands, tables)
            else:
                reached = reached_by_redealing(game, seat, 30)
                assert reached[0] <= hands and reached[1] <= tables
    assert counted > 5


def test_the_first_turn_of_a_round():
    game = Robots(2)
    game.deal(1)
    hands, tables = deals_of_cards(game, game.actor)
    unseen = 74 - 7 - 1
    own = cards_in(game.record["hand"][0][game.actor])
    wilds = 4 - own.count(WILD) - int(game.record["heap"][0][0] == WILD)
    assert hands == sum(math.comb(unseen - wilds, 7 - w) for w in range(wilds + 1))
    # All orders of the unseen cards, the wilds alike; the order within the hand does not count.
    lowest = math.factorial(unseen) // math.factorial(wilds) // math.factorial(7)
    assert lowest <= tables <= lowest * math.factorial(wilds)
