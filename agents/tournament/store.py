"""The results file: JSON Lines, one for each finished table, behind those that say what is played.

The first line is the ``Header``; a line for each group of agents that enter together follows, an ``Entry``, and behind
it what they play, a ``Line`` a table. Lines are only ever appended, whole tables at a time, so that a run may be killed
at any moment; what a kill left half written is cut off when the file is opened again. When all that an entry asks for
is there, its lines are put into the order of the schedule, whoever finished first.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import inspect
import os
import platform
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec
import numba
import numpy as np

from tabletop.jit import kernel_sources
from tabletop.policies import Agent, file_hash, fingerprint, text_of

from ..arena import Arena
from ..match import Results
from .schedule import Table, every_seating, rounds

FORMAT = 1
MAX_GAMES = 1_000_000


class Unfit(ValueError):
    """A results file that cannot be gone on with; the message says why."""


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """What all games of the file have in common. ``kind`` is ``"ladder"`` or ``"tournament"``."""

    format: int
    kind: str
    game: str
    players: int
    settings: dict[str, Any]
    seed: int


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """Agents that enter, in the order of their numbers, which go on from those before; at least how many games each
    plays with everybody (in a tournament: how many each line-up plays); hashes of the files that define them; and the
    versions of what is played with. Without agents: those who had most games play on until they have so many."""

    agents: list[str]
    games: int
    sources: dict[str, str]
    versions: dict[str, str]


class Line(msgspec.Struct, forbid_unknown_fields=True):
    """A table: for each of its games the agent in every seat, the scores and the winners by seat, and the number of
    decisions. Alone at the table, the second score is that of the game's own opponent."""

    deal: int
    seats: list[list[int]]
    scores: list[list[int]]
    wins: list[list[int]]
    decisions: list[int]


def versions(arena: Arena, num_players: int, settings: dict[str, Any]) -> dict[str, str]:
    """What the games depend on: the packages, and a hash of the game's rules, cards and settings as they are."""
    try:
        own = importlib.metadata.version("tabletop-droids")
    except importlib.metadata.PackageNotFoundError:
        own = "not installed"
    return {
        "tabletop-droids": own,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "rules": _rules(arena, num_players, settings),
    }


def _rules(arena: Arena, num_players: int, settings: dict[str, Any]) -> str:
    game = arena.make(num_players, **settings)
    package = Path(str(inspect.getsourcefile(type(game)))).parent
    chances = [package.parent / "tabletop" / name for name in ("rng.py", "masks.py")]
    digest = hashlib.sha256(game.tables.tobytes())
    for file in [*(file for file in kernel_sources(package.parent) if package in file.parents), *chances]:
        digest.update(file.name.encode() + text_of(file))
    return digest.hexdigest()[:12]


def source(agent: str | Agent, policy: Any, players: int) -> str:
    """A hash of what defines an agent at tables of so many: its Python file, its model or its network; empty where
    there is no file."""
    written = agent if isinstance(agent, str) else ""
    file = written if written.endswith((".zip", ".npz")) else written.rpartition(":")[0]
    try:
        if not file:
            return fingerprint(policy, players)
        own = file_hash(Path(file).expanduser())
        if ":" in written and callable(getattr(policy, "fingerprint", None)):
            return hashlib.sha256(f"{own} {fingerprint(policy, players)}".encode()).hexdigest()[:12]
        return own
    except (OSError, TypeError):
        return ""


