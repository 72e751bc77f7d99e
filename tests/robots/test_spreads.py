"""The kernel of Robots! over random matches: cards conserved, masks honest, matches end, compiled or not."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robots_env import observation, rollout
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
from robots_env.bound import max_decisions
from robots_env.constants import (
    CARD_NAMES,
    DECISIONS,
    DECK,
    LANE,
    MAX_SPREADS,
    NO_CARD,
    NOBODY,
    OVER,
    THREE_SUITS,
    TO_AIM,
    TO_DRAW,
    TO_PLAY,
    WILD,
    WINDOWS,
)
from robots_env.ruleset import load_rules
from robots_env.state import GAME
from tabletop.game import DEAL, ILLEGAL
from tabletop.jit import kernel_view

ROOT = Path(__file__).resolve().parents[2]
SHORT = {"max_turns": 15, "max_rounds": 4}
SETTINGS: dict[str, dict[str, Any]] = {
    "source": {},
    "publisher": {"base": "publisher"},
    "all the other way": {
        "base": "publisher",
        "wild_completes_robot": True,
        "discard_taken_card": False,
        "power_on_last_discard": True,
        "max_refills": 3,
    },
    "powers everywhere": {
        "powers": {n: ("recycle", "extra parts", "laser", "tractor beam")[n % 4] for n in range(2, 15)},
        "discard_taken_card": False,
    },
    "no powers": {"powers": {}, "max_refills": 0},
}


def rules_of(name, **more):
    return load_rules({**SETTINGS[name], **SHORT, **more})


class Table:
    """One game, played through the compiled entry points."""

    def __init__(self, num_players, rules, seed, *, rounds=0, ask_forced=False):
        self.games = np.zeros(1, GAME)
        self.games["num_players"], self.games["rounds"], self.games["ask_forced"] = num_players, rounds, ask_forced
        self.games["rng"] = seed
        self.games = kernel_view(self.games)
        self.tables = rules.tables
        self.seen = np.zeros(observation.layout(num_players).size, np.float32)
        self.mask = np.zeros(NUM_ACTIONS, np.int8)
        self.actor = self.play(DEAL)

    def play(self, action):
        return rollout.play_game(self.games, 0, self.tables, action, self.seen, self.mask)

    def act(self, action):
        assert self.mask[action] == 1
        self.actor = self.play(action)

    @property
    def g(self):
        return self.games[0]

    def random_action(self, rng):
        return int(rng.choice(np.flatnonzero(self.mask)))


def cards_in(words):
    """A set of cards as a list of card numbers."""
    a, b = map(int, words)
    cards = [i for i in range(64) if a >> i & 1] + [64 + i for i in range(15) if b >> i & 1]
    return cards + [WILD] * (b >> 16)


def spreads_of(g):
    """Every spread: owner, whether a run, number or suit, and by cell the card."""
    spreads = []
    for slot in range(MAX_SPREADS):
        if g["owner"][slot] == NOBODY:
            continue
        assert slot < g["slots"]
        number, suit = int(g["number"][slot]), int(g["suit"][slot])
        cards = {}
        for cell in range(15):
            if not g["cells"][slot] >> cell & 1:
                continue
            card = LANE * suit + cell if number == 0 else LANE * cell + number - 1
            if g["wild_cells"][slot] >> cell & 1:
                card = WILD
            elif g["star_cells"][slot] >> cell & 1:
                card = LANE * (suit if number == 0 else cell)
            cards[cell] = card
        spreads.append((slot, int(g["owner"][slot]), number, suit, cards))
    return spreads


def check_table(g, rules):
    """Every card is in one place, spreads are spreads, tallies count what they say, what is known is so."""
    places = list(g["factory"][: g["factory_size"]]) + list(g["heap"][: g["heap_size"]])
    assert (g["factory"][g["factory_size"] :] == NO_CARD).all() and (g["heap"][g["heap_size"] :] == NO_CARD).all()
    for seat in range(5):
        hand = cards_in(g["hand"][seat])
        places += hand
        assert not Counter(cards_in(g["known"][seat])) - Counter(hand)
        if seat >= g["num_players"]:
            assert not hand
    assert 0 <= g["under"] <= g["factory_size"]
    high = rules.star_high
    gaps = [0] * 5
    owned: Counter[int] = Counter()
    played: Counter[int] = Counter()
    for slot, owner, number, suit, cards in spreads_of(g):
        places += cards.values()
        owned[owner] += 1
        assert len(cards) >= 3 and any(card != WILD for card in cards.values())
        played.update(card for card in cards.values() if card != WILD)
        assert sum(int(g["wilds_by"][slot][seat]) for seat in range(5)) == g["wild_cells"][slot]
        for cell, card in cards.items():
            value = cell + 1 if number == 0 else number
            if card != WILD:
                assert card // LANE == (suit if number == 0 else cell)
                assert card % LANE + 1 == value or (card % LANE == 0 and value in (1, high))
        cells = sorted(cards)
        if number == 0:
            assert cells == list(range(cells[0], cells[0] + len(cells))) and cells[-1] < max(14, high)
            gaps[suit] |= (1 << cells[0] >> 1) | (1 << cells[-1] + 1 if cells[-1] + 1 < max(14, high) else 0)
        else:
            assert 1 <= number <= max(14, high) and cells[-1] < 5
            for missing in set(range(5)) - set(cells):
                gaps[missing] |= 1 << number - 1
        kinds = set(cards.values())
        whole = number in range(2, 15) and len(cards) == 5 and all(card % LANE for card in kinds - {WILD})
        assert (g["robot"][slot] != NOBODY) == (whole and (WILD not in kinds or rules.wild_completes_robot))
    assert sorted(places) == sorted(DECK)
    assert played == Counter(card for seat in range(5) for card in cards_in(g["played"][seat]))
    assert [int(g["owned"][seat]) for seat in range(5)] == [owned[seat] for seat in range(5)]
    assert [int(g["gaps"][s // 4]) >> LANE * (s % 4) & 0x7FFF for s in range(5)] == gaps


# --- What a player may play, by brute force ------------------------------------------------------------------------


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


def check_plays(g, rules, mask):
    """The mask of TO_PLAY and TO_DRAW, against brute force."""
    seat, high = int(g["actor"]), rules.star_high
    hand = cards_in(g["hand"][seat])
    legal = set(np.flatnonzero(mask).tolist())
    adds = g["owned"][seat] > 0
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


# --- Tests ---------------------------------------------------------------------------------------------------------


def test_action_list():
    assert NUM_ACTIONS == len(ACTION_NAMES) == 493
    assert ACTION_NAMES[DISCARD + 70] == "discard wild" and ACTION_NAMES[LAY_RUN] == "lay run green 1-3"
    assert ACTION_NAMES[WILD_IN - 1] == "lay set 15 white red blue"
    assert [card - 2 * (card // LANE) for card in CARD_NAMES] == list(range(71))


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_random_matches(num_players, settings):
    """At every decision: 74 cards, sound tallies, a legal action, the mask that brute force gives, a finite layout."""
    rules = rules_of(settings)
    rng = np.random.default_rng(num_players)
    low, high = observation.bounds(num_players, rules.tables)
    asked: Counter[int] = Counter()
    for seed in range(2):
        table = Table(num_players, rules, seed, ask_forced=seed == 1)
        while table.actor >= 0:
            check_table(table.g, rules)
            if rng.random() < 0.3:
                check_plays(table.g, rules, table.mask)
            assert table.g["decision"] != OVER and table.mask.any()
            assert seed == 1 or table.mask.sum() > 1
            assert table.mask.min() >= 0 and table.mask.max() == 1
            assert (table.seen >= low).all() and (table.seen <= high).all()
            asked[int(table.g["decision"])] += 1
            table.act(table.random_action(rng))
        assert table.g["decisions"] <= max_decisions(num_players, rules)
        assert table.g["truncated"] == 1 or table.g["scores"][:num_players].max() >= 250
        assert not table.mask.any()
    assert {TO_DRAW, TO_PLAY} <= set(asked)


@pytest.mark.parametrize("settings", SETTINGS)
def test_illegal_actions_change_nothing(settings):
    rules = rules_of(settings)
    rng = np.random.default_rng(0)
    for num_players in (2, 5):
        table = Table(num_players, rules, 7)
        for _ in range(150):
            if table.actor < 0:
                break
            before, mask = table.games.tobytes(), table.mask.copy()
            seen = table.seen.copy()
            for action in (-5, -1, NUM_ACTIONS, 10**9, *np.flatnonzero(mask == 0)):
                assert table.play(int(action)) == ILLEGAL
            assert table.games.tobytes() == before
            assert (table.mask == mask).all() and (table.seen == seen).all()
            table.act(table.random_action(rng))


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_looking_changes_nothing_and_agrees(num_players):
    """Each legal action of the mask is accepted from a copy; others' masks are empty."""
    rules = rules_of("all the other way")
    rng = np.random.default_rng(1)
    table = Table(num_players, rules, 11)
    for _ in range(300):
        if table.actor < 0:
            break
        before = table.games.copy()
        for seat in range(num_players):
            seen, mask = np.zeros_like(table.seen), np.ones_like(table.mask)
            rollout.look_at_game(table.games, 0, table.tables, seat, seen, mask)
            assert (mask == (table.mask if seat == table.actor else 0)).all()
            assert seat != table.actor or (seen == table.seen).all()
        assert table.games.tobytes() == before.tobytes()
        copy = Table(num_players, rules, 0)
        for action in np.flatnonzero(table.mask)[:40]:
            copy.games[...] = before
            assert copy.play(int(action)) != ILLEGAL
        table.act(table.random_action(rng))


