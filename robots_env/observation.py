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
    CARD_NAMES,
    CARDS,
    DECISIONS,
    FIRST_NUMBER,
    LAST_NUMBER,
    MAX_SPREADS,
    NUM_CARDS,
    NUM_PLACES,
    SPREAD,
    SUITS,
    WILD,
    WILDS,
)


def role_names(num_players: int) -> tuple[str, ...]:
    """Names of the seats as their observer counts them, clockwise from itself."""
    return {
        2: ("me", "opponent"),
        3: ("me", "next", "previous"),
        4: ("me", "next", "opposite", "previous"),
        5: ("me", "next", "second", "third", "previous"),
    }[num_players]


_SUITED = tuple(CARD_NAMES[card] for card in CARDS)
_KINDS = (*_SUITED, CARD_NAMES[WILD])
_LAID = (*_SUITED, *(f"wild {i + 1}" for i in range(WILDS)))
_PLACES = tuple(str(place + 1) for place in range(NUM_PLACES))
_SPREADS = tuple(f"spread {slot + 1}" for slot in range(MAX_SPREADS))
_CELLS = tuple(f"card {i + 1}" for i in range(SPREAD))
_TABLE_WILDS = tuple(f"wild {i + 1}" for i in range(WILDS))
_NUMBERS = tuple(str(number) for number in range(FIRST_NUMBER, LAST_NUMBER + 1))
_HAND_SCALES = (1.0,) * len(_SUITED) + (float(WILDS),)


def _hand(name: str, axes: tuple[tuple[str, ...], ...], meaning: str) -> Section:
    return Section(name, (*axes, _KINDS), COUNTS, meaning, scales=_HAND_SCALES)


@functools.cache
def layout(num_players: int) -> Layout:
    """The sections of an observation in their order, for 2 to 5 players."""
    if num_players not in range(2, 6):
        raise ValueError(f"num_players must be 2, 3, 4 or 5, not {num_players!r}")
    roles = role_names(num_players)
    settings = ("star_high is 15", "wild_completes_robot", "discard_taken_card", "power_on_last_discard")
    sections = (
        Section(
            "settings", (settings,), FLAGS, "settings of the rule set; powers, points, refills and rounds are not shown"
        ),
        Section("round", (("round",),), COUNTS, "the round, from 1", encoder.ROUND_SCALE),
        Section("turns", (("turns",),), COUNTS, "turns that are over in this round", encoder.TURN_SCALE),
        Section("scores", (roles,), COUNTS, "points from the rounds that are over", encoder.SCORE_SCALE),
        Section("dealer", (roles,), ONE_HOT, "who dealt this round"),
        Section("player", (roles,), ONE_HOT, "whose turn it is"),
        Section("actor", (roles,), ONE_HOT, "who decides; nobody when the match is over"),
        Section(
            "decision", (DECISIONS,), ONE_HOT, "what is being decided; a spread being laid is a play to the others"
        ),
        Section("hand_sizes", (roles,), COUNTS, "cards in hand", encoder.HAND_SCALE),
        Section(
            "piles",
            (("factory", "heap", "refills"),),
            COUNTS,
            "cards in the factory and on the heap; how often the heap has become the factory",
            scales=(encoder.FACTORY_SCALE, encoder.HEAP_SCALE, 1.0),
        ),
        Section("due", (("must be played at once",),), FLAGS, "the card in question is due after a deep take"),
        Section("skip", (("the next player is skipped",),), FLAGS, "a short circuit of this turn will pass over them"),
        Section("lays", (("lays",),), COUNTS, "cards still to be laid for Extra Parts", encoder.LAYS_SCALE),
        Section("barred", (roles,), FLAGS, "who may add nothing until their next turn begins, after Extra Parts"),
        Section(
            "skipped", (roles,), FLAGS, "who has been skipped and had no turn since: a short circuit cannot skip them"
        ),
        Section(
            "card",
            (_KINDS,),
            ONE_HOT,
            "the card in question: being added, to be called for, due, or (discard_taken_card off) not to be discarded",
        ),
        Section("acted", (_SUITED,), FLAGS, "cards whose power has acted this turn"),
        Section("laying_suits", (SUITS,), FLAGS, "suits of the spread that the observer is laying"),
        Section("laying_places", (_PLACES,), FLAGS, "its places: 1 to 15"),
        Section("laying_wilds", (_CELLS,), FLAGS, "which of its cards are wilds, so far"),
        Section("laying_stars", (_CELLS,), FLAGS, "which of its cards are stars, so far"),
        Section("laying_next", (_CELLS,), ONE_HOT, "the first of its cards that may still be exchanged"),
        Section("target", (("target",),), COUNTS, "the set in which a wild's suit is being named", float(MAX_SPREADS)),
        Section("heap", (_LAID,), COUNTS, "how deep a card lies on the heap: 1 the top", encoder.HEAP_SCALE),
        Section("top", (_KINDS,), ONE_HOT, "the top card of the heap"),
        Section(
            "under",
            (_LAID,),
            COUNTS,
            "known cards under the factory: with how many draws each will come",
            encoder.FACTORY_SCALE,
        ),
        Section("robots", (roles, _NUMBERS), FLAGS, "who completed the robot of a number"),
        Section("wild_suit", (_TABLE_WILDS, SUITS), ONE_HOT, "wilds in spreads: the suit each stands for"),
        Section("wild_place", (_TABLE_WILDS,), COUNTS, "the place each stands for, 1 to 15", float(NUM_PLACES)),
        Section("wild_by", (_TABLE_WILDS, roles), ONE_HOT, "who played each"),
        Section("wild_spread", (_TABLE_WILDS,), COUNTS, "the spread in which each lies, from 1", float(MAX_SPREADS)),
        Section("star_as", (SUITS, ("1", "star_high")), ONE_HOT, "stars in spreads: what each counts as"),
        Section("star_spread", (SUITS,), COUNTS, "the spread in which each lies, from 1", float(MAX_SPREADS)),
        Section("spread_owner", (_SPREADS, roles), ONE_HOT, "who laid a spread down"),
        Section(
            "spread_ends",
            (_SPREADS, ("low", "high")),
            COUNTS,
            "its lowest and highest place: of a set the same",
            float(NUM_PLACES),
        ),
        Section("spread_suits", (_SPREADS, SUITS), FLAGS, "its suits: of a run one"),
        _hand(
            "reshuffled",
            (),
            "which refill, from 1, was the last to shuffle an unseen card: only those of the latest can lie in the "
            "factory; of wilds, how many of the unseen ones the latest shuffled at most",
        ),
        _hand("hand", (), "the observer's own cards"),
        _hand("known", (roles,), "cards in hands that everybody knows of, the observer's own included"),
        Section("played", (roles, _SUITED), FLAGS, "who played a card that lies in a spread"),
        _hand("unseen", (), "cards that the observer cannot place: in the factory or in the others' hands"),
        Section("gaps", (SUITS, _PLACES), FLAGS, "what could be added to a spread on the table"),
    )
    return Layout(sections)


