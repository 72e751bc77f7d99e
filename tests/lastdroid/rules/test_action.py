"""The action [A1-A7]."""

from __future__ import annotations

import pytest

from tests.lastdroid.positions import Position, counts

FULL = "3 nut, 3 oil, 3 circuit, 3 energy"


def test_A1_repair_pays_the_cost_lays_the_card_down_and_takes_its_effect():
    p = Position(cards={14: {"cost": "2 nut, 1 energy", "extensions": "2 oil", "gift": "4 oil"}})
    p.hold(0, "3 nut, 1 energy").acting(0, card=14).act("repair")
    assert (p.parts(0), p.extensions(0), p.place(14)) == ("1 nut, 4 oil", "2 oil", "repaired 0")


def test_A1_repair_needs_the_whole_cost():
    cards = {2: {"cost": "2 nut, 1 energy"}}
    assert Position(cards=cards).hold(0, "2 nut, 1 energy").acting(0, card=2).can("repair")
    assert not Position(cards=cards).hold(0, "1 nut, 1 energy").acting(0, card=2).can("repair")
    assert not Position(cards=cards).hold(0, "3 nut").acting(0, card=2).can("repair")


def test_A1_the_permanent_effect_holds_from_now_on():
    p = Position(cards={7: {"bonus": "nut"}}).hold(0, "1 nut").acting(0, card=7).act("repair").dismantle_all()
    p = p.act("give card 0").pass_all().dismantle_all()
    assert p.parts(0) == "2 nut"  # 1 from the card, 1 from droid 7


def test_A2_dismantle_takes_the_parts_and_discards_face_down():
    p = Position(cards={2: {"dismantle": "2 oil, 1 energy"}}).hold(0, "1 nut").acting(0, card=2).act("dismantle")
    assert (p.parts(0), p.place(2)) == ("1 nut, 2 oil, 1 energy", "discarded")


def test_A2_collection_droids_add_parts():
    p = Position(cards={2: {"dismantle": "1 oil"}, 11: {"bonus": "oil"}}).repaired(0, 11).hold(0, "nothing")
    assert p.acting(0, card=2).act("dismantle").parts(0) == "2 oil"


def test_A3_build_gives_up_the_card_pays_the_house_and_takes_its_effect():
    cards = {2: {"dismantle": "3 oil"}, 46: {"cost": "2 nut", "gift": "1 circuit"}}
    p = Position(cards=cards).houses(46).hold(0, "3 nut").acting(0, card=2).act("build house 46")
    assert (p.parts(0), p.builder(46), p.place(2)) == ("1 nut, 1 circuit", 0, "discarded")


def test_A3_only_an_available_house_that_can_be_paid():
    p = Position(3, cards={48: {"cost": "3 energy"}}).houses(45, 48, pair=0).houses(46, 47, pair=1)
    p.houses(49, 50, pair=2).built(50, by=2).hold(0, "1 nut").acting(0)
    assert [name for name in p.legal() if name.startswith("build")] == ["build house 45", "build house 49"]


def test_A4_any_is_a_base_part_of_choice_and_never_energy():
    p = Position(cards={2: {"cost": "1 ?"}}).hold(0, "1 nut, 1 circuit, 3 energy").acting(0, card=2).act("repair")
    assert p.legal() == ["pay 1 nut", "pay 1 circuit"]
    assert not Position(cards={2: {"cost": "1 ?"}}).hold(0, "3 energy").acting(0, card=2).can("repair")


def test_A4_pairs_are_of_one_kind_or_of_two():
    cards = {2: {"cost": "2 same, 2 different"}}
    assert not Position(cards=cards).hold(0, "2 nut, 1 oil").acting(0, card=2).can("repair")
    assert not Position(cards=cards).extend(0, "1 nut").hold(0, "4 nut").acting(0, card=2).can("repair")
    p = Position(cards=cards).hold(0, "3 nut, 1 oil").acting(0, card=2).act("repair", "pay 2 nut", "pay nut and oil")
    assert p.parts(0) == "nothing"


