"""Speed of both games on one core, beside PettingZoo's connect_four_v3 in the same run.

    python -m benchmarks.speed            a table: medians of several runs, what a step includes, ratios to the peer
    python -m benchmarks.speed robots     one game only
    python -m benchmarks.speed --json     one JSON object a line
    python -m benchmarks.speed --quick    shorter runs
    python -m benchmarks.speed --start    process start to the first step, warm and after a first compile ever

A figure is decisions of agents a second. Everything is measured warm, one process, pinned to one core where the system
allows it. Runs of ours and of the peer alternate, since absolute figures drift.
"""

from __future__ import annotations

import functools
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
import robots_env

BATCH = 1024
GAMES: dict[str, Any] = {"last_droid": lastdroid_env, "robots": robots_env}
PLAYERS = {"last_droid": (1, 2, 3, 4), "robots": (2, 3, 4, 5)}
PEER = "connect_four_v3"
FIRST_STEP = "import {} as g; e = g.env(); e.reset(seed=1); e.step(int(e.last()[0]['action_mask'].argmax()))"


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


def compiled_play(name: str, players: int, observe: bool) -> Callable[[float], tuple[int, float]]:
    """Random play without leaving compiled code, a batch of games step by step."""
    package = GAMES[name]
    game = package.env(num_players=players).game
    games = np.repeat(game.record, BATCH)
    games["rng"] = np.arange(BATCH)
    tables = game.tables
    masks = np.zeros((BATCH, game.num_actions), np.int8)
    observations = np.zeros((BATCH, game.observation_size), np.float32)
    rng = np.array([0], np.uint64)
    random_steps = game.loops.random_steps
    game.loops.start_batch(games, tables, masks)
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


def cases(names: list[str]) -> Iterator[Case]:
    """All cases of some games, the peer's beside ours."""
    from pettingzoo.classic import connect_four_v3

    raw = "last() with observation and mask, a random legal action by NumPy, step"
    loop = "last() with observation and mask, action_space.sample(mask), step"
    for name in names:
        for players in PLAYERS[name]:
            make = functools.partial(GAMES[name].env, num_players=players)
            bare = "choose at random, apply, action mask, new deals"
            yield Case(name, "compiled", players, BATCH, bare, compiled_play(name, players, False))
            seen = f"the same and the mover's observation ({GAMES[name].layout(players).size} floats)"
            yield Case(name, "compiled, observed", players, BATCH, seen, compiled_play(name, players, True))
            yield Case(name, "raw_env", players, 1, raw, aec_play(make, False))
            yield Case(name, "env", players, 1, loop, aec_play(make, True))
    yield Case(PEER, "raw_env", 2, 1, raw, aec_play(connect_four_v3.raw_env, False))
    yield Case(PEER, "env", 2, 1, loop, aec_play(connect_four_v3.env, True))


def measure(names: list[str], seconds: float, runs: int, progress: bool) -> list[Figure]:
    """Every case ``runs`` times for about ``seconds``, in turns, after one round that is not counted."""
    todo = list(cases(names))
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


def ratio(figures: list[Figure], game: str, face: str) -> float:
    """A game's two-player rate as a multiple of the peer's: ``env`` of its ``env``, all else of its ``raw_env``."""
    rates = {(f.game, f.face): f.decisions_per_s for f in figures if f.players == 2}
    return rates[game, face] / rates[PEER, "env" if face == "env" else "raw_env"]


def show(figures: list[Figure]) -> None:
    """The figures as a table, then the ratios to the peer."""
    table = Table("game", "face", "players", "batch", "a step includes", "decisions/s", "slowest - fastest run")
    for f in figures:
        spread = f"{f.slowest:,} - {f.fastest:,}"
        table.add_row(f.game, f.face, str(f.players), str(f.batch), f.includes, f"{f.decisions_per_s:,}", spread)
    console = Console(width=None if sys.stdout.isatty() else 170)
    console.print(table)
    for game in dict.fromkeys(f.game for f in figures if f.game != PEER):
        ratios = [
            f"{face} {ratio(figures, game, face):.1f}" for face in ("compiled", "compiled, observed", "raw_env", "env")
        ]
        console.print(f"{game}, two players, in multiples of the peer: {'; '.join(ratios)}")


def start_times(name: str, runs: int) -> dict[str, Any]:
    """Seconds from process start to the first step: median of warm starts, and one after a first compile ever."""
    first_step = FIRST_STEP.format(GAMES[name].__name__)

    def once(cache: str | None) -> float:
        environment = {**os.environ, "TABLETOP_QUIET": "1", **({"NUMBA_CACHE_DIR": cache} if cache else {})}
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", first_step], env=environment, check=True)
        return time.perf_counter() - began

    once(None)
    warm = statistics.median(once(None) for _ in range(runs))
    with tempfile.TemporaryDirectory() as empty:
        return {"game": name, "warm_start_s": round(warm, 2), "first_compile_s": round(once(empty), 1)}


def main(
    game: Annotated[str | None, typer.Argument(help=f"One of {', '.join(GAMES)}; all if left out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs.")] = False,
    start: Annotated[bool, typer.Option("--start", help="Measure process start instead.")] = False,
) -> None:
    """Measure and report."""
    if game is not None and game not in GAMES:
        raise typer.BadParameter(f"no game is called {game!r}; known are {', '.join(GAMES)}")
    names = [game] if game else list(GAMES)
    if start:
        for name in names:
            print(json.dumps(start_times(name, 3 if quick else 9)))
        return
    pin_to_one_core()
    figures = measure(names, 0.4 if quick else 1.5, 3 if quick else 7, progress=sys.stderr.isatty())
    if as_json:
        for figure in figures:
            print(json.dumps(asdict(figure)))
    else:
        show(figures)


if __name__ == "__main__":
    typer.run(main)
