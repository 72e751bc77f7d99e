"""Text records of games: settings, the table at the start, every action, the result. They replay exactly.

The first line names the format, then ``game``, ``settings`` and ``start`` (JSON on one line each), then a line an
action, ``player_0 repair``, then ``end`` with the result (null for a game that is not over) and a checksum of the lines
before. The start is a snapshot with all hidden cards and the generator, so a record does not depend on how a seed is
dealt.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from .game import Game, IllegalAction, ImpossibleState

FORMAT = "tabletop record 1"


class BadRecord(ValueError):
    """A text that is not a record, or that does not replay; names the line."""


class Chronicle:
    """What an environment writes down while it is played: the table at the start and the actions since."""

    def __init__(self, game: Game) -> None:
        self.start: NDArray[Any] = game.record.copy()
        self.actions: list[int] = []

    def to_text(self, game: Game) -> str:
        """The record of a game that stands where this chronicle ends."""
        played = game.twin(self.start)
        lines = [
            FORMAT,
            f"game {game.name}",
            f"settings {json.dumps(game.settings(), sort_keys=True)}",
            f"start {json.dumps(played.snapshot(), sort_keys=True)}",
        ]
        for action in self.actions:
            lines.append(f"player_{played.actor} {game.action_to_string(action)}")
            played.act(action)
        lines.append(f"end {json.dumps({'result': _result(played), 'checksum': _checksum(lines)})}")
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Replay:
    """A record that was read and replayed.

    ``game`` stands at the record's end; ``start`` is the record it began with; ``actions`` has (seat, action) pairs.
    """

    game: Game
    start: NDArray[Any]
    actions: list[tuple[int, int]]


def _result(game: Game) -> dict[str, Any] | None:
    if game.actor >= 0:
        return None
    points, wins = game.result()
    return {"points": points, "wins": wins}


def _checksum(lines: list[str]) -> str:
    """CRC-32 of lines, whatever the ends of lines, in 8 hex digits."""
    return f"{zlib.crc32(chr(10).join(line.strip() for line in lines).encode('utf-8', 'replace')):08x}"


def replay(text: str, make_game: Callable[[str, dict[str, Any]], Game]) -> Replay:
    """Read a record and play it again; ``BadRecord`` names the first line that is wrong.

    ``make_game(name, settings)`` makes a game of the record's settings, or raises ``LookupError`` for a name that it
    does not know, ``TypeError`` or ``ValueError`` for settings that are wrong.
    """
    if not isinstance(text, str):
        raise BadRecord(f"a record is a text, not {type(text).__name__}")
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines or lines[0].strip() != FORMAT:
        raise BadRecord(
            f"line 1: a record begins with {FORMAT!r}, not {lines[0][:60]!r}" if lines else "the text is empty"
        )
    if len(lines) < 5:
        raise BadRecord(f"line {len(lines)}: the record breaks off; it has game, settings, start, actions and end")
    name = _keyword(lines, 1, "game")
    settings = _json(lines, 2, "settings")
    start = _json(lines, 3, "start")
    try:
        game = make_game(name, settings)
    except LookupError as error:
        raise BadRecord(f"line 2: {error}") from error
    except (TypeError, ValueError) as error:
        raise BadRecord(f"line 3: {error}") from error
    try:
        game.restore(start)
    except ImpossibleState as error:
        raise BadRecord(f"line 4: {error}") from error
    record = game.record.copy()
    actions = []
    for number, line in enumerate(lines[4:-1], start=5):
        agent, _, action_name = line.strip().partition(" ")
        if agent != f"player_{game.actor}":
            wanted = f"player_{game.actor} decides" if game.actor >= 0 else "the game is over"
            raise BadRecord(f"line {number}: {line[:60]!r}, but {wanted}")
        try:
            action = game.action_from_string(action_name)
            actions.append((game.actor, action))
            game.act(action)
        except (IllegalAction, ValueError) as error:
            raise BadRecord(f"line {number}: {error}") from error
    found = _json(lines, len(lines) - 1, "end")
    expected: dict[str, Any] = {"result": _result(game), "checksum": _checksum(lines[:-1])}
    for field, value in expected.items():
        if found.get(field) != value:
            where = f"line {len(lines)}: the record says {field} {json.dumps(found.get(field))[:60]}"
            what = "the game comes to" if field == "result" else "a line before it was changed: they come to"
            raise BadRecord(f"{where}, but {what} {json.dumps(value)}")
    return Replay(game, record, actions)


def _keyword(lines: list[str], index: int, keyword: str) -> str:
    word, _, rest = lines[index].strip().partition(" ")
    if word != keyword or not rest:
        raise BadRecord(f"line {index + 1}: {keyword!r} and its value belong here, not {lines[index][:60]!r}")
    return rest


def _json(lines: list[str], index: int, keyword: str) -> dict[str, Any]:
    text = _keyword(lines, index, keyword)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"line {index + 1}: not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadRecord(f"line {index + 1}: {keyword} is a JSON object, not {text[:60]!r}")
    return value
