"""The random generator that lives in a game's record: SplitMix64, whose whole state is one ``uint64``.

Every state is a seed and every seed a state, so a game's generator field at the start *is* the game's seed.
``draw`` advances ``g.rng``; ``draw_from`` advances element 0 of a ``uint64`` array (a policy's own generator).
"""

from __future__ import annotations

import numpy as np

from .jit import COMPILED, kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_STREAMS = np.uint64(0x5851F42D4C957F2D)  # keeps the streams of a seed apart from those of the deals
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@kernel(inline=True)
def _advanced(state):
    return state + _STEP


@kernel(inline=True)
def _mixed(state):
    z = (state ^ (state >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


if not COMPILED:  # NumPy warns of the overflow that the arithmetic is meant to have
    _advanced = np.errstate(over="ignore")(_advanced)
    _mixed = np.errstate(over="ignore")(_mixed)


@kernel(inline=True)
def _below(value, n):
    """``value``'s upper half scaled to 0 .. n - 1 (n < 2**31; the bias is below n / 2**32)."""
    return np.int64(((value >> _S32) * np.uint64(n)) >> _S32)


@kernel
def draw(g, n):
    """A number from 0 to n - 1, from the game's own generator."""
    g.rng = _advanced(g.rng)
    return _below(_mixed(g.rng), n)


@kernel
def draw_from(rng, n):
    """A number from 0 to n - 1, from a generator kept in ``rng[0]`` (``uint64``)."""
    rng[0] = _advanced(rng[0])
    return _below(_mixed(rng[0]), n)


@kernel
def shuffle(g, cards, first, last):
    """Shuffle ``cards[first:last]`` in place (Fisher-Yates), from the game's own generator."""
    for i in range(last - 1, first, -1):
        j = first + draw(g, i - first + 1)
        kept = cards[i]
        cards[i] = cards[j]
        cards[j] = kept


def streams_of(seeds, count):
    """Generators that follow from games' seeds, ``count`` for each: uint64, ``(games, count)``. NumPy, not compiled."""
    with np.errstate(over="ignore"):
        states = (seeds[:, None] ^ _STREAMS) + np.arange(1, count + 1, dtype=np.uint64) * _MIX_1
        z = (states ^ (states >> _S30)) * _MIX_1
        z = (z ^ (z >> _S27)) * _MIX_2
        return z ^ (z >> _S31)
