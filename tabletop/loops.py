"""The compiled loops that every face runs, written once for all games.

Each loop is an ordinary function on an array of games, their tables and arrays to fill. It calls the functions that a
game supplies as its ``Rules``; ``bind`` makes entry points of all loops for one game.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from .jit import entry
from .masks import sample_legal

DEAL, RESUME = -3, -4
"""In place of an action: deal a new game from the record's settings and generator; carry on to where somebody decides
from a record that was filled by other means (one that stands at a decision stays as it is)."""
OVER, ILLEGAL = -1, -2
"""What ``play_game`` returns in place of the next seat."""


@dataclass(frozen=True)
class Rules:
    """What a game supplies: kernels on a game's record ``g`` and its tables' row ``rules``."""

    deal: Callable[..., Any]
    """``deal(g, rules)``: a new game from the record's settings and generator; ``advance`` carries on from there."""
    can: Callable[..., Any]
    """``can(g, rules, action)``: whether an action, any whole number, is legal now."""
    make: Callable[..., Any]
    """``make(g, rules, action)``: a legal action; ``advance`` carries on from there."""
    advance: Callable[..., Any]
    """``advance(g, rules, mask)``: to the next decision, whose mask is written, or to the end (``g.actor`` -1)."""
    write_mask: Callable[..., Any]
    """``write_mask(g, rules, mask)``: the legal actions of the decision at hand."""
    encode: Callable[..., Any]
    """``encode(g, rules, seat, out)``: what a seat sees."""
    final_result: Callable[..., Any]
    """``final_result(g, rules, scores, wins)``: points and shares in the win by seat, as the table lies."""
    write_returns: Callable[..., Any]
    """``write_returns(g, rules, reward, scores, wins, returns)``: the same, and each player's return."""
    is_cut_short: Callable[..., Any]
    """``is_cut_short(g)``: whether a game that is over has no result."""


@dataclass(frozen=True)
class Loops:
    """The loops below, bound to a game's rules and compiled when first called."""

    play_game: Callable[..., int]
    look_at_game: Callable[..., None]
    judge_game: Callable[..., None]
    returns_of_game: Callable[..., None]
    start_batch: Callable[..., None]
    random_steps: Callable[..., int]
    play_games: Callable[..., int]
    first_wrong: Callable[..., int]
    sample_batch: Callable[..., None]
    deal_batch: Callable[..., None]
    see_batch: Callable[..., None]
    step_batch: Callable[..., None]
    last_views: Callable[..., None]


def bind(rules: Rules, package: str) -> Loops:
    """The loops as compiled entry points for one game's rules; ``package`` names them in the cache."""
    supplied = {field.name: getattr(rules, field.name) for field in fields(rules)}

    def bound(loop: Callable[..., Any]) -> Any:
        copy = types.FunctionType(loop.__code__, {**loop.__globals__, **supplied}, loop.__name__)
        copy.__doc__ = loop.__doc__
        copy.__module__ = loop.__module__
        copy.__qualname__ = f"{package}.{loop.__name__}"
        return entry(copy)

    return Loops(**{field.name: bound(globals()[field.name]) for field in fields(Loops)})


def _of_a_game(*_: Any) -> Any:
    raise NotImplementedError("a loop must be instantiated for a game's rules")


deal = can = make = advance = write_mask = encode = final_result = write_returns = is_cut_short = _of_a_game


# ------------------------------------------------------------------------------------------------ one game


def play_game(games, i, tables, action, observation, mask):
    """Make an action in game ``i``, or ``DEAL`` it anew from its settings and generator, or ``RESUME`` it.

    Returns the seat that decides next, whose observation and mask are written; -1 when the game is over; -2, with
    everything untouched, when the action is not legal.
    """
    g = games[i]
    rules = tables[0]
    if action == DEAL:
        deal(g, rules)
    elif action != RESUME:
        if not can(g, rules, action):
            return ILLEGAL
        make(g, rules, action)
    advance(g, rules, mask)
    if g.actor >= 0:
        encode(g, rules, g.actor + 0, observation)
    return g.actor + 0


def look_at_game(games, i, tables, seat, observation, mask):
    """What ``seat`` sees of game ``i``; the mask is all zero unless it is that seat's decision."""
    g = games[i]
    encode(g, tables[0], seat, observation)
    if g.actor == seat:
        write_mask(g, tables[0], mask)
    else:
        mask[:] = 0


def judge_game(games, i, tables, scores, wins):
    """Points and shares in the win by seat, as the table lies (int64, one each for every seat)."""
    final_result(games[i], tables[0], scores, wins)


# ------------------------------------------------------------------------------------------------ many games


def start_batch(games, tables, masks):
    """Deal every game of a batch and write the masks of the decisions at hand."""
    for i in range(games.shape[0]):
        deal(games[i], tables[0])
        advance(games[i], tables[0], masks[i])