def test_A4_different_means_from_each_other_within_the_pair():
    p = Position(cards={2: {"cost": "2 different, 2 different"}}).hold(0, "2 nut, 2 oil").acting(0, card=2)
    p.act("repair", "pay nut and oil", "pay nut and oil")
    assert p.parts(0) == "nothing"


def test_A4_a_choice_is_legal_only_if_the_rest_can_still_be_paid():
    p = Position(cards={2: {"cost": "2 different, 2 same"}}).hold(0, "2 nut, 1 oil, 1 circuit").acting(0, card=2)
    assert p.act("repair").legal() == ["pay oil and circuit"]


def test_A4_parts_are_named_as_fixed_pairs_in_printed_order_any_tokens():
    cards = {45: {"cost": "1 energy, 2 different, 2 same, 1 ?"}}
    p = Position(cards=cards).tokens(45, by=1).extend(0, "3 nut").hold(0, "6 nut, 3 oil, 3 circuit, 1 energy")
    p.acting(0).act("build house 45")
    assert p.parts(0) == "6 nut, 3 oil, 3 circuit"
    asked = []
    while p.decision.startswith("pay"):
        asked.append(p.legal()[0])
        p.act(p.legal()[0])
    assert asked == ["pay nut and oil", "pay 2 nut", "pay 1 nut", "pay 1 nut", "pay 1 nut", "pay 1 oil"]


NAMES = {
    "1 ?": ["1 nut", "1 oil", "1 circuit"],
    "2 same": ["2 nut", "2 oil", "2 circuit"],
    "2 different": ["nut and oil", "nut and circuit", "oil and circuit"],
}
NAMED = [(icon, name) for icon, names in NAMES.items() for name in names]


def as_parts(name):
    return counts(", ".join(part if part[0].isdigit() else f"1 {part}" for part in name.split(" and ")))


@pytest.mark.parametrize(("icon", "name"), NAMED)
def test_A4_just_the_parts_named_are_paid(icon, name):
    p = Position(cards={2: {"cost": icon}}).hold(0, FULL).acting(0, card=2).act("repair", f"pay {name}")
    assert [3 - n for n in counts(p.parts(0))] == as_parts(name)
    assert p.actor == 1


@pytest.mark.parametrize(("icon", "name"), NAMED)
def test_A5_just_the_parts_named_are_gained(icon, name):
    p = Position(cards={2: {"dismantle": icon}}).hold(0, "nothing").acting(0, card=2).act("dismantle", f"gain {name}")
    assert counts(p.parts(0)) == as_parts(name)
    assert p.actor == 1


def test_A5_gains_beyond_the_capacity_are_lost():
    p = Position(cards={2: {"dismantle": "3 nut, 1 energy"}}).hold(0, "2 nut, 3 energy")
    assert p.acting(0, card=2).act("dismantle").parts(0) == "3 nut, 3 energy"


def test_A5_fixed_parts_come_first_then_pairs_then_any():
    p = Position(cards={2: {"dismantle": "1 nut, 1 ?, 2 same"}}).hold(0, "nothing").acting(0, card=2).act("dismantle")
    assert p.parts(0) == "1 nut"
    assert p.legal() == ["gain 2 nut", "gain 2 oil", "gain 2 circuit"]
    assert p.act("gain 2 oil").legal() == ["gain 1 nut", "gain 1 oil", "gain 1 circuit"]


def test_A5_any_names_a_kind_with_room():
    p = Position(cards={2: {"dismantle": "1 ?"}}).hold(0, "3 nut, 2 oil, 3 circuit").acting(0, card=2)
    assert p.act("dismantle").legal() == ["gain 1 oil"]


def test_A5_an_identical_pair_names_a_kind_with_room_for_one():
    p = Position(cards={2: {"dismantle": "2 same"}}).hold(0, "3 nut, 2 oil").acting(0, card=2).act("dismantle")
    assert p.legal() == ["gain 2 oil", "gain 2 circuit"]
    assert p.act("gain 2 oil").parts(0) == "3 nut, 3 oil"


