"""Playing: new spreads, additions, robots [P1-P7]."""

from __future__ import annotations

import pytest

from tests.robots.positions import Position

FOUR_NINES = "green 9, purple 9, white 9, red 9"


def test_P1_any_number_of_spreads_and_additions():
    p = Position("green 4 5 6 7, red 8, blue 8, white 8, purple 8, red 2, blue 2", "", draws="green 8").act("draw")
    p.lay("run green 4-6", "set 8 white red blue")
    p.add("green 7", "onto spread 1").add("purple 8", "onto spread 2").add("green 8", "onto spread 1")
    assert p.spread(1) == "0: green 4, green 5, green 6, green 7, green 8"
    assert p.spread(2) == "0: purple 8, white 8, red 8, blue 8"
    assert p.legal() == ["discard red 2", "discard blue 2"]


def test_P1_or_none():
    p = Position("green 4 5 6, blue 8", "", draws="red 2", spreads=["0: blue 5 6 7"]).act("draw")
    assert p.can("lay run green 4-6") and p.can("add blue 8")
    p.act("discard blue 8")
    assert p.spread(2) is None and p.asked == (1, "draw")


def test_P1_nothing_before_the_draw():
    p = Position("green 4 5 6, blue 8", "", spreads=["0: blue 5 6 7"])
    assert p.legal() == ["draw", "pick purple 13"]


def test_P1_what_a_spread_holds_the_player_says():
    """A wild may stand for a card at hand, from the lowest card up."""
    p = Position("green 4 5 6, wild, wild, red 9", "", draws="red 2").act("draw", "lay run green 4-6")
    assert p.legal() == ["pass", "wild as card 1", "wild as card 2", "wild as card 3"]
    p.act("wild as card 2")
    assert p.legal() == ["pass", "wild as card 3"]
    p.act("wild as card 3")
    assert p.legal() == ["pass"]
    p.act("pass")
    assert p.spread(1) == "0: green 4, wild=green 5, wild=green 6"
    assert p.hand(0) == "green 5, green 6, red 2, red 9"


def test_P1_a_number_stands_for_itself_before_stars_and_wilds():
    p = Position("green 12 13 14 star, wild, red 9", "", draws="red 2").act("draw", "lay run green 12-14")
    assert p.can("star as card 3") and p.can("wild as card 3")
    p.act("pass")
    assert p.spread(1) == "0: green 12, green 13, green 14"


def test_P1_a_star_stands_for_its_place_before_a_wild():
    p = Position("green 12 13 star, wild, red 9", "", draws="red 2").act("draw", "lay run green 12-14", "pass")
    assert p.spread(1) == "0: green 12, green 13, green star=green 14"
    p = Position("green 12 13 star, wild, red 9", "", draws="red 2").act("draw", "lay run green 12-14")
    p.act("wild as card 3")
    assert p.seen(0)["laying_stars"] == [] and p.seen(0)["laying_wilds"] == ["card 3"]
    assert p.act("pass").spread(1) == "0: green 12, green 13, wild=green 14"


def test_P1_a_star_may_stand_for_a_14_at_hand():
    p = Position("green 12 13 14 star, red 9", "", draws="red 2").act("draw", "lay run green 12-14")
    assert p.legal() == ["pass", "star as card 3"]
    p.act("star as card 3", "pass")
    assert p.spread(1) == "0: green 12, green 13, green star=green 14"
    assert p.hand(0) == "green 14, red 2, red 9"


@pytest.mark.parametrize("star_high", [14, 15])
def test_P1_a_star_never_stands_for_another_number_at_hand(star_high):
    p = Position("green 11 12 13 star, red 9", "", draws="red 2", star_high=star_high)
    p.act("draw", "lay run green 11-13")
    assert p.legal() == ["pass"]


# ---- What spreads there are


def test_P2_three_of_a_number():
    p = Position("green 8, white 8, blue 8, red 2", "", draws="red 4").act("draw")
    assert p.legal("lay") == ["lay set 8 green white blue"]
    assert p.lay("set 8 green white blue").spread(1) == "0: green 8, white 8, blue 8"


def test_P2_three_in_sequence_of_one_suit():
    p = Position("green 8 9 10, red 2", "", draws="red 4").act("draw")
    assert p.legal("lay") == ["lay run green 8-10"]
    assert p.lay("run green 8-10").spread(1) == "0: green 8, green 9, green 10"


