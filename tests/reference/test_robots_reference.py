"""Sanity of the naive second implementation of Robots!: small positions from the rules, checked by hand."""

from __future__ import annotations

import random

import pytest

from robots_env.constants import CARD_NAMES, DECISIONS
from robots_env.constants import DECK as KERNEL_DECK
from robots_env.ruleset import load_rules
from tests.reference.robots import DECK, Reference, Spread, card_named, name_of


def new_game(num_players=2, seed=0, rounds=1, ask_forced=False, **rules):
    rng = random.Random(seed)
    return Reference(
        load_rules(rules).as_dict(),
        num_players=num_players,
        draw=rng.randrange,
        shuffle=rng.shuffle,
        rounds=rounds,
        ask_forced=ask_forced,
    )


def cards(text):
    return [card_named(name) for name in text.split(", ")] if text else []


def run(owner, suit, low, text):
    """A run of the owner's, all cards played by them."""
    return Spread(owner, suit=suit, cells=[(card, low + i, owner) for i, card in enumerate(cards(text))])


def a_set(owner, number, **by_suit):
    return Spread(owner, number=number, cells=[(card_named(name), suit, owner) for suit, name in by_suit.items()])


def position(*hands, heap="", factory="green 2, green 3, green 4", spreads=(), turn=0, **settings):
    """A table at the start of seat ``turn``'s turn; heap and factory from the bottom to the top."""
    game = new_game(num_players=len(hands), **settings)
    game._clear_table()
    game.hands = [cards(hand) for hand in hands]
    game.wilds_since = [[0] * hand.count("wild") for hand in game.hands]
    game.heap, game.factory = cards(heap), cards(factory)
    game.spreads = dict(enumerate(spreads))
    game.turn_of = turn
    game._game = game._turns()
    game._resume(None)
    return game


def act(game, *actions):
    """A draw that was the only choice has been made already."""
    for action in actions:
        if action != "draw" or game.decision in ("draw", "extra parts"):
            game.apply(action)


def text(pile):
    return ", ".join(map(name_of, pile))


def offers(game, verb):
    return {name for name in game.legal_names() if name.startswith(verb)}


SEVENS = {"green": "green 7", "purple": "purple 7", "white": "white 7"}


def test_the_deck_is_the_librarys():
    assert len(DECK) == len(KERNEL_DECK) == 74
    assert [name_of(card) for card in DECK] == [CARD_NAMES[card] for card in KERNEL_DECK]


def test_c6_c7_the_deal():
    game = new_game(num_players=5)
    assert [len(hand) for hand in game.hands] == [7] * 5
    assert len(game.heap) == 1 and len(game.factory) == 74 - 35 - 1
    assert game.actor == (game.dealer + 1) % 5


def test_d1_d3_what_may_be_taken_off_the_heap():
    game = position("red 5, red 6, blue 2", "", heap="red 9, white 9, red 4, white 12")
    assert set(game.legal_names()) == {"draw", "pick red 4", "pick white 12"}
    act(game, "pick red 4")
    assert text(game.spreads[0].cards) == "red 4, red 5, red 6"  # neither a discard nor another play was open
    assert text(game.known[0]) == "white 12"
    assert set(game.legal_names()) == {"discard blue 2", "discard white 12"}


def test_d3_the_lowest_card_is_added_at_once():
    game = position(
        "red 5, blue 2", "white 2", heap="red 7, white 12", spreads=[run(0, "red", 4, "red 4, wild, red 6")]
    )
    act(game, "pick red 7")
    assert not any(card == ("red", 7) for card in game.hands[0])  # a single place: added as it was the only choice
    assert game.spreads[0].held == [4, 5, 6, 7]
    assert "discard white 12" in game.legal_names()


def test_d3_a_wild_that_is_due_goes_into_the_spread():
    game = position("red 4, red 5, red 6, blue 9", "", heap="wild, white 12")
    act(game, "pick wild 1", "lay run red 4-6")
    assert set(game.legal_names()) == {"wild as card 1", "wild as card 2", "wild as card 3"}
    act(game, "wild as card 2")
    assert game.spreads[0].cells == [(("red", 4), 4, 0), ("wild", 5, 0), (("red", 6), 6, 0)]
    assert text(game.hands[0]) == "red 5, blue 9, white 12"


