"""Agents that play the games, and tournaments between them.

    from agents import policy, register, run_tournament

    @register("mine", game="lastdroid")
    @policy
    def mine(observation, action_mask, rng):
        ...  # numbers of legal actions are where action_mask is 1

    print(run_tournament("lastdroid", ["mine", "greedy"], games=1000).table())

``python -m agents tournament lastdroid`` does the same at the command line for the agents that ``list`` names.
"""

from __future__ import annotations

from tabletop.policies import Agent, UnknownAgent, agents_for, find_agent, policy, register

from .tournament import Ladder, Tournament, read_ladder, run_ladder, run_tournament

__all__ = [
    "Agent",
    "Ladder",
    "Tournament",
    "UnknownAgent",
    "agents_for",
    "find_agent",
    "policy",
    "read_ladder",
    "register",
    "run_ladder",
    "run_tournament",
]
