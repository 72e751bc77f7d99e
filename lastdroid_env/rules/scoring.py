"""Scoring and the winner [G2-G8, H45-H58, C9, F6, O10, O11]."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.returns import MARGIN, WIN, margins, own_points, share_win

from ..constants import (
    CIRCUIT,
    COLLECTION,
    COMMUNICATION,
    DROID_TYPES,
    ENERGY,
    FIRST_HOUSE,
    KINDS,
    MARKET,
    NUM_CARDS,
    NUM_HOUSES,
    NUT,
    OIL,
    SHED,
    WATER,
    WILD_TYPE_DROID,
)
from .seats import face_up_beside, facing, is_auto, is_solo, owns, seats, team_mate
from .sheds import all_parts, holding

MOST_PARTS_RP = 2  # G4
MOST_LEAVES_RP = 3  # G5
NO_TYPE = -1


@kernel
def leads_in_leaves(g, seat):
    """More leaves than every opponent; of four players, than the opponent faced [N3, G5, H54]."""
    if g.num_players == 4:
        return g.leaves[seat] > g.leaves[facing(g, seat)]
    for other in range(seats(g)):
        if other != seat and g.leaves[other] >= g.leaves[seat]:
            return False
    return True


@kernel
def leads_in_parts(g, seat):
    """More parts than every opponent; of four players, than the opponent faced [G4]. Solo: nobody [O10]."""
    if is_solo(g):
        return False
    mine = all_parts(g, seat)
    if g.num_players == 4:
        return mine > all_parts(g, facing(g, seat))
    for other in range(g.num_players):
        if other != seat and all_parts(g, other) >= mine:
            return False
    return True


@kernel
def droids_score(g, rules, seat):
    """RP of the repaired droids, communication droids with their extra; solo: half of the Auto-Ecomechanic's water
    [G2, G3, C9, F1, F3, O10]."""
    face_up = face_up_beside(g, seat)
    total = 0
    water = 0
    for card in range(1, NUM_CARDS + 1):
        if not owns(g, seat, card):
            continue
        rp = rules.card[card].rp + 0
        if rules.card[card].type == COMMUNICATION:
            total += max(rp, face_up) if rules.card[card].rp_or == 1 else rp + face_up
        elif rules.card[card].type == WATER:
            water += rp
        else:
            total += rp
    return total + (water // 2 if is_auto(g, seat) else water)


@kernel
def repaired(g, seat, droid_type, wild):
    """Droids of a type, droid 36 counted as its wild type too [F6]."""
    return g.droids[seat, droid_type] + (1 if droid_type == wild else 0)


@kernel
def types_repaired(g, seat, wild):
    n = 0
    for droid_type in range(DROID_TYPES):
        if repaired(g, seat, droid_type, wild) > 0:
            n += 1
    return n


@kernel
def water_icons(g, rules, seat, wild):
    """Icons in the repair costs of the water droids [H49], those of droid 36 if it counts as one [F6]."""
    n = 0
    for card in range(1, NUM_CARDS + 1):
        if owns(g, seat, card) and (rules.card[card].type == WATER or (card == WILD_TYPE_DROID and wild == WATER)):
            n += rules.card[card].cost_icons
    return n


@kernel
def shed_extensions(g, seat):
    n = 0
    for kind in range(KINDS):
        n += g.extensions[seat, kind]
    return n


@kernel
def houses_built(g, seat):
    n = 0
    for house in range(NUM_HOUSES):
        n += g.builder[house] == seat
    return n


@kernel
def house_score(g, rules, seat, card, wild):
    """A built house by its number [H45-H58]; 46 scores nothing."""
    points = rules.card[card].points
    if card == 45:
        return points[0] * all_parts(g, seat)
    if card == 47:
        n = min(repaired(g, seat, COLLECTION, wild), 5)
        return points[n - 3] + 0 if n >= 3 else 0
    if card == 48:
        return points[0] * repaired(g, seat, MARKET, wild)
    if card == 49:
        return points[0] * water_icons(g, rules, seat, wild)
    if card == 50:
        n = types_repaired(g, seat, wild)
        return points[5 - n] + 0 if 2 <= n <= 5 else 0
    if card == 51:
        return points[0] * holding(g, seat, ENERGY)
    if card == 52:
        return points[0] + 0 if types_repaired(g, seat, wild) == DROID_TYPES else 0
    if card == 53:
        return points[0] * shed_extensions(g, seat)
    if card == 54:
        return points[0] + 0 if leads_in_leaves(g, seat) else 0
    if card == 55:
        return points[0] * repaired(g, seat, COMMUNICATION, wild)
    if card == 56:
        return points[0] + 0 if houses_built(g, seat) >= 3 else 0
    if card == 57:
        sets = min(holding(g, seat, NUT), holding(g, seat, OIL))
        return points[0] * min(sets, holding(g, seat, CIRCUIT), holding(g, seat, ENERGY))
    if card == 58:
        return points[0] + 0
    return 0


@kernel
def houses_score_with(g, rules, seat, wild):
    """All houses of a seat, droid 36 counting as ``wild`` for those houses that look at it [G6, F6]."""
    total = 0
    for house in range(NUM_HOUSES):
        if g.builder[house] == seat:
            seen = wild if (g.wild_type_houses >> house) & 1 else NO_TYPE
            total += house_score(g, rules, seat, FIRST_HOUSE + house, seen)
    return total


@kernel
def houses_score(g, rules, seat):
    """With droid 36 the type that scores most, or none, is taken for the player [F6]."""
    best = houses_score_with(g, rules, seat, NO_TYPE)
    if owns(g, seat, WILD_TYPE_DROID):
        for droid_type in range(DROID_TYPES):
            if droid_type != SHED:
                best = max(best, houses_score_with(g, rules, seat, droid_type))
    return best


@kernel
def score(g, rules, seat):
    """The seat's RP as the table lies [G2-G6]."""
    total = droids_score(g, rules, seat) + houses_score(g, rules, seat)
    if leads_in_parts(g, seat):
        total += MOST_PARTS_RP
    if leads_in_leaves(g, seat):
        total += MOST_LEAVES_RP
    return total


