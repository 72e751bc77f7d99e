"""Freakin' Laser Beam [W4, W5]: every 9."""

from __future__ import annotations

import pytest

from tests.robots.positions import Position


def laser(*spreads, hands=("blue 2", "purple 2"), **more):
    """Seat 0 has just discarded the white 9."""
    hands = (f"white 9, {hands[0]}", *hands[1:])
    more = {"heap": "purple 13", "draws": "purple 12", **more}
    return Position(*hands, spreads=spreads, **more).act("draw", "discard white 9")


def test_W4_one_card_of_an_opponents_spread_goes_to_the_bottom_of_the_heap():
    p = laser("1: green 5 6 7 8", heap="purple 13, purple 14")
    assert p.asked == (0, "aim")
    assert p.legal() == ["pass", "pick green 5", "pick green 6", "pick green 7", "pick green 8"]
    p.act("pick green 8")
    assert p.heap() == "green 8, purple 13, purple 14, white 9"
    assert p.spread(1) == "1: green 5, green 6, green 7" and p.hand(1) == "purple 2"
    assert p.asked == (1, "draw")


def test_W4_of_any_opponent_but_not_ones_own():
    p = laser("0: green 5 6 7", "1: red 5 6 7", "2: blue 5 6 7", hands=("blue 2", "purple 2", "purple 4"))
    assert p.legal() == ["pass", *(f"pick {suit} {n}" for suit in ("red", "blue") for n in (5, 6, 7))]


def test_W4_an_opponents_spread_is_one_that_an_opponent_laid():
    """One's own additions to it are in aim, an opponent's to one's own are not."""
    p = laser("0: green 5 6 7, green 8 by 1", "1: red 5 6 7, red 8 by 0")
    assert p.legal() == ["pass", "pick red 5", "pick red 6", "pick red 7", "pick red 8"]


def test_W4_no_robot():
    p = laser("1: green 8, purple 8, white 8, red 8, blue 8 by 0 robot of 0", "1: red 10, white 10, blue 10")
    assert p.legal() == ["pass", "pick white 10", "pick red 10", "pick blue 10"]


def test_W4_five_of_a_number_with_a_wild_are_no_robot():
    p = laser("1: green 8, purple 8, white 8, red 8, wild=blue 8")
    p.act("pick wild 1")
    assert p.spread(1) == "1: green 8, purple 8, white 8, red 8" and p.heap() == "wild, purple 13, white 9"


def test_W4_what_the_wild_stood_for_may_make_a_robot_now():
    p = laser("1: green 8, purple 8, white 8, red 8, wild=blue 8", hands=("blue 2", "purple 2 4, blue 8"))
    p.act("pick wild 1", "draw").add("blue 8", "onto spread 1")
    assert p.spread(1) == "1: green 8, purple 8, white 8, red 8, blue 8 robot of 1"


def test_W4_a_set_of_four_stays():
    p = laser("1: green 8, purple 8, white 8, red 8").act("pick purple 8")
    assert p.spread(1) == "1: green 8, white 8, red 8" and p.hand(1) == "purple 2"


def test_W4_a_set_of_three_returns_to_its_owner():
    p = laser("1: green 8, purple 8, red 8").act("pick purple 8")
    assert p.spread(1) is None and p.hand(1) == "green 8, purple 2, red 8"
    assert p.known(1) == "green 8, red 8"


@pytest.mark.parametrize("hit", ["green 5", "green 6", "green 7"])
def test_W4_a_run_of_three_returns_to_its_owner(hit):
    p = laser("1: green 5 6 7").act(f"pick {hit}")
    left = [card for card in ("green 5", "green 6", "green 7") if card != hit]
    assert p.spread(1) is None and p.hand(1) == ", ".join([*left, "purple 2"])
    assert p.heap() == f"{hit}, purple 13, white 9" and p.game.snapshot()["spreads"] == []


