"""What a player may draw and play, against brute force over all cards and spreads [D1-D5, P1-P7, K1-K4, W2]."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from robots_env import Robots
from robots_env.actions import (
    ACTION_NAMES,
    ADD,
    DISCARD,
    DRAW,
    LAY_RUN,
    LAY_SET,
    NUM_ACTIONS,
    PASS,
    PICK,
    PICK_WILD,
    WILD_IN,
)
from robots_env.constants import CARD_NAMES, LANE, NO_CARD, THREE_SUITS, TO_DRAW, TO_PLAY, WILD, WINDOWS
from tests.robots.games import SETTINGS, anything, decisions, layer, scavenger
from tests.robots.reading import cards_in, spreads_of


def values(card, high):
    """What a suited card may count as [C3]."""
    return {1, high} if card % LANE == 0 else {card % LANE + 1}


def fits_some_spread(g, card, high):
    """Whether a card could be added to any spread [K4]."""
    top = max(14, high)
    for _, _, number, suit, cards in spreads_of(g):
        if number == 0:
            open_places = {min(cards), max(cards) + 2} & set(range(1, top + 1))  # as values
            if open_places and (card == WILD or (card // LANE == suit and values(card, high) & open_places)):
                return True
        elif len(cards) < 5 and (card == WILD or (card // LANE not in cards and number in values(card, high))):
            return True
    return False


def new_spreads(hand, high, must=None):
    """The new spreads of three cards that a hand can lay, as actions; those that can hold the card ``must`` [D3]."""
    wilds, suited = hand.count(WILD), [card for card in hand if card != WILD]
    found = set()
    targets = [
        (LAY_RUN + WINDOWS * suit + low - 1, [(suit, low + i) for i in range(3)])
        for suit in range(5)
        for low in range(1, max(14, high) - 1)
    ]
    targets += [
        (LAY_SET + 10 * (value - 1) + i, [(suit, value) for suit in three])
        for value in range(1, max(14, high) + 1)
        for i, three in enumerate(THREE_SUITS)
    ]
    for action, cells in targets:
        choices = [
            [card for card in suited if card // LANE == suit and value in values(card, high)] + [WILD]
            for suit, value in cells
        ]
        for cards in itertools.product(*choices):
            if cards.count(WILD) > min(wilds, 2) or (must is not None and must not in cards):
                continue
            if len({card for card in cards if card != WILD}) == 3 - cards.count(WILD):
                found.add(action)
    return found


def check_plays(g, rules, legal):
    """The mask of TO_PLAY and TO_DRAW, against brute force."""
    seat, high = int(g["actor"]), rules.star_high
    hand = cards_in(g["hand"][seat])
    adds = g["owned"][seat] > 0 and not g["barred"][seat]
    if g["decision"] == TO_PLAY:
        must = None if g["must_play"] == NO_CARD else int(g["must_play"])
        expected = new_spreads(hand, high, must)
        fitting = {card for card in hand if fits_some_spread(g, card, high)}
        if adds:
            expected |= {ADD + card - 2 * (card // LANE) for card in fitting if must in (None, card)}
        if must is None:
            out = set(hand)
            if len(hand) == 1:
                out -= fitting
            elif not rules.discard_taken_card and g["taken"] != NO_CARD and hand.count(g["taken"]) == 1:
                out.discard(int(g["taken"]))
            expected |= {DISCARD + card - 2 * (card // LANE) for card in out}
            if len(hand) == 1 and fitting and not adds:
                expected |= {PASS}
        assert legal == expected
    elif g["decision"] == TO_DRAW:
        heap = [int(card) for card in g["heap"][: g["heap_size"]]]
        refillable = g["refills"] < rules.max_refills and len(heap) > 1
        expected = {DRAW if g["factory_size"] or refillable else PASS}
        for at, card in enumerate(heap):
            with_heap = hand + heap[at:]
            possible = adds and fits_some_spread(g, card, high)
            if at == len(heap) - 1 or possible or new_spreads(with_heap, high, card):
                above = heap[at + 1 :].count(WILD)
                expected.add(PICK_WILD + above if card == WILD else PICK + card - 2 * (card // LANE))
        assert legal == expected


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("choose", [anything, layer, scavenger])
def test_draws_and_plays(settings, choose):
    game = Robots(**settings)
    for seed in range(2):
        rng = np.random.default_rng(seed)
        for legal, _ in decisions(game, seed, choose):
            if rng.random() < 0.2:
                check_plays(game.record[0], game.rules, set(legal))


def test_action_list():
    assert len(ACTION_NAMES) == NUM_ACTIONS == 493
    assert ACTION_NAMES[DISCARD + 70] == "discard wild" and ACTION_NAMES[LAY_RUN] == "lay run green 1-3"
    assert ACTION_NAMES[WILD_IN - 1] == "lay set 15 white red blue"
    assert [card - 2 * (card // LANE) for card in CARD_NAMES] == list(range(71))
