"""Playing tables: here, in processes of this machine, or on a Ray cluster.

Tables are played in *pieces*. What comes of a table depends on the setup and the table alone, so that it does not
matter where and in which order pieces are played, nor how tables are put together to pieces.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import socket
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.game import is_whole
from tabletop.policies import Agent, at_table, find_agent, is_compiled, player_of

from ..arena import check_players, find_arena
from ..match import CHUNK, Results, compiled, deals_for, play_match, prepare
from ..settings import check_settings
from .schedule import Table

TRIES = 3
"""How often a piece is begun whose workers die."""

Told = Callable[[int], None]
Finished = Generator[tuple[Sequence[int], Results], None, None]
"""Pieces, as the numbers of their tables, with what came of their games."""


class WorkerDied(RuntimeError):
    """Whoever begins a piece dies; the message names it."""


@dataclass(frozen=True)
class Setup:
    """What all games of a run have in common. ``agents`` are names as the user wrote them, or ``Agent``s."""

    game: str
    num_players: int
    agents: tuple[str | Agent, ...]
    seed: int = 0
    settings: dict[str, Any] = field(default_factory=dict)
    chunk: int = CHUNK

    def elsewhere(self) -> bytes:
        """The setup for another process, which may have another working directory."""
        import cloudpickle  # type: ignore[import-untyped]

        agents = tuple(_absolute(agent) if isinstance(agent, str) else agent for agent in self.agents)
        there = Setup(self.game, self.num_players, agents, self.seed, self.settings, self.chunk)
        try:
            return bytes(cloudpickle.dumps(there))
        except (TypeError, AttributeError, pickle.PicklingError, RuntimeError) as error:
            raise ValueError(f"an agent or a setting cannot be sent to another process: {error}") from error


def agent_of(agent: str | Agent, game: str) -> Agent:
    """An agent, or the one of a name."""
    return agent if isinstance(agent, Agent) else find_agent(agent, game)


def _absolute(agent: str) -> str:
    """``FILE.py:NAME``, ``FILE.zip`` and ``FILE.npz`` with the file's whole path."""
    path, colon, name = agent.rpartition(":")
    if colon:
        return f"{Path(path).expanduser().resolve()}:{name}"
    return str(Path(agent).expanduser().resolve()) if agent.endswith((".zip", ".npz")) else agent


