"""Ladders: agents that are rated, with what says how far to trust the order, and that others can join later.

Means of an agent are taken over its opponents, each of whom counts the same however many games they had together, so
that an agent that has joined with fewer games changes nobody's record more than any other opponent does.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.policies import Agent

from ..arena import find_arena
from ..match import CHUNK
from . import ladder_tables
from .intervals import CONFIDENCE, EVERYTHING, Interval, mean_interval, student, weighted_mean, wilson
from .play import check_number
from .ratings import openskill, rate
from .run import Games, How, entry_of, everybody, games_of, name_of, opened, play_missing, players
from .store import MAX_GAMES, Header, Store, Unfit, read_header
from .tables import Sheet

GAMES = 200
ANCHOR = "random"
"""The agent that is rated 0."""


@dataclass(frozen=True)
class Mean:
    """A mean and its interval."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class Gap:
    """How far an agent is above the next: in points of rating, or, alone at the table, in win rate."""

    value: float
    interval: Interval

    @property
    def apart(self) -> bool:
        """Whether that is more than chance explains."""
        return self.interval[0] > 0


@dataclass(frozen=True)
class Standing:
    """An agent's place on the ladder. Alone at the table there are no ratings."""

    agent: str
    games: int
    rating: Mean | None
    openskill: tuple[float, float] | None
    """Mean and deviation."""
    win_rate: Mean
    score: Mean
    opponent_score: Mean | None
    """Of the game's own opponent, alone at the table."""
    draws: float
    """The share of games in which it shared the win."""
    decisions: float
    """In a game, of everybody."""
    by_side: tuple[float | None, ...]
    """Its win rate by seat, or by team."""
    next: Gap | None
    """None for the last, and, alone at the table, where the next has played other deals."""


@dataclass(frozen=True)
class Ladder:
    """The result of a ladder; ``standings`` from the best down, ``ahead[i][j]`` how often the i-th finishes ahead of
    the j-th where both play, a tie counting half."""

    game: str
    title: str
    num_players: int
    seed: int
    settings: dict[str, Any]
    games: int
    deals: int
    anchor: str | None
    sides: tuple[tuple[int, ...], ...]
    standings: tuple[Standing, ...]
    ahead: tuple[tuple[Mean | None, ...], ...]
    side_win_rates: tuple[float, ...]
    """Of everybody together, by side."""
    draws: float
    decisions: float
    missing: int
    """Games that the results file asks for and that are not played yet."""
    waiting: tuple[str, ...]
    """Agents that have entered but have no finished game, and so no standing."""

    def to_dict(self) -> dict[str, Any]:
        """The result as a JSON-able dict; an interval that has no ends is None."""
        result = _finite(asdict(self))
        for row, standing in zip(result["standings"], self.standings, strict=True):
            if standing.next is not None:
                row["next"]["apart"] = standing.next.apart
        return {**result, "confidence": CONFIDENCE}

    def sheets(self) -> list[Sheet]:
        """Its tables."""
        return ladder_tables.sheets(self)

    def text(self) -> str:
        """The result as plain text."""
        return "\n\n".join(sheet.text() for sheet in self.sheets())

    def markdown(self) -> str:
        """The result in Markdown."""
        return "\n\n".join(sheet.markdown() for sheet in self.sheets()) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        if len(value) == 2 and all(isinstance(end, float) for end in value) and not all(map(math.isfinite, value)):
            return None
        return [_finite(part) for part in value]
    return value


