"""Measuring: cases that take turns, so that drift of the machine meets all alike, and what came of them."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One thing to measure."""

    game: str
    face: str
    players: int
    batch: int
    includes: str
    """What a decision includes."""
    step: Callable[[], int]
    """Does some work, of a few milliseconds at least, and says how many decisions it was."""
    cores: int = 1
    peer: bool = False
    processor_time: Callable[[], float] = time.process_time
    """Seconds so far, of all threads and processes that work on it."""


@dataclass(frozen=True)
class Figure:
    """A case measured."""

    game: str
    face: str
    players: int
    batch: int
    cores: int
    includes: str
    decisions_per_s: int
    """Median of the runs."""
    slowest: int
    fastest: int
    cpu_ns: int
    """Processor time a decision, in nanoseconds, over all runs and threads."""
    peer: str | None = None
    """The library, if it is not ours."""


def measure(cases: Sequence[Case], seconds: float, runs: int, progress: bool = False) -> list[Figure]:
    """Every case ``runs`` times for about ``seconds``, in turns, after a round that is not counted."""
    rates: list[list[float]] = [[] for _ in cases]
    used = [(0.0, 0)] * len(cases)
    for number in range(runs + 1):
        for i, case in enumerate(cases):
            decisions, began, began_cpu = 0, time.perf_counter(), case.processor_time()
            limit = seconds if number else seconds / 4
            while (passed := time.perf_counter() - began) < limit or not decisions:
                decisions += case.step()
            if number:
                rates[i].append(decisions / passed)
                used[i] = (used[i][0] + case.processor_time() - began_cpu, used[i][1] + decisions)
        if progress:
            print(f"round {number} of {runs}", file=sys.stderr)
    return [
        Figure(
            case.game,
            case.face,
            case.players,
            case.batch,
            case.cores,
            case.includes,
            round(statistics.median(found)),
            round(min(found)),
            round(max(found)),
            round(cpu / decisions * 1e9),
            case.game if case.peer else None,
        )
        for case, found, (cpu, decisions) in zip(cases, rates, used, strict=True)
    ]


def pin_to_one_core() -> None:
    """Stay on one core, where the system lets a process choose."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
