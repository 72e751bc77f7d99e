"""The turn under way, held against the procedure [D1-D5, P1, K1-K4, W1-W10, E1, E5]: part of ``validity``."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from tabletop.game import ILLEGAL, RESUME
from tabletop.snapshots import refuse

from .actions import ADD, CALL, LAY_RUN, LAY_SET, ONTO, STAR_IN, WILD_IN
from .bits import TRIPLE_SUITS
from .constants import (
    CALLING,
    CARD_NAMES,
    DRAWING,
    EXTRA_CARDS,
    EXTRA_PARTS,
    FINISHED,
    LANE,
    NO_CARD,
    NO_POWER,
    NO_SPREAD,
    NOBODY,
    PLAYING,
    POWERS,
    RESOLVING,
    RUN,
    SHORT_CIRCUIT,
    SPREAD,
    STAGES,
    TO_CALL,
    TO_PLAY,
    WINDOWS,
)
from .position import Position, named

_MAY_SAY = {
    DRAWING: (),
    PLAYING: ("must_play", "taken"),
    RESOLVING: ("discarded", "power", "lays", "skip", "acted"),
    CALLING: ("discarded", "skip", "acted", "order"),
    FINISHED: ("taken", "discarded", "skip", "acted", "order"),
}


def check_turn(p: Position) -> None:
    g = p.g
    only(p, STAGES[g.stage], *_MAY_SAY[g.stage])
    seat = g.player
    if not g.discarded:
        only(p, "before a discard", "must_play", "taken", "order")
        if g.barred[seat]:
            refuse(f"players[{seat}].barred", "True", f"False: the turn of {p.names[seat]} has begun (W2)")
    if g.stage in (RESOLVING, CALLING) and not g.discarded:
        refuse("turn.discarded", "False", f"True in the stage {STAGES[g.stage]} (K1)")
    if g.stage == PLAYING:
        check_draw(p)
    elif g.stage == RESOLVING:
        check_resolving(p)
    elif g.stage == CALLING:
        check_calling(p)
    elif g.stage == FINISHED:
        check_end(p)
    if g.discarded:
        check_acted(p)


def only(p: Position, when: str, *fields: str) -> None:
    """None of the turn's fields but these may say anything."""
    g = p.g
    empty = {
        "must_play": g.must_play == NO_CARD,
        "taken": g.taken == NO_CARD,
        "discarded": not g.discarded,
        "power": g.power == NO_POWER,
        "lays": not g.lays,
        "skip": not g.skip,
        "acted": not p.acted,
        "order": not g.order,
    }
    for field, is_empty in empty.items():
        if not is_empty and field not in fields:
            allowed = f": only {', '.join(fields)} may say something now" if fields else ""
            refuse(f"turn.{field}", f"something ({when})", f"nothing there{allowed}")


def check_draw(p: Position) -> None:
    """What came off the heap lies in hand, known to all; a single card may have been played [D1, D3, D5, W11]."""
    g = p.g
    seat, known = g.player, p.known[g.player]
    if g.must_play != NO_CARD:
        if g.taken != NO_CARD:
            refuse("turn.taken", CARD_NAMES[g.taken], "None: more than one card was taken (D3, D5)")
        if g.must_play not in known or len(known) < 2:
            allowed = f"one of two or more known cards of {p.names[seat]}: {named(known)} (D3)"
            refuse("turn.must_play", CARD_NAMES[g.must_play], allowed)
    check_taken(p)


def check_taken(p: Position) -> None:
    g = p.g
    if g.taken != NO_CARD and g.taken not in p.known[g.player] + p.played[g.player]:
        allowed = f"a card that {p.names[g.player]} is known to hold, or has played (D5)"
        refuse("turn.taken", CARD_NAMES[g.taken], allowed)


def check_resolving(p: Position) -> None:
    g = p.g
    need_heap(p)
    top = p.heap[-1]
    if g.power != NO_POWER and (g.power != p.power(top) or top not in p.acted):
        allowed = (
            f"the power of the card on top of the heap, which has {POWERS[p.power(top)]}, and is one of turn.acted"
        )
        refuse("turn.power", POWERS[g.power], allowed)
    least = g.lays + (0 if p.rules.power_on_last_discard else 1)
    hand = p.hands[g.player]
    if len(hand) < least:
        allowed = f"{least} or more: {g.lays} are to be laid, and what ends the round has no power (W2, W9)"
        refuse(f"players[{g.player}].hand", f"{len(hand)} cards", allowed)
    top_has_acted(p)


