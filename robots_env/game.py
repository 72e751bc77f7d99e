"""Robots! as a ``Game``: settings, results, the hidden cards redealt."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.game import OVER, Game, is_whole
from tabletop.layout import Layout

from . import observation, resampling, snapshots
from .actions import ACTION_NAMES, NUM_ACTIONS
from .constants import DECISIONS, MAX_SEATS, NUM_CARDS, WILD
from .render import ansi
from .rollout import LOOPS
from .ruleset import RuleSet, load_rules
from .state import GAME

MAX_AGREED_ROUNDS = 1000


class Robots(Game):
    """A match of Robots! for 2 to 5 players.

    Args:
        num_players: 2 to 5.
        rules: a rule set by name ("source", "publisher"), a file's path, a dict of fields, a loaded ``RuleSet``, or
            None for "source".
        rounds: play exactly so many rounds, 1 to 1000; None for a match to the rule set's ``target_score`` (E4).
        ask_forced: decisions with a single legal answer are asked too.
    """

    name = "robots"
    num_actions = NUM_ACTIONS
    loops = LOOPS
    max_seats = MAX_SEATS

    def __init__(
        self,
        num_players: int = 2,
        *,
        rules: str | os.PathLike[str] | Mapping[str, Any] | RuleSet | None = None,
        rounds: int | None = None,
        ask_forced: bool = False,
    ) -> None:
        if not is_whole(num_players) or not 2 <= num_players <= MAX_SEATS:
            raise ValueError(f"num_players must be 2, 3, 4 or 5, not {num_players!r}")
        if rounds is not None and not (is_whole(rounds) and 1 <= rounds <= MAX_AGREED_ROUNDS):
            raise ValueError(f"rounds must be None or a whole number from 1 to {MAX_AGREED_ROUNDS}, not {rounds!r}")
        self.rules = load_rules(rules)
        super().__init__(num_players, GAME, self.rules, ask_forced=ask_forced)
        self.rounds = None if rounds is None else int(rounds)
        self.record["rounds"] = self.rounds or 0
        self.observation_size = observation.layout(self.num_players).size

    def settings(self) -> dict[str, Any]:
        return {
            "num_players": self.num_players,
            "rules": self.rules.as_source(),
            "rounds": self.rounds,
            "ask_forced": bool(self.record["ask_forced"][0]),
        }

    @property
    def truncated(self) -> bool:
        """Whether the match was cut short after ``max_rounds`` rounds (E6)."""
        return bool(self.record["truncated"][0])

    @property
    def layout(self) -> Layout:
        return observation.layout(self.num_players)

    def observation_bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return observation.bounds(self.num_players, self.tables)

    def state(self) -> NDArray[np.float32]:
        """Seat 0's observation, then the others' hands as the section *hand* has one's own, then the cards of the
        factory, first drawn first ((card + 1) / 81, 0 at the end)."""
        record = self.record[0]
        own = observation.layout(self.num_players).parts["hand"]
        hands = [self.view(seat)[0][own] for seat in range(1, self.num_players)]
        factory = np.zeros(NUM_CARDS, np.float32)
        size = int(record["factory_size"])
        factory[:size] = (record["factory"][:size][::-1] + 1) / (WILD + 1)
        return np.concatenate([self.view(0)[0], *hands, factory])

    def state_bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        low, high = self.observation_bounds()
        more = (self.num_players - 1) * observation.layout(self.num_players)["hand"].size + NUM_CARDS
        return np.append(low, np.zeros(more, np.float32)), np.append(high, np.ones(more, np.float32))

    @property
    def action_names(self) -> tuple[str, ...]:
        return ACTION_NAMES

    def decision_to_string(self) -> str:
        return DECISIONS[int(self.record["decision"][0])]

    def snapshot(self) -> dict[str, Any]:
        return snapshots.to_snapshot(self)

    def record_of(self, snapshot: Mapping[str, Any]) -> NDArray[Any]:
        return snapshots.from_snapshot(self, snapshot)

    def redealt(self, seat: int, seeds: NDArray[np.uint64]) -> NDArray[Any]:
        """The others' cards that nobody knows of and the factory are dealt anew: see ``rules.hidden`` (W11)."""
        if self.actor == OVER:  # all hands lie open: they have been scored [E2]
            return self._redealt((1 << self.num_players) - 1, seeds)
        if self.actor == seat:
            return super().redealt(seat, seeds)
        return np.concatenate([self._redealt_for_another(seat, int(seed)) for seed in seeds])

    def _redealt_for_another(self, seat: int, seed: int) -> NDArray[Any]:
        """Where another player decides: with a hand from which it can have come to its decision."""
        enough = 1 if self.record["ask_forced"][0] else 2
        seeds = np.random.default_rng(seed).integers(2**64, size=resampling.TRIES, dtype=np.uint64)
        for i in range(resampling.TRIES):
            world = self.twin(super().redealt(seat, seeds[i : i + 1]))
            if resampling.leads_here(world.record[0], self.actor, self.rules.star_high - 1) and (
                len(world.legal_actions()) >= enough
            ):
                return world.record
        return self._redealt(1 << seat | 1 << self.actor, seeds[:1])

    def end_with_part(self, records: NDArray[Any]) -> None:
        """After the round they are in."""
        records["rounds"] = records["round_number"]

    def to_text(self, seat: int | None = None, *, width: int = ansi.WIDTH, choices: bool = True) -> str:
        return ansi.render(self, seat, width=width, choices=choices)
