"""Last Droid as a ``Game``: settings, results, names of actions, the hidden cards redealt."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.game import Game, is_whole
from tabletop.layout import Layout

from . import observation, snapshots
from .actions import NUM_ACTIONS, action_names
from .cards import CardTables, load_cards
from .constants import (
    BASIC_EXCHANGES,
    DECISIONS,
    EXCHANGE_DROIDS,
    FIRST_HOUSE,
    MARKET_ALTERNATIVES,
    MAX_DECK,
    MAX_DECKS,
    MAX_SEATS,
    NUM_CARDS,
    WILD_TYPE_HOUSES,
    WILD_TYPE_HOUSES_EXTRA,
)
from .render import ansi
from .rollout import LOOPS
from .state import GAME


class LastDroid(Game):
    """A game of Last Droid for 1 (solo) to 4 players.

    Args:
        num_players: 1 (solo, against the Auto-Ecomechanic), 2, 3 or 4 (two teams of two).
        cards: a card file's path, loaded ``CardTables``, or None for the built-in cards.
        hard: solo with one of each base part instead of two (O2).
        table_talk: the others may name a card before the priority player chooses (D2).
        open_deck: the next droid lies face up on its deck (S9).
        extension_after_season_3: one more extension after the final exchange (N4).
        wild_type_houses: the houses for which droid 36 counts as one other type (F6): 49, 50, 52, 55 and, if you like,
            47 and 48.
        ask_forced: decisions with a single legal answer are asked too.
    """

    name = "last_droid"
    num_actions = NUM_ACTIONS
    loops = LOOPS
    max_seats = MAX_SEATS

    def __init__(
        self,
        num_players: int = 2,
        *,
        cards: str | os.PathLike[str] | CardTables | None = None,
        hard: bool = False,
        table_talk: bool = False,
        open_deck: bool = False,
        extension_after_season_3: bool = False,
        wild_type_houses: Iterable[int] = WILD_TYPE_HOUSES,
        ask_forced: bool = False,
    ) -> None:
        if not is_whole(num_players) or not 1 <= num_players <= 4:
            raise ValueError(f"num_players must be 1 (solo), 2, 3 or 4, not {num_players!r}")
        flags = {
            "hard": hard,
            "table_talk": table_talk,
            "open_deck": open_deck,
            "extension_after_season_3": extension_after_season_3,
            "ask_forced": ask_forced,
        }
        if hard and num_players != 1:
            raise ValueError("hard is a setting of the solo game: num_players must be 1")
        self.cards = cards if isinstance(cards, CardTables) else load_cards(cards)
        super().__init__(num_players, GAME, self.cards, **flags)
        self.observation_size = observation.layout(self.num_players).size
        self.record["wild_type_houses"] = _house_bits(wild_type_houses)

    def settings(self) -> dict[str, Any]:
        record = self.record[0]
        flags = ("hard", "table_talk", "open_deck", "extension_after_season_3", "ask_forced")
        bits = int(record["wild_type_houses"])
        return {
            "num_players": self.num_players,
            "cards": self.cards.content_hash,
            **{flag: bool(record[flag]) for flag in flags},
            "wild_type_houses": [FIRST_HOUSE + i for i in range(bits.bit_length()) if bits >> i & 1],
        }

    @property
    def layout(self) -> Layout:
        return observation.layout(self.num_players)

    def observation_bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return observation.bounds(self.num_players, self.tables)

    def state(self) -> NDArray[np.float32]:
        """Seat 0's observation, then the cards still in each deck, first drawn first (number / 102, 0 at the end)."""
        record = self.record[0]
        decks = np.zeros((MAX_DECKS, MAX_DECK), np.float32)
        for deck in range(MAX_DECKS):
            left = record["deck"][deck, int(record["drawn"][deck]) :]
            decks[deck, : len(left)] = left / NUM_CARDS
        return np.concatenate([self.view(0)[0], decks.ravel()])

    def state_bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        low, high = self.observation_bounds()
        decks = MAX_DECKS * MAX_DECK
        return np.append(low, np.zeros(decks, np.float32)), np.append(high, np.ones(decks, np.float32))

    @functools.cached_property
    def action_names(self) -> tuple[str, ...]:

        def market_exchange(droid: int, alternative: int) -> str | None:
            row = BASIC_EXCHANGES + EXCHANGE_DROIDS.index(droid) * MARKET_ALTERNATIVES + alternative
            return self.cards.exchange_to_string(row)

        return action_names(market_exchange)

    def decision_to_string(self) -> str:
        return DECISIONS[int(self.record["decision"][0])]

    def snapshot(self) -> dict[str, Any]:
        return snapshots.to_snapshot(self)

    def record_of(self, snapshot: Mapping[str, Any]) -> NDArray[Any]:
        return snapshots.from_snapshot(self, snapshot)

    def to_text(self, seat: int | None = None, *, width: int = ansi.WIDTH, choices: bool = True) -> str:
        return ansi.render(self, width=width, choices=choices)


def _house_bits(houses: Iterable[int]) -> int:
    allowed = sorted(WILD_TYPE_HOUSES + WILD_TYPE_HOUSES_EXTRA)
    try:
        chosen = list(houses)
    except TypeError:
        chosen = [houses]  # type: ignore[list-item]
    for house in chosen:
        if not is_whole(house) or house not in allowed:
            raise ValueError(f"wild_type_houses may hold {', '.join(map(str, allowed))}, not {house!r}")
    return sum(1 << (int(house) - FIRST_HOUSE) for house in set(chosen))
