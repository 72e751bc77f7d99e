"""Snapshots: a game as a JSON-able dict of readable names, and back.

``Snapshot`` is the one schema of both directions. Reading has three steps: the structure (types, fields, ranges), names
to numbers, and then ``validity``, which refuses every position that the rules cannot lead to. Tallies are not written
but counted anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from tabletop.jit import kernel_view
from tabletop.snapshots import (
    Struct,
    check_game,
    check_setting,
    check_word_of_64_bits,
    refuse,
    shown,
    structure,
    word,
    word_or_none,
)

from . import validity
from .constants import (
    BASE_KINDS,
    DECISIONS,
    DIFFERENT,
    EXCHANGE_DROIDS,
    FACE_UP,
    FIRST_HOUSE,
    GIFT_ALTERNATIVES,
    HOUSE,
    IDLE,
    IN_DECK,
    MAX_DECK,
    MAX_DECKS,
    MAX_PAIRS,
    MAX_SEATS,
    NOBODY,
    NOT_IN_GAME,
    NUM_CARDS,
    NUM_HOUSES,
    ON_TABLE,
    PARTS,
    REPAIRED,
    SAME,
    SEASONS,
    STAGES,
    STORE_DROIDS,
    TASKS,
    TURNS,
)
from .constants import DISCARDED as FACE_DOWN
from .names import seat_names, seat_pairs
from .state import GAME

if TYPE_CHECKING:
    from .game import LastDroid

_Text = Annotated[str, Meta(max_length=100)]
_Card = Annotated[int, Meta(ge=1, le=NUM_CARDS)]
_Count = Annotated[int, Meta(ge=0, le=10_000)]
_Decisions = Annotated[int, Meta(ge=0, le=1_000_000_000)]
_Cards = Annotated[list[_Card], Meta(max_length=NUM_CARDS)]
_Between = Annotated[list[_Text], Meta(min_length=2, max_length=2)]
_Pairs = Annotated[list[_Text], Meta(max_length=MAX_PAIRS)]
# Fields of the record that an environment fixes.
_SETTINGS = (
    "num_players",
    "hard",
    "table_talk",
    "open_deck",
    "extension_after_season_3",
    "wild_type_houses",
    "ask_forced",
)
_PAIR_NAMES = {SAME: "same", DIFFERENT: "different"}


class Settings(Struct):
    """The settings of the game, those of ``LastDroid``; ``cards`` is the hash of the card file's content."""

    num_players: Annotated[int, Meta(ge=1, le=MAX_SEATS)]
    cards: _Text
    hard: bool
    table_talk: bool
    open_deck: bool
    extension_after_season_3: bool
    ask_forced: bool
    wild_type_houses: Annotated[list[_Card], Meta(max_length=NUM_HOUSES)]


class Deck(Struct):
    """All droid cards of a deck, first drawn first, and how many have been drawn."""

    cards: Annotated[list[_Card], Meta(max_length=MAX_DECK)]
    drawn: Annotated[int, Meta(ge=0, le=MAX_DECK)]


class Revealed(Struct):
    """A card revealed this turn, and who was given it."""

    card: _Card
    holder: _Text | None


class Wish(Struct):
    """The card that a player named this turn (table talk)."""

    player: _Text
    card: _Card


class Parts(Struct):
    """Parts, or extensions, by kind."""

    nut: _Count
    oil: _Count
    circuit: _Count
    energy: _Count


class BaseParts(Struct):
    """Base parts by kind."""

    nut: _Count
    oil: _Count
    circuit: _Count


class Shed(Struct):
    """What lies in a shed, and its extensions by column."""

    parts: Parts
    extensions: Parts


class Player(Struct):
    """A player's shed (null for the Auto-Ecomechanic) and repaired droids."""

    name: _Text
    shed: Shed | None
    droids: _Cards


class Stored(Struct):
    """Parts lying on droid 65 or 71, once it is repaired."""

    droid: _Card
    parts: BaseParts


class FaceUp(Struct):
    """Discarded communication droids between two players."""

    between: _Between
    droids: _Cards


class House(Struct):
    """A house in play."""

    house: _Card
    between: _Between
    builder: _Text | None


class Tokens(Struct):
    """The extra-cost tokens of droid 31."""

    house: _Card
    owner: _Text


