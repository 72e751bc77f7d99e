"""Games of an agent against itself, every decision of which is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.game import Game
from tabletop.loops import MAX_SEATS
from tabletop.policies import Agent, PolicyError, at_table, is_compiled, machine_code, player_of

from ..arena import Arena
from ..match import deals_for
from .watching import LINE, NOTES, WATCH

CHUNK = 20
"""Games that are watched at once: what is written down of them is the most that is held in memory."""
ROOM = 100_000


@dataclass(frozen=True)
class Watched:
    """Some games: what was decided in them and how they ended. ``first`` and ``last`` are each game's lines."""

    games: NDArray[Any]
    """Their records at the end."""
    deals: NDArray[np.uint64]
    lines: NDArray[np.int16]
    notes: NDArray[np.int32]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    scores: NDArray[np.int64]
    wins: NDArray[np.int64]
    """1 for each seat that wins or shares the win; none in a game that was cut short."""

    def game_of_line(self) -> NDArray[np.int64]:
        """The game that a line belongs to."""
        return np.repeat(np.arange(len(self.first)), self.last - self.first)


class Cell:
    """One agent in all seats of one game with so many players."""

    def __init__(self, arena: Arena, num_players: int, agent: Agent, settings: Mapping[str, Any]) -> None:
        self.arena, self.num_players, self.agent = arena, num_players, agent
        self.settings = {**settings, "ask_forced": True}
        self.game: Game = arena.make(num_players, **self.settings)
        player = player_of(at_table(agent.policy, self.game))
        if not is_compiled(player):
            raise ValueError(f"agent {agent.name!r} is not compiled; reports are made of compiled agents' games")
        self.policies = machine_code([(agent.name, player)])
        self.sides = arena.sides(num_players)
        self.room = ROOM

    def watch(self, games: int, seed: int, told: Callable[[int], None] = lambda more: None) -> Iterator[Watched]:
        """So many games on the first deals of a seed, some at a time; ``told`` how many more there are."""
        deals, generators = deals_for(seed, games)
        for start in range(0, games, CHUNK):
            part = slice(start, min(start + CHUNK, games))
            yield self._watch(deals[part], generators[part])
            told(part.stop - start)

    def _watch(self, deals: NDArray[np.uint64], generators: NDArray[np.uint64]) -> Watched:
        count = len(deals)
        while True:
            room = self.room
            games = np.repeat(self.game.record, count)
            games["rng"] = deals
            lines = np.zeros((room, LINE), np.int16)
            notes = np.zeros((room, NOTES[self.arena.name]), np.int32)
            ends, illegal = np.zeros(count, np.int64), np.zeros(1, np.int64)
            scores, wins = np.zeros((2, count, MAX_SEATS), np.int64)
            stuck = WATCH[self.arena.name](
                games,
                self.game.tables,
                0,
                count,
                np.zeros((count, MAX_SEATS), np.int8),
                self.policies,
                generators.reshape(count, MAX_SEATS, 1).copy(),
                *self.game.buffers(),
                scores,
                wins,
                illegal,
                lines,
                notes,
                ends,
            )
            if stuck >= 0:
                why = self.game.twin(games[stuck : stuck + 1]).why_illegal(int(illegal[0]))
                raise PolicyError(f"agent {self.agent.name!r}, in the game with seed {deals[stuck]}: {why}")
            used = int(ends[-1])
            if used <= room:
                break
            self.room = used + used // 4  # the same games again, with room for all their lines
        first = np.concatenate([[0], ends[:-1]])
        return Watched(games, deals, lines[:used], notes[:used], first, ends, scores, wins)

    def replayed(self, watched: Watched, number: int) -> Iterator[Game]:
        """A watched game played again: as it stands before each of its decisions."""
        game = self.game.twin(self.game.record)
        game.deal(int(watched.deals[number]))
        for action in watched.lines[watched.first[number] : watched.last[number], -1].tolist():
            yield game
            game.act(action)
