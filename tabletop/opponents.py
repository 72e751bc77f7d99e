"""Built-in players: who sits in the seats that are not the caller's, and how policies that run in Python move there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .game import Game, is_whole
from .policies import Searching, at_table, find_agent, is_compiled, machine_code, player_of
from .worlds import Worlds

MAX_CHOICES = 1000


@dataclass(frozen=True)
class Mixture:
    """An opponent drawn anew for each game: ``Mixture(["greedy", "random"], weights=[3, 1])``.

    Args:
        choices: names or policies.
        weights: whole numbers from 1, one for each; None: all the same. Their sum is at most 1,000.
    """

    choices: Sequence[Any]
    weights: Sequence[int] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.choices, str) or not self.choices:
            raise ValueError(f"choices must be a list of at least one opponent, not {self.choices!r}")
        weights = self.shares
        if len(weights) != len(self.choices):
            raise ValueError(f"{len(self.choices)} choices need as many weights, not {len(weights)}")
        wrong = [weight for weight in weights if not is_whole(weight) or weight < 1]
        if wrong or sum(weights) > MAX_CHOICES:
            found = repr(wrong[0]) if wrong else f"a sum of {sum(weights)}"
            raise ValueError(f"weights must be whole numbers from 1, together at most {MAX_CHOICES}, not {found}")

    @property
    def shares(self) -> list[int]:
        """The weights, one for each choice."""
        return [1] * len(self.choices) if self.weights is None else list(self.weights)


@dataclass(frozen=True)
class Lineup:
    """The players of the seats clockwise from the learner's, as ``tabletop.loops`` takes them."""

    compiled: list[tuple[str, Any]]
    """Names and compiled policies, by their number."""
    python: list[tuple[str, Any]]
    """Those that run in Python, whose numbers follow."""
    slots: NDArray[np.int8]
    """``(other seats, draws)``: the number of the player for each outcome of the draw."""

    @property
    def seats(self) -> int:
        """Seats that are not the caller's."""
        return len(self.slots)

    @property
    def names(self) -> list[str]:
        """Of all players, by their number."""
        return [name for name, _ in (*self.compiled, *self.python)]


NOBODY = Lineup([], [], np.zeros((0, 1), np.int8))
"""All seats are the caller's."""


def lineup_for(opponents: Any, seats: int, table: Game, game: str, what: str = "opponents") -> Lineup:
    """The players of so many seats at a table: one for all, or one for each; a name, a policy or a ``Mixture``.
    ``game`` is its name as agents know it, ``what`` they are called in messages.

    ``ValueError``, ``TypeError`` or ``UnknownAgent`` say what is wrong.
    """
    if seats == 0:
        if opponents not in (None, (), [], "random"):
            raise ValueError(f"nobody else sits at the table: opponents must be None, not {opponents!r}")
        return NOBODY
    listed = isinstance(opponents, Sequence) and not isinstance(opponents, str)
    given = list(opponents) if listed else [opponents] * seats
    if len(given) == 1:
        given *= seats
    if len(given) != seats:
        seat_of = " other seat" if what == "opponents" else " seat"
        raise ValueError(f"{what} must be one for all or {seats}, one for each{seat_of}, not {len(given)}")
    mixtures = [one if isinstance(one, Mixture) else Mixture([one]) for one in given]
    found: list[tuple[Any, str, Any]] = []  # as given, name, policy

    def number_of(choice: Any) -> int:
        for number, (known, _, _) in enumerate(found):
            if known is choice or (isinstance(choice, str) and known == choice):
                return number
        if isinstance(choice, str):
            agent = find_agent(choice, game)
            found.append((choice, agent.name, at_table(agent.policy, table)))
        else:
            found.append((choice, getattr(choice, "__name__", type(choice).__name__), at_table(choice, table)))
        return len(found) - 1

    lines = [
        [number_of(choice) for choice, share in zip(mixture.choices, mixture.shares, strict=True) for _ in range(share)]
        for mixture in mixtures
    ]
    return _in_order(found, lines)


def _in_order(found: list[tuple[Any, str, Any]], lines: list[list[int]]) -> Lineup:
    """Compiled policies first, then those in Python, and lines of one length."""
    if len(found) > np.iinfo(np.int8).max:
        raise ValueError(f"at most {np.iinfo(np.int8).max} different opponents, not {len(found)}")
    players = [player if callable(getattr(player, "act_batch", None)) else player_of(player) for _, _, player in found]
    compiled = [number for number, player in enumerate(players) if is_compiled(player)]
    python = [number for number in range(len(found)) if number not in compiled]
    new = {number: place for place, number in enumerate((*compiled, *python))}
    length = math.lcm(*map(len, lines))
    if length > MAX_CHOICES**2:
        raise ValueError("the weights of the mixtures have too large a common multiple; take the same sum for all")
    slots = np.array([[new[number] for number in line for _ in range(length // len(line))] for line in lines], np.int8)
    ready = [(found[number][1], players[number]) for number in compiled]
    machine_code(ready)
    return Lineup(ready, [(found[number][1], in_python(found[number][2])) for number in python], slots)


# ------------------------------------------------------------------------------------------------ in Python


@dataclass
class Asked:
    """Decisions of one policy in several games of a batch."""

    rows: NDArray[np.int64]
    """``(k,)``: which games."""
    seats: NDArray[np.int64]
    """``(k,)``: in which seat it sits."""
    observations: NDArray[np.float32]
    """``(k, n)``"""
    action_masks: NDArray[np.int8]
    """``(k, num_actions)``"""
    numbers: NDArray[np.int64]
    """``(k,)``: the how many-th game of its row it is."""
    deals: NDArray[np.uint64]
    """``(k,)``: the seeds of the games' deals."""
    streams: NDArray[np.uint64]
    """``(k,)``: seeds for the generators of the seats."""
    worlds: Callable[[int], Worlds]
    """What the player of the k-th decision may believe its game to be."""


def in_python(candidate: Any) -> Any:
    """A policy that runs in Python with a method ``choose(asked) -> actions`` over many games."""
    if callable(getattr(candidate, "act_batch", None)):
        return _AtOnce(candidate() if isinstance(candidate, type) else candidate)
    return _OneByOne(candidate)


@dataclass
class _AtOnce:
    """A policy with a method ``act_batch(observations, action_masks) -> actions``, asked once for all games."""

    candidate: Any

    def choose(self, asked: Asked) -> Any:
        return self.candidate.act_batch(asked.observations, asked.action_masks)


@dataclass
class _OneByOne:
    """A policy of single decisions: one for each seat of each game, with a generator of its own."""

    candidate: Any
    seated: dict[tuple[int, int], tuple[int, Any, Any]] = field(default_factory=dict)

    def choose(self, asked: Asked) -> list[Any]:
        actions = []
        for k in range(len(asked.rows)):
            place, number = (int(asked.rows[k]), int(asked.seats[k])), int(asked.numbers[k])
            if place not in self.seated or self.seated[place][0] != number:
                rng = np.random.default_rng((int(asked.streams[k]), int(asked.deals[k])))
                self.seated[place] = (number, player_of(self.candidate)(), rng)
            _, act, rng = self.seated[place]
            worlds = [asked.worlds(k)] if isinstance(player_of(self.candidate), Searching) else []
            actions.append(act(*worlds, asked.observations[k], asked.action_masks[k], rng))
        return actions
