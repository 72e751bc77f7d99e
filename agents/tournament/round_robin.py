"""Tournaments: agents play each other in every seat on the same deals; intervals say how far to trust the result.

Every line-up plays each deal once in every seating, so that every agent sits in every seat equally often; of four
players team mates are played by the same agent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tabletop.policies import Agent

from ..arena import find_arena
from ..match import CHUNK
from .intervals import CONFIDENCE, Interval, mean_interval, rate_interval
from .play import check_number
from .run import Games, How, entry_of, games_of, name_of, opened, play_missing
from .store import MAX_GAMES, Store, Unfit
from .tables import Sheet, between, percent


@dataclass(frozen=True)
class Row:
    """An agent's result. ``games`` counts the sides it played, ``wins`` its wins, a shared one in parts.

    Alone at the table, ``opponent_score`` is the mean score of the game's own opponent.
    """

    agent: str
    games: int
    wins: float
    win_rate: float
    win_rate_interval: Interval
    mean_score: float
    mean_score_interval: Interval
    opponent_score: float | None = None
    opponent_score_interval: Interval | None = None


@dataclass(frozen=True)
class LineUp:
    """The games of one line-up: each agent's wins and mean score in them, in the order of ``agents``."""

    agents: tuple[str, ...]
    games: int
    wins: tuple[float, ...]
    mean_scores: tuple[float, ...]


@dataclass(frozen=True)
class Tournament:
    """The result of a tournament; ``rows`` in the order of win rates."""

    game: str
    num_players: int
    seed: int
    settings: dict[str, Any]
    deals: int
    games: int
    rows: tuple[Row, ...]
    line_ups: tuple[LineUp, ...]
    title: str = ""
    opponent: str | None = field(default=None)

    def to_dict(self) -> dict[str, Any]:
        """The result as a JSON-able dict; an interval of a single deal, which has no ends, is None."""
        result = asdict(self)
        rows = result.pop("rows")
        result.pop("title")
        for row in rows:
            for name, value in row.items():
                if isinstance(value, tuple) and not all(map(math.isfinite, value)):
                    row[name] = None
        if self.num_players > 1:
            for row in rows:
                del row["opponent_score"], row["opponent_score_interval"]
            del result["opponent"]
        return {**result, "confidence": CONFIDENCE, "agents": rows}

    def header(self) -> str:
        """What was played, in a line."""
        players = "solo" if self.num_players == 1 else f"{self.num_players} players"
        settings = "".join(f", {name}={value}" for name, value in self.settings.items())
        return f"{self.title}, {players}{settings}: {self.games:,} games on {self.deals:,} deals, seed {self.seed}"

    def columns(self) -> list[str]:
        """The headings of ``cells``."""
        if self.num_players == 1:
            return ["agent", "games", "beats Auto", "95 %", "score", "95 %", "Auto's score"]
        score = "team score" if len(find_arena(self.game).sides(self.num_players)) < self.num_players else "mean score"
        return ["agent", "played", "wins", "win rate", "95 %", score, "95 %"]

    def cells(self) -> list[list[str]]:
        """The table's cells as text, a row an agent."""
        table = []
        for row in self.rows:
            rate = [percent(row.win_rate), between(row.win_rate_interval, 100)]
            score = [f"{row.mean_score:.1f}", between(row.mean_score_interval)]
            if row.opponent_score is not None:
                table.append([row.agent, f"{row.games:,}", *rate, *score, f"{row.opponent_score:.1f}"])
            else:
                wins = f"{row.wins:,.1f}".removesuffix(".0")
                table.append([row.agent, f"{row.games:,}", wins, *rate, *score])
        return table

    def sheet(self) -> Sheet:
        """The table, to be shown."""
        return Sheet(self.header(), self.columns(), self.cells())

    def table(self) -> str:
        """The result as plain text."""
        return self.sheet().text()


