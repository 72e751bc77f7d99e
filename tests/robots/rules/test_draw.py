"""Drawing [D1-D5]."""

from __future__ import annotations

import pytest

from tests.robots.positions import Position


def test_D1_the_top_card_of_the_factory():
    p = Position("purple 2", "red 9", draws="blue 2, blue 4", heap="red 4, white 12").act("draw")
    assert p.hand(0) == "purple 2, blue 2"
    assert p.factory()[-1] == "blue 4" and p.heap() == "red 4, white 12"
    assert p.asked == (0, "play")


def test_D1_the_top_card_of_the_heap():
    p = Position("purple 2", "red 9", heap="red 4, white 12").act("pick white 12")
    assert p.hand(0) == "purple 2, white 12"
    assert p.heap() == "red 4"
    assert p.can("discard purple 2")  # nothing is due


def test_D1_a_card_of_the_heap_comes_with_all_above_it():
    p = Position("red 3 5, purple 2", "", heap="blue 6, red 4, white 12, blue 8").act("pick red 4")
    assert p.hand(0) == "purple 2, white 12, red 3, red 4, red 5, blue 8"
    assert p.heap() == "blue 6"


def test_D1_the_whole_heap_may_be_taken():
    p = Position("red 3 5, purple 2", "", heap="red 4, white 12").act("pick red 4")
    assert p.heap() == "" and p.record["heap_size"] == 0
    p.lay("run red 3-5").act("discard white 12")
    assert p.heap() == "white 12" and p.asked == (1, "draw")


def test_D1_one_draw_a_turn():
    p = Position("purple 2", "red 9", draws="blue 2", heap="red 4, white 12").act("draw")
    assert not p.legal("pick") and not p.legal("draw")


def test_D1_wilds_of_the_heap_are_counted_from_its_top():
    p = Position("red 3 5, blue 9 10", "", heap="wild, purple 13, wild, blue 8")
    assert p.legal("pick") == ["pick blue 8", "pick wild 1", "pick wild 2"]
    p.act("pick wild 2")
    assert p.heap() == "" and p.hand(0) == "purple 13, red 3, red 5, blue 8, blue 9, blue 10, wild, wild"


def test_D2_everybody_sees_the_heap_and_its_order():
    p = Position("purple 2", "red 9", heap="red 4, wild, blue 8, white 12")
    for seat in (0, 1):
        seen = p.seen(seat)
        depths = {name: depth for name, depth in seen["heap"].items() if depth}
        assert depths == {"white 12": 1, "blue 8": 2, "wild 1": 3, "red 4": 4}
        assert seen["top"] == "white 12"


# ---- The lowest card of a deep take


def test_D3_it_is_in_a_new_spread():
    p = Position("red 3 5 9, green 8 9 10, blue 9", "", heap="red 4, white 12").act("pick red 4")
    assert p.legal() == ["lay run red 3-5"]  # neither the green run nor the 9s, no discard
    p.lay("run red 3-5")
    assert p.can("lay run green 8-10") and p.can("discard white 12")


def test_D3_the_other_cards_taken_may_help():
    p = Position("purple 2", "", heap="red 4, red 6, blue 13, red 5")
    assert p.legal("pick") == ["pick red 4", "pick red 5"]
    p.act("pick red 4")
    assert p.legal() == ["lay run red 4-6"]


@pytest.mark.parametrize(
    "sets", ["lay set 4 green red blue", "lay set 4 purple red blue", "lay set 4 green purple red"]
)
def test_D3_every_set_with_it(sets):
    p = Position("green 4, purple 4, blue 4, white 9", "", heap="red 4, white 12").act("pick red 4")
    assert p.legal() == ["lay set 4 green purple red", "lay set 4 green red blue", "lay set 4 purple red blue"]
    p.act(sets, "pass")
    assert p.can("discard white 12")


@pytest.mark.parametrize(
    ("hand", "run"), [("red 2 3", "run red 2-4"), ("red 3 5", "run red 3-5"), ("red 5 6", "run red 4-6")]
)
def test_D3_every_run_with_it(hand, run):
    p = Position(f"{hand}, blue 9", "", heap="red 4, white 12").act("pick red 4")
    assert p.legal() == [f"lay {run}"]


