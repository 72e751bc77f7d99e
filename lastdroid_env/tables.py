"""The card tables: one NumPy record with everything that is printed on the 102 cards.

``cards.py`` fills it from a card file; the rules read it as ``rules``. A card's number is its row.
"""

from __future__ import annotations

import numpy as np

from .constants import (
    DROID_TYPES,
    GIFT_ALTERNATIVES,
    KINDS,
    MAX_PAIRS,
    NUM_CARDS,
    NUM_EXCHANGES,
    PARTS,
    TYPES,
)

_I = np.int16
_ICONS = (*PARTS, "same pairs", "different pairs", "any")

# A card as a learner sees it: (name, scale); a feature is the printed value divided by the scale.
FEATURES: tuple[tuple[str, float], ...] = (
    ("number", NUM_CARDS),
    ("season", 3),
    *((f"type {name}", 1) for name in TYPES[:DROID_TYPES]),
    *((f"cost {icon}", 4) for icon in _ICONS),
    *((f"dismantle {icon}", 4) for icon in _ICONS),
    ("rp", 10),
    ("rp or", 1),  # C9
    ("leaves", 3),
    ("interest", 10),
    *((f"extensions {kind}", 3) for kind in PARTS),
    ("extensions free", 3),
    *((f"gift {kind}", 4) for kind in PARTS),  # fixed parts of the first alternative (F4, F8, F9, H46)
    ("gift choice", 4),  # its parts of choice: a pair counts 2
    ("gift alternatives", GIFT_ALTERNATIVES),
    ("gift stored", 1),  # F9: the gift is laid on the card
    *((f"exchange gives {kind}", 1) for kind in PARTS),  # 1 if one of the card's exchanges asks for this kind
    *((f"exchange gets {kind}", 1) for kind in PARTS),
    ("exchange uses", 2),  # F10
    ("exchange unlimited", 1),  # F11
    *((f"bonus {kind}", 1) for kind in (*PARTS, "any")),  # F7
    ("discount", 1),  # F12
    ("tokens", 1),  # F5
    ("wild type", 1),  # F6
)
NUM_FEATURES = len(FEATURES)

CARD = np.dtype(
    [
        ("type", _I),
        ("season", _I),  # 1-3; 0 on houses
        ("rp", _I),  # printed recycling points
        ("rp_or", _I),  # C9: 1 if the card scores its rp *or* what its effect gives
        ("leaves", _I),
        ("interest", _I),  # droids 1-44
        ("cost", _I, (KINDS,)),  # fixed icons of the repair cost
        ("cost_pairs", _I, (MAX_PAIRS,)),  # NO_PAIR, SAME or DIFFERENT, in printed order, filled from the left
        ("cost_any", _I),  # "?" icons
        ("cost_icons", _I),  # H49: icons of the repair cost, a pair counts 2
        ("gain", _I, (KINDS,)),  # dismantling: fixed parts
        ("gain_pairs", _I, (MAX_PAIRS,)),
        ("gain_any", _I),
        ("extensions", _I, (KINDS,)),  # extensions bound to a column
        ("free_extensions", _I),
        ("effect_alternatives", _I),  # immediate gifts: 0 none, 1 a plain gift, 2-3 alternatives (F4, F8, F9, H46)
        ("effect", _I, (GIFT_ALTERNATIVES, KINDS)),
        ("effect_pairs", _I, (GIFT_ALTERNATIVES, MAX_PAIRS)),
        ("effect_any", _I, (GIFT_ALTERNATIVES,)),
        ("bonus", _I),  # F7: -1, or the kind of part (0-3), or BONUS_ANY
        ("store", _I),  # F9: -1, or 0 for droid 65 and 1 for droid 71: the gift is laid on the card
        ("solo", _I),  # houses: 1 with the solo symbol (O3)
        ("interest_shift", _I, (len(TYPES),)),  # houses: what they add to the interest of a droid type (O6)
        ("points", _I, (4,)),  # houses: the figures of section 7, in the order of its text
    ]
)

TABLES = np.dtype(
    [
        ("card", CARD, (NUM_CARDS + 1,)),
        ("exchange_droid", _I, (NUM_EXCHANGES,)),  # 0 for X1, the droid's number, -1 for an unused alternative
        ("exchange_give", _I, (NUM_EXCHANGES, KINDS)),
        ("exchange_get", _I, (NUM_EXCHANGES, KINDS)),
        ("exchange_uses", _I, (NUM_CARDS + 1,)),  # by droid: uses a phase, 0 for unlimited
        ("features", np.float32, (NUM_CARDS + 1, NUM_FEATURES)),  # observation: a card as a learner sees it
    ]
)
