"""Powers but for the laser [W1-W3, W6-W11]. By number: 3 Recycle, 5 Extra Parts, 7 Tractor Beam, 9 laser, 11 Short
Circuit."""

from __future__ import annotations

import pytest

from robots_env import RuleSetError, load_rules
from tabletop.game import IllegalAction
from tests.robots.positions import Position, listed

# ---- Recycle


def test_W1_one_other_card_of_the_heap():
    p = Position("red 3, blue 2", "", draws="blue 10", heap="green 2, wild, white 12").act("draw", "discard red 3")
    assert p.asked == (0, "recycle")
    assert p.legal() == ["pass", "pick green 2", "pick white 12", "pick wild 1"]
    with pytest.raises(IllegalAction):
        p.game.act(p.game.action_from_string("pick red 3"))
    p.act("pick green 2")
    assert p.hand(0) == "green 2, blue 2, blue 10" and p.heap() == "wild, white 12, red 3"
    assert p.asked == (1, "draw")


def test_W1_a_card_alone_without_those_above_it_and_nothing_due():
    p = Position("red 3, blue 2", "red 9", draws="blue 10, blue 12", heap="green 2, white 12, purple 12")
    p.act("draw", "discard red 3", "pick green 2")
    assert p.heap() == "white 12, purple 12, red 3"
    assert p.record["must_play"] == -1


def test_W1_wilds_are_counted_from_the_top():
    p = Position("red 3, blue 2", "red 9", draws="blue 10", heap="wild, white 12, wild").act("draw", "discard red 3")
    assert p.legal() == ["pass", "pick white 12", "pick wild 1", "pick wild 2"]
    assert p.act("pick wild 2").heap() == "white 12, wild, red 3"


# ---- Extra Parts


def extra(hand="red 5, blue 2", draws="blue 10, green 2, green 4", others=("red 12 13",), **more):
    return Position(hand, *others, draws=draws, **more).act("draw", "discard red 5")


def test_W2_two_cards_are_drawn_and_two_laid():
    p = extra(heap="white 13")
    assert p.asked == (0, "extra parts") and p.legal() == ["pass", "draw"]
    p.act("draw")
    assert p.hand(0) == "green 2, green 4, blue 2, blue 10"
    assert p.asked == (0, "lay")
    assert p.legal() == ["discard green 2", "discard green 4", "discard blue 2", "discard blue 10"]
    p.act("discard blue 2")
    assert p.asked == (0, "lay")
    p.act("discard green 4")
    assert p.heap() == "white 13, red 5, blue 2, green 4" and p.hand(0) == "green 2, blue 10"
    assert p.asked == (1, "draw")


def test_W2_each_ones_power_acts_before_the_next_is_laid():
    p = extra("red 5, blue 3", heap="white 13").act("draw", "discard blue 3")
    assert p.asked == (0, "recycle")
    p.act("pick white 13")
    assert p.asked == (0, "lay") and p.can("discard white 13")
    assert p.act("discard white 13").asked == (1, "draw")


def test_W2_as_many_are_laid_as_were_drawn():
    p = extra(draws="blue 10, green 2", rest=1, max_refills=0).act("draw")
    assert p.hand(0) == "green 2, blue 2, blue 10"
    assert p.act("discard blue 2").asked == (1, "draw")


def test_W2_nothing_is_drawn_nothing_laid_nothing_forbidden():
    p = extra(draws="blue 10", rest=1, max_refills=0)
    assert p.player == 1 and not p.record["barred"][0]
    p = extra().act("pass")
    assert p.player == 1 and not p.record["barred"][0] and p.hand(0) == "blue 2, blue 10"


def test_W2_no_calls_until_the_next_turn():
    spreads = ["0: blue 5 6 7", "1: white 5 6 7"]
    p = extra(draws="blue 10, green 2, green 4, white 8, red 14", spreads=spreads)
    p.act("draw", "discard blue 2", "discard green 4", "draw")
    assert p.record["barred"][0]
    p.act("discard white 8")
    assert p.asked == (0, "draw")  # not asked to call
    q = extra(draws="blue 10, white 8", spreads=spreads).act("pass", "draw", "discard white 8")
    assert q.asked == (0, "call")


