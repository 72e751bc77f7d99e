"""Ratings on made-up games: known strengths come back, and intervals hold them as often as they say."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import binomtest

from agents.tournament.intervals import mean_interval, rate_interval, weighted_mean, wilson
from agents.tournament.ratings import ELO, openskill, places_of, rate

STRENGTHS = np.array([1.2, 0.8, 0.5, 0.0, -1.0])


def simulated(rng, strengths, sides, deals, alike):
    """Games of every line-up, ``sides`` of them on each deal, of which a share comes out as the deal's first."""
    rows = []
    for line_up in itertools.combinations(range(len(strengths)), sides):
        agents = np.array(line_up)
        count = min(deals[agent] for agent in line_up)
        drawn = strengths[agents] + rng.gumbel(size=(count, sides, sides))
        copies = rng.random((count, sides)) < alike
        drawn = np.where(copies[:, :, None], drawn[:, :1], drawn)
        places = (-drawn).argsort(axis=2).argsort(axis=2)
        rows.append((np.broadcast_to(agents, (count * sides, sides)), places.reshape(-1, sides), count))
    return (
        np.concatenate([agents for agents, _, _ in rows]),
        np.concatenate([places for _, places, _ in rows]),
        np.concatenate([np.repeat(np.arange(count), sides) for _, _, count in rows]),
    )


@pytest.mark.parametrize("sides", [2, 3, 5])
def test_known_strengths_come_back(sides):
    agents, places, deals = simulated(np.random.default_rng(0), STRENGTHS, sides, [2000] * 5, 0.5)
    found = rate(agents, places, deals, 5, anchor=3)
    assert found.values[3] == 0
    assert found.values == pytest.approx(ELO * STRENGTHS, abs=30)


@pytest.mark.parametrize(
    ("sides", "deals", "alike"),
    [(2, [80] * 5, 0.0), (2, [80] * 5, 0.9), (3, [50] * 5, 0.6), (2, [80, 80, 80, 80, 10], 0.6)],
    ids=["independent games", "deals decide", "three sides", "one joined late"],
)
def test_intervals_hold_the_truth_as_often_as_they_say(sides, deals, alike):
    rng = np.random.default_rng(1)
    pairs = list(itertools.combinations(range(5), 2))
    held = np.zeros((150, len(pairs)))
    for row in held:
        agents, places, numbers = simulated(rng, STRENGTHS, sides, deals, alike)
        found = rate(agents, places, numbers, 5)
        for k, (one, other) in enumerate(pairs):
            low, high = found.difference(one, other)[1]
            row[k] = low <= ELO * (STRENGTHS[one] - STRENGTHS[other]) <= high
    assert 0.925 <= held.mean() <= 0.98
    assert held.mean(axis=0).min() >= 0.88


def test_games_that_are_copies_of_each_other_make_no_interval_shorter():
    """As independent games, ten copies of each would make it three times as short."""
    agents, places, deals = simulated(np.random.default_rng(2), STRENGTHS, 2, [60] * 5, 0.0)
    once = rate(agents, places, deals, 5).difference(0, 1)[1]
    copied = rate(np.repeat(agents, 10, axis=0), np.repeat(places, 10, axis=0), np.repeat(deals, 10), 5)
    low, high = copied.difference(0, 1)[1]
    assert high - low == pytest.approx(once[1] - once[0], rel=0.05)


def test_bars_are_about_the_differences_whoever_is_set_to_nothing():
    agents, places, deals = simulated(np.random.default_rng(3), STRENGTHS, 2, [100] * 5, 0.3)
    found, anchored = rate(agents, places, deals, 5), rate(agents, places, deals, 5, anchor=4)
    for one, other in itertools.combinations(range(5), 2):
        bars = [found.interval(agent) for agent in (one, other)]
        squares = sum(((high - low) / 2) ** 2 for low, high in bars)
        low, high = found.difference(one, other)[1]
        assert np.sqrt(squares) == pytest.approx((high - low) / 2, rel=0.2)
        assert np.diff(anchored.interval(one)) == pytest.approx(np.diff(found.interval(one)))


