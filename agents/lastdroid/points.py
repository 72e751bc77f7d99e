"""The parts of a score: what droids of each type, each house and each lead bring [G2-G6, O10].

They add up to what ``lastdroid_env.rules.scoring.score`` counts; a test compares.
"""

from __future__ import annotations

from lastdroid_env.constants import (
    COMMUNICATION,
    DROID_TYPES,
    FIRST_HOUSE,
    NUM_CARDS,
    NUM_HOUSES,
    SHED,
    TYPES,
    WATER,
    WILD_TYPE_DROID,
)
from lastdroid_env.rules.scoring import (
    MOST_LEAVES_RP,
    MOST_PARTS_RP,
    NO_TYPE,
    house_score,
    houses_score_with,
    leads_in_leaves,
    leads_in_parts,
)
from lastdroid_env.rules.seats import face_up_beside, is_auto, owns, seats
from tabletop.jit import entry, kernel

HOUSES = DROID_TYPES
MOST_PARTS = HOUSES + NUM_HOUSES
MOST_LEAVES = MOST_PARTS + 1
NUM_PARTS = MOST_LEAVES + 1
PART_NAMES = (
    *(f"{name} droids" for name in TYPES[:DROID_TYPES]),
    *(f"house {FIRST_HOUSE + house}" for house in range(NUM_HOUSES)),
    "most parts",
    "most leaves",
)


@kernel
def wild_type(g, rules, seat):
    """The type that droid 36 counts as: that which scores most, or none [F6]."""
    best = NO_TYPE
    if owns(g, seat, WILD_TYPE_DROID):
        most = houses_score_with(g, rules, seat, NO_TYPE)
        for droid_type in range(DROID_TYPES):
            if droid_type != SHED:
                points = houses_score_with(g, rules, seat, droid_type)
                if points > most:
                    most = points
                    best = droid_type
    return best


@entry
def score_parts(games, i, tables, out):
    """The parts of each seat's score in game ``i`` into ``out`` (int64, seats x ``NUM_PARTS``), as the table lies."""
    g = games[i]
    rules = tables[0]
    out[:] = 0
    for seat in range(seats(g)):
        face_up = face_up_beside(g, seat)
        for card in range(1, NUM_CARDS + 1):
            if not owns(g, seat, card):
                continue
            rp = rules.card[card].rp + 0
            kind = rules.card[card].type + 0
            if kind == COMMUNICATION:
                rp = max(rp, face_up) if rules.card[card].rp_or == 1 else rp + face_up
            out[seat, kind] += rp
        if is_auto(g, seat):
            out[seat, WATER] //= 2
        wild = wild_type(g, rules, seat)
        for house in range(NUM_HOUSES):
            if g.builder[house] == seat:
                seen = wild if (g.wild_type_houses >> house) & 1 else NO_TYPE
                out[seat, HOUSES + house] = house_score(g, rules, seat, FIRST_HOUSE + house, seen)
        if leads_in_parts(g, seat):
            out[seat, MOST_PARTS] = MOST_PARTS_RP
        if leads_in_leaves(g, seat):
            out[seat, MOST_LEAVES] = MOST_LEAVES_RP
