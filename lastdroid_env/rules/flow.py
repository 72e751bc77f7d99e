"""The course of a game: who decides next, what is legal, what an action does [T1, T2, E1-E3, N5].

``deal`` begins a game, ``can`` says whether an action is legal and ``make`` makes it; after ``deal`` and ``make``,
``advance`` goes on to the next decision (``decision``, ``actor``) or to the end. ``write_mask`` lists what is legal.
"""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel

from ..actions import (
    ALTERNATIVE,
    BESIDE,
    BUILD,
    DISMANTLE,
    EXCHANGE,
    EXTEND,
    GAIN_ANY,
    GAIN_DIFFERENT,
    GAIN_SAME,
    GIVE,
    MARKET,
    NUM_ACTIONS,
    PASS,
    PAY_ANY,
    PAY_DIFFERENT,
    PAY_SAME,
    REPAIR,
    TOKEN,
    WISH,
    WISH_NONE,
)
from ..constants import (
    ACTING,
    AUTO,
    BASIC_EXCHANGES,
    BUILDING,
    CHOOSING,
    DIFFERENT_FIRST,
    DIFFERENT_SECOND,
    DISCARDING,
    DISMANTLING,
    EXCHANGE_DROIDS,
    EXCHANGING,
    EXTENSION,
    FINAL_EXCHANGE,
    FINAL_EXTENSION,
    FINISHED,
    GAIN_PAIR,
    IDLE,
    MARKET_ALTERNATIVES,
    NOBODY,
    NUM_HOUSES,
    OVER,
    PAY_PAIR,
    REPAIRING,
    SEASON_EXCHANGE,
    SEASON_EXTENSION,
    TIE,
)
from ..constants import ACTION as ACT
from ..constants import ALTERNATIVE as CHOOSE_ALTERNATIVE
from ..constants import BESIDE as NAME_OPPONENT
from ..constants import EXCHANGE as TRADE
from ..constants import GAIN_ANY as NAME_GAIN
from ..constants import GIVE as CHOOSE
from ..constants import PAY_ANY as NAME_PAYMENT
from ..constants import TOKEN as LAY_TOKENS
from ..constants import WISH as SPEAK
from .action import (
    can_build,
    can_repair,
    complete,
    discard,
    do_build,
    do_dismantle,
    do_gain_any,
    do_gain_pair,
    do_lay_beside,
    do_repair,
    finish,
    opponent_due,
)
from .choose import can_give, can_wish, choices, chooser, do_give, do_wish, reveal, wisher, wishers
from .effects import (
    can_choose_alternative,
    can_take_tokens,
    do_choose_alternative,
    do_extend,
    do_lay_tokens,
    give_bonuses,
    give_gift,
    tokens_due,
)
from .exchange import begin_exchanges, can_exchange, can_exchange_basic, can_exchange_market, do_exchange
from .season import (
    award_season_energy,
    decks_empty,
    game_ends,
    interseason_card_shows,
    pass_priority,
)
from .seats import has_card_to_play, is_solo, owns, seat_in_order, seats
from .setup import set_up
from .sheds import (
    can_gain,
    can_gain_different,
    can_gain_pair_alone,
    can_gain_same,
    can_pay_any,
    can_pay_different,
    can_pay_same,
    do_pay_any,
    do_pay_pair,
    kinds_with_room,
)
from .solo import auto_acts, you_act_first, your_slot_by_interest

_EXCHANGE_DROIDS = np.array(EXCHANGE_DROIDS)


# --- The procedure -----------------------------------------------------------------------------------------------


@kernel(inline=True)
def ask(g, decision, seat):
    g.decision = decision
    g.actor = seat


@kernel
def begin_turn(g, rules):
    """[T1, D1]"""
    g.stage = CHOOSING
    g.order = 0
    reveal(g, rules)


@kernel
def enter(g, stage):
    """A stage in which the seats are served in order [T2]; limited exchanges start afresh [X6]."""
    g.stage = stage
    g.order = 0
    g.extensions_due = 1 if stage == SEASON_EXTENSION or stage == FINAL_EXTENSION else 0
    begin_exchanges(g)


@kernel
def players_in_turn(g):
    """Seats that decide in an exchange or extension stage: solo, only yours [O1, O9]."""
    return g.num_players + 0


@kernel
def player_in_order(g, order):
    return 0 if is_solo(g) else seat_in_order(g, order)