def test_W2_what_was_forbidden_is_allowed_when_the_next_turn_begins():
    spreads = ["0: white 5 6 7", "1: blue 5 6 7"]
    p = extra("red 5, white 8 13", draws="blue 10, green 2, green 4, blue 13", spreads=spreads)
    p.act("draw", "discard green 2", "discard green 4", "draw", "discard blue 13")
    assert not p.record["barred"][0]
    p.act("draw")
    assert p.can("add white 8")


def test_W2_a_deep_take_may_be_added_as_soon_as_the_turn_begins():
    p = Position("red 2", "white 13", spreads=["1: white 5 6 7"], draws="blue 13", heap="white 8", barred=[1])
    p.act("draw", "discard blue 13")
    assert p.asked == (1, "draw") and p.can("pick white 8")


def test_W2_the_last_two_cards_laid_end_the_round():
    p = Position("", "red 12 13", draws="red 5, green 2, green 4", power_on_last_discard=True)
    p.act("draw", "discard red 5", "draw", "discard green 2", "discard green 4")
    assert p.round_number == 2


# ---- Tractor Beam


@pytest.mark.parametrize(
    ("heap", "under", "left"),
    [
        ("green 2 4", ["green 2"], "green 4, red 7"),
        ("green 2 4 6", ["green 4", "green 2"], "green 6, red 7"),
        ("green 2 4 6 8", ["green 4", "green 2"], "green 6, green 8, red 7"),
        ("green 2, wild, green 4 6 8", ["green 4", "wild", "green 2"], "green 6, green 8, red 7"),
        ("green 2", ["green 2"], "red 7"),
    ],
)
def test_W3_the_lower_half_rounded_up_goes_under_the_factory(heap, under, left):
    p = Position("red 7, blue 2", "red 12", "", draws="blue 10, blue 12", heap=heap, rest=2).act(
        "draw", "discard red 7"
    )
    assert p.heap() == left and p.factory() == [*under, "blue 12"]
    assert p.asked == (1, "draw") and p.record["under"] == len(under)


def test_W3_its_lowest_card_is_drawn_first():
    p = Position("red 7, blue 2", "red 12", "", draws="blue 10, blue 12", heap="green 2 4 6", rest=2)
    p.act("draw", "discard red 7", "draw", "discard blue 12", "draw")
    assert p.known(2) == "green 2"
    assert p.factory() == ["green 4"]


def test_W3_cards_of_two_beams_are_drawn_in_turn():
    p = Position("red 7, blue 2", "blue 7, red 12", "", draws="blue 10, blue 12", heap="green 2 4, white 2 4", rest=2)
    p.act("draw", "discard red 7")
    assert p.factory() == ["green 4", "green 2", "blue 12"] and p.heap() == "white 2, white 4, red 7"
    p.act("draw", "discard blue 7")
    assert p.factory() == ["white 4", "white 2", "green 4", "green 2"] and p.heap() == "red 7, blue 7"
    assert p.record["under"] == 4


def test_W3_nothing_but_the_beam_nothing_happens():
    p = Position("red 7, blue 4 5", "red 12", "", draws="blue 12", heap="blue 6", rest=2)
    p.act("pick blue 6", "discard red 7")
    assert p.heap() == "red 7" and p.factory() == ["blue 12"] and p.asked == (1, "draw")


# ---- Short Circuit


@pytest.mark.parametrize(("players", "turn", "following"), [(2, 0, 0), (2, 1, 1), (3, 0, 2), (3, 2, 1), (5, 4, 1)])
def test_W6_the_next_players_turn_is_skipped(players, turn, following):
    hands = [f"{suit} 2 4" for suit in ("green", "purple", "white", "red", "blue")][:players]
    hands[turn] += ", red 11"
    p = Position(*hands, turn=turn, draws="red 13, blue 13").act("draw", "discard red 11")
    assert p.asked == (following, "draw")


def test_W6_it_does_not_add_up():
    p = Position("red 5 11, blue 11", "red 2", "red 4", "red 6", draws="red 13, white 2, white 4")
    p.act("draw", "discard red 5", "draw", "discard red 11", "discard blue 11")
    assert p.asked == (2, "draw")


def test_W6_it_is_over_after_one_turn():
    p = Position("red 11, blue 2", "red 2", "red 4", draws="red 13, white 2")
    p.act("draw", "discard red 11", "draw", "discard white 2")
    assert p.asked == (0, "draw")


def test_W6_who_is_skipped_may_still_call():
    p = Position("red 11, blue 2", "red 2", "red 4", draws="red 13", spreads=["1: red 8 9 10"])
    p.act("draw", "discard red 11")
    assert p.asked == (1, "call")
    p.act("call", "onto spread 1")
    assert p.asked == (2, "draw")


