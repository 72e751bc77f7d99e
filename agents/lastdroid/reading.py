"""Reading an observation in compiled code: what a player sees, in the game's own nouns.

``o`` is the observation, ``n`` the number of players (``players(o)``), a ``role`` a seat as the observer counts them
(0 is the observer; see ``lastdroid_env.observation.role_names``), a ``slot`` a card revealed this turn.

The printed values of houses and of market droids' exchanges are not part of an observation. A player knows them from
the cards, these agents know them from the built-in ones: ``CARD`` and ``EXCHANGE_GIVE``, ``EXCHANGE_GET``.
"""

from __future__ import annotations

import numpy as np

from lastdroid_env.cards import load_cards
from lastdroid_env.constants import (
    DECISIONS,
    DROID_TYPES,
    ENERGY,
    FIRST_HOUSE,
    KINDS,
    NUM_HOUSES,
    STAGES,
    STORE_DROIDS,
    TURNS,
)
from lastdroid_env.encoder import (
    CARDS_SCALE,
    DROIDS_SCALE,
    EXTENSIONS_SCALE,
    LEAVES_SCALE,
    PARTS_SCALE,
)
from lastdroid_env.observation import layout
from lastdroid_env.tables import FEATURES, NUM_FEATURES
from tabletop.jit import kernel

# Where each section begins, by number of players: constants of the compiled code.
_NAMES = tuple(dict.fromkeys(section.name for n in (1, 2, 3, 4) for section in layout(n)))
STARTS = np.array([[0] * len(_NAMES), *([layout(n).offsets.get(name, -1) for name in _NAMES] for n in (1, 2, 3, 4))])
SIZES = np.array([0, *(layout(n).size for n in (1, 2, 3, 4))])
(
    TURN,
    SEASON,
    STAGE,
    DECISION,
    PRIORITY,
    CARDS,
    HOLDER,
    INTEREST,
    HOUSE_BETWEEN,
    HOUSE_BUILDER,
    HOUSE_TOKENS,
    SHED_PARTS,
    ROOM,
    EXTENSIONS,
    STORED,
    DROIDS,
    LEAVES,
    FACE_UP,
    REPAIRED,
    FACES_CLOCKWISE,
    UNPLAYED,
    USES_LEFT,
    LEFT,
    PRINTED_RP,
) = (
    _NAMES.index(name)
    for name in (
        "turn",
        "season",
        "stage",
        "decision",
        "priority",
        "cards",
        "holder",
        "interest",
        "house_between",
        "house_builder",
        "house_tokens",
        "parts",
        "room",
        "extensions",
        "stored",
        "droids",
        "leaves",
        "face_up",
        "repaired",
        "faces_clockwise",
        "unplayed",
        "uses_left",
        "left",
        "printed_rp",
    )
)

# Features of a card, as places in its row of the section "cards".
_FEATURES = [name for name, _ in FEATURES]
_SCALES = np.array([float(scale) for _, scale in FEATURES])
NUMBER, CARD_SEASON, TYPE, COST, GAIN, RP, RP_OR, CARD_LEAVES, CARD_INTEREST, EXTENSION, GIFT, USES, UNLIMITED = (
    _FEATURES.index(name)
    for name in (
        "number",
        "season",
        "type water",
        "cost nut",
        "dismantle nut",
        "rp",
        "rp or",
        "leaves",
        "interest",
        "extensions nut",
        "gift nut",
        "exchange uses",
        "exchange unlimited",
    )
)
# From COST or GAIN on: four kinds of parts, then these.
SAME_PAIRS, DIFFERENT_PAIRS, ANY = KINDS, KINDS + 1, KINDS + 2
# From EXTENSION and GIFT on: four kinds, then those of choice.
OF_CHOICE = KINDS
LAST_OF_TWO, SECOND_RANGE = 44, 59  # card numbers: the deck of two players, and what more players add


_tables = load_cards().tables
EXCHANGE_GIVE = _tables["exchange_give"][0].astype(np.int64)
EXCHANGE_GET = _tables["exchange_get"][0].astype(np.int64)
_card = _tables["card"][0]
HOUSES = slice(FIRST_HOUSE, FIRST_HOUSE + NUM_HOUSES)
_same, _different = ((_card["cost_pairs"] == what).sum(axis=1) for what in (1, 2))
HOUSE_COST = np.column_stack([_card["cost"], _same, _different, _card["cost_any"]])[HOUSES].astype(np.int64)
HOUSE_POINTS = _card["points"][HOUSES].astype(np.int64)
HOUSE_SHIFT = _card["interest_shift"][HOUSES].astype(np.int64)
GIFTS = _card["effect"].astype(np.int64)


@kernel
def players(o):
    """How many players the observation's game has."""
    for n in range(1, 5):
        if SIZES[n] == o.shape[0]:
            return n
    return 0


@kernel(inline=True)
def roles(n):
    return max(2, n)


@kernel(inline=True)
def whole(value, scale):
    """A count, as it was before it was scaled."""
    return int(np.floor(value * scale + 0.5))


@kernel(inline=True)
def flag(o, n, section, i):
    return o[STARTS[n, section] + i] > 0.5


