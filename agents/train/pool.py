"""Whom the learner plays: scripted agents, itself, and earlier snapshots that have won their place.

How well the learner does against each member is counted as it trains. An opponent that it beats about half the time
teaches it most, and is drawn most often; so it goes from weak opponents to strong ones as it becomes stronger.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabletop.networks import Network, NetworkAgent
from tabletop.policies import find_agent

from .settings import Settings
from .tables import opponents_of

MEMORY = 1000
"""Games against a member that count fully: older ones fade."""
FLOOR = 0.05
"""Least weight of a member beside the greatest one, 1."""


@dataclass
class Member:
    """An opponent in the pool."""

    name: str
    policy: Any
    won: float = 1.0
    """Games that the learner won against it; the first two games are made up, one won and one lost."""
    played: float = 2.0
    file: str | None = None
    """Of a snapshot, in the pool's folder."""

    @property
    def rate(self) -> float:
        """The learner's win rate against it."""
        return self.won / self.played

    @property
    def rating(self) -> float:
        """How much stronger than the learner it is, on Elo's scale."""
        return 400.0 * math.log10((1.0 - self.rate) / self.rate)

    @property
    def weight(self) -> float:
        """How much it teaches: greatest when half the games are won."""
        return max(FLOOR, 4.0 * self.rate * (1.0 - self.rate))


class Pool:
    """The opponents of a run. Snapshots lie as network files in ``folder``."""

    def __init__(self, settings: Settings, folder: Path, present: Network) -> None:
        self.settings = settings
        self.folder = folder
        self.itself = Member("itself", NetworkAgent(present, "itself", sample=True))
        found = [find_agent(name, settings.game) for name in settings.opponents]
        self.scripted = [Member(agent.name, agent.policy) for agent in found]
        self.snapshots: list[Member] = []
        self.asked = 0

    @property
    def members(self) -> list[Member]:
        """All of them, the learner's own present network first."""
        return [self.itself, *self.scripted, *self.snapshots]

    def mixture(self) -> Any:
        """The opponents as the environment takes them."""
        others = [*self.scripted, *self.snapshots]
        share = self.settings.self_share if others else 1.0
        total = sum(member.weight for member in others)
        weights = {id(member): (1.0 - share) * member.weight / total for member in others}
        chosen = [*others] if share == 0.0 else [self.itself, *others]
        return opponents_of([member.policy for member in chosen], [weights.get(id(m), share) for m in chosen])

    def count(self, results: Mapping[str, tuple[float, int]]) -> None:
        """Take note of games won and played against members, by name."""
        for member in self.members:
            won, played = results.get(_name_of(member), (0.0, 0))
            fading = max(0.0, 1.0 - played / MEMORY) if member.played >= MEMORY else 1.0
            member.won = member.won * fading + won
            member.played = member.played * fading + played

    def ask(self, present: Network, win_rate: Any) -> bool:
        """Whether the present network is admitted. The first one is; any other must be better than the one admitted
        last by what the gate says: ``win_rate(policy, against)`` gives its win rate's interval."""
        self.asked += 1
        name = f"snapshot-{self.asked:04}"
        candidate = NetworkAgent(present, name, sample=True)
        if self.snapshots:
            found = win_rate(candidate, self.snapshots[-1].policy)
            if found.low <= 2 * self.settings.gate * found.fair:
                return False
        file = self.folder / f"{name}.npz"
        write_whole(file, lambda part: present.save(part, "float32"))
        self.snapshots.append(Member(name, candidate, file=file.name))
        if len(self.snapshots) > self.settings.pool_size:
            easiest = max(self.snapshots[:-1], key=lambda member: member.rate)
            self.snapshots.remove(easiest)
        return True

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps: names, counts, files."""
        kept = [(member.name, member.won, member.played, member.file) for member in self.members]
        return {"asked": self.asked, "members": kept}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from ``state()``."""
        self.asked = state["asked"]
        known = {member.name: member for member in [self.itself, *self.scripted]}
        self.snapshots = []
        for name, won, played, file in state["members"]:
            if file is not None:
                agent = NetworkAgent(Network.load(self.folder / file), name, sample=True)
                self.snapshots.append(Member(name, agent, won, played, file))
            else:
                known[name].won, known[name].played = won, played


def _name_of(member: Member) -> str:
    return str(getattr(member.policy, "__name__", member.name))


def write_whole(file: Path, write: Any) -> None:
    """Let ``write(part)`` write a file that is there as a whole or not at all."""
    import os

    part = file.with_name(file.name + ".part")
    write(part)
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    part.replace(file)
