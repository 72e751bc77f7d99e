"""Exchanging parts [X1-X6]."""

from __future__ import annotations

import random

import pytest

from lastdroid_env.cards import CardFileError, exchange_weights
from lastdroid_env.constants import NUM_EXCHANGES
from tests.lastdroid.positions import Position, card_file, counts

ROOM = "4 nut, 4 oil, 4 circuit, 4 energy"
FULL = "3 nut, 3 oil, 3 circuit, 3 energy"


def exchanges(p):
    return [name for name in p.legal() if name != "pass"]


def test_X1_exactly_twelve_exchanges_with_the_supply():
    p = Position().hold(0, FULL).extend(0, ROOM).exchanging(0)
    assert exchanges(p) == [
        "exchange 1 energy for 1 nut",
        "exchange 1 energy for 1 oil",
        "exchange 1 energy for 1 circuit",
        "exchange 2 nut for 1 oil",
        "exchange 2 nut for 1 circuit",
        "exchange 2 oil for 1 nut",
        "exchange 2 oil for 1 circuit",
        "exchange 2 circuit for 1 nut",
        "exchange 2 circuit for 1 oil",
        "exchange 3 nut for 1 energy",
        "exchange 3 oil for 1 energy",
        "exchange 3 circuit for 1 energy",
    ]


@pytest.mark.parametrize(
    ("exchange", "left"),
    [
        ("exchange 1 energy for 1 oil", "3 nut, 1 oil, 1 energy"),
        ("exchange 2 nut for 1 circuit", "1 nut, 1 circuit, 2 energy"),
        ("exchange 3 nut for 1 energy", "3 energy"),
    ],
)
def test_X1_what_an_exchange_does(exchange, left):
    p = Position().hold(0, "3 nut, 2 energy").exchanging(0).act(exchange)
    assert (p.actor, p.decision) == (0, "exchange")
    assert p.parts(0) == left


def test_X1_any_number_of_times():
    p = Position().hold(0, "3 energy").exchanging(0)
    p.act("exchange 1 energy for 1 nut", "exchange 1 energy for 1 nut", "exchange 1 energy for 1 nut", "pass")
    assert p.parts(0) == "3 nut"


def test_X2_a_market_droid_adds_its_exchanges_for_its_owner():
    cards = {10: {"exchanges": ["1 nut -> 1 circuit", "1 oil -> 1 circuit"], "uses": 1}}
    p = Position(cards=cards).repaired(0, 10).hold(0, "1 nut").hold(1, "1 nut").exchanging(0)
    assert exchanges(p) == ["exchange with droid 10: 1 nut for 1 circuit"]
    p.act("exchange with droid 10: 1 nut for 1 circuit")
    assert p.parts(0) == "1 circuit"
    p.act("pass")
    assert exchanges(p) == []


@pytest.mark.parametrize(("uses", "times"), [(1, 1), (2, 2)])
def test_X2_some_are_limited_to_once_or_twice_a_phase(uses, times):
    p = Position(cards={10: {"exchanges": ["1 nut -> 1 circuit"], "uses": uses}}).repaired(0, 10).hold(0, "3 nut")
    p.exchanging(0)
    done = 0
    while p.can("exchange with droid 10: 1 nut for 1 circuit"):
        p.act("exchange with droid 10: 1 nut for 1 circuit")
        done += 1
    assert done == times


def test_X3_what_is_received_must_find_room():
    p = Position().hold(0, "3 nut, 3 oil, 2 circuit, 1 energy").exchanging(0)
    assert exchanges(p) == [
        "exchange 1 energy for 1 circuit",
        "exchange 2 nut for 1 circuit",
        "exchange 2 oil for 1 circuit",
        "exchange 3 nut for 1 energy",
        "exchange 3 oil for 1 energy",
    ]


def test_X3_a_droid_that_gives_two_needs_room_for_two():
    cards = {10: {"exchanges": ["1 nut -> 2 circuit"], "uses": 1}}
    name = "exchange with droid 10: 1 nut for 2 circuit"
    assert Position(cards=cards).repaired(0, 10).hold(0, "1 nut, 1 circuit").exchanging(0).can(name)
    assert not Position(cards=cards).repaired(0, 10).hold(0, "1 nut, 2 circuit").exchanging(0).can(name)


