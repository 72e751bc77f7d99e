"""``python -m agents train GAME`` and ``python -m agents export RUN NAME.npz``."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tabletop.networks import DTYPES, Network
from tabletop.policies import GAMES, PolicyError, whole_path

from .log import CURVE
from .settings import NETWORK, RLLIB, SETTINGS, Settings, parse_overrides, preset, read_settings

ENGINES = {"sb3": "agents,train", "rllib": "agents,rllib"}
"""What trains, and the extras that each needs."""


def train(
    game: Annotated[str, typer.Argument(help=f"one of {', '.join(GAMES)}")],
    players: Annotated[int | None, typer.Option(help="at the table, 2 if left out; 1 plays Last Droid solo")] = None,
    minutes: Annotated[float | None, typer.Option(help="how long; 10 if neither this nor --steps is given")] = None,
    steps: Annotated[int | None, typer.Option(help="how long, in decisions of the learner")] = None,
    seed: Annotated[int | None, typer.Option(help="of the network, the games and all chances")] = None,
    opponents: Annotated[
        str | None, typer.Option(help="agents that are in the pool from the start, with commas between them")
    ] = None,
    teacher: Annotated[
        str | None, typer.Option(help="agent whose decisions are imitated at first; '' for none")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="folder of the run; runs/GAME-PLAYERS-SEED if left out")] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file of settings")] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="a setting as NAME=VALUE, as in TOML; may be repeated")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="go on with the run of this folder")] = None,
    engine: Annotated[str, typer.Option(help="sb3, or rllib: on a Ray cluster, against itself alone")] = "sb3",
    address: Annotated[
        str | None, typer.Option(help="rllib: of the cluster, auto for this machine's; without one it makes its own")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="rllib: processes that play, 2 if left out")] = None,
    learners: Annotated[int | None, typer.Option(help="rllib: processes that learn; 0 if left out, this one")] = None,
) -> None:
    """Train an agent, from a random network, by playing against itself, its earlier selves and others."""
    screen = Console(stderr=True)
    given = {
        "players": players,
        "minutes": minutes,
        "steps": steps,
        "seed": seed,
        "opponents": opponents,
        "teacher": teacher,
    }
    given = {name: value for name, value in given.items() if value is not None}
    try:
        cluster = {"address": address, "workers": workers, "learners": learners}
        make = _engine(engine, {name: value for name, value in cluster.items() if value is not None})
        settings, folder = _settings(game, given, out, config, change or [], resume)
        run = make(settings, folder)
        if resume is not None:
            run.resume()
            if run.progress >= 1.0:
                raise ValueError(f"{folder} is finished: --minutes or --steps make it longer")
    except (ValueError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    (folder / SETTINGS).write_text(settings.to_toml(), encoding="utf-8")
    screen.print(f"{folder}: {_means(settings)}", highlight=False, markup=False, soft_wrap=True)
    try:
        _watch(run, screen)
    except PolicyError as error:
        raise SystemExit(f"{folder}: {error}") from error
    except KeyboardInterrupt:
        screen.print(f"stopped; go on with: python -m agents train {game} --resume {folder}", markup=False)
        raise typer.Exit(130) from None
    screen.print(f"{folder / CURVE}, {folder / NETWORK}", highlight=False, markup=False, soft_wrap=True)


def _engine(name: str, cluster: dict[str, Any]) -> Callable[[Settings, Path], Any]:
    """What makes a run of settings and a folder."""
    if name not in ENGINES:
        raise ValueError(f"engine must be one of {', '.join(ENGINES)}, not {name!r}")
    if name == "sb3" and cluster:
        raise ValueError(f"--{next(iter(cluster))} belongs to --engine rllib")
    try:
        if name == "sb3":
            from .run import Run

            return Run
        from .rllib import RllibRun
    except ImportError as error:
        raise SystemExit(f"{error}: needs pip install 'tabletop-droids[{ENGINES[name]}]'") from None
    return functools.partial(RllibRun, **cluster)


def _settings(
    game: str, given: dict[str, Any], out: Path | None, config: Path | None, change: list[str], resume: Path | None
) -> tuple[Settings, Path]:
    """Settings from the run that goes on, a file, and the command line, the later before the earlier; the folder."""
    if game not in GAMES:
        raise ValueError(f"no game is called {game!r}; known are {', '.join(GAMES)}")
    named: dict[str, Any] = {}
    if resume is not None:
        if out is not None and out != resume:
            raise ValueError("a run goes on in its own folder: leave --out away")
        named = read_settings(resume / SETTINGS)
        if named.get("game", game) != game:
            raise ValueError(f"{resume} is a run of {named['game']}, not of {game}")
    if config is not None:
        named |= read_settings(config)
    named |= {**given, **parse_overrides(change), "game": game}
    if "minutes" not in named and "steps" not in named:
        named["minutes"] = 10.0
    settings = Settings(**(named if resume is not None else preset(game, named)))
    settings = dataclasses.replace(
        settings,
        opponents=tuple(map(whole_path, settings.opponents)),
        evaluate_against=tuple(map(whole_path, settings.evaluate_against)),
        teacher=whole_path(settings.teacher),
    )
    folder = resume or out or Path("runs") / f"{game}-{settings.players}-{settings.seed}"
    if resume is None and (folder / SETTINGS).exists():
        raise ValueError(
            f"there is a run in {folder}: go on with it (--resume {folder}), or name another folder (--out)"
        )
    return settings, folder


def _means(settings: Settings) -> str:
    long = [f"{settings.minutes:g} minutes"] if settings.minutes else []
    long += [f"{settings.steps:,} steps"] if settings.steps else []
    return f"{settings.game}, {settings.players} players, seed {settings.seed}, {' or '.join(long)}"


def _watch(run: Any, screen: Console) -> None:
    """Train with a progress bar on a terminal, and a line for each evaluation anywhere."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[speed]}"),
    )
    with Progress(*columns, console=screen, disable=not screen.is_terminal) as bar:
        task = bar.add_task("training", total=1.0, completed=run.progress, speed="")

        def told(run: Any, news: str) -> None:
            speed = f"{run.steps / 1e6:.2f} million steps, {run.steps / max(run.seconds, 1e-9):,.0f} a second"
            bar.update(task, completed=run.progress, speed=speed)
            if news:
                line = f"{run.steps:>11,} steps {run.seconds / 60:6.1f} min  {news}"
                bar.console.print(line, highlight=False, markup=False, soft_wrap=True)

        run.train(told)