def test_d3_a_wild_that_is_due_leaves_no_room_for_a_star_in_the_last_cell():
    game = position("red 12, red 13, red 14, red star", "", heap="wild, white 12")
    act(game, "pick wild 1", "lay run red 12-14")
    assert set(game.legal_names()) == {"wild as card 1", "wild as card 2", "wild as card 3"}
    act(game, "wild as card 1")
    assert set(game.legal_names()) == {"star as card 3", "pass"}


def test_d3_a_star_that_is_due_goes_before_the_number():
    game = position("red 12, red 13, red 14, blue 2, wild", "", heap="red star, white 12")
    act(game, "pick red star")  # and lay the only spread with it
    assert set(game.legal_names()) == {"wild as card 1", "wild as card 2", "pass"}
    act(game, "pass")
    assert text(game.spreads[0].cards) == "red 12, red 13, red star"


def test_d4_the_heap_but_its_top_card_becomes_the_factory_once():
    game = position("blue 2, blue 5", "white 5, white 8", heap="red 2, red 3, red 4", factory="", max_refills=1)
    act(game, "draw")
    assert text(game.heap) == "red 4" and len(game.factory) == 1 and game.refills == 1
    assert set(game.refilled[0]) == {("red", 2), ("red", 3)}
    act(game, "discard blue 2", "draw", "discard white 8")
    assert game.legal_names() == ["pass", "pick white 8"] and game.decision == "draw"
    act(game, "pass")  # E5
    assert game.over


def test_d4_a_refill_must_give_a_card():
    game = position("blue 2", "white 5", heap="red 4", factory="")
    assert game.legal_names() == ["pass", "pick red 4"]
    game = position("blue 2", "white 5", heap="red 2, red 4", factory="", max_refills=0)
    assert game.legal_names() == ["pass", "pick red 4"]
    assert position("blue 2", "white 5", factory="").over


@pytest.mark.parametrize("allowed", [True, False])
def test_d5_a_card_taken_alone(allowed):
    game = position("blue 2", "", heap="red 4", discard_taken_card=allowed)
    act(game, "pick red 4")
    if allowed:
        assert set(game.legal_names()) == {"discard blue 2", "discard red 4"}
    else:
        assert text(game.heap) == "blue 2"  # the only discard left


def test_d5_a_wild_taken_alone_is_bound_while_it_is_the_only_one():
    game = position("blue 2, red 8", "", heap="wild", discard_taken_card=False)
    act(game, "pick wild 1")
    assert set(game.legal_names()) == {"discard blue 2", "discard red 8"}
    game = position("blue 2, wild", "", heap="wild", discard_taken_card=False)
    act(game, "pick wild 1")
    assert "discard wild" in game.legal_names()


def test_c3_a_star_is_1_or_14_and_runs_do_not_wrap():
    game = position("red star, red 2, red 3, red 12, red 13, red 14", "", factory="blue 8")
    act(game, "draw")
    assert offers(game, "lay") == {"lay run red 1-3", "lay run red 12-14"}
    act(game, "lay run red 12-14", "star as card 3")
    assert offers(game, "add") == set()
    game = position("red star, red 2, red 3, red 12, red 13, red 14", "", factory="blue 8", star_high=15)
    act(game, "draw")
    assert offers(game, "lay") == {"lay run red 1-3", "lay run red 12-14", "lay run red 13-15"}
    act(game, "lay run red 12-14")
    assert game.decision == "play" and "add red star" in game.legal_names()


def test_c3_three_stars_are_a_set_of_1_or_of_star_high():
    for high in (14, 15):
        game = position("red star, white star, blue star", "", factory="blue 8", star_high=high)
        act(game, "draw")
        assert offers(game, "lay") == {"lay set 1 white red blue", f"lay set {high} white red blue"}


def test_c4_a_spread_holds_a_card_that_is_not_wild():
    game = position("red 5, wild, wild, wild", "", factory="blue 8")
    act(game, "draw")
    assert "lay run red 3-5" in game.legal_names() and "lay run red 8-10" not in game.legal_names()
    assert "lay run blue 8-10" in game.legal_names()
    act(game, "lay set 5 white red blue")  # filled with two wilds; a third may not replace the 5
    assert game.spreads[0].cells == [("wild", "white", 0), (("red", 5), "red", 0), ("wild", "blue", 0)]