def test_W6_who_is_skipped_keeps_the_ban_of_extra_parts():
    p = Position("red 11, blue 2", "red 2", draws="red 13, white 2", barred=[1], spreads=["1: red 8 9 10"])
    p.act("draw", "discard red 11")
    assert p.asked == (0, "draw")  # seat 1 was neither asked to call nor given a turn
    assert p.record["barred"][1]


def test_W6_nobody_is_skipped_twice_running():
    """Of two players one could else take a short circuit off the heap and discard it for ever."""
    p = Position("red 11, blue 2", "red 2 4", draws="red 13, white 2")
    p.act("draw", "discard red 11")
    assert p.asked == (0, "draw") and list(p.record["skipped"][:2]) == [0, 1]
    p.act("pick red 11", "discard red 11")
    assert p.asked == (1, "draw") and not p.record["skipped"].any()  # it has acted, to no effect
    p.act("pick red 11", "discard red 11")
    assert p.asked == (1, "draw") and list(p.record["skipped"][:2]) == [1, 0]


def test_W6_nor_with_a_turn_of_somebody_else_between():
    p = Position(
        "red 2 11, blue 11, white 11", "red 5 9", "red 4 8", draws="red 13, white 2, white 4, white 6, white 8, white 9"
    )
    p.act("draw", "discard red 11")
    assert p.asked == (2, "draw")
    p.act("draw", "discard white 2", "draw", "discard blue 11")
    assert p.asked == (1, "draw")  # the second of seat 0 skips nobody
    p.act("draw", "discard white 6", "draw", "discard red 4", "draw", "discard white 11")
    assert p.asked == (2, "draw") and p.record["skipped"][1]


def test_W6_a_new_round_forgets_who_was_skipped():
    p = Position("red 11, blue 2", "red 2 4", draws="red 13, white 2", rounds=2, max_turns=32)
    p.act("draw", "discard red 11")
    assert p.record["skipped"][1]
    while p.record["round_number"] == 1:
        p.act(p.legal()[0])
    assert not p.record["skipped"].any() and not p.record["skip"]


def test_W6_the_last_turn_of_max_turns_passes_over_nobody():
    p = Position("red 11, blue 2", "red 2", draws="red 13", rounds=1, turns=199)
    p.act("draw", "discard red 11")
    assert p.asked == (-1, "over") and p.record["skip"] and not p.record["skipped"].any()


def test_W6_it_can_be_left_out():
    powers = {3: "recycle", 5: "extra parts", 7: "tractor beam", 9: "laser"}
    p = Position("red 11, blue 2", "red 2", draws="red 13", powers=powers).act("draw", "discard red 11")
    assert p.asked == (1, "draw")


# ---- All powers


@pytest.mark.parametrize("card", ["red 3", "red 5", "red 9"])
def test_W7_recycle_extra_parts_and_the_laser_may_be_declined(card):
    p = Position(f"{card}, blue 2", "red 2", draws="red 13, red 14", heap="white 13", spreads=["1: blue 8 9 10"])
    p.act("draw", f"discard {card}")
    assert p.can("pass")
    p.act("pass")
    assert p.asked == (1, "draw") and p.heap() == f"white 13, {card}" and p.hand(0) == "red 13, blue 2"
    assert p.spread(1) == "1: blue 8, blue 9, blue 10"


@pytest.mark.parametrize("card", ["red 3", "red 9"])
def test_W7_a_power_that_finds_nothing_does_nothing(card):
    """No other card on the heap for Recycle; no opponent's spread for the laser, but one's own and a robot."""
    robot = "1: green 8, purple 8, white 8, red 8, blue 8 robot of 1"
    p = Position(f"{card}, blue 2 3", "red 2", heap="blue 4", draws="red 14", spreads=["0: purple 2 3 4", robot])
    p.act("pick blue 4", f"discard {card}")
    assert p.asked == (1, "draw") and p.heap() == card


