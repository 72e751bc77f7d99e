"""The fixed list of 493 actions: numbers, and the strings a person reads and writes.

An action says only what the player chooses; who decides and what for stands in the game (``decision``, ``actor``). The
action mask leaves just the actions that fit the decision.
"""

from __future__ import annotations

from .constants import (
    CARD_NAMES,
    MAX_SPREADS,
    NUM_KINDS,
    NUM_PLACES,
    SPREAD,
    SUITED,
    SUITS,
    THREE_SUITS,
    WILDS,
    WINDOWS,
)

PASS = 0  # decline; in a substitution: lay the spread as it is
CALL = 1
DRAW = 2  # from the factory
PICK = 3  # + rank of a card that lies on the heap, or in a spread for the laser; wilds are counted, see below
PICK_WILD = PICK + SUITED  # + which: in the heap from its top, in spreads in the order of slots, from the lowest cell
DISCARD = PICK_WILD + WILDS  # + rank
ADD = DISCARD + NUM_KINDS  # + rank: to a spread on the table
LAY_RUN = ADD + NUM_KINDS  # + WINDOWS * suit + lowest place: three cards in sequence
LAY_SET = LAY_RUN + len(SUITS) * WINDOWS  # + 10 * place + triple of suits
WILD_IN = LAY_SET + NUM_PLACES * len(THREE_SUITS)  # + cell 0-2 of the spread being laid, from the lowest
STAR_IN = WILD_IN + SPREAD  # + cell
ONTO = STAR_IN + SPREAD  # + slot: into a set, at the high end of a run
BELOW = ONTO + MAX_SPREADS  # + slot: at the low end of a run
AS = BELOW + MAX_SPREADS  # + suit: what a wild stands for in a set
NUM_ACTIONS = AS + len(SUITS)


def _names() -> tuple[str, ...]:
    cards = list(CARD_NAMES.values())
    names = ["pass", "call", "draw"]
    names += [f"pick {name}" for name in cards[:-1]]
    names += [f"pick wild {i + 1}" for i in range(WILDS)]
    names += [f"discard {name}" for name in cards]
    names += [f"add {name}" for name in cards]
    names += [f"lay run {suit} {low + 1}-{low + SPREAD}" for suit in SUITS for low in range(WINDOWS)]
    names += [
        f"lay set {place + 1} {' '.join(SUITS[suit] for suit in three)}"
        for place in range(NUM_PLACES)
        for three in THREE_SUITS
    ]
    names += [f"wild as card {i + 1}" for i in range(SPREAD)]
    names += [f"star as card {i + 1}" for i in range(SPREAD)]
    names += [f"onto spread {slot + 1}" for slot in range(MAX_SPREADS)]
    names += [f"below spread {slot + 1}" for slot in range(MAX_SPREADS)]
    names += [f"as {suit}" for suit in SUITS]
    return tuple(names)


ACTION_NAMES = _names()
assert len(ACTION_NAMES) == len(set(ACTION_NAMES)) == NUM_ACTIONS == 493
