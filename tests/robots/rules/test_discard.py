"""Discarding and calling "Robots!" [K1-K4]."""

from __future__ import annotations

import pytest

from robots_env.actions import PASS
from tabletop.game import IllegalAction
from tests.robots.positions import Position

RUN = "green 5 6 7"


def test_K1_one_card_from_hand_on_the_heap():
    p = Position("purple 2, red 9", "red 12 13", draws="blue 10, blue 12", heap="white 13").act("draw")
    assert p.legal() == ["discard purple 2", "discard red 9", "discard blue 10"]
    p.act("discard purple 2")
    assert p.heap() == "white 13, purple 2" and p.hand(0) == "red 9, blue 10"
    assert p.asked == (1, "draw") and p.player == 1


def test_K1_a_discard_cannot_be_left_out():
    p = Position("purple 2, red 9", "red 12 13", draws="blue 10").act("draw")
    assert not p.can("pass")


def test_K1_nothing_is_played_after_the_discard():
    p = Position("purple 2, red 9", "red 12 13", draws="blue 10, green 5").act("draw", "discard red 9")
    assert p.actor == 1


# ---- An empty hand


def test_K2_who_has_played_the_last_card_discards_nothing():
    p = Position("green 6 7", "red 12 13", draws="green 5", heap="white 13").act("draw").lay("run green 5-7")
    assert p.hand(0) == "" and p.heap() == "white 13"
    assert p.asked == (1, "draw") and p.round_number == 1


def test_K2_by_an_addition_too():
    p = Position("", "red 12 13", draws="green 8", spreads=[f"0: {RUN}"]).act("draw").add("green 8", "onto spread 1")
    assert p.hand(0) == "" and p.asked == (1, "draw") and p.round_number == 1


def test_K2_the_next_turn_begins_with_a_draw_as_ever():
    p = Position("green 6 7", "red 12 13", draws="green 5, blue 10, blue 12", heap="white 13")
    p.act("draw").lay("run green 5-7").act("draw", "discard blue 10")
    assert p.asked == (0, "draw")
    assert p.legal("draw") and p.can("pick blue 10")
    p.act("draw")
    assert p.hand(0) == "blue 12"


def test_K2_nobody_calls_for_the_heaps_old_top_card():
    """Though it fits: it was discarded the turn before, when seat 0 let it lie."""
    spreads = ["0: blue 5 6 7", f"1: {RUN}"]
    p = Position("", "green 8, red 12", turn=1, draws="red 13, blue 8", spreads=spreads)
    p.act("draw", "discard green 8", "pass", "draw").add("blue 8", "onto spread 1")
    assert p.asked == (1, "draw")


# ---- Calls


def test_K3_the_others_may_call_for_a_card_that_fits():
    p = Position("green 8, red 9", "red 12 13", draws="blue 10", spreads=["0: blue 2 3 4", f"1: {RUN}"])
    p.act("draw", "discard green 8")
    assert p.asked == (1, "call") and p.legal() == ["pass", "call"]
    p.act("call")
    assert p.asked == (1, "place") and p.legal() == ["onto spread 2"]
    p.act("onto spread 2")
    assert p.spread(2) == "1: green 5, green 6, green 7, green 8"
    assert p.heap(1) == "purple 13" and p.hand(1) == "red 12, red 13"
    assert p.asked == (1, "draw")


def test_K3_a_card_that_fits_nowhere_is_not_called_for():
    p = Position("green 9, red 9", "red 12 13", draws="blue 10", spreads=[f"1: {RUN}"], powers={})
    p.act("draw", "discard green 9")
    assert p.asked == (1, "draw")


def test_K3_it_may_go_to_any_spread_of_anyone():
    spreads = ["0: green 9 10 11", f"1: {RUN}", "2: purple 8, white 8, blue 8"]
    p = Position("green 8, red 9", "red 12 13", "red 2 4", draws="blue 10", spreads=spreads)
    p.act("draw", "discard green 8", "call")
    assert p.legal() == ["onto spread 2", "onto spread 3", "below spread 1"]
    assert p.act("below spread 1").spread(1) == "0: green 8 by 1, green 9, green 10, green 11"


def test_K3_a_wild_that_is_called_for_names_its_suit():
    spreads = ["1: purple 8, white 8, blue 8"]
    p = Position("wild, red 9", "red 12 13", draws="blue 10", spreads=spreads)
    p.act("draw", "discard wild", "call", "onto spread 1")
    assert p.asked == (1, "name the suit") and p.legal() == ["as green", "as red"]
    assert p.act("as red").spread(1) == "1: purple 8, white 8, wild=red 8, blue 8"


def test_K3_only_with_a_spread_of_ones_own():
    p = Position("green 8, red 9", "red 12 13", "red 2 4", draws="blue 10", spreads=[f"0: {RUN}"])
    p.act("draw", "discard green 8")
    assert p.asked == (1, "draw")


def four(turn=0):
    """Each has a run of its own; the seat whose turn it is has just discarded the green 8."""
    hands = ["white 2 4", "red 12 13", "purple 12 13", "purple 2 4"]
    hands[turn] = "green 8, red 9"
    spreads = ["0: white 9 10 11", "1: red 5 6 7", "2: green 5 6 7", "3: blue 5 6 7"]
    return Position(*hands, turn=turn, draws="blue 10", spreads=spreads).act("draw", "discard green 8")


