"""The state of a game: one NumPy record. A batch of games is an array of records.

A fact is one field. Three fields are tallies of others, kept for speed (``gaps``, ``owned``, ``wild_cells``): snapshots
leave them out and a test counts them at every decision. Fields that most decisions look at lie together. Seats and
spreads count from 0, -1 is nobody or none; cards and sets of cards are numbers and pairs of words as ``constants``
describes them.

A spread occupies a slot. Its cells are the bits of ``cells``: for a run the places 0-14 (place p is the number
p + 1), for a set the suits 0-4. ``wild_cells`` and ``star_cells`` tell what lies there; any other cell holds the number
card itself. A free slot has no owner; a new spread takes the lowest one.
"""

from __future__ import annotations

import numpy as np

from .constants import MAX_SEATS, MAX_SPREADS, NUM_CARDS, WILD, WILDS

_I = np.int16
_SET = (np.int64, (2,))

GAME = np.dtype(
    [
        ("rng", np.uint64),  # the state of the game's own random generator
        ("seed", np.uint64),  # what it was when the game was set up
        # Sets of cards.
        ("gaps", *_SET),  # tally: what could be added to a spread on the table, a bit a place in its suit's lane
        ("hand", np.int64, (MAX_SEATS, 2)),
        ("known", np.int64, (MAX_SEATS, 2)),  # W11: cards in hand that everybody knows of
        ("played", np.int64, (MAX_SEATS, 2)),  # suited cards in spreads, by whoever played them [P5]
        ("acted", *_SET),  # W10: cards whose power has acted this turn
        # The match.
        ("decisions", np.int32),  # made so far
        ("scores", np.int32, (MAX_SEATS,)),  # of the rounds that are over
        ("round_scores", np.int32, (MAX_SEATS,)),  # of the last round that is over
        ("num_players", _I),  # 2 to 5
        ("rounds", _I),  # so many rounds are played; 0: a match to the target score
        ("ask_forced", _I),  # decisions with a single legal answer are asked too
        ("round_number", _I),  # from 1
        ("dealer", _I),
        ("truncated", _I),  # E6
        # The procedure.
        ("stage", _I),
        ("decision", _I),
        ("actor", _I),  # the seat that decides; -1 when the game is over
        ("player", _I),  # the seat whose turn it is
        ("turns", _I),  # that are over in this round
        ("order", _I),  # K3: how many places after the player the seat sits that may call
        # Sizes.
        ("factory_size", _I),
        ("under", _I),  # W3, W11: so many cards at the bottom of the factory are known to all
        ("refills", _I),  # D4: so far in this round
        ("heap_size", _I),
        ("slots", _I),  # all spreads lie in slots below this
        ("owned", _I, (MAX_SEATS,)),  # tally: how many spreads each seat owns
        ("shuffled_wilds", _I),  # W11: so many did the last refill shuffle into the factory
        ("wilds_since", _I, (MAX_SEATS, WILDS)),  # W11: as hidden ones were drawn, the last refill before
        # The turn.
        ("must_play", _I),  # D3: the card that the first play must hold
        ("taken", _I),  # D5: the card taken alone off the heap
        ("discarded", _I),  # K3: 1 once a card has been discarded
        ("power", _I),  # the power about to act
        ("lays", _I),  # W2: cards still to be laid on the heap
        ("skip", _I),  # W6: 1 if the next player's turn is skipped
        ("barred", _I, (MAX_SEATS,)),  # W2: 1 if the seat may add nothing until its next turn
        ("skipped", _I, (MAX_SEATS,)),  # W6: 1 if the seat has been skipped since its last turn
        # The play under way.
        ("adding", _I),  # the card being added to a spread
        ("target", _I),  # C4: the set for which a wild's suit is being named
        ("laying", _I),  # RUN or SET while one is being laid, else NO_SPREAD
        ("laying_suit", _I),  # the run's suit
        ("laying_number", _I),  # the set's number
        ("laying_cells", _I),
        ("laying_wilds", _I),
        ("laying_stars", _I),
        ("laying_from", _I),  # C4: substitutions go on from this of the three cells
        # The piles, the bottom card first.
        ("factory", _I, (NUM_CARDS,)),
        ("heap", _I, (NUM_CARDS,)),
        ("shuffled", np.int8, (WILD,)),  # W11: the refill that was the last to shuffle a suited card, 0 none
        # Spreads.
        ("owner", _I, (MAX_SPREADS,)),  # -1 free
        ("suit", _I, (MAX_SPREADS,)),  # of a run; -1 a set
        ("number", _I, (MAX_SPREADS,)),  # of a set, 1 to 15; 0 a run
        ("cells", _I, (MAX_SPREADS,)),
        ("wild_cells", _I, (MAX_SPREADS,)),  # tally: all of wilds_by
        ("star_cells", _I, (MAX_SPREADS,)),
        ("wilds_by", _I, (MAX_SPREADS, MAX_SEATS)),  # the cells that each seat has filled with wilds
        ("robot", _I, (MAX_SPREADS,)),  # P6: the seat that completed the robot, -1 none
        ("unused", _I, (2,)),  # fills the record, so that no byte of it is undefined
    ],
    align=True,
)
