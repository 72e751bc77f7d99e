"""Who sits where: T2's order, neighbours, teams, the pairs of seats [T2, D4, S2-S4]."""

from __future__ import annotations

from tabletop.jit import kernel

from ..constants import AUTO, FACE_UP, ON_TABLE, REPAIRED


@kernel(inline=True)
def seats(g):
    """Seats at the table; in the solo game the Auto-Ecomechanic has one [O1]."""
    return max(2, g.num_players)


@kernel(inline=True)
def is_solo(g):
    return g.num_players == 1


@kernel
def clockwise(g, seat, steps):
    """The seat so many places further on, clockwise."""
    seat += steps
    n = seats(g)
    while seat >= n:
        seat -= n
    return seat


@kernel
def seat_in_order(g, order):
    """The seat served in this place of a phase [T2, D4: clockwise the positions read 1, 3, 4, 2]."""
    if g.num_players < 4 or order == 0:
        return clockwise(g, g.priority, order)
    if order == 1:
        return clockwise(g, g.priority, 3)
    return clockwise(g, g.priority, order - 1)


@kernel
def facing(g, seat):
    """Four players: the opponent faced, pairs 0-1 and 2-3 [D4]. Two players and solo: the opponent."""
    return seat + 1 if seat in (0, 2) else seat - 1


@kernel
def team_mate(seat):
    """Four players: teams {0, 3} and {1, 2} [D4]."""
    return 3 - seat


@kernel
def touches(g, pair, seat):
    """Whether a seat is one of a pair of seats: the cards between them concern it [S2-S4, A6, G3]."""
    if g.num_players == 3:
        return seat == pair or seat == clockwise(g, pair, 1)
    if g.num_players == 4:
        return pair == seat // 2
    return pair == 0


@kernel
def card_of(g, seat):
    """The droid card the seat was given this turn; 0 if none."""
    for slot in range(4):
        if g.given_to[slot] == seat:
            return g.offer[slot]
    return 0


@kernel
def has_card_to_play(g, seat):
    card = card_of(g, seat)
    return card != 0 and g.place[card] == ON_TABLE


@kernel(inline=True)
def owns(g, seat, card):
    """Whether the seat has repaired this droid: its permanent effect holds [A1]."""
    return g.place[card] == REPAIRED + seat


@kernel
def face_up_beside(g, seat):
    """Discarded communication droids between the seat and its opponents [G3, A6]."""
    n = 0
    for pair in range(3):
        if touches(g, pair, seat):
            n += g.face_up[pair]
    return n


@kernel
def lay_face_up(g, card, pair):
    """[A6]"""
    g.place[card] = FACE_UP + pair
    g.face_up[pair] += 1


@kernel(inline=True)
def is_auto(g, seat):
    return g.num_players == 1 and seat == AUTO
