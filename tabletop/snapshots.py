"""What the snapshots of all games share: the schema's base, reading its structure, names to numbers, refusals.

A game's own module holds the one schema of both directions. Reading has three steps: the structure (types, fields,
ranges), names to numbers, and then the game's own checks, which refuse every position that its rules cannot lead to.
Every refusal is an ``ImpossibleState`` that names the field, what was found and what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import msgspec
from numpy.typing import NDArray

from .game import RESUME, Game, ImpossibleState

S = TypeVar("S", bound="Struct")


class Struct(msgspec.Struct, forbid_unknown_fields=True):
    """A table of fields in a snapshot."""


def refuse(field: str, found: str, allowed: str) -> NoReturn:
    """Say that a field of a snapshot is wrong."""
    raise ImpossibleState(f"{field}: found {found}; allowed: {allowed}")


_TYPE_WORDS = {
    "object": "a table of fields",
    "array": "a list",
    "str": "a text",
    "int": "a whole number",
    "bool": "true or false",
}


def structure(snapshot: object, schema: type[S]) -> S:
    """Fields, types and ranges, of any object whatever."""
    if not isinstance(snapshot, Mapping):
        refuse("snapshot", shown(snapshot), "a table of fields")
    try:
        return msgspec.convert(dict(snapshot), schema)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `")
    except Exception as error:  # msgspec trips over some objects that are neither plain data nor its own
        refuse("snapshot", f"what cannot be read ({type(error).__name__})", "tables, lists, texts and numbers")
    path = place[place.find("$") + 1 :].strip(".`")
    if match := re.fullmatch(r"Object (contains unknown|missing required) field `(.*)`", message, re.DOTALL):
        field = f"{path}.{match[2][:40]}".strip(".")
        if match[1] == "missing required":
            refuse(field, "nothing", "this field is needed")
        refuse(field, "a field of that name", "the fields of a snapshot")
    value: Any = snapshot
    try:
        for name, index in re.findall(r"\.?(\w+)|\[(\d+)\]", path):
            value = value[name] if name else list(value)[int(index)]
    except Exception:  # odd containers, and names that look like a path
        refuse("snapshot", "what cannot be read", "tables, lists, texts and numbers")
    allowed = message.removeprefix("Expected ").partition(", got ")[0]
    allowed = re.sub(r"`([^`]*)`", lambda m: " or ".join(_TYPE_WORDS.get(t, t) for t in m[1].split(" | ")), allowed)
    refuse(path or "snapshot", shown(value), allowed)


def shown(value: object) -> str:
    """A found value in a message: short, whatever it is."""
    if value is None or isinstance(value, bool | float):
        return repr(value)
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else "a huge number"
    if isinstance(value, str):
        return repr(str(value[:60]))
    if isinstance(value, Mapping):
        return "a table of fields"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return f"a value of type {type(value).__name__}"


def word(field: str, found: str, words: Sequence[str]) -> int:
    """The number of a word."""
    if found not in words:
        refuse(field, shown(found), f"one of {', '.join(words)}")
    return words.index(found)


def word_or_none(field: str, found: str | None, words: Sequence[str]) -> int:
    """The number of a word, -1 for None."""
    return -1 if found is None else word(field, found, words)


def check_game(game: Game, name: str) -> None:
    """The snapshot is one of this game."""
    if name != game.name:
        refuse("game", shown(name), game.name)


def check_word_of_64_bits(field: str, value: int) -> int:
    """A seed, or the state of a generator."""
    if not 0 <= value < 2**64:
        refuse(field, shown(value), "a whole number from 0 to 2**64 - 1")
    return value


def check_setting(name: str, found: object, wanted: object) -> None:
    """A setting is that of the environment; ``True`` is no 1."""
    if found != wanted or type(found) is not type(wanted):
        refuse(f"settings.{name}", repr(found)[:100], f"{wanted!r}, as this environment has it")


def check_decision(
    game: Game, record: NDArray[Any], decisions: Sequence[str], seats: Sequence[str], can_be_made: str
) -> None:
    """The kernel, asked on a copy, would ask for just this decision, and somebody can answer it.

    ``decisions`` and ``seats`` name what the record's fields of these names number; ``can_be_made`` names the rule.
    """
    resumed = record.copy()
    observation, mask = game.buffers()
    game.play(resumed, 0, game.tables, RESUME, observation, mask)
    names = (*seats, "nobody")  # [-1] is nobody
    found, asks = (f"{decisions[int(r['decision'][0])]} of {names[int(r['actor'][0])]}" for r in (record, resumed))
    changed = [name for name in record.dtype.names or () if (resumed[name] != record[name]).any()]
    if changed == ["actor"]:
        refuse("actor", found, f"{asks}, which is what the rules ask for here")
    if changed:
        if any(name not in ("decision", "actor") for name in changed):
            asks = f"what calls for a choice; the rules carry on from here to {asks}"
        refuse("decision", found, asks)
    if record["actor"][0] >= 0 and not mask.any():
        refuse("decision", f"{found}, who has no legal answer", f"a decision that can be made ({can_be_made})")
