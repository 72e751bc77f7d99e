"""Information-set Monte Carlo tree search for any of the games: a policy that searches (see ``policies``).

``Search`` draws worlds that its player may believe in and grows a tree over them in compiled code (``tree``).
"""

from __future__ import annotations

import dataclasses
import hashlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import tree
from .game import Game, is_whole
from .jit import kernel_view
from .policies import (
    GAMES,
    PolicyError,
    at_table,
    file_hash,
    find_agent,
    fingerprint,
    is_compiled,
    machine_code,
    player_of,
)
from .tree import EDGE, NOBODY, NODE, PLAN, RANDOM
from .worlds import Worlds

MAX_STEPS = 512
"""Decisions of a simulation within the tree, at most."""
SIMULATIONS = 1000
_BETWEEN_LOOKS = 64
"""Simulations between two looks at the clock."""
_EDGES = 1 << 16
"""Room for so many to begin with, at most."""


class Thought(NamedTuple):
    """What a search has found."""

    action: int
    """The one it would take: the most visited."""
    actions: NDArray[np.int64]
    """``(k,)``: all legal actions, the most visited first."""
    visits: NDArray[np.int64]
    """``(k,)``: in how many simulations each was taken; the first simulation only plants the root and takes none."""
    values: NDArray[np.float64]
    """``(k,)``: what came of them for the player, the mean, 0 to 1; NaN for one that was never taken."""
    simulations: int
    """How many were made."""
    nodes: int
    """How many information sets the tree holds."""


