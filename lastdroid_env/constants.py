"""The nouns of Last Droid as numbers: parts, droid types, decisions, stages, places of a card.

Everything here is fixed by the rulebook (ids in brackets, see ``docs/lastdroid/rules.md``). What is printed
on the cards only is data: see ``cards.toml``.
"""

from __future__ import annotations

# Parts [C1]. Base parts come first, so ``range(3)`` runs over them.
NUT, OIL, CIRCUIT, ENERGY = range(4)
PARTS = ("nut", "oil", "circuit", "energy")
BASE_KINDS = 3
KINDS = 4

# What a pair icon asks for [C8]; 0 in a list of pairs means "no pair".
NO_PAIR, SAME, DIFFERENT = range(3)
MAX_PAIRS = 3
# The two kinds of "different pair" number 0, 1 and 2.
DIFFERENT_FIRST = (NUT, NUT, OIL)
DIFFERENT_SECOND = (OIL, CIRCUIT, CIRCUIT)

# Droid types [C3]; houses are the seventh type and never counted as a droid type [H50].
WATER, HARVEST, COMMUNICATION, SHED, COLLECTION, MARKET, HOUSE = range(7)
TYPES = ("water", "harvest", "communication", "shed", "collection", "market", "house")
DROID_TYPES = 6

# Cards [C2]. Arrays over cards have NUM_CARDS + 1 rows: a card's number is its index.
NUM_CARDS = 102
FIRST_HOUSE, NUM_HOUSES = 45, 14
TWO_PLAYER_DROIDS = tuple(range(1, 45))
THREE_PLAYER_DROIDS = tuple(range(59, 81))
FOUR_PLAYER_DROIDS = tuple(range(81, 103))
MAX_DECKS = 2
MAX_DECK = 66
TURNS = 22
SEASONS = 3

TYPE_MEMBERS = {
    WATER: (2, 4, 6, 19, 23, 24, 34, 40, 43, 60, 70, 79, 80, 84, 90, 94, 99, 101),
    HARVEST: (3, 5, 8, 17, 18, 21, 35, 37, 41, 61, 66, 68, 76, 81, 91, 97, 98, 100),
    COMMUNICATION: (1, 9, 15, 28, 29, 32, 33, 39, 44, 59, 64, 67, 69, 74, 75, 85, 89, 102),
    SHED: (13, 14, 30, 31, 36, 63, 73, 78, 83, 93),
    COLLECTION: (7, 11, 12, 25, 26, 27, 38, 65, 71, 82, 86, 87, 95, 96),
    MARKET: (10, 16, 20, 22, 42, 62, 72, 77, 88, 92),
    HOUSE: tuple(range(45, 59)),
}

# Droids that the rules treat by number [F4-F12].
EXTENSION_DROIDS = (13, 14, 30, 63, 73, 78, 83, 93)  # F4
TOKEN_DROID = 31  # F5
WILD_TYPE_DROID = 36  # F6
BONUS_DROIDS = (7, 11, 12, 96)  # F7
GIFT_DROIDS = (25, 26, 27, 38, 82, 86, 87, 95)  # F8
STORE_DROIDS = (65, 71)  # F9
LIMITED_MARKET_DROIDS = (10, 16, 62, 72, 88, 92)  # F10
UNLIMITED_MARKET_DROIDS = (20, 22, 77)  # F11
EXCHANGE_DROIDS = (10, 16, 20, 22, 62, 72, 77, 88, 92)  # F10, F11: those with exchanges of their own
DISCOUNT_DROID = 42  # F12
TOKENS = 3  # F5
BONUS_ANY = 3 + 1  # F7, droid 96: one base part of choice

# Sheds [C5].
COLUMN = 3

# Exchanges [X1, X2]: the twelve of X1 that are offered [X4], then MARKET_ALTERNATIVES for each exchange droid.
BASIC_EXCHANGES = 12
BASIC_GIVE = (ENERGY, ENERGY, ENERGY, NUT, NUT, OIL, OIL, CIRCUIT, CIRCUIT, NUT, OIL, CIRCUIT)
BASIC_COUNT = (1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3)
BASIC_GET = (NUT, OIL, CIRCUIT, OIL, CIRCUIT, NUT, CIRCUIT, NUT, OIL, ENERGY, ENERGY, ENERGY)
MARKET_ALTERNATIVES = 8
NUM_EXCHANGES = BASIC_EXCHANGES + len(EXCHANGE_DROIDS) * MARKET_ALTERNATIVES
GIFT_ALTERNATIVES = 3  # F8: at most so many alternatives on a card

# Seats and the places between them.
MAX_SEATS = 4
MAX_PAIRS_OF_SEATS = 3
NOBODY = -1
AUTO = 1  # the Auto-Ecomechanic's seat in the solo game [O1]

# Where a droid card is (``place``).
NOT_IN_GAME = 0
IN_DECK = 1
ON_TABLE = 2  # revealed this turn, nothing done with it yet
DISCARDED = 3  # face down, seen by all [S9]
FACE_UP = 4  # + pair of seats: a discarded communication droid [A6]
REPAIRED = 8  # + seat

# The procedure (``stage``): where in the turn, the season's end or the game's end the table stands.
(
    CHOOSING,  # D1-D5
    EXCHANGING,  # X1-X6
    ACTING,  # A1-A7
    SEASON_EXCHANGE,  # N1
    SEASON_EXTENSION,  # N2
    FINAL_EXCHANGE,  # G1
    FINAL_EXTENSION,  # N4, setting extension_after_season_3
    FINISHED,
) = range(8)
STAGES = (
    "choosing",
    "exchanging",
    "acting",
    "season exchange",
    "season extension",
    "final exchange",
    "final extension",
    "finished",
)

# What is being decided (``decision``).
(
    WISH,  # D2: name a revealed card, or none
    GIVE,  # D1, D3: which card the recipient gets
    TIE,  # O5: which card you take when the interests are equal
    EXCHANGE,  # X1, X2, or pass
    ACTION,  # A1-A3
    PAY_PAIR,  # A4
    PAY_ANY,  # A4
    ALTERNATIVE,  # F8
    EXTENSION,  # N2, F4-F6: a column
    GAIN_PAIR,  # A5
    GAIN_ANY,  # A5, F7, F9
    BESIDE,  # A6: the opponent beside whom a communication droid goes
    TOKEN,  # F5: the house that gets the tokens
    OVER,
) = range(14)
DECISIONS = (
    "wish",
    "give",
    "tie",
    "exchange",
    "action",
    "pay pair",
    "pay any",
    "alternative",
    "extension",
    "gain pair",
    "gain any",
    "beside",
    "token",
    "over",
)

# What the acting seat is in the middle of (``task``).
IDLE, REPAIRING, BUILDING, DISMANTLING, DISCARDING, APPLYING = range(6)
TASKS = ("idle", "repairing", "building", "dismantling", "discarding", "applying")

# Houses whose effect looks at droid types, and so at droid 36 [F6].
WILD_TYPE_HOUSES = (49, 50, 52, 55)
WILD_TYPE_HOUSES_EXTRA = (47, 48)
