"""An agent that says what it would do wherever the network decides (Schmitt and others, 2018: kickstarting)."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from numpy.typing import NDArray

from tabletop.game import Game
from tabletop.jit import entry, policy_at
from tabletop.policies import Agent, PolicyError, at_table, is_compiled, machine_code

REMEMBERED = 1 << 18
"""Most decisions whose answers are kept: a step is learned from in several epochs."""


@entry
def ask(policies, observations, action_masks, rng, actions):  # type: ignore[no-untyped-def]
    """What ``policies[0]`` would do at each of these observations."""
    for i in range(len(observations)):
        rng[0] = 0
        actions[i] = policy_at(policies[0])(observations[i], action_masks[i], rng)


class Teacher:
    """To the same observation it always says the same. ``ValueError`` if the agent is not compiled, or does not play
    this game."""

    def __init__(self, agent: Agent, game: Game, threads: int = 1) -> None:
        self.name = agent.name
        self.policy = at_table(agent.policy, game)
        if not is_compiled(self.policy):
            raise ValueError(f"teacher must be a compiled agent, which {agent.name!r} is not")
        try:
            self.code = machine_code([(agent.name, self.policy)])
        except PolicyError as error:
            raise ValueError(f"teacher: {error}") from error
        self.threads = ThreadPoolExecutor(threads, "teacher")
        self.parts = threads
        self.said: dict[bytes, int] = {}

    def __call__(self, observations: torch.Tensor, action_masks: torch.Tensor) -> torch.Tensor:
        """What it would do, (k,), at observations (k, size) with these legal actions (k, actions). ``PolicyError`` if
        that is not legal."""
        if len(self.said) > REMEMBERED:
            self.said.clear()
        seen, masks = np.ascontiguousarray(observations), np.ascontiguousarray(action_masks, np.int8)
        keys = [hashlib.blake2b(row.tobytes(), digest_size=16).digest() for row in seen]
        new = [row for row, key in enumerate(keys) if key not in self.said]
        parts = np.array_split(np.array(new, np.int64), self.parts)
        answers = np.concatenate(list(self.threads.map(lambda rows: self.ask(seen[rows], masks[rows]), parts)))
        self.said.update(zip([keys[row] for row in new], answers.tolist(), strict=True))
        return torch.tensor([self.said[key] for key in keys])

    def ask(self, observations: NDArray[np.float32], action_masks: NDArray[np.int8]) -> NDArray[np.int64]:
        actions = np.empty(len(observations), np.int64)
        ask(self.code, observations, action_masks, np.zeros(1, np.uint64), actions)
        inside = (actions >= 0) & (actions < action_masks.shape[1])
        legal = inside & (action_masks[np.arange(len(actions)), np.where(inside, actions, 0)] == 1)
        if not legal.all():
            raise PolicyError(f"the teacher {self.name!r} chose {actions[~legal][0]}, which is not a legal action")
        return actions
