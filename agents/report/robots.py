"""What a report on Robots! counts: rounds and how they end, spreads, robots, powers, deals that fit what is known."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robots_env import Robots
from robots_env.actions import ADD, CALL, DISCARD, LAY_RUN, LAY_SET, PASS, PICK, WILD_IN
from robots_env.constants import CARDS, DECISIONS, POWERS, TO_CALL, TO_DRAW, TO_LAY, TO_PLAY, WILD

from .association import contributions
from .figures import Figures, distribution, rounded
from .games import Cell, Watched
from .information import deals_of_cards, log10
from .watching import ACTION, HELD, KIND, LAID, LEFT, LEGAL, ROBOTS, ROUND, SEAT, TURNS

KINDS = DECISIONS
FEATURES = (
    "sets laid",
    "runs laid",
    "cards added",
    "calls",
    "robots completed",
    "went out",
    "takes off the heap",
    *(f"{power} discarded" for power in POWERS[1:]),
)
SOURCES = ("cards and robots on the table", "of it robots", "cards left in hand")
AT_TURNS = (0, 4, 9, 19, 39, 79, 159, 319)
"""Turns of a round, from 0, at which the deals are counted that fit what the player to move knows."""
LOOKED_THROUGH = 12
"""Matches of each cell of which the first ``ROUNDS`` rounds are looked through for that."""
ROUNDS = 2


class Tally:
    """The counts of one cell."""

    def __init__(self, cell: Cell) -> None:
        assert isinstance(cell.game, Robots)
        self.cell = cell
        self.bonus = cell.game.rules.robot_bonus
        powers = cell.game.tables["power"][0]
        self.power_of_rank = np.array([*(int(powers[card]) for card in CARDS), int(powers[WILD])])
        self.asked: list[int] = []
        self.forced: list[int] = []
        self.rounds: list[int] = []
        self.turns: list[NDArray[np.int64]] = []
        self.ends = {"somebody went out": 0, "nobody drew": 0, "after all turns": 0}
        self.by_turn = np.zeros((len(AT_TURNS), 2), np.int64)
        self.features: list[NDArray[np.float64]] = []
        self.sources: list[NDArray[np.float64]] = []
        self.scores: list[NDArray[np.float64]] = []
        self.looked_through = 0
        self.hands: dict[int, list[float]] = defaultdict(list)
        self.tables: dict[int, list[float]] = defaultdict(list)

    def beginners(self, watched: Watched) -> NDArray[np.int64]:
        """The seat that drew first in the first round."""
        seats: NDArray[np.int64] = watched.lines[watched.first, SEAT].astype(np.int64)
        return seats

    def add(self, watched: Watched) -> None:
        lines, notes = watched.lines, watched.notes
        of_game = watched.game_of_line()
        asked = lines[:, LEGAL] > 1
        self.asked += np.bincount(of_game[asked], minlength=len(watched.games)).tolist()
        self.forced += np.bincount(of_game[~asked], minlength=len(watched.games)).tolist()
        at = np.searchsorted(AT_TURNS, notes[asked, TURNS], side="right") - 1
        np.add.at(self.by_turn, (at, 0), 1)
        np.add.at(self.by_turn, (at, 1), lines[asked, LEGAL])
        key = np.stack([of_game, notes[:, ROUND]])
        new = np.concatenate([[True], (key[:, 1:] != key[:, :-1]).any(axis=0)])
        of_round = np.cumsum(new) - 1
        last = np.append(np.flatnonzero(new)[1:], len(lines)) - 1
        self.rounds += np.bincount(of_game[last]).tolist()
        self.turns.append(notes[last, TURNS].astype(np.int64) + 1)
        self._rounds(lines, notes, of_round, last)
        for number in range(len(watched.games)):
            if self.looked_through < LOOKED_THROUGH:
                self.looked_through += 1
                self._look_through(watched, number)

    def _rounds(self, lines: Any, notes: Any, of_round: NDArray[np.int64], last: NDArray[np.int64]) -> None:
        """By round and seat: what was done, and the points of the round [E2]."""
        players = self.cell.num_players
        features = np.zeros((len(last), players, len(FEATURES)))
        kind, action, seat = lines[:, KIND], lines[:, ACTION].astype(np.int64), lines[:, SEAT]
        laying = kind == TO_PLAY
        discards = ((kind == TO_PLAY) | (kind == TO_LAY)) & (action >= DISCARD) & (action < ADD)
        counted = [
            laying & (action >= LAY_SET) & (action < WILD_IN),
            laying & (action >= LAY_RUN) & (action < LAY_SET),
            laying & (action >= ADD) & (action < LAY_RUN),
            (kind == TO_CALL) & (action == CALL),
        ]
        for column, rows in enumerate(counted):
            np.add.at(features, (of_round[rows], seat[rows], column), 1)
        robots = notes[last, ROBOTS : ROBOTS + players]
        features[:, :, 4] = robots
        out = discards[last] & (notes[last, LEFT] == 0)
        features[np.flatnonzero(out), seat[last[out]], 5] = 1
        takes = (kind == TO_DRAW) & (action >= PICK) & (action < DISCARD)
        np.add.at(features, (of_round[takes], seat[takes], 6), 1)
        rank = np.where(discards, action - DISCARD, 0)
        power = np.where(discards & (notes[:, LEFT] > 0), self.power_of_rank[rank], 0)
        acting = power > 0
        np.add.at(features, (of_round[acting], seat[acting], 6 + power[acting]), 1)
        declined = (kind[last] == TO_DRAW) & (action[last] == PASS)
        self.ends["somebody went out"] += int(out.sum())
        self.ends["nobody drew"] += int(declined.sum())
        self.ends["after all turns"] += int((~out & ~declined).sum())
        laid = notes[last, LAID : LAID + players].astype(float)
        held = notes[last, HELD : HELD + players].astype(float)
        self.features.append(features)
        self.sources.append(np.stack([laid, robots * float(self.bonus), -held], axis=2))
        self.scores.append(laid - held)

    def _look_through(self, watched: Watched, number: int) -> None:
        for game in self.cell.replayed(watched, number):
            assert isinstance(game, Robots)
            record = game.record[0]
            if record["round_number"] > ROUNDS:
                return
            turn = int(record["turns"])
            if record["decision"] == TO_DRAW and turn in AT_TURNS:
                hands, tables = deals_of_cards(game, game.actor)
                self.hands[turn].append(log10(hands))
                self.tables[turn].append(log10(tables))

    def figures(self) -> Figures:
        scores, features, sources = (np.concatenate(part) for part in (self.scores, self.features, self.sources))
        shares = (scores == scores.max(axis=1, keepdims=True)).astype(float)
        shares /= shares.sum(axis=1, keepdims=True)
        others = (1 - shares) / (shares.shape[1] - 1)
        return {
            "length": {
                "decisions": distribution(self.asked),
                "forced": distribution(self.forced),
                "rounds": distribution(self.rounds),
                "turns of a round": distribution(np.concatenate(self.turns)),
            },
            "rounds end": {name: rounded(count / len(scores), 4) for name, count in self.ends.items()},
            "round scores": distribution(scores.ravel()),
            "phases": {
                f"turn {AT_TURNS[i] + 1} and later": {"asked": int(n), "mean": rounded(legal / n)}
                for i, (n, legal) in enumerate(self.by_turn.tolist())
                if n
            },
            "contributions": contributions(FEATURES, features, shares),
            "points": {
                name: [rounded((weights * sources[:, :, k]).sum(axis=1).mean()) for weights in (shares, others)]
                for k, name in enumerate(SOURCES)
            },
            "information": [
                {
                    "turn": turn + 1,
                    "n": len(values),
                    "log10 hands": rounded(float(np.mean(values))),
                    "log10 tables": rounded(float(np.mean(self.tables[turn]))),
                }
                for turn, values in sorted(self.hands.items())
            ],
        }
