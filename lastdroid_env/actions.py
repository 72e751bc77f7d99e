"""The fixed list of 151 actions: numbers, and the strings a person reads and writes.

An action says only what the player chooses; who decides and what for stands in the game (``decision``,
``actor``). The action mask leaves just the actions that fit the decision.
"""

from __future__ import annotations

from .constants import (
    BASE_KINDS,
    BASIC_EXCHANGES,
    FIRST_HOUSE,
    GIFT_ALTERNATIVES,
    KINDS,
    MAX_SEATS,
    NUM_EXCHANGES,
    NUM_HOUSES,
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

assert FIRST_HOUSE == 45 and NUM_ACTIONS == 151
