"""Card files: what is printed on the 102 cards, read, checked and turned into the tables of ``tables.py``.

``load_cards()`` gives the built-in cards, ``load_cards("my_cards.toml")`` those of another file. A wrong file is
refused with a ``CardFileError`` that names file, card and field, what was found and what is allowed. The format
is described in ``docs/lastdroid/cards.md``.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from tabletop.jit import kernel_view

from .constants import (
    BASE_KINDS,
    BASIC_EXCHANGES,
    BONUS_ANY,
    BONUS_DROIDS,
    COLLECTION,
    COLUMN,
    COMMUNICATION,
    DIFFERENT,
    DISCOUNT_DROID,
    DROID_TYPES,
    ENERGY,
    EXCHANGE_DROIDS,
    EXTENSION_DROIDS,
    FIRST_HOUSE,
    FOUR_PLAYER_DROIDS,
    GIFT_ALTERNATIVES,
    HARVEST,
    HOUSE,
    KINDS,
    LIMITED_MARKET_DROIDS,
    MARKET,
    MARKET_ALTERNATIVES,
    NO_PAIR,
    NUM_CARDS,
    NUM_HOUSES,
    PARTS,
    SAME,
    SEASONS,
    SHED,
    STORE_DROIDS,
    THREE_PLAYER_DROIDS,
    TOKEN_DROID,
    TWO_PLAYER_DROIDS,
    TYPE_MEMBERS,
    TYPES,
    UNLIMITED_MARKET_DROIDS,
    WILD_TYPE_DROID,
)
from .icons import (
    BASIC,
    MAX_COUNT,
    Exchange,
    Icons,
    Malformed,
    icons_to_string,
    namings,
    parse_exchanges,
    parse_icons,
    shown,
    weigh,
)
from .tables import FEATURES, TABLES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["CardFileError", "CardTables", "DroidCard", "HouseCard", "exchange_weights", "icons_to_string", "load_cards"]

BUILT_IN = Path(__file__).with_name("cards.toml")

# Bounds on a card file. They leave room for any comment and keep a hostile file from costing more than a second.
MAX_BYTES = 128 * 1024
MAX_DOTS = 12  # on one line: the TOML parser needs time that grows with the square of a dotted key
MAX_NUMBER = 99  # recycling points, interest, house points

SOLO_HOUSES = 8  # O3
HOUSES = tuple(range(FIRST_HOUSE, FIRST_HOUSE + NUM_HOUSES))
GIFT_HOUSE = 46  # H46
HOUSE_POINTS = dict.fromkeys(HOUSES, 1) | {GIFT_HOUSE: 0, 47: 3, 50: 4}
DROIDS = (*TWO_PLAYER_DROIDS, *THREE_PLAYER_DROIDS, *FOUR_PLAYER_DROIDS)
TYPE_OF = {number: kind for kind, numbers in TYPE_MEMBERS.items() for number in numbers}


class CardFileError(ValueError):
    """A card file that cannot be played with; the message says where, what was found and what is allowed."""


# ------------------------------------------------------------------------------------------- the file's structure

_Text = Annotated[str, msgspec.Meta(max_length=200)]
_Lines = Annotated[tuple[_Text, ...], msgspec.Meta(min_length=1, max_length=MARKET_ALTERNATIVES)]
_Number = Annotated[int, msgspec.Meta(ge=0, le=MAX_NUMBER)]
_Shift = Annotated[int, msgspec.Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
_Names = Annotated[tuple[_Text, ...], msgspec.Meta(max_length=32)]


class DroidCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A droid card as its owner reads it. Icons are strings in their normal form; None: the card has no such value."""

    type: _Text
    season: Annotated[int, msgspec.Meta(ge=1, le=SEASONS)]
    cost: _Text
    dismantle: _Text
    rp: _Number
    interest: _Number | None = None
    leaves: Annotated[int, msgspec.Meta(ge=1, le=MAX_COUNT)] | None = None
    rp_or: bool | None = None
    extensions: _Text | None = None
    gift: _Text | Annotated[tuple[_Text, ...], msgspec.Meta(min_length=1, max_length=GIFT_ALTERNATIVES)] | None = None
    stores: _Text | None = None
    bonus: _Text | None = None
    exchanges: _Lines | None = None
    uses: Annotated[int, msgspec.Meta(ge=0, le=2)] | None = None
    printed: _Names = ()


class HouseCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A house card as its owner reads it."""

    cost: _Text
    points: Annotated[tuple[_Number, ...], msgspec.Meta(max_length=4)] | None = None
    gift: _Text | None = None
    solo: bool | None = None
    interest: dict[_Text, _Shift] | None = None
    printed: _Names = ()


# What a field may hold, for the messages.
_NUMBER = f"a whole number from 0 to {MAX_NUMBER}"
_ICON_TEXT = 'icons as text, such as "2 nut, 1 ?"'
_ALLOWED = {
    "type": "the name of a droid type",
    "season": f"a whole number from 1 to {SEASONS}",
    "cost": _ICON_TEXT,
    "dismantle": _ICON_TEXT,
    "rp": _NUMBER,
    "interest": _NUMBER,
    "leaves": f"a whole number from 1 to {MAX_COUNT}",
    "rp_or": "true or false",
    "extensions": 'extensions as text, such as "1 ?, 2 circuit"',
    "gift": f"{_ICON_TEXT}, or a list of 1 to {GIFT_ALTERNATIVES} such texts",
    "stores": _ICON_TEXT,
    "bonus": '"nut", "oil", "circuit", "energy" or "?"',
    "exchanges": f'a list of 1 to {MARKET_ALTERNATIVES} texts, such as ["1 nut -> 1 circuit"]',
    "uses": "a whole number from 0 (unlimited) to 2",
    "printed": "a list of names of fields of this card",
}
_HOUSE_ALLOWED = {
    "cost": _ICON_TEXT,
    "points": f"a list of whole numbers from 0 to {MAX_NUMBER}",
    "gift": _ICON_TEXT,
    "solo": "true or false",
    "interest": f"a table of droid types and numbers from -{MAX_NUMBER} to {MAX_NUMBER}, such as {{ market = 8 }}",
    "printed": _ALLOWED["printed"],
}


def _fields_of(number: int) -> tuple[set[str], set[str]]:
    """The fields that a droid card must have, and those that it may have besides [C4, C9]."""
    must = {"type", "season", "cost", "dismantle", "rp"}
    may = {"printed"}
    if number in TWO_PLAYER_DROIDS:
        must.add("interest")
    kind = TYPE_OF[number]
    if kind == HARVEST:
        must.add("leaves")
    elif kind == COMMUNICATION:
        may.add("rp_or")
    elif kind == SHED:
        must.add("extensions")
        if number in EXTENSION_DROIDS:
            may.add("gift")
    elif kind == COLLECTION:
        must.add("bonus" if number in BONUS_DROIDS else "stores" if number in STORE_DROIDS else "gift")
    elif kind == MARKET and number in EXCHANGE_DROIDS:
        must.add("exchanges")
        (must if number in LIMITED_MARKET_DROIDS else may).add("uses")
    return must, may


def _house_fields_of(number: int) -> tuple[set[str], set[str]]:
    return {"cost", "gift" if HOUSE_POINTS[number] == 0 else "points"}, {"solo", "interest", "printed"}


def _names(fields: Iterable[str]) -> str:
    return ", ".join(sorted(fields))


# ------------------------------------------------------------------------------------------------------- loading


@dataclass(frozen=True, eq=False)
class CardTables:
    """A card file that was read and found good.

    ``tables`` is a read-only array of shape (1,) and dtype ``TABLES``, ready for the rules. ``content_hash`` names
    the values, whatever the file's layout, comments and provenance marks. ``weights`` are those of
    ``exchange_weights``.
    """

    tables: NDArray[np.void]
    content_hash: str
    source: str
    weights: tuple[int, ...]
    droids: dict[int, DroidCard]
    houses: dict[int, HouseCard]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", kernel_view(self.tables))
        self.tables.setflags(write=False)

    def card(self, number: int) -> DroidCard | HouseCard:
        """The card as its owner reads it, with the names of its values that the rulebook prints."""
        if number in self.houses:
            return self.houses[number]
        if number in self.droids:
            return self.droids[number]
        raise KeyError(f"no card {number!r}; cards are numbered 1 to {NUM_CARDS}")

    def exchange_to_string(self, row: int) -> str | None:
        """An exchange by its row in the tables, ``1 nut for 1 circuit``; None for an unused row."""
        if self.tables["exchange_droid"][0, row] < 0:
            return None
        give, get = (self.tables[side][0, row].tolist() for side in ("exchange_give", "exchange_get"))
        return f"{icons_to_string(give)} for {icons_to_string(get)}"

    def __deepcopy__(self, memo: dict[int, Any]) -> CardTables:
        return self  # nothing in it changes

    def __reduce__(self) -> tuple[Any, ...]:
        return CardTables, (self.tables, self.content_hash, self.source, self.weights, self.droids, self.houses)


def load_cards(source: str | os.PathLike[str] | None = None) -> CardTables:
    """Read a card file (None: the built-in one), check it and return its tables [C7]; ``CardFileError`` if wrong."""
    if source is None:
        return _built_in()
    if not isinstance(source, str | os.PathLike):
        raise CardFileError(f"cards: found {source!r}; allowed: the path of a card file")
    name = os.fsdecode(source)
    return _Loader(name).load(_read(name))


@lru_cache(maxsize=1)
def _built_in() -> CardTables:
    return _Loader(BUILT_IN.name).load(_read(str(BUILT_IN)))


def exchange_weights(cards: CardTables) -> tuple[int, ...]:
    """Positive whole weights of nut, oil, circuit and energy whose total every unlimited exchange lowers [X5].

    The unlimited exchanges are the twelve of X1 and those of unlimited market droids. Without limited exchanges, a
    player whose parts weigh W can make fewer than W of them in a row.
    """
    return cards.weights


def _read(name: str) -> dict[str, Any]:
    """The file's TOML, with every way in which that can fail refused."""

    def refuse(found: str, allowed: str = "a card file in TOML") -> NoReturn:
        raise CardFileError(f"{name}: found {found}; allowed: {allowed}")

    try:
        if not stat.S_ISREG(os.stat(name).st_mode):
            raise OSError("it is not a regular file")
        with open(name, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        text = f"{name!r}: cannot be read ({error}); allowed: the path of a card file in TOML"
        raise CardFileError(text) from error
    if len(data) > MAX_BYTES:
        refuse(f"more than {MAX_BYTES} bytes", f"at most {MAX_BYTES} bytes")
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.count(b".") > MAX_DOTS:
            refuse(f"{line.count(b'.')} dots on line {number}", f"at most {MAX_DOTS} dots a line, comments included")
    try:
        raw: dict[str, Any] = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        refuse(f"bytes that are not UTF-8 at position {error.start}", "UTF-8 text")
    except RecursionError:
        refuse("brackets nested too deeply", "the tables of a card file")
    except Exception as error:
        refuse(f"no valid TOML ({str(error)[:200]})")
    return raw


class _Loader:
    """The checks of one file, card by card and then over all cards; the tables are filled on the way."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tables: NDArray[np.void] = np.zeros(1, dtype=TABLES)
        self.cards = self.tables["card"][0]
        self.cards["bonus"] = -1
        self.cards["store"] = -1
        self.costs: dict[int, Icons] = {}
        self.extensions: dict[int, Icons] = {}
        self.stores: dict[int, Icons] = {}
        self.exchanges: dict[int, tuple[Exchange, ...]] = {}

    def refuse(self, where: str, found: str, allowed: str) -> NoReturn:
        raise CardFileError(f"{self.name}: {where}: found {found}; allowed: {allowed}")

    def load(self, raw: dict[str, Any]) -> CardTables:
        for key in raw:
            if key not in ("droid", "house"):
                self.refuse("top level", f"key {shown(key)}", 'the tables "droid" and "house"')
        droid_rows = self.rows(raw, "droid", DROIDS, "1-44 and 59-102")
        house_rows = self.rows(raw, "house", HOUSES, "45-58")
        droids = {number: self.droid(number, droid_rows[number]) for number in DROIDS}
        houses = {number: self.house(number, house_rows[number]) for number in HOUSES}
        self.check_seasons(droids)
        self.check_solo(houses)
        self.check_costs()
        weights = self.fill_exchanges(droids)
        self.tables["features"][0] = _features(self.tables[0])
        return CardTables(self.tables, self.hash(droids, houses), self.name, weights, droids, houses)

    # ---- structure

    def rows(self, raw: dict[str, Any], group: str, numbers: Sequence[int], allowed: str) -> dict[int, Any]:
        table = raw.get(group)
        if not isinstance(table, dict):
            found = "nothing" if table is None else shown(table)
            self.refuse(group, found, f"a table [{group}.N] for each of the cards {allowed}")
        names = {str(number): number for number in numbers}
        for key in table:
            if key not in names:
                self.refuse(f"{group} {shown(key)}", "an unknown card number", f"{group} cards {allowed}")
        for number in numbers:
            if str(number) not in table:
                self.refuse(f"{group} {number}", "no such card", f"one table [{group}.{number}] (all of {allowed})")
        return {names[key]: value for key, value in table.items()}

    def convert(
        self, where: str, row: object, model: type[Any], allowed: dict[str, str], must: set[str], may: set[str]
    ) -> Any:
        """The row as ``model``; refuses missing, unknown and misplaced fields and values of a wrong type."""
        if not isinstance(row, dict):
            self.refuse(where, shown(row), "a table of fields")
        for field in row:
            if field not in must | may:
                found = "a field that this card does not have" if field in allowed else "an unknown field"
                self.refuse(f"{where}, {field if field in allowed else shown(field)}", found, _names(must | may))
        for field in sorted(must):
            if field not in row:
                self.refuse(f"{where}, {field}", "no such field", allowed[field])
        try:
            card = msgspec.convert(row, model, strict=True)
        except (msgspec.ValidationError, RecursionError, OverflowError) as error:
            match = re.search(r"`\$\.([a-z_]+)", str(error))
            field = match[1] if match and match[1] in row else ""
            where = f"{where}, {field}" if field else where
            self.refuse(
                where, shown(row.get(field, row)), f"{allowed.get(field, 'a table of fields')} ({str(error)[:120]})"
            )
        fields = [f for f in model.__struct_fields__ if getattr(card, f) is not None and f in row and f != "printed"]
        for name in card.printed:
            if name not in fields:
                self.refuse(f"{where}, printed", shown(name), f"names of fields that the card has: {', '.join(fields)}")
        return msgspec.structs.replace(card, printed=tuple(f for f in fields if f in card.printed))

    def icons(self, where: str, text: str, *, pairs: bool = True, energy: bool = True) -> Icons:
        try:
            return parse_icons(text, pairs=pairs, energy=energy)
        except Malformed as error:
            self.refuse(where, shown(text), str(error))

    # ---- one card

    def droid(self, number: int, row: object) -> DroidCard:
        """A droid's fields, whose type must be the rulebook's [C3, C4, C7]."""
        where = f"droid {number}"
        must, may = _fields_of(number)
        card: DroidCard = self.convert(where, row, DroidCard, _ALLOWED, must, may)
        kind = TYPE_OF[number]
        if card.type != TYPES[kind]:
            self.refuse(
                f"{where}, type", shown(card.type), f'"{TYPES[kind]}" (the rulebook fixes every card\'s type, C3)'
            )
        out = self.cards[number]
        cost = self.costs[number] = self.icons(f"{where}, cost", card.cost)
        gain = self.icons(f"{where}, dismantle", card.dismantle)
        out["type"] = kind
        out["season"] = card.season
        out["rp"] = card.rp
        out["rp_or"] = bool(card.rp_or)
        out["leaves"] = card.leaves or 0
        out["interest"] = card.interest or 0
        self.put_cost(out, cost)
        out["gain"], out["gain_any"] = gain.parts, gain.any
        out["gain_pairs"][: len(gain.pairs)] = gain.pairs
        changes: dict[str, Any] = {"cost": str(cost), "dismantle": str(gain)}
        if card.rp_or is False:
            changes["rp_or"] = None
        if card.extensions is not None:
            bound = self.extensions[number] = self.icons(f"{where}, extensions", card.extensions, pairs=False)
            out["extensions"], out["free_extensions"] = bound.parts, bound.any
            changes["extensions"] = str(bound)
        if card.gift is not None:
            changes["gift"] = self.gift(f"{where}, gift", out, card.gift, energy=kind != COLLECTION)
        if card.stores is not None:
            changes["stores"] = self.gift(f"{where}, stores", out, card.stores, energy=False)
            self.stores[number] = parse_icons(card.stores)
            out["store"] = STORE_DROIDS.index(number)
        if card.bonus is not None:
            if card.bonus not in (*PARTS, "?"):
                self.refuse(f"{where}, bonus", shown(card.bonus), _ALLOWED["bonus"])
            out["bonus"] = BONUS_ANY if card.bonus == "?" else PARTS.index(card.bonus)
        if card.exchanges is not None:
            changes |= self.market(where, number, card)
        return msgspec.structs.replace(card, **changes)

    def market(self, where: str, number: int, card: DroidCard) -> dict[str, Any]:
        limited = number in LIMITED_MARKET_DROIDS
        if limited and not card.uses:
            self.refuse(f"{where}, uses", shown(card.uses), "1 or 2 (F10: this droid's exchanges are limited)")
        if not limited and card.uses:
            self.refuse(
                f"{where}, uses", shown(card.uses), "0, or no such field (F11: this droid's exchanges are unlimited)"
            )
        lines = card.exchanges or ()
        try:
            self.exchanges[number] = parse_exchanges(lines)
        except Malformed as error:
            self.refuse(f"{where}, exchanges", shown(list(lines)), str(error))
        normal = tuple(" -> ".join(str(parse_icons(side)) for side in line.split("->")) for line in lines)
        return {"exchanges": normal, "uses": card.uses if limited else None}

    def gift(self, where: str, out: np.void, gift: str | tuple[str, ...], *, energy: bool) -> str | tuple[str, ...]:
        texts = (gift,) if isinstance(gift, str) else gift
        alternatives = [self.icons(where, text, energy=energy) for text in texts]
        if len(set(alternatives)) < len(alternatives):
            self.refuse(where, shown(list(texts)), "alternatives that differ")
        out["effect_alternatives"] = len(alternatives)
        for index, icons in enumerate(alternatives):
            out["effect"][index], out["effect_any"][index] = icons.parts, icons.any
            out["effect_pairs"][index, : len(icons.pairs)] = icons.pairs
        normal = tuple(map(str, alternatives))
        return normal if len(normal) > 1 else normal[0]

    def house(self, number: int, row: object) -> HouseCard:
        where = f"house {number}"
        must, may = _house_fields_of(number)
        card: HouseCard = self.convert(where, row, HouseCard, _HOUSE_ALLOWED, must, may)
        out = self.cards[number]
        cost = self.costs[number] = self.icons(f"{where}, cost", card.cost)
        out["type"] = HOUSE
        self.put_cost(out, cost)
        changes: dict[str, Any] = {"cost": str(cost)}
        if card.points is not None:
            if len(card.points) != HOUSE_POINTS[number]:
                self.refuse(
                    f"{where}, points", shown(list(card.points)), f"a list of {HOUSE_POINTS[number]} (H{number})"
                )
            out["points"][: len(card.points)] = card.points
        if card.gift is not None:
            changes["gift"] = self.gift(f"{where}, gift", out, card.gift, energy=True)
        out["solo"] = bool(card.solo)
        if not card.solo:
            changes["solo"] = None
        if card.interest is not None:
            if not card.solo:
                self.refuse(
                    f"{where}, interest", "a field that this card does not have", "interest on houses with solo = true"
                )
            for name, shift in card.interest.items():
                if name not in TYPES[:DROID_TYPES]:
                    self.refuse(f"{where}, interest", f"the type {shown(name)}", ", ".join(TYPES[:DROID_TYPES]))
                out["interest_shift"][TYPES.index(name)] = shift
        return msgspec.structs.replace(card, **changes)

    @staticmethod
    def put_cost(out: np.void, cost: Icons) -> None:
        out["cost"], out["cost_any"], out["cost_icons"] = cost.parts, cost.any, cost.total
        out["cost_pairs"][: len(cost.pairs)] = cost.pairs

    # ---- all cards

    def check_seasons(self, droids: dict[int, DroidCard]) -> None:
        """Every season ends at the end of a turn, at every number of players [C6, S5, S8]."""

        def sizes(numbers: Iterable[int]) -> list[int]:
            seasons = [droids[number].season for number in numbers]
            return [seasons.count(season) for season in range(1, SEASONS + 1)]

        first, second = sizes(TWO_PLAYER_DROIDS), sizes((*THREE_PLAYER_DROIDS, *FOUR_PLAYER_DROIDS))
        three = sizes((*TWO_PLAYER_DROIDS, *THREE_PLAYER_DROIDS))
        for season, (two, middle, other) in enumerate(zip(first, three, second, strict=True), 1):
            for numbers, found, allowed, good in (
                ("1-44", two, "an even number above 0, for two players", two > 0 and two % 2 == 0),
                ("1-44 and 59-80", middle, "a number that 3 divides, for three players", middle % 3 == 0),
                ("59-102", other, f"{two}, as many as among droids 1-44, for four players", other == two),
            ):
                if not good:
                    self.refuse(f"droids {numbers}, season", f"{found} cards of season {season}", allowed)

    def check_solo(self, houses: dict[int, HouseCard]) -> None:
        solo = [number for number in HOUSES if houses[number].solo]
        if len(solo) != SOLO_HOUSES:
            self.refuse(
                "houses, solo",
                f"solo = true on {len(solo)} houses ({', '.join(map(str, solo))})",
                f"exactly {SOLO_HOUSES}",
            )

    def check_costs(self) -> None:
        """No cost that a shed can never hold when the card is repaired or the house built [C5, A4, A7, F12].

        A player may by then own every droid of this and earlier seasons but the card itself, and one extension for
        each season that has ended.
        """
        for number, cost in self.costs.items():
            season = int(self.cards[number]["season"]) or SEASONS
            owned = [n for n in (*self.extensions, *self.stores) if n != number and self.cards[n]["season"] <= season]
            room = [COLUMN] * KINDS
            free, stored = season - 1, 0
            for droid in owned:
                if droid in self.extensions:
                    icons = self.extensions[droid]
                    free += icons.any
                    room = [a + b for a, b in zip(room, icons.parts, strict=True)]
                else:
                    icons = self.stores[droid]
                    stored += icons.any + 2 * len(icons.pairs)
                    room[:BASE_KINDS] = [a + b for a, b in zip(room, icons.parts[:BASE_KINDS], strict=False)]
            discount = self.cards[number]["type"] != HOUSE and number != DISCOUNT_DROID
            if discount and self.cards[DISCOUNT_DROID]["season"] <= season:
                room[ENERGY] += 1
            if min(_shortage(named, cost.any, room, stored) for named in namings(cost._replace(any=0))) > free:
                group = "house" if number in HOUSES else "droid"
                most = ", ".join(f"{count} {kind}" for count, kind in zip(room, PARTS, strict=True))
                extra = (
                    f" and {stored} more base parts on droids {STORE_DROIDS[0]} and {STORE_DROIDS[1]}" if stored else ""
                )
                self.refuse(
                    f"{group} {number}, cost",
                    f"'{cost}', which no shed can ever hold",
                    f"at most {most}, with {free} more in columns of choice{extra}, by season {season}",
                )

    def fill_exchanges(self, droids: dict[int, DroidCard]) -> tuple[int, ...]:
        tables = self.tables[0]
        rows: list[tuple[int, int, Exchange]] = [(index, 0, exchange) for index, exchange in enumerate(BASIC)]
        for at, number in enumerate(EXCHANGE_DROIDS):
            first = BASIC_EXCHANGES + MARKET_ALTERNATIVES * at
            rows += [(first + a, number, exchange) for a, exchange in enumerate(self.exchanges[number])]
            tables["exchange_uses"][number] = droids[number].uses or 0
        tables["exchange_droid"] = -1
        for row, number, exchange in rows:
            tables["exchange_droid"][row] = number
            tables["exchange_give"][row], tables["exchange_get"][row] = exchange
        unlimited = [(number, exchange) for _, number, exchange in rows if number not in LIMITED_MARKET_DROIDS]
        weights, loop = weigh([exchange for _, exchange in unlimited])
        if weights is None:
            droids_named = dict.fromkeys(f"droid {unlimited[i][0]}" for i in loop if unlimited[i][0])
            named = [f"{unlimited[i][1]} ({f'droid {unlimited[i][0]}' if unlimited[i][0] else 'X1'})" for i in loop]
            self.refuse(
                f"{' and '.join(droids_named)}, exchanges",
                f"endless exchanges: {', '.join(named)}",
                "unlimited exchanges that all lower some weighted total of the parts (X5)",
            )
        return weights

    def hash(self, droids: dict[int, DroidCard], houses: dict[int, HouseCard]) -> str:
        content = []
        for cards in (droids, houses):
            for number, card in sorted(cards.items()):
                values = {k: v for k, v in msgspec.structs.asdict(card).items() if v is not None and k != "printed"}
                if number in self.exchanges:
                    values["exchanges"] = list(map(str, self.exchanges[number]))
                content.append([number, dict(sorted(values.items()))])
        return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def _shortage(named: Sequence[int], any_: int, room: Sequence[int], stored: int) -> int:
    """How many extensions of choice it takes to hold these parts and ``any_`` base parts of choice."""
    lacking = [max(0, count - space) for count, space in zip(named, room, strict=True)]
    spare = sum(max(0, space - count) for count, space in zip(named[:BASE_KINDS], room[:BASE_KINDS], strict=True))
    return lacking[ENERGY] + max(0, sum(lacking[:BASE_KINDS]) + max(0, any_ - spare) - stored)


def _features(tables: np.void) -> NDArray[np.float64]:
    """The features of all cards, a row a card; row 0 is zeros."""
    cards = tables["card"]
    number = np.arange(NUM_CARDS + 1)
    owner = tables["exchange_droid"]
    gives, gets = np.zeros((2, NUM_CARDS + 1, KINDS), dtype=bool)
    for row in np.flatnonzero(owner > 0):
        gives[owner[row]] |= tables["exchange_give"][row] > 0
        gets[owner[row]] |= tables["exchange_get"][row] > 0
    columns: dict[str, NDArray[Any]] = {
        "number": number,
        "season": cards["season"],
        "rp": cards["rp"],
        "rp or": cards["rp_or"],
        "leaves": cards["leaves"],
        "interest": cards["interest"],
        "extensions free": cards["free_extensions"],
        "gift choice": cards["effect_any"][:, 0] + 2 * (cards["effect_pairs"][:, 0] != NO_PAIR).sum(axis=1),
        "gift alternatives": cards["effect_alternatives"],
        "gift stored": cards["store"] >= 0,
        "exchange uses": tables["exchange_uses"],
        "exchange unlimited": np.isin(number, UNLIMITED_MARKET_DROIDS),
        "bonus any": cards["bonus"] == BONUS_ANY,
        "discount": number == DISCOUNT_DROID,
        "tokens": number == TOKEN_DROID,
        "wild type": number == WILD_TYPE_DROID,
    }
    for kind, name in enumerate(TYPES[:DROID_TYPES]):
        columns[f"type {name}"] = cards["type"] == kind
    for kind, name in enumerate(PARTS):
        columns[f"cost {name}"] = cards["cost"][:, kind]
        columns[f"dismantle {name}"] = cards["gain"][:, kind]
        columns[f"extensions {name}"] = cards["extensions"][:, kind]
        columns[f"gift {name}"] = cards["effect"][:, 0, kind]
        columns[f"exchange gives {name}"] = gives[:, kind]
        columns[f"exchange gets {name}"] = gets[:, kind]
        columns[f"bonus {name}"] = cards["bonus"] == kind
    for group, field in (("cost", "cost"), ("dismantle", "gain")):
        columns[f"{group} same pairs"] = (cards[f"{field}_pairs"] == SAME).sum(axis=1)
        columns[f"{group} different pairs"] = (cards[f"{field}_pairs"] == DIFFERENT).sum(axis=1)
        columns[f"{group} any"] = cards[f"{field}_any"]
    features = np.stack([columns[name] / scale for name, scale in FEATURES], axis=1)
    features[0] = 0
    return features
