"""An agent that says what it would do wherever the network decides (Schmitt and others, 2018: kickstarting)."""

from __future__ import annotations

import hashlib

import numpy as np
import torch
from numpy.typing import NDArray

from tabletop.game import Game
from tabletop.policies import Agent, PolicyError, at_table, is_compiled, machine_code

REMEMBERED = 1 << 18
"""Most decisions whose answers are kept: a step is learned from in several epochs."""


class Teacher:
    """To the same observation it always says the same. ``ValueError`` if the agent is not compiled, or does not play
    this game."""

    def __init__(self, agent: Agent, game: Game) -> None:
        self.name = agent.name
        self.policy = at_table(agent.policy, game)
        if not is_compiled(self.policy):
            raise ValueError(f"teacher must be a compiled agent, which {agent.name!r} is not")
        try:
            machine_code([(agent.name, self.policy)])
        except PolicyError as error:
            raise ValueError(f"teacher: {error}") from error
        self.said: dict[bytes, int] = {}

    def __call__(self, observations: torch.Tensor, action_masks: torch.Tensor) -> torch.Tensor:
        """What it would do, (k,), at observations (k, size) with these legal actions (k, actions). ``PolicyError`` if
        that is not legal."""
        if len(self.said) > REMEMBERED:
            self.said.clear()
        masks = np.ascontiguousarray(action_masks, np.int8)
        return torch.tensor([self.decide(*row) for row in zip(observations.numpy(), masks, strict=True)])

    def decide(self, observation: NDArray[np.float32], action_mask: NDArray[np.int8]) -> int:
        key = hashlib.blake2b(observation.tobytes(), digest_size=16).digest()
        if key not in self.said:
            action = int(self.policy(observation, action_mask, np.zeros(1, np.uint64)))
            if not 0 <= action < len(action_mask) or not action_mask[action]:
                raise PolicyError(f"the teacher {self.name!r} chose {action}, which is not a legal action")
            self.said[key] = action
        return self.said[key]
