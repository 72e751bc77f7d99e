"""Writes an observation: one function a section, in the order of ``observation.layout``.

Each writer fills its section of ``out`` (``float32``, zeroed before) from ``at`` and returns where the next one
begins; a test holds the ends against the layout. Everything here is public knowledge: of the decks only what has been
drawn, or with ``open_deck`` the top card. Seats, and the pairs of seats, count from the observer, clockwise.
"""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel

from .constants import (
    COLUMN,
    DECISIONS,
    DIFFERENT,
    DROID_TYPES,
    EXCHANGE_DROIDS,
    FIRST_HOUSE,
    GIFT_ALTERNATIVES,
    IN_DECK,
    KINDS,
    MAX_PAIRS,
    NOBODY,
    NUM_HOUSES,
    ON_TABLE,
    OVER,
    REPAIRED,
    SAME,
    SEASONS,
    STAGES,
    TASKS,
    TURNS,
    WILD_TYPE_HOUSES_EXTRA,
)
from .rules.seats import facing, is_solo, seats
from .rules.solo import interest
from .tables import NUM_FEATURES

# Scales: what a value is divided by.
PARTS_SCALE = 6.0
EXTENSIONS_SCALE = 3.0
LEAVES_SCALE = 10.0
DROIDS_SCALE = 5.0
RP_SCALE = 50.0
CARDS_SCALE = 10.0
INTEREST_SCALE = 20.0
ICONS_SCALE = 4.0
USES_SCALE = 2.0
# What a value is multiplied by: a division each would be a third of the encoder's time.
_TURN, _PARTS, _EXTENSIONS, _LEAVES = 1 / TURNS, 1 / PARTS_SCALE, 1 / EXTENSIONS_SCALE, 1 / LEAVES_SCALE
_DROIDS, _RP, _CARDS, _INTEREST = 1 / DROIDS_SCALE, 1 / RP_SCALE, 1 / CARDS_SCALE, 1 / INTEREST_SCALE
_ICONS, _USES = 1 / ICONS_SCALE, 1 / USES_SCALE

NUM_SETTINGS = 4 + len(WILD_TYPE_HOUSES_EXTRA)
# The card numbers in play, as ranges [first, last): 1-44, then what more players add [S5].
FIRST_RANGE_END = 45
SECOND_RANGE = 59
SECOND_RANGE_END_3, SECOND_RANGE_END_4 = 81, 103
_ONE, _ZERO = np.float32(1), np.float32(0)


def _seats_by_role():
    """By number of players, observer and role: the seat. Roles run clockwise from the observer; of four players they
    are the observer, the opponent faced, the team mate, the other opponent [D4]."""
    table = np.zeros((5, 4, 4), np.int64)
    for num_players in range(1, 5):
        n = max(2, num_players)
        for me in range(n):
            for role in range(n):
                table[num_players, me, role] = (me + role) % n
    for me, roles in enumerate(((0, 1, 3, 2), (1, 0, 2, 3), (2, 3, 1, 0), (3, 2, 0, 1))):
        table[4, me] = roles
    return table


_SEAT_OF_ROLE = _seats_by_role()
_ROLE_OF_SEAT = np.zeros_like(_SEAT_OF_ROLE)
for _n in range(1, 5):
    for _me in range(max(2, _n)):
        for _role in range(max(2, _n)):
            _ROLE_OF_SEAT[_n, _me, _SEAT_OF_ROLE[_n, _me, _role]] = _role


@kernel(inline=True)
def seat_of_role(g, me, role):
    """The seat in a role towards ``me``."""
    return _SEAT_OF_ROLE[g.num_players, me, role]


@kernel(inline=True)
def role_of(g, me, seat):
    """The role that a seat has towards ``me``."""
    return _ROLE_OF_SEAT[g.num_players, me, seat]


@kernel(inline=True)
def pairs_of_seats(g):
    """Pairs of seats between which cards lie [S2-S4]."""
    return 3 if g.num_players == 3 else 2 if g.num_players == 4 else 1


@kernel(inline=True)
def relative_pair(g, me, pair):
    """Three players: 0 lies between me and the next, 1 between the others, 2 between the previous and me. Four: 0 mine,
    1 the other."""
    if g.num_players == 3:
        return role_of(g, me, pair)
    if g.num_players == 4:
        return 0 if pair == me // 2 else 1
    return 0


@kernel(inline=True)
def write_turn(g, out, at):
    out[at] = g.turn * _TURN
    row = out[at + 1 : at + 1 + SEASONS]
    row[g.season - 1] = 1.0
    return at + 1 + SEASONS


@kernel(inline=True)
def write_settings(g, out, at):
    row = out[at : at + NUM_SETTINGS]
    row[0] = g.hard
    row[1] = g.table_talk
    row[2] = g.open_deck
    row[3] = g.extension_after_season_3
    for i in range(len(WILD_TYPE_HOUSES_EXTRA)):
        row[4 + i] = (g.wild_type_houses >> (WILD_TYPE_HOUSES_EXTRA[i] - FIRST_HOUSE)) & 1
    return at + NUM_SETTINGS


