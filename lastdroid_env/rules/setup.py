"""Setting up [S1-S7, C2, C6, O2, O3]."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.rng import draw, shuffle

from ..constants import (
    BASE_KINDS,
    CHOOSING,
    ENERGY,
    FIRST_HOUSE,
    IDLE,
    IN_DECK,
    MAX_DECKS,
    MAX_PAIRS,
    MAX_SEATS,
    NOBODY,
    NOT_IN_GAME,
    NUM_CARDS,
    NUM_HOUSES,
    SEASONS,
)
from .seats import is_solo


@kernel
def deck_of(num_players, card):
    """Which deck a droid card belongs to, -1 if it is not in this game [C2, S5]."""
    if card < 1 or FIRST_HOUSE <= card < FIRST_HOUSE + NUM_HOUSES or card > NUM_CARDS:
        return -1
    if card < FIRST_HOUSE:
        return 0
    if num_players == 4:
        return 1
    return 0 if num_players == 3 and card <= 80 else -1


@kernel
def clear(g):
    """An empty table; the settings and the generator stay."""
    g.turn = 1
    g.season = 1
    g.priority = 0
    g.stage = CHOOSING
    g.order = 0
    g.decision = 0
    g.actor = 0
    g.decisions = 0
    g.deck[:] = 0
    g.drawn[:] = 0
    g.place[:] = NOT_IN_GAME
    g.offer[:] = 0
    g.given_to[:] = NOBODY
    g.wish[:] = NOBODY
    g.face_up[:] = 0
    g.between[:] = NOBODY
    g.builder[:] = NOBODY
    g.token_house = NOBODY
    g.token_owner = NOBODY
    g.parts[:] = 0
    g.extensions[:] = 0
    g.stored[:] = 0
    g.used[:] = 0
    g.task = IDLE
    g.target = 0
    for i in range(MAX_PAIRS):
        g.owed_pairs[i] = 0
        g.due_pairs[i] = 0
    g.owed_any = 0
    g.choice_due = 0
    g.gift = NOBODY
    g.extensions_due = 0
    g.due_any = 0
    g.named = 0
    g.droids[:] = 0
    g.leaves[:] = 0
    g.printed_rp[:] = 0
    g.left[:] = 0


@kernel
def sort_and_shuffle(g, rules):
    """Each deck by season, each season shuffled, season I on top [S5, S6, C6]."""
    for deck in range(MAX_DECKS):
        end = 0
        for season in range(1, SEASONS + 1):
            start = end
            for card in range(1, NUM_CARDS + 1):
                if deck_of(g.num_players, card) == deck and rules.card[card].season == season:
                    g.deck[deck, end] = card
                    g.place[card] = IN_DECK
                    g.left[season - 1, rules.card[card].type] += 1
                    end += 1
            shuffle(g, g.deck[deck], start, end)


@kernel
def in_the_box(g, rules, house):
    """Whether a house may still be drawn; solo only those with the solo symbol [O3]."""
    return g.between[house] == NOBODY and (not is_solo(g) or rules.card[FIRST_HOUSE + house].solo == 1)


@kernel
def draw_house(g, rules):
    """A house not drawn yet, each equally likely [S2-S4]."""
    n = 0
    for house in range(NUM_HOUSES):
        n += in_the_box(g, rules, house)
    n = draw(g, n)
    for house in range(NUM_HOUSES):
        if in_the_box(g, rules, house):
            if n == 0:
                return house
            n -= 1
    return 0


@kernel
def lay_houses(g, rules):
    """Four between two players, two between each pair of three, four between each facing pair of four [S2-S4];
    solo two of those with the solo symbol [O3]."""
    pairs = 3 if g.num_players == 3 else 2 if g.num_players == 4 else 1
    houses = 2 if g.num_players == 3 or is_solo(g) else 4
    for pair in range(pairs):
        for _ in range(houses):
            g.between[draw_house(g, rules)] = pair


@kernel
def fill_sheds(g):
    """One of each base part and two energy [S1]; solo two of each base part unless hard [O2]."""
    for seat in range(MAX_SEATS):
        if seat < g.num_players:
            for kind in range(BASE_KINDS):
                g.parts[seat, kind] = 2 if is_solo(g) and g.hard == 0 else 1
            g.parts[seat, ENERGY] = 2


@kernel
def set_up(g, rules):
    """[S1-S7]"""
    clear(g)
    g.seed = g.rng
    sort_and_shuffle(g, rules)
    lay_houses(g, rules)
    fill_sheds(g)
    # The first priority player is drawn: of four players, from the two seats that D4 allows; solo: you [S7, O2].
    if g.num_players == 4:
        g.priority = 2 * draw(g, 2)
    elif not is_solo(g):
        g.priority = draw(g, g.num_players)