def need_heap(p: Position) -> None:
    if not p.heap:
        refuse("heap", "no card", "the card discarded this turn (K1)")


def top_has_acted(p: Position) -> None:
    top = p.heap[-1]
    if p.power(top) and top not in p.acted:
        refuse("turn.acted", named(p.acted), f"the {CARD_NAMES[top]} too, which was discarded this turn (W10)")


def check_calling(p: Position) -> None:
    g = p.g
    need_heap(p)
    top_has_acted(p)
    if not 1 <= g.order < p.players:
        refuse("turn.order", f"{g.order}", f"1 to {p.players - 1} while others may call (K3)")
    if not p.hands[g.player]:
        refuse(f"players[{g.player}].hand", "no cards", "some: the last one would have ended the round (E1)")


def check_acted(p: Position) -> None:
    """Powers that have acted, and what they leave behind [W2, W6, W10]."""
    g = p.g
    seat = g.player
    called = g.stage == FINISHED and g.order == p.players
    for other in p.seats:
        where = p.hands[other] if other != seat else []
        astray = [card for card in p.acted if card in where or (card in p.played[other] and not called)]
        if astray:
            allowed = f"cards that {p.names[seat]} has discarded this turn (W10)"
            refuse("turn.acted", f"{named(astray)}, which {p.names[other]} has", allowed)
    following = (seat + 1) % p.players
    acted = any(p.power(card) == SHORT_CIRCUIT for card in p.acted)
    skipping = acted and not g.skipped[following]
    if skipping != bool(g.skip):
        again = (
            f" and {p.names[following]} {'has' if g.skipped[following] else 'had not'} been skipped" if acted else ""
        )
        allowed = f"{skipping}: {'a' if acted else 'no'} Short Circuit has acted this turn{again} (W6)"
        refuse("turn.skip", f"{bool(g.skip)}", allowed)
    parts = sum(p.power(card) == EXTRA_PARTS for card in p.acted) - (g.power == EXTRA_PARTS)
    if g.lays > EXTRA_CARDS * parts:
        refuse("turn.lays", f"{g.lays}", f"at most {EXTRA_CARDS * parts}, for Extra Parts in turn.acted (W2)")
    most = 1 + EXTRA_CARDS * parts - g.lays
    if len(p.acted) > most:
        refuse("turn.acted", f"{len(p.acted)} cards", f"at most {most}, as many as were discarded this turn (W2)")
    if (g.lays or len(p.acted) > 1) and not g.barred[seat]:
        refuse(f"players[{seat}].barred", "False", "True: cards were drawn for Extra Parts, and laid (W2)")
    if g.barred[seat] and not parts:
        refuse(f"players[{seat}].barred", "True", "False: no Extra Parts have acted this turn (W2)")


def check_end(p: Position) -> None:
    """Why the last round has ended [E1, E5]."""
    g = p.g
    seat = g.player
    hand = p.hands[seat]
    if g.turns == p.max_turns():
        if g.order != (p.players if g.discarded else 0):
            allowed = f"{p.players} after a discard that all may have called for, else 0 (K3)"
            refuse("turn.order", f"{g.order}", allowed)
        check_taken(p)
        if g.discarded:
            only(p, "after a discard", "discarded", "skip", "acted", "order")
            good, allowed = bool(hand), "some: a discard that left none would have ended the round a turn earlier (E1)"
        else:
            kept = len(hand) == 1 and not g.owned[seat] and p.fits(hand[0])
            good = kept or (not hand and g.owned[seat] > 0)
            allowed = "none, all played, or one that had to be kept (K2, K4)"
        if not good:
            refuse(f"players[{seat}].hand", f"{len(hand)} cards", allowed)
        return
    only(p, "the round has ended early", "discarded", "skip", "acted")
    if not g.discarded:
        if p.can_draw():
            refuse("stage", STAGES[FINISHED], "another one: the round has not ended (E1, E5)")
        return
    if hand:
        refuse("stage", STAGES[FINISHED], f"another one while {p.names[seat]} has cards: the round goes on (E1, E5)")
    need_heap(p)
    if not p.rules.power_on_last_discard:
        only(p, "the last discard has no power", "discarded")
    else:
        top_has_acted(p)
    if not p.acted and p.fits(p.heap[-1]):
        allowed = "a card on top that fits no spread: else it could not be the last discard (K4)"
        refuse("heap", CARD_NAMES[p.heap[-1]], allowed)


