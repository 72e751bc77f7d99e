"""House effects [H45-H58]."""

from __future__ import annotations

import pytest

from tests.lastdroid.positions import Position, counts

WATER, HARVEST, COMMUNICATION, SHED, COLLECTION, MARKET = [2, 4, 6], [3, 5, 8], [1, 9], [13, 14], [7, 11, 12], [10]


def points(house, *, parts="nothing", droids=(), extensions="nothing", cards=None, players=2, rivals=None, houses=()):
    """What a house scores for its builder, seat 0: its score with the house less that without it."""
    scores = []
    for more in ([], [house]):
        p = Position(players, cards=cards, priority=0).extend(0, extensions).hold(0, parts).repaired(0, *droids)
        for seat, owned in (rivals or {}).items():
            p.repaired(seat, *owned)
        p.built(*houses, *more, by=0).acting(0)
        scores.append(p.score(0))
    return scores[1] - scores[0]


@pytest.mark.parametrize(("parts", "rp"), [("nothing", 0), ("2 nut, 1 oil, 3 energy", 6)])
def test_H45_a_part_in_the_shed(parts, rp):
    assert points(45, parts=parts) == rp


def test_H45_parts_on_droids_count():
    p = Position(3, cards={65: {"rp": 0}}).repaired(0, 65).store(65, "2 nut").hold(0, "1 oil").built(45, by=0).acting(0)
    assert p.score(0) == 3


def test_H46_one_of_each_part_at_once():
    p = Position().houses(46).hold(0, "1 nut, 3 oil").acting(0).act("build house 46")
    assert p.parts(0) == "1 nut, 3 oil, 1 circuit, 1 energy"
    assert points(46, parts="3 nut") == 0


@pytest.mark.parametrize(("number", "rp"), [(2, 0), (3, 6), (4, 10), (5, 15), (6, 15)])
def test_H47_three_four_five_collection_droids(number, rp):
    assert points(47, droids=[7, 11, 12, 25, 26, 27][:number]) == rp


def test_H48_a_market_droid():
    assert points(48, droids=[*WATER, 10, 16, 20]) == 4 * 3


def test_H49_icons_in_the_costs_of_water_droids_a_pair_counts_two():
    cards = {2: {"cost": "2 nut, 1 energy"}, 4: {"cost": "2 same, 2 different, 1 ?"}, 3: {"cost": "3 oil"}}
    assert points(49, droids=[2, 4, 3], cards=cards) == 3 + 5


@pytest.mark.parametrize(("number", "rp"), [(0, 0), (1, 0), (2, 24), (3, 18), (4, 12), (5, 6), (6, 0)])
def test_H50_exactly_so_many_droid_types(number, rp):
    one_each = [kind[0] for kind in (WATER, HARVEST, COMMUNICATION, SHED, COLLECTION, MARKET)]
    assert points(50, droids=[*one_each[:number], *WATER[:number]], houses=[58]) == rp


def test_H51_an_energy_in_the_shed():
    assert points(51, parts="3 nut, 2 energy") == 8


def test_H52_one_droid_of_each_type():
    one_each = [kind[0] for kind in (WATER, HARVEST, COMMUNICATION, SHED, COLLECTION, MARKET)]
    assert points(52, droids=one_each) == 12
    for missing in one_each:
        assert points(52, droids=[droid for droid in one_each if droid != missing]) == 0


def test_H53_a_shed_extension():
    assert points(53, extensions="1 nut, 3 energy") == 8


@pytest.mark.parametrize(
    ("players", "mine", "rivals", "rp"),
    [
        (2, [3], {}, 12),
        (2, [3], {1: [5]}, 0),
        (2, [], {}, 0),
        (3, [3, 5], {1: [8], 2: [61]}, 12),
        (3, [3], {1: [], 2: [61]}, 0),
        (4, [3], {1: [], 2: [5, 8]}, 12),
        (4, [3], {1: [5], 2: []}, 0),
    ],
)
def test_H54_more_leaves_than_the_opponent_faced(players, mine, rivals, rp):
    assert points(54, droids=mine, players=players, rivals=rivals) == rp


def test_H55_a_communication_droid():
    assert points(55, droids=[1, 9, 2, 15]) == 9


@pytest.mark.parametrize(("others", "rp"), [([], 0), ([46], 0), ([46, 47], 15), ([46, 47, 48], 15)])
def test_H56_three_or_more_houses_itself_included(others, rp):
    assert points(56, houses=others) == rp


def test_H56_the_houses_of_others_do_not_count():
    p = Position().built(56, 46, by=0).built(47, 48, by=1).hold(0, "nothing").hold(1, "nothing").acting(0)
    assert p.score(0) == 0


@pytest.mark.parametrize(
    ("parts", "rp"),
    [
        ("3 nut, 2 oil, 2 circuit, 3 energy", 14),
        ("3 nut, 3 oil, 3 circuit", 0),
        ("1 nut, 1 oil, 2 circuit, 1 energy", 7),
    ],
)
def test_H57_a_set_of_all_four_parts(parts, rp):
    assert points(57, parts=parts) == rp


def test_H57_parts_on_droids_complete_a_set():
    p = Position(3, cards={71: {"rp": 0}}).repaired(0, 71).store(71, "1 nut").hold(0, "1 oil, 1 circuit, 1 energy")
    for seat in (1, 2):
        p.hold(seat, "3 nut, 3 oil")
    assert sum(counts(p.parts(0))) == 3
    assert p.built(57, by=0).acting(0).score(0) == 7


def test_H58_twelve_points():
    assert points(58) == 12