@pytest.mark.parametrize(("turn", "order"), [(0, [1, 2, 3]), (1, [2, 3, 0]), (3, [0, 1, 2])])
def test_K3_they_are_asked_once_in_turn_order_and_the_discarder_never(turn, order):
    p = four(turn)
    asked = []
    while p.decision == "call":
        asked.append(p.actor)
        p.act("pass")
    assert asked == order
    assert p.asked == ((turn + 1) % 4, "draw") and p.heap(1) == "green 8"


@pytest.mark.parametrize("caller", [1, 2, 3])
def test_K3_the_first_to_call_has_it_and_the_turn_passes_as_ever(caller):
    p = four()
    while p.actor != caller:
        p.act("pass")
    p.act("call", "onto spread 3")
    assert p.asked == (1, "draw")
    assert p.spread(3) == "2: green 5, green 6, green 7, green 8" + (f" by {caller}" if caller != 2 else "")


def test_K3_those_who_could_not_add_are_left_out():
    p = Position(
        "green 8, red 9", "red 12 13", "purple 12 13", "purple 2 4", draws="blue 10", spreads=["3: green 5 6 7"]
    )
    p.act("draw", "discard green 8")
    assert p.asked == (3, "call")


def test_K3_one_card_at_most_changes_hands():
    """The card under it fits too, but was not discarded this turn."""
    spreads = [f"1: {RUN}", "2: blue 5 6 7"]
    p = Position("green 8, red 9", "red 12 13", "red 2 4", draws="blue 10", heap="green 4", spreads=spreads)
    p.act("draw", "discard green 8", "call", "onto spread 1")
    assert p.asked == (1, "draw") and p.heap() == "green 4"


# ---- The last card


def test_K4_a_card_that_fits_is_no_last_discard_and_must_be_played():
    p = Position("green 8", "red 12 13", draws="green 4", spreads=[f"0: {RUN}"]).act("draw")
    assert p.can("discard green 8") and p.can("discard green 4")  # two cards: either may go
    p.add("green 8", "onto spread 1")
    assert p.legal() == ["add green 4"]
    with pytest.raises(IllegalAction):
        p.game.act(PASS)
    p.act("add green 4", "below spread 1")
    assert p.hand(0) == "" and p.round_number == 1


def test_K4_without_a_spread_it_is_kept_and_nothing_is_discarded():
    p = Position("", "red 12 13", draws="green 8", spreads=[f"1: {RUN}"], heap="white 13").act("draw")
    assert p.legal() == ["pass"]
    p.act("pass")
    assert p.hand(0) == "green 8" and p.heap() == "white 13"
    assert p.asked == (1, "draw") and p.round_number == 1


def test_K4_nobody_may_call_after_a_card_was_kept():
    """The heap's top card fits, but was not discarded this turn."""
    spreads = [f"1: {RUN}", "2: blue 5 6 7"]
    p = Position("", "red 12 14", "red 2, green 4", turn=2, draws="red 13, green 8", spreads=spreads)
    p.act("draw", "discard green 4", "pass", "draw", "pass")
    assert p.asked == (1, "draw") and p.hand(0) == "green 8"


def test_K4_with_more_cards_one_that_fits_may_be_discarded():
    p = Position("green 8", "red 12 13", draws="red 9", spreads=[f"1: {RUN}"]).act("draw")
    assert p.legal() == ["discard green 8", "discard red 9"]


def test_K4_a_card_that_fits_nowhere_ends_the_round():
    p = Position("", "red 12 13", draws="green 10", spreads=[f"1: {RUN}"]).act("draw")
    assert p.legal() == ["discard green 10"]
    assert p.act("discard green 10").round_number == 2


@pytest.mark.parametrize("card", ["wild", "green star"])
@pytest.mark.parametrize("spread", ["1: green 2 3 4", "1: green 11 12 13", "1: purple 14, white 14, red 14"])
def test_K4_wilds_and_stars_fit_too(card, spread):
    p = Position("", "red 9", draws=card, spreads=[spread]).act("draw")
    assert p.legal() == ["pass"]


def test_K4_whatever_its_power_may_bring():
    p = Position("", "red 12 13", draws="green 3", spreads=["1: green 4 6, wild=green 5"], power_on_last_discard=True)
    p.act("draw")
    assert p.legal() == ["pass"]


def test_K4_robots_and_full_runs_take_nothing():
    spreads = ["1: green 9, purple 9, white 9, red 9, blue 9 robot of 1"]
    p = Position("", "red 12 13", draws="wild", spreads=spreads).act("draw")
    assert p.legal() == ["discard wild"]


def test_K4_cards_laid_for_extra_parts_are_free_and_end_the_round():
    spreads = ["1: blue 8, red 8, white 8"]
    draws = "green 5, purple 10, purple 8"
    p = Position("", "red 12 13", draws=draws, spreads=spreads, power_on_last_discard=True)
    p.act("draw", "discard green 5", "draw", "discard purple 10")
    assert p.legal() == ["discard purple 8"]  # which fits
    assert p.act("discard purple 8").round_number == 2


def test_K4_a_card_laid_for_extra_parts_may_be_called_for():
    draws = "blue 10, purple 10, purple 8"
    p = Position("green 5 13", "red 12 13", draws=draws, spreads=["1: blue 8, red 8, white 8"])
    p.act("draw", "discard green 5", "draw", "discard purple 10", "discard purple 8")
    assert p.asked == (1, "call")
    assert p.act("call", "onto spread 1").spread(1) == "1: purple 8, white 8, red 8, blue 8"