@pytest.mark.parametrize(
    "hand", ["green 8 9", "green 8, white 8", "green 8 9, white 10", "green 8 10 12", "green 8, white 9, blue 10"]
)
def test_P2_nothing_less(hand):
    p = Position(f"{hand}, red 2", "", draws="red 4").act("draw")
    assert p.legal("lay") == []


@pytest.mark.parametrize("low", range(2, 13))
@pytest.mark.parametrize("suit", ["green", "purple", "white", "red", "blue"])
def test_P2_every_run(suit, low):
    other = "white" if suit == "red" else "red"
    p = Position(f"{suit} {low} {low + 1} {low + 2}, {other} 2", "", draws=f"{other} 14").act("draw")
    assert p.legal("lay") == [f"lay run {suit} {low}-{low + 2}"]


def test_P2_every_set_of_three_suits():
    p = Position("green 8, purple 8, white 8, red 8, red 2", "", draws="blue 8").act("draw")
    assert len(p.legal("lay set 8")) == len(p.legal("lay")) == 10
    p.act("lay set 8 purple white blue", "pass")
    assert p.spread(1) == "0: purple 8, white 8, blue 8"


def test_P2_longer_ones_grow_by_additions():
    p = Position("green 8 9 10 11, red 2", "", draws="red 4").act("draw")
    assert p.legal("lay") == ["lay run green 8-10", "lay run green 9-11"]
    p.lay("run green 9-11").add("green 8", "below spread 1")
    assert p.spread(1) == "0: green 8, green 9, green 10, green 11"


def test_P3_each_suit_once():
    p = Position(
        "wild, white star, red star, green 2, blue 6", "", spreads=["0: green 14, white 14, blue 14"], draws="red 4"
    )
    p.act("draw")
    assert p.legal("add") == ["add red star", "add wild"]  # no white star beside the white 14


def test_P3_five_cards_at_most():
    spreads = ["0: green 9, purple 9, white 9, red 9, wild=blue 9", "0: purple 4 5 6"]
    p = Position("wild, wild, green 2", "", spreads=spreads[:1], draws="red 4").act("draw")
    assert p.legal("add") == []
    p = Position("wild, wild, green 2", "", spreads=spreads, draws="red 4").act("draw", "add wild")
    assert p.legal() == ["onto spread 2", "below spread 2"]


def test_P3_a_wild_stands_for_a_suit_that_is_missing():
    p = Position("wild, green 2, red 6", "", spreads=["0: green 9, purple 9, blue 9"], draws="red 4").act("draw")
    p.act("add wild", "onto spread 1")
    assert p.legal() == ["as white", "as red"]


@pytest.mark.parametrize("star_high", [14, 15])
def test_P3_a_star_beside_14s(star_high):
    hand = "red star, green 2, blue 6"
    p = Position(hand, "", spreads=["0: green 14, white 14, blue 14"], draws="red 4", star_high=star_high).act("draw")
    assert p.can("add red star") == (star_high == 14)


def test_P3_a_set_of_14s_with_its_star():
    p = Position("green 14, white 14, red 14 star, blue 6", "", draws="red 4").act("draw", "lay set 14 green white red")
    assert p.legal() == ["pass", "star as card 3"]
    p.act("star as card 3", "pass")
    assert p.spread(1) == "0: green 14, white 14, red star=red 14"


def test_P4_runs_grow_at_their_ends():
    p = Position("green 4 8, wild, red 2", "", spreads=["0: green 5 6 7"], draws="red 4").act("draw")
    assert p.legal("add") == ["add green 4", "add green 8", "add wild"]
    p.add("green 4", "below spread 1").add("green 8", "onto spread 1")
    assert p.spread(1) == "0: green 4, green 5, green 6, green 7, green 8"


@pytest.mark.parametrize(
    ("where", "laid"),
    [
        ("below spread 1", "0: wild=green 4, green 5, green 6, green 7"),
        ("onto spread 1", "0: green 5, green 6, green 7, wild=green 8"),
    ],
)
def test_P4_a_wild_at_either_end(where, laid):
    p = Position("wild, red 2 9", "", spreads=["0: green 5 6 7"], draws="red 4").act("draw", "add wild")
    assert p.legal() == ["onto spread 1", "below spread 1"]
    assert p.act(where).spread(1) == laid


def test_P4_what_follows_a_wild_at_the_end_is_what_it_stands_for():
    spreads = ["0: wild=green 4, green 5 6, wild=green 7"]
    p = Position("green 3 4 7 8, red 2", "", spreads=spreads, draws="red 4").act("draw")
    assert p.legal("add") == ["add green 3", "add green 8"]


