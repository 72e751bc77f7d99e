"""Snapshots: a match as a JSON-able dict of readable names, and back.

``schema.Snapshot`` is the one schema of both directions. Reading has three steps: the structure (types, fields,
ranges), names to numbers (``reading``), and then ``validity``, which refuses every position that the rules cannot lead
to. Tallies are not written but counted anew.

Writing a position by hand: players are ``"player_0"``, ...; cards ``"green 5"``, ``"blue star"``, ``"wild"``; each of
the 74 must lie somewhere. Both piles lie bottom card first: the last of ``factory`` is drawn next, the last of ``heap``
is its top. ``spreads`` come in the order in which actions number them, ``None`` where one is gone. A card in a spread
is a table (``card``, ``stands_for``, ``by``) or just a text: ``"green 5"`` is a card that stands for itself, played by
the spread's owner. Wilds and stars need ``stands_for``: ``"green 14"``, of a low star ``"green 1"``. The order of the
cards of a hand or a spread says nothing. Fields with a default in ``schema`` may be left out; ``to_snapshot`` writes
all of them. The first decision of a match, as short as can be::

    {
        "game": "robots", "settings": game.settings(), "seed": 0, "generator": 0,
        "dealer": "player_1", "player": "player_0",
        "stage": "drawing", "decision": "draw", "actor": "player_0",
        "players": [{"name": "player_0", "hand": [...]}, {"name": "player_1", "hand": [...]}],
        "factory": [...], "heap": ["red 4"],
    }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from numpy.typing import NDArray

from tabletop.snapshots import structure

from . import validity
from .constants import (
    CARD_NAMES,
    CARDS,
    DECISIONS,
    LANE,
    NO_CARD,
    NO_SPREAD,
    NOBODY,
    NUM_PLACES,
    POWERS,
    SET,
    STAGES,
    SUITS,
    WILD,
)
from .position import cards_in, seat_names
from .reading import CARD_NUMBERS_BY_NAME, KINDS, Reader
from .schema import Adding, Laid, Laying, Player, Settings, Snapshot, Spread, Turn
from .state import GAME

if TYPE_CHECKING:
    from .game import Robots


def to_snapshot(game: Robots) -> dict[str, Any]:
    """The game as a JSON-able dict."""
    if not game.started:
        raise ValueError("there is no game yet: deal one first")
    g: dict[str, Any] = {name: game.record[name][0].tolist() for name in GAME.names or ()}
    names = seat_names(game.num_players)

    def seat_name(seat: int) -> str | None:
        return None if seat == NOBODY else names[seat]

    def card_name(card: int) -> str | None:
        return None if card == NO_CARD else CARD_NAMES[card]

    def named(cards: Sequence[int]) -> list[str]:
        return [CARD_NAMES[card] for card in cards]

    def shuffled_by(refill: int) -> list[str]:
        wilds = g["shuffled_wilds"] if refill == g["refills"] else 0
        return named([card for card in CARDS if g["shuffled"][card] == refill] + [WILD] * wilds)

    def spread(slot: int) -> Spread | None:
        if g["owner"][slot] == NOBODY:
            return None
        laid = _laid(
            g["suit"][slot], g["number"][slot] - 1, g["cells"][slot], g["wild_cells"][slot], g["star_cells"][slot]
        )
        for cell, card in laid.items():
            card.by = names[_player_of(g, slot, cell, card.card)]
        return Spread(
            owner=names[g["owner"][slot]],
            kind=KINDS[g["number"][slot] > 0],
            cards=list(laid.values()),
            robot=seat_name(g["robot"][slot]),
        )

    def laying() -> Laying | None:
        if g["laying"] == NO_SPREAD:
            return None
        laid = _laid(
            g["laying_suit"], g["laying_number"] - 1, g["laying_cells"], g["laying_wilds"], g["laying_stars"]
        ).values()
        for card in laid:
            card.by = names[g["player"]]
        return Laying(kind=KINDS[g["laying"] == SET], cards=list(laid), next=g["laying_from"])

    snapshot = Snapshot(
        game=game.name,
        settings=Settings(**game.settings()),
        seed=g["seed"],
        generator=g["rng"],
        decisions=g["decisions"],
        round=g["round_number"],
        turns=g["turns"],
        truncated=g["truncated"] == 1,
        dealer=names[g["dealer"]],
        player=names[g["player"]],
        stage=STAGES[g["stage"]],
        decision=DECISIONS[g["decision"]],
        actor=seat_name(g["actor"]),
        players=[
            Player(
                name=name,
                hand=named(cards_in(g["hand"][seat])),
                known=named(cards_in(g["known"][seat])),
                wilds_since=[refill for refill in g["wilds_since"][seat] if refill],
                score=g["scores"][seat],
                round_score=g["round_scores"][seat],
                barred=g["barred"][seat] == 1,
                skipped=g["skipped"][seat] == 1,
            )
            for seat, name in enumerate(names)
        ],
        factory=named(g["factory"][: g["factory_size"]]),
        heap=named(g["heap"][: g["heap_size"]]),
        under=g["under"],
        refills=g["refills"],
        reshuffled=[shuffled_by(refill + 1) for refill in range(g["refills"])],
        spreads=[spread(slot) for slot in range(g["slots"])],
        turn=Turn(
            must_play=card_name(g["must_play"]),
            taken=card_name(g["taken"]),
            discarded=g["discarded"] == 1,
            power=POWERS[g["power"]],
            lays=g["lays"],
            skip=g["skip"] == 1,
            acted=named(cards_in(g["acted"])),
            order=g["order"],
        ),
        adding=None
        if g["adding"] == NO_CARD
        else Adding(card=CARD_NAMES[g["adding"]], set=None if g["target"] == NOBODY else g["target"] + 1),
        laying=laying(),
    )
    return dict(msgspec.to_builtins(snapshot))


def _laid(suit: int, place: int, cells: int, wilds: int, stars: int) -> dict[int, Laid]:
    """The cards of a spread by cell: of a run of a suit (-1 for a set) or of a set of a place (-1 for a run)."""
    laid = {}
    for cell in range(NUM_PLACES):
        if not cells >> cell & 1:
            continue
        its_suit, its_place = (cell, place) if suit == NOBODY else (suit, cell)
        card = LANE * its_suit + (0 if stars >> cell & 1 else its_place)
        laid[cell] = Laid(
            card=CARD_NAMES[WILD if wilds >> cell & 1 else card], stands_for=f"{SUITS[its_suit]} {its_place + 1}"
        )
    return laid


def _player_of(g: Mapping[str, Any], slot: int, cell: int, name: str) -> int:
    """Who played a card of a spread."""
    card = CARD_NUMBERS_BY_NAME[name]
    if card == WILD:
        return next(seat for seat, cells in enumerate(g["wilds_by"][slot]) if cells >> cell & 1)
    return next(seat for seat, words in enumerate(g["played"]) if words[card >> 6] >> (card & 63) & 1)


def from_snapshot(game: Robots, snapshot: Mapping[str, Any]) -> NDArray[Any]:
    """A record of a snapshot; ``ImpossibleState`` names the field that is wrong, what was found and what is allowed."""
    record = Reader(game, structure(snapshot, Snapshot)).record()
    validity.check(game, record)
    return record
