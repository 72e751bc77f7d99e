"""The course of a match: who decides next, what is legal, what an action does [D1, K1-K3, W8, E1, E5].

``deal`` begins a game, ``can`` says whether an action is legal and ``make`` makes it; after ``deal`` and ``make``,
``advance`` goes on to the next decision (``decision``, ``actor``) or to the end. ``write_mask`` lists what is legal.
"""

from __future__ import annotations

from tabletop.jit import kernel

from ..actions import (
    ADD,
    AS,
    BELOW,
    CALL,
    DISCARD,
    DRAW,
    LAY_RUN,
    LAY_SET,
    NUM_ACTIONS,
    ONTO,
    PASS,
    PICK,
    STAR_IN,
    WILD_IN,
)
from ..bits import card_of_rank, has, kinds, lowest, mark, mark_cards
from ..constants import (
    CALLING,
    DRAWING,
    EXTRA_PARTS,
    LASER,
    NO_CARD,
    NO_POWER,
    NO_SPREAD,
    NOBODY,
    NUM_SUITS,
    OVER,
    PLAYING,
    RECYCLE,
    RESOLVING,
    ROUND_OVER,
    SPREAD,
    THREE_SUITS,
    TO_AIM,
    TO_CALL,
    TO_DRAW,
    TO_DRAW_PARTS,
    TO_LAY,
    TO_NAME,
    TO_PLACE,
    TO_PLAY,
    TO_RECYCLE,
    TO_SUBSTITUTE,
    TRACTOR_BEAM,
    TURN_OVER,
    WINDOWS,
)
from .discard import can_call, can_keep, discards, do_call, do_decline_call, do_discard, do_keep
from .draw import can_decline_draw, can_take, do_decline_draw, do_draw, do_take, mask_takes
from .hands import holds_kind, is_empty
from .laying import (
    can_lay_as_is,
    can_lay_run,
    can_lay_set,
    can_use_star,
    can_use_wild,
    do_lay,
    do_lay_run,
    do_lay_set,
    do_use_star,
    do_use_wild,
    new_runs,
    new_sets,
    new_triples,
)
from .piles import can_draw, place_in_heap
from .powers import (
    beam,
    can_hit,
    can_recycle,
    do_decline,
    do_draw_parts,
    do_hit,
    do_recycle,
    has_target,
    mask_recycling,
    mask_targets,
    short_circuit,
)
from .scoring import end_round
from .seats import clockwise
from .setup import begin_turn
from .spreads import (
    additions,
    can_name,
    can_place_below,
    can_place_onto,
    do_add,
    do_name,
    do_place_below,
    do_place_onto,
)

_TRIPLES = len(THREE_SUITS)


# --- The procedure ----------------------------------------------------------------------------------------------------


@kernel(inline=True)
def ask(g, decision, seat):
    g.decision = decision
    g.actor = seat


@kernel
def ask_about_addition(g, seat):
    """Where the card goes, and of a wild in a set what it stands for [P5, C4]."""
    ask(g, TO_PLACE if g.target == NOBODY else TO_NAME, seat)


@kernel
def proceed_playing(g):
    """[P1, K1, K2]: True at a decision."""
    seat = g.player + 0
    if g.adding != NO_CARD:
        ask_about_addition(g, seat)
    elif g.laying != NO_SPREAD:
        ask(g, TO_SUBSTITUTE, seat)
    elif is_empty(g, seat):
        g.stage = TURN_OVER  # K2
        return False
    else:
        ask(g, TO_PLAY, seat)
    return True


@kernel
def proceed_resolving(g, rules):
    """Powers one by one, cards laid for Extra Parts between them [W1-W8]: True at a decision.

    A power without a target does nothing [W7].
    """
    seat = g.player + 0
    if g.power == RECYCLE and g.heap_size > 1:
        ask(g, TO_RECYCLE, seat)
        return True
    if g.power == EXTRA_PARTS and can_draw(g, rules):
        ask(g, TO_DRAW_PARTS, seat)
        return True
    if g.power == LASER and has_target(g, seat):
        ask(g, TO_AIM, seat)
        return True
    if g.power == TRACTOR_BEAM:
        beam(g)
    elif g.power != NO_POWER and g.power != RECYCLE and g.power != EXTRA_PARTS and g.power != LASER:
        short_circuit(g)
    g.power = NO_POWER
    if g.lays > 0:
        ask(g, TO_LAY, seat)
        return True
    if is_empty(g, seat):
        g.stage = ROUND_OVER  # E1
    else:
        g.stage = CALLING  # W8
        g.order = 1
    return False


@kernel
def proceed_calling(g, rules):
    """Each other player in turn order is asked once, if it could call [K3]: True at a decision."""
    while g.order < g.num_players:
        seat = clockwise(g, g.player + 0, g.order + 0)
        if g.adding != NO_CARD:
            ask_about_addition(g, seat)
            return True
        if can_call(g, rules, seat):
            ask(g, TO_CALL, seat)
            return True
        g.order += 1
    g.stage = TURN_OVER
    return False