def random_steps(games, tables, rng, steps, observations, masks, observe):
    """Uniformly random play: ``steps`` decisions in each game, one game after the other at each step; ended games are
    dealt anew from their own generator. With ``observe`` 1 each mover's observation is written too.

    Returns how many games ended. ``masks`` must hold the masks of the decisions at hand, as after ``start_batch``.
    """
    rules = tables[0]
    ended = 0
    for _ in range(steps):
        for i in range(games.shape[0]):
            g = games[i]
            mask = masks[i]
            make(g, rules, sample_legal(mask, rng))
            advance(g, rules, mask)
            if g.actor < 0:
                ended += 1
                deal(g, rules)
                advance(g, rules, mask)
            if observe == 1:
                encode(g, rules, g.actor + 0, observations[i])
    return ended


def play_games(games, tables, first, last, seating, p0, p1, p2, p3, p4, rngs, observation, mask, scores, wins, illegal):
    """Play the games ``first`` to ``last - 1``, one after the other, each from its deal to its end.

    ``seating[i, seat]`` says which of the five policies decides for a seat of game ``i``; ``rngs[i, seat]`` is the
    seat's own generator (uint64, 1). Points and shares in the win go to ``scores[i]`` and ``wins[i]``; nobody wins a
    game that is cut short.

    Returns -1; or the number of a game in which a policy chose an action that is not legal (``illegal[0]``): there the
    game stands, and nothing after it has been played.
    """
    rules = tables[0]
    for i in range(first, last):
        g = games[i]
        deal(g, rules)
        advance(g, rules, mask)
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
            elif who == 3:
                action = p3(observation, mask, rngs[i, seat])
            else:
                action = p4(observation, mask, rngs[i, seat])
            if not can(g, rules, action):
                illegal[0] = action
                return i
            make(g, rules, action)
            advance(g, rules, mask)
        final_result(g, rules, scores[i], wins[i])
        if is_cut_short(g):
            wins[i] = 0
    return -1


# ------------------------------------------------------------------------------------------------ batches for VecEnv


def returns_of_game(games, i, tables, reward, scores, wins, returns):
    """Each player's return if game ``i`` ended now (float64); ``reward`` as in ``tabletop.returns``."""
    write_returns(games[i], tables[0], reward, scores, wins, returns)


def first_wrong(actions, masks, seats):
    """The first row whose action is not legal in the game that it is for, -1 if there is none."""
    for i in range(actions.shape[0]):
        if seats[i] >= 0:
            action = actions[i]
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                return i
    return -1


def sample_batch(masks, rngs, first, last, actions):
    """A legal action for each row from its own generator (uint64, 1); 0 where nobody decides."""
    for i in range(first, last):
        actions[i] = max(sample_legal(masks[i], rngs[i]), 0)


def deal_batch(games, tables, rows, masks, seats, steps):
    """Deal the games of some rows, each from its own settings and generator."""
    for k in range(rows.shape[0]):
        i = rows[k]
        deal(games[i], tables[0])
        advance(games[i], tables[0], masks[i])
        seats[i] = games[i].actor
        steps[i] = 0


def see_batch(games, tables, rows, masks, seats, observations, action_mask, current_player):
    """What the player to decide sees, for some rows; where nobody decides, what seat 0 sees."""
    for k in range(rows.shape[0]):
        i = rows[k]
        encode(games[i], tables[0], max(seats[i] + 0, 0), observations[i])
        for action in range(masks.shape[1]):
            action_mask[i, action] = masks[i, action]
        current_player[i] = seats[i]


def step_batch(
    games,
    tables,
    first,
    last,
    actions,
    masks,
    seats,
    steps,
    cap,
    reward,
    work,
    returns,
    observations,
    action_mask,
    current_player,
    rewards,
    terminated,
    truncated,
):
    """One step of the rows ``first`` to ``last - 1`` whose actions are legal; an ended game is dealt anew instead.

    A game that ends here is left as it ended (``seats`` -1, no legal action); its row shows what the last mover sees.
    """
    rules = tables[0]
    for i in range(first, last):
        g = games[i]
        mask = masks[i]
        terminated[i] = False
        truncated[i] = False
        for player in range(rewards.shape[1]):
            rewards[i, player] = 0.0
        mover = seats[i] + 0
        if mover < 0:
            deal(g, rules)
            steps[i] = 0
        else:
            make(g, rules, actions[i])
            steps[i] += 1
        advance(g, rules, mask)
        seats[i] = g.actor
        if g.actor < 0:
            truncated[i] = is_cut_short(g)
            terminated[i] = not truncated[i]
            write_returns(g, rules, reward, work[0], work[1], returns)
            for player in range(rewards.shape[1]):
                rewards[i, player] = returns[player]
        elif steps[i] == cap:
            truncated[i] = True
            seats[i] = -1
            mask[:] = 0
        encode(g, rules, seats[i] + 0 if seats[i] >= 0 else mover, observations[i])
        for action in range(mask.shape[0]):
            action_mask[i, action] = mask[action]
        current_player[i] = seats[i]


def last_views(games, tables, rows, views):
    """What every player sees of the games of some rows: ``views[k, player]`` of row ``rows[k]``."""
    for k in range(rows.shape[0]):
        for player in range(views.shape[1]):
            encode(games[rows[k]], tables[0], player, views[k, player])
