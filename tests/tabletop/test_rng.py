"""The generator in a game's record, and drawing under a mask."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tabletop.jit import entry, kernel_view
from tabletop.masks import count_legal, nth_legal, sample_legal
from tabletop.rng import draw, draw_from, shuffle

RECORD = np.dtype([("rng", np.uint64), ("cards", np.int16, (10,))])


@entry
def draws(records, n, out):
    for i in range(out.shape[0]):
        out[i] = draw(records[0], n)


@entry
def draws_from(rng, n, out):
    for i in range(out.shape[0]):
        out[i] = draw_from(rng, n)


@entry
def shuffled(records, first, last):
    shuffle(records[0], records[0].cards, first, last)


@entry
def samples(mask, rng, out):
    for i in range(out.shape[0]):
        out[i] = sample_legal(mask, rng)


@entry
def look(mask, n):
    return count_legal(mask), nth_legal(mask, n)


def splitmix64(state):
    """The published algorithm, in Python's whole numbers."""
    state = (state + 0x9E3779B97F4A7C15) % 2**64
    z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return state, z ^ (z >> 31)


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1, 1234567])
@pytest.mark.parametrize("n", [1, 2, 7, 102, 2**31 - 1])
def test_draws_are_splitmix64(seed, n):
    records = kernel_view(np.zeros(1, RECORD))
    records["rng"] = seed
    rng = np.array([seed], np.uint64)
    out, out_from = np.zeros(50, np.int64), np.zeros(50, np.int64)
    draws(records, n, out)
    draws_from(rng, n, out_from)
    state = seed
    for value in out:
        state, z = splitmix64(state)
        assert value == (z >> 32) * n >> 32
    assert int(records["rng"][0]) == int(rng[0]) == state
    assert (out == out_from).all()


def test_draws_are_uniform():
    out = np.zeros(140_000, np.int64)
    draws_from(np.array([3], np.uint64), 14, out)
    assert stats.chisquare(np.bincount(out, minlength=14)).pvalue > 0.001


def test_seeds_side_by_side_are_independent():
    first = np.zeros((20_000, 1), np.int64)
    for seed in range(len(first)):
        draws_from(np.array([seed], np.uint64), 10, first[seed])
    assert stats.chisquare(np.bincount(first.ravel(), minlength=10)).pvalue > 0.001
    pairs = np.bincount(first[:-1, 0] * 10 + first[1:, 0], minlength=100)
    assert stats.chisquare(pairs).pvalue > 0.001


def test_shuffle_permutes_its_part_uniformly():
    records = kernel_view(np.zeros(1, RECORD))
    places = np.zeros((6, 6), np.int64)
    for _ in range(6000):
        records["cards"] = np.arange(10)
        shuffled(records, 2, 8)
        cards = records["cards"][0]
        assert cards[:2].tolist() == [0, 1] and cards[8:].tolist() == [8, 9]
        assert sorted(cards[2:8]) == list(range(2, 8))
        places[np.arange(6), cards[2:8] - 2] += 1
    assert stats.chisquare(places.ravel(), np.full(36, 1000)).pvalue > 0.001


def test_sampling_under_a_mask():
    mask = np.zeros(151, np.int8)
    rng = np.array([5], np.uint64)
    out = np.zeros(3000, np.int64)
    samples(mask, rng, out)
    assert (out == -1).all()
    legal = [0, 63, 64, 150]
    mask[legal] = 1
    samples(mask, rng, out)
    values, counts = np.unique(out, return_counts=True)
    assert values.tolist() == legal and stats.chisquare(counts).pvalue > 0.001
    assert [look(mask, n) for n in range(5)] == [(4, a) for a in (*legal, -1)]
