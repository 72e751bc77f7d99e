"""Action masks in compiled code: ``int8`` vectors, 1 for a legal action."""

from __future__ import annotations

from .jit import kernel
from .rng import draw_from


@kernel
def count_legal(mask):
    """How many actions are legal."""
    n = 0
    for a in range(mask.shape[0]):
        n += mask[a]
    return n


@kernel
def nth_legal(mask, n):
    """The n-th legal action, counted from 0; -1 if there are not so many."""
    for a in range(mask.shape[0]):
        if mask[a] != 0:
            if n == 0:
                return a
            n -= 1
    return -1


@kernel
def sample_legal(mask, rng):
    """A legal action drawn uniformly with the generator in ``rng[0]``; -1 if none is legal."""
    n = count_legal(mask)
    if n == 0:
        return -1
    return nth_legal(mask, draw_from(rng, n))
