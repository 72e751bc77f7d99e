"""Ends and scoring [E1-E6]."""

from __future__ import annotations

import pytest

import robots_env
from robots_env import load_rules
from robots_env.actions import PASS
from tabletop.game import IllegalAction
from tests.robots.positions import Position


def last_discard(*hands, spreads=(), scores=None, **more):
    """Seat 0 ends the round with the purple 13. All other cards lie on the heap."""
    more = {"draws": "purple 13, purple 14", "rest": "heap", **more}
    p = Position("", *hands, spreads=spreads, scores=scores, **more)
    return p.act("draw", "discard purple 13")


def test_E1_a_round_ends_when_somebody_discards_the_last_card():
    p = last_discard("red 2")
    assert p.round_number == 2 and p.round_scores == [0, -2]


def test_E1_before_anybody_may_call():
    """Where a last discard could be called for, K4 forbids it; but for cards laid for Extra Parts."""
    draws = "red 5, white 2, white 4"
    p = Position("", "red 12", draws=draws, spreads=["1: white 5 6 7"], power_on_last_discard=True)
    p.act("draw", "discard red 5", "draw", "discard white 2", "discard white 4")
    assert p.round_number == 2


def test_E1_not_when_the_last_card_is_played():
    p = Position("", "red 12 13", draws="green 8", spreads=["0: green 5 6 7"]).act("draw")
    assert p.add("green 8", "onto spread 1").round_number == 1


def test_E1_not_when_another_hand_is_empty():
    p = Position("red 2 4", "", draws="red 13").act("draw", "discard red 2")
    assert p.round_number == 1 and p.asked == (1, "draw")


# ---- Scores


def test_E2_cards_in_spreads_and_robots_less_cards_in_hand():
    spreads = [
        "0: green 5 6, wild=green 7",
        "1: red 9, blue 9, white 9 by 0",
        "1: green 3, purple 3, white 3, red 3, blue 3 robot of 1",
    ]
    p = last_discard("red 2 4, wild, blue star", spreads=spreads)
    assert p.round_scores == [5 + 6 + 15 + 9, 9 + 9 + 15 + 25 - (2 + 4 + 15 + 15)]
    assert p.scores == p.round_scores


def test_E2_a_score_may_be_negative():
    p = last_discard("red 14 13", "red 2", scores=[100, 10, -5])
    assert p.round_scores == [0, -27, -2] and p.scores == [100, -17, -7]


def test_E2_cards_on_the_heap_and_in_the_factory_score_for_nobody():
    p = last_discard("red 2", rest="factory")
    assert p.round_scores == [0, -2]


def test_E2_in_the_middle_of_a_round_the_table_counts_as_it_lies():
    p = Position("red 2", "red 4", spreads=["0: green 5 6 7"], draws="white 6", scores=[30, 40])
    assert p.game.result() == ([30 + 18 - 2, 40 - 4], [True, False])
    p.act("draw")
    assert p.game.result() == ([30 + 18 - 8, 40 - 4], [True, False])


@pytest.mark.parametrize("number", range(2, 15))
def test_E3_numbers_are_worth_their_value(number):
    assert last_discard(f"red {number}").round_scores == [0, -number]


@pytest.mark.parametrize("card", ["red star", "wild"])
def test_E3_stars_and_wilds_are_worth_15(card):
    assert last_discard(card).round_scores == [0, -15]
    spread = f"1: {card}=red 1, red 2 3"
    assert last_discard("green 2", spreads=[spread]).round_scores == [0, 15 + 2 + 3 - 2]


@pytest.mark.parametrize("suit", ["green", "purple", "white", "red", "blue"])
def test_E3_in_every_suit(suit):
    low = "star" if suit != "purple" else "12"
    assert last_discard(f"{suit} {low} 2 4 10").round_scores[1] == -(16 + (15 if low == "star" else 12))


def test_E3_a_robots_bonus_is_25():
    robot = "1: green 3, purple 3, white 3, red 3, blue 3 robot of 1"
    assert last_discard("", spreads=[robot]).round_scores == [0, 15 + 25]