def run_ladder(
    game: str,
    agents: Sequence[str | Agent] | None = None,
    num_players: int | None = None,
    *,
    join: Sequence[str | Agent] = (),
    games: int | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
    results: str | Path | None = None,
    workers: int = 1,
    ray: str | None = None,
    any_versions: bool = False,
    chunk: int = CHUNK,
    progress: Callable[[int, int], None] | None = None,
) -> Ladder:
    """Let agents, by name or as an ``Agent``, play each other, and rate them.

    Args:
        agents: the whole field; None: that of the results file, or all agents of the game but those that search.
        num_players: None: as in the results file, or 2.
        join: agents that join those of the results file.
        games: the least number of games that every two agents have together, rounded up to whole rotations of the
            seats; for a file that is there, of those who join, or, if nobody does, of those who had most so far.
            None: as in the results file, or 200.
        seed: of all deals and all agents' chances; None: as in the results file, or 0.
        settings: the game's own; None: as in the results file, or none.
        results: a file to keep finished games in; a run that was stopped goes on where it was.
        workers, ray, any_versions, chunk, progress: as for ``run_tournament``.
    """
    arena = find_arena(game)
    how = How(Path(results) if results is not None else None, workers, ray, chunk, progress, any_versions)
    if games is not None:
        check_number("games", games, 1, MAX_GAMES)
    given = [*(agents or ()), *join]
    names = [name_of(agent, game) for agent in given]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{twice[0]!r} is named twice")
    with opened("ladder", game, num_players, seed, settings, how.results) as store:
        if not store.entries:
            if join:
                raise ValueError("agents join a results file that is there; name all agents of a new ladder instead")
            given = given or [*everybody(game, store.header.players)]
            sides = len(arena.sides(store.header.players))
            if len(given) < sides:
                raise ValueError(
                    f"a ladder of {store.header.players} players needs at least {sides} agents, not {len(given)}; a "
                    "tournament seats an agent twice"
                )
            store.enter(entry_of(store, given, GAMES if games is None else games))
        else:
            new = _new_agents(store, given, agents is not None, len(names) - len(join), games)
            play_missing(store, given, how)
            if new or (games is not None and games > store.most_games):
                players(store, given, how)  # before anybody enters who could never play
            if new:
                store.enter(entry_of(store, new, store.entries[0].games if games is None else games))
            elif games is not None and games > store.most_games:
                store.enter(entry_of(store, [], games))
        play_missing(store, given, how)
        return ladder_of(store)


def _new_agents(
    store: Store, given: Sequence[str | Agent], whole: bool, named: int, games: int | None
) -> list[str | Agent]:
    """Those of the agents given who are not in the file yet. ``whole``: the first ``named`` are the whole field."""
    names = [name_of(agent, store.header.game) for agent in given]
    left_out = [name for name in store.agents if name not in names[:named]]
    if whole and left_out:
        raise Unfit(
            f"{store.path} has agents {', '.join(left_out)} too: name them as well, or leave --agents out and let "
            "others in by --join"
        )
    new = [agent for agent, name in zip(given, names, strict=True) if name not in store.agents]
    asked = [entry.games for entry in store.entries]
    if not new and games is not None and games < store.most_games and games not in asked:
        raise Unfit(f"{store.path} holds a ladder of {store.most_games} games: for {games}, fewer, take another file")
    return new


def read_ladder(results: str | Path) -> Ladder:
    """The ladder of a results file, of what is played in it."""
    path = Path(results)
    header: Header = read_header(path)
    if header.kind != "ladder":
        raise Unfit(f"{path} holds the results of a {header.kind}, not of a ladder")
    store = Store(header, find_arena(header.game), path)
    store.load()
    return ladder_of(store)


def ladder_of(store: Store) -> Ladder:
    """The ladder of the finished games of a store."""
    games = games_of(store)
    header = store.header
    seen, numbers = np.unique(games.agents, return_inverse=True)
    games = replace(games, agents=numbers.reshape(games.agents.shape))
    names = [store.agents[agent] for agent in seen]
    alone = games.agents.shape[1] == 1
    weights = _weights(games.agents, len(names))
    if alone:
        order, gaps, ratings, skills = _by_win_rate(games, len(names))
    else:
        order, gaps, ratings, skills = _by_rating(games, names)
    standings = [
        _standing(games, weights, agent, names[agent], ratings[agent], skills[agent], gap)
        for agent, gap in zip(order, gaps, strict=True)
    ]
    return Ladder(
        game=header.game,
        title=store.arena.title,
        num_players=header.players,
        seed=header.seed,
        settings=header.settings,
        games=len(games.deals),
        deals=int(games.deals.max()) + 1,
        anchor=ANCHOR if ANCHOR in names and not alone else None,
        sides=store.arena.sides(header.players),
        standings=tuple(standings),
        ahead=tuple(tuple(_ahead(games, one, other) for other in order) for one in order),
        side_win_rates=tuple(float(share) for share in games.shares.mean(axis=0)),
        draws=float(_shared(games).any(axis=1).mean()),
        decisions=float(games.decisions.mean()),
        missing=sum(len(store.tables[i].seats) for i in store.missing),
        waiting=tuple(name for name in store.agents if name not in names),
    )


