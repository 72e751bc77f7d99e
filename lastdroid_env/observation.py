"""The observation: one list of named sections, from which the space, the decoder and the documentation come.

``encoder`` writes the same sections in the same order; a test compares each of them with the game itself.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.layout import COUNTS, FLAGS, ONE_HOT, Layout, Section

from . import encoder
from .constants import (
    COLUMN,
    DECISIONS,
    DROID_TYPES,
    EXCHANGE_DROIDS,
    FIRST_HOUSE,
    FOUR_PLAYER_DROIDS,
    GIFT_ALTERNATIVES,
    MAX_PAIRS,
    NUM_HOUSES,
    PARTS,
    SEASONS,
    STAGES,
    STORE_DROIDS,
    TASKS,
    THREE_PLAYER_DROIDS,
    TURNS,
    TWO_PLAYER_DROIDS,
    TYPES,
    WILD_TYPE_HOUSES_EXTRA,
)
from .tables import FEATURES

_HOUSES = tuple(str(n) for n in range(FIRST_HOUSE, FIRST_HOUSE + NUM_HOUSES))
_TYPES = TYPES[:DROID_TYPES]
_PAIR_ICONS = ("2 same", "2 different")


def role_names(num_players: int) -> tuple[str, ...]:
    """Names of the seats as their observer counts them, itself first."""
    return {
        1: ("me", "auto"),
        2: ("me", "opponent"),
        3: ("me", "next", "previous"),
        4: ("me", "opponent faced", "team mate", "other opponent"),
    }[num_players]


def pair_names(num_players: int) -> tuple[str, ...]:
    """Names of the pairs of seats between which houses and discarded communication droids lie."""
    return {
        1: ("me and auto",),
        2: ("me and opponent",),
        3: ("me and next", "next and previous", "previous and me"),
        4: ("me and opponent faced", "the other two"),
    }[num_players]


def droids_in_game(num_players: int) -> tuple[int, ...]:
    """Numbers of the droid cards that are used [S5, C2]."""
    more = {1: (), 2: (), 3: THREE_PLAYER_DROIDS, 4: THREE_PLAYER_DROIDS + FOUR_PLAYER_DROIDS}[num_players]
    return TWO_PLAYER_DROIDS + more


@functools.cache
def layout(num_players: int) -> Layout:
    """The sections of an observation in their order, for 1 (solo) to 4 players."""
    if num_players not in range(1, 5):
        raise ValueError(f"num_players must be 1, 2, 3 or 4, not {num_players!r}")
    roles, pairs = role_names(num_players), pair_names(num_players)
    slots = tuple(f"slot {i}" for i in range(len(roles)))
    droids = tuple(str(n) for n in droids_in_game(num_players))
    decks = tuple(f"deck {i + 1}" for i in range(2 if num_players == 4 else 1))
    exchange_droids = tuple(str(n) for n in EXCHANGE_DROIDS)
    features = tuple(name for name, _ in FEATURES)
    scales = tuple(float(scale) for _, scale in FEATURES)
    settings = (
        "hard",
        "table_talk",
        "open_deck",
        "extension_after_season_3",
        *(f"droid 36 counts for house {n}" for n in WILD_TYPE_HOUSES_EXTRA),
    )
    pair_slots = tuple(f"pair {i}" for i in range(MAX_PAIRS))
    seasons = tuple(f"season {i + 1}" for i in range(SEASONS))
    sections = [
        Section("turn", (("turn",),), COUNTS, "the turn, 1 to 22", TURNS),
        Section("season", (seasons,), ONE_HOT, "the season"),
        Section("settings", (settings,), FLAGS, "the settings of the game"),
    ]
    if num_players == 4:
        sections.append(
            Section(
                "faces_clockwise",
                (("opponent faced is next clockwise",),),
                FLAGS,
                "which way round the table the opponent faced sits",
            )
        )
    sections += [
        Section("stage", (STAGES,), ONE_HOT, "where in the turn, the season's end or the game's end the table stands"),
        Section("decision", (DECISIONS,), ONE_HOT, "what is being decided"),
        Section("actor", (roles,), ONE_HOT, "who decides; nobody when the game is over"),
        Section("priority", (roles,), ONE_HOT, "the priority player (four players: position 1)"),
        Section("task", (TASKS,), ONE_HOT, "what the acting player is in the middle of"),
        Section("target_house", (_HOUSES,), ONE_HOT, "the house being built"),
        Section("owed_pairs", (pair_slots, _PAIR_ICONS), ONE_HOT, "pairs still to be paid, the next one first"),
        Section("due_pairs", (pair_slots, _PAIR_ICONS), ONE_HOT, "pairs still to be gained, the next one first"),
        Section(
            "icons_due",
            (("? owed", "? to gain", "extensions to place"),),
            COUNTS,
            "single icons still to be named",
            encoder.ICONS_SCALE,
        ),
        Section("named", (PARTS,), FLAGS, "kinds that the card being dismantled has given so far"),
        Section(
            "gift",
            (tuple(f"alternative {i + 1}" for i in range(GIFT_ALTERNATIVES)),),
            ONE_HOT,
            "the gift that follows once the extensions are placed",
        ),
        Section("cards", (slots, features), COUNTS, "the droid cards revealed this turn, as printed", scales=scales),
        Section("holder", (slots, roles), ONE_HOT, "who was given the card"),
        Section("unplayed", (slots,), FLAGS, "cards with which no action has been completed yet"),
    ]
    if num_players == 1:
        sections.append(
            Section(
                "interest",
                (slots,),
                COUNTS,
                "the cards' interest value, with what the houses in play add to it",
                encoder.INTEREST_SCALE,
            )
        )
    sections += [
        Section("wishes", (roles, slots), ONE_HOT, "the card each player named this turn (table talk)"),
        Section("house_between", (pairs, _HOUSES), FLAGS, "between whom a house lies, built or not"),
        Section("house_builder", (roles, _HOUSES), FLAGS, "who built it"),
        Section(
            "house_tokens",
            (("laid by me", "laid by another"), _HOUSES),
            FLAGS,
            "the house with the extra-cost tokens of droid 31",
        ),
        Section("parts", (roles, PARTS), COUNTS, "parts in the sheds", encoder.PARTS_SCALE),
        Section("room", (roles, PARTS), COUNTS, "parts that still find room", encoder.PARTS_SCALE),
        Section("extensions", (roles, PARTS), COUNTS, "shed extensions", encoder.EXTENSIONS_SCALE),
        Section(
            "stored",
            (tuple(f"droid {n}" for n in STORE_DROIDS), PARTS),
            COUNTS,
            "parts lying on the droid, for whoever repaired it",
            encoder.PARTS_SCALE,
        ),
        Section("droids", (roles, _TYPES), COUNTS, "repaired droids by type", encoder.DROIDS_SCALE),
        Section("leaves", (roles,), COUNTS, "leaves on repaired droids", encoder.LEAVES_SCALE),
        Section("printed_rp", (roles,), COUNTS, "recycling points printed on repaired droids", encoder.RP_SCALE),
        Section("face_up", (pairs,), COUNTS, "communication droids discarded between them", encoder.CARDS_SCALE),
        Section(
            "uses_left",
            (exchange_droids,),
            COUNTS,
            "remaining uses of a repaired droid's exchanges in this phase; 2 if unlimited",
            encoder.USES_SCALE,
        ),
        Section("left", (seasons, _TYPES), COUNTS, "droids not yet revealed", encoder.CARDS_SCALE),
        Section("unseen", (droids,), FLAGS, "droid cards not yet revealed"),
        Section("repaired", (roles, droids), FLAGS, "who repaired which droid card"),
        Section(
            "deck_top",
            (decks, features),
            COUNTS,
            "with open_deck, the droid card on top of the deck; else zero",
            scales=scales,
        ),
    ]
    return Layout(sections)


def bounds(num_players: int, tables: NDArray[np.void]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The least and greatest value of every element that a game with these card tables can show (float32 each)."""
    card = tables["card"][0]
    in_game = list(droids_in_game(num_players))
    extensions = SEASONS + int(card["extensions"][in_game].sum() + card["free_extensions"][in_game].sum())
    parts = COLUMN + extensions
    shifts = card["interest_shift"].astype(int)
    sections = layout(num_players)
    low = np.zeros(sections.size, np.float32)
    high = np.ones(sections.size, np.float32)
    greatest: dict[str, Any] = {
        "icons_due": max(
            int(card["cost_any"].max()) + 3, int(card["gain_any"].max()) + 1, int(card["effect_any"].max()), extensions
        ),
        "cards": None,
        "deck_top": None,
        "interest": int(card["interest"].max()) + int(np.maximum(shifts, 0).sum()),
        "parts": parts,
        "room": parts,
        "extensions": extensions,
        "stored": max(1, int(card["effect"].max() + card["effect_any"].max())),
        "droids": TURNS,
        "leaves": max(1, int(card["leaves"][in_game].sum())),
        "printed_rp": max(1, int(card["rp"][in_game].sum())),
        "face_up": len(in_game),
        "uses_left": max(2, int(tables["exchange_uses"].max())),
        "left": len(in_game),
    }
    least_interest = int(card["interest"].min()) + int(np.minimum(shifts, 0).sum())
    for section in sections:
        part = sections.parts[section.name]
        if section.scales is not None:
            features = tables["features"][0]
            high[part] = np.tile(np.maximum(features.max(axis=0), 1.0), section.shape[0])
            low[part] = np.tile(np.minimum(features.min(axis=0), 0.0), section.shape[0])
        elif section.name in greatest:
            high[part] = np.float32(greatest[section.name] / section.scale)
        if section.name == "interest":
            low[part] = np.float32(min(0, least_interest) / section.scale)
    return low, high


def decode_observation(observation: NDArray[np.float32], num_players: int) -> dict[str, Any]:
    """An observation as readable values: section names to what they say, in the words of their labels.

    A one-hot section gives a label or None, flags give the list of labels that are set, counts give a dict of numbers
    (or a number alone); a section of two axes gives a dict of these by the labels of the first.
    """
    return layout(num_players).decode(observation)
