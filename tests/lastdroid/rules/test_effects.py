"""Droid effects [F1-F12]."""

from __future__ import annotations

import pytest

from lastdroid_env.cards import load_cards
from lastdroid_env.constants import WILD_TYPE_HOUSES, WILD_TYPE_HOUSES_EXTRA
from tests.lastdroid.positions import Position, card_file

BUILT_IN = card_file(plain=False)
FULL = "3 nut, 3 oil, 3 circuit, 3 energy"
OWN_EXCHANGES = {10, 16, 20, 22, 62, 72, 77, 88, 92}


def test_F1_water_droids_have_no_effect_and_more_rp_than_other_types():
    def mean(name):
        points = [card.rp for card in load_cards().droids.values() if card.type == name]
        return sum(points) / len(points)

    others = ("harvest", "communication", "shed", "collection", "market")
    assert mean("water") > max(map(mean, others))
    p = Position(cards=BUILT_IN).hold(0, FULL).acting(0, card=2).act("repair")
    assert (p.parts(0), p.extensions(0), p.actor) == ("1 nut, 2 oil, 3 circuit, 3 energy", "nothing", 1)


def test_F2_harvest_droids_bring_leaves_and_rp():
    p = Position(cards={3: {"leaves": 2, "rp": 4}}).hold(0, "1 nut").hold(1, "nothing").acting(0, card=3).act("repair")
    assert p.record["leaves"].tolist()[:2] == [2, 0]
    assert p.score(0) == 4 + 3  # G5


def test_F3_the_printed_communication_droid():
    p = Position(cards=BUILT_IN).hold(0, "nothing").hold(1, "nothing").repaired(0, 29).acting(0)
    assert p.score(0) == 3 + int(p.record["face_up"][0])
    assert p.record["face_up"][0] >= 1


def test_F4_the_printed_shed_droid_one_free_two_circuit_extensions_then_three_circuits():
    p = Position(cards=BUILT_IN).hold(0, "2 nut, 1 oil, 2 circuit").acting(0, card=13).act("repair", "pay 1 oil")
    assert (p.decision, p.extensions(0)) == ("extension", "2 circuit")
    assert p.legal() == ["extend nut", "extend oil", "extend circuit", "extend energy"]
    p.act("extend energy")
    assert (p.extensions(0), p.parts(0)) == ("2 circuit, 1 energy", "5 circuit")


def test_F4_the_parts_find_room_in_the_new_extensions():
    p = Position(cards={14: {"extensions": "1 ?", "gift": "2 nut"}}).hold(0, "3 nut").acting(0, card=14)
    p.act("repair", "extend nut")
    assert p.parts(0) == "4 nut"


@pytest.mark.parametrize("droid", [13, 14, 30, 63, 73, 78, 83, 93])
def test_F4_all_of_these_shed_droids_take_extensions_and_parts_once(droid):
    cards = {droid: {"extensions": "1 oil, 2 ?", "gift": "1 energy"}}
    p = Position(4 if droid > 44 else 2, cards=cards, priority=0).hold(0, "nothing").hold(3, "nothing")
    seat = 3 if droid > 44 else 0
    p.hold(seat, "1 nut").acting(seat, card=droid).act("repair", "extend nut", "extend nut")
    assert (p.extensions(seat), p.parts(seat)) == ("2 nut, 1 oil", "1 energy")
    assert p.actor != seat


HOUSES = (45, 46, 47, 48)


def at_tokens(players=2, **settings):
    p = Position(players, cards={31: {"extensions": "2 ?"}, **{h: {"cost": "1 nut"} for h in HOUSES}}, **settings)
    return p.hold(0, "1 nut")


def test_F5_two_free_extensions_then_tokens_on_an_available_house():
    p = at_tokens(3).houses(45, 46, pair=0).houses(47, 48, pair=1).houses(49, 50, pair=2).built(50, by=2)
    p.acting(0, card=31).act("repair", "extend nut", "extend oil")
    assert p.extensions(0) == "1 nut, 1 oil"
    assert p.legal() == ["lay tokens on house 45", "lay tokens on house 46", "lay tokens on house 49"]
    p.act("lay tokens on house 46")
    assert (p.record["token_house"], p.record["token_owner"], p.actor) == (1, 0, 1)


