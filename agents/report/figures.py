"""Figures that every game has: lengths, choices, seats, scores, the size of the tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..tournament.intervals import mean_interval, rate_interval
from .games import Cell, Watched
from .watching import KIND, LEGAL

QUANTILES = (5, 25, 50, 75, 95)
Figures = dict[str, Any]
BINS = 24
"""Of a histogram, at most."""


def rounded(value: float, digits: int = 2) -> float | None:
    """A figure as it is kept; None for one that is not known."""
    return round(float(value), digits) if math.isfinite(value) else None


def distribution(values: Sequence[float] | NDArray[Any]) -> Figures:
    """Number, mean, standard deviation, least and greatest value, quantiles."""
    found = np.asarray(values, float)
    if not len(found):
        return {"n": 0}
    quantiles = np.percentile(found, QUANTILES, method="inverted_cdf")
    return {
        "n": len(found),
        "mean": rounded(found.mean()),
        "sd": rounded(found.std(ddof=1)) if len(found) > 1 else None,
        "min": rounded(found.min()),
        **{f"{q} %": rounded(value) for q, value in zip(QUANTILES, quantiles, strict=True)},
        "max": rounded(found.max()),
    }


def histogram(values: Sequence[float] | NDArray[Any]) -> Figures:
    """Counts in bins of as many whole points each, from the least to the greatest value."""
    points = np.asarray(values, np.int64)
    least = int(points.min())
    width = -(-(int(points.max()) - least + 1) // BINS)
    counts = np.bincount((points - least) // width)
    return {"from": least, "width": width, "counts": counts.tolist()}


def interval(ends: tuple[float, float], digits: int = 4) -> list[float | None]:
    """The ends of an interval as they are kept."""
    return [rounded(end, digits) for end in ends]


class Choices:
    """How many legal actions decisions have; counted, so that millions of them fit."""

    def __init__(self, kinds: Sequence[str], num_actions: int) -> None:
        self.kinds = kinds
        self.counts = np.zeros((len(kinds), num_actions + 1), np.int64)
        self.course = np.zeros((2, 20))  # asked decisions by twentieths of their game, and their legal actions
        self.logs: list[float] = []

    def add(self, watched: Watched) -> None:
        """Count the decisions of some games."""
        kind, legal = watched.lines[:, KIND].astype(np.int64), watched.lines[:, LEGAL].astype(np.int64)
        np.add.at(self.counts, (kind, legal), 1)
        for first, last in zip(watched.first, watched.last, strict=True):
            asked = legal[first:last][legal[first:last] > 1]
            place = np.arange(len(asked)) * 20 // max(1, len(asked))
            np.add.at(self.course[0], place, 1)
            np.add.at(self.course[1], place, asked)
            self.logs.append(float(np.log10(asked).sum()))

    def figures(self) -> Figures:
        """By kind of decision and for all: how often asked, how often there was but one answer, legal actions where
        asked. ``course``: the mean by twentieths of a game."""
        kinds = {kind: self._of(self.counts[i]) for i, kind in enumerate(self.kinds) if self.counts[i].sum()}
        asked, legal = self.course
        course = [rounded(value) for value in legal / np.maximum(asked, 1)]
        return {"all": self._of(self.counts.sum(axis=0)), "kinds": kinds, "course": course}

    @staticmethod
    def _of(counts: NDArray[np.int64]) -> Figures:
        every, asked = int(counts.sum()), int(counts[2:].sum())
        found: Figures = {"decisions": every, "forced": rounded(1 - asked / every, 4)}
        if asked:
            numbers = np.arange(len(counts))[2:]
            below = np.cumsum(counts[2:]) / asked
            found |= {
                "mean": rounded(float((numbers * counts[2:]).sum() / asked)),
                **{f"{q} %": int(numbers[np.searchsorted(below, q / 100 - 1e-12)]) for q in (50, 95)},
                "max": int(numbers[counts[2:] > 0][-1]),
            }
        return found

    def tree(self) -> Figures:
        """Of each game the product of its numbers of choices, as its logarithm to the base of 10; the logarithm of
        the mean product, which for uniformly random play estimates the leaves of a deal's tree without bias."""
        logs = np.array(self.logs)
        top = float(logs.max())
        mean = top + math.log10(float(np.mean(10.0 ** (logs - top))))
        return {"log10": distribution(logs), "log10 of the mean": rounded(mean, 1)}


