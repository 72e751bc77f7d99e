"""How strong a policy is: games on fixed deals against named agents, in every seat."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabletop.networks import Network, NetworkAgent
from tabletop.policies import find_agent

from ..arena import Arena
from ..match import deals_for, play_match
from ..tournament.intervals import wilson
from .settings import Settings

SEED = 20_260
"""Of the deals of all evaluations: the same in every run, and none that tournaments of small seeds play."""


@dataclass(frozen=True)
class WinRate:
    """A share of games won, a shared win counted in parts, with its 95 % interval."""

    rate: float
    low: float
    high: float
    lead: float
    """Mean lead in points over the best of the others."""
    fair: float
    """The share among equals."""


def win_rate(
    arena: Arena,
    players: int,
    policy: Any,
    against: Any,
    games: int,
    table: dict[str, Any],
    *,
    seed: int = SEED,
    threads: int = 1,
) -> WinRate:
    """``policy`` among opponents who all play ``against``, an equal number of games from each seat on the same deals.

    Alone at the table it plays against the game's own opponent.
    """
    seats = 1 if players == 1 else players
    deals = max(1, math.ceil(games / seats))
    numbers, generators = deals_for(seed, deals)
    seating = np.zeros((deals * seats, players), np.int64)
    if players > 1:
        seating[:] = 1
        own = np.tile(np.arange(seats), deals)
        for side in arena.sides(players):
            for seat in side:
                seating[np.flatnonzero(own == seat)[:, None], list(side)] = 0
    else:
        own = np.zeros(deals, np.int64)
    policies = {"candidate": policy} if players == 1 else {"candidate": policy, "against": against}
    results = play_match(
        arena,
        players,
        policies,
        seating,
        np.repeat(numbers, seats),
        np.repeat(generators, seats, axis=0),
        settings=table,
        threads=threads,
    )
    rows = np.arange(len(own))
    places = max(2, players)
    wins, points = results.wins[:, :places], results.scores[:, :places]
    ours = np.zeros(wins.shape, np.bool_)
    ours[:, :players] = seating == 0
    winners = wins.sum(axis=1)
    undecided = (winners == 0) | (winners == wins.shape[1])
    fair = ours.mean(axis=1)
    share = np.where(undecided, fair, (wins * ours).sum(axis=1) / np.maximum(winners, 1))
    rate = float(share.mean())
    lead = points[rows, own] - np.where(ours, np.iinfo(np.int64).min, points).max(axis=1)
    return WinRate(rate, *wilson(rate, 0.0, len(own)), float(lead.mean()), float(fair.mean()))


class Examination:
    """What a run's network is measured by: the named agents, always on the same deals, on so many threads.

    ``UnknownAgent`` if there is no agent of a name.
    """

    def __init__(self, settings: Settings, arena: Arena, threads: int = 1) -> None:
        self.settings = settings
        self.arena = arena
        self.threads = threads
        names = settings.evaluate_against if settings.players > 1 else ("auto",)
        found = [find_agent(name, settings.game) for name in names]
        self.met = {agent.name: agent.policy for agent in found}

    def of(self, network: Network, games: int | None = None) -> dict[str, float]:
        """How the network, doing what it finds best, fares: win rates with their intervals, and leads. ``games`` in
        place of those of the settings."""
        settings = self.settings
        table = settings.table if settings.evaluate_table is None else settings.evaluate_table
        candidate = NetworkAgent(network, "candidate")
        found: dict[str, float] = {}
        for name, policy in self.met.items():
            result = win_rate(
                self.arena,
                settings.players,
                candidate,
                policy,
                games or settings.evaluate_games,
                table,
                threads=self.threads,
            )
            found |= {name: result.rate, f"{name} low": result.low, f"{name} high": result.high}
            found[f"{name} lead"] = result.lead
        return found


def in_words(found: Mapping[str, float]) -> str:
    """An examination in a line."""
    agents = [name.removesuffix(" low") for name in found if name.endswith(" low")]
    return "won of 100 games: " + ", ".join(
        f"{100 * found[name]:.1f} ({100 * found[f'{name} low']:.0f}-{100 * found[f'{name} high']:.0f}) against {name}"
        for name in agents
    )
