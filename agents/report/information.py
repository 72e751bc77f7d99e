"""How much a player cannot know: the exact number of hidden deals that fit what it does know.

Counted are the tables among which ``resample`` draws: those that agree with all that lies open and with what the player
has seen. What could be inferred from how others have played is not used.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

from lastdroid_env import LastDroid
from lastdroid_env.constants import MAX_DECKS, SEASONS
from robots_env import Robots
from robots_env.constants import WILD
from robots_env.position import Position


def orders_of_decks(game: LastDroid) -> int:
    """In how many orders the cards of Last Droid's decks may lie for all that anybody knows.

    Each season of each deck is shuffled by itself, and its cards are known; with ``open_deck`` the next one lies face
    up [S6, S9].
    """
    record = game.record[0]
    seasons = game.tables["card"]["season"][0]
    number = 1
    for deck in range(MAX_DECKS):
        hidden = [int(card) for card in record["deck"][deck, int(record["drawn"][deck]) :] if card > 0]
        for season in range(1, SEASONS + 1):
            cards = sum(int(seasons[card]) == season for card in hidden)
            if record["open_deck"] and season == record["season"]:
                cards = max(cards - 1, 0)
            number *= math.factorial(cards)
    return number


def deals_of_cards(game: Robots, seat: int) -> tuple[int, int]:
    """How many hands of the others, and how many tables (hands and the order of the factory), fit what a seat of
    Robots! knows when it decides [W11].

    Cards that the same refill shuffled last are dealt among themselves (``robots_env.resampling``); wilds are alike.
    """
    p = Position(game, game.record)
    last = int(p.g.refills)
    held: dict[int, Counter[int]] = {}  # by other seat: how many hidden cards of each refill
    pools: dict[int, list[int]] = {refill: [] for refill in range(last + 1)}
    for other in p.seats:
        if other == seat:
            continue
        unknown = Counter(p.hands[other]) - Counter(p.known[other])
        refills = [int(p.g.shuffled[card]) for card in unknown if card != WILD]
        cards = [card for card in unknown if card != WILD] + [WILD] * unknown[WILD]
        refills += p.g.wilds_since[other][: unknown[WILD]]
        held[other] = Counter(refills)
        for card, refill in zip(cards, refills, strict=True):
            pools[refill].append(card)
    pools[last] += p.hidden_factory
    hands = tables = 1
    for refill, pool in pools.items():
        sizes = [counts[refill] for counts in held.values()]
        drawn = len(p.hidden_factory) if refill == last else 0
        of_hands, of_tables = _ways(pool.count(WILD), len(pool) - pool.count(WILD), sizes, drawn)
        hands *= of_hands
        tables *= of_tables
    return hands, tables


def _ways(wilds: int, suited: int, hands: Sequence[int], factory: int) -> tuple[int, int]:
    """In how many ways suited cards, all different, and wilds, all alike, fill hands of these sizes and so many places
    of the factory: first the hands alone, then with the order of the factory."""
    assert sum(hands) + factory == wilds + suited
    of_hands = of_tables = 0
    for shares in itertools.product(*(range(min(size, wilds) + 1) for size in hands)):
        left = wilds - sum(shares)
        if not 0 <= left <= factory:
            continue
        ways, cards = 1, suited
        for size, share in zip(hands, shares, strict=True):
            ways *= math.comb(cards, size - share)
            cards -= size - share
        of_hands += ways
        of_tables += ways * math.comb(factory, left) * math.factorial(cards)
    return of_hands, of_tables


def log10(number: int) -> float:
    """Of a whole number however large."""
    return math.log10(number)
