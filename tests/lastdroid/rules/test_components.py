"""Components [C1-C9]."""

from __future__ import annotations

import pytest

from lastdroid_env.cards import CardFileError, DroidCard, load_cards
from tests.lastdroid.positions import Position, card_file

DECKS = {1: [44], 2: [44], 3: [66], 4: [44, 44]}


def test_C1_four_kinds_of_part_and_a_supply_that_never_runs_out():
    p = Position(3, cards={13: {"dismantle": "1 nut, 1 oil, 1 circuit, 1 energy"}})
    for seat in range(3):
        p.extend(seat, "40 nut, 40 oil, 40 circuit, 40 energy").hold(seat, "40 nut, 40 oil, 40 circuit, 40 energy")
    p.acting(0, card=13).act("dismantle")
    assert p.parts(0) == "41 nut, 41 oil, 41 circuit, 41 energy"


@pytest.mark.parametrize("players", DECKS)
def test_C2_102_cards_make_decks_of_equal_turns(players):
    p = Position(players)
    decks = [sorted(int(card) for card in deck if card) for deck in p.record["deck"]]
    assert [len(deck) for deck in decks if deck] == DECKS[players]
    assert all(len(deck) // (3 if players == 3 else 2) == 22 for deck in decks if deck)
    assert not {card for deck in decks for card in deck} & set(range(45, 59))


def test_C3_types_of_all_cards():
    types = {
        "water": [2, 4, 6, 19, 23, 24, 34, 40, 43, 60, 70, 79, 80, 84, 90, 94, 99, 101],
        "harvest": [3, 5, 8, 17, 18, 21, 35, 37, 41, 61, 66, 68, 76, 81, 91, 97, 98, 100],
        "communication": [1, 9, 15, 28, 29, 32, 33, 39, 44, 59, 64, 67, 69, 74, 75, 85, 89, 102],
        "shed": [13, 14, 30, 31, 36, 63, 73, 78, 83, 93],
        "collection": [7, 11, 12, 25, 26, 27, 38, 65, 71, 82, 86, 87, 95, 96],
        "market": [10, 16, 20, 22, 42, 62, 72, 77, 88, 92],
    }
    cards = load_cards()
    found = {name: [n for n, card in sorted(cards.droids.items()) if card.type == name] for name in types}
    assert found == types
    assert sorted(cards.houses) == list(range(45, 59))


def test_C4_only_the_two_player_deck_shows_interest_values():
    droids = load_cards().droids
    assert {"dismantle", "season", "type", "cost", "rp"} <= set(DroidCard.__struct_fields__)
    assert all((card.interest is not None) == (number <= 44) for number, card in droids.items())


def test_C5_a_column_holds_three_and_one_more_for_each_extension():
    p = Position(cards={13: {"dismantle": "9 nut, 9 oil"}}).hold(0, "nothing").extend(0, "7 oil")
    p.acting(0, card=13).act("dismantle")
    assert p.parts(0) == "3 nut, 9 oil"


def test_C6_seasons_follow_card_numbers():
    def season(number):
        for last, answer in ((14, 1), (28, 2), (44, 3), (65, 1), (72, 2), (80, 3), (87, 1), (94, 2), (102, 3)):
            if number <= last:
                return answer
        return 0

    assert {n: card.season for n, card in load_cards().droids.items()} == {
        n: season(n) for n in (*range(1, 45), *range(59, 103))
    }


def test_C7_another_card_file_changes_the_play(tmp_path):
    assert Position(cards={13: {"cost": "2 nut"}}).hold(0, "2 nut").acting(0, card=13).can("repair")
    assert not Position(cards={13: {"cost": "2 oil"}}).hold(0, "2 nut").acting(0, card=13).can("repair")


def test_C7_values_are_marked_printed_or_reconstructed():
    cards = load_cards()
    assert cards.card(13).printed == ("type", "extensions", "gift")
    assert "cost" not in cards.card(13).printed


@pytest.mark.parametrize(
    ("cost", "payments"),
    [
        ("1 nut", ["extend nut"]),
        ("1 ?", ["pay 1 nut", "pay 1 oil", "pay 1 circuit"]),
        ("2 same", ["pay 2 nut", "pay 2 oil"]),
        ("2 different", ["pay nut and oil", "pay nut and circuit", "pay oil and circuit"]),
    ],
)
def test_C8_icons(cost, payments):
    p = Position(cards={14: {"cost": cost, "extensions": "1 ?"}}).hold(0, "2 nut, 2 oil, 1 circuit, 3 energy")
    p.acting(0, card=14).act("repair")
    assert payments[0] in p.legal()
    if cost != "1 nut":
        assert p.legal() == payments


@pytest.mark.parametrize(("rp", "scored"), [(1, 2), (2, 2), (5, 5)])
def test_C9_or_is_the_larger_of_the_two(rp, scored):
    p = Position(cards={1: {"rp": rp, "rp_or": True}}).repaired(0, 1).face_up(9, 15).acting(0)
    assert p.score(0) == scored


def test_C9_and_adds_both():
    p = Position(cards={1: {"rp": 1}}).repaired(0, 1).face_up(9, 15).acting(0)
    assert p.score(0) == 3


def test_C9_or_is_refused_where_no_effect_gives_points():
    with pytest.raises(CardFileError, match=r"droid 2, rp_or"):
        card_file({2: {"rp_or": True}})


def test_C9_the_built_in_game_has_such_cards():
    assert load_cards().droids[33].rp_or
