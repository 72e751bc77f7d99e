"""The compiled loops that every face runs, written once for all games; that of the tree search is in ``tree``.

Each loop is an ordinary function on an array of games, their tables and arrays to fill. It calls the functions that a
game supplies as its ``Rules``; ``bind`` makes entry points of all loops for one game.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from .jit import entry, kernel, policy_at
from .masks import sample_legal
from .rng import draw_from
from .tree import is_judged as is_judged
from .tree import play_out as play_out
from .tree import search_game as search_game
from .tree import write_values as write_values

DEAL, RESUME = -3, -4
"""In place of an action: deal a new game from the record's settings and generator; carry on to where somebody decides
from a record that was filled by other means (one that stands at a decision stays as it is)."""
HOLD = -5
"""In place of a row's action in a batch: the row waits."""
OVER, ILLEGAL = -1, -2
"""What ``play_game`` returns in place of the next seat."""

MAX_SEATS = 5
CALLER = -1
"""Who decides for a seat of a batch: the caller of ``step``; from 0: that compiled policy; after those: one that runs
in Python."""
HIDDEN = 128
"""Cards that a game can hide, at most."""
ROW = np.dtype(
    [
        ("steps", np.int64),  # of the caller in this game
        ("deals", np.int64),  # games dealt in this row so far
        ("seat", np.int8),  # that decides, -1 when the game is over
        ("fresh", np.bool_),  # the caller has not yet decided anything in it
        ("learner", np.int8),  # the caller's seat, if it has but one; else the last mover's
        ("who", np.int8, (MAX_SEATS,)),  # decides for each seat
    ],
    align=True,
)
"""What a batch keeps of a row beside its game."""


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
    redeal: Callable[..., Any]
    """``redeal(g, rules, keep, slots)``: deal the hidden cards anew from the record's generator, but for the hands to
    ``keep`` (a bit a seat); ``slots`` (int64, ``(4, HIDDEN)``) is room to work."""


@dataclass(frozen=True)
class Loops:
    """The loops below, bound to a game's rules and compiled when first called."""

    play_game: Callable[..., int]
    look_at_game: Callable[..., None]
    judge_game: Callable[..., None]
    returns_of_game: Callable[..., None]
    start_batch: Callable[..., None]
    random_steps: Callable[..., int]
    play_games: Callable[..., None]
    first_wrong: Callable[..., int]
    sample_batch: Callable[..., None]
    deal_rows: Callable[..., None]
    see_rows: Callable[..., None]
    step_batch: Callable[..., None]
    rollout_batch: Callable[..., None]
    view_rows: Callable[..., None]
    search_game: Callable[..., int]
    redeal_games: Callable[..., None]


def bind(rules: Rules, package: str) -> Loops:
    """The loops as compiled entry points for one game's rules; ``package`` names them in the cache."""
    supplied = {field.name: getattr(rules, field.name) for field in fields(rules)}

    def bound(loop: Callable[..., Any]) -> Callable[..., Any]:
        copy = types.FunctionType(loop.__code__, {**loop.__globals__, **supplied}, loop.__name__)
        copy.__doc__ = loop.__doc__
        copy.__module__ = loop.__module__
        copy.__qualname__ = f"{package}.{loop.__name__}"
        return copy

    for part in _PARTS:
        supplied[part] = kernel(bound(globals()[part]))
    return Loops(**{field.name: entry(bound(globals()[field.name])) for field in fields(Loops)})


_PARTS = (
    "seat_players",
    "new_game",
    "to_caller",
    "write_end",
    "write_view",
    "is_judged",
    "write_values",
    "play_out",
)
"""Of several loops, each before those that call it; bound to the rules as the loops are."""


def _of_a_game(*_: Any) -> Any:
    raise NotImplementedError("a loop must be instantiated for a game's rules")


deal = can = make = advance = write_mask = encode = final_result = write_returns = is_cut_short = redeal = _of_a_game


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


def redeal_games(games, tables, keep, seeds, slots):
    """Redeal in each game what is hidden from the seats to ``keep``, each from its seed (uint64)."""
    for i in range(games.shape[0]):
        g = games[i]
        g.rng = seeds[i]
        redeal(g, tables[0], keep, slots)
        g.seed = g.rng  # the old one would deal the hidden cards again


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


