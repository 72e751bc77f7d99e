"""Tree search over information sets, in compiled code, written once for all games.

A simulation takes a world (the game as one player may believe it to be), walks down the tree, adds one node, plays the
game to its end by a policy and gives every player on the way the value that came of it.

A node is what the *searching* player sees, whoever decides there: worlds that differ in what is hidden from it share
their nodes, and so do orders of actions that lead to the same table. An edge is an action. Not every world allows every
action, so an edge counts how often it could have been taken, and what it lacks in visits is measured by that.
"""

from __future__ import annotations

import math

import numpy as np

from .jit import COMPILED, kernel, policy_at
from .masks import sample_legal
from .returns import MARGIN, WIN
from .rng import draw_from

NODE = np.dtype(
    [
        ("key", np.uint64),  # of what the searching player sees
        ("visits", np.int64),
        ("value", np.float64),  # sum, of whoever decides here
        ("first", np.int64),  # its first edge, -1 none
        ("choice", np.int64),  # what the guide would do in the world that added the node, -1 if there is no guide
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("action", np.int64),
        ("next", np.int64),  # the node's next edge, -1 none
        ("visits", np.int64),
        ("chances", np.int64),  # how often it was legal when its node was passed
        ("value", np.float64),  # sum, of whoever decides there
    ],
    align=True,
)
PLAN = np.dtype(
    [
        ("exploration", np.float64),  # weight of what has been tried little
        ("trust", np.float64),  # share of the prior that goes to the guide's choice, 0 to 1
        ("temperature", np.float64),  # a margin of so many points is worth 73 % instead of 50
        ("win_weight", np.float64),  # share of a value that is the win itself, 0 to 1; the rest is the margin
        ("widening", np.float64),  # a node visited n times tries at most widening * n ** growth actions
        ("growth", np.float64),
        ("paranoid", np.int64),  # 1: all others play against the searching player, 0: each for itself
        ("depth", np.int64),  # decisions of a playout after which the table is valued as it lies
    ],
    align=True,
)
RANDOM = 0
"""In place of the playouts' policy: any legal action."""
NOBODY = -1
"""In place of a guide or a judge."""
UNSETTLED = -(2**31)
"""What a judge says of a table of which it cannot tell yet."""
HUNDREDTHS = 100.0
PLAYOUTS, GUIDE, JUDGE = range(3)
"""Places of a search's policies."""

_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S32 = np.uint64(32)


def _of_a_game(*_):
    raise NotImplementedError("a loop must be instantiated for a game's rules")


can = make = advance = write_mask = encode = write_returns = _of_a_game


@kernel
def key_of(words, salts, actor):
    """A 64-bit key of an observation, given as words of 64 bits, and of who decides."""
    total = np.uint64(actor + 1) * _MIX_1
    for i in range(words.shape[0]):
        z = (words[i] ^ salts[i]) * _MIX_1
        z = (z ^ (z >> _S32)) * _MIX_2
        total += z ^ (z >> _S32)
    return total


if not COMPILED:  # NumPy warns of the overflow that the arithmetic is meant to have
    key_of = np.errstate(over="ignore")(key_of)


@kernel
def find_node(nodes, places, key):
    """The node with this key, or where in the hash table it belongs, as a negative number."""
    last = places.shape[0] - 1
    at = np.int64(key >> _S32) & last
    while places[at] >= 0:
        if nodes[places[at]].key == key:
            return places[at] + 0
        at = (at + 1) & last
    return -1 - at


@kernel
def list_edges(node, edges, used, mask, by_action):
    """The node's edge of every action that is legal now, new ones made, into ``by_action``; how many are legal."""
    at = node.first + 0
    while at >= 0:
        by_action[edges[at].action] = at
        at = edges[at].next + 0
    legal = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            legal += 1
            at = by_action[action]
            if at < 0:
                at = used[1] + 0
                used[1] += 1
                edge = edges[at]
                edge.action = action
                edge.next = node.first
                edge.visits = 0
                edge.chances = 0
                edge.value = 0.0
                node.first = at
                by_action[action] = at
            edges[at].chances += 1
    return legal


@kernel
def forget_edges(node, edges, by_action):
    at = node.first + 0
    while at >= 0:
        by_action[edges[at].action] = -1
        at = edges[at].next + 0


@kernel
def choose_edge(plan, node, edges, used, mask, by_action, rng):
    """The edge to follow: the best sum of its mean value and a bonus for what has been tried little.

    An action not yet tried counts as good as its node; equals are drawn from.
    """
    legal = list_edges(node, edges, used, mask, by_action)
    tried = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0 and edges[by_action[action]].visits > 0:
            tried += 1
    may_try = tried < plan.widening * node.visits**plan.growth
    mean = node.value / max(node.visits, 1)
    best, chosen, equals = -1.0, -1, 0
    for action in range(mask.shape[0]):
        if mask[action] == 0:
            continue
        edge = edges[by_action[action]]
        if edge.visits == 0 and not may_try and tried > 0:
            continue
        share = (1.0 - plan.trust) / legal if node.choice >= 0 else 1.0 / legal
        if action == node.choice:
            share += plan.trust
        worth = edge.value / edge.visits if edge.visits > 0 else mean
        worth += plan.exploration * share * math.sqrt(edge.chances) / (1 + edge.visits)
        if worth > best or chosen < 0:
            best, chosen, equals = worth, by_action[action], 1
        elif worth == best:
            equals += 1
            if draw_from(rng, equals) == 0:
                chosen = by_action[action]
    forget_edges(node, edges, by_action)
    return chosen