class Store:
    """Finished tables, in a file if there is one.

    ``tables`` is the schedule: what the entries ask for, in order; ``results[i]`` what came of table ``i``, or None.
    """

    def __init__(self, header: Header, arena: Arena, path: Path | None) -> None:
        self.header, self.arena, self.path = header, arena, path
        self.entries: list[Entry] = []
        self.tables: list[Table] = []
        self.results: list[Results | None] = []
        self._number: dict[Any, int] = {}
        self._groups: list[tuple[int, int, int]] = []  # who entered together: agents before them, they, their games
        self._first = 0  # number of the last entry's first table
        self._entering: list[Entry] = []  # not written yet
        self._file: IO[bytes] | None = None
        self._unpacked = False

    @property
    def agents(self) -> list[str]:
        """All that have entered, by number."""
        return [name for entry in self.entries for name in entry.agents]

    @property
    def most_games(self) -> int:
        """Of all groups that entered together, the most games that one was to play."""
        return max((games for _, _, games in self._groups), default=0)

    @property
    def missing(self) -> list[int]:
        """Numbers of the tables that are not finished."""
        return [i for i, result in enumerate(self.results) if result is None]

    def enter(self, entry: Entry) -> None:
        """Let agents in: their tables are added to the schedule. The file tells of it with their first finished table:
        an agent that cannot play leaves it as it was."""
        self._enter(entry)
        self._entering.append(entry)

    def _enter(self, entry: Entry) -> None:
        known, most = len(self.agents), self.most_games
        if not 1 <= entry.games <= MAX_GAMES:
            raise _Odd(f"games must be from 1 to {MAX_GAMES:,}, not {entry.games:,}")
        if not entry.agents and (entry.games <= most or self.header.kind == "tournament"):
            raise _Odd("nobody enters")
        tables = []
        if entry.agents:
            self._groups.append((known, len(entry.agents), entry.games))
            tables += self._tables_of(*self._groups[-1])
        else:
            for i, (before, new, games) in enumerate(self._groups):
                if games == most:
                    self._groups[i] = (before, new, entry.games)
                    played = len(self._tables_of(before, new, games))
                    tables += self._tables_of(before, new, entry.games)[played:]
        self.entries.append(entry)
        self._first = len(self.tables)
        for table in tables:
            self._number[table.key] = len(self.tables)
            self.tables.append(table)
            self.results.append(None)

    def _tables_of(self, before: int, new: int, games: int) -> list[Table]:
        sides = self.arena.sides(self.header.players)
        if self.header.kind == "tournament":
            return every_seating(sides, new, games)
        return rounds(sides, before, new, games, self.header.seed)

    def add(self, numbers: Sequence[int], results: Results) -> None:
        """Keep the results of tables, whose games stand one after the other."""
        first = 0
        lines: list[msgspec.Struct] = [*self._entering]
        for number in numbers:
            part = slice(first, first + len(self.tables[number].seats))
            first = part.stop
            result = Results(results.scores[part], results.wins[part], results.decisions[part])
            self.results[number] = result
            if self.path is not None:
                lines.append(self._line(number, result))
        self._append(lines)
        self._entering.clear()

    def _line(self, number: int, result: Results) -> Line:
        players = self.header.players
        table = self.tables[number]
        return Line(
            table.deal,
            [list(seats) for seats in table.seats],
            result.scores[:, : max(players, 2)].tolist(),
            result.wins[:, :players].tolist(),
            result.decisions.tolist(),
        )

    # ------------------------------------------------------------------------------------------------ the file

    def open(self) -> None:
        """Begin or go on with the file; ``Unfit`` if it was made for other games than the header's."""
        if self.path is None:
            return
        try:
            self._file = _locked(self.path, "a+b")
        except OSError as error:
            raise Unfit(f"{self.path} cannot be written: {error.strerror}") from error
        try:
            _beside(self.path).unlink(missing_ok=True)
            if not os.fstat(self._file.fileno()).st_size and packed(self.path).exists():
                self._rewrite([content_of(self.path)])
                self._unpacked = True
            self._file.seek(0)
            content = self._file.read()
            whole = content[: content.rfind(b"\n") + 1]
            start = msgspec.json.encode(self.header) + b"\n"
            if not whole and not start.startswith(content):
                raise Unfit(f"{self.path} holds something else than results: its first line does not end")
            self._read(whole)
            if len(whole) < len(content):
                self._file.truncate(len(whole))
            if not whole:
                self._append([self.header])
        except BaseException:
            self.close()
            raise

    def load(self) -> None:
        """Take over what the file holds, and leave it alone."""
        assert self.path is not None
        content = content_of(self.path)
        self._read(content[: content.rfind(b"\n") + 1])

    def _read(self, content: bytes) -> None:
        for number, text in enumerate(content.splitlines(), start=1):
            try:
                if number == 1:
                    self._compare(msgspec.json.decode(text, type=Header))
                elif text.startswith(b'{"deal":'):
                    self._take(msgspec.json.decode(text, type=Line))
                else:
                    self._enter(msgspec.json.decode(text, type=Entry))
            except msgspec.DecodeError as error:
                raise Unfit(f"{self.path}, line {number}: {error}") from error
            except _Odd as error:
                raise Unfit(f"{self.path}, line {number}: {error}") from None

    def _compare(self, found: Header) -> None:
        wanted = self.header
        for name in Header.__struct_fields__:
            there, here = getattr(found, name), getattr(wanted, name)
            if there != here:
                raise Unfit(f"{self.path} was made with {name} {there!r}, not {here!r}: take another file")

    def _take(self, line: Line) -> None:
        seats = tuple(map(tuple, line.seats))
        if not seats:
            raise _Odd("a table without games")
        number = self._number.get(Table(line.deal, seats).key)
        if number is None or number < self._first or self.tables[number].seats != seats:
            raise _Odd(f"no table of deal {line.deal} has these seats")
        if self.results[number] is not None:
            raise _Odd(f"the table of deal {line.deal} with these seats stands here for the second time")
        players, games = self.header.players, len(seats)
        shape = (games, max(players, 2)), (games, players), (games,)
        found = [_array(values) for values in (line.scores, line.wins, line.decisions)]
        if tuple(array.shape for array in found) != shape:
            raise _Odd("scores, wins and decisions do not fit the seats")
        if not np.isin(found[1], (0, 1)).all() or (found[2] < 0).any():
            raise _Odd("wins must be 0 or 1, decisions 0 or more")
        self.results[number] = Results(*found)

    def _append(self, lines: Iterable[msgspec.Struct]) -> None:
        if self._file is None or not lines:
            return
        self._unpacked = False
        self._file.write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        self._file.flush()
        os.fsync(self._file.fileno())

    def settle(self) -> None:
        """Put a finished entry's lines into the schedule's order."""
        if self._file is None or self.path is None or self.missing:
            return
        self._file.seek(0)
        lines = self._file.read().splitlines(keepends=True)
        last = max(i for i, line in enumerate(lines) if not line.startswith(b'{"deal":'))
        numbers = range(self._first, len(self.tables))
        ordered = [msgspec.json.encode(self._line(i, self._result(i))) + b"\n" for i in numbers]
        if lines[last + 1 :] == ordered:
            return
        self._rewrite([*lines[: last + 1], *ordered])

    def _rewrite(self, lines: Iterable[bytes]) -> None:
        assert self._file is not None and self.path is not None
        self._unpacked = False
        _replace(self.path, lines)
        self._file.close()
        self._file = _locked(self.path, "a+b")

    def close(self) -> None:
        """Let the file go; if it has only been unpacked, as it was."""
        if self._file is not None:
            try:
                if self._unpacked and self.path is not None:
                    self.path.unlink(missing_ok=True)
            finally:
                self._file.close()
                self._file = None

    def _result(self, number: int) -> Results:
        result = self.results[number]
        assert result is not None
        return result