def test_p3_a_wild_in_a_set_names_a_suit_that_is_missing():
    game = position("wild, wild, red 2", "", factory="blue 8", spreads=[a_set(0, 7, **SEVENS)])
    act(game, "draw", "add wild")
    assert game.decision == "name the suit" and game.legal_names() == ["as red", "as blue"]
    act(game, "as blue", "add wild")  # then only red is missing
    assert game.spreads[0].held == ["green", "purple", "white", "red", "blue"]
    assert game.spreads[0].robot_of is None  # P7


def test_p4_a_wild_may_hold_any_place_within_the_bounds():
    spread = run(0, "red", 12, "red 12, red 13, red 14")
    game = position("wild, red 2", "", factory="blue 8", spreads=[spread])
    act(game, "draw", "add wild")
    assert game.spreads[0].held == [11, 12, 13, 14]  # no choice with 14 as the highest place
    spread = run(0, "red", 12, "red 12, red 13, red 14")
    game = position("wild, red 2", "", factory="blue 8", spreads=[spread], star_high=15)
    act(game, "draw", "add wild")
    assert game.legal_names() == ["onto spread 1", "below spread 1"]


def test_p5_opponents_spreads_only_with_one_of_your_own():
    sets = [a_set(1, 7, **SEVENS)]
    game = position("red 7, red 2", "", factory="blue 8", spreads=sets)
    act(game, "draw")
    assert not offers(game, "add")
    sets = [a_set(1, 7, **SEVENS), run(0, "white", 2, "white 2, white 3, white 4")]
    game = position("red 7, red 2", "", factory="blue 8", spreads=sets)
    act(game, "draw", "add red 7")
    assert game.spreads[0].cells[-1] == (("red", 7), "red", 0)
    assert game._round_score(0) == 7 + 2 + 3 + 4 - 2 - 8


@pytest.mark.parametrize(
    ("number", "card", "robot"), [(7, "blue 7", True), (7, "wild", False), (14, "blue star", False)]
)
def test_p6_p7_robots(number, card, robot):
    four = {suit: f"{suit} {number}" for suit in ("green", "purple", "white", "red")}
    game = position(f"{card}, red 2", "", factory="blue 8", spreads=[a_set(0, number, **four)])
    act(game, "draw", f"add {card}")
    assert (game.spreads[0].robot_of == 0) == robot
    assert game.spreads[0].number == number and len(game.spreads[0].cells) == 5
    bonus = 25 if robot else 0
    assert game._round_score(0) == 4 * number + game._points(card_named(card)) + bonus - 2 - 8


def test_p7_with_wilds_allowed_but_no_stars():
    four = {suit: f"{suit} 14" for suit in ("green", "purple", "white", "red")}
    game = position("wild, red 2", "", factory="blue 8", spreads=[a_set(0, 14, **four)], wild_completes_robot=True)
    act(game, "draw", "add wild")
    assert game.spreads[0].robot_of == 0
    four["red"] = "red star"
    game = position("wild, red 2", "", factory="blue 8", spreads=[a_set(0, 14, **four)], wild_completes_robot=True)
    act(game, "draw", "add wild")
    assert game.spreads[0].robot_of is None


def test_k2_a_hand_emptied_by_playing_does_not_end_the_round():
    game = position("red 4, red 5", "blue 9, blue 12", factory="white 9, green 4, red 6")
    act(game, "draw", "lay run red 4-6")
    assert not game.over and game.hands[0] == [] and game.actor == 1 and game.heap == []


def test_k3_calls_in_turn_order_and_the_first_takes_it():
    sets = [a_set(1, 8, green="green 8", purple="purple 8", white="white 8"), run(2, "red", 2, "red 2, red 3, red 4")]
    game = position("red 8, blue 2", "blue 12", "blue 13", factory="red 10, white 2, blue 5", spreads=sets)
    act(game, "draw", "discard red 8")
    assert (game.decision, game.actor) == ("call", 1) and game.legal_names() == ["pass", "call"]
    act(game, "pass")
    assert (game.decision, game.actor) == ("call", 2)
    assert text(game.heap) == "red 8"
    act(game, "call")
    assert game.heap == [] and game.spreads[0].cells[-1] == (("red", 8), "red", 2)
    assert game.actor == 1  # the turn passes as it would have


def test_k3_who_owns_no_spread_cannot_call_for_an_opponents():
    sets = [a_set(1, 8, green="green 8", purple="purple 8", white="white 8")]
    game = position("red 8, blue 2", "blue 12", "blue 13", factory="white 2, blue 5", spreads=sets)
    act(game, "draw", "discard red 8")  # seat 1 may call, seat 2 is not asked
    assert (game.decision, game.actor) == ("call", 1)
    act(game, "pass")
    assert (game.decision, game.actor) == ("draw", 1)


