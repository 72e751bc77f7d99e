"""Speed of Last Droid on one core, beside PettingZoo's connect_four_v3 in the same run.

    python -m benchmarks.speed            a table: medians of several runs, what a step includes, ratios to the peer
    python -m benchmarks.speed --json     one JSON object a line
    python -m benchmarks.speed --quick    shorter runs
    python -m benchmarks.speed --start    process start to the first step, warm and after a first compile ever

A figure is decisions of agents a second. Everything is measured warm, one process, pinned to one core where the system
allows it. Runs of ours and of the peer alternate, since absolute figures drift.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

import lastdroid_env
from lastdroid_env.actions import NUM_ACTIONS
from lastdroid_env.observation import layout
from lastdroid_env.rollout import random_steps, start_batch
from lastdroid_env.state import GAME
from tabletop.jit import kernel_view

BATCH = 1024
FIRST_STEP = "import lastdroid_env as l; e = l.env(); e.reset(seed=1); e.step(int(e.last()[0]['action_mask'].argmax()))"


@dataclass(frozen=True)
class Case:
    """One thing to measure: ``run(seconds)`` returns (decisions, seconds it took)."""

    game: str
    face: str
    players: int
    batch: int
    includes: str
    run: Callable[[float], tuple[int, float]]


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
    slowest: int
    fastest: int


def compiled_play(players: int, observe: bool) -> Callable[[float], tuple[int, float]]:
    """Random play without leaving compiled code, a batch of games step by step."""
    games = kernel_view(np.zeros(BATCH, GAME))
    games["num_players"] = players
    games["rng"] = np.arange(BATCH)
    tables = lastdroid_env.load_cards().tables
    masks = np.zeros((BATCH, NUM_ACTIONS), np.int8)
    observations = np.zeros((BATCH, layout(players).size), np.float32)
    rng = np.array([0], np.uint64)
    start_batch(games, tables, masks)
    random_steps(games, tables, rng, 300, observations, masks, int(observe))  # games at all stages

    def run(seconds: float) -> tuple[int, float]:
        steps, began = 0, time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds:
            random_steps(games, tables, rng, 50, observations, masks, int(observe))
            steps += 50
        return steps * BATCH, passed

    return run


def aec_play(make: Callable[[], Any], sample: bool) -> Callable[[float], tuple[int, float]]:
    """The ordinary AEC loop; ``sample``: by the action space under the mask, else by NumPy among the legal actions."""
    env = make()
    rng = np.random.default_rng(0)
    env.reset(seed=0)

    def run(seconds: float) -> tuple[int, float]:
        decisions, began = 0, time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds:
            env.reset()
            for agent in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    action = None
                else:
                    mask = observation["action_mask"]
                    if sample:
                        action = env.action_space(agent).sample(mask)
                    else:
                        legal = mask.nonzero()[0]
                        action = int(legal[int(rng.random() * len(legal))])
                    decisions += 1
                env.step(action)
        return decisions, passed

    return run


def cases() -> Iterator[Case]:
    """All cases, the peer's beside ours."""
    from pettingzoo.classic import connect_four_v3

    for players in (1, 2, 3, 4):
        bare = "choose at random, apply, action mask, new deals"
        yield Case("last_droid", "compiled", players, BATCH, bare, compiled_play(players, False))
        seen = f"the same and the mover's observation ({layout(players).size} floats)"
        yield Case("last_droid", "compiled", players, BATCH, seen, compiled_play(players, True))
    raw = "last() with observation and mask, a random legal action by NumPy, step"
    loop = "last() with observation and mask, action_space.sample(mask), step"
    for players in (1, 2, 3, 4):
        make = _maker(players)
        yield Case("last_droid", "raw_env", players, 1, raw, aec_play(make, False))
        yield Case("last_droid", "env", players, 1, loop, aec_play(make, True))
    yield Case("connect_four_v3 (PettingZoo)", "raw_env", 2, 1, raw, aec_play(connect_four_v3.raw_env, False))
    yield Case("connect_four_v3 (PettingZoo)", "env", 2, 1, loop, aec_play(connect_four_v3.env, True))


def _maker(players: int) -> Callable[[], Any]:
    return lambda: lastdroid_env.env(num_players=players)


def measure(seconds: float, runs: int, progress: bool) -> list[Figure]:
    """Every case ``runs`` times for about ``seconds``, in turns, after one round that is not counted."""
    todo = list(cases())
    rates: list[list[float]] = [[] for _ in todo]
    for round_number in range(runs + 1):
        for case, found in zip(todo, rates, strict=True):
            decisions, took = case.run(seconds if round_number else seconds / 4)
            if round_number:
                found.append(decisions / took)
        if progress:
            print(f"round {round_number} of {runs}", file=sys.stderr)
    return [
        Figure(
            case.game,
            case.face,
            case.players,
            case.batch,
            1,
            case.includes,
            round(statistics.median(found)),
            round(min(found)),
            round(max(found)),
        )
        for case, found in zip(todo, rates, strict=True)
    ]


def pin_to_one_core() -> bool:
    """Stay on one core, where the system lets a process choose."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        return True
    return False


def ratio(figures: list[Figure], face: str) -> float:
    """Our two-player rate as a multiple of the peer's, for an AEC face."""
    ours, peer = (
        next(f for f in figures if f.face == face and f.players == 2 and f.game.startswith(game))
        for game in ("last_droid", "connect_four")
    )
    return ours.decisions_per_s / peer.decisions_per_s


def show(figures: list[Figure]) -> None:
    """The figures as a table, then the ratios to the peer."""
    table = Table("game", "face", "players", "batch", "a step includes", "decisions/s", "slowest - fastest run")
    for f in figures:
        spread = f"{f.slowest:,} - {f.fastest:,}"
        table.add_row(f.game, f.face, str(f.players), str(f.batch), f.includes, f"{f.decisions_per_s:,}", spread)
    console = Console(width=None if sys.stdout.isatty() else 170)
    console.print(table)
    for face in ("raw_env", "env"):
        console.print(f"{face}: {ratio(figures, face):.1f} times connect_four_v3's (two players)")


def start_times(runs: int) -> dict[str, float]:
    """Seconds from process start to the first step: median of warm starts, and one after a first compile ever."""

    def once(cache: str | None) -> float:
        environment = {**os.environ, "TABLETOP_QUIET": "1", **({"NUMBA_CACHE_DIR": cache} if cache else {})}
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", FIRST_STEP], env=environment, check=True)
        return time.perf_counter() - began

    once(None)
    warm = statistics.median(once(None) for _ in range(runs))
    with tempfile.TemporaryDirectory() as empty:
        return {"warm_start_s": round(warm, 2), "first_compile_s": round(once(empty), 1)}


def main(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs.")] = False,
    start: Annotated[bool, typer.Option("--start", help="Measure process start instead.")] = False,
) -> None:
    """Measure and report."""
    if start:
        print(json.dumps(start_times(3 if quick else 9)))
        return
    pin_to_one_core()
    figures = measure(0.4 if quick else 1.5, 3 if quick else 7, progress=sys.stderr.isatty())
    if as_json:
        for figure in figures:
            print(json.dumps(asdict(figure)))
    else:
        show(figures)


if __name__ == "__main__":
    typer.run(main)