def test_A5_a_different_pair_names_two_kinds_with_room_or_the_only_one():
    cards = {2: {"dismantle": "2 different"}}
    p = Position(cards=cards).hold(0, "3 nut").acting(0, card=2).act("dismantle")
    assert p.legal() == ["gain oil and circuit"]
    p = Position(cards=cards).hold(0, "3 nut, 3 oil").acting(0, card=2).act("dismantle")
    assert p.legal() == ["gain 1 circuit"]
    assert p.act("gain 1 circuit").parts(0) == "3 nut, 3 oil, 1 circuit"


@pytest.mark.parametrize("gain", ["1 ?", "2 same", "2 different, 2 ?", "2 nut"])
def test_A5_with_no_room_anywhere_gains_are_lost_and_dismantling_is_legal(gain):
    p = Position(cards={2: {"dismantle": gain}}).hold(0, FULL).acting(0, card=2)
    assert p.can("dismantle")
    assert p.act("dismantle").parts(0) == FULL
    assert p.actor == 1


def test_A6_of_two_players_it_stays_face_up_between_them():
    p = Position().acting(0, card=1).act("dismantle")
    assert (p.place(1), p.record["face_up"].tolist()) == ("face up 0", [1, 0, 0])


@pytest.mark.parametrize(("side", "pair"), [("next", 1), ("previous", 0)])
def test_A6_of_three_players_beside_the_opponent_of_the_actors_choice(side, pair):
    p = Position(3).acting(1, card=1).act("dismantle")  # pair i lies between seats i and i + 1
    assert p.legal() == ["lay it beside the next player", "lay it beside the previous player"]
    p.act(f"lay it beside the {side} player")
    assert p.place(1) == f"face up {pair}"


@pytest.mark.parametrize(("seat", "card", "pair"), [(0, 1, 0), (1, 9, 0), (2, 59, 1), (3, 64, 1)])
def test_A6_of_four_players_between_the_actor_and_the_opponent_faced(seat, card, pair):
    p = Position(4, priority=0).acting(seat, card=card).act("dismantle")
    assert p.place(card) == f"face up {pair}"


def test_A6_the_same_when_it_is_discarded_for_a_house():
    p = Position(2).houses(45).hold(0, "1 nut").acting(0, card=1).act("build house 45")
    assert p.place(1) == "face up 0"


def test_A6_of_three_players_a_builder_chooses_too_before_paying():
    p = Position(3, cards={45: {"cost": "1 nut, 1 ?"}}).houses(45).hold(0, "2 nut").acting(0, card=1)
    p.act("build house 45")
    assert (p.decision, p.parts(0)) == ("beside", "2 nut")
    p.act("lay it beside the previous player", "pay 1 nut")
    assert (p.place(1), p.builder(45), p.parts(0)) == ("face up 2", 0, "nothing")


def stored_nuts(owed):
    """Seat 0 has 2 nuts in the shed, 1 on droid 65 and 2 on droid 71, and has repaired a card that costs some."""
    p = Position(3, cards={35: {"cost": f"{owed} nut"}}).repaired(0, 65, 71)
    p.hold(0, "2 nut").store(65, "1 nut").store(71, "2 nut")
    return p.acting(0, card=35)


@pytest.mark.parametrize(
    ("owed", "left"),
    [
        (2, ("nothing", "1 nut", "2 nut")),
        (3, ("nothing", "nothing", "2 nut")),
        (4, ("nothing", "nothing", "1 nut")),
        (5, ("nothing", "nothing", "nothing")),
    ],
)
def test_A7_parts_on_65_and_71_are_paid_after_the_shed_and_65_before_71(owed, left):
    p = stored_nuts(owed).act("repair")
    assert (p.parts(0), p.stored(65), p.stored(71)) == left


def test_A7_they_are_not_enough_for_more():
    assert not stored_nuts(6).can("repair")


def test_A7_they_take_no_room():
    p = Position(3, cards={4: {"dismantle": "3 nut"}}).repaired(0, 65).hold(0, "nothing").store(65, "3 nut")
    p.acting(0, card=4).act("dismantle")
    assert (p.parts(0), p.stored(65)) == ("3 nut", "3 nut")


def test_A7_nobody_else_may_use_them():
    p = Position(3, cards={4: {"cost": "1 oil"}}).repaired(0, 65).hold(1, "nothing").store(65, "3 oil")
    assert not p.acting(1, card=4).can("repair")
