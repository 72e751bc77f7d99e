"""End of a turn [E1-E3] and of a season [N1-N5]."""

from __future__ import annotations

import pytest

from tests.lastdroid.positions import Position

FULL = "3 nut, 3 oil, 3 circuit, 3 energy"


def season_end(players=2, *, priority=0, season=1, **settings):
    """A position whose turn is the last of a season; to be completed by ``at_season_end``."""
    return Position(players, turn=7 * season, priority=priority, **settings)


def at_season_end(p):
    """The last action of the turn is made; the season's end begins."""
    p.acting(p.in_order()[-1]).dismantle_all()
    return p


def at_extensions(p):
    return at_season_end(p).pass_all()


def extend_all(p, column="nut"):
    while p.decision == "extension":
        p.act(f"extend {column}")
    return p


@pytest.mark.parametrize(
    ("turn", "season", "stage"), [(6, 1, "choosing"), (7, 1, "season exchange"), (8, 2, "choosing")]
)
def test_E1_the_season_ends_if_the_interseason_card_shows(turn, season, stage):
    p = Position(2, turn=turn).acting(1)
    assert p.season == season
    assert p.dismantle_all().stage == stage


def test_E2_the_game_ends_when_the_decks_are_empty():
    p = Position(2, turn=22).acting(1).dismantle_all()
    assert p.stage == "final exchange"
    assert p.pass_all().over


def test_E2_the_game_ends_when_a_player_has_no_available_house_left():
    p = Position(2).houses(45, 46, 47, 48).built(45, 46, by=0).built(47, by=1).hold(1, "1 nut").acting(1)
    p.act("build house 48")
    assert p.stage == "final exchange"


def test_E2_of_three_players_one_without_houses_is_enough():
    p = Position(3).houses(45, 46, pair=0).houses(47, 48, pair=1).houses(49, 50, pair=2)
    p.built(45, 46, by=1).built(47, by=2).hold(2, "1 nut").acting(2)
    p.act("build house 48")
    assert p.stage == "final exchange"


def test_E2_a_house_that_is_too_expensive_still_counts():
    p = Position(2, cards={48: {"cost": "3 energy"}}).houses(45, 46, 47, 48).built(45, 46, 47, by=0)
    p.hold(0, "nothing").hold(1, "nothing").acting(1)
    assert p.act("dismantle").stage == "choosing"


def test_E2_when_houses_run_out_in_mid_turn_the_others_still_act():
    p = Position(2).houses(45, 46, 47, 48).built(45, 46, 47, by=1).hold(0, "1 nut").acting(0)
    p.act("build house 48")
    assert (p.stage, p.actor, p.decision) == ("acting", 1, "action")
    assert p.act("dismantle").stage == "final exchange"


@pytest.mark.parametrize(("players", "priority"), [(1, 0), (2, 1), (3, 1), (3, 2), (4, 0), (4, 2)])
def test_E3_priority_passes_clockwise(players, priority):
    p = Position(players, priority=priority)
    p.acting(0 if players == 1 else p.in_order()[-1]).dismantle_all()
    assert (p.turn, p.priority) == (2, (priority + 1) % max(2, players))


def test_N1_each_player_may_exchange_as_in_the_exchange_phase():
    p = season_end(3, priority=2).hold(0, "1 energy").hold(1, "nothing").hold(2, "2 nut").exchanging(1)
    p.act("pass").dismantle_all()
    for seat, exchange in ((2, "exchange 2 nut for 1 oil"), (0, "exchange 1 energy for 1 nut"), (1, None)):
        assert (p.stage, p.actor) == ("season exchange", seat)
        if exchange:
            p.act(exchange)
        p.act("pass")
    assert p.stage == "season extension"


def test_N2_each_player_takes_one_extension_for_a_column_of_choice():
    p = at_extensions(season_end(3))
    for column, seat in (("oil", 0), ("energy", 1), ("nut", 2)):
        assert (p.actor, p.legal()) == (seat, ["extend nut", "extend oil", "extend circuit", "extend energy"])
        p.act(f"extend {column}")
    assert [p.extensions(seat) for seat in range(3)] == ["1 oil", "1 energy", "1 nut"]
    assert (p.turn, p.season, p.stage) == (8, 2, "choosing")


@pytest.mark.parametrize(
    ("players", "harvest", "energy"),
    [
        (2, {0: [3, 5], 1: [8]}, "10"),
        (2, {0: [3], 1: [8]}, "00"),
        (3, {0: [3], 2: [8, 5]}, "001"),
        (3, {0: [3], 1: [5], 2: []}, "000"),
        (4, {0: [3], 2: [5, 8], 3: [61]}, "1010"),
        (4, {0: [3], 1: [5], 2: [8]}, "0010"),
    ],
)
def test_N3_most_leaves_take_an_energy_and_on_a_tie_nobody(players, harvest, energy):
    p = season_end(players)
    for seat in range(players):
        p.repaired(seat, *harvest.get(seat, [])).hold(seat, "nothing")
    p = extend_all(at_extensions(p))
    assert "".join(str(int(p.record["parts"][seat, 3])) for seat in range(players)) == energy


def test_N3_without_room_the_energy_is_lost():
    p = extend_all(at_extensions(season_end().repaired(0, 3).hold(0, "3 energy")))
    assert p.parts(0) == "3 energy"


def test_N4_season_3_ends_with_the_game_and_without_extension_or_energy():
    p = Position(2, turn=22).repaired(0, 3).hold(0, "nothing").hold(1, "nothing").acting(1).dismantle_all()
    stages = []
    while not p.over:
        stages.append(p.stage)
        p.act("pass")
    assert stages == ["final exchange"] * 2
    assert p.parts(0) == "nothing" and p.extensions(0) == "nothing"


def test_N4_setting_extension_after_season_3():
    p = Position(2, turn=22, extension_after_season_3=True).acting(1).dismantle_all()
    assert p.stage == "final exchange"
    p.pass_all()
    assert (p.stage, p.actor) == ("final extension", 0)
    p.act("extend oil", "extend nut")
    assert (p.over, p.extensions(0), p.extensions(1)) == (True, "1 oil", "1 nut")


def test_N4_no_such_extension_when_the_houses_ran_out():
    p = Position(2, extension_after_season_3=True).houses(45, 46, 47, 48).built(45, 46, 47, by=1)
    p.hold(1, "1 nut").acting(1).act("build house 48")
    assert p.stage == "final exchange"
    assert p.pass_all().over


def test_N5_all_exchange_then_all_extend_then_the_energy_in_the_order_of_the_turn():
    p = at_season_end(season_end(4, priority=2))  # turn 7 in this order: 2 1 3 0
    found = []
    while p.season == 1:
        found.append((p.stage, p.actor))
        p.act(p.legal()[0])
    order = [2, 1, 3, 0]
    assert found == [("season exchange", s) for s in order] + [("season extension", s) for s in order]


def test_N5_an_extension_makes_room_for_the_energy():
    p = at_extensions(season_end().repaired(0, 3).hold(0, "3 energy"))
    assert p.act("extend energy").parts(0) == "3 energy"
    assert p.act("extend nut").parts(0) == "4 energy"


def test_N5_if_the_game_ends_too_the_season_ends_first():
    p = season_end().houses(45, 46, 47, 48).built(45, 46, 47, by=1).repaired(0, 3).hold(0, "nothing").hold(1, "1 nut")
    p.acting(1).act("build house 48")
    assert p.stage == "season exchange"
    extend_all(p.pass_all())
    assert (p.stage, p.parts(0)) == ("final exchange", "1 energy")
    assert p.pass_all().over
