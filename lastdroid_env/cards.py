"""Card files: what is printed on the 102 cards, read, checked and turned into the tables of ``tables.py``.

``load_cards()`` gives the built-in cards, ``load_cards("my_cards.toml")`` those of another file. A wrong file is
refused with a ``CardFileError`` that names file, card and field, what was found and what is allowed. The format
is described in ``docs/lastdroid/cards.md``.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import os
import re
import stat
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from tabletop.jit import kernel_view

from .constants import (
    BASE_KINDS,
    BASIC_EXCHANGES,
    BONUS_ANY,
    BONUS_DROIDS,
    CIRCUIT,
    COLLECTION,
    COLUMN,
    COMMUNICATION,
    DIFFERENT,
    DIFFERENT_FIRST,
    DIFFERENT_SECOND,
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
    MAX_PAIRS,
    NO_PAIR,
    NUM_CARDS,
    NUM_HOUSES,
    NUT,
    OIL,
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
MAX_COUNT = 20  # of one icon
MAX_EXCHANGE_PARTS = 6  # on one side of an exchange
MAX_NUMBER = 99  # recycling points, interest, house points

SOLO_HOUSES = 8  # O3
HOUSES = tuple(range(FIRST_HOUSE, FIRST_HOUSE + NUM_HOUSES))
GIFT_HOUSE = 46  # H46
HOUSE_POINTS = dict.fromkeys(HOUSES, 1) | {GIFT_HOUSE: 0, 47: 3, 50: 4}
DROIDS = (*TWO_PLAYER_DROIDS, *THREE_PLAYER_DROIDS, *FOUR_PLAYER_DROIDS)
TYPE_OF = {number: kind for kind, numbers in TYPE_MEMBERS.items() for number in numbers}


class CardFileError(ValueError):
    """A card file that cannot be played with; the message says where, what was found and what is allowed."""


# ---------------------------------------------------------------------------------------------------- icons [C8]


class Icons(NamedTuple):
    """A list of icons: fixed parts by kind, pairs in printed order, and the number of ``?``."""

    parts: tuple[int, ...] = (0,) * KINDS
    pairs: tuple[int, ...] = ()
    any: int = 0

    @property
    def total(self) -> int:
        """How many parts the icons stand for; a pair counts 2."""
        return sum(self.parts) + 2 * len(self.pairs) + self.any

    def __str__(self) -> str:
        return icons_to_string(self.parts, self.pairs, self.any)


_PAIR_NAMES = {SAME: "2 same", DIFFERENT: "2 different"}
_ICON = re.compile(r"([0-9]{1,2})\s+(\?|[a-z]{1,12})")


def icons_to_string(parts: Iterable[int], pairs: Iterable[int] = (), any_: int = 0) -> str:
    """Write icons as a card file does: ``"2 nut, 2 same, 1 ?"``; ``"nothing"`` if there are none."""
    words = [f"{count} {kind}" for count, kind in zip(parts, PARTS, strict=False) if count]
    words += [_PAIR_NAMES[int(pair)] for pair in pairs if pair]
    if any_:
        words.append(f"{any_} ?")
    return ", ".join(words) or "nothing"


class _Malformed(ValueError):
    """Text that is no list of icons; the argument says what it should have been."""


def _parse_icons(text: str, *, pairs: bool = True, energy: bool = True, limit: int = MAX_COUNT) -> Icons:
    """Read ``"2 nut, 2 same, 1 ?"`` [C8]. ``limit`` bounds each count."""
    kinds = PARTS if energy else PARTS[:BASE_KINDS]
    known = ", ".join(kinds) + (", ?, same and different" if pairs else " and ?")
    counts: dict[str, int] = {}
    found: list[int] = []
    for word in text.split(","):
        match = _ICON.fullmatch(word.strip())
        if match is None or match[2] not in (*kinds, "?", *(("same", "different") if pairs else ())):
            raise _Malformed(f'icons written "2 nut, 1 ?", from {known}; {_shown(word.strip())} is none')
        digits, name = match.groups()
        count = int(digits)
        if name in ("same", "different"):
            if digits != "2":
                raise _Malformed(
                    f'a pair written "2 {name}", not {_shown(word.strip())}; two pairs are "2 {name}, 2 {name}"'
                )
            found.append(SAME if name == "same" else DIFFERENT)
            continue
        if digits.startswith("0") or count > limit:
            raise _Malformed(f"counts from 1 to {limit}, without leading zeros, not {_shown(word.strip())}")
        if name in counts:
            raise _Malformed(f"each icon once with its count; {name} stands there twice")
        counts[name] = count
    if len(found) > MAX_PAIRS:
        raise _Malformed(f"at most {MAX_PAIRS} pairs, not {len(found)}")
    return Icons(tuple(counts.get(kind, 0) for kind in PARTS), tuple(found), counts.get("?", 0))


def _add(parts: tuple[int, ...], *kinds: int) -> tuple[int, ...]:
    return tuple(count + kinds.count(kind) for kind, count in enumerate(parts))


def _namings(icons: Icons) -> list[tuple[int, ...]]:
    """Every list of parts that the icons can be named as [A4], each once, in a fixed order."""
    lists = [icons.parts]
    for pair in icons.pairs:
        choices = (
            [(k, k) for k in range(BASE_KINDS)]
            if pair == SAME
            else list(zip(DIFFERENT_FIRST, DIFFERENT_SECOND, strict=True))
        )
        lists = list(dict.fromkeys(_add(parts, *choice) for parts in lists for choice in choices))
    for _ in range(icons.any):
        lists = list(dict.fromkeys(_add(parts, kind) for parts in lists for kind in range(BASE_KINDS)))
    return lists


# ---------------------------------------------------------------------------------------------- exchanges [X1, X2]


class Exchange(NamedTuple):
    """One concrete exchange: so many parts of each kind given, so many got."""

    give: tuple[int, ...]
    get: tuple[int, ...]

    def __str__(self) -> str:
        return f"{icons_to_string(self.give)} -> {icons_to_string(self.get)}"


def _exchange(give: tuple[int, int], get: tuple[int, int]) -> Exchange:
    nothing = (0,) * KINDS
    return Exchange(_add(nothing, *[give[1]] * give[0]), _add(nothing, *[get[1]] * get[0]))


# X1 without what X4 leaves out, in the order of the exchange actions.
BASIC = (
    *(_exchange((1, ENERGY), (1, kind)) for kind in range(BASE_KINDS)),
    *(_exchange((2, a), (1, b)) for a in range(BASE_KINDS) for b in range(BASE_KINDS) if a != b),
    *(_exchange((3, kind), (1, ENERGY)) for kind in (NUT, OIL, CIRCUIT)),
)
assert len(BASIC) == BASIC_EXCHANGES


def _parse_exchanges(lines: Sequence[str]) -> tuple[Exchange, ...]:
    """Every concrete exchange that the lines allow, except those with a kind on both sides [X4], each once."""
    found: dict[Exchange, None] = {}
    for line in lines:
        sides = line.split("->")
        if len(sides) != 2:
            raise _Malformed(f'exchanges written "1 nut -> 1 circuit", not {_shown(line)}')
        left, right = (_parse_icons(side) for side in sides)
        if max(left.total, right.total) > MAX_EXCHANGE_PARTS:
            raise _Malformed(f"at most {MAX_EXCHANGE_PARTS} parts on a side, not {_shown(line)}")
        before = len(found)
        pairs = itertools.product(_namings(left), _namings(right))
        kept = [Exchange(a, b) for a, b in pairs if not any(x and y for x, y in zip(a, b, strict=True))]
        if not kept:
            raise _Malformed(f"exchanges of a kind for another kind (X4), not {_shown(line)}")
        found |= dict.fromkeys(kept)
        if len(found) > MARKET_ALTERNATIVES:
            raise _Malformed(
                f"at most {MARKET_ALTERNATIVES} different exchanges on a card; {_shown(line)} makes them {len(found)}"
            )
        if len(found) == before:
            raise _Malformed(f"each exchange once; {_shown(line)} adds nothing to the lines before it")
    return tuple(found)


def _least_weights(exchanges: Sequence[Exchange]) -> tuple[Fraction, ...] | None:
    """The lightest weights of at least 1 whose total falls by at least 1 in every exchange; None if there are none.

    This is a linear program in four variables. Its optimum is a corner, where four of the constraints hold with
    equality; all corners are computed in whole numbers by Cramer's rule, so the answer is exact.
    """
    rows = np.array(
        [[int(k == kind) for k in range(KINDS)] for kind in range(KINDS)]
        + [[a - b for a, b in zip(exchange.give, exchange.get, strict=True)] for exchange in exchanges],
        dtype=np.int64,
    )
    corners = rows[np.array(list(itertools.combinations(range(len(rows)), KINDS)))]
    below = _determinants(corners)
    above = np.empty((len(corners), KINDS), dtype=np.int64)
    for kind in range(KINDS):
        replaced = corners.copy()
        replaced[:, :, kind] = 1
        above[:, kind] = _determinants(replaced)
    above *= np.sign(below)[:, None]
    below = np.abs(below)
    good = (below > 0) & (above @ rows.T >= below[:, None]).all(axis=1)
    if not good.any():
        return None
    above, below = above[good], below[good]
    total = above.sum(axis=1) / below
    lightest = np.flatnonzero(total <= total.min() + 1e-9)
    return min(tuple(Fraction(int(x), int(below[i])) for x in above[i]) for i in lightest)


def _determinants(matrices: NDArray[np.int64]) -> NDArray[np.int64]:
    """The determinants of many 4 x 4 matrices, in whole numbers, by pairs of rows (Laplace)."""
    top, bottom = matrices[:, :2], matrices[:, 2:]
    total = np.zeros(len(matrices), dtype=np.int64)
    for i, j in itertools.combinations(range(KINDS), 2):
        k, m = (column for column in range(KINDS) if column not in (i, j))
        sign = -1 if (i + j) % 2 == 0 else 1
        total += (
            sign
            * (top[:, 0, i] * top[:, 1, j] - top[:, 0, j] * top[:, 1, i])
            * (bottom[:, 0, k] * bottom[:, 1, m] - bottom[:, 0, m] * bottom[:, 1, k])
        )
    return total


def _weigh(exchanges: Sequence[Exchange]) -> tuple[tuple[int, ...] | None, list[int]]:
    """Weights that every exchange lowers, or None and the indices of a minimal set of exchanges that has none.

    Exchanges are taken into account only once the weights found so far fail to fall in them, the worst first, so
    each linear program stays tiny.
    """
    active: list[int] = []
    weights: tuple[Fraction, ...] | None = (Fraction(1),) * KINDS
    while weights is not None:
        rises = [sum(w * (b - a) for w, a, b in zip(weights, *exchange, strict=True)) for exchange in exchanges]
        worst = max(range(len(exchanges)), key=rises.__getitem__)
        if rises[worst] <= -1:
            scale = math.lcm(*(w.denominator for w in weights))
            return tuple(int(w * scale) for w in weights), []
        active.append(worst)
        weights = _least_weights([exchanges[i] for i in active])
    for index in list(active):
        rest = [i for i in active if i != index]
        if _least_weights([exchanges[i] for i in rest]) is None:
            active = rest
    return None, sorted(active)


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


def _shown(value: object) -> str:
    """A found value in a message: short, on one line, whatever it is."""
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else value[:60] + "...")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else "a huge number"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list):
        plain = all(isinstance(item, str | int | float) for item in value)
        return "[" + ", ".join(map(_shown, value)) + "]" if plain and len(value) <= 8 else f"a list of {len(value)}"
    if isinstance(value, dict):
        return "a table"
    return str(value)[:60]


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
                self.refuse("top level", f"key {_shown(key)}", 'the tables "droid" and "house"')
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
            found = "nothing" if table is None else _shown(table)
            self.refuse(group, found, f"a table [{group}.N] for each of the cards {allowed}")
        names = {str(number): number for number in numbers}
        for key in table:
            if key not in names:
                self.refuse(f"{group} {_shown(key)}", "an unknown card number", f"{group} cards {allowed}")
        for number in numbers:
            if str(number) not in table:
                self.refuse(f"{group} {number}", "no such card", f"one table [{group}.{number}] (all of {allowed})")
        return {names[key]: value for key, value in table.items()}

    def convert(
        self, where: str, row: object, model: type[Any], allowed: dict[str, str], must: set[str], may: set[str]
    ) -> Any:
        """The row as ``model``; refuses missing, unknown and misplaced fields and values of a wrong type."""
        if not isinstance(row, dict):
            self.refuse(where, _shown(row), "a table of fields")
        for field in row:
            if field not in must | may:
                found = "a field that this card does not have" if field in allowed else "an unknown field"
                self.refuse(f"{where}, {field if field in allowed else _shown(field)}", found, _names(must | may))
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
                where, _shown(row.get(field, row)), f"{allowed.get(field, 'a table of fields')} ({str(error)[:120]})"
            )
        fields = [f for f in model.__struct_fields__ if getattr(card, f) is not None and f in row and f != "printed"]
        for name in card.printed:
            if name not in fields:
                self.refuse(
                    f"{where}, printed", _shown(name), f"names of fields that the card has: {', '.join(fields)}"
                )
        return msgspec.structs.replace(card, printed=tuple(f for f in fields if f in card.printed))

    def icons(self, where: str, text: str, *, pairs: bool = True, energy: bool = True) -> Icons:
        try:
            return _parse_icons(text, pairs=pairs, energy=energy)
        except _Malformed as error:
            self.refuse(where, _shown(text), str(error))

    # ---- one card

    def droid(self, number: int, row: object) -> DroidCard:
        """A droid's fields, whose type must be the rulebook's [C3, C4, C7]."""
        where = f"droid {number}"
        must, may = _fields_of(number)
        card: DroidCard = self.convert(where, row, DroidCard, _ALLOWED, must, may)
        kind = TYPE_OF[number]
        if card.type != TYPES[kind]:
            self.refuse(
                f"{where}, type", _shown(card.type), f'"{TYPES[kind]}" (the rulebook fixes every card\'s type, C3)'
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
            self.stores[number] = _parse_icons(card.stores)
            out["store"] = STORE_DROIDS.index(number)
        if card.bonus is not None:
            if card.bonus not in (*PARTS, "?"):
                self.refuse(f"{where}, bonus", _shown(card.bonus), _ALLOWED["bonus"])
            out["bonus"] = BONUS_ANY if card.bonus == "?" else PARTS.index(card.bonus)
        if card.exchanges is not None:
            changes |= self.market(where, number, card)
        return msgspec.structs.replace(card, **changes)

    def market(self, where: str, number: int, card: DroidCard) -> dict[str, Any]:
        limited = number in LIMITED_MARKET_DROIDS
        if limited and not card.uses:
            self.refuse(f"{where}, uses", _shown(card.uses), "1 or 2 (F10: this droid's exchanges are limited)")
        if not limited and card.uses:
            self.refuse(
                f"{where}, uses", _shown(card.uses), "0, or no such field (F11: this droid's exchanges are unlimited)"
            )
        lines = card.exchanges or ()
        try:
            self.exchanges[number] = _parse_exchanges(lines)
        except _Malformed as error:
            self.refuse(f"{where}, exchanges", _shown(list(lines)), str(error))
        normal = tuple(" -> ".join(str(_parse_icons(side)) for side in line.split("->")) for line in lines)
        return {"exchanges": normal, "uses": card.uses if limited else None}

    def gift(self, where: str, out: np.void, gift: str | tuple[str, ...], *, energy: bool) -> str | tuple[str, ...]:
        texts = (gift,) if isinstance(gift, str) else gift
        alternatives = [self.icons(where, text, energy=energy) for text in texts]
        if len(set(alternatives)) < len(alternatives):
            self.refuse(where, _shown(list(texts)), "alternatives that differ")
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
                    f"{where}, points", _shown(list(card.points)), f"a list of {HOUSE_POINTS[number]} (H{number})"
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
                    self.refuse(f"{where}, interest", f"the type {_shown(name)}", ", ".join(TYPES[:DROID_TYPES]))
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
            if min(_shortage(named, cost.any, room, stored) for named in _namings(cost._replace(any=0))) > free:
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
        weights, loop = _weigh([exchange for _, exchange in unlimited])
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
