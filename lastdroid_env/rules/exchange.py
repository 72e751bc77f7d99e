"""Exchanging parts with the supply [X1-X6]."""

from __future__ import annotations

import numpy as np

from tabletop.jit import kernel

from ..constants import (
    BASIC_COUNT,
    BASIC_EXCHANGES,
    BASIC_GET,
    BASIC_GIVE,
    EXCHANGE_DROIDS,
    KINDS,
    MARKET_ALTERNATIVES,
)
from .seats import owns
from .sheds import gain, holding, pay, room

_GIVE = np.array(BASIC_GIVE)
_COUNT = np.array(BASIC_COUNT)
_GET = np.array(BASIC_GET)


@kernel
def begin_exchanges(g):
    """Limited exchanges start afresh in every phase [X6]."""
    for i in range(len(EXCHANGE_DROIDS)):
        g.used[i] = 0


@kernel(inline=True)
def can_exchange_basic(g, seat, exchange):
    """1 energy or 2 identical parts for a base part, 3 identical base parts for 1 energy [X1, X3, X4]."""
    return holding(g, seat, _GIVE[exchange]) >= _COUNT[exchange] and room(g, seat, _GET[exchange]) > 0


@kernel
def can_exchange_market(g, rules, seat, exchange):
    """A droid's exchange: it is the seat's and not used up, the parts are there, those received find room
    [X2, X3, X6, F10, F11].

    No kind stands on both sides of an exchange [X4], so the parts given never make room for those received.
    """
    droid = rules.exchange_droid[exchange] + 0
    if droid <= 0 or not owns(g, seat, droid):
        return False
    limit = rules.exchange_uses[droid]
    if limit > 0 and g.used[(exchange - BASIC_EXCHANGES) // MARKET_ALTERNATIVES] >= limit:
        return False
    for kind in range(KINDS):
        give = rules.exchange_give[exchange, kind]
        if give > 0 and holding(g, seat, kind) < give:
            return False
        get = rules.exchange_get[exchange, kind]
        if get > 0 and room(g, seat, kind) < get:
            return False
    return True


@kernel
def can_exchange(g, rules, seat, exchange):
    """[X1-X4, X6]"""
    if exchange < BASIC_EXCHANGES:
        return can_exchange_basic(g, seat, exchange)
    return can_exchange_market(g, rules, seat, exchange)


@kernel
def do_exchange(g, rules, seat, exchange):
    """[X1, X2]"""
    if exchange < BASIC_EXCHANGES:
        pay(g, seat, _GIVE[exchange], _COUNT[exchange])
        gain(g, seat, _GET[exchange], 1)
        return
    g.used[(exchange - BASIC_EXCHANGES) // MARKET_ALTERNATIVES] += 1
    for kind in range(KINDS):
        pay(g, seat, kind, rules.exchange_give[exchange, kind])
    for kind in range(KINDS):
        gain(g, seat, kind, rules.exchange_get[exchange, kind])