def test_E3_other_points():
    points = {"3": 50, "star": 20, "wild": 30}
    p = last_discard("red 3 star 4, wild", card_points=points, robot_bonus=7)
    assert p.round_scores == [0, -(50 + 20 + 4 + 30)]


# ---- The match


def test_E4_a_match_ends_with_the_round_after_which_somebody_has_the_target():
    p = last_discard("red 2", spreads=["0: green 5 6 7"], scores=[232, 100])
    assert p.scores == [250, 98] and p.actor == -1
    assert p.game.result() == ([250, 98], [True, False]) and not p.game.truncated


def test_E4_not_a_point_earlier():
    p = last_discard("red 2", spreads=["0: green 5 6 7"], scores=[231, 100])
    assert p.scores == [249, 98] and p.actor >= 0 and p.round_number == 3


def test_E4_the_highest_score_wins_whoever_ended_the_round():
    p = last_discard("red 2", spreads=["0: green 5 6 7", "1: blue 10 11 12"], scores=[240, 240])
    assert p.game.result() == ([258, 271], [False, True]) and p.actor == -1


def test_E4_tied_at_the_target_further_rounds_are_played():
    p = last_discard("red 3", spreads=["0: green 5 6 7", "1: blue 6 7 8"], scores=[232, 232])
    assert p.scores == [250, 250] and p.actor >= 0 and p.round_number == 3


def test_E4_tied_above_the_target_too():
    hands = ("red 3", "red 2")
    p = last_discard(*hands, spreads=["0: green 5 6 7", "1: blue 6 7 8"], scores=[252, 252, 100])
    assert p.scores == [270, 270, 98] and p.actor >= 0


def test_E4_a_tie_below_the_highest_score_does_not_matter():
    p = last_discard("red 2", "blue 2", spreads=["0: green 5 6 7"], scores=[240, 252, 252])
    assert p.scores == [258, 250, 250] and p.actor == -1
    assert p.game.result()[1] == [True, False, False]


def test_E4_a_tie_goes_on_until_one_is_alone_in_the_lead():
    p = last_discard("red 3", scores=[250, 250])
    assert p.scores == [250, 247] and p.actor == -1


def test_E4_nobody_has_the_target_any_more():
    p = last_discard("red 3", "red 4", scores=[100, 250, 250])
    assert p.scores == [100, 247, 246] and p.actor >= 0


@pytest.mark.parametrize("target_score", [100, 300])
def test_E4_the_target_is_in_the_rule_set(target_score):
    p = last_discard("red 2", spreads=["0: green 5 6 7"], scores=[target_score - 18, 20], target_score=target_score)
    assert p.actor == -1
    p = last_discard("red 2", spreads=["0: green 5 6 7"], scores=[target_score - 19, 20], target_score=target_score)
    assert p.actor >= 0


def test_E4_so_many_rounds_as_agreed_whatever_the_scores():
    p = last_discard("red 2", spreads=["0: green 5 6 7"], scores=[300, 100], rounds=3)
    assert p.actor >= 0 and p.round_number == 3
    p = last_discard("red 2", scores=[30, 10], rounds=2)
    assert p.actor == -1 and p.game.result() == ([30, 8], [True, False])


def test_E4_after_the_agreed_rounds_a_tie_is_shared():
    p = last_discard("red 2", "red 4", scores=[10, 12, 0], rounds=2)
    assert p.actor == -1 and p.game.result() == ([10, 10, -4], [True, True, False]) and not p.game.truncated
    assert p.game.returns("win") == [0.5, 0.5, -1.0]


# ---- Rounds and matches that nobody ends


def only_the_heap(*hands, heap="white 13", rest=1, **more):
    return Position(*hands, heap=heap, rest=rest, max_refills=0, **more)


