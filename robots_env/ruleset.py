"""Rule sets: what the rules of Robots! leave to a table or to the printed cards, read, checked, turned into tables.

``load_rules()`` gives the source text's rules, ``load_rules("publisher")`` the publisher's, ``load_rules("my.toml")``
those of a file, ``load_rules({"star_high": 15})`` those of a dict. A wrong one is refused with a ``RuleSetError`` that
names the field, what was found and what is allowed.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tabletop.game import is_whole
from tabletop.jit import kernel_view

from .constants import CARDS, FIRST_NUMBER, LANE, LAST_NUMBER, NUM_PLACES, POWERS, SPREAD, STAR_HIGH_CHOICES, WILD
from .tables import TABLES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["RuleSet", "RuleSetError", "load_rules", "rule_set_names"]

BUILT_IN = Path(__file__).with_name("ruleset.toml")
DEFAULT = "source"

# Bounds on a rule set. They leave room for any table's habits and keep a hostile file from costing more than a moment.
MAX_BYTES = 32 * 1024
MAX_DOTS = 12  # on one line: the TOML parser needs time that grows with the square of a dotted key
MAX_POINTS = 100
MAX_BONUS = 1000
MAX_REFILLS = 100
MAX_TURNS = 1000
MAX_ROUNDS = 1000
MAX_TARGET = 100_000

_NUMBERS = tuple(map(str, range(FIRST_NUMBER, LAST_NUMBER + 1)))
_POINT_KEYS = (*_NUMBERS, "star", "wild")
_FLAG = "true or false"
_ALLOWED = {
    "star_high": " or ".join(map(str, STAR_HIGH_CHOICES)),
    "wild_completes_robot": _FLAG,
    "discard_taken_card": _FLAG,
    "power_on_last_discard": _FLAG,
    "max_refills": f"a whole number from 0 to {MAX_REFILLS}",
    "max_turns": f"a whole number from 1 to {MAX_TURNS}",
    "max_rounds": f"a whole number from 1 to {MAX_ROUNDS}",
    "target_score": f"a whole number from 1 to {MAX_TARGET}",
    "robot_bonus": f"a whole number from 0 to {MAX_BONUS}",
    "powers": f"numbers from {FIRST_NUMBER} to {LAST_NUMBER}, each with one of {', '.join(map(repr, POWERS[1:]))}",
    "card_points": f"for each of 2 to 14, star and wild a whole number from 0 to {MAX_POINTS}",
}


class RuleSetError(ValueError):
    """A rule set that cannot be played with; the message names the field, what was found and what is allowed."""


_Power = Literal["recycle", "extra parts", "tractor beam", "laser", "short circuit"]


class RuleSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True, eq=True):
    """The open points of the rules, settled. Made by ``load_rules`` or from another one with ``replace``.

    ``powers`` maps numbers ("2" to "14") to powers, ``card_points`` numbers, "star" and "wild" to points.
    """

    star_high: Literal[14, 15]
    wild_completes_robot: bool
    discard_taken_card: bool
    power_on_last_discard: bool
    max_refills: Annotated[int, msgspec.Meta(ge=0, le=MAX_REFILLS)]
    max_turns: Annotated[int, msgspec.Meta(ge=1, le=MAX_TURNS)]
    max_rounds: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)]
    target_score: Annotated[int, msgspec.Meta(ge=1, le=MAX_TARGET)]
    robot_bonus: Annotated[int, msgspec.Meta(ge=0, le=MAX_BONUS)]
    powers: dict[str, _Power]
    card_points: dict[str, Annotated[int, msgspec.Meta(ge=0, le=MAX_POINTS)]]

    def replace(self, **changes: Any) -> RuleSet:
        """This rule set with some fields changed; ``RuleSetError`` if it cannot be played with."""
        return _make("replace", self.as_dict(), changes)

    def as_dict(self) -> dict[str, Any]:
        """The fields as JSON-able values: ``load_rules`` takes them back."""
        return {**msgspec.structs.asdict(self), "powers": dict(self.powers), "card_points": dict(self.card_points)}

    def as_source(self) -> str | dict[str, Any]:
        """The shortest argument with which ``load_rules`` makes this rule set: a name, or changes to the default."""
        for name, known in _built_in().items():
            if known == self:
                return name
        default, own = _built_in()[DEFAULT].as_dict(), self.as_dict()
        return {"base": DEFAULT, **{field: own[field] for field in own if own[field] != default[field]}}

    @functools.cached_property
    def content_hash(self) -> str:
        """A name for the values, whatever the layout of the file."""
        return hashlib.sha256(msgspec.json.encode(self.as_dict(), order="sorted")).hexdigest()

    @functools.cached_property
    def tables(self) -> NDArray[np.void]:
        """A read-only array of shape (1,) and dtype ``TABLES``, ready for the rules."""
        tables = np.zeros(1, TABLES)
        row = tables[0]
        places = max(LAST_NUMBER, self.star_high)
        row["places"] = _in_each_lane(2**places - 1)
        row["windows"] = _in_each_lane(2 ** (places - SPREAD + 1) - 1)
        row["high"] = self.star_high - 1
        for field in _PLAIN:
            row[field] = getattr(self, field)
        for card in CARDS:
            place = card % LANE
            row["points"][card] = self.card_points[str(place + 1) if place else "star"]
            row["power"][card] = POWERS.index(self.powers.get(str(place + 1), POWERS[0])) if place else 0
        row["points"][WILD] = self.card_points["wild"]
        tables = kernel_view(tables)
        tables.setflags(write=False)
        return tables

    def __deepcopy__(self, memo: dict[int, Any]) -> RuleSet:
        return self  # nothing in it changes

    def __hash__(self) -> int:
        return hash(self.content_hash)


_PLAIN = (
    "wild_completes_robot",
    "discard_taken_card",
    "power_on_last_discard",
    "max_refills",
    "max_turns",
    "max_rounds",
    "target_score",
    "robot_bonus",
)


def _in_each_lane(places: int) -> int:
    assert places < 2**NUM_PLACES
    return sum(places << (LANE * suit) for suit in range(4))


def load_rules(source: str | os.PathLike[str] | Mapping[str, Any] | RuleSet | None = None) -> RuleSet:
    """A rule set: a name of ``rule_set_names()`` (None: "source"), a file's path, or a mapping of fields.

    Of a file or mapping, fields that are not given are those of its ``base`` ("source" if it names none). ``powers`` is
    given whole; of ``card_points`` as many as are to change.
    """
    if isinstance(source, RuleSet):
        return source
    if source is None:
        return _built_in()[DEFAULT]
    if isinstance(source, Mapping):
        return _based("the given rule set", dict(source), _built_in())
    if not isinstance(source, str | os.PathLike):
        allowed = f"{', '.join(map(repr, _built_in()))}, the path of a rule set, or a dict of fields"
        raise RuleSetError(f"rules: found {_shown(source)}; allowed: {allowed}")
    name = os.fsdecode(source)
    if isinstance(source, str) and name in _built_in():
        return _built_in()[name]
    return _based(name, _read(name), _built_in())


def rule_set_names() -> tuple[str, ...]:
    """The rule sets known by name."""
    return tuple(_built_in())


@functools.lru_cache(maxsize=1)
def _built_in() -> dict[str, RuleSet]:
    known: dict[str, RuleSet] = {}
    for name, fields in _read(str(BUILT_IN)).items():
        known[name] = _based(f"{BUILT_IN.name}, {name}", fields, known)
    return known


def _based(where: str, raw: dict[str, Any], known: Mapping[str, RuleSet]) -> RuleSet:
    base = raw.pop("base", DEFAULT if known else None)
    if base is None:
        return _make(where, {}, raw)
    if not isinstance(base, str) or base not in known:
        raise RuleSetError(f"{where}: base: found {_shown(base)}; allowed: {', '.join(map(repr, known))}")
    return _make(where, known[base].as_dict(), raw)


def _make(where: str, fields: dict[str, Any], changes: Mapping[str, Any]) -> RuleSet:
    """Fields with changes, checked one by one so that every message names its field."""
    for name, value in changes.items():
        if name not in _ALLOWED:
            raise RuleSetError(f"{where}: found the field {_shown(name)}; allowed: base, {', '.join(sorted(_ALLOWED))}")
        if name == "card_points" and isinstance(value, Mapping):
            value = {**fields.get(name, {}), **_by_key(where, name, value)}
        elif name == "powers" and isinstance(value, Mapping):
            value = _by_key(where, name, value)
        fields[name] = _checked(where, name, value)
    for name in _ALLOWED:
        if name not in fields:
            raise RuleSetError(f"{where}: {name}: found nothing; allowed: {_ALLOWED[name]}")
    tables = {name: _FrozenDict(fields[name]) for name in ("powers", "card_points")}
    return RuleSet(**{**fields, **tables})


def _by_key(where: str, name: str, table: Mapping[Any, Any]) -> dict[Any, Any]:
    """A table with its numbers as the file writes them."""
    named = {str(key) if is_whole(key) else key: value for key, value in table.items()}
    if len(named) < len(table):
        raise RuleSetError(f"{where}: {name}: found a key twice, as a number and as a text; allowed: each once")
    return named


class _FrozenDict(dict[str, Any]):
    """A table of a rule set, which all games share: nothing in it changes."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a rule set does not change: make another one with replace()")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> Any:
        return _FrozenDict, (dict(self),)