@pytest.mark.parametrize(
    ("star_high", "run", "where"),
    [
        (14, "0: green 12 13 14", ["below spread 1"]),
        (15, "0: green 12 13 14", ["onto spread 1", "below spread 1"]),
        (15, "0: green 13 14, wild=green 15", ["below spread 1"]),
        (14, "0: green 2 3 4", ["onto spread 1", "below spread 1"]),
        (14, "0: wild=green 1, green 2 3", ["onto spread 1"]),
        (15, "0: wild=green 1, green 2 3", ["onto spread 1"]),
    ],
)
def test_P4_places_from_1_to_star_high(star_high, run, where):
    p = Position("wild, red 2 9", "", spreads=[run], draws="red 4", star_high=star_high).act("draw", "add wild")
    assert p.legal() == where


@pytest.mark.parametrize(("star_high", "runs"), [(14, ["12-14"]), (15, ["12-14", "13-15"])])
def test_P4_a_wild_may_hold_the_highest_place(star_high, runs):
    p = Position("green 13 14, wild, red 2", "", draws="red 9", star_high=star_high).act("draw")
    assert p.legal("lay") == [f"lay run green {run}" for run in runs]


@pytest.mark.parametrize(("star_high", "run"), [(14, "green 11 12 13"), (15, "green 12 13 14")])
@pytest.mark.parametrize(("low_run", "where"), [(True, "below spread 1"), (False, "onto spread 1")])
def test_P4_a_star_is_added_low_or_high(star_high, run, low_run, where):
    spread = "0: green 2 3 4" if low_run else f"0: {run}"
    p = Position("green star, red 2 9", "", spreads=[spread], draws="red 4", star_high=star_high)
    p.act("draw", "add green star")
    assert p.legal() == [where]
    value = 1 if low_run else star_high
    assert f"green star=green {value}" in str(p.act(where).spread(1))


def test_P4_a_star_does_not_fit_below_the_high_place():
    p = Position("green star, red 2 9", "", spreads=["0: green 11 12 13"], draws="red 4", star_high=15).act("draw")
    assert p.legal("add") == []


def test_P4_every_place_of_the_table_that_fits():
    spreads = ["0: green 5 6 7", "1: green 9 10 11", "1: purple 8, white 8, blue 8"]
    p = Position("green 8 2, red 9", "", spreads=spreads, draws="red 4").act("draw", "add green 8")
    assert p.legal() == ["onto spread 1", "onto spread 3", "below spread 2"]
    assert p.act("below spread 2").spread(2) == "1: green 8 by 0, green 9, green 10, green 11"


# ---- Whose spreads, whose cards


def test_P5_additions_to_an_opponents_spread():
    spreads = ["1: green 5 6 7", "0: blue 2 3 4"]
    p = (
        Position("green 8, wild, red 12", "", spreads=spreads, draws="red 4")
        .act("draw")
        .add("green 8", "onto spread 1")
    )
    assert p.spread(1) == "1: green 5, green 6, green 7, green 8 by 0"
    p.add("wild", "onto spread 1")
    assert p.spread(1) == "1: green 5, green 6, green 7, green 8 by 0, wild=green 9 by 0"


def test_P5_only_with_a_spread_of_ones_own():
    p = Position("green 8, red 9 12", "red 13", "", spreads=["1: green 5 6 7", "2: blue 2 3 4"], draws="red 4")
    p.act("draw")
    assert p.legal("add") == []


def test_P5_a_spread_just_laid_is_ones_own():
    p = Position("green 8, blue 2 3 4, red 9", "", spreads=["1: green 5 6 7"], draws="red 4").act("draw")
    assert not p.can("add green 8")
    assert p.lay("run blue 2-4").can("add green 8")


def test_P5_cards_among_anothers_spread_are_none_of_ones_own():
    """The right is gone with the last spread: the laser burnt it, and what was added elsewhere does not keep it."""
    spreads = ["0: green 5 6 7, green 8 by 1", "1: blue 2 3 4"]
    p = Position("red 9 12", "green 4, red 2", spreads=spreads, draws="red 13, white 13").act("draw", "discard red 9")
    p.act("pick blue 2")
    assert p.hand(1) == "green 4, red 2, blue 3, blue 4"
    p.act("draw")
    assert p.legal("add") == []