@kernel
def end_turn(g, rules):
    """The turn passes left [K1], over a player who is skipped [W6]; a round that has lasted too long ends [E5]."""
    g.turns += 1
    if g.turns >= rules.max_turns * g.num_players:
        g.stage = ROUND_OVER
    else:
        if g.skip != 0:
            g.skipped[clockwise(g, g.player + 0, 1)] = 1
        begin_turn(g, clockwise(g, g.player + 0, 1 + g.skip))


@kernel
def proceed(g, rules):
    """Carry on until somebody must decide, or the match is over."""
    while True:
        if g.stage == DRAWING:
            ask(g, TO_DRAW, g.player + 0)
            return
        elif g.stage == PLAYING:
            if proceed_playing(g):
                return
        elif g.stage == RESOLVING:
            if proceed_resolving(g, rules):
                return
        elif g.stage == CALLING:
            if proceed_calling(g, rules):
                return
        elif g.stage == TURN_OVER:
            end_turn(g, rules)
        elif g.stage == ROUND_OVER:
            end_round(g, rules)
        else:
            ask(g, OVER, NOBODY)
            return


# --- Actions ----------------------------------------------------------------------------------------------------------


@kernel
def can_play(g, rules, seat, action):
    """A new spread, an addition, a discard [P1, K1], or keeping the last card [K4]."""
    if DISCARD <= action < ADD:
        a, b = discards(g, rules, seat)
        return has(a, b, card_of_rank(action - DISCARD))
    if ADD <= action < LAY_RUN:
        a, b = additions(g, rules, seat)
        return has(a, b, card_of_rank(action - ADD))
    if LAY_RUN <= action < LAY_SET:
        suit = (action - LAY_RUN) // WINDOWS
        return can_lay_run(g, rules, seat, suit, action - LAY_RUN - WINDOWS * suit)
    if LAY_SET <= action < WILD_IN:
        place = (action - LAY_SET) // _TRIPLES
        return can_lay_set(g, rules, seat, place, action - LAY_SET - _TRIPLES * place)
    return action == PASS and can_keep(g, rules, seat)


@kernel
def can(g, rules, action):
    """Whether an action, any whole number, is legal now."""
    seat = g.actor + 0
    what = g.decision + 0
    if action < 0 or action >= NUM_ACTIONS or what == OVER:
        return False
    if what == TO_PLAY:
        return can_play(g, rules, seat, action)
    if what == TO_DRAW:
        if action == PASS:
            return can_decline_draw(g, rules)
        if action == DRAW:
            return can_draw(g, rules)
        return PICK <= action < DISCARD and can_take(g, rules, seat, place_in_heap(g, action))
    if what == TO_PLACE:
        if ONTO <= action < BELOW:
            return can_place_onto(g, rules, action - ONTO)
        return BELOW <= action < AS and can_place_below(g, rules, action - BELOW)
    if what == TO_NAME:
        return action >= AS and can_name(g, action - AS)
    if what == TO_SUBSTITUTE:
        if action == PASS:
            return can_lay_as_is(g)
        if WILD_IN <= action < STAR_IN:
            return can_use_wild(g, seat, action - WILD_IN)
        return STAR_IN <= action < ONTO and can_use_star(g, rules, seat, action - STAR_IN)
    if what == TO_CALL:
        return action == CALL or action == PASS
    if what == TO_RECYCLE:
        return action == PASS or (PICK <= action < DISCARD and can_recycle(g, place_in_heap(g, action)))
    if what == TO_DRAW_PARTS:
        return action == DRAW or action == PASS
    if what == TO_LAY:
        return DISCARD <= action < ADD and holds_kind(g, seat, card_of_rank(action - DISCARD))
    return action == PASS or (PICK <= action < DISCARD and can_hit(g, seat, action))


@kernel
def do_pass(g, rules, seat):
    """Declining, or laying a spread as it is."""
    if g.decision == TO_CALL:
        do_decline_call(g)
    elif g.decision == TO_SUBSTITUTE:
        do_lay(g, rules, seat)
    elif g.decision == TO_PLAY:
        do_keep(g)
    elif g.decision == TO_DRAW:
        do_decline_draw(g)
    else:
        do_decline(g)


@kernel
def do_lay_down(g, rules, seat, card):
    """The discard [K1], or one of the cards laid for Extra Parts [W2]."""
    if g.decision == TO_LAY:
        g.lays -= 1
    do_discard(g, rules, seat, card)


@kernel
def do_pick(g, rules, seat, action):
    """A card of the heap [D1, W1], or the laser's target [W4]."""
    if g.decision == TO_DRAW:
        do_take(g, seat, action)
    elif g.decision == TO_RECYCLE:
        do_recycle(g, seat, action)
    else:
        do_hit(g, rules, action)