def test_E5_where_only_the_heap_is_left_it_may_be_taken_from_or_declined():
    p = only_the_heap("red 2 4", "")
    assert p.asked == (0, "draw") and p.legal() == ["pass", "pick white 13"]
    p.act("pick white 13", "discard red 2")
    assert p.round_number == 1 and p.asked == (1, "draw")


def test_E5_declining_ends_the_round_which_is_scored_as_any_other():
    p = only_the_heap("red 2 4", "", "", rest=2, spreads=["1: green 5 6 7"]).act("pass")
    assert p.round_number == 2 and p.round_scores[:2] == [-6, 18]


def test_E5_with_an_empty_heap_too_the_round_ends():
    """The player before took the whole heap and played the last card of the hand."""
    p = only_the_heap("red 6 7", "", heap="red 5, red 8")
    p.act("pick red 5").lay("run red 5-7").add("red 8", "onto spread 1")
    assert p.asked == (1, "draw") and p.legal() == ["pass"]
    assert p.act("pass").round_number == 2


def test_E5_declining_is_not_offered_while_the_factory_gives_cards():
    p = Position("red 2 4", "red 9", draws="red 13", heap="white 13")
    assert not p.can("pass")
    with pytest.raises(IllegalAction):
        p.game.act(PASS)
    p = Position("red 2 4", "", heap="white 12 13", rest=1)  # a refill would give a card
    assert not p.can("pass") and p.can("draw")


@pytest.mark.parametrize(("turns", "over"), [(5, True), (3, False)])
def test_E5_after_max_turns_a_player(turns, over):
    p = Position("red 2 4", "red 9 12", draws="red 13", turn=1, turns=turns, max_turns=3, dealer=1)
    p.act("draw", "discard red 13")
    assert (p.round_number == 2) == over
    assert p.round_scores == ([-6, -21] if over else [0, 0])


def test_E5_turns_that_are_skipped_do_not_count():
    p = Position("red 11 2", "red 9 12", draws="red 13, red 14, white 2", turns=4, max_turns=3, dealer=1)
    p.act("draw", "discard red 11")
    assert p.asked == (0, "draw") and p.record["turns"] == 5
    p.act("draw", "discard red 14")
    assert p.round_number == 2


def test_E5_calls_of_the_last_turn_are_still_heard():
    p = Position("white 8, red 2", "red 12", draws="red 13", spreads=["1: white 5 6 7"], turns=5, max_turns=3)
    p.act("draw", "discard white 8", "call", "onto spread 1")
    assert p.round_number == 2 and p.round_scores == [-15, 26 - 12]


def test_E6_after_max_rounds_a_match_is_cut_short():
    p = last_discard("red 2", scores=[30, 10], round_number=4, max_rounds=4)
    assert p.actor == -1 and p.game.truncated and p.scores == [30, 8]
    p = last_discard("red 2", scores=[30, 10], round_number=3, max_rounds=4)
    assert p.actor >= 0 and not p.game.truncated


def test_E6_not_if_the_last_round_decides_it():
    p = last_discard("red 2", spreads=["0: green 5 6 7"], scores=[240, 10], round_number=4, max_rounds=4)
    assert p.actor == -1 and not p.game.truncated


def test_E6_agreed_rounds_are_not_cut_short():
    p = last_discard("red 2", scores=[30, 10], round_number=4, rounds=5, max_rounds=4)
    assert p.actor >= 0 and p.round_number == 5
    p = last_discard("red 2", scores=[30, 10], round_number=5, rounds=5, max_rounds=4)
    assert p.actor == -1 and not p.game.truncated


def test_E6_it_is_a_truncation_without_rewards():
    env = robots_env.env(num_players=2, rules={"max_rounds": 1, "max_turns": 1, "target_score": 1000})
    env.reset(seed=3)
    while env.agents and not any(env.truncations.values()):
        mask = env.last()[0]["action_mask"]
        env.step(int(mask.argmax()))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}


def test_E6_a_hundred_rounds_and_turns_by_default():
    rules = load_rules()
    assert (rules.max_rounds, rules.max_turns, rules.target_score, rules.robot_bonus) == (100, 100, 250, 25)
