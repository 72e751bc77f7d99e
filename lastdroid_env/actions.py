"""The fixed list of 151 actions: numbers, and the strings a person reads and writes.

An action says only what the player chooses; who decides and what for stands in the game (``decision``,
``actor``). The action mask leaves just the actions that fit the decision.
"""

from __future__ import annotations

from collections.abc import Callable

from .constants import (
    BASE_KINDS,
    BASIC_COUNT,
    BASIC_EXCHANGES,
    BASIC_GET,
    BASIC_GIVE,
    DIFFERENT_FIRST,
    DIFFERENT_SECOND,
    EXCHANGE_DROIDS,
    FIRST_HOUSE,
    GIFT_ALTERNATIVES,
    KINDS,
    MARKET_ALTERNATIVES,
    MAX_SEATS,
    NUM_EXCHANGES,
    NUM_HOUSES,
    PARTS,
)

PASS = 0  # end an exchange phase
GIVE = 1  # + slot: this revealed card goes to the recipient asked for (TIE: to you)
WISH = GIVE + MAX_SEATS  # + slot
WISH_NONE = WISH + MAX_SEATS
EXCHANGE = WISH_NONE + 1  # + exchange: the 12 of X1, then 8 alternatives for each exchange droid
MARKET = EXCHANGE + BASIC_EXCHANGES
REPAIR = EXCHANGE + NUM_EXCHANGES
DISMANTLE = REPAIR + 1
BUILD = DISMANTLE + 1  # + house number - 45
PAY_ANY = BUILD + NUM_HOUSES  # + base kind
PAY_SAME = PAY_ANY + BASE_KINDS  # + base kind
PAY_DIFFERENT = PAY_SAME + BASE_KINDS  # + pair of kinds
GAIN_ANY = PAY_DIFFERENT + BASE_KINDS
GAIN_SAME = GAIN_ANY + BASE_KINDS
GAIN_DIFFERENT = GAIN_SAME + BASE_KINDS
ALTERNATIVE = GAIN_DIFFERENT + BASE_KINDS  # + alternative
EXTEND = ALTERNATIVE + GIFT_ALTERNATIVES  # + column
BESIDE = EXTEND + KINDS  # + 0: the next player clockwise, 1: the previous one
TOKEN = BESIDE + 2  # + house number - 45
NUM_ACTIONS = TOKEN + NUM_HOUSES


def action_names(market_exchange: Callable[[int, int], str | None]) -> tuple[str, ...]:
    """The names of all actions, in order.

    ``market_exchange(droid, alternative)`` says what a droid's exchange gives for what, None if it has no such one.
    """
    base = PARTS[:BASE_KINDS]
    pairs = [f"{PARTS[a]} and {PARTS[b]}" for a, b in zip(DIFFERENT_FIRST, DIFFERENT_SECOND, strict=True)]
    houses = range(FIRST_HOUSE, FIRST_HOUSE + NUM_HOUSES)
    names = ["pass"]
    names += [f"give card {slot}" for slot in range(MAX_SEATS)]
    names += [f"wish for card {slot}" for slot in range(MAX_SEATS)] + ["wish for nothing"]
    names += [
        f"exchange {count} {PARTS[give]} for 1 {PARTS[get]}"
        for give, count, get in zip(BASIC_GIVE, BASIC_COUNT, BASIC_GET, strict=True)
    ]
    for droid in EXCHANGE_DROIDS:
        for alternative in range(MARKET_ALTERNATIVES):
            what = market_exchange(droid, alternative)
            names.append(f"exchange with droid {droid}: {what or f'(no alternative {alternative + 1})'}")
    names += ["repair", "dismantle"]
    names += [f"build house {house}" for house in houses]
    for verb in ("pay", "gain"):
        names += [f"{verb} 1 {part}" for part in base]
        names += [f"{verb} 2 {part}" for part in base]
        names += [f"{verb} {pair}" for pair in pairs]
    names += [f"take alternative {i + 1}" for i in range(GIFT_ALTERNATIVES)]
    names += [f"extend {part}" for part in PARTS]
    names += ["lay it beside the next player", "lay it beside the previous player"]
    names += [f"lay tokens on house {house}" for house in houses]
    return tuple(names)
