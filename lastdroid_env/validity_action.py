"""The action under way, held against the printed card [A1-A6, F4-F9]: part of ``validity``."""

from __future__ import annotations

from tabletop.game import RESUME
from tabletop.snapshots import refuse

from .actions import BUILD
from .constants import (
    APPLYING,
    BASE_KINDS,
    BONUS_ANY,
    BONUS_DROIDS,
    BUILDING,
    DIFFERENT,
    DISCARDING,
    DISMANTLING,
    FIRST_HOUSE,
    HOUSE,
    IDLE,
    KINDS,
    NOBODY,
    ON_TABLE,
    PARTS,
    REPAIRING,
    SAME,
    TASKS,
    TOKENS,
)
from .icons import Icons
from .position import Position, without


def check_action(p: Position) -> None:
    g = p.g
    if g.task == IDLE:
        return
    seat = p.actor()
    own = p.revealed(g.turn)[g.given_to.index(seat)]
    if g.task == BUILDING or (g.task == APPLYING and p.types[g.target] == HOUSE):
        index = g.target - FIRST_HOUSE
        builder = seat if g.task == APPLYING else NOBODY
        if index not in p.houses_beside(seat) or g.builder[index] != builder:
            state = "built by it" if g.task == APPLYING else "not built yet"
            refuse("action.target", f"card {g.target}", f"a house beside {p.names[seat]}, {state} (A3)")
    elif g.target != own:
        refuse("action.target", f"card {g.target}", f"{own}, the card of {p.names[seat]}")
    {
        REPAIRING: check_payment,
        BUILDING: check_payment,
        DISMANTLING: check_dismantling,
        DISCARDING: check_discarding,
        APPLYING: check_applying,
    }[g.task](p, seat, own)


def only(p: Position, *fields: str) -> None:
    """None of the action's fields but these may say anything."""
    g = p.g
    empty = {
        "owed_pairs": not any(g.owed_pairs),
        "owed_any": g.owed_any == 0,
        "choose_alternative": g.choice_due == 0,
        "extensions_due": g.extensions_due == 0,
        "gift": g.gift == NOBODY,
        "due_pairs": not any(g.due_pairs),
        "due_any": g.due_any == 0,
        "named": g.named == 0,
    }
    for field, is_empty in empty.items():
        if not is_empty and field not in fields:
            allowed = "nothing there"
            if fields:
                allowed += f": only {', '.join(fields)} may say something now"
            refuse(f"action.{field}", f"something while {TASKS[g.task]} card {g.target}", allowed)


def is_rest(rest: Icons, whole: Icons) -> bool:
    """Whether pairs and ``?`` are what is left of the printed ones, which are named in order [A4, A5]."""
    if rest.pairs != whole.pairs[len(whole.pairs) - len(rest.pairs) :]:
        return False
    return rest.any == whole.any if rest.pairs else rest.any <= whole.any


def check_payment(p: Position, seat: int, own: int) -> None:
    g = p.g
    if g.task == BUILDING and g.place[own] == ON_TABLE:  # A6 comes before the payment
        only(p)
        if not can_build(p, seat, g.target):
            refuse("action.target", f"house {g.target}", "a house that its builder can pay (A3)")
        return
    only(p, "owed_pairs", "owed_any")
    owed, cost = p.owed(), p.cost(g.target)._replace(parts=(0,) * KINDS)
    if g.task == BUILDING and g.token_house == g.target - FIRST_HOUSE and g.token_owner != seat:
        cost = cost._replace(any=cost.any + TOKENS)
    if not is_rest(owed, cost):
        refuse("action.owed_pairs, action.owed_any", f"{owed}", f"a rest of {cost}, paid in this order (A4)")


def can_build(p: Position, seat: int, house: int) -> bool:
    """Asked of the kernel, before the action."""
    record = p.record.copy()
    for field, value in (("task", IDLE), ("target", 0), ("ask_forced", 1)):
        record[field] = value
    observation, mask = p.game.buffers()
    actor = p.game.play(record, 0, p.game.tables, RESUME, observation, mask)
    return actor == seat and bool(mask[BUILD + house - FIRST_HOUSE])