def test_X4_three_exchanges_are_not_offered():
    p = Position().hold(0, FULL).extend(0, ROOM).exchanging(0)
    sides = [name.removeprefix("exchange ").split(" for ") for name in exchanges(p)]
    kinds = [(counts(give), counts(get)) for give, get in sides]
    assert not any(a and b for give, get in kinds for a, b in zip(give, get, strict=True))  # a kind for itself
    assert not any(give[3] >= 2 for give, _ in kinds)  # 2 energy for a base part, 3 energy for 1 energy


def test_X4_a_droid_does_not_swap_a_kind_for_itself_either():
    cards = {72: {"exchanges": ["1 ? -> 1 ?"], "uses": 2}}
    p = Position(3, cards=cards).repaired(0, 72).hold(0, "1 nut, 1 oil, 1 circuit").exchanging(0)
    assert [name.partition(": ")[2] for name in exchanges(p)] == [
        "1 nut for 1 oil",
        "1 nut for 1 circuit",
        "1 oil for 1 nut",
        "1 oil for 1 circuit",
        "1 circuit for 1 nut",
        "1 circuit for 1 oil",
    ]


def test_X5_every_unlimited_exchange_lowers_some_weighted_total():
    cards = card_file()
    weights, tables = exchange_weights(cards), cards.tables[0]
    assert min(weights) > 0
    for row in range(NUM_EXCHANGES):
        droid = tables["exchange_droid"][row]
        if droid >= 0 and tables["exchange_uses"][droid] == 0:
            lost = tables["exchange_give"][row] - tables["exchange_get"][row]
            assert sum(int(w) * int(n) for w, n in zip(weights, lost, strict=True)) > 0, row


def test_X5_the_phase_ends_even_if_nobody_passes():
    p = Position(3).repaired(0, 20, 22, 77).hold(0, FULL).extend(0, ROOM).exchanging(0)
    weight = sum(w * n for w, n in zip(exchange_weights(p.game.cards), counts(p.parts(0)), strict=True))
    rng, done = random.Random(5), 0
    while exchanges(p):
        p.act(rng.choice(exchanges(p)))
        done += 1
        assert done < weight
    assert p.legal() == ["pass"]


def test_X5_cards_that_allow_an_endless_phase_are_refused():
    with pytest.raises(CardFileError, match=r"1 nut -> 1 oil \(droid 20\), 1 oil -> 1 nut \(droid 22\)"):
        card_file({20: {"exchanges": ["1 nut -> 1 oil"]}, 22: {"exchanges": ["1 oil -> 1 nut"]}})


LIMITED = {10: {"exchanges": ["1 nut -> 1 circuit", "1 oil -> 1 circuit"], "uses": 1}}
BY_NUT, BY_OIL = "exchange with droid 10: 1 nut for 1 circuit", "exchange with droid 10: 1 oil for 1 circuit"


def test_X6_one_limit_over_all_alternatives():
    p = Position(cards=LIMITED).repaired(0, 10).hold(0, "1 nut, 1 oil").exchanging(0)
    assert p.can(BY_NUT) and p.can(BY_OIL)
    p.act(BY_NUT)
    assert not p.can(BY_OIL)


def test_X6_limits_start_afresh_in_every_phase():
    p = Position(cards=LIMITED, turn=7, priority=1).repaired(0, 10).hold(0, "3 oil").exchanging(0)
    p.act(BY_OIL, "pass").dismantle_all()
    assert p.stage == "season exchange"
    p.act("pass")
    assert p.can(BY_OIL)
    p.act(BY_OIL)
    assert not p.can(BY_OIL)


@pytest.mark.parametrize("droid", [65, 71])
def test_X6_identical_parts_may_lie_one_in_the_shed_and_one_on_a_droid(droid):
    p = Position(3).repaired(0, droid).hold(0, "1 nut").store(droid, "1 nut").exchanging(0)
    p.act("exchange 2 nut for 1 oil")
    assert (p.parts(0), p.stored(droid)) == ("1 oil", "nothing")