@kernel
def do(g, rules, action):
    """Make a legal action. ``proceed`` carries on from there."""
    seat = g.actor + 0
    if action == PASS:
        do_pass(g, rules, seat)
    elif action == CALL:
        do_call(g)
    elif action == DRAW:
        if g.decision == TO_DRAW:
            do_draw(g, rules, seat)
        else:
            do_draw_parts(g, rules, seat)
    elif action < DISCARD:
        do_pick(g, rules, seat, action)
    elif action < ADD:
        do_lay_down(g, rules, seat, card_of_rank(action - DISCARD))
    elif action < LAY_RUN:
        do_add(g, card_of_rank(action - ADD))
    elif action < LAY_SET:
        suit = (action - LAY_RUN) // WINDOWS
        do_lay_run(g, rules, seat, suit, action - LAY_RUN - WINDOWS * suit)
    elif action < WILD_IN:
        place = (action - LAY_SET) // _TRIPLES
        do_lay_set(g, rules, seat, place, action - LAY_SET - _TRIPLES * place)
    elif action < STAR_IN:
        do_use_wild(g, action - WILD_IN)
    elif action < ONTO:
        do_use_star(g, action - STAR_IN)
    elif action < BELOW:
        do_place_onto(g, rules, seat, action - ONTO)
    elif action < AS:
        do_place_below(g, rules, seat, action - BELOW)
    else:
        do_name(g, rules, seat, action - AS)


# --- Masks ------------------------------------------------------------------------------------------------------------


@kernel
def mask_plays(g, rules, seat, mask):
    """The sets of choices in which ``can_play`` looks, marked. Returns how many."""
    a, b = discards(g, rules, seat)
    n = mark_cards(mask, DISCARD, a, b, 1)
    a, b = additions(g, rules, seat)
    if a | b != 0:
        n += mark_cards(mask, ADD, a, b, 1)
    a, b = new_runs(g, rules, seat)
    while a != 0:
        at = lowest(a)
        mask[LAY_RUN + (at >> 4) * WINDOWS + (at & 15)] = 1
        a &= a - 1
        n += 1
    n += mark(mask, LAY_RUN + 4 * WINDOWS, b, 1)
    places = new_sets(g, rules, seat)
    while places != 0:
        place = lowest(places)
        n += mark(mask, LAY_SET + _TRIPLES * place, new_triples(g, rules, seat, place), 1)
        places &= places - 1
    if n == 0 and can_keep(g, rules, seat):
        mask[PASS] = 1
        n = 1
    return n


@kernel
def mask_places(g, rules, mask):
    n = 0
    for slot in range(g.slots):
        if can_place_onto(g, rules, slot):
            mask[ONTO + slot] = 1
            n += 1
        if can_place_below(g, rules, slot):
            mask[BELOW + slot] = 1
            n += 1
    return n


@kernel
def mask_substitutes(g, rules, seat, mask):
    n = 0
    if can_lay_as_is(g):
        mask[PASS] = 1
        n += 1
    for cell in range(SPREAD):
        if can_use_wild(g, seat, cell):
            mask[WILD_IN + cell] = 1
            n += 1
        if can_use_star(g, rules, seat, cell):
            mask[STAR_IN + cell] = 1
            n += 1
    return n


@kernel
def mask_names(g, mask):
    n = 0
    for suit in range(NUM_SUITS):
        if can_name(g, suit):
            mask[AS + suit] = 1
            n += 1
    return n


@kernel
def mask_draws(g, rules, seat, mask):
    n = 1
    mask[DRAW if can_draw(g, rules) else PASS] = 1  # E5
    return n + mask_takes(g, rules, seat, mask)


@kernel
def write_mask(g, rules, mask):
    """The legal actions of the decision at hand into ``mask`` (int8, 493); all zero when the game is over.

    Returns how many there are.
    """
    mask[:] = 0
    what = g.decision + 0
    seat = g.actor + 0
    if what == TO_PLAY:
        return mask_plays(g, rules, seat, mask)
    if what == TO_DRAW:
        return mask_draws(g, rules, seat, mask)
    if what == TO_PLACE:
        return mask_places(g, rules, mask)
    if what == TO_NAME:
        return mask_names(g, mask)
    if what == TO_SUBSTITUTE:
        return mask_substitutes(g, rules, seat, mask)
    if what == TO_LAY:
        return mark_cards(mask, DISCARD, g.hand[seat, 0], kinds(g.hand[seat, 1]), 1)
    if what == OVER:
        return 0
    mask[PASS] = 1
    if what == TO_CALL:
        mask[CALL] = 1
        return 2
    if what == TO_DRAW_PARTS:
        mask[DRAW] = 1
        return 2
    if what == TO_RECYCLE:
        return 1 + mask_recycling(g, mask)
    return 1 + mask_targets(g, seat, mask)


@kernel
def only_legal(g, mask):
    """The one legal action; the search begins where it can be."""
    if mask[PASS] != 0:
        return PASS
    first = ONTO if g.decision == TO_PLACE or g.decision == TO_NAME else DRAW
    for action in range(first, NUM_ACTIONS):
        if mask[action] != 0:
            return action
    return -1


@kernel
def advance(g, rules, mask):
    """Go to the next decision and write its mask; decisions with one legal answer are made, unless asked for."""
    while True:
        proceed(g, rules)
        n = write_mask(g, rules, mask)
        if n != 1 or g.ask_forced == 1:
            return
        do(g, rules, only_legal(g, mask))


@kernel
def make(g, rules, action):
    """Make a legal action; ``advance`` carries on from there."""
    g.decisions += 1
    do(g, rules, action)