def play_games(games, tables, first, last, seating, policies, rngs, observation, mask, scores, wins, fault):
    """Play the games ``first`` to ``last - 1``, one after the other, each from its deal to its end.

    ``seating[i, seat]`` says which of the ``policies``, as ``tabletop.policies.machine_code`` gives them, decides for a
    seat of game ``i``; ``rngs[i, seat]`` is the seat's own generator (uint64, 1). Points and shares in the win go to
    ``scores[i]`` and ``wins[i]``; nobody wins a game that is cut short.

    Whose policy is asked, and an action of it that is not legal, stand in ``fault`` as ``batch.no_fault`` says: there
    the game stands, and nothing after it has been played.
    """
    rules = tables[0]
    for i in range(first, last):
        fault[0] = i
        g = games[i]
        deal(g, rules)
        advance(g, rules, mask)
        while g.actor >= 0:
            seat = g.actor + 0
            encode(g, rules, seat, observation)
            fault[1] = seating[i, seat]
            action = policy_at(policies[seating[i, seat]])(observation, mask, rngs[i, seat])
            if not can(g, rules, action):
                fault[2] = 1
                fault[3] = action
                return
            make(g, rules, action)
            advance(g, rules, mask)
        final_result(g, rules, scores[i], wins[i])
        if is_cut_short(g):
            wins[i] = 0


# ------------------------------------------------------------------------------------------------ batches


def returns_of_game(games, i, tables, reward, scores, wins, returns):
    """Each player's return if game ``i`` ended now (float64); ``reward`` as in ``tabletop.returns``."""
    write_returns(games[i], tables[0], reward, scores, wins, returns)


def first_wrong(actions, masks, rows):
    """The first row whose action is not legal in the game that it is for, -1 if there is none. What stands in the rows
    of ended games becomes 0."""
    for i in range(actions.shape[0]):
        if rows[i].seat >= 0:
            action = actions[i]
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                return i
        else:
            actions[i] = 0
    return -1


def sample_batch(masks, streams, first, last, actions):
    """A legal action for each row from the first of its generators (uint64, 1); 0 where nobody decides."""
    for i in range(first, last):
        actions[i] = max(sample_legal(masks[i], streams[i, 0]), 0)


def seat_players(row, streams, lineup, place):
    """Who sits where in a new game: the caller's one learner in seat ``place`` (-1: drawn), the built-in players
    clockwise from there, each drawn from its line of ``lineup``. Without a line-up all seats stay the caller's."""
    others = lineup.shape[0]
    if others > 0:
        learner = place if place >= 0 else draw_from(streams[0], others + 1)
        row.learner = learner
        row.who[learner] = CALLER
        for k in range(others):
            row.who[(learner + 1 + k) % (others + 1)] = lineup[k, draw_from(streams[0], lineup.shape[1])]


def new_game(g, rules, row, streams, lineup, place, mask):
    deal(g, rules)
    row.steps = 0
    row.deals += 1
    row.fresh = True
    seat_players(row, streams, lineup, place)
    advance(g, rules, mask)


def to_caller(i, g, rules, row, streams, lineup, place, policies, mask, scratch, fault):
    """Let compiled players move until somebody else decides or the game is over. A game that is over before the caller
    has decided anything is dealt again.

    The row and the player who is asked stand in ``fault``; behind them an illegal action, and there the game stands.
    """
    others = lineup.shape[0]
    while True:
        while g.actor >= 0:
            seat = g.actor + 0
            player = row.who[seat]
            if player < 0 or player >= len(policies):
                row.seat = seat
                return
            encode(g, rules, seat, scratch)
            rng = streams[1 + (seat - row.learner + others) % (others + 1)]
            fault[0] = i
            fault[1] = player
            action = policy_at(policies[player])(scratch, mask, rng)
            if not can(g, rules, action):
                fault[2] = 1
                fault[3] = action
                row.seat = seat
                return
            make(g, rules, action)
            advance(g, rules, mask)
        if not row.fresh:
            row.seat = -1
            return
        new_game(g, rules, row, streams, lineup, place, mask)


def write_end(g, rules, row, cap, reward, work, returns, mask, rewards, terminated, truncated, i):
    """Rewards and flags of a row, if its game has just ended or reached ``cap`` steps of the caller."""
    if row.seat < 0:
        truncated[i] = is_cut_short(g)
        terminated[i] = not truncated[i]
        write_returns(g, rules, reward, work[0], work[1], returns)
        for player in range(rewards.shape[1]):
            rewards[i, player] = returns[player]
    elif row.steps == cap and row.who[row.seat] < 0:
        truncated[i] = True
        row.seat = -1
        mask[:] = 0


def write_view(g, rules, row, mask, otherwise, i, observations, action_mask, current_player):
    """What the player to decide sees, or where nobody decides, what seat ``otherwise`` sees."""
    encode(g, rules, row.seat if row.seat >= 0 else otherwise, observations[i])
    for action in range(mask.shape[0]):
        action_mask[i, action] = mask[action]
    current_player[i] = row.seat