def test_W4_the_owner_takes_all_whoever_had_added_them():
    p = laser("1: green 5, wild=green 6 by 0, green 7 by 2", hands=("blue 2", "purple 2", "purple 4"))
    p.act("pick green 5")
    assert p.hand(1) == "green 7, purple 2, wild" and p.known(1) == "green 7, wild"
    assert p.hand(0) == "purple 12, blue 2" and p.hand(2) == "purple 4"


def test_W4_neither_the_card_nor_what_returns_scores_any_more():
    p = laser("1: green 5 6, green 7 by 0, green 8", "1: blue 10 11, blue 12 by 0, blue 13", hands=("", "red 2"))
    p.act("pick green 6")
    assert p.spread(1) is None
    _, wins = p.game.result()
    assert p.game.result()[0] == [12 - 12, 10 + 11 + 13 - (2 + 5 + 7 + 8)] and wins == [False, True]


def test_W4_the_card_scores_for_nobody():
    p = laser("1: green 5 6 7, green 8 by 0", hands=("blue 2", "red 2")).act("pick green 8")
    assert p.game.result()[0] == [-12 - 2, 5 + 6 + 7 - 2]
    p = laser("1: green 5 6 7, wild=green 8 by 0", hands=("blue 2", "red 2")).act("pick wild 1")
    assert p.game.result()[0] == [-12 - 2, 5 + 6 + 7 - 2]


def test_W4_wilds_are_numbered_over_all_spreads():
    spreads = ("1: wild=green 5, green 6 7 8", "0: red 5, wild=red 6, red 7", "1: blue 5 6 7, wild=blue 8, wild=blue 9")
    p = laser(*spreads)
    assert p.legal("pick wild") == ["pick wild 1", "pick wild 3", "pick wild 4"]
    assert p.act("pick wild 3").hand(1) == "purple 2, wild"  # what followed it is a wild alone
    assert p.spread(3) == "1: blue 5, blue 6, blue 7"


def test_W4_a_star_is_hit_where_it_lies():
    p = laser("1: green star=green 1, green 2 3 4", "1: red 11 12 13, red star=red 14")
    assert p.can("pick green star") and p.can("pick red star")
    p.act("pick red star")
    assert p.spread(2) == "1: red 11, red 12, red 13" and p.heap(3) == "red star, purple 13, white 9"


def test_W4_a_star_in_a_set():
    p = laser("1: green 14, white 14, red star=red 14, blue 14", hands=("blue 2", "purple 2, red 14 12"))
    assert p.act("pick red star").spread(1) == "1: green 14, white 14, blue 14"
    p.act("draw").add("red 14", "onto spread 1")
    assert p.spread(1) == "1: green 14, white 14, red 14, blue 14"


def test_W4_what_was_hit_fits_again():
    p = laser("1: green 5 6 7 8", "0: red 2 3 4", draws="purple 12, blue 12, blue 13").act("pick green 8")
    p.act("draw", "discard blue 12")
    assert p.seen(0)["gaps"]["green"] == ["4", "8"]


# ---- The middle of a run


def test_W5_both_stretches_stand():
    p = laser("1: green 2 3 4 5 6 7 8").act("pick green 5")
    assert p.spread(1) == "1: green 2, green 3, green 4" and p.spread(2) == "1: green 6, green 7, green 8"
    assert p.hand(1) == "purple 2" and p.heap() == "green 5, purple 13, white 9"


def test_W5_both_belong_to_the_owner_and_every_card_to_its_player():
    run = "1: green 2, wild=green 3 by 0, green 4 5 6, green 7 by 0, wild=green 8, green 9 by 0"
    p = laser(run, hands=("blue 2", "red 2")).act("pick green 5")
    assert p.spread(1) == "1: green 2, wild=green 3 by 0, green 4"
    assert p.spread(2) == "1: green 6, green 7 by 0, wild=green 8, green 9 by 0"
    assert p.game.result()[0] == [15 + 7 + 9 - 12 - 2, 2 + 4 + 6 + 15 - 2]


def test_W5_the_upper_stretch_takes_the_lowest_free_number():
    p = laser("1: green 2 3 4 5 6 7 8", "1: red 10 11 12", "0: blue 4 5 6").act("pick green 5")
    assert p.spread(4) == "1: green 6, green 7, green 8" and p.spread(2) == "1: red 10, red 11, red 12"


