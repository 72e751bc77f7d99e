"""How a player with a ``Style`` decides: it compares what its hand and the table are worth after each thing it can do.

It takes, lays, adds and discards what leaves it best off; see ``chances`` for what a hand is worth.
"""

from __future__ import annotations

import numpy as np

from robots_env import actions as act
from robots_env import constants as const
from robots_env.bits import LANE_BITS, TRIPLE_SUITS, bit, card_of_rank, has, lane, wilds_in
from robots_env.constants import LANE, NUM_SUITS, SPREAD, SUITED, WILD
from tabletop.jit import kernel

from . import reading as see
from .chances import (
    COMING,
    Scene,
    chance,
    scene,
    with_gaps,
    worth,
    worth_kept,
    worth_with,
    write_coming,
    write_coming_to,
    write_each,
)
from .common import ROBOT_POINTS, best_place, first_legal, points, with_card, without_card
from .spreads import best_complete, in_lane

NEVER = -1e9
ROOM = (3, COMING)  # what ``decide`` needs to work in


# --- Drawing ----------------------------------------------------------------------------------------------------------


@kernel
def draw_worth(o, n, a, b, t, s, coming, each):
    """The hand after a card from the factory: the mean over all that might come."""
    unseen_a, unseen_b = see.cards(o, n, see.UNSEEN)
    wilds = wilds_in(unseen_b)
    total = 0.0
    if wilds > 0:
        total = wilds * worth_kept(a, b + bit(WILD), t, s, coming)
    seen = wilds + 0
    write_each(a, b, t, s, coming, each)
    for r in range(SUITED):
        card = card_of_rank(r)
        if has(unseen_a, unseen_b, card):
            total += worth_with(a, b, card, t, s, coming, each)
            seen += 1
    return total / seen if seen > 0 else worth(a, b, t, s, coming)


@kernel
def choose_draw(o, n, mask, t, s, coming, each, order):
    """The factory, or the card of the heap to take down to."""
    a, b = see.cards(o, n, see.HAND)
    size = see.heap_in_order(o, n, order)
    if mask[act.DRAW] == 1:
        best = act.DRAW
        most = draw_worth(o, n, a, b, t, s, coming, each) + s.take
        most += s.impatience * max(0.0, see.turns(o, n) - s.patience)
    else:
        best = act.PASS
        most = -see.points_of(a, b)
        for role in range(1, n):
            most += s.out * see.hand_size(o, n, role) / (n - 1)
        most += s.resigned * max(0.0, see.turns(o, n) - s.patience)
    wilds = 0
    for depth in range(size):
        card = np.int64(order[depth])
        a, b = with_card(a, b, card)
        action = act.PICK_WILD + wilds if card == WILD else act.PICK + card - 2 * (card >> 4)
        wilds += card == WILD
        if mask[action] == 1:
            value = worth_kept(a, b, t, s, coming) + s.deep * (depth + 1)
            if value > most:
                best = action
                most = value
    return best


# --- Plays ------------------------------------------------------------------------------------------------------------


@kernel
def lay_worth(a, b, action, t, s, coming):
    """A new spread: its points, and what the rest of the hand is worth with it on the table."""
    counts = s.three
    if action < act.LAY_SET:
        suit = (action - act.LAY_RUN) // const.WINDOWS
        low = action - act.LAY_RUN - const.WINDOWS * suit
        for place in range(low, low + SPREAD):
            a, b, counted = spend(a, b, suit, place, t)
            counts += counted
        more = np.int64(0)
        if low > 0:
            more |= np.int64(1) << (low - 1)
        if low + SPREAD <= (t.high if t.high > 13 else 13):
            more |= np.int64(1) << (low + SPREAD)
        more_a, more_b = in_lane(suit, more)
    else:
        place = (action - act.LAY_SET) // len(const.THREE_SUITS)
        three = TRIPLE_SUITS[action - act.LAY_SET - len(const.THREE_SUITS) * place]
        more_a = np.int64(0)
        more_b = np.int64(0)
        for suit in range(NUM_SUITS):
            if (three >> suit) & 1:
                a, b, counted = spend(a, b, suit, place, t)
                counts += counted
            else:
                lane_a, lane_b = in_lane(suit, np.int64(1) << place)
                more_a |= lane_a
                more_b |= lane_b
    after = Scene(
        t.high,
        t.gaps_a | more_a,
        t.gaps_b | more_b,
        t.robots_a,
        t.robots_b,
        s.fits,
        t.caught,
        t.wild,
        t.ending,
    )
    return counts + worth(a, b, after, s, coming) + near_end(a, b, after)


