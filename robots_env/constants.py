"""The nouns of Robots! as numbers: cards, powers, decisions, stages.

Everything here is fixed by the rules (ids in brackets, see ``docs/robots/rules.md``). What the rules leave to a table,
or to what is printed on the cards, is data: see ``ruleset.toml``.

A card is a number, 16 * suit + place: place 0 is the suit's star, place n - 1 its number n. A set of cards is a pair of
64-bit words with bit ``card % 64`` of word ``card // 64`` set: suits 0-3 are the four 16-bit lanes of the first word,
suit 4 is the first lane of the second. The four wilds are alike and share one number, 80, whose lane (the second of the
second word) counts them. See ``bits``.
"""

from __future__ import annotations

# Cards [C1].
SUITS = ("green", "purple", "white", "red", "blue")
NUM_SUITS = 5
FIRST_NUMBER, LAST_NUMBER = 2, 14
NUM_CARDS = 74
WILDS = 4
LANE = 16
WILD = LANE * NUM_SUITS
NO_CARD = -1
SUIT_CARDS = 14  # the star, then 2-14
SUITED = NUM_SUITS * SUIT_CARDS
NUM_KINDS = SUITED + 1  # 70 different cards and the wild
CARDS = tuple(LANE * suit + place for suit in range(NUM_SUITS) for place in range(SUIT_CARDS))
DECK = CARDS + (WILD,) * WILDS
CARD_NUMBERS = WILD + 1  # arrays over cards have so many rows

# Places, 0 to 14: what a card may stand for is 1 (a star) to 15 (a star, with star_high = 15) [C3, P4].
NUM_PLACES = 15
STAR_HIGH_CHOICES = (14, 15)

# Spreads [P2]. Each holds three of the 74 cards or more.
SPREAD = 3
MAX_SPREADS = NUM_CARDS // SPREAD
WINDOWS = NUM_PLACES - SPREAD + 1  # places at which the lowest card of a run can stand
# The three suits with which a set is laid, in the order of the actions.
THREE_SUITS = tuple(
    (a, b, c) for a in range(NUM_SUITS) for b in range(a + 1, NUM_SUITS) for c in range(b + 1, NUM_SUITS)
)
NO_SPREAD, RUN, SET = range(3)

# Players [C5, C6].
MAX_SEATS = 5
NOBODY = -1
HAND = 7
EXTRA_CARDS = 2  # W2

# Powers [section 3].
NO_POWER, RECYCLE, EXTRA_PARTS, TRACTOR_BEAM, LASER, SHORT_CIRCUIT = range(6)
POWERS = ("none", "recycle", "extra parts", "tractor beam", "laser", "short circuit")

# The procedure (``stage``): where in the turn the table stands.
(
    DRAWING,  # D1
    PLAYING,  # P1, then K1
    RESOLVING,  # W1-W10: powers of what has been discarded
    CALLING,  # K3
    TURN_OVER,  # K1, E5; no decision stands here or at the next
    ROUND_OVER,  # E1, E5
    FINISHED,
) = range(7)
STAGES = ("drawing", "playing", "resolving", "calling", "turn over", "round over", "finished")

# What is being decided (``decision``).
(
    TO_DRAW,  # D1: the factory, or a card of the heap; declining where only the heap is left [E5]
    TO_PLAY,  # P1, K1: a new spread, an addition or the discard
    TO_SUBSTITUTE,  # C3, C4: a wild or star in a new spread in place of the number card at hand
    TO_PLACE,  # P5, C3, C4: the spread (and end) to which the card is added
    TO_NAME,  # C4: the suit that a wild stands for in a set
    TO_RECYCLE,  # W1: a card of the heap, or none
    TO_DRAW_PARTS,  # W2: draw, or not
    TO_LAY,  # W2: a card from hand
    TO_AIM,  # W4: a card of an opponent's spread, or none
    TO_CALL,  # K3: call, or not
    OVER,
) = range(11)
DECISIONS = (
    "draw",
    "play",
    "substitute",
    "place",
    "name the suit",
    "recycle",
    "extra parts",
    "lay",
    "aim",
    "call",
    "over",
)


def card_number(suit: int, value: int) -> int:
    """The card of a suit (0-4) with a value: 1 for the star, 2-14."""
    return LANE * suit + value - 1


def card_name(card: int) -> str:
    """``"green 5"``, ``"blue star"`` or ``"wild"``."""
    if card == WILD:
        return "wild"
    place = card % LANE
    return f"{SUITS[card // LANE]} {place + 1 if place else 'star'}"


CARD_NAMES = {card: card_name(card) for card in (*CARDS, WILD)}