class _Odd(ValueError):
    """A line that does not fit the ones before it."""


def _array(values: Any) -> Any:
    try:
        return np.array(values, np.int64)
    except (ValueError, OverflowError):
        return np.zeros(0, np.int64)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def _replace(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file at once, so that it is never seen half written."""
    with _beside(path).open("wb") as new:
        new.writelines(lines)
        new.flush()
        os.fsync(new.fileno())
    os.replace(new.name, path)


def packed(path: Path) -> Path:
    """The compressed form of a results file."""
    return path.with_name(f"{path.name}.gz")


def content_of(path: Path) -> bytes:
    """What a results file holds, or its compressed form if there is only that; nothing if there is neither."""
    try:
        try:
            found = path.read_bytes()
        except FileNotFoundError:
            found = b""
        # Empty is what a run is about to unpack into.
        return found if found or not packed(path).exists() else gzip.decompress(packed(path).read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise Unfit(f"{path} cannot be read: {error}") from error


def pack(path: Path) -> Path:
    """Compress a results file, and delete it; ``Unfit`` while a run writes to it."""
    with _locked(path, "rb"):
        _replace(packed(path), [gzip.compress(content_of(path), mtime=0)])
        path.unlink()
    return packed(path)


def _locked(path: Path, mode: str) -> IO[bytes]:
    """Open and lock a file, not one that was replaced or deleted before the lock was there."""
    while True:
        file: IO[bytes] = path.open(mode)
        try:
            _lock(file, path)
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        except FileNotFoundError:
            pass
        except BaseException:
            file.close()
            raise
        file.close()


def _lock(file: IO[bytes], path: Path) -> None:
    """One run at a time; where the system knows such locks."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise Unfit(f"another run is writing to {path}") from error


def read_header(path: Path) -> Header:
    """The first line of a results file."""
    content = content_of(path)
    if not content:
        raise Unfit(f"there are no results in {path}")
    try:
        return msgspec.json.decode(content.splitlines()[0], type=Header)
    except msgspec.DecodeError as error:
        raise Unfit(f"{path}, line 1: {error}") from error