def _network_of(folder: Path) -> Network:
    """What a run has learned up to its last checkpoint."""
    if not (folder / SETTINGS).exists():
        raise ValueError(f"there is no run in {folder}")
    settings = Settings(**read_settings(folder / SETTINGS))
    if (folder / RLLIB).exists():
        return Network.load(folder / NETWORK)
    from .run import Run

    alone = dataclasses.replace(settings, teacher="", opponents=(), evaluate_against=())
    run = Run(alone, folder)
    if not run.resume(network_alone=True):
        raise ValueError(f"{folder} has no checkpoint yet")
    network = run.network()
    network.made["settings"] = settings.to_toml()
    return network


def export(
    run: Annotated[Path, typer.Argument(help="folder of a run, finished or not")],
    file: Annotated[Path, typer.Argument(help="the network file to write, NAME.npz")],
    dtype: Annotated[str, typer.Option(help="float32: exact; float16: half as large; int8: a quarter")] = "float16",
) -> None:
    """Make an agent of a run: a file that plays by its path, needs no PyTorch, and can be given away."""
    if dtype not in DTYPES:
        raise typer.BadParameter(f"dtype must be one of {', '.join(DTYPES)}, not {dtype!r}")
    if file.suffix != ".npz":
        raise typer.BadParameter(f"a network file is called NAME.npz, not {file.name!r}")
    try:
        network = _network_of(run)
        network.save(file, dtype)
    except ImportError as error:
        raise SystemExit(f"{error}: exporting needs pip install 'tabletop-droids[agents,train]'") from None
    except (ValueError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    print(f"{file}: {file.stat().st_size:,} bytes, {network.made['steps']:,} steps of training")