def run_tournament(
    game: str,
    agents: Sequence[str | Agent],
    num_players: int = 2,
    *,
    games: int = 500,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    results: str | Path | None = None,
    workers: int = 1,
    ray: str | None = None,
    any_versions: bool = False,
    chunk: int = CHUNK,
    progress: Callable[[int, int], None] | None = None,
) -> Tournament:
    """Let agents, by name or as an ``Agent``, play each other.

    Args:
        games: of each line-up, rounded up so that every seating plays every deal.
        seed: of all deals and all agents' chances.
        settings: the game's own.
        results: a file to keep finished games in; a run that was stopped goes on where it was.
        workers: how many processes play. With more than one, call it below ``if __name__ == "__main__"``.
        ray: the address of a Ray cluster that plays; ``"local"`` makes one of this machine.
        any_versions: go on with a results file even if other versions have played what it holds.
        chunk: how many games are played between two words to ``progress``, which is told how many games of how many
            have been played.

    The result depends on none of ``results``, ``workers``, ``ray`` and ``chunk``.
    """
    how = How(Path(results) if results is not None else None, workers, ray, chunk, progress, any_versions)
    check_number("games", games, 1, MAX_GAMES)
    find_arena(game)
    names = [name_of(agent, game) for agent in agents]
    if not names:
        raise ValueError("a tournament needs at least one agent")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{twice[0]!r} is named twice: an agent plays itself where there are more seats than agents")
    with opened("tournament", game, num_players, seed, settings or {}, how.results) as store:
        entry = entry_of(store, agents, games)
        if not store.entries:
            store.enter(entry)
        elif (store.agents, store.entries[0].games) != (names, games):
            raise Unfit(
                f"{results} holds {store.entries[0].games} games of each line-up of {', '.join(store.agents)}, not "
                f"{games} of {', '.join(names)}: take another file, or a ladder, which agents can join"
            )
        play_missing(store, agents, how)
        return _tournament(store)


def _tournament(store: Store) -> Tournament:
    games = games_of(store)
    solo = games.opponent is not None
    agents, deals = len(store.agents), int(games.deals.max()) + 1
    # By agent and deal: how many sides it played, their wins, their scores, the scores of the game's own opponent.
    tally = np.zeros((4, agents, deals))
    opponents = games.opponent[:, None] if games.opponent is not None else np.zeros_like(games.shares)
    everything = (np.ones_like(games.shares), games.shares, games.scores, opponents)
    place = (games.agents, np.broadcast_to(games.deals[:, None], games.agents.shape))
    for row, values in enumerate(everything):
        np.add.at(tally[row], place, values)
    return Tournament(
        game=store.header.game,
        num_players=store.header.players,
        seed=store.header.seed,
        settings=store.header.settings,
        deals=deals,
        games=len(games.deals),
        rows=tuple(
            sorted(
                (_row(name, tally[:, i], solo) for i, name in enumerate(store.agents)),
                key=lambda row: (-row.win_rate, -row.mean_score),
            )
        ),
        line_ups=_line_ups(store.agents, games),
        title=store.arena.title,
        opponent=store.arena.opponent if solo else None,
    )


def _line_ups(names: Sequence[str], games: Games) -> tuple[LineUp, ...]:
    who, line_up = np.unique(np.sort(games.agents, axis=1), axis=0, return_inverse=True)
    found = []
    for i, agents in enumerate(who):
        rows = line_up == i
        members = sorted({int(agent) for agent in agents})
        sides = [games.agents[rows] == member for member in members]
        found.append(
            LineUp(
                tuple(names[member] for member in members),
                int(rows.sum()),
                tuple(float(games.shares[rows][side].sum()) for side in sides),
                tuple(float(games.scores[rows][side].mean()) for side in sides),
            )
        )
    return tuple(found)


def _row(name: str, tally: Any, solo: bool) -> Row:
    sides = tally[0]
    games = int(sides.sum())
    return Row(
        agent=name,
        games=games,
        wins=float(tally[1].sum()),
        win_rate=float(tally[1].sum() / games),
        win_rate_interval=rate_interval(tally[1] / sides, games),
        mean_score=float(tally[2].sum() / games),
        mean_score_interval=mean_interval(tally[2] / sides),
        opponent_score=float(tally[3].sum() / games) if solo else None,
        opponent_score_interval=mean_interval(tally[3] / sides) if solo else None,
    )
