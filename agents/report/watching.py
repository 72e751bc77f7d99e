"""Compiled games of which every decision is written down, those with a single answer too.

``watch_games`` is one loop for both games, bound to the rules of each like those of ``tabletop.loops``. A line of
``lines`` is a decision: seat, kind, number of legal actions, action. The line of ``notes`` beside it is the game's own,
as the table lies right after the action, before what follows from it.
"""

from __future__ import annotations

import types
from typing import Any

import lastdroid_env.rollout
import robots_env.rollout
from robots_env.constants import MAX_SEATS
from robots_env.rules.hands import hand_size
from robots_env.rules.scoring import points_in_hand, points_in_spreads
from tabletop.jit import entry, kernel, policy_at

SEAT, KIND, LEGAL, ACTION = range(4)
LINE = 4

# Notes of Last Droid.
TURN, SEASON, STAGE, TARGET = range(4)
# Notes of Robots!; of those by seat the first.
ROUND, TURNS, LEFT = range(3)
ROBOTS = 3
LAID = ROBOTS + MAX_SEATS
HELD = LAID + MAX_SEATS
NOTES = {"lastdroid": 4, "robots": HELD + MAX_SEATS}


def watch_games(
    games, tables, first, last, seating, policies, rngs, observation, mask, scores, wins, illegal, lines, notes, ends
):
    """Play games as ``tabletop.loops.play_games`` does and write down each decision.

    ``ends[i]`` is the number of lines after game ``i``; if there is no room for as many, the last ones are missing.
    The games must ask decisions with a single answer (``ask_forced``); no policy is asked about these.
    """
    rules = tables[0]
    n = 0
    for i in range(first, last):
        g = games[i]
        deal(g, rules)
        advance(g, rules, mask)
        while g.actor >= 0:
            seat = g.actor + 0
            legal = 0
            action = 0
            for a in range(mask.shape[0]):
                if mask[a] != 0:
                    legal += 1
                    action = a
            if legal > 1:
                encode(g, rules, seat, observation)
                action = policy_at(policies[seating[i, seat]])(observation, mask, rngs[i, seat])
                if not can(g, rules, action):
                    illegal[0] = action
                    return i
            if n < lines.shape[0]:
                lines[n, SEAT] = seat
                lines[n, KIND] = g.decision
                lines[n, LEGAL] = legal
                lines[n, ACTION] = action
            make(g, rules, action)
            if n < lines.shape[0]:
                note(g, rules, seat, notes[n])
            n += 1
            advance(g, rules, mask)
        final_result(g, rules, scores[i], wins[i])
        if is_cut_short(g):
            wins[i] = 0
        ends[i] = n
    return -1


@kernel
def note_lastdroid(g, rules, seat, out):
    out[TURN] = g.turn
    out[SEASON] = g.season
    out[STAGE] = g.stage
    out[TARGET] = g.target


@kernel
def note_robots(g, rules, seat, out):
    out[ROUND] = g.round_number
    out[TURNS] = g.turns
    out[LEFT] = hand_size(g, seat)
    for other in range(g.num_players):
        out[ROBOTS + other] = 0
        out[LAID + other] = points_in_spreads(g, rules, other)
        out[HELD + other] = points_in_hand(g, rules, other)
    for slot in range(g.slots):
        if g.robot[slot] >= 0:
            out[ROBOTS + g.robot[slot]] += 1


def _of_a_game(*_: Any) -> Any:
    raise NotImplementedError("the loop must be bound to a game's rules")


deal = can = make = advance = encode = final_result = is_cut_short = note = _of_a_game


def _bound(game: str, rules: Any, note: Any) -> Any:
    names = ("deal", "can", "make", "advance", "encode", "final_result", "is_cut_short")
    supplied = {name: getattr(rules, name) for name in names}
    code, surroundings = watch_games.__code__, {**watch_games.__globals__, **supplied, "note": note}
    copy = types.FunctionType(code, surroundings, watch_games.__name__)
    copy.__module__ = __name__
    copy.__qualname__ = f"{game}.watch_games"
    return entry(copy)


WATCH = {
    "lastdroid": _bound("lastdroid", lastdroid_env.rollout, note_lastdroid),
    "robots": _bound("robots", robots_env.rollout, note_robots),
}