def test_what_is_hidden_is_not_seen():
    """Shuffling the unknown cards of the factory and the others' hands changes nothing that a player sees."""
    rules = rules_of("source")
    rng = np.random.default_rng(5)
    for num_players in (2, 4):
        table = Table(num_players, rules, 3)
        for _ in range(400):
            if table.actor < 0:
                break
            g = table.g
            me = table.actor
            pool = list(g["factory"][g["under"] : g["factory_size"]])
            hidden = {}
            for seat in range(num_players):
                if seat != me:
                    hidden[seat] = list(
                        (Counter(cards_in(g["hand"][seat])) - Counter(cards_in(g["known"][seat]))).elements()
                    )
                    pool += hidden[seat]
            pool = list(rng.permutation(pool))
            other = table.games.copy()
            for seat, cards in hidden.items():
                words = [int(w) for w in g["known"][seat]]
                for _ in cards:
                    card = int(pool.pop())
                    words[card // 64] += 1 << card % 64
                other["hand"][0][seat] = words
            other["factory"][0][g["under"] : g["factory_size"]] = pool
            seen, mask = np.zeros_like(table.seen), np.ones_like(table.mask)
            rollout.look_at_game(kernel_view(other), 0, table.tables, me, seen, mask)
            assert (seen == table.seen).all() and (mask == table.mask).all()
            table.act(table.random_action(rng))


def test_everything_happens():
    """Random play reaches every kind of decision and action, and the rare turns of the rules."""
    happened: Counter[str] = Counter()
    for settings in ("source", "all the other way", "powers everywhere"):
        rules = rules_of(settings, max_rounds=30)
        rng = np.random.default_rng(8)
        for seed in range(8):
            table = Table(2 + seed // 2, rules, seed)
            while table.actor >= 0:
                g, action = table.g, table.random_action(rng)
                builds = [a for a in np.flatnonzero(table.mask[ADD:WILD_IN]) + ADD if a < LAY_SET]
                if builds and seed % 2 and rng.random() < 0.8:  # runs must grow long before one can be cut in two
                    action = int(rng.choice(builds))
                before = {slot: cards for slot, _, _, _, cards in spreads_of(g)}
                due, decision = int(g["must_play"]), int(g["decision"])
                happened[DECISIONS[decision]] += 1
                happened[ACTION_NAMES[action].split()[0]] += 1
                happened["the wild is due"] += due == WILD
                happened["a star is due"] += due != NO_CARD and due != WILD and due % LANE == 0
                happened["a turn is skipped"] += int(g["skip"])
                happened["a player is barred"] += bool(g["barred"].any())
                happened["cards are known to lie under the factory"] += int(g["under"] > 0)
                happened["the heap was shuffled"] += int(g["refills"] > 0)
                happened["a star stands for a 14"] += ACTION_NAMES[action].startswith("star as")
                if decision == TO_AIM and action != PASS:
                    table.act(action)
                    check_table(table.g, rules)
                    after = {slot: cards for slot, _, _, _, cards in spreads_of(table.g)}
                    happened["a wild is hit"] += PICK_WILD <= action < DISCARD
                    happened["a run is cut in two"] += len(after) > len(before)
                    happened["a spread is gone"] += len(after) < len(before)
                    continue
                robots = int((g["robot"] != NOBODY).sum())
                round_number = int(g["round_number"])
                table.act(action)
                if table.g["round_number"] == round_number:
                    happened["a robot is completed"] += int((table.g["robot"] != NOBODY).sum()) > robots
                    happened["a robot is completed by a call"] += (
                        int((table.g["robot"] != NOBODY).sum()) > robots and ACTION_NAMES[action] == "call"
                    )
            happened["a match is cut short"] += int(table.g["truncated"])
            happened["a score is negative"] += bool((table.g["scores"] < 0).any())
    assert not [what for what, times in happened.items() if times == 0], happened
    verbs = {name.split()[0] for name in ACTION_NAMES}
    assert verbs | set(DECISIONS[:-1]) <= set(happened), happened


def test_rounds():
    """A match of so many rounds ends with scores that are the rounds' sum."""
    rules = load_rules()
    rng = np.random.default_rng(2)
    table = Table(3, rules, 5, rounds=2)
    totals = np.zeros(5, np.int64)
    round_number = 1
    while table.actor >= 0:
        table.act(table.random_action(rng))
        if table.g["round_number"] != round_number or table.actor < 0:
            totals += table.g["round_scores"]
            round_number += 1
    assert round_number == 3 and table.g["truncated"] == 0
    assert (table.g["scores"] == totals).all()
    scores, wins = np.zeros(5, np.int64), np.zeros(5, np.int64)
    rollout.judge_game(table.games, 0, table.tables, scores, wins)
    assert (scores == totals).all() and (wins[:3] == (totals[:3] == totals[:3].max())).all()


def fingerprint(num_players, settings, seed, decisions):
    """A hash of every state, mask and observation of a random game's first decisions."""
    rules = rules_of(settings)
    rng = np.random.default_rng(seed)
    table = Table(num_players, rules, seed)
    digest = hashlib.sha256()
    for _ in range(decisions):
        if table.actor < 0:
            break
        digest.update(table.games.tobytes() + table.mask.tobytes() + table.seen.tobytes())
        table.act(table.random_action(rng))
    scores, wins = np.zeros(5, np.int64), np.zeros(5, np.int64)
    rollout.judge_game(table.games, 0, table.tables, scores, wins)
    return digest.hexdigest() + str(scores) + str(wins)


GAMES = [(n, name, 10 * n + i, 120) for n in (2, 3, 4, 5) for i, name in enumerate(SETTINGS)]


def test_compiled_equals_uncompiled():
    """The same games, byte for byte, in a process without the compiler."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        [sys.executable, "-W", "error", __file__], env=environment, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines() == [fingerprint(*game) for game in GAMES]


if __name__ == "__main__":
    for game in GAMES:
        print(fingerprint(*game))
