"""Tournaments: agents play each other in every seat on the same deals; intervals say how far to trust the result.

A *line-up* is who plays a game: every combination of agents that fills the sides, and with fewer agents than sides
every way to fill them up that leaves none out. Each line-up plays each deal once in every *seating*, that is every way
to spread it over the sides, so that every agent sits in every seat equally often; of four players team mates are
played by the same agent.

Intervals are at 95 %. Games of the same deal are not independent of each other, so what counts is the mean over each
deal: for mean scores Student's interval over these, for win rates Wilson's interval with the number of independent
games that would scatter as much.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.game import is_whole
from tabletop.policies import Agent, find_agent

from .arena import Arena, check_players, find_arena
from .match import CHUNK, compiled, deals_for, play_match, prepare
from .settings import check_settings

CONFIDENCE = 0.95
MAX_GAMES = 1_000_000


@dataclass(frozen=True)
class Row:
    """An agent's result. ``games`` counts the sides it played, ``wins`` its wins, a shared one in parts.

    Alone at the table, ``opponent_score`` is the mean score of the game's own opponent.
    """

    agent: str
    games: int
    wins: float
    win_rate: float
    win_rate_interval: tuple[float, float]
    mean_score: float
    mean_score_interval: tuple[float, float]
    opponent_score: float | None = None
    opponent_score_interval: tuple[float, float] | None = None


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
            rate = [_percent(row.win_rate), _between(*(100 * end for end in row.win_rate_interval))]
            score = [f"{row.mean_score:.1f}", _between(*row.mean_score_interval)]
            if row.opponent_score is not None:
                table.append([row.agent, f"{row.games:,}", *rate, *score, f"{row.opponent_score:.1f}"])
            else:
                wins = f"{row.wins:,.1f}".removesuffix(".0")
                table.append([row.agent, f"{row.games:,}", wins, *rate, *score])
        return table

    def table(self) -> str:
        """The result as plain text."""
        rows = [self.columns(), *self.cells()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(pairs))
            for pairs in (list(zip(row, widths, strict=True)) for row in rows)
        ]
        return "\n".join([self.header(), *lines])


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _between(low: float, high: float) -> str:
    return f"{low:.1f} – {high:.1f}"


def line_ups(agents: int, sides: int) -> list[tuple[int, ...]]:
    """Which agents, by number, play games together, a side each."""
    if agents >= sides:
        return list(itertools.combinations(range(agents), sides))
    filled = itertools.combinations_with_replacement(range(agents), sides)
    return [line_up for line_up in filled if len(set(line_up)) == agents]


def seatings(line_up: Sequence[int]) -> list[tuple[int, ...]]:
    """Every different way to spread a line-up over the sides."""
    return sorted(set(itertools.permutations(line_up)))


def run_tournament(
    game: str,
    agents: Sequence[str | Agent],
    num_players: int = 2,
    *,
    games: int = 500,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    chunk: int = CHUNK,
    progress: Callable[[int, int], None] | None = None,
) -> Tournament:
    """Let agents, by name or as an ``Agent``, play each other.

    ``games`` is the number of games of each line-up, rounded up so that every seating plays every deal. ``settings``
    are the game's own. The result depends on the seed, not on ``chunk``. ``progress`` is told how many games of how
    many have been played.
    """
    arena = find_arena(game)
    check_players(arena, num_players)
    _check_number("games", games, 1, MAX_GAMES)
    _check_number("seed", seed, 0, None)
    _check_number("chunk", chunk, 1, None)
    entrants = [agent if isinstance(agent, Agent) else find_agent(agent, game) for agent in agents]
    names = [agent.name for agent in entrants]
    if not names:
        raise ValueError("a tournament needs at least one agent")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{twice[0]!r} is named twice: an agent plays itself where there are more seats than agents")
    check_settings(arena, num_players, settings or {})
    compiled({agent.name: agent.policy for agent in entrants})
    prepare(arena, num_players)
    return _Rounds(arena, num_players, entrants, games, seed, dict(settings or {}), chunk).play(progress)


def _check_number(name: str, value: Any, least: int, most: int | None) -> None:
    if not is_whole(value) or value < least or (most is not None and value > most):
        limits = f"from {least}" + (f" to {most:,}" if most is not None else "")
        raise ValueError(f"{name} must be a whole number {limits}, not {value!r}")


class _Rounds:
    """The games of a tournament, line-up by line-up."""

    def __init__(
        self,
        arena: Arena,
        num_players: int,
        entrants: Sequence[Agent],
        games: int,
        seed: int,
        settings: dict[str, Any],
        chunk: int,
    ) -> None:
        self.arena, self.num_players, self.entrants, self.seed = arena, num_players, entrants, seed
        self.settings, self.chunk = settings, chunk
        self.sides = arena.sides(num_players)
        self.line_ups = line_ups(len(entrants), len(self.sides))
        most = max(len(seatings(line_up)) for line_up in self.line_ups)
        self.deals = math.ceil(games / most)
        self.total = sum(self.deals * len(seatings(line_up)) for line_up in self.line_ups)

    def play(self, progress: Callable[[int, int], None] | None) -> Tournament:
        deals, generators = deals_for(self.seed, self.deals)
        agents = len(self.entrants)
        # By agent and deal: how many sides it played, their wins, their scores, the scores of the game's own opponent.
        tally = np.zeros((4, agents, self.deals))
        played, line_up_rows = 0, []

        def told(more: int) -> None:
            nonlocal played
            played += more
            if progress is not None:
                progress(played, self.total)

        for line_up in self.line_ups:
            spread = np.array(seatings(line_up))
            each = len(spread)
            members = sorted(set(line_up))
            by_side = np.tile(spread, (self.deals, 1))  # (games, sides), all seatings of a deal in a row
            seating = np.zeros((len(by_side), self.num_players), np.int64)
            for side, seats in enumerate(self.sides):
                seating[:, seats] = by_side[:, [side]]
            results = play_match(
                self.arena,
                self.num_players,
                {self.entrants[i].name: self.entrants[i].policy for i in members},
                np.searchsorted(members, seating),
                np.repeat(deals, each),
                np.repeat(generators, each, axis=0),
                settings=self.settings,
                chunk=self.chunk,
                progress=told,
            )
            scores, shares = self._by_side(results.scores, results.wins)
            deal = np.repeat(np.arange(self.deals), each)[:, None]
            here = np.zeros((3, agents))
            for row, values in enumerate((np.ones_like(shares), shares, scores)):
                np.add.at(tally[row], (by_side, np.broadcast_to(deal, by_side.shape)), values)
                np.add.at(here[row], by_side, values)
            if self.num_players == 1:
                np.add.at(tally[3], (by_side, deal), results.scores[:, 1:2])
            line_up_rows.append(
                LineUp(
                    tuple(self.entrants[i].name for i in members),
                    len(by_side),
                    tuple(float(here[1, i]) for i in members),
                    tuple(float(here[2, i] / here[0, i]) for i in members),
                )
            )
        rows = [self._row(agent.name, tally[:, i]) for i, agent in enumerate(self.entrants)]
        return Tournament(
            game=self.arena.name,
            num_players=self.num_players,
            seed=self.seed,
            settings=self.settings,
            deals=self.deals,
            games=self.total,
            rows=tuple(sorted(rows, key=lambda row: (-row.win_rate, -row.mean_score))),
            line_ups=tuple(line_up_rows),
            title=self.arena.title,
            opponent=self.arena.opponent if self.num_players == 1 else None,
        )

    def _by_side(
        self, scores: NDArray[np.int64], wins: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Scores and shares in the win by side; a game that was cut short, which nobody wins, is shared by all."""
        points = np.stack([scores[:, seats].min(axis=1) for seats in self.sides], axis=1).astype(float)
        won = np.stack([wins[:, seats].max(axis=1) for seats in self.sides], axis=1).astype(float)
        if len(self.sides) > 1:
            won[~won.any(axis=1)] = 1
        return points, won / np.maximum(won.sum(axis=1, keepdims=True), 1)

    def _row(self, name: str, tally: NDArray[np.float64]) -> Row:
        sides = tally[0]
        games = int(sides.sum())
        alone = self.num_players == 1
        return Row(
            agent=name,
            games=games,
            wins=float(tally[1].sum()),
            win_rate=float(tally[1].sum() / games),
            win_rate_interval=rate_interval(tally[1] / sides, games),
            mean_score=float(tally[2].sum() / games),
            mean_score_interval=mean_interval(tally[2] / sides),
            opponent_score=float(tally[3].sum() / games) if alone else None,
            opponent_score_interval=mean_interval(tally[3] / sides) if alone else None,
        )


def mean_interval(means: NDArray[np.float64]) -> tuple[float, float]:
    """Student's interval for the mean of independent values; without end when there is but one."""
    from scipy import special

    if len(means) < 2:
        return float("-inf"), float("inf")
    half = (
        float(special.stdtrit(len(means) - 1, 0.5 + CONFIDENCE / 2)) * float(means.std(ddof=1)) / math.sqrt(len(means))
    )
    middle = float(means.mean())
    return middle - half, middle + half


def rate_interval(rates: NDArray[np.float64], games: int) -> tuple[float, float]:
    """Wilson's interval for a win rate from its value in each deal; ``games`` at most count as independent."""
    from scipy import special

    rate = float(rates.mean())
    n = float(games)
    if len(rates) > 1 and rates.std() > 0:
        n = min(n, rate * (1 - rate) * len(rates) / float(rates.var(ddof=1)))
    z = float(special.ndtri(0.5 + CONFIDENCE / 2))
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