@pytest.mark.parametrize(
    ("hand", "card", "star_high", "run"),
    [
        ("red 3 star", "red 2", 14, "run red 1-3"),
        ("red 12 star", "red 13", 14, "run red 12-14"),
        ("red 13 star", "red 14", 15, "run red 13-15"),
    ],
)
def test_D3_a_star_may_help(hand, card, star_high, run):
    p = Position(f"{hand}, blue 9", "", heap=f"{card}, white 12", star_high=star_high).act(f"pick {card}")
    assert p.legal() == [f"lay {run}"]


def test_D3_a_star_does_not_go_in_its_place():
    p = Position("red 12 13 star, blue 9", "", heap="red 14, white 12").act("pick red 14", "lay run red 12-14")
    assert p.legal() == ["pass"]


def test_D3_it_is_added():
    p = Position("blue 2 7, green 9", "", heap="red 4, white 12", spreads=["0: red 5 6 7", "0: blue 4 5 6"])
    p.act("pick red 4")
    assert p.legal() == ["add red 4"]  # not the blue 7, no discard
    p.act("add red 4", "below spread 1")
    assert p.can("add blue 7") and p.can("discard white 12")


def test_D3_it_is_added_to_an_opponents_spread():
    spreads = ["1: red 5 6 7", "0: blue 4 5 6"]
    p = Position("blue 2, green 9", "", heap="red 4, white 12", spreads=spreads).act("pick red 4")
    p.add("red 4", "below spread 1")
    assert p.spread(1) == "1: red 4 by 0, red 5, red 6, red 7"


def test_D3_it_is_laid_or_added_as_the_player_likes():
    p = Position("blue 4, green 4", "", heap="red 4, white 12", spreads=["0: red 5 6 7"]).act("pick red 4")
    assert p.legal() == ["add red 4", "lay set 4 green red blue"]


def test_D3_not_where_it_cannot_be_played():
    p = Position("red 5, green 8 9 10", "", heap="red 4, white 12")
    assert p.legal() == ["draw", "pick white 12"]


def test_D3_not_where_it_cannot_be_added_for_want_of_a_spread():
    p = Position("blue 2, green 9", "", heap="red 4, white 12", spreads=["1: red 5 6 7"])
    assert p.legal() == ["draw", "pick white 12"]


def test_D3_not_for_the_sake_of_a_spread_it_is_not_in():
    """Another card of the take would fit; the lowest does not."""
    p = Position("red 5 6, green 9", "", heap="blue 13, red 4, white 12")
    assert p.legal() == ["draw", "pick white 12", "pick red 4"]


def test_D3_a_new_spread_may_not_go_round_it():
    """Not even with the wilds: what is due is never one of the cards they stand in for."""
    p = Position("red 3 5, wild, wild", "", heap="red 4, white 12").act("pick red 4", "lay run red 3-5")
    assert p.legal() == ["pass", "wild as card 1", "wild as card 3"]


def test_D3_a_wild_is_due_in_a_new_spread():
    p = Position("red 4 5 6, blue 9", "", heap="wild, white 12").act("pick wild 1")
    assert not p.legal("discard") and p.can("lay run red 4-6")
    p.act("lay run red 4-6")
    assert p.legal() == ["wild as card 1", "wild as card 2", "wild as card 3"]  # it cannot be laid as it is
    p.act("wild as card 2", "pass")
    assert p.spread(1) == "0: red 4, wild=red 5, red 6"
    assert p.can("discard red 5")


def test_D3_a_star_leaves_room_for_the_wild_that_is_due():
    p = Position("red 12 13 14 star", "", heap="wild, white 12").act("pick wild 1", "lay run red 12-14")
    assert p.legal() == ["wild as card 1", "wild as card 2", "wild as card 3"]
    assert p.act("wild as card 1").legal() == ["pass", "star as card 3"]


def test_D3_a_wild_is_due_where_one_is_needed_anyway():
    p = Position("red 4 6, blue 9", "", heap="wild, white 12").act("pick wild 1", "lay run red 4-6")
    assert p.legal() == ["pass"]