def test_W7_it_has_acted_all_the_same():
    """Declined or without a target: taken back and laid again, the card does nothing more this turn."""
    p = Position("red 5 3, blue 9 2", "red 8", draws="red 14, red 13, red 12")
    p.act("draw", "discard red 5", "draw", "discard blue 9", "discard red 3")
    assert p.seen(1)["acted"] == ["red 3", "red 5", "blue 9"]  # the laser found no spread
    p.act("pass")
    assert p.asked == (1, "draw")
    p = Position("red 5 3 2, blue 5, white 5", "red 4", draws="red 14, red 13, red 12, white 2, white 4")
    p.act("draw", "discard red 5", "draw", "discard white 5", "draw", "discard blue 5", "pass")
    p.act("discard red 3", "pick blue 5", "discard blue 5")
    assert p.asked == (1, "draw")  # not asked again


def test_W8_powers_act_before_anybody_may_call():
    p = Position("red 3, blue 2", "red 2", draws="red 13", heap="white 12 13", spreads=["1: red 4 5 6"])
    p.act("draw", "discard red 3")
    assert p.asked == (0, "recycle")
    p.act("pick white 12")
    assert p.asked == (1, "call")
    p.act("call", "below spread 1")
    assert p.heap() == "white 13"


def test_W8_a_power_may_change_what_can_be_called_for():
    """The laser burns the card to which the red 9 would have been added."""
    p = Position("red 9, blue 2", "red 2", draws="red 14", spreads=["1: red 10 11 12", "1: blue 4 5 6"])
    p.act("draw", "discard red 9", "pick red 10")
    assert p.asked == (1, "draw")  # red 11 and red 12 came back to the hand
    assert p.hand(1) == "red 2, red 11, red 12"


def test_W8_the_call_is_for_the_last_card_laid():
    p = Position(
        "red 5, blue 2 7", "red 2", draws="red 13, white 2, white 4", spreads=["1: blue 3 4 5", "1: red 6 7 8"]
    )
    p.act("draw", "discard red 5", "draw", "discard white 2", "discard blue 2")
    assert p.asked == (1, "call")
    p.act("call", "below spread 1")
    assert p.spread(1) == "1: blue 2, blue 3, blue 4, blue 5"
    assert p.asked == (1, "draw")  # the red 5 below it fits too, but is not offered


@pytest.mark.parametrize("card", ["red 3", "red 5", "red 9", "red 11"])
def test_W9_the_discard_that_ends_a_round_has_no_power(card):
    p = Position("", "red 2", draws=card, heap="white 12", spreads=["1: blue 8 9 10"]).act("draw", f"discard {card}")
    assert p.round_number == 2 and p.round_scores[1] == 27 - 2


def test_W9_setting_on_it_has_and_the_round_goes_on():
    p = Position("", "red 2", draws="red 3", heap="white 12", power_on_last_discard=True).act("draw", "discard red 3")
    assert p.asked == (0, "recycle")
    p.act("pick white 12")
    assert p.round_number == 1 and p.hand(0) == "white 12" and p.asked == (1, "draw")


@pytest.mark.parametrize("card", ["red 3", "red 5", "red 9"])
def test_W9_setting_on_a_hand_that_stays_empty_ends_the_round(card):
    p = Position("", "red 2", draws=card, heap="white 12", spreads=["1: blue 8 9 10"], power_on_last_discard=True)
    p.act("draw", f"discard {card}", "pass")
    assert p.round_number == 2


def test_W9_setting_on_nobody_calls_when_the_round_ends():
    p = Position("", "red 2", draws="red 3, red 5", spreads=["1: blue 8 9 10"], power_on_last_discard=True)
    p.act("draw", "discard red 3", "pass")
    assert p.round_number == 2


# ---- Chains


def test_W10_a_card_acts_once_a_turn():
    """Extra Parts, then Recycle brings it back; laid again it does nothing."""
    p = Position("red 5, blue 3", "red 2", draws="red 13, white 2, white 4", heap="white 12")
    p.act("draw", "discard red 5", "draw", "discard blue 3", "pick red 5", "discard red 5")
    assert p.asked == (1, "draw") and p.heap() == "white 12, blue 3, red 5"


def test_W10_extra_parts_of_every_suit_chain():
    hand = "green 5, purple 5, white 5, red 5, blue 5"
    p = Position(hand, "red 2", draws="red 13, white 2 4 6 8 10 12, blue 2 4 6 8")
    p.act("draw", "discard green 5", "draw")
    for lays, suit in enumerate(("purple", "white", "red", "blue"), 2):
        assert p.record["lays"] == lays
        p.act(f"discard {suit} 5", "draw")
    assert p.asked == (0, "lay") and p.record["lays"] == 6
    assert len(p.hand(0).split(", ")) == 1 + 10
    p.act("discard white 2", "discard white 4", "discard white 6", "discard white 8", "discard white 10")
    assert p.act("discard white 12").asked == (1, "draw")