def bounds(num_players: int, tables: NDArray[np.void]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The least and greatest value of every element that a match with this rule set can show (float32 each)."""
    rules = tables[0]
    points = rules["points"]
    cards = int(points[list(CARDS)].sum() + WILDS * int(points[WILD]))
    # A match of a fixed number of rounds has no other bound on its rounds than that of its field.
    rounds = max(int(rules["max_rounds"]), int(np.iinfo(np.int16).max))
    most = float(rounds * (cards + int(rules["robot_bonus"]) * len(_NUMBERS)))
    turns = int(rules["max_turns"]) * num_players
    greatest: dict[str, float] = {
        "round": rounds,
        "turns": turns,
        "scores": most,
        "hand_sizes": NUM_CARDS,
        "lays": NUM_CARDS,
        "heap": NUM_CARDS,
        "under": NUM_CARDS,
    }
    sections = layout(num_players)
    low = np.zeros(sections.size, np.float32)
    high = np.ones(sections.size, np.float32)
    for section in sections:
        part = sections.parts[section.name]
        refills = max(1, int(rules["max_refills"]))
        if section.name == "piles":
            most_piles = np.array([NUM_CARDS, NUM_CARDS, refills], np.float32)
            high[part] = most_piles / np.array(section.scales, np.float32)
        elif section.name == "reshuffled":
            high[part][: len(_SUITED)] = refills
        elif section.name in greatest:
            high[part] = np.float32(greatest[section.name] / section.scale)
        if section.name == "scores":
            low[part] = np.float32(-rounds * cards / section.scale)
    return low, high


def decode_observation(observation: NDArray[np.float32], num_players: int) -> dict[str, Any]:
    """An observation as readable values: section names to what they say, in the words of their labels.

    A one-hot section gives a label or None, flags give the list of labels that are set, counts give a dict of numbers
    (or a number alone); a section of two axes gives a dict of these by the labels of the first.
    """
    return layout(num_players).decode(observation)