def test_names_do_not_matter():
    agents, places, deals = simulated(np.random.default_rng(4), STRENGTHS, 3, [40] * 5, 0.3)
    turned = np.array([3, 0, 4, 1, 2])
    one, other = rate(agents, places, deals, 5), rate(turned[agents], places, deals, 5)
    assert other.values[turned] == pytest.approx(one.values, abs=1e-3)
    assert other.difference(3, 0)[1] == pytest.approx(one.difference(0, 1)[1], abs=1e-3)


def test_who_always_loses_is_rated_and_not_taken_for_certain():
    agents, deals = np.tile([0, 1], (200, 1)), np.arange(200)
    places = np.tile([0, 1], (200, 1))
    found = rate(agents, places, deals, 2, anchor=1)
    # With half a win and half a loss more, the odds are 200.5 to 0.5.
    assert found.values[0] == pytest.approx(ELO * np.log(401), abs=0.1)
    low, high = found.difference(0, 1)[1]
    assert low > 300 and high - low > 800
    fewer = rate(agents[:20], places[:20], deals[:20], 2, anchor=1)
    assert fewer.values[0] < found.values[0]


def test_ties_lie_between_winning_and_losing():
    agents, deals = np.tile([0, 1, 2], (60, 1)), np.arange(60)
    found = rate(agents, np.tile([0, 0, 2], (60, 1)), deals, 3)
    assert found.values[0] == pytest.approx(found.values[1], abs=1e-3) and found.values[1] > found.values[2] + 300
    drawn = rate(agents, np.zeros((60, 3), np.int64), deals, 3)
    assert drawn.values == pytest.approx(np.zeros(3), abs=1e-3)


def test_a_single_deal_says_nothing_about_chance():
    found = rate(np.array([[0, 1], [1, 0]]), np.array([[0, 1], [0, 1]]), np.array([0, 0]), 2)
    assert found.interval(0) == found.difference(0, 1)[1] == (-np.inf, np.inf)


def test_places():
    scores = np.array([[10.0, 30, 20], [10, 10, 5], [7, 8, 9]])
    won = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]])
    assert places_of(scores, won).tolist() == [[0, 1, 2], [0, 0, 2], [0, 0, 0]]


def test_openskill_takes_games_in_order():
    agents, places, _ = simulated(np.random.default_rng(5), STRENGTHS, 3, [20] * 5, 0.0)
    found = openskill(agents, places, 5)
    assert [mean for mean, _ in found] == sorted((mean for mean, _ in found), reverse=True)
    assert openskill(agents, places, 5) == found != openskill(agents[::-1], places[::-1], 5)
    tied = openskill(np.array([[0, 1]]), np.array([[0, 0]]), 2)
    assert tied[0] == pytest.approx(tied[1]) and tied[0][1] < 25 / 3


def test_means_and_rates_by_deal():
    values, deals = np.array([1.0, 2, 3, 4, 5, 6]), np.array([0, 0, 1, 1, 2, 2])
    mean, variance, count = weighted_mean(values, np.ones(6), deals)
    low, high = mean_interval(np.array([1.5, 3.5, 5.5]))
    assert (mean, count) == (3.5, 3) and (high - low) / 2 == pytest.approx(4.302653 * np.sqrt(variance))
    rates = np.array([0.5, 1, 0, 0.5, 1, 0.5])
    assert rate_interval(rates, 12) == wilson(rates.mean(), rates.var(ddof=1) / 6, 12)


def test_a_bound_that_is_nothing_is_nothing():
    for games in range(1, 3000, 7):
        assert rate_interval(np.zeros(5), games)[0] == 0.0
        assert rate_interval(np.ones(5), games)[1] == 1.0


def test_wilsons_interval_of_independent_games_is_scipys():
    for won, games in ((0, 10), (55, 100), (400, 400)):
        found = binomtest(won, games).proportion_ci(method="wilson")
        assert wilson(won / games, 0.0, games) == pytest.approx((found.low, found.high))
