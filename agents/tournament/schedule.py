"""Who plays whom, on which deals and in which seats.

A *line-up* is who plays a game, an agent a side (a player alone, or a team). A line-up plays a deal in several
*seatings*, so that the luck of the cards falls on everybody alike; what it plays on one deal is a ``Table``.

A tournament plays every line-up on every deal in every seating. A ladder of many agents at tables of three to five
would take too long that way, so it plays in *rounds*, a round a deal: tables are drawn until every two agents have met,
each in the seatings that one arrangement, drawn for the table, goes through when everybody moves on by a seat.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

Sides = Sequence[Sequence[int]]
"""The seats of each side."""


@dataclass(frozen=True)
class Table:
    """The games of one line-up on one deal: for each game the agent, by number, in every seat."""

    deal: int
    seats: tuple[tuple[int, ...], ...]

    @property
    def line_up(self) -> tuple[int, ...]:
        """Who plays, in ascending order; a team once for each of its seats."""
        return tuple(sorted(self.seats[0]))

    @property
    def key(self) -> tuple[int, tuple[int, ...]]:
        """What no other table of a schedule has."""
        return self.deal, self.line_up


def line_ups(agents: int, sides: int) -> list[tuple[int, ...]]:
    """Which agents, by number, play games together, a side each: all combinations, and with fewer agents than sides
    every way to fill them up that leaves none out."""
    if agents >= sides:
        return list(itertools.combinations(range(agents), sides))
    filled = itertools.combinations_with_replacement(range(agents), sides)
    return [line_up for line_up in filled if len(set(line_up)) == agents]


def seatings(line_up: Sequence[int]) -> list[tuple[int, ...]]:
    """Every different way to spread a line-up over the sides."""
    return sorted(set(itertools.permutations(line_up)))


def rotations(line_up: Sequence[int]) -> list[tuple[int, ...]]:
    """The seatings that an arrangement goes through when everybody moves on by a seat."""
    return sorted({(*line_up[i:], *line_up[:i]) for i in range(len(line_up))})


def every_seating(sides: Sides, agents: int, games: int) -> list[Table]:
    """A tournament: every line-up in every seating, on as many deals as the line-up with most seatings needs for so
    many games."""
    spread = [seatings(line_up) for line_up in line_ups(agents, len(sides))]
    deals = math.ceil(games / max(map(len, spread)))
    return [Table(deal, _by_seat(sides, each)) for deal in range(deals) for each in spread]


def rounds(sides: Sides, known: int, new: int, games: int, seed: int) -> list[Table]:
    """A ladder: ``new`` agents, with the next numbers, meet each other and the ``known`` ones before them.

    On every deal each of them meets everybody; every two meet in at least so many games. Which tables that takes is
    drawn, those that have met least first, from the seed, the deal and the numbers of the agents alone.
    """
    tables = []
    met: Counter[tuple[int, ...]] = Counter()
    for deal in range(math.ceil(games / len(sides))):
        chance = np.random.default_rng((seed, known, deal))
        for line_up in sorted(_round(known + new, len(sides), known, met, chance)):
            arranged = tuple(int(agent) for agent in chance.permutation(line_up))
            tables.append(Table(deal, _by_seat(sides, rotations(arranged))))
    return tables


def _round(
    agents: int, sides: int, known: int, met: Counter[tuple[int, ...]], chance: np.random.Generator
) -> Iterator[tuple[int, ...]]:
    """Line-ups in which every two of whom one is new meet; ``met`` counts in how many tables any two have met.

    Who plays alone meets nobody, and plays.
    """
    if sides == 1:
        yield from ((agent,) for agent in range(known, agents))
        return
    left = {pair for pair in itertools.combinations(range(agents), 2) if pair[1] >= known}
    rank = [int(place) for place in chance.permutation(agents)]  # decides between equals
    while left:
        line_up: tuple[int, ...] = min(left, key=lambda pair: (met[pair], sorted((rank[pair[0]], rank[pair[1]]))))
        while len(line_up) < sides:

            def worth(agent: int, beside: tuple[int, ...] = line_up) -> tuple[int, int, int]:
                pairs = [tuple(sorted((agent, other))) for other in beside]
                return -sum(pair in left for pair in pairs), sum(met[pair] for pair in pairs), rank[agent]

            line_up = (*line_up, min((agent for agent in range(agents) if agent not in line_up), key=worth))
        for pair in itertools.combinations(sorted(line_up), 2):
            met[pair] += 1
            left.discard(pair)
        yield tuple(sorted(line_up))


def _by_seat(sides: Sides, spread: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Seatings by seat, from those by side."""
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    return tuple(tuple(by_side[side_of[seat]] for seat in range(len(side_of))) for by_side in spread)