@dataclass(frozen=True)
class Search:
    """Settings of a search, and the agent that searches by them.

    Args:
        game: ``"lastdroid"`` or ``"robots"``.
        simulations: how many for each decision; 1,000 if ``seconds`` are not given either.
        seconds: for each decision, as many simulations as they allow. Such a search is not the same each time.
        worlds: how many are drawn for each decision; simulations take them in turn.
        playouts: the policy that plays a simulation on to its end: a compiled one or its name.
        guide: the policy whose choice the tree tries before others; None: there is none.
        judge: breaks a playout off as soon as it can tell what the table is worth: a compiled function under
            ``@policy`` that returns, instead of an action, the lead in the end that it expects for the observer, in
            hundredths of a point, or ``tabletop.tree.UNSETTLED``; None: playouts go on to the end.
        exploration: weight of what has been tried little, against values from 0 to 1.
        trust: share of the bonus that goes to the guide's choice, 0 to 1.
        temperature: a lead of so many points counts as 73 % of a win.
        win_weight: share of a simulation's value that is the win; the rest is the margin.
        widening, growth: after n visits a node has tried at most ``widening * n ** growth`` actions.
        paranoid: all others are taken to play against the player, instead of each for itself (max-n).
        depth: decisions after which a playout is broken off and the table valued as it lies; None: none is.

    ``ValueError`` names a setting that is wrong.
    """

    game: str
    simulations: int | None = None
    seconds: float | None = None
    worlds: int = 1000
    playouts: Any = "random"
    guide: Any = None
    judge: Any = None
    exploration: float = 1.0
    trust: float = 0.5
    temperature: float = 10.0
    win_weight: float = 0.5
    widening: float = 1e9
    growth: float = 0.0
    paranoid: bool = False
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            raise ValueError(f"no game is called {self.game!r}; known are {', '.join(GAMES)}")
        if self.simulations is None and self.seconds is None:
            object.__setattr__(self, "simulations", SIMULATIONS)
        elif self.simulations is not None and self.seconds is not None:
            raise ValueError("a search is limited by simulations or by seconds: give one of the two")
        optional = ("simulations", "seconds", "depth")
        for name, most in (("simulations", 10**7), ("worlds", 10**6), ("depth", 10**6)):
            value = getattr(self, name)
            if not (value is None and name in optional) and (not is_whole(value) or not 1 <= value <= most):
                raise ValueError(f"{name} must be a whole number from 1 to {most:,}, not {value!r}")
            if value is not None:
                object.__setattr__(self, name, int(value))  # NumPy's number would have another fingerprint
        above: dict[str, float] = {"seconds": 1e6, "temperature": 1e6, "widening": 1e12}
        for name, limit in {**above, "exploration": 1e6, "trust": 1.0, "win_weight": 1.0, "growth": 1.0}.items():
            number = getattr(self, name)
            if number is None and name in optional:
                continue
            if not isinstance(number, int | float | np.number) or isinstance(number, bool):
                raise ValueError(f"{name} must be a number, not {number!r}")
            if not (0 <= number <= limit and (number > 0 or name not in above)):
                least = "above" if name in above else "from"
                raise ValueError(f"{name} must be a number {least} 0, at most {limit:g}, not {number!r}")
            object.__setattr__(self, name, float(number))
        if self.playouts is None:
            raise ValueError("playouts must be a policy or its name, not None")
        if not isinstance(self.paranoid, bool | np.bool_):
            raise ValueError(f"paranoid must be True or False, not {self.paranoid!r}")
        object.__setattr__(self, "paranoid", bool(self.paranoid))

    def fingerprint(self, players: int | None = None) -> str:
        """A hash of the settings and of the files of the policies and of the search, in 12 hex digits; with
        ``players``, of what plays at tables of so many."""
        told: list[Any] = [file_hash(Path(module)) for module in (__file__, str(tree.__file__))]
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name in ("playouts", "guide", "judge") and value is not None:
                name, player = self.policy_named(value)
                value = name, fingerprint(player, players)
            told.append((field.name, value))
        return hashlib.sha256(repr(told).encode()).hexdigest()[:12]

    def at_table(self, game: Game) -> Search:
        """Itself, if it is for this game and all its policies can play it; ``ValueError`` says what is wrong."""
        self.check_game(game)
        for candidate in (self.playouts, self.guide, self.judge):
            if candidate is not None:
                at_table(self.policy_named(candidate)[1], game)
        return self

    def check_game(self, game: Game) -> None:
        """``ValueError`` if it is for another game."""
        if game.name.replace("_", "") != self.game:
            raise ValueError(f"this search is for {self.game}, not for {game.name.replace('_', '')}")

    def act_in(self, worlds: Worlds, observation: Any, action_mask: Any, rng: np.random.Generator) -> int:
        """The action that a search of these settings finds best."""
        legal = np.flatnonzero(action_mask)
        if len(legal) == 1:
            return int(legal[0])
        return self.think(worlds, int(rng.integers(2**63))).action

    def think(self, worlds: Worlds, seed: int) -> Thought:
        """Search from the decision at hand, which must be the worlds' player's."""
        rng = np.random.default_rng(seed)
        grown = _Tree(self, worlds, rng)
        if self.seconds is None:
            assert self.simulations is not None
            grown.grow(self.simulations)
        else:
            end = time.perf_counter() + self.seconds
            while grown.simulations == 0 or time.perf_counter() < end:
                grown.grow(grown.simulations + _BETWEEN_LOOKS)
        return grown.thought()

    def policy_named(self, candidate: Any) -> tuple[str, Any]:
        """A compiled policy with its name; ``PolicyError`` for one that is not."""
        if isinstance(candidate, str):
            agent = find_agent(candidate, self.game)
            name, policy = agent.name, agent.policy
        else:
            name, policy = getattr(candidate, "__name__", type(candidate).__name__), candidate
        player = player_of(policy)
        if not is_compiled(player):
            raise PolicyError(f"agent {name!r} runs in Python: a search takes compiled policies")
        return name, player


