"""A rule set as the rules read it: one NumPy record, ``rules``. ``ruleset.py`` fills it."""

from __future__ import annotations

import numpy as np

from .constants import CARD_NUMBERS

_I = np.int16

TABLES = np.dtype(
    [
        ("places", np.int64),  # P4: the places of a run, in each lane of a word
        ("windows", np.int64),  # P4: where the lowest card of a run of three can stand, in each lane
        ("target_score", np.int32),  # E4
        ("high", np.int64),  # C3: the high place of a star, star_high - 1
        ("robot_bonus", _I),  # P6, E3
        ("points", _I, (CARD_NUMBERS,)),  # E3: by card
        ("power", _I, (CARD_NUMBERS,)),  # by card
        ("wild_completes_robot", _I),  # P7
        ("discard_taken_card", _I),  # D5
        ("power_on_last_discard", _I),  # W9
        ("max_refills", _I),  # D4
        ("max_turns", _I),  # E5: a player
        ("max_rounds", _I),  # E6
    ],
    align=True,
)