@kernel
def end_turn(g, rules):
    """The season's end first, then the game's end, else the next turn [E1-E3, N5]."""
    if interseason_card_shows(g, rules):
        enter(g, SEASON_EXCHANGE)
    else:
        end_game_or_go_on(g, rules)


@kernel
def end_game_or_go_on(g, rules):
    """[E2, E3]"""
    if game_ends(g):
        enter(g, FINAL_EXCHANGE)
        return
    g.turn += 1
    pass_priority(g)
    begin_turn(g, rules)


@kernel
def next_stage(g, rules):
    """All seats have been served [T1, N1, N2, N4, N5, G1]."""
    if g.stage == EXCHANGING:
        enter(g, ACTING)
    elif g.stage == SEASON_EXCHANGE:
        enter(g, SEASON_EXTENSION)
    elif g.stage == SEASON_EXTENSION:
        award_season_energy(g)
        g.season += 1
        end_game_or_go_on(g, rules)
    elif g.stage == FINAL_EXCHANGE and g.extension_after_season_3 == 1 and decks_empty(g):
        enter(g, FINAL_EXTENSION)
    else:
        enter(g, FINISHED)


@kernel
def proceed_choosing(g, rules):
    """[D1-D5, O4, O5]: True at a decision."""
    speakers = wishers(g)
    if g.order < speakers:
        ask(g, SPEAK, wisher(g, g.order))
        return True
    choice = g.order - speakers
    if choice == choices(g):
        enter(g, EXCHANGING)
        return False
    if is_solo(g) and g.priority == AUTO:
        slot = your_slot_by_interest(g, rules)
        if slot >= 0:
            do_give(g, slot)
            return False
        ask(g, TIE, 0)
        return True
    ask(g, CHOOSE, chooser(g, choice))
    return True


@kernel
def acting_seat(g, rules):
    """[T2, O8]"""
    if is_solo(g) and you_act_first(g, rules):
        return g.order + 0
    return seat_in_order(g, g.order)


@kernel
def proceed_acting(g, rules):
    """One step of the actions [T2, A1-A3]: True at a decision."""
    if g.order == seats(g):
        end_turn(g, rules)
        return False
    seat = acting_seat(g, rules)
    if is_solo(g) and seat == AUTO:
        auto_acts(g, rules)
        g.order += 1
        return False
    if g.task == IDLE:
        ask(g, ACT, seat)
        return True
    return proceed_task(g, rules, seat)


@kernel
def proceed_task(g, rules, seat):
    """One step of an action under way: payment, effect or gains, discard [A1-A6, F4-F9]: True at a decision."""
    if opponent_due(g, rules, seat):
        if g.task == BUILDING or not gains_due(g):
            ask(g, NAME_OPPONENT, seat)
            return True
    if g.owed_pairs[0] != 0:
        ask(g, PAY_PAIR, seat)
        return True
    if g.owed_any > 0:
        ask(g, NAME_PAYMENT, seat)
        return True
    if g.task == REPAIRING or g.task == BUILDING:
        complete(g, rules, seat)
        return False
    if g.choice_due == 1:
        ask(g, CHOOSE_ALTERNATIVE, seat)
        return True
    if g.extensions_due > 0:
        ask(g, EXTENSION, seat)
        return True
    if g.gift >= 0:
        give_gift(g, rules, seat, g.target)
        return False
    if gains_due(g):
        if kinds_with_room(g, rules, seat) == 0:
            lose_gains(g)
            return False
        ask(g, GAIN_PAIR if g.due_pairs[0] != 0 else NAME_GAIN, seat)
        return True
    if g.task == DISMANTLING:
        give_bonuses(g, rules, seat)
        g.task = DISCARDING
        return False
    if g.task == DISCARDING and has_card_to_play(g, seat):
        discard(g, rules, seat)
        return False
    if tokens_due(g, seat):
        ask(g, LAY_TOKENS, seat)
        return True
    finish(g)
    return False


@kernel
def gains_due(g):
    return g.due_pairs[0] != 0 or g.due_any > 0


@kernel
def lose_gains(g):
    """No room for any base part: pairs and "?" are lost [A5]."""
    g.due_pairs[:] = 0
    g.due_any = 0


