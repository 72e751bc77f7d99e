"""The rules twice: the compiled kernel and the naive reference play the same games and are held against each other.

A game's deal is read from the kernel's record and handed to the reference. Then both make the same random actions,
and at every decision they must name the same actor, the same legal actions and the same table.

By default a sample is played. ``DIFFERENTIAL_GAMES=2000`` (``make differential``) plays that many games for each
number of players and setting.
"""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np
import pytest

from lastdroid_env import actions as act
from lastdroid_env import constants as const
from lastdroid_env.cards import load_cards
from lastdroid_env.observation import layout
from lastdroid_env.rollout import judge_game, play_game
from lastdroid_env.state import GAME
from lastdroid_env.tables import TABLES
from tabletop.game import DEAL, ILLEGAL
from tabletop.jit import kernel_view
from tests.reference.last_droid import Reference, cards_from_tables
from tests.reference.test_reference import made_up_cards

GAMES = int(os.environ.get("DIFFERENTIAL_GAMES", "12"))  # for each number of players and setting
CLOSELY_EVERY = 16  # decisions

PLAYERS: dict[str, dict[str, Any]] = {
    "solo": {"num_players": 1},
    "solo hard": {"num_players": 1, "hard": True},
    "2 players": {"num_players": 2},
    "3 players": {"num_players": 3},
    "4 players": {"num_players": 4},
}
MORE_HOUSES = const.WILD_TYPE_HOUSES + const.WILD_TYPE_HOUSES_EXTRA
SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "table talk": {"table_talk": True},
    "extension after season 3": {"extension_after_season_3": True},
    "wild type in more houses": {"wild_type_houses": MORE_HOUSES},
    "forced decisions asked": {"ask_forced": True},
    "open deck": {"open_deck": True},
    "all at once": {
        "table_talk": True,
        "extension_after_season_3": True,
        "wild_type_houses": MORE_HOUSES,
        "ask_forced": True,
        "open_deck": True,
    },
}


def printed_cards():
    tables = load_cards().tables
    return cards_from_tables(tables), kernel_view(tables)


def stress_cards(seed):
    """Cards of no real game, with more of everything; every house may be drawn in the solo game [O3]."""
    cards = made_up_cards(random.Random(seed))
    tables = np.zeros(1, TABLES)
    for number in range(1, const.NUM_CARDS + 1):
        card, row = cards["card"][number], tables["card"][0, number]
        for name, value in card.items():
            row[name] = value
        row["cost_icons"] = sum(card["cost"]) + 2 * np.count_nonzero(card["cost_pairs"]) + card["cost_any"]
        row["solo"] = card["type"] == const.HOUSE
    for name in ("droid", "give", "get"):
        tables[f"exchange_{name}"][0] = [exchange[name] for exchange in cards["exchanges"]]
    tables["exchange_uses"][0] = cards["uses"]
    return cards, kernel_view(tables)


def differences(kernel, reference):
    """What differs, as ``name[index]: kernel, reference``."""
    texts = []
    for name, value in kernel.items():
        if isinstance(value, list):
            pairs = enumerate(zip(value, reference[name], strict=True))
            texts += [f"{name}[{i}]: {a}, {b}" for i, (a, b) in pairs if a != b]
        elif value != reference[name]:
            texts.append(f"{name}: {value}, {reference[name]}")
    return "; ".join(texts)