def test_k4_a_card_that_fits_does_not_end_the_round():
    sets = [a_set(1, 8, green="green 8", purple="purple 8", white="white 8")]
    game = position("", "blue 12, blue 13", factory="white 2, green 2, red 8", spreads=sets)
    act(game, "draw")
    assert text(game.hands[0]) == "red 8" and game.heap == [] and game.actor == 1  # kept
    sets.append(run(0, "white", 4, "white 4, white 5, white 6"))
    game = position("", "blue 12, blue 13", factory="white 2, green 2, red 8", spreads=sets)
    act(game, "draw")
    assert game.hands[0] == [] and len(game.spreads[0].cells) == 4 and not game.over  # played
    game = position("", "blue 12, blue 13", factory="white 2, green 2, red 12", spreads=sets)
    act(game, "draw")
    assert game.over and text(game.heap) == "red 12"  # E1


def test_w1_recycle():
    game = position("blue 3, red 9", "", heap="white 4, wild, green 9, wild", factory="blue 5")
    act(game, "draw", "discard blue 3")
    assert set(game.legal_names()) == {"pick white 4", "pick wild 1", "pick wild 2", "pick green 9", "pass"}
    act(game, "pick wild 2")
    assert text(game.heap) == "white 4, green 9, wild, blue 3"
    assert "wild" in game.known[0]


def test_w2_extra_parts_and_the_ban():
    sets = [a_set(0, 8, green="green 8", purple="purple 8", white="white 8")]
    game = position(
        "blue 5, red 13", "red 8, white 2, white 12", factory="blue 2, blue 4, green 2, white 4, white 6, white 7"
    )
    game.spreads = dict(enumerate(sets))
    act(game, "draw", "discard blue 5")
    assert game.decision == "extra parts"
    act(game, "draw")
    assert set(game.legal_names()) == {f"discard {name}" for name in ("white 4", "white 6", "white 7", "red 13")}
    act(game, "discard white 4", "discard white 6")
    assert text(game.heap) == "blue 5, white 4, white 6" and game.barred == [True, False]
    act(game, "draw", "discard red 8")  # seat 0 owns the set, but may not call
    assert game.actor == 0 and game.decision == "draw" and game.barred == [False, False]


def test_w2_each_laid_card_acts_before_the_next_is_laid():
    game = position("blue 5, red 13", "white 12", heap="green 13", factory="blue 2, blue 4, green 3, white 7, white 6")
    act(game, "draw", "discard blue 5", "draw", "discard green 3")
    assert game.decision == "recycle" and set(game.legal_names()) == {"pick green 13", "pick blue 5", "pass"}
    act(game, "pick blue 5", "discard blue 5")  # W10: its power has acted
    assert game.actor == 1 and game.decision == "draw"


def test_w2_draws_what_there_is():
    game = position("blue 5, red 13", "white 12", factory="blue 2, white 7", max_refills=0)
    act(game, "draw", "discard blue 5", "draw", "discard white 7")  # the Tractor Beam takes the heap's half
    assert text(game.heap) == "white 7" and text(game.factory) == "blue 5" and game.under == 1


def test_w3_tractor_beam_and_w11_its_cards_stay_known():
    heap = "red 2, red 4, red 6, red 8, red 10"
    game = position("blue 7, blue 13, blue 10", "white 12", heap=heap, factory="white 3, white 4")
    act(game, "draw", "discard blue 7")
    assert text(game.heap) == "red 8, red 10, blue 7"
    assert text(game.factory) == "red 6, red 4, red 2, white 3" and game.under == 3
    act(game, "draw", "discard white 12", "draw")
    assert text(game.known[0]) == "red 2" and text(game.factory) == "red 6, red 4" and game.under == 2


def test_w4_laser_breaks_a_set():
    sets = [a_set(1, 7, **SEVENS)]
    sets[0].cells[0] = (("green", 7), "green", 0)
    game = position(
        "blue 9, red 13, blue 2", "white 12", heap="red 2", factory="white 3, white 4, blue 4", spreads=sets
    )
    act(game, "draw", "discard blue 9")
    assert set(game.legal_names()) == {"pick green 7", "pick purple 7", "pick white 7", "pass"}
    act(game, "pick purple 7")
    assert text(game.heap) == "purple 7, red 2, blue 9" and game.spreads == {}
    assert text(game.hands[1]) == "white 12, green 7, white 7" and text(game.known[1]) == "green 7, white 7"


