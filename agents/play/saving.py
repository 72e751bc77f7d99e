"""Games that were broken off: who sits where, how the agents' generators stand, and the record of the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

FORMAT = "tabletop saved play 1"


class BadSave(ValueError):
    """A file that is no saved game, or that cannot be read or written; the message says why."""


class Saved(msgspec.Struct, forbid_unknown_fields=True):
    """What a file of a game that was broken off holds."""

    format: str
    game: str
    """As the command line calls it."""
    seats: list[str]
    """``person``, or an agent's name."""
    generators: list[Any]
    """By seat: where its agent's generator stands; null for a person."""
    record: str
    """Of the game so far."""


def at_home(file: Path) -> Path:
    """The file, with ``~`` as the home folder; ``ValueError`` if there is none."""
    try:
        return file.expanduser()
    except RuntimeError as error:
        raise ValueError(f"{file}: there is no home folder {file.parts[0]!r}") from error


def write(file: Path, saved: Saved) -> None:
    """Write the file, whole or not at all; one that is there is only overwritten if it is a saved game."""
    file = at_home(file)
    try:
        if file.exists():
            read(file)
    except BadSave as error:
        raise BadSave(f"{file} is there already and is no saved game; take another name") from error
    except OSError as error:
        raise BadSave(f"{file} cannot be written: {error.strerror}") from error
    try:
        beside = file.with_name(file.name + ".part")
        beside.write_text(json.dumps(msgspec.to_builtins(saved), indent=1) + "\n", encoding="utf-8", newline="\n")
        beside.replace(file)
    except OSError as error:
        raise BadSave(f"{file} cannot be written: {error.strerror}") from error
    except ValueError as error:
        raise BadSave(f"{str(file)!r} cannot be written: {error}") from error


def read(file: Path) -> Saved:
    """Read such a file."""
    file = at_home(file)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSave(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadSave(f"{file} is no saved game: {error}") from None
    try:
        saved = msgspec.convert(data, Saved)
    except msgspec.ValidationError as error:
        raise BadSave(f"{file} is no saved game: {error}") from None
    if saved.format != FORMAT:
        raise BadSave(f"{file}: found format {saved.format[:60]!r}; allowed: {FORMAT!r}")
    if len(saved.generators) != len(saved.seats):
        raise BadSave(f"{file}: {len(saved.seats)} seats, but generators of {len(saved.generators)}")
    return saved