def _checked(where: str, name: str, value: Any) -> Any:
    """A field's value, NumPy's numbers as Python's, tables in ascending order; ``RuleSetError`` if it is wrong."""
    keys = {"powers": _NUMBERS, "card_points": _POINT_KEYS}.get(name)
    if keys is not None and isinstance(value, Mapping):
        for key in value:
            if key not in keys:
                found = _shown(key)
                raise RuleSetError(f"{where}: {name}: found the key {found}; allowed: {', '.join(keys)}")
        if name == "card_points":
            for key in keys:
                if key not in value:
                    raise RuleSetError(f"{where}: {name}.{key}: found nothing; allowed: {_ALLOWED[name]}")
        value = {key: _plain(value[key]) for key in keys if key in value}
    else:
        value = _plain(value)
    try:
        return msgspec.convert(value, _TYPES[name])
    except msgspec.ValidationError as error:
        at = re.search(r"\$\[\.\.\.\]", str(error))
        part, found = name, value
        if at is not None and isinstance(value, dict):
            # The message does not say which key: the first whose value alone is refused.
            for key, one in value.items():
                try:
                    msgspec.convert({key: one}, _TYPES[name])
                except msgspec.ValidationError:
                    part, found = f"{name}.{key}", one
                    break
        raise RuleSetError(f"{where}: {part}: found {_shown(found)}; allowed: {_ALLOWED[name]}") from None