def test_w4_no_robot_and_no_spread_of_your_own():
    suits = ("green", "purple", "white", "red", "blue")
    robot = a_set(1, 12, **{suit: f"{suit} 12" for suit in suits})
    robot.robot_of = 1
    sets = [robot, a_set(0, 7, **SEVENS)]
    game = position("blue 9, red 13, blue 2", "white 2", factory="white 3, white 4, blue 4", spreads=sets)
    act(game, "draw", "discard blue 9")
    assert game.actor == 1 and game.decision == "draw"


@pytest.mark.parametrize(
    ("laid", "picked", "left", "returned"),
    [
        ("red 2, red 3, red 4, red 5", "red 2", {0: [3, 4, 5]}, ""),
        ("red 2, red 3, red 4, red 5", "red 3", {}, "red 2, red 4, red 5"),
        ("red 2, red 3, red 4, red 5, red 6", "red 3", {0: [4, 5, 6]}, "red 2"),
        ("red 2, red 3, red 4, red 5, red 6, red 7, red 8", "red 5", {0: [2, 3, 4], 2: [6, 7, 8]}, ""),
        ("red 2, wild, wild, wild", "red 2", {}, "wild, wild, wild"),
        ("wild, wild, wild, red 5, red 6, red 7, red 8", "red 5", {0: [6, 7, 8]}, "wild, wild, wild"),
    ],
)
def test_w5_cutting_a_run(laid, picked, left, returned):
    spreads = [run(1, "red", 2, laid), a_set(0, 11, green="green 11", white="white 11", blue="blue 11")]
    game = position("blue 9, red 13, blue 2", "", factory="white 3, white 4, blue 4", spreads=spreads)
    act(game, "draw", "discard blue 9", f"pick {picked}")
    assert {slot: spread.held for slot, spread in game.spreads.items() if spread.suit} == left
    assert text(game.hands[1]).startswith(returned) and text(game.known[1]) == returned


def test_w5_a_set_of_wilds_goes_to_its_owner():
    spreads = [a_set(1, 12, green="green 12", purple="wild", white="wild", red="wild")]
    game = position("blue 9, red 13, blue 2", "", factory="white 3, white 4, blue 4", spreads=spreads)
    act(game, "draw", "discard blue 9", "pick green 12")
    assert game.spreads == {} and text(game.known[1]) == "wild, wild, wild"


def test_w6_short_circuit():
    game = position("blue 11, blue 2", "red 2", "red 4", factory="white 2, blue 4, blue 13")
    act(game, "draw", "discard blue 11")
    assert game.actor == 2 and game.turns == 1
    game = position("blue 11, blue 2", "red 2", factory="white 2, blue 4, blue 13")
    act(game, "draw", "discard blue 11")
    assert game.actor == 0


def test_w6_two_players_nobody_is_skipped_twice_without_a_turn():
    factory = "white 2, white 4, white 6, blue 13"
    game = position("blue 11, red 11, blue 2", "green 11, red 2", factory=factory)
    act(game, "draw", "discard blue 11")
    assert game.actor == 0 and game.skipped == [False, True] and not game.skip
    act(game, "draw", "discard red 11")
    assert game.actor == 1 and game.turns == 2 and game.skipped == [False, False]
    act(game, "draw", "discard green 11")
    assert game.actor == 1 and game.turns == 3 and game.skipped == [True, False]


def test_w6_three_players_nobody_is_skipped_twice_without_a_turn():
    factory = "white 2, white 4, white 6, white 8, white 10, white 13, blue 4, blue 13"
    game = position("blue 11, red 11, green 11", "red 2, red 13", "red 4, red 6", factory=factory)
    act(game, "draw", "discard blue 11")
    assert game.actor == 2 and game.skipped == [False, True, False]
    act(game, "draw", "discard red 4")
    assert game.actor == 0 and game.skipped == [False, True, False]
    act(game, "draw", "discard red 11")
    assert game.actor == 1 and game.skipped == [False, False, False]
    act(game, "draw", "discard red 2", "draw", "discard red 6", "draw", "discard green 11")
    assert game.actor == 2 and game.skipped == [False, True, False]


