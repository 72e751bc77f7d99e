"""The state of a game: one NumPy record. A batch of games is an array of records.

A fact is one field. Four fields are tallies of others, kept for speed (``droids``, ``leaves``, ``printed_rp``,
``left``): ``snapshot`` leaves them out, ``restore`` counts them anew, and a test counts them at every decision.
Small integers throughout; seats, slots, pairs of seats and kinds of part count from 0, -1 is nobody or none.
"""

from __future__ import annotations

import numpy as np

from .constants import (
    DROID_TYPES,
    EXCHANGE_DROIDS,
    KINDS,
    MAX_DECK,
    MAX_DECKS,
    MAX_PAIRS,
    MAX_PAIRS_OF_SEATS,
    MAX_SEATS,
    NUM_CARDS,
    NUM_HOUSES,
    SEASONS,
    STORE_DROIDS,
)

_I = np.int16

GAME = np.dtype(
    [
        ("rng", np.uint64),  # the state of the game's own random generator
        ("seed", np.uint64),  # what it was when the game was set up
        # Settings, fixed for the game.
        ("num_players", _I),  # 1 (solo) to 4
        ("hard", _I),  # O2
        ("table_talk", _I),  # D2
        ("open_deck", _I),  # S9
        ("extension_after_season_3", _I),  # N4
        ("wild_type_houses", _I),  # F6: bit h set: house 45 + h looks at droid 36's chosen type
        ("ask_forced", _I),  # decisions with a single legal answer are asked too
        # The procedure.
        ("turn", _I),  # 1-22
        ("season", _I),  # 1-3
        ("priority", _I),  # seat of the priority player (four players: distributor position 1)
        ("stage", _I),
        ("order", _I),  # how many seats have been served in this stage, in T2's order
        ("decision", _I),
        ("actor", _I),  # the seat that decides; -1 when the game is over
        ("decisions", np.int32),  # made so far
        # Droid cards.
        ("deck", np.int8, (MAX_DECKS, MAX_DECK)),  # card numbers, first drawn first; 0 beyond the deck's end
        ("drawn", _I, (MAX_DECKS,)),  # how many have been drawn
        ("place", np.int8, (NUM_CARDS + 1,)),  # where each droid card is
        ("offer", _I, (MAX_SEATS,)),  # the cards revealed this turn, by slot; 0 no card
        ("given_to", _I, (MAX_SEATS,)),  # by slot: the seat that got it, -1 not given yet
        ("wish", _I, (MAX_SEATS,)),  # by seat: the slot named this turn, -1 none
        ("face_up", _I, (MAX_PAIRS_OF_SEATS,)),  # A6: communication droids discarded, by pair of seats
        # House droids, by number - 45.
        ("between", _I, (NUM_HOUSES,)),  # the pair of seats it lies between, -1 not in this game
        ("builder", _I, (NUM_HOUSES,)),  # the seat that built it, -1 nobody
        ("token_house", _I),  # F5: house index with the extra-cost tokens, -1 none
        ("token_owner", _I),  # the seat that laid them, -1 none
        # Sheds.
        ("parts", _I, (MAX_SEATS, KINDS)),
        ("extensions", _I, (MAX_SEATS, KINDS)),
        ("stored", _I, (len(STORE_DROIDS), KINDS)),  # F9: parts lying on droids 65 and 71
        ("used", _I, (len(EXCHANGE_DROIDS),)),  # X6: uses of each exchange droid in this phase
        # The action under way.
        ("task", _I),
        ("target", _I),  # the card being repaired, dismantled or built; 0 none
        ("owed_pairs", _I, (MAX_PAIRS,)),  # A4: still to be named and paid, from the left
        ("owed_any", _I),
        ("choice_due", _I),  # F8: 1 while an alternative is to be chosen
        ("gift", _I),  # the alternative to be taken once the extensions are placed, -1 none
        ("extensions_due", _I),  # free extensions still to be placed
        ("due_pairs", _I, (MAX_PAIRS,)),  # A5: still to be named and gained
        ("due_any", _I),
        ("named", _I),  # F7: bit k set: the dismantled card gave a part of kind k
        # Tallies.
        ("droids", _I, (MAX_SEATS, DROID_TYPES)),
        ("leaves", _I, (MAX_SEATS,)),
        ("printed_rp", _I, (MAX_SEATS,)),
        ("left", _I, (SEASONS, DROID_TYPES)),  # droids not yet drawn, by season and type
    ]
)