def test_D3_a_wild_that_is_due_is_added():
    p = Position("blue 9, green 2", "", heap="wild, white 12", spreads=["0: red 4 5 6"])
    p.act("pick wild 1")
    assert p.legal() == ["add wild"]
    p.act("add wild")
    assert p.legal() == ["onto spread 1", "below spread 1"]
    p.act("onto spread 1")
    assert p.spread(1) == "0: red 4, red 5, red 6, wild=red 7"


def test_D3_not_a_wild_without_two_partners():
    p = Position("red 4, blue 9", "", heap="wild, white 12")
    assert p.legal() == ["draw", "pick white 12"]


def test_D3_a_star_is_due_before_the_number():
    p = Position("red 12 13 14, blue 2", "", heap="red star, white 12").act("pick red star")
    assert p.legal() == ["lay run red 12-14"]
    p.lay("run red 12-14")
    assert p.spread(1) == "0: red 12, red 13, red star=red 14"
    assert p.can("discard red 14")


@pytest.mark.parametrize(
    ("hand", "spread", "where"),
    [
        ("red 9, blue 9", "0: red 2 3 4", "below spread 1"),
        ("red 9, blue 9", "0: red 11 12 13", "onto spread 1"),
        ("red 9, blue 9", "0: green 14, purple 14, white 14", "onto spread 1"),
    ],
)
def test_D3_a_star_that_is_due_is_added(hand, spread, where):
    p = Position(hand, "", heap="red star, white 12", spreads=[spread]).act("pick red star")
    assert p.legal() == ["add red star"]
    p.act("add red star")
    assert p.legal() == [where]


def test_D3_a_star_is_due_in_every_spread_that_holds_it():
    p = Position("red 2 3 12 13, blue star, green star", "", heap="red star, white 12").act("pick red star")
    assert p.legal() == [
        "lay run red 1-3",
        "lay run red 12-14",
        "lay set 1 green red blue",
        "lay set 14 green red blue",
    ]


def test_D3_not_a_star_that_cannot_be_played():
    p = Position("red 2 13, blue star", "", heap="red star, white 12", spreads=["0: red 3 4 5"])
    assert p.legal() == ["draw", "pick white 12"]


# ---- The empty factory


def test_D4_the_heap_except_its_top_card_becomes_the_factory():
    p = Position("purple 2 4", "red 9", heap="red 4, wild, blue 8, white 12", rest=1).act("draw")
    assert p.heap() == "white 12"
    drawn = set(p.hand(0).split(", ")) - {"purple 2", "purple 4"}
    assert sorted([*drawn, *p.factory()]) == ["blue 8", "red 4", "wild"]
    assert p.record["refills"] == 1


def test_D4_it_is_shuffled():
    heap = "green 2 4 6 8 10 12, white 2 4 6 8 10 12, white 13"
    p = Position("purple 2 4", "red 9", heap=heap, rest=1)
    drawn = set()
    for generator in range(12):
        q = Position("purple 2 4", "red 9", heap=heap, rest=1)
        q.record["rng"] = generator
        drawn.add(q.act("draw").hand(0))
    assert len(drawn) > 4
    factory = p.act("draw").factory()
    assert factory not in (sorted(factory), sorted(factory, reverse=True))


def test_D4_not_before_the_factory_is_empty():
    p = Position("purple 2 4", "red 9", draws="blue 2", heap="red 4, blue 8, white 12", rest=1).act("draw")
    assert p.hand(0) == "purple 2, purple 4, blue 2" and p.record["refills"] == 0
    assert p.heap() == "red 4, blue 8, white 12"


@pytest.mark.parametrize(
    ("max_refills", "refills", "legal"), [(0, 0, False), (1, 0, True), (1, 1, False), (2, 1, True)]
)
def test_D4_max_refills_times_a_round(max_refills, refills, legal):
    p = Position("purple 2", "red 9", heap="red 4, white 12", rest=1, refills=refills, max_refills=max_refills)
    assert p.can("draw") == legal
    assert p.can("pick white 12")


def test_D4_not_where_it_would_give_no_card():
    p = Position("purple 2", "red 9", heap="white 12", rest=1)
    assert p.legal() == ["pass", "pick white 12"]


