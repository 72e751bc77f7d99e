"""Components and setup [C1-C7]."""

from __future__ import annotations

from collections import Counter

import pytest

from robots_env import Robots, RuleSetError, load_rules
from robots_env.constants import SUITS
from tests.robots.positions import NAMES, Position, cards


def dealt(num_players, seed, **settings):
    game = Robots(num_players, ask_forced=True, **settings)
    game.deal(seed)
    return game


def test_C1_74_cards():
    snapshot = dealt(3, 0).snapshot()
    lie = Counter(snapshot["factory"] + snapshot["heap"])
    for player in snapshot["players"]:
        lie.update(player["hand"])
    numbers = ["star", *map(str, range(2, 15))]
    assert lie == Counter([f"{suit} {number}" for suit in SUITS for number in numbers] + ["wild"] * 4)
    assert lie.total() == 74 and SUITS == ("green", "purple", "white", "red", "blue")


@pytest.mark.parametrize("number", range(2, 15))
def test_C2_a_robot_card_for_each_number(number):
    four = ", ".join(f"{suit} {number}" for suit in ("green", "purple", "white", "red"))
    p = Position(f"blue {number}, purple star, red star", "", spreads=[f"0: {four}"])
    p.act("draw").add(f"blue {number}", "onto spread 1")
    assert p.robot(1) == 0
    assert p.seen(1)["robots"] == {"me": [], "opponent": [str(number)]}


@pytest.mark.parametrize(
    ("hand", "star_high", "runs"),
    [
        ("green star 2 3", 14, ["lay run green 1-3"]),
        ("green star 2 3", 15, ["lay run green 1-3"]),
        ("green 12 13 star", 14, ["lay run green 12-14"]),
        ("green 12 13 star", 15, []),
        ("green 13 14 star", 14, []),
        ("green 13 14 star", 15, ["lay run green 13-15"]),
    ],
)
def test_C3_a_star_is_1_or_star_high_in_a_run(hand, star_high, runs):
    p = Position(f"{hand}, purple 7", "", draws="red 9", star_high=star_high).act("draw")
    assert p.legal("lay") == runs


@pytest.mark.parametrize(
    ("star_high", "hand"), [(14, "green 2 14 star"), (15, "green 2 14 star"), (14, "green star 2 13")]
)
def test_C3_places_do_not_wrap_round(star_high, hand):
    p = Position(f"{hand}, purple 7", "", draws="red 9", star_high=star_high).act("draw")
    assert p.legal("lay") == []


@pytest.mark.parametrize(
    ("run", "star_high", "hand"),
    [
        ("0: green star=green 1, green 2 3", 14, "green 13 14"),
        ("0: green star=green 1, green 2 3", 15, "green 13 14"),
        ("0: green 12 13, green star=green 14", 14, "green 14 2"),
        ("0: green 13 14, green star=green 15", 15, "green 2 3"),
    ],
)
def test_C3_nothing_is_added_beyond_a_star_at_the_end(run, star_high, hand):
    p = Position(f"{hand}, purple 2", "", draws="red 9", spreads=[run], star_high=star_high).act("draw")
    assert p.legal("add") == []


@pytest.mark.parametrize(
    ("star_high", "sets"),
    [
        (14, ["lay set 1 green purple white", "lay set 14 green purple white"]),
        (15, ["lay set 1 green purple white", "lay set 15 green purple white"]),
    ],
)
def test_C3_three_stars_are_three_1s_or_three_high_ones(star_high, sets):
    p = Position("green star, purple star, white star, red 9", "", draws="red 7", star_high=star_high).act("draw")
    assert p.legal("lay") == sets


@pytest.mark.parametrize(("value", "additions"), [("1", ["add red star"]), ("14", ["add red star", "add blue 14"])])
def test_C3_what_a_star_counts_as_is_settled_when_it_is_played(value, additions):
    laid = ", ".join(f"{suit} star={suit} {value}" for suit in ("green", "purple", "white"))
    p = Position("red star, blue 14, red 9 7", "", draws="red 6", spreads=[f"0: {laid}"]).act("draw")
    assert p.legal("add") == additions


@pytest.mark.parametrize(
    ("naturals", "run", "laid"),
    [
        ("green 5 6", "run green 4-6", "0: wild=green 4, green 5, green 6"),
        ("green 5 7", "run green 5-7", "0: green 5, wild=green 6, green 7"),
        ("green 5 6", "run green 5-7", "0: green 5, green 6, wild=green 7"),
        ("green 13 14", "run green 12-14", "0: wild=green 12, green 13, green 14"),
        ("green 2 3", "run green 1-3", "0: wild=green 1, green 2, green 3"),
        ("green 8, blue 8", "set 8 green red blue", "0: green 8, wild=red 8, blue 8"),
    ],
)
def test_C4_a_wild_stands_for_any_card(naturals, run, laid):
    p = Position(f"{naturals}, wild, purple 9", "", draws="red 10").act("draw").lay(run)
    assert p.spread(1) == laid