class Both:
    """One game in the kernel and in the reference."""

    def __init__(self, cards, tables, seed, settings):
        self.tables = tables
        self.where = ""
        self.seats = max(2, settings["num_players"])
        games = np.zeros(1, GAME)
        games["rng"] = seed
        for name, value in ({"wild_type_houses": const.WILD_TYPE_HOUSES} | settings).items():
            games[name] = sum(1 << (h - const.FIRST_HOUSE) for h in value) if isinstance(value, tuple) else value
        self.games = kernel_view(games)
        self.observation = np.zeros(layout(settings["num_players"]).size, np.float32)
        self.mask = np.zeros(act.NUM_ACTIONS, np.int8)
        self.play(self.games, DEAL)
        (game,) = games.tolist()
        deal = dict(zip(GAME.names or (), game, strict=True))
        self.reference = Reference(
            cards,
            decks=[[card for card in deck if card] for deck in deal["deck"].tolist() if deck[0]],
            houses_between={const.FIRST_HOUSE + i: pair for i, pair in enumerate(deal["between"]) if pair >= 0},
            first_priority=deal["priority"],
            **{name: value for name, value in settings.items() if name != "open_deck"},
        )

    def play(self, games, action):
        return play_game(games, 0, self.tables, action, self.observation, self.mask)

    def legal(self):
        return np.flatnonzero(self.mask).tolist()

    def compare(self):
        """The same actor, decision and legal actions, and the same table."""
        view = self.reference.view()
        kernel = {name: self.games[name][0].tolist() for name in view}
        assert kernel == view, f"{self.where}: {differences(kernel, view)}"
        legal = self.legal()
        assert legal == self.reference.legal_actions(), f"{self.where}: {legal} {self.reference.legal_actions()}"

    def compare_closely(self):
        """Whatever the mask lists is accepted, all else refused with nothing changed; the result as the table lies."""
        games, mask = self.games.tobytes(), self.mask.copy()
        for action in (*range(DEAL + 1, act.NUM_ACTIONS + 3), 10_000):
            if 0 <= action < act.NUM_ACTIONS and mask[action]:
                assert self.play(self.games.copy(), action) != ILLEGAL, f"{self.where}: action {action}"
                self.mask[:] = mask
            else:
                assert self.play(self.games, action) == ILLEGAL, f"{self.where}: action {action}"
        assert self.games.tobytes() == games and np.array_equal(self.mask, mask), self.where
        self.compare_result()

    def compare_result(self):
        scores, wins = np.zeros((2, const.MAX_SEATS), np.int64)
        judge_game(self.games, 0, self.tables, scores, wins)
        assert scores[: self.seats].tolist() == self.reference.scores(), self.where
        assert set(np.flatnonzero(wins).tolist()) == self.reference.winners(), self.where

    def apply(self, action):
        actor = self.play(self.games, action)
        self.reference.apply(action)
        assert actor == self.games["actor"][0], self.where


STYLES = ("random", "hungry", "patient")


def choose(rng, legal, style):
    """A random action. The hungry mostly repair or build when they can; the patient repair, seldom build, so that their
    games are long, and keep most of what they have."""
    builds = [action for action in legal if act.BUILD <= action < act.PAY_ANY]
    repairs = [action for action in legal if action == act.REPAIR]
    if style == "hungry" and builds + repairs and rng.random() < 0.8:
        return rng.choice(builds + repairs)
    if style == "patient" and act.DISMANTLE in legal:
        if builds and rng.random() < 0.2:
            return rng.choice(builds)
        return (repairs or [act.DISMANTLE])[0]
    if style != "random" and act.PASS in legal and rng.random() < 0.5:
        return act.PASS
    return rng.choice(legal)


def play(both, rng, style, name):
    decisions = 0
    while not both.reference.over:
        both.where = f"{name}, decision {decisions} ({both.reference.decision})"
        both.compare()
        if rng.randrange(CLOSELY_EVERY) == 0:
            both.compare_closely()
        both.apply(choose(rng, both.legal(), style))
        decisions += 1
    both.where = f"{name}, at the end"
    both.compare()
    both.compare_closely()


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("players", PLAYERS)
def test_kernel_and_reference_agree(players, setting):
    settings = PLAYERS[players] | SETTINGS[setting]
    first = 1_000_000 * list(PLAYERS).index(players) + 100_000 * list(SETTINGS).index(setting)
    for game in range(GAMES):
        seed = first + game
        style = STYLES[game % 3]
        cards, tables = stress_cards(seed) if game % 2 == 0 else printed_cards()
        name = f"game {seed}, {style} actions, {'stress' if game % 2 == 0 else 'printed'} cards"
        play(Both(cards, tables, seed, settings), random.Random(seed), style, name)