def test_W10_extra_parts_tractor_beam_and_recycle_come_to_an_end():
    """The beam fills the factory for the second Extra Parts, Recycle brings these back; nothing acts twice."""
    p = Position("red 5, blue 5 7 3", "red 2", "", draws="red 13, white 2, white 4", heap="white 12", rest=2)
    p.act("draw", "discard red 5", "draw")  # white 2, white 4; the factory is empty
    p.act("discard blue 7")  # the beam: white 12 goes under the factory
    assert p.factory() == ["white 12"] and p.heap() == "red 5, blue 7"
    p.act("discard blue 5", "draw")  # white 12, then a refill for the second
    assert p.record["refills"] == 1 and p.heap() == "blue 5"
    p.act("discard blue 3", "pick blue 5", "discard blue 5")
    assert p.asked == (1, "draw") and p.round_number == 1


def test_W10_it_acts_again_the_next_turn():
    p = Position("red 7, blue 11", "red 2", draws="red 13", heap="white 9 10 12 13")
    p.act("draw", "discard red 7")
    assert p.heap() == "white 12, white 13, red 7" and p.seen(1)["acted"] == []  # a new turn has begun
    p.act("pick red 7", "discard red 7")
    assert p.heap() == "white 13, red 7"


def test_W10_cards_of_one_number_are_different_cards():
    p = Position("red 5, blue 5", "red 2", draws="red 13, white 2, white 4, white 6, white 8")
    p.act("draw", "discard red 5", "draw", "discard blue 5")
    assert p.asked == (0, "extra parts")


# ---- What stays known


def test_W11_who_holds_cards_taken_off_the_heap():
    p = Position("red 3 4, blue 2", "red 9", heap="red 2, white 12").act("pick red 2")
    assert p.known(0) == "white 12, red 2"
    p.lay("run red 2-4")
    assert p.known(0) == "white 12"
    p.act("discard white 12")
    assert p.known(0) == "" and p.asked == (1, "draw")


def test_W11_who_holds_a_card_recycled():
    p = Position("red 3, blue 2", "", draws="blue 10", heap="green 2, white 12").act(
        "draw", "discard red 3", "pick green 2"
    )
    assert p.known(0) == "green 2"
    seen = p.seen(1)
    assert {card for card, n in seen["known"]["opponent"].items() if n} == {"green 2"}
    assert not seen["unseen"]["green 2"] and seen["unseen"]["blue 2"]


def test_W11_a_card_from_the_factory_is_not_known():
    p = Position("blue 2", "", draws="blue 10").act("draw")
    assert p.known(0) == "" and p.seen(1)["unseen"]["blue 10"]


def test_W11_which_cards_went_under_the_factory_and_who_draws_them():
    p = Position("red 7, blue 2", "red 12", "", draws="blue 10, blue 12", heap="green 2 4 6", rest=2)
    p.act("draw", "discard red 7")
    under = {card: draws for card, draws in p.seen(1)["under"].items() if draws}
    assert under == {"green 2": 2, "green 4": 3}
    p.act("draw", "discard red 12", "draw")
    assert p.known(1) == "" and p.known(2) == "green 2"


def test_W11_until_a_refill_shuffles_them():
    p = Position("red 2", "red 12", "", draws="blue 10, blue 12", heap="green 2 4 6 8, wild, red 14", rest=2, refills=0)
    p.act("draw", "discard red 2", "draw", "discard red 12", "draw")
    assert p.record["under"] == 0
    reshuffled = ["green 2", "green 4", "green 6", "green 8", "wild", "red 14", "red 2"]
    assert [listed(cards) for cards in p.game.snapshot()["reshuffled"]] == [listed(reshuffled)]
    seen = p.seen(0)
    assert all(seen["reshuffled"][card] for card in reshuffled)
    assert p.known(2) == ""


def test_W11_a_known_wild_leaves_the_hand_first():
    p = Position("red 2 3, wild, wild", "", known={0: "wild"}, draws="blue 10").act("draw").lay("run red 1-3")
    assert p.hand(0) == "blue 10, wild" and p.known(0) == ""