@kernel(inline=True)
def write_procedure(g, me, out, at):
    """faces_clockwise, stage, decision, actor, priority"""
    n = seats(g)
    if n == 4:
        out[at] = 1.0 if facing(g, me) == me + 1 else 0.0
        at += 1
    row = out[at : at + len(STAGES)]
    row[g.stage] = 1.0
    at += len(STAGES)
    row = out[at : at + len(DECISIONS)]
    row[g.decision] = 1.0
    at += len(DECISIONS)
    if g.decision != OVER:
        row = out[at : at + n]
        row[role_of(g, me, g.actor + 0)] = 1.0
    at += n
    row = out[at : at + n]
    row[role_of(g, me, g.priority + 0)] = 1.0
    return at + n


@kernel(inline=True)
def write_pairs(pairs, out, at):
    row = out[at : at + 2 * MAX_PAIRS]
    for i in range(MAX_PAIRS):
        if pairs[i] == SAME:
            row[2 * i] = 1.0
        elif pairs[i] == DIFFERENT:
            row[2 * i + 1] = 1.0
    return at + 2 * MAX_PAIRS


@kernel(inline=True)
def write_task(g, out, at):
    """task, target_house, owed_pairs, due_pairs, icons_due, named, gift"""
    row = out[at : at + len(TASKS)]
    row[g.task] = 1.0
    at += len(TASKS)
    if g.target >= FIRST_HOUSE and g.target < FIRST_HOUSE + NUM_HOUSES:
        row = out[at : at + NUM_HOUSES]
        row[g.target - FIRST_HOUSE] = 1.0
    at += NUM_HOUSES
    at = write_pairs(g.owed_pairs, out, at)
    at = write_pairs(g.due_pairs, out, at)
    row = out[at : at + 3]
    row[0] = g.owed_any * _ICONS
    row[1] = g.due_any * _ICONS
    row[2] = g.extensions_due * _ICONS
    at += 3
    row = out[at : at + KINDS]
    for kind in range(KINDS):
        row[kind] = (g.named >> kind) & 1
    at += KINDS
    if g.gift >= 0:
        row = out[at : at + GIFT_ALTERNATIVES]
        row[g.gift] = 1.0
    return at + GIFT_ALTERNATIVES


@kernel(inline=True)
def write_offer(g, rules, me, out, at):
    """cards, holder, unplayed, interest, wishes"""
    n = seats(g)
    for slot in range(n):
        row = out[at : at + NUM_FEATURES]
        features = rules.features[g.offer[slot]]
        for i in range(row.shape[0]):
            row[i] = features[i]
        at += NUM_FEATURES
    for slot in range(n):
        if g.given_to[slot] != NOBODY:
            row = out[at : at + n]
            row[role_of(g, me, g.given_to[slot] + 0)] = 1.0
        at += n
    row = out[at : at + n]
    for slot in range(n):
        row[slot] = 1.0 if g.place[g.offer[slot]] == ON_TABLE else 0.0
    at += n
    if is_solo(g):
        row = out[at : at + n]
        for slot in range(n):
            row[slot] = interest(g, rules, g.offer[slot]) * _INTEREST
        at += n
    if g.table_talk == 1:
        for r in range(n):
            slot = g.wish[seat_of_role(g, me, r)]
            if slot >= 0:
                row = out[at + r * n : at + r * n + n]
                row[slot] = 1.0
    return at + n * n


@kernel(inline=True)
def write_houses(g, me, out, at):
    """house_between, house_builder, house_tokens"""
    n = seats(g)
    pairs = pairs_of_seats(g)
    row = out[at : at + pairs * NUM_HOUSES]
    built = out[at + pairs * NUM_HOUSES : at + (pairs + n) * NUM_HOUSES]
    for house in range(NUM_HOUSES):
        if g.between[house] >= 0:
            row[relative_pair(g, me, g.between[house] + 0) * NUM_HOUSES + house] = 1.0
            if g.builder[house] >= 0:
                built[role_of(g, me, g.builder[house] + 0) * NUM_HOUSES + house] = 1.0
    at += (pairs + n) * NUM_HOUSES
    if g.token_house >= 0:
        row = out[at : at + 2 * NUM_HOUSES]
        row[(0 if g.token_owner == me else NUM_HOUSES) + g.token_house] = 1.0
    return at + 2 * NUM_HOUSES