@pytest.mark.parametrize("skipped", [False, True])
def test_w6_w10_a_short_circuit_that_skips_nobody_has_acted(skipped):
    game = position("blue 11, blue 5, blue 2", "red 2", factory="white 2, white 4, red 5, green 3, blue 13")
    game.skipped[1] = skipped
    act(game, "draw", "discard blue 5", "draw", "discard blue 11")
    assert game.decision == "lay" and ("blue", 11) in game.acted and game.skip == (not skipped)
    act(game, "discard green 3", "pick blue 11")
    assert game.actor == int(skipped) and game.skipped == [False, not skipped]


def test_w6_being_skipped_is_forgotten_in_a_new_round():
    game = new_game(rounds=2)
    seat = game.dealer = game.actor  # so that the next round, too, starts with this player's turn
    game.hands[seat], game.factory = cards("blue 11, red 4, red 5"), cards("blue 13, red 6")
    act(game, "draw", "discard blue 11")
    assert game.actor == seat and game.skipped[1 - seat]
    act(game, "draw", "lay run red 4-6")  # and discard the last card
    assert game.round == 2 and game.actor == seat and game.skipped == [False, False]


def test_w6_e5_the_last_turn_skips_nobody():
    game = position("blue 2, blue 4", "red 11, red 4", factory="white 8, white 10", max_turns=1)
    act(game, "draw", "discard blue 2", "draw", "discard red 11")
    assert game.over and game.skipped == [False, False]


def test_w9_the_last_discard():
    game = position("", "white 12, red 10", heap="red 2", factory="blue 3")
    act(game, "draw")
    assert game.over
    game = position("", "white 12, red 10", heap="red 2", factory="white 2, green 3", power_on_last_discard=True)
    act(game, "draw")
    assert game.decision == "recycle"
    act(game, "pick red 2")
    assert game.actor == 1 and text(game.hands[0]) == "red 2"
    game = position("", "white 12, red 10", heap="red 2", factory="white 2, green 3", power_on_last_discard=True)
    act(game, "draw", "pass")
    assert game.over


def test_e4_a_shared_lead_goes_on():
    game = new_game(rounds=0, target_score=50)
    game._round = lambda: iter(())
    results = iter([[60, 60], [-5, -20]])
    table = {}

    def score(seat):
        if seat == 0:
            table["now"] = next(results)
        return table["now"][seat]

    game._round_score = score
    game._game = game._match()
    game.round = 0
    game._resume(None)
    assert game.over and game.round == 2 and game.scores == [55, 40] and game.winners == {0} and not game.truncated


def test_e5_turns_run_out():
    game = position("blue 2, blue 4", "red 2, red 4", factory="white 8, white 10, green 12, green 14", max_turns=1)
    act(game, "draw", "discard blue 2", "draw", "discard red 2")
    assert game.over


def play_out(game, rng):
    met = set()
    while not game.over:
        met.add(game.decision)
        everything = [card for hand in game.hands for card in hand] + game.heap + game.factory
        everything += [card for spread in game.spreads.values() for card in spread.cards]
        assert sorted(map(name_of, everything)) == sorted(map(name_of, DECK))
        game.apply(rng.choice(game.legal_actions()))
    return met


def test_every_decision_is_met():
    met = set()
    for seed in range(12):
        met |= play_out(new_game(2 + seed % 4, seed, ask_forced=seed % 3 == 0), random.Random(seed))
    assert met | {"over"} == set(DECISIONS)


def test_forced_decisions_change_nothing_but_the_questions():
    for seed in range(4):
        rng = random.Random(seed)
        quiet, asking = (new_game(2 + seed, seed, ask_forced=ask) for ask in (False, True))
        while not quiet.over:
            while len(asking.legal_actions()) == 1:
                asking.apply(asking.legal_actions()[0])
            assert quiet.legal_names() == asking.legal_names() and quiet.hands == asking.hands
            action = rng.choice(quiet.legal_actions())
            quiet.apply(action)
            asking.apply(action)
        while not asking.over:
            asking.apply(asking.legal_actions()[0])
        assert quiet.hands == asking.hands and quiet.scores == asking.scores


def test_e6_a_match_is_cut_short():
    game = new_game(rounds=0, max_rounds=2, max_turns=2)
    play_out(game, random.Random(1))
    assert game.truncated and game.round == 2 and game.winners == set()


def test_an_illegal_action_is_refused():
    game = new_game()
    with pytest.raises(ValueError, match="not legal"):
        game.apply("call")
    assert not game.over
