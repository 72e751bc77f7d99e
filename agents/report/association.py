"""What goes with winning: differences between winners and others, and a logistic regression within each game.

All of it is association. Who is ahead anyway can afford more of what is counted, so that no figure here says what
doing more of it would bring.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..tournament.intervals import mean_interval, rate_interval
from .figures import Figures, interval, rounded

RIDGE = 1e-3
"""Of the regression, a game: keeps it finite where something decides every game, and is hardly felt elsewhere."""
STEPS = 50
UNKNOWN = 5.0
"""Half an interval of a coefficient that is not worth telling: a factor of 150 to either side."""


def regression(features: NDArray[np.float64], shares: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Coefficients and their standard errors of a conditional logit: side ``s`` of a game wins with a probability
    proportional to ``exp(features[game, s] @ coefficients)``. ``shares`` are the shares in the win.

    With two sides this is logistic regression on the difference of their features. Features without variation within
    games get NaN.
    """
    from scipy.special import softmax

    centred = features - features.mean(axis=1, keepdims=True)
    scale = centred.std(axis=(0, 1))
    used = np.flatnonzero(scale > 1e-9)
    values = centred[:, :, used] / scale[used]
    ridge = RIDGE * len(values)
    beta = np.zeros(len(used))
    hessian = np.eye(len(used))
    for _ in range(STEPS):
        chances = softmax(values @ beta, axis=1)
        gradient = np.einsum("gs,gsk->k", shares - chances, values) - ridge * beta
        expected = np.einsum("gs,gsk->gk", chances, values)
        hessian = (
            np.einsum("gs,gsk,gsl->kl", chances, values, values) - expected.T @ expected + ridge * np.eye(len(used))
        )
        step = np.linalg.solve(hessian, gradient)
        beta += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-9:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(hessian)))
    coefficients, standard_errors = np.full((2, features.shape[2]), np.nan)
    coefficients[used] = beta / scale[used]
    standard_errors[used] = errors / scale[used]
    return coefficients, standard_errors


def contributions(names: Sequence[str], features: NDArray[np.float64], shares: NDArray[np.float64]) -> Figures:
    """By feature: its mean among winners and among the others, the difference within games with its interval, and the
    factor by which one more of it multiplies the odds of winning, all else equal, with its interval.

    ``features`` are (games, sides, features), ``shares`` (games, sides).
    """
    from scipy.special import ndtri

    count = features.shape[1]
    winners = np.einsum("gs,gsk->gk", shares, features)
    rest = (1 - shares) / (count - 1)
    others = np.einsum("gs,gsk->gk", rest, features)
    coefficients, errors = regression(features, shares)
    z = float(ndtri(0.975))
    found = {}
    for k, name in enumerate(names):
        gap = winners[:, k] - others[:, k]
        odds = _odds(coefficients[k], z * errors[k])
        found[name] = {
            "winners": rounded(winners[:, k].mean(), 3),
            "others": rounded(others[:, k].mean(), 3),
            "difference": rounded(gap.mean(), 3),
            "difference interval": interval(mean_interval(gap), 3),
            "odds": rounded(odds[0], 3),
            "odds interval": interval(odds[1:], 3),
        }
    return {"units": len(features), "features": found}


def contributions_alone(names: Sequence[str], features: NDArray[np.float64], won: NDArray[np.float64]) -> Figures:
    """The same for games with one side, which wins or not: ``features`` are (games, features)."""
    from scipy.special import ndtri

    with_chance = np.concatenate([features, np.ones((len(features), 1))], axis=1)  # of winning without any of it
    sides = np.stack([with_chance, np.zeros_like(with_chance)], axis=1)
    coefficients, errors = regression(sides, np.stack([won, 1 - won], axis=1))
    z = float(ndtri(0.975))
    found = {}
    for k, name in enumerate(names):
        apart = _apart(features[won > 0, k], features[won == 0, k])
        odds = _odds(coefficients[k], z * errors[k])
        found[name] = {
            "winners": rounded(features[won > 0, k].mean(), 3) if won.any() else None,
            "others": rounded(features[won == 0, k].mean(), 3) if (won == 0).any() else None,
            "difference": rounded(apart[0], 3),
            "difference interval": interval(apart[1:], 3),
            "odds": rounded(odds[0], 3),
            "odds interval": interval(odds[1:], 3),
        }
    return {"units": len(features), "features": found}


def _odds(coefficient: float, half: float) -> tuple[float, float, float]:
    """The factor of the odds and its interval; NaN where the games say next to nothing about it."""
    if not half < UNKNOWN:
        return float("nan"), float("nan"), float("nan")
    return math.exp(coefficient), math.exp(coefficient - half), math.exp(coefficient + half)


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[float, float, float]:
    """The difference of the means of two independent samples and its interval (normal)."""
    from scipy.special import ndtri

    if len(one) < 2 or len(other) < 2:
        return float("nan"), float("nan"), float("nan")
    gap = float(one.mean() - other.mean())
    half = float(ndtri(0.975)) * float(np.sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other)))
    return gap, gap - half, gap + half


def wins_with(won: NDArray[np.float64]) -> Figures:
    """How often those win that have something: their number, the rate, its interval."""
    if not len(won):
        return {"n": 0}
    return {
        "n": len(won),
        "wins": rounded(won.mean(), 4),
        "interval": interval(rate_interval(won, len(won))),
    }


def wins_apart(having: NDArray[np.float64], lacking: NDArray[np.float64]) -> Figures:
    """The difference of two win rates with its interval."""
    gap, low, high = _apart(having, lacking)
    return {"difference": rounded(gap, 4), "difference interval": interval((low, high))}