@kernel
def near_end(a, b, t):
    """With one card left that fits nothing, the round ends as it is discarded."""
    if see.count(a, b) == 1 and wilds_in(b) == 0 and (a & t.gaps_a) | (b & t.gaps_b) == 0:
        return t.ending
    return 0.0


@kernel
def spend(a, b, suit, place, t):
    """A place of a new spread is filled: by the number card, else the star, else a wild."""
    card = LANE * suit + place
    if place > 0 and place < 14 and has(a, b, card):
        a, b = without_card(a, b, card)
        return a, b, points(card)
    if (place == 0 or place == t.high) and has(a, b, LANE * suit):
        a, b = without_card(a, b, LANE * suit)
        return a, b, 15.0
    return a, b - bit(WILD), 15.0


@kernel
def add_worth(o, n, a, b, card, t, s, coming):
    """A card added: its points, and what the rest of the hand is worth."""
    a, b = without_card(a, b, card)
    counts = points(card)
    if card == WILD:
        return counts + worth(a, b, t, s, coming)
    robots_a = np.int64(0)
    robots_b = np.int64(0)
    more_a = np.int64(0)
    more_b = np.int64(0)
    place = card & 15
    suit = card >> 4
    if has(t.robots_a, t.robots_b, card):
        counts += ROBOT_POINTS
    for slot in range(const.MAX_SPREADS):
        low = see.spread_end(o, n, slot, 0) - 1
        if low < 0:
            continue
        top = see.spread_end(o, n, slot, 1) - 1
        if low == top:
            if low == place and see.suits_of(o, n, slot) == SPREAD and see.is_pure(o, n, slot):
                for other in range(NUM_SUITS):
                    if other != suit and not see.flag(o, n, see.SPREAD_SUITS, NUM_SUITS * slot + other):
                        robots_a, robots_b = in_lane(other, np.int64(1) << place)
                        if not has(a, b, LANE * other + place) and coming[LANE * other + place] > 0.0:
                            counts -= s.robot_risk
        elif see.flag(o, n, see.SPREAD_SUITS, NUM_SUITS * slot + suit):
            if place == top + 1 and place < t.high:
                more_a, more_b = in_lane(suit, np.int64(1) << (place + 1))
            elif place == low - 1 and place > 0:
                more_a, more_b = in_lane(suit, np.int64(1) << (place - 1))
    after = with_gaps(t, more_a, more_b, robots_a, robots_b)
    return counts + worth(a, b, after, s, coming) + near_end(a, b, after)


@kernel
def choose_play(o, n, mask, t, s, coming, theirs):
    """A robot at once; else the spread or addition that leaves it best off, if that beats waiting; else the discard."""
    a, b = see.cards(o, n, see.HAND)
    best = -1
    most = NEVER
    for action in range(act.LAY_RUN, act.WILD_IN):
        if mask[action] == 1:
            value = lay_worth(a, b, action, t, s, coming)
            if value > most:
                best = action
                most = value
    for r in range(const.NUM_KINDS):
        if mask[act.ADD + r] == 1:
            card = card_of_rank(r)
            if card != WILD and has(t.robots_a, t.robots_b, card):
                return act.ADD + r
            value = add_worth(o, n, a, b, card, t, s, coming)
            if value > most:
                best = act.ADD + r
                most = value
    waits = see.smallest_other_hand(o, n) > s.wait and s.wait > 0.0 and left_over(a, b, t) > s.wait_cards
    waits = waits and see.turns(o, n) < s.wait_turns
    if best < 0 or waits or most < worth(a, b, t, s, coming) - s.eager:
        discard, _ = best_discard(o, n, mask, t, s, coming, theirs)
        if discard >= 0:
            return discard
    return first_legal(mask) if best < 0 else best


@kernel
def left_over(a, b, t):
    """How many cards are left once all spreads have been laid that are complete without wilds, and what fits them."""
    for _ in range(8):
        cards_a, cards_b, gaps_a, gaps_b, counts = best_complete(a, b, t.high)
        if counts <= 0.0:
            break
        a &= ~cards_a
        b &= ~cards_b
        t = with_gaps(t, gaps_a, gaps_b, 0, 0)
    return see.count(a & ~t.gaps_a, b & ~(t.gaps_b & LANE_BITS))


