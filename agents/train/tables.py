"""The games that a learner trains in: a batch that counts who was beaten and pays for a growing lead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.batch import Turn
from tabletop.layout import Layout
from tabletop.learners import Learners, LearnerTurn
from tabletop.opponents import Mixture
from tabletop.returns import MARGIN, SCORE


class TrainingTables(Learners[Any]):
    """``Learners`` whose rewards are ``win`` times those of "win", plus ``margin`` for each point by which the
    learner's lead over the others has grown since its last decision. Over a game that adds up to the final lead, less
    what the deal gave; but it comes when it is earned.

    ``won`` and ``played`` count games, by the number of the opponent in ``lineup``, until ``count`` is called.
    """

    def __init__(
        self, *arguments: Any, win: float, margin: float, others: float, worth: Mapping[str, float], **more: Any
    ) -> None:
        self.win = np.float32(win)
        self.margin = margin
        self.others = others
        super().__init__(*arguments, reward="win", **more)
        self.worth = [_section(self.game.layout, name, float(points)) for name, points in worth.items()]
        self.leads = np.zeros(self.num_envs)
        self.games_over = 0
        self._clear_counts()

    def deal(self, seed: Any = None, *, where: Any = None) -> LearnerTurn:
        """``reset``, as the learners see it."""
        turn = super().deal(seed, where=where)
        self.leads = self._leads(np.arange(self.num_envs), turn.observations)
        return turn

    def set_opponents(self, opponents: Any) -> None:
        """Other opponents in games dealt from now on. Who is no longer among them is replaced at once."""
        before, seated = self.lineup, self._seated["who"].copy()
        super().set_opponents(opponents)
        now = [player for _, player in self.lineup.compiled]
        renumbered = {old: now.index(player) for old, (_, player) in enumerate(before.compiled) if player in now}
        for old, new in renumbered.items():
            stays = seated == old
            self._seated["who"][stays] = new
        self._clear_counts()

    def count(self) -> dict[str, tuple[float, int]]:
        """Games won (a shared win is half) and played against each opponent since the last time it was asked."""
        found = {
            name: (float(won), int(played))
            for name, won, played in zip(self.lineup.names, self.won, self.played, strict=True)
            if played
        }
        self._clear_counts()
        return found

    def _clear_counts(self) -> None:
        self.won = np.zeros(len(self.lineup.names))
        self.played = np.zeros(len(self.lineup.names), np.int64)

    def _finish(self, turn: Turn) -> Turn:
        everywhere = np.arange(self.num_envs)
        ended = np.flatnonzero(turn.terminated | turn.truncated)
        learners, leads = self.learners, self._leads(everywhere, turn.observations, ended)
        self.games_over += len(ended)
        self._count(ended, turn.rewards[ended, learners[ended]])
        grown = leads - self.leads
        turn = super()._finish(turn)
        rewards = self.win * turn.rewards[everywhere, learners] + np.float32(self.margin) * grown
        turn.rewards[everywhere, learners] = rewards
        leads[ended] = self._leads(ended, turn.observations[ended])
        self.leads = leads
        return turn

    def _count(self, ended: NDArray[np.int64], results: NDArray[np.float32]) -> None:
        for place in range(1, self.num_players):
            seats = (self.learners[ended] + place) % self.num_players
            opponents = self._seated["who"][ended, seats]
            np.add.at(self.won, opponents, (np.sign(results) + 1) / 2)
            np.add.at(self.played, opponents, 1)

    def _leads(
        self, rows: NDArray[np.int64], seen: NDArray[np.float32], over: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """The learner's points less ``others`` times the mean of the others', as the tables lie; where the game is not
        ``over``, with what else has worth."""
        if self.margin == 0.0:
            return np.zeros(len(rows))
        scores, wins = np.zeros((2, self.game.max_seats), np.int64)
        returns = np.zeros(self.game.max_seats)
        judge, games, tables = self.game.loops.returns_of_game, self.games, self.game.tables
        leads = np.empty(len(rows))
        for k, (row, seat) in enumerate(zip(rows.tolist(), self.learners[rows].tolist(), strict=True)):
            judge(games, row, tables, SCORE, scores, wins, returns)
            own = returns[seat]
            judge(games, row, tables, MARGIN, scores, wins, returns)
            leads[k] = own + self.others * (returns[seat] - own)
        for place, shape, points in self.worth:
            held = seen[:, place].reshape(len(rows), *shape).sum(axis=2) * points
            more = held[:, 0] - self.others * held[:, 1:].sum(axis=1) / max(1, shape[0] - 1)
            if over is not None:
                more[over] = 0.0
            leads += more
        return leads


def _section(layout: Layout, name: str, points: float) -> tuple[slice, tuple[int, int], float]:
    """Where a section with a line for each seat stands, its shape, and what 1 in it is worth."""
    if name not in layout.parts or len(layout[name].shape) != 2:
        known = ", ".join(section.name for section in layout if len(section.shape) == 2)
        raise ValueError(f"worth is given to a section with a line for each seat ({known}), not to {name!r}")
    lines, wide = layout[name].shape
    return layout.parts[name], (lines, wide), points * layout[name].scale


def opponents_of(choices: list[Any], weights: list[float]) -> Mixture:
    """A mixture with whole-numbered weights, in proportion to those given; none is 0."""
    total = sum(weights)
    return Mixture(choices, [max(1, round(900 * weight / total)) for weight in weights])