@pytest.mark.parametrize(
    ("hit", "stays", "hand"),
    [
        ("green 3", "1: green 4, green 5, green 6", "green 2, purple 2"),
        ("green 5", "1: green 2, green 3, green 4", "green 6, purple 2"),
        ("green 2", "1: green 3, green 4, green 5, green 6", "purple 2"),
        ("green 6", "1: green 2, green 3, green 4, green 5", "purple 2"),
    ],
)
def test_W5_one_stretch_stands_the_other_goes_to_the_owners_hand(hit, stays, hand):
    p = laser("1: green 2 3 4 5 6").act(f"pick {hit}")
    assert p.spread(1) == stays and p.hand(1) == hand and p.spread(2) is None


def test_W5_no_stretch_stands():
    p = laser("1: green 2 3 4 5 6").act("pick green 4")
    assert p.spread(1) is None and p.hand(1) == "green 2, green 3, green 5, green 6, purple 2"
    assert p.known(1) == "green 2, green 3, green 5, green 6"


def test_W5_a_short_stretch_of_a_shared_run_goes_to_the_owner():
    p = laser("1: green 2 by 0, wild=green 3 by 0, green 4 5 6 7", hands=("blue 2", "red 2")).act("pick green 4")
    assert p.hand(1) == "green 2, red 2, wild" and p.spread(1) == "1: green 5, green 6, green 7"
    assert p.known(1) == "green 2, wild"
    assert p.game.result()[0] == [-12 - 2, 5 + 6 + 7 - (2 + 2 + 15)]


@pytest.mark.parametrize(
    ("run", "hit", "spread", "hand"),
    [
        (
            "1: green 2 3 4, green 5, wild=green 6, wild=green 7, wild=green 8",
            "green 5",
            1,
            "purple 2, wild, wild, wild",
        ),
        ("1: wild=green 2, wild=green 3, wild=green 4, green 5 6 7 8", "green 5", 1, "purple 2, wild, wild, wild"),
    ],
)
def test_W5_a_stretch_of_wilds_alone_goes_to_the_owners_hand(run, hit, spread, hand):
    p = laser(run).act(f"pick {hit}")
    assert p.hand(1) == hand and "wild" not in str(p.spread(spread)) and p.spread(2) is None


def test_W5_a_run_left_of_wilds_alone_is_gone():
    p = laser("1: green 2, wild=green 3, wild=green 4, wild=green 5").act("pick green 2")
    assert p.spread(1) is None and p.hand(1) == "purple 2, wild, wild, wild"


def test_W5_a_set_left_of_wilds_alone_is_gone():
    p = laser("1: green 8, wild=purple 8, wild=white 8, wild=red 8").act("pick green 8")
    assert p.spread(1) is None and p.hand(1) == "purple 2, wild, wild, wild"


def test_W5_a_wild_in_the_middle_is_hit():
    p = laser("1: green 2 3 4, wild=green 5, green 6 7 8").act("pick wild 1")
    assert p.spread(1) == "1: green 2, green 3, green 4" and p.spread(2) == "1: green 6, green 7, green 8"
    assert p.heap() == "wild, purple 13, white 9"


@pytest.mark.parametrize(("star_high", "value"), [(14, 14), (15, 15)])
def test_W5_a_star_at_the_high_end_of_what_stands(star_high, value):
    run = f"1: red {value - 6} {value - 5} {value - 4} {value - 3} {value - 2} {value - 1}, red star=red {value}"
    p = laser(run, star_high=star_high).act(f"pick red {value - 3}")
    assert p.spread(2) == f"1: red {value - 2}, red {value - 1}, red star=red {value}"
    assert p.seen(1)["star_spread"]["red"] == 2


def test_W5_the_last_spread_of_a_player_may_be_gone():
    p = laser("1: green 5 6 7").act("pick green 6")
    assert p.record["owned"][1] == 0
