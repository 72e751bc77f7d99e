"""New spreads [P1-P4, C3, C4, D3].

A spread is laid with three cards: a run by its suit and lowest place, a set by its number and three suits. More are
added one by one, so that every spread can be reached. Number cards at hand are taken for the places they fit, then
stars, then wilds; where a star or wild could stand instead of a card at hand, the player may say so, from the lowest
cell up.
"""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel

from ..bits import (
    LANE_BITS,
    SET_CHOICES,
    TRIPLE_SUITS,
    TRIPLES_WITH,
    count_bits,
    has,
    lane,
    lowest,
    places_of_sets,
    suits_at,
    wilds_in,
    windows_of,
    with_high_stars,
)
from ..constants import LANE, NO_CARD, NOBODY, RUN, SET, SPREAD, WILD
from .hands import lose
from .setup import clear_play
from .spreads import fill_cell, occupy, recount


@kernel(inline=True)
def places_of(rules, card):
    """The places that a suited card can stand for, as bits [C3]."""
    place = card & 15
    return np.int64(1) << place if place > 0 else np.int64(1) | (np.int64(1) << rules.high)


@kernel(inline=True)
def windows_over(places):
    """The lowest places of the runs of three that cover one of these places."""
    return places | (places >> 1) | (places >> 2)


@kernel(inline=True)
def runs_of(rules, a, b):
    """The runs of three that a hand can lay: in each suit's lane the lowest places [P2, C3, C4]."""
    wilds = wilds_in(b)
    return (
        windows_of(with_high_stars(a, rules.high), wilds, rules.windows),
        windows_of(with_high_stars(b & LANE_BITS, rules.high), wilds, rules.windows & LANE_BITS),
    )


@kernel(inline=True)
def sets_of(rules, a, b):
    """The places, as bits, of which a hand can lay a set [P2, P3, C3, C4]."""
    return places_of_sets(
        with_high_stars(a, rules.high), with_high_stars(b & LANE_BITS, rules.high), min(wilds_in(b), 2)
    )


@kernel(inline=True)
def triples_at(rules, a, b, place):
    """The triples of suits, as bits, with which a hand can lay a set of a place [P3, C4]."""
    suits = suits_at(with_high_stars(a, rules.high), with_high_stars(b & LANE_BITS, rules.high), place)
    return SET_CHOICES[min(wilds_in(b), 2), suits]


@kernel
def playable_in_new_spread(rules, a, b, card):
    """Whether the hand (a, b), which holds the card, can lay a spread with it [D3]."""
    wilds = wilds_in(b)
    if card == WILD:
        runs_a, runs_b = runs_of(rules, a, b)
        return runs_a | runs_b | sets_of(rules, a, b) != 0
    if wilds >= 2:
        return True
    suit = card >> 4
    places = places_of(rules, card)
    one_suit = lane(a, b, suit)
    one_suit |= (one_suit & 1) << rules.high
    if windows_of(one_suit, wilds, rules.windows & LANE_BITS) & windows_over(places) != 0:
        return True
    while places != 0:
        place = lowest(places)
        suits = suits_at(with_high_stars(a, rules.high), with_high_stars(b & LANE_BITS, rules.high), place)
        if count_bits(suits) + wilds >= SPREAD:
            return True
        places &= places - 1
    return False


@kernel(inline=True)
def new_runs(g, rules, seat):
    """The runs of three the player may lay now [P1]; just after a deep take only those with the card due [D3].

    A wild that is due fits into every one of them: see ``can_lay_as_is``.
    """
    a, b = runs_of(rules, g.hand[seat, 0], g.hand[seat, 1])
    if g.must_play != NO_CARD and g.must_play != WILD:
        card = np.int64(g.must_play)
        over = windows_over(places_of(rules, card)) << (LANE * ((card >> 4) & 3))
        if card < 64:
            return a & over, np.int64(0)
        return np.int64(0), b & over
    return a, b


@kernel(inline=True)
def new_sets(g, rules, seat):
    """The places of which the player may lay a set now [P1, D3]."""
    places = sets_of(rules, g.hand[seat, 0], g.hand[seat, 1])
    if g.must_play != NO_CARD and g.must_play != WILD:
        places &= places_of(rules, np.int64(g.must_play))
    return places


@kernel(inline=True)
def new_triples(g, rules, seat, place):
    """The triples of suits with which the player may lay a set of a place now [P1, D3]."""
    triples = triples_at(rules, g.hand[seat, 0], g.hand[seat, 1], place)
    if g.must_play != NO_CARD and g.must_play != WILD:
        triples &= TRIPLES_WITH[g.must_play >> 4]
    return triples


@kernel
def can_lay_run(g, rules, seat, suit, low):
    """[P1, P2]"""
    a, b = new_runs(g, rules, seat)
    return has(a, b, LANE * suit + low)