def test_F5_for_opponents_the_house_costs_three_more_base_parts_of_choice():
    p = Position(cards={45: {"cost": "1 energy"}}).tokens(45, by=0).hold(1, "2 nut, 1 circuit, 1 energy").acting(1)
    p.act("build house 45")
    assert p.decision == "pay any"
    p.act("pay 1 circuit", "pay 1 nut", "pay 1 nut")
    assert (p.builder(45), p.parts(1)) == (1, "nothing")


@pytest.mark.parametrize("parts", ["2 nut, 1 energy", "2 nut, 2 energy"])
def test_F5_an_opponent_without_them_cannot_build(parts):
    p = Position(cards={45: {"cost": "1 energy"}}).tokens(45, by=0).hold(1, parts).acting(1)
    assert not p.can("build house 45")


def test_F5_other_houses_cost_the_same():
    p = Position(cards={46: {"cost": "1 energy", "gift": "1 oil"}}).houses(45, 46).tokens(45, by=0)
    p.hold(1, "1 energy").acting(1).act("build house 46")
    assert p.parts(1) == "1 oil"


def test_F5_for_its_owner_the_house_costs_no_more():
    p = Position(cards={45: {"cost": "1 energy"}}).tokens(45, by=0).hold(0, "1 energy").acting(0)
    p.act("build house 45")
    assert p.parts(0) == "nothing"


def test_F5_of_four_players_the_opponent_faced_pays():
    p = Position(4, cards={45: {"cost": "1 energy"}}, priority=0).houses(45, pair=0).tokens(45, by=0)
    p.hold(1, "3 nut, 1 energy").acting(1).act("build house 45")
    assert p.decision == "pay any"


def test_F5_in_the_solo_game_nothing_is_laid_or_asked():
    p = at_tokens(1).acting(0, card=31).act("repair", "extend nut", "extend oil")
    assert p.record["token_house"] == -1
    assert p.stage != "acting" or p.decision != "token"


def test_F5_with_no_house_left_none_are_laid():
    p = at_tokens().houses(*HOUSES).built(*HOUSES, by=1).acting(0, card=31).act("repair", "extend nut", "extend oil")
    assert (p.decision, p.actor, p.record["token_house"]) == ("action", 1, -1)


def test_F6_one_free_extension():
    p = Position(cards={36: {"extensions": "1 ?"}}).hold(0, "1 nut").acting(0, card=36).act("repair", "extend energy")
    assert p.extensions(0) == "1 energy"


def wild(houses, droids, players=2, **settings):
    """What droid 36, which scores nothing by itself, adds to the score of seat 0."""
    scores = []
    for owner in (1, 0):
        p = Position(players, cards={36: {"rp": 0, "cost": "2 nut, 2 same"}}, **settings)
        for seat in range(players):
            p.hold(seat, "nothing")
        p.built(*houses, by=0).repaired(0, *droids).repaired(owner, 36)
        scores.append(p.acting(0).score(0))
    return scores[1] - scores[0]


def test_F6_it_counts_as_the_type_that_scores_most():
    assert wild([55], []) == 3  # H55, as a communication droid
    assert wild([49], []) == 4  # H49, as a water droid: the icons of its own cost
    assert wild([49, 55], []) == 4  # one choice for all houses: 4 as water, 3 as communication
    assert wild([52], [2, 3, 1, 13, 7]) == 12  # H52, as the market droid that is missing


def test_F6_none_is_a_choice_too():
    # H50 with five types scores 6 and with six nothing: as an own-typed shed droid it changes nothing.
    assert wild([50], [2, 3, 1, 13, 7]) == 0


def test_F6_it_always_counts_as_a_shed_droid():
    assert wild([50], [2, 3, 1, 7]) == 6 - 12  # a fifth type, whatever it is taken for


def test_F6_for_nobody_else():
    p = Position().hold(0, "nothing").hold(1, "nothing").built(55, by=0).repaired(1, 36).acting(0)
    assert p.score(0) == 0


@pytest.mark.parametrize(("house", "droids", "points"), [(48, [], 4), (47, [7, 11], 6)])
def test_F6_houses_47_and_48_only_by_the_setting(house, droids, points):
    assert wild([house], droids) == 0
    assert wild([house], droids, wild_type_houses=WILD_TYPE_HOUSES + WILD_TYPE_HOUSES_EXTRA) == points


BONUS = {7: {"bonus": "nut"}, 11: {"bonus": "oil"}, 12: {"bonus": "circuit"}, 96: {"bonus": "?"}}


