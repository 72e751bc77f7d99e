"""The solo game [O1-O12]. Seat 0 is the player, seat 1 the Auto-Ecomechanic."""

from __future__ import annotations

import pytest

from lastdroid_env.game import LastDroid
from tests.lastdroid.positions import Position

FULL = "3 nut, 3 oil, 3 circuit, 3 energy"


def solo(**settings):
    return Position(1, **settings)


def next_turn(p):
    """From the player's action of an odd turn into the turn in which the Auto-Ecomechanic has priority."""
    return p.acting(0).act("dismantle")


def test_O1_the_auto_ecomechanic_neither_gains_nor_pays_parts():
    cards = {3: {"cost": "3 nut, 3 energy"}}
    p = solo(cards=cards).acting(0, others={1: 3}).act("dismantle")
    assert (p.place(3), p.parts(1)) == ("repaired 1", "nothing")


def test_O1_only_the_player_decides():
    game = LastDroid(1, ask_forced=True)
    game.deal(4)
    actors = set()
    while game.actor >= 0:
        actors.add(game.actor)
        game.act(game.legal_actions()[0])
    assert actors == {0}


def test_O2_you_start_with_two_of_each_and_priority():
    p = Position(1)
    assert (p.parts(0), p.priority, p.decision) == ("2 nut, 2 oil, 2 circuit, 2 energy", 0, "give")
    assert Position(1, hard=True).parts(0) == "1 nut, 1 oil, 1 circuit, 2 energy"


def test_O3_two_of_the_eight_houses_with_the_solo_symbol():
    dealt = [Position(1, seed=seed).houses_between(0) for seed in range(80)]
    assert {len(houses) for houses in dealt} == {2}
    assert {house for houses in dealt for house in houses} == {47, 48, 49, 50, 52, 53, 54, 55}


def test_O4_with_your_priority_you_choose_and_it_repairs_the_other_for_nothing():
    p = solo(cards={3: {"cost": "3 energy"}}).choosing(2, 3)
    assert p.legal() == ["give card 0", "give card 1"]
    p.act("give card 0", "pass", "dismantle")
    assert (p.place(2), p.place(3)) == ("discarded", "repaired 1")


@pytest.mark.parametrize(("interests", "mine"), [((7, 4), 3), ((4, 7), 2)])
def test_O5_with_its_priority_it_repairs_the_card_of_higher_interest(interests, mine):
    cards = {2: {"interest": interests[0]}, 3: {"interest": interests[1]}}
    p = next_turn(solo(cards=cards).upcoming(2, 3))
    assert (p.priority, p.decision, p.holder(mine), p.holder(5 - mine)) == (1, "exchange", 0, 1)
    p.act("pass")
    assert (p.decision, p.place(5 - mine)) == ("action", "repaired 1")


@pytest.mark.parametrize(("choice", "mine"), [("give card 0", 2), ("give card 1", 3)])
def test_O5_if_they_are_equal_you_decide(choice, mine):
    p = next_turn(solo(cards={2: {"interest": 6}, 3: {"interest": 6}}).upcoming(2, 3))
    assert (p.actor, p.decision, p.legal()) == (0, "tie", ["give card 0", "give card 1"])
    p.act(choice)
    assert (p.holder(mine), p.holder(5 - mine)) == (0, 1)


@pytest.mark.parametrize(("built", "other", "kept"), [(False, 9, 10), (True, 9, 10), (False, 11, 3)])
def test_O6_house_cards_in_play_change_the_interest_built_or_not(built, other, kept):
    p = solo(cards={10: {"interest": 2}, 3: {"interest": other}, 48: {"interest": {"market": 8}}}).houses(48)
    if built:
        p.built(48, by=0)
    p = next_turn(p.upcoming(10, 3))
    assert p.holder(kept) == 1  # 2 + 8 = 10


def test_O6_changes_of_the_same_type_add_up():
    shifts = {48: {"interest": {"market": 8}}, 52: {"interest": {"market": 3, "shed": 3}}}
    cards = {10: {"interest": 2}, 3: {"interest": 12}, **shifts}
    p = next_turn(solo(cards=cards).houses(48, 52).upcoming(10, 3))
    assert p.holder(10) == 1  # 2 + 8 + 3 = 13


def test_O6_houses_not_in_play_change_nothing():
    cards = {10: {"interest": 2}, 3: {"interest": 5}, 48: {"interest": {"market": 8}}}
    p = next_turn(solo(cards=cards).houses(47, 50).upcoming(10, 3))
    assert p.holder(3) == 1


