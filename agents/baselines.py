"""Agents that play any game."""

from __future__ import annotations

from typing import Any

from tabletop.masks import sample_legal
from tabletop.policies import policy, register


@register("random")
@policy
def uniform(observation: Any, action_mask: Any, rng: Any) -> Any:
    """Any legal action, each equally likely"""
    return sample_legal(action_mask, rng)
