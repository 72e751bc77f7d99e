"""Intervals at 95 % for means over games of which those on the same deal are not independent of each other.

What counts is the mean over each deal: for mean scores Student's interval over these, for win rates Wilson's interval
with the number of independent games that would scatter as much, at most as many as were played.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95

Interval = tuple[float, float]
EVERYTHING: Interval = (float("-inf"), float("inf"))
"""The interval of what is known from a single deal."""


def student(deals: int) -> float:
    """How many standard errors an interval reaches to either side that rests on so many deals."""
    from scipy import special

    return float(special.stdtrit(deals - 1, 0.5 + CONFIDENCE / 2))


def mean_interval(means: NDArray[np.float64]) -> Interval:
    """Student's interval for the mean of independent values; without end when there is but one."""
    if len(means) < 2:
        return EVERYTHING
    half = student(len(means)) * float(means.std(ddof=1)) / math.sqrt(len(means))
    middle = float(means.mean())
    return middle - half, middle + half


def rate_interval(rates: NDArray[np.float64], games: int) -> Interval:
    """Wilson's interval for a win rate from its value in each deal; ``games`` at most count as independent."""
    variance = float(rates.var(ddof=1)) / len(rates) if len(rates) > 1 else 0.0
    return wilson(float(rates.mean()), variance, games)


def wilson(rate: float, variance: float, games: float) -> Interval:
    """Wilson's interval for a rate whose estimate has this variance, 0 if unknown; ``games`` at most count as
    independent."""
    from scipy import special

    n = min(float(games), rate * (1 - rate) / variance) if variance > 0 else float(games)
    z = float(special.ndtri(0.5 + CONFIDENCE / 2))
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(max(rate * (1 - rate), 0.0) / n + z * z / (4 * n * n))
    # Rounding would leave a trace of a bound that is 0 or 1.
    return (0.0 if rate <= 0 else max(0.0, middle - half), 1.0 if rate >= 1 else min(1.0, middle + half))


def weighted_mean(
    values: NDArray[np.float64], weights: NDArray[np.float64], deals: NDArray[np.int64]
) -> tuple[float, float, int]:
    """The weighted mean of values, the variance of that estimate and the number of deals it rests on.

    The variance is 0 where there is but one deal.
    """
    shares = weights / weights.sum()
    mean = float(shares @ values)
    numbers, place = np.unique(deals, return_inverse=True)
    count = len(numbers)
    if (values == values[0]).all():  # without what rounding would leave
        return float(values[0]), 0.0, count
    if count < 2:
        return mean, 0.0, count
    off = np.bincount(place, shares * (values - mean), count)
    return mean, float(off @ off) * count / (count - 1), count
