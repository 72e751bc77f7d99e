"""What a card does at once when it is laid down, and what it adds later [F1-F12, H46].

Communication droids [F3], harvest leaves [F2] and houses score at the end: see ``scoring``. Market droids act in
``exchange`` [F10, F11]."""

from __future__ import annotations

from tabletop.jit import kernel

from ..constants import (
    APPLYING,
    BASE_KINDS,
    BONUS_ANY,
    BONUS_DROIDS,
    DISCOUNT_DROID,
    FIRST_HOUSE,
    KINDS,
    MAX_PAIRS,
    NOBODY,
    NUM_HOUSES,
    REPAIRED,
    TOKEN_DROID,
    TOKENS,
)
from .seats import is_solo, owns, touches
from .sheds import gain


@kernel
def lay_down(g, rules, seat, card):
    """A repaired droid lies before its owner [A1, F2]."""
    g.place[card] = REPAIRED + seat
    g.droids[seat, rules.card[card].type] += 1
    g.leaves[seat] += rules.card[card].leaves
    g.printed_rp[seat] += rules.card[card].rp


@kernel
def begin_effect(g, rules, seat, card):
    """The immediate effect: an alternative first, if there are several [F4, F8, F9, H46]."""
    if rules.card[card].effect_alternatives > 1:
        g.choice_due = 1
    else:
        g.gift = 0 if rules.card[card].effect_alternatives == 1 else NOBODY
        take_extensions(g, rules, seat, card)


@kernel
def can_choose_alternative(g, rules, alternative):
    """[F8]"""
    return alternative < rules.card[g.target].effect_alternatives


@kernel
def do_choose_alternative(g, rules, seat, alternative):
    """[F8]"""
    g.choice_due = 0
    g.gift = alternative
    take_extensions(g, rules, seat, g.target)


@kernel
def take_extensions(g, rules, seat, card):
    """Extensions bound to a column at once; those of free choice are asked for [F4-F6]."""
    for kind in range(KINDS):
        g.extensions[seat, kind] += rules.card[card].extensions[kind]
    g.extensions_due = rules.card[card].free_extensions


@kernel
def do_extend(g, seat, column):
    """[C5, N2, F4-F6]"""
    g.extensions[seat, column] += 1
    g.extensions_due -= 1


@kernel
def give_gift(g, rules, seat, card):
    """Parts after the extensions [F4]: into the shed, or onto the card itself [F9]; pairs and "?" are asked for."""
    store = rules.card[card].store
    for kind in range(KINDS):
        n = rules.card[card].effect[g.gift, kind]
        if store >= 0:
            g.stored[store, kind] += n
        else:
            gain(g, seat, kind, n)
    for i in range(MAX_PAIRS):
        g.due_pairs[i] = rules.card[card].effect_pairs[g.gift, i]
    g.due_any = rules.card[card].effect_any[g.gift]
    g.gift = NOBODY


@kernel
def give_bonuses(g, rules, seat):
    """Collection droids add one part each to a dismantling that gave the part they show [F7].

    The fixed bonuses come first; a bonus of free choice is asked for. ``named`` holds what the card itself gave.
    """
    for i in range(len(BONUS_DROIDS)):
        droid = BONUS_DROIDS[i]
        if not owns(g, seat, droid):
            continue
        part = rules.card[droid].bonus
        if part == BONUS_ANY:
            if g.named & (2**BASE_KINDS - 1):
                g.due_any += 1
        elif g.named & (1 << int(part)):
            gain(g, seat, part, 1)


@kernel
def energy_discount(g, seat):
    """One energy less for every repair, its own excepted [F12]."""
    return 1 if owns(g, seat, DISCOUNT_DROID) else 0


@kernel
def can_take_tokens(g, seat, house):
    """A house in play, available to the seat [F5]."""
    return g.between[house] >= 0 and touches(g, g.between[house], seat) and g.builder[house] == NOBODY


@kernel
def tokens_due(g, seat):
    """Droid 31, just repaired, lays its tokens, unless in the solo game or with no house left [F5]."""
    if g.task != APPLYING or g.target != TOKEN_DROID or is_solo(g) or g.token_house >= 0:
        return False
    for house in range(NUM_HOUSES):
        if can_take_tokens(g, seat, house):
            return True
    return False


@kernel
def do_lay_tokens(g, seat, house):
    """[F5]"""
    g.token_house = house
    g.token_owner = seat


@kernel
def extra_cost(g, seat, card):
    """Base parts of choice that a house costs more because of an opponent's tokens [F5]."""
    laid = g.token_house >= 0 and card == FIRST_HOUSE + g.token_house
    return TOKENS if laid and g.token_owner != seat else 0
