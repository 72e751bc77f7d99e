"""Intervals and the regression against plain mathematics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from agents.report.association import contributions, contributions_alone, regression, wins_apart, wins_with


def simulated(games, sides, weights, seed=0):
    rng = np.random.default_rng(seed)
    features = rng.poisson(3.0, (games, sides, len(weights))).astype(float)
    utility = features @ np.array(weights) + rng.gumbel(size=(games, sides))
    shares = np.zeros((games, sides))
    shares[np.arange(games), utility.argmax(axis=1)] = 1
    return features, shares


@pytest.mark.parametrize("sides", [2, 3, 5])
def test_the_regression_finds_what_decides(sides):
    weights = [0.5, 0.0, -0.3]
    coefficients, errors = regression(*simulated(4000, sides, weights))
    assert (np.abs(coefficients - weights) < 3.5 * errors).all() and (errors < 0.05).all()


def test_it_is_the_most_likely_one():
    features, shares = simulated(300, 3, [0.4, -0.2])
    shares[:20] = 1 / 3  # shared wins

    def unlikelihood(beta):
        utility = features @ beta
        return -(shares * (utility - np.log(np.exp(utility).sum(axis=1, keepdims=True)))).sum()

    best = optimize.minimize(unlikelihood, np.zeros(2), method="BFGS")
    coefficients, errors = regression(features, shares)
    assert coefficients == pytest.approx(best.x, abs=0.01)
    assert errors == pytest.approx(np.sqrt(np.diag(best.hess_inv)), rel=0.1)


def test_what_never_differs_and_what_always_decides():
    features, shares = simulated(200, 2, [0.3])
    same = np.full((200, 2, 1), 7.0)
    features = np.concatenate([features, same, shares[:, :, None]], axis=2)
    found = contributions(["a", "same", "winner"], features, shares)["features"]
    assert found["same"]["odds"] is None and found["same"]["difference"] == 0
    assert found["winner"]["winners"] == 1 and found["winner"]["others"] == 0
    assert found["winner"]["odds"] is None or found["winner"]["odds"] > 10
    few = contributions(["a"], *simulated(3, 2, [9.0]))["features"]["a"]
    assert few["odds"] is None or few["odds interval"][0] < few["odds"]


def test_differences_are_within_games():
    features = np.array([[[3.0], [1.0]], [[5.0], [9.0]], [[2.0], [2.0]]])
    shares = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    row = contributions(["a"], features, shares)["features"]["a"]
    assert (row["winners"], row["others"], row["difference"]) == (4.667, 2.667, 2.0)
    low, high = row["difference interval"]
    assert low == pytest.approx(2 - 4.303 * 2 / np.sqrt(3), abs=0.01) and high == pytest.approx(4 - low, abs=0.01)


def test_alone():
    rng = np.random.default_rng(1)
    features = rng.normal(size=(4000, 2))
    won = (rng.random(4000) < 1 / (1 + np.exp(-(1.0 + 0.8 * features[:, 0])))).astype(float)
    found = contributions_alone(["a", "b"], features, won)["features"]
    assert found["a"]["odds"] == pytest.approx(np.exp(0.8), rel=0.12)
    assert found["b"]["odds interval"][0] < 1 < found["b"]["odds interval"][1]
    assert found["a"]["winners"] == round(features[won > 0, 0].mean(), 3)
    none = contributions_alone(["a", "b"], features, np.zeros(4000))["features"]["a"]
    assert none["winners"] is None and none["difference"] is None


def test_win_rates():
    assert wins_with(np.array([])) == {"n": 0}
    found = wins_with(np.array([1.0, 1.0, 0.0, 1.0]))
    assert found["n"] == 4 and found["wins"] == 0.75 and found["interval"][0] < 0.75 < found["interval"][1]
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(400):
        one, other = (rng.random(60) < 0.7).astype(float), (rng.random(80) < 0.4).astype(float)
        low, high = wins_apart(one, other)["difference interval"]
        inside += low <= 0.3 <= high
    assert 0.91 < inside / 400 < 0.985
    assert wins_apart(np.array([1.0]), np.array([])) == {"difference": None, "difference interval": [None, None]}