def _weights(agents: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """What a game counts for the agent of each side, so that all its opponents count the same."""
    if agents.shape[1] == 1:
        return np.ones(agents.shape)
    together = np.zeros((count, count))
    sides = range(agents.shape[1])
    pairs = [(one, other) for one in sides for other in sides if one != other]
    for one, other in pairs:
        np.add.at(together, (agents[:, one], agents[:, other]), 1)
    weights = np.zeros(agents.shape)
    for one, other in pairs:
        weights[:, one] += 1 / together[agents[:, one], agents[:, other]]
    return weights


def _shared(games: Games) -> NDArray[np.bool_]:
    return (games.shares > 0) & (games.shares < 1)


def _by_rating(games: Games, names: Sequence[str]) -> tuple[list[int], list[Gap | None], list[Any], list[Any]]:
    """The agents in order, how far each is above the next, and both kinds of ratings by the agents' numbers."""
    anchor = names.index(ANCHOR) if ANCHOR in names else None
    found = rate(games.agents, games.places, games.deals, len(names), anchor)
    order = sorted(range(len(names)), key=lambda agent: (-found.values[agent], agent))
    gaps = [Gap(*found.difference(one, other)) for one, other in itertools.pairwise(order)]
    ratings = [Mean(float(found.values[agent]), found.interval(agent)) for agent in range(len(names))]
    return order, [*gaps, None], ratings, list(openskill(games.agents, games.places, len(names)))


def _by_win_rate(games: Games, count: int) -> tuple[list[int], list[Gap | None], list[Any], list[Any]]:
    """The same for agents that play alone; the gap is the mean over the deals that both have played."""
    won = np.full((count, int(games.deals.max()) + 1), np.nan)
    won[games.agents[:, 0], games.deals] = games.shares[:, 0]
    scores = [games.scores[games.agents[:, 0] == agent].mean() for agent in range(count)]
    order = sorted(range(count), key=lambda agent: (-np.nanmean(won[agent]), -scores[agent]))
    gaps: list[Gap | None] = []
    for one, other in itertools.pairwise(order):
        differences = won[one] - won[other]
        differences = differences[~np.isnan(differences)]
        gaps.append(Gap(float(differences.mean()), mean_interval(differences)) if len(differences) else None)
    return order, [*gaps, None], [None] * count, [None] * count


def _standing(
    games: Games,
    weights: NDArray[np.float64],
    agent: int,
    name: str,
    rating: Mean | None,
    skill: tuple[float, float] | None,
    gap: Gap | None,
) -> Standing:
    rows, sides = np.nonzero(games.agents == agent)
    own = weights[rows, sides]
    deals, shares = games.deals[rows], games.shares[rows, sides]
    return Standing(
        agent=name,
        games=len(rows),
        rating=rating,
        openskill=skill,
        win_rate=_rate(shares, own, deals),
        score=_mean(games.scores[rows, sides], own, deals),
        opponent_score=None if games.opponent is None else _mean(games.opponent[rows], own, deals),
        draws=float(np.average(_shared(games)[rows, sides], weights=own)),
        decisions=float(np.average(games.decisions[rows], weights=own)),
        by_side=tuple(
            float(np.average(shares[sides == side], weights=own[sides == side])) if (sides == side).any() else None
            for side in range(games.agents.shape[1])
        ),
        next=gap,
    )


def _ahead(games: Games, one: int, other: int) -> Mean | None:
    """How often one agent finishes ahead of another."""
    first, second = games.agents == one, games.agents == other
    both = first.any(axis=1) & second.any(axis=1)
    if one == other or not both.any():
        return None
    behind = games.places[second & both[:, None]] - games.places[first & both[:, None]]
    return _rate((np.sign(behind) + 1) / 2, np.ones(len(behind)), games.deals[both])


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64], deals: NDArray[np.int64]) -> Mean:
    mean, variance, count = weighted_mean(values, weights, deals)
    if count < 2:
        return Mean(mean, EVERYTHING)
    half = student(count) * math.sqrt(variance)
    return Mean(mean, (mean - half, mean + half))


def _rate(values: NDArray[np.float64], weights: NDArray[np.float64], deals: NDArray[np.int64]) -> Mean:
    """Wilson's interval; unequal weights count as fewer games."""
    rate, variance, _ = weighted_mean(values, weights, deals)
    return Mean(rate, wilson(rate, variance, float(weights.sum() ** 2 / (weights @ weights))))
