"""A turn and the choice of droids [T1, T2, D1-D5]."""

from __future__ import annotations

import pytest

from tests.lastdroid.positions import Position


def played(p, decisions):
    """Who decides what from here on: the first card is given, nothing exchanged, all is dismantled."""
    found = []
    for _ in range(decisions):
        found.append((p.stage, p.actor))
        legal = p.legal()
        p.act("dismantle" if "dismantle" in legal else legal[0])
    return found


def test_T1_a_turn_is_choosing_exchanging_acting():
    p = Position(2).choosing(2, 3)
    assert [stage for stage, _ in played(p, 5)] == ["choosing", "exchanging", "exchanging", "acting", "acting"]
    assert (p.stage, p.turn) == ("choosing", 2)


@pytest.mark.parametrize(
    ("players", "priority", "order", "choices"),
    [(2, 1, [1, 0], 1), (3, 1, [1, 2, 0], 2), (4, 0, [0, 3, 1, 2], 2), (4, 2, [2, 1, 3, 0], 2)],
)
def test_T2_all_exchanges_in_order_then_all_actions_in_order(players, priority, order, choices):
    p = Position(players, priority=priority).choosing()
    served = played(p, choices + 2 * players)[choices:]
    assert served == [("exchanging", seat) for seat in order] + [("acting", seat) for seat in order]


def test_D1_of_two_the_priority_player_keeps_one_and_gives_the_other():
    p = Position(2, priority=1).choosing(2, 3).act("give card 1")
    assert (p.holder(3), p.holder(2)) == (1, 0)


def test_D1_of_three_the_priority_player_gives_one_to_each():
    p = Position(3, priority=1).choosing(2, 3, 4)
    assert p.legal() == ["give card 0", "give card 1", "give card 2"]
    p.act("give card 2")
    assert (p.actor, p.legal()) == (1, ["give card 0", "give card 1"])
    p.act("give card 0")
    assert [p.holder(card) for card in (4, 2, 3)] == [1, 2, 0]


@pytest.mark.parametrize(("players", "cards"), [(1, 2), (2, 2), (3, 3), (4, 4)])
def test_D1_as_many_droids_are_revealed_as_there_are_players(players, cards):
    p = Position(players)
    assert [p.place(card) for card in p.offer()] == ["on table"] * cards
    assert p.record["drawn"].sum() == cards


def test_D2_the_others_name_a_card_in_order_and_bind_nobody():
    p = Position(3, table_talk=True, priority=1).choosing(2, 3, 4)
    assert (p.decision, p.actor) == ("wish", 2)
    assert p.legal() == ["wish for card 0", "wish for card 1", "wish for card 2", "wish for nothing"]
    p.act("wish for card 1")
    assert (p.decision, p.actor) == ("wish", 0)
    p.act("wish for nothing")
    assert p.record["wish"].tolist()[:3] == [-1, -1, 1]
    assert (p.actor, p.legal()) == (1, ["give card 0", "give card 1", "give card 2"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_D2_table_talk_is_off_by_default(players):
    assert Position(players).choosing().decision == "give"


def test_D3_positions_1_and_2_reveal_two_cards_each_and_give_one_to_3_and_4():
    p = Position(4, priority=0).choosing(2, 3, 60, 61)  # positions 1 to 4: seats 0, 3, 1, 2
    assert (p.actor, p.legal()) == (0, ["give card 0", "give card 1"])
    p.act("give card 1")
    assert (p.actor, p.legal()) == (3, ["give card 2", "give card 3"])
    p.act("give card 2")
    assert {card: p.holder(card) for card in (3, 2, 60, 61)} == {3: 0, 2: 1, 60: 3, 61: 2}


def test_D3_position_3_talks_to_1_and_4_to_2():
    p = Position(4, priority=0, table_talk=True).choosing()
    assert (p.actor, p.legal()) == (1, ["wish for card 0", "wish for card 1", "wish for nothing"])
    p.act("wish for nothing")
    assert (p.actor, p.legal()) == (2, ["wish for card 2", "wish for card 3", "wish for nothing"])


def receivers(p):
    """Who gets the card that positions 1 and 2 do not keep."""
    givers = []
    for slot in (0, 2):
        givers.append(p.actor)
        p.act(f"give card {slot}")
    return dict(zip(givers, (p.holder(p.offer()[1]), p.holder(p.offer()[3])), strict=True))


@pytest.mark.parametrize(
    ("first", "second", "facing", "mates"),
    [(0, 1, {0: 1, 3: 2}, {1: 2, 0: 3}), (2, 3, {2: 3, 1: 0}, {3: 0, 2: 1})],
)
def test_D4_cards_go_to_the_opponent_faced_and_to_the_team_mate_in_turn(first, second, facing, mates):
    p = Position(4, priority=first).choosing()
    assert receivers(p) == facing
    p.pass_all().dismantle_all()
    assert (p.turn, p.priority) == (2, second)
    assert receivers(p) == mates


def test_D5_four_are_revealed_then_3_and_4_speak_then_1_and_2_choose():
    p = Position(4, priority=2, table_talk=True).choosing()  # positions 1 to 4: seats 2, 1, 3, 0
    assert all(p.place(card) == "on table" for card in p.offer())
    found = []
    for _ in range(4):
        found.append((p.decision, p.actor))
        p.act(p.legal()[0])
    assert found == [("wish", 3), ("wish", 0), ("give", 2), ("give", 1)]