class Ends:
    """How games end: shares in the win and scores, by side and by place from whoever began."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.shares: list[NDArray[np.float64]] = []
        self.points: list[NDArray[np.float64]] = []
        self.beginners: list[NDArray[np.int64]] = []
        self.cut_short = 0

    def add(self, watched: Watched, beginners: NDArray[np.int64]) -> None:
        """``beginners``: the seat that began each game."""
        shares = shares_of(self.cell, watched)
        self.shares.append(shares)
        self.points.append(np.stack([watched.scores[:, s].min(axis=1) for s in self._sides()], axis=1).astype(float))
        self.beginners.append(beginners)
        self.cut_short += int((watched.wins.sum(axis=1) == 0).sum())

    def _sides(self) -> Sequence[tuple[int, ...]]:
        return self.cell.sides if self.cell.num_players > 1 else ((0,), (1,))

    def figures(self) -> Figures:
        """Scores of sides, margins of winners, draws; what each place is worth."""
        shares, points = np.concatenate(self.shares), np.concatenate(self.points)
        found: Figures = {"games": len(points), "cut short": self.cut_short}
        if self.cell.num_players == 1:
            rate = shares[:, 0]
            found |= {
                "wins": rounded(rate.mean(), 4),
                "wins interval": interval(_rate(rate)),
                "scores": distribution(points[:, 0]),
                "opponent's scores": distribution(points[:, 1]),
                "margins": distribution(points[:, 0] - points[:, 1]),
                "histogram": histogram(points[:, 0]),
            }
            return found
        ordered = np.sort(points, axis=1)
        return found | {
            "shared": rounded(float(((shares > 0).sum(axis=1) > 1).mean()) - self.cut_short / len(points), 4),
            "scores": distribution(points.ravel()),
            "winner's scores": distribution(ordered[:, -1]),
            "margins": distribution(ordered[:, -1] - ordered[:, -2]),
            "histogram": histogram(points.ravel()),
            "places": self._places(shares, points),
        }

    def _places(self, shares: NDArray[np.float64], points: NDArray[np.float64]) -> list[Figures]:
        """By place clockwise from who began, of teams by team: share in the wins, and points above the mean of the
        table. Each deal is compared with itself."""
        beginners = np.concatenate(self.beginners)
        sides = self._sides()
        side_of = np.array(
            [next(i for i, seats in enumerate(sides) if s in seats) for s in range(self.cell.num_players)]
        )
        places = []
        every = np.arange(len(shares))
        count = len(sides)
        for place in range(count):
            if count < self.cell.num_players:  # teams: that of who began, and the other
                at = (side_of[beginners] + place) % count
            else:
                at = side_of[(beginners + place) % self.cell.num_players]
            won = shares[every, at]
            above = points[every, at] - points.mean(axis=1)
            places.append(
                {
                    "wins": rounded(won.mean(), 4),
                    "wins interval": interval(_rate(won)),
                    "points above the mean": rounded(above.mean()),
                    "points interval": interval(mean_interval(above), 2),
                }
            )
        return places


def _rate(won: NDArray[np.float64]) -> tuple[float, float]:
    return rate_interval(won, len(won))


def shares_of(cell: Cell, watched: Watched) -> NDArray[np.float64]:
    """Shares in the win by side, (games, sides): 1 in all; a game cut short is shared by all. Solo: your side and the
    game's own opponent."""
    if cell.num_players == 1:
        return watched.wins[:, :2].astype(float)
    won = np.stack([watched.wins[:, seats].max(axis=1) for seats in cell.sides], axis=1).astype(float)
    won[~won.any(axis=1)] = 1
    shares: NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
    return shares
