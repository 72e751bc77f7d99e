"""The language of icons and exchanges in a card file, and the weights that show that exchanging ends [C8, X1-X5]."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .constants import (
    BASE_KINDS,
    BASIC_EXCHANGES,
    CIRCUIT,
    DIFFERENT,
    DIFFERENT_FIRST,
    DIFFERENT_SECOND,
    ENERGY,
    KINDS,
    MARKET_ALTERNATIVES,
    MAX_PAIRS,
    NUT,
    OIL,
    PARTS,
    SAME,
)

MAX_COUNT = 20  # of one icon
MAX_EXCHANGE_PARTS = 6  # on one side of an exchange


def shown(value: object) -> str:
    """A found value in a message: short, on one line, whatever it is."""
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else value[:60] + "...")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else "a huge number"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list):
        plain = all(isinstance(item, str | int | float) for item in value)
        return "[" + ", ".join(map(shown, value)) + "]" if plain and len(value) <= 8 else f"a list of {len(value)}"
    if isinstance(value, dict):
        return "a table"
    return str(value)[:60]


# ---------------------------------------------------------------------------------------------------- icons [C8]


class Icons(NamedTuple):
    """A list of icons: fixed parts by kind, pairs in printed order, and the number of ``?``."""

    parts: tuple[int, ...] = (0,) * KINDS
    pairs: tuple[int, ...] = ()
    any: int = 0

    @property
    def total(self) -> int:
        """How many parts the icons stand for; a pair counts 2."""
        return sum(self.parts) + 2 * len(self.pairs) + self.any

    def __str__(self) -> str:
        return icons_to_string(self.parts, self.pairs, self.any)


_PAIR_NAMES = {SAME: "2 same", DIFFERENT: "2 different"}
_ICON = re.compile(r"([0-9]{1,2})\s+(\?|[a-z]{1,12})")


def icons_to_string(parts: Iterable[int], pairs: Iterable[int] = (), any_: int = 0) -> str:
    """Write icons as a card file does: ``"2 nut, 2 same, 1 ?"``; ``"nothing"`` if there are none."""
    words = [f"{count} {kind}" for count, kind in zip(parts, PARTS, strict=False) if count]
    words += [_PAIR_NAMES[int(pair)] for pair in pairs if pair]
    if any_:
        words.append(f"{any_} ?")
    return ", ".join(words) or "nothing"


class Malformed(ValueError):
    """Text that is no list of icons; the argument says what it should have been."""


def parse_icons(text: str, *, pairs: bool = True, energy: bool = True, limit: int = MAX_COUNT) -> Icons:
    """Read ``"2 nut, 2 same, 1 ?"`` [C8]. ``limit`` bounds each count."""
    kinds = PARTS if energy else PARTS[:BASE_KINDS]
    known = ", ".join(kinds) + (", ?, same and different" if pairs else " and ?")
    counts: dict[str, int] = {}
    found: list[int] = []
    for word in text.split(","):
        match = _ICON.fullmatch(word.strip())
        if match is None or match[2] not in (*kinds, "?", *(("same", "different") if pairs else ())):
            raise Malformed(f'icons written "2 nut, 1 ?", from {known}; {shown(word.strip())} is none')
        digits, name = match.groups()
        count = int(digits)
        if name in ("same", "different"):
            if digits != "2":
                raise Malformed(
                    f'a pair written "2 {name}", not {shown(word.strip())}; two pairs are "2 {name}, 2 {name}"'
                )
            found.append(SAME if name == "same" else DIFFERENT)
            continue
        if digits.startswith("0") or count > limit:
            raise Malformed(f"counts from 1 to {limit}, without leading zeros, not {shown(word.strip())}")
        if name in counts:
            raise Malformed(f"each icon once with its count; {name} stands there twice")
        counts[name] = count
    if len(found) > MAX_PAIRS:
        raise Malformed(f"at most {MAX_PAIRS} pairs, not {len(found)}")
    return Icons(tuple(counts.get(kind, 0) for kind in PARTS), tuple(found), counts.get("?", 0))


def _add(parts: tuple[int, ...], *kinds: int) -> tuple[int, ...]:
    return tuple(count + kinds.count(kind) for kind, count in enumerate(parts))


def namings(icons: Icons) -> list[tuple[int, ...]]:
    """Every list of parts that the icons can be named as [A4], each once, in a fixed order."""
    lists = [icons.parts]
    for pair in icons.pairs:
        choices = (
            [(k, k) for k in range(BASE_KINDS)]
            if pair == SAME
            else list(zip(DIFFERENT_FIRST, DIFFERENT_SECOND, strict=True))
        )
        lists = list(dict.fromkeys(_add(parts, *choice) for parts in lists for choice in choices))
    for _ in range(icons.any):
        lists = list(dict.fromkeys(_add(parts, kind) for parts in lists for kind in range(BASE_KINDS)))
    return lists


# ---------------------------------------------------------------------------------------------- exchanges [X1, X2]


class Exchange(NamedTuple):
    """One concrete exchange: so many parts of each kind given, so many got."""

    give: tuple[int, ...]
    get: tuple[int, ...]

    def __str__(self) -> str:
        return f"{icons_to_string(self.give)} -> {icons_to_string(self.get)}"


def _exchange(give: tuple[int, int], get: tuple[int, int]) -> Exchange:
    nothing = (0,) * KINDS
    return Exchange(_add(nothing, *[give[1]] * give[0]), _add(nothing, *[get[1]] * get[0]))


# X1 without what X4 leaves out, in the order of the exchange actions.
BASIC = (
    *(_exchange((1, ENERGY), (1, kind)) for kind in range(BASE_KINDS)),
    *(_exchange((2, a), (1, b)) for a in range(BASE_KINDS) for b in range(BASE_KINDS) if a != b),
    *(_exchange((3, kind), (1, ENERGY)) for kind in (NUT, OIL, CIRCUIT)),
)
assert len(BASIC) == BASIC_EXCHANGES


def parse_exchanges(lines: Sequence[str]) -> tuple[Exchange, ...]:
    """Every concrete exchange that the lines allow, except those with a kind on both sides [X4], each once."""
    found: dict[Exchange, None] = {}
    for line in lines:
        sides = line.split("->")
        if len(sides) != 2:
            raise Malformed(f'exchanges written "1 nut -> 1 circuit", not {shown(line)}')
        left, right = (parse_icons(side) for side in sides)
        if max(left.total, right.total) > MAX_EXCHANGE_PARTS:
            raise Malformed(f"at most {MAX_EXCHANGE_PARTS} parts on a side, not {shown(line)}")
        before = len(found)
        pairs = itertools.product(namings(left), namings(right))
        kept = [Exchange(a, b) for a, b in pairs if not any(x and y for x, y in zip(a, b, strict=True))]
        if not kept:
            raise Malformed(f"exchanges of a kind for another kind (X4), not {shown(line)}")
        found |= dict.fromkeys(kept)
        if len(found) > MARKET_ALTERNATIVES:
            raise Malformed(
                f"at most {MARKET_ALTERNATIVES} different exchanges on a card; {shown(line)} makes them {len(found)}"
            )
        if len(found) == before:
            raise Malformed(f"each exchange once; {shown(line)} adds nothing to the lines before it")
    return tuple(found)


def _least_weights(exchanges: Sequence[Exchange]) -> tuple[Fraction, ...] | None:
    """The lightest weights of at least 1 whose total falls by at least 1 in every exchange; None if there are none.

    This is a linear program in four variables. Its optimum is a corner, where four of the constraints hold with
    equality; all corners are computed in whole numbers by Cramer's rule, so the answer is exact.
    """
    rows = np.array(
        [[int(k == kind) for k in range(KINDS)] for kind in range(KINDS)]
        + [[a - b for a, b in zip(exchange.give, exchange.get, strict=True)] for exchange in exchanges],
        dtype=np.int64,
    )
    corners = rows[np.array(list(itertools.combinations(range(len(rows)), KINDS)))]
    below = _determinants(corners)
    above = np.empty((len(corners), KINDS), dtype=np.int64)
    for kind in range(KINDS):
        replaced = corners.copy()
        replaced[:, :, kind] = 1
        above[:, kind] = _determinants(replaced)
    above *= np.sign(below)[:, None]
    below = np.abs(below)
    good = (below > 0) & (above @ rows.T >= below[:, None]).all(axis=1)
    if not good.any():
        return None
    above, below = above[good], below[good]
    total = above.sum(axis=1) / below
    lightest = np.flatnonzero(total <= total.min() + 1e-9)
    return min(tuple(Fraction(int(x), int(below[i])) for x in above[i]) for i in lightest)


def _determinants(matrices: NDArray[np.int64]) -> NDArray[np.int64]:
    """The determinants of many 4 x 4 matrices, in whole numbers, by pairs of rows (Laplace)."""
    top, bottom = matrices[:, :2], matrices[:, 2:]
    total = np.zeros(len(matrices), dtype=np.int64)
    for i, j in itertools.combinations(range(KINDS), 2):
        k, m = (column for column in range(KINDS) if column not in (i, j))
        sign = -1 if (i + j) % 2 == 0 else 1
        total += (
            sign
            * (top[:, 0, i] * top[:, 1, j] - top[:, 0, j] * top[:, 1, i])
            * (bottom[:, 0, k] * bottom[:, 1, m] - bottom[:, 0, m] * bottom[:, 1, k])
        )
    return total


def weigh(exchanges: Sequence[Exchange]) -> tuple[tuple[int, ...] | None, list[int]]:
    """Weights that every exchange lowers, or None and the indices of a minimal set of exchanges that has none.

    Exchanges are taken into account only once the weights found so far fail to fall in them, the worst first, so
    each linear program stays tiny.
    """
    active: list[int] = []
    weights: tuple[Fraction, ...] | None = (Fraction(1),) * KINDS
    while weights is not None:
        rises = [sum(w * (b - a) for w, a, b in zip(weights, *exchange, strict=True)) for exchange in exchanges]
        worst = max(range(len(exchanges)), key=rises.__getitem__)
        if rises[worst] <= -1:
            scale = math.lcm(*(w.denominator for w in weights))
            return tuple(int(w * scale) for w in weights), []
        active.append(worst)
        weights = _least_weights([exchanges[i] for i in active])
    for index in list(active):
        rest = [i for i in active if i != index]
        if _least_weights([exchanges[i] for i in rest]) is None:
            active = rest
    return None, sorted(active)
