"""End of the game and scoring [G1-G8]."""

from __future__ import annotations

import pytest

from tests.lastdroid.positions import Position


def even(players=2, **settings):
    """Nobody has any part, so nobody leads in parts."""
    p = Position(players, **settings)
    for seat in range(players):
        p.hold(seat, "nothing")
    return p


@pytest.mark.parametrize(("players", "order"), [(1, [0]), (2, [1, 0]), (3, [1, 2, 0]), (4, [1, 0, 2, 3])])
def test_G1_each_player_may_exchange_once_more_in_order(players, order):
    p = Position(players, turn=22, priority=1)
    for seat in range(players):
        p.hold(seat, "1 energy")
    last = 0 if players == 1 else p.in_order()[-1]
    p.acting(last).dismantle_all()
    for seat in order:
        assert (p.stage, p.actor) == ("final exchange", seat)
        p.act("exchange 1 energy for 1 oil", "pass")
    assert p.over


def test_G2_each_repaired_droid_scores_its_rp():
    p = even(cards={2: {"rp": 5}, 14: {"rp": 3}, 4: {"rp": 40}, 6: {"rp": 80}})
    assert p.repaired(0, 2, 14).repaired(1, 4).discarded(6).acting(0).score(0) == 8


def test_G3_communication_droids_score_for_each_discarded_one():
    p = even(cards={1: {"rp": 2}, 9: {"rp": 3}}).repaired(0, 1, 9).face_up(15, 28).acting(0)
    assert p.score(0) == 2 + 2 + 3 + 2


def test_G3_other_types_and_other_players_do_not():
    p = even(cards={2: {"rp": 2}}).repaired(0, 2).face_up(1).repaired(1, 9).acting(0)
    assert (p.score(0), p.score(1)) == (2, 2)


@pytest.mark.parametrize(("seat", "scored"), [(0, 1 + 2), (1, 1 + 1), (2, 1 + 3)])
def test_G3_of_three_players_both_neighbours_count(seat, scored):
    p = even(3).repaired(seat, 1).face_up(9, pair=2).face_up(59, pair=2).face_up(64, pair=1)
    assert p.acting(0).record["face_up"].tolist() == [0, 1, 2]  # pair i lies between seats i and i + 1
    assert p.score(seat) == scored


@pytest.mark.parametrize(("seat", "scored"), [(0, 1 + 1), (1, 1 + 1), (2, 1 + 2), (3, 1 + 2)])
def test_G3_of_four_players_the_opponent_faced_counts(seat, scored):
    p = even(4).repaired(seat, 1).face_up(9, pair=0).face_up(59, 64, pair=1).acting(0)
    assert p.score(seat) == scored


@pytest.mark.parametrize(
    ("sheds", "points"),
    [
        (["2 nut", "1 energy"], [2, 0]),
        (["1 nut, 1 energy", "2 oil"], [0, 0]),
        (["2 nut", "2 oil", "1 oil"], [0, 0, 0]),
        (["1 nut", "3 oil", "2 oil"], [0, 2, 0]),
        (["2 nut", "1 nut", "3 nut", "3 oil"], [2, 0, 0, 0]),
        (["1 nut", "2 nut", "1 oil", "3 nut"], [0, 2, 0, 2]),
    ],
)
def test_G4_most_parts_score_2_and_on_a_tie_nobody(sheds, points):
    p = Position(len(sheds))
    for seat, parts in enumerate(sheds):
        p.hold(seat, parts)
    p.acting(0)
    assert [p.score(seat) for seat in range(len(sheds))] == points


def test_G4_parts_on_65_and_71_count():
    p = even(3, cards={65: {"rp": 0}, 71: {"rp": 0}}).repaired(0, 65, 71).store(65, "1 nut").store(71, "1 oil")
    p.hold(1, "1 nut").acting(0)
    assert p.score(0) == 2


@pytest.mark.parametrize(
    ("leaves", "points"),
    [([2, 1], [3, 0]), ([2, 2], [0, 0]), ([1, 3, 3], [0, 0, 0]), ([1, 3, 2], [0, 3, 0]), ([1, 0, 2, 3], [3, 0, 0, 3])],
)
def test_G5_most_leaves_score_3_and_on_a_tie_nobody(leaves, points):
    droids = [3, 5, 8, 61][: len(leaves)]
    shown = {droid: {"leaves": n or 1, "rp": 0} for droid, n in zip(droids, leaves, strict=True)}
    p = even(len(leaves), cards=shown)
    for seat, (droid, n) in enumerate(zip(droids, leaves, strict=True)):
        if n:
            p.repaired(seat, droid)
    p.acting(0)
    assert [p.score(seat) for seat in range(len(leaves))] == points


def test_G6_houses_score_by_their_effects_for_their_builder():
    p = even().built(58, 53, by=0).extend(0, "1 nut, 2 oil").acting(0)
    assert (p.score(0), p.score(1)) == (12 + 2 * 3, 0)


def test_G7_most_rp_wins():
    p = even(3, cards={2: {"rp": 5}, 4: {"rp": 6}}).repaired(0, 2).repaired(2, 4).acting(0)
    assert p.winners() == [2]


def test_G7_on_a_tie_most_parts_among_the_tied():
    cards = {2: {"rp": 5}, 4: {"rp": 5}}
    p = even(3, cards=cards).repaired(0, 2).repaired(2, 4).hold(0, "1 nut").hold(1, "3 nut").hold(2, "2 nut").acting(0)
    assert [p.score(seat) for seat in range(3)] == [5, 2, 5]
    assert p.winners() == [2]


def test_G7_parts_on_droids_break_the_tie_too():
    cards = {65: {"rp": 3}, 4: {"rp": 5}}
    p = even(3, cards=cards).repaired(0, 65).store(65, "2 nut").hold(2, "1 nut").repaired(2, 4).acting(0)
    assert [p.score(seat) for seat in range(3)] == [5, 0, 5]
    assert p.winners() == [0]


def test_G7_still_tied_they_share_the_win():
    p = even(3, cards={2: {"rp": 5}, 4: {"rp": 5}}).repaired(0, 2).repaired(2, 4).acting(0)
    assert p.winners() == [0, 2]


@pytest.mark.parametrize(
    ("points", "winners"),
    [
        ([9, 6, 5, 6], [0, 3]),  # 9 and 6 against 6 and 5: the lower 6 beats 5
        ([9, 6, 5, 4], [1, 2]),
        ([7, 9, 5, 5], [1, 2]),  # 5 each: 14 beats 12
        ([7, 9, 5, 5 + 4], [0, 3]),
        ([7, 7, 5, 5], [0, 1, 2, 3]),
    ],
)
def test_G8_teams_compare_their_lower_player_then_add_the_other(points, winners):
    droids = [2, 4, 6, 60]
    p = even(4, cards={droid: {"rp": rp} for droid, rp in zip(droids, points, strict=True)})
    for seat, droid in enumerate(droids):
        p.repaired(seat, droid)
    p.acting(0)
    assert [p.score(seat) for seat in range(4)] == points
    assert p.winners() == winners