@kernel(inline=True)
def count(o, n, section, i, scale):
    return whole(o[STARTS[n, section] + i], scale)


@kernel
def hot(o, n, section, labels):
    """Which of a section's labels is set; -1 if none."""
    for i in range(labels):
        if flag(o, n, section, i):
            return i
    return -1


@kernel
def decision(o, n):
    return hot(o, n, DECISION, len(DECISIONS))


@kernel
def stage(o, n):
    return hot(o, n, STAGE, len(STAGES))


@kernel
def turns_left(o, n):
    """Full turns after this one."""
    return TURNS - count(o, n, TURN, 0, float(TURNS))


@kernel(inline=True)
def feature(o, n, slot, i):
    """A printed value of a revealed card."""
    return whole(o[STARTS[n, CARDS] + slot * NUM_FEATURES + i], _SCALES[i])


@kernel
def droid_type(o, n, slot):
    for kind in range(DROID_TYPES):
        if feature(o, n, slot, TYPE + kind) == 1:
            return kind
    return -1


@kernel
def my_slot(o, n):
    """The slot of the card the observer was given; -1 before that."""
    for slot in range(roles(n)):
        if flag(o, n, HOLDER, slot * roles(n)):
            return slot
    return -1


@kernel
def has_repaired(o, n, role, droid):
    """Whether a role has repaired this droid card, by number."""
    if droid <= LAST_OF_TWO:
        at = droid - 1
    else:
        at = LAST_OF_TWO + droid - SECOND_RANGE
    cards = LAST_OF_TWO
    if n == 3:
        cards = LAST_OF_TWO + 22
    elif n == 4:
        cards = LAST_OF_TWO + 44
    return at < cards and flag(o, n, REPAIRED, role * cards + at)


@kernel
def parts(o, n, role, kind):
    """Parts a role can use: in its shed and on its droids 65 and 71."""
    held = count(o, n, SHED_PARTS, role * KINDS + kind, PARTS_SCALE)
    if n >= 3:
        for store in range(len(STORE_DROIDS)):
            if has_repaired(o, n, role, STORE_DROIDS[store]):
                held += count(o, n, STORED, store * KINDS + kind, PARTS_SCALE)
    return held


@kernel
def room(o, n, role, kind):
    return count(o, n, ROOM, role * KINDS + kind, PARTS_SCALE)


@kernel
def droids(o, n, role, kind):
    """Repaired droids of a type."""
    return count(o, n, DROIDS, role * DROID_TYPES + kind, DROIDS_SCALE)


@kernel
def leaves(o, n, role):
    return count(o, n, LEAVES, role, LEAVES_SCALE)


@kernel
def extensions(o, n, role):
    held = 0
    for kind in range(KINDS):
        held += count(o, n, EXTENSIONS, role * KINDS + kind, EXTENSIONS_SCALE)
    return held


@kernel
def is_opponent(n, role):
    """Four players: role 2 is the team mate."""
    return role != 0 and not (n == 4 and role == 2)


@kernel
def touches(n, pair, role):
    """Whether the cards between a pair of seats concern a role."""
    if n == 3:
        return role == pair or role == (pair + 1) % 3
    if n == 4:
        return pair == role // 2
    return pair == 0


@kernel
def pairs(n):
    return 3 if n == 3 else 2 if n == 4 else 1


@kernel
def face_up_beside(o, n, role):
    """Discarded communication droids that count for a role."""
    found = 0
    for pair in range(pairs(n)):
        if touches(n, pair, role):
            found += count(o, n, FACE_UP, pair, CARDS_SCALE)
    return found


@kernel
def has_built(o, n, role, house):
    return flag(o, n, HOUSE_BUILDER, role * NUM_HOUSES + house)


@kernel
def is_within_reach(o, n, house):
    """A house that lies beside the observer, built or not."""
    for pair in range(pairs(n)):
        if touches(n, pair, 0) and flag(o, n, HOUSE_BETWEEN, pair * NUM_HOUSES + house):
            return True
    return False


@kernel
def is_built(o, n, house):
    for role in range(roles(n)):
        if has_built(o, n, role, house):
            return True
    return False


@kernel
def is_available(o, n, house):
    """A house within reach that nobody has built."""
    return is_within_reach(o, n, house) and not is_built(o, n, house)


@kernel
def houses_built(o, n, role):
    built = 0
    for house in range(NUM_HOUSES):
        if has_built(o, n, role, house):
            built += 1
    return built


@kernel
def house_icon(o, n, house, icon):
    """An icon of a house's cost, the extra cost of an opponent's tokens included."""
    extra = 3 if icon == ANY and flag(o, n, HOUSE_TOKENS, NUM_HOUSES + house) else 0
    return HOUSE_COST[house, icon] + extra


@kernel
def pays_energy_less(o, n, role):
    """Droid 42."""
    return 1 if has_repaired(o, n, role, 42) else 0


@kernel
def repair_icon(o, n, role, slot, icon):
    """An icon of a card's repair cost, as a role would pay it."""
    owed = feature(o, n, slot, COST + icon)
    return max(0, owed - pays_energy_less(o, n, role)) if icon == ENERGY else owed