@kernel
def proceed(g, rules):
    """Carry on until somebody must decide, or the game is over."""
    while True:
        if g.stage == CHOOSING:
            if proceed_choosing(g, rules):
                return
        elif g.stage == ACTING:
            if proceed_acting(g, rules):
                return
        elif g.stage == FINISHED:
            ask(g, OVER, NOBODY)
            return
        elif g.order == players_in_turn(g):
            next_stage(g, rules)
        else:
            extending = g.stage == SEASON_EXTENSION or g.stage == FINAL_EXTENSION
            ask(g, EXTENSION if extending else TRADE, player_in_order(g, g.order))
            return


# --- Actions -----------------------------------------------------------------------------------------------------


@kernel
def can(g, rules, action):
    """Whether an action, any whole number, is legal now."""
    seat = g.actor + 0
    what = g.decision + 0
    if action < 0 or action >= NUM_ACTIONS or what == OVER:
        return False
    if what == TRADE:
        if action == PASS:
            return True
        return EXCHANGE <= action < REPAIR and can_exchange(g, rules, seat, action - EXCHANGE)
    if what == ACT:
        if action == REPAIR:
            return can_repair(g, rules, seat)
        if action == DISMANTLE:
            return True
        return BUILD <= action < PAY_ANY and can_build(g, rules, seat, action - BUILD)
    if what == CHOOSE or what == TIE:
        return GIVE <= action < WISH and can_give(g, action - GIVE)
    if what == SPEAK:
        return action == WISH_NONE or (WISH <= action < WISH_NONE and can_wish(g, action - WISH))
    if what == NAME_PAYMENT:
        return PAY_ANY <= action < PAY_SAME and can_pay_any(g, seat, action - PAY_ANY)
    if what == PAY_PAIR:
        if PAY_SAME <= action < PAY_DIFFERENT:
            return can_pay_same(g, seat, action - PAY_SAME)
        return PAY_DIFFERENT <= action < GAIN_ANY and can_pay_different(g, seat, action - PAY_DIFFERENT)
    if what == NAME_GAIN:
        return GAIN_ANY <= action < GAIN_SAME and can_gain(g, rules, seat, action - GAIN_ANY)
    if what == GAIN_PAIR:
        if GAIN_ANY <= action < GAIN_SAME:
            return can_gain_pair_alone(g, rules, seat, action - GAIN_ANY)
        if GAIN_SAME <= action < GAIN_DIFFERENT:
            return can_gain_same(g, rules, seat, action - GAIN_SAME)
        return GAIN_DIFFERENT <= action < ALTERNATIVE and can_gain_different(g, rules, seat, action - GAIN_DIFFERENT)
    if what == CHOOSE_ALTERNATIVE:
        return ALTERNATIVE <= action < EXTEND and can_choose_alternative(g, rules, action - ALTERNATIVE)
    if what == EXTENSION:
        return EXTEND <= action < BESIDE
    if what == NAME_OPPONENT:
        return BESIDE <= action < TOKEN
    return action >= TOKEN and can_take_tokens(g, seat, action - TOKEN)


@kernel
def do_pass(g):
    """The seat's exchanges are over; the next seat's start afresh [X1, X6]."""
    g.order += 1
    if g.order < players_in_turn(g):
        begin_exchanges(g)


@kernel
def do_place_extension(g, seat, column):
    """One extension of an effect, or the one of a season's end [N2, F4-F6]."""
    do_extend(g, seat, column)
    if g.stage != ACTING:
        g.order += 1
        g.extensions_due = 1 if g.order < players_in_turn(g) else 0