@kernel(inline=True)
def write_sheds(g, me, out, at):
    """parts, room, extensions, stored, droids, leaves, printed_rp"""
    n = seats(g)
    parts = out[at : at + n * KINDS]
    room = out[at + n * KINDS : at + 2 * n * KINDS]
    extensions = out[at + 2 * n * KINDS : at + 3 * n * KINDS]
    for r in range(n):
        seat = seat_of_role(g, me, r)
        has_shed = seat < g.num_players
        for kind in range(KINDS):
            held = g.parts[seat, kind]
            more = g.extensions[seat, kind]
            parts[r * KINDS + kind] = held * _PARTS
            room[r * KINDS + kind] = (COLUMN + more - held) * _PARTS if has_shed else 0.0
            extensions[r * KINDS + kind] = more * _EXTENSIONS
    at += 3 * n * KINDS
    row = out[at : at + 2 * KINDS]
    for store in range(2):
        for kind in range(KINDS):
            row[store * KINDS + kind] = g.stored[store, kind] * _PARTS
    at += 2 * KINDS
    row = out[at : at + n * (DROID_TYPES + 2)]
    for r in range(n):
        seat = seat_of_role(g, me, r)
        for droid_type in range(DROID_TYPES):
            row[r * DROID_TYPES + droid_type] = g.droids[seat, droid_type] * _DROIDS
        row[n * DROID_TYPES + r] = g.leaves[seat] * _LEAVES
        row[n * (DROID_TYPES + 1) + r] = g.printed_rp[seat] * _RP
    return at + n * (DROID_TYPES + 2)


@kernel(inline=True)
def write_table(g, rules, me, out, at):
    """face_up, uses_left, left"""
    pairs = pairs_of_seats(g)
    row = out[at : at + pairs]
    for pair in range(pairs):
        row[relative_pair(g, me, pair)] = g.face_up[pair] * _CARDS
    at += pairs
    row = out[at : at + len(EXCHANGE_DROIDS)]
    for i in range(len(EXCHANGE_DROIDS)):
        droid = EXCHANGE_DROIDS[i]
        if g.place[droid] >= REPAIRED:
            limit = rules.exchange_uses[droid]
            row[i] = (limit - g.used[i]) * _USES if limit > 0 else 1.0
    at += len(EXCHANGE_DROIDS)
    row = out[at : at + SEASONS * DROID_TYPES]
    for season in range(SEASONS):
        for droid_type in range(DROID_TYPES):
            row[season * DROID_TYPES + droid_type] = g.left[season, droid_type] * _CARDS
    return at + SEASONS * DROID_TYPES


@kernel(inline=True)
def mark(cards, code, row):
    """1 in ``row`` for each card whose place is ``code``."""
    for i in range(row.shape[0]):
        row[i] = _ONE if cards[i] == code else _ZERO


@kernel(inline=True)
def write_plane(g, place, out, at):
    """1 for each droid card in this game that is in a place."""
    code = np.int8(place)
    end = at + FIRST_RANGE_END - 1
    mark(g.place[1:FIRST_RANGE_END], code, out[at:end])
    at = end
    if g.num_players >= 3:
        last = SECOND_RANGE_END_3 if g.num_players == 3 else SECOND_RANGE_END_4
        end = at + last - SECOND_RANGE
        mark(g.place[SECOND_RANGE:last], code, out[at:end])
        at = end
    return at


@kernel(inline=True)
def write_cards(g, me, out, at):
    """unseen, repaired"""
    at = write_plane(g, IN_DECK, out, at)
    for r in range(seats(g)):
        at = write_plane(g, REPAIRED + seat_of_role(g, me, r), out, at)
    return at


@kernel
def deck_top(g, rules, deck):
    """The droid card that lies face up on a deck with ``open_deck`` [S9]; 0 under an interseason card or when empty."""
    if g.drawn[deck] >= g.deck.shape[1]:
        return 0
    card = g.deck[deck, g.drawn[deck]]
    if card == 0 or rules.card[card].season != g.season:
        return 0
    return card + 0


@kernel(inline=True)
def write_deck_tops(g, rules, out, at):
    decks = 2 if g.num_players == 4 else 1
    if g.open_deck == 0:
        return at + decks * NUM_FEATURES
    for deck in range(decks):
        features = rules.features[deck_top(g, rules, deck)]
        row = out[at : at + NUM_FEATURES]
        for i in range(row.shape[0]):
            row[i] = features[i]
        at += NUM_FEATURES
    return at


@kernel
def encode(g, rules, me, out):
    """What the player in seat ``me`` knows, into ``out`` (float32, ``observation.layout(num_players).size`` long)."""
    out[:] = 0.0
    at = write_turn(g, out, 0)
    at = write_settings(g, out, at)
    at = write_procedure(g, me, out, at)
    at = write_task(g, out, at)
    at = write_offer(g, rules, me, out, at)
    at = write_houses(g, me, out, at)
    at = write_sheds(g, me, out, at)
    at = write_table(g, rules, me, out, at)
    at = write_cards(g, me, out, at)
    return write_deck_tops(g, rules, out, at)
