"""How strong agents are, from who finished ahead of whom.

*Model.* Every agent has a strength; of those who have not finished yet, each is the next with a probability in
proportion to its strength (Plackett-Luce; with two sides Bradley-Terry). Ratings are its logarithm on Elo's scale: 400
points are odds of ten to one, 100 points a share of 64 %. All games are fitted at once, by maximum likelihood. Sides
that tie count as every order of theirs, in equal parts. So that an agent that always loses has a rating too, everybody
is taken to have drawn one game with everybody else: for two agents that is the usual correction of the odds by half a
win and half a loss.

*Intervals.* Games on the same deal are not independent, deals are: what scatters is the sum of a deal's contributions
to the likelihood's slope (the sandwich estimator clustered by deal). Of the drawn games each half counts as a deal of
its own, in proportion to its weight, so that an agent that never lost does not look certain. Intervals are Student's,
with the deals of the agent that has fewer. Whether two agents are apart is said by the interval of their difference.
An agent's own interval, the error bar, is a comparison interval: its variances are those whose sums come closest to the
variances of all differences (quasi-variances; Firth and de Menezes, 2004). It does not depend on which agent is set to
0, and agents whose bars do not overlap are apart.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .intervals import EVERYTHING, Interval, student

ELO = 400 / math.log(10)
"""Points to the unit of the logarithm of strength."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Ratings:
    """Ratings of agents, with the variances of the differences between any two."""

    values: Floats
    variances: Floats
    """``(agents, agents)``; infinite where only one deal is known."""
    deals: Ints
    """How many deals each has played."""

    def interval(self, agent: int) -> Interval:
        """The error bar of an agent's rating."""
        if self.deals[agent] < 2:
            return EVERYTHING
        half = student(int(self.deals[agent])) * math.sqrt(self._quasi[agent])
        return float(self.values[agent]) - half, float(self.values[agent]) + half

    def difference(self, one: int, other: int) -> tuple[float, Interval]:
        """How far one agent is above another, and the interval of that."""
        deals = int(min(self.deals[one], self.deals[other]))
        apart = float(self.values[one] - self.values[other])
        if deals < 2:
            return apart, EVERYTHING
        half = student(deals) * math.sqrt(self.variances[one, other])
        return apart, (apart - half, apart + half)

    @functools.cached_property
    def _quasi(self) -> Floats:
        from scipy import optimize

        agents = len(self.values)
        others = self.variances + np.diag(np.full(agents, np.inf))
        known = [pair for pair in itertools.combinations(range(agents), 2) if 0 < others[pair] < np.inf]
        if agents < 3:
            return np.full(agents, others.min() / 2)
        sums = np.zeros((len(known), agents))
        for row, (one, other) in enumerate(known):
            sums[row, [one, other]] = 1 / others[one, other]
        # Where strengths lie so far apart that variances do not add up, no bar is left without length.
        least = np.where(np.isfinite(others.min(axis=1)), others.min(axis=1) / 4, 0.0)
        return np.asarray(optimize.lsq_linear(sums, np.ones(len(known)), (least, np.inf), method="bvls").x)


def rate(agents: Ints, places: Ints, deals: Ints, count: int, anchor: int | None = None) -> Ratings:
    """Ratings of ``count`` agents from games, a row each: which agent each side is, its place (the lower the better,
    equal for a tie), and the number of the game's deal. The ``anchor`` is rated 0; without one the mean is."""
    from scipy import optimize

    played = _Orders.of_games(agents, places)
    drawn = _Orders.of_draws(count)
    blocks = [played.together(), drawn]

    def cost(strengths: Floats) -> tuple[float, Floats]:
        parts = [block.slope(strengths) for block in blocks]
        # The likelihood does not know where 0 is; the mean is held there.
        value = sum(part[0] for part in parts) - float(strengths.sum()) ** 2 / 2
        slope = sum(part[1] for part in parts) - strengths.sum()
        return -value, -slope

    def curvature(strengths: Floats) -> Floats:
        return sum((block.curvature(strengths) for block in blocks), np.ones((count, count)))

    fit = optimize.minimize(
        cost, np.zeros(count), jac=True, hess=curvature, method="trust-exact", options={"gtol": 1e-7}
    )
    strengths = fit.x - fit.x.mean()
    bread = np.linalg.inv(curvature(strengths))

    numbers, place = np.unique(deals, return_inverse=True)
    by_deal = np.zeros((len(numbers), count))
    rows = place[played.games]
    np.add.at(by_deal, (rows[:, None], played.orders), played.contributions(strengths))
    by_draw = np.zeros((len(drawn.orders), count))
    np.add.at(by_draw, (np.arange(len(by_draw))[:, None], drawn.orders), drawn.contributions(strengths))
    games = bread @ by_deal.T @ by_deal @ bread
    draws = bread @ (by_draw / drawn.weights[:, None]).T @ by_draw @ bread

    met = [len(np.unique(place[(agents == agent).any(axis=1)])) for agent in range(count)]
    fewer = np.minimum.outer(met, met).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = _of_differences(games) * np.where(fewer > 1, fewer / (fewer - 1), np.inf) + _of_differences(draws)
    np.fill_diagonal(variances, 0.0)
    values = ELO * (strengths - (0.0 if anchor is None else strengths[anchor]))
    return Ratings(values, ELO**2 * variances, np.array(met))