def test_W11_then_the_one_that_was_drawn_first():
    p = Position("red 2 3 9, wild", "red 12", heap="wild, red 13", rest=1)
    p.act("draw")  # the refill's only card
    assert p.wilds_since(0) == [0, 1]
    p.lay("run red 2-4")
    assert p.hand(0) == "red 9, wild" and p.wilds_since(0) == [1]
    p.act("discard red 9")
    p = Position("red 2 3 9", "red 12", heap="wild, red 13", rest=1).act("draw").lay("run red 2-4")
    assert p.wilds_since(0) == []


def test_W11_which_refill_shuffled_a_card_last():
    """Two draws, each of a refill's only card: the first stays known to have been shuffled, and so drawn, before."""
    p = Position("red 2 3 9", "red 12", heap="green 2, red 13", rest=1, max_refills=2)
    p.act("draw", "discard red 9", "draw")
    assert p.game.snapshot()["reshuffled"] == [["green 2"], ["red 13"]]
    assert {card: refill for card, refill in p.seen(1)["reshuffled"].items() if refill} == {"green 2": 1}
    assert {card: refill for card, refill in p.seen(0)["reshuffled"].items() if refill} == {"red 13": 2}


def test_W11_a_card_shuffled_twice_counts_as_of_the_later_refill():
    p = Position("red 2 3 9", "red 12", heap="green 2, red 13", rest=1, max_refills=2)
    p.act("draw", "discard green 2", "draw")
    assert p.game.snapshot()["reshuffled"] == [["green 2"], ["red 13"]]
    p = Position("red 2 3 9", "red 12", heap="green 2 4, red 13", rest=1, max_refills=2)
    p.act("draw", "discard red 9", "draw", "discard red 12", "draw")
    first, second = p.game.snapshot()["reshuffled"]
    assert listed(first) == "green 2, green 4" and listed(second) == "red 9, red 13"


def test_W11_a_wild_keeps_the_refill_before_its_draw():
    p = Position("red 2 3 9", "red 12", heap="wild, red 13", rest=1, max_refills=2).act("draw")
    assert p.wilds_since(0) == [1]
    p.act("discard red 9", "draw")
    assert p.record["refills"] == 2 and p.wilds_since(0) == [1]


@pytest.mark.parametrize("seat", [0, 1])
def test_W11_resample_keeps_it(seat):
    p = Position("red 3, blue 2 4", "red 7 12", "red 2", draws="blue 10, blue 12", heap="green 2 4 6 8")
    p.act("draw", "discard red 3", "pick green 4", "draw", "discard red 7")
    assert p.record["under"] >= 2
    mine, under = p.hand(seat), p.factory()[: int(p.record["under"])]
    hands = set()
    for seed in range(20):
        p.game.redeal_hidden(seat, seed)
        assert p.hand(seat) == mine and p.factory()[: len(under)] == under
        assert "green 4" in p.hand(0) and p.known(0) == "green 4"
        hands.add(p.hand(1 - seat))
    assert len(hands) > 10


def test_W11_resample_deals_what_was_drawn_since_the_refill_from_what_it_shuffled():
    p = Position("red 3, blue 2", "red 12", "", heap="green 2 4 6 8, red 14", rest=2).act("draw", "discard blue 2")
    drawn = set()
    for seed in range(30):
        p.game.redeal_hidden(1, seed)
        held = p.hand(0).split(", ")
        drawn |= {card for card in held if card in ("green 2", "green 4", "green 6", "green 8")}
        assert sum(card in ("green 2", "green 4", "green 6", "green 8") for card in held) == 1
    assert len(drawn) == 4


# ---- Which cards have them


def test_W1_W2_W3_W4_W6_which_numbers_have_powers_is_in_the_rule_set():
    assert load_rules().powers == {
        "3": "recycle",
        "5": "extra parts",
        "7": "tractor beam",
        "9": "laser",
        "11": "short circuit",
    }
    p = Position("red 8, blue 2", "red 2", draws="red 13", powers={8: "short circuit"}).act("draw", "discard red 8")
    assert p.asked == (0, "draw")
    with pytest.raises(RuleSetError, match="powers"):
        load_rules({"powers": {8: "black hole"}})


@pytest.mark.parametrize("card", ["wild", "red star", "red 2", "red 14"])
def test_W1_other_cards_have_none(card):
    p = Position(f"{card}, blue 2", "red 4", draws="red 13", heap="white 12").act("draw", f"discard {card}")
    assert p.asked == (1, "draw")