@pytest.mark.parametrize(
    ("mine", "its", "discarded", "card", "place"),
    [
        ([], [], [], 1, "face up 0"),
        ([9], [], [], 1, "repaired 1"),  # fewer than you
        ([], [], [9], 1, "repaired 1"),  # fewer than are discarded
        ([], [9], [], 1, "face up 0"),
        ([1], [9], [15], 28, "face up 0"),  # as many as you, as many as are discarded
        ([1, 15], [9], [], 28, "repaired 1"),
        ([], [9], [1, 15], 28, "repaired 1"),
    ],
)
def test_O7_it_repairs_a_communication_droid_only_if_it_has_fewer(mine, its, discarded, card, place):
    p = solo().repaired(0, *mine).repaired(1, *its).face_up(*discarded).acting(0, others={1: card})
    assert int(p.record["face_up"][0]) == len(discarded)
    p.act("dismantle")
    assert p.place(card) == place


def test_O7_a_discarded_card_counts_for_you_as_well():
    p = solo().hold(0, "nothing").repaired(0, 9).repaired(1, 15).acting(0, others={1: 28})
    before, lying = p.score(0), int(p.record["face_up"][0])
    p.act("dismantle")
    assert p.place(28) == "face up 0"
    assert p.score(0) == before + int(p.record["face_up"][0]) - lying == before + 1


def test_O8_if_both_cards_are_communication_droids_you_act_first():
    p = next_turn(solo(cards={1: {"interest": 6}}).upcoming(1, 9)).act("pass")
    assert (p.priority, p.decision, p.place(1), p.place(9)) == (1, "action", "on table", "on table")
    p.act("dismantle")  # your card is discarded first, so that it has fewer than lie there
    assert (p.place(9), p.place(1)) == ("face up 0", "repaired 1")


def test_O8_otherwise_in_the_order_of_priority():
    p = next_turn(solo(cards={2: {"interest": 6}}).upcoming(2, 9)).act("pass")
    assert (p.decision, p.place(2), p.place(9)) == ("action", "repaired 1", "on table")
    p = solo().acting(0, card=9, others={1: 2})
    assert p.place(2) == "on table"


def test_O9_it_ignores_the_effects_of_its_droids():
    p = (
        solo(cards={13: {"extensions": "2 circuit, 1 ?", "gift": "3 circuit"}})
        .acting(0, others={1: 13})
        .act("dismantle")
    )
    assert (p.place(13), p.parts(1), p.extensions(1), p.turn) == ("repaired 1", "nothing", "nothing", 2)


def at_season_end(mine, its):
    p = solo(turn=7).hold(0, "nothing").repaired(0, *mine).repaired(1, *its).acting(0).act("dismantle")
    assert p.stage == "season exchange"
    return p.hold(0, "nothing").act("pass")


def test_O9_it_takes_neither_extensions_nor_the_season_energy():
    p = at_season_end([3], [5, 8])
    assert (p.actor, p.decision) == (0, "extension")
    p.act("extend nut")
    assert (p.extensions(1), p.parts(1), p.turn) == ("nothing", "nothing", 8)


def test_O9_its_leaves_and_communication_droids_count():
    p = solo().repaired(0, 3).repaired(1, 5, 8, 9).face_up(1).acting(0)
    assert (p.score(0), p.score(1)) == (1, 3 + 1 + 3)
    p = solo().repaired(0, 3).repaired(1, 5).built(54, by=0).acting(0)
    assert p.score(0) == 1
    p = solo().repaired(0, 3).built(54, by=0).acting(0)
    assert p.score(0) == 1 + 3 + 12


def test_O10_nobody_takes_the_points_for_most_parts():
    p = solo().hold(0, "3 nut, 3 oil").acting(0)
    assert (p.score(0), p.score(1)) == (0, 0)


def test_O10_the_rp_of_its_water_droids_are_added_up_and_halved():
    cards = {2: {"rp": 3}, 4: {"rp": 3}, 6: {"rp": 1}, 14: {"rp": 5}}
    p = solo(cards=cards).repaired(1, 2, 4, 6, 14).acting(0)
    assert p.score(1) == 7 // 2 + 5
    p = solo(cards=cards).repaired(0, 2, 4, 6, 14).acting(0)
    assert p.score(0) == 7 + 5


@pytest.mark.parametrize(("rp", "winners"), [(6, [0]), (5, [1]), (4, [1])])
def test_O11_you_win_with_strictly_more_rp(rp, winners):
    p = solo(cards={14: {"rp": rp}, 13: {"rp": 5}}).repaired(0, 14).repaired(1, 13).hold(0, FULL).acting(0)
    assert p.winners() == winners


def test_O11_the_game_ends_when_you_have_built_both_houses():
    p = solo().houses(47, 48).built(47, by=0).hold(0, "1 nut").acting(0).act("build house 48")
    assert p.stage == "final exchange"
    assert p.act("pass").over


@pytest.mark.parametrize(
    ("mine", "its", "energy"), [([3, 5], [8], "1 energy"), ([3], [5], "nothing"), ([], [3], "nothing")]
)
def test_O12_the_season_energy_is_yours_with_more_leaves(mine, its, energy):
    assert at_season_end(mine, its).act("extend nut").parts(0) == energy