class Uses(Struct):
    """How often a droid's exchanges have been used in this phase."""

    droid: _Card
    times: Annotated[int, Meta(ge=1, le=10_000)]


class Action(Struct):
    """The action under way.

    ``owed_*`` is still to be paid and ``due_*`` to be gained, in printed order. ``choose_alternative``: the card's
    alternative is to be chosen; ``gift``: the alternative that follows the extensions. ``named``: kinds that the
    dismantled card has given.
    """

    task: _Text
    target: _Card
    owed_pairs: _Pairs
    owed_any: _Count
    choose_alternative: bool
    extensions_due: _Count
    gift: Annotated[int, Meta(ge=1, le=GIFT_ALTERNATIVES)] | None
    due_pairs: _Pairs
    due_any: _Count
    named: Annotated[list[_Text], Meta(max_length=len(PARTS))]


class Snapshot(Struct):
    """A whole game."""

    game: _Text
    settings: Settings
    seed: int
    generator: int
    turn: Annotated[int, Meta(ge=1, le=TURNS)]
    season: Annotated[int, Meta(ge=1, le=SEASONS)]
    priority: _Text
    stage: _Text
    served: Annotated[int, Meta(ge=0, le=2 * MAX_SEATS)]
    decision: _Text
    actor: _Text | None
    decisions: _Decisions
    decks: Annotated[list[Deck], Meta(max_length=MAX_DECKS)]
    revealed: Annotated[list[Revealed], Meta(max_length=MAX_SEATS)]
    wishes: Annotated[list[Wish], Meta(max_length=MAX_SEATS)]
    players: Annotated[list[Player], Meta(max_length=MAX_SEATS)]
    stored: Annotated[list[Stored], Meta(max_length=len(STORE_DROIDS))]
    discarded: _Cards
    face_up: Annotated[list[FaceUp], Meta(max_length=MAX_SEATS)]
    houses: Annotated[list[House], Meta(max_length=NUM_HOUSES)]
    tokens: Tokens | None
    exchange_uses: Annotated[list[Uses], Meta(max_length=len(EXCHANGE_DROIDS))]
    action: Action | None


# ---------------------------------------------------------------------------------------------------------- writing


def to_snapshot(game: LastDroid) -> dict[str, Any]:
    """The game as a JSON-able dict."""
    if not game.started:
        raise ValueError("there is no game yet: deal one first")
    g: dict[str, Any] = {name: game.record[name][0].tolist() for name in GAME.names or ()}
    names = seat_names(game.num_players)
    pairs = seat_pairs(game.num_players)
    between = [[names[a], names[b]] for a, b in pairs]

    def name(seat: int) -> str | None:
        return None if seat == NOBODY else names[seat]

    def placed(where: int) -> list[int]:
        return [card for card, place in enumerate(g["place"]) if place == where]

    def shed(seat: int) -> Shed | None:
        if seat >= game.num_players:
            return None
        return Shed(parts=Parts(**_by_kind(g["parts"][seat])), extensions=Parts(**_by_kind(g["extensions"][seat])))

    snapshot = Snapshot(
        game=game.name,
        settings=Settings(**game.settings()),
        seed=g["seed"],
        generator=g["rng"],
        turn=g["turn"],
        season=g["season"],
        priority=names[g["priority"]],
        stage=STAGES[g["stage"]],
        served=g["order"],
        decision=DECISIONS[g["decision"]],
        actor=name(g["actor"]),
        decisions=g["decisions"],
        decks=[
            Deck(cards=[card for card in deck if card], drawn=drawn)
            for deck, drawn in zip(g["deck"], g["drawn"], strict=True)
            if deck[0]
        ],
        revealed=[
            Revealed(card=card, holder=name(seat)) for card, seat in zip(g["offer"], g["given_to"], strict=True) if card
        ],
        wishes=[
            Wish(player=names[seat], card=g["offer"][slot]) for seat, slot in enumerate(g["wish"]) if slot != NOBODY
        ],
        players=[
            Player(name=names[seat], shed=shed(seat), droids=placed(REPAIRED + seat)) for seat in range(len(names))
        ],
        stored=[
            Stored(droid=droid, parts=BaseParts(**_by_kind(parts[:BASE_KINDS])))
            for droid, parts in zip(STORE_DROIDS, g["stored"], strict=True)
            if g["place"][droid] >= REPAIRED
        ],
        discarded=placed(FACE_DOWN),
        face_up=[FaceUp(between=pair, droids=placed(FACE_UP + i)) for i, pair in enumerate(between)],
        houses=[
            House(house=FIRST_HOUSE + i, between=between[pair], builder=name(g["builder"][i]))
            for i, pair in enumerate(g["between"])
            if pair != NOBODY
        ],
        tokens=None
        if g["token_house"] == NOBODY
        else Tokens(house=FIRST_HOUSE + g["token_house"], owner=names[g["token_owner"]]),
        exchange_uses=[
            Uses(droid=droid, times=times) for droid, times in zip(EXCHANGE_DROIDS, g["used"], strict=True) if times
        ],
        action=None
        if g["task"] == IDLE
        else Action(
            task=TASKS[g["task"]],
            target=g["target"],
            owed_pairs=_pair_names(g["owed_pairs"]),
            owed_any=g["owed_any"],
            choose_alternative=g["choice_due"] == 1,
            extensions_due=g["extensions_due"],
            gift=None if g["gift"] == NOBODY else g["gift"] + 1,
            due_pairs=_pair_names(g["due_pairs"]),
            due_any=g["due_any"],
            named=[part for kind, part in enumerate(PARTS) if g["named"] >> kind & 1],
        ),
    )
    return dict(msgspec.to_builtins(snapshot))


