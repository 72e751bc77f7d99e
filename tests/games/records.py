"""Text records for the tests: games played, records refused."""

from __future__ import annotations

import json
import zlib

import numpy as np
import pytest

from tabletop.aec import TabletopEnv
from tabletop.game import Game
from tabletop.record import BadRecord

from .tables import Table
from .walk import anything


def played(table: Table, seed: int, most: int | None = None) -> TabletopEnv[Game]:
    """An environment after so many decisions of a random game, or after all."""
    env = table.env()
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    choose = (anything, list(table.ways.values())[1])[seed % 2]
    while env.game.actor >= 0 and most != 0:
        env.step(choose(env.game.legal_actions(), rng))
        most = None if most is None else most - 1
    return env


def refused(table: Table, text: str, line: int | None = None) -> str:
    """The message with which a text is refused, at a line or at any."""
    with pytest.raises(BadRecord) as refusal:
        table.package.replay(text)
    message = str(refusal.value)
    if line is None:
        assert message.startswith("line "), message
    else:
        assert message.startswith(f"line {line}: "), message
    assert len(message) < 1500
    return message


def with_checksum(lines: list[str]) -> str:
    """The record with a checksum that fits, so that only what the lines say can be wrong."""
    end = json.loads(lines[-1].removeprefix("end "))
    end["checksum"] = f"{zlib.crc32(chr(10).join(lines[:-1]).encode()):08x}"
    return "\n".join([*lines[:-1], f"end {json.dumps(end)}"])


def with_setting(table: Table, setting: str, value: object) -> str:
    """A record of a game with one of its settings changed."""
    lines = played(table, 4, 3).game_record().splitlines()
    settings = json.loads(lines[2].removeprefix("settings "))
    lines[2] = f"settings {json.dumps({**settings, setting: value})}"
    return with_checksum(lines)
