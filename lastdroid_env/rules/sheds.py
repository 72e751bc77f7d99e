"""Sheds: what lies in them, what fits, and the naming of "?" and pairs [C5, A4, A5, A7]."""

from __future__ import annotations

from tabletop.jit import kernel

from ..constants import (
    APPLYING,
    BASE_KINDS,
    CIRCUIT,
    COLUMN,
    DIFFERENT,
    DIFFERENT_FIRST,
    DIFFERENT_SECOND,
    KINDS,
    MAX_PAIRS,
    NO_PAIR,
    NUT,
    OIL,
    SAME,
    STORE_DROIDS,
)
from .seats import owns


@kernel(inline=True)
def room(g, seat, kind):
    """How many more parts the column takes [C5]."""
    return COLUMN + g.extensions[seat, kind] - g.parts[seat, kind]


@kernel
def holding(g, seat, kind):
    """Parts the seat can use: in the shed and on its droids 65 and 71 [A7]."""
    n = g.parts[seat, kind] + 0
    for store in range(2):
        if owns(g, seat, STORE_DROIDS[store]):
            n += g.stored[store, kind]
    return n


@kernel
def all_parts(g, seat):
    """[G4: parts on 65 and 71 count]"""
    n = 0
    for kind in range(KINDS):
        n += holding(g, seat, kind)
    return n


@kernel
def pay(g, seat, kind, n):
    """Parts go to the supply: from the shed, then from 65, then from 71 [A7]."""
    from_shed = min(n, g.parts[seat, kind] + 0)
    g.parts[seat, kind] -= from_shed
    n -= from_shed
    for store in range(2):
        if n > 0 and owns(g, seat, STORE_DROIDS[store]):
            taken = min(n, g.stored[store, kind] + 0)
            g.stored[store, kind] -= taken
            n -= taken


@kernel
def gain(g, seat, kind, n):
    """Parts come from the supply; what finds no room is lost [A5]."""
    g.parts[seat, kind] += min(n, max(room(g, seat, kind), 0))


@kernel
def payable(nuts, oils, circuits, same, different, any_part):
    """Whether so many base parts can pay so many pairs and "?" [A4].

    For a split of the identical pairs over the kinds, d different pairs can be made of what is left if and only if
    no kind would have to give more than one part to each: the sum of min(kind, d) is at least 2 d.
    """
    if nuts + oils + circuits < 2 * (same + different) + any_part:
        return False
    for of_nuts in range(same + 1):
        for of_oils in range(same - of_nuts + 1):
            n = nuts - 2 * of_nuts
            o = oils - 2 * of_oils
            c = circuits - 2 * (same - of_nuts - of_oils)
            if n < 0 or o < 0 or c < 0:
                continue
            if min(n, different) + min(o, different) + min(c, different) >= 2 * different:
                return True
    return False


@kernel
def count_pairs(pairs, what):
    n = 0
    for i in range(MAX_PAIRS):
        if pairs[i] == what:
            n += 1
    return n


@kernel
def drop_first_pair(pairs):
    for i in range(MAX_PAIRS - 1):
        pairs[i] = pairs[i + 1]
    pairs[MAX_PAIRS - 1] = NO_PAIR


@kernel
def rest_payable(g, seat, less_1, less_2, same, different, any_part):
    """Whether what is owed can still be paid without one part each of two kinds (-1: no part) [A4]."""
    nuts = holding(g, seat, NUT) - (less_1 == NUT) - (less_2 == NUT)
    oils = holding(g, seat, OIL) - (less_1 == OIL) - (less_2 == OIL)
    circuits = holding(g, seat, CIRCUIT) - (less_1 == CIRCUIT) - (less_2 == CIRCUIT)
    return payable(nuts, oils, circuits, same, different, any_part)


@kernel
def can_pay_any(g, seat, kind):
    """[A4]"""
    return holding(g, seat, kind) > 0 and rest_payable(g, seat, kind, -1, 0, 0, g.owed_any - 1)


@kernel
def do_pay_any(g, seat, kind):
    """[A4]"""
    pay(g, seat, kind, 1)
    g.owed_any -= 1


@kernel
def can_pay_pair(g, seat, first, second):
    """Whether the pair icon in turn can be paid with these two kinds [A4]."""
    needed = 2 if first == second else 1
    if holding(g, seat, first) < needed or holding(g, seat, second) < needed:
        return False
    same = count_pairs(g.owed_pairs, SAME)
    different = count_pairs(g.owed_pairs, DIFFERENT)
    if first == second:
        same -= 1
    else:
        different -= 1
    return rest_payable(g, seat, first, second, same, different, g.owed_any + 0)


@kernel
def can_pay_same(g, seat, kind):
    """[A4]"""
    return g.owed_pairs[0] == SAME and can_pay_pair(g, seat, kind, kind)


@kernel
def can_pay_different(g, seat, choice):
    """[A4]"""
    return g.owed_pairs[0] == DIFFERENT and can_pay_pair(g, seat, DIFFERENT_FIRST[choice], DIFFERENT_SECOND[choice])


@kernel
def do_pay_pair(g, seat, first, second):
    """[A4]"""
    pay(g, seat, first, 1)
    pay(g, seat, second, 1)
    drop_first_pair(g.owed_pairs)


@kernel
def on_card(g, rules):
    """Whether the parts being gained are laid on the droid itself [F9]."""
    return g.task == APPLYING and rules.card[g.target].store >= 0


@kernel
def can_gain(g, rules, seat, kind):
    """A gain names a kind with room [A5]; on a card there always is [A7, F9]."""
    return on_card(g, rules) or room(g, seat, kind) > 0


@kernel
def kinds_with_room(g, rules, seat):
    n = 0
    for kind in range(BASE_KINDS):
        n += can_gain(g, rules, seat, kind)
    return n


@kernel
def can_gain_pair_alone(g, rules, seat, kind):
    """A different pair names the only kind with room [A5]."""
    return g.due_pairs[0] == DIFFERENT and can_gain(g, rules, seat, kind) and kinds_with_room(g, rules, seat) == 1


@kernel
def can_gain_same(g, rules, seat, kind):
    """[A5]"""
    return g.due_pairs[0] == SAME and can_gain(g, rules, seat, kind)


@kernel
def can_gain_different(g, rules, seat, choice):
    """[A5]"""
    return (
        g.due_pairs[0] == DIFFERENT
        and can_gain(g, rules, seat, DIFFERENT_FIRST[choice])
        and can_gain(g, rules, seat, DIFFERENT_SECOND[choice])
    )
