"""Tournaments and ladders: agents play each other in turned seats on the same deals."""

from __future__ import annotations

from .ladder import Ladder, read_ladder, run_ladder
from .round_robin import Tournament, run_tournament

__all__ = ["Ladder", "Tournament", "read_ladder", "run_ladder", "run_tournament"]