def test_C4_a_wild_in_a_set_names_its_suit():
    p = Position("wild, purple 9 10", "", draws="red 12", spreads=["0: green 8, white 8, red 8"])
    p.act("draw", "add wild", "onto spread 1")
    assert p.legal() == ["as purple", "as blue"]
    p.act("as blue")
    assert p.spread(1) == "0: green 8, white 8, red 8, wild=blue 8"


def test_C4_a_wild_keeps_its_place():
    """Neither the card it stands for nor the one it would have to become is let in."""
    spreads = ["0: green 5 6, wild=green 7", "0: green 12, white 12, wild=red 12"]
    p = Position("green 7 8, red 12, blue 12, purple 2", "", draws="red 10", spreads=spreads).act("draw")
    assert p.legal("add") == ["add green 8", "add blue 12"]


def test_C4_one_card_at_least_is_no_wild():
    p = Position("wild, wild, wild, purple 9", "", draws="red 13").act("draw")
    assert all("purple" in name or "red" in name for name in p.legal("lay"))
    p.act("lay set 9 green purple white")
    assert p.legal() == ["pass"]  # the 9 stays, though a third wild is at hand
    p.act("pass")
    assert p.spread(1) == "0: wild=green 9, purple 9, wild=white 9"


def test_C4_three_wilds_are_no_spread():
    p = Position("wild, wild, wild", "", draws="wild").act("draw")
    assert p.legal() == ["discard wild"]


@pytest.mark.parametrize("num_players", [0, 1, 6, True, 2.0, None])
def test_C5_other_numbers_of_players_are_refused(num_players):
    with pytest.raises(ValueError, match="num_players"):
        Robots(num_players)


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_C5_C6_two_to_five_players_get_seven_cards_each(num_players):
    snapshot = dealt(num_players, 1).snapshot()
    assert [len(player["hand"]) for player in snapshot["players"]] == [7] * num_players
    assert len(snapshot["heap"]) == 1 and len(snapshot["factory"]) == 74 - 7 * num_players - 1
    assert snapshot["spreads"] == [] and all(player["known"] == [] for player in snapshot["players"])


def test_C6_the_cards_are_shuffled():
    deals = [dealt(2, seed).snapshot() for seed in range(40)]
    assert len({deal["heap"][0] for deal in deals}) > 20
    assert len({deal["players"][1]["hand"][0] for deal in deals}) > 5
    for deal in deals[:3]:
        assert deal["factory"] != sorted(deal["factory"], key=NAMES.index)


@pytest.mark.parametrize("power", ["recycle", "extra parts", "tractor beam", "laser", "short circuit"])
def test_C6_the_card_that_begins_the_heap_has_no_power(power):
    for seed in range(3):
        game = dealt(2, seed, rules={"powers": {number: power for number in range(2, 15)}})
        assert (game.decision_to_string(), game.actor) == ("draw", 1 - game.record["dealer"][0])
        assert not game.record["skip"][0] and game.record["heap_size"][0] == 1


def test_C7_the_first_dealer_comes_from_the_seed():
    dealers = [int(dealt(5, seed).record["dealer"][0]) for seed in range(60)]
    assert set(dealers) == {0, 1, 2, 3, 4}
    assert dealers == [int(dealt(5, seed).record["dealer"][0]) for seed in range(60)]


@pytest.mark.parametrize(("dealer", "first"), [(0, 2), (1, 0), (2, 1)])
def test_C7_the_deal_passes_left_and_the_dealers_left_begins(dealer, first):
    """The dealer's left neighbour ends the round and deals the next one; that one's left neighbour begins it."""
    turn = (dealer + 1) % 3
    hands = ["red 9", "red 10", "red 12"]
    hands[turn] = "purple 2"
    spreads = [f"{turn}: green 8, white 8, blue 8"]
    p = Position(*hands, turn=turn, dealer=dealer, draws="purple 8", spreads=spreads)
    p.act("draw", "add purple 8", "onto spread 1", "discard purple 2")
    assert p.round_number == 2
    assert int(p.record["dealer"]) == (dealer + 1) % 3
    assert p.asked == (first, "draw")
    snapshot = p.game.snapshot()
    assert [len(player["hand"]) for player in snapshot["players"]] == [7, 7, 7] and snapshot["spreads"] == []


def test_C7_turns_pass_left():
    p = Position("purple 2 8", "red 9 10", "red 12 13", turn=1, draws="white 2, white 4, white 6")
    p.act("draw", "discard white 2")
    assert p.asked == (2, "draw")
    p.act("draw", "discard white 4")
    assert p.asked == (0, "draw")


def test_C3_star_high_is_14_or_15():
    with pytest.raises(RuleSetError, match="star_high"):
        load_rules({"star_high": 16})
    assert load_rules().star_high == 14 and load_rules("publisher").star_high == 15


def test_cards_of_positions_are_read():
    assert cards("green 4 5 star, wild, blue 2") == ["green 4", "green 5", "green star", "wild", "blue 2"]