def check_dismantling(p: Position, seat: int, own: int) -> None:
    only(p, "due_pairs", "due_any", "named")
    due, gain = p.due(), p.gain(own)
    check_due(due, gain)
    check_named(p, seat, own, without(gain, due), lost=False)
    check_gained(p, seat, gain)


def check_due(due: Icons, *gains: Icons) -> None:
    """What is still to be gained is the rest of what one of the alternatives gives [A5]."""
    if not any(is_rest(due, gain) for gain in gains):
        wholes = " or ".join(str(gain._replace(parts=(0,) * KINDS)) for gain in gains) or "nothing"
        refuse("action.due_pairs, action.due_any", f"{due}", f"a rest of {wholes}, gained in this order (A5)")


def check_named(p: Position, seat: int, own: int, given: Icons, *, lost: bool) -> None:
    """What the card is said to have given is what it gives; with ``lost`` for want of room less [A5, F7]."""
    fixed = {kind for kind in range(KINDS) if given.parts[kind]}
    named = {kind for kind in range(KINDS) if p.g.named >> kind & 1}
    base = set(range(BASE_KINDS))
    choices = given.pairs.count(SAME) + 2 * given.pairs.count(DIFFERENT) + given.any
    chosen = named - fixed
    lies_there = all(p.g.parts[seat][kind] for kind in chosen)
    full = all(p.g.parts[seat][kind] == p.capacity(seat, kind) for kind in base)
    none = choices > 0 and not named & base and not (lost and full)
    if not fixed <= named or not chosen <= base or len(chosen) > choices or not lies_there or none:
        found = ", ".join(PARTS[kind] for kind in sorted(named)) or "nothing"
        refuse("action.named", found, f"kinds that card {own} has given: {given} (F7)")


def check_gained(p: Position, seat: int, gain: Icons) -> None:
    """Fixed parts just gained lie in the shed as far as there was room [A5]."""
    for kind, part in enumerate(PARTS):
        least = min(p.capacity(seat, kind), gain.parts[kind])
        if p.g.parts[seat][kind] < least:
            allowed = f"at least {least}: {gain.parts[kind]} were just gained (A5)"
            refuse(f"players[{seat}].shed.parts.{part}", f"{p.g.parts[seat][kind]}", allowed)


def check_discarding(p: Position, seat: int, own: int) -> None:
    g = p.g
    only(p, "due_any", "named")
    check_named(p, seat, own, p.gain(own), lost=True)
    check_gained(p, seat, p.gain(own))
    bonuses = [droid for droid in BONUS_DROIDS if p.owns(seat, droid) and p.card["bonus"][droid] == BONUS_ANY]
    most = len(bonuses) if g.named & (2**BASE_KINDS - 1) else 0
    if g.due_any > most:
        refuse("action.due_any", f"{g.due_any}", f"at most {most}, from collection droids (F7)")


def check_applying(p: Position, seat: int, own: int) -> None:
    g = p.g
    card = p.card[g.target]
    alternatives = int(card["effect_alternatives"])
    if g.choice_due:
        only(p, "choose_alternative")
        if alternatives < 2:
            refuse("action.choose_alternative", "True", f"False: card {g.target} offers no alternatives (F8)")
        return
    if g.extensions_due:
        only(p, "extensions_due", "gift")
        if g.extensions_due > card["free_extensions"]:
            allowed = f"at most {card['free_extensions']}, as card {g.target} gives (F4-F6)"
            refuse("action.extensions_due", f"{g.extensions_due}", allowed)
        if g.gift not in (range(alternatives) if alternatives else (NOBODY,)):
            allowed = f"1 to {alternatives}" if alternatives else "None: the card has no gift"
            refuse("action.gift", "None" if g.gift == NOBODY else f"{g.gift + 1}", f"{allowed} (F4)")
        return
    only(p, "due_pairs", "due_any")
    if not any(g.due_pairs) and not g.due_any:
        return  # only droid 31 can still have to lay its tokens: the kernel knows
    due, gifts = p.due(), p.gifts(g.target)
    check_due(due, *gifts)
    taken = [gift for gift in gifts if is_rest(due, gift)]
    if card["store"] < 0 and len(taken) == 1:
        check_gained(p, seat, taken[0])