def _by_kind(counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(PARTS, counts, strict=False))


def _pair_names(pairs: Iterable[int]) -> list[str]:
    return [_PAIR_NAMES[pair] for pair in pairs if pair]


# ---------------------------------------------------------------------------------------------------------- reading


def from_snapshot(game: LastDroid, snapshot: Mapping[str, Any]) -> NDArray[Any]:
    """A record of a snapshot; ``ImpossibleState`` names the field that is wrong, what was found and what is allowed."""
    record = _Reader(game, structure(snapshot, Snapshot)).record()
    validity.check(game, record)
    return record


class _Reader:
    """Names to numbers: a snapshot of sound structure into a record."""

    def __init__(self, game: LastDroid, snapshot: Snapshot) -> None:
        self.game = game
        self.snapshot = snapshot
        self.names = seat_names(game.num_players)
        self.pairs = {frozenset(pair): i for i, pair in enumerate(seat_pairs(game.num_players))}
        self.place = [0] * (NUM_CARDS + 1)
        self.lies_in = [""] * (NUM_CARDS + 1)

    def seat(self, field: str, name: str) -> int:
        return word(field, name, self.names)

    def seat_or_nobody(self, field: str, name: str | None) -> int:
        return word_or_none(field, name, self.names)

    def pair(self, field: str, names: Sequence[str]) -> int:
        seats = frozenset(self.seat(f"{field}[{i}]", name) for i, name in enumerate(names))
        if seats not in self.pairs:
            allowed = [" and ".join(self.names[seat] for seat in sorted(pair)) for pair in self.pairs]
            refuse(field, " and ".join(names), f"{'; '.join(allowed)}")
        return self.pairs[seats]

    def pair_icons(self, field: str, icons: list[str]) -> list[int]:
        words = tuple(_PAIR_NAMES.values())
        numbers = [SAME + word(f"{field}[{i}]", icon, words) for i, icon in enumerate(icons)]
        return numbers + [0] * (MAX_PAIRS - len(numbers))

    def house(self, field: str, number: int) -> int:
        if not FIRST_HOUSE <= number < FIRST_HOUSE + NUM_HOUSES:
            refuse(field, f"card {number}", f"a house, {FIRST_HOUSE}-{FIRST_HOUSE + NUM_HOUSES - 1}")
        return number - FIRST_HOUSE

    def lay(self, field: str, cards: Sequence[int], place: int) -> None:
        """Drawn cards to a place; each may lie in one only."""
        for i, card in enumerate(cards):
            at = f"{field}[{i}]"
            if self.place[card] == NOT_IN_GAME:
                refuse(at, f"card {card}, which is in no deck of this game", "droid cards that have been drawn")
            if self.place[card] != ON_TABLE:
                refuse(at, f"card {card}, which also lies in {self.lies_in[card]}", "every card in exactly one place")
            self.place[card] = place
            self.lies_in[card] = at

    def check_settings(self) -> None:
        found = msgspec.to_builtins(self.snapshot.settings)
        found["wild_type_houses"] = sorted(found["wild_type_houses"])
        for name, value in self.game.settings().items():
            check_setting(name, found[name], value)

    def record(self) -> NDArray[Any]:
        s, names = self.snapshot, self.names
        check_game(self.game, s.game)
        self.check_settings()
        record = kernel_view(np.zeros(1, GAME))
        r = record[0]
        for setting in _SETTINGS:
            r[setting] = self.game.record[0][setting]
        r["seed"] = check_word_of_64_bits("seed", s.seed)
        r["rng"] = check_word_of_64_bits("generator", s.generator)
        r["turn"], r["season"], r["order"], r["decisions"] = s.turn, s.season, s.served, s.decisions
        r["priority"] = self.seat("priority", s.priority)
        r["stage"] = word("stage", s.stage, STAGES)
        r["decision"] = word("decision", s.decision, DECISIONS)
        r["actor"] = self.seat_or_nobody("actor", s.actor)
        self.decks(r)
        self.revealed(r)
        if [player.name for player in s.players] != list(names):
            refuse("players", ", ".join(shown(player.name) for player in s.players), ", ".join(names))
        for seat, player in enumerate(s.players):
            self.player(r, seat, player)
        self.lay("discarded", s.discarded, FACE_DOWN)
        pairs = [self.pair(f"face_up[{i}].between", face_up.between) for i, face_up in enumerate(s.face_up)]
        if sorted(pairs) != list(range(len(self.pairs))):
            refuse("face_up", f"{len(pairs)} entries", f"one for each pair of seats, {len(self.pairs)} in all")
        for i, (pair, face_up) in enumerate(zip(pairs, s.face_up, strict=True)):
            self.lay(f"face_up[{i}].droids", face_up.droids, FACE_UP + pair)
            r["face_up"][pair] += len(face_up.droids)
        r["place"] = self.place
        self.stored(r)
        self.houses(r)
        self.uses(r)
        self.action(r)
        self.tallies(r)
        return record

    def decks(self, r: Any) -> None:
        decks = self.snapshot.decks
        wanted = validity.deck_cards(self.game.num_players)
        if len(decks) != len(wanted):
            refuse("decks", f"{len(decks)}", f"{len(wanted)} for this number of players")
        for i, (deck, cards) in enumerate(zip(decks, wanted, strict=True)):
            found = sorted(deck.cards)
            if found != cards:
                wrong = sorted(set(found) ^ set(cards)) or [card for card in cards if found.count(card) > 1]
                refuse(
                    f"decks[{i}].cards",
                    f"{len(found)} cards; missing, foreign or twice: {', '.join(map(str, wrong[:12]))}",
                    f"each of the deck's {len(cards)} cards once",
                )
            r["deck"][i, : len(cards)] = deck.cards
            r["drawn"][i] = min(deck.drawn, len(cards))
            for at, card in enumerate(deck.cards):
                self.place[card] = ON_TABLE if at < deck.drawn else IN_DECK
                self.lies_in[card] = f"decks[{i}].cards[{at}], not yet drawn"

    def revealed(self, r: Any) -> None:
        s = self.snapshot
        if len(s.revealed) != len(self.names):
            refuse("revealed", f"{len(s.revealed)} cards", f"{len(self.names)}, one for each player")
        r["given_to"] = NOBODY
        r["wish"] = NOBODY
        for slot, revealed in enumerate(s.revealed):
            r["offer"][slot] = revealed.card
            r["given_to"][slot] = self.seat_or_nobody(f"revealed[{slot}].holder", revealed.holder)
        cards = [revealed.card for revealed in s.revealed]
        for i, wish in enumerate(s.wishes):
            seat = self.seat(f"wishes[{i}].player", wish.player)
            if r["wish"][seat] != NOBODY:
                refuse(f"wishes[{i}].player", wish.player, "one wish a player")
            if wish.card not in cards:
                refuse(f"wishes[{i}].card", f"{wish.card}", f"a revealed card: {', '.join(map(str, cards))}")
            r["wish"][seat] = cards.index(wish.card)

    def player(self, r: Any, seat: int, player: Player) -> None:
        field = f"players[{seat}]"
        self.lay(f"{field}.droids", player.droids, REPAIRED + seat)
        if seat >= self.game.num_players:
            if player.shed is not None:
                refuse(f"{field}.shed", "a shed", "null: the Auto-Ecomechanic has none")
        elif player.shed is None:
            refuse(f"{field}.shed", "None", "a table of fields")
        else:
            r["parts"][seat] = [getattr(player.shed.parts, kind) for kind in PARTS]
            r["extensions"][seat] = [getattr(player.shed.extensions, kind) for kind in PARTS]

    def stored(self, r: Any) -> None:
        repaired = [droid for droid in STORE_DROIDS if self.place[droid] >= REPAIRED]
        found = [stored.droid for stored in self.snapshot.stored]
        if sorted(found) != repaired:
            allowed = f"an entry for each of the droids {STORE_DROIDS[0]} and {STORE_DROIDS[1]} that is repaired"
            refuse("stored", f"entries for {', '.join(map(str, found)) or 'no droid'}", f"{allowed}: {repaired}")
        for stored in self.snapshot.stored:
            parts = [getattr(stored.parts, kind) for kind in PARTS[:BASE_KINDS]]
            r["stored"][STORE_DROIDS.index(stored.droid), :BASE_KINDS] = parts

    def houses(self, r: Any) -> None:
        r["between"] = NOBODY
        r["builder"] = NOBODY
        for i, house in enumerate(self.snapshot.houses):
            index = self.house(f"houses[{i}].house", house.house)
            if r["between"][index] != NOBODY:
                refuse(f"houses[{i}].house", f"{house.house} twice", "each house once")
            r["between"][index] = self.pair(f"houses[{i}].between", house.between)
            r["builder"][index] = self.seat_or_nobody(f"houses[{i}].builder", house.builder)
        tokens = self.snapshot.tokens
        r["token_house"] = NOBODY if tokens is None else self.house("tokens.house", tokens.house)
        r["token_owner"] = NOBODY if tokens is None else self.seat("tokens.owner", tokens.owner)

    def uses(self, r: Any) -> None:
        for i, uses in enumerate(self.snapshot.exchange_uses):
            if uses.droid not in EXCHANGE_DROIDS:
                droids = ", ".join(map(str, EXCHANGE_DROIDS))
                refuse(f"exchange_uses[{i}].droid", f"{uses.droid}", f"droids with exchanges: {droids}")
            index = EXCHANGE_DROIDS.index(uses.droid)
            if r["used"][index]:
                refuse(f"exchange_uses[{i}].droid", f"{uses.droid} twice", "each droid once")
            r["used"][index] = uses.times

    def action(self, r: Any) -> None:
        a = self.snapshot.action
        r["gift"] = NOBODY
        if a is None:
            r["extensions_due"] = STAGES[r["stage"]].endswith("extension")
            return
        r["task"] = 1 + word("action.task", a.task, TASKS[1:])
        r["target"] = a.target
        r["owed_pairs"] = self.pair_icons("action.owed_pairs", a.owed_pairs)
        r["due_pairs"] = self.pair_icons("action.due_pairs", a.due_pairs)
        r["owed_any"], r["due_any"], r["extensions_due"] = a.owed_any, a.due_any, a.extensions_due
        r["choice_due"] = a.choose_alternative
        if a.gift is not None:
            r["gift"] = a.gift - 1
        for i, part in enumerate(a.named):
            bit = 1 << word(f"action.named[{i}]", part, PARTS)
            if r["named"] & bit:
                refuse(f"action.named[{i}]", f"{part} twice", "each kind once")
            r["named"] += bit

    def tallies(self, r: Any) -> None:
        """What the record counts for speed."""
        card = self.game.tables["card"][0]
        for number, place in enumerate(self.place):
            kind = int(card["type"][number])
            if kind == HOUSE:
                continue
            if place == IN_DECK:
                r["left"][int(card["season"][number]) - 1, kind] += 1
            elif place >= REPAIRED:
                seat = place - REPAIRED
                r["droids"][seat, kind] += 1
                r["leaves"][seat] += card["leaves"][number]
                r["printed_rp"][seat] += card["rp"][number]
