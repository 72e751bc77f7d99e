"""Readable positions: a dealt game, edited in the game's own nouns.

    p = Position(2, cards={13: {"cost": "2 nut, 1 ?"}})
    p.hold(0, "3 nut, 1 oil").repaired(1, 4, 5).built(47, by=0)
    p.acting(0, card=13).act("repair", "pay 1 oil")
    assert p.parts(0) == "1 nut"

Unless told otherwise every droid costs and yields 1 nut and scores 1 RP, harvest droids have 1 leaf, interest values
are 5, houses cost 1 nut; effects are those of the built-in cards. Decisions with a single answer are asked.

The last call before the first act names the decision: ``choosing``, ``exchanging`` or ``acting``. It orders the decks
so that all cards named before were drawn, in the order of their seasons and in as few turns as possible. All others
that must have been drawn by then lie discarded; communication droids, the last to be taken, face up between pair 0.

So the table is always consistent: every card in one place, tallies that agree. It need not have a possible past: nobody
asks when the houses were built, or where the extensions of earlier seasons went.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from typing import Any

from lastdroid_env.cards import BUILT_IN, CardTables, _Loader, _read, icons_to_string
from lastdroid_env.constants import (
    ACTING,
    AUTO,
    CHOOSING,
    COLUMN,
    COMMUNICATION,
    DECISIONS,
    DISCARDED,
    DROID_TYPES,
    EXCHANGING,
    FACE_UP,
    FIRST_HOUSE,
    GIVE,
    IDLE,
    IN_DECK,
    KINDS,
    NUM_CARDS,
    NUM_HOUSES,
    ON_TABLE,
    PARTS,
    REPAIRED,
    SEASONS,
    STAGES,
    STORE_DROIDS,
    TIE,
    TOKEN_DROID,
    TURNS,
    WISH,
)
from lastdroid_env.constants import ACTION as ACT
from lastdroid_env.constants import EXCHANGE as TRADE
from lastdroid_env.game import LastDroid

Edits = Mapping[int, Mapping[str, Any]]


def card_file(edits: Edits | None = None, *, plain: bool = True) -> CardTables:
    """The built-in cards, plain unless told otherwise, with some fields changed (None: left out)."""
    return _card_file(json.dumps(edits or {}), plain)


@functools.lru_cache(maxsize=256)
def _card_file(edits: str, plain: bool) -> CardTables:
    raw = _read(str(BUILT_IN))
    for number, droid in raw["droid"].items():
        droid.pop("printed")
        if plain:
            droid |= {"cost": "1 nut", "dismantle": "1 nut", "rp": 1}
            droid.pop("rp_or", None)
            droid |= {field: value for field, value in (("leaves", 1), ("interest", 5)) if field in droid}
        assert number.isdigit()
    for house in raw["house"].values():
        house.pop("printed")
        if plain:
            house["cost"] = "1 nut"
            house.pop("interest", None)
    for number, fields in json.loads(edits).items():
        card = raw["house" if number in raw["house"] else "droid"][number]
        for field, value in fields.items():
            card.pop(field, None)
            if value is not None:
                card[field] = value
    return _Loader("edited cards").load(raw)


def counts(text: str) -> list[int]:
    """``"2 nut, 1 energy"`` as counts by kind; ``"nothing"`` is none."""
    found = [0] * KINDS
    for word in text.split(",") if text != "nothing" else ():
        count, kind = word.split()
        found[PARTS.index(kind)] += int(count)
    return found


class Position:
    """A game being set up, then played. The methods that set up return the position itself."""

    def __init__(
        self,
        num_players: int = 2,
        *,
        cards: Edits | CardTables | None = None,
        turn: int = 1,
        priority: int | None = None,
        seed: int = 0,
        ask_forced: bool = True,
        **settings: Any,
    ) -> None:
        tables = cards if isinstance(cards, CardTables) else card_file(cards)
        self.game = LastDroid(num_players, cards=tables, ask_forced=ask_forced, **settings)
        self.game.deal(seed)
        self.record = self.game.record[0]
        self.printed = tables.tables["card"][0]
        self.num_players = num_players
        self.seats = max(2, num_players)
        self.least_turn = turn
        if priority is not None:
            self.record["priority"] = priority
        elif num_players in (2, 3):
            self.record["priority"] = 0
        self._placed: dict[int, int] = {}
        self._upcoming: list[int] = []
        self._named_houses: set[int] = set()
        self._dealt = [[int(c) for c in deck if c] for deck in self.record["deck"]]

    # ---- Setting up: sheds

    def hold(self, seat: int, parts: str) -> Position:
        """These parts, and no others, lie in the seat's shed."""
        self.record["parts"][seat] = counts(parts)
        return self

    def extend(self, seat: int, columns: str) -> Position:
        """These shed extensions, and no others, belong to the seat."""
        self.record["extensions"][seat] = counts(columns)
        return self

    def store(self, droid: int, parts: str) -> Position:
        """These parts lie on droid 65 or 71."""
        self.record["stored"][STORE_DROIDS.index(droid)] = counts(parts)
        return self

    # ---- Setting up: droids

    def repaired(self, seat: int, *droids: int) -> Position:
        """The seat has repaired these droids."""
        return self._place(droids, REPAIRED + seat)

    def face_up(self, *droids: int, pair: int = 0) -> Position:
        """These communication droids lie discarded between a pair of seats."""
        assert all(self.printed[droid]["type"] == COMMUNICATION for droid in droids), droids
        return self._place(droids, FACE_UP + pair)

    def discarded(self, *droids: int) -> Position:
        """These droids were discarded face down."""
        assert all(self.printed[droid]["type"] != COMMUNICATION for droid in droids), droids
        return self._place(droids, DISCARDED)

    def upcoming(self, *droids: int) -> Position:
        """These droids are revealed next turn, in this order."""
        self._upcoming = list(droids)
        return self

    def _place(self, droids: Iterable[int], place: int) -> Position:
        for droid in droids:
            if not any(droid in deck for deck in self._dealt):
                raise ValueError(f"droid {droid} is not in a game of {self.num_players}")
            self._placed[droid] = place
        return self

    # ---- Setting up: houses

    def houses(self, *houses: int, pair: int = 0) -> Position:
        """These houses are among those between a pair of seats; they take the place of houses that were dealt."""
        for house in houses:
            self._bring_in(house, [pair])
        return self

    def built(self, *houses: int, by: int) -> Position:
        """The seat has built these houses, which lie beside it."""
        for house in houses:
            if house not in self._named_houses:
                self._bring_in(house, self.pairs_of(by))
            self.record["builder"][house - FIRST_HOUSE] = by
        return self

    def tokens(self, house: int, *, by: int) -> Position:
        """The seat has repaired droid 31 and laid its tokens on this house."""
        if house not in self._named_houses:
            self._bring_in(house, self.pairs_of(by))
        self.record["token_house"], self.record["token_owner"] = house - FIRST_HOUSE, by
        return self.repaired(by, TOKEN_DROID)

    def _bring_in(self, house: int, pairs: list[int]) -> None:
        between = self.record["between"]
        index = house - FIRST_HOUSE
        if between[index] not in pairs:
            others = [i for i in range(NUM_HOUSES) if between[i] in pairs and i + FIRST_HOUSE not in self._named_houses]
            if not others:
                raise ValueError(f"house {house}: all places between the pairs {pairs} are taken")
            between[index], between[others[0]] = between[others[0]], between[index]
        self._named_houses.add(house)

    # ---- Setting up: the decision

    def choosing(self, *droids: int) -> Position:
        """The turn's first decision, with these droids revealed by slot (any others if none are named)."""
        self._settle(list(droids), [-1] * self.seats, [])
        if self._table_talk():
            self._ask(CHOOSING, 0, WISH, self.in_order()[2 if self.num_players == 4 else 1])
        else:
            auto = self.num_players == 1 and self.priority == AUTO
            self._ask(CHOOSING, 0, TIE if auto else GIVE, 0 if auto else self.priority)
        return self

    def exchanging(self, seat: int, card: int | None = None, others: Mapping[int, int] | None = None) -> Position:
        """The seat's exchange phase; ``card`` and ``others`` lie before it and other seats."""
        return self._served(EXCHANGING, TRADE, seat, card, others)

    def acting(self, seat: int, card: int | None = None, others: Mapping[int, int] | None = None) -> Position:
        """The seat's action with this card; seats before it have dismantled theirs."""
        return self._served(ACTING, ACT, seat, card, others)

    def _served(
        self, stage: int, decision: int, seat: int, card: int | None, others: Mapping[int, int] | None
    ) -> Position:
        given = dict(others or {})
        if card is not None:
            given[seat] = card
        receivers = self._receivers()
        order = self.in_order()
        played = order[: order.index(seat)] if stage == ACTING else []
        self._settle([given.get(who, 0) for who in receivers], receivers, played)
        if self.num_players == 1 and stage == ACTING:
            both = all(self.printed[c]["type"] == COMMUNICATION for c in self.record["offer"][:2])
            assert not both or self.priority == 0, "of two communication droids yours is played first"
        place = 0 if self.num_players == 1 and stage == EXCHANGING else order.index(seat)
        self._ask(stage, place, decision, seat)
        return self

    def _receivers(self) -> list[int]:
        """The seat that has each slot's card."""
        if self.num_players < 4:
            return list(range(self.seats))
        one, two, three, four = self.in_order()
        return [one, three, two, four]

    def _ask(self, stage: int, order: int, decision: int, actor: int) -> None:
        for field, value in (("stage", stage), ("order", order), ("decision", decision), ("actor", actor)):
            self.record[field] = value

    def _table_talk(self) -> bool:
        return bool(self.record["table_talk"]) and self.num_players > 1

    # ---- Setting up: the deck

    def _settle(self, revealed: list[int], given_to: list[int], played: list[int]) -> None:
        """Order the decks so that what was named has been drawn; recount everything that follows from it."""
        record, size = self.record, 3 if self.num_players == 3 else 2
        decks = [[list[int]() for _ in range(SEASONS)] for _ in self._dealt]
        for deck, cards in enumerate(self._dealt):
            for card in cards:
                decks[deck][self.printed[card]["season"] - 1].append(card)
        wanted = [card for card in revealed if card]
        for card in (*wanted, *self._upcoming):
            self._placed.pop(card, None)
        turn = self._turn(decks, wanted, size)
        season = self._season(decks[0], turn, size)
        slots = (revealed + [0] * self.seats)[: self.seats]
        record["place"][:] = 0
        for deck, seasons in enumerate(decks):
            if not any(seasons):
                continue
            mine = range(size * deck, size * deck + size)
            unnamed = [c for cards in seasons for c in cards if c not in (*self._placed, *wanted, *self._upcoming)]
            unnamed.sort(key=lambda c: self.printed[c]["type"] == COMMUNICATION)
            for slot in mine:
                if not slots[slot]:
                    slots[slot] = next(c for c in unnamed if self.printed[c]["season"] == season)
                    unnamed.remove(slots[slot])
                assert slots[slot] in self._dealt[deck], f"card {slots[slot]} is not in the deck of its slot"
            drawn: list[int] = []
            for s in range(season):
                before = (turn - 1) * size - sum(map(len, seasons[:s])) if s == season - 1 else len(seasons[s])
                named = [c for c in seasons[s] if c in self._placed]
                others = [c for c in unnamed if c in seasons[s]][: before - len(named)]
                for card in others:
                    talks = self.printed[card]["type"] == COMMUNICATION
                    record["place"][card] = FACE_UP if talks else DISCARDED
                drawn += named + others
            drawn += [slots[slot] for slot in mine]
            coming = [c for c in self._upcoming if c in self._dealt[deck]]
            later = [c for season_cards in seasons for c in season_cards if c not in drawn and c not in coming]
            order = drawn + coming + later
            record["deck"][deck] = 0
            record["deck"][deck, : len(order)] = order
            record["drawn"][deck] = len(drawn)
            for card in coming + later:
                record["place"][card] = IN_DECK
        for card, place in self._placed.items():
            record["place"][card] = place
        for slot, card in enumerate(slots):
            done = given_to[slot] in played
            talks = self.printed[card]["type"] == COMMUNICATION
            pair = self.pairs_of(given_to[slot])[0] if done else 0
            record["place"][card] = (FACE_UP + pair if talks else DISCARDED) if done else ON_TABLE
        record["turn"], record["season"] = turn, season
        record["offer"][: self.seats] = slots
        record["given_to"][: self.seats] = given_to
        record["wish"] = -1
        record["used"] = 0
        record["task"], record["target"] = IDLE, 0
        self._recount()
        self._check()

    def _turn(self, decks: list[list[list[int]]], revealed: list[int], size: int) -> int:
        """The first turn by which all cards that were named can have been drawn."""
        for turn in range(self.least_turn, TURNS + 1):
            season = self._season(decks[0], turn, size)
            if self.num_players in (1, 4) and (turn - 1 - self.priority) % 2:
                continue  # O2, D4: the priority player of the first turn
            if any(self.printed[card]["season"] != season for card in revealed):
                continue
            if self._upcoming and self._season(decks[0], turn + 1, size) != self.printed[self._upcoming[0]]["season"]:
                continue
            if all(
                sum(card in self._placed for card in cards)
                <= min(len(cards), max(0, (turn - 1) * size - sum(map(len, seasons[:s]))))
                for seasons in decks
                for s, cards in enumerate(seasons)
            ):
                return turn
        raise ValueError("no turn suits these cards: those revealed together are of the season that is being played")

    def _season(self, seasons: list[list[int]], turn: int, size: int) -> int:
        sizes = [len(cards) for cards in seasons]
        return 1 + sum((turn - 1) * size >= sum(sizes[: s + 1]) for s in range(SEASONS - 1))

    def _recount(self) -> None:
        record = self.record
        for tally in ("droids", "leaves", "printed_rp", "left", "face_up"):
            record[tally] = 0
        for card in range(1, NUM_CARDS + 1):
            place, printed = int(record["place"][card]), self.printed[card]
            if place == IN_DECK:
                record["left"][printed["season"] - 1, printed["type"]] += 1
            elif place >= REPAIRED:
                record["droids"][place - REPAIRED, printed["type"]] += 1
                record["leaves"][place - REPAIRED] += printed["leaves"]
                record["printed_rp"][place - REPAIRED] += printed["rp"]
            elif place >= FACE_UP:
                record["face_up"][place - FACE_UP] += 1

    def _check(self) -> None:
        record = self.record
        assert (record["parts"] <= COLUMN + record["extensions"]).all(), "a column holds no more than its capacity"
        for store, droid in enumerate(STORE_DROIDS):
            assert not record["stored"][store].any() or record["place"][droid] >= REPAIRED, f"nobody has droid {droid}"

    # ---- Who sits where

    @property
    def priority(self) -> int:
        return int(self.record["priority"])

    def in_order(self) -> list[int]:
        """The seats in the order of the turn."""
        steps = {4: (0, 3, 1, 2)}.get(self.num_players, tuple(range(self.seats)))
        return [(self.priority + step) % self.seats for step in steps]

    def pairs_of(self, seat: int) -> list[int]:
        """The pairs of seats that a seat belongs to."""
        if self.num_players == 3:
            return [seat, (seat + 2) % 3]
        return [seat // 2 if self.num_players == 4 else 0]

    # ---- Playing

    def act(self, *names: str) -> Position:
        """Make actions by their names."""
        for name in names:
            self.game.act(self.game.action_from_string(name))
        return self

    def dismantle_all(self) -> Position:
        """Everybody who is still to act this turn dismantles, the communication droids beside the next player."""
        turn = self.turn
        while self.turn == turn and self.stage == "acting":
            self.act("lay it beside the next player" if self.decision == "beside" else "dismantle")
        return self

    def pass_all(self) -> Position:
        """All exchanges that are being asked for are passed."""
        while self.decision == "exchange":
            self.act("pass")
        return self

    # ---- Reading

    def legal(self) -> list[str]:
        return [self.game.action_to_string(action) for action in self.game.legal_actions()]

    def can(self, name: str) -> bool:
        return self.game.action_from_string(name) in self.game.legal_actions()

    @property
    def actor(self) -> int:
        return self.game.actor

    @property
    def decision(self) -> str:
        return DECISIONS[int(self.record["decision"])]

    @property
    def stage(self) -> str:
        return STAGES[int(self.record["stage"])]

    @property
    def turn(self) -> int:
        return int(self.record["turn"])

    @property
    def season(self) -> int:
        return int(self.record["season"])

    @property
    def over(self) -> bool:
        return self.actor < 0

    def parts(self, seat: int) -> str:
        return icons_to_string(self.record["parts"][seat].tolist())

    def extensions(self, seat: int) -> str:
        return icons_to_string(self.record["extensions"][seat].tolist())

    def stored(self, droid: int) -> str:
        return icons_to_string(self.record["stored"][STORE_DROIDS.index(droid)].tolist())

    def place(self, droid: int) -> str:
        """``in deck``, ``on table``, ``discarded``, ``face up 0`` (the pair) or ``repaired 0`` (the seat)."""
        place = int(self.record["place"][droid])
        if place >= REPAIRED:
            return f"repaired {place - REPAIRED}"
        if place >= FACE_UP:
            return f"face up {place - FACE_UP}"
        return ("not in game", "in deck", "on table", "discarded")[place]

    def holder(self, droid: int) -> int:
        """The seat that was given this revealed card, -1 if none was."""
        return int(self.record["given_to"][self.record["offer"].tolist().index(droid)])

    def offer(self) -> list[int]:
        return [int(card) for card in self.record["offer"][: self.seats]]

    def houses_between(self, pair: int) -> list[int]:
        return [FIRST_HOUSE + i for i in range(NUM_HOUSES) if self.record["between"][i] == pair]

    def builder(self, house: int) -> int:
        return int(self.record["builder"][house - FIRST_HOUSE])

    def droids(self, seat: int) -> int:
        """How many droids the seat has repaired."""
        return int(self.record["droids"][seat, :DROID_TYPES].sum())

    def score(self, seat: int) -> int:
        return self.game.result()[0][seat]

    def winners(self) -> list[int]:
        return [seat for seat, won in enumerate(self.game.result()[1]) if won]