@kernel
def can_lay_set(g, rules, seat, place, triple):
    """[P1, P2]"""
    return (new_sets(g, rules, seat) >> place) & 1 != 0 and (new_triples(g, rules, seat, place) >> triple) & 1 != 0


@kernel
def do_lay_run(g, rules, seat, suit, low):
    """[P1, P2]"""
    g.laying = RUN
    g.laying_suit = suit
    g.laying_cells = 7 << low
    choose_cards(g, rules, seat)


@kernel
def do_lay_set(g, rules, seat, place, triple):
    """[P1, P2]"""
    g.laying = SET
    g.laying_number = place + 1
    g.laying_cells = TRIPLE_SUITS[triple]
    choose_cards(g, rules, seat)


@kernel(inline=True)
def suit_of_cell(g, cell):
    return g.laying_suit + 0 if g.laying == RUN else cell


@kernel(inline=True)
def place_of_cell(g, cell):
    return cell if g.laying == RUN else g.laying_number - 1


@kernel
def number_at_hand(g, seat, suit, place):
    return place > 0 and place < 14 and has(g.hand[seat, 0], g.hand[seat, 1], LANE * suit + place)


@kernel
def star_at_hand(g, rules, seat, suit, place):
    return (place == 0 or place == rules.high) and has(g.hand[seat, 0], g.hand[seat, 1], LANE * suit)


@kernel
def choose_cards(g, rules, seat):
    """For each cell the number card, else the star, else a wild; a star that is due comes first [D3]."""
    cells = np.int64(g.laying_cells)
    while cells != 0:
        cell = lowest(cells)
        at = cells & -cells
        cells &= cells - 1
        suit = suit_of_cell(g, cell)
        place = place_of_cell(g, cell)
        star = star_at_hand(g, rules, seat, suit, place)
        if number_at_hand(g, seat, suit, place) and not (star and g.must_play == LANE * suit):
            continue
        if star:
            g.laying_stars |= at
        else:
            g.laying_wilds |= at
    g.laying_from = 0


@kernel
def nth_cell(g, n):
    """The n-th cell of the spread being laid, from the lowest."""
    cells = np.int64(g.laying_cells)
    for _ in range(n):
        cells &= cells - 1
    return lowest(cells)


@kernel
def chosen_for(g, cell):
    """The card chosen for a cell."""
    at = np.int64(1) << cell
    if g.laying_wilds & at:
        return WILD
    suit = suit_of_cell(g, cell)
    return LANE * suit + (0 if g.laying_stars & at else place_of_cell(g, cell))


@kernel
def can_use_wild(g, seat, n):
    """A wild may stand for a card at hand: one card at least stays no wild [C4], nor does the card due go [D3]."""
    if n < g.laying_from:
        return False
    card = chosen_for(g, nth_cell(g, n))
    used = count_bits(np.int64(g.laying_wilds))
    return card != WILD and card != g.must_play and used < wilds_in(g.hand[seat, 1]) and used < SPREAD - 1


@kernel
def can_use_star(g, rules, seat, n):
    """A star may stand for its suit's 14 at hand, where stars count as 14 [C3]."""
    if n < g.laying_from:
        return False
    cell = nth_cell(g, n)
    card = chosen_for(g, cell)
    if card == WILD or card & 15 == 0 or card == g.must_play:
        return False
    if g.must_play == WILD and g.laying_wilds == 0 and n == SPREAD - 1:
        return False
    return star_at_hand(g, rules, seat, suit_of_cell(g, cell), place_of_cell(g, cell))


@kernel
def can_lay_as_is(g):
    """A wild that must be played at once [D3] is in the spread, if need be in place of another card."""
    return g.must_play != WILD or g.laying_wilds != 0


@kernel
def do_use_wild(g, n):
    """[C4]"""
    at = 1 << nth_cell(g, n)
    g.laying_wilds |= at
    g.laying_stars &= ~at
    g.laying_from = n + 1


@kernel
def do_use_star(g, n):
    """[C3]"""
    g.laying_stars |= 1 << nth_cell(g, n)
    g.laying_from = n + 1


@kernel
def do_lay(g, rules, seat):
    """The three cards leave the hand; the spread is the player's own [P1, P5]."""
    number = g.laying_number + 0 if g.laying == SET else 0
    suit = g.laying_suit + 0 if g.laying == RUN else NOBODY
    slot = occupy(g, seat, suit, number)
    cells = np.int64(g.laying_cells)
    while cells != 0:
        card = chosen_for(g, lowest(cells))
        lose(g, seat, card)
        fill_cell(g, seat, slot, cells & -cells, card)
        cells &= cells - 1
    clear_play(g)
    g.must_play = NO_CARD
    recount(g, rules)
