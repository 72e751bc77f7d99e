"""Throughput of every face of both games beside the peers that are installed, in one run.

    python -m benchmarks.throughput                  a table: medians of several runs, what a decision includes
    python -m benchmarks.throughput robots           one game only
    python -m benchmarks.throughput --quick          two players, shorter runs, no pgx: less than 50 seconds
    python -m benchmarks.throughput --json           one JSON object a line
    python -m benchmarks.throughput --markdown       the table as docs/speed.md has it
    python -m benchmarks.throughput --scaling        by number of games, 1 to 65,536, instead
    python -m benchmarks.throughput --threads        one thread and all cores instead
    python -m benchmarks.throughput --start          process start to the first step instead
    python -m benchmarks.throughput --plot FILE.png  a picture as well

A figure is decisions of agents a second. Everything is warm, one process, pinned to one core where the system allows it
(but for ``--threads``). Cases take turns, since absolute figures drift.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from . import faces, peers
from .faces import GAMES, PLAYERS
from .measure import Figure, measure, pin_to_one_core

FIRST_STEP = "{}; e = g.env(); e.reset(seed=1); e.step(int(e.last()[0]['action_mask'].argmax()))"
IMPORTS = {name: f"import {package.__name__} as g" for name, package in GAMES.items()}
IMPORTS[peers.PEER] = f"from pettingzoo.classic import {peers.PEER} as g"


COLUMNS = ("game", "face", "players", "batch", "cores", "decisions/s", "slowest - fastest run", "CPU ns", "× peer")


def rows(figures: list[Figure]) -> list[list[str]]:
    """The figures as text, beside PettingZoo's peer where it was measured."""
    rates = {(f.game, f.face): f.decisions_per_s for f in figures if f.peer}
    found = []
    for f in figures:
        peer = rates.get((peers.PEER, "env" if f.face == "env" else "raw_env"))
        whole = (f.decisions_per_s, f.slowest, f.fastest, f.cpu_ns)
        rate, slowest, fastest, cpu = (f"{number:,}" for number in whole)
        ratio = f"{f.decisions_per_s / peer:,.1f}" if peer else ""
        line = [
            f.game,
            f.face,
            str(f.players),
            f"{f.batch:,}",
            str(f.cores),
            rate,
            f"{slowest} - {fastest}",
            cpu,
            ratio,
        ]
        found.append(line)
    return found


def show(figures: list[Figure], markdown: bool) -> None:
    """The figures as a table, and what a decision includes."""
    includes = dict.fromkeys((f.game if f.peer else "ours", f.face, f.includes) for f in figures)
    if markdown:
        for line in (COLUMNS, ["---"] * len(COLUMNS), *rows(figures)):
            print(f"| {' | '.join(line)} |")
        print()
    else:
        table = Table(*COLUMNS)
        for line in rows(figures):
            table.add_row(*line)
        Console(width=None if sys.stdout.isatty() else 150).print(table)
    for whose, face, text in includes:
        print(f"* {whose}, {face}: {text}")


def plot(figures: list[Figure], file: Path) -> None:
    """Bars on a logarithmic scale; or lines by batch, where there is one face in many sizes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    sizes = {f.batch for f in figures}
    picture, axes = plt.subplots(figsize=(8, 4 if len(sizes) > 4 else 0.28 * len(figures) + 1))
    if {f.face for f in figures} == {"vec"} and len(sizes) > 4:
        for game in dict.fromkeys(f.game for f in figures):
            line = [(f.batch, f.decisions_per_s) for f in figures if f.game == game]
            axes.loglog(*zip(*line, strict=True), marker="o", label=game)
        axes.set(xlabel="games in the batch", ylabel="decisions a second")
        axes.legend()
    else:
        shown = [f for f in figures if f.peer or f.players == 2][::-1]
        labels = [f.game + f" {f.face}" + (f" ×{f.batch:,}" if f.batch > 1 else "") for f in shown]
        colours = ["tab:gray" if f.peer else "tab:blue" if f.game == "last_droid" else "tab:orange" for f in shown]
        axes.barh(labels, [f.decisions_per_s for f in shown], color=colours)
        axes.set(xscale="log", xlabel="decisions a second, one core")
    picture.tight_layout()
    picture.savefig(file, dpi=110)


def start_times(names: list[str], runs: int) -> list[dict[str, Any]]:
    """Seconds from process start to the first step, medians of warm starts in turns; ours also after a first compile
    ever."""

    def once(name: str, cache: str | None = None) -> float:
        environment = {**os.environ, "TABLETOP_QUIET": "1", **({"NUMBA_CACHE_DIR": cache} if cache else {})}
        code = FIRST_STEP.format(IMPORTS[name])
        began = time.perf_counter()
        subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, check=True)
        return time.perf_counter() - began

    every = [*names, peers.PEER]
    for name in every:
        once(name)
    rounds = [[once(name) for name in every] for _ in range(runs)]
    found: list[dict[str, Any]] = [
        {"game": name, "warm_start_s": round(statistics.median(times), 2)}
        for name, times in zip(every, zip(*rounds, strict=True), strict=True)
    ]
    for figures, name in zip(found, names, strict=False):
        with tempfile.TemporaryDirectory() as empty:
            figures["first_compile_s"] = round(once(name, empty), 1)
    return found


def main(
    game: Annotated[str | None, typer.Argument(help=f"One of {', '.join(GAMES)}; all if left out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Two players, shorter runs.")] = False,
    scaling: Annotated[bool, typer.Option("--scaling", help="By number of games instead.")] = False,
    threads: Annotated[bool, typer.Option("--threads", help="One thread and all cores instead.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="The table as docs/speed.md has it.")] = False,
    start: Annotated[bool, typer.Option("--start", help="Process start instead.")] = False,
    picture: Annotated[Path | None, typer.Option("--plot", help="Draw the figures into this file.")] = None,
) -> None:
    """Measure and report."""
    if game is not None and game not in GAMES:
        raise typer.BadParameter(f"no game is called {game!r}; known are {', '.join(GAMES)}")
    if scaling + threads + start > 1:
        raise typer.BadParameter("--scaling, --threads and --start are measured one at a time")
    names = [game] if game else list(GAMES)
    if start:
        for times in start_times(names, 3 if quick else 9):
            print(json.dumps(times))
        return
    if threads:
        todo = list(faces.threading(names, os.cpu_count() or 1))
    else:
        pin_to_one_core()
        if scaling:
            todo = list(faces.scaling(names))
        else:
            todo = [*faces.cases(names, lambda name: (2,) if quick else PLAYERS[name]), *peers.cases(quick)]
    figures = measure(todo, 0.2 if quick else 1.5, 3 if quick else 7, progress=sys.stderr.isatty())
    if as_json:
        for figure in figures:
            print(json.dumps(asdict(figure)))
    else:
        show(figures, markdown)
    if picture is not None:
        plot(figures, picture)


if __name__ == "__main__":
    typer.run(main)