def test_D4_the_next_round_may_refill_again():
    p = Position("", "red 9", draws="blue 13", refills=1).act("draw", "discard blue 13")
    assert p.round_number == 2 and p.record["refills"] == 0


def test_D4_extra_parts_refill_likewise():
    """One card is left: the second of the two comes of a refill, which leaves the green 5 on the heap."""
    p = Position("green 5, purple 2 4", "red 9", draws="blue 2, blue 10", heap="red 4, white 12", rest=1)
    p.act("draw", "discard green 5", "draw")
    assert p.heap() == "green 5" and p.record["refills"] == 1
    assert len(p.factory()) == 1 and p.record["lays"] == 2
    assert set(p.hand(0).split(", ")) & {"red 4", "white 12"}


def test_D4_extra_parts_draw_what_there_is():
    p = Position("green 5, purple 2 4", "red 9", draws="blue 2, blue 10", heap="red 4, white 12", rest=1, refills=1)
    p.act("draw", "discard green 5", "draw")
    assert p.hand(0) == "purple 2, purple 4, blue 2, blue 10" and p.record["lays"] == 1
    p.act("discard purple 2")
    assert p.asked == (1, "draw") and p.round_number == 1  # the round goes on


# ---- A single card of the heap


def test_D5_a_card_taken_alone_may_be_discarded_again():
    p = Position("purple 2", "red 9", heap="red 4, white 12").act("pick white 12", "discard white 12")
    assert p.heap() == "red 4, white 12" and p.asked == (1, "draw")


def forbidden(hand, *, heap="red 4, white 12", **more):
    return Position(hand, "red 9", heap=heap, discard_taken_card=False, **more)


def test_D5_setting_off_it_may_not():
    p = forbidden("purple 2 4").act("pick white 12")
    assert p.legal() == ["discard purple 2", "discard purple 4"]


def test_D5_setting_off_a_card_from_the_factory_may():
    p = forbidden("purple 2 4", draws="white 10").act("draw")
    assert p.can("discard white 10")


def test_D5_setting_off_the_lowest_of_a_deep_take_and_those_above_may():
    p = forbidden("red 3 5, purple 2", heap="red 4, white 12").act("pick red 4").lay("run red 3-5")
    assert p.legal() == ["discard purple 2", "discard white 12"]


def test_D5_setting_off_but_as_the_only_card():
    p = forbidden("").act("pick white 12")
    assert p.legal() == ["discard white 12"]


def test_D5_setting_off_it_is_free_again_the_next_turn():
    p = forbidden("purple 2 4", draws="blue 10, red 10")
    p.act("pick white 12", "discard purple 2", "draw", "discard blue 10", "draw")
    assert p.can("discard white 12")


def test_D5_setting_off_it_is_free_the_next_turn_though_nobody_discarded_since():
    """Seat 0 keeps the green 8 (K4), seat 1 plays its only card (K2)."""
    spreads = ["1: green 5 6 7", "1: blue 5 6 7"]
    p = Position("", "", draws="blue 8, red 13", heap="red 4, green 8", spreads=spreads, discard_taken_card=False)
    p.act("pick green 8", "pass", "draw").add("blue 8", "onto spread 2").act("draw")
    assert p.legal() == ["discard green 8", "discard red 13"]


def test_D5_setting_off_cards_laid_for_extra_parts_are_free():
    p = forbidden("green 5, purple 2", draws="blue 10, blue 13").act("pick white 12", "discard green 5", "draw")
    assert p.can("discard white 12")


def test_D5_setting_off_a_taken_wild_may_not():
    p = forbidden("purple 2 9", heap="red 4, wild").act("pick wild 1")
    assert p.legal() == ["discard purple 2", "discard purple 9"]


def test_D5_setting_off_another_wild_may():
    p = forbidden("purple 2 4, wild", heap="red 4, wild").act("pick wild 1")
    assert p.can("discard wild")


def test_D5_setting_off_a_wild_may_once_one_has_left_the_hand():
    p = forbidden("green 8 9, purple 2, wild", heap="red 4, wild")
    p.act("pick wild 1").lay("run green 7-9")
    assert p.hand(0) == "purple 2, wild" and p.can("discard wild")