@kernel
def do(g, rules, action):
    """Make a legal action. ``proceed`` carries on from there."""
    seat = g.actor + 0
    if action == PASS:
        do_pass(g)
    elif action < WISH:
        do_give(g, action - GIVE)
    elif action < EXCHANGE:
        do_wish(g, action - WISH if action < WISH_NONE else NOBODY)
    elif action < REPAIR:
        do_exchange(g, rules, seat, action - EXCHANGE)
    elif action == REPAIR:
        do_repair(g, rules, seat)
    elif action == DISMANTLE:
        do_dismantle(g, rules, seat)
    elif action < PAY_ANY:
        do_build(g, rules, seat, action - BUILD)
    elif action < PAY_SAME:
        do_pay_any(g, seat, action - PAY_ANY)
    elif action < PAY_DIFFERENT:
        do_pay_pair(g, seat, action - PAY_SAME, action - PAY_SAME)
    elif action < GAIN_ANY:
        choice = action - PAY_DIFFERENT
        do_pay_pair(g, seat, DIFFERENT_FIRST[choice], DIFFERENT_SECOND[choice])
    elif action < GAIN_SAME:
        if g.decision == GAIN_PAIR:
            do_gain_pair(g, rules, seat, action - GAIN_ANY, NOBODY)
        else:
            do_gain_any(g, rules, seat, action - GAIN_ANY)
    elif action < GAIN_DIFFERENT:
        do_gain_pair(g, rules, seat, action - GAIN_SAME, action - GAIN_SAME)
    elif action < ALTERNATIVE:
        choice = action - GAIN_DIFFERENT
        do_gain_pair(g, rules, seat, DIFFERENT_FIRST[choice], DIFFERENT_SECOND[choice])
    elif action < EXTEND:
        do_choose_alternative(g, rules, seat, action - ALTERNATIVE)
    elif action < BESIDE:
        do_place_extension(g, seat, action - EXTEND)
    elif action < TOKEN:
        do_lay_beside(g, rules, seat, action - BESIDE)
    else:
        do_lay_tokens(g, seat, action - TOKEN)


@kernel
def mask_exchanges(g, rules, seat, mask):
    mask[PASS] = 1
    n = 1
    basic = mask[EXCHANGE:MARKET]
    for exchange in range(BASIC_EXCHANGES):
        if can_exchange_basic(g, seat, exchange):
            basic[exchange] = 1
            n += 1
    for i in range(len(EXCHANGE_DROIDS)):
        if owns(g, seat, _EXCHANGE_DROIDS[i]):
            first = BASIC_EXCHANGES + i * MARKET_ALTERNATIVES
            for exchange in range(first, first + MARKET_ALTERNATIVES):
                if can_exchange_market(g, rules, seat, exchange):
                    mask[EXCHANGE + exchange] = 1
                    n += 1
    return n


@kernel
def mask_actions(g, rules, seat, mask):
    n = 1
    mask[DISMANTLE] = 1
    if can_repair(g, rules, seat):
        mask[REPAIR] = 1
        n += 1
    row = mask[BUILD:PAY_ANY]
    for house in range(NUM_HOUSES):
        if can_build(g, rules, seat, house):
            row[house] = 1
            n += 1
    return n


@kernel
def mask_range(g, rules, mask, first, last):
    n = 0
    for action in range(first, last):
        if can(g, rules, action):
            mask[action] = 1
            n += 1
    return n


@kernel
def write_mask(g, rules, mask):
    """The legal actions of the decision at hand into ``mask`` (int8, 151); all zero when the game is over.

    Returns how many there are. Only the ranges that fit the decision are looked at.
    """
    mask[:] = 0
    what = g.decision + 0
    if what == TRADE:
        return mask_exchanges(g, rules, g.actor + 0, mask)
    if what == ACT:
        return mask_actions(g, rules, g.actor + 0, mask)
    first, last = 0, 0
    if what == CHOOSE or what == TIE:
        first, last = GIVE, WISH
    elif what == SPEAK:
        first, last = WISH, EXCHANGE
    elif what == NAME_PAYMENT or what == PAY_PAIR:
        first, last = PAY_ANY, GAIN_ANY
    elif what == NAME_GAIN or what == GAIN_PAIR:
        first, last = GAIN_ANY, ALTERNATIVE
    elif what == CHOOSE_ALTERNATIVE:
        first, last = ALTERNATIVE, EXTEND
    elif what == EXTENSION:
        first, last = EXTEND, BESIDE
    elif what == NAME_OPPONENT:
        first, last = BESIDE, TOKEN
    elif what == LAY_TOKENS:
        first, last = TOKEN, NUM_ACTIONS
    return mask_range(g, rules, mask, first, last)


@kernel
def only_legal(mask):
    for action in range(NUM_ACTIONS):
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
        do(g, rules, only_legal(mask))


@kernel
def deal(g, rules):
    """Set up a game from the record's settings and generator, up to its first turn."""
    set_up(g, rules)
    begin_turn(g, rules)


@kernel
def make(g, rules, action):
    """Make a legal action; ``advance`` carries on from there."""
    g.decisions += 1
    do(g, rules, action)