# --- Discards ---------------------------------------------------------------------------------------------------------


@kernel
def power_worth(o, n, a, b, card, t, s, coming):
    """What the power of a discard brings, with the hand that is left."""
    if (a == 0 and b == 0) or see.has_acted(o, n, card):
        return 0.0
    number = (card & 15) + 1
    if number == 3:
        return s.recycle * best_gain(o, n, a, b, t, s, coming)
    if number == 5:
        return s.parts + 0.0
    if number == 7:
        return s.tractor + 0.0
    if number == 9:
        _, harm = best_target(o, n, s, False)
        _, back = best_target(o, n, s, True)
        safe = min(1.0, see.heap_size(o, n) / s.laser_heap)
        return s.laser * harm * safe - s.laser_returns * (1.0 - safe) * back
    if number == 11 and not see.flag(o, n, see.SKIPPED, 1):
        return s.circuit + 0.0 if n == 2 else s.circuit_more + 0.0
    return 0.0


@kernel
def best_gain(o, n, a, b, t, s, coming):
    """How much better the best card of the heap makes a hand."""
    heap_a, heap_b = see.heap_cards(o, n)
    before = worth(a, b, t, s, coming)
    most = 0.0
    if wilds_in(heap_b) > 0:
        most = t.wild + 0.0
    for r in range(SUITED):
        card = card_of_rank(r)
        if has(heap_a, heap_b, card):
            more_a, more_b = with_card(a, b, card)
            most = max(most, worth(more_a, more_b, t, s, coming) - before)
    return most


@kernel
def gift(o, n, card, t, s, theirs, may_add):
    """What a discard gives to those who come next."""
    if card == WILD:
        return 2.0 * points(card)
    suit = card >> 4
    fitting = False
    place = card & 15
    gaps = lane(t.gaps_a, t.gaps_b, suit)
    if (gaps >> place) & 1 != 0 or (place == 0 and (gaps >> t.high) & 1 != 0):
        fitting = True
    if fitting and may_add:
        value = s.gift_fits * points(card)
        if has(t.robots_a, t.robots_b, card):
            value += ROBOT_POINTS
        return value
    p = chance(np.int64(0), np.int64(0), card, t, 0.5, 0.3, 0.0, theirs)
    return s.gift * p * 3.0 * points(card)


@kernel(inline=True)
def goes_round(card):
    """Whether a card taken off the heap could act turn after turn: Recycle asks nothing of the hand."""
    return card & 15 == 2


@kernel
def best_discard(o, n, mask, t, s, coming, theirs):
    """The card to discard: what the hand is worth without it, its power and what it gives away included."""
    a, b = see.cards(o, n, see.HAND)
    best = -1
    most = NEVER
    may_add = False
    for role in range(1, n):
        if see.owns_a_spread(o, n, role):
            may_add = True
    for r in range(const.NUM_KINDS):
        if mask[act.DISCARD + r] == 0:
            continue
        card = card_of_rank(r)
        rest_a, rest_b = without_card(a, b, card)
        before = 0.0
        if card != WILD:
            before = coming[card]
            coming[card] = s.heap
        value = worth(rest_a, rest_b, t, s, coming) - gift(o, n, card, t, s, theirs, may_add)
        if card != WILD:
            coming[card] = before
            if see.was_taken(o, n, r) and goes_round(card):
                value -= s.taken
            else:
                value += power_worth(o, n, rest_a, rest_b, card, t, s, coming)
        if value > most:
            best = act.DISCARD + r
            most = value
    return best, most


@kernel
def choose_recycling(o, n, mask, t, s, coming):
    """The card of the heap that makes the hand better by most, or none."""
    a, b = see.cards(o, n, see.HAND)
    best = act.PASS
    most = worth(a, b, t, s, coming)
    for i in range(const.SUITED + const.WILDS):
        if mask[act.PICK + i] == 1:
            more_a, more_b = with_card(a, b, card_of_rank(i) if i < const.SUITED else WILD)
            value = worth(more_a, more_b, t, s, coming)
            if value > most:
                best = act.PICK + i
                most = value
    return best


# --- The laser --------------------------------------------------------------------------------------------------------


@kernel
def leads(o, n, role):
    """Whether nobody but the observer has more points."""
    for other in range(1, n):
        if see.score(o, n, other) > see.score(o, n, role):
            return False
    return True


