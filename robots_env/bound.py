"""How long a match can last at most: the proof, as a number.

A turn begins with one draw. In the play phase no card comes into the hand, and every play uses cards up: an addition
one card with at most 3 decisions (the card, the spread, the suit of a wild in a set), a new spread three cards with at
most 5 (the spread, three substitutions, laying it). Then there is one discard or none. The power of each of the 65
numbered cards acts at most once a turn [W10]: one decision each, and two cards laid for each one with Extra Parts. Each
other player is asked to call once, and one of them says where the card goes [K3]. A round has at most ``max_turns``
turns a player [E5], a match ``max_rounds`` rounds [E6] or as many as agreed.
"""

from __future__ import annotations

from .constants import EXTRA_CARDS, NUM_CARDS, NUM_SUITS
from .ruleset import RuleSet

_CARD = 3  # decisions for one card played
_PLACE = 2  # decisions for where a card goes


def max_turn_decisions(num_players: int, rules: RuleSet) -> int:
    """Decisions of one turn, at most."""
    powers = NUM_SUITS * len(rules.powers)
    lays = EXTRA_CARDS * NUM_SUITS * list(rules.powers.values()).count("extra parts")
    return 1 + _CARD * NUM_CARDS + 1 + powers + lays + (num_players - 1) + _PLACE


def max_decisions(num_players: int, rules: RuleSet, rounds: int = 0) -> int:
    """Decisions of a match of so many rounds (0: to the target score), at most."""
    return (rounds or rules.max_rounds) * rules.max_turns * num_players * max_turn_decisions(num_players, rules)
