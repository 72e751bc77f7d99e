"""The commands ``tournament``, ``ladder`` and ``leaderboard``."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tabletop.policies import GAMES

from ..arena import find_arena
from ..match import PolicyError
from ..settings import setting as read_setting
from .ladder import run_ladder
from .play import WorkerDied
from .plot import check_picture
from .plot import plot as plot_ladders
from .round_robin import run_tournament
from .run import everybody
from .store import content_of
from .tables import show

Game = Annotated[str, typer.Argument(help=f"one of {', '.join(GAMES)}")]
Agents = Annotated[
    str | None,
    typer.Option(help="names, or FILE.py:NAME, with commas between them; all that do not search if left out"),
]
Settings = Annotated[list[str] | None, typer.Option(help="of the game, as NAME=VALUE; may be repeated")]
Results = Annotated[Path | None, typer.Option(help="a file that keeps finished games; a stopped run goes on from it")]
Workers = Annotated[int, typer.Option(help="processes that play")]
Ray = Annotated[str | None, typer.Option(help="address of a Ray cluster that plays; local: one of this machine")]
AnyVersions = Annotated[bool, typer.Option("--any-versions", help="go on with results that other versions have played")]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]
STOPPED = 130
"""The exit code after Ctrl-C."""


def _file(file: Path | None) -> Path | None:
    """A file that can be written when all games are played."""
    if file is not None and (file.is_dir() or not file.parent.is_dir()):
        raise typer.BadParameter(f"{file} is a folder" if file.is_dir() else f"there is no folder {file.parent}")
    return file


def _picture(file: Path | None) -> Path | None:
    """A file that a plot can be written to."""
    if file is not None:
        with _errors():
            check_picture(file)
    return _file(file)


Markdown = Annotated[Path | None, typer.Option(help="a file for the tables in Markdown", callback=_file)]
Picture = Annotated[Path | None, typer.Option(help="a picture of the ratings, .png, .svg or .pdf", callback=_picture)]


def tournament(
    game: Game,
    players: Annotated[int, typer.Option(help="at the table; 1 plays Last Droid solo")] = 2,
    agents: Agents = None,
    games: Annotated[int, typer.Option(help="of each line-up, rounded up to whole rotations of the seats")] = 500,
    seed: Annotated[int, typer.Option(help="of all deals and all agents' chances")] = 0,
    setting: Settings = None,
    results: Results = None,
    workers: Workers = 1,
    ray: Ray = None,
    any_versions: AnyVersions = False,
    markdown: Markdown = None,
    as_json: AsJson = False,
) -> None:
    """Let agents play each other in every seat and print wins, scores and 95 % intervals."""
    with _playing(results, None if agents else _everybody(game, players)) as progress:
        result = run_tournament(
            game,
            _names(agents) if agents is not None else everybody(game, players),
            players,
            games=games,
            seed=seed,
            settings=dict(map(read_setting, setting or [])),
            results=results,
            workers=workers,
            ray=ray,
            any_versions=any_versions,
            progress=progress,
        )
    _write(markdown, result.sheet().markdown() + "\n")
    if as_json:
        print(json.dumps(result.to_dict(), indent=2))
    else:
        show([result.sheet()])


def ladder(
    game: Game,
    players: Annotated[
        int | None, typer.Option(help="at the table; 1 plays Last Droid solo; usually 2, or as in the results file")
    ] = None,
    agents: Annotated[
        str | None,
        typer.Option(
            help="the whole field: names, or FILE.py:NAME, with commas between them; "
            "if left out, that of the results file, or all that do not search"
        ),
    ] = None,
    join: Annotated[str | None, typer.Option(help="agents that join those of the results file")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            help="the least that every two agents play together, 200 if left out; of those who join, if any do; "
            "more than before: all play on"
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="of all deals and all agents' chances; usually 0")] = None,
    setting: Settings = None,
    results: Results = None,
    workers: Workers = 1,
    ray: Ray = None,
    any_versions: AnyVersions = False,
    markdown: Markdown = None,
    plot: Picture = None,
    as_json: AsJson = False,
) -> None:
    """Let agents play each other, rate them, and say how far the order is to be trusted."""
    with _errors():
        fresh = agents is None and (results is None or not content_of(results))
    with _playing(results, _everybody(game, players or 2) if fresh else None) as progress:
        result = run_ladder(
            game,
            None if agents is None else _names(agents),
            players,
            join=_names(join or ""),
            games=games,
            seed=seed,
            settings=dict(map(read_setting, setting)) if setting else None,
            results=results,
            workers=workers,
            ray=ray,
            any_versions=any_versions,
            progress=progress,
        )
        if plot is not None:
            plot_ladders([result], plot)
    _write(markdown, result.markdown())
    if as_json:
        print(json.dumps(result.to_dict(), indent=2, allow_nan=False))
    else:
        show(result.sheets())


def leaderboard(
    folder: Annotated[Path, typer.Option(help="where the results files of ladders are")] = Path("docs/leaderboard"),
    page: Annotated[Path, typer.Option(help="what is written")] = Path("docs/leaderboard.md"),
) -> None:
    """Write the page of ladders, and their plots, from committed results files."""
    from .leaderboard import write

    with _errors():
        for file in write(folder, page):
            print(f"{file}: written")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _everybody(game: str, players: int) -> str | None:
    """What is said when nobody was chosen."""
    with contextlib.suppress(ValueError):
        find_arena(game)
        names = everybody(game, players)
        return f"All {len(names)} agents play that do not search (--agents chooses): {', '.join(names)}"
    return None


@contextlib.contextmanager
def _playing(results: Path | None, note: str | None) -> Iterator[Callable[[int, int], None]]:
    """A progress bar, where there is a terminal, and what is said about errors and Ctrl-C."""
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    so_far = (0, 0)
    try:
        with _errors(), Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
            task = bar.add_task("games", total=None)

            def progress(played: int, total: int) -> None:
                nonlocal so_far
                if note and so_far == (0, 0):
                    screen.print(f"{note}; {total:,} games", markup=False, highlight=False, soft_wrap=True)
                so_far = played, total
                bar.update(task, completed=played, total=total)

            yield progress
    except KeyboardInterrupt:
        played, total = so_far
        kept = f"what is finished is in {results}, and the same command goes on" if results else "nothing is kept"
        advice = "" if results else "; --results FILE would"
        screen.print(
            f"Stopped after {played:,} of {total:,} games: {kept}{advice}.",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
        raise typer.Exit(STOPPED) from None


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except (PolicyError, WorkerDied) as error:
        Console(stderr=True).print(str(error), markup=False, highlight=False)
        raise typer.Exit(1) from error
    except (ValueError, TypeError, OSError, ImportError) as error:
        raise typer.BadParameter(str(error)) from error


def _write(file: Path | None, text: str) -> None:
    if file is not None:
        with _errors():
            file.write_text(text, encoding="utf-8", newline="\n")
