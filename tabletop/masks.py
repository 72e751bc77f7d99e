"""Action masks in compiled code: ``int8`` vectors, 1 for a legal action."""

from __future__ import annotations

from .jit import kernel
from .rng import draw_from

_BLOCK = 16


@kernel(inline=True)
def _count_block(mask, first):
    """Legal actions among the ``_BLOCK`` from ``first`` on: a loop of fixed length becomes vector code."""
    n = 0
    for a in range(_BLOCK):
        n += mask[first + a]
    return n


@kernel
def count_legal(mask):
    """How many actions are legal."""
    n = 0
    first = 0
    while first + _BLOCK <= mask.shape[0]:
        n += _count_block(mask, first)
        first += _BLOCK
    for a in range(first, mask.shape[0]):
        n += mask[a]
    return n


@kernel
def nth_legal(mask, n):
    """The n-th legal action, counted from 0; -1 if there are not so many."""
    first = 0
    while first + _BLOCK <= mask.shape[0]:
        held = _count_block(mask, first)
        if n < held:
            break
        n -= held
        first += _BLOCK
    for a in range(first, mask.shape[0]):
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