class Player:
    """Plays tables of a setup in this process; ``ValueError``, ``TypeError`` or ``PolicyError`` if it cannot be."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.arena = find_arena(setup.game)
        check_players(self.arena, setup.num_players)
        check_number("seed", setup.seed, 0)
        check_number("chunk", setup.chunk, 1)
        self.agents = [agent_of(agent, setup.game) for agent in setup.agents]
        self.names = [agent.name for agent in self.agents]
        twice = sorted({name for name in self.names if self.names.count(name) > 1})
        if twice:
            raise ValueError(f"{twice[0]!r} is named twice")
        check_settings(self.arena, setup.num_players, setup.settings)
        self.game = self.arena.make(setup.num_players, **setup.settings)
        self.in_python = [not is_compiled(player_of(at_table(agent.policy, self.game))) for agent in self.agents]
        self._deals = deals_for(setup.seed, 0)

    def prepare(self) -> None:
        """Compile what is needed; ``PolicyError`` names an agent that does not compile."""
        compiled({agent.name: agent.policy for agent in self.agents}, self.game)
        prepare(self.arena, self.setup.num_players)

    def pieces(self, tables: Sequence[Table], wanted: Sequence[int]) -> Iterator[list[int]]:
        """The wanted tables, by number, in pieces: those of compiled agents about ``CHUNK`` games together, each
        other one, which may take long, alone."""
        piece, games = [], 0
        for number in wanted:
            table = tables[number]
            if any(self.in_python[agent] for agent in table.seats[0]):
                yield [number]
                continue
            piece.append(number)
            games += len(table.seats)
            if games >= CHUNK:
                yield piece
                piece, games = [], 0
        if piece:
            yield piece

    def play(self, tables: Sequence[Table], told: Told | None = None) -> Results:
        """The games of the tables, one after the other."""
        seats = np.array([row for table in tables for row in table.seats], np.int64)
        numbers = np.repeat([table.deal for table in tables], [len(table.seats) for table in tables])
        deals, generators = self._deals_to(int(numbers.max()) + 1)
        members = [int(agent) for agent in np.unique(seats)]
        return play_match(
            self.arena,
            self.setup.num_players,
            {self.names[i]: self.agents[i].policy for i in members},
            np.searchsorted(members, seats),
            deals[numbers],
            generators[numbers],
            settings=self.setup.settings,
            chunk=self.setup.chunk,
            progress=told,
        )

    def _deals_to(self, count: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        if len(self._deals[0]) < count:
            self._deals = deals_for(self.setup.seed, max(count, 2 * len(self._deals[0])))
        return self._deals


def check_number(name: str, value: Any, least: int, most: int | None = None) -> None:
    """``ValueError`` unless it is a whole number within the limits."""
    if not is_whole(value) or value < least or (most is not None and value > most):
        limits = f"from {least}" + (f" to {most:,}" if most is not None else "")
        raise ValueError(f"{name} must be a whole number {limits}, not {value!r}")


def play_tables(
    player: Player,
    tables: Sequence[Table],
    wanted: Sequence[int],
    *,
    workers: int = 1,
    ray: str | None = None,
    told: Told | None = None,
) -> Finished:
    """Play the wanted tables, by number, and give back each piece when it is finished: here, or by as many processes as
    ``workers`` says, or on the Ray cluster at an address (``"local"``: one of this machine, made for the run)."""
    check_number("workers", workers, 1)
    if ray is not None and workers > 1:
        raise ValueError("give a number of workers or the address of a Ray cluster, not both")
    pieces = player.pieces(tables, wanted)
    if not wanted:
        return
    player.prepare()  # once, so that other processes find it compiled
    if ray is None and workers == 1:
        for piece in pieces:
            yield piece, player.play([tables[i] for i in piece], told)
        return
    elsewhere = _in_processes(player, tables, pieces, workers) if ray is None else _on_ray(player, tables, pieces, ray)
    with contextlib.closing(elsewhere):
        for numbers, results in elsewhere:
            if told is not None:
                told(len(results.decisions))
            yield numbers, results


@lru_cache(maxsize=1)
def _player_of(setup: bytes) -> Player:
    return Player(pickle.loads(setup))


# ------------------------------------------------------------------------------------------------ processes

_setup = b""


def _begin(setup: bytes) -> None:
    """A worker process leaves Ctrl-C to the one that started it, and ends with it, however that ends."""
    global _setup
    _setup = setup
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_it() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_it, daemon=True).start()


def _play_here(tables: Sequence[Table]) -> Results:
    return _player_of(_setup).play(tables)


def _in_processes(player: Player, tables: Sequence[Table], pieces: Iterator[list[int]], workers: int) -> Finished:
    """Worker processes that die are replaced, and what they had begun is begun again."""
    payload = player.setup.elsewhere()
    begun: dict[tuple[int, ...], int] = {}  # pieces in hand, and how often they have been begun
    waiting: list[tuple[int, ...]] = []
    before = set(multiprocessing.active_children())

    def next_piece() -> tuple[int, ...] | None:
        return waiting.pop() if waiting else tuple(next(pieces, ())) or None

    while True:
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (payload,))
        playing: dict[Future[Results], tuple[int, ...]] = {}
        try:
            while True:
                while len(playing) < 2 * workers and (piece := next_piece()):
                    begun[piece] = begun.get(piece, 0) + 1
                    playing[pool.submit(_play_here, [tables[i] for i in piece])] = piece
                if not playing:
                    pool.shutdown()
                    return
                for done in wait(playing, return_when=FIRST_COMPLETED).done:
                    results = done.result()
                    piece = playing.pop(done)
                    del begun[piece]
                    yield piece, results
        except BrokenProcessPool as error:
            for done, piece in playing.items():
                if done.done() and done.exception() is None:
                    del begun[piece]
                    yield piece, done.result()
            waiting = sorted(begun, reverse=True)
            worst = min(begun, key=lambda piece: (-begun[piece], piece), default=())
            if worst and begun[worst] >= TRIES:
                raise _death(player, tables[worst[0]]) from error
        finally:
            # Without waiting, the pool's own thread would be closing pipes that the end of the interpreter writes to.
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


def _death(player: Player, table: Table) -> WorkerDied:
    agents = ", ".join(repr(player.names[agent]) for agent in sorted(set(table.line_up)))
    return WorkerDied(
        f"worker processes died {TRIES} times while agents {agents} played deal {table.deal}, or what was played "
        "beside it: does an agent end its process, or take more memory than there is?"
    )


# ------------------------------------------------------------------------------------------------ Ray


def _play_there(setup: bytes, tables: Sequence[Table]) -> Results:
    return _player_of(setup).play(tables)


def _knock(address: str) -> None:
    """``OSError`` where nobody listens; Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=10).close()


def _on_ray(player: Player, tables: Sequence[Table], pieces: Iterator[list[int]], address: str) -> Finished:
    """Ray begins a piece again when its worker dies."""
    try:
        import ray
    except ImportError as error:
        raise ImportError(f"{error}: playing on Ray needs pip install 'tabletop-droids[ray]'") from error
    payload = player.setup.elsewhere()
    ours = not ray.is_initialized()
    if ours:
        where: dict[str, Any] = {"include_dashboard": False} if address == "local" else {"address": address}
        try:
            _knock(address)
            ray.init(log_to_driver=False, logging_level="error", **where)
        except (OSError, ValueError) as error:
            raise ValueError(f"no Ray cluster answers at {address!r}: {error}") from error
    try:
        shared = ray.put(payload)
        play = ray.remote(_play_there).options(max_retries=TRIES)
        most = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        playing: dict[Any, list[int]] = {}
        while True:
            while len(playing) < most and (piece := next(pieces, None)):
                playing[play.remote(shared, [tables[i] for i in piece])] = piece
            if not playing:
                return
            for done in ray.wait(list(playing))[0]:
                piece = playing.pop(done)
                try:
                    results = ray.get(done)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from error
                except ray.exceptions.WorkerCrashedError as error:
                    raise _death(player, tables[piece[0]]) from error
                yield piece, results
    finally:
        if ours:
            ray.shutdown()