class _Tree:
    """A search under way."""

    def __init__(self, search: Search, worlds: Worlds, rng: np.random.Generator) -> None:
        self.search, self.seat, self.simulations = search, worlds.seat, 0
        self.worlds = worlds
        self.rng = rng
        game = worlds.draw(0)
        self.game = game
        search.check_game(game)
        if game.actor != worlds.seat:
            raise ValueError(f"the player in seat {worlds.seat} does not decide now, but {game.actor}")
        count = search.worlds if search.simulations is None else min(search.worlds, search.simulations)
        self.records = worlds.draw_many(rng.integers(2**64, size=count, dtype=np.uint64))
        game.end_with_part(self.records)
        self.policies, self.names = self._policies()
        plan = {name: getattr(search, name) for name in PLAN.names or () if name != "depth"}
        self.plans = kernel_view(np.zeros(1, PLAN))
        for name, value in plan.items():
            self.plans[name] = value
        self.plans["depth"] = search.depth or 10**9
        self.stream = rng.integers(2**64, size=1, dtype=np.uint64)
        size = game.observation_size
        self.words = np.zeros((size + 1) // 2, np.uint64)
        self.view = self.words.view(np.float32)[:size]
        self.salts = np.random.default_rng(1).integers(2**64, size=len(self.words), dtype=np.uint64)
        self.nodes, self.edges = kernel_view(np.zeros(0, NODE)), kernel_view(np.zeros(0, EDGE))
        self.places = np.full(0, -1, np.int64)
        self.used = np.zeros(2, np.int64)
        self.work = (
            kernel_view(np.zeros(1, self.records.dtype)),
            self.view,
            self.words,
            np.zeros(game.num_actions, np.int8),
            np.full(game.num_actions, -1, np.int64),
            np.zeros((MAX_STEPS, 3), np.int64),
            *np.zeros((2, game.max_seats), np.int64),
            *np.zeros((2, game.max_seats)),
        )

    def _policies(self) -> tuple[Any, list[str]]:
        """Addresses of the policies, and their names."""
        search = self.search
        given = (search.playouts, search.guide, search.judge)
        named = []
        for one in given:
            name, player = search.policy_named(one) if one is not None else ("", None)
            named.append((name, at_table(player, self.game)))
        found = machine_code([one for one in named if one[1] is not None])
        code, rest = [], iter(found)
        for one in given:
            code.append(NOBODY if one is None else next(rest))
        if search.playouts == "random":
            code[0] = RANDOM
        whole = isinstance(found, np.ndarray)
        return (np.array(code, np.int64) if whole else tuple(code)), [name for name, _ in named]

    def grow(self, simulations: int) -> None:
        """Go on until so many simulations have been made."""
        while self.simulations < simulations:
            self._make_room(simulations)
            fault = np.full(2, -1, np.int64)
            self.simulations = int(
                self.game.loops.search_game(
                    self.records,
                    self.game.tables,
                    self.seat,
                    self.simulations,
                    simulations,
                    self.plans,
                    self.policies,
                    self.stream,
                    self.salts,
                    self.nodes,
                    self.places,
                    self.edges,
                    self.used,
                    *self.work,
                    fault,
                )
            )
            if fault[0] >= 0:
                raise PolicyError(f"agent {self.names[fault[0]]!r} chose action {fault[1]}, which is not legal")

    def _make_room(self, simulations: int) -> None:
        """For a node a simulation, and for edges."""
        if len(self.nodes) < simulations + 1:
            self.nodes = _longer(self.nodes, max(simulations + 1, 2 * len(self.nodes)))
            self.places = np.full(2 << (2 * len(self.nodes)).bit_length(), -1, np.int64)
            mask = len(self.places) - 1
            for number, key in enumerate(self.nodes["key"][: self.used[0]].tolist()):
                at = (key >> 32) & mask
                while self.places[at] >= 0:
                    at = (at + 1) & mask
                self.places[at] = number
        least = int(self.used[1]) + MAX_STEPS + 4 * self.game.num_actions
        if len(self.edges) < least:
            self.edges = _longer(self.edges, max(2 * least, min(16 * simulations, _EDGES)))

    def thought(self) -> Thought:
        """What the root's edges hold."""
        legal = np.array(self.game.legal_actions(), np.int64)
        visits, sums = np.zeros(self.game.num_actions, np.int64), np.zeros(self.game.num_actions)
        at = int(self.nodes["first"][0])
        while at >= 0:
            edge = self.edges[at]
            visits[edge["action"]], sums[edge["action"]] = edge["visits"], edge["value"]
            at = int(edge["next"])
        with np.errstate(invalid="ignore"):
            values = sums[legal] / visits[legal]
        guided = legal == self.nodes["choice"][0]
        order = np.lexsort((legal, ~guided, -np.nan_to_num(values, nan=-1.0), -visits[legal]))
        return Thought(
            int(legal[order[0]]),
            legal[order],
            visits[legal][order],
            values[order],
            self.simulations,
            int(self.used[0]),
        )


def _longer(array: NDArray[Any], length: int) -> Any:
    longer = kernel_view(np.zeros(length, array.dtype))
    longer[: len(array)] = array
    return longer