def _of_differences(covariance: Floats) -> Floats:
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0)


@dataclass(frozen=True)
class _Orders:
    """Orders in which agents finished, the first first, with their weights and the games they are from."""

    orders: Ints
    weights: Floats
    games: Ints

    @classmethod
    def of_games(cls, agents: Ints, places: Ints) -> _Orders:
        """A game without ties is one order; with ties, all orders of those that tie in equal parts."""
        by_place = np.argsort(places, axis=1, kind="stable")
        finished = np.take_along_axis(agents, by_place, axis=1)
        tied = np.diff(np.take_along_axis(places, by_place, axis=1), axis=1) == 0
        orders, weights, games = [], [], []
        for pattern in np.unique(tied, axis=0):
            rows = np.flatnonzero((tied == pattern).all(axis=1))
            ways = _ways(pattern)
            for way in ways:
                orders.append(finished[rows][:, way])
                weights.append(np.full(len(rows), 1 / len(ways)))
                games.append(rows)
        return cls(np.concatenate(orders), np.concatenate(weights), np.concatenate(games))

    @classmethod
    def of_draws(cls, count: int) -> _Orders:
        """A drawn game of every two agents."""
        orders = np.array(list(itertools.permutations(range(count), 2)), np.int64).reshape(-1, 2)
        return cls(orders, np.full(len(orders), 0.5), np.arange(len(orders)))

    def together(self) -> _Orders:
        """Equal orders put together."""
        orders, place = np.unique(self.orders, axis=0, return_inverse=True)
        return _Orders(orders, np.bincount(place, self.weights, len(orders)).astype(float), np.arange(len(orders)))

    def contributions(self, strengths: Floats) -> Floats:
        """What each place of each order adds to the slope of the logarithm of the likelihood."""
        _, weight, chosen, _ = self._stages(strengths)
        last = np.zeros(self.orders.shape[1])
        last[:-1] = 1
        return self.weights[:, None] * (last - weight * chosen)

    def slope(self, strengths: Floats) -> tuple[float, Floats]:
        """The logarithm of the likelihood, and its slope."""
        left, weight, _, _ = self._stages(strengths)
        value = float(self.weights @ np.log(weight[:, :-1] / left[:, :-1]).sum(axis=1))
        slope = np.bincount(self.orders.ravel(), self.contributions(strengths).ravel(), len(strengths))
        return value, slope.astype(float)

    def curvature(self, strengths: Floats) -> Floats:
        """The negative second derivatives of the logarithm of the likelihood."""
        _, weight, chosen, squared = self._stages(strengths)
        total = np.zeros((len(strengths), len(strengths)))
        sides = self.orders.shape[1]
        for a, b in itertools.product(range(sides), repeat=2):
            both = -weight[:, a] * weight[:, b] * squared[:, min(a, b)]
            if a == b:
                both = both + weight[:, a] * chosen[:, a]
            np.add.at(total, (self.orders[:, a], self.orders[:, b]), self.weights * both)
        return total

    def _stages(self, strengths: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """By order and place: the strength of it and all after it; its own; and the sums, over the choices that it took
        part in, of one over the strength of all to choose from, and of the squares of that."""
        weight = np.exp(strengths - strengths.max())[self.orders]
        left = np.cumsum(weight[:, ::-1], axis=1)[:, ::-1]
        choices = 1 / left
        choices[:, -1] = 0  # the last one has no choice left
        return left, weight, np.cumsum(choices, axis=1), np.cumsum(choices**2, axis=1)


def _ways(tied: NDArray[np.bool_]) -> list[list[int]]:
    """All orders of places of which some tie with the one before."""
    groups: list[list[int]] = [[0]]
    for place, with_last in enumerate(tied, start=1):
        if with_last:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [list(itertools.chain(*parts)) for parts in itertools.product(*map(itertools.permutations, groups))]


def openskill(agents: Ints, places: Ints, count: int) -> list[tuple[float, float]]:
    """openskill's Plackett-Luce ratings (mean and deviation) after all games, taken one by one in the order given."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known = [(float(model.mu), float(model.sigma))] * count
    for sides, ranks in zip(agents.tolist(), places.tolist(), strict=True):
        after = model.rate([[model.rating(*known[agent])] for agent in sides], ranks=ranks)
        for agent, (rating,) in zip(sides, after, strict=True):
            known[agent] = rating.mu, rating.sigma
    return known


def places_of(scores: Sequence[Sequence[float]] | Floats, won: Floats) -> Ints:
    """Places of sides, a row a game: winners first, then by score; in a game that nobody wins all tie."""
    values = np.asarray(scores, float)
    key = np.where(won > 0, np.inf, values)
    key[~(won > 0).any(axis=1)] = 0
    return np.array((key[:, None, :] > key[:, :, None]).sum(axis=2), np.int64)
