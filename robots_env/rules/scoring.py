"""The end of a round, its scores, the end of the match [E1-E6]."""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel
from tabletop.returns import MARGIN, WIN, margins, own_points, share_win

from ..bits import LANE_BITS, count_bits, lowest, wilds_in
from ..constants import FINISHED, NOBODY, WILD
from .seats import clockwise
from .setup import deal_round


@kernel
def points_of(rules, a, b):
    """What the cards of a hand, or of a set of cards, are worth [E3]."""
    total = wilds_in(b) * rules.points[WILD]
    b &= LANE_BITS
    while a != 0:
        total += rules.points[lowest(a)]
        a &= a - 1
    while b != 0:
        total += rules.points[64 + lowest(b)]
        b &= b - 1
    return total


@kernel
def points_in_spreads(g, rules, seat):
    """The cards the seat played that lie in spreads, and its robots [E2, P6]."""
    total = points_of(rules, g.played[seat, 0], g.played[seat, 1])
    for slot in range(g.slots):
        total += count_bits(np.int64(g.wilds_by[slot, seat])) * rules.points[WILD]
        if g.robot[slot] == seat:
            total += rules.robot_bonus
    return total


@kernel
def points_in_hand(g, rules, seat):
    """[E2]"""
    return points_of(rules, g.hand[seat, 0], g.hand[seat, 1])


@kernel
def round_score(g, rules, seat):
    """What the round is worth to the seat as the table lies; it may be negative [E2]."""
    return points_in_spreads(g, rules, seat) - points_in_hand(g, rules, seat)


@kernel
def has_sole_leader(g):
    """Whether one player alone has the highest score [E4]."""
    leaders = 0
    best = g.scores[0] + 0
    for seat in range(g.num_players):
        if g.scores[seat] > best:
            best = g.scores[seat] + 0
            leaders = 0
        if g.scores[seat] == best:
            leaders += 1
    return leaders == 1


@kernel
def target_reached(g, rules):
    for seat in range(g.num_players):
        if g.scores[seat] >= rules.target_score:
            return True
    return False


@kernel
def match_is_over(g, rules):
    """After so many rounds as agreed; else when somebody has the target and one player alone the highest score [E4]."""
    if g.rounds > 0:
        return g.round_number >= g.rounds
    return target_reached(g, rules) and has_sole_leader(g)


@kernel
def end_round(g, rules):
    """Score the round [E2]; then the match is over [E4], cut short [E6], or the next round is dealt [C7]."""
    for seat in range(g.num_players):
        g.round_scores[seat] = round_score(g, rules, seat)
        g.scores[seat] += g.round_scores[seat]
    if match_is_over(g, rules):
        g.stage = FINISHED
    elif g.rounds == 0 and g.round_number >= rules.max_rounds:
        g.truncated = 1
        g.stage = FINISHED
    else:
        g.round_number += 1
        g.dealer = clockwise(g, g.dealer, 1)
        deal_round(g)


@kernel
def final_result(g, rules, scores, wins):
    """Points by seat into ``scores``, those of a round under way as the table lies; 1 into ``wins`` for the highest.

    A match that was cut short [E6] has no winner: ``truncated`` tells.
    """
    for seat in range(g.num_players):
        scores[seat] = g.scores[seat]
        if g.actor != NOBODY:
            scores[seat] += round_score(g, rules, seat)
    for seat in range(g.num_players):
        wins[seat] = 1
        for other in range(g.num_players):
            if scores[other] > scores[seat]:
                wins[seat] = 0


@kernel
def write_returns(g, rules, reward, scores, wins, returns):
    """Each player's return (``tabletop.returns``) if the match ended now; 0 for a match that was cut short [E6]."""
    final_result(g, rules, scores, wins)
    if g.truncated == 1:
        returns[:] = 0.0
    elif reward == WIN:
        share_win(wins, g.num_players + 0, g.num_players + 0, returns)
    elif reward == MARGIN:
        margins(scores, g.num_players + 0, g.num_players + 0, returns)
    else:
        own_points(scores, g.num_players + 0, returns)


@kernel
def is_cut_short(g):
    """Whether the match was ended after ``max_rounds`` rounds, without a result [E6]."""
    return g.truncated == 1
