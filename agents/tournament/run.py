"""A run: a store of results, opened, gone on with until all that it asks for is played, and closed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.policies import Agent, UnknownAgent, agents_for, find_agent

from ..arena import check_players, find_arena
from ..match import CHUNK
from ..settings import check_settings
from .play import Player, Setup, agent_of, check_number, play_tables
from .ratings import places_of
from .store import FORMAT, Entry, Header, Store, Unfit, content_of, read_header, source, versions

Progress = Callable[[int, int], None]
"""Told how many games of how many have been played."""


@dataclass(frozen=True)
class How:
    """Where the games are played and what of them is kept; nothing of it changes a result."""

    results: Path | None = None
    workers: int = 1
    ray: str | None = None
    chunk: int = CHUNK
    progress: Progress | None = None
    any_versions: bool = False

    def __post_init__(self) -> None:
        check_number("workers", self.workers, 1)
        check_number("chunk", self.chunk, 1)
        if self.ray is not None and self.workers > 1:
            raise ValueError("give a number of workers or the address of a Ray cluster, not both")


@dataclass(frozen=True)
class Games:
    """Games by side, in the order of the schedule: which agent it is, its score (a team's is that of its lowest seat),
    its share in the win (a game that was cut short is shared by all), its place.

    Alone at the table, ``opponent`` holds the scores of the game's own opponent.
    """

    deals: NDArray[np.int64]
    agents: NDArray[np.int64]
    scores: NDArray[np.float64]
    shares: NDArray[np.float64]
    places: NDArray[np.int64]
    decisions: NDArray[np.int64]
    opponent: NDArray[np.float64] | None


def games_of(store: Store) -> Games:
    """All finished games of a store."""
    sides = store.arena.sides(store.header.players)
    finished = [
        (table, result) for table, result in zip(store.tables, store.results, strict=True) if result is not None
    ]
    if not finished:
        raise Unfit(f"no game is finished yet in {store.path}: the command that began it goes on")
    seats = np.array([row for table, _ in finished for row in table.seats], np.int64)
    width = 2 if len(sides) == 1 else store.header.players
    scores = np.concatenate([result.scores[:, :width] for _, result in finished])
    wins = np.concatenate([result.wins[:, : store.header.players] for _, result in finished])
    points = np.stack([scores[:, side].min(axis=1) for side in sides], axis=1).astype(float)
    won = np.stack([wins[:, side].max(axis=1) for side in sides], axis=1).astype(float)
    places = places_of(points, won)
    if len(sides) > 1:
        won[~won.any(axis=1)] = 1
    return Games(
        np.repeat([table.deal for table, _ in finished], [len(table.seats) for table, _ in finished]),
        seats[:, [side[0] for side in sides]],
        points,
        won / np.maximum(won.sum(axis=1, keepdims=True), 1),
        places,
        np.concatenate([result.decisions for _, result in finished]),
        scores[:, 1].astype(float) if len(sides) == 1 else None,
    )


@contextlib.contextmanager
def opened(
    kind: str,
    game: str,
    num_players: int | None,
    seed: int | None,
    settings: Mapping[str, Any] | None,
    results: Path | None,
) -> Iterator[Store]:
    """The store of a run, which is closed whatever happens. What is None is as the results file has it, or usual."""
    arena = find_arena(game)
    found = read_header(results) if results is not None and b"\n" in content_of(results) else None
    there = found if found and found.game == game else None
    header = Header(
        FORMAT,
        kind,
        game,
        num_players if num_players is not None else there.players if there else 2,
        dict(settings) if settings is not None else there.settings if there else {},
        seed if seed is not None else there.seed if there else 0,
    )
    check_players(arena, header.players)
    check_number("seed", header.seed, 0)
    if found is None or found.settings == header.settings:
        check_settings(arena, header.players, header.settings)
    store = Store(header, arena, results)
    store.open()
    try:
        yield store
    finally:
        store.close()


def everybody(game: str, num_players: int) -> list[str]:
    """Who plays where nobody is named: all agents but those that search, which take seconds for a game."""
    known = agents_for(game, num_players)
    return [name for name, agent in known.items() if not callable(getattr(agent.policy, "act_in", None))]


def name_of(agent: str | Agent, game: str) -> str:
    """What an agent is called in results."""
    return agent_of(agent, game).name


def play_missing(store: Store, given: Sequence[str | Agent], how: How) -> None:
    """Play what the store asks for. ``given`` are agents as the user wrote them; others go by their names."""
    total = sum(len(table.seats) for table in store.tables)
    missing = store.missing
    played = total - sum(len(store.tables[i].seats) for i in missing)
    if not missing:
        known = [agent_of(agent, store.header.game) for agent in given]
        named = {agent.name: (written, agent.policy) for written, agent in zip(given, known, strict=True)}
        _compare_sources(store, named, how.any_versions)
        store.settle()
        return

    def told(more: int) -> None:
        nonlocal played
        played += more
        if how.progress is not None:
            how.progress(played, total)

    told(0)
    player = players(store, given, how)
    pieces = play_tables(player, store.tables, missing, workers=how.workers, ray=how.ray, told=told)
    with contextlib.closing(pieces):
        for numbers, results in pieces:
            store.add(numbers, results)
    store.settle()


def players(store: Store, given: Sequence[str | Agent], how: How) -> Player:
    """Who plays the tables of a store; ``Unfit`` unless they would play as they did before."""
    player = player_of_store(store, given, how.chunk)
    _compare(store, player, how.any_versions)
    return player


def player_of_store(store: Store, given: Sequence[str | Agent], chunk: int) -> Player:
    """Who plays the tables of a store."""
    game = store.header.game
    by_name = {name_of(agent, game): agent for agent in given}
    try:
        agents = tuple(by_name.get(name) or _known(name, game) for name in store.agents)
    except UnknownAgent as error:
        raise Unfit(f"{store.path}: {error}; an agent of a file is written as --agents FILE.py:NAME,...") from error
    return Player(Setup(game, store.header.players, agents, store.header.seed, store.header.settings, chunk))


def _known(name: str, game: str) -> str:
    find_agent(name, game)
    return name


def entry_of(store: Store, agents: Sequence[str | Agent], games: int) -> Entry:
    """What is written down when agents enter."""
    header = store.header
    found = [agent_of(agent, header.game) for agent in agents]
    sources = {
        known.name: source(agent, known.policy, header.players) for agent, known in zip(agents, found, strict=True)
    }
    return Entry(
        [agent.name for agent in found], int(games), sources, versions(store.arena, header.players, header.settings)
    )


def _compare(store: Store, player: Player, any_versions: bool) -> None:
    """``Unfit`` unless the missing games would be played as those before were."""
    policies = zip(player.setup.agents, (agent.policy for agent in player.agents), strict=True)
    _compare_sources(store, dict(zip(player.names, policies, strict=True)), any_versions)
    now = versions(store.arena, store.header.players, store.header.settings)
    for entry in store.entries:
        for name in sorted({*entry.versions, *now}):
            there, here = entry.versions.get(name), now.get(name)
            if there != here and not any_versions:
                raise Unfit(
                    f"{store.path} was played with {name} {there}, and this is {here}; take another results file, or "
                    "--any-versions to go on all the same"
                )


def _compare_sources(store: Store, agents: Mapping[str, tuple[str | Agent, Any]], any_versions: bool) -> None:
    """``Unfit`` if one of the agents, by name as it was written and its policy, is not what it was in the store."""
    for entry in store.entries:
        for name, (written, policy) in agents.items():
            was = entry.sources.get(name)
            if was is not None and was != source(written, policy, store.header.players) and not any_versions:
                raise Unfit(
                    f"{store.path}: the file that defines agent {name!r} is not the one that its games were played "
                    "with; take another results file, or --any-versions to go on all the same"
                )