def test_P5_a_card_scores_for_whoever_played_it():
    spreads = ["0: green 5 6 7, green 8 by 1, wild=green 9 by 1", "1: blue 2 3, blue 4 by 0"]
    p = Position("", "", spreads=spreads, draws="red 13", rounds=1, rest="heap").act("draw", "discard red 13")
    assert p.round_scores == [5 + 6 + 7 + 4, 8 + 15 + 2 + 3]


# ---- Robots


def test_P6_five_suits_of_a_number():
    p = Position("blue 9, red 2 12", "", spreads=[f"0: {FOUR_NINES}"], draws="red 4").act("draw")
    p.add("blue 9", "onto spread 1")
    assert p.spread(1) == f"0: {FOUR_NINES}, blue 9 robot of 0"


def test_P6_four_suits_are_none():
    p = Position("red 9, red 2 12", "", spreads=["0: green 9, purple 9, white 9"], draws="red 4").act("draw")
    assert p.add("red 9", "onto spread 1").robot(1) is None


def test_P6_a_long_run_is_none():
    p = Position("green 6, red 2 12", "", spreads=["0: green 2 3 4 5"], draws="red 4").act("draw")
    assert p.add("green 6", "onto spread 1").robot(1) is None


def test_P6_completed_on_an_opponents_set():
    spreads = [f"1: {FOUR_NINES}", "0: blue 2 3 4"]
    p = Position("blue 9", "", spreads=spreads, draws="red 13", rounds=1, rest="heap").act("draw")
    p.add("blue 9", "onto spread 1")
    assert p.robot(1) == 0
    p.act("discard red 13")
    assert p.round_scores == [9 + 9 + 25, 36]


def test_P6_completed_by_a_call():
    spreads = [f"0: {FOUR_NINES}", "2: blue 2 3 4"]
    p = Position("blue 9, red 2", "red 12", "red 14", spreads=spreads, draws="red 4", powers={})
    p.act("draw", "discard blue 9")
    assert p.asked == (2, "call")
    p.act("call", "onto spread 1")
    assert p.robot(1) == 2


def test_P6_the_bonus_is_in_the_rule_set():
    spreads = [f"0: {FOUR_NINES}, blue 9 by 1 robot of 1"]
    p = Position("", "", spreads=spreads, draws="red 13", robot_bonus=7, rounds=1, rest="heap")
    p.act("draw", "discard red 13")
    assert p.round_scores == [36, 9 + 7]


@pytest.mark.parametrize("value", [1, 14])
def test_P6_five_stars_are_none(value):
    suits = ("green", "purple", "white", "red")
    laid = ", ".join(f"{suit} star={suit} {value}" for suit in suits)
    p = Position("blue star, red 2 12", "", spreads=[f"0: {laid}"], draws="red 4").act("draw")
    p.add("blue star", "onto spread 1")
    assert p.robot(1) is None


def test_P6_14s_with_a_star_are_none():
    p = Position("blue star, red 2 12", "", spreads=["0: green 14, purple 14, white 14, red 14"], draws="red 4")
    p.act("draw").add("blue star", "onto spread 1")
    assert p.spread(1) == "0: green 14, purple 14, white 14, red 14, blue star=blue 14"


@pytest.mark.parametrize("number", [2, 14])
def test_P6_the_lowest_and_the_highest_number(number):
    laid = ", ".join(f"{suit} {number}" for suit in ("green", "purple", "white", "red"))
    p = Position(f"blue {number}, red 6 12", "", spreads=[f"0: {laid}"], draws="red 4").act("draw")
    assert p.add(f"blue {number}", "onto spread 1").robot(1) == 0


@pytest.mark.parametrize(("wild_completes_robot", "robot"), [(False, None), (True, 0)])
@pytest.mark.parametrize(
    ("spread", "hand", "choices"),
    [
        (f"0: {FOUR_NINES}", "wild", ["add wild", "onto spread 1", "as blue"]),
        ("0: green 9, purple 9, white 9, wild=red 9", "blue 9", ["add blue 9", "onto spread 1"]),
    ],
)
def test_P7_five_suits_with_a_wild(spread, hand, choices, wild_completes_robot, robot):
    p = Position(f"{hand}, red 2 12", "", spreads=[spread], draws="red 4", wild_completes_robot=wild_completes_robot)
    p.act("draw", *choices)
    assert p.robot(1) == robot


def test_P7_five_suits_with_a_wild_and_a_star_are_none_either_way():
    spread = "0: green 14, purple 14, white 14, wild=red 14"
    p = Position("blue star, red 2 12", "", spreads=[spread], draws="red 4", wild_completes_robot=True).act("draw")
    assert p.add("blue star", "onto spread 1").robot(1) is None