@kernel
def harm_at(o, n, s, slot, place, suit, own):
    """What its owner loses by a card that is burnt; twice what goes back to the hand."""
    low = see.spread_end(o, n, slot, 0) - 1
    top = see.spread_end(o, n, slot, 1) - 1
    length = see.length_of(o, n, slot)
    card = LANE * suit + place
    number = place + 1.0
    mine = place > 0 and place < 14 and see.flag(o, n, see.PLAYED, card - 2 * suit)
    harm = number if mine == own else -number
    if low == top:
        if length == SPREAD:
            harm += 2.0 * s.returned * (SPREAD - 1) * number
        elif length == NUM_SUITS - 1 and see.is_pure(o, n, slot):
            harm += s.to_be_robot
    else:
        below = place - low
        above = top - place
        mean = (low + top) / 2.0 + 1.0
        harm += 2.0 * s.returned * mean * ((below if below < SPREAD else 0) + (above if above < SPREAD else 0))
    if n > 2:
        for role in range(1, n):
            if see.flag(o, n, see.SPREAD_OWNER, slot * n + role) and leads(o, n, role):
                harm *= 1.0 + s.leader
    return harm


@kernel
def best_target(o, n, s, own):
    """The card of another's spread, or of an own one, whose loss harms its owner most (-1 if there is none), and the
    harm."""
    best = -1
    most = 0.0
    for slot in range(const.MAX_SPREADS):
        low = see.spread_end(o, n, slot, 0) - 1
        if low < 0 or see.flag(o, n, see.SPREAD_OWNER, slot * n) != own:
            continue
        top = see.spread_end(o, n, slot, 1) - 1
        if low == top:
            if see.suits_of(o, n, slot) == NUM_SUITS:
                continue
            for suit in range(NUM_SUITS):
                if see.flag(o, n, see.SPREAD_SUITS, NUM_SUITS * slot + suit):
                    harm = harm_at(o, n, s, slot, low, suit, own)
                    if harm > most:
                        most = harm
                        best = LANE * suit + low
        else:
            for suit in range(NUM_SUITS):
                if see.flag(o, n, see.SPREAD_SUITS, NUM_SUITS * slot + suit):
                    for place in range(low, top + 1):
                        harm = harm_at(o, n, s, slot, place, suit, own)
                        if harm > most:
                            most = harm
                            best = LANE * suit + place
    return best, most


@kernel
def choose_target(o, n, mask, s):
    card, _ = best_target(o, n, s, False)
    if card >= 0:
        if card & 15 < const.SUIT_CARDS:
            action = act.PICK + card - 2 * (card >> 4)
            if mask[action] == 1:
                return action
        if (card & 15) == see.star_high(o, n) and mask[act.PICK + (card >> 4) * const.SUIT_CARDS] == 1:
            return act.PICK + (card >> 4) * const.SUIT_CARDS
    # A wild lies there, or there is nothing to harm: the card with the most points.
    best = act.PASS
    most = 0.0
    for i in range(const.SUITED + const.WILDS):
        if mask[act.PICK + i] == 1:
            worth_it = points(card_of_rank(i) if i < const.SUITED else WILD)
            if worth_it > most:
                best = act.PICK + i
                most = worth_it
    return best


# --- All decisions ----------------------------------------------------------------------------------------------------


@kernel
def decide(o, n, mask, s, room):
    """What a player of a style does. ``room`` is an array of shape ``ROOM`` to work in."""
    what = see.decision(o, n)
    if what == const.TO_CALL:
        return act.CALL
    if what == const.TO_PLACE:
        return best_place(o, n, mask)
    if what == const.TO_DRAW_PARTS:
        return act.DRAW
    if what == const.TO_AIM:
        return choose_target(o, n, mask, s)
    if what == const.TO_SUBSTITUTE or what == const.TO_NAME:
        return first_legal(mask)
    t = scene(o, n, s)
    coming = room[0]
    write_coming(o, n, s, t.high, coming)
    if what == const.TO_DRAW:
        return choose_draw(o, n, mask, t, s, coming, room[1], room[2])
    if what == const.TO_RECYCLE:
        return choose_recycling(o, n, mask, t, s, coming)
    theirs = room[1]
    write_coming_to(o, n, 1, t.high, theirs)
    if what == const.TO_LAY:
        discard, _ = best_discard(o, n, mask, t, s, coming, theirs)
        return discard
    return choose_play(o, n, mask, t, s, coming, theirs)
