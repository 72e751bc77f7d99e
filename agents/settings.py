"""Settings of a game as the command line takes them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import Any

from .arena import Arena

_PYTHON = {"True": "true", "False": "false", "None": "null"}


def setting(text: str) -> tuple[str, Any]:
    """``hard=true``, ``cards=my.toml``: a value is read as JSON where it is some, else taken as it stands."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise ValueError(f"a setting is written NAME=VALUE, not {text!r}")
    try:
        return name.strip(), json.loads(_PYTHON.get(value, value))
    except json.JSONDecodeError:
        return name.strip(), value


def check_settings(arena: Arena, num_players: int, settings: Mapping[str, Any]) -> None:
    """``ValueError`` for settings that the game does not know or cannot be played with."""
    known = [name for name in inspect.signature(arena.make).parameters if name != "num_players"]
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise ValueError(f"{arena.title} has no setting {unknown[0]!r}; its settings are {', '.join(known)}")
    arena.make(num_players, **settings)
