"""A position as the checks of ``validity`` look at it: who sits where, which cards came when, who owns what.

The kernel's seating and order, restated for plain numbers: kernels can be called from compiled code only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from .constants import (
    ACTING,
    APPLYING,
    AUTO,
    COLUMN,
    COMMUNICATION,
    DISCARDED,
    FACE_UP,
    FINAL_EXCHANGE,
    FINAL_EXTENSION,
    FINISHED,
    FIRST_HOUSE,
    KINDS,
    NOBODY,
    NUM_CARDS,
    NUM_HOUSES,
    ON_TABLE,
    REPAIRED,
    SEASON_EXCHANGE,
    SEASON_EXTENSION,
    TURNS,
)
from .icons import Icons
from .names import seat_names, seat_pairs
from .state import GAME

if TYPE_CHECKING:
    from .game import LastDroid

TURN_IS_OVER = (SEASON_EXCHANGE, SEASON_EXTENSION, FINAL_EXCHANGE, FINAL_EXTENSION, FINISHED)
"""Stages after everybody's action."""


class Position:
    """A record as plain numbers (``g``), and what they say about the present and the past."""

    def __init__(self, game: LastDroid, record: NDArray[Any]) -> None:
        self.game = game
        self.record = record
        self.g: Any = SimpleNamespace(**{name: record[name][0].tolist() for name in GAME.names or ()})
        self.card = game.tables["card"][0]
        self.players = game.num_players
        self.names = seat_names(game.num_players)
        self.seats = len(self.names)
        self.pairs = seat_pairs(game.num_players)
        self.types: list[int] = self.card["type"].tolist()

    def priority(self, turn: int) -> int:
        """The priority player of this or an earlier turn [E3]."""
        return int(self.g.priority - self.g.turn + turn) % self.seats

    def order(self, turn: int) -> list[int]:
        """The seats in T2's order; four players: by distributor position [T2, D4]."""
        places = (0, 3, 1, 2) if self.seats == 4 else range(self.seats)
        return [(self.priority(turn) + place) % self.seats for place in places]

    def revealed(self, turn: int) -> list[int]:
        """The cards of a turn by slot [D1, D3]."""
        decks = 2 if self.seats == 4 else 1
        each = self.seats // decks
        return [card for deck in self.g.deck[:decks] for card in deck[each * (turn - 1) : each * turn]]

    def assignments(self, turn: int) -> list[tuple[int, ...]]:
        """To whom the cards of a turn may go, by slot [D1, D3, O4, O5]."""
        if self.seats == 4:
            one, two, three, four = self.order(turn)
            return [a + b for a in ((one, three), (three, one)) for b in ((two, four), (four, two))]
        if self.players == 1 and self.priority(turn) == AUTO:
            first, second = map(self.interest, self.revealed(turn))
            if first != second:
                return [(AUTO, 0) if first > second else (0, AUTO)]
        return list(itertools.permutations(range(self.seats)))

    def interest(self, card: int) -> int:
        """[O6]"""
        shifts = self.card["interest_shift"][:, self.types[card]]
        houses = [FIRST_HOUSE + i for i, pair in enumerate(self.g.between) if pair != NOBODY]
        return int(self.card["interest"][card]) + sum(int(shifts[house]) for house in houses)

    def acting_order(self, turn: int) -> list[int]:
        """Who acts when; solo: you first if both cards are communication droids [T2, O8]."""
        if self.players == 1 and len(self.communication(turn)) == 2:
            return [0, AUTO]
        return self.order(turn)

    def acted(self) -> list[int]:
        """The seats whose action of this turn is over."""
        if self.g.stage in TURN_IS_OVER:
            return self.order(self.g.turn)
        if self.g.stage != ACTING:
            return []
        return self.acting_order(self.g.turn)[: self.g.order]

    def actor(self) -> int:
        """The seat whose turn it is to act."""
        return self.acting_order(self.g.turn)[int(self.g.order)]

    def communication(self, turn: int) -> list[int]:
        """The communication droids among a turn's cards."""
        return [card for card in self.revealed(turn) if self.types[card] == COMMUNICATION]

    def owns(self, seat: int, card: int) -> bool:
        """Whether the seat has repaired the droid."""
        return bool(self.g.place[card] == REPAIRED + seat)

    def droids(self, seat: int) -> list[int]:
        """The droids that a seat has repaired, by number."""
        return [card for card in range(1, NUM_CARDS + 1) if self.owns(seat, card)]

    def capacity(self, seat: int, kind: int) -> int:
        """Parts that the column takes [C5]."""
        return int(COLUMN + self.g.extensions[seat][kind])

    def houses_beside(self, seat: int) -> list[int]:
        """Houses that lie beside a seat, built or not, by number - 45 [S2-S4]."""
        return [i for i, pair in enumerate(self.g.between) if pair != NOBODY and seat in self.pairs[pair]]

    def built(self, seat: int) -> list[int]:
        """Houses that a seat has built, by number - 45."""
        return [i for i in range(NUM_HOUSES) if self.g.builder[i] == seat]

    def decks_empty(self) -> bool:
        """Whether this is the last turn [C2]."""
        return bool(self.g.turn == TURNS)

    def speakers(self) -> int:
        """How many players may name a card [D2, D3]."""
        if not self.g.table_talk or self.players == 1:
            return 0
        return 2 if self.players == 4 else self.players - 1

    def choices(self) -> int:
        """How many choices share out a turn's cards [D1, D3]."""
        return 2 if self.players >= 3 else 1

    def named(self, seats: Sequence[int]) -> list[str]:
        """Seats by name, in a message."""
        return [(*self.names, "nobody")[seat] for seat in seats] or ["none"]

    def lying(self, cards: Sequence[int]) -> str:
        """Cards and where they lie, in a message."""
        texts = []
        for card in cards:
            place = self.g.place[card]
            if place >= REPAIRED:
                where = f"repaired by {self.names[place - REPAIRED]}"
            elif place >= FACE_UP:
                where = "face up between " + " and ".join(self.named(self.pairs[place - FACE_UP]))
            else:
                where = {DISCARDED: "discarded", ON_TABLE: "not played"}.get(place, "in the deck")
            texts.append(f"{card} ({where})")
        return ", ".join(texts)

    def turns_played(self, seat: int) -> int:
        """Turns in which the seat has laid down a droid, or built."""
        under_way = self.g.stage == ACTING and self.g.task == APPLYING and seat == self.actor()
        return int(self.g.turn - 1 + (seat in self.acted() or under_way))

    def everyone_has_a_house(self, built_since: Sequence[int]) -> bool:
        """Whether each player has an available house, those built since counted as available [E2]."""
        return all(
            any(self.g.builder[i] == NOBODY or i in built_since for i in self.houses_beside(seat))
            for seat in range(self.players)
        )

    def player_order(self) -> list[int]:
        """The players in T2's order."""
        return [seat for seat in self.order(self.g.turn) if seat < self.players]

    def cost(self, number: int) -> Icons:
        """The printed cost of a card [A4]."""
        card = self.card[number]
        return _icons(card["cost"], card["cost_pairs"], card["cost_any"])

    def gain(self, number: int) -> Icons:
        """What dismantling a card gives [A2]."""
        card = self.card[number]
        return _icons(card["gain"], card["gain_pairs"], card["gain_any"])

    def gifts(self, number: int) -> list[Icons]:
        """The parts that a card gives at once, by alternative [F4, F8, F9, H46]."""
        card = self.card[number]
        alternatives = range(int(card["effect_alternatives"]))
        return [_icons(card["effect"][i], card["effect_pairs"][i], card["effect_any"][i]) for i in alternatives]

    def owed(self) -> Icons:
        """Pairs and ``?`` still to be paid [A4]."""
        return _icons((0,) * KINDS, self.g.owed_pairs, self.g.owed_any)

    def due(self) -> Icons:
        """Pairs and ``?`` still to be gained [A5]."""
        return _icons((0,) * KINDS, self.g.due_pairs, self.g.due_any)


def _icons(parts: Iterable[Any], pairs: Iterable[Any], any_: Any) -> Icons:
    return Icons(tuple(int(n) for n in parts), tuple(int(pair) for pair in pairs if pair), int(any_))


def without(icons: Icons, due: Icons) -> Icons:
    """Icons without the pairs and ``?`` that are still due, which are the last ones [A5]."""
    pairs = icons.pairs[: max(0, len(icons.pairs) - len(due.pairs))]
    return Icons(icons.parts, pairs, max(0, icons.any - due.any))