def dismantled(gain, owned, *, parts="nothing"):
    """Seat 0 of two owns some of droids 7, 11 and 12 and dismantles a card."""
    p = Position(cards={4: {"dismantle": gain}, **BONUS}).repaired(0, *owned).hold(0, parts)
    return p.acting(0, card=4).act("dismantle")


def dismantled_by_96(gain, *, parts="nothing", owned=(96,)):
    """Seat 3 of four, in position 2, owns droid 96 and dismantles a card."""
    p = Position(4, cards={79: {"dismantle": gain}, **BONUS}, priority=0)
    return p.repaired(3, *owned).hold(3, parts).acting(3, card=79).act("dismantle")


@pytest.mark.parametrize(
    ("gain", "owned", "total"),
    [
        ("1 nut", [7], "2 nut"),
        ("2 nut", [7], "3 nut"),  # once a dismantling
        ("1 oil, 1 circuit", [7], "1 oil, 1 circuit"),
        ("1 nut, 1 oil, 1 circuit", [7, 11, 12], "2 nut, 2 oil, 2 circuit"),
        ("1 energy", [7, 11, 12], "1 energy"),
    ],
)
def test_F7_one_more_of_the_part_that_dismantling_yields(gain, owned, total):
    assert dismantled(gain, owned).parts(0) == total


def test_F7_it_looks_at_what_was_named():
    assert dismantled("1 ?", [11]).act("gain 1 oil").parts(0) == "2 oil"
    assert dismantled("1 ?", [11]).act("gain 1 nut").parts(0) == "1 nut"
    assert dismantled("2 different", [11, 12]).act("gain oil and circuit").parts(0) == "2 oil, 2 circuit"


def test_F7_droid_96_adds_a_base_part_of_choice_whenever_one_is_gained():
    p = dismantled_by_96("1 circuit")
    assert (p.decision, p.legal()) == ("gain any", ["gain 1 nut", "gain 1 oil", "gain 1 circuit"])
    assert p.act("gain 1 nut").parts(3) == "1 nut, 1 circuit"
    assert p.actor == 1


def test_F7_droid_96_adds_nothing_to_energy_alone():
    p = dismantled_by_96("2 energy")
    assert (p.parts(3), p.actor) == ("2 energy", 1)


def test_F7_a_part_gained_counts_even_if_it_found_no_room():
    p = dismantled_by_96("1 nut", parts="3 nut")
    assert p.legal() == ["gain 1 oil", "gain 1 circuit"]
    assert p.act("gain 1 oil").parts(3) == "3 nut, 1 oil"


def test_F7_bonuses_trigger_no_bonuses():
    p = dismantled_by_96("1 nut", owned=(96, 11, 7))
    assert p.parts(3) == "2 nut"
    p.act("gain 1 oil")
    assert (p.parts(3), p.actor) == ("2 nut, 1 oil", 1)


def test_F7_a_repair_gives_no_bonus():
    p = (
        Position(cards={25: {"gift": "1 nut"}, **BONUS})
        .repaired(0, 7)
        .hold(0, "1 nut")
        .acting(0, card=25)
        .act("repair")
    )
    assert p.parts(0) == "1 nut"


def test_F8_the_printed_alternatives():
    p = Position(cards=BUILT_IN).hold(0, "2 oil, 1 circuit").acting(0, card=25).act("repair", "pay 1 circuit")
    assert (p.decision, p.legal()) == ("alternative", ["take alternative 1", "take alternative 2"])
    assert p.act("take alternative 2").parts(0) == "1 nut, 2 circuit"


@pytest.mark.parametrize("droid", [25, 26, 27, 38, 82, 86, 87, 95])
def test_F8_the_base_parts_shown_are_taken_once_at_repair(droid):
    seat = 3 if droid > 44 else 0
    p = Position(4 if droid > 44 else 2, cards={droid: {"gift": "2 nut, 1 circuit"}}, priority=0)
    p.hold(seat, "1 nut").acting(seat, card=droid).act("repair")
    assert p.parts(seat) == "2 nut, 1 circuit"
    assert p.dismantle_all().parts(seat) == "2 nut, 1 circuit"