def deal_rows(
    games,
    tables,
    which,
    rows,
    masks,
    streams,
    lineup,
    place,
    policies,
    scratch,
    fault,
    observations,
    action_mask,
    current_player,
):
    """Deal the games of some rows, each from its own settings and generator, and show them."""
    for k in range(which.shape[0]):
        i = which[k]
        g = games[i]
        row = rows[i]
        new_game(g, tables[0], row, streams[i], lineup, place, masks[i])
        to_caller(i, g, tables[0], row, streams[i], lineup, place, policies, masks[i], scratch, fault)
        write_view(g, tables[0], row, masks[i], row.learner, i, observations, action_mask, current_player)


def see_rows(games, tables, which, rows, masks, observations, action_mask, current_player):
    """What the player to decide sees, for some rows; where nobody decides, what the learner sees, or who moved last."""
    for k in range(which.shape[0]):
        i = which[k]
        write_view(
            games[i], tables[0], rows[i], masks[i], rows[i].learner, i, observations, action_mask, current_player
        )


def step_batch(
    games,
    tables,
    first,
    last,
    actions,
    rows,
    masks,
    streams,
    lineup,
    place,
    policies,
    cap,
    reward,
    work,
    returns,
    scratch,
    fault,
    observations,
    action_mask,
    current_player,
    rewards,
    terminated,
    truncated,
):
    """One step of the rows ``first`` to ``last - 1`` whose actions are legal; an ended game is dealt anew instead, and
    a row whose action is ``HOLD`` stays as it is. ``RESUME`` lets the players move on who are not the caller's.

    A game that ends here is left as it ended (``seat`` -1, no legal action); its row shows what the learner sees, or
    who moved last.
    """
    rules = tables[0]
    for i in range(first, last):
        action = actions[i]
        if action == HOLD:
            continue
        g = games[i]
        row = rows[i]
        mask = masks[i]
        mover = row.seat + 0
        if mover < 0 or row.who[mover] < 0:  # else this goes on with a step that has begun
            terminated[i] = False
            truncated[i] = False
            for player in range(rewards.shape[1]):
                rewards[i, player] = 0.0
        if action == RESUME:
            advance(g, rules, mask)
        elif mover < 0:
            new_game(g, rules, row, streams[i], lineup, place, mask)
        else:
            if row.who[mover] < 0:
                row.steps += 1
                row.fresh = False
            make(g, rules, action)
            advance(g, rules, mask)
        to_caller(i, g, rules, row, streams[i], lineup, place, policies, mask, scratch, fault)
        write_end(g, rules, row, cap, reward, work, returns, mask, rewards, terminated, truncated, i)
        if lineup.shape[0] == 0 and mover >= 0:
            row.learner = mover
        write_view(g, rules, row, mask, row.learner, i, observations, action_mask, current_player)


def rollout_batch(
    games,
    tables,
    first,
    last,
    seating,
    rows,
    masks,
    streams,
    lineup,
    policies,
    cap,
    reward,
    work,
    returns,
    fault,
    observations,
    action_mask,
    current_player,
    actions,
    rewards,
    terminated,
    truncated,
):
    """Decisions of the rows ``first`` to ``last - 1``, one game after the other: in each as many as ``actions`` has
    lines. ``seating[i, seat]`` says which policy decides; ended games are dealt anew.

    Line t of the arrays holds what the t-th mover saw and chose, and what came of it.
    """
    rules = tables[0]
    for i in range(first, last):
        g = games[i]
        row = rows[i]
        mask = masks[i]
        for t in range(actions.shape[0]):
            write_view(g, rules, row, mask, 0, i, observations[t], action_mask[t], current_player[t])
            player = seating[i, row.seat]
            fault[0] = i
            fault[1] = player
            action = policy_at(policies[player])(observations[t, i], action_mask[t, i], streams[i, 0])
            if not can(g, rules, action):
                fault[2] = 1
                fault[3] = action
                return
            actions[t, i] = action
            make(g, rules, action)
            advance(g, rules, mask)
            row.steps += 1
            row.fresh = False
            row.seat = g.actor
            terminated[t, i] = False
            truncated[t, i] = False
            for player in range(rewards.shape[2]):
                rewards[t, i, player] = 0.0
            write_end(g, rules, row, cap, reward, work, returns, mask, rewards[t], terminated[t], truncated[t], i)
            if row.seat < 0:
                new_game(g, rules, row, streams[i], lineup, 0, mask)
                row.seat = g.actor


def view_rows(games, tables, which, seats, views):
    """What a seat sees of the game in a row: ``views[k]`` of row ``which[k]`` and seat ``seats[k]``."""
    for k in range(which.shape[0]):
        encode(games[which[k]], tables[0], seats[k], views[k])
