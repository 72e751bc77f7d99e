"""Last Droid a second time: plain lists and dicts, slow, written from the rules alone.

It shares only names and numbers with ``lastdroid_env`` (constants, actions, the printed cards), so that a rule
misread in one of the two shows when both play the same game. A game is one generator, ``_play``, which runs
through the rulebook's procedure and stops wherever a player decides.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from lastdroid_env import actions as act
from lastdroid_env import constants as const
from lastdroid_env.constants import (
    ACTING,
    AUTO,
    CHOOSING,
    COLLECTION,
    COLUMN,
    COMMUNICATION,
    DIFFERENT_FIRST,
    DIFFERENT_SECOND,
    DISCARDED,
    DISCOUNT_DROID,
    DROID_TYPES,
    ENERGY,
    EXCHANGE_DROIDS,
    EXCHANGING,
    FACE_UP,
    FINAL_EXCHANGE,
    FINAL_EXTENSION,
    FINISHED,
    FIRST_HOUSE,
    IN_DECK,
    KINDS,
    MARKET,
    NO_PAIR,
    NOBODY,
    NOT_IN_GAME,
    NUM_CARDS,
    NUM_HOUSES,
    ON_TABLE,
    REPAIRED,
    SAME,
    SEASON_EXCHANGE,
    SEASON_EXTENSION,
    STORE_DROIDS,
    TOKEN_DROID,
    TOKENS,
    WATER,
    WILD_TYPE_DROID,
)

BASE = range(const.BASE_KINDS)
Asking = Generator[None, int, int]  # a decision: what it returns is the action chosen
Doing = Generator[None, int, None]  # a stretch of the game in which decisions may be asked


def cards_from_tables(tables: Any) -> dict[str, Any]:
    """The printed cards as dicts and lists of ints; ``tables`` is a ``TABLES`` record, or an array of one."""
    if tables.shape:
        (tables,) = tables
    table = tables["card"]
    fields = [name for name in table.dtype.names if name != "cost_icons"]
    return {
        "card": [{name: table[number][name].tolist() for name in fields} for number in range(NUM_CARDS + 1)],
        "exchanges": [
            {"droid": droid, "give": give, "get": get}
            for droid, give, get in zip(
                tables["exchange_droid"].tolist(),
                tables["exchange_give"].tolist(),
                tables["exchange_get"].tolist(),
                strict=True,
            )
        ],
        "uses": tables["exchange_uses"].tolist(),
    }


class Reference:
    """One game. Ask ``decision``, ``actor``, ``legal_actions()``; answer with ``apply(action)``."""

    def __init__(
        self,
        cards: Mapping[str, Any],
        *,
        num_players: int,
        decks: Sequence[Sequence[int]],
        houses_between: Mapping[int, int],
        first_priority: int,
        hard: bool = False,
        table_talk: bool = False,
        extension_after_season_3: bool = False,
        wild_type_houses: Iterable[int] = (49, 50, 52, 55),
        ask_forced: bool = False,
    ) -> None:
        self.card = cards["card"]
        self.exchanges = cards["exchanges"]
        self.uses = cards["uses"]
        self.solo = num_players == 1
        self.num_seats = 2 if self.solo else num_players
        self.decks = [list(deck) for deck in decks]
        self.between = {int(house): int(pair) for house, pair in houses_between.items()}
        self.table_talk = table_talk and not self.solo
        self.extension_after_season_3 = extension_after_season_3
        self.wild_type_houses = set(wild_type_houses)
        self.ask_forced = ask_forced
        if self.solo and first_priority != 0:
            raise ValueError("O2: in the solo game the player has priority first")
        if num_players == 4 and first_priority not in (0, 2):
            raise ValueError("D4: in a game of four seat 0 or seat 2 starts")

        self.turn = 1
        self.season = 1
        self.priority = first_priority
        self.stage = CHOOSING
        self.drawn = [0 for _ in self.decks]
        self.place = [NOT_IN_GAME] * (NUM_CARDS + 1)
        for deck in self.decks:
            for card in deck:
                self.place[card] = IN_DECK
        self.face_up = [0] * const.MAX_PAIRS_OF_SEATS
        self.builder: dict[int, int] = {}
        self.token_house = NOBODY
        self.token_owner = NOBODY
        self.parts = [[1, 1, 1, 2] for _ in range(self.num_seats)]
        if self.solo:
            self.parts = [[1, 1, 1, 2] if hard else [2, 2, 2, 2], [0, 0, 0, 0]]
        self.extensions = [[0] * KINDS for _ in range(self.num_seats)]
        self.stored = [[0] * KINDS for _ in STORE_DROIDS]
        self.used = dict.fromkeys(EXCHANGE_DROIDS, 0)
        self.offer: list[int] = []
        self.hand: dict[int, int] = {}  # seat -> the droid card it was given this turn
        self.wishes: dict[int, int] = {}  # seat -> the slot it named this turn

        self.decision = "over"
        self.actor: int | None = None
        self._legal: list[int] = []
        self._game = self._play()
        self._resume(None)

    # What a caller sees.

    @property
    def over(self) -> bool:
        return self.decision == "over"

    def legal_actions(self) -> list[int]:
        return list(self._legal)

    def apply(self, action: int) -> None:
        if action not in self._legal:
            raise ValueError(f"action {action} is not legal; legal are {self._legal}")
        self._resume(int(action))

    def view(self) -> dict[str, Any]:
        """The table in the terms of the kernel's record: its names, codes and lengths."""
        padding = [[0] * KINDS for _ in range(const.MAX_SEATS - self.num_seats)]
        houses = range(FIRST_HOUSE, FIRST_HOUSE + NUM_HOUSES)
        return {
            "turn": self.turn,
            "season": self.season,
            "priority": self.priority,
            "stage": self.stage,
            "decision": const.DECISIONS.index(self.decision),
            "actor": NOBODY if self.actor is None else self.actor,
            "parts": [list(row) for row in self.parts] + padding,
            "extensions": [list(row) for row in self.extensions] + padding,
            "stored": [list(row) for row in self.stored],
            "used": [self.used[droid] for droid in EXCHANGE_DROIDS],
            "place": list(self.place),
            "builder": [self.builder.get(house, NOBODY) for house in houses],
            "face_up": list(self.face_up),
            "token_house": self.token_house,
            "token_owner": self.token_owner,
            "drawn": self.drawn + [0] * (const.MAX_DECKS - len(self.drawn)),
            "offer": self.offer + [0] * (const.MAX_SEATS - len(self.offer)),
            "given_to": [self._holder(slot) for slot in range(const.MAX_SEATS)],
            "wish": [self.wishes.get(seat, NOBODY) for seat in range(const.MAX_SEATS)],
        }

    def _holder(self, slot: int) -> int:
        holders = [seat for seat, card in self.hand.items() if self.offer[slot : slot + 1] == [card]]
        return holders[0] if holders else NOBODY

    def _resume(self, action: int | None) -> None:
        try:
            self._game.send(action)  # type: ignore[arg-type]
        except StopIteration:
            self.stage, self.decision, self.actor, self._legal = FINISHED, "over", None, []

    def _ask(self, decision: str, seat: int, legal: Iterable[int]) -> Asking:
        options = sorted(legal)
        assert options, f"{decision} with nothing to choose"
        if len(options) == 1 and not self.ask_forced:
            return options[0]
        self.decision, self.actor, self._legal = decision, seat, options
        return (yield)

    # Who is where.

    def _clockwise(self, seat: int, steps: int = 1) -> int:
        return (seat + steps) % self.num_seats

    def _order(self) -> list[int]:
        """T2; with four players D4: clockwise from position 1 the positions read 1, 3, 4, 2."""
        if self.num_seats == 4:
            position_1, position_3, position_4, position_2 = (self._clockwise(self.priority, i) for i in range(4))
            return [position_1, position_2, position_3, position_4]
        return [self._clockwise(self.priority, i) for i in range(self.num_seats)]

    def _people(self) -> list[int]:
        """In T2's order, those who decide: everybody but the Auto-Ecomechanic."""
        return [seat for seat in self._order() if not (self.solo and seat == AUTO)]

    def _pairs_beside(self, seat: int) -> list[int]:
        """S2-S4: the pairs of seats that this seat belongs to."""
        if self.num_seats == 2:
            return [0]
        if self.num_seats == 3:
            return [seat, (seat + 2) % 3]
        return [0] if seat in (0, 1) else [1]

    def _rivals(self, seat: int) -> list[int]:
        """Those against whom majorities are counted: all others; with four players the opponent faced."""
        if self.num_seats == 4:
            return [{0: 1, 1: 0, 2: 3, 3: 2}[seat]]
        return [other for other in range(self.num_seats) if other != seat]

    def _available(self, seat: int) -> list[int]:
        """S2-S4: the house droids beside this seat that nobody has built."""
        return [h for h, pair in self.between.items() if pair in self._pairs_beside(seat) and h not in self.builder]

    def _repaired(self, seat: int, droid_type: int | None = None) -> list[int]:
        mine = [card for card in range(1, NUM_CARDS + 1) if self.place[card] == REPAIRED + seat]
        return [card for card in mine if droid_type is None or self.card[card]["type"] == droid_type]

    def _leaves(self, seat: int) -> int:
        return sum(self.card[card]["leaves"] for card in self._repaired(seat))

    # Parts.

    def _own_stores(self, seat: int) -> list[int]:
        """F9: the indices of droids 65 and 71, as far as this seat has repaired them."""
        return [i for i, droid in enumerate(STORE_DROIDS) if self.place[droid] == REPAIRED + seat]

    def _holding(self, seat: int) -> list[int]:
        """A7: the parts in the shed and on droids 65 and 71."""
        return [self.parts[seat][k] + sum(self.stored[i][k] for i in self._own_stores(seat)) for k in range(KINDS)]

    def _room(self, seat: int, kind: int) -> int:
        return COLUMN + self.extensions[seat][kind] - self.parts[seat][kind]

    def _take_away(self, seat: int, kind: int) -> None:
        """A7: one part leaves; the shed first, then droid 65, then 71."""
        places = [self.parts[seat]] + [self.stored[i] for i in self._own_stores(seat)]
        next(place for place in places if place[kind] > 0)[kind] -= 1

    def _put(self, seat: int, kind: int, amount: int) -> None:
        """A5: what does not fit is lost."""
        self.parts[seat][kind] += min(amount, self._room(seat, kind))

    # The game [T1, E1-E3].

    def _play(self) -> Doing:
        while True:
            yield from self._choose_droids()
            self.stage = EXCHANGING
            for seat in self._people():
                yield from self._exchange_phase(seat)
            self.stage = ACTING
            for seat in self._order_of_actions():
                if self.solo and seat == AUTO:
                    self._auto_acts()
                else:
                    yield from self._action(seat)
            if self._interseason_shows():
                yield from self._end_of_season()
            if self._decks_empty() or any(not self._available(seat) for seat in self._people()):
                break
            self.turn += 1
            self.priority = self._clockwise(self.priority)

        self.stage = FINAL_EXCHANGE
        for seat in self._people():
            yield from self._exchange_phase(seat)
        if self.extension_after_season_3 and self._decks_empty():
            self.stage = FINAL_EXTENSION
            for seat in self._people():
                yield from self._extend(seat)

    def _decks_empty(self) -> bool:
        return all(drawn == len(deck) for deck, drawn in zip(self.decks, self.drawn, strict=True))

    def _interseason_shows(self) -> bool:
        """S8: the next card belongs to another season than the last one drawn."""
        deck, drawn = self.decks[0], self.drawn[0]
        return drawn < len(deck) and self.card[deck[drawn]]["season"] != self.card[deck[drawn - 1]]["season"]

    def _end_of_season(self) -> Doing:
        """N1, N2, N3."""
        self.stage = SEASON_EXCHANGE
        for seat in self._people():
            yield from self._exchange_phase(seat)
        self.stage = SEASON_EXTENSION
        for seat in self._people():
            yield from self._extend(seat)
        for seat in self._people():
            if self._has_most_leaves(seat):
                self._put(seat, ENERGY, 1)
        self.season += 1

    def _has_most_leaves(self, seat: int) -> bool:
        return all(self._leaves(seat) > self._leaves(rival) for rival in self._rivals(seat))

    # Choosing droids [D1-D5, O4, O5].

    def _draw(self, deck: int) -> None:
        card = self.decks[deck][self.drawn[deck]]
        self.drawn[deck] += 1
        self.place[card] = ON_TABLE
        self.offer.append(card)

    def _choose_droids(self) -> Doing:
        self.stage = CHOOSING
        self.offer = []
        self.hand = {}
        self.wishes = {}
        if self.num_seats == 4:
            yield from self._choose_droids_of_four()
            return
        for _ in range(self.num_seats):
            self._draw(0)
        if self.solo:
            yield from self._choose_droids_solo()
            return
        order = self._order()
        if self.table_talk:
            for seat in order[1:]:
                yield from self._wish(seat, range(self.num_seats))
        left = list(range(self.num_seats))
        for recipient in order[:-1]:
            action = yield from self._ask("give", self.priority, [act.GIVE + slot for slot in left])
            left.remove(action - act.GIVE)
            self.hand[recipient] = self.offer[action - act.GIVE]
        self.hand[order[-1]] = self.offer[left[0]]

    def _choose_droids_of_four(self) -> Doing:
        for deck in (0, 0, 1, 1):
            self._draw(deck)
        position_1, position_2, position_3, position_4 = self._order()
        rounds = [(position_1, position_3, (0, 1)), (position_2, position_4, (2, 3))]
        if self.table_talk:
            for _, receiver, slots in rounds:
                yield from self._wish(receiver, slots)
        for giver, receiver, slots in rounds:
            action = yield from self._ask("give", giver, [act.GIVE + slot for slot in slots])
            kept = action - act.GIVE
            self.hand[giver] = self.offer[kept]
            self.hand[receiver] = next(self.offer[slot] for slot in slots if slot != kept)

    def _choose_droids_solo(self) -> Doing:
        first, second = (self._interest(card) for card in self.offer)
        if self.priority != AUTO:
            action = yield from self._ask("give", 0, [act.GIVE, act.GIVE + 1])
            yours = action - act.GIVE
        elif first == second:
            action = yield from self._ask("tie", 0, [act.GIVE, act.GIVE + 1])
            yours = action - act.GIVE
        else:
            yours = 1 if first > second else 0
        self.hand = {0: self.offer[yours], AUTO: self.offer[1 - yours]}

    def _interest(self, card: int) -> int:
        """O6."""
        droid = self.card[card]
        return droid["interest"] + sum(self.card[house]["interest_shift"][droid["type"]] for house in self.between)

    def _wish(self, seat: int, slots: Iterable[int]) -> Doing:
        action = yield from self._ask("wish", seat, [act.WISH + slot for slot in slots] + [act.WISH_NONE])
        if action != act.WISH_NONE:
            self.wishes[seat] = action - act.WISH

    # Exchanges [X1-X6].

    def _exchange_phase(self, seat: int) -> Doing:
        self.used = dict.fromkeys(EXCHANGE_DROIDS, 0)
        while True:
            offered = [act.EXCHANGE + i for i in range(len(self.exchanges)) if self._can_exchange(seat, i)]
            action = yield from self._ask("exchange", seat, [act.PASS, *offered])
            if action == act.PASS:
                break
            self._exchange(seat, action - act.EXCHANGE)
        self.used = dict.fromkeys(EXCHANGE_DROIDS, 0)

    def _can_exchange(self, seat: int, index: int) -> bool:
        exchange = self.exchanges[index]
        droid = exchange["droid"]
        if droid < 0:
            return False
        if droid > 0:
            limit = self.uses[droid]
            if self.place[droid] != REPAIRED + seat or (limit > 0 and self.used[droid] >= limit):
                return False
        holding = self._holding(seat)
        for k in range(KINDS):
            given, received = exchange["give"][k], exchange["get"][k]
            given_from_shed = min(given, self.parts[seat][k])
            if given > holding[k] or received > self._room(seat, k) + given_from_shed:
                return False
        return True

    def _exchange(self, seat: int, index: int) -> None:
        exchange = self.exchanges[index]
        if exchange["droid"] > 0:
            self.used[exchange["droid"]] += 1
        for k in range(KINDS):
            for _ in range(exchange["give"][k]):
                self._take_away(seat, k)
        for k in range(KINDS):
            self._put(seat, k, exchange["get"][k])

    # Actions [A1-A7].

    def _order_of_actions(self) -> list[int]:
        """T2; O8: two communication droids in the solo game, and the player acts first."""
        if self.solo and all(self.card[card]["type"] == COMMUNICATION for card in self.offer):
            return [0, AUTO]
        return self._order()

    def _auto_acts(self) -> None:
        """O4, O5, O7, O9."""
        card = self.hand[AUTO]
        if self.card[card]["type"] == COMMUNICATION:
            auto_has, player_has = len(self._repaired(AUTO, COMMUNICATION)), len(self._repaired(0, COMMUNICATION))
            if auto_has >= player_has and auto_has >= self.face_up[0]:
                self._lay_face_up(card, 0)
                return
        self.place[card] = REPAIRED + AUTO

    def _action(self, seat: int) -> Doing:
        droid = self.hand[seat]
        legal = [act.DISMANTLE]
        if can_pay(self._holding(seat), *self._repair_cost(seat, droid)):
            legal.append(act.REPAIR)
        for house in self._available(seat):
            if can_pay(self._holding(seat), *self._build_cost(seat, house)):
                legal.append(act.BUILD + house - FIRST_HOUSE)
        action = yield from self._ask("action", seat, legal)
        if action == act.REPAIR:
            yield from self._pay(seat, *self._repair_cost(seat, droid))
            self.place[droid] = REPAIRED + seat
            yield from self._immediate_effect(seat, droid)
        elif action == act.DISMANTLE:
            yield from self._dismantle(seat, droid)
            yield from self._discard(seat, droid)
        else:
            house = action - act.BUILD + FIRST_HOUSE
            yield from self._discard(seat, droid)
            yield from self._pay(seat, *self._build_cost(seat, house))
            self.builder[house] = seat
            yield from self._immediate_effect(seat, house)

    def _printed_cost(self, number: int) -> tuple[list[int], list[int], int]:
        card = self.card[number]
        return list(card["cost"]), printed_pairs(card["cost_pairs"]), card["cost_any"]

    def _repair_cost(self, seat: int, droid: int) -> tuple[list[int], list[int], int]:
        """F12: one energy less with droid 42."""
        fixed, pairs, free = self._printed_cost(droid)
        if self.place[DISCOUNT_DROID] == REPAIRED + seat and fixed[ENERGY] > 0:
            fixed[ENERGY] -= 1
        return fixed, pairs, free

    def _build_cost(self, seat: int, house: int) -> tuple[list[int], list[int], int]:
        """F5: three base parts more on a house with another player's tokens."""
        fixed, pairs, free = self._printed_cost(house)
        if self.token_house == house - FIRST_HOUSE and self.token_owner != seat:
            free += TOKENS
        return fixed, pairs, free

    def _pay(self, seat: int, fixed: list[int], pairs: list[int], free: int) -> Doing:
        """A4."""
        for k in range(KINDS):
            for _ in range(fixed[k]):
                self._take_away(seat, k)
        for i, pair in enumerate(pairs):
            choices = pair_choices(pair, act.PAY_SAME, act.PAY_DIFFERENT)
            holding = self._holding(seat)
            legal = [a for a, kinds in choices.items() if can_pay(holding, count(kinds), pairs[i + 1 :], free)]
            action = yield from self._ask("pay pair", seat, legal)
            for kind in choices[action]:
                self._take_away(seat, kind)
        for still_owed in range(free - 1, -1, -1):
            holding = self._holding(seat)
            legal = [act.PAY_ANY + k for k in BASE if can_pay(holding, count([k]), [], still_owed)]
            action = yield from self._ask("pay any", seat, legal)
            self._take_away(seat, action - act.PAY_ANY)

    def _dismantle(self, seat: int, droid: int) -> Doing:
        """A2, F7."""
        card = self.card[droid]
        named = yield from self._gain(seat, card["gain"], printed_pairs(card["gain_pairs"]), card["gain_any"])
        bonuses = [self.card[mine]["bonus"] for mine in self._repaired(seat)]
        for bonus in bonuses:
            if bonus in named:
                self._put(seat, bonus, 1)
        for bonus in bonuses:
            if bonus == const.BONUS_ANY and any(kind in named for kind in BASE):
                yield from self._gain(seat, [0] * KINDS, [], 1)

    def _discard(self, seat: int, droid: int) -> Doing:
        """A6."""
        if self.card[droid]["type"] != COMMUNICATION:
            self.place[droid] = DISCARDED
            return
        pairs = self._pairs_beside(seat)
        beside = 0
        if self.num_seats == 3:
            action = yield from self._ask("beside", seat, [act.BESIDE, act.BESIDE + 1])
            beside = action - act.BESIDE
        self._lay_face_up(droid, pairs[beside])

    def _lay_face_up(self, droid: int, pair: int) -> None:
        self.place[droid] = FACE_UP + pair
        self.face_up[pair] += 1

    # Immediate effects [F4, F5, F8, F9, H46] and gains [A5].

    def _immediate_effect(self, seat: int, number: int) -> Doing:
        card = self.card[number]
        alternatives = card["effect_alternatives"]
        chosen = 0
        if alternatives > 1:
            action = yield from self._ask("alternative", seat, [act.ALTERNATIVE + i for i in range(alternatives)])
            chosen = action - act.ALTERNATIVE
        for k in range(KINDS):
            self.extensions[seat][k] += card["extensions"][k]
        for _ in range(card["free_extensions"]):
            yield from self._extend(seat)
        if alternatives > 0:
            pairs = printed_pairs(card["effect_pairs"][chosen])
            onto = STORE_DROIDS.index(number) if number in STORE_DROIDS else None
            yield from self._gain(seat, card["effect"][chosen], pairs, card["effect_any"][chosen], onto)
        if number == TOKEN_DROID and not self.solo and self._available(seat):
            legal = [act.TOKEN + house - FIRST_HOUSE for house in self._available(seat)]
            action = yield from self._ask("token", seat, legal)
            self.token_house, self.token_owner = action - act.TOKEN, seat

    def _extend(self, seat: int) -> Doing:
        action = yield from self._ask("extension", seat, [act.EXTEND + k for k in range(KINDS)])
        self.extensions[seat][action - act.EXTEND] += 1

    def _gain(
        self, seat: int, fixed: list[int], pairs: list[int], free: int, onto: int | None = None
    ) -> Generator[None, int, set[int]]:
        """Take parts from the supply, into the shed or ``onto`` droid 65 or 71; return the kinds that were given."""

        def take(kind: int, amount: int) -> None:
            named.add(kind)
            if onto is None:
                self._put(seat, kind, amount)
            else:
                self.stored[onto][kind] += amount

        def kinds_with_room() -> list[int]:
            return [k for k in BASE if onto is not None or self._room(seat, k) > 0]

        named: set[int] = set()
        for k in range(KINDS):
            if fixed[k] > 0:
                take(k, fixed[k])
        for pair in pairs:
            open_kinds = kinds_with_room()
            if not open_kinds:
                continue
            choices = pair_choices(pair, act.GAIN_SAME, act.GAIN_DIFFERENT)
            legal = {action: kinds for action, kinds in choices.items() if set(kinds) <= set(open_kinds)}
            if not legal:
                legal = {act.GAIN_ANY + k: [k] for k in open_kinds}
            action = yield from self._ask("gain pair", seat, legal)
            for kind in legal[action]:
                take(kind, 1)
        for _ in range(free):
            open_kinds = kinds_with_room()
            if not open_kinds:
                continue
            action = yield from self._ask("gain any", seat, [act.GAIN_ANY + k for k in open_kinds])
            take(action - act.GAIN_ANY, 1)
        return named

    # Scoring [G1-G8, H45-H58, O10, O11].

    def scores(self) -> list[int]:
        return [self._score(seat) for seat in range(self.num_seats)]

    def _score(self, seat: int) -> int:
        face_up = sum(self.face_up[pair] for pair in self._pairs_beside(seat))
        total = 0
        water = 0
        for number in self._repaired(seat):
            card = self.card[number]
            if card["type"] == WATER:
                water += card["rp"]
            elif card["type"] == COMMUNICATION:
                total += self._printed_and_effect(number, face_up)
            else:
                total += card["rp"]
        total += water // 2 if self.solo and seat == AUTO else water
        total += self._houses_score(seat)
        if not self.solo and all(self._num_parts(seat) > self._num_parts(rival) for rival in self._rivals(seat)):
            total += 2
        if self._has_most_leaves(seat):
            total += 3
        return total

    def _printed_and_effect(self, number: int, effect: int) -> int:
        """C9."""
        card = self.card[number]
        return max(card["rp"], effect) if card["rp_or"] else card["rp"] + effect

    def _num_parts(self, seat: int) -> int:
        return sum(self._holding(seat))

    def _houses_score(self, seat: int) -> int:
        """F6: droid 36 takes the type, or none, that scores most over all houses."""
        built = [house for house, owner in self.builder.items() if owner == seat]
        choices: list[int | None] = [None]
        if self.place[WILD_TYPE_DROID] == REPAIRED + seat:
            choices += range(DROID_TYPES)
        return max(
            sum(self._printed_and_effect(house, self._house_effect(seat, house, wild)) for house in built)
            for wild in choices
        )

    def _house_effect(self, seat: int, house: int, wild: int | None) -> int:
        points = self.card[house]["points"]
        members = {droid_type: self._repaired(seat, droid_type) for droid_type in range(DROID_TYPES)}
        if wild is not None and house in self.wild_type_houses and WILD_TYPE_DROID not in members[wild]:
            members[wild] = members[wild] + [WILD_TYPE_DROID]
        types_repaired = sum(1 for cards in members.values() if cards)
        holding = self._holding(seat)

        if house == 45:
            return points[0] * sum(holding)
        if house == 47:
            collection = len(members[COLLECTION])
            return 0 if collection < 3 else points[min(collection, 5) - 3]
        if house == 48:
            return points[0] * len(members[MARKET])
        if house == 49:
            return points[0] * sum(self._cost_icons(card) for card in members[WATER])
        if house == 50:
            return {5: points[0], 4: points[1], 3: points[2], 2: points[3]}.get(types_repaired, 0)
        if house == 51:
            return points[0] * holding[ENERGY]
        if house == 52:
            return points[0] if types_repaired == DROID_TYPES else 0
        if house == 53:
            return points[0] * sum(self.extensions[seat])
        if house == 54:
            return points[0] if self._has_most_leaves(seat) else 0
        if house == 55:
            return points[0] * len(members[COMMUNICATION])
        if house == 56:
            return points[0] if sum(1 for owner in self.builder.values() if owner == seat) >= 3 else 0
        if house == 57:
            return points[0] * min(holding)
        if house == 58:
            return points[0]
        return 0

    def _cost_icons(self, number: int) -> int:
        """H49: a pair icon counts 2."""
        fixed, pairs, free = self._printed_cost(number)
        return sum(fixed) + 2 * len(pairs) + free

    def winners(self) -> set[int]:
        scores = self.scores()
        if self.solo:
            return {0} if scores[0] > scores[AUTO] else {AUTO}
        if self.num_seats == 4:
            teams = [(0, 3), (1, 2)]
            keys = [(min(scores[a], scores[b]), scores[a] + scores[b]) for a, b in teams]
            return {seat for team, key in zip(teams, keys, strict=True) if key == max(keys) for seat in team}
        ranks = [(scores[seat], self._num_parts(seat)) for seat in range(self.num_seats)]
        return {seat for seat in range(self.num_seats) if ranks[seat] == max(ranks)}


def printed_pairs(row: Sequence[int]) -> list[int]:
    return [pair for pair in row if pair != NO_PAIR]


def count(kinds: Iterable[int]) -> list[int]:
    """How many of each kind."""
    amounts = [0] * KINDS
    for kind in kinds:
        amounts[kind] += 1
    return amounts


def pair_choices(pair: int, same: int, different: int) -> dict[int, list[int]]:
    """The ways to name a pair icon: action -> the two kinds."""
    if pair == SAME:
        return {same + k: [k, k] for k in BASE}
    return {different + i: [DIFFERENT_FIRST[i], DIFFERENT_SECOND[i]] for i in range(len(DIFFERENT_FIRST))}


def can_pay(holding: list[int], fixed: list[int], pairs: list[int], free: int) -> bool:
    """A4: is there any way to name the pairs and the ``free`` base parts that this holding can pay?"""
    left = [holding[k] - fixed[k] for k in range(KINDS)]
    if min(left) < 0:
        return False
    if not pairs:
        return sum(left[k] for k in BASE) >= free
    ways = pair_choices(pairs[0], act.PAY_SAME, act.PAY_DIFFERENT).values()
    return any(can_pay(left, count(kinds), pairs[1:], free) for kinds in ways)