# ---- the play under way [P1, P5, C3, C4, K3] ------------------------------------------------------------------------


def check_play(p: Position) -> None:
    """The kernel begins it anew, on a copy, and comes to the same."""
    g = p.g
    if g.adding != NO_CARD:
        if g.stage not in (PLAYING, CALLING):
            refuse("adding", CARD_NAMES[g.adding], f"None in the stage {STAGES[g.stage]}")
        if g.laying != NO_SPREAD:
            refuse("adding", CARD_NAMES[g.adding], "None while a spread is being laid")
        check_adding(p)
    elif g.laying != NO_SPREAD:
        if g.stage != PLAYING:
            refuse("laying", "a spread", f"None in the stage {STAGES[g.stage]}")
        check_laying(p)


class _Copy:
    """A copy that stands where the play under way began, with every decision asked."""

    def __init__(self, p: Position, decision: int, seat: int) -> None:
        self.game = p.game
        self.record = p.record.copy()
        self.buffers = p.game.buffers()
        nothing: dict[str, int] = {
            "adding": NO_CARD,
            "target": NOBODY,
            "laying": NO_SPREAD,
            "laying_suit": NOBODY,
            "laying_number": 0,
            "laying_cells": 0,
            "laying_wilds": 0,
            "laying_stars": 0,
            "laying_from": 0,
        }
        self.fields = tuple(nothing)
        for field, value in {**nothing, "ask_forced": 1}.items():
            self.record[field] = value
        self.stands = self.act(RESUME) == seat and self.record["decision"][0] == decision

    def act(self, action: int) -> int:
        return int(self.game.play(self.record, 0, self.game.tables, action, *self.buffers))

    def agrees(self, record: NDArray[Any]) -> bool:
        return all(self.record[field][0] == record[field][0] for field in self.fields)


def check_adding(p: Position) -> None:
    g = p.g
    calling = g.stage == CALLING
    seat = (g.player + g.order) % p.players
    copy = _Copy(p, TO_CALL if calling else TO_PLAY, seat)
    card = g.adding - 2 * (g.adding // LANE)
    if not copy.stands or copy.act(CALL if calling else ADD + card) == ILLEGAL or copy.record["adding"][0] != g.adding:
        allowed = f"a card that {p.names[seat]} can add now" + (": the top of the heap (K3)" if calling else " (P5)")
        refuse("adding.card", CARD_NAMES[g.adding], allowed)
    if g.target != NOBODY and (copy.act(ONTO + g.target) == ILLEGAL or not copy.agrees(p.record)):
        refuse("adding.set", f"{g.target + 1}", "a set on the table that takes the wild being added (C4)")


def check_laying(p: Position) -> None:
    g = p.g
    if bin(g.laying_cells).count("1") != SPREAD:
        refuse("laying.cards", f"{bin(g.laying_cells).count('1')} cards", f"{SPREAD}; more are added later (P2)")
    lowest = (g.laying_cells & -g.laying_cells).bit_length() - 1
    if g.laying == RUN:
        action = LAY_RUN + WINDOWS * g.laying_suit + lowest
    else:
        triples: list[int] = TRIPLE_SUITS.tolist()
        action = LAY_SET + len(triples) * (g.laying_number - 1) + triples.index(g.laying_cells)
    copy = _Copy(p, TO_PLAY, g.player)
    if not copy.stands or copy.act(action) == ILLEGAL:
        refuse("laying", "a spread", f"one that {p.names[g.player]} can lay now (P1, P2, D3)")
    cells = [1 << cell for cell in range(g.laying_cells.bit_length()) if g.laying_cells >> cell & 1]
    for n, cell in enumerate(cells[: g.laying_from]):
        for field, first in (("laying_wilds", WILD_IN), ("laying_stars", STAR_IN)):
            if p.record[field][0] & cell and not copy.record[field][0] & cell:
                copy.act(first + n)
    if not copy.agrees(p.record):
        allowed = (
            "cards at hand: each cell's own, else the star, else a wild, and before laying.next what was exchanged"
        )
        refuse("laying", "other cards than can have been chosen", f"{allowed}, the last just before it (C3, C4)")