@kernel
def add_node(nodes, places, used, free, key):
    at = used[0] + 0
    used[0] += 1
    places[-1 - free] = at
    node = nodes[at]
    node.key = key
    node.visits = 0
    node.value = 0.0
    node.first = -1
    node.choice = -1
    return at


@kernel
def set_against(g, plan, seat, returns, values):
    """Where all others are taken to play against the searching player, but those who win with it."""
    if plan.paranoid == 1:
        for player in range(g.num_players):
            if player != seat and returns[player] != returns[seat]:
                values[player] = 1.0 - values[seat]


@kernel
def logistic(x):
    """0 to 1; far out as good as either."""
    return 1.0 / (1.0 + math.exp(-min(max(x, -500.0), 500.0)))


def is_judged(g, rules, plan, seat, policies, rng, view, mask, returns, values):
    """Whether the search's judge can tell of every player what the table is worth to it. If so, the values are
    written."""
    if policies[JUDGE] == NOBODY:
        return False
    for player in range(g.num_players):
        encode(g, rules, player, view)
        lead = policy_at(policies[JUDGE])(view, mask, rng)
        if lead == UNSETTLED:
            return False
        returns[player] = lead / HUNDREDTHS
        values[player] = logistic(returns[player] / plan.temperature)
    set_against(g, plan, seat, returns, values)
    return True


def write_values(g, rules, plan, seat, points, wins, returns, values):
    """What the end is worth to each player, 0 to 1: its margin, and whether it wins."""
    write_returns(g, rules, MARGIN, points, wins, returns)
    for player in range(g.num_players):
        values[player] = (1.0 - plan.win_weight) * logistic(returns[player] / plan.temperature)
    write_returns(g, rules, WIN, points, wins, returns)
    for player in range(g.num_players):
        values[player] += plan.win_weight * (1.0 + returns[player]) / 2
    set_against(g, plan, seat, returns, values)


def play_out(g, rules, plan, seat, policies, rng, view, mask, points, wins, returns, values, fault):
    """Play on by the playouts' policy until the judge can tell, to the end, or to the plan's depth, and write what it
    is worth to each player. False if the policy chose what is not legal."""
    for _ in range(plan.depth):
        if g.actor < 0:
            break
        if is_judged(g, rules, plan, seat, policies, rng, view, mask, returns, values):
            return True
        if policies[PLAYOUTS] == RANDOM:
            action = sample_legal(mask, rng)
        else:
            encode(g, rules, g.actor + 0, view)
            action = policy_at(policies[PLAYOUTS])(view, mask, rng)
            if not can(g, rules, action):
                fault[0] = PLAYOUTS
                fault[1] = action
                return False
        make(g, rules, action)
        advance(g, rules, mask)
    write_values(g, rules, plan, seat, points, wins, returns, values)
    return True


def search_game(
    worlds,
    tables,
    seat,
    first,
    last,
    plans,
    policies,
    rng,
    salts,
    nodes,
    places,
    edges,
    used,
    games,
    view,
    words,
    mask,
    by_action,
    path,
    points,
    wins,
    returns,
    values,
    fault,
):
    """The simulations ``first`` to ``last - 1`` of a search for ``seat``, each in the next of the ``worlds`` in turn.

    ``policies`` are the addresses of the playouts' policy (or ``RANDOM``), the guide and the judge (or ``NOBODY``).
    ``used`` counts nodes and edges; where ``edges`` may not suffice for one more simulation, or ``fault`` tells of an
    illegal choice (whose; the action), this ends early. ``words`` is ``view`` as ``uint64``; ``games`` holds the game
    under way. Returns how many simulations have been made in all.
    """
    rules = tables[0]
    plan = plans[0]
    for simulation in range(first, last):
        if used[1] + path.shape[0] + 2 * mask.shape[0] > edges.shape[0]:
            return simulation
        games[0] = worlds[simulation % worlds.shape[0]]
        g = games[0]
        write_mask(g, rules, mask)
        steps = 0
        leaf = -1
        while g.actor >= 0 and steps < path.shape[0]:
            actor = g.actor + 0
            encode(g, rules, seat, view)
            key = key_of(words, salts, actor)
            at = find_node(nodes, places, key)
            if at < 0:
                leaf = add_node(nodes, places, used, at, key)
                path[steps, 0], path[steps, 1], path[steps, 2] = leaf, -1, actor
                steps += 1
                if policies[GUIDE] != NOBODY:
                    if actor != seat:
                        encode(g, rules, actor, view)
                    action = policy_at(policies[GUIDE])(view, mask, rng)
                    if not can(g, rules, action):
                        fault[0] = GUIDE
                        fault[1] = action
                        return simulation
                    nodes[leaf].choice = action
                break
            if used[1] + mask.shape[0] > edges.shape[0]:
                break
            edge = choose_edge(plan, nodes[at], edges, used, mask, by_action, rng)
            path[steps, 0], path[steps, 1], path[steps, 2] = at, edge, actor
            steps += 1
            make(g, rules, edges[edge].action + 0)
            advance(g, rules, mask)
        if not play_out(g, rules, plan, seat, policies, rng, view, mask, points, wins, returns, values, fault):
            return simulation
        for step in range(steps):
            value = values[path[step, 2]]
            node = nodes[path[step, 0]]
            node.visits += 1
            node.value += value
            if path[step, 1] >= 0:
                edge = edges[path[step, 1]]
                edge.visits += 1
                edge.value += value
    return last
