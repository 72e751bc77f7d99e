"""How long a game can last at most: the proof, as a number.

A game has at most 22 turns [C2, E2] and three exchange phases a player besides (two season ends, one game end). Every
decision outside the exchanges uses up something that is counted out beforehand: a wish, a card to give, an action, an
icon to pay or to gain, an extension, a season's extension. That leaves the exchanges of one phase.

``exchange_weights`` gives each kind of part a positive whole number so that every unlimited exchange lowers the
weighted total of a player's parts by at least 1 [X5]. A limited exchange of a droid can raise it, by a known amount, a
known number of times [X6]. So with W the greatest weighted total that sheds and droids 65 and 71 can hold, and r the
greatest raise of a droid used u times, a phase has at most W + sum of u (r + 1) exchanges, and one pass.
"""

from __future__ import annotations

from .cards import CardTables
from .constants import (
    COLUMN,
    EXCHANGE_DROIDS,
    MAX_PAIRS,
    SEASONS,
    STORE_DROIDS,
    TOKENS,
    TURNS,
)
from .observation import droids_in_game


def max_exchanges(num_players: int, cards: CardTables) -> int:
    """Exchanges that one player can make in one phase, at most."""
    card = cards.tables["card"][0]
    droids = list(droids_in_game(num_players))
    weights = cards.weights
    extensions = SEASONS + int(card["extensions"][droids].sum() + card["free_extensions"][droids].sum())
    most = COLUMN * sum(weights) + extensions * max(weights)
    for droid in set(STORE_DROIDS) & set(droids):
        most += max(weights) * int(card["effect"][droid, 0].sum() + card["effect_any"][droid, 0])
    for droid in set(EXCHANGE_DROIDS) & set(droids):
        uses = int(cards.tables["exchange_uses"][0, droid])
        if uses:
            rows = cards.tables["exchange_droid"][0] == droid
            change = cards.tables["exchange_get"][0][rows] - cards.tables["exchange_give"][0][rows]
            most += uses * (max(0, int((change @ list(weights)).max())) + 1)
    return most


def max_decisions(num_players: int, cards: CardTables) -> int:
    """Decisions of a game with these cards, at most, whatever the settings."""
    card = cards.tables["card"][0]
    phase = max_exchanges(num_players, cards) + 1
    choosing = 2 * num_players  # wishes and gifts
    paying = MAX_PAIRS + int(card["cost_any"].max()) + TOKENS
    gaining = MAX_PAIRS + int(max(card["gain_any"].max(), card["effect_any"].max())) + 1  # and the bonus of droid 96
    effect = 1 + int(card["free_extensions"].max()) + 1  # the alternative, the extensions, the house with tokens
    action = 1 + paying + gaining + effect + 1  # and the opponent beside whom a card is laid
    turn = choosing + num_players * (phase + action)
    season_end = num_players * (phase + 1)
    return TURNS * turn + SEASONS * season_end
