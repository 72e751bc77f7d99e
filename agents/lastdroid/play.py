"""Whole games of compiled policies, without leaving compiled code."""

from __future__ import annotations

from lastdroid_env.encoder import encode
from lastdroid_env.rules.flow import ILLEGAL, apply, start
from lastdroid_env.rules.scoring import final_result
from tabletop.jit import entry


@entry
def play_games(games, tables, first, last, seating, p0, p1, p2, p3, rngs, observation, mask, scores, wins, illegal):
    """Play the games ``first`` to ``last - 1``, one after the other, each from its deal to its end.

    ``seating[i, seat]`` says which of the four policies decides for a seat of game ``i``; ``rngs[i, seat]`` is the
    seat's own generator (uint64, 1). RP and shares in the win go to ``scores[i]`` and ``wins[i]``.

    Returns -1; or the number of a game in which a policy chose an action that is not legal (``illegal[0]``): there the
    game stands, and nothing after it has been played.
    """
    rules = tables[0]
    for i in range(first, last):
        g = games[i]
        start(g, rules, mask)
        while g.actor >= 0:
            seat = g.actor + 0
            encode(g, rules, seat, observation)
            who = seating[i, seat]
            if who == 0:
                action = p0(observation, mask, rngs[i, seat])
            elif who == 1:
                action = p1(observation, mask, rngs[i, seat])
            elif who == 2:
                action = p2(observation, mask, rngs[i, seat])
            else:
                action = p3(observation, mask, rngs[i, seat])
            if apply(g, rules, action, mask) == ILLEGAL:
                illegal[0] = action
                return i
        final_result(g, rules, scores[i], wins[i])
    return -1
