"""Compiled entry points: one game by index, and whole batches of games.

Every function takes an array of games and a rule set's tables (``RuleSet.tables``). Games of a batch must share
``num_players``, which fixes the length of the observation.
"""

from __future__ import annotations

from tabletop.game import DEAL, ILLEGAL, RESUME
from tabletop.jit import entry
from tabletop.masks import sample_legal

from .encoder import encode
from .rules.flow import advance, apply, can, make, start, write_mask
from .rules.scoring import final_result
from .rules.setup import deal


@entry
def play_game(games, i, tables, action, observation, mask):
    """Make an action in game ``i``, or ``DEAL`` it anew from its settings and generator, or ``RESUME`` it.

    Returns the seat that decides next, whose observation and mask are written; -1 when the game is over; -2, with
    everything untouched, when the action is not legal.
    """
    g = games[i]
    if action == DEAL:
        deal(g)
    elif action != RESUME:
        if not can(g, tables[0], action):
            return ILLEGAL
        make(g, tables[0], action)
    advance(g, tables[0], mask)
    if g.actor >= 0:
        encode(g, tables[0], g.actor + 0, observation)
    return g.actor + 0


@entry
def look_at_game(games, i, tables, seat, observation, mask):
    """What ``seat`` sees of game ``i``; the mask is all zero unless it is that seat's decision."""
    g = games[i]
    encode(g, tables[0], seat, observation)
    if g.actor == seat:
        write_mask(g, tables[0], mask)
    else:
        mask[:] = 0


@entry
def judge_game(games, i, tables, scores, wins):
    """Points and shares in the win by seat, as the table lies (int64, 5 each)."""
    final_result(games[i], tables[0], scores, wins)


@entry
def start_batch(games, tables, masks):
    """Deal every game of a batch and write the masks of the decisions at hand."""
    for i in range(games.shape[0]):
        start(games[i], tables[0], masks[i])


@entry
def random_steps(games, tables, rng, steps, observations, masks, observe):
    """Uniformly random play: ``steps`` decisions in each game, one game after the other at each step; ended games are
    dealt anew from their own generator. With ``observe`` 1 each mover's observation is written too.

    Returns how many games ended. ``masks`` must hold the masks of the decisions at hand, as after ``start_batch``.
    """
    ended = 0
    for _ in range(steps):
        for i in range(games.shape[0]):
            g = games[i]
            mask = masks[i]
            apply(g, tables[0], sample_legal(mask, rng), mask)
            if g.actor < 0:
                ended += 1
                start(g, tables[0], mask)
            if observe == 1:
                encode(g, tables[0], g.actor + 0, observations[i])
    return ended
