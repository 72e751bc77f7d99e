"""The action space: Gymnasium's ``Discrete``, quicker under a mask."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from scipy import stats

from tabletop.spaces import ActionSpace


def test_it_is_gymnasiums_discrete():
    space = ActionSpace(151)
    assert isinstance(space, gymnasium.spaces.Discrete)
    assert space == gymnasium.spaces.Discrete(151)
    assert space.contains(space.sample()) and isinstance(space.sample(), np.int64)


def test_samples_are_legal_and_uniform():
    space = ActionSpace(20)
    space.seed(1)
    mask = np.zeros(20, np.int8)
    mask[[3, 7, 19]] = 1
    found = [space.sample(mask) for _ in range(3000)]
    values, counts = np.unique(found, return_counts=True)
    assert values.tolist() == [3, 7, 19] and stats.chisquare(counts).pvalue > 0.001
    assert all(type(value) is np.int64 for value in found[:3])


def test_the_seed_decides():
    def draw(space):
        mask = np.ones(20, np.int8)
        return [int(space.sample(mask)) for _ in range(20)]

    one, other = ActionSpace(20), ActionSpace(20)
    one.seed(4), other.seed(4)
    first = draw(one)
    assert first == draw(other)
    twin, pickled = copy.deepcopy(one), pickle.loads(pickle.dumps(one))
    assert draw(one) == draw(twin) == draw(pickled) != first


def test_gymnasiums_own_checks_remain():
    space = ActionSpace(20)
    assert space.sample(np.zeros(20, np.int8)) == 0
    with pytest.raises(AssertionError):
        space.sample(np.ones(20, np.float64))
    with pytest.raises(AssertionError):
        space.sample(np.ones(19, np.int8))
    assert space.contains(space.sample(probability=np.full(20, 1 / 20)))