@kernel
def wins_alone_or_shares(g, scores, seat):
    """Most RP; tied, most parts; still tied, the win is shared [G7]."""
    for other in range(g.num_players):
        if scores[other] > scores[seat]:
            return False
        if scores[other] == scores[seat] and all_parts(g, other) > all_parts(g, seat):
            return False
    return True


@kernel
def team_wins_or_shares(scores, seat):
    """The team with the higher of its players' lower RP; tied, with the other's RP added; still tied, shared [G8]."""
    mate = team_mate(seat)
    rival = 1 if seat == 0 or seat == 3 else 0
    rival_mate = team_mate(rival)
    lower = min(scores[seat], scores[mate])
    rival_lower = min(scores[rival], scores[rival_mate])
    if lower != rival_lower:
        return lower > rival_lower
    return scores[seat] + scores[mate] >= scores[rival] + scores[rival_mate]


@kernel
def final_result(g, rules, scores, wins):
    """RP by seat into ``scores`` (solo: you, the Auto-Ecomechanic), 1 into ``wins`` for whoever wins or shares the win.

    Solo: you win with strictly more RP, otherwise the Auto-Ecomechanic does [O11].
    """
    n = seats(g)
    for seat in range(n):
        scores[seat] = score(g, rules, seat)
    for seat in range(n):
        if is_solo(g):
            won = (scores[0] > scores[1]) == (seat == 0)
        elif n == 4:
            won = team_wins_or_shares(scores, seat)
        else:
            won = wins_alone_or_shares(g, scores, seat)
        wins[seat] = 1 if won else 0


@kernel
def write_returns(g, rules, reward, scores, wins, returns):
    """Each player's return (``tabletop.returns``) if the game ended now; a team's score is its lower player's [G8]."""
    final_result(g, rules, scores, wins)
    if reward == WIN:
        share_win(wins, seats(g), g.num_players + 0, returns)
    elif g.num_players == 4:
        for seat in range(4):
            own = min(scores[seat], scores[team_mate(seat)])
            rival = min(scores[facing(g, seat)], scores[team_mate(facing(g, seat))])
            returns[seat] = own - rival if reward == MARGIN else own
    elif reward == MARGIN:
        margins(scores, seats(g), g.num_players + 0, returns)
    else:
        own_points(scores, g.num_players + 0, returns)


@kernel
def is_cut_short(g):
    """Every game ends by its rules."""
    return False