@pytest.mark.parametrize(("droid", "season_card"), [(65, 65), (71, 71)])
def test_F9_base_parts_are_laid_on_the_card_itself(droid, season_card):
    p = Position(3, cards={droid: {"stores": "1 nut, 1 circuit, 1 ?"}}).hold(0, "3 nut, 3 oil, 3 circuit")
    p.acting(0, card=season_card).act("repair")
    assert p.legal() == ["gain 1 nut", "gain 1 oil", "gain 1 circuit"]  # a full shed does not matter
    p.act("gain 1 oil")
    assert (p.parts(0), p.stored(droid)) == ("2 nut, 3 oil, 3 circuit", "1 nut, 1 oil, 1 circuit")


def exchange_names(p):
    return [name for name in p.legal() if name.startswith("exchange with droid")]


def test_F10_the_printed_exchanges_once_a_phase():
    p = Position(cards=BUILT_IN).repaired(0, 10, 16).hold(0, "2 nut, 2 oil").exchanging(0)
    assert exchange_names(p) == [
        "exchange with droid 10: 1 nut for 1 circuit",
        "exchange with droid 10: 1 oil for 1 circuit",
        "exchange with droid 16: 1 oil for 1 nut",
        "exchange with droid 16: 1 oil for 1 circuit",
    ]
    p.act("exchange with droid 16: 1 oil for 1 circuit")
    assert {name.split(":")[0] for name in exchange_names(p)} == {"exchange with droid 10"}


@pytest.mark.parametrize("droid", [10, 16, 62, 72, 88, 92])
def test_F10_these_market_droids_are_limited(droid):
    assert load_cards().droids[droid].uses in (1, 2)


def test_F11_the_printed_exchange_any_number_of_times():
    p = Position(cards=BUILT_IN).repaired(0, 20).hold(0, "3 nut, 3 oil").extend(0, "3 energy").exchanging(0)
    for name in ("2 nut for 1 energy", "2 oil for 1 energy"):
        p.act(f"exchange with droid 20: {name}")
    assert p.parts(0) == "1 nut, 1 oil, 2 energy"


@pytest.mark.parametrize("droid", [20, 22, 77])
def test_F11_these_market_droids_are_unlimited(droid):
    p = Position(3, cards={droid: {"exchanges": ["3 nut -> 1 circuit"]}}).repaired(0, droid)
    p.extend(0, "7 nut, 7 circuit").hold(0, "9 nut").exchanging(0)
    name = f"exchange with droid {droid}: 3 nut for 1 circuit"
    assert p.act(name, name, name).parts(0) == "3 circuit"


@pytest.mark.parametrize(("cost", "left"), [("1 nut, 2 energy", "2 energy"), ("1 nut, 1 energy", "3 energy")])
def test_F12_a_repair_costs_its_owner_one_energy_less(cost, left):
    p = Position(cards={34: {"cost": cost}}).repaired(0, 42).hold(0, "1 nut, 3 energy").acting(0, card=34)
    assert p.act("repair").parts(0) == left


def test_F12_with_that_energy_less_in_the_shed():
    p = Position(cards={34: {"cost": "2 energy"}}).repaired(0, 42).hold(0, "1 energy").hold(1, "1 energy")
    assert p.acting(0, card=34).can("repair")
    p = Position(cards={34: {"cost": "2 energy"}}).repaired(1, 42).hold(0, "1 energy").acting(0, card=34)
    assert not p.can("repair")


def test_F12_never_below_none():
    p = Position(cards={34: {"cost": "1 nut"}}).repaired(0, 42).hold(0, "1 nut, 1 energy").acting(0, card=34)
    assert p.act("repair").parts(0) == "1 energy"


def test_F12_not_for_building():
    p = Position(cards={45: {"cost": "1 energy"}}).houses(45).repaired(0, 42).hold(0, "nothing").acting(0)
    assert not p.can("build house 45")
    p = Position(cards={45: {"cost": "1 energy"}}).houses(45).repaired(0, 42).hold(0, "1 energy").acting(0)
    assert p.act("build house 45").parts(0) == "nothing"


def test_F12_not_for_its_own_repair():
    p = Position(cards={42: {"cost": "1 nut, 1 energy"}}).hold(0, "1 nut, 1 energy").acting(0, card=42).act("repair")
    assert p.parts(0) == "nothing"


def test_F12_house_49_counts_printed_icons():
    scores = []
    for owned in ([34], [34, 42]):
        p = Position(cards={34: {"cost": "1 nut, 2 energy"}, 42: {"rp": 0}}).hold(0, "nothing").hold(1, "nothing")
        scores.append(p.built(49, by=0).repaired(0, *owned).acting(0).score(0))
    assert scores == [1 + 3, 1 + 3]