_TYPES = {field.name: field.type for field in msgspec.structs.fields(RuleSet)}


def _plain(value: Any) -> Any:
    if isinstance(value, np.bool_):
        return bool(value)
    return int(value) if isinstance(value, np.integer) else value


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
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else str(value)[:60].replace("\n", " ")


def _read(name: str) -> dict[str, Any]:
    """The file's TOML, with every way in which that can fail refused."""
    try:
        if not stat.S_ISREG(os.stat(name).st_mode):
            raise OSError("it is not a regular file")
        with open(name, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        names = ", ".join(map(repr, _built_in())) if name != str(BUILT_IN) else ""
        raise RuleSetError(
            f"{name!r}: cannot be read ({error}); allowed: {names} or the path of a rule set in TOML"
        ) from error
    if len(data) > MAX_BYTES:
        raise RuleSetError(f"{name}: found more than {MAX_BYTES} bytes; allowed: at most {MAX_BYTES} bytes")
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.count(b".") > MAX_DOTS:
            raise RuleSetError(
                f"{name}: found {line.count(b'.')} dots on line {number}; allowed: at most {MAX_DOTS} dots a line"
            )
    try:
        raw: dict[str, Any] = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RuleSetError(f"{name}: found bytes that are not UTF-8 at {error.start}; allowed: UTF-8 text") from None
    except RecursionError:
        raise RuleSetError(f"{name}: found brackets nested too deeply; allowed: the fields of a rule set") from None
    except Exception as error:
        raise RuleSetError(f"{name}: found no valid TOML ({str(error)[:200]}); allowed: a rule set in TOML") from None
    return raw
