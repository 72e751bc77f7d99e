"""A position as the checks of ``validity`` look at it: who sits where, who holds what, what has come to pass.

The kernel's rules, restated for plain numbers: kernels can be called from compiled code only.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from .constants import (
    CARD_NAMES,
    CARDS,
    FIRST_NUMBER,
    HAND,
    LANE,
    LAST_NUMBER,
    NOBODY,
    NUM_CARDS,
    NUM_PLACES,
    NUM_SUITS,
    POWERS,
    WILD,
    WILDS,
)
from .state import GAME

if TYPE_CHECKING:
    from .game import Robots


def seat_names(num_players: int) -> tuple[str, ...]:
    """``player_0``, ..."""
    return tuple(f"player_{seat}" for seat in range(num_players))


def cards_in(words: Sequence[int]) -> list[int]:
    """A set of cards as a list, in the order of their numbers."""
    return [card for card in CARDS if words[card >> 6] >> (card & 63) & 1] + [WILD] * (words[1] >> (WILD & 63))


def gaps_of(r: Any, places: int) -> list[int]:
    """By suit the places, as bits, at which a spread on the table could be added to [P2-P4]."""
    gaps = [0] * NUM_SUITS
    for slot in range(int(r["slots"])):
        if r["owner"][slot] == NOBODY:
            continue
        cells = int(r["cells"][slot])
        if r["number"][slot] == 0:
            above = 1 << cells.bit_length()
            gaps[int(r["suit"][slot])] |= (cells & -cells) >> 1 | (above if above < 1 << places else 0)
        else:
            for suit in range(NUM_SUITS):
                if not cells >> suit & 1:
                    gaps[suit] |= 1 << (int(r["number"][slot]) - 1)
    return gaps


class Position:
    """A record as plain numbers (``g``), and what they say about the present and the past."""

    def __init__(self, game: Robots, record: NDArray[Any]) -> None:
        self.game = game
        self.record = record
        self.rules = game.rules
        self.g: Any = SimpleNamespace(**{name: record[name][0].tolist() for name in GAME.names or ()})
        self.players = game.num_players
        self.seats = range(game.num_players)
        self.names = seat_names(game.num_players)
        self.hands = [cards_in(words) for words in self.g.hand]
        self.known = [cards_in(words) for words in self.g.known]
        self.played = [cards_in(words) for words in self.g.played]
        self.heap: list[int] = self.g.heap[: self.g.heap_size]
        self.factory: list[int] = self.g.factory[: self.g.factory_size]
        self.hidden_factory = self.factory[self.g.under :]
        self.acted = cards_in(self.g.acted)
        self.reshuffled = self.shuffled_by(self.g.refills) + [WILD] * self.g.shuffled_wilds
        self.slots = [slot for slot in range(self.g.slots) if self.g.owner[slot] != NOBODY]

    def name(self, seat: int) -> str:
        return (*self.names, "nobody")[seat]

    def all_of(self, seats: Collection[int]) -> str:
        return " and ".join(self.names[seat] for seat in sorted(seats)) or "nobody"

    def power(self, card: int) -> int:
        """The power that is printed on a card."""
        return int(self.rules.tables["power"][0, card])

    def cards_with(self, power: int) -> int:
        """How many cards have a power."""
        return NUM_SUITS * sum(name == POWERS[power] for name in self.rules.powers.values())

    def may_have_been_discarded(self, power: int) -> bool:
        """Whether a card with a power can have been: all see where it goes, until a refill shuffles it [W11]."""
        seen = [*self.heap, *self.factory[: self.g.under], *itertools.chain(*self.known, *self.played)]
        return self.cards_with(power) > 0 and (self.g.refills > 0 or any(self.power(card) == power for card in seen))

    def max_turns(self) -> int:
        """Turns of a round [E5]."""
        return self.rules.max_turns * self.players

    def first_factory(self) -> int:
        """Cards in the factory when a round begins [C6]."""
        return NUM_CARDS - HAND * self.players - 1

    def shuffled_by(self, refill: int) -> list[int]:
        """The suited cards that a refill was the last to shuffle [D4]."""
        return [card for card in CARDS if refill and self.g.shuffled[card] == refill]

    def hidden_wilds(self, seat: int) -> int:
        """Wilds in a hand that nobody knows of."""
        return self.hands[seat].count(WILD) - self.known[seat].count(WILD)

    def drawn_since_a_refill(self, seat: int) -> list[int]:
        """The cards of a hand that nobody else knows of and that a refill had shuffled [W11]."""
        hidden = [card for card in self.hands[seat] if card != WILD and card not in self.known[seat]]
        return [card for card in hidden if self.g.shuffled[card]] + [WILD] * sum(map(bool, self.g.wilds_since[seat]))

    def places_after_dealer(self, seat: int) -> int:
        """0 for whoever has the first turn of the round [C7]."""
        return int(seat - self.g.dealer - 1) % self.players

    def cards_of(self, slot: int, seat: int) -> int:
        """How many cards of a spread a seat has played."""
        suited = sum(self.card_at(slot, cell) in self.played[seat] for cell in self.cells(slot))
        return suited + bin(self.g.wilds_by[slot][seat]).count("1")

    def cells(self, slot: int) -> list[int]:
        """The cells of a spread, from the lowest."""
        return [cell for cell in range(NUM_PLACES) if self.g.cells[slot] >> cell & 1]

    def card_at(self, slot: int, cell: int) -> int:
        """The card that fills a cell."""
        if self.g.wild_cells[slot] >> cell & 1:
            return WILD
        run = self.g.number[slot] == 0
        suit, place = (self.g.suit[slot], cell) if run else (cell, self.g.number[slot] - 1)
        return int(LANE * suit + (0 if self.g.star_cells[slot] >> cell & 1 else place))

    def fits(self, card: int) -> bool:
        """Whether a card could be added to a spread on the table, whosesoever [C3, P2-P4]."""
        high = self.rules.star_high - 1
        gaps = [int(self.g.gaps[0]) >> LANE * suit & (1 << LANE) - 1 for suit in range(NUM_SUITS - 1)]
        gaps.append(int(self.g.gaps[1]))
        if card == WILD:
            return any(gaps)
        suit, place = divmod(card, LANE)
        return any(gaps[suit] >> p & 1 for p in ((0, high) if place == 0 else (place,)))

    def may_add(self, seat: int) -> bool:
        """[P5, W2]"""
        return bool(self.g.owned[seat] > 0 and not self.g.barred[seat])

    def can_draw(self) -> bool:
        """Whether there is a card in the factory, or a refill brings one [D4]."""
        return bool(self.factory or (self.g.refills < self.rules.max_refills and len(self.heap) >= 2))


def named(cards: Iterable[int], most: int = 8) -> str:
    """Cards in a message."""
    names = [CARD_NAMES[card] for card in cards]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(names[:most]) or "none") + more


def points_at_stake(game: Robots) -> tuple[int, int]:
    """What a round can bring a player at least and at most [E2, E3]."""
    points = game.rules.tables["points"][0]
    cards = int(sum(int(points[card]) for card in CARDS) + WILDS * int(points[WILD]))
    return -cards, cards + (LAST_NUMBER - FIRST_NUMBER + 1) * game.rules.robot_bonus
